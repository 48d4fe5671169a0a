//! A story unfolded into passages: one for every situation, and for every text that leads to it.
//!
//! A situation does not contain the text that was written on the way to it, since that has no effect on play. A passage
//! does: it is a text and the situation after it. There are at most as many passages as outcomes of choices.

use budget::{Budget, Progress, Stage, Stopped};
use rustc_hash::FxHashMap;

use crate::game::{Ending, Fault, InkGame, State, destination};
use crate::runner::StepLimits;
use crate::story::Story;

/// A story as passages that lead to each other.
#[derive(Clone, Debug)]
pub struct Unfolded {
    /// The first passages, with weights in lowest terms.
    pub start: Vec<(usize, u128)>,
    /// All passages that play can reach.
    pub passages: Vec<Passage>,
}

/// A text, and what follows it.
#[derive(Clone, Debug)]
pub struct Passage {
    /// What is read.
    pub text: String,
    /// The knot or stitch of the choices after it, or of its end; [`TOP`](crate::TOP) outside of all.
    pub place: String,
    /// What follows.
    pub then: Then,
}

/// What follows a text.
#[derive(Clone, Debug)]
pub enum Then {
    /// Choices: the text of each, and the passages after it with weights in lowest terms.
    Asks(Vec<(String, Vec<(usize, u128)>)>),
    /// The story ends.
    Ends(Ending),
    /// The story breaks off.
    BreaksOff(Fault),
}

/// Why a story was not unfolded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotUnfolded {
    /// It has more passages than were allowed, or too many outcomes between two choices.
    TooMany,
    /// The budget stopped it.
    Stopped(Stopped),
}

/// Passages by their texts and states.
struct Found {
    numbers: FxHashMap<(String, State), usize>,
    /// In the order of discovery.
    keys: Vec<(String, State)>,
    most: usize,
}

impl Found {
    fn numbers(&mut self, outcomes: Vec<((String, State), u128)>) -> Result<Vec<(usize, u128)>, NotUnfolded> {
        let numbered = outcomes.into_iter().map(|(key, weight)| {
            let number = *self.numbers.entry(key).or_insert_with_key(|key| {
                self.keys.push(key.clone());
                self.keys.len() - 1
            });
            (number, weight)
        });
        let numbered: Vec<(usize, u128)> = numbered.collect();
        if self.keys.len() > self.most { Err(NotUnfolded::TooMany) } else { Ok(numbered) }
    }
}

impl Story {
    /// All passages of the story, if there are no more than `most`.
    ///
    /// # Errors
    /// When there are more, or the budget stops it.
    ///
    /// ```
    /// let story = ink::Story::compile("A coin.\n* toss\n  {RANDOM(0, 1) == 0: Heads.|Tails.}\n", "c.ink", |_| Err("none".into()))?;
    /// let unfolded = story.unfold(10, ink::StepLimits::default(), &budget::Budget::unlimited()).expect("three passages");
    /// let texts: Vec<&str> = unfolded.passages.iter().map(|passage| passage.text.trim()).collect();
    /// assert_eq!(texts, ["A coin.", "toss\nHeads.", "toss\nTails."]);
    /// # Ok::<(), ink::SourceError>(())
    /// ```
    pub fn unfold(&self, most: usize, step: StepLimits, budget: &Budget<'_>) -> Result<Unfolded, NotUnfolded> {
        let game = InkGame::with_texts(self, step);
        let mut found = Found { numbers: FxHashMap::default(), keys: Vec::new(), most };
        let moves = |state: &State| game.moves_with(state, |text, state| (text.to_owned(), destination(state)));
        let mut start = Vec::new();
        for begin in moves(&State::Start) {
            start = found.numbers(begin.outcomes)?;
        }
        let mut passages = Vec::new();
        while let Some((text, state)) = found.keys.get(passages.len()).cloned() {
            if state == State::Cut {
                return Err(NotUnfolded::TooMany);
            }
            let (done, waiting) = (passages.len() as u64, (found.keys.len() - passages.len()) as u64);
            let progress = Progress { stage: Stage::Exploring, done, waiting, memory: game.bytes() };
            budget.advance(progress).map_err(NotUnfolded::Stopped)?;
            let (place, then) = match (game.ending(&state), game.fault(&state)) {
                (Some(ending), _) => (game.place(&state), Then::Ends(ending)),
                (None, Some(fault)) => (fault.place.clone(), Then::BreaksOff(fault)),
                (None, None) => {
                    let mut choices = Vec::new();
                    for choice in moves(&state) {
                        choices.push((choice.text.unwrap_or_default(), found.numbers(choice.outcomes)?));
                    }
                    (game.place(&state), Then::Asks(choices))
                }
            };
            passages.push(Passage { text, place, then });
        }
        Ok(Unfolded { start, passages })
    }
}
