//! Expected visits within a strongly connected component that play eventually leaves, by elimination.
//!
//! With `w(i, j)` the weight of going from state `i` to state `j` of the component and `x(i)` that of leaving it at
//! once, the matrix is `A(i, i) = x(i) + sum of w(i, j) over j != i`, `A(i, j) = -w(i, j)`. Its factors are found
//! **without a subtraction** (Grassmann, Taksar, Heyman): a pivot is the sum of what is left of its row, leaving
//! included. So in floating point every number has a small relative error, however rarely play leaves.
//!
//! The diagonal of the inverse (how often play returns) comes from the same factors, entry by entry
//! from the last to the first (Takahashi, Fagan, Chin): again sums of products of positive numbers, and about
//! as much work as the elimination, instead of one system of equations for each state.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::{Budget, Stopped};
use dashu_int::UBig;

use crate::numbers::{Arithmetic, Modulo, primes};

/// The moves from a state of the component to others of it (not to itself), each at most once, and out of it.
#[derive(Clone, Debug)]
pub(crate) struct Moves<N> {
    pub(crate) inner: Vec<(u32, N)>,
    pub(crate) exit: N,
}

/// Bytes of an entry of the factors, with its share in growing arrays, and of the inverse's entry.
const ENTRY_BYTES: u64 = 64;

/// Entries of a triangle: the position of the other state in the order of elimination, and a number.
type Entries<N> = Vec<(u32, N)>;

/// The factors of the matrix, in the order of elimination.
pub(crate) struct Factors<'a, A: Arithmetic> {
    arithmetic: &'a A,
    order: &'a [u32],
    /// For every state the multiples of earlier rows that were added to its row.
    lower: Vec<Entries<A::Number>>,
    /// For every state its moves to later states after elimination.
    upper: Vec<Entries<A::Number>>,
    /// Its probability of leaving the component after elimination.
    exits: Vec<A::Number>,
    pivots: Vec<A::Number>,
    /// One over each pivot.
    inverses: Vec<A::Number>,
}

impl<'a, A: Arithmetic> Factors<'a, A> {
    /// Eliminates the states in this order; `None` when a pivot has no inverse. `used` is the number of bytes already
    /// in use.
    pub(crate) fn new(
        arithmetic: &'a A,
        moves: &[Moves<A::Number>],
        order: &'a [u32],
        budget: &Budget<'_>,
        used: u64,
    ) -> Result<Option<Self>, Stopped> {
        let count = moves.len();
        let mut position = vec![0u32; count];
        for (at, state) in (0..).zip(order) {
            position[*state as usize] = at;
        }
        let mut factors = Self {
            arithmetic,
            order,
            lower: Vec::with_capacity(count),
            upper: Vec::with_capacity(count),
            exits: Vec::with_capacity(count),
            pivots: Vec::with_capacity(count),
            inverses: Vec::with_capacity(count),
        };
        let mut row = vec![A::ZERO; count];
        let mut present = vec![false; count];
        let mut earlier: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut later: Vec<u32> = Vec::new();
        let mut entries = 0;
        for (at, state) in (0..).zip(order) {
            let mut note = |column: u32, value: A::Number, row: &mut [A::Number], earlier: &mut BinaryHeap<_>| {
                if column == at {
                    return;
                }
                if !std::mem::replace(&mut present[column as usize], true) {
                    row[column as usize] = A::ZERO;
                    if column < at { earlier.push(Reverse(column)) } else { later.push(column) }
                }
                row[column as usize] = arithmetic.sum(row[column as usize], value);
            };
            let Moves { inner, exit } = &moves[*state as usize];
            let mut exit = *exit;
            for (target, weight) in inner {
                note(position[*target as usize], *weight, &mut row, &mut earlier);
            }
            let mut lower = Entries::new();
            let mut eliminated = Vec::new();
            while let Some(Reverse(column)) = earlier.pop() {
                budget.look()?;
                let factor = arithmetic.product(row[column as usize], factors.inverses[column as usize]);
                lower.push((column, factor));
                eliminated.push(column);
                for (target, value) in &factors.upper[column as usize] {
                    note(*target, arithmetic.product(factor, *value), &mut row, &mut earlier);
                }
                exit = arithmetic.add_product(exit, factor, factors.exits[column as usize]);
            }
            later.sort_unstable();
            let upper: Entries<A::Number> = later.iter().map(|column| (*column, row[*column as usize])).collect();
            for column in eliminated.into_iter().chain(later.drain(..)) {
                present[column as usize] = false;
            }
            let pivot = upper.iter().fold(exit, |sum, (_, value)| arithmetic.sum(sum, *value));
            let Some(inverse) = arithmetic.inverse(pivot) else { return Ok(None) };
            entries += lower.len() + upper.len();
            budget.memory(used + entries as u64 * ENTRY_BYTES)?;
            factors.lower.push(lower);
            factors.upper.push(upper);
            factors.pivots.push(pivot);
            factors.exits.push(exit);
            factors.inverses.push(inverse);
        }
        Ok(Some(factors))
    }

