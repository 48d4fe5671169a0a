//! What there is to know about a book before it is solved.

use std::ops::RangeInclusive;

use gamebook::{Book, DISCIPLINES, Dice, KaiRules, Kind, SectionNumber, SeriesBook, System, Variable, VariableKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::hero::{HeroFields, counted, own_hero};
use super::registry::{Gamebooks, OfferedBook};
use super::section::{SectionJson, tenths};
use crate::question::{Problem, Question, Run};

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
    /// Differs from that of a book whose file says something else, but for rare chance.
    mark: String,
    /// A section by which every way to a goal comes, so that what is too large can be asked in two halves.
    waist: Option<SectionNumber>,
    #[serde(flatten)]
    who: WhoJson,
    sections: Vec<SectionJson>,
    ways: Vec<WayJson>,
    /// The books in a row, where it is a series.
    series: Option<Vec<VolumeJson>>,
    /// The warning to be shown beside the odds of a draft.
    unfinished: Option<String>,
    #[serde(flatten)]
    draft: Map<String, Value>,
}

/// Who can play a book, and how.
#[derive(Serialize)]
struct WhoJson {
    /// The book's own hero.
    hero: HeroFields,
    /// What a hero of Lone Wolf's rules can be; null for other systems.
    rolled: Option<RolledJson>,
    /// How many disciplines he may have.
    learns: usize,
    disciplines: Vec<&'static str>,
    /// What every hero has.
    fixed: Vec<String>,
    items: Vec<ItemJson>,
    flags: Vec<String>,
    /// What a hero has by the book's system of rules; null for Lone Wolf.
    values: Option<Vec<ValueJson>>,
    /// Disputed passages, each with its possible readings; the first is the default.
    readings: Vec<ReadingJson>,
    /// What a player can have made up his mind to do.
    policies: Vec<PolicyJson>,
}

/// A book of a series.
#[derive(Serialize)]
struct VolumeJson {
    title: String,
    /// What addresses call it, if it is offered by itself.
    name: Option<String>,
    /// What is added to the numbers of its sections in the series.
    before: SectionNumber,
    /// Who can stand in it.
    #[serde(flatten)]
    who: WhoJson,
}

fn volumes(offered: &OfferedBook, gamebooks: &Gamebooks) -> Option<Vec<VolumeJson>> {
    let (series, _) = offered.series.as_ref()?;
    let volume = |(own, before): (&SeriesBook, SectionNumber)| VolumeJson {
        title: own.book.title.clone(),
        name: gamebooks.alone(&own.book.title).map(|other| other.name.clone()),
        before,
        who: WhoJson::new(&own.book),
    };
    Some(series.books.iter().zip(series.first_numbers()).map(volume).collect())
}

#[derive(Serialize)]
struct ReadingJson {
    name: String,
    values: Vec<String>,
}

