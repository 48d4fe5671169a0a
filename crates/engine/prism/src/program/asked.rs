//! What is asked of a model.

use dashu_ratio::RBig;

/// What a model is read for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The one question that is asked of it: only what can come before play is over is explored. None: all states are.
    pub question: Option<Reaching<'a>>,
    /// More expressions that will be asked of it.
    pub expressions: &'a [&'a str],
    /// Where play begins, instead of the initial states: in the state that has this number when all states are explored.
    /// It becomes state 0.
    pub from: Option<u32>,
}

/// A question for reaching a goal, as far as it says which states count. Play is over in goal states, outside of `until`,
/// after `steps` choices, and where one of `bounds` is exceeded.
#[derive(Clone, Copy, Debug)]
pub struct Reaching<'a> {
    /// The goal, an expression.
    pub goal: &'a str,
    /// The only states that may lie on the way to it, an expression; none: all may.
    pub until: Option<&'a str>,
    /// How many choices play has; none: any number.
    pub steps: Option<u64>,
    /// How much of some reward models, by their names, may be earned on the way.
    pub bounds: &'a [(&'a str, RBig)],
}

impl<'a> Asked<'a> {
    /// All expressions.
    pub(crate) fn all(&self) -> Vec<&'a str> {
        let question = self.question.iter().flat_map(|question| [question.goal].into_iter().chain(question.until));
        question.chain(self.expressions.iter().copied()).collect()
    }
}
