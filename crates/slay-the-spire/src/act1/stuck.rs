//! Positions among which play could go round for ever.
//!
//! Where everything can be blocked and nothing needs to be hit, an upper bound can feed on itself: each position
//! seems worth what the next one seems worth. But staying for ever earns nothing, so such positions are worth at most
//! what the best way out of them is worth. That holds for any set of positions; it is applied to the smallest sets that
//! best play, as it looks, does not leave. When the best way out is worth as much as staying seems to be, it is taken,
//! and everywhere else in the set something that leads towards it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::closed_sets::closed_sets;
use super::search::{Choice, Followed, Place, Search};

/// The choices that lead out, from an outer decision to the inner ones.
type Way = Vec<((u32, i16), Choice)>;

/// What became of a set that is not left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// There is none.
    No,
    /// It is worth less than it seemed.
    Lowered,
    /// It is worth what it seems, and is left now.
    Freed,
}

/// A gain of less than this is rounding.
pub(crate) const ROUNDING: f64 = 1e-12;

impl Search<'_, '_> {
    /// Finds the smallest sets of these places that best play, as it looks, does not leave, and deals with them.
    pub(crate) fn unstick(&mut self, places: &[Place]) -> Stuck {
        let numbers: FxHashMap<Place, usize> =
            places.iter().enumerate().map(|(number, place)| (*place, number)).collect();
        let mut followed = Followed::default();
        let mut follows: Vec<Vec<usize>> = Vec::new();
        let mut leaves = Vec::new();
        for place in places {
            self.ends = false;
            self.backup(*place, &mut followed);
            let next = &followed.next;
            leaves.push(self.ends || next.iter().any(|place| !numbers.contains_key(place)));
            follows.push(next.iter().filter_map(|place| numbers.get(place).copied()).collect());
        }
        loop {
            let before = leaves.iter().filter(|leaves| **leaves).count();
            for number in 0..places.len() {
                leaves[number] |= follows[number].iter().any(|next| leaves[*next]);
            }
            if leaves.iter().filter(|leaves| **leaves).count() == before {
                break;
            }
        }
        let stuck: Vec<bool> = leaves.iter().map(|leaves| !leaves).collect();
        let mut result = Stuck::No;
        for set in closed_sets(&follows, &stuck) {
            let set: FxHashSet<Place> = set.into_iter().map(|number| places[number]).collect();
            match self.settle_set(&set) {
                Stuck::Lowered => result = Stuck::Lowered,
                Stuck::Freed if result == Stuck::No => result = Stuck::Freed,
                _ => {}
            }
        }
        result
    }

    fn settle_set(&mut self, set: &FxHashSet<Place>) -> Stuck {
        let mut best: (f64, Place, Way) = (f64::NEG_INFINITY, *set.iter().next().unwrap_or(&(0, 0)), Vec::new());
        let mut ordered: Vec<Place> = set.iter().copied().collect();
        ordered.sort_unstable();
        for place in &ordered {
            for point in self.decisions(*place) {
                let (_, (value, way)) = self.exits(point, place.1, set);
                if value > best.0 {
                    best = (value, *place, way);
                }
            }
        }
        // Staying for ever earns nothing.
        let most = if self.payoff.loss { best.0 } else { best.0.max(0.0) };
        let lowered = ordered.iter().map(|place| self.lower(*place, most)).fold(0.0, f64::max);
        if lowered > ROUNDING {
            return Stuck::Lowered;
        }
        let mut reached = FxHashSet::from_iter([best.1]);
        self.freed += 1;
        self.forced.extend(best.2);
        loop {
            let mut grown = false;
            for place in &ordered {
                if reached.contains(place) {
                    continue;
                }
                let points = self.decisions(*place);
                if let Some(way) = points.into_iter().find_map(|point| self.towards(point, place.1, set, &reached)) {
                    self.forced.extend(way);
                    reached.insert(*place);
                    grown = true;
                }
            }
            if !grown {
                return Stuck::Freed;
            }
        }
    }

    /// The decisions after each draw.
    fn decisions(&self, place: Place) -> Vec<u32> {
        let items = self.graph.draws_of(place.0).unwrap_or_default();
        self.graph.items[items.range()].iter().map(|(_, point)| *point).collect()
    }

    /// Whether an edge surely leads into the set.
    fn stays(&self, edge: usize, health: i16, set: &FxHashSet<Place>) -> bool {
        let edge = &self.graph.edges[edge];
        let (Some(left), Ok(node)) = (self.left(edge, health), edge.to.node()) else { return false };
        edge.change.delta == 0
            && self
                .graph
                .rolls_of(node)
                .is_some_and(|rolls| rolls.iter().all(|(_, before)| set.contains(&(*before, left))))
    }

    /// Whether one can stay in the set, and the best way out of it with what it is worth.
    fn exits(&mut self, point: u32, health: i16, set: &FxHashSet<Place>) -> (bool, (f64, Way)) {
        let node = self.graph.points[point as usize];
        let mut best: (f64, Way) = (f64::NEG_INFINITY, Vec::new());
        let mut can_stay = false;
        for index in node.edges.range() {
            if self.stays(index, health, set) {
                can_stay = true;
                continue;
            }
            let value = self.edge_upper(&self.graph.edges[index], health);
            if value > best.0 {
                best = (value, vec![((point, health), Choice::Edge(index))]);
            }
        }
        for index in node.chances.range() {
            let here = ((point, health), Choice::Chance(index));
            let span = self.graph.chances[index];
            let items: Vec<u32> = self.graph.items[span.range()].iter().map(|(_, point)| *point).collect();
            let parts: Vec<(bool, (f64, Way))> = items.into_iter().map(|item| self.exits(item, health, set)).collect();
            let found = if parts.iter().all(|(stays, _)| *stays) {
                can_stay = true;
                parts.into_iter().map(|(_, exit)| exit).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(value, mut way)| {
                    way.insert(0, here);
                    (value, way)
                })
            } else {
                Some((self.sum(span, health), vec![here]))
            };
            if let Some(found) = found.filter(|found| found.0 > best.0) {
                best = found;
            }
        }
        (can_stay, best)
    }

    /// Choices that stay in the set and come to one of the reached places by some chance.
    fn towards(&self, point: u32, health: i16, set: &FxHashSet<Place>, reached: &FxHashSet<Place>) -> Option<Way> {
        let node = self.graph.points[point as usize];
        for index in node.edges.range().filter(|index| self.stays(*index, health, set)) {
            let node = self.graph.edges[index].to.node().ok()?;
            let rolls = self.graph.rolls_of(node)?;
            if rolls.iter().any(|(_, before)| reached.contains(&(*before, health))) {
                return Some(vec![((point, health), Choice::Edge(index))]);
            }
        }
        node.chances.range().find_map(|index| {
            let items = &self.graph.items[self.graph.chances[index].range()];
            let way = items.iter().find_map(|(_, item)| self.towards(*item, health, set, reached))?;
            Some([vec![((point, health), Choice::Chance(index))], way].concat())
        })
    }
}
