//! Relaxation: an easier game, in which the player need not remember everything. Its value is an upper bound.
//!
//! Where a number is forgotten, the player answers every question about it: he says whether a test of it holds, or what it is,
//! within the range of the number. A player of the original game can give the true answers, so optimal play of the relaxed game
//! wins at least as often. Books that are too large to be solved get an upper bound in this way, as they get a lower bound from
//! a policy.
//!
//! A number that decides a chance or the hero's health cannot be forgotten: the player could choose his luck.

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use crate::program::{
    Answer, Each, HERE, Instruction, LAST_PLACE, Label, Layout, Outcome, Program, Question, Reads, Register, Sets,
    Starting, Test, Value, Weight,
};
use crate::terms::{Comparison, Operator, SectionNumber};

/// A set of forgotten numbers, one bit each.
type Forgotten = u64;

/// The most numbers that can be forgotten: each has a bit.
const MOST_FORGOTTEN: usize = Forgotten::BITS as usize;

/// Why a game cannot be relaxed.
pub(crate) enum RelaxError {
    /// It would have too many places from this section on.
    TooLarge { section: SectionNumber },
    /// A number to be forgotten decides a chance or the hero's health in this section.
    Forgotten { section: SectionNumber, name: String },
    /// The computation was stopped or reached a limit.
    Stopped(Stopped),
}

impl From<Stopped> for RelaxError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// The game with the named numbers forgotten, each in the whole book or from a section on.
pub(crate) fn relax(
    starting: Starting,
    forgets: &[(&str, Option<SectionNumber>)],
    budget: &Budget<'_>,
) -> Result<Starting, RelaxError> {
    let Starting { program, mut state } = starting;
    let mut registers: Vec<Register> = Vec::new();
    let mut open = vec![0; program.steps.len()];
    for (name, from) in forgets.iter().take(MOST_FORGOTTEN) {
        for register in named(&program, name) {
            let known = registers.iter().position(|own| *own == register);
            // A number of the book may have the name of an internal one. Fewer forgotten numbers keep the bound valid.
            if known.is_none() && registers.len() == MOST_FORGOTTEN {
                continue;
            }
            let place = known.unwrap_or(registers.len());
            if known.is_none() {
                registers.push(register);
            }
            open_from(&program, *from, 1 << place, &mut open, budget)?;
        }
    }
    let mut relaxed = Relaxed { known: FxHashMap::default(), labels: None, program, registers, open };
    let begins = relaxed.open[relaxed.program.start as usize];
    for register in relaxed.those(begins) {
        let (least, _) = relaxed.program.layout.range(register);
        relaxed.program.layout.set(&mut state, register, least);
    }
    for place in relaxed.program.places() {
        budget.step(Stage::Compiling, place.into(), 0)?;
        relaxed.step(place)?;
    }
    Ok(Starting { program: relaxed.program, state })
}

/// The registers with a name, except the hero's health and those of fights.
fn named(program: &Program, name: &str) -> Vec<Register> {
    let layout = &program.layout;
    let vital = program.sheet.vital();
    let may = |own: &Register| Some(*own) != vital && !program.sheet.fight.contains(own) && layout.name(*own) == name;
    (0..=Register::MAX).take(layout.registers()).filter(may).collect()
}

/// Marks all places that are reachable from a section, or all places.
fn open_from(
    program: &Program,
    from: Option<SectionNumber>,
    bit: Forgotten,
    open: &mut [Forgotten],
    budget: &Budget<'_>,
) -> Result<(), RelaxError> {
    let begins = |place: &Label| {
        let here = program.sections[*place as usize];
        from.is_none_or(|from| from == here && matches!(program.steps[*place as usize], Instruction::Enter { .. }))
    };
    let mut waits: Vec<Label> = program.places().filter(begins).collect();
    if from.is_some_and(|from| program.sections[program.start as usize] == from) {
        waits.push(program.start);
    }
    let mut next = Vec::new();
    while let Some(place) = waits.pop() {
        budget.step(Stage::Compiling, place.into(), 0)?;
        let own = &mut open[place as usize];
        if *own & bit == 0 {
            *own |= bit;
            next.clear();
            program.steps[place as usize].successors(place, &mut next);
            waits.extend(next.iter().filter(|next| open[**next as usize] & bit == 0));
        }
    }
    Ok(())
}

struct Relaxed {
    program: Program,
    registers: Vec<Register>,
    /// The numbers forgotten at each place: at least those of its predecessors.
    open: Vec<Forgotten>,
    /// The steps that were added, by section.
    known: FxHashMap<(SectionNumber, Instruction), Label>,
    /// The labels of the added answers.
    labels: Option<[u32; 3]>,
}

impl Relaxed {
    fn those(&self, forgotten: Forgotten) -> Vec<Register> {
        let those = (0..).zip(&self.registers).filter(|(bit, _)| forgotten & 1 << bit != 0);
        those.map(|(_, register)| *register).collect()
    }

