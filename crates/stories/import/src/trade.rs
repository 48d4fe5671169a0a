//! Things that are bought and sold.

use crate::line::{Line, quoted};
use crate::target::Target;

/// A thing that is sold or bought for a price.
pub(crate) struct Trade {
    pub name: String,
    pub price: u32,
    pub sells: bool,
    /// It can be bought once.
    pub once: bool,
    /// How many of it are bought at that price.
    pub count: usize,
}

impl Trade {
    fn line(&self) -> Line {
        let word = if self.sells { "sell" } else { "buy" };
        let once = if self.once { " at-most=1" } else { "" };
        Line::leaf(format!("{word} {} {}{once}", self.name, self.price))
    }

    fn choice(&self) -> Line {
        let Self { name, price, count, .. } = self;
        let gain = if *count > 1 { format!("gain {name} {count}") } else { format!("gain {name}") };
        let mut body = Vec::new();
        if self.sells {
            body.push(format!("require {}", quoted(&format!("has {name}"))));
            body.extend([format!("lose {name}"), format!("gain gold {price}")]);
        } else if self.once {
            body.push(format!("require {}", quoted(&format!("gold >= {price} and bought-{name} = 0"))));
            body.extend([format!("set bought-{name} 1"), format!("lose gold {price}"), gain]);
        } else {
            body.push(format!("require {}", quoted(&format!("gold >= {price}"))));
            body.extend([format!("lose gold {price}"), gain]);
        }
        body.push("again shop".into());
        let word = if self.sells { "sell" } else { "buy" };
        Line::block(
            format!("choice {}", quoted(&format!("{word} {name} for {price}"))),
            body.into_iter().map(Line::leaf).collect(),
        )
    }
}

/// Things that are bought and sold.
pub(crate) fn shop(trades: &[Trade], target: Target) -> Vec<Line> {
    if !target.is_system() {
        return vec![Line::block("shop", trades.iter().map(Trade::line).collect())];
    }
    let bought = trades.iter().filter(|trade| trade.once);
    let mut lines: Vec<Line> = bought.map(|trade| Line::leaf(format!("let bought-{} 0", trade.name))).collect();
    let mut body: Vec<Line> = trades.iter().map(Trade::choice).collect();
    body.push(Line::block("choice \"leave the shop\"", Vec::new()));
    lines.push(Line::block("repeat shop", body));
    lines
}
