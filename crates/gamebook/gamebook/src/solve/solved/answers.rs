//! The worth of answers in a state of the unreduced game, and the answers that optimal play gives.

use std::collections::BTreeSet;
use std::rc::Rc;

use budget::{Budget, Limits};
use mdp::advanced::exact_values_of;
use mdp::{Distribution, Rational, StateId, Value, Weight};
use rustc_hash::FxHashMap;

use super::{MOST_EXACT, Solved, mean, probability};
use crate::machine::{End, Machine, Move};
use crate::program::State;

impl Solved {
    /// The probability of winning from a state of the unreduced game; `None` if the solution does not cover it.
    pub(crate) fn worth(&self, state: &State) -> Option<Value> {
        match self.advanced(state) {
            Advanced::Known(known) => Some(self.value_where(known)),
            Advanced::Open(stop) => self.leads_from(&stop, CHANCES_AT_ONCE).map(|leads| self.worth_of(&leads)),
        }
    }

    fn worth_of(&self, leads: &Leads) -> Value {
        match &leads[..] {
            [(_, only)] => self.value_where(*only),
            _ => mean(leads.iter().map(|(weight, known)| (weight.clone(), self.value_where(*known))).collect()),
        }
    }

    fn value_where(&self, known: Known) -> Value {
        match known {
            Known::Over { won } => Value::exactly(u8::from(won).into()),
            Known::Asked(number) => probability(self.value(number)),
        }
    }

    /// The solved states to which a stop leads, through at most this many consecutive chances.
    pub(super) fn leads_from(&self, stop: &State, chances: usize) -> Option<Leads> {
        // The rounds of a fight that is one chance in the reduced game; or a chance that is merged into the answer before it.
        let outcomes = self.machine.rest_of_fold(stop).or_else(|| {
            let mut outcomes = Vec::new();
            self.machine.chances(stop, &mut outcomes);
            Distribution::weighted(outcomes.into_iter().map(|(weight, next)| (next, Weight(weight)))).ok()
        })?;
        let mut leads = Vec::with_capacity(outcomes.size());
        // The probability that nothing changes: a round without effect.
        let mut again = Rational::ZERO;
        for (next, weight) in outcomes.probabilities() {
            match self.advanced(next) {
                Advanced::Known(known) => leads.push((weight, known)),
                Advanced::Open(same) if same == *stop => again += weight,
                Advanced::Open(other) if chances > 1 => {
                    let after = self.leads_from(&other, chances - 1)?;
                    leads.extend(after.into_iter().map(|(own, known)| (own * &weight, known)));
                }
                Advanced::Open(_) => return None,
            }
        }
        if again == Rational::ONE {
            return None;
        }
        if again > Rational::ZERO {
            let moves_on = Rational::ONE - again;
            for (weight, _) in &mut leads {
                *weight = &*weight / &moves_on;
            }
        }
        Some(leads)
    }

    /// The solved state to which a state of the unreduced game leads without another question.
    pub(super) fn advanced(&self, state: &State) -> Advanced {
        let stop = self.machine.advance_beside(state);
        match Machine::end(&stop) {
            Some(end) => Advanced::Known(Known::Over { won: matches!(end, End::Won(_)) }),
            None => match self.number_of(&stop) {
                Some(number) => Advanced::Known(Known::Asked(number)),
                None => Advanced::Open(stop),
            },
        }
    }

    /// The answer that optimal play gives in a state of the unreduced game.
    pub(crate) fn choose(&self, state: &State, moves: &[Move]) -> usize {
        if moves.len() < 2 {
            return 0;
        }
        let own = self.machine.project(state);
        // Lost or surely won: take the shortest way to the end.
        let steps = |place: &usize| match Machine::end(&own) {
            Some(End::Won(_)) => self.machine.surely_won(&moves[*place].state),
            _ => self.machine.distance(&moves[*place].state),
        };
        if Machine::end(&own).is_some() {
            return (0..moves.len()).min_by_key(steps).unwrap_or(0);
        }
        let kept = |answer: &Move| self.machine.project(&answer.state);
        let chosen = self.number_of(&own).and_then(|number| self.solution.policy().choice(number));
        let target = chosen.and_then(|choice| {
            let mut choices = Vec::new();
            self.machine.choices(&own, &mut choices, &mut Vec::new());
            choices.get(choice as usize).map(kept)
        });
        if let Some(place) = target.and_then(|target| moves.iter().position(|answer| kept(answer) == target)) {
            return place;
        }
        let first = kept(&moves[0]);
        if moves.iter().all(|answer| kept(answer) == first) {
            return 0;
        }
        if chosen.is_none()
            && let Some(place) = self.passes_by(state, moves)
        {
            return place;
        }
        // The unreduced game has less room: something that is not needed must be discarded first.
        let worths: Vec<Option<f64>> =
            moves.iter().map(|answer| self.worth(&answer.state).map(|worth| worth.decimal())).collect();
        let best = worths.iter().flatten().copied().fold(0.0, f64::max);
        let as_good = |worth: Option<f64>| worth.is_some_and(|worth| worth >= best * (1.0 - 1e-9));
        let drops = |place: &usize| self.whole.throws_away(state, moves[*place].action) && as_good(worths[*place]);
        (0..moves.len()).find(drops).or_else(|| worths.iter().position(|worth| *worth == Some(best))).unwrap_or(0)
    }

