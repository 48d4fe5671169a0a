//! Values in floating point, with bounds that provably hold.
//!
//! All values here are at least 0 (the solver shifts payoffs that are not), so nothing cancels and
//! relative errors only add up. Let `u = 2^-53` be the unit roundoff.
//!
//! **Without cyclic parts** one number a state is enough. Each of the following multiplies a value
//! by a factor `1 + d` with `|d| <= u`: rounding a payoff, rounding a probability (correctly, so
//! within `u`), a product, an addition of what is not negative. A choice with `n` outcomes does at
//! most `n + 1` of these to each of its terms; taking the largest adds none, because both the exact
//! and the computed maximum lie between the same bounds. By induction over the levels, every
//! computed value is the exact one times at most `k` such factors, `k` being the sum of `n + 1` over
//! the levels passed (nothing where `n = 1`), plus 1 for the payoff. Then with `g = k u / (1 - k u)`
//! the exact value lies within `[v (1 - g), v (1 + g)]` (Higham, *Accuracy and Stability of
//! Numerical Algorithms*, lemma 3.1). This needs that nothing underflows: the levels say how many
//! binary digits their probabilities can take away, and where the sum could reach the subnormal
//! numbers, the other way is taken.
//!
//! **With cyclic parts** (or where numbers could underflow) every state carries an interval. A step
//! outside of cyclic parts computes both ends with the factors above and then moves them outwards.
//! A cyclic part is solved approximately by policy iteration; then bounds are *guessed* around the
//! solution and *proved*: with end components collapsed, Bellman's operator `T` of the part is
//! monotone and has one fixed point, to which its powers converge from everywhere, so `T(x) <= x`
//! (computed with upward-moved rounding) proves that `x` is an upper bound, and `T(x) >= x` that it
//! is a lower one. Where the proof fails, the part is solved exactly instead. How the guess is made:
//! `part_bounds.rs`.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::best::{ChoiceSets, MANY, mask};
use crate::linear::Effort;
use crate::model::{CHANCE, Choice, KIND, Level, Model, StateId};
use crate::part::Part;
use crate::part_bounds::{Found, bounds_of_part};
use crate::solve::Sense;

/// The unit roundoff of `f64`.
const UNIT: f64 = f64::EPSILON / 2.0;

/// States of a level from which on it is worth sharing it among threads.
const WORTH_SHARING: usize = 1 << 13;
/// States that a thread takes at once.
const SHARE: usize = 1 << 12;

/// Bounds of every state's value (shifted to be at least 0).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Bounds {
    /// One number a state, and for each level how many roundings stand behind it.
    Rounded { values: Vec<f64>, roundings: Vec<u64> },
    /// Both ends for every state.
    Interval { lower: Vec<f64>, upper: Vec<f64> },
}

/// What a solver needs to know of one objective.
pub(crate) struct Objective<'a> {
    pub(crate) model: &'a Model,
    pub(crate) sense: Sense,
    /// What each list of payoffs pays in this objective, shifted, and rounded to nearest.
    pub(crate) payoffs: Vec<f64>,
    /// The same for rewards.
    pub(crate) rewards: Vec<f64>,
    /// What going round for ever is worth, shifted.
    pub(crate) forever: f64,
    /// The choices that are best in the objectives before; all when there are none.
    pub(crate) allowed: Option<&'a ChoiceSets>,
}

impl Objective<'_> {
    pub(crate) fn allows(&self, state: StateId, choice: u32) -> bool {
        self.allowed.is_none_or(|sets| sets.contains(state, choice))
    }

    pub(crate) fn reward(&self, choice: &Choice<'_>) -> f64 {
        choice.reward.and_then(|reward| self.rewards.get(reward as usize)).copied().unwrap_or(0.0)
    }
}

/// The relative error that so many roundings can make, rounded up.
pub(crate) fn relative_error(roundings: u64) -> f64 {
    let sum = roundings as f64 * UNIT;
    if sum < 0.1 { sum / (1.0 - sum) * (1.0 + 8.0 * UNIT) } else { f64::INFINITY }
}