    /// Relaxes a step.
    fn step(&mut self, place: Label) -> Result<(), RelaxError> {
        let mut leads_to = Vec::new();
        self.program.steps[place as usize].successors(place, &mut leads_to);
        let forgotten = self.open[place as usize];
        if forgotten == 0 && leads_to.iter().all(|next| self.open[*next as usize] == 0) {
            return Ok(());
        }
        let section = self.program.sections[place as usize];
        let here = Here { registers: self.those(forgotten), section, forgotten };
        let step = self.program.steps[place as usize].clone();
        let kinder = match step {
            Instruction::Jump(next) => Instruction::Jump(self.to(&here, next)?),
            Instruction::Enter { next } => Instruction::Enter { next: self.to(&here, next)? },
            Instruction::Leave { section, next } => Instruction::Leave { section, next: self.to(&here, next)? },
            Instruction::Set { sets, next } => {
                if here.knows_all(&sets) {
                    Instruction::Set { sets: here.kept(&sets), next: self.to(&here, next)? }
                } else {
                    Instruction::Jump(self.set(&here, &sets, next)?)
                }
            }
            Instruction::Branch { test, yes, no } => {
                let (yes, no) = (self.to(&here, yes)?, self.to(&here, no)?);
                self.branch(&here, test, yes, no)
            }
            Instruction::Ask(question) => Instruction::Ask(self.question(&here, place, question)?),
            Instruction::Chance { outcomes } => {
                let outcome = |own: Outcome| {
                    let decides = match &own.weight {
                        Weight::Register(register) => here.registers.contains(register).then_some(*register),
                        Weight::Holds(test) => here.reads(&**test),
                        Weight::Number(_) | Weight::Large(_) | Weight::BySkill(_) => None,
                    };
                    if let Some(register) = decides {
                        return Err(self.refused(&here, register));
                    }
                    let (sets, next) = self.way(&here, &own.sets, own.next)?;
                    Ok(Outcome { weight: own.weight, sets, next })
                };
                Instruction::Chance { outcomes: outcomes.into_iter().map(outcome).collect::<Result<_, _>>()? }
            }
            Instruction::Fold(mut fold) => {
                let forgets = |next: Label| self.open[next as usize] != forgotten;
                let is_read = fold.inputs.iter().any(|input| here.reads(input).is_some());
                if is_read || fold.outputs.iter().any(|own| here.registers.contains(own)) || forgets(fold.steps) {
                    Instruction::Jump(self.to(&here, fold.steps)?)
                } else {
                    for exit in &mut fold.exits {
                        *exit = self.to(&here, *exit)?;
                    }
                    Instruction::Fold(fold)
                }
            }
            Instruction::Death | Instruction::Victory | Instruction::Stuck => step,
        };
        if matches!(self.program.steps[place as usize], Instruction::Fold(_)) && !matches!(kinder, Instruction::Fold(_))
        {
            self.program.notes.folds.retain(|_, fold| *fold != place);
        }
        if self.program.steps[place as usize] != kinder {
            self.program.notes.partings.remove(&place);
            self.program.notes.actions.remove(&place);
        }
        self.program.steps[place as usize] = kinder;
        Ok(())
    }

    /// Adds a step, unless the section already has the same.
    fn emit(&mut self, section: SectionNumber, step: Instruction) -> Result<Label, RelaxError> {
        let key = (section, step);
        if let Some(place) = self.known.get(&key) {
            return Ok(*place);
        }
        let place = Label::try_from(self.program.steps.len()).ok().filter(|place| *place <= LAST_PLACE);
        let place = place.ok_or(RelaxError::TooLarge { section })?;
        self.program.steps.push(key.1.clone());
        self.program.sections.push(section);
        self.known.insert(key, place);
        Ok(place)
    }

    /// A place before `next` that clears the registers which are forgotten from there on.
    fn to(&mut self, here: &Here, next: Label) -> Result<Label, RelaxError> {
        let forgets = self.those(self.open_at(next, here) & !here.forgotten);
        if forgets.is_empty() {
            return Ok(next);
        }
        let least = |register: Register| (register, Value::Constant(self.program.layout.range(register).0));
        let sets = forgets.into_iter().map(least).collect();
        self.emit(here.section, Instruction::Set { sets, next })
    }

    /// The numbers forgotten at a place; for an added place, those of its origin.
    fn open_at(&self, place: Label, here: &Here) -> Forgotten {
        self.open.get(place as usize).copied().unwrap_or(here.forgotten)
    }

    /// The assignments of a path and its target.
    fn way(&mut self, here: &Here, sets: &[(Register, Value)], next: Label) -> Result<(Sets, Label), RelaxError> {
        if here.knows_all(sets) {
            Ok((here.kept(sets), self.to(here, next)?))
        } else {
            Ok(([].into(), self.set(here, sets, next)?))
        }
    }

