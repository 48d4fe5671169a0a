//! The tests that only later books have, and things that the player must give up before he goes on.

use std::sync::LazyLock;

use regex::Regex;

use super::{Moment, Runner, State, name_of};
use crate::formula::{condition, formula};
use crate::line::Line;
use crate::xml::Element;

/// The condition that so many things are put down, or that none are left to put down.
static PUT_DOWN: LazyLock<Regex> = LazyLock::new(|| {
    const LEFT: &str =
        r"\[(?P<left>BACKPACK-ITEMS|WEAPON-ITEMS|WEAPONLIKE|SPECIAL-ITEMS)(?:-CNT)?-ON-ACTIONCHART\] ===? 0";
    const DOWN: &str = r"\[(?P<down>[A-Z-]+?)(?:-CNT)?-ON-SECTION\] (?P<sign>>=|>|==) (?P<count>\d)";
    Regex::new(&format!(
        r"^\(?{LEFT} \|\| {DOWN}\)?$|^\(?{DOWN2} \|\| {LEFT2}\)?$",
        DOWN2 = DOWN.replace("down", "down2").replace("sign", "sign2").replace("count", "count2"),
        LEFT2 = LEFT.replace("left", "left2")
    ))
    .expect("the pattern is right")
});

impl<'r> Runner<'_, '_> {
    /// The condition of an expression.
    pub(super) fn expression(&self, text: &str, state: &State<'_>) -> Option<String> {
        if state.known.get(text) == Some(&true) {
            return Some("always".into());
        }
        let target = self.shared.target;
        if target.is_system() && state.moment == Moment::Round && self.page.enemies.len() == 1 {
            let (enemy, stand_in) = ("[ENEMYENDURANCE]", "[RANDOM]");
            if text.contains(enemy) && !text.contains(stand_in) {
                return condition(&text.replace(enemy, stand_in), "enemy.endurance", target);
            }
        }
        condition(text, &name_of(state), target)
    }

    /// The addition to a number. For a mastered bow the number in the section's text counts.
    pub(super) fn increment(&self, text: &str, state: &State<'_>) -> Option<String> {
        let target = self.shared.target;
        let added = formula(text, &name_of(state), target)?;
        match (self.page.bow, target.mastered_bow(), target.masters("bow")) {
            (Some(own), Some(usual), Some(mastered)) if own != usual && added == "aimed" => {
                Some(format!("carried.aim + if({mastered}, {own}, 0)"))
            }
            _ => Some(added),
        }
    }

    /// The alternatives of a test that only systems of rules can express.
    pub(super) fn of_system(&mut self, name: &str, value: &str) -> Option<Vec<String>> {
        let each = value.split('|').filter(|part| !part.is_empty());
        match name {
            "hasCircle" => each
                .map(|circle| match circle.trim_start_matches("circle").to_lowercase().as_str() {
                    "spirit" => Some("circle-of-the-spirit".into()),
                    own @ ("fire" | "light" | "solaris") => Some(format!("circle-of-{own}")),
                    _ => None,
                })
                .collect(),
            "canUseBow" => {
                let can = "carried.bow > 0 and has arrow";
                Some(vec![if value == "false" { format!("not ({can})") } else { can.into() }])
            }
            "hasWeaponskillWith" => each
                .map(|weapon| self.shared.target.masters(if weapon == "shortsword" { "short-sword" } else { weapon }))
                .collect(),
            "hasWeaponType" => Some(
                each.map(|kind| match kind {
                    "bow" => "carried.bow > 0".to_string(),
                    kind => format!("carried.{} > 0", self.shared.objects.of_type(kind)),
                })
                .collect(),
            ),
            _ => None,
        }
    }

    /// Whether the player must take a thing, because without it no way is open.
    pub(super) fn is_needed(&self, rule: &Element) -> bool {
        let Some(id) = rule.attribute("objectId").filter(|_| self.shared.target.is_system()) else { return false };
        let watched = self.rules.into_iter().flat_map(|rules| rules.named("onInventoryEvent"));
        watched.flat_map(Element::elements).any(|test| test.attribute("hasObject") == Some(id))
    }

    /// The lines by which the player gives up what he must put down before any way is open.
    pub(super) fn give_up(&mut self, rule: &'r Element, state: &mut State<'r>) -> Vec<Line> {
        let Some(expression) = rule.attribute("expression") else { return Vec::new() };
        let opens_all = self.page.choices.len() == 1
            || rule.elements().any(|inner| inner.name == "choiceState" && inner.attribute("section") == Some("all"));
        if !self.shared.target.is_system() || state.goods || !opens_all || state.known.contains_key(expression) {
            return Vec::new();
        }
        let Some(found) = PUT_DOWN.captures(expression) else { return Vec::new() };
        let part = |name: &str| {
            found.name(name).or_else(|| found.name(&format!("{name}2"))).map(|found| found.as_str()).unwrap_or_default()
        };
        let count = part("count").parse::<u32>().unwrap_or(0) + u32::from(part("sign") == ">");
        if part("left") != part("down") || count == 0 {
            return Vec::new();
        }
        let line = match part("left") {
            "BACKPACK-ITEMS" => format!("give-up backpack {count}"),
            "WEAPON-ITEMS" => format!("give-up weapons {count}"),
            "SPECIAL-ITEMS" => format!("give-up special-items {count}"),
            _ if count > 1 => return Vec::new(),
            _ => {
                state.known.insert(expression.into(), true);
                state.forget();
                // A player without other weapons gives up a special item.
                let give_up = Line::block("choice \"give up {item}\" with=weapon", vec![Line::leaf("lose item")]);
                return vec![
                    Line::block("if \"weapons.items > 0\"", vec![Line::leaf("give-up weapons 1")]),
                    Line::block("else-if \"carried.weapon > 0\"", vec![give_up]),
                ];
            }
        };
        state.known.insert(expression.into(), true);
        state.forget();
        vec![Line::leaf(line)]
    }
}
