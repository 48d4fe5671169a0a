//! Questions to the player, and policies that answer them for him.

use super::{Env, Lowered, Lowering};
use crate::book::{Choice, NodeKind, SectionNumber};
use crate::program::{Answer, Each, Instruction, Outcome, Place, Question, Test, Value, Weight};
use crate::rules::{Action, ActionTime, PolicyKind, PolicyRule};

/// A choice between more numbers than this is not left to chance.
const MOST_RANDOM: i64 = 300;

/// An answer before policies are asked.
#[derive(Clone)]
pub(super) struct Draft {
    pub label: String,
    pub each: Option<Each>,
    pub test: Test,
    pub next: Place,
    /// The section to which it leads at once.
    pub section: Option<SectionNumber>,
}

impl Draft {
    pub(super) fn new(label: String, test: Test, next: Place) -> Self {
        Self { label, each: None, test, next, section: None }
    }
}

impl<'a> Lowering<'a> {
    /// A question of the author's.
    pub(super) fn choices(&mut self, choices: &'a [Choice], env: &Env<'a>, next: Place) -> Lowered {
        let mut answers = Vec::new();
        for choice in choices {
            let section = choice.body.last().and_then(|last| match last.kind {
                NodeKind::Goto(section) => Some(section),
                _ => None,
            });
            let mut inner = env.clone();
            let each = match &choice.each {
                Some((local, from, to)) => {
                    let (least, most) = (self.range(from, env)?.0, self.range(to, env)?.1);
                    let (from, to) = (self.value(from, env)?, self.value(to, env)?);
                    let register = self.bind(&mut inner, *local, least, most.max(least))?;
                    Some(Each { register, from, to, down: false })
                }
                None => None,
            };
            let test = self.test(&choice.require, &inner)?;
            if test == Test::Constant(false) {
                continue;
            }
            let place = self.block(&choice.body, &inner, next)?;
            let label = match (choice.label.is_empty(), section) {
                (false, _) => choice.label.clone(),
                (true, Some(section)) => format!("to {}", self.section_name(section)),
                (true, None) => "go on".into(),
            };
            answers.push(Draft { label, each, test, next: place, section });
        }
        self.ask(answers, env)
    }

    fn section_name(&self, section: SectionNumber) -> String {
        self.system.sections.get(&section).cloned().unwrap_or_else(|| section.to_string())
    }

    /// A question, answered as far as the policy says.
    pub(super) fn ask(&mut self, answers: Vec<Draft>, env: &Env<'a>) -> Lowered {
        self.decide(self.policy, answers, env)
    }

    fn decide(&mut self, rules: &'a [PolicyRule], mut answers: Vec<Draft>, env: &Env<'a>) -> Lowered {
        answers.retain(|answer| answer.test != Test::Constant(false));
        if let [Draft { test: Test::Constant(true), each: None, next, .. }] = &answers[..] {
            return Ok(*next);
        }
        let Some((rule, rest)) = rules.split_first() else { return self.question(answers) };
        let here = rule.section.is_none_or(|section| section == self.section)
            && rule.event.is_none_or(|event| env.event == Some(event));
        // A rule that asks for a name means nothing where there is none of that name.
        let when = if here { self.test(&rule.when, env).ok() } else { None };
        let Some(when) = when.filter(|when| *when != Test::Constant(false)) else {
            return self.decide(rest, answers, env);
        };
        let matches = |answer: &Draft| match &rule.kind {
            PolicyKind::Always(label) | PolicyKind::Never(label) => answer.label == *label,
            PolicyKind::Goto(section) => answer.section == Some(*section),
            PolicyKind::Random => true,
        };
        let (chosen, others): (Vec<Draft>, Vec<Draft>) = answers.iter().cloned().partition(matches);
        let kept = if matches!(rule.kind, PolicyKind::Never(_)) { others } else { chosen.clone() };
        if chosen.is_empty() || kept.is_empty() {
            return self.decide(rest, answers, env);
        }
        let possible = kept.iter().fold(Test::Constant(false), |any, answer| Test::either(any, possible(answer)));
        let no = self.decide(rest, answers, env)?;
        let yes = if rule.kind == PolicyKind::Random { self.random(kept, env)? } else { self.decide(rest, kept, env)? };
        self.branch(Test::both(when, possible), yes, no)
    }

