//! Gamebooks: a book solved for a hero, its sections, and advice where the reader stands.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use gamebook::{
    Advice, Belongings, Book, DISCIPLINES, Discipline, Guide, Hero, ItemId, Journey, Kind, Outline, QuestionGuide,
    SectionNumber, SectionVisit, Situation, SolveBookError, Solved,
};
use import::Paragraph;
use mdp::Value;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::ask::Question;
use crate::jobs::Run;
use crate::library::{Library, OfferedBook, Told};
use crate::problem::Problem;

/// A hero; what is not said is as the book's own hero has it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeroFields {
    combat_skill: Option<i32>,
    endurance: Option<u8>,
    disciplines: Option<Vec<String>>,
    items: Option<Vec<String>>,
    lost: Option<Vec<String>>,
    /// Everything that he has, in place of `items` and `lost`.
    #[serde(skip_serializing)]
    has: Option<Vec<String>>,
    gold: Option<u8>,
}

/// A choice that is made whatever it is worth.
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
    book: String,
    hero: HeroFields,
    start: Option<SectionNumber>,
    goals: Vec<SectionNumber>,
    insist: Option<Insist>,
}

/// The most goals and items that are read.
const MOST_NAMES: usize = 200;

/// Problems of what a question names.
fn unknown(what: &str, name: &str, known: &[&str]) -> Problem {
    Problem::impossible(
        format_args!("there is no {what} {name:?} in this book"),
        format_args!("there are {}", if known.is_empty() { "none".into() } else { known.join(", ") }),
    )
}

fn unsolved(error: &SolveBookError) -> Problem {
    match error {
        SolveBookError::Stopped(stopped) => Problem::stopped(stopped),
        SolveBookError::Engine(_) => Problem::internal(error),
        SolveBookError::Hero(_) => Problem::impossible(error, "change the hero"),
        SolveBookError::NoSection(_) => Problem::impossible(error, "name a section of the book"),
        SolveBookError::Endurance { .. } => {
            Problem::impossible(error, "say less, or give the hero the endurance with which he set out")
        }
        SolveBookError::TooMuchToRemember(_) => {
            Problem::impossible(error, "declare fewer items, flags and counters in the book")
        }
    }
}

impl HeroFields {
    fn hero(&self, book: &Book) -> Result<Hero, Problem> {
        let mut hero = book.hero.clone();
        hero.combat_skill = self.combat_skill.unwrap_or(hero.combat_skill);
        hero.endurance = self.endurance.unwrap_or(hero.endurance);
        hero.gold = self.gold.unwrap_or(hero.gold);
        if let Some(names) = &self.disciplines {
            (hero.disciplines, hero.weaponskill) = disciplines(names)?;
        }
        if let Some(names) = &self.items {
            hero.items = items(book, names)?;
        }
        if let Some(names) = &self.lost {
            hero.lost = items(book, names)?.into_iter().map(|(item, _)| item).collect();
        }
        if let Some(names) = &self.has {
            (hero.items, hero.lost) = apart(book, items(book, names)?)?;
        }
        hero.check(book).map_err(|error| unsolved(&SolveBookError::Hero(error)))?;
        Ok(hero)
    }
}

fn disciplines(names: &[String]) -> Result<(Vec<Discipline>, Option<String>), Problem> {
    let mut weapon = None;
    let mut found = Vec::new();
    for name in names.iter().take(MOST_NAMES) {
        let plain = match name.strip_prefix("weaponskill=") {
            Some(of) => {
                weapon = Some(of.to_owned());
                "weaponskill"
            }
            None => name,
        };
        let known: Vec<&str> = DISCIPLINES.iter().map(|(_, name)| *name).collect();
        found.push(plain.parse().map_err(|_: String| unknown("discipline", name, &known))?);
    }
    Ok((found, weapon))
}

/// Items and how many of each.
type Counted = Vec<(ItemId, u8)>;