/// The roundings that a level adds.
fn roundings_of(level: &Level, rewards: bool) -> u64 {
    let outcomes = u64::from(level.outcomes);
    (if outcomes > 1 { outcomes + 1 } else { 0 }) + if rewards { 2 } else { 0 }
}

impl Bounds {
    /// Whether one number a state is enough: see the proof above.
    pub(crate) fn can_round(model: &Model, smallest_payoff: f64) -> bool {
        /// Binary digits between 1 and the smallest normal number, with some to spare.
        const RANGE: u64 = 960;
        let digits: u64 = model.levels().iter().map(|level| u64::from(level.digits)).sum();
        let payoff = if smallest_payoff.is_finite() { (-smallest_payoff.log2()).max(0.0) as u64 + 1 } else { 0 };
        let roundings: u64 = model.levels().iter().map(|level| roundings_of(level, true)).sum();
        model.cyclic_parts().is_empty() && digits + payoff < RANGE && relative_error(roundings + 3).is_finite()
    }

    /// The bounds of a state, which is of that level.
    pub(crate) fn of(&self, level: usize, state: StateId) -> (f64, f64) {
        match self {
            Self::Rounded { values, roundings } => widen(values[state as usize], relative_error(roundings[level])),
            Self::Interval { lower, upper } => (lower[state as usize], upper[state as usize]),
        }
    }

    /// Whether there is a number for every state.
    pub(crate) fn check(&self, states: usize, levels: usize) -> bool {
        match self {
            Self::Rounded { values, roundings } => values.len() == states && roundings.len() == levels,
            Self::Interval { lower, upper } => lower.len() == states && upper.len() == states,
        }
    }

    /// A bound of all values.
    pub(crate) fn largest(&self) -> f64 {
        match self {
            // The error is far below the factor of two.
            Self::Rounded { values, .. } => values.iter().fold(0.0, |a: f64, b| a.max(*b)) * 2.0,
            Self::Interval { upper, .. } => upper.iter().fold(0.0, |a: f64, b| a.max(*b)),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Rounded { values, .. } => values.capacity() as u64 * 8,
            Self::Interval { lower, upper } => (lower.capacity() + upper.capacity()) as u64 * 8,
        }
    }
}

/// `value` moved outwards by a relative error.
fn widen(value: f64, error: f64) -> (f64, f64) {
    if value == 0.0 || error == 0.0 {
        return (value, value);
    }
    ((value * (1.0 - error)).next_down().max(0.0), (value * (1.0 + error)).next_up())
}

/// One number for every state, in one sweep. Also marks the choices that could be best.
pub(crate) fn sweep_rounded(objective: &Objective<'_>, candidates: &mut ChoiceSets) -> Bounds {
    let model = objective.model;
    let mut values = vec![0.0; model.states() as usize];
    let mut roundings = vec![0; model.levels().len()];
    let mut passed = 1;
    candidates.masks.clear();
    candidates.masks.resize(model.states() as usize, 0);
    candidates.many.clear();
    for (number, level) in model.levels().iter().enumerate().rev() {
        passed += roundings_of(level, !objective.rewards.is_empty());
        roundings[number] = passed;
        // Two numbers that far apart are in the right order; computing the bar takes two roundings.
        let margin = 2.0 * relative_error(passed + 2) * (1.0 + 8.0 * UNIT);
        let keep = match objective.sense {
            Sense::Max => 1.0 - margin,
            Sense::Min => 1.0 + margin,
        };
        let states = level.states.start as usize..level.states.end as usize;
        let (head, done) = values.split_at_mut(states.end);
        let sweep = Sweep { objective, keep, done, first_done: states.end };
        let own = &mut head[states.clone()];
        let masks = &mut candidates.masks[states.clone()];
        if states.len() < WORTH_SHARING || rayon::current_num_threads() == 1 {
            sweep.states(states.start, own, masks);
        } else {
            own.par_chunks_mut(SHARE).zip(masks.par_chunks_mut(SHARE)).enumerate().for_each(|(place, (own, masks))| {
                sweep.states(states.start + place * SHARE, own, masks);
            });
        }
        for state in states.filter(|state| candidates.masks[*state] == MANY) {
            let list = sweep.list(state as StateId, head[state]);
            candidates.many.insert(state as StateId, list);
        }
    }
    Bounds::Rounded { values, roundings }
}

