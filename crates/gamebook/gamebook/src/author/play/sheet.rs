//! The hero's sheet in a play: all its numbers, and continuing with corrected ones.

use std::mem::discriminant;

use budget::Budget;
use mdp::ExploreOptions;

use super::{Phase, Play};
use crate::book::{Book, VariableKind};
use crate::lower::{CompileError, compile};
use crate::machine::Machine;
use crate::program::{Label, Program, Register, Starting};
use crate::solve::{Question, SolveBookError, Solved};
use crate::syntax::ArgumentError;

/// A number on the hero's sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetLine {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: SheetKind,
    /// Its value; 1 for a flag that is set.
    pub now: i32,
    /// Its minimum.
    pub least: i32,
    /// Its maximum.
    pub most: i32,
}

/// The kinds of numbers on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    /// COMBAT SKILL of Lone Wolf's rules.
    CombatSkill,
    /// ENDURANCE of Lone Wolf's rules.
    Endurance,
    /// Gold Crowns.
    Gold,
    /// An item, with its count.
    Item,
    /// A flag.
    Flag,
    /// A stat of a system of rules.
    Stat,
    /// The initial value of a stat.
    Initial,
    /// A counter of a system of rules.
    Counter,
}

/// A situation of a play with corrected numbers.
#[derive(Clone, Debug)]
pub struct Corrected {
    question: Question,
    /// The values of all registers.
    numbers: Vec<i32>,
    place: Label,
    /// The question before, if the correction may change the steps.
    before: Option<Question>,
}

const COMBAT_SKILL: &str = "combat-skill";

const ENDURANCE: &str = "endurance";

const GOLD: &str = "gold";

impl Play<'_> {
    /// The hero's sheet in a play of this question.
    pub fn sheet(&self, book: &Book, question: &Question) -> Vec<SheetLine> {
        self.lines(book, question).into_iter().map(|(line, _)| line).collect()
    }

    /// Every number, with its register if it has one.
    fn lines(&self, book: &Book, question: &Question) -> Vec<(SheetLine, Option<Register>)> {
        let state = &self.now.state;
        let line = |name: &str, kind, register: Register, least, most| {
            let now = self.machine.get(state, register);
            (SheetLine { name: name.into(), kind, now, least, most }, Some(register))
        };
        if let Some(system) = &book.system {
            let kind = |kind| match kind {
                VariableKind::Stat => Some(SheetKind::Stat),
                VariableKind::Initial => Some(SheetKind::Initial),
                VariableKind::Counter => Some(SheetKind::Counter),
                own if own.is_yes_or_no() => Some(SheetKind::Flag),
                VariableKind::Item => Some(SheetKind::Item),
                _ => None,
            };
            // The variables of the sheet are the first registers, in order.
            let variables = (0..).zip(&system.variables);
            let lines = variables.filter_map(|(register, own)| {
                Some(line(&own.name, kind(own.kind)?, register, own.least.max(own.vital.into()), own.most))
            });
            return lines.collect();
        }
        let sheet = self.machine.sheet(state);
        let skills = book.kai.combat_skills();
        let skill = SheetLine {
            name: COMBAT_SKILL.into(),
            kind: SheetKind::CombatSkill,
            now: question.hero.combat_skill,
            least: *skills.start(),
            most: *skills.end(),
        };
        let most_of = |name: &str| book.item(name).map_or(0, |item| book.most_of(&book.items[item]).into());
        let most = self.machine.max_endurance(state).into();
        let mut lines = vec![
            (skill, None),
            line(ENDURANCE, SheetKind::Endurance, sheet.endurance, 1, most),
            line(GOLD, SheetKind::Gold, sheet.gold, 0, book.kai.most_gold.into()),
        ];
        let items = sheet.items.iter();
        lines.extend(items.map(|(name, own)| line(name, SheetKind::Item, *own, 0, most_of(name))));
        lines.extend(sheet.flags.iter().map(|(name, own)| line(name, SheetKind::Flag, *own, 0, 1)));
        lines
    }

    /// The current situation with corrected numbers; `question` is that of this play.
    ///
    /// ```
    /// use gamebook::{Play, Question, Solved, read};
    /// use mdp::ExploreOptions;
    ///
    /// let text = r#"
    ///     book "Toll" format=1 rules="lone-wolf"
    ///     start 1
    ///     goal 2
    ///     hero { combat-skill 15; endurance 25; gold 2; }
    ///     section 1 {
    ///         choice "pay" { require "gold >= 2"; lose gold 2; goto 2; }
    ///         choice "jump" { pick { when 0 4 { goto 2; }; else { death "a moat"; }; }; }
    ///     }
    ///     section 2 { victory; }
    /// "#;
    /// let (book, _) = read(text)?;
    /// let question = Question::new(&book);
    /// let solved = Solved::new(&book, &question, &ExploreOptions::default())?;
    /// let play = Play::with_hints(&solved, 1);
    /// assert_eq!(play.win().map(|win| win.decimal()), Some(1.0));
    /// let corrected = play.corrected(&book, &question, &[("gold".into(), 1)])?;
    /// let solved = Solved::corrected(&book, &corrected, &ExploreOptions::default())?;
    /// let play = Play::with_hints(&solved, 1);
    /// assert_eq!(play.win().map(|win| win.decimal()), Some(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An unknown name, an impossible number, or play has ended.
    pub fn corrected(
        &self,
        book: &Book,
        question: &Question,
        changes: &[(String, i32)],
    ) -> Result<Corrected, ArgumentError> {
        if let Phase::Over(_) = self.phase() {
            return Err(ArgumentError::new("play is over", "take something back before a number is corrected"));
        }
        let (state, lines) = (&self.now.state, self.lines(book, question));
        let registers = self.machine.program.layout.registers();
        let registers = (0..=Register::MAX).take(registers);
        let mut numbers: Vec<i32> = registers.map(|register| self.machine.get(state, register)).collect();
        let mut corrected = question.clone();
        for (name, number) in changes {
            let Some((line, register)) = lines.iter().find(|(line, _)| line.name == *name) else {
                let known = lines.iter().map(|(line, _)| line.name.as_str());
                return Err(ArgumentError::unknown(format!("there is no `{name}` on the sheet"), name, known));
            };
            let most = match line.kind {
                // The maximum depends on the corrected equipment.
                SheetKind::Endurance => i32::from(u16::MAX),
                _ => line.most,
            };
            if !(line.least..=most).contains(number) {
                let message = format!("`{name}` of {number} is impossible");
                return Err(ArgumentError::new(message, format!("`{name}` is {} to {}", line.least, line.most)));
            }
            match register {
                Some(register) => numbers[usize::from(*register)] = *number,
                None => corrected.hero.combat_skill = *number,
            }
        }
        if let Some(system) = &book.system {
            corrected.situation.values = numbers.iter().copied().take(system.variables.len()).enumerate().collect();
            for (own, variable) in system.variables.iter().enumerate() {
                if let Some(initial) = variable.initial
                    && changes.iter().any(|(name, _)| *name == variable.name)
                    && numbers[own] > numbers[initial]
                {
                    let message = format!("`{}` of {} is more than its initial value", variable.name, numbers[own]);
                    return Err(ArgumentError::new(message, format!("it is {} at most", numbers[initial])));
                }
            }
        }
        let before = (corrected.hero != question.hero).then(|| question.clone());
        Ok(Corrected { question: corrected, numbers, place: self.machine.place_as_compiled(state), before })
    }
}

