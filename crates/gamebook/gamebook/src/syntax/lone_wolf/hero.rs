//! Parsing a book's own hero.

use std::ops::RangeInclusive;

use kdl::KdlNode;

use crate::book::{Discipline, Hero, ItemId};
use crate::syntax::kdl::{arguments, children, entry_span, integer, name_span, property_names, shown, shown_name};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

impl Reader<'_> {
    pub(crate) fn hero(&mut self, node: &KdlNode) -> (Vec<(ItemId, u8)>, usize, Hero) {
        const PARTS: [&str; 9] =
            ["combat-skill", "endurance", "learns", "disciplines", "gold", "fixed", "items", "rolled", "choose"];
        self.shape(node, 0..=0, &[], true, "`hero { combat-skill 15; endurance 25; ... }`");
        let rules = self.kai().clone();
        let mut hero = Hero {
            combat_skill: rules.combat_skill.start,
            endurance: u8::try_from(rules.endurance.start).unwrap_or(u8::MAX),
            ..Hero::default()
        };
        let mut fixed = Vec::new();
        let mut learns = rules.learns;
        for child in children(node) {
            let name = child.name().value();
            let first = arguments(child).next();
            match name {
                "combat-skill" | "endurance" | "learns" | "gold" => {
                    let wide = |own: RangeInclusive<i32>| i64::from(*own.start())..=i64::from(*own.end());
                    let (range, usage) = match name {
                        "combat-skill" => (wide(rules.combat_skills()), "`combat-skill 15`"),
                        "endurance" => (wide(rules.endurances()), "`endurance 25`"),
                        "learns" => (0..=10, "`learns 5`"),
                        _ => (0..=rules.most_gold.into(), "`gold 15`"),
                    };
                    if !self.shape(child, 1..=1, &[], false, usage) {
                        continue;
                    }
                    let what = format!("`{name}`");
                    let number = first.and_then(|entry| integer::<u8>(&mut self.problems, entry, range, &what));
                    let Some(number) = number else { continue };
                    match name {
                        "combat-skill" => hero.combat_skill = number.into(),
                        "endurance" => hero.endurance = number,
                        "learns" => learns = number.into(),
                        _ => hero.gold = number,
                    }
                }
                "disciplines" => self.hero_disciplines(child, &mut hero),
                "rolled" | "choose" => self.making_node(child),
                "fixed" | "items" => {
                    let things = self.counted_items(child);
                    if name == "fixed" { fixed = things } else { hero.items = things }
                }
                _ => {
                    let help = did_you_mean(name, PARTS).unwrap_or_else(|| format!("a hero has {}", PARTS.join(", ")));
                    self.error(name_span(child), format!("`{}` is nothing that a hero has", shown_name(name)), help);
                }
            }
        }
        (fixed, learns, hero)
    }

    fn hero_disciplines(&mut self, node: &KdlNode, hero: &mut Hero) {
        self.shape(node, 0..=usize::MAX, &property_names(node), false, "`disciplines hunting weaponskill=sword`");
        for entry in node.entries() {
            let text = entry.value().as_string().unwrap_or_default();
            if let Some(name) = entry.name() {
                if name.value() != "weaponskill" {
                    self.error(
                        entry_span(entry),
                        format!("`{}` is a discipline without a weapon", name.value()),
                        "only weaponskill=WEAPON names one",
                    );
                    continue;
                }
                if !self.items.iter().any(|item| item.weapon.is_some() && item.name == text) {
                    self.error(
                        entry_span(entry),
                        format!("`{}` is not a weapon", shown(entry)),
                        "name a declared weapon",
                    );
                }
                hero.disciplines.push(Discipline::Weaponskill);
                hero.weaponskill = Some(text.into());
                continue;
            }
            match text.parse::<Discipline>() {
                Ok(Discipline::Weaponskill) => {
                    self.error(entry_span(entry), "weaponskill in which weapon?", "write weaponskill=sword");
                }
                Ok(discipline) => hero.disciplines.push(discipline),
                Err(message) => self.error(entry_span(entry), message, "name disciplines of this list"),
            }
        }
    }
}
