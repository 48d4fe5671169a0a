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
//! is a lower one. Where the proof fails, the part is solved exactly instead.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::best::{ChoiceSets, MANY, mask};
use crate::linear::{EliminationError, Row, Triangles, elimination_order};
use crate::model::{CHANCE, Choice, KIND, Level, Model, StateId};
use crate::part::{Part, leaving_policy};
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

    fn reward(&self, choice: &Choice<'_>) -> f64 {
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
pub(crate) fn sweep_intervals<E>(
    objective: &Objective<'_>,
    candidates: &mut ChoiceSets,
    most_entries: usize,
    mut solve_exactly: impl FnMut(&Part, &[bool], &Ends) -> Result<Vec<(f64, f64)>, E>,
    mut may_stay: impl FnMut(StateId) -> bool,
    mut progress: impl FnMut(&Level) -> Result<(), E>,
) -> Result<Bounds, E> {
    let model = objective.model;
    let count = model.states() as usize;
    candidates.masks.clear();
    candidates.masks.resize(count, 0);
    candidates.many.clear();
    let mut ends = Ends { lower: vec![0.0; count], upper: vec![0.0; count] };
    for level in model.levels().iter().rev() {
        let states = level.states.start as usize..level.cyclic as usize;
        let (lower_head, lower) = ends.lower.split_at_mut(states.end);
        let (upper_head, upper) = ends.upper.split_at_mut(states.end);
        let done = Done { lower, upper, first: states.end };
        let own = lower_head[states.clone()].par_iter_mut().zip(&mut upper_head[states.clone()]).enumerate();
        own.with_min_len(SHARE).for_each(|(place, (lower, upper))| {
            (*lower, *upper) = bellman(objective, (states.start + place) as StateId, |target| done.of(target));
        });
        for part in &model.parts[level.parts.start as usize..level.parts.end as usize] {
            let part = Part::new(model, part.clone(), |state, choice| objective.allows(state, choice));
            let stays: Vec<bool> = part.stays(&mut may_stay);
            let nodes = match solve_part(objective, &part, &stays, &ends, most_entries) {
                Some(nodes) => nodes,
                None => solve_exactly(&part, &stays, &ends)?,
            };
            for state in part.members.clone() {
                if let Some(node) = part.node(state) {
                    (ends.lower[state as usize], ends.upper[state as usize]) = nodes[node];
                }
            }
        }
        let all = level.states.start as usize..level.states.end as usize;
        let masks = candidates.masks[all.clone()].par_iter_mut().enumerate().with_min_len(SHARE);
        masks.for_each(|(place, own)| {
            let state = (all.start + place) as StateId;
            *own = mask(could_be_best(objective, state, &ends)).unwrap_or(MANY);
        });
        for state in level.states.clone().filter(|state| candidates.masks[*state as usize] == MANY) {
            candidates.many.insert(state, could_be_best(objective, state, &ends).collect());
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
    fn of(&self, state: StateId) -> (f64, f64) {
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
fn outwards(lower: f64, upper: f64, terms: usize) -> (f64, f64) {
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

/// One step of Bellman's equation on intervals.
fn bellman(objective: &Objective<'_>, state: StateId, of: impl Fn(StateId) -> (f64, f64)) -> (f64, f64) {
    let sense = objective.sense;
    if let Some(payoff) = objective.model.code.payoff(state) {
        let payoff = objective.payoffs[payoff as usize];
        return if payoff == 0.0 { (0.0, 0.0) } else { (payoff.next_down(), payoff.next_up()) };
    }
    (0..)
        .zip(objective.model.choices(state))
        .filter(|(number, _)| objective.allows(state, *number))
        .map(|(_, choice)| interval(objective, &choice, &of))
        .fold((sense.worst(), sense.worst()), |best, other| {
            (sense.better(best.0, other.0), sense.better(best.1, other.1))
        })
}

/// The choices whose intervals reach the best.
fn could_be_best<'a>(objective: &'a Objective<'_>, state: StateId, ends: &'a Ends) -> impl Iterator<Item = u32> + 'a {
    let sense = objective.sense;
    let intervals = move || {
        (0..)
            .zip(objective.model.choices(state))
            .filter(move |(number, _)| objective.allows(state, *number))
            .map(move |(number, choice)| (number, interval(objective, &choice, |target| ends.of(target))))
    };
    let sure = intervals().map(|(_, ends)| if sense == Sense::Max { ends.0 } else { ends.1 });
    let bar = sure.fold(sense.worst(), |a, b| sense.better(a, b));
    intervals()
        .filter(move |(_, ends)| if sense == Sense::Max { ends.1 >= bar } else { ends.0 <= bar })
        .map(|(number, _)| number)
}

impl Part {
    /// For every node, whether going round for ever in it is a way to play.
    pub(crate) fn stays(&self, mut may_stay: impl FnMut(StateId) -> bool) -> Vec<bool> {
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

/// An option of a collapsed part in floating point.
struct FloatOption {
    /// Where it leads inside the part.
    inner: Vec<(u32, f64)>,
    /// Whether it can lead out of the part.
    leaves: bool,
    /// What it is worth outside of it: lower and upper end, before moving outwards.
    lower: f64,
    upper: f64,
    terms: usize,
}

impl FloatOption {
    fn of(&self, values: &[f64], outside: f64) -> f64 {
        self.inner.iter().fold(outside, |sum, (node, probability)| sum + probability * values[*node as usize])
    }
}

/// The intervals of a part's nodes, or nothing if floating point cannot prove any.
fn solve_part(
    objective: &Objective<'_>,
    part: &Part,
    stays: &[bool],
    ends: &Ends,
    most_entries: usize,
) -> Option<Vec<(f64, f64)>> {
    /// A part of up to so many nodes is solved exactly rather than with bounds that are wide: where
    /// play is hardly ever let out, every step of the proof costs its rounding.
    const SMALL_PART: usize = 200;
    /// Bounds are wide from this share of the largest value on.
    const WIDE: f64 = 1e-11;
    let sense = objective.sense;
    let options: Vec<Vec<FloatOption>> = (0..part.len())
        .map(|node| {
            let mut options: Vec<FloatOption> =
                part.options(node).iter().map(|option| float_option(objective, part, ends, *option)).collect();
            if stays[node] {
                // Rounded like a payoff.
                let (lower, upper) = (objective.forever, objective.forever);
                options.push(FloatOption { inner: Vec::new(), leaves: true, lower, upper, terms: 1 });
            }
            options
        })
        .collect();
    if options.iter().any(Vec::is_empty) {
        return None;
    }
    // Each end is solved by itself: around the middle the slack would have to make up for the width
    // of what lies outside, step by step, and parts in a row would widen it without end.
    let low = iterate_policies(&options, sense, |option| option.lower, most_entries)?;
    let high = iterate_policies(&options, sense, |option| option.upper, most_entries)?;
    // The longest that play can be kept in the part, in steps: the slack that every step gets.
    let steps = iterate_policies(&options, Sense::Max, |_| 1.0, most_entries)?;
    let scale =
        high.iter().chain(options.iter().flatten().map(|option| &option.upper)).fold(0.0, |a: f64, b| a.max(*b));
    let terms = options.iter().flatten().map(|option| option.terms).max().unwrap_or(1);
    let mut slack = scale * relative_error(terms as u64 + 8);
    if scale == 0.0 {
        return Some(vec![(0.0, 0.0); part.len()]);
    }
    let mut lower = None;
    let mut upper = None;
    for _ in 0..40 {
        let moved = |values: &[f64], sign: f64| -> Vec<f64> {
            values.iter().zip(&steps).map(|(value, steps)| (value + sign * slack * steps).max(0.0)).collect()
        };
        lower = lower.or_else(|| Some(moved(&low, -1.0)).filter(|bound| is_lower_bound(&options, sense, bound)));
        upper = upper.or_else(|| Some(moved(&high, 1.0)).filter(|bound| is_upper_bound(&options, sense, bound)));
        if let (Some(lower), Some(upper)) = (&lower, &upper) {
            let tight = slack * steps.iter().fold(0.0, |a: f64, b| a.max(*b)) <= WIDE * scale;
            let worth_it = tight || part.len() > SMALL_PART;
            return worth_it.then(|| lower.iter().copied().zip(upper.iter().copied()).collect());
        }
        slack *= 2.0;
    }
    None
}

fn float_option(objective: &Objective<'_>, part: &Part, ends: &Ends, option: crate::part::Opt) -> FloatOption {
    let choice = Part::choice(objective.model, option);
    let probabilities = objective.model.code.weights.probabilities(choice.weights);
    let mut float =
        FloatOption { inner: Vec::new(), leaves: false, lower: 0.0, upper: 0.0, terms: choice.targets.len() + 1 };
    let mut zero = true;
    for (target, probability) in choice.targets.iter().zip(probabilities) {
        if let Some(node) = part.node(*target) {
            float.inner.push((node as u32, *probability));
            continue;
        }
        let (lower, upper) = ends.of(*target);
        float.leaves = true;
        zero &= upper == 0.0;
        float.lower += probability * lower;
        float.upper += probability * upper;
    }
    let reward = objective.reward(&choice);
    float.lower += reward;
    float.upper += reward;
    // Only what is exactly nothing may look like nothing.
    if !zero && float.upper == 0.0 {
        float.upper = f64::from_bits(1);
    }
    // Several targets can be of one node.
    float.inner.sort_unstable_by_key(|(node, _)| *node);
    float.inner.dedup_by(|next, first| {
        let same = next.0 == first.0;
        first.1 += if same { next.1 } else { 0.0 };
        same
    });
    float
}

/// Whether Bellman's operator, every step moved upwards, stays below `bound`.
fn is_upper_bound(options: &[Vec<FloatOption>], sense: Sense, bound: &[f64]) -> bool {
    options.iter().zip(bound).all(|(options, bound_here)| {
        let steps = options.iter().map(|option| outwards(0.0, option.of(bound, option.upper), option.terms).1);
        steps.fold(sense.worst(), |a, b| sense.better(a, b)) <= *bound_here
    })
}

/// Whether Bellman's operator, every step moved downwards, stays above `bound`.
fn is_lower_bound(options: &[Vec<FloatOption>], sense: Sense, bound: &[f64]) -> bool {
    options.iter().zip(bound).all(|(options, bound_here)| {
        let steps = options.iter().map(|option| outwards(option.of(bound, option.lower), 0.0, option.terms).0);
        steps.fold(sense.worst(), |a, b| sense.better(a, b)) >= *bound_here
    })
}

/// Policy iteration in floating point: approximate values of the nodes. No bound is claimed.
fn iterate_policies(
    options: &[Vec<FloatOption>],
    sense: Sense,
    outside: impl Fn(&FloatOption) -> f64,
    most_entries: usize,
) -> Option<Vec<f64>> {
    /// More improvements than this have never been seen; the proof afterwards decides anyway.
    const ROUNDS: usize = 200;
    /// Improvements smaller than this are noise.
    const NOISE: f64 = 1e-12;
    let mut values = Vec::new();
    let mut policy = leaving_policy(
        options.len(),
        |node| options[node].len(),
        |node, place| {
            let option = &options[node][place];
            (option.leaves, option.inner.iter().map(|(node, _)| *node))
        },
    )?;
    for _ in 0..ROUNDS {
        values = evaluate_policy(options, &policy, &outside, most_entries)?;
        let mut improved = false;
        for (node, options) in options.iter().enumerate() {
            let mut bar = values[node];
            for (choice, option) in options.iter().enumerate() {
                let value = option.of(&values, outside(option));
                let noise = NOISE * bar.abs();
                let better = match sense {
                    Sense::Max => value > bar + noise,
                    Sense::Min => value < bar - noise,
                };
                if better && choice != policy[node] {
                    (policy[node], bar) = (choice, value);
                    improved = true;
                }
            }
        }
        if !improved {
            break;
        }
    }
    values.iter().all(|value| value.is_finite()).then_some(values)
}

fn evaluate_policy(
    options: &[Vec<FloatOption>],
    policy: &[usize],
    outside: &impl Fn(&FloatOption) -> f64,
    most_entries: usize,
) -> Option<Vec<f64>> {
    let rows: Vec<Row<f64>> = policy
        .iter()
        .enumerate()
        .map(|(node, choice)| {
            let mut row: Row<f64> = vec![(node as u32, 1.0)];
            for (inner, probability) in &options[node][*choice].inner {
                if *inner as usize == node { row[0].1 -= probability } else { row.push((*inner, -probability)) }
            }
            row
        })
        .collect();
    let right: Vec<f64> = policy.iter().enumerate().map(|(node, choice)| outside(&options[node][*choice])).collect();
    match Triangles::new(&rows, &elimination_order(&rows), most_entries) {
        Ok(triangles) => Some(triangles.solve(&right)),
        Err(EliminationError::Singular) => None,
        Err(EliminationError::TooLarge) => Some(relax(options, policy, &right)),
    }
}

/// Gauss-Seidel sweeps for parts whose triangles would be too large. Where they stop decides how
/// wide the bounds are, not whether they hold.
fn relax(options: &[Vec<FloatOption>], policy: &[usize], right: &[f64]) -> Vec<f64> {
    const SWEEPS: usize = 100_000;
    let mut values = vec![0.0; options.len()];
    for _ in 0..SWEEPS {
        let mut moved: f64 = 0.0;
        for node in 0..options.len() {
            let value = options[node][policy[node]].of(&values, right[node]);
            moved = moved.max((value - values[node]).abs() / value.abs().max(f64::MIN_POSITIVE));
            values[node] = value;
        }
        if moved <= 4.0 * f64::EPSILON {
            break;
        }
    }
    values
}
