//! Interactive play: one question after the other, with simulated or typed dice.
//!
//! Play keeps everything that the hero carries, and fights go round by round as in the rules. Hints come from the solution,
//! whose states know less: a situation has the value of its projection.
//!
//! A play runs step by step on the machine without reductions, in the terminal and in the Explorer. When a number on the sheet
//! is corrected, the book is compiled again and play continues from the same step, so that nothing specialized or folded for
//! the old number is used. A series is played in the same way (`series.rs`): its sections have one numbering, whatever the hero
//! has learned, from a book that only describes them (`book/series_as_book.rs`), and the sheet is that of the current book.

mod chance;
mod rolling;
mod series;
mod sheet;
mod step;

use std::fmt;

use budget::Budget;
use mdp::{Dice, Value};

use crate::book::Book;
use crate::machine::{End as MachineEnd, Machine, Move};
use crate::program::{State, Value as Number};
use crate::solve::{Advice, Belongings, EnemyNow, Question, SolveBookError, Solved, StatNow};
use crate::terms::SectionNumber;

pub use chance::{Chance, FightNow, Prospect, Rolled};
pub use sheet::{Corrected, SheetKind, SheetLine};
pub use step::{NoStep, Step};

/// After this many sections without a question, none will come.
const MOST_SECTIONS: usize = 1_000;

/// A play.
///
/// ```
/// use gamebook::{Phase, Play, Question, Rolled, Solved, read};
/// use mdp::ExploreOptions;
///
/// let text = r#"
///     book "Bets" format=1 rules="lone-wolf"
///     start 1
///     goal 2
///     hero { combat-skill 15; endurance 25; gold 1; }
///     section 1 {
///         choice "pay" { require "gold >= 2"; goto 2; }
///         choice "bet" { require "gold >= 1"; pick { when 0 3 { gain gold 1; }; else { lose gold 1; }; }; goto 1; }
///         choice "beg" { death "hunger"; }
///     }
///     section 2 { victory; }
/// "#;
/// let (book, _) = read(text)?;
/// let solved = Solved::new(&book, &Question::new(&book), &ExploreOptions::default())?;
/// let mut play = Play::with_hints(&solved, 1);
/// assert_eq!(play.phase(), Phase::Question);
/// let labels: Vec<String> = play.answers().into_iter().map(|(label, _)| label).collect();
/// assert_eq!(labels, ["bet", "beg"]);
/// assert_eq!(play.best(), Some(0));
/// play.answer(0)?;
/// assert_eq!(play.phase(), Phase::Chance);
/// play.bring(&Rolled::Numbers(vec![3]))?;
/// assert_eq!(play.belongings().gold, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Play<'a> {
    machine: Machine,
    solved: Option<&'a Solved>,
    now: Moment,
    before: Vec<Moment>,
}

#[derive(Clone, Debug)]
struct Moment {
    state: State,
    /// The sections entered since the last question.
    passed: Vec<State>,
    /// Whether no question will ever come.
    endless: bool,
    /// The dice before anything is rolled here.
    dice: Dice,
}

/// What play needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// An answer of the player.
    Question,
    /// An outcome of a chance.
    Chance,
    /// Nothing: play has ended.
    Over(End),
}

/// How a play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The hero died, or got stuck, in this section.
    Dead(SectionNumber),
    /// He won in this section.
    Won(SectionNumber),
    /// The book loops for ever.
    Endless,
}

/// A section that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredSection {
    /// The section.
    pub section: SectionNumber,
    /// The hero's possessions on entering it.
    pub belongings: Belongings,
}

/// Why a step is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// There is no question now.
    NoQuestion,
    /// There are only this many answers.
    NoSuchAnswer(usize),
    /// There is no chance now.
    NoChance,
    /// This many numbers from 0 to 9 must be picked.
    Numbers(usize),
    /// There are only this many outcomes.
    NoSuchOutcome(usize),
    /// The dice cannot show this.
    NoSuchDice,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoQuestion => f.write_str("there is no question to answer now"),
            Self::NoSuchAnswer(answers) => write!(f, "there are answers 1 to {answers}"),
            Self::NoChance => f.write_str("nothing is left to chance now"),
            Self::Numbers(1) => f.write_str("one number from 0 to 9 is picked here"),
            Self::Numbers(picks) => write!(f, "{picks} numbers from 0 to 9 are picked here"),
            Self::NoSuchOutcome(outcomes) => write!(f, "there are outcomes 1 to {outcomes}"),
            Self::NoSuchDice => f.write_str("the dice that are rolled here cannot show this"),
        }
    }
}

