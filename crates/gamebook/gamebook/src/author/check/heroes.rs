//! Sets of heroes: a range for each number. A set may contain heroes that do not exist, but what none of its heroes can do, no
//! hero can do.

mod assume;
mod effects;

use std::cell::Cell;
use std::collections::BTreeSet;

use budget::{Budget, Stage, Stopped};

use super::key::Key;
use crate::book::{Book, DISCIPLINES, Hero, ItemId, Kind, Number};

/// The minimum and the maximum.
pub(super) type Range = (i32, i32);

/// A set of heroes at a point of the book.
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

/// The most names in a section.
const LOCALS: usize = 8;

/// The range of an unknown number.
const ANY: Range = (i32::MIN, i32::MAX);

/// More than a hero can have of anything.
pub(super) const ALL: i32 = 1 << 20;

/// The most sets into which a condition splits a set.
const MOST_SETS: usize = 16;

/// The numbers of a book's heroes.
pub(super) struct Space<'b> {
    pub(super) book: &'b Book,
    /// The possible range of each.
    pub(super) limits: Vec<Range>,
    pub(super) flags: usize,
    pub(super) counters: usize,
    pub(super) disciplines: usize,
    pub(super) locals: usize,
    /// How many more ranges may be copied before the search is given up.
    fuel: Cell<u64>,
    budget: &'b Budget<'b>,
    /// Why the search was stopped, if it was.
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

    /// Whether the limit of the search is reached.
    pub(super) fn is_exhausted(&self) -> bool {
        self.fuel.get() == 0
    }

    /// Why the search was stopped.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }

    /// Counts the analysis of one set of heroes towards the limit.
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

    /// All heroes at the start: any disciplines, gold and items that the book declares.
    pub(super) fn setting_out(&self) -> Heroes {
        let mut all = Heroes(self.limits.clone());
        for (item, count) in &self.book.fixed {
            let range = &mut all.0[FIRST + item];
            range.0 = i32::from(*count).min(range.1);
        }
        all.0[self.flags..self.disciplines].fill((0, 0));
        all
    }

    /// The same heroes with any amount of some keys, and without others.
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

    /// A single hero at the start.
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

    /// All heroes anywhere.
    pub(super) fn anyone(&self) -> Heroes {
        Heroes(self.limits.clone())
    }

    /// The index of a number that is stored.
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
            _ => None,
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

    /// The backpack places that an item takes.
    fn places(&self, item: ItemId) -> i32 {
        self.book.items[item].places.into()
    }

    /// The range of a number.
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
                // Operations are monotonic in each operand: the extremes are at the corners.
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
}

/// The number of disciplines in a set.
fn count(disciplines: usize) -> i32 {
    i32::try_from(disciplines).unwrap_or(i32::MAX)
}

/// The union of several sets.
pub(super) fn together(sets: Vec<Heroes>) -> Option<Heroes> {
    sets.into_iter().reduce(|mut all, more| {
        for (range, more) in all.0.iter_mut().zip(&more.0) {
            *range = (range.0.min(more.0), range.1.max(more.1));
        }
        all
    })
}