/// One level of [`sweep_rounded`].
struct Sweep<'a> {
    objective: &'a Objective<'a>,
    keep: f64,
    done: &'a [f64],
    first_done: usize,
}

impl Sweep<'_> {
    fn states(&self, first: usize, values: &mut [f64], masks: &mut [u32]) {
        match (self.objective.sense, self.objective.allowed.is_some() || !self.objective.rewards.is_empty()) {
            (Sense::Max, false) => self.plain::<true>(first, values, masks),
            (Sense::Min, false) => self.plain::<false>(first, values, masks),
            (_, true) => {
                for ((state, value), mask) in (first..).zip(values).zip(masks) {
                    (*value, *mask) = self.any(state as StateId);
                }
            }
        }
    }

    /// The common case: every choice allowed, no rewards.
    fn plain<const MAX: bool>(&self, first: usize, values: &mut [f64], masks: &mut [u32]) {
        let code = &self.objective.model.code;
        let mut found = [0.0; 31];
        for ((state, value), mask) in (first..).zip(values).zip(masks) {
            let mut run = code.run(state as StateId);
            let mut best = if MAX { f64::NEG_INFINITY } else { f64::INFINITY };
            let mut count = 0;
            while let Some((&header, rest)) = run.split_first() {
                if header & KIND != CHANCE || count == found.len() {
                    count = found.len() + 1;
                    break;
                }
                let probabilities = code.weights.probabilities(header);
                let (targets, rest) = rest.split_at(probabilities.len());
                run = rest;
                let mut sum = 0.0;
                for (target, probability) in targets.iter().zip(probabilities) {
                    sum += probability * self.done[*target as usize - self.first_done];
                }
                found[count] = sum;
                count += 1;
                best = if MAX { best.max(sum) } else { best.min(sum) };
            }
            if count > found.len() {
                (*value, *mask) = self.any(state as StateId);
                continue;
            }
            *value = best;
            let bar = best * self.keep;
            let mut bits = 0;
            for (choice, sum) in found[..count].iter().enumerate() {
                let near = if MAX { *sum >= bar } else { *sum <= bar };
                bits |= u32::from(near) << choice;
            }
            *mask = bits;
        }
    }

    fn value(&self, choice: &Choice<'_>) -> f64 {
        let probabilities = self.objective.model.code.weights.probabilities(choice.weights);
        let terms = choice.targets.iter().zip(probabilities);
        let sum = terms.fold(0.0, |sum, (target, p)| sum + p * self.done[*target as usize - self.first_done]);
        sum + self.objective.reward(choice)
    }

    /// Any state: its value, and the choices that could be best.
    fn any(&self, state: StateId) -> (f64, u32) {
        let Objective { model, sense, payoffs, .. } = self.objective;
        if let Some(payoff) = model.code.payoff(state) {
            return (payoffs[payoff as usize], 0);
        }
        let choices = (0..).zip(model.choices(state)).filter(|(number, _)| self.objective.allows(state, *number));
        let best = choices.map(|(_, choice)| self.value(&choice)).fold(sense.worst(), |a, b| sense.better(a, b));
        (best, mask(self.near(state, best)).unwrap_or(MANY))
    }

    fn list(&self, state: StateId, best: f64) -> Vec<u32> {
        self.near(state, best).collect()
    }

    fn near(&self, state: StateId, best: f64) -> impl Iterator<Item = u32> + '_ {
        let bar = best * self.keep;
        (0..)
            .zip(self.objective.model.choices(state))
            .filter(move |(number, choice)| {
                self.objective.allows(state, *number)
                    && match self.objective.sense {
                        Sense::Max => self.value(choice) >= bar,
                        Sense::Min => self.value(choice) <= bar,
                    }
            })
            .map(|(number, _)| number)
    }
}