impl std::error::Error for PlayError {}

impl<'a> Play<'a> {
    /// A play of a solved book. The seed determines its dice.
    pub fn with_hints(solved: &'a Solved, seed: u64) -> Self {
        Self::new(solved.machine(), Some(solved), seed)
    }

    /// A play without hints, which needs no solution.
    ///
    /// # Errors
    /// If the hero or his situation is impossible, a section does not exist, or the budget is exhausted.
    pub fn without_hints(
        book: &Book,
        question: &Question,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Self, SolveBookError> {
        Ok(Self::new(&question.machine(book, budget)?, None, seed))
    }

    /// A play of an existing game, without hints.
    pub fn of(machine: &Machine, seed: u64) -> Self {
        Self::new(machine, None, seed)
    }

    /// Uses hints from now on; returns whether they fit: they must be for the same book and question.
    ///
    /// ```
    /// # use gamebook::{Play, Question, Solved, read};
    /// # let text = r#"
    /// #     book "Doors" format=1 rules="lone-wolf"
    /// #     start 1
    /// #     goal 2
    /// #     hero { combat-skill 15; endurance 25; }
    /// #     section 1 { choice "left" { goto 2; }; choice "right" { death "a pit"; }; }
    /// #     section 2 { victory; }
    /// # "#;
    /// # let (book, _) = read(text)?;
    /// let question = Question::new(&book);
    /// let mut play = Play::without_hints(&book, &question, 1, &budget::Budget::unlimited())?;
    /// assert!(play.hints().is_empty());
    /// let solved = Solved::new(&book, &question, &mdp::ExploreOptions::default())?;
    /// assert!(play.take_hints(&solved));
    /// assert_eq!(play.hints()[0].win.as_ref().map(|win| win.decimal()), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_hints(&mut self, solved: &'a Solved) -> bool {
        let whole = solved.whole();
        let same = whole.program.steps == self.machine.program.steps && whole.start() == self.machine.start();
        if same {
            self.solved = Some(solved);
        }
        same
    }

    fn new(machine: &Machine, solved: Option<&'a Solved>, seed: u64) -> Self {
        let machine = machine.whole(false);
        let state = machine.first();
        let now = Moment { state, passed: Vec::new(), endless: false, dice: Dice::new(seed, 0) };
        let mut play = Self { machine, solved, now, before: Vec::new() };
        play.restart();
        play
    }

    /// Restarts the play; the dice go on.
    pub fn restart(&mut self) {
        self.before.clear();
        self.now.passed.clear();
        self.enter(self.machine.first());
    }

    /// Goes on from `state` to the next question.
    fn enter(&mut self, mut state: State) {
        let mut buffer = Vec::new();
        if self.machine.enters(&state) {
            self.now.passed.push(state);
        }
        self.now.endless = false;
        for _ in 0..MOST_SECTIONS {
            let next = self.machine.run(state, &mut buffer);
            let mut stepped = next;
            self.now.state = next;
            if Machine::end(&next).is_some() || !self.machine.step(&mut stepped) {
                return;
            }
            if self.machine.enters(&next) {
                self.now.passed.push(next);
            }
            state = stepped;
        }
        self.now.endless = true;
    }

    /// Goes on and records how to come back.
    fn go(&mut self, state: State, dice: Dice) {
        let next = Moment { state, passed: Vec::new(), endless: false, dice };
        self.before.push(std::mem::replace(&mut self.now, next));
        self.enter(state);
    }

    /// Takes back the last answer or roll; returns whether there was one. The dice are taken back, too, so that the same answer
    /// leads to the same roll.
    pub fn undo(&mut self) -> bool {
        let before = self.before.pop();
        let undone = before.is_some();
        if let Some(before) = before {
            self.now = before;
        }
        undone
    }

    /// What play needs next.
    pub fn phase(&self) -> Phase {
        let state = &self.now.state;
        match Machine::end(state) {
            Some(MachineEnd::Dead(section)) => Phase::Over(End::Dead(self.shown_section(section))),
            Some(MachineEnd::Won(section)) => Phase::Over(End::Won(self.shown_section(section))),
            None if self.now.endless => Phase::Over(End::Endless),
            None if self.machine.is_chance(state) => Phase::Chance,
            None => Phase::Question,
        }
    }

    /// The hero's section; in a series a section of [`Series::as_one_book`](crate::book::Series::as_one_book), like all others.
    pub fn section(&self) -> SectionNumber {
        self.shown_section(self.machine.section(&self.now.state))
    }

