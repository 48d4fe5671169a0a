//! The hero of Lone Wolf as registers: his possessions, their effects, and what happens when he gains or loses them.

use std::sync::Arc;

use super::carrier::Carrier;
use super::registers::{
    ARM, Arm, DOUBLES, ENDURANCE, ENEMY, GOLD, NUMBER, PLAIN, PLAIN_WEAPON, RATIO, ROUND, STRENGTH, THINGS, WOUNDED,
    arms, bare_hands,
};
use super::slots::Slots;
use crate::book::{Book, Hero, Item, ItemId, Kind, LocalId, When};
use crate::program::{Group, Register, Sheet, Skills, Test, Value, Weaker};
use crate::terms::Operator;

/// Assignments to registers, one after another.
pub(super) type Changes = Vec<(Register, Value)>;

/// The registers, and what stays constant during play.
pub(super) struct Gear {
    slots: Slots,
    /// ENDURANCE without the effect of worn items.
    endurance: i32,
    /// The weaker heroes who are compiled with this one, and whether the current section splits them.
    pub weaker: Option<Weaker>,
    pub is_apart: bool,
    /// The heroes with more COMBAT SKILL who are compiled with this one.
    pub skills: Option<Arc<Skills>>,
    kinds: Vec<Kind>,
    /// Items that are counted together once only their number matters.
    counted: Vec<Counted>,
    /// Bare hands.
    pub bare_hands: Arm,
    /// The weapon of each item that is one.
    pub arms: Vec<Option<Arm>>,
    /// Items that raise the maximum of ENDURANCE, with the amount.
    armour: Vec<(ItemId, i32)>,
    /// Items that raise COMBAT SKILL, with the amount.
    pub shields: Vec<(ItemId, i32)>,
    /// Items that raise COMBAT SKILL in one fight, with the amount.
    pub strengthening: Vec<(ItemId, i32)>,
    /// The backpack places of each item.
    places: Vec<u8>,
    /// Food, with the ENDURANCE it restores.
    pub food: Vec<(ItemId, i32)>,
    /// Healing items, with the amount and time.
    pub healing: Vec<(ItemId, i32, When)>,
    /// For each item the flag that is cleared when it heals.
    cures: Vec<Option<usize>>,
    most_weapons: i32,
    room: i32,
    container: Option<ItemId>,
}

/// The kinds of items that are counted together, and the register of the count.
const COUNTED: [(Kind, Register); 2] = [(Kind::Weapon, PLAIN), (Kind::Backpack, THINGS)];

