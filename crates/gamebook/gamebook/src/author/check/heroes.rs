//! Sets of heroes: a range for each number that a hero has. Such a set holds every hero that it stands
//! for, and maybe more: what no hero of it can do, no hero can do.

use std::cell::Cell;
use std::collections::BTreeSet;

use budget::{Budget, Stage, Stopped};

use super::changes::{Changed, is_used_between};
use super::key::Key;
use crate::book::{Book, Condition, DISCIPLINES, Hero, ItemId, Kind, LocalId, Number};
use crate::terms::Comparison;

/// The least and the largest value.
pub(super) type Range = (i32, i32);

/// A set of heroes at a place of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heroes(pub(super) Vec<Range>);

impl Heroes {
    pub(super) fn most_gold(&self) -> i32 {
        self.0[GOLD].1
    }

    pub(super) fn most_of(&self, item: ItemId) -> i32 {
        self.0[FIRST + item].1
    }
}

pub(super) const GOLD: usize = 0;

pub(super) const ENDURANCE: usize = 1;

pub(super) const MAX_ENDURANCE: usize = 2;

pub(super) const COMBAT_SKILL: usize = 3;

pub(super) const KNOWN: usize = 4;

const ROUNDS: usize = 5;

pub(super) const WOUNDED: usize = 6;

pub(super) const FIRST: usize = 7;

/// Names bound in a section.
const LOCALS: usize = 8;

/// A number of which nothing is known.
const ANY: Range = (i32::MIN, i32::MAX);

/// More than can be had of anything.
pub(super) const ALL: i32 = 1 << 20;

/// The most sets into which a condition splits one.
const MOST_SETS: usize = 16;

/// The numbers that heroes of a book have.
pub(super) struct Space<'b> {
    pub(super) book: &'b Book,
    /// What is possible at all.
    pub(super) limits: Vec<Range>,
    pub(super) flags: usize,
    pub(super) counters: usize,
    pub(super) disciplines: usize,
    pub(super) locals: usize,
    /// How many more ranges may be copied before the search gives up.
    fuel: Cell<u64>,
    budget: &'b Budget<'b>,
    /// Why the search must end, if somebody said so.
    stopped: Cell<Option<Stopped>>,
}

impl<'b> Space<'b> {
    pub(super) fn new(book: &'b Book, fuel: u64, budget: &'b Budget<'b>) -> Self {
        let armour: i32 = book.items.iter().map(|item| i32::from(item.endurance)).sum();
        let (least, most) = book.kai.endurances().into_inner();
        let endurance = most + armour;
        let mut limits = vec![(0, 0); FIRST];
        limits[GOLD] = (0, book.kai.most_gold.into());
        limits[ENDURANCE] = (1, endurance);
        limits[MAX_ENDURANCE] = (least, endurance);
        limits[COMBAT_SKILL] = book.kai.combat_skills().into_inner();
        limits[KNOWN] = (0, count(book.learns));
        limits[ROUNDS] = (0, i32::MAX);
        limits[WOUNDED] = (0, 1);
        limits.extend(book.items.iter().map(|item| (0, i32::from(book.most_of(item)))));
        let flags = limits.len();
        limits.extend(book.flags.iter().map(|_| (0, 1)));
        let counters = limits.len();
        limits.extend(book.counters.iter().map(|counter| (0, i32::from(counter.max))));
        let disciplines = limits.len();
        limits.extend(DISCIPLINES.iter().map(|_| (0, i32::from(book.learns > 0))));
        let locals = limits.len();
        limits.extend([ANY; LOCALS]);
        let (fuel, stopped) = (Cell::new(fuel), Cell::new(None));
        Self { book, limits, flags, counters, disciplines, locals, fuel, budget, stopped }
    }

    /// Whether so much has been looked at that the search must end.
    pub(super) fn is_exhausted(&self) -> bool {
        self.fuel.get() == 0
    }

    /// Why the search must end: nobody asks for its result any more.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }

    /// Takes from the fuel what it costs to look at one set of heroes.
    pub(super) fn pay(&self) {
        self.pay_for(self.limits.len() as u64);
    }

    fn pay_for(&self, ranges: u64) {
        let left = self.fuel.get().saturating_sub(ranges);
        self.fuel.set(left);
        if let Err(stopped) = self.budget.step(Stage::Checking, 0, 0) {
            self.stopped.set(Some(stopped));
            self.fuel.set(0);
        }
    }

    /// Everyone who may set out: any disciplines, any gold, any items that the book declares.
    pub(super) fn setting_out(&self) -> Heroes {
        let mut all = Heroes(self.limits.clone());
        for (item, count) in &self.book.fixed {
            let range = &mut all.0[FIRST + item];
            range.0 = i32::from(*count).min(range.1);
        }
        all.0[self.flags..self.disciplines].fill((0, 0));
        all
    }

