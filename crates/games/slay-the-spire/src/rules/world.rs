//! Positions in a world, and how play continues there.

use super::Rules;
use super::action::Action;
use super::fate::{Fate, Luck, Unfolding};
use super::queue::Running;
use super::state::State;
use crate::numbers::chance::Chance;

/// A position in a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dealt {
    pub state: State,
    pub fate: Fate,
}

impl Dealt {
    /// A position whose unknowns are decided by this world.
    pub(crate) fn new(rules: &Rules, state: &State, world: u64) -> Self {
        let mut fate = Fate::new(world);
        let mut state = *state;
        let anywhere: Vec<u8> = state.anywhere().collect();
        for slot in &anywhere {
            state.take_anywhere(*slot);
        }
        fate.lay_down(&rules.cards, &state.draw);
        for slot in anywhere {
            fate.lay_in(&mut state, slot);
        }
        Self { state, fate }
    }
}

impl Running {
    /// A card is shuffled into the draw pile.
    pub(super) fn shuffle_in(&mut self, slot: u8) {
        match &mut self.world {
            Some(world) => world.shuffle_in(&mut self.state, slot),
            None => self.state.shuffle_in(slot),
        }
    }

    /// Continues with the outcome of this world.
    pub(super) fn take_way(&mut self, mut ways: Vec<(Chance, Self)>) {
        let Some((place, events)) = self.world.as_ref().map(|world| world.pick(&ways)) else { return };
        *self = ways.swap_remove(place).1;
        if let Some(world) = &mut self.world {
            world.set_events(events);
        }
    }
}

impl Rules {
    /// The beginning of the fight in this world.
    pub(crate) fn begin_in_world(&self, starts: &[(Chance, State)], world: u64) -> Dealt {
        let place = Fate::new(world).beginning(starts);
        Dealt::new(self, &starts[place].1, world)
    }

    /// The enemies' next moves.
    pub(crate) fn roll_in_world(&self, dealt: &Dealt) -> Dealt {
        let mut next = dealt.clone();
        next.fate.next_turn();
        for place in 0..next.state.living().count() {
            let Some(enemy) = next.state.enemies[place] else { continue };
            let moves = self.intents(&enemy, place);
            let picked = next.fate.roll(place, &moves);
            next.state.enemies[place] = Some(moves[picked].1);
        }
        next
    }

    /// The player's turn up to his first decision. Draws are counted.
    pub(crate) fn start_turn_in_world(&self, dealt: Dealt, luck: &mut Luck) -> Dealt {
        let run = self.turn_begins(&dealt.state);
        self.go_on_in_world(run, dealt.fate, luck)
    }

    /// The result of a play in this world; for the end of the turn, after the enemies' turn.
    pub(crate) fn act_in_world(&self, state: &State, fate: &Fate, action: Action, luck: &mut Luck) -> Dealt {
        let run = match action {
            Action::EndTurn => self.turn_over(state, true),
            _ => self.played(state, action),
        };
        self.go_on_in_world(run, fate.clone(), luck)
    }

    fn go_on_in_world(&self, mut run: Running, fate: Fate, luck: &mut Luck) -> Dealt {
        run.world = Some(Box::new(Unfolding::new(fate, std::mem::take(luck))));
        self.carry_out_in_world(&mut run);
        let world = run.world.expect("a world stays with what is done in it");
        let (fate, own) = world.parts();
        *luck = own;
        Dealt { state: run.state, fate }
    }
}

#[cfg(test)]
mod tests;