/// Of everything that a hero has, his own items; and what he lost of what every hero of the book has.
fn apart(book: &Book, mut has: Counted) -> Result<(Counted, Vec<ItemId>), Problem> {
    let mut lost = Vec::new();
    for (fixed, count) in &book.fixed {
        match has.iter_mut().find(|(item, _)| item == fixed) {
            None => lost.push(*fixed),
            Some((_, own)) if *own >= *count => *own -= count,
            Some((_, own)) => {
                let message = format_args!("{own} of {}: every hero of this book has {count}", book.items[*fixed].name);
                return Err(Problem::impossible(message, "say that he has none of them, or all"));
            }
        }
    }
    has.retain(|(_, count)| *count > 0);
    Ok((has, lost))
}

/// Items as `meal=2`, or repeated.
fn items(book: &Book, names: &[String]) -> Result<Counted, Problem> {
    let mut found: BTreeMap<ItemId, u8> = BTreeMap::new();
    for part in names.iter().take(MOST_NAMES) {
        let (name, count) = part.split_once('=').unwrap_or((part, "1"));
        let known = || book.items.iter().map(|item| item.name.as_str()).collect::<Vec<_>>();
        let item = book.item(name).ok_or_else(|| unknown("item", name, &known()))?;
        let count: u8 = count.parse().map_err(|_| {
            Problem::impossible(format_args!("{part:?} is no number of items"), "write meal=2 for two of them")
        })?;
        let sum = found.entry(item).or_default();
        *sum = sum.saturating_add(count);
    }
    Ok(found.into_iter().collect())
}

fn is_section(book: &Book, section: SectionNumber) -> Result<(), Problem> {
    if book.sections.contains_key(&section) {
        return Ok(());
    }
    let (first, last) = (book.sections.keys().next(), book.sections.keys().next_back());
    Err(Problem::impossible(
        format_args!("there is no section {section} in this book"),
        format_args!("its sections are {} to {}", first.unwrap_or(&0), last.unwrap_or(&0)),
    ))
}

fn goals(book: &Book, goals: &[SectionNumber]) -> Result<Vec<SectionNumber>, Problem> {
    if goals.len() > MOST_NAMES {
        return Err(Problem::impossible("there are too many goals", format_args!("name at most {MOST_NAMES}")));
    }
    goals.iter().try_for_each(|goal| is_section(book, *goal))?;
    Ok(if goals.is_empty() { book.goals.clone() } else { goals.to_vec() })
}

impl SolveQuestion {
    fn question(&self, book: &Book) -> Result<gamebook::Question, Problem> {
        if let Some(start) = self.start {
            is_section(book, start)?;
        }
        Ok(gamebook::Question {
            hero: self.hero.hero(book)?,
            start: self.start.unwrap_or(book.start),
            goals: goals(book, &self.goals)?,
            ..gamebook::Question::new(book)
        })
    }

    fn insisting(&self, book: &Book) -> Result<Option<Book>, Problem> {
        let Some(Insist { section, to }) = self.insist else { return Ok(None) };
        is_section(book, section)?;
        book.insisting(section, to).map(Some).ok_or_else(|| {
            let leads: Vec<String> =
                book.sections[&section].outline().targets.iter().map(ToString::to_string).collect();
            let help = format!(
                "section {section} leads to {}",
                if leads.is_empty() { "none".into() } else { leads.join(", ") }
            );
            Problem::impossible(format_args!("no choice of section {section} leads to {to}"), help)
        })
    }

    /// What the shelf calls the answer.
    fn key(&self, offered: &OfferedBook, question: &gamebook::Question) -> String {
        let insist = self.insist.map(|insist| (insist.section, insist.to));
        format!("solve {} {question:?} {insist:?}", offered.name)
    }

    /// The answer from the shelf, if it is there.
    fn kept(&self, library: &Library) -> Option<Arc<Told>> {
        let offered = library.book(&self.book).ok()?;
        let question = self.question(&offered.book).ok()?;
        library.shelf.kept(&self.key(offered, &question))
    }

