//! A fight in which the hero may leave, as a game for the engine.

use mdp::{Distribution, Game, Turn};

use crate::combat::{CombatTable, Conditions};

/// A fight against one enemy, in which the hero may leave if that is allowed.
///
/// He declares before a round that he leaves in it: the round is fought, his own loss counts (it can kill him),
/// the enemy's does not. If both fall in the same round the hero is dead.
#[derive(Clone, Debug)]
pub struct Fight<'a> {
    /// The table of losses.
    pub table: &'a CombatTable,
    /// The conditions of the fight.
    pub conditions: Conditions,
    /// The hero's ENDURANCE.
    pub hero: u8,
    /// The enemy's ENDURANCE.
    pub enemy: u8,
    /// The first round, counted from 1, in which he may leave; `None`: never.
    pub evade_from: Option<u32>,
}

/// A situation before a round, or the end of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// Rounds fought, as long as later rounds depend on them.
    pub fought: u32,
    /// The hero's ENDURANCE; 0 when he is dead.
    pub hero: u8,
    /// The enemy's ENDURANCE; 0 when it is dead. For a finished fight only that is stored.
    pub enemy: u8,
    /// Whether the hero has left the fight.
    pub evaded: bool,
}

/// The choice to leave comes first: of equally good choices the first is taken, and where leaving is as good as
/// fighting the fight cannot be won.
pub(crate) const LEAVE: u32 = 0;

impl Fight<'_> {
    /// The number of rounds after which neither the conditions nor the hero's choices change any more.
    pub fn steady_after(&self) -> u32 {
        (self.conditions.steady_from() - 1).max(self.evade_from.map_or(0, |round| round.saturating_sub(1)))
    }

    /// The situation at the beginning of the fight.
    pub fn beginning(&self) -> State {
        self.after(0, self.hero, self.enemy, false)
    }

    /// Whether the hero may leave in the next round.
    pub fn may_leave(&self, fought: u32) -> bool {
        self.evade_from.is_some_and(|round| fought.saturating_add(1) >= round)
    }

    pub(crate) fn after(&self, fought: u32, hero: u8, enemy: u8, evaded: bool) -> State {
        match (hero, enemy) {
            (0, _) => State { fought: 0, hero: 0, enemy: 0, evaded: false },
            (_, 0) => State { fought: 0, hero, enemy: 0, evaded: false },
            _ if evaded => State { fought: 0, hero, enemy: 1, evaded: true },
            _ => State { fought: fought.min(self.steady_after()), hero, enemy, evaded: false },
        }
    }
}

impl Game for Fight<'_> {
    type State = State;
    type Action = &'static str;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.beginning())]
    }

    /// Survival pays 1, and a victory 1 in the second payoff.
    fn rules(&self, &State { fought, hero, enemy, evaded }: &State, turn: &mut Turn<State, &'static str>) {
        if hero == 0 || enemy == 0 || evaded {
            let (lives, won) = (u8::from(hero > 0), u8::from(hero > 0 && enemy == 0));
            return if self.evade_from.is_some() { turn.end_ordered([lives, won]) } else { turn.end(won) };
        }
        let fought = fought.saturating_add(1);
        let losses = self.conditions.round(self.table, fought);
        if self.may_leave(fought - 1) {
            let left = |hero| self.after(fought, hero, enemy, true);
            turn.choice("leave").uniform(losses.iter().map(|loss| left(hero.saturating_sub(loss.hero))));
        }
        turn.choice("fight").uniform(
            losses.iter().map(|loss| {
                self.after(fought, hero.saturating_sub(loss.hero), enemy.saturating_sub(loss.enemy), false)
            }),
        );
    }
}