    /// A question to the player.
    fn question(&mut self, answers: Vec<Draft>) -> Lowered {
        if answers.is_empty() {
            return self.emit(Instruction::Stuck);
        }
        let answers = answers.into_iter().map(|answer| Answer {
            label: self.label(&answer.label),
            each: answer.each,
            test: answer.test,
            sets: [].into(),
            next: answer.next,
            wastes: Test::Constant(false),
        });
        let answers = answers.collect();
        self.emit(Instruction::Ask(Question { about: None, distinct: false, answers, otherwise: None }))
    }

    /// Each answer that can be given is equally likely, one of them at least.
    fn random(&mut self, answers: Vec<Draft>, env: &Env<'a>) -> Lowered {
        let mut sets = Vec::new();
        let mut outcomes = Vec::new();
        let mut used = env.used;
        for answer in answers {
            let mut numbers = vec![(answer.test.clone(), Vec::new())];
            if let Some(each) = &answer.each {
                let (_, least, most) = self.registers[usize::from(each.register)].clone();
                if i64::from(most) - i64::from(least) > MOST_RANDOM {
                    return self
                        .wrong(format!("a choice between more than {MOST_RANDOM} numbers is not left to chance"));
                }
                numbers = (least..=most)
                    .map(|number| {
                        let own = Value::Constant(number);
                        let known = |register| (register == each.register).then_some(number);
                        let within = Test::both(
                            Test::compare(crate::book::Comparison::AtMost, each.from.clone(), own.clone()),
                            Test::compare(crate::book::Comparison::AtLeast, each.to.clone(), own.clone()),
                        );
                        (Test::both(within, answer.test.given(&known)), vec![(each.register, own)])
                    })
                    .collect();
                used = used.max(self.depth_of(each.register) + 1);
            }
            for (test, sets_of) in numbers {
                outcomes.push((test, sets_of, answer.next));
            }
        }
        outcomes.retain(|(test, ..)| *test != Test::Constant(false));
        let mut chance = Vec::new();
        for (test, own, next) in outcomes {
            let weight = match test {
                Test::Constant(_) => Weight::Number(1),
                test => {
                    let register = self.name_register(used, false, 0, 1)?;
                    used += 1;
                    sets.push((register, Value::holds(test)));
                    Weight::Register(register)
                }
            };
            chance.push(Outcome { weight, sets: own.into(), next });
        }
        let place = match &chance[..] {
            [] => self.emit(Instruction::Stuck)?,
            [Outcome { sets: own, next, weight: Weight::Number(_) }] => {
                let (own, next) = (own.to_vec(), *next);
                self.set(own, next)?
            }
            _ => self.emit(Instruction::Chance { outcomes: chance.into() })?,
        };
        self.set(sets, place)
    }

    /// What the player may do here beside what he is asked.
    pub(super) fn actions(&mut self, next: Place, env: &Env<'a>, wanted: impl Fn(ActionTime) -> bool) -> Lowered {
        let system = self.system;
        let actions: Vec<&Action> = system.actions.iter().filter(|action| wanted(action.when)).collect();
        if actions.is_empty() {
            return Ok(next);
        }
        let here = self.push(Instruction::Stuck)?;
        let inner = Env { outside: false, ..env.clone() };
        let mut answers = Vec::new();
        for action in actions {
            let body = self.block(&action.body, &inner, here)?;
            let test = self.test(&action.require, &inner)?;
            answers.push(Draft::new(action.name.clone(), test, body));
        }
        answers.push(Draft::new("go on".into(), Test::ALWAYS, next));
        let asked = self.ask(answers, env)?;
        self.steps[here as usize] = Instruction::Jump(asked);
        Ok(here)
    }

    /// How many names deep a register is.
    fn depth_of(&self, register: crate::state::Register) -> usize {
        self.names.iter().find(|(_, own)| **own == register).map_or(0, |((depth, _), _)| *depth)
    }
}

/// Whether an answer can be given.
fn possible(answer: &Draft) -> Test {
    match &answer.each {
        Some(each) => Test::compare(crate::book::Comparison::AtMost, each.from.clone(), each.to.clone()),
        None => answer.test.clone(),
    }
}
