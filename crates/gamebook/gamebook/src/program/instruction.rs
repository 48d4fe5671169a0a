//! The steps of a program. Each says what it reads ([`Instruction::decides`]), what it writes and where it leads
//! ([`Instruction::ways`]).

use dashu_int::UBig;

use super::state::Register;
use super::value::{Reads, Test, Value};
use crate::terms::SectionNumber;

/// A place in a program.
pub(crate) type Place = u32;

/// Fewer steps are looked at sooner by one thread than others wake up.
pub(crate) const FEW_STEPS: usize = 1 << 10;

/// Where an answer leads that comes back to its own question.
pub(crate) const HERE: Place = Place::MAX;

/// Numbers put into registers, one after another; each is kept within its register's range.
pub(crate) type Sets = Box<[(Register, Value)]>;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Instruction {
    Jump(Place),
    Set {
        sets: Sets,
        next: Place,
    },
    Branch {
        test: Test,
        yes: Place,
        no: Place,
    },
    /// A question to the player.
    Ask(Question),
    /// A question to chance.
    Chance {
        outcomes: Box<[Outcome]>,
    },
    /// A block in which nobody is asked, as one chance.
    Fold(Fold),
    /// A section begins.
    Enter {
        next: Place,
    },
    /// On to a section.
    Leave {
        section: SectionNumber,
        next: Place,
    },
    Death,
    Victory,
    /// The author's text ends.
    Stuck,
}

/// A question to the player. Who can give no answer goes on at `otherwise`, or is stuck.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// What it is about (a label), if it is none of the author's.
    pub about: Option<u32>,
    /// Answers that come to the same situation are listed once.
    pub distinct: bool,
    pub answers: Box<[Answer]>,
    pub otherwise: Option<Place>,
}

impl Question {
    /// What its answers are called, by number.
    pub(crate) fn labels(&self) -> Vec<u32> {
        self.answers.iter().map(|answer| answer.label).collect()
    }
}

/// One answer of a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Answer {
    pub label: u32,
    /// A number that is chosen with it.
    pub each: Option<Each>,
    /// When it can be given; may read the number.
    pub test: Test,
    pub sets: Sets,
    pub next: Place,
    /// When it surely does no good: for those who tell of it.
    pub wastes: Test,
}

/// A number that is chosen with an answer, and the register that holds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Each {
    pub register: Register,
    pub from: Value,
    pub to: Value,
    /// The largest number is told first.
    pub down: bool,
}

/// What can come up in a question to chance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    pub weight: Weight,
    pub sets: Sets,
    pub next: Place,
}

/// How likely an outcome is, beside the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Weight {
    Number(u32),
    Large(UBig),
    /// One of the ten numbers of a round, for the hero with so many points of COMBAT SKILL more than the one with the least
    /// ([`Skills`]).
    BySkill(u8),
    /// What a register holds: each of so many things is equally likely.
    Register(Register),
    /// 1 where this holds, else 0: an answer that is left to chance, where it can be given.
    Holds(Box<Test>),
}

impl From<UBig> for Weight {
    fn from(weight: UBig) -> Self {
        u32::try_from(&weight).map_or(Self::Large(weight), Self::Number)
    }
}

/// A block in which nobody is asked, as one chance: what comes of it is put into registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fold {
    /// Which of the program's natives knows how it ends.
    pub native: u32,
    /// What it depends on.
    pub inputs: Box<[Value]>,
    /// The registers that hold what comes of it.
    pub outputs: Box<[Register]>,
    pub next: Place,
    /// The same step by step.
    pub steps: Place,
}

/// One way on from a step: what is written, and where it leads.
pub(crate) struct Way<'p> {
    /// It is not there where this test comes out so.
    pub unless: Option<(&'p Test, bool)>,
    /// Registers that hold something new, whatever it is, before `sets`.
    pub written: &'p [Register],
    pub sets: &'p [(Register, Value)],
    pub next: Place,
}

/// What decides how it goes on.
pub(crate) enum Decides<'p> {
    Test(&'p Test),
    /// The number itself.
    Number(&'p Value),
    Register(Register),
}

impl Instruction {
    /// Calls `way` with every way on from this step, which stands at `here`.
    pub(crate) fn ways<'p>(&'p self, here: Place, way: &mut dyn FnMut(Way<'p>)) {
        let mut plain = |next: Place| way(Way { unless: None, written: &[], sets: &[], next });
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
                way(Way { unless: None, written: &fold.outputs, sets: &[], next: fold.next });
            }
            Self::Death | Self::Victory | Self::Stuck => {}
        }
    }

    /// Calls `decides` with everything that decides which way it goes on. What an answer's number decides is known
    /// only when it is chosen.
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

    /// Whether it is a chance that is told for several heroes at once, by their COMBAT SKILL.
    pub(crate) fn is_by_skill(&self) -> bool {
        matches!(self, Self::Chance { outcomes } if matches!(outcomes.first(), Some(Outcome { weight: Weight::BySkill(_), .. })))
    }

    /// Every place to which it can lead.
    pub(crate) fn successors(&self, here: Place, next: &mut Vec<Place>) {
        self.ways(here, &mut |way| next.push(way.next));
    }

    /// Every register that it reads or writes.
    pub(crate) fn touches(&self, here: Place, touch: &mut dyn FnMut(Register)) {
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

    /// Calls `change` with every place that it names.
    pub(crate) fn places(&mut self, mut change: impl FnMut(&mut Place)) {
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
                change(&mut fold.next);
                change(&mut fold.steps);
            }
            Self::Death | Self::Victory | Self::Stuck => {}
        }
    }

    /// The same without what is only told.
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

    /// Bytes of it and of what it owns.
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
    /// Where it leads from a question at `here`.
    pub(crate) fn leads_to(&self, here: Place) -> Place {
        if self.next == HERE { here } else { self.next }
    }

    /// The register of which it throws one thing away, if that is all it does: who can give it can do so again and
    /// again.
    pub(crate) fn throws_away(&self) -> Option<Register> {
        self.takes_one().filter(|_| self.next == HERE)
    }

    /// The register of which it takes one away where there is one, if it does nothing else.
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
