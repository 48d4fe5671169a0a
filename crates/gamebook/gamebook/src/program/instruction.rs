//! The instructions of a program. Each declares what it reads ([`Instruction::decides`]), what it writes and where it leads
//! ([`Instruction::ways`]).

use dashu_int::UBig;

use super::state::Register;
use super::value::{Reads, Test, Value};
use crate::terms::SectionNumber;

/// A label in a program: the index of an instruction.
pub(crate) type Label = u32;

/// Below this number of steps one thread is faster than several.
pub(crate) const FEW_STEPS: usize = 1 << 10;

/// The target of an answer that returns to its own question.
pub(crate) const HERE: Label = Label::MAX;

/// Assignments to registers, one after another, each clamped to its register's range.
pub(crate) type Sets = Box<[(Register, Value)]>;

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Instruction {
    Jump(Label),
    Set {
        sets: Sets,
        next: Label,
    },
    Branch {
        test: Test,
        yes: Label,
        no: Label,
    },
    /// A question to the player.
    Ask(Question),
    /// A chance.
    Chance {
        outcomes: Box<[Outcome]>,
    },
    /// A block without decisions, as one chance.
    Fold(Fold),
    /// The beginning of a section.
    Enter {
        next: Label,
    },
    /// A transition to a section.
    Leave {
        section: SectionNumber,
        next: Label,
    },
    Death,
    Victory,
    /// The end of the author's text.
    Stuck,
}

/// A question to the player. Without a possible answer play continues at `otherwise`, or is stuck.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// The label of its subject, if it is not one of the author's questions.
    pub about: Option<u32>,
    /// Whether answers with the same effect are listed once.
    pub distinct: bool,
    pub answers: Box<[Answer]>,
    pub otherwise: Option<Label>,
}

impl Question {
    /// The labels of its answers.
    pub(crate) fn labels(&self) -> Vec<u32> {
        self.answers.iter().map(|answer| answer.label).collect()
    }
}

/// An answer of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Answer {
    pub label: u32,
    /// A number that is chosen with it.
    pub each: Option<Each>,
    /// The test whether it is possible, which may read the number.
    pub test: Test,
    pub sets: Sets,
    pub next: Label,
    /// The test whether it is surely of no use; only for reports.
    pub wastes: Test,
}

/// A number that is chosen with an answer, and the register that holds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Each {
    pub register: Register,
    pub from: Value,
    pub to: Value,
    /// Whether the largest number is listed first.
    pub down: bool,
}

/// An outcome of a chance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    pub weight: Weight,
    pub sets: Sets,
    pub next: Label,
}

/// The weight of an outcome, relative to the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Weight {
    Number(u32),
    Large(UBig),
    /// One of the ten numbers of a round, for the hero with this much more COMBAT SKILL than the least ([`Skills`]).
    BySkill(u8),
    /// The value of a register: a draw among that many units.
    Register(Register),
    /// 1 if this holds, else 0: a possible answer that is left to chance.
    Holds(Box<Test>),
}

impl From<UBig> for Weight {
    fn from(weight: UBig) -> Self {
        u32::try_from(&weight).map_or(Self::Large(weight), Self::Number)
    }
}

/// A block without decisions, as one chance: its results are stored in registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fold {
    /// The index of the native function that knows its endings.
    pub native: u32,
    /// The inputs.
    pub inputs: Box<[Value]>,
    /// The registers of the outputs.
    pub outputs: Box<[Register]>,
    /// Where its endings lead.
    pub exits: Box<[Label]>,
    /// The place of the same block as steps.
    pub steps: Label,
}

/// An edge from a step: what is written, and the target.
pub(crate) struct Way<'p> {
    /// It is absent if this test has this result.
    pub unless: Option<(&'p Test, bool)>,
    /// Registers that get an unknown value before `sets`.
    pub written: &'p [Register],
    pub sets: &'p [(Register, Value)],
    pub next: Label,
}

