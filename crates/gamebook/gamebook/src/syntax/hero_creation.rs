//! Parsing the creation of a hero: rolls and choices.

use kdl::KdlNode;

use super::kdl::{arguments, children, entry_span, integer, name_span, property_names, shown_name, string};
use super::problem::did_you_mean;
use super::reader::Reader;
use crate::book::{Bundles, HeroQuantity};

/// The most combinations of choices.
const MOST_CHOICES: usize = 1_000;

impl Reader<'_> {
    /// `rolled` or `choose` in a hero.
    pub(super) fn making_node(&mut self, node: &KdlNode) {
        if node.name().value() == "rolled" { self.rolled(node) } else { self.choose(node) }
    }

    fn rolled(&mut self, node: &KdlNode) {
        const USAGE: &str = "`rolled skill stamina` or `rolled gold=\"d10 + 9\"`";
        self.shape(node, 0..=usize::MAX, &property_names(node), false, USAGE);
        if node.entries().is_empty() {
            self.error(name_span(node), "what is rolled?", format!("write {USAGE}"));
        }
        for entry in node.entries() {
            let (name, dice) = match entry.name() {
                Some(name) => (name.value().to_string(), self.dice(entry)),
                None => {
                    let Some(name) = string(&mut self.problems, entry, "what is rolled").map(String::from) else {
                        continue;
                    };
                    let own = self.quantity(&name);
                    let from = match own {
                        Some(HeroQuantity::Variable(own)) => self.own().system.variables[own].from.clone(),
                        Some(HeroQuantity::CombatSkill) => Some(self.kai().combat_skill.from.clone()),
                        Some(HeroQuantity::Endurance) => Some(self.kai().endurance.from.clone()),
                        _ => None,
                    };
                    if own.is_some() && from.is_none() {
                        let help = format!("write `rolled {name}=\"2d6 + 3\"`");
                        self.error(
                            entry_span(entry),
                            format!("with which dice is `{}` rolled?", shown_name(&name)),
                            help,
                        );
                    }
                    (name, from)
                }
            };
            let Some(quantity) = self.quantity_here(&name, entry_span(entry)) else { continue };
            let Some(dice) = dice else { continue };
            let (least, most) = self.bounds_of(quantity);
            let (low, high) = dice.range();
            if matches!(quantity, HeroQuantity::Item(_)) {
                self.error(entry_span(entry), "an item is not rolled", "let it be chosen: `choose 1 { ... }`");
            } else if low < least || high > most {
                let message =
                    format!("the dice bring {low} to {high}, and `{}` is {least} to {most}", shown_name(&name));
                self.error(entry_span(entry), message, "write other dice");
            } else if self.creation.rolled.iter().any(|(other, _)| *other == quantity) {
                self.error(entry_span(entry), format!("`{}` is rolled twice", shown_name(&name)), "keep one");
            } else {
                self.creation.rolled.push((quantity, dice));
            }
        }
    }

    fn choose(&mut self, node: &KdlNode) {
        const USAGE: &str = "`choose 2 { sword; meal 2; bundle { rope; gold 5; }; }`";
        if !self.shape(node, 1..=1, &[], true, USAGE) {
            return;
        }
        let count =
            arguments(node).next().and_then(|entry| integer::<u8>(&mut self.problems, entry, 1..=20, "how many"));
        let mut bundles = Vec::new();
        for child in children(node) {
            let lines = if child.name().value() == "bundle" {
                self.shape(child, 0..=0, &[], true, USAGE);
                children(child)
            } else {
                std::slice::from_ref(child)
            };
            let things: Vec<(HeroQuantity, i32)> = lines.iter().filter_map(|line| self.thing_of_bundle(line)).collect();
            if lines.is_empty() {
                self.error(name_span(child), "an empty bundle", format!("write {USAGE}"));
            }
            bundles.push(things);
        }
        let Some(count) = count.map(usize::from) else { return };
        let bundles = Bundles { count, bundles };
        if self.creation.chosen.is_some() {
            self.error(name_span(node), "`choose` occurs a second time", "keep one");
        } else if bundles.bundles.len() < count {
            self.error(name_span(node), format!("fewer than {count} to choose"), "let fewer be chosen, or add more");
        } else if bundles.choices().is_none_or(|choices| choices > MOST_CHOICES) {
            self.error(name_span(node), format!("more than {MOST_CHOICES} choices"), "let fewer be chosen");
        } else {
            self.creation.chosen = Some(bundles);
        }
    }

    /// An item with its count.
    fn thing_of_bundle(&mut self, line: &KdlNode) -> Option<(HeroQuantity, i32)> {
        self.shape(line, 0..=1, &[], false, "`meal 2`");
        let name = line.name().value().to_string();
        let quantity = self.quantity_here(&name, name_span(line))?;
        if matches!(quantity, HeroQuantity::CombatSkill | HeroQuantity::Endurance) {
            self.error(name_span(line), format!("`{name}` is no thing to choose"), "name items, or gold");
            return None;
        }
        let count = match arguments(line).next() {
            Some(entry) => integer::<i32>(&mut self.problems, entry, 1..=99, "how many")?,
            None => 1,
        };
        Some((quantity, count))
    }

    /// What a hero gets under this name.
    fn quantity(&self, name: &str) -> Option<HeroQuantity> {
        if let Some(rules) = &self.rules {
            return rules.variable(name).map(HeroQuantity::Variable);
        }
        match name {
            "combat-skill" => Some(HeroQuantity::CombatSkill),
            "endurance" => Some(HeroQuantity::Endurance),
            "gold" => Some(HeroQuantity::Gold),
            name => self.item_place(name).map(HeroQuantity::Item),
        }
    }

    /// The same; reports an unknown name.
    fn quantity_here(&mut self, name: &str, span: std::ops::Range<usize>) -> Option<HeroQuantity> {
        let quantity = self.quantity(name);
        if quantity.is_none() && !self.missing.head {
            let known: Vec<String> = match &self.rules {
                Some(rules) => rules.system.own_variables().map(|(_, own)| own.name.clone()).collect(),
                None => {
                    let own = ["combat-skill", "endurance", "gold"].map(String::from).into_iter();
                    own.chain(self.items.iter().map(|item| item.name.clone())).collect()
                }
            };
            let help = did_you_mean(name, known.iter().map(String::as_str))
                .unwrap_or_else(|| format!("a hero has {}", known.join(", ")));
            self.error(span, format!("`{}` is nothing that a hero has", shown_name(name)), help);
        }
        quantity
    }

    /// The minimum and the maximum.
    fn bounds_of(&self, quantity: HeroQuantity) -> (i32, i32) {
        match (quantity, &self.rules) {
            (HeroQuantity::CombatSkill, _) => self.kai().combat_skills().into_inner(),
            (HeroQuantity::Endurance, _) => self.kai().endurances().into_inner(),
            (HeroQuantity::Gold, _) => (0, self.kai().most_gold.into()),
            (HeroQuantity::Variable(own), Some(rules)) => {
                let own = &rules.system.variables[own];
                (own.least.max(i32::from(own.vital)), own.most)
            }
            _ => (0, 0),
        }
    }
}
