//! Delayed actions: offers of actions that can be left out because they come again in time.
//!
//! A system of rules lets the player act between any two events: a question is asked there again and again until he goes on
//! ([`Notes::actions`]). An action does the same earlier or later, as long as nothing in between interacts with it. The
//! question can therefore be left out where every path offers the same actions again before a step that *conflicts* with them:
//! one that reads what an action writes, or writes what it reads or writes. An end conflicts with nothing, since acting before
//! it gains nothing.
//!
//! Values are preserved. There are fewer answers, so no value rises. And a player who would have acted at once can act later:
//! he remembers the actions he owes, plays on in the same way (no test, chance or number on the way depends on them), and takes
//! them at the next offer, where all that they read is unchanged. An action with a chance would break this, because the player
//! learns its outcome sooner by acting at once; such actions are not delayed, nor are those that can win or leave the section.
//!
//! Whether a conflict can come first is a test of the registers at the question. It is propagated backwards through the steps
//! and narrowed by branches. It reads nothing that the actions write, so it does not change as the player acts. If it grows too
//! large it is taken to be always true. Actions of one question are delayed together: with some done and others owed, their
//! order would change.

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use super::reachability::postorder;
use crate::program::{Answer, Decides, Edges, Instruction, Label, Program, Question, Reads, Register, Test};

/// Larger tests are taken to be always true.
const MOST_PARTS: usize = 32;
/// A test that has grown more often is taken to be always true.
const MOST_GROWTHS: u8 = 4;
/// Longer actions are not delayed.
const MOST_STEPS: usize = 64;
/// Stands for the action's own question when actions are compared.
const BACK: Label = Label::MAX - 1;

/// Finds for each question about actions the condition under which it must be asked, and notes it.
pub(crate) fn when_actions_matter(program: &mut Program, budget: &Budget<'_>) -> Result<(), Stopped> {
    let questions = Questions::of(program);
    if questions.actions.is_empty() {
        return Ok(());
    }
    let successors = Edges::successors(program);
    let order = postorder(program, &successors);
    let mut found: Vec<(Label, Test)> = Vec::new();
    let mut classes: Vec<&Vec<usize>> = questions.actions.values().collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let matters = Conflicts::new(program, &questions, class).found(&order, budget)?;
        let own = questions.actions.iter().filter(|(_, actions)| *actions == class);
        found.extend(own.filter_map(|(place, _)| {
            let (last, _) = acted(&program.steps[*place as usize])?;
            Some((*place, matters[last.next as usize].clone()))
        }));
    }
    program.notes.actions.extend(found);
    Ok(())
}

/// Removes the offers that can be left out, and the notes about them.
pub(crate) fn let_actions_wait(program: &mut Program) {
    for (place, matters) in std::mem::take(&mut program.notes.actions) {
        let step = &mut program.steps[place as usize];
        if matters == Test::Constant(false)
            && let Some((last, _)) = acted(step)
        {
            *step = Instruction::Jump(last.next);
            program.notes.foes.remove(&place);
        } else if let Instruction::Ask(question) = step
            && let Some((_, actions)) = question.answers.split_last_mut()
        {
            for action in actions {
                action.test = Test::both(matters.clone(), action.test.clone());
            }
        }
    }
}

/// The answer with which the player goes on, and the actions.
fn acted(step: &Instruction) -> Option<(&Answer, &[Answer])> {
    let Instruction::Ask(Question { answers, otherwise: None, .. }) = step else { return None };
    let (last, actions) = answers.split_last()?;
    let goes_on = last.test == Test::ALWAYS && last.each.is_none() && last.sets.is_empty();
    (goes_on && !actions.is_empty()).then_some((last, actions))
}

/// The questions whose actions can be delayed.
struct Questions {
    /// The actions that each question offers: sorted indexes.
    actions: FxHashMap<Label, Vec<usize>>,
    /// The registers that each action reads, and those that it writes.
    registers: Vec<[Vec<bool>; 2]>,
}

impl Questions {
    fn of(program: &Program) -> Self {
        let mut own = Self { actions: FxHashMap::default(), registers: Vec::new() };
        let mut known: FxHashMap<Vec<Instruction>, usize> = FxHashMap::default();
        for place in program.notes.actions.keys() {
            let Some((_, answers)) = acted(&program.steps[*place as usize]) else { continue };
            let steps = answers.iter().map(|answer| action(program, *place, answer));
            let Some(steps) = steps.collect::<Option<Vec<_>>>() else { continue };
            let mut numbers: Vec<usize> = Vec::with_capacity(steps.len());
            for steps in steps {
                let new = own.registers.len();
                let number = *known.entry(steps).or_insert_with_key(|steps| {
                    own.registers.push(registers(program, steps));
                    new
                });
                numbers.push(number);
            }
            numbers.sort_unstable();
            own.actions.insert(*place, numbers);
        }
        own
    }
}

/// The steps of an action, comparable between questions; `None` if it does more than change numbers and return.
fn action(program: &Program, question: Label, answer: &Answer) -> Option<Vec<Instruction>> {
    let mut places = Vec::new();
    let begin = Answer { label: 0, wastes: Test::Constant(false), ..answer.clone() };
    let begin = Question { about: None, distinct: false, answers: [begin].into(), otherwise: None };
    let mut steps = vec![Instruction::Ask(begin)];
    let mut next = 0;
    while let Some(step) = steps.get_mut(next) {
        let mut is_short = true;
        step.places(|to| {
            if *to == question {
                *to = BACK;
            } else {
                let known = places.iter().position(|place| place == to).unwrap_or_else(|| {
                    places.push(*to);
                    places.len() - 1
                });
                is_short &= known < MOST_STEPS;
                *to = Label::try_from(known + 1).unwrap_or(BACK);
            }
        });
        if !is_short {
            return None;
        }
        next += 1;
        if let Some(place) = places.get(next - 1) {
            let own = program.steps[*place as usize].clone().without_labels();
            let waits = matches!(
                own,
                Instruction::Jump(_)
                    | Instruction::Set { .. }
                    | Instruction::Branch { .. }
                    | Instruction::Ask(_)
                    | Instruction::Death
                    | Instruction::Stuck
            );
            steps.push(waits.then_some(own)?);
        }
    }
    Some(steps)
}