    /// The row vector `x` with `x A = inflow`: the expected visits of each state, times its total, given this inflow.
    pub(crate) fn visits(&self, inflow: &[A::Number]) -> Vec<A::Number> {
        let arithmetic = self.arithmetic;
        let mut flow: Vec<A::Number> = self.order.iter().map(|state| inflow[*state as usize]).collect();
        for at in 0..flow.len() {
            flow[at] = arithmetic.product(flow[at], self.inverses[at]);
            for (target, value) in &self.upper[at] {
                flow[*target as usize] = arithmetic.add_product(flow[*target as usize], flow[at], *value);
            }
        }
        for at in (0..flow.len()).rev() {
            for (earlier, factor) in &self.lower[at] {
                flow[*earlier as usize] = arithmetic.add_product(flow[*earlier as usize], flow[at], *factor);
            }
        }
        self.by_state(&flow)
    }

    /// The diagonal of the inverse of `A`.
    pub(crate) fn diagonal(&self, budget: &Budget<'_>) -> Result<Vec<A::Number>, Stopped> {
        let arithmetic = self.arithmetic;
        let count = self.order.len();
        // The columns of the lower triangle: for every state the later ones that took a multiple of its row.
        let mut columns: Vec<Entries<A::Number>> = vec![Entries::new(); count];
        for (at, lower) in (0..).zip(&self.lower) {
            for (earlier, factor) in lower {
                columns[*earlier as usize].push((at, *factor));
            }
        }
        let mut inverse = Inverse::<A> {
            diagonal: vec![A::ZERO; count],
            right: vec![Entries::new(); count],
            below: vec![Entries::new(); count],
        };
        let mut dense = vec![A::ZERO; count];
        for at in (0..count).rev() {
            let (row, column) = (&self.upper[at], &columns[at]);
            // Right of the diagonal, play first moves to later states, from which others are reached. Below it, play
            // arrives from others, last from those that took a multiple of this row.
            let mut right: Entries<A::Number> = column.iter().map(|(target, _)| (*target, A::ZERO)).collect();
            let mut below: Entries<A::Number> = row.iter().map(|(from, _)| (*from, A::ZERO)).collect();
            let mut meet =
                |(entry, factor): (usize, A::Number), (from, value): (usize, A::Number), known: A::Number| {
                    right[entry].1 = arithmetic.add_product(right[entry].1, value, known);
                    below[from].1 = arithmetic.add_product(below[from].1, known, factor);
                };
            for (from, (next, value)) in row.iter().enumerate() {
                budget.look()?;
                spread(&inverse.right[*next as usize], &mut dense);
                dense[*next as usize] = inverse.diagonal[*next as usize];
                let first = column.partition_point(|(target, _)| target < next);
                for (entry, (target, factor)) in column.iter().enumerate().skip(first) {
                    meet((entry, *factor), (from, *value), dense[*target as usize]);
                }
            }
            for (entry, (target, factor)) in column.iter().enumerate() {
                budget.look()?;
                spread(&inverse.below[*target as usize], &mut dense);
                let first = row.partition_point(|(next, _)| next <= target);
                for (from, (next, value)) in row.iter().enumerate().skip(first) {
                    meet((entry, *factor), (from, *value), dense[*next as usize]);
                }
            }
            for (_, entry) in &mut right {
                *entry = arithmetic.product(*entry, self.inverses[at]);
            }
            let back = row
                .iter()
                .zip(&below)
                .fold(A::ZERO, |sum, ((_, value), (_, entry))| arithmetic.add_product(sum, *value, *entry));
            inverse.diagonal[at] = arithmetic.product(arithmetic.sum(arithmetic.one(), back), self.inverses[at]);
            inverse.right[at] = right;
            inverse.below[at] = below;
        }
        Ok(self.by_state(&inverse.diagonal))
    }