/// The items that are equivalent for a hero once only their number matters: weapons without powers, and backpack items of one
/// place. In several books, those that are so in all of them.
pub(super) fn groups(books: &[Carrier<'_>], slots: &[Slots]) -> Vec<Group> {
    let of_kind = |(kind, counter)| {
        let mut alike: Vec<(Register, bool)> = Vec::new();
        for (Carrier { book, hero, .. }, slots) in books.iter().zip(slots) {
            for ((item, own), arm) in book.items.iter().enumerate().zip(arms(book, hero)) {
                let is_plain = match kind {
                    Kind::Weapon => arm == Some(PLAIN_WEAPON),
                    _ => own.places == 1,
                };
                let is_alike = own.kind == kind && is_plain;
                let register = slots.item(item);
                match alike.iter_mut().find(|(known, _)| *known == register) {
                    Some((_, known)) => *known &= is_alike,
                    None => alike.push((register, is_alike)),
                }
            }
        }
        Group {
            members: alike.into_iter().filter(|(_, alike)| *alike).map(|(register, _)| register).collect(),
            counter,
        }
    };
    COUNTED.map(of_kind).into()
}

/// Items of a kind that can be counted together, and the register of the count.
struct Counted {
    kind: Kind,
    counter: Register,
    items: Vec<ItemId>,
}

impl Gear {
    /// The gear of a hero in a book. Items of the same group are equivalent.
    pub(super) fn new(book: &Book, hero: &Hero, slots: Slots, groups: &[Group]) -> Self {
        let listed = |pick: &dyn Fn(&Item) -> Option<i32>| -> Vec<(ItemId, i32)> {
            book.items.iter().enumerate().filter_map(|(id, item)| pick(item).map(|value| (id, value))).collect()
        };
        let counted = COUNTED.into_iter().zip(groups).map(|((kind, _), group)| {
            let items = (0..book.items.len()).filter(|item| group.members.contains(&slots.item(*item)));
            Counted { kind, counter: group.counter, items: items.collect() }
        });
        Self {
            counted: counted.filter(|counted| !counted.items.is_empty()).collect(),
            weaker: slots.weaker(),
            is_apart: false,
            skills: None,
            slots,
            endurance: hero.endurance.into(),
            kinds: book.items.iter().map(|item| item.kind).collect(),
            bare_hands: bare_hands(book),
            arms: arms(book, hero),
            armour: listed(&|item| (item.endurance > 0).then_some(item.endurance.into())),
            shields: listed(&|item| (item.combat_skill != 0).then_some(item.combat_skill.into())),
            strengthening: listed(&|item| (item.strengthens > 0).then_some(item.strengthens.into())),
            places: book.items.iter().map(|item| item.places).collect(),
            food: listed(&|item| item.food.then(|| item.heals.map_or(0, |(points, _)| points.into()))),
            healing: book
                .items
                .iter()
                .enumerate()
                .filter_map(|(id, item)| item.heals.map(|(points, when)| (id, points.into(), when)))
                .collect(),
            cures: book.items.iter().map(|item| item.cures).collect(),
            most_weapons: book.kai.most_weapons.into(),
            room: book.room().into(),
            container: book.items.iter().position(|item| item.kind == Kind::Container),
        }
    }

    pub(super) fn item(&self, item: ItemId) -> Register {
        self.slots.item(item)
    }

    pub(super) fn flag(&self, flag: usize) -> Register {
        self.slots.flag(flag)
    }

    pub(super) fn counter(&self, counter: usize) -> Register {
        self.slots.counter(counter)
    }

    pub(super) fn stock(&self, stock: usize) -> Register {
        self.slots.stock(stock)
    }

    pub(super) fn local(&self, local: LocalId) -> Register {
        self.slots.local(local)
    }

    pub(super) fn count(&self, item: ItemId) -> Value {
        Value::Register(self.item(item))
    }

    pub(super) fn kind(&self, item: ItemId) -> Kind {
        self.kinds[item]
    }

    /// Whether there is at most one of an item.
    pub(super) fn is_single(&self, item: ItemId) -> bool {
        self.kinds[item].is_single()
    }

    pub(super) fn items_of(&self, kind: Kind) -> impl Iterator<Item = ItemId> {
        self.kinds.iter().enumerate().filter(move |(_, own)| **own == kind).map(|(item, _)| item)
    }

    /// The items of a kind that can be counted together.
    fn counted(&self, kind: Kind) -> Option<&Counted> {
        self.counted.iter().find(|counted| counted.kind == kind)
    }

    /// A weapon without powers, if there is one: they are equivalent.
    pub(super) fn plain_weapon(&self) -> Option<ItemId> {
        self.counted(Kind::Weapon)?.items.first().copied()
    }

    /// The maximum of ENDURANCE with the items worn.
    pub(super) fn max_endurance(&self) -> Value {
        let most = match self.weaker {
            None => Value::Constant(self.endurance),
            Some(weaker) if self.is_apart => Value::Register(weaker.most).minus(Value::Register(weaker.apart)),
            Some(weaker) => Value::Register(weaker.most),
        };
        self.armour.iter().fold(most, |sum, (item, more)| {
            let worn =
                if self.is_single(*item) { self.count(*item) } else { Value::holds(self.count(*item).at_least(1)) };
            worn.times(Value::Constant(*more)).plus(sum)
        })
    }

    /// The hero's COMBAT SKILL above the least of those compiled together.
    pub(super) fn more_skill(&self) -> Value {
        match (&self.skills, self.weaker) {
            (Some(_), Some(weaker)) => Value::Register(weaker.skill),
            _ => Value::Constant(0),
        }
    }

    /// The test that no ENDURANCE is left.
    pub(super) fn has_fallen(&self) -> Test {
        match self.weaker {
            Some(weaker) if !self.is_apart => weaker.has_fallen(ENDURANCE),
            _ => Value::Register(ENDURANCE).at_most(0),
        }
    }

    /// The largest possible maximum.
    pub(super) fn most_endurance(&self) -> i32 {
        self.endurance + self.armour.iter().map(|(_, more)| more).sum::<i32>()
    }

    pub(super) fn of_kind(&self, kind: Kind) -> Value {
        self.sum(kind, |_| 1)
    }

    /// The weighted sum of the items of a kind; those counted together have weight 1.
    fn sum(&self, kind: Kind, times: impl Fn(ItemId) -> i32) -> Value {
        let counted = self.counted(kind).map(|counted| counted.counter);
        let items = self.items_of(kind).flat_map(|item| (0..times(item)).map(move |_| item));
        Value::Sum(counted.into_iter().chain(items.map(|item| self.item(item))).collect())
    }

    /// How many items of a kind can be carried.
    pub(super) fn capacity(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Weapon => self.most_weapons,
            Kind::Backpack => self.room,
            Kind::Special | Kind::Permanent | Kind::Container => {
                i32::try_from(self.items_of(kind).count()).unwrap_or(i32::MAX)
            }
        }
    }

    /// The number of free places for a kind of item with limited places.
    pub(super) fn room(&self, kind: Kind) -> Value {
        let capacity = Value::Constant(self.capacity(kind));
        let capacity = match self.container {
            // Without its container nothing of the kind is carried.
            Some(container) if kind == Kind::Backpack => self.count(container).times(capacity),
            _ => capacity,
        };
        capacity.minus(self.filled(kind)).max(Value::Constant(0))
    }

    /// The places that are filled by items of a kind.
    fn filled(&self, kind: Kind) -> Value {
        self.sum(kind, |item| self.places(item))
    }

    /// The places of its kind that an item takes.
    pub(super) fn places(&self, item: ItemId) -> i32 {
        if self.kinds[item] == Kind::Backpack { self.places[item].into() } else { 1 }
    }

    /// How many of an item still fit.
    pub(super) fn fits(&self, item: ItemId) -> Value {
        let room = self.room(self.kinds[item]);
        match self.places(item) {
            1 => room,
            places => Value::operation(Operator::Down, room, Value::Constant(places)),
        }
    }

    /// ENDURANCE raised by an amount, up to the maximum.
    pub(super) fn healed(&self, points: Value) -> (Register, Value) {
        (ENDURANCE, Value::Register(ENDURANCE).plus(points).min(self.max_endurance()))
    }

    /// Gains items for which there is room.
    pub(super) fn get(&self, item: ItemId, count: Value) -> Changes {
        let mut changes = Changes::new();
        if let Some((_, more)) = self.armour.iter().find(|(armour, _)| *armour == item) {
            // The first one that is worn raises ENDURANCE; a second one does not.
            let first = Test::both(self.count(item).at_most(0), count.clone().at_least(1));
            let gain = Value::holds(first).times(Value::Constant(*more));
            changes.push((ENDURANCE, Value::Register(ENDURANCE).plus(gain)));
        }
        let after = if self.is_single(item) { count } else { self.count(item).plus(count) };
        changes.push((self.item(item), after));
        changes
    }

    /// Loses one of an item, with its contents and effects.
    pub(super) fn lose_one(&self, item: ItemId) -> Changes {
        if self.is_single(item) {
            return self.lose_all(&[item]);
        }
        let mut changes = vec![(self.item(item), self.count(item).minus(Value::Constant(1)))];
        self.take_off(&[item], &mut changes);
        changes
    }

    /// Uses up one of an item, which heals by an amount.
    pub(super) fn use_up(&self, item: ItemId, points: i32) -> Changes {
        let mut changes = self.lose_one(item);
        changes.push(self.healed(Value::Constant(points)));
        changes.extend(self.cured(item).map(|flag| (flag, Value::Constant(0))));
        changes
    }

    /// The flag that is cleared when an item heals.
    pub(super) fn cured(&self, item: ItemId) -> Option<Register> {
        self.cures[item].map(|flag| self.flag(flag))
    }

    /// Loses some of an item of which there can be several.
    pub(super) fn lose_some(&self, item: ItemId, count: Value) -> Changes {
        let mut changes = vec![(self.item(item), self.count(item).minus(count.max(Value::Constant(0))))];
        self.take_off(&[item], &mut changes);
        changes
    }

    /// Loses all of some items, with their contents and effects.
    pub(super) fn lose_all(&self, items: &[ItemId]) -> Changes {
        let mut lost = items.to_vec();
        if self.container.is_some_and(|container| items.contains(&container)) {
            lost.extend(self.items_of(Kind::Backpack).filter(|item| !items.contains(item)));
        }
        let mut changes: Changes = lost.iter().map(|item| (self.item(*item), Value::Constant(0))).collect();
        let gone = self.counted.iter().filter(|counted| counted.items.iter().all(|item| lost.contains(item)));
        changes.extend(gone.map(|counted| (counted.counter, Value::Constant(0))));
        self.take_off(&lost, &mut changes);
        changes
    }

    /// Lowers the maximum of ENDURANCE with the items lost.
    fn take_off(&self, lost: &[ItemId], changes: &mut Changes) {
        if self.armour.iter().any(|(armour, _)| lost.contains(armour)) {
            changes.push((ENDURANCE, Value::Register(ENDURANCE).min(self.max_endurance())));
        }
    }

    /// Ways to discard one of a kind: the item, the test and the changes.
    pub(super) fn drops(&self, kind: Kind) -> Vec<(Option<ItemId>, Test, Changes)> {
        let has = |register: Register| Value::Register(register).at_least(1);
        let mut drops = Vec::new();
        if let Some(Counted { counter, .. }) = self.counted(kind) {
            let less = Value::Register(*counter).minus(Value::Constant(1));
            drops.push((None, has(*counter), vec![(*counter, less)]));
        }
        drops.extend(self.items_of(kind).map(|item| (Some(item), has(self.item(item)), self.lose_one(item))));
        drops
    }

    /// The registers on the hero's sheet, by name.
    pub(super) fn sheet(&self, book: &Book) -> Sheet {
        let mut items: Vec<ItemId> = (0..book.items.len()).collect();
        items.sort_by_key(|item| (self.kinds[*item] as u8, *item));
        Sheet {
            stats: None,
            endurance: ENDURANCE,
            max_endurance: self.max_endurance(),
            gold: GOLD,
            items: items.into_iter().map(|item| (book.items[item].name.clone(), self.item(item))).collect(),
            flags: book.flags.iter().enumerate().map(|(flag, name)| (name.clone(), self.flag(flag))).collect(),
            fight: vec![ROUND, WOUNDED, ENEMY, ARM, DOUBLES, RATIO, NUMBER, STRENGTH],
            weaker: self.weaker,
            skills: self.skills.clone(),
        }
    }
}
