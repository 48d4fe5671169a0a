//! A cache of the next stops of rows, like that of single states ([`run_cache`](super::run_cache)).

use rustc_hash::FxHashMap;

use super::Machine;
use super::action::Move;
use super::lane_group::{LaneGroup, Stops, join};
use super::row_field::RowField;
use crate::passes::{ReadSet, ReadSets};
use crate::program::{Label, State};

/// The most cached rows, and the most cached positions of rows that diverge, of a thread: about ten megabytes.
const MOST_CACHED: usize = 1 << 16;

const MOST_SPOTS: usize = 1 << 20;

/// One of the rows in which the lanes stop, and the position there.
type Spot = (u16, u16);

/// The stops of the positions of a row.
#[derive(Clone, Copy, Debug)]
enum Ways {
    /// All in one row, and their positions are kept or cleared.
    One { keeps: bool },
    /// In different rows, or not all computed yet: the index of the first in `spots`.
    Several(usize),
}

/// Not computed yet.
const UNKNOWN: Spot = (u16::MAX, u16::MAX);

/// The groups that enter a row.
#[derive(Clone, Copy)]
pub(super) struct Arrivals<'a> {
    pub row: &'a State,
    /// The positions of their states in the row that is expanded.
    pub own: &'a [u32],
    pub groups: &'a [LaneGroup],
}

/// The cache of a thread.
#[derive(Default)]
pub(super) struct RowCache {
    /// The registers, apart from the row's own, on which stops depend.
    depends: ReadSets,
    /// The values of those registers and the index of the stops in `stops`.
    known: FxHashMap<State, usize>,
    /// The rows of the stops, restricted to those registers.
    stops: Vec<Vec<State>>,
    /// For each of those the stops of the positions.
    ways: Vec<Ways>,
    /// The stops of the positions of rows that diverge, one row after another.
    spots: Vec<Spot>,
    /// For every place whether a path from there has read the position.
    looks: Vec<bool>,
    open: Vec<LaneGroup>,
    still_open: Vec<LaneGroup>,
    found: Vec<Option<(State, u32)>>,
}

/// The row from which states advance.
#[derive(Clone, Copy)]
struct Origin<'a> {
    machine: &'a Machine,
    row_field: &'a RowField,
    row: &'a State,
}

impl RowCache {
    pub(super) fn clear(&mut self) {
        self.depends.clear();
        self.known.clear();
        self.stops.clear();
        self.ways.clear();
        self.spots.clear();
        self.looks.clear();
    }

