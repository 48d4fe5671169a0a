//! A play of a story, choice by choice, with its texts.

use budget::Budget;
use mdp::GameError;

use crate::advise::{Advice, advice_from};
use crate::game::{Ending, Fault, InkGame, State, destination};
use crate::report::ReportOptions;
use crate::story::Story;

/// Answers a draw: a number below the number of outcomes, each with the same probability.
pub type Roll<'r> = &'r mut dyn FnMut(u32) -> u32;

/// A play of a story.
///
/// ```
/// let text = "A coin.\n* toss\n  {RANDOM(0, 1) == 0: Heads.|Tails.}\n  -> END\n";
/// let story = ink::Story::compile(text, "coin.ink", |_| Err("none".into()))?;
/// let mut play = ink::Play::begin(&story, ink::StepLimits::default(), &mut |_| 1);
/// assert_eq!((play.text().trim(), &play.choices()[..]), ("A coin.", &["toss".to_owned()][..]));
/// assert!(play.choose(0, &mut |_| 1));
/// assert_eq!(play.text(), "toss\nTails.\n");
/// assert!(play.ending().is_some() && play.undo() && !play.undo());
/// # Ok::<(), ink::SourceError>(())
/// ```
#[derive(Debug)]
pub struct Play {
    game: InkGame,
    /// The text and the state after each choice; the first is the beginning.
    moments: Vec<(String, State)>,
}

impl Play {
    /// Runs a story to its first choice.
    pub fn begin(story: &Story, limits: crate::StepLimits, roll: Roll<'_>) -> Self {
        let game = InkGame::with_texts(story, limits);
        let (text, first) = game.played(&State::Start, 0, roll);
        Self { game, moments: vec![(text, destination(first))] }
    }

    /// Makes a choice, by its index; `false` if there is no such choice.
    pub fn choose(&mut self, choice: usize, roll: Roll<'_>) -> bool {
        let exists = choice < self.choices().len();
        if exists {
            let (text, next) = self.game.played(self.state(), choice, roll);
            self.moments.push((text, destination(next)));
        }
        exists
    }

    /// Takes the last choice back; `false` at the beginning.
    pub fn undo(&mut self) -> bool {
        let can = self.moments.len() > 1;
        if can {
            self.moments.pop();
        }
        can
    }

    /// The text since the last choice.
    pub fn text(&self) -> &str {
        self.moments.last().map_or("", |(text, _)| text)
    }

    /// The texts of the choices; none at the end.
    pub fn choices(&self) -> Vec<String> {
        self.game.choices(self.state())
    }

    /// How the story has ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.game.ending(self.state())
    }

    /// Why the story has broken off, if it has.
    pub fn fault(&self) -> Option<Fault> {
        self.game.fault(self.state())
    }

    /// The value of each choice, from here on.
    ///
    /// # Errors
    /// When the explored part cannot be solved within the limits.
    pub fn hint(&self, options: &ReportOptions<'_>) -> Result<Advice, GameError> {
        let own = Budget::default();
        advice_from(&self.game, self.state(), options.exact, options.budget.unwrap_or(&own))
    }

    fn state(&self) -> &State {
        self.moments.last().map_or(&State::Start, |(_, state)| state)
    }
}
