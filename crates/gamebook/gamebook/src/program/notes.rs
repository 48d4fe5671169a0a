//! Notes: what a program needs for reports, but not for its execution.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::instruction::Label;
use super::rolls::{Roll, Throw};
use super::state::Register;
use super::value::{Test, Value};

/// An enemy of a system of rules, as shown during the fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Foe {
    pub name: String,
    /// Its stats, and whether it falls without each.
    pub stats: Vec<(String, Register, bool)>,
}

/// A fight, as shown during the fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Duel {
    /// The enemy's name.
    pub name: String,
    pub combat_skill: i32,
    pub endurance: Value,
    /// The combat ratio; `None` before the weapon is chosen.
    pub ratio: Option<Value>,
    /// The losses of the hero and the enemy by the picked number, in a round.
    pub losses: Vec<(Value, Value)>,
}

/// A question whose last answer may be optimal whenever it is possible, because all others lead to the same place in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parting {
    /// The place to which the last answer leads in the end.
    pub left: Label,
    /// The place to which the others lead in the end, unless to death.
    pub stayed: Label,
}

/// Notes by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// How numbers are picked; `None` where picks that differ only in that share a place.
    pub rolls: FxHashMap<Label, Option<Arc<Roll>>>,
    /// The same for the dice of a system of rules.
    pub throws: FxHashMap<Label, Option<Arc<Throw>>>,
    /// The names of the units that are drawn, one for each outcome.
    pub draws: FxHashMap<Label, Vec<String>>,
    /// The enemies in a system of rules; `None` where different fights, or a fight and none, share a place.
    pub foes: FxHashMap<Label, Option<Arc<[Foe]>>>,
    pub duels: FxHashMap<Label, Duel>,
    /// The [`Fold`] of each chance within its steps.
    pub folds: FxHashMap<Label, Label>,
    pub partings: FxHashMap<Label, Parting>,
    /// Questions that offer actions and repeat, with a last answer that goes on: the condition under which they must be asked,
    /// because later is too late. Only for optimal play.
    pub actions: FxHashMap<Label, Test>,
}

impl Notes {
    /// Removes the notes from a place on, where steps are compiled again.
    pub(crate) fn forget_from(&mut self, from: usize) {
        let stays = |place: &Label| (*place as usize) < from;
        self.rolls.retain(|place, _| stays(place));
        self.throws.retain(|place, _| stays(place));
        self.draws.retain(|place, _| stays(place));
        self.foes.retain(|place, _| stays(place));
        self.duels.retain(|place, _| stays(place));
        self.folds.retain(|place, _| stays(place));
        self.partings.retain(|place, _| stays(place));
        self.actions.retain(|place, _| stays(place));
    }
}
