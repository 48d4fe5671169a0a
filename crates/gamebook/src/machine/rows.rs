//! Rows of states: those that differ only in what is left of the hero's life.
//!
//! Most of what a state says is the same for all states of its row: which answers there are, where play settles after
//! them, what chance brings. It is found out for all of them together ([`together`](super::together)) as far as they do
//! not part, and remembered by the registers on which it depends.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use mdp::{InRow, RowTurns};

use super::Machine;
use super::answers::Move;
use super::settled::{Buffers, Dependences};
use crate::fold::Endings;
use crate::program::{Fold, Instruction, Outcome, Program, Weight};
use crate::state::{DEAD, Field, State};
use crate::value::Reads;

/// For how many states a thread remembers where they settle.
const MOST_SETTLED: usize = 1 << 20;
/// What comes of chances with more outcomes is not found out for a row.
const MOST_OUTCOMES: usize = 100;
/// A row has no more states than this, a power of two: long enough to share much, so short that little is kept for states
/// that are not reached.
const LONGEST: u16 = 1 << 5;

/// The number in which the states of a row differ: the lowest bits of a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    field: Field,
    mask: State,
    /// How many states a row has at most.
    pub length: u32,
}

impl Across {
    /// What the hero dies without.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let register = match &program.sheet.stats {
            Some(stats) => stats.iter().find(|stat| stat.vital)?.register,
            None => program.sheet.endurance,
        };
        let field = program.layout.field(register).low(LONGEST);
        (field.numbers() > 1).then(|| Self { field, mask: field.mask(), length: field.numbers() })
    }

    /// The row of a state, and its position there.
    #[inline]
    pub(super) fn split(&self, state: &State) -> (State, u32) {
        (state.without(&self.mask), state.above(self.field))
    }

    /// The state at a position of a row.
    #[inline]
    pub(super) fn at(&self, row: &State, position: u32) -> State {
        row.with_above(self.field, position)
    }

    /// Whether it belongs to these registers.
    #[inline]
    pub(super) fn is_in(&self, registers: &State) -> bool {
        registers.common(&self.mask) != State::default()
    }
}

/// A state of the row at hand: which one of those that are told, and the number where play is now.
#[derive(Clone, Copy, Debug)]
struct Lane {
    turn: u32,
    position: u32,
}

/// Which of the rows in which a row settles, and the position there.
type Spot = (u16, u16);

/// It has not been found out.
const UNKNOWN: Spot = (u16::MAX, u16::MAX);
/// No next state has been found for a position.
const NOWHERE: InRow = InRow { row: u32::MAX, position: 0 };

/// What a thread needs to tell rows.
#[derive(Default)]
pub(super) struct RowBuffers {
    /// The registers beside the row's own on which it depends where play settles.
    settling: Dependences,
    /// What those registers hold, and which of `stops` that is.
    known: FxHashMap<State, usize>,
    /// The rows in which play settles, as far as they depend on those registers.
    stops: Vec<Vec<State>>,
    /// Where each position of them settles: the positions of a row one after another.
    spots: Vec<Spot>,
    moves: Vec<Move>,
    others: Vec<Move>,
    lanes: Vec<Lane>,
    stopped: Vec<Stopped>,
    stopped_after_chance: Vec<Stopped>,
    after_chance: Vec<Lane>,
    unknown: Vec<Lane>,
    found: Vec<Option<(State, u32)>>,
    outcomes: Vec<(u64, Vec<InRow>)>,
}

/// Where the lanes of a row come to that end up in one row.
#[derive(Debug, Default)]
struct Stopped {
    row: State,
    lanes: Vec<Lane>,
}

impl RowBuffers {
    pub(super) fn clear(&mut self) {
        self.settling.clear();
        self.known.clear();
        self.stops.clear();
        self.spots.clear();
    }
}

