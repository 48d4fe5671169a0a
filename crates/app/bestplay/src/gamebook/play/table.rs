//! The session of a play from its first question to its end.

use std::cell::OnceCell;
use std::fmt::Write;

use gamebook::{Belongings, Book, Chance, End, EnteredSection, Phase, Play, Question, SectionNumber, Series, Solved};

use super::args::{Picks, PlayArgs};
use super::player_input::PlayerInput;
use super::terminal::{Stop, listen, print, wrap_text};
use super::texts::{HELP, asked, came, enemies, hints, number_wanted, sheet as sheet_text, wanted};
use crate::gamebook::answer::advice::{answer_text, star, win_texts, with_target};
use crate::gamebook::answer::journey::sheet;
use crate::gamebook::answer::unsolved::unsolved;
use crate::numbers::{percent_near as percent, percent_of};
use crate::output::Failure;

/// After this many rolls without a question Enter is needed: the book may loop.
const MOST_ROLLS: u32 = 200;

/// A session.
pub(super) struct Table<'a> {
    pub(super) args: &'a PlayArgs,
    pub(super) book: &'a Book,
    pub(super) series: Option<&'a Series>,
    pub(super) question: &'a Question,
    pub(super) solved: &'a OnceCell<Solved>,
    pub(super) play: Play<'a>,
    /// The possessions shown last.
    pub(super) shown: Option<Belongings>,
    /// The number of rolls since the last question.
    pub(super) rolls: u32,
}

