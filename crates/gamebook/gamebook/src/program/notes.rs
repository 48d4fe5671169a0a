//! What is not needed to play a program, but to tell of it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::instruction::Place;
use super::rolls::{Roll, Throw};
use super::state::Register;
use super::value::{Test, Value};

/// An enemy of a system of rules, told where play stands in the fight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Foe {
    pub name: String,
    /// What he has, and whether he falls without it.
    pub stats: Vec<(String, Register, bool)>,
}

/// A fight, told where play stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Duel {
    /// The enemy's name.
    pub name: String,
    pub combat_skill: i32,
    pub endurance: Value,
    /// The combat ratio; `None` before the weapon is chosen.
    pub ratio: Option<Value>,
    /// What the hero and the enemy lose, by the picked number, where a round is fought.
    pub losses: Vec<(Value, Value)>,
}

/// A question in which it can be best to give the last answer as soon as it can be given: what it leads to is where
/// all others lead in the end, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parting {
    /// Where the last answer leads in the end.
    pub left: Place,
    /// Where the others lead in the end, unless to death.
    pub stayed: Place,
}

/// What is not needed to play, but to tell of it; by place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// How the picks are made; `None` where picks that differ only in that share a place.
    pub rolls: FxHashMap<Place, Option<Arc<Roll>>>,
    /// The same of the dice of a system of rules.
    pub throws: FxHashMap<Place, Option<Arc<Throw>>>,
    /// What is drawn: what the unit of each outcome is called.
    pub draws: FxHashMap<Place, Vec<String>>,
    /// Who is fought by a system of rules; `None` where several fights, or one and none, share a place.
    pub foes: FxHashMap<Place, Option<Arc<[Foe]>>>,
    pub duels: FxHashMap<Place, Duel>,
    /// The [`Fold`] to which a chance belongs that lies within its steps.
    pub folds: FxHashMap<Place, Place>,
    pub partings: FxHashMap<Place, Parting>,
    /// Questions in which the player may act and is asked again, or goes on with the last answer: when he must be asked
    /// there, since later is too late. Only where best play is asked for.
    pub actions: FxHashMap<Place, Test>,
}

impl Notes {
    /// Forgets what is told of the steps from a place on, which are compiled anew.
    pub(crate) fn forget_from(&mut self, from: usize) {
        let stays = |place: &Place| (*place as usize) < from;
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