/// The registers that steps read, and those that they write.
fn registers(program: &Program, steps: &[Instruction]) -> [Vec<bool>; 2] {
    let mut both = [vec![false; program.layout.registers()], vec![false; program.layout.registers()]];
    let [read, written] = &mut both;
    for step in steps {
        reads(step, &mut |register| read[usize::from(register)] = true);
        writes(step, &mut |register| written[usize::from(register)] = true);
    }
    both
}

/// Visits the registers that a step reads.
fn reads(step: &Instruction, visit: &mut dyn FnMut(Register)) {
    step.decides(&mut |decides| match decides {
        Decides::Test(test) => test.reads(visit),
        Decides::Number(value) => value.reads(visit),
        Decides::Register(register) => visit(register),
    });
    step.ways(0, &mut |way| way.sets.iter().for_each(|(_, value)| value.reads(visit)));
}

/// Visits the registers that a step writes.
fn writes(step: &Instruction, visit: &mut dyn FnMut(Register)) {
    step.ways(0, &mut |way| {
        way.written.iter().for_each(|register| visit(*register));
        way.sets.iter().for_each(|(register, _)| visit(*register));
    });
}

/// The analysis for one set of actions: when a conflict can come before the next offer.
struct Conflicts<'p> {
    program: &'p Program,
    /// For each place whether it conflicts or offers the actions again.
    at: Vec<Here>,
    /// For each place the condition under which a conflict can come first.
    matters: Vec<Test>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Here {
    Conflict,
    Offered,
    Other,
}

impl<'p> Conflicts<'p> {
    fn new(program: &'p Program, questions: &Questions, class: &[usize]) -> Self {
        let of = |which: usize, register: Register| {
            class.iter().any(|action| questions.registers[*action][which][usize::from(register)])
        };
        let here = |(place, step): (Label, &Instruction)| {
            let offers = |actions: &Vec<usize>| class.iter().all(|own| actions.contains(own));
            if questions.actions.get(&place).is_some_and(offers) {
                return Here::Offered;
            }
            let mut conflicts = matches!(step, Instruction::Fold(_));
            reads(step, &mut |register| conflicts |= of(1, register));
            writes(step, &mut |register| conflicts |= of(0, register) || of(1, register));
            if conflicts { Here::Conflict } else { Here::Other }
        };
        let at = program.places().zip(&program.steps).map(here).collect();
        Self { program, at, matters: vec![Test::Constant(false); program.steps.len()] }
    }

    /// The fixed point of the condition at each place; `order` has successors first.
    fn found(mut self, order: &[Label], budget: &Budget<'_>) -> Result<Vec<Test>, Stopped> {
        let mut growths = vec![0u8; order.len()];
        let mut grows = true;
        while grows {
            grows = false;
            for place in order {
                let at = *place as usize;
                budget.step(Stage::Compiling, order.len() as u64, 0)?;
                let matters = self.before(*place);
                if matters != self.matters[at] {
                    growths[at] += 1;
                    let whole = growths[at] > MOST_GROWTHS || matters.nodes() > MOST_PARTS;
                    self.matters[at] = if whole { Test::ALWAYS } else { matters };
                    grows = true;
                }
            }
        }
        Ok(self.matters)
    }

    /// The condition at a place, from those of its successors.
    fn before(&self, place: Label) -> Test {
        match self.at[place as usize] {
            Here::Conflict => return Test::ALWAYS,
            Here::Offered => return Test::Constant(false),
            Here::Other => {}
        }
        if self.matters[place as usize] == Test::ALWAYS {
            return Test::ALWAYS;
        }
        let layout = &self.program.layout;
        let mut matters = Test::Constant(false);
        self.program.steps[place as usize].ways(place, &mut |way| {
            let after = self.matters[way.next as usize].before(way.sets, layout);
            // A number that the player chooses is not known in advance.
            let after =
                if way.written.iter().any(|register| after.depends_on(*register)) { Test::ALWAYS } else { after };
            let is_there = match way.unless {
                Some((test, false)) if way.written.is_empty() => test.clone(),
                Some((test, true)) => test.clone().negated(),
                _ => Test::ALWAYS,
            };
            matters = either(&matters, both(is_there, after));
        });
        matters
    }
}

/// The conjunction, without duplicates.
fn both(left: Test, right: Test) -> Test {
    if left == right { left } else { Test::both(left, right) }
}

/// The disjunction, without duplicates; always true for a test and its negation.
fn either(left: &Test, right: Test) -> Test {
    let mut open = vec![left];
    while let Some(test) = open.pop() {
        match test {
            Test::Or(one, other) => open.extend([&**one, &**other]),
            test if *test == right => return left.clone(),
            test if *test == right.clone().negated() || test.clone().negated() == right => return Test::ALWAYS,
            _ => {}
        }
    }
    Test::either(left.clone(), right)
}

#[cfg(test)]
mod tests;