    /// The same heroes with whatever they like of some keys, and without others.
    pub(super) fn with_keys(&self, mut heroes: Heroes, with: &BTreeSet<Key>, without: &BTreeSet<Key>) -> Heroes {
        for key in with {
            let place = match key {
                Key::Item(item) => FIRST + item,
                Key::Flag(flag) => self.flags + flag,
                Key::Own(_) => continue,
            };
            heroes.0[place] = (0, if without.contains(key) { 0 } else { self.limits[place].1 });
        }
        heroes
    }

    /// One hero as he sets out.
    pub(super) fn hero(&self, hero: &Hero) -> Heroes {
        let mut one = Heroes(self.limits.clone());
        let mut exactly = |place: usize, number: i32| one.0[place] = (number, number);
        exactly(GOLD, hero.gold.into());
        exactly(COMBAT_SKILL, hero.combat_skill);
        exactly(KNOWN, count(hero.disciplines.len()));
        for (item, carried) in hero.belongings(self.book).into_iter().enumerate() {
            exactly(FIRST + item, carried.into());
        }
        for (place, (discipline, _)) in DISCIPLINES.iter().enumerate() {
            exactly(self.disciplines + place, i32::from(hero.disciplines.contains(discipline)));
        }
        one.0[self.flags..self.disciplines].fill((0, 0));
        one
    }

    /// Everyone who may be anywhere.
    pub(super) fn anyone(&self) -> Heroes {
        Heroes(self.limits.clone())
    }

    /// The place of a number that stands for itself.
    pub(super) fn place(&self, number: &Number) -> Option<usize> {
        match number {
            Number::Gold => Some(GOLD),
            Number::Endurance => Some(ENDURANCE),
            Number::MaxEndurance => Some(MAX_ENDURANCE),
            Number::CombatSkill => Some(COMBAT_SKILL),
            Number::Disciplines => Some(KNOWN),
            Number::Rounds => Some(ROUNDS),
            Number::Item(item) => Some(FIRST + item),
            Number::Counter(counter) => Some(self.counters + counter),
            Number::Local(local) => (*local < LOCALS).then_some(self.locals + local),
            Number::Constant(_)
            | Number::OfKind(_)
            | Number::BackpackRoom
            | Number::Variable(_)
            | Number::Operation(..) => None,
        }
    }

    fn of_kind(&self, heroes: &Heroes, kind: Kind) -> Range {
        let most = match kind {
            Kind::Weapon => self.book.kai.most_weapons.into(),
            Kind::Backpack => i32::from(self.book.room()),
            Kind::Special | Kind::Permanent | Kind::Container => ALL,
        };
        let ranges = self.kind(kind).map(|item| heroes.0[FIRST + item]);
        let (low, high) = ranges.fold((0, 0), |(low, high), range| (low + range.0, high + range.1));
        (low.min(most), high.min(most))
    }

