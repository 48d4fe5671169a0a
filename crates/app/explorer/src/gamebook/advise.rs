//! The reader stands in a section: what now?

use std::collections::BTreeMap;

use gamebook::{Phase, Play, SectionNumber, SheetKind, SheetLine, Solved, read_flags, read_system_flags};
use mdp::Number;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::choice::ChoiceJson;
use super::hero::{HeroFields, counted, none_of_lone_wolf};
use super::known_bounds;
use super::names::{goals, is_section, names, unlisted, unsolved};
use super::policy_fields::Conduct;
use super::registry::{CachedAnswer, Gamebooks, OfferedBook};
use crate::question::{Problem, Question, Run, object};

/// The reader stands in a section: what now?
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AdviseQuestion {
    #[serde(default)]
    section: Option<SectionNumber>,
    #[serde(default)]
    pub(super) book: String,
    /// The hero with what he has now; his `endurance` is that with which he set out.
    #[serde(default, deserialize_with = "object")]
    hero: HeroFields,
    /// ENDURANCE now.
    #[serde(default)]
    endurance: Option<u8>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    goals: Vec<SectionNumber>,
    #[serde(default, deserialize_with = "object")]
    conduct: Conduct,
}

impl AdviseQuestion {
    /// What is asked of the book; without a section it begins where the book does. Who stands in a section of a series has
    /// what is known in its book.
    pub(super) fn question(&self, offered: &OfferedBook) -> Result<gamebook::Question, Problem> {
        let section = self.section.unwrap_or(offered.book.start);
        is_section(&offered.book, section)?;
        let book = offered.book_of(section)?;
        let mut question = gamebook::Question::new(book);
        question.hero = self.hero.hero(book)?;
        question.start = section;
        question.goals = goals(&offered.book, &self.goals)?;
        if self.endurance == Some(0) {
            return Err(Problem::impossible("an endurance of 0: the hero is dead", "say what he has left, 1 or more"));
        }
        let (flags, situation) = (names(&self.flags), &mut question.situation);
        situation.values = self.hero.values(book)?;
        self.conduct.apply(book, situation)?;
        match &book.system {
            Some(_) if self.endurance.is_some() => return Err(none_of_lone_wolf()),
            Some(system) => {
                let flags = read_system_flags(system, flags).map_err(unlisted)?;
                situation.values.retain(|(own, _)| !flags.contains(own));
                situation.values.extend(flags.into_iter().map(|flag| (flag, 1)));
            }
            None => {
                situation.endurance = self.endurance;
                situation.flags = read_flags(book, flags).map_err(unlisted)?;
            }
        }
        Ok(question)
    }
}

impl AdviseQuestion {
    /// A hero who sets out.
    pub(super) fn setting_out(book: String, hero: HeroFields, conduct: Conduct) -> Self {
        Self { section: None, book, hero, endurance: None, flags: Vec::new(), goals: Vec::new(), conduct }
    }

    /// A hero who stands at the beginning of a section of a single book with what he has in a play of a series; `None` in a
    /// single book, within a section, and where that book knows no such hero.
    pub(super) fn alone(
        gamebooks: &Gamebooks,
        offered: &OfferedBook,
        play: &Play<'_>,
        sheet: &[SheetLine],
    ) -> Option<Self> {
        let (series, _) = offered.series.as_ref()?;
        let disciplines = play.learned()?;
        let (book, section) = series.place_of(play.section());
        let single = gamebooks.alone(&series.books.get(book)?.book.title)?;
        if play.passed().last()?.section != play.section() || matches!(play.phase(), Phase::Over(_)) {
            return None;
        }
        let now = |kind| sheet.iter().find(|line| line.kind == kind).map(|line| line.now);
        let has = sheet.iter().filter(|line| line.kind == SheetKind::Item && line.now > 0);
        let has = has.filter(|line| single.book.item(&line.name).is_some());
        let flags = sheet.iter().filter(|line| line.kind == SheetKind::Flag && line.now > 0);
        let hero = HeroFields {
            combat_skill: now(SheetKind::CombatSkill),
            endurance: u8::try_from(play.max_endurance()).ok(),
            disciplines: Some(disciplines.to_vec()),
            has: Some(has.map(|line| counted(&line.name, u8::try_from(line.now).unwrap_or(u8::MAX))).collect()),
            gold: now(SheetKind::Gold).and_then(|gold| u8::try_from(gold).ok()),
            ..HeroFields::default()
        };
        let alone = Self {
            section: Some(section),
            book: single.name.clone(),
            hero,
            endurance: now(SheetKind::Endurance).and_then(|left| u8::try_from(left).ok()),
            flags: flags.map(|line| line.name.clone()).collect(),
            goals: Vec::new(),
            conduct: Conduct::default(),
        };
        alone.question(single).is_ok().then_some(alone)
    }

    /// What is asked of a book or of a series, which is gone to its end.
    pub(super) fn walked(&self, offered: &OfferedBook) -> Result<gamebook::Question, Problem> {
        let question = self.question(offered)?;
        if offered.series.is_some() && question.goals != offered.book.goals {
            let message = "a series is walked through to its end";
            return Err(Problem::impossible(message, "leave the goals out"));
        }
        Ok(question)
    }
}

#[derive(Serialize)]
struct AdviseAnswer {
    format: u32,
    section: SectionNumber,
    win: Number,
    /// Empty when nothing is asked in the section.
    choices: Vec<ChoiceJson>,
    states: u64,
    /// What is left to do in the book, where anything is.
    #[serde(flatten)]
    draft: Map<String, Value>,
}

/// What the shelf calls advice.
fn advice_key(offered: &OfferedBook, question: &gamebook::Question) -> String {
    format!("advise {} {question:?}", offered.name)
}

impl Question for AdviseQuestion {
    type Context = Gamebooks;
    type Answer = Box<RawValue>;

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        if self.section.is_none() {
            return Err(Problem::impossible("missing field `section`", "say in which section the reader is"));
        }
        self.question(gamebooks.book(&self.book)?).map(|_| ())
    }

    fn may_be_small(&self, _: &Gamebooks) -> bool {
        true
    }

    fn at_once(&self, gamebooks: &Gamebooks) -> Option<Box<RawValue>> {
        let offered = gamebooks.book(&self.book).ok()?;
        let question = self.question(offered).ok()?;
        gamebooks.shelf.kept(&advice_key(offered, &question)).map(|cached| cached.whole.clone())
    }

    fn answer(&self, run: &Run<'_>, gamebooks: &Gamebooks) -> Result<Box<RawValue>, Problem> {
        let offered = gamebooks.book(&self.book)?;
        let question = self.question(offered)?;
        let cached = gamebooks.shelf.get(&advice_key(offered, &question), run, || {
            known_bounds::refuse(offered, &question, run)?;
            let solved = Solved::new(&offered.book, &question, &run.options).map_err(|error| unsolved(&error))?;
            let answer = AdviseAnswer {
                format: 1,
                section: question.start,
                win: (&solved.win()).into(),
                choices: solved.advise().into_iter().map(ChoiceJson::from).collect(),
                states: u64::from(solved.space().model().states()),
                draft: offered.book.draft.fields(),
            };
            CachedAnswer::of(&answer, BTreeMap::new())
        })?;
        Ok(cached.whole.clone())
    }
}
