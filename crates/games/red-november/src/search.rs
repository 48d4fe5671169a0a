//! The cheapest plans to all results that can be reached in a turn.
//!
//! A *step* of the search is one neighbouring room: the gnome opens the hatch to it if it is closed, and goes
//! through unless the opening let water run. Opening a hatch for neither purpose never pays: what can happen
//! to rooms only ever makes them low, so a hatch that lets no water run now never will, and opening it later
//! costs the same. A step is therefore known by the room's number alone.
//!
//! The search stores these parts of the gnome's path:
//!
//! - the rooms that have become low (rooms change in no other way),
//! - the hatches opened, as long as water may still run: only then can a path lead back over them. Once no water can
//!   run any more, the cheapest path to anywhere uses no hatch twice;
//! - the rooms entered since water last ran: to come back to one of them before water runs again wastes every
//!   minute since. (Under the report's ban on entering a room twice: all rooms entered.)

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::{Board, HatchState, RoomState};
use crate::limits::{LOOKS_PER_STATE, Limit, LimitReached, Limits};
use crate::plan::Plan;
use crate::question::Question;
use crate::sets::{SetId, Sets};

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans {
    /// One plan for each final room and state of all rooms: by final room, then minutes, then steps, then the
    /// numbers of the rooms that the plan turns to, one after the other.
    pub plans: Vec<Plan>,
    /// How many states the search looked at.
    pub boards_explored: usize,
}

/// Finds the cheapest plan to every pair of final room and state of all rooms.
///
/// Of equally cheap plans to one pair it gives the one of the fewest steps, and of these the one whose steps
/// turn to the smallest room numbers, the first step first.
///
/// # Errors
/// When the search needs more than `limits`.
///
/// ```
/// use red_november::{Board, Limits, Question, search};
///
/// let answer = search(&Board::standard(), &Question::default(), Limits::default()).unwrap();
/// let minutes: Vec<u32> = answer.plans.iter().map(|plan| plan.minutes).collect();
/// assert_eq!(minutes, [0, 1, 1, 2, 2, 3, 3, 3, 4, 4]);
/// ```
pub fn search(board: &Board, question: &Question, limits: Limits) -> Result<Plans, LimitReached> {
    search_while(board, question, limits, &|| true)
}

/// [`search`], which stops early when `wanted` returns false; it is called at every state.
///
/// # Errors
/// When the search needs more than `limits`, or is not wanted any more ([`Limit::NotWanted`]).
pub fn search_while(
    board: &Board,
    question: &Question,
    limits: Limits,
    wanted: &dyn Fn() -> bool,
) -> Result<Plans, LimitReached> {
    let mut space = Space::new(board, question, limits, wanted);
    let start = space.start();
    let mut finished: FxHashMap<State, u32> = FxHashMap::default();
    let mut most = question.within.unwrap_or(u32::MAX);

    // Dijkstra's algorithm; a state that was reached again at less cost is in the queue twice.
    let mut queue = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((minutes, state))) = queue.pop() {
        if minutes > most {
            break;
        }
        if finished.contains_key(&state) {
            continue;
        }
        let steps = space.steps(state);
        if let Some(limit) = space.exhausted {
            return Err(LimitReached { limit, states: finished.len(), complete: minutes.checked_sub(1) });
        }
        space.finished += 1;
        finished.insert(state, minutes);
        queue.extend(steps.into_iter().map(|step| Reverse((minutes + step.minutes, step.state))));
        if question.cheapest && space.answers(state, question) {
            most = minutes;
        }
    }
    // Visiting the finished states once more adds none. (A limit may have been reached just beyond them.)
    space.limits = Limits { states: usize::MAX, bytes: usize::MAX };
    space.wanted = &|| true;
    space.exhausted = None;
    choose(&mut space, start, &finished, question, limits.bytes)
}

/// A state that was reached; the path to it consists of the steps of `parent` and then `step`.
struct Reached {
    state: State,
    parent: usize,
    step: usize,
    /// The number of its steps.
    steps: usize,
    minutes: u32,
}