/// Both ends for every state. `solve_exactly` is asked for a cyclic part where floating point could
/// not prove its bounds: it gets the part and the bounds so far, and returns those of the nodes.
pub(crate) fn sweep_intervals<E: Send>(
    objective: &Objective<'_>,
    candidates: &mut ChoiceSets,
    effort: Effort<'_>,
    solve_exactly: impl Fn(&Part, &[bool], &Ends, Option<&[usize]>) -> Result<Vec<(f64, f64)>, E> + Sync,
    may_stay: impl Fn(StateId) -> bool + Sync,
    mut progress: impl FnMut(&Level) -> Result<(), E>,
) -> Result<Bounds, E> {
    let model = objective.model;
    let count = model.states() as usize;
    candidates.masks.clear();
    candidates.masks.resize(count, 0);
    candidates.many.clear();
    let mut ends = Ends { lower: vec![0.0; count], upper: vec![0.0; count] };
    let mut found = Vec::new();
    for level in model.levels().iter().rev() {
        let states = level.states.start as usize..level.cyclic as usize;
        let (lower_head, lower) = ends.lower.split_at_mut(states.end);
        let (upper_head, upper) = ends.upper.split_at_mut(states.end);
        let done = Done { lower, upper, first: states.end };
        let own = lower_head[states.clone()].par_iter_mut().zip(&mut upper_head[states.clone()]);
        let own = own.zip(&mut candidates.masks[states.clone()]).enumerate().with_min_len(SHARE);
        own.for_each_init(Vec::new, |found, (place, ((lower, upper), mask))| {
            let state = (states.start + place) as StateId;
            (*lower, *upper) = bellman(objective, state, |target| done.of(target), found);
            *mask = near(objective.sense, (*lower, *upper), found).unwrap_or(MANY);
        });
        let parts = &model.parts[level.parts.start as usize..level.parts.end as usize];
        let solve = |part: &Range<StateId>| {
            let part = Part::new(model, part.clone(), |state, choice| objective.allows(state, choice));
            let stays = part.stays(&may_stay);
            let nodes = match bounds_of_part(objective, &part, &stays, &ends, effort) {
                Found::Proved(nodes) => nodes,
                Found::Unproved(policy) => solve_exactly(&part, &stays, &ends, policy.as_deref())?,
            };
            Ok((part, nodes))
        };
        let solved: Vec<(Part, Vec<(f64, f64)>)> = parts.par_iter().map(solve).collect::<Result<_, E>>()?;
        for (part, nodes) in solved {
            for state in part.members.clone() {
                if let Some(node) = part.node(state) {
                    (ends.lower[state as usize], ends.upper[state as usize]) = nodes[node];
                }
            }
        }
        let cyclic = level.cyclic as usize..level.states.end as usize;
        let masks = candidates.masks[cyclic.clone()].par_iter_mut().enumerate().with_min_len(SHARE / 8);
        masks.for_each_init(Vec::new, |found, (place, mask)| {
            let state = (cyclic.start + place) as StateId;
            let best = bellman(objective, state, |target| ends.of(target), found);
            *mask = near(objective.sense, best, found).unwrap_or(MANY);
        });
        for state in level.states.clone().filter(|state| candidates.masks[*state as usize] == MANY) {
            let best = bellman(objective, state, |target| ends.of(target), &mut found);
            candidates.many.insert(state, could_be_best(objective.sense, best, &found).collect());
        }
        progress(level)?;
    }
    Ok(Bounds::Interval { lower: ends.lower, upper: ends.upper })
}

/// Lower and upper ends of all states.
pub(crate) struct Ends {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
}

impl Ends {
    pub(crate) fn of(&self, state: StateId) -> (f64, f64) {
        (self.lower[state as usize], self.upper[state as usize])
    }
}

