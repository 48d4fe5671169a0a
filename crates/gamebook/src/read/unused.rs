//! Declared names that nothing uses.

use std::collections::BTreeSet;

use super::Reader;
use crate::book::{Book, Case, Condition, Fight, Node, NodeKind, Number, Thing};
use crate::check::every_node;
use crate::making::Made;
use crate::problem::Problem;

#[derive(Default)]
struct Uses {
    given_items: BTreeSet<usize>,
    asked_items: BTreeSet<usize>,
    asked_flags: BTreeSet<usize>,
    set_flags: BTreeSet<usize>,
    asked_counters: BTreeSet<usize>,
    set_counters: BTreeSet<usize>,
}

impl Reader<'_> {
    /// Warnings about items, flags and counters that are never mentioned, or set and never asked for.
    pub(super) fn unused(&mut self, book: &Book) {
        let mut uses = Uses::default();
        uses.given_items.extend(book.fixed.iter().chain(&book.hero.items).map(|(item, _)| *item));
        for (made, _) in book.making.chosen.iter().flat_map(|own| own.bundles.iter().flatten()) {
            if let Made::Item(item) = made {
                uses.given_items.insert(*item);
            }
        }
        every_node(&book.on_enter, &mut |node| uses.node(node));
        for section in book.sections.values() {
            every_node(&section.body, &mut |node| uses.node(node));
        }
        for (place, item) in book.items.iter().enumerate() {
            // What has powers of its own counts when a hero brings it along.
            let has_powers = item.weapon.is_some()
                || item.food
                || item.heals.is_some()
                || item.combat_skill != 0
                || item.endurance != 0
                || item.holds != 0;
            if has_powers {
                continue;
            }
            let Some(span) = self.declared.get(&item.name).cloned() else { continue };
            let problem = match (uses.given_items.contains(&place), uses.asked_items.contains(&place)) {
                (false, false) => Problem::warning(span, format!("`{}` is never mentioned", item.name))
                    .help("leave it out, or use it"),
                (true, false) => Problem::note(span, format!("`{}` is given, but nothing asks for it", item.name))
                    .help("it does nothing but take its place"),
                (false, true) => Problem::note(span, format!("`{}` is asked for, but nothing gives it", item.name))
                    .help("only a hero who brings it along has it"),
                (true, true) => continue,
            };
            self.problems.push(problem);
        }
        for (place, name) in book.flags.iter().enumerate() {
            self.setting(name, uses.set_flags.contains(&place), uses.asked_flags.contains(&place));
        }
        for (place, counter) in book.counters.iter().enumerate() {
            self.setting(&counter.name, uses.set_counters.contains(&place), uses.asked_counters.contains(&place));
        }
    }

    fn setting(&mut self, name: &str, set: bool, asked: bool) {
        match (set, asked) {
            (false, false) => self.not_used(name, "is never mentioned", "leave it out, or use it"),
            (true, false) => self.not_used(name, "is set, but nothing asks for it", "leave it out, or ask for it"),
            (false, true) => self.not_used(name, "is asked for, but never set", "set it somewhere, or leave it out"),
            (true, true) => {}
        }
    }

    fn not_used(&mut self, name: &str, what: &str, help: &str) {
        if let Some(span) = self.declared.get(name) {
            self.problems.push(Problem::warning(span.clone(), format!("`{name}` {what}")).help(help));
        }
    }
}

impl Uses {
    fn number(&mut self, number: &Number) {
        number.visit(&mut |part| match part {
            Number::Item(item) => drop(self.asked_items.insert(*item)),
            Number::Counter(counter) => drop(self.asked_counters.insert(*counter)),
            _ => {}
        });
    }

    fn condition(&mut self, condition: &Condition) {
        condition.visit(&mut |part| {
            if let Condition::Flag(flag) = part {
                self.asked_flags.insert(*flag);
            }
        });
        condition.visit_numbers(&mut |number| self.number(number));
    }

    fn given(&mut self, thing: Thing, count: &Number) {
        if let Thing::Item(item) = thing {
            self.given_items.insert(item);
        }
        self.number(count);
    }

    fn fight(&mut self, fight: &Fight) {
        fight.bonuses.iter().for_each(|(_, _, condition)| self.condition(condition));
    }

    /// What a node itself mentions, without the nodes in it.
    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Endurance(number) => self.number(number),
            NodeKind::Gain(thing, count) => self.given(*thing, count),
            NodeKind::Lose(_, count) => count.iter().for_each(|count| self.number(count)),
            NodeKind::Flag(flag, _) => drop(self.set_flags.insert(*flag)),
            NodeKind::Counter(counter, number) => {
                self.set_counters.insert(*counter);
                self.number(number);
            }
            NodeKind::If(branches, _) => branches.iter().for_each(|(condition, ..)| self.condition(condition)),
            NodeKind::Choices(choices) => {
                for choice in choices {
                    self.condition(&choice.require);
                    if let Some((_, from, to)) = &choice.each {
                        self.number(from);
                        self.number(to);
                    }
                }
            }
            NodeKind::Pick(pick) => {
                for (number, condition) in &pick.plus {
                    self.number(number);
                    self.condition(condition);
                }
                for (case, ..) in &pick.cases {
                    if let Case::When(condition) = case {
                        self.condition(condition);
                    }
                }
            }
            NodeKind::Take { lines, .. } => lines.iter().for_each(|(thing, count)| self.given(*thing, count)),
            NodeKind::Shop(trades) => {
                for trade in trades {
                    // What can be sold is worth gold.
                    let items = if trade.buy { &mut self.given_items } else { &mut self.asked_items };
                    items.insert(trade.item);
                }
            }
            NodeKind::Fight(fight) | NodeKind::OneRound { fight, .. } => self.fight(fight),
            _ => {}
        }
    }
}
