//! Chances: the possible outcomes and the states after them.

use dashu_int::UBig;
use mdp::advanced::Meaning;
use mdp::{Dice, Distribution, Turn};

use super::Machine;
use super::memo::Memo;
use super::run_cache::Buffers;
use crate::program::{Fold, Instruction, Label, Outcome, ROUND_MEANING, State, Value, Weight, weight_of_number};

/// The most steps after a chance that are cached with it.
const MOST_FOLLOWING: usize = 32;

/// A chance with more outcomes is worth caching.
const MANY_OUTCOMES: usize = 10;

impl Machine {
    /// Whether a state is a chance or a folded block.
    pub(super) fn is_left_to_chance(&self, state: &State) -> bool {
        self.is_chance(state) || matches!(self.instruction(state), Some(Instruction::Fold(_)))
    }

    pub(crate) fn is_chance(&self, state: &State) -> bool {
        matches!(self.instruction(state), Some(Instruction::Chance { .. }))
    }

    /// Whether the chance after a question is merged into its answer. The first chance of a book in a series is not: its state
    /// marks that the book has begun, however it ends.
    #[inline]
    pub(super) fn joins_question(&self, question: &State, stop: &State) -> bool {
        let stage = |state: &State| self.program.stage(state.place());
        self.is_chance(stop)
            && !self.living.as_ref().is_some_and(|living| living.stops_at(stop.place()))
            && (self.program.stages.is_empty() || stage(question) == stage(stop))
    }

    /// Whether a state rolls or draws something. An answer that is left to chance is not a roll.
    pub(crate) fn rolls(&self, state: &State) -> bool {
        match self.instruction(state) {
            Some(Instruction::Chance { outcomes }) => {
                !outcomes.iter().any(|outcome| matches!(outcome.weight, Weight::Holds(_)))
            }
            _ => false,
        }
    }

    /// The outcomes of the chance at a state, with weights; the steps after them are not executed.
    pub(crate) fn chances(&self, state: &State, outcomes: &mut Vec<(UBig, State)>) {
        let Some(Instruction::Chance { outcomes: cases }) = self.instruction(state) else { return };
        let weighted = cases.iter().map(|case| {
            let weight = match &case.weight {
                Weight::Large(weight) => weight.clone(),
                small => self.small_weight(state, small).into(),
            };
            (weight, self.after(state, case))
        });
        // What is not there cannot be drawn.
        outcomes.extend(weighted.filter(|(weight, _)| *weight != UBig::ZERO));
    }

    /// A random outcome; `None` if the state is not a chance or nothing can come up.
    pub(crate) fn drawn(&self, state: &State, dice: &mut Dice) -> Option<State> {
        if let Some(Instruction::Fold(fold)) = self.instruction(state) {
            return Some(*dice.draw(&self.endings(state, fold)?));
        }
        let mut outcomes = Vec::new();
        self.chances(state, &mut outcomes);
        let all =
            Distribution::weighted(outcomes.into_iter().map(|(weight, next)| (next, mdp::Weight(weight)))).ok()?;
        Some(*dice.draw(&all))
    }

    /// The names of the units that can be drawn at a state, one for each of [`chances`](Self::chances).
    pub(crate) fn units(&self, state: &State) -> Option<Vec<String>> {
        let names = self.program.notes.draws.get(&state.place())?;
        let Some(Instruction::Chance { outcomes }) = self.instruction(state) else { return None };
        let there = names.iter().zip(outcomes).filter(|(_, outcome)| self.small_weight(state, &outcome.weight) > 0);
        Some(there.map(|(name, _)| name.clone()).collect())
    }

    /// A weight of at most 64 bits.
    #[inline]
    pub(super) fn small_weight(&self, state: &State, weight: &Weight) -> u64 {
        match weight {
            Weight::Number(number) => u64::from(*number),
            Weight::BySkill(more) => weight_of_number(*more),
            Weight::Register(register) => u64::try_from(self.get(state, *register)).unwrap_or(0),
            Weight::Holds(test) => u64::from(test.holds(&self.program.layout, state)),
            Weight::Large(_) => 0,
        }
    }

    /// The meaning of the weights of the chance at a state.
    #[inline]
    pub(super) fn meaning(&self, state: &State) -> Meaning {
        if self.instruction(state).is_some_and(Instruction::is_by_skill) { ROUND_MEANING } else { Meaning::Chance }
    }

    /// The state right after an outcome.
    #[inline]
    pub(super) fn after(&self, state: &State, outcome: &Outcome) -> State {
        let mut after = *state;
        self.program.layout.assign(&mut after, &outcome.sets);
        after.at(outcome.next)
    }

    /// The outcomes of a folded block.
    fn endings(&self, state: &State, fold: &Fold) -> Option<Distribution<State>> {
        let endings = self.folded(state, fold)?;
        let weights = endings.weights.weights().iter().cloned().map(mdp::Weight);
        let after = endings.outputs.iter().map(|outputs| self.after_fold(state, fold, outputs));
        Distribution::weighted(after.zip(weights)).ok()
    }

    #[inline]
    pub(super) fn after_fold(&self, state: &State, fold: &Fold, (outputs, exit): &(Box<[i32]>, usize)) -> State {
        let mut after = *state;
        for (register, number) in fold.outputs.iter().zip(outputs) {
            self.program.layout.set(&mut after, *register, *number);
        }
        after.at(fold.exits[*exit])
    }

    /// The outcomes of the block to which the chance at a state belongs; `None` if that block is not folded.
    pub(crate) fn rest_of_fold(&self, state: &State) -> Option<Distribution<State>> {
        let fold = state.at(*self.program.notes.folds.get(&state.place())?);
        match self.instruction(&fold)? {
            Instruction::Fold(own) => self.endings(&fold, own),
            _ => None,
        }
    }

