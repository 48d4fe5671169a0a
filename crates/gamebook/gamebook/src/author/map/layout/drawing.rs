//! The order of sections and passing ways within layers, with few crossings.

use std::mem;

use super::layers::{Edge, SWEEPS};
use super::shape::BOX;

/// The width of a way in a layer.
const WAY: f64 = 6.0;

/// If the ways cross more layers than this in total, the longest are drawn straight.
const MOST_CROSSED: usize = 40_000;

/// An item of a layer: a section, or a long way that passes.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) layer: usize,
    pub(super) width: f64,
    /// Its neighbours in the layer above, with weights.
    pub(super) above: Vec<(usize, f64)>,
    pub(super) below: Vec<(usize, f64)>,
    /// Its index in the layer.
    pub(super) rank: usize,
    pub(super) x: f64,
}

pub(super) struct Drawing {
    /// The sections by index, then the passing items of long ways.
    pub(super) items: Vec<Item>,
    /// The items from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// The passing items of each way from top to bottom, by the index of its edge.
    pub(super) passes: Vec<Vec<usize>>,
}

impl Drawing {
    pub(super) fn new(edges: &[Edge], layers: &[usize], order: &[usize]) -> Self {
        let item = |layer, width| Item { layer, width, above: Vec::new(), below: Vec::new(), rank: 0, x: 0.0 };
        let mut items: Vec<Item> = layers.iter().map(|layer| item(*layer, BOX.0)).collect();
        let mut passes = vec![Vec::new(); edges.len()];
        let span = |edge: &Edge| layers[edge.below].saturating_sub(layers[edge.above]);
        let mut by_length: Vec<usize> = (0..edges.len()).filter(|edge| span(&edges[*edge]) > 0).collect();
        by_length.sort_by_key(|edge| span(&edges[*edge]));
        let mut crossed = 0;
        for place in by_length {
            let edge = &edges[place];
            crossed += span(edge) - 1;
            if crossed > MOST_CROSSED {
                break;
            }
            let mut last = edge.above;
            for layer in layers[edge.above] + 1..=layers[edge.below] {
                let current = if layer == layers[edge.below] { edge.below } else { items.len() };
                if current == items.len() {
                    items.push(item(layer, WAY));
                    passes[place].push(current);
                }
                // Long ways pull most, so that they become straight.
                let passing = [last, current].iter().filter(|end| **end >= layers.len()).count();
                let pull = [1.0, 2.0, 8.0][passing];
                items[last].below.push((current, pull));
                items[current].above.push((last, pull));
                last = current;
            }
        }
        let mut rows = vec![Vec::new(); layers.iter().max().map_or(0, |last| last + 1)];
        let mut drawn = vec![false; items.len()];
        // Initially each section is followed by what passes from it.
        for &section in order {
            let mut open = vec![section];
            while let Some(current) = open.pop() {
                if !mem::replace(&mut drawn[current], true) {
                    rows[items[current].layer].push(current);
                    open.extend(items[current].below.iter().map(|(other, _)| *other).filter(|it| *it >= layers.len()));
                }
            }
        }
        let mut drawing = Self { items, rows, passes };
        drawing.number();
        drawing
    }

    fn number(&mut self) {
        for row in &self.rows {
            for (rank, item) in row.iter().enumerate() {
                self.items[*item].rank = rank;
            }
        }
    }

    /// Sorts items by the median of their neighbours, layer by layer, down and up; keeps the order with the fewest crossings.
    pub(super) fn order_layers(&mut self) {
        let (mut best, mut fewest) = (self.rows.clone(), self.crossings());
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            for step in 0..self.rows.len() {
                let layer = if down { step } else { self.rows.len() - 1 - step };
                self.sort(layer, down);
            }
            self.swap_neighbours();
            let crossings = self.crossings();
            if crossings < fewest {
                (best, fewest) = (self.rows.clone(), crossings);
            }
        }
        self.rows = best;
        self.number();
    }

    fn sort(&mut self, layer: usize, by_above: bool) {
        let mut row = mem::take(&mut self.rows[layer]);
        let middle = |item: &usize| {
            let item = &self.items[*item];
            let ties = if by_above { &item.above } else { &item.below };
            let sum: usize = ties.iter().map(|(other, _)| self.items[*other].rank).sum();
            if ties.is_empty() { number(item.rank) } else { number(sum) / number(ties.len()) }
        };
        let mut keyed: Vec<(f64, usize)> = row.iter().map(|item| (middle(item), *item)).collect();
        keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
        row.clear();
        for (rank, (_, item)) in keyed.into_iter().enumerate() {
            self.items[item].rank = rank;
            row.push(item);
        }
        self.rows[layer] = row;
    }

    /// Swaps neighbours in a layer if that removes crossings.
    fn swap_neighbours(&mut self) {
        for layer in 0..self.rows.len() {
            let mut row = mem::take(&mut self.rows[layer]);
            for rank in 1..row.len() {
                let (left, right) = (row[rank - 1], row[rank]);
                let crossed = |left: usize, right: usize| {
                    let (left, right) = (&self.items[left], &self.items[right]);
                    self.between(&left.above, &right.above) + self.between(&left.below, &right.below)
                };
                if crossed(right, left) < crossed(left, right) {
                    row.swap(rank - 1, rank);
                    self.items[left].rank = rank;
                    self.items[right].rank = rank - 1;
                }
            }
            self.rows[layer] = row;
        }
    }

    /// How many edges of the left item cross those of the right one.
    fn between(&self, left: &[(usize, f64)], right: &[(usize, f64)]) -> usize {
        // Sections with very many edges are skipped.
        if left.len() * right.len() > 1_000 {
            return 0;
        }
        let rank = |(item, _): &(usize, f64)| self.items[*item].rank;
        left.iter().map(|one| right.iter().filter(|other| rank(other) < rank(one)).count()).sum()
    }

    /// The number of crossings.
    fn crossings(&self) -> u64 {
        let mut crossings = 0;
        for row in &self.rows {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for item in row {
                let item = &self.items[*item];
                ends.extend(item.below.iter().map(|(other, _)| (item.rank, self.items[*other].rank)));
            }
            ends.sort_unstable();
            let most = ends.iter().map(|(_, below)| *below).max().unwrap_or(0);
            // The number of edges that end left of a rank, as a Fenwick tree.
            let mut counts = vec![0u64; most + 2];
            for (seen, (_, below)) in ends.iter().enumerate() {
                let mut not_right = 0;
                let mut place = below + 1;
                while place > 0 {
                    not_right += counts[place];
                    place &= place - 1;
                }
                crossings += seen as u64 - not_right;
                let mut place = below + 1;
                while place < counts.len() {
                    counts[place] += 1;
                    place += place & place.wrapping_neg();
                }
            }
        }
        crossings
    }
}

/// A count of drawn items as a length.
pub(super) fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
