//! The choice of reductions that shrink the state space and preserve every value.

/// Reductions that preserve every value; each can be switched off.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Analyses {
    /// Steps without a choice or chance are no states.
    pub straight: bool,
    /// Registers that can no longer matter are cleared (liveness).
    pub forget: bool,
    /// Numbers are stored only up to the value from which on they are equivalent.
    pub cap: bool,
    /// Equivalent futures are merged: weapons with the same effect, choices with the same successors.
    pub merge: bool,
    /// A fight to the end is one chance if nothing depends on its rounds.
    pub fold: bool,
    /// Places are specialized by the flags and special items that the hero has.
    pub split: bool,
    /// All states from which the book cannot be won are one.
    pub hopeless: bool,
    /// All states from which optimal play surely wins are one.
    pub sure: bool,
    /// Actions are offered only where a later offer would come too late.
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
    /// None of them: every step is a state, and every state keeps all registers.
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

    /// The names of all reductions.
    pub const NAMES: [&'static str; 9] =
        ["straight", "forget", "cap", "merge", "fold", "split", "hopeless", "sure", "wait"];

    /// The same without one of them; `None` if the name is unknown.
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