impl Corrected {
    /// The question with the corrected hero.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The game that continues from there.
    ///
    /// # Errors
    /// If the numbers are impossible together, or the budget is exhausted.
    pub fn machine(&self, book: &Book, budget: &Budget<'_>) -> Result<Machine, SolveBookError> {
        let compiled = |question: &Question| {
            question.check(book)?;
            Ok(compile(question.quest(book), budget)?)
        };
        self.going_on(&compiled, budget)
    }

    /// The same game, as compiled for a question.
    pub(crate) fn going_on(
        &self,
        compiled: &dyn Fn(&Question) -> Result<Starting, SolveBookError>,
        budget: &Budget<'_>,
    ) -> Result<Machine, SolveBookError> {
        let Starting { mut program, .. } = compiled(&self.question)?;
        let layout = &program.layout;
        let is_alike = match &self.before {
            Some(before) => alike(&compiled(before)?.program, &program),
            None => (self.place as usize) < program.steps.len() && self.numbers.len() == layout.registers(),
        };
        if !is_alike {
            let section = program.sections.get(self.place as usize);
            let section = section.map_or(self.question.start, |section| program.shown_section(*section));
            let message = "it goes another way with this combat skill: begin again with it".into();
            return Err(SolveBookError::Compile(CompileError::Rules { section, message }));
        }
        let mut state = layout.zero().at(self.place);
        for (register, number) in (0..).zip(&self.numbers) {
            layout.set(&mut state, register, *number);
        }
        program.start = self.place;
        let sheet = program.sheet_in(program.sections[self.place as usize]);
        let endurance = sheet.endurance;
        let most = sheet.max_endurance.number(&program.layout, &state);
        if sheet.stats.is_none() && program.layout.get(&state, endurance) > most {
            let now = u8::try_from(program.layout.get(&state, endurance)).unwrap_or(u8::MAX);
            return Err(SolveBookError::Endurance { now, most: u16::try_from(most).unwrap_or(0) });
        }
        Machine::of(Starting { program, state }, self.question.analyses, budget).map_err(SolveBookError::from)
    }
}

/// Whether a place has the same step in both programs.
fn alike(left: &Program, right: &Program) -> bool {
    let kinds = left.steps.iter().zip(&right.steps);
    left.sections == right.sections
        && left.layout.registers() == right.layout.registers()
        && kinds.into_iter().all(|(left, right)| discriminant(left) == discriminant(right))
}

impl Solved {
    /// Solves a book from a corrected situation.
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn corrected(book: &Book, from: &Corrected, options: &ExploreOptions<'_>) -> Result<Self, SolveBookError> {
        let own = Budget::default();
        let machine = from.machine(book, options.budget.unwrap_or(&own))?;
        Self::of(machine, &from.question, options)
    }
}
