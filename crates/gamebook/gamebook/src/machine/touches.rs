//! The registers that steps read or write.

use rustc_hash::FxHashMap;

use crate::passes::Projection;
use crate::program::{Instruction, Label, Program, Reads, State};

/// The registers, as bits, that steps read or write.
#[derive(Debug, Default)]
pub(super) struct Touches {
    /// Distinct sets of bits.
    masks: Vec<State>,
    /// For every place the indexes of three sets: what its step uses, what the projection there reads, and what the projections
    /// after the answers of a question read.
    pub places: Vec<[u32; 3]>,
    /// For every place its first index in `questions`.
    asks: Vec<u32>,
    /// For every question the index of the set that its tests read, apart from the hero's health, and of the set that each
    /// answer uses.
    questions: Vec<u32>,
}

impl Touches {
    pub(super) fn new(program: &Program, kept: &Projection) -> Self {
        let mut known: FxHashMap<State, u32> = FxHashMap::default();
        let mut masks = Vec::new();
        let (mut asks, mut questions) = (Vec::with_capacity(program.steps.len()), Vec::new());
        let looked_at: Vec<State> = (0..kept.kinds()).map(|kind| kept.touches(kind)).collect();
        let looked_at = |place: Label| &looked_at[kept.kind(place)];
        let vital = program.sheet.vital().map_or_else(State::default, |vital| program.layout.mask(vital));
        let mut number = |mask: State| {
            *known.entry(mask).or_insert_with(|| {
                masks.push(mask);
                // There are at most a few per place.
                u32::try_from(masks.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let touches = |(place, step): (Label, &Instruction)| {
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
                // Answers are distinguished by their projections.
                step.ways(place, &mut |way| after = after.union(looked_at(way.next)));
            }
            [number(mask), number(*looked_at(place)), number(after)]
        };
        let places = program.places().zip(&program.steps).map(touches).collect();
        Self { masks, places, asks, questions }
    }

    /// The registers that the tests of a question read, apart from the hero's health.
    pub(super) fn tests(&self, place: Label) -> &State {
        &self.masks[self.questions[self.asks[place as usize] as usize] as usize]
    }

    /// The registers that an answer of a question reads or writes.
    pub(super) fn answer(&self, place: Label, answer: usize) -> &State {
        &self.masks[self.questions[self.asks[place as usize] as usize + 1 + answer] as usize]
    }

    /// The registers that the step at a place reads or writes.
    pub(super) fn step(&self, place: Label) -> &State {
        &self.masks[self.places[place as usize][0] as usize]
    }

    /// The registers that the projections after the answers of a question read.
    pub(super) fn answers(&self, place: Label) -> &State {
        &self.masks[self.places[place as usize][2] as usize]
    }

    /// The registers that the projection at a place reads.
    pub(super) fn kept(&self, place: Label) -> State {
        self.places.get(place as usize).map_or_else(State::default, |places| self.masks[places[1] as usize])
    }

    /// The registers that decide whether the last answer of a question is possible.
    pub(super) fn last_answer(program: &Program, place: Label) -> State {
        let mut mask = State::default();
        if let Some(Instruction::Ask(question)) = program.steps.get(place as usize)
            && let Some(last) = question.answers.last()
        {
            last.test.reads(&mut |register| mask = mask.union(&program.layout.mask(register)));
        }
        mask
    }
}