    /// The answer from the shelf, or solved now.
    fn told(&self, run: &Run<'_>, library: &Library) -> Result<Arc<Told>, Problem> {
        let offered = library.book(&self.book)?;
        let question = self.question(&offered.book)?;
        library.shelf.get(&self.key(offered, &question), run, || {
            let changed = self.insisting(&offered.book)?;
            let book = changed.as_ref().unwrap_or(&offered.book);
            let solved = Solved::new(book, &question, &run.options).map_err(|error| unsolved(&error))?;
            let journey = solved.journey(&run.options).map_err(|error| unsolved(&error))?;
            let guide = solved.guide(&run.options).map_err(|error| unsolved(&error))?;
            let whole = SolveAnswer::new(offered, &question, &solved, &journey, &guide);
            let visits: BTreeMap<SectionNumber, &SectionVisit> =
                journey.sections.iter().map(|visit| (visit.section, visit)).collect();
            let mut sections = BTreeMap::new();
            for (section, own) in &guide.sections {
                let json = BestPlay::new(own, visits.get(section).copied());
                sections.insert(*section, to_raw_value(&json).map_err(Problem::internal)?);
            }
            let told = Told { whole: to_raw_value(&whole).map_err(Problem::internal)?, sections };
            let bytes = told.bytes();
            Ok((told, bytes))
        })
    }
}

impl Question for SolveQuestion {
    type Answer = Box<RawValue>;

    fn check(&self, library: &Library) -> Result<(), Problem> {
        let book = &library.book(&self.book)?.book;
        self.question(book)?;
        self.insisting(book).map(|_| ())
    }

    fn at_once(&self, library: &Library) -> Option<Box<RawValue>> {
        self.kept(library).map(|told| told.whole.clone())
    }

    fn answer(&self, run: &Run<'_>, library: &Library) -> Result<Box<RawValue>, Problem> {
        Ok(self.told(run, library)?.whole.clone())
    }
}

/// A value between bounds that hold.
#[derive(Serialize)]
struct Bounded {
    decimal: f64,
    lower: f64,
    upper: f64,
}

impl From<&Value> for Bounded {
    fn from(value: &Value) -> Self {
        Self { decimal: value.decimal(), lower: value.lower, upper: value.upper }
    }
}

/// How likely a section is.
#[derive(Serialize)]
struct Share {
    section: Option<SectionNumber>,
    probability: f64,
}

fn shares(of: &BTreeMap<Option<SectionNumber>, f64>) -> Vec<Share> {
    let mut shares: Vec<Share> =
        of.iter().map(|(section, probability)| Share { section: *section, probability: *probability }).collect();
    shares.sort_by(|left, right| right.probability.total_cmp(&left.probability));
    shares
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
}

impl<'a> From<&'a (SectionNumber, Belongings, f64)> for Final<'a> {
    fn from((section, has, probability): &'a (SectionNumber, Belongings, f64)) -> Self {
        let Belongings { endurance, gold, items, flags } = has;
        Self { section: *section, probability: *probability, endurance: *endurance, gold: *gold, items, flags }
    }
}

/// An answer to a question of the book.
#[derive(Serialize)]
struct ChoiceJson {
    label: String,
    section: Option<SectionNumber>,
    win: Bounded,
    best: bool,
}

impl From<Advice> for ChoiceJson {
    fn from(advice: Advice) -> Self {
        Self { win: (&advice.win).into(), label: advice.label, section: advice.section, best: advice.best }
    }
}

#[derive(Serialize)]
struct FirstChoice {
    section: SectionNumber,
    choices: Vec<ChoiceJson>,
}

/// The answer about a whole book.
#[derive(Serialize)]
struct SolveAnswer<'a> {
    format: u32,
    book: &'a str,
    start: SectionNumber,
    goals: &'a [SectionNumber],
    win: Bounded,
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
        let share = |(section, probability): &(SectionNumber, f64)| Share {
            section: Some(*section),
            probability: *probability,
        };
        let visit = |visit: &SectionVisit| Visit {
            section: visit.section,
            visited: visit.visited,
            win_if_here: visit.win_if_here,
        };
        let first = solved.first_choices().into_iter().map(|(section, answers)| FirstChoice {
            section,
            choices: answers.into_iter().map(ChoiceJson::from).collect(),
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
        }
    }
}

