//! The hero and the question in arguments.

use std::path::Path;

use budget::Budget;
use clap::Args;
use gamebook::{
    Analyses, ArgumentError, Book, Discipline, HeroCreation, HeroOverrides, HeroQuantity, Policy, Question, Series,
    SeriesBook, Situation, VariableKind, check_policy, policy_named, read_leaving, read_policy, read_readings,
};

use crate::gamebook::input::book_file;
use crate::output::{self, Failure};

/// The hero. What is not given is as in the book's own hero.
#[derive(Args)]
pub struct HeroArgs {
    /// COMBAT SKILL, by Lone Wolf's own rules 10 to 19
    #[arg(long, value_name = "N", help_heading = "Hero", allow_negative_numbers = true)]
    combat_skill: Option<i32>,
    /// ENDURANCE: the start value, by Lone Wolf's own rules 20 to 29 (for advice: the present value)
    #[arg(long, value_name = "N", help_heading = "Hero")]
    pub endurance: Option<u8>,
    /// Disciplines: camouflage, hunting, sixth-sense, tracking, healing, weaponskill=WEAPON, mindshield,
    /// mindblast, animal-kinship, mind-over-matter; `none`
    #[arg(long, value_name = "LIST", help_heading = "Hero")]
    disciplines: Option<String>,
    /// Items in place of the chosen equipment, repeated or counted (meal=2), or `none`; the items that every hero of the book
    /// has stay
    #[arg(long, value_name = "LIST", help_heading = "Hero")]
    items: Option<String>,
    /// Starting items that the hero has lost
    #[arg(long, value_name = "LIST", help_heading = "Hero")]
    lost: Option<String>,
    /// Gold Crowns, by Lone Wolf's own rules 0 to 50
    #[arg(long, value_name = "N", help_heading = "Hero")]
    gold: Option<u8>,
    /// Any stat, counter or item of a book with a system of rules of its own: skill=12,provisions=3
    #[arg(long = "hero", value_name = "NAME=N,...", help_heading = "Hero", allow_hyphen_values = true)]
    values: Option<String>,
}

/// How a book is read and played.
#[derive(Args)]
pub struct ReadingArgs {
    /// The reading of a disputed passage, for books that declare it: lightning=costs
    #[arg(long, value_name = "NAME=VALUE")]
    reading: Vec<String>,
    /// The edition of the book that decides disputed passages, except those of --reading: first
    #[arg(long, value_name = "NAME")]
    edition: Option<String>,
    /// The policy that the player follows, by its name in the book or as a file that ends in .kdl; best play makes the
    /// choices that it leaves open [default: the book's]. In a series each book follows its policy of that name, or the file's
    #[arg(long, value_name = "NAME|FILE.kdl")]
    policy: Option<String>,
}

impl ReadingArgs {
    /// Whether any of these options is given.
    pub fn is_given(&self) -> bool {
        !self.reading.is_empty() || self.edition.is_some() || self.policy.is_some()
    }

    /// Applies the options to a situation.
    pub fn apply(&self, book: &Book, situation: &mut Situation) -> Result<(), Failure> {
        let edition = self.edition.iter().map(|name| format!("edition={name}"));
        let readings: Vec<String> = self.reading.iter().cloned().chain(edition).collect();
        situation.readings = read_readings(book, &readings).map_err(unlisted)?;
        let Some(name) = &self.policy else { return Ok(()) };
        situation.policy = match policy_named(book, name) {
            Ok(policy) => Some(policy.clone()),
            Err(_) if is_file(name) => Some(policy_in(name, book)?),
            Err(error) => {
                let help = format!("{}; a file's name ends in .kdl", error.help);
                return Err(Failure::bad_input(error.message, help));
            }
        };
        if let Some(policy) = &situation.policy {
            warn_of(policy, book);
        }
        Ok(())
    }

    /// Applies the policy to the later books of a series: each follows its own policy of this name, or that of the file.
    fn apply_to_later_books(&self, series: &mut Series) -> Result<(), Failure> {
        let Some(name) = &self.policy else { return Ok(()) };
        for SeriesBook { book, .. } in series.books.iter_mut().skip(1) {
            if policy_named(book, name).is_err() && is_file(name) {
                let policy = policy_in(name, book)?;
                book.policies.push(Policy { name: name.clone(), ..policy });
            }
            for policy in &mut book.policies {
                policy.is_default = policy.name == *name;
            }
        }
        Ok(())
    }
}

fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "kdl")
}

