//! The effects of a section's nodes on sets of heroes.

use super::Flow;
use crate::author::check::changes::Changed;
use crate::author::check::heroes::{ALL, Heroes, together};
use crate::author::check::key::Key;
use crate::author::check::sign_errors;
use crate::book::{Fight, Node, NodeKind, Number, Thing, Trade, is_loss};

impl Flow<'_, '_> {
    /// Propagates heroes through nodes; returns those who leave the last one.
    pub(super) fn block(&mut self, nodes: &[Node], mut heroes: Option<Heroes>) -> Option<Heroes> {
        for node in nodes {
            heroes = self.node(node, heroes?);
            if let Some(heroes) = &mut heroes {
                self.space.may_use_between(heroes);
            }
        }
        heroes
    }

    fn node(&mut self, node: &Node, mut heroes: Heroes) -> Option<Heroes> {
        self.space.pay();
        match &node.kind {
            // Books with a system of rules are analysed by their programs.
            NodeKind::Rule(_) => Some(heroes),
            NodeKind::Restore { .. }
            | NodeKind::Gain(..)
            | NodeKind::Lose(..)
            | NodeKind::LoseAll { .. }
            | NodeKind::GiveUp { .. }
            | NodeKind::Flag(..)
            | NodeKind::Counter(..)
            | NodeKind::Eat { .. }
            | NodeKind::Take { .. }
            | NodeKind::Shop(_) => {
                self.change(node, &mut heroes);
                Some(heroes)
            }
            NodeKind::Endurance(number) => self.hurt(node, number, heroes),
            NodeKind::Goto(section) => {
                self.go(*section, heroes);
                None
            }
            NodeKind::Death(_) => {
                self.ends(false);
                None
            }
            NodeKind::Victory => {
                self.ends(true);
                None
            }
            NodeKind::If(branches, otherwise) => self.branches(branches, otherwise, &heroes),
            NodeKind::Choices(choices) => self.choices(node, choices, &heroes),
            NodeKind::Pick(pick) => self.pick(pick, &heroes),
            NodeKind::Repeat(body) => {
                let mut changed = Changed::default();
                changed.add(&self.space.book.items, body);
                self.space.forget(&mut heroes, &changed);
                self.block(body, Some(heroes))
            }
            NodeKind::Again(_) => None,
            NodeKind::Fight(fight) => self.fight(fight, heroes),
            NodeKind::OneRound { worse, equal, better, .. } => {
                self.ends(false);
                self.space.fought(&mut heroes);
                let after = [worse, equal, better].map(|body| self.block(body, Some(heroes.clone())));
                together(after.into_iter().flatten().collect())
            }
        }
    }

    /// The effect of a node that all heroes survive.
    fn change(&mut self, node: &Node, heroes: &mut Heroes) {
        let space = self.space;
        match &node.kind {
            NodeKind::Restore { .. } => {
                space.hurt(heroes, (0, 0));
            }
            NodeKind::Gain(thing, count) => {
                self.gain(node, *thing, count, heroes);
            }
            NodeKind::Lose(thing, count) => {
                self.lose(node, *thing, count.as_ref(), heroes);
            }
            NodeKind::LoseAll { gold, items } => {
                if *gold {
                    space.add_gold(heroes, (-ALL, -ALL));
                }
                for item in items {
                    space.lose(heroes, *item, (ALL, ALL));
                }
            }
            NodeKind::GiveUp { kind, count, .. } => {
                space.may_lose(heroes, i32::from(*count), |item| item.kind == *kind);
            }
            NodeKind::Flag(flag, on) => {
                if *on {
                    self.got.insert(Key::Flag(*flag));
                }
                space.set_flag(heroes, *flag, *on);
            }
            NodeKind::Counter(counter, number) => {
                let value = space.value(heroes, number);
                space.set_counter(heroes, *counter, value);
            }
            NodeKind::Eat { .. } => {
                space.may_lose(heroes, 1, |item| item.food);
                space.may_be_cured(heroes);
                space.hurt(heroes, (0, 0));
                self.ends(false);
            }
            NodeKind::Take { lines, .. } => {
                self.take(lines, heroes);
            }
            NodeKind::Shop(trades) => {
                self.shop(trades, heroes);
            }
            // All others lead elsewhere.
            _ => {}
        }
    }

