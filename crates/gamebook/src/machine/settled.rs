//! Where play settles and what chance brings, remembered by what that depends on.
//!
//! What a run of steps does depends on the registers that they read, and it leaves alone those that they do not write. So
//! states that differ in other registers only settle alike, and chances bring the same to them: it is found out once
//! for all of them, and what was left alone is put beside it. Which registers count is learned at each place from the
//! runs that begin there: a few ways that they go, each with its own registers.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Machine;
use super::answers::Move;
use super::rows::RowBuffers;
use super::spread::DEEPEST;
use crate::depends::{Dependences, Depends};
use crate::kept::Kept;
use crate::program::{Instruction, Place, Program};
use crate::state::{DEAD, NO_PLACE, State, WON};
use crate::value::Reads;

/// How many settled states a thread remembers; a power of two.
const SETTLED: usize = 1 << 13;
/// How many outcomes of chances a thread remembers.
const MOST_OUTCOMES: usize = 1 << 17;

/// The bits of the registers that steps read or write.
#[derive(Debug, Default)]
pub(super) struct Touches {
    /// Each set of bits once.
    masks: Vec<State>,
    /// For every place, which of them its step touches, and which are looked at to say what is kept there, and after the
    /// answers of a question.
    places: Vec<[u32; 3]>,
    /// For every place where its own begin in `questions`.
    asks: Vec<u32>,
    /// For every question which of them its tests read, apart from what is left of the hero's life, and which each answer
    /// reads or writes.
    questions: Vec<u32>,
}