/// Chooses one plan for each pair among all cheapest paths.
///
/// Visits the states again, breadth first over the edges on cheapest paths, smaller room numbers first. So every state
/// is first reached by the fewest steps, and of these by the smallest room numbers, whatever the order in which the
/// search finished states of equal cost.
///
/// Fails when the plans together would need more than `most_bytes`, as the long ones of a boat of very many
/// rooms can.
fn choose(
    space: &mut Space<'_>,
    start: State,
    finished: &FxHashMap<State, u32>,
    question: &Question,
    most_bytes: usize,
) -> Result<Plans, LimitReached> {
    let mut reached = vec![Reached { state: start, parent: 0, step: space.board.start(), steps: 0, minutes: 0 }];
    let mut met = FxHashSet::from_iter([start]);
    let mut parent = 0;
    while parent < reached.len() {
        for Step { to: step, state, minutes } in space.steps(reached[parent].state) {
            let (steps, minutes) = (reached[parent].steps + 1, reached[parent].minutes + minutes);
            if finished.get(&state) == Some(&minutes) && met.insert(state) {
                reached.push(Reached { state, parent, step, steps, minutes });
            }
        }
        parent += 1;
    }

    let mut best: FxHashMap<(usize, SetId), usize> = FxHashMap::default();
    for (i, way) in reached.iter().enumerate().filter(|(_, way)| space.answers(way.state, question)) {
        best.entry((way.state.gnome as usize, way.state.low))
            .and_modify(|old| {
                if way.minutes < reached[*old].minutes {
                    *old = i;
                }
            })
            .or_insert(i);
    }
    let mut ends: Vec<usize> = best.into_values().collect();
    if question.cheapest {
        ends = ends.into_iter().min_by_key(|&end| (reached[end].minutes, end)).into_iter().collect();
    }
    ends.sort_unstable_by_key(|&end| (reached[end].minutes, end));
    let mut bytes = 0;
    for &end in &ends {
        bytes += size_of::<Plan>() + size_of::<usize>() * reached[end].steps;
        if bytes > most_bytes {
            let complete = reached[end].minutes.checked_sub(1);
            return Err(LimitReached { limit: Limit::Bytes, states: finished.len(), complete });
        }
    }
    ends.sort_unstable_by_key(|&end| (reached[end].state.gnome, reached[end].minutes, end));
    let plans = ends
        .into_iter()
        .map(|end| {
            let way = std::iter::successors(Some(end), |&at| Some(reached[at].parent)).take_while(|&at| at != 0);
            let mut steps = Vec::with_capacity(reached[end].steps);
            steps.extend(way.map(|at| reached[at].step));
            steps.reverse();
            Plan { steps, minutes: reached[end].minutes }
        })
        .collect();
    Ok(Plans { plans, boards_explored: finished.len() })
}

/// A state of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct State {
    /// Where the gnome stands.
    gnome: u32,
    /// The rooms that have become low.
    low: SetId,
    /// The hatches opened that matter from here on.
    opened: SetId,
    /// The rooms not to be entered again.
    entered: SetId,
}

/// A step from a state: the room to which it turns, the next state, and the cost.
struct Step {
    to: usize,
    state: State,
    minutes: u32,
}

/// The states and steps of one board.
struct Space<'b> {
    board: &'b Board,
    no_revisit: bool,
    avoid_flooding: bool,
    low: Sets,
    opened: Sets,
    entered: Sets,
    /// For each set in `low`: the rooms from which water can still be made to run.
    lively: Vec<Box<[u64]>>,
    limits: Limits,
    wanted: &'b dyn Fn() -> bool,
    /// The number of states finished so far.
    finished: usize,
    /// Steps added to the search so far: at least as many as states in its queue.
    emitted: usize,
    /// How often hatches have been examined.
    looks: usize,
    /// The limit that has been reached, after which there are no further steps.
    exhausted: Option<Limit>,
}

impl<'b> Space<'b> {
    fn new(board: &'b Board, question: &Question, limits: Limits, wanted: &'b dyn Fn() -> bool) -> Self {
        let mut space = Self {
            board,
            no_revisit: question.no_revisit,
            avoid_flooding: question.avoid_flooding,
            low: Sets::new(board.rooms().len()),
            opened: Sets::new(board.hatches().len()),
            entered: Sets::new(board.rooms().len()),
            lively: Vec::new(),
            limits,
            wanted,
            finished: 0,
            emitted: 0,
            looks: 0,
            exhausted: None,
        };
        let lively = space.find_lively(Sets::EMPTY);
        space.lively.push(lively);
        space
    }

    fn start(&mut self) -> State {
        let gnome = self.board.start();
        let mut state = State { gnome: room(gnome), low: Sets::EMPTY, opened: Sets::EMPTY, entered: Sets::EMPTY };
        if self.no_revisit || self.is_lively(Sets::EMPTY, gnome) {
            state.entered = self.entered.with(Sets::EMPTY, &[gnome]);
        }
        state
    }

    /// What is in a room.
    fn room(&self, low: SetId, room: usize) -> RoomState {
        if self.low.contains(low, room) { RoomState::LowFlood } else { self.board.rooms()[room].state }
    }

    /// Whether this state answers the question.
    fn answers(&self, state: State, question: &Question) -> bool {
        question.to.is_none_or(|to| to == state.gnome as usize)
            && question.make_low.iter().all(|&room| self.low.contains(state.low, room))
    }

