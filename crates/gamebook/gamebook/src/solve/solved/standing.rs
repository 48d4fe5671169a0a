//! How answers stand beside the one that best play gives: who always gives one of them may never come to an end.

use mdp::{Standing, StateId, Value};
use rustc_hash::FxHashSet;

use super::Solved;
use super::answers::{Advanced, CHANCES_AT_ONCE, Known, Stops};
use crate::machine::{Machine, Move};
use crate::program::{Instruction, State};

/// So many situations are gone through to see whether an answer only leads back.
const MOST_FOLLOWED: usize = 4_000;

impl Solved {
    /// How each of these answers to a question stands: `chosen` is the one that best play gives, `wins` what each is worth, where
    /// that is known, and `best` says than which none is better.
    pub(crate) fn standings(
        &self,
        state: &State,
        moves: &[Move],
        chosen: usize,
        (wins, best): (&[Option<Value>], &[bool]),
    ) -> Vec<Standing> {
        // What bounds cannot tell apart exact values may; then the first of the best that does not lead back.
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

    /// Whether who gives an answer here, and best play's elsewhere, comes back again and again, and gives it again wherever all is
    /// the same that still matters and no answer is better.
    fn leads_back(&self, state: &State, answer: &Move) -> bool {
        let own = self.machine.keep(state);
        let number = self.number_of(&own).filter(|_| Machine::end(&own).is_none());
        // The reduced game passes by: it goes on from where play comes to a question of it.
        let passes_by = number.is_none() && Machine::end(&own).is_none();
        // Most answers lead elsewhere, which the reduced game knows.
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
        let mut advance = |state: State| whole.keep(&whole.run(state, &mut buffer));
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut open = vec![advance(answer.state)];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if seen.len() > MOST_FOLLOWED {
                return !passes_by;
            }
            let kept = self.machine.keep(&next);
            let is_open = Machine::end(&kept).is_some() || self.number_of(&kept).is_none();
            if Machine::end(&next).is_some() || passes_by && !is_open {
                return false;
            }
            if next.place() == state.place() && kept == own {
                moves.clear();
                whole.moves(&next, usize::MAX, &mut moves);
                // Who has nothing left to throw away goes on.
                let Some(again) = moves.iter().position(|other| other.action == answer.action) else { return false };
                // Where best play cannot miss its end by another answer, what this one needs does not matter to it: there may
                // be too little of that now.
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

    /// The situations that were solved to which an answer leads; none where play can come to an end.
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

    /// Where best play comes from these situations that is not solved before that one: an answer may lead to where the game
    /// begins, which no choice of the reduced game does. None where that is too far to tell.
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

    /// What follows a situation of the whole game in which play goes on as best play does; nothing where it is left to a fight
    /// that is one chance.
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
