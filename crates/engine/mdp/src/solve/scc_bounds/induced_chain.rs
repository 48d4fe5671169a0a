//! The Markov chain that a policy induces in a component: its own strongly connected components in the order in which
//! they can be solved, each by sweeps or by elimination, whichever is less work.

use std::cell::Cell;
use std::rc::Rc;

use budget::{Budget, Stopped};
use graph::{Edges, Search, UNKNOWN};

use super::elimination::{Factors, Sparse};
use super::krylov::{Correction, Sweeps};
use super::options::FloatScc;
use crate::linear::{Effort, EliminationError, order_within};
use crate::solve::Method;
use crate::support::{about, id};

/// Sweeps after which the speed of convergence is known.
const TRIAL: usize = 16;
/// Components of up to so many nodes are eliminated at once.
const TINY: usize = 24;
/// Components of up to so many nodes are eliminated without looking for zeros.
const DENSE: usize = 128;
/// Elimination is tried before any sweep where it takes no longer than this many sweeps, unless that failed in a chain
/// before;
const AT_ONCE: f64 = 8.0;
/// and after the first sweeps where it takes no longer than this many.
const CHEAP: f64 = 32.0;
/// Moves of this many times the tolerance are worth no more than some sweeps.
const NOISE: f64 = 16.0;
/// The most sweeps of a component that cannot be eliminated: about as long as a user would wait.
pub(super) const MOST_SWEEPS: usize = 1_000_000;

/// A policy's equations. Nodes have *positions* here: the order of solving.
pub(super) struct Chain<'a> {
    method: Method,
    /// Whether some component of a chain was too expensive to eliminate at once.
    is_dear: Rc<Cell<bool>>,
    effort: Effort<'a>,
    /// The node at each position.
    pub(super) nodes: Vec<u32>,
    components: Vec<Component>,
    /// Where the targets of each position begin; one more entry than positions.
    starts: Vec<u32>,
    /// Positions and probabilities, without the position itself.
    targets: Vec<(u32, f64)>,
    /// The probability of leaving each position, and of moving from there to nodes of known value.
    leaving: Vec<f64>,
    exits: Vec<f64>,
}

struct Component {
    first: usize,
    end: usize,
    factors: Option<Factors>,
    /// A lower bound of the steps of elimination.
    more_than: f64,
    /// Whether accelerated sweeps are known not to help.
    stubborn: bool,
}

/// When to stop sweeping.
#[derive(Clone, Copy)]
pub(super) struct Tolerance<'a> {
    /// Values have converged when they move by no more than this share
    pub(super) share: f64,
    /// of these numbers, or of themselves.
    pub(super) of: Option<&'a [f64]>,
    /// The limit on sweeps.
    pub(super) sweeps: usize,
}