impl Touches {
    pub(super) fn new(program: &Program, kept: &Kept) -> Self {
        let mut known: FxHashMap<State, u32> = FxHashMap::default();
        let mut masks = Vec::new();
        let (mut asks, mut questions) = (Vec::with_capacity(program.steps.len()), Vec::new());
        let looked_at: Vec<State> = (0..kept.kinds()).map(|kind| kept.touches(kind)).collect();
        let looked_at = |place: Place| &looked_at[kept.kind(place)];
        let vital = program.sheet.vital().map_or_else(State::default, |vital| program.layout.mask(vital));
        let mut number = |mask: State| {
            *known.entry(mask).or_insert_with(|| {
                masks.push(mask);
                // There are no more than three for each place.
                u32::try_from(masks.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let touches = |(place, step): (Place, &Instruction)| {
            let (mut mask, mut after) = (State::default(), State::default());
            step.touches(place, &mut |register| mask = mask.union(&program.layout.mask(register)));
            asks.push(u32::try_from(questions.len()).unwrap_or(u32::MAX));
            if let Instruction::Ask(question) = step {
                let reads = |what: &dyn Reads| {
                    let mut mask = State::default();
                    what.reads(&mut |register| mask = mask.union(&program.layout.mask(register)));
                    mask
                };
                let tests = question.answers.iter().map(|answer| reads(&answer.test));
                questions.push(number(tests.fold(State::default(), |all, own| all.union(&own)).without(&vital)));
                for answer in &question.answers {
                    let sets = answer.sets.iter().map(|(own, value)| reads(value).union(&program.layout.mask(*own)));
                    questions.push(number(sets.fold(State::default(), |all, own| all.union(&own))));
                }
                // Answers are told from each other by what is kept after them.
                step.ways(place, &mut |way| after = after.union(looked_at(way.next)));
            }
            [number(mask), number(*looked_at(place)), number(after)]
        };
        let places = program.places().zip(&program.steps).map(touches).collect();
        Self { masks, places, asks, questions }
    }

    /// What the tests of a question read, apart from what is left of the hero's life.
    pub(super) fn tests(&self, place: Place) -> &State {
        &self.masks[self.questions[self.asks[place as usize] as usize] as usize]
    }

    /// What an answer of a question reads or writes.
    pub(super) fn answer(&self, place: Place, answer: usize) -> &State {
        &self.masks[self.questions[self.asks[place as usize] as usize + 1 + answer] as usize]
    }

    /// What the step at a place reads or writes.
    pub(super) fn step(&self, place: Place) -> &State {
        &self.masks[self.places[place as usize][0] as usize]
    }

    /// What is looked at to say what is kept after the answers of a question.
    pub(super) fn answers(&self, place: Place) -> &State {
        &self.masks[self.places[place as usize][2] as usize]
    }

    /// What is looked at to say what is kept at a place.
    pub(super) fn kept(&self, place: Place) -> State {
        self.places.get(place as usize).map_or_else(State::default, |places| self.masks[places[1] as usize])
    }

    /// What is read to say that the last answer of a question can be given.
    pub(super) fn last_answer(program: &Program, place: Place) -> State {
        let mut mask = State::default();
        if let Some(Instruction::Ask(question)) = program.steps.get(place as usize)
            && let Some(last) = question.answers.last()
        {
            last.test.reads(&mut |register| mask = mask.union(&program.layout.mask(register)));
        }
        mask
    }
}

/// What a thread needs again and again.
#[derive(Default)]
pub(super) struct Buffers {
    pub moves: Vec<Move>,
    pub inner: Vec<Move>,
    pub outcomes: Vec<(u64, State)>,
    /// To which machine all that follows belongs.
    machine: u64,
    /// On what it depends where play settles.
    settling: Dependences,
    /// What those registers hold, and where play settles: the last one of each hash.
    settled: Vec<(State, State)>,
    /// On what it depends what chance brings, by how many chances are told before.
    bringing: [Dependences; DEEPEST + 1],
    /// What those registers hold, and which of `brought` that is.
    known: [FxHashMap<State, (usize, usize)>; DEEPEST + 1],
    brought: Vec<(u64, State)>,
    /// What comes up in chances that are computed, by what they and the steps after them touch.
    pub come_up: FxHashMap<State, Vec<(u64, State)>>,
    /// Where rows settle.
    pub rows: RowBuffers,
    /// What is kept after the answers of a question.
    pub seen: Vec<State>,
}

impl Buffers {
    /// Forgets what belongs to another machine.
    pub(super) fn belong_to(&mut self, machine: &Machine) {
        if self.machine != machine.number {
            self.settling.clear();
            self.bringing.iter_mut().for_each(Dependences::clear);
            self.settled.clear();
            let none = State::default().at(NO_PLACE);
            self.settled.resize(SETTLED, (none, none));
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.brought.clear();
            self.come_up.clear();
            self.rows.clear();
            self.machine = machine.number;
        }
    }

    /// Where play from a state comes to its next question, as far as that matters.
    #[inline]
    pub(super) fn settled(&mut self, machine: &Machine, state: &State) -> State {
        self.settled_touching(machine, state, &mut Depends::default())
    }

    /// The same; adds to `depends` on what that depends.
    #[inline]
    pub(super) fn settled_touching(&mut self, machine: &Machine, state: &State, depends: &mut Depends) -> State {
        self.belong_to(machine);
        for (own, key) in self.settling.keys(state) {
            let (known, settled) = &self.settled[slot(&key)];
            if *known == key {
                depends.join(own);
                let passed = machine.kept.mask(state.place()).common(&machine.passed(settled.place()));
                return settled.beside(&own.touched, &passed, state);
            }
        }
        self.settled_anew(machine, state, depends)
    }

    #[cold]
    fn settled_anew(&mut self, machine: &Machine, state: &State, depends: &mut Depends) -> State {
        let mut own = Depends::default();
        let settled = machine.settle_touching(state, &mut self.inner, &mut own);
        depends.join(&own);
        if let Some((touched, key)) = self.settling.learn(state, &own, &State::default()) {
            let known = settled.only(&touched);
            self.settled[slot(&key)] = (key, known);
            let passed = machine.kept.mask(state.place()).common(&machine.passed(settled.place()));
            debug_assert_eq!(known.beside(&touched, &passed, state), settled);
        }
        settled
    }

    /// Adds to `outcomes` what chance brings at a kept state where so many chances have been told before, if that is
    /// known, and to `depends` on what that depends.
    pub(super) fn remembered(
        &mut self,
        machine: &Machine,
        state: &State,
        depth: usize,
        outcomes: &mut Vec<(u64, State)>,
        depends: &mut Depends,
    ) -> bool {
        self.belong_to(machine);
        for (own, key) in self.bringing[depth].keys(state) {
            if let Some((begin, end)) = self.known[depth].get(&key) {
                depends.join(own);
                outcomes.extend(self.brought[*begin..*end].iter().map(|(weight, next)| {
                    let passed = machine.passed(next.place());
                    (*weight, next.beside(&own.touched, &passed, state))
                }));
                return true;
            }
        }
        false
    }

    /// Remembers what chance brings at a kept state, and on what that depends.
    pub(super) fn remember(&mut self, state: &State, depends: &Depends, depth: usize, outcomes: &[(u64, State)]) {
        if self.brought.len() > MOST_OUTCOMES {
            self.known.iter_mut().for_each(FxHashMap::clear);
            self.brought.clear();
            self.come_up.clear();
        }
        let Some((touched, key)) = self.bringing[depth].learn(state, depends, &State::default()) else { return };
        let begin = self.brought.len();
        self.brought.extend(outcomes.iter().map(|(weight, next)| (*weight, next.only(&touched))));
        self.known[depth].insert(key, (begin, self.brought.len()));
    }
}

impl Machine {
    /// What is left alone on the way to a place is kept there as far as this says.
    #[inline]
    pub(super) fn passed(&self, place: Place) -> State {
        match place {
            WON.. => self.ended,
            DEAD.. => State::default(),
            place => *self.kept.mask(place),
        }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "any bits of the hash will do")]
fn slot(key: &State) -> usize {
    FxBuildHasher.hash_one(key) as usize % SETTLED
}
