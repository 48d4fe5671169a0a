//! The hero, and what is asked about him, in arguments.

use clap::Args;
use gamebook::{Book, Discipline, Hero, ItemId, Question, did_you_mean};

use crate::output::Failure;

/// Who plays. What is not said is as in the book's own hero.
#[derive(Args)]
pub struct HeroArgs {
    /// COMBAT SKILL, 10 to 19
    #[arg(long, value_name = "N", help_heading = "Hero", allow_negative_numbers = true)]
    combat_skill: Option<i32>,
    /// ENDURANCE: the start value, 20 to 29 (when asking for advice: what is left of it)
    #[arg(long, value_name = "N", help_heading = "Hero")]
    pub endurance: Option<u8>,
    /// Disciplines: camouflage, hunting, sixth-sense, tracking, healing, weaponskill=WEAPON, mindshield,
    /// mindblast, animal-kinship, mind-over-matter; `none`
    #[arg(long, value_name = "LIST", help_heading = "Hero")]
    disciplines: Option<String>,
    /// Items, repeated or counted (meal=2), in place of the equipment chosen; what every hero of the book has
    /// stays; `none`
    #[arg(long, value_name = "LIST", help_heading = "Hero")]
    items: Option<String>,
    /// Of what every hero of the book has, what he has no more
    #[arg(long, value_name = "LIST", help_heading = "Hero")]
    lost: Option<String>,
    /// Gold Crowns, 0 to 50
    #[arg(long, value_name = "N", help_heading = "Hero")]
    gold: Option<u8>,
}

/// What is asked about a book: who plays, from where to where.
#[derive(Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    hero: HeroArgs,
    /// The section in which play begins [default: the book's]
    #[arg(long, value_name = "SECTION")]
    start: Option<u16>,
    /// Sections whose entering wins [default: the book's]
    #[arg(long, value_name = "SECTION", value_delimiter = ',')]
    goal: Vec<u16>,
}

impl QuestionArgs {
    /// Whether anything is said.
    pub fn is_given(&self) -> bool {
        self.hero.is_given() || self.start.is_some() || !self.goal.is_empty()
    }

    /// The question that they ask.
    pub fn question(&self, book: &Book, exact: bool) -> Result<Question, Failure> {
        let own = Question::new(book);
        Ok(Question {
            hero: self.hero.hero(book, self.hero.endurance)?,
            start: self.start.unwrap_or(own.start),
            goals: if self.goal.is_empty() { own.goals } else { self.goal.clone() },
            exact,
            ..own
        })
    }
}

impl HeroArgs {
    /// Whether anything is said of the hero.
    fn is_given(&self) -> bool {
        let lists = [&self.disciplines, &self.items, &self.lost];
        let numbers = [self.endurance, self.gold];
        self.combat_skill.is_some() || numbers.iter().any(Option::is_some) || lists.iter().any(|list| list.is_some())
    }

    /// The hero that they describe, with the start value of ENDURANCE.
    pub fn hero(&self, book: &Book, endurance: Option<u8>) -> Result<Hero, Failure> {
        let mut hero = book.hero.clone();
        if let Some(skill) = self.combat_skill {
            hero.combat_skill = skill;
        }
        if let Some(endurance) = endurance {
            hero.endurance = endurance;
        }
        if let Some(gold) = self.gold {
            hero.gold = gold;
        }
        if let Some(list) = &self.disciplines {
            (hero.disciplines, hero.weaponskill) = disciplines(list)?;
        }
        if let Some(list) = &self.items {
            hero.items = items(book, list)?;
        }
        if let Some(list) = &self.lost {
            hero.lost = items(book, list)?.into_iter().map(|(item, _)| item).collect();
        }
        hero.check(book).map_err(|error| Failure::bad_input(error, "see --help for what a hero can be"))?;
        Ok(hero)
    }
}

/// The names of a list with commas; `none` is the empty list.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none")
}

fn disciplines(list: &str) -> Result<(Vec<Discipline>, Option<String>), Failure> {
    let mut disciplines = Vec::new();
    let mut weapon = None;
    for name in names(list) {
        if let Some(in_weapon) = name.strip_prefix("weaponskill=") {
            weapon = Some(in_weapon.to_string());
            disciplines.push(Discipline::Weaponskill);
        } else {
            let discipline = name.parse().map_err(|error| Failure::bad_input(error, "see --help for the list"))?;
            disciplines.push(discipline);
        }
    }
    Ok((disciplines, weapon))
}

/// `short-sword,meal=2,meal`: the items with how many.
pub fn items(book: &Book, list: &str) -> Result<Vec<(ItemId, u8)>, Failure> {
    let mut found: Vec<(ItemId, u8)> = Vec::new();
    for part in names(list) {
        let (name, count) = part.split_once('=').unwrap_or((part, "1"));
        let Some(item) = book.item(name) else {
            let all: Vec<&str> = book.items.iter().map(|item| item.name.as_str()).collect();
            let meant = did_you_mean(name, all.iter().copied());
            let right = meant.unwrap_or_else(|| format!("there are {}", all.join(", ")));
            return Err(Failure::bad_input(format_args!("there is no item `{name}` in this book"), right));
        };
        let count: u8 = count.parse().map_err(|_| {
            Failure::bad_input(format_args!("`{count}` is no number of items"), "write meal=2 for two of them")
        })?;
        match found.iter_mut().find(|(other, _)| *other == item) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => found.push((item, count)),
        }
    }
    Ok(found)
}

/// A hero in a line.
pub fn describe(book: &Book, hero: &Hero) -> String {
    let mut parts = vec![format!("combat skill {}, endurance {}", hero.combat_skill, hero.endurance)];
    let disciplines: Vec<String> = hero
        .disciplines
        .iter()
        .map(|discipline| match (discipline, &hero.weaponskill) {
            (Discipline::Weaponskill, Some(weapon)) => format!("weaponskill in {weapon}"),
            _ => discipline.to_string(),
        })
        .collect();
    parts.push(if disciplines.is_empty() { "no disciplines".into() } else { disciplines.join(", ") });
    let items: Vec<String> = book
        .items
        .iter()
        .zip(hero.belongings(book))
        .filter(|(_, count)| *count > 0)
        .map(|(item, count)| if count == 1 { item.name.clone() } else { format!("{count} {}", item.name) })
        .collect();
    parts.push(format!("{} gold, {}", hero.gold, if items.is_empty() { "no items".into() } else { items.join(", ") }));
    parts.join("\n  ")
}
