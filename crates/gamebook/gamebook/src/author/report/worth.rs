//! The worth of each item, discipline and point: the book is solved for heroes with and without it.

use mdp::{ExploreOptions, Value};

use crate::book::{Book, DISCIPLINES, Discipline, ItemId, VariableKind};
use crate::solve::{Question, SolveBookError, Solved};

/// A hero who differs in one thing.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The thing: `mindblast`, `rope`, `endurance`.
    pub what: String,
    /// The difference: `with`, `without`, `one more`, `one less`.
    pub change: &'static str,
    /// The question about him.
    pub question: Question,
    /// The number of disciplines that he may have.
    learns: usize,
}

/// The worth of a difference.
#[derive(Clone, Debug)]
pub struct Worth {
    /// See [`Variant::what`].
    pub what: String,
    /// See [`Variant::change`].
    pub change: &'static str,
    /// The probability of winning with it.
    pub win: Value,
}

impl Variant {
    /// All possible heroes who differ in one discipline, item or point from that of a question.
    pub fn all(book: &Book, question: &Question) -> Vec<Self> {
        let variants = if book.system.is_some() { of_system(book, question) } else { of_lone_wolf(book, question) };
        let can_be = |own: &Self| {
            book.system.is_some() || own.question.hero.check(&Book { learns: own.learns, ..book.clone() }).is_ok()
        };
        variants.into_iter().filter(can_be).collect()
    }

    /// Solves the book for this hero.
    ///
    /// # Errors
    /// As [`Solved::new`].
    pub fn worth(&self, book: &Book, options: &ExploreOptions<'_>) -> Result<Worth, SolveBookError> {
        let book = Book { learns: self.learns, ..book.clone() };
        let win = Solved::new(&book, &self.question, options)?.win();
        Ok(Worth { what: self.what.clone(), change: self.change, win })
    }
}

fn of_lone_wolf(book: &Book, question: &Question) -> Vec<Variant> {
    let mut variants = Vec::new();
    let mut add = |what: &str, change: &'static str, question: Question, learns: usize| {
        variants.push(Variant { what: what.to_string(), change, question, learns });
    };
    let hero = &question.hero;
    for (change, by) in [("one more", 1), ("one less", -1)] {
        let mut own = question.clone();
        own.hero.combat_skill += by;
        add("combat-skill", change, own, book.learns);
        let mut own = question.clone();
        let moved = |number: u8| u8::try_from(i32::from(number) + by);
        if let Ok(endurance) = moved(hero.endurance) {
            own.hero.endurance = endurance;
            add("endurance", change, own, book.learns);
        }
        let mut own = question.clone();
        if let Ok(gold) = moved(hero.gold) {
            own.hero.gold = gold;
            add("gold", change, own, book.learns);
        }
    }
    let has = hero.belongings(book);
    for (discipline, name) in DISCIPLINES {
        let mut own = question.clone();
        if hero.knows(discipline) {
            own.hero.disciplines.retain(|other| *other != discipline);
            if discipline == Discipline::Weaponskill {
                own.hero.weaponskill = None;
            }
            add(name, "without", own, book.learns);
            continue;
        }
        own.hero.disciplines.push(discipline);
        if discipline == Discipline::Weaponskill {
            // In the first weapon that he carries.
            let carried = book.items.iter().zip(&has).find(|(item, count)| item.weapon.is_some() && **count > 0);
            let Some((weapon, _)) = carried else { continue };
            own.hero.weaponskill = Some(weapon.name.clone());
        }
        let learns = book.learns.max(own.hero.disciplines.len());
        add(name, "with", own, learns);
    }
    for (item, (own, count)) in book.items.iter().zip(&has).enumerate() {
        if *count > 0 {
            add(&own.name, if *count > 1 { "one less" } else { "without" }, with_one_less(question, item), book.learns);
        } else {
            let mut with = question.clone();
            with.hero.lost.retain(|lost| *lost != item);
            if with.hero.belongings(book)[item] == 0 {
                with.hero.items.push((item, 1));
            }
            add(&own.name, "with", with, book.learns);
        }
    }
    variants
}

fn with_one_less(question: &Question, item: ItemId) -> Question {
    let mut own = question.clone();
    match own.hero.items.iter_mut().find(|(other, count)| *other == item && *count > 0) {
        Some((_, count)) => *count -= 1,
        None => own.hero.lost.push(item),
    }
    own.hero.items.retain(|(_, count)| *count > 0);
    own
}

fn of_system(book: &Book, question: &Question) -> Vec<Variant> {
    let Some(system) = &book.system else { return Vec::new() };
    let mut variants = Vec::new();
    for (place, own) in system.own_variables() {
        if own.kind == VariableKind::Initial || own.kind.is_yes_or_no() && own.kind != VariableKind::Skill {
            continue;
        }
        let set_value =
            |place: usize| question.situation.values.iter().find(|(other, _)| *other == place).map(|own| own.1);
        let now = set_value(place).unwrap_or(own.start);
        for by in [1, -1] {
            let number = now + by;
            if !(own.least..=own.most).contains(&number) || own.vital && number <= 0 {
                continue;
            }
            let mut question = question.clone();
            let mut set = |place: usize, number: i32| {
                question.situation.values.retain(|(other, _)| *other != place);
                question.situation.values.push((place, number));
            };
            set(place, number);
            if let Some(initial) = own.initial {
                let first = set_value(initial).unwrap_or(system.variables[initial].start);
                set(initial, first + by);
            }
            let change = match (own.kind, by, now) {
                (VariableKind::Item | VariableKind::Skill, 1, 0) => "with",
                (VariableKind::Item | VariableKind::Skill, -1, 1) => "without",
                (_, 1, _) => "one more",
                _ => "one less",
            };
            variants.push(Variant { what: own.name.clone(), change, question, learns: book.learns });
        }
    }
    variants
}
