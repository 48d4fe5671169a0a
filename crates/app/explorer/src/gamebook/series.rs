//! Books in a row, solved whole for a hero.

use std::collections::BTreeMap;

use gamebook::{BookReached, SectionNumber, SeriesBook};
use mdp::Number;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::advise::AdviseQuestion;
use super::best_play::Share;
use super::choice::ChoiceJson;
use super::hero::HeroFields;
use super::names::{is_section, unsolved_of};
use super::policy_fields::Conduct;
use super::registry::{CachedAnswer, Gamebooks, OfferedBook};
use super::walk_session;
use crate::question::{Problem, Question, Run, object};

/// How likely a hero wins all books of a series, one after another.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SeriesQuestion {
    book: String,
    #[serde(deserialize_with = "object")]
    hero: HeroFields,
    #[serde(deserialize_with = "object")]
    conduct: Conduct,
}

#[derive(Serialize)]
struct SeriesAnswer {
    format: u32,
    win: Number,
    books: Vec<VolumeJson>,
    /// The deadliest section first.
    deaths: Vec<Share>,
    first_choices: Vec<FirstChoice>,
    states: u64,
    /// What is left to do in the books, where anything is.
    #[serde(flatten)]
    draft: Map<String, Value>,
}

/// The number in the series of a section of one of its books, which are counted from 1; without a section that with which
/// the book begins.
pub fn number_in(
    offered: &OfferedBook,
    volume: usize,
    section: Option<SectionNumber>,
) -> Result<SectionNumber, Problem> {
    let Some((series, _)) = &offered.series else { return Err(Problem::internal("a series is none")) };
    let books = series.books.iter().zip(series.first_numbers());
    let Some((own, before)) = volume.checked_sub(1).and_then(|place| books.clone().nth(place)) else {
        let help = format_args!("its books are 1 to {}", series.books.len());
        return Err(Problem::impossible(format_args!("there is no book {volume} in this series"), help));
    };
    let section = section.unwrap_or(own.book.start);
    is_section(&own.book, section)?;
    Ok(before.saturating_add(section))
}

/// A question on the likeliest way of best play, and how a walk comes to it.
#[derive(Serialize)]
struct FirstChoice {
    section: SectionNumber,
    about: Option<String>,
    steps: Vec<String>,
    choices: Vec<ChoiceJson>,
}

impl From<gamebook::FirstChoice> for FirstChoice {
    fn from(gamebook::FirstChoice { section, about, answers, steps, .. }: gamebook::FirstChoice) -> Self {
        let choices = answers.into_iter().map(ChoiceJson::from).collect();
        Self { section, about, steps: steps.iter().map(ToString::to_string).collect(), choices }
    }
}

/// How he fares in a book.
#[derive(Serialize)]
struct VolumeJson {
    title: String,
    reached: f64,
    win: f64,
}

impl SeriesQuestion {
    fn question(&self, offered: &OfferedBook) -> Result<gamebook::Question, Problem> {
        AdviseQuestion::setting_out(offered.name.clone(), self.hero.clone(), self.conduct.clone()).walked(offered)
    }

    /// What the shelf calls the answer.
    fn key(offered: &OfferedBook, question: &gamebook::Question) -> String {
        format!("series {}", walk_session::key(offered, question))
    }
}

impl Question for SeriesQuestion {
    type Context = Gamebooks;
    type Answer = Box<RawValue>;

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        self.question(gamebooks.series(&self.book)?).map(|_| ())
    }

    fn at_once(&self, gamebooks: &Gamebooks) -> Option<Box<RawValue>> {
        let offered = gamebooks.series(&self.book).ok()?;
        let key = Self::key(offered, &self.question(offered).ok()?);
        gamebooks.shelf.kept(&key).map(|cached| cached.whole.clone())
    }

    fn answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<Box<RawValue>, Problem> {
        let offered = gamebooks.series(&self.book)?;
        let question = self.question(offered)?;
        let cached = gamebooks.shelf.get(&Self::key(offered, &question), run, || {
            let Some((series, _)) = &offered.series else { return Err(Problem::internal("a series is none")) };
            // What a walk wants, too.
            let solved = walk_session::solved(gamebooks, offered, &question, run)?;
            let journey = solved.journey(&run.options).map_err(|error| unsolved_of(offered, &error))?;
            let volumes = series.books.iter().zip(series.by_book(&journey));
            let volume = |(own, BookReached { reached, win }): (&SeriesBook, BookReached)| VolumeJson {
                title: own.book.title.clone(),
                reached,
                win,
            };
            let answer = SeriesAnswer {
                format: 1,
                win: Number::from(&solved.win()),
                books: volumes.map(volume).collect(),
                deaths: journey.deaths.iter().map(|(section, own)| Share::new(Some(*section), *own)).collect(),
                first_choices: solved.first_choices().into_iter().map(FirstChoice::from).collect(),
                states: u64::from(solved.space().model().states()),
                draft: offered.book.draft.fields(),
            };
            CachedAnswer::of(&answer, BTreeMap::new())
        })?;
        Ok(cached.whole.clone())
    }
}
