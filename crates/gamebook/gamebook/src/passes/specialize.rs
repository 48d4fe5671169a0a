//! Splitting a program by what the hero is known to have.
//!
//! Flags and special items are few, and the tests on them shape the book: who has the spear goes
//! one way, who has not goes another. So each place is split into one for every combination of
//! such registers with which play can come there (and which can still matter there). Tests on them
//! vanish, and whatever is found out about a place afterwards (what can still matter, whether the
//! book can still be won) is found out for each combination apart. Where there are too many
//! combinations for that, places are split by fewer registers.

use budget::{Budget, Stage, Stopped};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Answer, Duel, Each, FEW_STEPS, Fold, HERE, Instruction, Notes, Outcome, Parting, Place, Program, Question, Reads,
    Register, Sets, State, Test, Value, Weight,
};

/// More places than this are not made: places are split by fewer registers then.
const MOST_PLACES: usize = 1 << 17;

/// What the registers hold by which places are split: a bit for each.
type Keys = u64;

/// Splits `program` for play that begins in `start`; says also of which place each is a part. `live` says of a place and a
/// register whether it can matter there. A program that has too many places as it is stays so: `None`.
pub(crate) fn split(
    program: &Program,
    start: &State,
    live: impl Fn(Place, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<(Program, Vec<Place>)>, Stopped> {
    split_within(MOST_PLACES, program, start, live, budget)
}

/// The same where no more places than these are made.
fn split_within(
    most: usize,
    program: &Program,
    start: &State,
    live: impl Fn(Place, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<(Program, Vec<Place>)>, Stopped> {
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

/// The keys of those registers of which something is so.
fn keys_of(registers: &[Register], is_so: impl Fn(Register) -> bool) -> Keys {
    let own = (0..).zip(registers).filter(|(_, register)| is_so(**register));
    own.fold(0, |keys, (bit, _): (u32, _)| keys | 1 << bit)
}

/// So many times fewer of the places that were found are to be left: others are found then.
const FEWER: usize = 2;

/// By which keys to split where there are too many places. One after another is left out, always the one by which most of the
/// places that were found are split: what hardly anybody has without something else, or has only for a while, splits few.
fn keys_left(places: Vec<(Place, Keys)>, registers: usize, budget: &Budget<'_>) -> Result<Keys, Stopped> {
    let most = places.len() / FEWER;
    let mut places: FxHashSet<(Place, Keys)> = places.into_iter().collect();
    let mut left = (0..registers).fold(0, |left, bit| left | 1 << bit);
    while places.len() > most {
        let mut worst: Option<(usize, Keys)> = None;
        for bit in (0..registers).map(|bit| 1 << bit).filter(|bit| left & bit != 0) {
            budget.step(Stage::Compiling, places.len() as u64, 0)?;
            let is_split = |(place, keys): &&(Place, Keys)| keys & bit != 0 && places.contains(&(*place, keys & !bit));
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

/// The registers that hold 0 or 1, and into which nothing but a known number is ever put.
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

/// One way on, as far as it has to do with what places are split by.
struct Way<'p> {
    /// It is not there where this test comes out so.
    unless: Option<(&'p Test, bool)>,
    /// What he has after it who had everything before.
    kept: Keys,
    /// What he has after it who had nothing before.
    found: Keys,
    next: Place,
}

struct Splitter<'p> {
    program: &'p Program,
    /// The bit of each register that is split by.
    bits: Vec<Option<u32>>,
    /// What can matter at each place.
    masks: Vec<Keys>,
    /// The new places: the old one, and what he has there.
    places: Vec<(Place, Keys)>,
    known: FxHashMap<(Place, Keys), Place>,
}

impl<'p> Splitter<'p> {
    fn new(program: &'p Program, registers: &[Register], live: impl Fn(Place, Register) -> bool) -> Self {
        let mut bits = vec![None; program.layout.registers()];
        for (bit, register) in (0..).zip(registers) {
            bits[usize::from(*register)] = Some(bit);
        }
        let masks = program.places().map(|place| keys_of(registers, |register| live(place, register))).collect();
        Self { program, bits, masks, places: Vec::new(), known: FxHashMap::default() }
    }

    /// Finds all places to which play comes from the start, where he has `keys`; whether they are no more than `most`.
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

    /// The ways on from all places, one place after another, and where those of each place begin.
    fn ways(&self) -> (Vec<Way<'p>>, Vec<usize>) {
        let program = self.program;
        let (mut ways, mut begins) = (Vec::new(), Vec::with_capacity(program.steps.len() + 1));
        // A test that nothing known decides does not close a way.
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
            // What is noted of a place names others.
            let notes = &program.notes;
            let partings = notes.partings.get(&place).map(|parting| [parting.left, parting.stayed]);
            let noted = notes.folds.get(&place).into_iter().copied().chain(partings.into_iter().flatten());
            ways.extend(noted.map(|next| Way { unless: None, kept: Keys::MAX, found: 0, next }));
        }
        begins.push(ways.len());
        (ways, begins)
    }

    /// A place to which play comes.
    fn find(&mut self, place: Place, keys: Keys) {
        let key = (place, keys & self.masks[place as usize]);
        let places = &mut self.places;
        self.known.entry(key).or_insert_with(|| {
            places.push(key);
            // There are no more than `MOST_PLACES` and what one step leads to.
            Place::try_from(places.len() - 1).unwrap_or(Place::MAX)
        });
    }

    /// The program split at the places that were found.
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

    /// What a register holds that is split by: 0 or 1.
    fn known(&self, register: Register, keys: Keys) -> Option<i32> {
        self.bit(register).map(|bit| i32::from(keys >> bit & 1 == 1))
    }

    /// The number of a place that was found.
    fn place(&self, place: Place, keys: Keys) -> Place {
        let found = self.known.get(&(place, keys & self.masks[place as usize])).copied();
        debug_assert!(found.is_some(), "the search comes wherever a step leads");
        found.unwrap_or(Place::MAX)
    }

    fn value(&self, value: &Value, keys: Keys) -> Value {
        value.given(&|register| self.known(register, keys))
    }

    fn test(&self, test: &Test, keys: Keys) -> Test {
        test.given(&|register| self.known(register, keys))
    }

    /// What he has when this is put into a register.
    fn after(&self, register: Register, value: &Value, keys: Keys) -> Keys {
        match (self.bit(register), value) {
            (Some(bit), Value::Constant(1..)) => keys | 1 << bit,
            (Some(bit), Value::Constant(_)) => keys & !(1 << bit),
            _ => keys,
        }
    }

    /// What is put into registers, and what he has then.
    fn sets(&self, sets: &Sets, mut keys: Keys) -> (Sets, Keys) {
        let mut own = Vec::with_capacity(sets.len());
        for (register, value) in sets {
            let value = self.value(value, keys);
            keys = self.after(*register, &value, keys);
            own.push((*register, value));
        }
        (own.into(), keys)
    }

    /// The step `own` of the new program.
    fn step(&self, step: &Instruction, place: Place, keys: Keys, own: usize) -> Instruction {
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
                next: self.place(fold.next, keys),
                steps: self.place(fold.steps, keys),
            }),
            plain => {
                let mut plain = plain.clone();
                plain.places(|next| *next = self.place(*next, keys));
                plain
            }
        }
    }

    /// What is noted of a place is noted of what becomes of it.
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
