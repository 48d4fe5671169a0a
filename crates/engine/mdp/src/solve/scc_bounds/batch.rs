//! Small parts that say the same, looked at side by side: what lies outside of them, and which options are the best.
//!
//! Numbers are told option by option (or state by state), for each the numbers of all parts. So the inner loops go over
//! parts, and none of them waits for what another has computed.

use super::small_options::{LEAST, NONE, NearOptions, Outside, SmallPart, near_share};
use crate::model::StateId;
use crate::solution::Ends;

/// A better option brings more by this share.
const BETTER: f64 = 1.0 + super::rest::NOISE;

/// What lies outside of the parts; reused.
#[derive(Default)]
pub(super) struct AllOutside {
    parts: usize,
    /// What it adds to the worth of each option, at the lower and at the upper end.
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// The least lower and the largest upper end of where each option leads.
    least: Vec<f64>,
    most: Vec<f64>,
}

/// The least and the largest end of what lies outside of a part.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) least: f64,
    pub(super) most: f64,
    /// Whether the graph alone could decide a value, or nothing is to be had.
    pub(super) decided: bool,
}

/// What the states of all parts are worth, and the options that are taken there.
#[derive(Clone, Copy)]
pub(super) struct AllSolved<'a> {
    /// State by state, for each those of all parts.
    pub(super) values: &'a [f64],
    /// The same values part by part.
    pub(super) by_part: &'a [f64],
    /// State by state, as the values.
    pub(super) chosen: &'a [u32],
}

impl AllOutside {
    pub(super) fn clear(&mut self, parts: usize) {
        self.parts = parts;
        [&mut self.lower, &mut self.upper, &mut self.least, &mut self.most].into_iter().for_each(Vec::clear);
    }

    /// Makes room for another option, which leads to nothing yet.
    pub(super) fn begin_option(&mut self) {
        let end = self.lower.len() + self.parts;
        self.lower.resize(end, 0.0);
        self.upper.resize(end, 0.0);
        self.least.resize(end, f64::INFINITY);
        self.most.resize(end, -1.0);
    }

    /// Takes the last option back.
    pub(super) fn drop_option(&mut self) {
        let end = self.lower.len() - self.parts;
        for own in [&mut self.lower, &mut self.upper, &mut self.least, &mut self.most] {
            own.truncate(end);
        }
    }

    /// The last option leads there with this probability, from the first part; in the others it moves along if that is
    /// said.
    pub(super) fn lead(&mut self, ends: &Ends, first: StateId, moves: bool, probability: f64) {
        let begin = self.lower.len() - self.parts;
        let first = first as usize;
        let (sums_lower, sums_upper) = (&mut self.lower[begin..], &mut self.upper[begin..]);
        let (least, most) = (&mut self.least[begin..], &mut self.most[begin..]);
        if moves {
            let ends = &ends.all[first..first + self.parts];
            let sums = sums_lower.iter_mut().zip(sums_upper);
            for ((sum_lower, sum_upper), [lower, upper]) in sums.zip(ends) {
                *sum_lower += probability * lower;
                *sum_upper += probability * upper;
            }
            for ((least, most), [lower, upper]) in least.iter_mut().zip(most).zip(ends) {
                *least = least.min(*lower);
                *most = most.max(*upper);
            }
        } else {
            let [lower, upper] = ends.all[first];
            let sums = sums_lower.iter_mut().zip(sums_upper).zip(least.iter_mut().zip(most));
            for ((sum_lower, sum_upper), (least, most)) in sums {
                *sum_lower += probability * lower;
                *sum_upper += probability * upper;
                *least = least.min(lower);
                *most = most.max(upper);
            }
        }
    }

    /// What lies outside of each part.
    pub(super) fn hulls(&self, small: &SmallPart) -> Vec<Hull> {
        let hull = |part: usize| {
            let (mut least, mut most) = (f64::INFINITY, 0.0);
            // What options that leave lead to for certain: the most of one option, the least of all options of a state.
            let (mut surely_most, mut surely_least) = (-1.0, f64::INFINITY);
            for state in 0..small.count() {
                // What all options of the state lead to that leave.
                let mut own = (f64::INFINITY, -1.0f64);
                for option in small.options_of(state).filter(|option| small.exit(*option) > 0.0) {
                    let hull = self.hull(option, part);
                    own = (own.0.min(hull.0), own.1.max(hull.1));
                    if hull.0 == hull.1 {
                        surely_most = f64::max(surely_most, hull.0);
                    }
                }
                if own.1 >= 0.0 {
                    (least, most) = (f64::min(least, own.0), f64::max(most, own.1));
                }
                if own.0 == own.1 {
                    surely_least = f64::min(surely_least, own.0);
                }
            }
            // What is worth nothing is seen by its value.
            let decided = surely_most == most || least > 0.0 && surely_least == least || most <= LEAST;
            Hull { least, most, decided }
        };
        (0..self.parts).map(hull).collect()
    }