/// Something that decides which way play goes.
pub(crate) enum Decides<'p> {
    Test(&'p Test),
    /// The number itself.
    Number(&'p Value),
    Register(Register),
}

impl Instruction {
    /// Calls `way` with every edge of this step, which is at `here`.
    pub(crate) fn ways<'p>(&'p self, here: Label, way: &mut dyn FnMut(Way<'p>)) {
        let mut plain = |next: Label| way(Way { unless: None, written: &[], sets: &[], next });
        match self {
            Self::Jump(next) | Self::Enter { next } | Self::Leave { next, .. } => plain(*next),
            Self::Set { sets, next } => way(Way { unless: None, written: &[], sets, next: *next }),
            Self::Branch { test, yes, no } => {
                way(Way { unless: Some((test, false)), written: &[], sets: &[], next: *yes });
                way(Way { unless: Some((test, true)), written: &[], sets: &[], next: *no });
            }
            Self::Ask(question) => {
                if let Some(next) = question.otherwise {
                    plain(next);
                }
                for answer in &question.answers {
                    let written = answer.each.as_ref().map_or(&[][..], |each| std::slice::from_ref(&each.register));
                    let unless = Some((&answer.test, false));
                    way(Way { unless, written, sets: &answer.sets, next: answer.leads_to(here) });
                }
            }
            Self::Chance { outcomes } => {
                for outcome in outcomes {
                    let unless = if let Weight::Holds(test) = &outcome.weight { Some((&**test, false)) } else { None };
                    way(Way { unless, written: &[], sets: &outcome.sets, next: outcome.next });
                }
            }
            Self::Fold(fold) => {
                plain(fold.steps);
                for exit in &fold.exits {
                    way(Way { unless: None, written: &fold.outputs, sets: &[], next: *exit });
                }
            }
            Self::Death | Self::Victory | Self::Stuck => {}
        }
    }

    /// Calls `decides` with everything that decides between the edges. What the chosen number of an answer decides is excluded.
    pub(crate) fn decides<'p>(&'p self, decides: &mut dyn FnMut(Decides<'p>)) {
        match self {
            Self::Branch { test, .. } => decides(Decides::Test(test)),
            Self::Ask(question) => {
                for answer in &question.answers {
                    decides(Decides::Test(&answer.test));
                    if let Some(each) = &answer.each {
                        decides(Decides::Number(&each.from));
                        decides(Decides::Number(&each.to));
                    }
                }
            }
            Self::Chance { outcomes } => {
                for outcome in outcomes {
                    match &outcome.weight {
                        Weight::Register(register) => decides(Decides::Register(*register)),
                        Weight::Holds(test) => decides(Decides::Test(test)),
                        Weight::Number(_) | Weight::Large(_) | Weight::BySkill(_) => {}
                    }
                }
            }
            Self::Fold(fold) => fold.inputs.iter().for_each(|input| decides(Decides::Number(input))),
            Self::Jump(_)
            | Self::Set { .. }
            | Self::Enter { .. }
            | Self::Leave { .. }
            | Self::Death
            | Self::Victory
            | Self::Stuck => {}
        }
    }

    /// Whether it is a chance whose weights are tagged by COMBAT SKILL, for several heroes at once.
    pub(crate) fn is_by_skill(&self) -> bool {
        matches!(self, Self::Chance { outcomes } if matches!(outcomes.first(), Some(Outcome { weight: Weight::BySkill(_), .. })))
    }

    /// Adds all successors.
    pub(crate) fn successors(&self, here: Label, next: &mut Vec<Label>) {
        self.ways(here, &mut |way| next.push(way.next));
    }

    /// Visits all registers that it reads or writes.
    pub(crate) fn touches(&self, here: Label, touch: &mut dyn FnMut(Register)) {
        self.decides(&mut |decides| match decides {
            Decides::Test(test) => test.reads(touch),
            Decides::Number(value) => value.reads(touch),
            Decides::Register(register) => touch(register),
        });
        self.ways(here, &mut |way| {
            way.written.iter().for_each(|register| touch(*register));
            for (register, value) in way.sets {
                touch(*register);
                value.reads(touch);
            }
        });
    }

    /// Calls `change` with all places that it names.
    pub(crate) fn places(&mut self, mut change: impl FnMut(&mut Label)) {
        match self {
            Self::Jump(next) | Self::Enter { next } | Self::Leave { next, .. } | Self::Set { next, .. } => change(next),
            Self::Branch { yes, no, .. } => {
                change(yes);
                change(no);
            }
            Self::Ask(question) => {
                question.otherwise.iter_mut().for_each(&mut change);
                let answers = question.answers.iter_mut().map(|answer| &mut answer.next);
                answers.filter(|next| **next != HERE).for_each(change);
            }
            Self::Chance { outcomes } => outcomes.iter_mut().for_each(|outcome| change(&mut outcome.next)),
            Self::Fold(fold) => {
                fold.exits.iter_mut().for_each(&mut change);
                change(&mut fold.steps);
            }
            Self::Death | Self::Victory | Self::Stuck => {}
        }
    }

    /// The same without what is only for reports.
    pub(crate) fn without_labels(mut self) -> Self {
        match &mut self {
            Self::Leave { section, .. } => *section = 0,
            Self::Ask(question) => {
                question.about = None;
                for answer in &mut question.answers {
                    answer.label = 0;
                    answer.wastes = Test::Constant(false);
                }
            }
            _ => {}
        }
        self
    }

    /// Its size in bytes, including owned memory.
    pub(crate) fn bytes(&self) -> usize {
        let sets = |sets: &Sets| -> usize {
            sets.iter().map(|(_, value)| size_of::<(Register, Value)>() + value.nodes() * size_of::<Value>()).sum()
        };
        let test = |test: &Test| test.nodes() * size_of::<Test>();
        let owned = match self {
            Self::Set { sets: own, .. } => sets(own),
            Self::Branch { test: own, .. } => test(own),
            Self::Ask(question) => {
                let answer = |answer: &Answer| size_of::<Answer>() + test(&answer.test) + sets(&answer.sets);
                question.answers.iter().map(answer).sum()
            }
            Self::Chance { outcomes } => {
                let weight = |weight: &Weight| if let Weight::Holds(own) = weight { test(own) } else { 0 };
                let outcome = |own: &Outcome| size_of::<Outcome>() + weight(&own.weight) + sets(&own.sets);
                outcomes.iter().map(outcome).sum()
            }
            Self::Fold(fold) => fold.inputs.iter().map(|input| input.nodes() * size_of::<Value>()).sum(),
            _ => 0,
        };
        size_of::<Self>() + size_of::<SectionNumber>() + owned
    }
}

impl Answer {
    /// Its target from a question at `here`.
    pub(crate) fn leads_to(&self, here: Label) -> Label {
        if self.next == HERE { here } else { self.next }
    }

    /// The register of which it discards one unit, if that is all it does and the question repeats.
    pub(crate) fn throws_away(&self) -> Option<Register> {
        self.takes_one().filter(|_| self.next == HERE)
    }

    /// The register of which it takes one unit, if it does nothing else.
    pub(crate) fn takes_one(&self) -> Option<Register> {
        let [(register, less)] = &*self.sets else { return None };
        let last = match &self.test {
            Test::And(_, last) => last,
            test => test,
        };
        (self.each.is_none() && less.is_one_less_than(*register) && last.is_there() == Some(*register))
            .then_some(*register)
    }
}
