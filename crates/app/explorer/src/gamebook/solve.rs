//! A book solved for a hero.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamebook::{Belongings, Book, Guide, Journey, SectionNumber, SectionVisit, Solved};
use mdp::Number;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::best_play::{BestPlay, Share};
use super::choice::ChoiceJson;
use super::hero::HeroFields;
use super::names::{goals, is_section, unsolved};
use super::policy_fields::Conduct;
use super::registry::{CachedAnswer, Gamebooks, OfferedBook};
use super::walk_session;
use crate::question::{Problem, Question, Run, object, object_or_null};

/// A choice that the player insists on, whatever its odds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Insist {
    section: SectionNumber,
    to: SectionNumber,
}

/// A book from its beginning.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct SolveQuestion {
    pub book: String,
    #[serde(deserialize_with = "object")]
    hero: HeroFields,
    start: Option<SectionNumber>,
    goals: Vec<SectionNumber>,
    #[serde(deserialize_with = "object_or_null")]
    insist: Option<Insist>,
    #[serde(deserialize_with = "object")]
    conduct: Conduct,
}

impl SolveQuestion {
    /// About a book and its own hero.
    pub fn of(book: &str) -> Self {
        Self { book: book.to_owned(), ..Self::default() }
    }

    fn question(&self, book: &Book) -> Result<gamebook::Question, Problem> {
        if let Some(start) = self.start {
            is_section(book, start)?;
        }
        let mut question = gamebook::Question::new(book);
        question.hero = self.hero.hero(book)?;
        question.situation.values = self.hero.values(book)?;
        self.conduct.apply(book, &mut question.situation)?;
        question.start = self.start.unwrap_or(book.start);
        question.goals = goals(book, &self.goals)?;
        Ok(question)
    }

    fn insisting(&self, book: &Book) -> Result<Option<Book>, Problem> {
        let Some(Insist { section, to }) = self.insist else { return Ok(None) };
        is_section(book, section)?;
        book.insisting(section, to).map(Some).ok_or_else(|| {
            let leads: Vec<String> = book.outline(section).targets.iter().map(|to| book.section_text(*to)).collect();
            let help = format!(
                "section {} leads to {}",
                book.section_text(section),
                if leads.is_empty() { "none".into() } else { leads.join(", ") }
            );
            let (section, to) = (book.section_text(section), book.section_text(to));
            Problem::impossible(format_args!("no choice of section {section} leads to {to}"), help)
        })
    }

    /// The probability that best play wins, and its way through the book: a part of the answer, known sooner than the whole.
    pub fn journey(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<(Number, Journey), Problem> {
        let offered = gamebooks.book(&self.book)?;
        let question = self.question(&offered.book)?;
        let solved = walk_session::solved(gamebooks, offered, &question, run)?;
        let journey = solved.journey(&run.options).map_err(|error| unsolved(&error))?;
        Ok(((&solved.win()).into(), journey))
    }

    /// The key of the answer on the shelf.
    fn key(&self, offered: &OfferedBook, question: &gamebook::Question) -> String {
        let insist = self.insist.map(|insist| (insist.section, insist.to));
        format!("solve {} {question:?} {insist:?}", offered.name)
    }

    /// The answer from the shelf, if it is there.
    pub fn kept(&self, gamebooks: &Gamebooks) -> Option<Arc<CachedAnswer>> {
        let offered = gamebooks.book(&self.book).ok()?;
        let question = self.question(&offered.book).ok()?;
        gamebooks.shelf.kept(&self.key(offered, &question))
    }

    /// The answer from the shelf, or solved now.
    pub fn cached_answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<Arc<CachedAnswer>, Problem> {
        let offered = gamebooks.book(&self.book)?;
        let question = self.question(&offered.book)?;
        gamebooks.shelf.get(&self.key(offered, &question), run, || {
            let changed = self.insisting(&offered.book)?;
            let book = changed.as_ref().unwrap_or(&offered.book);
            let solved = match &changed {
                None => walk_session::solved(gamebooks, offered, &question, run)?,
                Some(_) => Arc::new(Solved::new(book, &question, &run.options).map_err(|error| unsolved(&error))?),
            };
            // A player who tries out numbers looks at this first; the rest takes more than a quarter of the time.
            run.report_win((&solved.win()).into());
            let (journey, guide) = solved.journey_and_guide(&run.options).map_err(|error| unsolved(&error))?;
            let whole = SolveAnswer::new(offered, &question, &solved, &journey, &guide);
            let visits: BTreeMap<SectionNumber, &SectionVisit> =
                journey.sections.iter().map(|visit| (visit.section, visit)).collect();
            let mut sections = BTreeMap::new();
            for (section, own) in &guide.sections {
                let json = BestPlay::new(own, visits.get(section).copied());
                sections.insert(*section, to_raw_value(&json).map_err(Problem::internal)?);
            }
            CachedAnswer::of(&whole, sections)
        })
    }
}

impl Question for SolveQuestion {
    type Context = Gamebooks;
    type Answer = Box<RawValue>;

