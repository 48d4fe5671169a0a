//! What is asked about a book.

use budget::Budget;

use super::solve_error::SolveBookError;
use crate::book::{Book, Hero, Made, Situation};
use crate::lower::{CompileError, Quest, compile};
use crate::machine::Machine;
use crate::passes::{Analyses, RelaxError, relax};
use crate::program::{Starting, listing};
use crate::terms::SectionNumber;

/// What is asked about a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The hero.
    pub hero: Hero,
    /// How he stands, if not like a fresh hero.
    pub situation: Situation,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// Entering one of these wins.
    pub goals: Vec<SectionNumber>,
    /// The reductions to use.
    pub analyses: Analyses,
    /// Whether values are wanted exactly.
    pub exact: bool,
}

impl Question {
    /// The book from its beginning, with its own hero and goals. Actions do not [wait](Analyses::wait), so that it is known
    /// what each is worth wherever it can be done.
    pub fn new(book: &Book) -> Self {
        Self {
            hero: book.hero.clone(),
            situation: Situation { policy: book.default_policy().cloned(), ..Situation::default() },
            start: book.start,
            goals: book.goals.clone(),
            analyses: Analyses { wait: false, ..Analyses::default() },
            exact: false,
        }
    }

    /// What the book is compiled to for this question: every step of it, or of one section, as text.
    ///
    /// ```
    /// # use gamebook::{Question, read};
    /// use budget::Budget;
    ///
    /// # let text = r#"
    /// #     book "Doors" format=1 rules="lone-wolf"
    /// #     start 1
    /// #     goal 2
    /// #     hero { combat-skill 15; endurance 25; }
    /// #     section 1 { choice "left" { goto 2; }; choice "right" { death "a pit"; }; }
    /// #     section 2 { victory; }
    /// # "#;
    /// let (book, _) = read(text)?;
    /// let steps = Question::new(&book).listing(&book, Some(2), &Budget::unlimited())?;
    /// assert_eq!(steps, "section 2\n       5  enter -> 4\n       4  victory\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`machine`](Self::machine), or when there is no such section.
    pub fn listing(
        &self,
        book: &Book,
        section: Option<SectionNumber>,
        budget: &Budget<'_>,
    ) -> Result<String, SolveBookError> {
        self.check(book)?;
        if let Some(section) = section.filter(|section| !book.sections.contains_key(section)) {
            return Err(SolveBookError::NoSection(section));
        }
        let compiled = compile(self.quest(book), budget)?;
        Ok(listing(&compiled.program, &|own| book.section_text(own), section))
    }

    /// What is compiled for it.
    pub(crate) fn quest<'a>(&'a self, book: &'a Book) -> Quest<'a> {
        let Self { hero, situation, start, goals, .. } = self;
        Quest { book, hero, situation, start: *start, goals }
    }

    /// The kinder game of a program, in which the player need not remember what the situation says.
    fn relaxed(&self, starting: Starting, budget: &Budget<'_>) -> Result<Starting, CompileError> {
        let forgets: Vec<_> = self.situation.forgets.iter().map(|own| (own.name.as_str(), own.from)).collect();
        relax(starting, &forgets, budget).map_err(|error| match error {
            RelaxError::TooLarge { section } => CompileError::TooLarge { section },
            RelaxError::Forgotten { section, name } => CompileError::Forgotten { section, name },
            RelaxError::Stopped(stopped) => CompileError::Stopped(stopped),
        })
    }

    /// What is said of a number of a system of rules, if it is.
    pub(crate) fn value_of(&self, variable: usize) -> Option<i32> {
        self.situation.values.iter().find(|(own, _)| *own == variable).map(|(_, number)| *number)
    }

    /// Whether the hero can be and the sections exist.
    pub(crate) fn check(&self, book: &Book) -> Result<(), SolveBookError> {
        if book.system.is_none() {
            self.hero.check(book).map_err(SolveBookError::Hero)?;
        }
        match self.goals.iter().chain([&self.start]).find(|section| !book.sections.contains_key(section)) {
            Some(section) => Err(SolveBookError::NoSection(*section)),
            None => Ok(()),
        }
    }

    /// The game that is asked about.
    ///
    /// # Errors
    /// When the hero or his situation cannot be, a section does not exist, the book cannot be compiled, or the
    /// budget says stop.
    pub fn machine(&self, book: &Book, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        self.check(book)?;
        let mut starting = compile(self.quest(book), budget)?;
        if !self.situation.forgets.is_empty() {
            starting = self.relaxed(starting, budget)?;
        }
        let machine = Machine::of(starting, self.analyses, budget)?;
        self.situation.check_endurance(&machine)?;
        Ok(machine)
    }
}

impl Situation {
    /// Whether a hero can have so much ENDURANCE where this game begins.
    pub(crate) fn check_endurance(&self, machine: &Machine) -> Result<(), SolveBookError> {
        let most = machine.max_endurance(&machine.start());
        match self.endurance {
            Some(now) if now == 0 || u16::from(now) > most => Err(SolveBookError::Endurance { now, most }),
            _ => Ok(()),
        }
    }
}

impl Made {
    /// Gives the hero of a question so much of it before his book is compiled.
    pub(crate) fn give(self, book: &Book, question: &mut Question, number: i32) {
        match self {
            Self::CombatSkill => question.hero.combat_skill = number,
            Self::Endurance => question.hero.endurance = u8::try_from(number).unwrap_or(u8::MAX),
            Self::Gold => question.hero.gold = u8::try_from(number).unwrap_or(u8::MAX),
            Self::Item(item) => {
                question.hero.items.retain(|(own, _)| *own != item);
                question.hero.items.push((item, u8::try_from(number).unwrap_or(u8::MAX)));
            }
            Self::Variable(own) => {
                let values = &mut question.situation.values;
                let Some(system) = &book.system else { return };
                match system.variables[own].initial {
                    Some(initial) => {
                        let number = system.setting_out(own, number, values);
                        values.extend([(initial, number), (own, number)]);
                    }
                    None => values.push((own, number)),
                }
            }
        }
    }
}
