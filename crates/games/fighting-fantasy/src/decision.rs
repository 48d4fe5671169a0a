//! The best decision at one moment: to use luck or to keep it.

use std::cmp::Ordering;
use std::fmt;

use mdp::Rational;

/// The best decision after an outcome of a round, proved with exact numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Using luck is better, by however little.
    UseLuck,
    /// Not using luck is better.
    Keep,
    /// Both have exactly the same value.
    #[default]
    Either,
}

impl Decision {
    /// The decision for a comparison of using luck with keeping it.
    pub(crate) fn from_comparison(using_luck: Ordering) -> Self {
        match using_luck {
            Ordering::Greater => Self::UseLuck,
            Ordering::Less => Self::Keep,
            Ordering::Equal => Self::Either,
        }
    }

    /// `use-luck`, `keep` or `either`.
    pub fn name(self) -> &'static str {
        match self {
            Self::UseLuck => "use-luck",
            Self::Keep => "keep",
            Self::Either => "either",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The best decisions in one situation before a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decisions {
    /// If the round is lost.
    pub on_lost_round: Decision,
    /// If the round is won.
    pub on_won_round: Decision,
}

impl Decisions {
    /// The number in the paper's figures: 1 = use luck whatever the outcome, 2 = after a lost round,
    /// 3 = after a won round, 0 (a blank in the figures) = after neither. A tie counts as not using luck.
    pub fn figure_number(self) -> u8 {
        match (self.on_lost_round == Decision::UseLuck, self.on_won_round == Decision::UseLuck) {
            (true, true) => 1,
            (true, false) => 2,
            (false, true) => 3,
            (false, false) => 0,
        }
    }
}

/// The decision about luck at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The proved decision. [`Decision::Either`] also where there is nothing left to decide.
    pub decision: Decision,
    /// The value of the objective if luck is kept now; `None` when the strategy never keeps it.
    pub keep: Option<Rational>,
    /// The value of the objective if luck is used now; `None` when it must not be, or the strategy never uses it.
    pub use_luck: Option<Rational>,
}