impl Table<'_> {
    pub(super) fn play(&mut self) -> Result<(), Stop> {
        if self.args.hints {
            self.solve().map_err(Stop::Failed)?;
        }
        self.arrive()?;
        loop {
            let phase = self.play.phase();
            if phase == Phase::Chance && self.args.picks == Picks::Rolled && self.rolls < MOST_ROLLS {
                self.rolls += 1;
                let came =
                    self.roll().map_err(|what| Stop::Failed(Failure::failed(what, "please report this book")))?;
                print(&came)?;
                self.arrive()?;
                continue;
            }
            self.rolls = 0;
            self.ask(phase)?;
            loop {
                let Some(input) = listen()? else { return Ok(()) };
                match input {
                    PlayerInput::Quit => return Ok(()),
                    PlayerInput::Help => print(HELP)?,
                    PlayerInput::Sheet => print(&sheet_text(self.book, &self.question.hero, &self.play))?,
                    PlayerInput::Hint => self.hint(phase)?,
                    input => match self.go_on(phase, &input) {
                        Ok(shown) => {
                            print(&shown)?;
                            break;
                        }
                        Err(what) => {
                            print(&format!("{what}\n"))?;
                            self.ask(phase)?;
                        }
                    },
                }
            }
            self.arrive()?;
        }
    }

    /// A label with the section to which it leads.
    fn with_target(&self, label: &str, section: Option<SectionNumber>) -> String {
        with_target(label, section.map(|section| self.book.section_text(section)))
    }

    /// Shows what happened on the way to the next question.
    fn arrive(&mut self) -> Result<(), Stop> {
        let mut out = String::new();
        let passed: Vec<EnteredSection> = self.play.passed().collect();
        for passed in passed {
            self.changes(&mut out, passed.belongings);
            let _ = writeln!(out, "\nSection {}", self.book.section_text(passed.section));
            if let Some(section) = self.book.sections.get(&passed.section) {
                wrap_text(&mut out, &section.text);
            }
        }
        let win = self.play.win().map(|win| percent_of(&win));
        match self.play.phase() {
            // The dead have no possessions.
            Phase::Over(End::Dead(section)) => {
                let deaths = self.book.outline(section).deaths;
                let section = self.book.section_text(section);
                let how = if deaths.is_empty() { String::new() } else { format!(" ({})", deaths.join("; or ")) };
                let _ = writeln!(out, "\nYou are dead, or have failed, in section {section}{how}.");
            }
            Phase::Over(End::Won(section)) => {
                let section = self.book.section_text(section);
                self.changes(&mut out, self.play.belongings());
                let _ = writeln!(out, "\nYou have won in section {section}, with {}.", sheet(&self.play.belongings()));
            }
            Phase::Over(End::Endless) => {
                let _ = writeln!(out, "\nThe book loops for ever here.");
            }
            Phase::Question => {
                self.changes(&mut out, self.play.belongings());
                if let Some(win) = win.filter(|_| self.args.hints) {
                    let _ = writeln!(out, "  (you win with probability {win})");
                }
            }
            Phase::Chance => self.changes(&mut out, self.play.belongings()),
        }
        print(&out)
    }

    fn changes(&mut self, out: &mut String, now: Belongings) {
        let changes = self.shown.as_ref().map(|before| now.since(before)).unwrap_or_default();
        if !changes.is_empty() {
            let _ = writeln!(out, "  {}", changes.join(", "));
        }
        self.shown = Some(now);
    }

    /// Shows the current question.
    fn ask(&self, phase: Phase) -> Result<(), Stop> {
        let mut out = String::new();
        if let Some(fight) = self.play.fight().filter(|_| !matches!(phase, Phase::Over(_))) {
            let ratio = fight.ratio.map(|ratio| format!(", ratio {ratio:+}")).unwrap_or_default();
            let _ = writeln!(
                out,
                "  {}: combat skill {}, endurance {}{ratio}; your endurance: {}",
                fight.name,
                fight.combat_skill,
                fight.endurance,
                self.play.belongings().endurance
            );
        }
        if !matches!(phase, Phase::Over(_)) {
            out.push_str(&enemies(&self.play));
        }
        match phase {
            Phase::Over(_) => out.push_str("undo, restart or quit?\n"),
            Phase::Chance => match self.play.chance() {
                Some(Chance::Outcomes(outcomes)) => {
                    for (number, outcome) in (1..).zip(&outcomes) {
                        let what = outcome.text(self.book);
                        let what = if what.is_empty() { "nothing to be seen" } else { &what };
                        let _ = writeln!(out, "{number:>4}  {:>10}  {what}", percent(outcome.probability));
                    }
                    out.push_str("What comes up? Enter rolls.\n");
                }
                chance => {
                    let typed = chance.as_ref().map(Chance::how_dice_are_typed).filter(|typed| !typed.is_empty());
                    let typed = typed.map(|typed| format!(" {typed}")).unwrap_or_default();
                    let _ = writeln!(out, "{}{typed} Enter rolls.", asked(chance.as_ref()));
                }
            },
            Phase::Question => {
                let hints = if self.args.hints { self.play.hints() } else { Vec::new() };
                let wins = win_texts(&hints);
                for (place, (label, section)) in self.play.answers().into_iter().enumerate() {
                    let hint = match hints.get(place).zip(wins.get(place)) {
                        Some((hint, win)) => format!("{} {win:>10}  ", star(hint)),
                        None => String::new(),
                    };
                    let label = hints
                        .get(place)
                        .map_or_else(|| self.with_target(&label, section), |hint| answer_text(self.book, hint));
                    let _ = writeln!(out, "{:>4}  {hint}{label}", place + 1);
                }
            }
        }
        print(&out)
    }

    /// Acts on an input; returns what happened, or the error.
    fn go_on(&mut self, phase: Phase, input: &PlayerInput) -> Result<String, String> {
        match (input, phase) {
            (PlayerInput::Undo, _) => self.undo(),
            (PlayerInput::Restart, _) => {
                self.play.restart();
                self.shown = None;
                Ok(String::new())
            }
            (_, Phase::Over(_)) => Err("It is over: take back with undo, begin again with restart, or quit.".into()),
            (PlayerInput::Numbers(numbers), Phase::Question) => {
                let answer = match numbers[..] {
                    [answer] => usize::try_from(answer).ok().and_then(|answer| answer.checked_sub(1)),
                    _ => None,
                };
                let answers = self.play.answers().len();
                let answered = answer.is_some_and(|answer| self.play.answer(answer).is_ok());
                if answered { Ok(String::new()) } else { Err(number_wanted(answers)) }
            }
            (PlayerInput::Nothing, Phase::Question) if self.play.answers().len() == 1 => {
                self.play.answer(0).map(|()| String::new()).map_err(|error| error.to_string())
            }
            (_, Phase::Question) => Err(match input {
                PlayerInput::Unclear(what) => {
                    format!("`{what}` is no answer. {}", number_wanted(self.play.answers().len()))
                }
                PlayerInput::Roll => format!("Nothing is rolled now. {}", number_wanted(self.play.answers().len())),
                _ => number_wanted(self.play.answers().len()),
            }),
            (PlayerInput::Nothing | PlayerInput::Roll, Phase::Chance) => self.roll(),
            (PlayerInput::Numbers(numbers), Phase::Chance) => self.bring(numbers),
            (_, Phase::Chance) => Err(wanted(self.play.chance().as_ref())),
        }
    }

    fn undo(&mut self) -> Result<String, String> {
        if !self.play.undo() {
            return Err("There is nothing to take back.".into());
        }
        // Rolls that would be repeated without a question are taken back, too.
        while self.args.picks == Picks::Rolled && self.play.phase() == Phase::Chance && self.play.undo() {}
        self.shown = None;
        Ok(String::new())
    }

    fn roll(&mut self) -> Result<String, String> {
        let (chance, fight) = (self.play.chance(), self.play.fight());
        let rolled = self.play.roll().map_err(|error| error.to_string())?;
        Ok(came(self.book, chance.as_ref(), fight.as_ref(), &rolled))
    }

    /// Goes on with typed numbers.
    fn bring(&mut self, typed: &[u64]) -> Result<String, String> {
        let (chance, fight) = (self.play.chance(), self.play.fight());
        let wanted = || wanted(chance.as_ref());
        let rolled = chance.as_ref().and_then(|chance| chance.typed(typed)).ok_or_else(wanted)?;
        self.play.bring(&rolled).map_err(|_| wanted())?;
        Ok(came(self.book, chance.as_ref(), fight.as_ref(), &rolled))
    }

    /// Shows the worth of all answers or outcomes.
    fn hint(&mut self, phase: Phase) -> Result<(), Stop> {
        match self.solve() {
            Ok(()) => print(&hints(self.book, &self.play, phase)),
            // Only the solver was stopped.
            Err(Failure::Interrupted(_)) => print("Stopped: no hints.\n"),
            Err(failure) => Err(Stop::Failed(failure)),
        }
    }

    /// Solves the book, once.
    fn solve(&mut self) -> Result<(), Failure> {
        if self.solved.get().is_some() {
            return Ok(());
        }
        let solved = self
            .args
            .engine
            .run(|run| match self.series {
                Some(series) => series.solved(self.question, run.options),
                None => Solved::new(self.book, self.question, run.options),
            })
            .map_err(|error| unsolved(&error))?;
        let same = self.play.take_hints(self.solved.get_or_init(|| solved));
        if same { Ok(()) } else { Err(Failure::failed("these hints are for another game", "please report this book")) }
    }
}
