//! Questions about a book.

use budget::Budget;

use super::solve_error::SolveBookError;
use crate::book::{Book, Hero, HeroQuantity, Situation};
use crate::lower::{CompileError, Quest, compile};
use crate::machine::Machine;
use crate::passes::{Analyses, RelaxError, relax};
use crate::program::{Starting, listing};
use crate::terms::SectionNumber;

/// A question about a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The hero.
    pub hero: Hero,
    /// The hero's situation, if it differs from a fresh start.
    pub situation: Situation,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// Entering one of these sections wins.
    pub goals: Vec<SectionNumber>,
    /// The reductions in use.
    pub analyses: Analyses,
    /// Whether exact values are wanted.
    pub exact: bool,
}

impl Question {
    /// The book from its beginning, with its own hero and goals. Actions are not [delayed](Analyses::wait), so that the worth
    /// of each is known wherever it is possible.
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

    /// The compiled program of this question, or one section of it, as text.
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

    /// The input of the compiler.
    pub(crate) fn quest<'a>(&'a self, book: &'a Book) -> Quest<'a> {
        let Self { hero, situation, start, goals, .. } = self;
        Quest { book, hero, situation, start: *start, goals }
    }

    /// The program relaxed by the numbers that need not be remembered.
    fn relaxed(&self, starting: Starting, budget: &Budget<'_>) -> Result<Starting, CompileError> {
        let forgets: Vec<_> = self.situation.forgets.iter().map(|own| (own.name.as_str(), own.from)).collect();
        relax(starting, &forgets, budget).map_err(|error| match error {
            RelaxError::TooLarge { section } => CompileError::TooLarge { section },
            RelaxError::Forgotten { section, name } => CompileError::Forgotten { section, name },
            RelaxError::Stopped(stopped) => CompileError::Stopped(stopped),
        })
    }

    /// The value set for a variable of a system of rules, if any.
    pub(crate) fn value_of(&self, variable: usize) -> Option<i32> {
        self.situation.values.iter().find(|(own, _)| *own == variable).map(|(_, number)| *number)
    }

    /// Checks that the hero is possible and the sections exist.
    pub(crate) fn check(&self, book: &Book) -> Result<(), SolveBookError> {
        if book.system.is_none() {
            self.hero.check(book).map_err(SolveBookError::Hero)?;
        }
        match self.goals.iter().chain([&self.start]).find(|section| !book.sections.contains_key(section)) {
            Some(section) => Err(SolveBookError::NoSection(*section)),
            None => Ok(()),
        }
    }

    /// The game of the question.
    ///
    /// # Errors
    /// If the hero or his situation is impossible, a section does not exist, the book cannot be compiled, or the budget is
    /// exhausted.
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
    /// Checks that a hero can have this much ENDURANCE at the start of the game.
    pub(crate) fn check_endurance(&self, machine: &Machine) -> Result<(), SolveBookError> {
        let most = machine.max_endurance(&machine.start());
        match self.endurance {
            Some(now) if now == 0 || u16::from(now) > most => Err(SolveBookError::Endurance { now, most }),
            _ => Ok(()),
        }
    }
}

impl HeroQuantity {
    /// Sets a number of a question's hero before the book is compiled.
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