/// A section under best play.
#[derive(Serialize)]
struct BestPlay<'a> {
    visited: f64,
    win_if_here: f64,
    from: Vec<Share>,
    deaths: Vec<Share>,
    questions: Vec<QuestionJson<'a>>,
}

#[derive(Serialize)]
struct QuestionJson<'a> {
    about: Option<&'a str>,
    asked: f64,
    answers: Vec<AnswerJson<'a>>,
    situations: Vec<SituationJson<'a>>,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    label: &'a str,
    section: Option<SectionNumber>,
    offered: f64,
    taken: f64,
    win: f64,
}

#[derive(Serialize)]
struct SituationJson<'a> {
    items: &'a [(String, u16)],
    flags: &'a [String],
    endurance: [u16; 2],
    gold: [u16; 2],
    probability: f64,
    taken: usize,
    win: f64,
}

impl<'a> BestPlay<'a> {
    fn new(own: &'a gamebook::SectionGuide, visit: Option<&SectionVisit>) -> Self {
        Self {
            visited: visit.map_or(0.0, |visit| visit.visited),
            win_if_here: visit.map_or(0.0, |visit| visit.win_if_here),
            from: shares(&own.from),
            deaths: shares(&own.deaths),
            questions: own.questions.iter().map(QuestionJson::from).collect(),
        }
    }
}

impl<'a> From<&'a QuestionGuide> for QuestionJson<'a> {
    fn from(question: &'a QuestionGuide) -> Self {
        let ends = |range: &RangeInclusive<u16>| [*range.start(), *range.end()];
        let answers = question.answers.iter().map(|answer| AnswerJson {
            label: &answer.label,
            section: answer.section,
            offered: answer.offered,
            taken: answer.taken,
            win: answer.win,
        });
        let situations = question.situations.iter().map(|situation| SituationJson {
            items: &situation.items,
            flags: &situation.flags,
            endurance: ends(&situation.endurance),
            gold: ends(&situation.gold),
            probability: situation.probability,
            taken: situation.taken,
            win: situation.win,
        });
        Self {
            about: question.about.as_deref(),
            asked: question.asked,
            answers: answers.collect(),
            situations: situations.collect(),
        }
    }
}

/// What is asked about a section of a solved book.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionQuestion {
    section: SectionNumber,
    #[serde(default)]
    play: SolveQuestion,
}

/// A section.
#[derive(Serialize)]
pub struct SectionAnswer {
    format: u32,
    #[serde(flatten)]
    section: SectionJson,
    /// Its text, if the reader gave it.
    text: Option<Vec<Paragraph>>,
    /// Null where best play never comes.
    best_play: Option<Box<RawValue>>,
}

impl SectionQuestion {
    fn of(&self, told: &Told, library: &Library) -> Result<SectionAnswer, Problem> {
        let offered = library.book(&self.play.book)?;
        let text = offered.prose.as_ref().and_then(|prose| prose.section(self.section)).map(<[Paragraph]>::to_vec);
        Ok(SectionAnswer {
            format: 1,
            section: SectionJson::new(offered, self.section),
            text,
            best_play: told.sections.get(&self.section).cloned(),
        })
    }
}

impl Question for SectionQuestion {
    type Answer = SectionAnswer;

    fn check(&self, library: &Library) -> Result<(), Problem> {
        is_section(&library.book(&self.play.book)?.book, self.section)?;
        self.play.check(library)
    }

    fn at_once(&self, library: &Library) -> Option<SectionAnswer> {
        self.of(&*self.play.kept(library)?, library).ok()
    }

    fn answer(&self, run: &Run<'_>, library: &Library) -> Result<SectionAnswer, Problem> {
        self.of(&*self.play.told(run, library)?, library)
    }
}

#[derive(Serialize)]
struct SectionJson {
    section: SectionNumber,
    /// The middle of its place in a drawing that leads downwards, in pixels to the right and down.
    x: f64,
    y: f64,
    to: Vec<SectionNumber>,
    deadly: bool,
    victory: bool,
    enemies: Vec<EnemyJson>,
}

