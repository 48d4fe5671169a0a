//! Specialization: places are split by the flags and items that the hero has there.
//!
//! Flags and special items are few, and tests on them shape the book: a hero with the spear goes one way, one without it
//! another. Each place is therefore split into one for every reachable combination of such registers that are live there. Tests
//! on them disappear, and later passes (liveness, reachability) work for each combination separately. If that gives too many
//! places, fewer registers are used.

use budget::{Budget, Stage, Stopped};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Answer, Duel, Each, FEW_STEPS, Fold, HERE, Instruction, Label, Notes, Outcome, Parting, Program, Question, Reads,
    Register, Sets, State, Test, Value, Weight,
};

/// The most places; if there are more, places are split by fewer registers.
const MOST_PLACES: usize = 1 << 17;

/// The values of the registers by which places are split, one bit each.
type Keys = u64;

/// Specializes `program` for play that begins in `start`; also returns the original place of each. `live` says whether a
/// register is live at a place. `None` if the program is too large even without splitting.
pub(crate) fn split(
    program: &Program,
    start: &State,
    live: impl Fn(Label, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<(Program, Vec<Label>)>, Stopped> {
    split_within(MOST_PLACES, program, start, live, budget)
}

/// The same with a limit on the places.
fn split_within(
    most: usize,
    program: &Program,
    start: &State,
    live: impl Fn(Label, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<(Program, Vec<Label>)>, Stopped> {
    let mut registers = yes_or_no(program);
    loop {
        let mut splitter = Splitter::new(program, &registers, &live);
        let keys = keys_of(&registers, |register| program.layout.get(start, register) > 0);
        if splitter.search(keys, most, budget)? {
            let split = splitter.program(keys, budget)?;
            return Ok(Some((split, splitter.places.into_iter().map(|(place, _)| place).collect())));
        }
        if registers.is_empty() {
            return Ok(None);
        }
        let left = keys_left(splitter.places, registers.len(), budget)?;
        let left = (0..).zip(registers).filter(|(bit, _)| left >> bit & 1 == 1);
        registers = left.map(|(_, register)| register).collect();
    }
}

/// The keys of the registers with a property.
fn keys_of(registers: &[Register], is_so: impl Fn(Register) -> bool) -> Keys {
    let own = (0..).zip(registers).filter(|(_, register)| is_so(**register));
    own.fold(0, |keys, (bit, _): (u32, _)| keys | 1 << bit)
}

/// The factor by which the places found so far are to shrink; the search finds further ones.
const FEWER: usize = 2;

/// The keys that remain when there are too many places. The key that splits most of the places found is dropped first. Flags
/// that rarely occur without another, or only for a while, split few and stay.
fn keys_left(places: Vec<(Label, Keys)>, registers: usize, budget: &Budget<'_>) -> Result<Keys, Stopped> {
    let most = places.len() / FEWER;
    let mut places: FxHashSet<(Label, Keys)> = places.into_iter().collect();
    let mut left = (0..registers).fold(0, |left, bit| left | 1 << bit);
    while places.len() > most {
        let mut worst: Option<(usize, Keys)> = None;
        for bit in (0..registers).map(|bit| 1 << bit).filter(|bit| left & bit != 0) {
            budget.step(Stage::Compiling, places.len() as u64, 0)?;
            let is_split = |(place, keys): &&(Label, Keys)| keys & bit != 0 && places.contains(&(*place, keys & !bit));
            let split = places.iter().filter(is_split).count();
            if worst.is_none_or(|(most, _)| split > most) {
                worst = Some((split, bit));
            }
        }
        let Some((_, bit)) = worst else { break };
        left &= !bit;
        places = places.into_iter().map(|(place, keys)| (place, keys & !bit)).collect();
    }
    Ok(left)
}

/// The registers of range 0 to 1 that are only assigned constants.
fn yes_or_no(program: &Program) -> Vec<Register> {
    let layout = &program.layout;
    let mut certain = vec![true; layout.registers()];
    for (place, step) in program.places().zip(&program.steps) {
        step.ways(place, &mut |way| {
            way.written.iter().for_each(|register| certain[usize::from(*register)] = false);
            for (register, value) in way.sets {
                certain[usize::from(*register)] &= matches!(value, Value::Constant(_));
            }
        });
    }
    let known = (0..).zip(certain).filter(|(_, certain)| *certain).map(|(register, _)| register);
    known.filter(|register| layout.range(*register) == (0, 1)).take(Keys::BITS as usize).collect()
}

/// A successor, reduced to its effect on the keys.
struct Way<'p> {
    /// It is absent if this test has this result.
    unless: Option<(&'p Test, bool)>,
    /// The keys after it if all were set before.
    kept: Keys,
    /// The keys after it if none was set before.
    found: Keys,
    next: Label,
}

struct Splitter<'p> {
    program: &'p Program,
    /// The bit of each register that is a key.
    bits: Vec<Option<u32>>,
    /// The live keys of each place.
    masks: Vec<Keys>,
    /// The new places: the original place and the keys.
    places: Vec<(Label, Keys)>,
    known: FxHashMap<(Label, Keys), Label>,
}

impl<'p> Splitter<'p> {
    fn new(program: &'p Program, registers: &[Register], live: impl Fn(Label, Register) -> bool) -> Self {
        let mut bits = vec![None; program.layout.registers()];
        for (bit, register) in (0..).zip(registers) {
            bits[usize::from(*register)] = Some(bit);
        }
        let masks = program.places().map(|place| keys_of(registers, |register| live(place, register))).collect();
        Self { program, bits, masks, places: Vec::new(), known: FxHashMap::default() }
    }

    /// Finds all places reachable from the start with `keys`; returns whether they are at most `most`.
    fn search(&mut self, keys: Keys, most: usize, budget: &Budget<'_>) -> Result<bool, Stopped> {
        let (ways, begins) = self.ways();
        budget.memory((size_of_val(&ways[..]) + size_of_val(&begins[..])) as u64)?;
        self.find(self.program.start, keys);
        let mut looked_at = 0;
        while let Some((place, keys)) = self.places.get(looked_at).copied() {
            if self.places.len() > most {
                return Ok(false);
            }
            budget.step(Stage::Compiling, looked_at as u64, (self.places.len() - looked_at) as u64)?;
            for way in &ways[begins[place as usize]..begins[place as usize + 1]] {
                let is_there = way.unless.is_none_or(|(test, comes)| self.test(test, keys) != Test::Constant(comes));
                if is_there {
                    self.find(way.next, keys & way.kept | way.found);
                }
            }
            looked_at += 1;
        }
        Ok(true)
    }

    /// The successors of all places, and the index of the first of each place.
    fn ways(&self) -> (Vec<Way<'p>>, Vec<usize>) {
        let program = self.program;
        let (mut ways, mut begins) = (Vec::new(), Vec::with_capacity(program.steps.len() + 1));
        // A test that no key decides does not close a path.
        let decided = |(test, _): &(&Test, bool)| {
            let mut reads = false;
            test.reads(&mut |register| reads |= self.bit(register).is_some());
            reads || matches!(test.given(&|_| None), Test::Constant(_))
        };
        for (place, step) in program.places().zip(&program.steps) {
            begins.push(ways.len());
            step.ways(place, &mut |way| {
                let after = |keys| way.sets.iter().fold(keys, |keys, (own, value)| self.after(*own, value, keys));
                let (kept, found) = (after(Keys::MAX), after(0));
                ways.push(Way { unless: way.unless.filter(decided), kept, found, next: way.next });
            });
            // The notes of a place refer to further places.
            let notes = &program.notes;
            let partings = notes.partings.get(&place).map(|parting| [parting.left, parting.stayed]);
            let noted = notes.folds.get(&place).into_iter().copied().chain(partings.into_iter().flatten());
            ways.extend(noted.map(|next| Way { unless: None, kept: Keys::MAX, found: 0, next }));
        }
        begins.push(ways.len());
        (ways, begins)
    }

    /// Adds a reachable place.
    fn find(&mut self, place: Label, keys: Keys) {
        let key = (place, keys & self.masks[place as usize]);
        let places = &mut self.places;
        self.known.entry(key).or_insert_with(|| {
            places.push(key);
            // There are at most `MOST_PLACES` and the successors of one step.
            Label::try_from(places.len() - 1).unwrap_or(Label::MAX)
        });
    }

    /// The specialized program.
    fn program(&self, keys: Keys, budget: &Budget<'_>) -> Result<Program, Stopped> {
        let program = self.program;
        let steps = self.places.par_iter().with_min_len(FEW_STEPS).enumerate().map(|(own, (place, keys))| {
            budget.look()?;
            Ok(self.step(&program.steps[*place as usize], *place, *keys, own))
        });
        let steps = steps.collect::<Result<Vec<_>, Stopped>>()?;
        Ok(Program {
            sections: self.places.iter().map(|(place, _)| program.sections[*place as usize]).collect(),
            stages: program.stages.clone(),
            steps,
            start: self.place(program.start, keys),
            labels: program.labels.clone(),
            natives: program.natives.clone(),
            groups: program.groups.clone(),
            notes: self.notes(),
            sheet: program.sheet.clone(),
            layout: program.layout.clone(),
        })
    }

    fn bit(&self, register: Register) -> Option<u32> {
        self.bits[usize::from(register)]
    }

    /// The value, 0 or 1, of a register that is a key.
    fn known(&self, register: Register, keys: Keys) -> Option<i32> {
        self.bit(register).map(|bit| i32::from(keys >> bit & 1 == 1))
    }

    /// The new place for an original one.
    fn place(&self, place: Label, keys: Keys) -> Label {
        let found = self.known.get(&(place, keys & self.masks[place as usize])).copied();
        debug_assert!(found.is_some(), "the search comes wherever a step leads");
        found.unwrap_or(Label::MAX)
    }

    fn value(&self, value: &Value, keys: Keys) -> Value {
        value.given(&|register| self.known(register, keys))
    }

    fn test(&self, test: &Test, keys: Keys) -> Test {
        test.given(&|register| self.known(register, keys))
    }

    /// The keys after an assignment.
    fn after(&self, register: Register, value: &Value, keys: Keys) -> Keys {
        match (self.bit(register), value) {
            (Some(bit), Value::Constant(1..)) => keys | 1 << bit,
            (Some(bit), Value::Constant(_)) => keys & !(1 << bit),
            _ => keys,
        }
    }

    /// The specialized assignments and the keys after them.
    fn sets(&self, sets: &Sets, mut keys: Keys) -> (Sets, Keys) {
        let mut own = Vec::with_capacity(sets.len());
        for (register, value) in sets {
            let value = self.value(value, keys);
            keys = self.after(*register, &value, keys);
            own.push((*register, value));
        }
        (own.into(), keys)
    }

    /// The step at the new place `own`.
    fn step(&self, step: &Instruction, place: Label, keys: Keys, own: usize) -> Instruction {
        match step {
            Instruction::Set { sets, next } => {
                let (sets, after) = self.sets(sets, keys);
                Instruction::Set { sets, next: self.place(*next, after) }
            }
            Instruction::Branch { test, yes, no } => match self.test(test, keys) {
                Test::Constant(true) => Instruction::Jump(self.place(*yes, keys)),
                Test::Constant(false) => Instruction::Jump(self.place(*no, keys)),
                test => Instruction::Branch { test, yes: self.place(*yes, keys), no: self.place(*no, keys) },
            },
            Instruction::Ask(question) => {
                let mut answers = Vec::with_capacity(question.answers.len());
                for answer in &question.answers {
                    let test = self.test(&answer.test, keys);
                    if test == Test::Constant(false) {
                        continue;
                    }
                    let each = answer.each.as_ref().map(|each| Each {
                        register: each.register,
                        from: self.value(&each.from, keys),
                        to: self.value(&each.to, keys),
                        down: each.down,
                    });
                    let (sets, after) = self.sets(&answer.sets, keys);
                    let next = self.place(answer.leads_to(place), after);
                    let next = if next as usize == own { HERE } else { next };
                    let wastes = self.test(&answer.wastes, keys);
                    answers.push(Answer { label: answer.label, each, test, sets, next, wastes });
                }
                let otherwise = question.otherwise.map(|next| self.place(next, keys));
                Instruction::Ask(Question {
                    about: question.about,
                    distinct: question.distinct,
                    answers: answers.into(),
                    otherwise,
                })
            }
            Instruction::Chance { outcomes } => {
                let mut own = Vec::with_capacity(outcomes.len());
                for outcome in outcomes {
                    let weight = match outcome.weight {
                        Weight::Register(register) => match self.bit(register) {
                            Some(bit) => Weight::Number(u32::from(keys >> bit & 1 == 1)),
                            None => Weight::Register(register),
                        },
                        Weight::Holds(ref test) => match self.test(test, keys) {
                            Test::Constant(false) => continue,
                            test => Weight::Holds(Box::new(test)),
                        },
                        ref known => known.clone(),
                    };
                    let (sets, after) = self.sets(&outcome.sets, keys);
                    own.push(Outcome { weight, sets, next: self.place(outcome.next, after) });
                }
                Instruction::Chance { outcomes: own.into() }
            }
            Instruction::Fold(fold) => Instruction::Fold(Fold {
                native: fold.native,
                inputs: fold.inputs.iter().map(|input| self.value(input, keys)).collect(),
                outputs: fold.outputs.clone(),
                exits: fold.exits.iter().map(|exit| self.place(*exit, keys)).collect(),
                steps: self.place(fold.steps, keys),
            }),
            plain => {
                let mut plain = plain.clone();
                plain.places(|next| *next = self.place(*next, keys));
                plain
            }
        }
    }

    /// The notes of each new place, from those of the original one.
    fn notes(&self) -> Notes {
        let old = &self.program.notes;
        let mut notes = Notes::default();
        for (own, (place, keys)) in (0..).zip(&self.places) {
            let (place, keys) = (*place, *keys);
            if let Some(roll) = old.rolls.get(&place) {
                notes.rolls.insert(own, roll.clone());
            }
            if let Some(throw) = old.throws.get(&place) {
                notes.throws.insert(own, throw.clone());
            }
            if let Some(draw) = old.draws.get(&place) {
                notes.draws.insert(own, draw.clone());
            }
            if let Some(foes) = old.foes.get(&place) {
                notes.foes.insert(own, foes.clone());
            }
            if let Some(duel) = old.duels.get(&place) {
                let losses = duel.losses.iter().map(|(hero, enemy)| (self.value(hero, keys), self.value(enemy, keys)));
                let duel = Duel {
                    name: duel.name.clone(),
                    combat_skill: duel.combat_skill,
                    endurance: self.value(&duel.endurance, keys),
                    ratio: duel.ratio.as_ref().map(|ratio| self.value(ratio, keys)),
                    losses: losses.collect(),
                };
                notes.duels.insert(own, duel);
            }
            if let Some(fold) = old.folds.get(&place) {
                notes.folds.insert(own, self.place(*fold, keys));
            }
            if let Some(parting) = old.partings.get(&place) {
                let parting =
                    Parting { left: self.place(parting.left, keys), stayed: self.place(parting.stayed, keys) };
                notes.partings.insert(own, parting);
            }
            if let Some(matters) = old.actions.get(&place) {
                notes.actions.insert(own, self.test(matters, keys));
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests;
