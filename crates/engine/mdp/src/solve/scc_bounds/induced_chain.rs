//! The chain that a policy makes of a part: strongly connected components in the order in which they can be
//! solved, each by sweeps or by elimination, whichever is less work.

use std::cell::Cell;
use std::rc::Rc;

use budget::{Budget, Stopped};
use graph::{Edges, Search, UNKNOWN};

use super::elimination::{Factors, Sparse};
use super::krylov::{Correction, Sweeps};
use super::options::FloatPart;
use crate::linear::{Effort, EliminationError, order_within};
use crate::solve::Method;
use crate::support::{about, id};

/// Sweeps after which the speed of convergence is known.
const TRIAL: usize = 16;
/// Components of up to so many nodes are eliminated at once.
const TINY: usize = 24;
/// Components of up to so many nodes are eliminated without looking for zeros.
const DENSE: usize = 128;
/// Elimination is tried before any sweep where it takes no longer than so many, unless that was too much in a chain before;
const AT_ONCE: f64 = 8.0;
/// and after the first sweeps where it takes no longer than so many.
const CHEAP: f64 = 32.0;
/// Moves of so many times what counts as rest are worth no more than some sweeps.
const NOISE: f64 = 16.0;
/// Sweeps of a component that cannot be eliminated: about as many as a user would wait for.
pub(super) const MOST_SWEEPS: usize = 1_000_000;

/// A policy's equations. Nodes have *places* here: the order of solving.
pub(super) struct Chain<'a> {
    method: Method,
    /// Whether a component of a chain was too much to be eliminated at once.
    is_dear: Rc<Cell<bool>>,
    effort: Effort<'a>,
    /// The node at each place.
    pub(super) nodes: Vec<u32>,
    components: Vec<Component>,
    /// Where each place's targets begin; one more entry than places.
    starts: Vec<u32>,
    /// Places and probabilities, but for the place itself.
    targets: Vec<(u32, f64)>,
    /// The probability to leave each place, summed up, and that to come to what is known from there.
    leaving: Vec<f64>,
    exits: Vec<f64>,
}

struct Component {
    first: usize,
    end: usize,
    factors: Option<Factors>,
    /// Elimination is known to take more steps than this.
    more_than: f64,
    /// Putting sweeps together is known not to help.
    stubborn: bool,
}

/// When values are good enough.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a> {
    /// They move by no more than this share
    pub(super) share: f64,
    /// of these numbers, or of themselves.
    pub(super) of: Option<&'a [f64]>,
    /// Or after so many sweeps.
    pub(super) sweeps: usize,
}

/// Why a policy has no values in floating point.
pub(super) enum ChainError {
    /// It is too hard to leave the part.
    Singular,
    /// Neither way came to an end within its limits.
    TooSlow,
    Stopped(Stopped),
}

impl From<Stopped> for ChainError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<ChainError> for Option<Stopped> {
    fn from(error: ChainError) -> Self {
        match error {
            ChainError::Stopped(stopped) => Some(stopped),
            ChainError::Singular | ChainError::TooSlow => None,
        }
    }
}

impl<'a> Chain<'a> {
    /// Of the nodes that are `free`: the others have values that are known.
    pub(super) fn new(
        part: &FloatPart,
        policy: &[u32],
        free: &[bool],
        (method, is_dear): (Method, Rc<Cell<bool>>),
        effort: Effort<'a>,
    ) -> Result<Self, Stopped> {
        effort.budget.check()?;
        let row = |node: u32| {
            let option = &part.options(node as usize)[policy[node as usize] as usize];
            (part.inner(option), option.exit)
        };
        let (nodes, ends) = components(free, |node| row(node).0, effort.budget)?;
        let mut place_of = vec![u32::MAX; part.len()];
        for (place, node) in (0..).zip(&nodes) {
            place_of[*node as usize] = place;
        }
        let mut chain = Self {
            method,
            is_dear,
            effort,
            components: Vec::with_capacity(ends.len()),
            starts: Vec::with_capacity(nodes.len() + 1),
            targets: Vec::new(),
            leaving: Vec::with_capacity(nodes.len()),
            exits: Vec::with_capacity(nodes.len()),
            nodes,
        };
        for node in &chain.nodes {
            chain.starts.push(id(chain.targets.len()));
            let (inner, exit) = row(*node);
            let (mut leaving, mut exits) = (exit, exit);
            for (to, probability) in inner.iter().filter(|(to, _)| to != node) {
                leaving += probability;
                if free[*to as usize] {
                    chain.targets.push((place_of[*to as usize], *probability));
                } else {
                    exits += probability;
                }
            }
            chain.leaving.push(leaving);
            chain.exits.push(exits);
        }
        chain.starts.push(id(chain.targets.len()));
        let mut first = 0;
        for end in ends {
            chain.components.push(Component { first, end, factors: None, more_than: 0.0, stubborn: false });
            first = end;
        }
        Ok(chain)
    }