    /// Assigns what is known, and asks the player for values that depend on forgotten numbers.
    fn set(&mut self, here: &Here, sets: &[(Register, Value)], next: Label) -> Result<Label, RelaxError> {
        let open = |(register, value): &(Register, Value)| {
            if here.registers.contains(register) { None } else { here.reads(value) }
        };
        let first = sets.iter().position(|own| open(own).is_some());
        let (before, then) = match first.map(|first| (sets.split_at(first), &sets[first])) {
            None => (sets, self.to(here, next)?),
            Some(((before, rest), own)) => {
                let (register, value) = own;
                if self.program.sheet.vital() == Some(*register) {
                    return Err(self.refused(here, open(own).unwrap_or(*register)));
                }
                let next = self.set(here, &rest[1..], next)?;
                let layout = &self.program.layout;
                let (least, most) = layout.range(*register);
                let within = |value: Value| value.max(Value::Constant(least)).min(Value::Constant(most));
                let (from, to) = (within(here.least(value, layout)), within(here.most(value, layout)));
                let each = Some(Each { register: *register, from, to, down: true });
                let [_, _, number] = self.labels();
                let answer = Answer { each, ..answer(number, Test::ALWAYS, next) };
                (before, self.emit(here.section, Instruction::Ask(question(vec![answer])))?)
            }
        };
        let kept = here.kept(before);
        if kept.is_empty() { Ok(then) } else { self.emit(here.section, Instruction::Set { sets: kept, next: then }) }
    }

    fn branch(&mut self, here: &Here, test: Test, yes: Label, no: Label) -> Instruction {
        if here.reads(&test).is_none() {
            return Instruction::Branch { test, yes, no };
        }
        let layout = &self.program.layout;
        match (here.may(&test, layout), here.may_not(&test, layout)) {
            (may, Test::Constant(false)) if may != Test::Constant(false) => Instruction::Jump(yes),
            (Test::Constant(false), _) => Instruction::Jump(no),
            (holds, does_not) => {
                let [says_yes, says_no, _] = self.labels();
                Instruction::Ask(question(vec![answer(says_yes, holds, yes), answer(says_no, does_not, no)]))
            }
        }
    }

    fn question(&mut self, here: &Here, place: Label, own: Question) -> Result<Question, RelaxError> {
        let mut answers = Vec::with_capacity(own.answers.len());
        // The test that no answer is possible.
        let mut none = Test::ALWAYS;
        let mut is_read = false;
        for mut answer in own.answers {
            if let Some(each) = &answer.each
                && here.registers.contains(&each.register)
            {
                return Err(self.refused(here, each.register));
            }
            let layout = &self.program.layout;
            let mut possible = answer.test.clone();
            if let Some(each) = &mut answer.each {
                // It is not known whether any number of its range is possible.
                possible = match possible {
                    Test::Constant(true) => Test::compare(Comparison::AtMost, each.from.clone(), each.to.clone()),
                    _ => Test::Constant(false),
                };
                is_read |= here.reads(&each.from).or(here.reads(&each.to)).is_some();
                (each.from, each.to) = (here.least(&each.from, layout), here.most(&each.to, layout));
            }
            none = Test::both(none, here.may_not(&possible, layout));
            if here.reads(&answer.test).is_some() {
                is_read = true;
                answer.test = here.may(&answer.test, layout);
            }
            answer.wastes = Test::Constant(false);
            let (sets, to) = self.way(here, &answer.sets, answer.leads_to(place))?;
            let comes_back = answer.next == HERE && to == place;
            // An answer that only discards a forgotten item does nothing.
            let does_nothing = comes_back && sets.is_empty() && answer.each.is_none();
            if answer.test != Test::Constant(false) && !does_nothing {
                answers.push(Answer { sets, next: if comes_back { HERE } else { to }, ..answer });
            }
        }
        let mut otherwise = own.otherwise.map(|next| self.to(here, next)).transpose()?;
        if let Some(next) = otherwise.filter(|_| is_read) {
            let [_, says_no, _] = self.labels();
            answers.push(answer(says_no, none, next));
            otherwise = None;
        }
        Ok(Question { answers: answers.into(), otherwise, ..own })
    }

    fn labels(&mut self) -> [u32; 3] {
        *self.labels.get_or_insert_with(|| {
            ["say that it is so", "say that it is not so", "say how much it is"].map(|label| {
                self.program.labels.push(label.into());
                // There are fewer labels than places.
                u32::try_from(self.program.labels.len() - 1).unwrap_or(u32::MAX)
            })
        })
    }

    fn refused(&self, here: &Here, register: Register) -> RelaxError {
        RelaxError::Forgotten { section: here.section, name: self.program.layout.name(register).into() }
    }
}

