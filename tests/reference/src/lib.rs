//! The odds of a gamebook, computed as plainly as possible: an interpreter of the book as it was read. It does not use
//! programs, reductions or the engine, since tests hold them against it. Start reading at `solve.rs`, and at `node.rs` for
//! the effect of each part of a section.
//!
//! It plays the book node by node with everything on the hero's sheet, leaves nothing out, merges nothing, and computes
//! with exact fractions. So it is slow and manages small books only; but it shares nothing but the book itself with the
//! compiler, its reductions, and the engine.
//!
//! ```
//! let text = r#"
//!     book "Bets" format=1 rules="lone-wolf"
//!     start 1
//!     goal 2
//!     hero { combat-skill 15; endurance 25; gold 1; }
//!     section 1 {
//!         choice "pay" { require "gold >= 2"; goto 2; }
//!         choice "bet" { require "gold >= 1"; pick { when 0 3 { gain gold 1; }; else { lose gold 1; }; }; goto 1; }
//!         choice "beg" { require "gold = 0"; death "hunger"; }
//!     }
//!     section 2 { victory; }
//! "#;
//! let (book, _) = gamebook::read(text)?;
//! let win = gamebook_reference::win(&book, &book.hero, 1_000)?;
//! assert_eq!(win.to_string(), "2/5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod carrying;
mod expression;
mod fight;
mod graph;
mod mentions;
mod node;
mod pick;
mod place;
mod series;
mod sheet;
mod solve;
mod system;

use std::fmt;

use dashu_int::UBig;
use dashu_ratio::RBig;
use gamebook::{Book, Hero, Reader, Series, Situation};

/// A book that is too large to be interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// So many situations are looked at.
    pub most: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the book has more than {} situations, or a loop has more than {}", self.most, solve::MOST_IN_A_LOOP)
    }
}

impl std::error::Error for TooLarge {}

/// The probability to win a book from its beginning with best play.
///
/// # Errors
/// When it has more than `most` situations, or too many of them in one cycle.
pub fn win(book: &Book, hero: &Hero, most: usize) -> Result<RBig, TooLarge> {
    played(book, hero, most, graph::Turn::Asks)
}

/// The probability to win the last book of a series with best play of all of them, for a hero who sets out in the first.
/// The books have the rules of Lone Wolf, and none of them `sets-out`.
///
/// # Errors
/// When it has more than `most` situations, or too many of them in one cycle.
pub fn win_series(series: &Series, hero: &Hero, most: usize) -> Result<RBig, TooLarge> {
    let stages = series::stages(series, hero);
    let rules = series::rules(series, &stages);
    let graph = series::explore(series, &stages, &rules, most).ok_or(TooLarge { most })?;
    solve::solve(&graph).ok_or(TooLarge { most })
}

/// The probability to win a book from its beginning for a reader who does not play best.
///
/// # Errors
/// As [`win`].
pub fn win_of_reader(book: &Book, hero: &Hero, reader: Reader, most: usize) -> Result<RBig, TooLarge> {
    played(book, hero, most, |mut answers| match reader {
        _ if answers.is_empty() => graph::Turn::Lost,
        Reader::Random => graph::Turn::Chance(answers.into_iter().map(|answer| (UBig::ONE, answer)).collect()),
        Reader::Bold => graph::Turn::On(answers.swap_remove(0)),
        Reader::Cautious => graph::Turn::On(answers.swap_remove(answers.len() - 1)),
    })
}

/// The probability to win where the player's `answers` become what he does with them.
fn played<'b>(
    book: &'b Book,
    hero: &'b Hero,
    most: usize,
    asked: impl Fn(Vec<place::Situation<'b>>) -> place::Turn<'b>,
) -> Result<RBig, TooLarge> {
    let rules = node::Rules::new(book, hero);
    let turn = |situation| match rules.turn(situation) {
        graph::Turn::Asks(answers) => asked(answers),
        turn => turn,
    };
    let graph = graph::explore(rules.beginning(), most, |own| (own.place.key(), own.sheet.clone()), turn)
        .ok_or(TooLarge { most })?;
    solve::solve(&graph).ok_or(TooLarge { most })
}

/// The probability to win a book with a system of rules of its own, from its beginning: best play makes
/// the choices that the situation's policy leaves open.
///
/// # Errors
/// When it has more than `most` situations, or too many of them in one cycle.
pub fn win_by_rules(book: &Book, situation: &Situation, most: usize) -> Result<RBig, TooLarge> {
    let Some(system) = &book.system else { return Err(TooLarge { most }) };
    let reading = |own| situation.readings.iter().find(|(reading, _)| *reading == own).map_or(0, |(_, value)| *value);
    let rules = system::Rules {
        book,
        system,
        readings: (0..book.readings.len()).map(reading).collect(),
        policy: situation.policy.as_ref().map_or(&[], |policy| &policy.rules),
    };
    let graph = system::explore(&rules, &situation.values, most).ok_or(TooLarge { most })?;
    solve::solve(&graph).ok_or(TooLarge { most })
}
