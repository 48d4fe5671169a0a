//! The effects of events on sets of heroes.

use super::{ALL, ENDURANCE, FIRST, GOLD, Heroes, LOCALS, MAX_ENDURANCE, ROUNDS, Range, Space, WOUNDED};
use crate::author::check::changes::{Changed, is_used_between};
use crate::book::{Item, ItemId, Kind, LocalId};

impl Space<'_> {
    /// Adds to gold.
    pub(crate) fn add_gold(&self, heroes: &mut Heroes, change: Range) {
        self.add(heroes, GOLD, change);
    }

    fn add(&self, heroes: &mut Heroes, place: usize, change: Range) {
        let (least, most) = self.limits[place];
        let range = &mut heroes.0[place];
        let moved = |bound: i32, by: i32| bound.saturating_add(by).clamp(least, most);
        *range = (moved(range.0, change.0), moved(range.1, change.1));
    }

    /// Changes ENDURANCE, after which nothing more is known of it; `false` if all die.
    pub(crate) fn hurt(&self, heroes: &mut Heroes, change: Range) -> bool {
        let survives = heroes.0[ENDURANCE].1.saturating_add(change.1) > 0;
        heroes.0[ENDURANCE] = self.limits[ENDURANCE];
        survives
    }

    /// Up to a number of an item may be taken; others may be dropped for it.
    pub(crate) fn may_get(&self, heroes: &mut Heroes, item: ItemId, most: i32) {
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

    /// A single item is gained.
    pub(crate) fn gets(&self, heroes: &mut Heroes, item: ItemId) {
        heroes.0[FIRST + item] = (1, 1);
        self.forget_endurance(heroes);
    }

    /// Equipment has changed, and with it ENDURANCE and its maximum.
    fn forget_endurance(&self, heroes: &mut Heroes) {
        heroes.0[ENDURANCE] = self.limits[ENDURANCE];
        heroes.0[MAX_ENDURANCE] = self.limits[MAX_ENDURANCE];
    }

    /// Some of an item are lost.
    pub(crate) fn lose(&self, heroes: &mut Heroes, item: ItemId, count: Range) {
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

    /// Some of these items may be lost.
    pub(crate) fn may_lose(&self, heroes: &mut Heroes, count: i32, which: impl Fn(&Item) -> bool) {
        for (item, range) in self.book.items.iter().zip(&mut heroes.0[FIRST..]) {
            if which(item) {
                range.0 = (range.0 - count).max(0);
            }
        }
    }

    pub(crate) fn set_flag(&self, heroes: &mut Heroes, flag: usize, on: bool) {
        heroes.0[self.flags + flag] = (i32::from(on), i32::from(on));
    }

    pub(crate) fn set_counter(&self, heroes: &mut Heroes, counter: usize, value: Range) {
        let (least, most) = self.limits[self.counters + counter];
        heroes.0[self.counters + counter] = (value.0.clamp(least, most), value.1.clamp(least, most));
    }

    pub(crate) fn set_local(&self, heroes: &mut Heroes, local: LocalId, value: Range) {
        if local < LOCALS {
            heroes.0[self.locals + local] = value;
        }
    }

    /// A fight has taken place.
    pub(crate) fn fought(&self, heroes: &mut Heroes) {
        for place in [ROUNDS, WOUNDED] {
            heroes.0[place] = self.limits[place];
        }
        self.may_use(heroes);
        self.may_lose(heroes, ALL, |item| item.strengthens > 0);
    }

    /// Healing items may be used.
    pub(crate) fn may_use(&self, heroes: &mut Heroes) {
        heroes.0[ENDURANCE] = self.limits[ENDURANCE];
        self.may_lose(heroes, ALL, |item| item.heals.is_some());
        self.may_be_cured(heroes);
    }

    /// Healing items may have cleared flags.
    pub(crate) fn may_be_cured(&self, heroes: &mut Heroes) {
        for flag in self.book.items.iter().filter_map(|item| item.cures) {
            heroes.0[self.flags + flag].0 = 0;
        }
    }

    /// Items that heal at any time may be used between two events.
    pub(crate) fn may_use_between(&self, heroes: &mut Heroes) {
        let has = |(item, range): (&Item, &Range)| is_used_between(item) && range.1 > 0;
        if self.book.items.iter().zip(&heroes.0[FIRST..]).any(has) {
            heroes.0[ENDURANCE] = self.limits[ENDURANCE];
            self.may_lose(heroes, ALL, is_used_between);
            self.may_be_cured(heroes);
        }
    }

    /// A section begins: what only held in the last one is cleared.
    pub(crate) fn entered(&self, heroes: &mut Heroes) {
        for place in (self.locals..self.limits.len()).chain([ENDURANCE, ROUNDS, WOUNDED]) {
            heroes.0[place] = self.limits[place];
        }
    }

    /// Drops what is known of gold, items, flags, counters and names; disciplines stay.
    pub(crate) fn forget(&self, heroes: &mut Heroes, what: &Changed) {
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

    /// The union; with `wide`, bounds that move are widened to their limits. Returns whether anything changed.
    pub(crate) fn widen(&self, heroes: &mut Heroes, more: &Heroes, wide: bool) -> bool {
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