/// Reads a policy for a book from a file.
fn policy_in(file: &str, book: &Book) -> Result<Policy, Failure> {
    let text = output::read_text(Path::new(file))?;
    read_policy(book, &text).map_err(|problems| book_file::failure(file, &text, &problems))
}

/// Warns of rules that never apply: the answer is right, but hardly as intended.
fn warn_of(policy: &Policy, book: &Book) {
    // If this is stopped, so is the run.
    for problem in check_policy(book, policy, &Budget::default()).unwrap_or_default() {
        let help = problem.help.map(|help| format!(" ({help})")).unwrap_or_default();
        output::note(&format!("  ⚠ policy {}: {}{help}", policy.name, problem.message));
    }
}

/// The start, the goals and the end of a play.
#[derive(Args)]
pub struct WayArgs {
    #[command(flatten)]
    reading: ReadingArgs,
    /// The section in which play begins [default: the book's]
    #[arg(long, value_name = "SECTION")]
    start: Option<String>,
    /// The sections in which the hero wins [default: the book's]
    #[arg(long, value_name = "SECTION", value_delimiter = ',')]
    goal: Vec<String>,
    /// What the hero must have at the end of the book; without it he has not won. The difference from the odds without
    /// this option is the cost of keeping it
    #[arg(long, value_name = "ITEM,gold=N,...", value_delimiter = ',')]
    leave_with: Vec<String>,
}

impl WayArgs {
    /// Whether any of these options is given.
    fn is_given(&self) -> bool {
        self.reading.is_given() || self.start.is_some() || !self.goal.is_empty() || !self.leave_with.is_empty()
    }

    /// Applies the options to a question.
    pub fn apply(&self, book: &Book, question: &mut Question) -> Result<(), Failure> {
        self.reading.apply(book, &mut question.situation)?;
        if let Some(start) = &self.start {
            question.start = book_file::section(book, start)?;
        }
        let leaving = self.leave_with.iter().map(|own| own.trim());
        question.situation.leaving = read_leaving(book, leaving).map_err(unlisted)?;
        if !self.goal.is_empty() {
            question.goals = book_file::sections(book, &self.goal)?;
        }
        Ok(())
    }
}

/// The reductions in use.
#[derive(Args)]
pub struct ReductionArgs {
    /// Switch a reduction off (straight, forget, cap, merge, fold, split, hopeless, sure, wait): the value stays the same
    #[arg(long, value_name = "REDUCTION", value_parser = Analyses::NAMES)]
    without: Vec<String>,
}

impl ReductionArgs {
    /// Whether any is switched off.
    pub fn is_given(&self) -> bool {
        !self.without.is_empty()
    }

    /// The question without the reductions that are switched off.
    pub fn without(&self, mut question: Question) -> Question {
        question.analyses = self.without.iter().fold(question.analyses, |own, name| own.without(name).unwrap_or(own));
        question
    }
}

/// The whole question: the hero, the start and the goals.
#[derive(Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    hero: HeroArgs,
    #[command(flatten)]
    way: WayArgs,
}

impl QuestionArgs {
    /// Applies the policy to the later books of a series.
    pub fn apply_to_later_books(&self, series: &mut Series) -> Result<(), Failure> {
        self.way.reading.apply_to_later_books(series)
    }

    /// Whether any of these options is given.
    pub fn is_given(&self) -> bool {
        self.hero.is_given() || self.way.is_given()
    }

    /// The goal of a story, which has no other options: a knot or a condition.
    pub fn story_goal(&self) -> Result<Option<&str>, Failure> {
        let WayArgs { reading, start, goal, leave_with } = &self.way;
        if self.hero.is_given() || reading.is_given() || start.is_some() || !leave_with.is_empty() || goal.len() > 1 {
            return Err(Failure::bad_input(
                "a story in ink has no hero, no readings, no policies and one goal",
                "use --goal KNOT or --goal \"gold >= 10\", and leave the rest out",
            ));
        }
        Ok(goal.first().map(String::as_str))
    }

    /// The creation of the hero, without what the options fix.
    pub fn creation(&self, book: &Book) -> HeroCreation {
        let HeroArgs { combat_skill, endurance, items, gold, values, .. } = &self.hero;
        let named = |quantity: HeroQuantity| {
            let name = quantity.name(book);
            values.iter().flat_map(|list| listed(list)).any(|part| part.split('=').next() == Some(&name))
        };
        let is_known = |quantity: HeroQuantity| match quantity {
            HeroQuantity::CombatSkill => combat_skill.is_some(),
            HeroQuantity::Endurance => endurance.is_some(),
            HeroQuantity::Gold => gold.is_some(),
            HeroQuantity::Item(_) | HeroQuantity::Variable(_) => false,
        };
        let known = book
            .creation
            .rolled
            .iter()
            .map(|(quantity, _)| *quantity)
            .filter(|quantity| is_known(*quantity) || named(*quantity));
        let known: Vec<HeroQuantity> = known.collect();
        let chosen = book.creation.chosen.iter().flat_map(|own| own.bundles.iter().flatten());
        book.creation.without(&known, items.is_some() || chosen.into_iter().any(|(quantity, _)| named(*quantity)))
    }