    /// The determinant of `A`.
    fn determinant(&self) -> A::Number {
        self.pivots.iter().fold(self.arithmetic.one(), |product, pivot| self.arithmetic.product(product, *pivot))
    }

    fn by_state(&self, by_position: &[A::Number]) -> Vec<A::Number> {
        let mut by_state = vec![A::ZERO; by_position.len()];
        for (state, value) in self.order.iter().zip(by_position) {
            by_state[*state as usize] = *value;
        }
        by_state
    }
}

/// Entries of the inverse, by positions in the order of elimination: where the transpose of the factors has entries.
struct Inverse<A: Arithmetic> {
    diagonal: Vec<A::Number>,
    /// Right of the diagonal, by row.
    right: Vec<Entries<A::Number>>,
    /// Below the diagonal, by column.
    below: Vec<Entries<A::Number>>,
}

/// Scatters entries into a dense row or column. States eliminated in between connect two states: every entry that is
/// read afterwards is among them.
fn spread<N: Copy>(entries: &[(u32, N)], dense: &mut [N]) {
    for (at, value) in entries {
        dense[*at as usize] = *value;
    }
}

/// The determinant of `A` and its principal minors (leaving out each state in turn), exactly: entries of the
/// inverse's diagonal are minors over the determinant.
///
/// They are computed modulo one prime after the other. None is larger than the product of the diagonal (Hadamard,
/// Fischer), so there are enough primes when theirs exceeds it.
pub(crate) fn minors(
    moves: &[Moves<UBig>],
    order: &[u32],
    budget: &Budget<'_>,
    used: u64,
) -> Result<(Vec<UBig>, UBig), Stopped> {
    let diagonal = moves.iter().map(|moves| moves.inner.iter().fold(moves.exit.clone(), |sum, (_, w)| sum + w));
    let bound = diagonal.fold(UBig::ONE, |product, entry| product * entry);
    budget.memory(used + (moves.len() as u64 + 2) * (bound.as_words().len() as u64 * 8 + 32))?;
    // The determinant is the last entry.
    let mut found = vec![UBig::ZERO; moves.len() + 1];
    let mut modulus = UBig::ONE;
    for prime in primes() {
        if modulus > bound {
            break;
        }
        let arithmetic = Modulo::new(prime);
        let reduced: Vec<Moves<u64>> = moves
            .iter()
            .map(|Moves { inner, exit }| Moves {
                inner: inner.iter().map(|(target, weight)| (*target, arithmetic.reduce(weight))).collect(),
                exit: arithmetic.reduce(exit),
            })
            .collect();
        // A prime that divides a pivot is of no use.
        let Some(factors) = Factors::new(&arithmetic, &reduced, order, budget, used)? else { continue };
        let determinant = factors.determinant();
        let minors = factors.diagonal(budget)?.into_iter().map(|entry| arithmetic.product(entry, determinant));
        let Some(step) = arithmetic.inverse(arithmetic.reduce(&modulus)) else { continue };
        for (number, residue) in found.iter_mut().zip(minors.chain([determinant])) {
            budget.look()?;
            let missing = arithmetic.product(arithmetic.difference(residue, arithmetic.reduce(number)), step);
            *number += &modulus * missing;
        }
        modulus *= prime;
    }
    let determinant = found.pop().unwrap_or(UBig::ONE);
    Ok((found, determinant))
}

#[cfg(test)]
mod tests;
