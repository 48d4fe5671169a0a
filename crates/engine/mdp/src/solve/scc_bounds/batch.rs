//! Isomorphic small components, processed in lockstep: the values outside of them, and their best options.
//!
//! Arrays are ordered by option (or state), with the numbers of all components for each. So the inner loops run over
//! components, without dependencies between iterations.

use super::small_options::{LEAST, NONE, NearOptions, Outside, SmallScc, near_share};
use crate::model::StateId;
use crate::solution::Ends;

/// A better option is better by this share.
const BETTER: f64 = 1.0 + super::tolerance::NOISE;

/// The values outside of the components; reused.
#[derive(Default)]
pub(super) struct AllOutside {
    sccs: usize,
    /// What these add to the value of each option, at the lower and at the upper end.
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// The least lower and the largest upper end of the targets of each option.
    least: Vec<f64>,
    most: Vec<f64>,
}

/// The least and the largest end of the values outside of a component.
#[derive(Clone, Copy)]
pub(super) struct Hull {
    pub(super) least: f64,
    pub(super) most: f64,
    /// Whether the graph alone could determine a value, or all values are zero.
    pub(super) decided: bool,
}

/// The values of the states of all components, and the options that are taken there.
#[derive(Clone, Copy)]
pub(super) struct AllSolved<'a> {
    /// State by state, for each those of all components.
    pub(super) values: &'a [f64],
    /// The same values component by component.
    pub(super) by_scc: &'a [f64],
    /// State by state, like the values.
    pub(super) chosen: &'a [u32],
}

impl AllOutside {
    pub(super) fn clear(&mut self, sccs: usize) {
        self.sccs = sccs;
        [&mut self.lower, &mut self.upper, &mut self.least, &mut self.most].into_iter().for_each(Vec::clear);
    }

    /// Adds an option without targets yet.
    pub(super) fn begin_option(&mut self) {
        let end = self.lower.len() + self.sccs;
        self.lower.resize(end, 0.0);
        self.upper.resize(end, 0.0);
        self.least.resize(end, f64::INFINITY);
        self.most.resize(end, -1.0);
    }

    /// Removes the last option.
    pub(super) fn drop_option(&mut self) {
        let end = self.lower.len() - self.sccs;
        for own in [&mut self.lower, &mut self.upper, &mut self.least, &mut self.most] {
            own.truncate(end);
        }
    }

    /// Adds a target to the last option with this probability: `first` in the first component; in the others the same,
    /// or the next ones if it moves.
    pub(super) fn lead(&mut self, ends: &Ends, first: StateId, moves: bool, probability: f64) {
        let begin = self.lower.len() - self.sccs;
        let first = first as usize;
        let (sums_lower, sums_upper) = (&mut self.lower[begin..], &mut self.upper[begin..]);
        let (least, most) = (&mut self.least[begin..], &mut self.most[begin..]);
        if moves {
            let ends = &ends.all[first..first + self.sccs];
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

    /// The hull of the values outside of each component.
    pub(super) fn hulls(&self, small: &SmallScc) -> Vec<Hull> {
        let hull = |scc: usize| {
            let (mut least, mut most) = (f64::INFINITY, 0.0);
            // What options that leave lead to with certainty: the most of one option, the least of all options of a
            // state.
            let (mut surely_most, mut surely_least) = (-1.0, f64::INFINITY);
            for state in 0..small.count() {
                // The hull of what all options of the state that leave lead to.
                let mut own = (f64::INFINITY, -1.0f64);
                for option in small.options_of(state).filter(|option| small.exit(*option) > 0.0) {
                    let hull = self.hull(option, scc);
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
            // Components of value zero are recognised by that value.
            let decided = surely_most == most || least > 0.0 && surely_least == least || most <= LEAST;
            Hull { least, most, decided }
        };
        (0..self.sccs).map(hull).collect()
    }

    fn hull(&self, option: u32, scc: usize) -> (f64, f64) {
        let index = option as usize * self.sccs + scc;
        (self.least[index], self.most[index])
    }

    /// The values outside of a component where an option leads, at the lower end.
    pub(super) fn at_lower(&self, option: u32, scc: usize) -> Outside {
        Outside { sum: self.lower[option as usize * self.sccs + scc], hull: self.hull(option, scc) }
    }

    /// The same at the upper end.
    pub(super) fn at_upper(&self, option: u32, scc: usize) -> Outside {
        Outside { sum: self.upper[option as usize * self.sccs + scc], hull: self.hull(option, scc) }
    }

    /// Takes the option in every state and component in which it is better than the chosen one with these values; tells
    /// in which components it was. `worth` and `best` are buffers.
    pub(super) fn improve(
        &self,
        small: &SmallScc,
        values: &[f64],
        chosen: &mut [u32],
        [worth, best]: [&mut Vec<f64>; 2],
    ) -> Vec<bool> {
        let sccs = self.sccs;
        let mut improved = vec![false; sccs];
        for state in 0..small.count() {
            let own = state * sccs..(state + 1) * sccs;
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

    /// The value of an option in each component, with moves back to its own state resolved.
    fn tried(&self, small: &SmallScc, option: u32, values: &[f64], worth: &mut Vec<f64>) {
        let (inner, _, tries) = small.option(option);
        self.moved(option, inner, values, worth);
        for worth in worth.iter_mut() {
            *worth *= tries;
        }
    }

    /// The contribution of an option's moves to other states.
    fn moved(&self, option: u32, inner: &[(u32, f64)], values: &[f64], worth: &mut Vec<f64>) {
        let sccs = self.sccs;
        worth.clear();
        worth.extend_from_slice(&self.upper[option as usize * sccs..(option as usize + 1) * sccs]);
        for (to, probability) in inner {
            let values = &values[*to as usize * sccs..(*to as usize + 1) * sccs];
            worth.iter_mut().zip(values).for_each(|(worth, value)| *worth += probability * value);
        }
    }

    /// Finds the options that are near the best, for every component. `worth` and `bars` are buffers.
    pub(super) fn find_near(
        &self,
        small: &SmallScc,
        solved: AllSolved<'_>,
        width: f64,
        near: &mut Vec<NearOptions>,
        [worth, bars]: [&mut Vec<f64>; 2],
    ) {
        let AllSolved { values, by_scc, chosen } = solved;
        let (sccs, count) = (self.sccs, small.count());
        near.resize_with(sccs.max(near.len()), NearOptions::default);
        near.iter_mut().for_each(NearOptions::clear);
        let near = &mut near[..sccs];
        for state in 0..count {
            let own = state * sccs..(state + 1) * sccs;
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
                    let places = near.iter_mut().zip(chosen).zip(by_scc.chunks_exact(count));
                    for (scc, ((near, chosen), values)) in places.enumerate() {
                        if (worth[scc] >= bars[scc] || *chosen == option) && *chosen != NONE {
                            near.push(small, option, self.at_upper(option, scc), values, width);
                        }
                    }
                }
            }
        }
        near.iter_mut().for_each(NearOptions::begin_state);
    }
}
