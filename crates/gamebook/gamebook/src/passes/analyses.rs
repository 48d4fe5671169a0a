//! What is done so that a book has fewer states: reductions that keep every value.

/// Reductions that keep every value; each can be switched off.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Analyses {
    /// Steps without choice or chance make no states.
    pub straight: bool,
    /// Registers that can no longer matter are forgotten.
    pub forget: bool,
    /// Numbers are stored only as far as they can be told apart.
    pub cap: bool,
    /// Equal futures are merged: weapons that do the same, choices that lead to the same.
    pub merge: bool,
    /// A fight to the end is one chance where nothing depends on its rounds.
    pub fold: bool,
    /// Places are split by the flags and special items that he has there.
    pub split: bool,
    /// Situations from which the book can surely not be won are one.
    pub hopeless: bool,
    /// Situations from which the book is surely won by who plays right are one.
    pub sure: bool,
    /// Actions are offered only where it would be too late to be asked later.
    pub wait: bool,
}

impl Default for Analyses {
    /// All of them.
    fn default() -> Self {
        Self {
            straight: true,
            forget: true,
            cap: true,
            merge: true,
            fold: true,
            split: true,
            hopeless: true,
            sure: true,
            wait: true,
        }
    }
}

impl Analyses {
    /// None of them: every step is a state, and every state remembers everything.
    pub const NONE: Self = Self {
        straight: false,
        forget: false,
        cap: false,
        merge: false,
        fold: false,
        split: false,
        hopeless: false,
        sure: false,
        wait: false,
    };

    /// Each by name.
    pub const NAMES: [&'static str; 9] =
        ["straight", "forget", "cap", "merge", "fold", "split", "hopeless", "sure", "wait"];

    /// The same without one of them; `None` when there is none of this name.
    pub fn without(mut self, name: &str) -> Option<Self> {
        *match name {
            "straight" => &mut self.straight,
            "forget" => &mut self.forget,
            "cap" => &mut self.cap,
            "merge" => &mut self.merge,
            "fold" => &mut self.fold,
            "split" => &mut self.split,
            "hopeless" => &mut self.hopeless,
            "sure" => &mut self.sure,
            "wait" => &mut self.wait,
            _ => return None,
        } = false;
        Some(self)
    }
}