    /// The answer at a question that the reduced game skips: one that reaches the same stop, and is nearer to it, so that such
    /// answers arrive there in the end.
    fn passes_by(&self, state: &State, moves: &[Move]) -> Option<usize> {
        let stop = self.machine.advance_beside(state);
        let comes_there = |place: &usize| self.machine.advance_beside(&moves[*place].state) == stop;
        let steps = |place: usize| (self.machine.steps_to_stop(&moves[place].state), place);
        let (nearest, place) = (0..moves.len()).filter(comes_there).map(steps).min()?;
        (nearest < self.machine.steps_to_stop(state)).then_some(place)
    }

    /// The worth of each answer to a question, if known, and whether none is better; `chosen` is optimal play's. With
    /// `exactly`, answers with overlapping bounds are compared exactly, within limits. Results are cached in `found` for
    /// further questions.
    pub(crate) fn best_answers(
        &self,
        moves: &[Move],
        chosen: usize,
        exactly: bool,
        found: &mut Stops,
    ) -> (Vec<Option<Value>>, Vec<bool>) {
        let worth = |leads: Leads| Rc::new((self.worth_of(&leads), leads));
        let answers: Vec<Option<Rc<(Value, Leads)>>> = moves
            .iter()
            .map(|answer| match self.advanced(&answer.state) {
                Advanced::Known(known) => Some(worth(vec![(Rational::ONE, known)])),
                Advanced::Open(stop) => {
                    let anew = || self.leads_from(&stop, CHANCES_AT_ONCE).map(merged).map(worth);
                    found.0.entry(stop).or_insert_with(anew).clone()
                }
            })
            .collect();
        let wins: Vec<Option<Value>> = answers.iter().map(|own| own.as_ref().map(|own| own.0.clone())).collect();
        let mut best = vec![false; moves.len()];
        if wins[chosen].is_some() {
            let known: Vec<(usize, &Leads, &Value)> = (0..)
                .zip(&answers)
                .filter_map(|(place, own)| own.as_ref().map(|own| (place, &own.1, &own.0)))
                .collect();
            for place in self.best_of(&known, exactly) {
                best[place] = true;
            }
        } else {
            // Optimal play's answer is known to be as good as any, and nothing else is.
            let kept = self.machine.project(&moves[chosen].state);
            for (best, answer) in best.iter_mut().zip(moves) {
                *best = self.machine.project(&answer.state) == kept;
            }
        }
        (wins, best)
    }

    /// The best of these answers.
    fn best_of(&self, known: &[(usize, &Leads, &Value)], exactly: bool) -> Vec<usize> {
        let sure = known.iter().map(|(.., win)| win.lower).fold(0.0, f64::max);
        let mut may_be: Vec<_> = known.iter().filter(|(.., win)| win.upper >= sure).collect();
        let alike = may_be.windows(2).all(|pair| pair[0].1 == pair[1].1);
        let are_distinguished = may_be.iter().all(|(.., win)| win.exact.is_some());
        if !alike && (are_distinguished || exactly) {
            let exact = may_be.iter().map(|(.., win)| win.exact.clone()).collect::<Option<Vec<_>>>();
            let candidates: Vec<&Leads> = may_be.iter().map(|(_, leads, _)| *leads).collect();
            if let Some(exact) = exact.or_else(|| self.exact_worths(&candidates)) {
                let most = exact.iter().max().cloned();
                let mut exact = exact.into_iter();
                may_be.retain(|_| exact.next() == most);
            }
        }
        may_be.into_iter().map(|(place, ..)| *place).collect()
    }

    /// The exact worth of each; `None` if that would need too large a model.
    fn exact_worths(&self, all: &[&Leads]) -> Option<Vec<Rational>> {
        let states: BTreeSet<StateId> = all
            .iter()
            .flat_map(|leads| leads.iter())
            .filter_map(|(_, known)| match known {
                Known::Asked(number) => Some(*number),
                Known::Over { .. } => None,
            })
            .collect();
        let states: Vec<StateId> = states.into_iter().collect();
        let most = if self.refined.is_some() { MOST_EXACT } else { MOST_COMPARED };
        let budget = Budget::new(Limits { max_states: most.into(), ..Limits::default() });
        let values = exact_values_of(&self.solution, &states, Some(&budget)).ok()?;
        let worth = |leads: &&Leads| {
            let value = |known: &Known| match known {
                Known::Over { won } => Some(Rational::from(u8::from(*won))),
                Known::Asked(number) => values[states.binary_search(number).ok()?].exact.clone(),
            };
            leads.iter().try_fold(Rational::ZERO, |sum, (weight, known)| Some(sum + value(known)? * weight))
        };
        all.iter().map(worth).collect()
    }
}

/// The solved states that are reached, with their probabilities.
pub(super) type Leads = Vec<(Rational, Known)>;

/// A cache of what stops lead to and are worth; `None` if the solution does not cover it.
#[derive(Default)]
pub(crate) struct Stops(FxHashMap<State, Option<Rc<(Value, Leads)>>>);

/// Distinct targets in order, with their probabilities added.
fn merged(mut leads: Leads) -> Leads {
    leads.sort_by_key(|(_, known)| *known);
    leads.dedup_by(|(more, next), (weight, known)| {
        let same = next == known;
        if same {
            *weight += &*more;
        }
        same
    });
    leads
}

/// The most states that are solved exactly to compare answers with overlapping bounds.
const MOST_COMPARED: StateId = 10_000;

/// The most consecutive chances that are evaluated together.
pub(super) const CHANCES_AT_ONCE: usize = 5;

/// What the solution knows of a state.
pub(super) enum Advanced {
    /// The solved state that it leads to.
    Known(Known),
    /// Not covered: the stop.
    Open(State),
}

/// A state with a known value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// Play has ended.
    Over { won: bool },
    /// A state of the reduced game.
    Asked(StateId),
}