    /// The steps from a state, by the number of the room they turn to.
    fn steps(&mut self, state: State) -> Vec<Step> {
        let board = self.board;
        let gnome = state.gnome as usize;
        let here = self.room(state.low, gnome);
        let mut steps = Vec::new();
        if self.is_exhausted() {
            return steps;
        }
        for door in board.doors(gnome) {
            // A single room may have more hatches than the limits have room for.
            if self.is_exhausted() {
                break;
            }
            self.looks += 1;
            let there = self.room(state.low, door.to);
            let open =
                board.hatches()[door.hatch].state == HatchState::Open || self.opened.contains(state.opened, door.hatch);
            if !open && here.flows(there) {
                if !self.avoid_flooding {
                    let state = self.after_flow(state, door.to, door.hatch);
                    self.emitted += 1;
                    steps.push(Step { to: door.to, state, minutes: 1 });
                }
            } else if here != RoomState::Fire
                && there.can_be_entered()
                && !self.entered.contains(state.entered, door.to)
            {
                let minutes = u32::from(!open) + u32::from(there == RoomState::LowFlood);
                let state = self.after_move(state, door.to, (!open).then_some(door.hatch));
                self.emitted += 1;
                steps.push(Step { to: door.to, state, minutes });
            }
        }
        steps
    }

    fn after_flow(&mut self, from: State, to: usize, hatch: usize) -> State {
        let gnome = from.gnome as usize;
        let low = self.low.with(from.low, &[gnome, to]);
        if low.index() == self.lively.len() {
            let lively = self.find_lively(low);
            self.lively.push(lively);
        }
        // The rooms entered since water last ran: the one in which the gnome stands, if it matters.
        let entered = match (self.no_revisit, self.is_lively(low, gnome)) {
            (true, _) => from.entered,
            (false, true) => self.entered.with(Sets::EMPTY, &[gnome]),
            (false, false) => Sets::EMPTY,
        };
        State { gnome: from.gnome, low, opened: self.opened.with(from.opened, &[hatch]), entered }
    }

    fn after_move(&mut self, from: State, to: usize, newly_opened: Option<usize>) -> State {
        let mut state = State { gnome: room(to), ..from };
        if self.is_lively(from.low, to) {
            state.entered = self.entered.with(from.entered, &[to]);
            // Where no room is entered twice, no hatch is gone through twice.
            if let (Some(hatch), false) = (newly_opened, self.no_revisit) {
                state.opened = self.opened.with(from.opened, &[hatch]);
            }
        } else if !self.no_revisit {
            state.entered = Sets::EMPTY;
        }
        state
    }

    fn is_lively(&self, low: SetId, room: usize) -> bool {
        self.lively[low.index()][room / 64] >> (room % 64) & 1 == 1
    }

    /// A superset of the rooms from which the gnome could still make water run somewhere, when the rooms in `low` have
    /// become low. Hatches opened in the course of the turn can be ignored, as none of them lies between a room under
    /// high water and one that would take it.
    fn find_lively(&mut self, low: SetId) -> Box<[u64]> {
        let board = self.board;
        let mut lively = vec![0_u64; board.rooms().len().div_ceil(64)];
        if self.avoid_flooding {
            return lively.into_boxed_slice();
        }
        self.looks += board.rooms().len() + 2 * board.hatches().len();
        // Backwards from the rooms with a hatch that would let water run, through rooms that the gnome can pass.
        let mut queue: VecDeque<usize> = VecDeque::new();
        for room in 0..board.rooms().len() {
            let state = self.room(low, room);
            if board.doors(room).iter().any(|door| {
                board.hatches()[door.hatch].state == HatchState::Closed && state.flows(self.room(low, door.to))
            }) {
                lively[room / 64] |= 1 << (room % 64);
                queue.push_back(room);
            }
        }
        while let Some(room) = queue.pop_front() {
            if !self.room(low, room).can_be_entered() {
                continue;
            }
            for door in board.doors(room) {
                let from = door.to;
                if lively[from / 64] >> (from % 64) & 1 == 0 && self.room(low, from) != RoomState::Fire {
                    lively[from / 64] |= 1 << (from % 64);
                    queue.push_back(from);
                }
            }
        }
        lively.into_boxed_slice()
    }

    fn is_exhausted(&mut self) -> bool {
        if self.finished >= self.limits.states {
            self.exhausted = Some(Limit::States);
        } else if self.looks / LOOKS_PER_STATE > self.limits.states {
            self.exhausted = Some(Limit::Looks);
        } else if self.bytes() > self.limits.bytes {
            self.exhausted = Some(Limit::Bytes);
        } else if !(self.wanted)() {
            self.exhausted = Some(Limit::NotWanted);
        }
        self.exhausted.is_some()
    }

    /// Upper bound of the memory in use.
    fn bytes(&self) -> usize {
        /// In the queue, which doubles when it is full: a state and its cost.
        const PER_EMITTED: usize = 96;
        /// In the tables of finished and chosen states.
        const PER_FINISHED: usize = 192;
        let of = |sets: &Sets| sets.len() * sets.bytes_per_set();
        let lively = self.lively.len() * (self.board.rooms().len() / 8 + 48);
        let tables = self.emitted * PER_EMITTED + self.finished * PER_FINISHED;
        of(&self.low) + of(&self.opened) + of(&self.entered) + lively + tables
    }
}

/// A room as states store it.
fn room(index: usize) -> u32 {
    u32::try_from(index).expect("a board is a text of fewer rooms")
}