    /// Advances groups to their stops and adds the registers on which these depend.
    pub(super) fn advance(
        &mut self,
        machine: &Machine,
        row_field: &RowField,
        Arrivals { row, own, groups }: Arrivals<'_>,
        moves: &mut Vec<Move>,
        stops: &mut Stops,
    ) {
        stops.clear();
        let from = Origin { machine, row_field, row };
        if self.advance_alike(from, groups, moves, stops) {
            return;
        }
        self.open.clear();
        self.open.extend_from_slice(groups);
        self.advance_known(from, own, stops);
        if self.open.is_empty() {
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.resize(row_field.length as usize, None);
        let mut positions: Vec<(u32, u32)> = Vec::new();
        for group in &self.open {
            for state in group.from..group.to {
                let now = group.at(own, state);
                if found[now as usize].is_none() {
                    found[now as usize] = Some((State::default(), 0));
                    positions.push((now, now));
                }
            }
        }
        stops.depends.join(&self.find_out(from, positions, moves, &mut found));
        for group in &self.open {
            for state in group.from..group.to {
                let (to, position) = found[group.at(own, state) as usize].unwrap_or_default();
                let to = stops.of(&to);
                join(stops.groups(to), own, state, position);
            }
        }
        self.found = found;
    }

    /// Advances all groups if no step of the path reads the position, which is then kept or cleared. Returns whether that is
    /// so. The path then costs no more than a cache entry.
    fn advance_alike(
        &mut self,
        from: Origin<'_>,
        groups: &[LaneGroup],
        moves: &mut Vec<Move>,
        stops: &mut Stops,
    ) -> bool {
        let Origin { machine, row_field, row } = from;
        let place = row.place() as usize;
        if self.looks.get(place).is_some_and(|looks| *looks) {
            return false;
        }
        let mut depends = ReadSet::default();
        let advanced = machine.advance_touching(&row_field.at(row, row_field.length - 1), moves, &mut depends);
        if row_field.is_in(&depends.touched) {
            if self.looks.len() <= place {
                self.looks.resize(place + 1, false);
            }
            self.looks[place] = true;
            return false;
        }
        stops.depends.join(&depends);
        let (to, position) = row_field.split(&advanced);
        let to = stops.of(&to);
        stops.groups(to).extend(groups.iter().map(|group| group.kept(position > 0)));
        true
    }

    /// Advances the states with a cached stop; the others stay in `open`.
    fn advance_known(&mut self, from: Origin<'_>, own: &[u32], stops: &mut Stops) {
        let Origin { machine, row_field, row } = from;
        let Self { depends, known, stops: rows, ways, spots, open, still_open, .. } = self;
        let length = row_field.length as usize;
        for (depends, key) in depends.keys(row) {
            let Some(known) = known.get(&key) else { continue };
            stops.depends.join(depends);
            let depends = &depends.touched;
            let rows = &rows[*known];
            let first = match ways[*known] {
                Ways::Several(first) => first,
                Ways::One { keeps } => {
                    let to = stops.of(&machine.beside(&rows[0], depends, row));
                    stops.groups(to).extend(open.drain(..).map(|group| group.kept(keeps)));
                    return;
                }
            };
            let spots = &spots[first..][..length];
            let mut last = (u16::MAX, 0);
            still_open.clear();
            for group in &*open {
                for state in group.from..group.to {
                    let now = group.at(own, state);
                    let (place, position) = spots[now as usize];
                    if (place, position) == UNKNOWN {
                        join(still_open, own, state, now);
                        continue;
                    }
                    if last.0 != place {
                        last = (place, stops.of(&machine.beside(&rows[usize::from(place)], depends, row)));
                    }
                    join(stops.groups(last.1), own, state, position.into());
                }
            }
            std::mem::swap(open, still_open);
            if open.is_empty() {
                return;
            }
        }
    }

    /// Computes and caches the stops of positions of a row; returns the registers on which they depend.
    fn find_out(
        &mut self,
        from: Origin<'_>,
        positions: Vec<(u32, u32)>,
        moves: &mut Vec<Move>,
        found: &mut [Option<(State, u32)>],
    ) -> ReadSet {
        let Origin { machine, row_field, row } = from;
        let mut all = ReadSet::default();
        let mut alone = Vec::new();
        machine.advance_together(row_field, *row, positions, moves, &mut |group| match group {
            Ok(group) => {
                all.join(&group.depends);
                self.remember(from, &group.row, &group.lanes, &group.depends);
                for (before, after) in group.lanes {
                    found[before as usize] = Some((group.row, after));
                }
            }
            Err(position) => alone.push(position),
        });
        for position in alone {
            let mut depends = ReadSet::default();
            let advanced = machine.advance_touching(&row_field.at(row, position), moves, &mut depends);
            all.join(&depends);
            let (to, after) = row_field.split(&advanced);
            self.remember(from, &to, &[(position, after)], &depends);
            found[position as usize] = Some((to, after));
        }
        all
    }

    /// Caches the stops of positions of a row; of all positions if the path does not read the position.
    fn remember(&mut self, from: Origin<'_>, to: &State, lanes: &[(u32, u32)], depends: &ReadSet) {
        let Origin { machine, row_field, row } = from;
        if self.ways.len() >= MOST_CACHED || self.spots.len() >= MOST_SPOTS {
            self.clear();
        }
        let looks = row_field.is_in(&depends.touched);
        let Some((depends, key)) = self.depends.learn(row, depends, &row_field.mask) else { return };
        let new = self.stops.len();
        let known = *self.known.entry(key).or_insert(new);
        let length = row_field.length as usize;
        let stop = to.only(&depends);
        debug_assert_eq!(machine.beside(&stop, &depends, row), *to);
        // No step of the path reads the position: it is kept or cleared.
        let keeps = row_field.is_in(&machine.passes(row.place(), to.place()));
        if known == new {
            self.stops.push(Vec::new());
            if !looks {
                self.stops[known].push(stop);
                self.ways.push(Ways::One { keeps });
                return;
            }
            self.ways.push(Ways::Several(self.spots.len()));
            self.spots.resize(self.spots.len() + length, UNKNOWN);
        }
        let Ways::Several(first) = self.ways[known] else { return };
        let (stops, spots) = (&mut self.stops[known], &mut self.spots[first..][..length]);
        let place = stops.iter().position(|known| *known == stop).unwrap_or_else(|| {
            stops.push(stop);
            stops.len() - 1
        });
        // A row has few positions.
        let small = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        if looks {
            for (before, after) in lanes {
                spots[*before as usize] = (place, small(*after));
            }
        } else {
            for (before, known) in (0..).zip(spots).filter(|(_, known)| **known == UNKNOWN) {
                *known = (place, if keeps { before } else { 0 });
            }
        }
    }
}

impl Machine {
    /// The bits that a run from one place to a stop at another leaves alone.
    fn passes(&self, from: Label, to: Label) -> State {
        self.kept.mask(from).common(&self.passed(to))
    }

    /// The stop: `known` in the registers on which it depends, `from` in the others.
    #[inline]
    fn beside(&self, known: &State, depends: &State, from: &State) -> State {
        known.beside(depends, &self.passes(from.place(), known.place()), from)
    }
}