#[derive(Serialize)]
struct PolicyJson {
    name: String,
    /// Whether it is followed where nobody says otherwise.
    default: bool,
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

impl From<&gamebook::MapLink> for WayJson {
    fn from(way: &gamebook::MapLink) -> Self {
        let points = way.points.iter().map(|(x, y)| (tenths(*x), tenths(*y))).collect();
        Self { from: way.from, to: way.to, back: way.back, points }
    }
}

/// A number of a hero of a system of rules.
#[derive(Serialize)]
struct ValueJson {
    name: String,
    kind: &'static str,
    least: i32,
    most: i32,
    /// What he has of it where nobody says otherwise.
    start: i32,
}

/// What a hero of a system of rules has, but for flags.
fn values(system: &System) -> Vec<ValueJson> {
    let value = |own: &Variable| {
        let kind = match own.kind {
            VariableKind::Stat => "stat",
            VariableKind::Initial => "initial",
            VariableKind::Counter => "counter",
            VariableKind::Item => "item",
            _ => return None,
        };
        let least = own.least.max(i32::from(own.vital));
        Some(ValueJson { name: own.name.clone(), kind, least, most: own.most, start: own.start })
    };
    system.variables.iter().filter_map(value).collect()
}

/// The names of what is noted.
fn flags(book: &Book) -> Vec<String> {
    match &book.system {
        Some(system) => {
            let flags = system.variables.iter().filter(|own| own.kind.is_yes_or_no());
            flags.map(|own| own.name.clone()).collect()
        }
        None => book.flags.clone(),
    }
}

/// How a hero of Lone Wolf's rules is rolled, and how much gold he can have.
#[derive(Serialize)]
struct RolledJson {
    combat_skill: DiceJson,
    endurance: DiceJson,
    most_gold: u8,
}

impl RolledJson {
    fn new(book: &Book) -> Self {
        let KaiRules { combat_skill, endurance, most_gold, .. } = &book.kai;
        Self {
            combat_skill: DiceJson::new(&combat_skill.from, book.kai.combat_skills()),
            endurance: DiceJson::new(&endurance.from, book.kai.endurances()),
            most_gold: *most_gold,
        }
    }
}

/// Dice, and what they can bring.
#[derive(Serialize)]
struct DiceJson {
    /// How many sides each has.
    sides: Vec<u32>,
    plus: i32,
    least: i32,
    most: i32,
}

impl DiceJson {
    fn new(dice: &Dice, range: RangeInclusive<i32>) -> Self {
        let (least, most) = range.into_inner();
        Self { sides: dice.sides().collect(), plus: dice.plus, least, most }
    }
}

#[derive(Serialize)]
struct ItemJson {
    name: String,
    kind: &'static str,
    weapon: bool,
    most: u8,
}

impl Question for BookQuestion {
    type Context = Gamebooks;
    type Answer = BookAnswer;

    fn check(&self, gamebooks: &Gamebooks) -> Result<(), Problem> {
        gamebooks.walked(&self.book).map(|_| ())
    }

    fn at_once(&self, gamebooks: &Gamebooks) -> Option<BookAnswer> {
        gamebooks.walked(&self.book).ok().map(|offered| BookAnswer::new(offered, gamebooks))
    }

    fn answer(&self, _: &Run<'_>, gamebooks: &Gamebooks) -> Result<BookAnswer, Problem> {
        gamebooks.walked(&self.book).map(|offered| BookAnswer::new(offered, gamebooks))
    }
}

impl WhoJson {
    fn new(book: &Book) -> Self {
        let item = |item: &gamebook::Item| ItemJson {
            name: item.name.clone(),
            kind: match item.kind {
                Kind::Weapon => "weapon",
                Kind::Backpack => "backpack-item",
                Kind::Special => "special",
                Kind::Permanent => "permanent",
                Kind::Container => "container",
            },
            weapon: item.weapon.is_some(),
            most: book.most_of(item),
        };
        Self {
            hero: own_hero(book),
            rolled: book.system.is_none().then(|| RolledJson::new(book)),
            learns: book.learns,
            disciplines: DISCIPLINES.iter().filter(|_| book.system.is_none()).map(|(_, name)| *name).collect(),
            fixed: book.fixed.iter().map(|(item, count)| counted(&book.items[*item].name, *count)).collect(),
            items: book.items.iter().map(item).collect(),
            flags: flags(book),
            values: book.system.as_deref().map(values),
            readings: book
                .readings
                .iter()
                .map(|own| ReadingJson { name: own.name.clone(), values: own.values.clone() })
                .collect(),
            policies: book
                .policies
                .iter()
                .map(|own| PolicyJson { name: own.name.clone(), default: own.is_default })
                .collect(),
        }
    }
}

impl BookAnswer {
    fn new(offered: &OfferedBook, gamebooks: &Gamebooks) -> Self {
        let book = &offered.book;
        Self {
            format: 1,
            name: offered.name.clone(),
            title: book.title.clone(),
            start: book.start,
            goals: book.goals.clone(),
            text: offered.has_text(),
            mark: offered.mark(),
            waist: offered.waist(),
            who: WhoJson::new(book),
            sections: book.sections.keys().map(|section| SectionJson::new(offered, *section)).collect(),
            ways: offered.layout.ways.iter().map(WayJson::from).collect(),
            series: volumes(offered, gamebooks),
            unfinished: book.draft.warning(),
            draft: book.draft.fields(),
        }
    }
}