    /// The index of the book that is played in a series; 0 for a single book.
    pub fn book(&self) -> usize {
        self.machine.program.book(self.machine.section(&self.now.state))
    }

    /// The disciplines of the hero of a series in the current book, in the form of
    /// [`read_disciplines`](crate::read_disciplines); `None` for a single book, where they do not change.
    pub fn learned(&self) -> Option<&[String]> {
        self.machine.program.learned_in(self.machine.section(&self.now.state))
    }

    /// The number of a section in reports.
    fn shown_section(&self, section: SectionNumber) -> SectionNumber {
        self.machine.program.shown_section(section)
    }

    /// The sections entered since the last question, in order.
    pub fn passed(&self) -> impl Iterator<Item = EnteredSection> {
        let passed = |state| EnteredSection {
            section: self.shown_section(self.machine.section(state)),
            belongings: self.machine.belongings(state),
        };
        self.now.passed.iter().map(passed)
    }

    /// The hero's possessions. The dead have none.
    pub fn belongings(&self) -> Belongings {
        self.machine.belongings(&self.now.state)
    }

    /// The stats and counters in a system of rules; else empty.
    pub fn stats(&self) -> Vec<StatNow> {
        self.machine.stats(&self.now.state)
    }

    /// The enemies in a system of rules.
    pub fn enemies(&self) -> Vec<EnemyNow> {
        self.machine.enemies(&self.now.state)
    }

    /// The maximum of ENDURANCE.
    pub fn max_endurance(&self) -> u16 {
        self.machine.max_endurance(&self.now.state)
    }

    /// The probability of winning from here under optimal play; `None` without hints, and where the solution does not cover it.
    pub fn win(&self) -> Option<Value> {
        self.solved.and_then(|solved| solved.worth(&self.now.state))
    }

    /// The current fight.
    pub fn fight(&self) -> Option<FightNow> {
        let state = &self.now.state;
        let program = &self.machine.program;
        let duel = program.notes.duels.get(&state.place())?;
        let number = |value: &Number| value.number(&program.layout, state);
        Some(FightNow {
            name: duel.name.clone(),
            combat_skill: duel.combat_skill,
            endurance: u16::try_from(number(&duel.endurance)).unwrap_or(0),
            ratio: duel.ratio.as_ref().map(number),
        })
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.phase() == Phase::Question {
            self.machine.moves(&self.now.state, usize::MAX, &mut moves);
        }
        moves
    }

    /// The answers to the question: their labels, and the sections to which they lead without another question.
    pub fn answers(&self) -> Vec<(String, Option<SectionNumber>)> {
        let describe = |answer: Move| {
            let label = self.machine.describe_action(&self.now.state, answer.action);
            (label, self.machine.leads_to(&answer.state).map(|section| self.shown_section(section)))
        };
        self.moves().into_iter().map(describe).collect()
    }

    /// The worth of each of [`Self::answers`]; empty without hints.
    pub fn hints(&self) -> Vec<Advice> {
        self.advised(Solved::advise_on_all)
    }

    /// The worth of each answer that does not only waste something; empty without hints.
    pub(crate) fn useful_hints(&self) -> Vec<Advice> {
        self.advised(Solved::advise_at)
    }

    fn advised(&self, by: impl Fn(&Solved, &State) -> Vec<Advice>) -> Vec<Advice> {
        match self.solved {
            Some(solved) if self.phase() == Phase::Question => {
                let shown_section =
                    |own: Advice| Advice { section: own.section.map(|section| self.shown_section(section)), ..own };
                by(solved, &self.now.state).into_iter().map(shown_section).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The state of the play.
    pub(crate) fn state(&self) -> &State {
        &self.now.state
    }

    /// The answer of optimal play; `None` without hints or without a question.
    pub fn best(&self) -> Option<usize> {
        let moves = self.moves();
        self.solved.filter(|_| !moves.is_empty()).map(|solved| solved.choose(&self.now.state, &moves))
    }

    /// Gives an answer, counted from 0.
    ///
    /// # Errors
    /// If there is no question, or no such answer.
    pub fn answer(&mut self, answer: usize) -> Result<(), PlayError> {
        if self.phase() != Phase::Question {
            return Err(PlayError::NoQuestion);
        }
        let moves = self.moves();
        let chosen = moves.get(answer).ok_or(PlayError::NoSuchAnswer(moves.len()))?;
        self.go(chosen.state, self.now.dice.clone());
        Ok(())
    }
}