#[derive(Serialize)]
struct EnemyJson {
    name: String,
    combat_skill: i32,
    endurance: u8,
}

impl SectionJson {
    fn new(offered: &OfferedBook, section: SectionNumber) -> Self {
        let Outline { targets, deadly, victory, enemies } = offered.outlines.get(&section).cloned().unwrap_or_default();
        let enemies =
            enemies.into_iter().map(|(name, combat_skill, endurance)| EnemyJson { name, combat_skill, endurance });
        let (x, y) = offered.layout.places.get(&section).map_or((0.0, 0.0), |place| (place.x, place.y));
        Self {
            section,
            x: tenths(x),
            y: tenths(y),
            to: targets.into_iter().collect(),
            deadly,
            victory,
            enemies: enemies.collect(),
        }
    }
}

/// The reader stands in a section: what now?
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdviseQuestion {
    section: SectionNumber,
    #[serde(default)]
    book: String,
    /// The hero with what he has now; his `endurance` is that with which he set out.
    #[serde(default)]
    hero: HeroFields,
    /// ENDURANCE now.
    #[serde(default)]
    endurance: Option<u8>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    goals: Vec<SectionNumber>,
}

impl AdviseQuestion {
    fn question(&self, book: &Book) -> Result<gamebook::Question, Problem> {
        is_section(book, self.section)?;
        let hero = self.hero.hero(book)?;
        let mut flags = Vec::new();
        for name in self.flags.iter().take(MOST_NAMES) {
            let known: Vec<&str> = book.flags.iter().map(String::as_str).collect();
            flags.push(book.flags.iter().position(|flag| flag == name).ok_or_else(|| unknown("flag", name, &known))?);
        }
        flags.sort_unstable();
        flags.dedup();
        if self.endurance == Some(0) {
            return Err(Problem::impossible("an endurance of 0: the hero is dead", "say what he has left, 1 or more"));
        }
        Ok(gamebook::Question {
            hero,
            situation: Situation { endurance: self.endurance, flags },
            start: self.section,
            goals: goals(book, &self.goals)?,
            ..gamebook::Question::new(book)
        })
    }
}

#[derive(Serialize)]
struct AdviseAnswer {
    format: u32,
    section: SectionNumber,
    win: Bounded,
    /// Empty when nothing is asked in the section.
    choices: Vec<ChoiceJson>,
    states: u64,
}

/// What the shelf calls advice.
fn advice_key(offered: &OfferedBook, question: &gamebook::Question) -> String {
    format!("advise {} {question:?}", offered.name)
}

impl Question for AdviseQuestion {
    type Answer = Box<RawValue>;

    fn check(&self, library: &Library) -> Result<(), Problem> {
        self.question(&library.book(&self.book)?.book).map(|_| ())
    }

    fn at_once(&self, library: &Library) -> Option<Box<RawValue>> {
        let offered = library.book(&self.book).ok()?;
        let question = self.question(&offered.book).ok()?;
        library.shelf.kept(&advice_key(offered, &question)).map(|told| told.whole.clone())
    }

    fn answer(&self, run: &Run<'_>, library: &Library) -> Result<Box<RawValue>, Problem> {
        let offered = library.book(&self.book)?;
        let question = self.question(&offered.book)?;
        let told = library.shelf.get(&advice_key(offered, &question), run, || {
            let solved = Solved::new(&offered.book, &question, &run.options).map_err(|error| unsolved(&error))?;
            let answer = AdviseAnswer {
                format: 1,
                section: self.section,
                win: (&solved.win()).into(),
                choices: solved.advise().into_iter().map(ChoiceJson::from).collect(),
                states: u64::from(solved.space().model().states()),
            };
            let told = Told { whole: to_raw_value(&answer).map_err(Problem::internal)?, sections: BTreeMap::new() };
            let bytes = told.bytes();
            Ok((told, bytes))
        })?;
        Ok(told.whole.clone())
    }
}

/// What there is to know about a book before it is solved.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookQuestion {
    #[serde(default)]
    book: String,
}

