//! A section of a book: where it is drawn, what is in it, and best play in it.

use gamebook::{Outline, SectionNumber};
use import::Paragraph;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::names::is_section;
use super::registry::{CachedAnswer, Gamebooks, OfferedBook};
use super::solve::SolveQuestion;
use crate::question::{Problem, Question, Run, object};

/// What is asked about a section of a solved book.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionQuestion {
    section: SectionNumber,
    #[serde(default, deserialize_with = "object")]
    play: SolveQuestion,
}

/// A section.
#[derive(Serialize)]
pub struct SectionAnswer {
    format: u32,
    #[serde(flatten)]
    section: SectionJson,
    /// Its text, if the reader gave it, or the book holds it.
    text: Option<Vec<Paragraph>>,
    /// Null where best play never comes.
    best_play: Option<Box<RawValue>>,
    /// What is left to do in the book, where anything is.
    #[serde(flatten)]
    draft: Map<String, Value>,
}

impl SectionQuestion {
    fn of(&self, cached: &CachedAnswer, gamebooks: &Gamebooks) -> Result<SectionAnswer, Problem> {
        let offered = gamebooks.book(&self.play.book)?;
        Ok(SectionAnswer {
            format: 1,
            section: SectionJson::new(offered, self.section),
            text: offered.paragraphs(self.section),
            best_play: cached.sections.get(&self.section).cloned(),
            draft: offered.book.draft.fields(),
        })
    }
}

impl Question for SectionQuestion {
    type Context = Gamebooks;
    type Answer = SectionAnswer;

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        is_section(&gamebooks.book(&self.play.book)?.book, self.section)?;
        self.play.check(gamebooks)
    }

    fn at_once(&self, gamebooks: &Gamebooks) -> Option<SectionAnswer> {
        self.of(&*self.play.kept(gamebooks)?, gamebooks).ok()
    }

    fn answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<SectionAnswer, Problem> {
        self.of(&*self.play.cached_answer(run, gamebooks)?, gamebooks)
    }
}

#[derive(Serialize)]
pub struct SectionJson {
    section: SectionNumber,
    /// Its name, where it has one in place of a number.
    name: Option<String>,
    /// The middle of its place in a drawing that leads downwards, in pixels to the right and down.
    x: f64,
    y: f64,
    to: Vec<SectionNumber>,
    deadly: bool,
    /// How heroes die here as the author says, in words.
    deaths: Vec<String>,
    victory: bool,
    enemies: Vec<EnemyJson>,
    /// Everyone who is fought, in words.
    fights: Vec<String>,
}

#[derive(Serialize)]
struct EnemyJson {
    name: String,
    combat_skill: i32,
    endurance: u8,
}

impl SectionJson {
    pub fn new(offered: &OfferedBook, section: SectionNumber) -> Self {
        let Outline { targets, deadly, deaths, victory, enemies, fights } =
            offered.outlines.get(&section).cloned().unwrap_or_default();
        let enemies =
            enemies.into_iter().map(|(name, combat_skill, endurance)| EnemyJson { name, combat_skill, endurance });
        let (x, y) = offered.layout.places.get(&section).map_or((0.0, 0.0), |place| (place.x, place.y));
        Self {
            section,
            name: offered.book.name_of(section).map(String::from),
            x: tenths(x),
            y: tenths(y),
            to: targets.into_iter().collect(),
            deadly,
            deaths,
            victory,
            enemies: enemies.collect(),
            fights,
        }
    }
}

/// Finer, nobody sees.
pub fn tenths(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}
