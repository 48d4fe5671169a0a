//! Taking, giving up, eating, buying and using items.

use super::carrier::STOCKS;
use super::compiler::{Compiled, Compiler, answer};
use super::gear::Changes;
use super::registers::{ENDURANCE, GOLD, LEFT, NUMBER, STRENGTH};
use super::round::first;
use crate::book::{Fight, ItemId, Kind, Thing, Trade};
use crate::program::{Answer, Each, HERE, Instruction, Label, Outcome, Question, Register, Test, Value, Weight};

/// The number chosen with an answer.
const CHOSEN: Value = Value::Register(NUMBER);

impl<'a> Compiler<'a> {
    fn name(&self, item: ItemId) -> &'a str {
        let book = self.book;
        &book.items[item].name
    }

    pub(super) fn ask(&mut self, about: &str, answers: Vec<Answer>) -> Compiled {
        let about = Some(self.label(about));
        self.pose(Question { about, distinct: false, answers: answers.into(), otherwise: None })
    }

    /// The player takes up to a number of items, dropping others of the kind where there is no room.
    pub(super) fn take(&mut self, thing: Thing, count: Value, limited: bool, next: Label) -> Compiled {
        let offered = if limited { count.min(Value::Register(LEFT)) } else { count };
        let (name, most) = match thing {
            // More than the pouch holds is equivalent to what it holds.
            Thing::Gold => ("gold", offered.clone().min(self.free(GOLD))),
            Thing::Item(item) => {
                let is_single = self.gear.is_single(item);
                let is_limited = is_single || self.is_limited(item);
                let most =
                    if is_limited { offered.clone().min(self.free(self.gear.item(item))) } else { offered.clone() };
                (self.name(item), if is_single { most } else { most.min(self.gear.fits(item)) })
            }
        };
        let taken = |count: Value| -> Changes {
            let mut changes = match thing {
                Thing::Gold => vec![(GOLD, Value::Register(GOLD).plus(count.clone()))],
                Thing::Item(item) => self.gear.get(item, count.clone()),
            };
            if limited {
                changes.push((LEFT, Value::Register(LEFT).minus(count)));
            }
            changes
        };
        // "take the rope" is for one, but gold is always counted.
        let from = if thing == Thing::Gold { 1 } else { 2 };
        let (some, one) = (taken(CHOSEN), taken(Value::Constant(1)));
        let mut answers = Vec::new();
        let (_, ever) = most.range(&self.program.layout);
        if ever >= from {
            let label = self.label(&format!("take {{number}} {name}"));
            let each = Each { register: NUMBER, from: Value::Constant(from), to: most.clone(), down: true };
            answers.push(Answer { each: Some(each), ..answer(label, Test::ALWAYS, some, next) });
        }
        if thing != Thing::Gold && ever >= 1 {
            let label = self.label(&format!("take the {name}"));
            answers.push(answer(label, most.at_least(1), one, next));
        }
        let label = self.label(&format!("leave the {name}"));
        answers.push(answer(label, Test::ALWAYS, [], next));
        if let Thing::Item(item) = thing
            && !self.gear.is_single(item)
        {
            // Not only where there is no room: what fills it may have been cleared.
            let kind = self.gear.kind(item);
            self.drops(kind, &offered.at_least(1), &mut answers);
        }
        self.ask(name, answers)
    }

    /// Whether the hero may be limited to fewer of an item than there is room for.
    fn is_limited(&self, item: ItemId) -> bool {
        self.book.items[item].most < u8::MAX
    }

    /// How much more a register can hold.
    fn free(&self, register: Register) -> Value {
        let (_, most) = self.program.layout.range(register);
        Value::Constant(most).minus(Value::Register(register))
    }

    /// Answers that drop one of a kind and return to the question.
    pub(super) fn drops(&mut self, kind: Kind, when: &Test, answers: &mut Vec<Answer>) {
        for (item, has, changes) in self.gear.drops(kind) {
            let label = self.drop_label(kind, item);
            answers.push(answer(label, Test::both(when.clone(), has), changes, HERE));
        }
    }

    fn drop_label(&mut self, kind: Kind, item: Option<ItemId>) -> u32 {
        let one = if kind == Kind::Weapon { "a weapon" } else { "a thing" };
        let name = item.map_or(one, |item| self.name(item));
        self.label(&format!("drop {name}"))
    }

    /// Loses some of an item; without a count all of them.
    pub(super) fn lose(&mut self, item: ItemId, count: Option<Value>, next: Label) -> Compiled {
        let all = self.gear.lose_all(&[item]);
        match count {
            None => self.set(all, next),
            // A single item is lost or not.
            Some(count) if self.gear.is_single(item) => {
                let lost = self.set(all, next)?;
                self.branch(count.at_least(1), lost, next)
            }
            Some(count) => {
                let lost = self.gear.lose_some(item, count);
                self.set(lost, next)
            }
        }
    }

    /// Gives up a number of items of a kind, one after another, as the player or chance decides.
    pub(super) fn give_up(&mut self, kind: Kind, count: u8, by_chance: bool, next: Label) -> Compiled {
        let items: Vec<ItemId> = self.gear.items_of(kind).collect();
        if items.is_empty() {
            return Ok(next);
        }
        let there_is_one = self.gear.of_kind(kind).at_least(1);
        let mut place = next;
        for _ in 0..i32::from(count).min(self.gear.capacity(kind)) {
            let given = if by_chance {
                let outcome = |item: &ItemId| Outcome {
                    weight: Weight::Register(self.gear.item(*item)),
                    sets: self.gear.lose_one(*item).into(),
                    next: place,
                };
                let outcomes = items.iter().map(outcome).collect();
                self.emit(Instruction::Chance { outcomes })?
            } else {
                let mut answers = Vec::new();
                for (item, has, changes) in self.gear.drops(kind) {
                    let label = self.drop_label(kind, item);
                    answers.push(answer(label, has, changes, place));
                }
                self.ask("what to give up", answers)?
            };
            place = self.branch(there_is_one.clone(), given, next)?;
        }
        Ok(place)
    }

    /// The player eats or goes hungry. Healing food may be saved for later.
    pub(super) fn eat(&mut self, optional: bool, next: Label) -> Compiled {
        let mut answers = Vec::new();
        let mut must = Test::Constant(false);
        for (item, heals) in self.gear.food.clone() {
            let changes = if heals > 0 { self.gear.use_up(item, heals) } else { self.gear.lose_one(item) };
            if heals == 0 && !optional {
                must = Test::either(must, self.gear.count(item).at_least(1));
            }
            let label = self.label(&format!("eat {}", self.name(item)));
            answers.push(answer(label, self.gear.count(item).at_least(1), changes, next));
        }
        let alive = self.alive(next)?;
        let weaker = Value::Register(ENDURANCE).minus(Value::Constant(-self.book.kai.hunger));
        let label = self.label("go hungry");
        answers.push(answer(label, must.negated(), [(ENDURANCE, weaker)], alive));
        self.ask("a meal", answers)
    }

    /// Before a fight the player may use each item that strengthens him in it once.
    pub(super) fn strengthen(&mut self, fight: &Fight, next: Label) -> Compiled {
        let mut place = next;
        for (item, points) in self.gear.strengthening.clone().into_iter().rev() {
            let mut changes = self.gear.lose_one(item);
            changes.push((STRENGTH, Value::Register(STRENGTH).plus(Value::Constant(points))));
            let nothing = self.label("use nothing");
            let label = self.label(&format!("use {}", self.name(item)));
            let answers = vec![
                answer(nothing, Test::ALWAYS, [], place),
                answer(label, self.gear.count(item).at_least(1), changes, place),
            ];
            place = self.ask("what strengthens", answers)?;
            if let Some(enemy) = fight.enemies.first() {
                self.note_duel(place, first(enemy));
            }
        }
        Ok(place)
    }

    /// The lines of a shop, in the order in which they are visited.
    pub(super) fn shops(&mut self, trades: &[Trade], next: Label) -> Compiled {
        let mut next = next;
        for lines in parts(trades).iter().rev() {
            next = self.shop(lines, next)?;
        }
        Ok(next)
    }

    /// Lines of a shop among which the player moves freely.
    fn shop(&mut self, trades: &[&Trade], next: Label) -> Compiled {
        let label = self.label("leave the shop");
        let mut answers = vec![answer(label, Test::ALWAYS, [], next)];
        let mut stocks = Vec::new();
        let never = Test::Constant(false);
        let (mut weapons_offered, mut goods_offered) = (never.clone(), never);
        for trade in trades {
            let (item, price) = (trade.item, Value::Constant(trade.price.into()));
            let mut possible = Test::ALWAYS;
            let mut changes = Changes::new();
            if let Some(most) = trade.at_most {
                let stock = self.gear.stock(stocks.len());
                stocks.push((stock, Value::Constant(0)));
                possible = Value::Register(stock).at_most(i32::from(most) - 1);
                changes.push((stock, Value::Register(stock).plus(Value::Constant(1))));
            }
            let what = if trade.buy {
                let kind = self.gear.kind(item);
                possible = Test::both(possible, Value::Register(GOLD).at_least(trade.price.into()));
                changes.push((GOLD, Value::Register(GOLD).minus(price)));
                changes.extend(self.gear.get(item, Value::Constant(1)));
                if self.gear.is_single(item) {
                    possible = Test::both(possible, self.gear.count(item).at_most(0));
                } else {
                    let offered = if kind == Kind::Weapon { &mut weapons_offered } else { &mut goods_offered };
                    *offered = Test::either(offered.clone(), possible.clone());
                    possible = Test::both(possible, self.gear.room(kind).at_least(self.gear.places(item)));
                    if self.is_limited(item) {
                        possible = Test::both(possible, self.free(self.gear.item(item)).at_least(1));
                    }
                }
                "buy"
            } else {
                possible = Test::both(possible, self.gear.count(item).at_least(1));
                changes.extend(self.gear.lose_one(item));
                changes.push((GOLD, Value::Register(GOLD).plus(price)));
                "sell"
            };
            let label = self.label(&format!("{what} {} for {}", self.name(item), trade.price));
            answers.push(answer(label, possible, changes, HERE));
        }
        for (kind, offered) in [(Kind::Weapon, weapons_offered), (Kind::Backpack, goods_offered)] {
            if offered != Test::Constant(false) {
                self.drops(kind, &offered, &mut answers);
            }
        }
        let shop = self.ask("a shop", answers)?;
        self.set(stocks, shop)
    }
}

/// The lines of a shop in the order in which they are visited, sales before purchases: in parts with no more limited goods than
/// there are registers for stocks.
fn parts(trades: &[Trade]) -> Vec<Vec<&Trade>> {
    let mut parts: Vec<Vec<&Trade>> = Vec::new();
    let (purchases, sales): (Vec<&Trade>, Vec<&Trade>) = trades.iter().partition(|trade| trade.buy);
    for trade in sales.into_iter().chain(purchases) {
        match parts.last_mut() {
            Some(part)
                if part[0].buy == trade.buy
                    && part.iter().chain([&trade]).filter(|trade| trade.at_most.is_some()).count() <= STOCKS =>
            {
                part.push(trade);
            }
            _ => parts.push(vec![trade]),
        }
    }
    parts
}