fn question(answers: Vec<Answer>) -> Question {
    Question { about: None, distinct: false, answers: answers.into(), otherwise: None }
}

fn answer(label: u32, test: Test, next: Label) -> Answer {
    Answer { label, each: None, test, sets: [].into(), next, wastes: Test::Constant(false) }
}

/// The context of a step: its section and the numbers forgotten there.
struct Here {
    registers: Vec<Register>,
    section: SectionNumber,
    forgotten: Forgotten,
}

impl Here {
    /// A forgotten register that is read.
    fn reads(&self, reads: &(impl Reads + ?Sized)) -> Option<Register> {
        self.registers.iter().copied().find(|register| reads.depends_on(*register))
    }

    /// Whether no remembered register is assigned a forgotten value.
    fn knows_all(&self, sets: &[(Register, Value)]) -> bool {
        sets.iter().all(|(register, value)| self.registers.contains(register) || self.reads(value).is_none())
    }

    /// The assignments to remembered registers.
    fn kept(&self, sets: &[(Register, Value)]) -> Sets {
        sets.iter().filter(|(register, _)| !self.registers.contains(register)).cloned().collect()
    }

    /// A lower bound of a value.
    fn least(&self, value: &Value, layout: &Layout) -> Value {
        self.end(value, layout, false)
    }

    /// An upper bound of a value.
    fn most(&self, value: &Value, layout: &Layout) -> Value {
        self.end(value, layout, true)
    }

    /// An upper or lower bound of a value, not necessarily attained.
    fn end(&self, value: &Value, layout: &Layout, most: bool) -> Value {
        if self.reads(value).is_none() {
            return value.clone();
        }
        let of = |(least, largest): (i32, i32)| Value::Constant(if most { largest } else { least });
        match value {
            Value::Register(register) => of(layout.range(*register)),
            Value::Operation(Operator::Minus, left, right) => {
                Value::operation(Operator::Minus, self.end(left, layout, most), self.end(right, layout, !most))
            }
            Value::Operation(operator @ (Operator::Plus | Operator::Min | Operator::Max), left, right) => {
                Value::operation(*operator, self.end(left, layout, most), self.end(right, layout, most))
            }
            Value::Half(inner) => self.end(inner, layout, most).half(),
            Value::Holds(test) if most => Value::holds(self.may(test, layout)),
            Value::Holds(test) => Value::holds(self.may_not(test, layout).negated()),
            Value::Sum(registers) => {
                let (open, known): (Vec<Register>, Vec<Register>) =
                    registers.iter().partition(|own| self.registers.contains(own));
                let sum = Value::Sum(open.into()).range(layout);
                let known = if known.is_empty() { Value::Constant(0) } else { Value::Sum(known.into()) };
                known.plus(of(sum))
            }
            Value::Constant(_) | Value::Operation(..) | Value::Lookup(..) => of(value.range(layout)),
        }
    }

    /// Whether a test may hold: over-approximated.
    fn may(&self, test: &Test, layout: &Layout) -> Test {
        self.may_be(test, layout, true)
    }

    /// Whether a test may fail: over-approximated.
    fn may_not(&self, test: &Test, layout: &Layout) -> Test {
        self.may_be(test, layout, false)
    }

    fn may_be(&self, test: &Test, layout: &Layout, wanted: bool) -> Test {
        if self.reads(test).is_none() {
            return if wanted { test.clone() } else { test.clone().negated() };
        }
        match test {
            Test::Constant(holds) => Test::Constant(*holds == wanted),
            Test::Not(inner) => self.may_be(inner, layout, !wanted),
            Test::And(left, right) | Test::Or(left, right) => {
                let (left, right) = (self.may_be(left, layout, wanted), self.may_be(right, layout, wanted));
                if matches!(test, Test::And(..)) == wanted {
                    Test::both(left, right)
                } else {
                    Test::either(left, right)
                }
            }
            Test::Compare(comparison, left, right) => {
                let comparison = if wanted { *comparison } else { comparison.negated() };
                let (least, most) = (|own: &Value| self.least(own, layout), |own: &Value| self.most(own, layout));
                match comparison {
                    Comparison::AtLeast | Comparison::More => Test::compare(comparison, most(left), least(right)),
                    Comparison::AtMost | Comparison::Less => Test::compare(comparison, least(left), most(right)),
                    Comparison::Equal => Test::both(
                        Test::compare(Comparison::AtLeast, most(left), least(right)),
                        Test::compare(Comparison::AtMost, least(left), most(right)),
                    ),
                    Comparison::NotEqual => Test::either(
                        Test::compare(Comparison::NotEqual, most(left), least(right)),
                        Test::compare(Comparison::NotEqual, least(left), most(right)),
                    ),
                }
            }
        }
    }
}