    fn hull(&self, option: u32, part: usize) -> (f64, f64) {
        let place = option as usize * self.parts + part;
        (self.least[place], self.most[place])
    }

    /// What lies outside of a part where an option leads, at the lower end.
    pub(super) fn at_lower(&self, option: u32, part: usize) -> Outside {
        Outside { sum: self.lower[option as usize * self.parts + part], hull: self.hull(option, part) }
    }

    /// The same at the upper end.
    pub(super) fn at_upper(&self, option: u32, part: usize) -> Outside {
        Outside { sum: self.upper[option as usize * self.parts + part], hull: self.hull(option, part) }
    }

    /// Puts for every state and part the option in place of that which is chosen, if it is better with these values; says of
    /// which parts some were. `worth` and `best` are buffers.
    pub(super) fn improve(
        &self,
        small: &SmallPart,
        values: &[f64],
        chosen: &mut [u32],
        [worth, best]: [&mut Vec<f64>; 2],
    ) -> Vec<bool> {
        let parts = self.parts;
        let mut improved = vec![false; parts];
        for state in 0..small.count() {
            let own = state * parts..(state + 1) * parts;
            best.clear();
            best.extend(values[own.clone()].iter().map(|value| value * BETTER));
            for option in small.options_of(state) {
                self.tried(small, option, values, worth);
                if worth.iter().zip(&*best).map(|(worth, best)| u32::from(worth > best)).sum::<u32>() > 0 {
                    let places = best.iter_mut().zip(&mut chosen[own.clone()]).zip(&mut improved);
                    for (((best, chosen), improved), worth) in places.zip(&*worth) {
                        if worth > best {
                            (*best, *chosen, *improved) = (*worth, option, true);
                        }
                    }
                }
            }
        }
        improved
    }

    /// What an option is worth in each part, where what leads back to its state at once is tried again.
    fn tried(&self, small: &SmallPart, option: u32, values: &[f64], worth: &mut Vec<f64>) {
        let (inner, _, tries) = small.option(option);
        self.moved(option, inner, values, worth);
        for worth in worth.iter_mut() {
            *worth *= tries;
        }
    }

    /// What an option brings that moves on.
    fn moved(&self, option: u32, inner: &[(u32, f64)], values: &[f64], worth: &mut Vec<f64>) {
        let parts = self.parts;
        worth.clear();
        worth.extend_from_slice(&self.upper[option as usize * parts..(option as usize + 1) * parts]);
        for (to, probability) in inner {
            let values = &values[*to as usize * parts..(*to as usize + 1) * parts];
            worth.iter_mut().zip(values).for_each(|(worth, value)| *worth += probability * value);
        }
    }

    /// Finds the options that are near the best, for every part. `worth` and `bars` are buffers.
    pub(super) fn find_near(
        &self,
        small: &SmallPart,
        solved: AllSolved<'_>,
        width: f64,
        near: &mut Vec<NearOptions>,
        [worth, bars]: [&mut Vec<f64>; 2],
    ) {
        let AllSolved { values, by_part, chosen } = solved;
        let (parts, count) = (self.parts, small.count());
        near.resize_with(parts.max(near.len()), NearOptions::default);
        near.iter_mut().for_each(NearOptions::clear);
        let near = &mut near[..parts];
        for state in 0..count {
            let own = state * parts..(state + 1) * parts;
            near.iter_mut().for_each(NearOptions::begin_state);
            bars.clear();
            bars.extend(values[own.clone()].iter().map(|value| value * near_share(width)));
            for option in small.options_of(state) {
                let (inner, back, _) = small.option(option);
                self.moved(option, inner, values, worth);
                worth.iter_mut().zip(&values[own.clone()]).for_each(|(worth, value)| *worth += back * value);
                let chosen = &chosen[own.clone()];
                let any = worth.iter().zip(&*bars).map(|(worth, bar)| u32::from(worth >= bar)).sum::<u32>() > 0;
                if any || chosen.contains(&option) {
                    let places = near.iter_mut().zip(chosen).zip(by_part.chunks_exact(count));
                    for (part, ((near, chosen), values)) in places.enumerate() {
                        if (worth[part] >= bars[part] || *chosen == option) && *chosen != NONE {
                            near.push(small, option, self.at_upper(option, part), values, width);
                        }
                    }
                }
            }
        }
        near.iter_mut().for_each(NearOptions::begin_state);
    }
}