    fn may_be_small(&self, gamebooks: &Gamebooks) -> bool {
        gamebooks.book(&self.book).is_ok_and(OfferedBook::is_small)
    }

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        let book = &gamebooks.book(&self.book)?.book;
        self.question(book)?;
        self.insisting(book).map(|_| ())
    }

    fn at_once(&self, gamebooks: &Gamebooks) -> Option<Box<RawValue>> {
        self.kept(gamebooks).map(|cached| cached.whole.clone())
    }

    fn answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<Box<RawValue>, Problem> {
        Ok(self.cached_answer(run, gamebooks)?.whole.clone())
    }
}

#[derive(Serialize)]
struct Visit {
    section: SectionNumber,
    visited: f64,
    win_if_here: f64,
}

#[derive(Serialize)]
struct Edge {
    from: SectionNumber,
    to: SectionNumber,
    probability: f64,
}

#[derive(Serialize)]
struct Final<'a> {
    section: SectionNumber,
    probability: f64,
    endurance: u16,
    gold: u16,
    items: &'a [(String, u16)],
    flags: &'a [String],
    /// What a hero of a system of rules has, in place of ENDURANCE and gold.
    stats: Option<&'a [(String, i32)]>,
}

impl<'a> From<&'a (SectionNumber, Belongings, f64)> for Final<'a> {
    fn from((section, has, probability): &'a (SectionNumber, Belongings, f64)) -> Self {
        let Belongings { endurance, gold, items, flags, stats } = has;
        Self {
            section: *section,
            probability: *probability,
            endurance: *endurance,
            gold: *gold,
            items,
            flags,
            stats: stats.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct FirstChoice {
    section: SectionNumber,
    /// What the hero has there.
    has: HasJson,
    choices: Vec<ChoiceJson>,
}

#[derive(Serialize)]
struct HasJson {
    endurance: u16,
    gold: u16,
    items: Vec<(String, u16)>,
    flags: Vec<String>,
    stats: Option<Vec<(String, i32)>>,
}

impl From<Belongings> for HasJson {
    fn from(Belongings { endurance, gold, items, flags, stats }: Belongings) -> Self {
        Self { endurance, gold, items, flags, stats }
    }
}

/// The answer about a whole book.
#[derive(Serialize)]
struct SolveAnswer<'a> {
    format: u32,
    book: &'a str,
    start: SectionNumber,
    goals: &'a [SectionNumber],
    win: Number,
    deaths: Vec<Share>,
    sections: Vec<Visit>,
    edges: Vec<Edge>,
    /// With what heroes win, the most likely first.
    finals: Vec<Final<'a>>,
    /// Finals beyond those listed.
    left_out: usize,
    way: &'a [SectionNumber],
    first_choices: Vec<FirstChoice>,
    states: u64,
    /// What is left to do in the book, where anything is.
    #[serde(flatten)]
    draft: Map<String, Value>,
}

/// The most final situations that are listed.
const MOST_FINALS: usize = 20;

impl<'a> SolveAnswer<'a> {
    fn new(
        offered: &'a OfferedBook,
        question: &'a gamebook::Question,
        solved: &Solved,
        journey: &'a Journey,
        guide: &Guide,
    ) -> Self {
        let edge = |to: SectionNumber, (from, probability): (&Option<SectionNumber>, &f64)| {
            from.map(|from| Edge { from, to, probability: *probability })
        };
        let share = |(section, probability): &(SectionNumber, f64)| Share::new(Some(*section), *probability);
        let visit = |visit: &SectionVisit| Visit {
            section: visit.section,
            visited: visit.visited,
            win_if_here: visit.win_if_here,
        };
        let first = solved.first_choices().into_iter().map(|question| FirstChoice {
            section: question.section,
            has: question.belongings.into(),
            choices: question.answers.into_iter().map(ChoiceJson::from).collect(),
        });
        Self {
            format: 1,
            book: &offered.name,
            start: question.start,
            goals: &question.goals,
            win: (&solved.win()).into(),
            deaths: journey.deaths.iter().map(share).collect(),
            sections: journey.sections.iter().map(visit).collect(),
            edges: guide
                .sections
                .iter()
                .flat_map(|(to, own)| own.from.iter().filter_map(|from| edge(*to, from)))
                .collect(),
            finals: journey.finals.iter().take(MOST_FINALS).map(Final::from).collect(),
            left_out: journey.finals.len().saturating_sub(MOST_FINALS),
            way: &journey.way,
            first_choices: first.collect(),
            states: u64::from(solved.space().model().states()),
            draft: offered.book.draft.fields(),
        }
    }
}
