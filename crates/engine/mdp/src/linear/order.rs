//! An order of elimination that creates few new entries.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::{Budget, Stopped};

use super::system::{Effort, Row};

/// An order in which to eliminate, however long that takes.
pub(crate) fn elimination_order<F>(rows: &[Row<F>], effort: Effort<'_>) -> Vec<u32> {
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let columns = |row: u32| rows[row as usize].iter().map(|(column, _)| *column);
    match order_within(count, columns, f64::INFINITY, effort.budget) {
        Ok(Some(order)) => order,
        // It will not be eliminated.
        Ok(None) | Err(_) => (0..count).collect(),
    }
}

/// Always eliminates the variable with the fewest neighbours next; those with very many come last. `rows` has the
/// columns of each row. `None` if elimination takes more than about `most_work` steps (a product and a sum each).
pub(crate) fn order_within<'a, I: Iterator<Item = u32>>(
    count: u32,
    rows: impl Fn(u32) -> I + 'a,
    most_work: f64,
    budget: &Budget<'_>,
) -> Result<Option<Vec<u32>>, Stopped> {
    let mut tied: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    for row in 0..count {
        for column in rows(row).filter(|column| *column != row) {
            tied[row as usize].push(column);
            tied[column as usize].push(row);
        }
    }
    for list in &mut tied {
        list.sort_unstable();
        list.dedup();
    }
    let hubs = take_hubs(&mut tied);
    let mut queue: BinaryHeap<Reverse<(usize, u32)>> =
        (0..count).zip(&tied).map(|(row, tied)| Reverse((tied.len(), row))).collect();
    let mut order: Vec<u32> = Vec::with_capacity(count as usize);
    let mut done = vec![false; count as usize];
    for hub in &hubs {
        done[*hub as usize] = true;
    }
    let extra = f64::from(u32::try_from(hubs.len()).unwrap_or(u32::MAX));
    let mut work = extra * extra * extra / 3.0;
    let mut merged = Vec::new();
    while let Some(Reverse((degree, variable))) = queue.pop() {
        if done[variable as usize] || tied[variable as usize].len() != degree {
            continue;
        }
        done[variable as usize] = true;
        order.push(variable);
        let neighbours = std::mem::take(&mut tied[variable as usize]);
        let width = f64::from(u32::try_from(degree).unwrap_or(u32::MAX)) + extra;
        work += width * width;
        // All that are left have at least this many neighbours: the dense matrix that they form is no smaller.
        if work + width * width * width / 3.0 > most_work {
            return Ok(None);
        }
        if order.len().is_multiple_of(256) || degree > 256 {
            budget.check()?;
        }
        for neighbour in &neighbours {
            let ties = &mut tied[*neighbour as usize];
            merge(ties, &neighbours, [variable, *neighbour], &mut merged);
            std::mem::swap(ties, &mut merged);
            queue.push(Reverse((ties.len(), *neighbour)));
        }
    }
    order.extend(hubs);
    Ok(Some(order))
}

/// Removes the variables with so many neighbours that each elimination would update them.
fn take_hubs(tied: &mut [Vec<u32>]) -> Vec<u32> {
    let most = 16.max(10 * tied.len().isqrt());
    let hubs: Vec<u32> = (0..).zip(&*tied).filter(|(_, tied)| tied.len() > most).map(|(hub, _)| hub).collect();
    if !hubs.is_empty() {
        for list in tied.iter_mut() {
            list.retain(|other| hubs.binary_search(other).is_err());
        }
        for hub in &hubs {
            tied[*hub as usize].clear();
        }
    }
    hubs
}

/// The union of two sorted lists, without two of their numbers.
fn merge(a: &[u32], b: &[u32], without: [u32; 2], union: &mut Vec<u32>) {
    union.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) => *x,
            (None, Some(y)) => *y,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            union.push(next);
        }
    }
}
