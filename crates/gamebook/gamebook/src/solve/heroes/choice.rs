//! The choice of heroes for a table.

use super::{HeroGroup, dice_of};
use crate::book::{
    Book, DISCIPLINES, Discipline, Hero, HeroError, HeroQuantity, ItemId, System, VariableKind, choices,
};
use crate::solve::question::Question;
use crate::terms::Dice;

/// The heroes to solve: all combinations of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeroChoice {
    /// Sets of disciplines, each with the weapon of weaponskill; a single empty set in a system of rules.
    pub sets: Vec<(Vec<Discipline>, Option<String>)>,
    /// Sets of skills of a system of rules, as indexes of variables; empty if all heroes have the book's own skills.
    pub skills: Vec<Vec<usize>>,
    /// Sets of equipment; a single empty one if the book gives it.
    pub equipments: Vec<Vec<(ItemId, u8)>>,
    /// Numbers on the sheet, each with its values.
    pub numbers: Vec<(HeroQuantity, Vec<i32>)>,
}

impl HeroChoice {
    /// All heroes that the rules of a book allow, with the equipment and gold of its own hero. For Lone Wolf these are all sets
    /// of as many disciplines as the book allows, with each COMBAT SKILL and ENDURANCE; in a system of rules, all totals of the
    /// stats that are rolled. `weapon` is that of weaponskill; by default the one of the book's hero, or the book's first. In a
    /// book without weapons no hero has weaponskill.
    ///
    /// ```
    /// use gamebook::{HeroChoice, built_in, read};
    ///
    /// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
    /// let all = HeroChoice::all(&book, None);
    /// // Five of ten disciplines, COMBAT SKILL 10 to 19, ENDURANCE 20 to 29.
    /// assert_eq!((all.sets.len(), all.numbers[0].1.len(), all.numbers[1].1.len()), (252, 10, 10));
    /// ```
    pub fn all(book: &Book, weapon: Option<&str>) -> Self {
        let Some(system) = &book.system else {
            let sets = sets(book.learns.min(DISCIPLINES.len())).into_iter();
            let first = || book.items.iter().find(|item| item.weapon.is_some()).map(|item| item.name.clone());
            let weapon = weapon.map(str::to_owned).or_else(|| book.hero.weaponskill.clone()).or_else(first);
            let sets = sets.filter(|set| weapon.is_some() || !set.contains(&Discipline::Weaponskill));
            let numbers = vec![
                (HeroQuantity::CombatSkill, book.kai.combat_skills().collect()),
                (HeroQuantity::Endurance, book.kai.endurances().collect()),
            ];
            return Self {
                sets: sets.map(|set| armed(set, weapon.as_deref())).collect(),
                skills: Vec::new(),
                equipments: vec![book.hero.items.clone()],
                numbers,
            };
        };
        let stats = system.variables.iter().enumerate().filter(|(_, own)| own.kind == VariableKind::Stat);
        let rolled = stats
            .filter_map(|(own, _)| Some((HeroQuantity::Variable(own), dice_of(book, HeroQuantity::Variable(own))?)));
        let totals = |dice: &Dice| dice.totals().into_iter().map(|(total, _)| total).collect();
        Self {
            sets: vec![(Vec::new(), None)],
            skills: system.learns.map_or_else(Vec::new, |learns| Self::sets_of_skills(system, &[], learns)),
            equipments: vec![Vec::new()],
            numbers: rolled.map(|(quantity, dice)| (quantity, totals(dice))).collect(),
        }
    }

