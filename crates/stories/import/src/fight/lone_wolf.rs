//! The combat rules of the mechanics as the lines of a fight in the language of Lone Wolf.

use super::{Combat, Kind, Turn};
use crate::line::{Line, quoted};
use crate::target::Target;

impl Combat {
    /// Writes the enemies and what holds in the fight; tells what our language cannot say.
    pub fn write(
        enemies: &[(&str, i32, i32)],
        combats: &[Self],
        changes: &[&Turn<'_>],
        body: &mut Vec<Line>,
    ) -> Vec<&'static str> {
        let mut problems = Vec::new();
        for ((name, skill, endurance), combat) in enemies.iter().zip(combats) {
            let undead = if combat.kind.undead { " undead=#true" } else { "" };
            let immune = if combat.kind.immune { " immune-to-mindblast=#true" } else { "" };
            body.push(Line::leaf(format!(
                "enemy {} skill={skill} endurance={endurance}{undead}{immune}",
                quoted(name)
            )));
        }
        let Some(first) = combats.first() else { return problems };
        let of_all = |combat: &Self| Self { kind: Kind::default(), evade: None, ..combat.clone() };
        if combats.iter().any(|combat| of_all(combat) != of_all(first)) {
            problems.push("enemies of one fight under different rules");
        }
        let (rest, before) = first.changed(changes, &mut problems);
        let after = before.unwrap_or("0");
        // Only what is lost in each round can begin after a number that was picked.
        let counted = after.parse::<u32>().is_ok();
        let same = Self { loss: rest.loss, ..first.clone() } == rest;
        if !counted && !same {
            problems.push("a combat rule that ends after some rounds");
        }
        first.bonuses(&rest, after, body);
        if rest.mindforce != first.mindforce
            || rest.double != first.double
            || rest.bare && !first.bare
            || rest.helper != first.helper
        {
            problems.push("a combat rule that ends after some rounds");
        }
        match (first.bare, rest.bare) {
            (true, true) => body.push(Line::leaf("bare-hands")),
            (true, false) => body.push(Line::leaf(format!("bare-hands rounds={after}"))),
            (false, _) => {}
        }
        match (first.loss, rest.loss) {
            (0, 0) => {}
            _ if first.mindforce > 0 => problems.push("two losses in each round"),
            (0, later) => body.push(Line::leaf(format!("mindforce {later} always=#true after={after}"))),
            (loss, later) if loss == later => body.push(Line::leaf(format!("mindforce {loss} always=#true"))),
            _ => problems.push("a combat rule that ends after some rounds"),
        }
        if let Some(points) = first.mindblast {
            body.push(Line::leaf(format!("bonus {points} if=\"discipline mindblast\"")));
        }
        if first.helper > 0 {
            body.push(Line::leaf(format!("helper {}", first.helper)));
        }
        if let Some(weapon) = &first.only_weapon {
            body.push(Line::leaf(format!("only-weapon {weapon}")));
        }
        if first.mindforce > 0 {
            body.push(Line::leaf(format!("mindforce {}", first.mindforce)));
        }
        match (first.untouchable, rest.untouchable) {
            (true, true) => body.push(Line::leaf("untouchable")),
            (true, false) => body.push(Line::leaf(format!("untouchable rounds={after}"))),
            (false, true) => problems.push("a combat rule that begins after some rounds"),
            (false, false) => {}
        }
        if first.double {
            body.push(Line::leaf("double-damage"));
        }
        problems
    }

    /// What holds after changes, and after which round; tells what our language cannot say.
    fn changed<'t>(&self, changes: &[&'t Turn<'_>], problems: &mut Vec<&'static str>) -> (Self, Option<&'t str>) {
        let mut rest = self.clone();
        let mut before = None;
        for turn in changes {
            let Some(after) = &turn.after else {
                problems.push("a combat rule after every round");
                continue;
            };
            if before.is_some() {
                problems.push("combat rules that change twice");
            }
            before = Some(after.as_str());
            for combat in turn.rule.elements() {
                for (name, value) in combat.attributes() {
                    if name != "index" && !rest.set((name, value), Target::Kai, "") {
                        problems.push("a combat rule after a round");
                    }
                }
            }
        }
        (rest, before)
    }

    /// What is added to COMBAT SKILL: what holds in the end, and the difference in the first rounds.
    fn bonuses(&self, rest: &Self, rounds: &str, body: &mut Vec<Line>) {
        let mut add = |points: i32, own: i32, condition: &str| {
            if points != 0 {
                body.push(Line::leaf(format!("bonus {points}{condition}")));
            }
            if own != points {
                body.push(Line::leaf(format!("bonus {} rounds={rounds}{condition}", own.saturating_sub(points))));
            }
        };
        add(rest.skill.saturating_add(rest.skill_more), self.skill.saturating_add(self.skill_more), "");
        add(rest.mindforce_skill, self.mindforce_skill, " if=\"not discipline mindshield\"");
    }
}
