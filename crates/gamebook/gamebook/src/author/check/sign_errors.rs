//! Sign errors: losses that can give, gains that can take, and goods that are too expensive.

use super::heroes::Range;
use super::walks::Who;
use crate::book::{Book, Node, Trade};
use crate::syntax::Problem;

/// A loss of ENDURANCE that can be a gain.
pub(super) fn healing(span: &std::ops::Range<usize>, change: Range) -> Option<Problem> {
    (change.1 > 0).then(|| {
        Problem::warning(span.clone(), format!("this loss can be a gain, of {} at most", change.1))
            .help("the number after the minus can be less than 0: write \"-max(0, ...)\", or turn the sign round")
    })
}

/// A loss of gold that can be a gain.
pub(super) fn giving(node: &Node, count: Range) -> Option<Problem> {
    (count.0 < 0).then(|| {
        let most = count.0.saturating_neg();
        Problem::warning(node.span.clone(), format!("this loss can be a gain, of {most} gold at most"))
            .help("the number can be less than 0: write \"max(0, ...)\", or turn the sign round")
    })
}

/// A gain of gold that can be a loss.
pub(super) fn taking(node: &Node, count: Range) -> Option<Problem> {
    (count.0 < 0).then(|| {
        let most = count.0.saturating_neg();
        Problem::warning(node.span.clone(), format!("this gain can be a loss, of {most} gold at most"))
            .help("the number can be less than 0: write \"max(0, ...)\", or `lose`")
    })
}

/// Goods that cost more than any hero there can have.
pub(super) fn too_dear(book: &Book, trade: &Trade, purse: i32, who: Who) -> Problem {
    let name = &book.items[trade.item].name;
    let message = match who {
        Who::Anyone => format!("no hero can pay for `{name}` here"),
        Who::This => format!("this hero can never pay for `{name}` here"),
    };
    Problem::warning(trade.span.clone(), message)
        .help(format!("it costs {}, and no hero gets here with more than {purse} gold", trade.price))
}
