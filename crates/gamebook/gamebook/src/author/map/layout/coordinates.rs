//! Coordinates of the items of each layer, once their order is known.

use std::collections::BTreeMap;

use super::drawing::{Drawing, Item, number};
use super::layers::{Edge, SWEEPS};
use super::shape::{BOX, Layout, MapLink, SectionPosition};
use crate::terms::SectionNumber;

/// The distance between the middles of two layers.
const LAYER: f64 = 72.0;

/// The gap between two boxes, or a box and a way, in a layer.
pub(super) const GAP: f64 = 12.0;

/// The margin around the map.
const MARGIN: f64 = 40.0;

/// The pull of the middle of the paper; an edge between two sections pulls with 1.
const TO_THE_MIDDLE: f64 = 0.03;

impl Drawing {
    /// Moves the items of each layer as close as possible to their neighbours.
    pub(super) fn place(&mut self) {
        for layer in 0..self.rows.len() {
            let middle = number(self.rows[layer].len()) / 2.0;
            self.arrange(layer, |item| (number(item.rank) - middle, 1.0));
        }
        for sweep in 0..2 * SWEEPS {
            let down = sweep % 2 == 0;
            for step in 0..self.rows.len() {
                let layer = if down { step } else { self.rows.len() - 1 - step };
                let wishes: Vec<(f64, f64)> = self.rows[layer].iter().map(|item| self.wish(*item, down)).collect();
                self.arrange(layer, |item| wishes[item.rank]);
            }
        }
    }

    /// The weighted mean position of an item's neighbours, and the weight.
    fn wish(&self, item: usize, by_above: bool) -> (f64, f64) {
        let item = &self.items[item];
        let ties = if by_above { &item.above } else { &item.below };
        // A little pull to the middle of the paper, so that long maps do not drift aside.
        let pull = ties.iter().map(|(_, pull)| pull).sum::<f64>() + TO_THE_MIDDLE;
        (ties.iter().map(|(other, pull)| pull * self.items[*other].x).sum::<f64>() / pull, pull)
    }

    /// Places the items of a layer in order, with gaps, at the smallest sum of squared distances from their wishes: items that
    /// would overlap are joined to blocks ("pool adjacent violators").
    fn arrange(&mut self, layer: usize, wish: impl Fn(&Item) -> (f64, f64)) {
        // Blocks: the sums of their wishes and weights, and their number of items.
        let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
        let mut offsets = Vec::with_capacity(self.rows[layer].len());
        let (mut offset, mut before) = (0.0, None);
        for item in &self.rows[layer] {
            let item = &self.items[*item];
            if let Some(width) = before {
                offset += f64::midpoint(width, item.width) + GAP;
            }
            before = Some(item.width);
            offsets.push(offset);
            let (x, weight) = wish(item);
            let mut block = (weight * (x - offset), weight, 1);
            while let Some(last) = blocks.last()
                && last.0 / last.1 >= block.0 / block.1
            {
                block = (block.0 + last.0, block.1 + last.1, block.2 + last.2);
                blocks.pop();
            }
            blocks.push(block);
        }
        let mut row = self.rows[layer].iter().zip(offsets);
        for (sum, weight, count) in blocks {
            for (item, offset) in row.by_ref().take(count) {
                self.items[*item].x = sum / weight + offset;
            }
        }
    }

    pub(super) fn finish(self, sections: &[SectionNumber], edges: &[Edge]) -> Layout {
        let left = self.items.iter().map(|item| item.x - item.width / 2.0).fold(f64::INFINITY, f64::min);
        let right = self.items.iter().map(|item| item.x + item.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
        if sections.is_empty() {
            return Layout::default();
        }
        let x = |item: usize| self.items[item].x - left + MARGIN;
        let y = |item: usize| number(self.items[item].layer) * LAYER + MARGIN + BOX.1 / 2.0;
        let place = |item: usize| SectionPosition { x: x(item), y: y(item), layer: self.items[item].layer };
        let places = sections.iter().enumerate().map(|(item, section)| (*section, place(item))).collect();
        let ports = self.ports(edges);
        let ways = edges.iter().zip(&self.passes).zip(ports).map(|((edge, passes), (out, into))| {
            let (above, below) = (edge.above, edge.below);
            if above == below {
                let points = vec![(x(above) + BOX.0 / 2.0, y(above) - BOX.1 * 0.15)];
                return MapLink { from: sections[above], to: sections[above], back: true, points };
            }
            let mut points = vec![(x(above) + out, y(above) + BOX.1 / 2.0)];
            for &pass in passes {
                points.extend([(x(pass), y(pass) - BOX.1 / 2.0), (x(pass), y(pass) + BOX.1 / 2.0)]);
            }
            points.push((x(below) + into, y(below) - BOX.1 / 2.0));
            let (from, to) = if edge.back { (below, above) } else { (above, below) };
            if edge.back {
                points.reverse();
            }
            MapLink { from: sections[from], to: sections[to], back: edge.back, points }
        });
        let height = number(self.rows.len()) * LAYER - LAYER + BOX.1 + 2.0 * MARGIN;
        Layout { width: right - left + 2.0 * MARGIN, height, places, ways: ways.collect() }
    }

    /// Where each way leaves its upper box and enters its lower one, relative to the middle: spread in the order of the other
    /// ends.
    fn ports(&self, edges: &[Edge]) -> Vec<(f64, f64)> {
        let mut ports = vec![(0.0, 0.0); edges.len()];
        let (mut out, mut into) = (BTreeMap::<usize, Vec<_>>::new(), BTreeMap::<usize, Vec<_>>::new());
        for (place, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.above != edge.below) {
            let first = self.passes[place].first().copied().unwrap_or(edge.below);
            let last = self.passes[place].last().copied().unwrap_or(edge.above);
            out.entry(edge.above).or_default().push((self.items[first].x, place));
            into.entry(edge.below).or_default().push((self.items[last].x, place));
        }
        let spread = |ends: &mut Vec<(f64, usize)>, port: &mut dyn FnMut(usize, f64)| {
            ends.sort_by(|left, right| left.0.total_cmp(&right.0));
            let step = (BOX.0 * 0.7 / number(ends.len())).min(12.0);
            for (rank, (_, place)) in ends.iter().enumerate() {
                port(*place, (number(rank) - number(ends.len() - 1) / 2.0) * step);
            }
        };
        for ends in out.values_mut() {
            spread(ends, &mut |place, x| ports[place].0 = x);
        }
        for ends in into.values_mut() {
            spread(ends, &mut |place, x| ports[place].1 = x);
        }
        ports
    }
}
