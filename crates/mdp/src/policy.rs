//! One choice for every state.

use std::collections::VecDeque;
use std::sync::Arc;

use rayon::prelude::*;

use crate::best::ChoiceSets;
use crate::cyclic::{CyclicPart, Family};
use crate::model::{Model, StateId};
use crate::pool::FEW_STATES;

/// One choice for every state of a model, which it holds.
///
/// The policy of a solution follows one rule. **Outside of cyclic parts**: of the best choices the
/// lowest. **Inside**: of the best choices the lowest that can lead to a state nearer to the way
/// out, where the distance counts best choices that must be taken, if chance is kind. A state from
/// which no best choice leads out (going round for ever is best there) takes its lowest best
/// choice. Such a policy attains the value: it does not go round for ever where that is worth less.
#[derive(Clone, Debug)]
pub struct Policy {
    model: Arc<Model>,
    choices: Vec<u32>,
}

/// The state is finished.
const NOTHING: u32 = u32::MAX;

impl Policy {
    /// A policy from a function that is asked for every unfinished state; nothing when it names a
    /// choice that its state does not have.
    pub fn new(model: &Arc<Model>, choice: impl Fn(StateId) -> u32 + Sync) -> Option<Self> {
        let states = (0..model.states()).into_par_iter().with_min_len(FEW_STATES);
        let choices = states.map(|state| match model.choices(state).count() {
            0 => Some(NOTHING),
            known => Some(choice(state)).filter(|choice| (*choice as usize) < known),
        });
        Some(Self { model: model.clone(), choices: choices.collect::<Option<_>>()? })
    }

    /// The model that it is a policy of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// What the policy takes in a state; `None` when it is finished.
    #[inline]
    pub fn choice(&self, state: StateId) -> Option<u32> {
        let choice = self.choices[state as usize];
        (choice != NOTHING).then_some(choice)
    }

    /// The choices of all states as a file holds them.
    pub(crate) fn choices(&self) -> &[u32] {
        &self.choices
    }

    /// A policy from what a file holds, if every unfinished state has one of its choices, and no finished state any.
    pub(crate) fn from_choices(model: Arc<Model>, choices: Vec<u32>) -> Result<Self, &'static str> {
        let fits = |state: StateId| match (choices[state as usize], model.choices(state).count()) {
            (NOTHING, known) => known == 0,
            (choice, known) => (choice as usize) < known,
        };
        if choices.len() == model.states() as usize && (0..model.states()).all(fits) {
            Ok(Self { model, choices })
        } else {
            Err("a policy with a choice that is not there")
        }
    }

    /// For every state the set of its one choice.
    pub(crate) fn as_sets(&self) -> ChoiceSets {
        let mut sets = ChoiceSets { masks: vec![0; self.choices.len()], ..ChoiceSets::default() };
        for state in 0..self.model.states() {
            if let Some(choice) = self.choice(state) {
                sets.set(state, &[choice]);
            }
        }
        sets
    }

    /// Bytes in use, without the model.
    pub(crate) fn bytes(&self) -> u64 {
        self.choices.capacity() as u64 * 4
    }

    /// The policy among these best choices that the rule names.
    pub(crate) fn of(model: Arc<Model>, best: &ChoiceSets) -> Self {
        /// Fewer are looked at sooner by one thread than others wake up.
        const FEW_FAMILIES: usize = 16;
        let first = |state| best.first(state).unwrap_or(NOTHING);
        let mut choices: Vec<u32> = (0..model.states()).into_par_iter().with_min_len(FEW_STATES).map(first).collect();
        // The choices of each family, which differ from that.
        let mut own = Vec::with_capacity(model.families.len());
        let (mut rest, mut begin) = (&mut choices[..], 0);
        for family in &model.families {
            let (before, after) = rest.split_at_mut((family.end() - begin) as usize);
            own.push(&mut before[(family.first - begin) as usize..]);
            (rest, begin) = (after, family.end());
        }
        let nearer = |ways: &mut WaysOut, (family, own): (&Family, &mut [u32])| {
            for (part, before) in best.parts(&model, *family, 0..family.parts) {
                let place = |state: StateId| (state - family.first) as usize;
                if let Some(before) = before {
                    before.iter().zip(part.iter()).for_each(|(before, state)| own[place(state)] = own[place(before)]);
                } else if !part.iter().all(|state| first_leads_out(&model, best, part, state)) {
                    ways.find(&model, best, part);
                    for (number, state) in part.iter().enumerate() {
                        if let Some(choice) = ways.nearer(number) {
                            own[place(state)] = choice;
                        }
                    }
                }
            }
        };
        let families = model.families.par_iter().with_min_len(FEW_FAMILIES).zip(own);
        families.for_each_init(WaysOut::default, |ways, family| nearer(ways, family));
        Self { model, choices }
    }
}