    /// The question about a book as a whole: actions may be delayed, since their worth is not listed.
    pub fn of_whole_book(&self, book: &Book, exact: bool) -> Result<Question, Failure> {
        let mut question = self.question(book, exact)?;
        question.analyses.wait = true;
        Ok(question)
    }

    /// The question.
    pub fn question(&self, book: &Book, exact: bool) -> Result<Question, Failure> {
        let mut question = Question { exact, ..self.hero.question(book)? };
        self.way.apply(book, &mut question)?;
        Ok(question)
    }
}

impl HeroArgs {
    /// The question about this hero, with everything else as in the book.
    pub fn question(&self, book: &Book) -> Result<Question, Failure> {
        let (mut own, overrides) = (Question::new(book), self.overrides());
        own.situation.values = overrides.values(book).map_err(unlisted)?;
        Ok(Question { hero: overrides.hero(book).map_err(unlisted)?, ..own })
    }

    /// Whether any option of the hero is given.
    pub fn is_given(&self) -> bool {
        self.values.is_some() || self.overrides().is_lone_wolf()
    }

    /// The changes to the book's hero.
    pub fn overrides(&self) -> HeroOverrides {
        let list = |text: &Option<String>| text.as_ref().map(|text| listed(text).map(String::from).collect());
        HeroOverrides {
            combat_skill: self.combat_skill,
            endurance: self.endurance,
            disciplines: list(&self.disciplines),
            items: list(&self.items),
            lost: list(&self.lost),
            gold: self.gold,
            values: list(&self.values).unwrap_or_default(),
        }
    }
}

/// The names of a list with commas; `none` is the empty list.
pub fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "none")
}

/// The failure of an argument.
pub fn unlisted(error: ArgumentError) -> Failure {
    Failure::bad_input(error.message, error.help)
}

/// A hero in a line.
pub fn describe(book: &Book, question: &Question) -> String {
    if let Some(system) = &book.system {
        let values = system.own_variables().map(|(place, own)| {
            let set = question.situation.values.iter().find(|(other, _)| *other == place);
            (own, set.map_or(own.start, |(_, number)| *number))
        });
        let changed = values.filter(|(own, number)| {
            matches!(own.kind, VariableKind::Stat | VariableKind::Counter)
                || *number != 0 && own.kind != VariableKind::Initial
        });
        let parts: Vec<String> = changed.map(|(own, number)| format!("{} {number}", own.name)).collect();
        let mut lines = vec![parts.join(", ")];
        lines.extend(conduct(book, question));
        return lines.join("\n  ");
    }
    let hero = &question.hero;
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
    parts.extend(conduct(book, question));
    parts.join("\n  ")
}

/// The title, the start, the goals and the hero.
pub fn heading(book: &Book, question: &Question) -> String {
    let goals: Vec<String> = question.goals.iter().map(|own| book.section_text(*own)).collect();
    let goals = if goals.is_empty() { "a victory".into() } else { goals.join(" or ") };
    let start = book.section_text(question.start);
    format!("{}, from section {start} to {goals}\n  {}\n", book.title, describe(book, question))
}

/// The readings and the policy, in lines.
pub fn conduct(book: &Book, question: &Question) -> Vec<String> {
    let policy = question.situation.policy.iter().map(|policy| format!("policy {}", policy.name));
    let readings = question.situation.readings.iter().map(|(reading, value)| {
        let own = &book.readings[*reading];
        format!("reading {}={}", own.name, own.values[*value])
    });
    let leaving = question.situation.leaving.iter().map(|(quantity, count)| match count {
        1 => quantity.name(book),
        count => format!("{count} {}", quantity.name(book)),
    });
    let leaving: Vec<String> = leaving.collect();
    let leaving = (!leaving.is_empty()).then(|| format!("has to leave with {}", leaving.join(", ")));
    let forgets: Vec<String> = question.situation.forgets.iter().map(|own| own.text(book)).collect();
    let forgets = (!forgets.is_empty()).then(|| format!("need not remember {}", forgets.join(", ")));
    policy.chain(readings).chain(leaving).chain(forgets).collect()
}