    /// Hurts or heals; returns those who survive.
    fn hurt(&mut self, node: &Node, number: &Number, mut heroes: Heroes) -> Option<Heroes> {
        let space = self.space;
        let change = space.value(&heroes, number);
        self.report(sign_errors::healing(&node.span, change).filter(|_| is_loss(number)));
        let survive = space.hurt(&mut heroes, change);
        if change.0 < 0 {
            self.ends(false);
        }
        survive.then_some(heroes)
    }

    /// A gain.
    fn gain(&mut self, node: &Node, thing: Thing, count: &Number, heroes: &mut Heroes) {
        let space = self.space;
        let count = space.value(heroes, count);
        if count.1 > 0 {
            self.got.extend(Key::of(thing));
        }
        match thing {
            Thing::Gold => {
                self.report(sign_errors::taking(node, count));
                space.add_gold(heroes, count);
            }
            Thing::Item(item) if space.book.items[item].kind.is_single() => {
                space.gets(heroes, item);
            }
            Thing::Item(item) => space.may_get(heroes, item, count.1),
        }
    }

    /// A loss.
    fn lose(&mut self, node: &Node, thing: Thing, count: Option<&Number>, heroes: &mut Heroes) {
        let space = self.space;
        let all = (ALL, ALL);
        let count = count.map_or(all, |count| space.value(heroes, count));
        match thing {
            Thing::Gold => {
                self.report(sign_errors::giving(node, count));
                space.add_gold(heroes, (count.1.saturating_neg(), count.0.saturating_neg()));
            }
            Thing::Item(item) => space.lose(heroes, item, count),
        }
    }

    /// Items that may be taken.
    fn take(&mut self, lines: &[(Thing, Number)], heroes: &mut Heroes) {
        let space = self.space;
        for (thing, count) in lines {
            let count = space.value(heroes, count);
            if count.1 > 0 {
                self.got.extend(Key::of(*thing));
            }
            match thing {
                Thing::Gold => space.add_gold(heroes, (0, count.1.max(0))),
                Thing::Item(item) => space.may_get(heroes, *item, count.1),
            }
        }
    }

    fn shop(&mut self, trades: &[Trade], heroes: &mut Heroes) {
        let space = self.space;
        let most_gold = i32::from(space.book.kai.most_gold);
        for trade in trades.iter().filter(|trade| !trade.buy) {
            if heroes.most_of(trade.item) > 0 {
                space.add_gold(heroes, (0, most_gold));
                space.lose(heroes, trade.item, (0, ALL));
            }
        }
        let purse = heroes.most_gold();
        // Twice: the container may be bought before its content.
        for trade in trades.iter().chain(trades).filter(|trade| trade.buy) {
            if heroes.most_gold() >= trade.price.into() {
                self.got.insert(Key::Item(trade.item));
                space.add_gold(heroes, (-most_gold, 0));
                space.may_get(heroes, trade.item, trade.at_most.map_or(ALL, i32::from));
            }
        }
        for trade in trades.iter().filter(|trade| trade.buy && i32::from(trade.price) > purse) {
            self.add_problem(sign_errors::too_dear(space.book, trade, purse, self.who));
        }
    }

    fn fight(&mut self, fight: &Fight, mut heroes: Heroes) -> Option<Heroes> {
        self.ends(false);
        self.space.fought(&mut heroes);
        let mut after = vec![heroes.clone()];
        for body in fight.bodies() {
            after.extend(self.block(body, Some(heroes.clone())));
        }
        together(after)
    }
}