impl Machine {
    /// What the states at these positions of a row say of themselves.
    pub(super) fn tell_row(
        &self,
        across: &Across,
        row: &State,
        positions: &[u32],
        turns: &mut RowTurns<State, String>,
        buffers: &mut Buffers,
    ) {
        let lanes: Vec<Lane> =
            (0..).zip(positions).map(|(turn, position)| Lane { turn, position: *position }).collect();
        let mut rows = Telling { machine: self, across, turns, buffers };
        let together = row.place() < DEAD && self.analyses.straight && !self.entering;
        match self.instruction(row) {
            Some(Instruction::Ask(_)) if together => rows.ask(row, &lanes),
            Some(Instruction::Chance { .. } | Instruction::Fold(_)) if together => rows.chance(row, &lanes),
            _ => lanes.iter().for_each(|lane| rows.alone(row, *lane)),
        }
    }
}

/// A row that is told.
struct Telling<'a> {
    machine: &'a Machine,
    across: &'a Across,
    turns: &'a mut RowTurns<State, String>,
    buffers: &'a mut Buffers,
}

impl Telling<'_> {
    /// One state by itself.
    fn alone(&mut self, row: &State, lane: Lane) {
        let Self { machine, across, turns, buffers } = self;
        let state = across.at(row, lane.position);
        turns.alone(lane.turn as usize, |turn| machine.tell(&state, turn, buffers), |next| across.split(next));
    }

    /// A question to the player.
    fn ask(&mut self, row: &State, lanes: &[Lane]) {
        let mut moves = std::mem::take(&mut self.buffers.rows.moves);
        if !self.across.is_in(self.machine.touches.step(row.place())) {
            self.machine.choices(row, &mut moves, &mut self.buffers.seen);
            self.answered(lanes, &moves, |_, lane| lane);
            self.buffers.rows.moves = moves;
            return;
        }
        // Those that have the same answers go on together.
        let mut others = std::mem::take(&mut self.buffers.rows.others);
        let mut positions: Vec<Vec<u32>> = Vec::new();
        let mut together = 0..0;
        for (place, lane) in lanes.iter().enumerate() {
            let state = self.across.at(row, lane.position);
            self.machine.choices(&state, &mut others, &mut self.buffers.seen);
            let split = |answer: &Move| self.across.split(&answer.state);
            let same = moves.len() == others.len()
                && moves.iter().zip(&others).all(|(left, right)| left.state == split(right).0);
            if together.is_empty() || !same {
                self.answered_apart(&lanes[together.clone()], &moves, &positions);
                together = place..place;
                moves.clear();
                moves.extend(others.iter().map(|answer| Move { state: split(answer).0, ..*answer }));
                positions.iter_mut().for_each(Vec::clear);
                positions.resize_with(positions.len().max(moves.len()), Vec::new);
            }
            for (own, answer) in positions.iter_mut().zip(&others) {
                own.push(split(answer).1);
            }
            together.end = place + 1;
        }
        self.answered_apart(&lanes[together], &moves, &positions);
        self.buffers.rows.moves = moves;
        self.buffers.rows.others = others;
    }

    /// What follows the answers of states one after another, each of which has a position of its own after each answer.
    fn answered_apart(&mut self, lanes: &[Lane], moves: &[Move], positions: &[Vec<u32>]) {
        let first = lanes.first().map_or(0, |lane| lane.turn);
        self.answered(lanes, moves, |answer, lane| Lane {
            position: positions[answer][(lane.turn - first) as usize],
            ..lane
        });
    }

    /// What follows the answers of some states; `after` says what a state holds after an answer.
    fn answered(&mut self, lanes: &[Lane], moves: &[Move], after: impl Fn(usize, Lane) -> Lane) {
        if lanes.is_empty() {
            return;
        }
        if moves.is_empty() {
            for lane in lanes {
                self.turns.turn(lane.turn as usize).end(0);
            }
        }
        let mut own = std::mem::take(&mut self.buffers.rows.lanes);
        for (answer, to) in moves.iter().enumerate() {
            own.clear();
            own.extend(lanes.iter().map(|lane| after(answer, *lane)));
            self.follow(&to.state, &own);
        }
        self.buffers.rows.lanes = own;
    }

    /// What follows where play comes to a row right after an answer.
    fn follow(&mut self, row: &State, lanes: &[Lane]) {
        let mut stopped = std::mem::take(&mut self.buffers.rows.stopped);
        let count = self.settle(row, lanes, &mut stopped);
        for Stopped { row, lanes } in &stopped[..count] {
            if self.machine.is_chance(row) {
                self.chance(row, lanes);
            } else {
                let row = self.turns.row(row);
                for lane in lanes {
                    self.turns.turn(lane.turn as usize).to(InRow { row, position: lane.position });
                }
            }
        }
        self.buffers.rows.stopped = stopped;
    }

    /// What chance brings where lanes of a row are.
    fn chance(&mut self, row: &State, lanes: &[Lane]) {
        let machine = self.machine;
        match machine.instruction(row) {
            Some(Instruction::Fold(fold)) => self.fold(row, fold, lanes),
            Some(Instruction::Chance { outcomes }) if self.is_plain(row, outcomes) => {
                self.come_up(row, outcomes, lanes);
            }
            _ => {
                let Self { across, turns, buffers, .. } = self;
                for lane in lanes {
                    let state = across.at(row, lane.position);
                    let chance = |turn: &mut _| machine.chance(&state, turn, buffers);
                    turns.alone(lane.turn as usize, chance, |next| across.split(next));
                }
            }
        }
    }

    /// Whether it is a chance of few outcomes with weights that are the same for the whole row.
    fn is_plain(&self, row: &State, outcomes: &[Outcome]) -> bool {
        let place = row.place() as usize;
        let layout = &self.machine.program.layout;
        let own = |outcome: &Outcome| match &outcome.weight {
            Weight::Register(register) => self.across.is_in(&layout.mask(*register)),
            Weight::Holds(test) => {
                let mut reads = false;
                test.reads(&mut |register| reads |= self.across.is_in(&layout.mask(register)));
                reads
            }
            Weight::Number(_) | Weight::Large(_) => false,
        };
        !self.machine.told_at_once()
            && !self.machine.large[place]
            && outcomes.len() <= MOST_OUTCOMES
            && !outcomes.iter().any(own)
    }

    /// A chance whose outcomes follow one by one.
    fn come_up(&mut self, row: &State, outcomes: &[Outcome], lanes: &[Lane]) {
        let machine = self.machine;
        let touched = self.across.is_in(machine.touches.step(row.place()));
        let mut up = std::mem::take(&mut self.buffers.rows.outcomes);
        let mut after = std::mem::take(&mut self.buffers.rows.after_chance);
        // What does the same is one outcome, if that can be seen at once.
        let mut rows: Vec<State> = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let weight = machine.small_weight(row, &outcome.weight);
            if weight == 0 {
                continue;
            }
            let next = if touched { State::default() } else { machine.after(row, outcome) };
            let known = if touched { None } else { rows.iter().position(|known| *known == next) };
            if let Some(known) = known {
                up[known].0 += weight;
                continue;
            }
            let place = rows.len();
            rows.push(next);
            if up.len() == place {
                up.push((0, Vec::new()));
            }
            let (own, next) = &mut up[place];
            *own = weight;
            next.clear();
            next.resize(lanes.len(), NOWHERE);
            after.clear();
            if !touched {
                after.extend((0..).zip(lanes).map(|(turn, lane)| Lane { turn, ..*lane }));
                self.next_states(&rows[place], &after, next);
                continue;
            }
            let mut to: Option<State> = None;
            for (turn, lane) in (0..).zip(lanes) {
                let state = machine.after(&self.across.at(row, lane.position), outcome);
                let (own, position) = self.across.split(&state);
                if let Some(to) = to.filter(|to| *to != own) {
                    self.next_states(&to, &after, next);
                    after.clear();
                }
                to = Some(own);
                after.push(Lane { turn, position });
            }
            if let Some(to) = to {
                self.next_states(&to, &after, next);
            }
        }
        let up_now = &up[..rows.len()];
        for (place, lane) in lanes.iter().enumerate() {
            let turn = self.turns.turn(lane.turn as usize);
            turn.chance(up_now.iter().map(|(weight, next)| (next[place], mdp::Weight(*weight))));
        }
        self.buffers.rows.outcomes = up;
        self.buffers.rows.after_chance = after;
    }

    /// Where lanes of a row come to; their `turn` is the place in `next` where that is put.
    fn next_states(&mut self, row: &State, lanes: &[Lane], next: &mut [InRow]) {
        let mut stopped = std::mem::take(&mut self.buffers.rows.stopped_after_chance);
        let count = self.settle(row, lanes, &mut stopped);
        for Stopped { row, lanes } in &stopped[..count] {
            let row = self.turns.row(row);
            for lane in lanes {
                next[lane.turn as usize] = InRow { row, position: lane.position };
            }
        }
        self.buffers.rows.stopped_after_chance = stopped;
    }

    /// A folded block.
    fn fold(&mut self, row: &State, fold: &Fold, lanes: &[Lane]) {
        let machine = self.machine;
        let mut ended: Vec<(Lane, Arc<Endings>)> = Vec::with_capacity(lanes.len());
        for lane in lanes {
            match machine.folded(&self.across.at(row, lane.position), fold) {
                Some(endings) if machine.analyses.fold => ended.push((*lane, endings)),
                _ => self.alone(row, *lane),
            }
        }
        // The rows right after the block, and where play comes to from each of their positions.
        let length = self.across.length as usize;
        let mut after: Vec<(State, Vec<InRow>)> = Vec::new();
        let mut outputs: Vec<(usize, u32)> = Vec::new();
        for (lane, endings) in &ended {
            let state = self.across.at(row, lane.position);
            for ending in &endings.outputs {
                let (to, position) = self.across.split(&machine.after_fold(&state, fold, ending));
                let place = after.iter().position(|(known, _)| *known == to).unwrap_or_else(|| {
                    after.push((to, vec![NOWHERE; length]));
                    after.len() - 1
                });
                // Asked for, not yet known.
                after[place].1[position as usize].position = 1;
                outputs.push((place, position));
            }
        }
        let mut wanted: Vec<Lane> = Vec::new();
        for (to, next) in &mut after {
            wanted.clear();
            let asked = (0..).zip(&*next).filter(|(_, next)| next.position > 0);
            wanted.extend(asked.map(|(position, _)| Lane { turn: position, position }));
            self.next_states(to, &wanted, next);
        }
        let mut outputs = outputs.into_iter();
        for (lane, endings) in ended {
            let next = outputs.by_ref().take(endings.outputs.len());
            let next = next.map(|(place, position)| after[place].1[position as usize]);
            self.turns.turn(lane.turn as usize).chance_with(&endings.weights, next);
        }
    }

    /// Where lanes of a row settle, by the rows in which they do; says how many of those there are.
    fn settle(&mut self, row: &State, lanes: &[Lane], stopped: &mut Vec<Stopped>) -> usize {
        let Self { machine, across, buffers, .. } = self;
        let mut count = 0;
        let mut stop = |row: State, lane: Lane, hint: &mut Option<usize>| {
            let place = hint.filter(|place| *place < count && stopped[*place].row == row);
            let place = place.or_else(|| stopped[..count].iter().position(|stopped| stopped.row == row));
            let place = place.unwrap_or_else(|| {
                if stopped.len() == count {
                    stopped.push(Stopped::default());
                }
                stopped[count].row = row;
                stopped[count].lanes.clear();
                count += 1;
                count - 1
            });
            stopped[place].lanes.push(lane);
            *hint = Some(place);
        };
        buffers.belong_to(machine);
        // As far as it is known.
        let mut open = std::mem::take(&mut buffers.rows.unknown);
        open.clear();
        open.extend(lanes);
        let mut hint = None;
        let length = across.length as usize;
        for (depends, number) in buffers.rows.settling.of(row.place()) {
            let Some(known) = buffers.rows.known.get(&row.only(depends).at(*number)) else { continue };
            let (stops, spots) = (&buffers.rows.stops[*known], &buffers.rows.spots[known * length..][..length]);
            let mut last: Option<(u16, State)> = None;
            let mut look = |lane: &Lane| {
                let (place, position) = spots[lane.position as usize];
                if (place, position) == UNKNOWN {
                    return false;
                }
                let to = match last {
                    Some((known, to)) if known == place => to,
                    _ => machine.beside(&stops[usize::from(place)], depends, row),
                };
                last = Some((place, to));
                stop(to, Lane { position: position.into(), ..*lane }, &mut hint);
                true
            };
            open.retain(|lane| !look(lane));
            if open.is_empty() {
                break;
            }
        }
        // What is left is found out.
        if !open.is_empty() {
            let mut found = std::mem::take(&mut buffers.rows.found);
            found.clear();
            found.resize(across.length as usize, None);
            let mut positions: Vec<(u32, u32)> = Vec::with_capacity(open.len());
            for lane in &open {
                if found[lane.position as usize].is_none() {
                    found[lane.position as usize] = Some((State::default(), 0));
                    positions.push((lane.position, lane.position));
                }
            }
            let mut moves = std::mem::take(&mut buffers.inner);
            let rows = &mut buffers.rows;
            let mut alone = Vec::new();
            machine.settle_together(across, *row, positions, &mut moves, &mut |party| match party {
                Ok(party) => {
                    rows.remember(machine, across, row, &party.row, &party.lanes, &party.touched);
                    for (from, to) in party.lanes {
                        found[from as usize] = Some((party.row, to));
                    }
                }
                Err(position) => alone.push(position),
            });
            for position in alone {
                let mut touched = State::default();
                let settled = machine.settle_touching(&across.at(row, position), &mut moves, &mut touched);
                let (to, after) = across.split(&settled);
                buffers.rows.remember(machine, across, row, &to, &[(position, after)], &touched);
                found[position as usize] = Some((to, after));
            }
            buffers.inner = moves;
            for lane in &open {
                let (to, position) = found[lane.position as usize].unwrap_or_default();
                stop(to, Lane { position, ..*lane }, &mut hint);
            }
            buffers.rows.found = found;
        }
        buffers.rows.unknown = open;
        count
    }
}