    /// Adds the outcomes of the chance at a state to `turn`.
    pub(super) fn chance<A>(&self, state: &State, turn: &mut Turn<State, A>, buffers: &mut Buffers) {
        match &self.program.steps[state.place() as usize] {
            Instruction::Fold(fold) => {
                let Some(endings) = self.folded(state, fold) else { return };
                let next = endings.outputs.iter().map(|outputs| {
                    let next = self.after_fold(state, fold, outputs);
                    buffers.advanced(self, &next)
                });
                turn.chance_with(&endings.weights, next);
            }
            Instruction::Chance { .. } => {
                if self.large[state.place() as usize] {
                    return self.large_chance(state, turn, buffers);
                }
                let mut next = std::mem::take(&mut buffers.outcomes);
                self.merged_outcomes(state, buffers, &mut next);
                turn.meaning(self.meaning(state))
                    .chance(next.iter().map(|(weight, next)| (*next, mdp::Weight(*weight))));
                buffers.outcomes = next;
            }
            _ => {}
        }
    }

    fn large_chance<A>(&self, state: &State, turn: &mut Turn<State, A>, buffers: &mut Buffers) {
        let mut outcomes = Vec::new();
        self.chances(state, &mut outcomes);
        let next = outcomes.into_iter().map(|(weight, next)| (buffers.advanced(self, &next), mdp::Weight(weight)));
        match Distribution::weighted(next) {
            Ok(distribution) => turn.chance_from(&distribution.merge()),
            // Weights are positive. A chance without outcomes is an error that the engine reports.
            Err(_) => turn.chance([]),
        }
    }

    /// The distinct outcomes of a cached chance, with the steps after it executed, but not yet advanced to a stop.
    pub(super) fn come_up(&self, state: &State, memo: &Memo, buffers: &mut Buffers) -> Vec<(u64, State)> {
        let key = state.only(&memo.touches);
        let up = buffers.come_up.entry(key).or_insert_with(|| {
            let mut once: Vec<(u64, State)> = Vec::new();
            let Some(Instruction::Chance { outcomes }) = self.instruction(state) else { return once };
            for outcome in outcomes {
                let weight = self.small_weight(state, &outcome.weight);
                let next = self.through(&memo.following, self.after(state, outcome));
                // Registers that the projection reads are part of the outcome.
                let kept = self.touches.kept(next.place()).union(self.kept.mask(next.place()));
                let next = next.only(&kept);
                match once.iter_mut().find(|(_, known)| *known == next) {
                    Some((known, _)) => *known += weight,
                    None => once.push((weight, next)),
                }
            }
            once
        });
        up.iter().map(|(weight, next)| (*weight, state.with(&memo.touches, next))).collect()
    }

    /// Executes steps while play is at one of these places.
    fn through(&self, places: &[Label], mut state: State) -> State {
        // More steps than places mean a loop.
        for _ in places {
            if !places.contains(&state.place()) {
                break;
            }
            self.step(&mut state);
        }
        state
    }

    /// For every place the cached chance, if it is one: chances with computed outcomes, and those with many outcomes of which
    /// few may differ.
    pub(super) fn remembered(&self) -> Vec<Option<Memo>> {
        let computed = |step: &Instruction| match step {
            Instruction::Chance { outcomes } => {
                let large = outcomes.iter().any(|outcome| matches!(outcome.weight, Weight::Large(_)));
                let mut sets = outcomes.iter().flat_map(|outcome| &outcome.sets);
                let many = outcomes.len() > MANY_OUTCOMES;
                !large && sets.any(|(_, value)| many || !matches!(value, Value::Constant(_)))
            }
            _ => false,
        };
        let places = self.program.places().zip(&self.program.steps);
        places.map(|(place, step)| (self.analyses.straight && computed(step)).then(|| self.memo(place, step))).collect()
    }

    fn memo(&self, place: Label, chance: &Instruction) -> Memo {
        let layout = &self.program.layout;
        let mut touched = vec![false; layout.registers()];
        chance.touches(place, &mut |register| touched[usize::from(register)] = true);
        let many = matches!(chance, Instruction::Chance { outcomes } if outcomes.len() > MANY_OUTCOMES);
        let mut written = vec![false; layout.registers()];
        chance.ways(place, &mut |way| way.sets.iter().for_each(|(register, _)| written[usize::from(*register)] = true));
        let mut following = Vec::new();
        let mut next = Vec::new();
        chance.successors(place, &mut next);
        while let Some(place) = next.pop() {
            let step = &self.program.steps[place as usize];
            let mut within =
                matches!(step, Instruction::Set { .. } | Instruction::Branch { .. } | Instruction::Jump(_));
            // A step that depends on the outcome distinguishes outcomes or merges them.
            let (mut depends, mut known) = (false, true);
            step.touches(place, &mut |register| {
                depends |= written[usize::from(register)];
                known &= touched[usize::from(register)];
            });
            within &= known || many && depends;
            if within && !following.contains(&place) && following.len() < MOST_FOLLOWING {
                following.push(place);
                step.touches(place, &mut |register| touched[usize::from(register)] = true);
                step.ways(place, &mut |way| {
                    way.sets.iter().for_each(|(register, _)| written[usize::from(*register)] = true);
                });
                step.successors(place, &mut next);
            }
        }
        let registers = (0..).zip(touched).filter(|(_, touched)| *touched);
        let touches = registers.fold(State::default(), |mask, (register, _)| mask.union(&layout.mask(register)));
        Memo { touches, following }
    }
}
