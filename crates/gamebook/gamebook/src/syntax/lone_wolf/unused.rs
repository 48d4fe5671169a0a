//! Warnings about declared names that nothing uses.

use std::collections::BTreeSet;

use crate::book::{Asked, Book, Condition, HeroQuantity, Node, NodeKind, Number, Thing, every_node, every_question};
use crate::syntax::problem::Problem;
use crate::syntax::reader::Reader;

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
    /// Warns about items, flags and counters that are never mentioned, or set but never tested.
    pub(crate) fn unused(&mut self, book: &Book) {
        let mut uses = Uses::default();
        uses.given_items.extend(book.fixed.iter().chain(&book.hero.items).map(|(item, _)| *item));
        for (quantity, _) in book.creation.chosen.iter().flat_map(|own| own.bundles.iter().flatten()) {
            if let HeroQuantity::Item(item) = quantity {
                uses.given_items.insert(*item);
            }
        }
        every_node(&book.on_enter, &mut |node| uses.node(node));
        for section in book.sections.values() {
            every_node(&section.body, &mut |node| uses.node(node));
        }
        for rule in book.policies.iter().flat_map(|policy| &policy.rules) {
            uses.condition(&rule.when);
        }
        for (place, item) in book.items.iter().enumerate() {
            // Items with powers count if a hero brings them along.
            let has_powers = item.weapon.is_some()
                || item.food
                || item.heals.is_some()
                || item.strengthens != 0
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

    fn given(&mut self, thing: Thing) {
        if let Thing::Item(item) = thing {
            self.given_items.insert(item);
        }
    }

    /// The uses of a node itself, without nested nodes.
    fn node(&mut self, node: &Node) {
        every_question(&node.kind, &mut |asked| match asked {
            Asked::Condition(condition) => self.condition(condition),
            Asked::Number(number) => self.number(number),
        });
        match &node.kind {
            NodeKind::Gain(thing, _) => self.given(*thing),
            NodeKind::Flag(flag, _) => drop(self.set_flags.insert(*flag)),
            NodeKind::Counter(counter, _) => drop(self.set_counters.insert(*counter)),
            NodeKind::Take { lines, .. } => lines.iter().for_each(|(thing, _)| self.given(*thing)),
            NodeKind::Shop(trades) => {
                for trade in trades {
                    // Items that can be sold are worth gold.
                    let items = if trade.buy { &mut self.given_items } else { &mut self.asked_items };
                    items.insert(trade.item);
                }
            }
            _ => {}
        }
    }
}
