//! The purpose for which a model is read.

use dashu_ratio::RBig;

/// The purpose for which a model is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadRequest<'a> {
    /// The question, if there is only one: only states that can occur before play is over are explored. `None` explores
    /// all states.
    pub question: Option<Reaching<'a>>,
    /// Further expressions that will be evaluated.
    pub expressions: &'a [&'a str],
    /// A start in place of the initial states: the state with this number when all states are explored. It becomes
    /// state 0.
    pub from: Option<u32>,
}

/// A question for reaching a goal, as far as it determines which states matter. Play is over in goal states, outside of
/// `until`, after `steps` choices, and where one of `bounds` is exceeded.
#[derive(Clone, Copy, Debug)]
pub struct Reaching<'a> {
    /// The goal, an expression.
    pub goal: &'a str,
    /// The only states through which play may pass, an expression; `None`: all.
    pub until: Option<&'a str>,
    /// The number of choices of a play; `None`: any number.
    pub steps: Option<u64>,
    /// The largest totals of some reward models, by name.
    pub bounds: &'a [(&'a str, RBig)],
}

impl<'a> ReadRequest<'a> {
    /// All expressions.
    pub(crate) fn all(&self) -> Vec<&'a str> {
        let question = self.question.iter().flat_map(|question| [question.goal].into_iter().chain(question.until));
        question.chain(self.expressions.iter().copied()).collect()
    }
}