/// Whether the first best choice of a state can lead out of its part.
fn first_leads_out(model: &Model, best: &ChoiceSets, part: CyclicPart, state: StateId) -> bool {
    let first = best.choices(model, state).next();
    first.is_some_and(|(_, choice)| choice.targets.iter().any(|target| !part.contains(target)))
}

/// How far it is out of a cyclic part by its best choices; reused.
#[derive(Default)]
struct WaysOut {
    /// For every state of the part, by its place; `u32::MAX` where no way leads out.
    distance: Vec<u32>,
    /// For every state the first choice that can lead out.
    out: Vec<Option<u32>>,
    /// Where choices lead inside of the part, and where those of each state begin.
    moves: Vec<Move>,
    starts: Vec<usize>,
    /// From where each state is come to, sorted.
    back: Vec<(u32, u32)>,
    queue: VecDeque<u32>,
}

/// A choice of a state, by its number, can lead there.
struct Move {
    choice: u32,
    to: u32,
}

impl WaysOut {
    fn find(&mut self, model: &Model, best: &ChoiceSets, part: CyclicPart) {
        let Self { distance, out, moves, starts, back, queue } = self;
        out.clear();
        moves.clear();
        starts.clear();
        back.clear();
        for (place, state) in (0..).zip(part.iter()) {
            let mut own = None;
            starts.push(moves.len());
            for (choice, targets) in best.choices(model, state).map(|(choice, own)| (choice, own.targets)) {
                for target in targets.iter() {
                    match part.place_of(target) {
                        Some(to) => {
                            moves.push(Move { choice, to });
                            back.push((to, place));
                        }
                        None => own = own.or(Some(choice)),
                    }
                }
            }
            out.push(own);
        }
        starts.push(moves.len());
        // Breadth first, backwards from the states that can leave at once.
        distance.clear();
        distance.extend(out.iter().map(|out| if out.is_some() { 0 } else { u32::MAX }));
        queue.extend((0..).zip(&*out).filter(|(_, out)| out.is_some()).map(|(place, _)| place));
        if queue.len() == part.len() {
            return queue.clear();
        }
        back.sort_unstable();
        while let Some(place) = queue.pop_front() {
            let first = back.partition_point(|(to, _)| *to < place);
            for (_, earlier) in back[first..].iter().take_while(|(to, _)| *to == place) {
                if distance[*earlier as usize] == u32::MAX {
                    distance[*earlier as usize] = distance[place as usize] + 1;
                    queue.push_back(*earlier);
                }
            }
        }
    }

    /// The first choice of a state that can lead nearer to the way out; nothing where none does.
    fn nearer(&self, place: usize) -> Option<u32> {
        let leads = |own: &&Move| self.distance[own.to as usize] < self.distance[place];
        let moves = &self.moves[self.starts[place]..self.starts[place + 1]];
        self.out[place].or_else(|| moves.iter().find(leads).map(|own| own.choice))
    }
}