impl RowBuffers {
    /// Remembers where positions of a row settle, for all positions of the row if none of the registers that were touched
    /// is the row's own.
    fn remember(
        &mut self,
        machine: &Machine,
        across: &Across,
        row: &State,
        to: &State,
        lanes: &[(u32, u32)],
        touched: &State,
    ) {
        if self.spots.len() >= MOST_SETTLED {
            self.clear();
        }
        let depends = touched.without(&across.mask);
        let Some((depends, number)) = self.settling.with(row.place(), &depends) else { return };
        let new = self.stops.len();
        let known = *self.known.entry(row.only(&depends).at(number)).or_insert(new);
        let length = across.length as usize;
        if known == new {
            self.stops.push(Vec::new());
            self.spots.resize(self.spots.len() + length, UNKNOWN);
        }
        let (stops, spots) = (&mut self.stops[known], &mut self.spots[known * length..][..length]);
        let stop = to.only(&depends);
        debug_assert_eq!(machine.beside(&stop, &depends, row), *to);
        let place = stops.iter().position(|known| *known == stop).unwrap_or_else(|| {
            stops.push(stop);
            stops.len() - 1
        });
        // A row has few positions.
        let small = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        if across.is_in(touched) {
            for (from, to) in lanes {
                spots[*from as usize] = (place, small(*to));
            }
        } else {
            // Nothing on the way looks at it: it is as it was, or forgotten.
            let passes = across.is_in(&machine.passes(row.place(), to.place()));
            for (before, known) in (0..).zip(spots).filter(|(_, known)| **known == UNKNOWN) {
                *known = (place, if passes { before } else { 0 });
            }
        }
    }
}

impl Machine {
    /// The bits that are left alone on the way from a place to another where play settles.
    fn passes(&self, from: crate::program::Place, to: crate::program::Place) -> State {
        self.needs.mask(from).common(&self.passed(to))
    }

    /// Where play settles, if that is `known` but for what it does not depend on.
    #[inline]
    fn beside(&self, known: &State, depends: &State, from: &State) -> State {
        known.beside(depends, &self.passes(from.place(), known.place()), from)
    }
}