    #[inline]
    fn targets(&self, place: usize) -> &[(u32, f64)] {
        &self.targets[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// The value at a place if its targets have these.
    #[inline]
    fn value(&self, place: usize, right: &[f64], values: &[f64]) -> f64 {
        let known = self.targets(place).iter().fold(right[place], |sum, (to, p)| sum + p * values[*to as usize]);
        known / self.leaving[place]
    }

    /// One sweep over a component, to or fro: what one direction carries slowly, the other carries at once.
    /// Returns the largest move, in units of what counts as rest.
    fn pass(&self, component: &Component, sweep: usize, right: &[f64], values: &mut [f64], rest: Rest<'_>) -> f64 {
        let mut moved: f64 = 0.0;
        let count = component.end - component.first;
        for step in 0..count {
            let place = if sweep.is_multiple_of(2) { component.first + step } else { component.end - 1 - step };
            let value = self.value(place, right, values);
            let size = rest.of.map_or(value, |sizes| sizes[place]);
            let change = (value - values[place]).abs();
            if change > moved * size {
                moved = change / size;
            }
            values[place] = value;
        }
        moved
    }

    /// The values for this right-hand side, both by place. The values so far are where sweeps begin. Whether all came to rest
    /// within the sweeps that are allowed; if those are [`MOST_SWEEPS`] they did.
    pub(super) fn solve(&mut self, right: &[f64], values: &mut [f64], rest: Rest<'_>) -> Result<bool, ChainError> {
        let mut components = std::mem::take(&mut self.components);
        let rested = components
            .iter_mut()
            .try_fold(true, |all, component| Ok(self.solve_one(component, right, values, rest)? && all));
        self.components = components;
        rested
    }

    fn solve_one(
        &self,
        component: &mut Component,
        right: &[f64],
        values: &mut [f64],
        rest: Rest<'_>,
    ) -> Result<bool, ChainError> {
        let Component { first, end, .. } = *component;
        if end - first == 1 {
            if !self.leaving[first].is_normal() {
                return Err(ChainError::Singular);
            }
            values[first] = self.value(first, right, values);
            return Ok(true);
        }
        let at_once = match self.method {
            Method::Elimination => true,
            Method::Sweeps => false,
            Method::Cheapest | Method::Fractions => end - first <= TINY,
        };
        if component.factors.is_none() && at_once {
            self.eliminate(component, f64::INFINITY)?;
        }
        if component.factors.is_none() {
            let rested = self.settle(component, right, values, rest)?;
            if rested || (rest.sweeps < MOST_SWEEPS && component.factors.is_none()) {
                return Ok(rested);
            }
        }
        let Some(factors) = &component.factors else { return Err(ChainError::TooSlow) };
        let known = (first..end).map(|place| {
            let outside = self.targets(place).iter().filter(|(to, _)| (*to as usize) < first);
            outside.fold(right[place], |sum, (to, p)| sum + p * values[*to as usize])
        });
        let solution = factors.solve(known.collect());
        values[first..end].copy_from_slice(&solution);
        if solution.iter().all(|value| value.is_finite()) { Ok(true) } else { Err(ChainError::Singular) }
    }

    /// Sweeps until the values rest. Where that would take longer than elimination, the component has its
    /// factors afterwards, and the answer is no.
    fn settle(
        &self,
        component: &mut Component,
        right: &[f64],
        values: &mut [f64],
        rest: Rest<'_>,
    ) -> Result<bool, ChainError> {
        /// Entries that are looked at between two questions whether to go on.
        const LOOK: usize = 1 << 18;
        let entries =
            (self.starts[component.end] - self.starts[component.first]) as usize + component.end - component.first;
        let mut moved_before = f64::INFINITY;
        let mut since = 0;
        if self.method == Method::Cheapest && component.more_than == 0.0 && !self.is_dear.get() {
            if self.try_to_eliminate(component, AT_ONCE * about(entries as u64))? {
                return Ok(false);
            }
            // Asking takes some sweeps itself, and the next policy's chain is much like this one.
            self.is_dear.set(true);
        }
        for sweep in 0..rest.sweeps {
            let moved = self.pass(component, sweep, right, values, rest);
            if moved <= rest.share {
                return Ok(true);
            }
            since += entries;
            if since > LOOK {
                since = 0;
                self.effort.budget.check()?;
            }
            if (sweep + 1).is_multiple_of(TRIAL) {
                // So many more sweeps at this speed.
                let speed = (moved_before / moved).ln() / TRIAL_F;
                let needed = if speed > 0.0 { (moved / rest.share).ln() / speed } else { f64::INFINITY };
                moved_before = moved;
                if sweep + 1 < 2 * TRIAL || needed <= TRIAL_F {
                    continue;
                }
                let thorough = rest.sweeps == MOST_SWEEPS;
                let most = needed * about(entries as u64);
                if thorough && self.try_to_eliminate(component, most.min(CHEAP * about(entries as u64)))? {
                    return Ok(false);
                }
                if needed > 2.0 * TRIAL_F && !component.stubborn && self.accelerate(component, right, values, rest)? {
                    return Ok(true);
                }
                if moved <= NOISE * rest.share && self.method == Method::Cheapest {
                    // Rounding: what is wrong with the values is too small to be worth an elimination.
                    return Ok(true);
                }
                if thorough && component.stubborn && self.try_to_eliminate(component, most)? {
                    return Ok(false);
                }
                let no_other_way = self.method == Method::Sweeps || component.more_than.is_infinite();
                if no_other_way && component.stubborn && needed > about(MOST_SWEEPS as u64) {
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    /// Eliminates a component if that is less than this many steps of sweeping, unless about as much has been tried
    /// before: asking costs some sweeps itself. Whether it has its factors now.
    fn try_to_eliminate(&self, component: &mut Component, most: f64) -> Result<bool, ChainError> {
        if self.method != Method::Sweeps && most > 8.0 * component.more_than {
            self.eliminate(component, most)?;
        }
        Ok(component.factors.is_some())
    }

    /// Sweeps whose moves are put together ([`Sweeps::correct`]), until the values rest: whether they do. Where that
    /// does not help much the component is stubborn from then on.
    fn accelerate(
        &self,
        component: &mut Component,
        right: &[f64],
        values: &mut [f64],
        rest: Rest<'_>,
    ) -> Result<bool, ChainError> {
        /// Sweeps that are put together.
        const TOGETHER: usize = 24;
        /// Fewer are not worth it.
        const FEWEST: usize = 6;
        /// The largest share of a residual that may be left by a correction.
        const HELPS: f64 = 0.25;
        let (first, end) = (component.first, component.end);
        let own = first..end;
        // A vector takes 8 bytes a node, an entry 64.
        let together = TOGETHER.min(self.effort.most_entries / 2 / (end - first) * 8);
        if together < FEWEST {
            component.stubborn = true;
            return Ok(false);
        }
        let sizes = rest.of.map_or_else(|| values[own.clone()].to_vec(), |sizes| sizes[own.clone()].to_vec());
        if !sizes.iter().all(|size| size.is_normal()) {
            component.stubborn = true;
            return Ok(false);
        }
        let rows = own.clone().map(|place| {
            let unit = 1.0 / (self.leaving[place] * sizes[place - first]);
            let inner = self.targets(place).iter().filter(|(to, _)| own.contains(&(*to as usize)));
            inner
                .map(|(to, p)| (to - id(first), p * sizes[*to as usize - first] * unit))
                .collect::<Vec<_>>()
                .into_iter()
        });
        let sweeps = Sweeps::new(rows);
        let mut moved_before = f64::INFINITY;
        loop {
            self.effort.budget.check()?;
            let before = values[own.clone()].to_vec();
            self.pass(component, 0, right, values, rest);
            let moved = self.pass(component, 1, right, values, rest);
            if moved <= rest.share {
                return Ok(true);
            }
            // Where rounding is larger than what is corrected, a correction only seems to help.
            if moved > moved_before / 2.0 {
                component.stubborn = true;
                return Ok(false);
            }
            moved_before = moved;
            let residual =
                values[own.clone()].iter().zip(&before).zip(&sizes).map(|((now, old), size)| (now - old) / size);
            let Correction { shares, left } = sweeps.correct(residual.collect(), together, rest.share / moved / 16.0);
            let corrected = || before.iter().zip(&sizes).zip(&shares).map(|((old, size), share)| old + size * share);
            let mut helps = left <= HELPS;
            if left < 1.0 && (rest.of.is_some() || corrected().all(|value| value > 0.0)) {
                values[own.clone()].iter_mut().zip(corrected()).for_each(|(value, new)| *value = new);
            } else {
                helps = false;
            }
            if !helps || moved <= NOISE * rest.share {
                component.stubborn |= !helps;
                return Ok(false);
            }
        }
    }

    /// Eliminates a component if that is less than this many steps of sweeping.
    fn eliminate(&self, component: &mut Component, most_work: f64) -> Result<(), ChainError> {
        /// A step of elimination takes as long as so many of a sweep.
        const SPARSE: f64 = 4.0;
        /// However slow sweeps are, elimination must come to an end: some minutes.
        const MOST: f64 = 3e10;
        let Component { first, end, .. } = *component;
        let size = end - first;
        let rows = || -> (Vec<Vec<(u32, f64)>>, Vec<f64>) {
            let own = |to: u32| (first..end).contains(&(to as usize));
            let rows = (first..end).map(|place| {
                let inner = self.targets(place).iter().filter(|(to, _)| own(*to));
                inner.map(|(to, p)| (to - id(first), *p)).collect()
            });
            let rows: Vec<Vec<(u32, f64)>> = rows.collect();
            let exits = (first..end).map(|place| self.exit(place, first, end));
            (rows, exits.collect())
        };
        if size <= DENSE {
            let (rows, exits) = rows();
            component.factors = Factors::dense(&rows, &exits);
            return if component.factors.is_none() { Err(ChainError::Singular) } else { Ok(()) };
        }
        let columns = |row: u32| {
            let inner = self.targets(first + row as usize).iter();
            let shift = id(first);
            inner.filter(move |(to, _)| (first..end).contains(&(*to as usize))).map(move |(to, _)| to - shift)
        };
        let limit = if self.method == Method::Elimination { f64::INFINITY } else { (most_work / SPARSE).min(MOST) };
        let Some(order) = order_within(id(size), columns, limit, self.effort.budget)? else {
            component.more_than = if limit < MOST { most_work } else { f64::INFINITY };
            return Ok(());
        };
        let (rows, exits) = rows();
        match Sparse::new(&rows, &exits, order, self.effort) {
            Ok(sparse) => component.factors = Some(Factors::Sparse(sparse)),
            Err(EliminationError::Singular) => return Err(ChainError::Singular),
            Err(EliminationError::TooLarge) => component.more_than = f64::INFINITY,
            Err(EliminationError::Stopped(stopped)) => return Err(stopped.into()),
        }
        Ok(())
    }

    /// The probability to leave a component at once from a place.
    fn exit(&self, place: usize, first: usize, end: usize) -> f64 {
        // What is left of `leaving` after the inner targets, without a subtraction.
        self.targets(place)
            .iter()
            .filter(|(to, _)| !(first..end).contains(&(*to as usize)))
            .map(|(_, p)| p)
            .sum::<f64>()
            + self.exits[place]
    }
}

/// [`TRIAL`] as a number to compute with.
const TRIAL_F: f64 = 16.0;

/// The free nodes in the order of their strongly connected components, what they lead to first, and where each
/// component ends.
fn components<'p>(
    free: &[bool],
    inner: impl Fn(u32) -> &'p [(u32, f64)],
    budget: &Budget<'_>,
) -> Result<(Vec<u32>, Vec<usize>), Stopped> {
    // Others count as finished.
    let mut levels: Vec<u32> = free.iter().map(|free| if *free { UNKNOWN } else { 0 }).collect();
    let (mut order, mut ends) = (Vec::with_capacity(free.len()), Vec::new());
    let mut search = Search::new(free.len(), 0);
    let inner = Edges(|node| inner(node).iter().map(|(target, _)| *target));
    for root in 0..id(free.len()) {
        search.find(&inner, root, &mut levels, budget, &mut |component, levels| {
            component.members.iter().for_each(|member| levels[*member as usize] = 0);
            order.extend(component.members.iter().rev());
            ends.push(order.len());
            Ok(())
        })?;
    }
    Ok((order, ends))
}