    /// All sets of this many skills of a system beside those already known; empty if it has no others.
    ///
    /// ```
    /// use gamebook::{HeroChoice, read};
    ///
    /// let text = r#"book "Wood" format=1 rules="kai"
    /// start 1
    /// section 1 { victory; }"#;
    /// let (book, _) = read(text)?;
    /// let system = book.system.as_ref().unwrap();
    /// // Five of ten; four of nine, beside the first.
    /// assert_eq!(HeroChoice::sets_of_skills(system, &[], 5).len(), 252);
    /// let first = system.skills().next().unwrap();
    /// assert_eq!(HeroChoice::sets_of_skills(system, &[first], 4).len(), 126);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sets_of_skills(system: &System, known: &[usize], count: usize) -> Vec<Vec<usize>> {
        let others: Vec<usize> = system.skills().filter(|skill| !known.contains(skill)).collect();
        if others.is_empty() {
            return Vec::new();
        }
        let sets = choices(others.len(), count.min(others.len())).into_iter();
        let with_known = |set: Vec<usize>| {
            let mut skills: Vec<usize> = set.into_iter().map(|own| others[own]).chain(known.iter().copied()).collect();
            skills.sort_unstable();
            skills
        };
        sets.map(with_known).collect()
    }

    /// All sets of equipment that a hero of the book may choose and carry.
    pub fn equipments(book: &Book) -> Vec<Vec<(ItemId, u8)>> {
        let Some(chosen) = &book.creation.chosen else { return vec![book.hero.items.clone()] };
        let items = |things: Vec<(HeroQuantity, i32)>| -> Option<Vec<(ItemId, u8)>> {
            let mut items: Vec<(ItemId, u8)> = Vec::new();
            for (quantity, count) in things {
                let (HeroQuantity::Item(item), Ok(count)) = (quantity, u8::try_from(count)) else { return None };
                match items.iter_mut().find(|(own, _)| *own == item) {
                    Some((_, own)) => *own = own.saturating_add(count),
                    None => items.push((item, count)),
                }
            }
            let hero = Hero { items, ..book.hero.clone() };
            hero.check(book).is_ok().then_some(hero.items)
        };
        chosen.combinations(book).into_iter().filter_map(|(_, things)| items(things)).collect()
    }

    /// The number of heroes; `None` if it overflows.
    pub fn count(&self) -> Option<usize> {
        let numbers = self.numbers.iter().map(|(_, values)| values.len());
        [self.sets.len(), self.equipments.len(), self.skills.len().max(1)]
            .into_iter()
            .chain(numbers)
            .try_fold(1usize, usize::checked_mul)
    }

    /// These heroes in order: sets of disciplines or skills, then equipment, then numbers, the last of which varies fastest.
    /// What is not chosen is as in `question`.
    ///
    /// # Errors
    /// If one of them is impossible.
    pub fn groups(&self, book: &Book, question: &Question) -> Result<Vec<HeroGroup>, HeroError> {
        let rolls =
            self.numbers.iter().fold(vec![Vec::new()], |all: Vec<Vec<(HeroQuantity, i32)>>, (quantity, values)| {
                let with = |own: &Vec<(HeroQuantity, i32)>| -> Vec<_> {
                    values.iter().map(|value| [&own[..], &[(*quantity, *value)]].concat()).collect()
                };
                all.iter().flat_map(with).collect()
            });
        if let Some(system) = &book.system {
            let learned = |skills: &Vec<usize>| {
                let mut question = question.clone();
                learns(system, skills, &mut question.situation.values);
                HeroGroup { question, rolls: rolls.clone() }
            };
            let own = || vec![HeroGroup { question: question.clone(), rolls: rolls.clone() }];
            return Ok(if self.skills.is_empty() { own() } else { self.skills.iter().map(learned).collect() });
        }
        let mut groups = Vec::with_capacity(self.sets.len() * self.equipments.len());
        for (disciplines, weapon) in &self.sets {
            for items in &self.equipments {
                let mut question = question.clone();
                question.hero.disciplines.clone_from(disciplines);
                question.hero.weaponskill.clone_from(weapon);
                question.hero.items.clone_from(items);
                let group = HeroGroup { question, rolls: rolls.clone() };
                (0..group.rolls.len()).try_for_each(|roll| group.question_of(book, roll).hero.check(book))?;
                groups.push(group);
            }
        }
        Ok(groups)
    }
}

/// A set of disciplines with the weapon of weaponskill, if it is in the set.
fn armed(set: Vec<Discipline>, weapon: Option<&str>) -> (Vec<Discipline>, Option<String>) {
    let weapon = weapon.filter(|_| set.contains(&Discipline::Weaponskill)).map(str::to_owned);
    (set, weapon)
}

/// All sets of this many disciplines.
fn sets(count: usize) -> Vec<Vec<Discipline>> {
    let all: u32 = 1 << DISCIPLINES.len();
    let of = |bits: u32| {
        let chosen = DISCIPLINES.iter().enumerate().filter(move |(place, _)| bits >> place & 1 == 1);
        chosen.map(|(_, (discipline, _))| *discipline).collect::<Vec<_>>()
    };
    let mut sets: Vec<Vec<Discipline>> = (0..all).map(of).filter(|set| set.len() == count).collect();
    sets.sort();
    sets
}

/// Sets exactly these skills on a sheet. A skill tied to items applies to those that the sheet names, or to the first.
fn learns(system: &System, skills: &[usize], values: &mut Vec<(usize, i32)>) {
    let is_on = |own: usize, values: &[(usize, i32)]| {
        let set = values.iter().rev().find(|(other, _)| *other == own);
        set.map_or(system.variables[own].start, |(_, number)| *number) > 0
    };
    for skill in system.skills() {
        let is_known = skills.contains(&skill);
        values.push((skill, i32::from(is_known)));
        let mut items = system.skills_in.iter().filter(|own| own.skill == skill).map(|own| own.known).peekable();
        if !is_known {
            values.extend(items.map(|item| (item, 0)));
        } else if let Some(first) = items.peek().copied()
            && !items.any(|item| is_on(item, values))
        {
            values.push((first, 1));
        }
    }
}
