//! The hero, and what is asked about him, in arguments.

use clap::Args;
use gamebook::{Book, Discipline, Hero, ListError, Question, read_disciplines, read_items};

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
            (hero.disciplines, hero.weaponskill) = read_disciplines(names(list)).map_err(unlisted)?;
        }
        if let Some(list) = &self.items {
            hero.items = read_items(book, names(list)).map_err(unlisted)?;
        }
        if let Some(list) = &self.lost {
            let lost = read_items(book, names(list)).map_err(unlisted)?;
            hero.lost = lost.into_iter().map(|(item, _)| item).collect();
        }
        hero.check(book).map_err(|error| Failure::bad_input(error, "see --help for what a hero can be"))?;
        Ok(hero)
    }
}

/// The names of a list with commas; `none` is the empty list.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none")
}

/// The failure of a list.
pub fn unlisted(error: ListError) -> Failure {
    Failure::bad_input(error.message, error.help)
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
