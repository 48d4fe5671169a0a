//! How answers compare with optimal play: an answer of equal value may never reach an end if it is always given.

use mdp::{Standing, StateId, Value};
use rustc_hash::FxHashSet;

use super::Solved;
use super::answers::{Advanced, CHANCES_AT_ONCE, Known, Stops};
use crate::machine::{Machine, Move};
use crate::program::{Instruction, State};

/// The most states that are searched to see whether an answer only leads back.
const MOST_FOLLOWED: usize = 4_000;

impl Solved {
    /// The standing of each answer: `chosen` is optimal play's, `wins` their worth, if known, and `best` whether none is
    /// better.
    pub(crate) fn standings(
        &self,
        state: &State,
        moves: &[Move],
        chosen: usize,
        (wins, best): (&[Option<Value>], &[bool]),
    ) -> Vec<Standing> {
        // Exact values may separate answers with overlapping bounds; then the first of the best that does not lead back is
        // chosen.
        let attains = |place: &usize| best[*place] && !self.leads_back(state, &moves[*place]);
        let first = if best[chosen] { chosen } else { (0..moves.len()).find(attains).unwrap_or(chosen) };
        let is_lost = wins[first].as_ref().is_some_and(|win| win.upper <= 0.0);
        let standing = |place: usize| match () {
            () if place == first => Standing::First,
            () if !best[place] => Standing::Worse,
            () if !is_lost && self.leads_back(state, &moves[place]) => Standing::LeadsBack,
            () => Standing::Equal,
        };
        (0..moves.len()).map(standing).collect()
    }

    /// Whether a player returns here for ever if he gives this answer here, whenever the projected state is the same and no
    /// answer is better, and follows optimal play elsewhere.
    fn leads_back(&self, state: &State, answer: &Move) -> bool {
        let own = self.machine.project(state);
        let number = self.number_of(&own).filter(|_| Machine::end(&own).is_none());
        // If the reduced game skips this question, the search ends at the next one that it has.
        let passes_by = number.is_none() && Machine::end(&own).is_none();
        // Most answers lead elsewhere, as the reduced game shows.
        if let Some(number) = number
            && !self
                .asked_after(answer)
                .and_then(|leads| self.no_longer_before(number, leads))
                .is_some_and(|leads| self.solution.only_leads_back(number, leads))
        {
            return false;
        }
        let whole = &self.whole;
        let (mut buffer, mut moves) = (Vec::new(), Vec::new());
        let mut advance = |state: State| whole.project(&whole.run(state, &mut buffer));
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut open = vec![advance(answer.state)];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if seen.len() > MOST_FOLLOWED {
                return !passes_by;
            }
            let kept = self.machine.project(&next);
            let is_open = Machine::end(&kept).is_some() || self.number_of(&kept).is_none();
            if Machine::end(&next).is_some() || passes_by && !is_open {
                return false;
            }
            if next.place() == state.place() && kept == own {
                moves.clear();
                whole.moves(&next, usize::MAX, &mut moves);
                // With nothing left to discard, play goes on.
                let Some(again) = moves.iter().position(|other| other.action == answer.action) else { return false };
                // Where optimal play can reach its end by any answer, what this answer needs does not matter to it and may have
                // run out.
                let chosen = self.choose(&next, &moves);
                let (_, best) = self.best_answers(&moves, chosen, false, &mut Stops::default());
                open.push(advance(moves[if best[again] { again } else { chosen }].state));
            } else {
                let Some(after) = self.after(&next) else { return false };
                open.extend(after.into_iter().map(&mut advance));
            }
        }
        true
    }

    /// The solved states to which an answer leads; `None` if play can end.
    fn asked_after(&self, answer: &Move) -> Option<Vec<StateId>> {
        let leads = match self.advanced(&answer.state) {
            Advanced::Known(known) => vec![known],
            Advanced::Open(stop) => {
                self.leads_from(&stop, CHANCES_AT_ONCE)?.into_iter().map(|(_, known)| known).collect()
            }
        };
        let asked = |known: Known| match known {
            Known::Asked(number) => Some(number),
            Known::Over { .. } => None,
        };
        leads.into_iter().map(asked).collect()
    }

    /// Follows optimal play from these states to states that are solved after that one: an answer may lead back to the start of
    /// the game, which no choice of the reduced game does. `None` if that takes too long.
    fn no_longer_before(&self, number: StateId, leads: Vec<StateId>) -> Option<Vec<StateId>> {
        let (mut open, mut seen, mut found) = (leads, FxHashSet::default(), Vec::new());
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if seen.len() > MOST_FOLLOWED {
                return None;
            }
            match self.solution.policy().taken(next).filter(|_| next < number) {
                Some(choice) => open.extend(choice.targets.iter()),
                None => found.push(next),
            }
        }
        Some(found)
    }

    /// The successors of a state of the unreduced game under optimal play; `None` at a fight that is one chance.
    fn after(&self, state: &State) -> Option<Vec<State>> {
        let whole = &self.whole;
        let mut stepped = *state;
        if whole.step(&mut stepped) {
            return Some(vec![stepped]);
        }
        match whole.instruction(state)? {
            Instruction::Fold(_) => None,
            Instruction::Ask(_) => {
                let mut moves = Vec::new();
                whole.moves(state, usize::MAX, &mut moves);
                let chosen = (!moves.is_empty()).then(|| moves[self.choose(state, &moves)].state);
                Some(chosen.into_iter().collect())
            }
            _ => {
                let mut outcomes = Vec::new();
                whole.chances(state, &mut outcomes);
                Some(outcomes.into_iter().map(|(_, next)| next).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests;