/// A book.
#[derive(Serialize)]
pub struct BookAnswer {
    format: u32,
    name: String,
    title: String,
    start: SectionNumber,
    goals: Vec<SectionNumber>,
    /// Whether the reader gave its text.
    text: bool,
    /// The book's own hero.
    hero: HeroFields,
    /// How many disciplines he may have.
    learns: usize,
    disciplines: Vec<&'static str>,
    /// What every hero has.
    fixed: Vec<String>,
    items: Vec<ItemJson>,
    flags: Vec<String>,
    sections: Vec<SectionJson>,
    ways: Vec<WayJson>,
}

/// How the line between two sections is drawn.
#[derive(Serialize)]
struct WayJson {
    from: SectionNumber,
    to: SectionNumber,
    /// Whether it leads back up.
    back: bool,
    points: Vec<(f64, f64)>,
}

/// Finer, nobody sees.
fn tenths(pixels: f64) -> f64 {
    (pixels * 10.0).round() / 10.0
}

impl From<&gamebook::Way> for WayJson {
    fn from(way: &gamebook::Way) -> Self {
        let points = way.points.iter().map(|(x, y)| (tenths(*x), tenths(*y))).collect();
        Self { from: way.from, to: way.to, back: way.back, points }
    }
}

#[derive(Serialize)]
struct ItemJson {
    name: String,
    kind: &'static str,
    weapon: bool,
    most: u8,
}

/// The book's own hero, as questions have heroes.
pub fn own_hero(book: &Book) -> HeroFields {
    let discipline = |own: &Discipline| match (own, &book.hero.weaponskill) {
        (Discipline::Weaponskill, Some(weapon)) => format!("weaponskill={weapon}"),
        _ => own.to_string(),
    };
    let item = |(item, count): &(ItemId, u8)| counted(&book.items[*item].name, *count);
    HeroFields {
        combat_skill: Some(book.hero.combat_skill),
        endurance: Some(book.hero.endurance),
        disciplines: Some(book.hero.disciplines.iter().map(discipline).collect()),
        items: Some(book.hero.items.iter().map(item).collect()),
        lost: Some(Vec::new()),
        has: None,
        gold: Some(book.hero.gold),
    }
}

fn counted(name: &str, count: u8) -> String {
    if count == 1 { name.to_owned() } else { format!("{name}={count}") }
}

impl Question for BookQuestion {
    type Answer = BookAnswer;

    fn check(&self, library: &Library) -> Result<(), Problem> {
        library.book(&self.book).map(|_| ())
    }

    fn at_once(&self, library: &Library) -> Option<BookAnswer> {
        library.book(&self.book).ok().map(BookAnswer::new)
    }

    fn answer(&self, _: &Run<'_>, library: &Library) -> Result<BookAnswer, Problem> {
        library.book(&self.book).map(BookAnswer::new)
    }
}

impl BookAnswer {
    fn new(offered: &OfferedBook) -> Self {
        let book = &offered.book;
        let item = |item: &gamebook::Item| ItemJson {
            name: item.name.clone(),
            kind: match item.kind {
                Kind::Weapon => "weapon",
                Kind::Backpack => "backpack-item",
                Kind::Special => "special",
                Kind::Container => "container",
            },
            weapon: item.weapon.is_some(),
            most: book.most_of(item),
        };
        Self {
            format: 1,
            name: offered.name.clone(),
            title: book.title.clone(),
            start: book.start,
            goals: book.goals.clone(),
            text: offered.prose.is_some(),
            hero: own_hero(book),
            learns: book.learns,
            disciplines: DISCIPLINES.iter().map(|(_, name)| *name).collect(),
            fixed: book.fixed.iter().map(|(item, count)| counted(&book.items[*item].name, *count)).collect(),
            items: book.items.iter().map(item).collect(),
            flags: book.flags.clone(),
            sections: book.sections.keys().map(|section| SectionJson::new(offered, *section)).collect(),
            ways: offered.layout.ways.iter().map(WayJson::from).collect(),
        }
    }
}