/// Why the values of a policy could not be computed in floating point.
pub(super) enum ChainError {
    /// Play leaves the component too rarely.
    Singular,
    /// No method finished within its limits.
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
    /// The equations of the nodes that are `free`: the others have known values.
    pub(super) fn new(
        scc: &FloatScc,
        policy: &[u32],
        free: &[bool],
        (method, is_dear): (Method, Rc<Cell<bool>>),
        effort: Effort<'a>,
    ) -> Result<Self, Stopped> {
        effort.budget.check()?;
        let row = |node: u32| {
            let option = &scc.options(node as usize)[policy[node as usize] as usize];
            (scc.inner(option), option.exit)
        };
        let (nodes, ends) = components(free, |node| row(node).0, effort.budget)?;
        let mut index_of = vec![u32::MAX; scc.len()];
        for (position, node) in (0..).zip(&nodes) {
            index_of[*node as usize] = position;
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
                    chain.targets.push((index_of[*to as usize], *probability));
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
    fn targets(&self, position: usize) -> &[(u32, f64)] {
        &self.targets[self.starts[position] as usize..self.starts[position + 1] as usize]
    }

    /// The value at a position, given those of its targets.
    #[inline]
    fn value(&self, position: usize, right: &[f64], values: &[f64]) -> f64 {
        let known = self.targets(position).iter().fold(right[position], |sum, (to, p)| sum + p * values[*to as usize]);
        known / self.leaving[position]
    }

    /// One sweep over a component, forwards or backwards: what propagates slowly in one direction is fast in the other.
    /// Returns the largest move, in units of the tolerance.
    fn pass(
        &self,
        component: &Component,
        sweep: usize,
        right: &[f64],
        values: &mut [f64],
        tolerance: Tolerance<'_>,
    ) -> f64 {
        let mut moved: f64 = 0.0;
        let count = component.end - component.first;
        for step in 0..count {
            let position = if sweep.is_multiple_of(2) { component.first + step } else { component.end - 1 - step };
            let value = self.value(position, right, values);
            let size = tolerance.of.map_or(value, |sizes| sizes[position]);
            let change = (value - values[position]).abs();
            if change > moved * size {
                moved = change / size;
            }
            values[position] = value;
        }
        moved
    }

    /// The values for this right-hand side, both by position. Sweeps start from the given values. Returns whether all
    /// converged within the allowed sweeps; with [`MOST_SWEEPS`] they always did.
    pub(super) fn solve(
        &mut self,
        right: &[f64],
        values: &mut [f64],
        tolerance: Tolerance<'_>,
    ) -> Result<bool, ChainError> {
        let mut components = std::mem::take(&mut self.components);
        let converged = components
            .iter_mut()
            .try_fold(true, |all, component| Ok(self.solve_one(component, right, values, tolerance)? && all));
        self.components = components;
        converged
    }

    fn solve_one(
        &self,
        component: &mut Component,
        right: &[f64],
        values: &mut [f64],
        tolerance: Tolerance<'_>,
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
            let converged = self.sweep_until_converged(component, right, values, tolerance)?;
            if converged || (tolerance.sweeps < MOST_SWEEPS && component.factors.is_none()) {
                return Ok(converged);
            }
        }
        let Some(factors) = &component.factors else { return Err(ChainError::TooSlow) };
        let known = (first..end).map(|position| {
            let outside = self.targets(position).iter().filter(|(to, _)| (*to as usize) < first);
            outside.fold(right[position], |sum, (to, p)| sum + p * values[*to as usize])
        });
        let solution = factors.solve(known.collect());
        values[first..end].copy_from_slice(&solution);
        if solution.iter().all(|value| value.is_finite()) { Ok(true) } else { Err(ChainError::Singular) }
    }

    /// Sweeps until the values converge, and returns true. Where that would take longer than elimination, eliminates
    /// the component and returns false.
    fn sweep_until_converged(
        &self,
        component: &mut Component,
        right: &[f64],
        values: &mut [f64],
        tolerance: Tolerance<'_>,
    ) -> Result<bool, ChainError> {
        /// Entries that are processed between two decisions whether to go on.
        const LOOK: usize = 1 << 18;
        let entries =
            (self.starts[component.end] - self.starts[component.first]) as usize + component.end - component.first;
        let mut moved_before = f64::INFINITY;
        let mut since = 0;
        if self.method == Method::Cheapest && component.more_than == 0.0 && !self.is_dear.get() {
            if self.try_to_eliminate(component, AT_ONCE * about(entries as u64))? {
                return Ok(false);
            }
            // Estimating takes some sweeps itself, and the next policy's chain is much like this one.
            self.is_dear.set(true);
        }
        for sweep in 0..tolerance.sweeps {
            let moved = self.pass(component, sweep, right, values, tolerance);
            if moved <= tolerance.share {
                return Ok(true);
            }
            since += entries;
            if since > LOOK {
                since = 0;
                self.effort.budget.check()?;
            }
            if (sweep + 1).is_multiple_of(TRIAL) {
                // The number of further sweeps at this speed.
                let speed = (moved_before / moved).ln() / TRIAL_F;
                let needed = if speed > 0.0 { (moved / tolerance.share).ln() / speed } else { f64::INFINITY };
                moved_before = moved;
                if sweep + 1 < 2 * TRIAL || needed <= TRIAL_F {
                    continue;
                }
                let thorough = tolerance.sweeps == MOST_SWEEPS;
                let most = needed * about(entries as u64);
                if thorough && self.try_to_eliminate(component, most.min(CHEAP * about(entries as u64)))? {
                    return Ok(false);
                }
                if needed > 2.0 * TRIAL_F
                    && !component.stubborn
                    && self.accelerate(component, right, values, tolerance)?
                {
                    return Ok(true);
                }
                if moved <= NOISE * tolerance.share && self.method == Method::Cheapest {
                    // Rounding errors: what is wrong with the values is too small to be worth an elimination.
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

    /// Eliminates a component if that takes fewer steps than `most`, unless about as much has been tried before:
    /// estimating costs some sweeps itself. Returns whether the component has its factors now.
    fn try_to_eliminate(&self, component: &mut Component, most: f64) -> Result<bool, ChainError> {
        if self.method != Method::Sweeps && most > 8.0 * component.more_than {
            self.eliminate(component, most)?;
        }
        Ok(component.factors.is_some())
    }

    /// Accelerated sweeps ([`Sweeps::correct`]), until the values converge; returns whether they do. Where that does
    /// not help much the component is marked as stubborn.
    fn accelerate(
        &self,
        component: &mut Component,
        right: &[f64],
        values: &mut [f64],
        tolerance: Tolerance<'_>,
    ) -> Result<bool, ChainError> {
        /// Sweeps that are combined.
        const TOGETHER: usize = 24;
        /// Combining fewer is not worth it.
        const FEWEST: usize = 6;
        /// The largest share of a residual that a useful correction may leave.
        const HELPS: f64 = 0.25;
        let (first, end) = (component.first, component.end);
        let own = first..end;
        // A vector takes 8 bytes for each node, an entry 64.
        let together = TOGETHER.min(self.effort.most_entries / 2 / (end - first) * 8);
        if together < FEWEST {
            component.stubborn = true;
            return Ok(false);
        }
        let sizes = tolerance.of.map_or_else(|| values[own.clone()].to_vec(), |sizes| sizes[own.clone()].to_vec());
        if !sizes.iter().all(|size| size.is_normal()) {
            component.stubborn = true;
            return Ok(false);
        }
        let rows = own.clone().map(|position| {
            let unit = 1.0 / (self.leaving[position] * sizes[position - first]);
            let inner = self.targets(position).iter().filter(|(to, _)| own.contains(&(*to as usize)));
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
            self.pass(component, 0, right, values, tolerance);
            let moved = self.pass(component, 1, right, values, tolerance);
            if moved <= tolerance.share {
                return Ok(true);
            }
            // Where rounding errors exceed what is corrected, a correction only seems to help.
            if moved > moved_before / 2.0 {
                component.stubborn = true;
                return Ok(false);
            }
            moved_before = moved;
            let residual =
                values[own.clone()].iter().zip(&before).zip(&sizes).map(|((now, old), size)| (now - old) / size);
            let Correction { shares, left } =
                sweeps.correct(residual.collect(), together, tolerance.share / moved / 16.0);
            let corrected = || before.iter().zip(&sizes).zip(&shares).map(|((old, size), share)| old + size * share);
            let mut helps = left <= HELPS;
            if left < 1.0 && (tolerance.of.is_some() || corrected().all(|value| value > 0.0)) {
                values[own.clone()].iter_mut().zip(corrected()).for_each(|(value, new)| *value = new);
            } else {
                helps = false;
            }
            if !helps || moved <= NOISE * tolerance.share {
                component.stubborn |= !helps;
                return Ok(false);
            }
        }
    }

    /// Eliminates a component if that takes fewer steps than `most_work`.
    fn eliminate(&self, component: &mut Component, most_work: f64) -> Result<(), ChainError> {
        /// A step of elimination takes as long as this many steps of a sweep.
        const SPARSE: f64 = 4.0;
        /// However slow sweeps are, elimination must finish: within some minutes.
        const MOST: f64 = 3e10;
        let Component { first, end, .. } = *component;
        let size = end - first;
        let rows = || -> (Vec<Vec<(u32, f64)>>, Vec<f64>) {
            let own = |to: u32| (first..end).contains(&(to as usize));
            let rows = (first..end).map(|position| {
                let inner = self.targets(position).iter().filter(|(to, _)| own(*to));
                inner.map(|(to, p)| (to - id(first), *p)).collect()
            });
            let rows: Vec<Vec<(u32, f64)>> = rows.collect();
            let exits = (first..end).map(|position| self.exit(position, first, end));
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

    /// The probability of leaving a component at once from a position.
    fn exit(&self, position: usize, first: usize, end: usize) -> f64 {
        // The remainder of `leaving` after the inner targets, without a subtraction.
        self.targets(position)
            .iter()
            .filter(|(to, _)| !(first..end).contains(&(*to as usize)))
            .map(|(_, p)| p)
            .sum::<f64>()
            + self.exits[position]
    }
}

/// [`TRIAL`] as a floating-point number.
const TRIAL_F: f64 = 16.0;

/// The free nodes in the order of their strongly connected components, targets first, and where each component ends.
fn components<'p>(
    free: &[bool],
    inner: impl Fn(u32) -> &'p [(u32, f64)],
    budget: &Budget<'_>,
) -> Result<(Vec<u32>, Vec<usize>), Stopped> {
    // Other nodes count as finished.
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
