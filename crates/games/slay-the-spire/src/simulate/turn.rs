//! The positions that can be reached in a turn before a random outcome.

use rustc_hash::FxHashSet;

use crate::rules::Rules;
use crate::rules::action::Action;
use crate::rules::fate::Luck;
use crate::rules::state::State;
use crate::rules::world::Dealt;

/// A position that was reached, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub state: State,
    /// The index of the previous position in the list, and the play that led from there.
    from: Option<(usize, Action)>,
}

/// All positions that can be reached from one before a random outcome.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// The position itself, and its successors by plays without random outcomes.
    pub met: Vec<Met>,
    /// Plays with random outcomes, each from one of these.
    pub chances: Vec<(usize, Action)>,
}

impl Reach {
    /// All that can be reached from a position of a world; random outcomes are not explored.
    pub(crate) fn new(rules: &Rules, start: &Dealt) -> Self {
        let mut reach = Self { met: vec![Met { state: start.state, from: None }], chances: Vec::new() };
        let mut seen: FxHashSet<State> = FxHashSet::default();
        seen.insert(start.state);
        let mut actions = Vec::new();
        let mut place = 0;
        while let Some(Met { state, .. }) = reach.met.get(place).copied() {
            rules.actions(&state, &mut actions);
            if state.is_over() {
                actions.clear();
            }
            for action in actions.iter().copied().filter(|action| *action != Action::EndTurn) {
                let next = rules.act_in_world(&state, &start.fate, action, &mut Luck::default());
                if next.fate != start.fate {
                    reach.chances.push((place, action));
                } else if seen.insert(next.state) {
                    reach.met.push(Met { state: next.state, from: Some((place, action)) });
                }
            }
            place += 1;
        }
        reach
    }

    /// The plays that lead to one of the positions.
    pub(crate) fn path(&self, mut place: usize) -> Vec<Action> {
        let mut path = Vec::new();
        while let Some((before, action)) = self.met[place].from {
            path.push(action);
            place = before;
        }
        path.reverse();
        path
    }

    /// The positions from which the turn can be ended, or in which the fight is over.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (usize, &State)> {
        let ends = self.met.iter().map(|met| &met.state).enumerate();
        ends.filter(|(_, state)| state.is_over() || state.waiting == 0)
    }
}
