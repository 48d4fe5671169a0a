//! The registers that steps read or write.

use rustc_hash::FxHashMap;

use crate::passes::Kept;
use crate::program::{Instruction, Place, Program, Reads, State};

/// The bits of the registers that steps read or write.
#[derive(Debug, Default)]
pub(super) struct Touches {
    /// Each set of bits once.
    masks: Vec<State>,
    /// For every place, which of them its step touches, and which are looked at to say what is kept there, and after the
    /// answers of a question.
    pub places: Vec<[u32; 3]>,
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