/// The ends of the states of lower levels.
struct Done<'a> {
    lower: &'a [f64],
    upper: &'a [f64],
    first: usize,
}

impl Done<'_> {
    fn of(&self, state: StateId) -> (f64, f64) {
        (self.lower[state as usize - self.first], self.upper[state as usize - self.first])
    }
}

/// The interval of a sum of `terms` numbers, each a product, and of a reward, computed as
/// `(lower, upper)`. A term has at most `terms + 2` roundings; moving the ends takes two more.
pub(crate) fn outwards(lower: f64, upper: f64, terms: usize) -> (f64, f64) {
    /// Below this a product may have lost digits to underflow: each at most the smallest number.
    const SMALL: f64 = 1e-280;
    let error = relative_error(terms as u64 + 4);
    let (mut lower, mut upper) = (lower * (1.0 - error), upper * (1.0 + error));
    if lower < SMALL || upper < SMALL {
        let lost = (terms + 2) as f64 * f64::from_bits(1);
        lower = (lower - lost).max(0.0);
        upper += lost;
    }
    (lower, upper)
}

/// The interval of one choice.
fn interval(objective: &Objective<'_>, choice: &Choice<'_>, of: impl Fn(StateId) -> (f64, f64)) -> (f64, f64) {
    if let ([target], None) = (choice.targets, choice.reward) {
        return of(*target);
    }
    let probabilities = objective.model.code.weights.probabilities(choice.weights);
    let mut zero = objective.reward(choice) == 0.0;
    let (mut lower, mut upper) = (0.0, 0.0);
    for (target, probability) in choice.targets.iter().zip(probabilities) {
        let ends = of(*target);
        zero &= ends.1 == 0.0;
        lower += probability * ends.0;
        upper += probability * ends.1;
    }
    let reward = objective.reward(choice);
    lower += reward;
    upper += reward;
    if zero { (0.0, 0.0) } else { outwards(lower, upper, choice.targets.len()) }
}

/// One step of Bellman's equation on intervals: those of all choices are `found`.
fn bellman(
    objective: &Objective<'_>,
    state: StateId,
    of: impl Fn(StateId) -> (f64, f64),
    found: &mut Vec<(u32, (f64, f64))>,
) -> (f64, f64) {
    let sense = objective.sense;
    found.clear();
    if let Some(payoff) = objective.model.code.payoff(state) {
        let payoff = objective.payoffs[payoff as usize];
        return if payoff == 0.0 { (0.0, 0.0) } else { (payoff.next_down(), payoff.next_up()) };
    }
    let mut best = (sense.worst(), sense.worst());
    for (number, choice) in (0..).zip(objective.model.choices(state)) {
        if objective.allows(state, number) {
            let ends = interval(objective, &choice, &of);
            best = (sense.better(best.0, ends.0), sense.better(best.1, ends.1));
            found.push((number, ends));
        }
    }
    best
}

/// The choices whose intervals reach the best.
fn could_be_best(sense: Sense, best: (f64, f64), found: &[(u32, (f64, f64))]) -> impl Iterator<Item = u32> + '_ {
    let reaches = move |ends: &(f64, f64)| if sense == Sense::Max { ends.1 >= best.0 } else { ends.0 <= best.1 };
    found.iter().filter(move |(_, ends)| reaches(ends)).map(|(number, _)| *number)
}

/// [`could_be_best`] as bits, if they fit.
fn near(sense: Sense, best: (f64, f64), found: &[(u32, (f64, f64))]) -> Option<u32> {
    mask(could_be_best(sense, best, found))
}

impl Part {
    /// For every node, whether going round for ever in it is a way to play.
    pub(crate) fn stays(&self, may_stay: impl Fn(StateId) -> bool) -> Vec<bool> {
        let mut stays: Vec<bool> = (0..self.len()).map(|node| self.endless(node)).collect();
        for state in self.members.clone() {
            if let Some(node) = self.node(state)
                && stays[node]
            {
                stays[node] = may_stay(state);
            }
        }
        stays
    }
}