    /// The items of a kind.
    fn kind(&self, kind: Kind) -> impl Iterator<Item = ItemId> + 'b {
        let book = self.book;
        (0..book.items.len()).filter(move |item| book.items[*item].kind == kind)
    }

    /// How many places in the backpack an item takes.
    fn places(&self, item: ItemId) -> i32 {
        self.book.items[item].places.into()
    }

    /// What a number can be.
    pub(super) fn value(&self, heroes: &Heroes, number: &Number) -> Range {
        if let Some(place) = self.place(number) {
            return heroes.0[place];
        }
        match number {
            Number::Constant(number) => (*number, *number),
            Number::OfKind(kind) => self.of_kind(heroes, *kind),
            Number::BackpackRoom => {
                let filled = self.kind(Kind::Backpack).map(|item| (heroes.0[FIRST + item], self.places(item)));
                let (low, high) = filled
                    .fold((0, 0), |(low, high), ((least, most), places)| (low + least * places, high + most * places));
                let room = i32::from(self.book.room());
                let (low, high) = (low.min(room), high.min(room));
                let container = self.container().map_or((1, 1), |item| heroes.0[FIRST + item]);
                (container.0.min(1) * (room - high).max(0), container.1.min(1) * (room - low))
            }
            Number::Operation(operator, left, right) => {
                self.pay_for(1);
                let (left, right) = (self.value(heroes, left), self.value(heroes, right));
                // Every operation is monotone in each of its numbers: the extremes are at the corners.
                [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)]
                    .map(|(a, b)| operator.apply(a, b))
                    .into_iter()
                    .fold((i32::MAX, i32::MIN), |(least, most), corner| (least.min(corner), most.max(corner)))
            }
            _ => ANY,
        }
    }

    fn container(&self) -> Option<ItemId> {
        self.kind(Kind::Container).next()
    }

    /// The heroes of a set for whom a condition holds (or does not), as few sets that together hold them
    /// all; none when there is nobody.
    pub(super) fn assume(&self, heroes: &Heroes, condition: &Condition, holds: bool) -> Vec<Heroes> {
        self.pay();
        if self.is_exhausted() {
            return vec![heroes.clone()];
        }
        match condition {
            Condition::Constant(constant) => {
                if *constant == holds {
                    vec![heroes.clone()]
                } else {
                    Vec::new()
                }
            }
            Condition::Reading(..) | Condition::Skilled(_) => vec![heroes.clone()],
            Condition::Discipline(discipline) => {
                let place = DISCIPLINES.iter().position(|(own, _)| own == discipline).unwrap_or_default();
                self.fixed(heroes, self.disciplines + place, holds)
            }
            Condition::Flag(flag) => self.fixed(heroes, self.flags + flag, holds),
            Condition::Wounded => self.fixed(heroes, WOUNDED, holds),
            Condition::Compare(comparison, left, right) => {
                let comparison = if holds { *comparison } else { comparison.negated() };
                self.compare(heroes, comparison, left, right)
            }
            Condition::Not(inner) => self.assume(heroes, inner, !holds),
            Condition::And(left, right) | Condition::Or(left, right) => {
                let both = matches!(condition, Condition::And(..)) == holds;
                let mut sets = self.assume(heroes, left, holds);
                if both {
                    sets = self.assume_all(&sets, right, holds);
                } else {
                    // Who fulfils the first need not be looked at again.
                    let others = self.assume(heroes, left, !holds);
                    sets.extend(self.assume_all(&others, right, holds));
                }
                few(sets)
            }
        }
    }

    /// The same for several sets.
    pub(super) fn assume_all(&self, sets: &[Heroes], condition: &Condition, holds: bool) -> Vec<Heroes> {
        few(sets.iter().flat_map(|heroes| self.assume(heroes, condition, holds)).collect())
    }

    fn fixed(&self, heroes: &Heroes, place: usize, holds: bool) -> Vec<Heroes> {
        let value = i32::from(holds);
        self.restricted(heroes, place, (value, value)).into_iter().collect()
    }

    /// The heroes whose number is in a range.
    fn restricted(&self, heroes: &Heroes, place: usize, range: Range) -> Option<Heroes> {
        let (low, high) = heroes.0[place];
        let range = (low.max(range.0), high.min(range.1));
        if range.0 > range.1 {
            return None;
        }
        let mut own = heroes.clone();
        own.0[place] = range;
        self.agreeing(own)
    }

    /// What follows from what is known; `None` when it contradicts itself.
    fn agreeing(&self, mut heroes: Heroes) -> Option<Heroes> {
        let known = &heroes.0[self.disciplines..self.locals];
        let certain = known.iter().filter(|range| range.0 == 1).count();
        let possible = known.iter().filter(|range| range.1 == 1).count();
        let (certain, possible) = (count(certain), count(possible));
        let number = &mut heroes.0[KNOWN];
        *number = (number.0.max(certain), number.1.min(possible));
        if number.0 > number.1 {
            return None;
        }
        if number.1 == certain {
            for range in &mut heroes.0[self.disciplines..self.locals] {
                range.1 = range.0;
            }
        }
        let carried = |heroes: &Heroes, kind| -> i32 {
            self.kind(kind).map(|item| heroes.0[FIRST + item].0 * self.places(item)).sum()
        };
        if carried(&heroes, Kind::Weapon) > self.book.kai.most_weapons.into() {
            return None;
        }
        let load = carried(&heroes, Kind::Backpack);
        if load > self.book.room().into() {
            return None;
        }
        if let Some(container) = self.container() {
            let range = &mut heroes.0[FIRST + container];
            range.0 = range.0.max(i32::from(load > 0));
            if range.0 > range.1 {
                return None;
            }
            if range.1 == 0 {
                self.kind(Kind::Backpack).for_each(|item| heroes.0[FIRST + item] = (0, 0));
            }
        }
        Some(heroes)
    }

    fn compare(&self, heroes: &Heroes, comparison: Comparison, left: &Number, right: &Number) -> Vec<Heroes> {
        let (a, b) = (self.value(heroes, left), self.value(heroes, right));
        let of_left = match comparison {
            Comparison::Equal => vec![b],
            Comparison::NotEqual if b.0 == b.1 => {
                vec![(i32::MIN, b.0.saturating_sub(1)), (b.0.saturating_add(1), i32::MAX)]
            }
            Comparison::NotEqual => vec![ANY],
            Comparison::Less => vec![(i32::MIN, b.1.saturating_sub(1))],
            Comparison::AtMost => vec![(i32::MIN, b.1)],
            Comparison::More => vec![(b.0.saturating_add(1), i32::MAX)],
            Comparison::AtLeast => vec![(b.0, i32::MAX)],
        };
        let of_right = match comparison {
            Comparison::Equal => a,
            Comparison::NotEqual => ANY,
            Comparison::Less => (a.0.saturating_add(1), i32::MAX),
            Comparison::AtMost => (a.0, i32::MAX),
            Comparison::More => (i32::MIN, a.1.saturating_sub(1)),
            Comparison::AtLeast => (i32::MIN, a.1),
        };
        of_left
            .into_iter()
            .filter(|range| range.0.max(a.0) <= range.1.min(a.1) && of_right.0.max(b.0) <= of_right.1.min(b.1))
            .filter_map(|range| {
                let heroes = self.with_number(heroes.clone(), left, range)?;
                self.with_number(heroes, right, of_right)
            })
            .collect()
    }

    /// The heroes for whom a number is in a range, as far as ranges can tell.
    fn with_number(&self, mut heroes: Heroes, number: &Number, range: Range) -> Option<Heroes> {
        if let Some(place) = self.place(number) {
            return self.restricted(&heroes, place, range);
        }
        if let Number::OfKind(kind) = number {
            for item in self.kind(*kind) {
                let own = &mut heroes.0[FIRST + item];
                own.1 = own.1.min(range.1);
                if own.0 > own.1 {
                    return None;
                }
            }
        }
        self.agreeing(heroes)
    }

    /// Gold got or lost.
    pub(super) fn add_gold(&self, heroes: &mut Heroes, change: Range) {
        self.add(heroes, GOLD, change);
    }

    fn add(&self, heroes: &mut Heroes, place: usize, change: Range) {
        let (least, most) = self.limits[place];
        let range = &mut heroes.0[place];
        let moved = |bound: i32, by: i32| bound.saturating_add(by).clamp(least, most);
        *range = (moved(range.0, change.0), moved(range.1, change.1));
    }

    /// ENDURANCE changes, and nothing more is known of it; `false` when everyone dies.
    pub(super) fn hurt(&self, heroes: &mut Heroes, change: Range) -> bool {
        let survives = heroes.0[ENDURANCE].1.saturating_add(change.1) > 0;
        heroes.0[ENDURANCE] = self.limits[ENDURANCE];
        survives
    }

    /// So many of an item are got or left; others may be dropped for it.
    pub(super) fn may_get(&self, heroes: &mut Heroes, item: ItemId, most: i32) {
        let kind = self.book.items[item].kind;
        if most <= 0 {
            return;
        }
        if matches!(kind, Kind::Weapon | Kind::Backpack) {
            self.kind(kind).for_each(|other| heroes.0[FIRST + other].0 = 0);
        }
        let no_container = self.container().is_some_and(|container| heroes.0[FIRST + container].1 == 0);
        if kind != Kind::Backpack || !no_container {
            self.add(heroes, FIRST + item, (0, most));
        }
        self.forget_endurance(heroes);
    }

    /// What can only be had once is got.
    pub(super) fn gets(&self, heroes: &mut Heroes, item: ItemId) {
        heroes.0[FIRST + item] = (1, 1);
        self.forget_endurance(heroes);
    }

    /// What is worn has changed, and with it how much ENDURANCE he has and can have.
    fn forget_endurance(&self, heroes: &mut Heroes) {
        heroes.0[ENDURANCE] = self.limits[ENDURANCE];
        heroes.0[MAX_ENDURANCE] = self.limits[MAX_ENDURANCE];
    }

    /// So many of an item are lost.
    pub(super) fn lose(&self, heroes: &mut Heroes, item: ItemId, count: Range) {
        self.add(heroes, FIRST + item, (-count.1.max(0), -count.0.max(0)));
        self.forget_endurance(heroes);
        if self.book.items[item].kind == Kind::Container {
            let gone = heroes.0[FIRST + item].1 == 0;
            for other in self.kind(Kind::Backpack) {
                let range = &mut heroes.0[FIRST + other];
                *range = (0, if gone { 0 } else { range.1 });
            }
        }
    }

    /// Some of these may be gone.
    pub(super) fn may_lose(&self, heroes: &mut Heroes, count: i32, which: impl Fn(&crate::book::Item) -> bool) {
        for (item, range) in self.book.items.iter().zip(&mut heroes.0[FIRST..]) {
            if which(item) {
                range.0 = (range.0 - count).max(0);
            }
        }
    }

    pub(super) fn set_flag(&self, heroes: &mut Heroes, flag: usize, on: bool) {
        heroes.0[self.flags + flag] = (i32::from(on), i32::from(on));
    }

    pub(super) fn set_counter(&self, heroes: &mut Heroes, counter: usize, value: Range) {
        let (least, most) = self.limits[self.counters + counter];
        heroes.0[self.counters + counter] = (value.0.clamp(least, most), value.1.clamp(least, most));
    }

    pub(super) fn set_local(&self, heroes: &mut Heroes, local: LocalId, value: Range) {
        if local < LOCALS {
            heroes.0[self.locals + local] = value;
        }
    }

    /// A fight has been fought.
    pub(super) fn fought(&self, heroes: &mut Heroes) {
        for place in [ROUNDS, WOUNDED] {
            heroes.0[place] = self.limits[place];
        }
        self.may_use(heroes);
        self.may_lose(heroes, ALL, |item| item.strengthens > 0);
    }

    /// What heals may be used.
    pub(super) fn may_use(&self, heroes: &mut Heroes) {
        heroes.0[ENDURANCE] = self.limits[ENDURANCE];
        self.may_lose(heroes, ALL, |item| item.heals.is_some());
        self.may_be_cured(heroes);
    }

    /// What heals may have cured what it cures.
    pub(super) fn may_be_cured(&self, heroes: &mut Heroes) {
        for flag in self.book.items.iter().filter_map(|item| item.cures) {
            heroes.0[self.flags + flag].0 = 0;
        }
    }

    /// What heals at any time may be used between two things that happen.
    pub(super) fn may_use_between(&self, heroes: &mut Heroes) {
        let has = |(item, range): (&crate::book::Item, &Range)| is_used_between(item) && range.1 > 0;
        if self.book.items.iter().zip(&heroes.0[FIRST..]).any(has) {
            heroes.0[ENDURANCE] = self.limits[ENDURANCE];
            self.may_lose(heroes, ALL, is_used_between);
            self.may_be_cured(heroes);
        }
    }

    /// A section begins: what was only known in the last one is forgotten.
    pub(super) fn entered(&self, heroes: &mut Heroes) {
        for place in (self.locals..self.limits.len()).chain([ENDURANCE, ROUNDS, WOUNDED]) {
            heroes.0[place] = self.limits[place];
        }
    }

    /// Nothing is known any more of gold, items, flags, counters and names; disciplines stay.
    pub(super) fn forget(&self, heroes: &mut Heroes, what: &Changed) {
        let mut forget = |place: usize| heroes.0[place] = self.limits[place];
        forget(ENDURANCE);
        forget(MAX_ENDURANCE);
        if what.gold {
            forget(GOLD);
        }
        if what.fight {
            forget(ROUNDS);
            forget(WOUNDED);
        }
        what.items.iter().for_each(|item| forget(FIRST + item));
        what.flags.iter().for_each(|flag| forget(self.flags + flag));
        what.counters.iter().for_each(|counter| forget(self.counters + counter));
        what.locals.iter().filter(|local| **local < LOCALS).for_each(|local| forget(self.locals + local));
    }

    /// Everyone of both. `wide`: where a bound moves it goes as far as it can.
    pub(super) fn widen(&self, heroes: &mut Heroes, more: &Heroes, wide: bool) -> bool {
        self.pay();
        let mut changed = false;
        for ((range, more), limit) in heroes.0.iter_mut().zip(&more.0).zip(&self.limits) {
            if more.0 < range.0 {
                range.0 = if wide { limit.0 } else { more.0 };
                changed = true;
            }
            if more.1 > range.1 {
                range.1 = if wide { limit.1 } else { more.1 };
                changed = true;
            }
        }
        changed
    }
}

/// A number of disciplines.
fn count(disciplines: usize) -> i32 {
    i32::try_from(disciplines).unwrap_or(i32::MAX)
}

/// All of several sets, as one.
pub(super) fn together(sets: Vec<Heroes>) -> Option<Heroes> {
    sets.into_iter().reduce(|mut all, more| {
        for (range, more) in all.0.iter_mut().zip(&more.0) {
            *range = (range.0.min(more.0), range.1.max(more.1));
        }
        all
    })
}

/// No more than so many sets.
fn few(sets: Vec<Heroes>) -> Vec<Heroes> {
    if sets.len() > MOST_SETS { together(sets).into_iter().collect() } else { sets }
}
