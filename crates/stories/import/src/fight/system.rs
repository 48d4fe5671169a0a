//! A fight in the language of systems of rules.

use std::fmt::Write;

use super::{Combat, Turn};
use crate::line::{Line, quoted};
use crate::target::Target;
use crate::xml::Element;

/// The rules of a fight for a hero who uses a weapon, or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hand {
    /// Whether he has it in his hand, as a condition.
    pub condition: String,
    /// What is then added to COMBAT SKILL.
    pub skill: i32,
    /// How often his blows count then.
    pub hit: i32,
}

impl Hand {
    /// The bonus to COMBAT SKILL for a hero who has the weapon.
    fn bonus(&self) -> Option<Line> {
        let add = || Line::leaf(format!("bonus {}", self.skill));
        (self.skill != 0).then(|| Line::block(format!("if {}", quoted(&self.condition)), vec![add()]))
    }

    fn blows(&self) -> Option<Line> {
        let change = match self.hit {
            1 => return None,
            0 => "set hit 0".to_string(),
            2 => "hit hit".into(),
            more => format!("hit \"{} * hit\"", more - 1),
        };
        Some(Line::block(format!("if {}", quoted(&self.condition)), vec![Line::leaf(change)]))
    }
}

/// A change of what holds, after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    after: u32,
    combat: Combat,
    hands: Vec<Hand>,
}

/// A fight as it is to be written.
pub(crate) struct Written<'a> {
    pub target: Target,
    /// Name, COMBAT SKILL and ENDURANCE of the enemies, and what holds for each.
    pub enemies: &'a [(&'a str, i32, i32)],
    pub combats: &'a [Combat],
    pub hands: &'a [Hand],
    pub changes: Vec<Change>,
    /// What happens after a round: `None` is every one.
    pub rounds: Vec<(Option<u32>, Vec<Line>)>,
    /// The sections to which a hero goes who runs, and who is beaten.
    pub escape: Option<Vec<Line>>,
    pub defeat: Option<Vec<Line>>,
}

/// A number of a fight and its value.
type Setting = (&'static str, String);

impl Change {
    /// The change after a round; `None` if it is not understood. `name` gives the condition that a weapon is used.
    pub fn new(
        turn: &Turn<'_>,
        before: &Combat,
        target: Target,
        name: &mut dyn FnMut(&Element) -> Option<Hand>,
    ) -> Option<Self> {
        let mut change = Self { after: turn.after.as_ref()?.parse().ok()?, combat: before.clone(), hands: Vec::new() };
        for rule in turn.rule.elements() {
            if rule.name == "test" {
                let hand = name(rule)?;
                change.hands.push(hand);
                continue;
            }
            let attributes = rule.attributes().filter(|(name, _)| *name != "index");
            for attribute in attributes {
                if !change.combat.set(attribute, target, "") {
                    return None;
                }
            }
        }
        Some(change)
    }

    /// The rules after a round.
    pub fn to(after: u32, combat: Combat) -> Self {
        Self { after, combat, hands: Vec::new() }
    }

    pub fn combat(&self) -> &Combat {
        &self.combat
    }
}

impl Combat {
    /// The numbers of a fight under these rules.
    fn settings(&self, target: Target) -> [Setting; 6] {
        let sum = |parts: Vec<String>| if parts.is_empty() { "0".into() } else { parts.join(" + ") };
        let screened = |points: i32| {
            let points = if points < 0 { format!("0 - {}", -points) } else { points.to_string() };
            format!("if({}, 0, {points})", target.screen())
        };
        let mut bonus = Vec::new();
        let plain = self.skill.saturating_add(self.skill_more);
        if plain != 0 {
            bonus.push(if plain < 0 { format!("0 - {}", -plain) } else { plain.to_string() });
        }
        bonus.extend(self.more.skill.clone());
        if self.mindforce_skill != 0 {
            bonus.push(screened(self.mindforce_skill));
        }
        // One number needs no expression.
        let bonus = if bonus.len() == 1 && plain != 0 { plain.to_string() } else { sum(bonus) };
        let mut strain = Vec::new();
        if self.loss != 0 {
            strain.push(self.loss.to_string());
        }
        if self.mindforce != 0 {
            strain.push(screened(self.mindforce));
        }
        [
            ("bonus", bonus),
            ("strain", sum(strain)),
            ("harm", self.helper.to_string()),
            ("times-hit", self.more.hit.unwrap_or(1).to_string()),
            ("times-hurt", self.more.hurt.unwrap_or(1).to_string()),
            ("disarmed", i32::from(self.bare).to_string()),
        ]
    }
}

impl Written<'_> {
    /// The lines, and the parts that our language cannot express.
    pub fn write(&self) -> (Line, Vec<&'static str>) {
        let mut problems = self.problems();
        let first = &self.combats[0];
        let mut numbers = first.settings(self.target);
        let steps = self.steps(&mut problems);
        let always_bare =
            first.bare && steps.iter().all(|(_, lines)| !lines.iter().any(|line| line.head.contains("disarmed")));
        if always_bare {
            numbers[5] = ("bare-hands", "1".into());
        }
        if first.more.unarmed_rounds.is_some() {
            numbers[5].1 = "1".into();
        }
        if first.more.hurt_after.is_some() {
            numbers[4].1 = "0".into();
        }
        if first.more.hit_after.is_some() {
            numbers[3].1 = "0".into();
        }
        let begins = |name: &str| if name.starts_with("times") { "1" } else { "0" };
        let mut properties = String::new();
        let mut tell = |name: &str, number: &str| {
            let number = if number.parse::<i32>().is_ok() { number.to_string() } else { quoted(number) };
            let _ = write!(properties, " {name}={number}");
        };
        for (name, number) in numbers.iter().filter(|(name, number)| begins(name) != number) {
            tell(name, number);
        }
        let more = &first.more;
        for (name, number) in [("psychic", more.psychic), ("surge-bonus", more.surge), ("surge-cost", more.surge_cost)]
        {
            if let Some(number) = number {
                tell(name, &number.to_string());
            }
        }
        let body = self.body(&steps);
        let enemies: Vec<String> =
            self.enemies.iter().zip(self.combats).map(|(enemy, combat)| self.enemy(*enemy, combat)).collect();
        let line = match &enemies[..] {
            [one] if body.is_empty() => Line::leaf(format!("fight {one}{properties}")),
            [one] => Line::block(format!("fight {one}{properties}"), body),
            all => {
                let enemies = all.iter().map(|enemy| Line::leaf(format!("enemy {enemy}")));
                Line::block(format!("fight{properties}"), enemies.chain(body).collect())
            }
        };
        (line, problems)
    }

    /// An enemy; what is added to the hero's COMBAT SKILL against him alone is taken from his.
    fn enemy(&self, (name, skill, endurance): (&str, i32, i32), combat: &Combat) -> String {
        let own = |combat: &Combat| combat.skill.saturating_add(combat.skill_more);
        let skill = skill.saturating_add(combat.more.enemy_skill);
        let skill = skill.saturating_sub(own(combat).saturating_sub(own(&self.combats[0])));
        let mut enemy = format!("{} skill={skill} endurance={endurance}", quoted(name));
        if combat.kind.undead {
            enemy.push_str(" undead=#true");
        }
        if combat.kind.immune {
            enemy.push_str(" immune-to-mindblast=#true");
        }
        for attack in &combat.more.immune {
            let _ = write!(enemy, " immune-to-{attack}=#true");
        }
        enemy
    }

    /// What our language cannot say.
    fn problems(&self) -> Vec<&'static str> {
        let mut problems = Vec::new();
        let first = &self.combats[0];
        let same = |combat: &Combat| {
            let mut same = combat.clone();
            (same.kind, same.skill, same.skill_more) = (first.kind, first.skill, first.skill_more);
            (same.more.immune, same.more.enemy_skill) = (first.more.immune.clone(), first.more.enemy_skill);
            same
        };
        if self.combats.iter().any(|combat| same(combat) != *first) {
            problems.push("enemies of one fight under different rules");
        }
        let immune = |attack: &&'static str| self.target == Target::Magnakai && *attack != "psi-surge";
        if self.combats.iter().any(|combat| combat.more.immune.iter().any(&immune)) {
            problems.push("an attack of the mind that these rules do not know");
        }
        let more = &first.more;
        let in_rounds = more.shield > 0 || more.if_wounded > 0;
        if self.escape.is_some() && in_rounds {
            problems.push("what a round costs who runs in it");
        }
        if more.if_wounded > 0 && (first.loss > 0 || first.mindforce > 0) {
            problems.push("two losses in each round");
        }
        let doubles = |hands: &[Hand]| hands.iter().any(|hand| hand.hit != 1);
        if first.helper > 0 && (doubles(self.hands) || more.hit_after.is_some() || more.hit == Some(0)) {
            problems.push("what is lost beside blows that do not count");
        }
        if first.bare && !self.hands.is_empty() {
            problems.push("a weapon in the hand of who fights with bare hands");
        }
        if first.mindblast.is_some() || first.only_weapon.is_some() {
            problems.push("a combat rule that systems do not know");
        }
        if self.target == Target::Magnakai && more.surge_cost.is_some() {
            problems.push("the price of a surge");
        }
        if self.combats.len() > 1
            && self.escape.is_some()
            && (!self.changes.is_empty() || self.ends_after().next().is_some())
        {
            problems.push("a combat rule that ends after some rounds");
        }
        problems
    }

    /// Rules that end after some rounds of themselves: what holds then.
    fn ends_after(&self) -> impl Iterator<Item = (u32, Line)> + '_ {
        let first = &self.combats[0];
        let more = &first.more;
        let set = |name: &str, number: i32| Line::leaf(format!("set {name} {number}"));
        let ends = [
            (more.unarmed_rounds, set("disarmed", 0)),
            (more.hurt_after, set("times-hurt", more.hurt.unwrap_or(1))),
            (more.hit_after, set("times-hit", more.hit.unwrap_or(1))),
        ];
        ends.into_iter().filter_map(|(after, line)| Some((u32::try_from(after?).ok()?, line)))
    }

    /// What changes after which rounds.
    fn steps(&self, problems: &mut Vec<&'static str>) -> Vec<(u32, Vec<Line>)> {
        let mut steps: Vec<(u32, Vec<Line>)> = self.ends_after().map(|(after, line)| (after, vec![line])).collect();
        let mut before = self.combats[0].clone();
        for change in &self.changes {
            let as_ever = |combat: &Combat| Combat {
                skill: 0,
                skill_more: 0,
                mindforce_skill: 0,
                mindforce: 0,
                loss: 0,
                helper: 0,
                bare: false,
                more: super::More { skill: None, hit: None, hurt: None, ..combat.more.clone() },
                ..combat.clone()
            };
            let ends = self.ends_after().next().is_some();
            if as_ever(&before) != as_ever(&change.combat) || ends || self.combats.len() > 1 && before.skill != 0 {
                problems.push("a combat rule after a round");
            }
            let (old, new) = (before.settings(self.target), change.combat.settings(self.target));
            let mut lines: Vec<Line> = Vec::new();
            for ((name, number), _) in new.iter().zip(&old).filter(|(new, old)| new != old) {
                let number = if number.parse::<i32>().is_ok() { number.clone() } else { quoted(number) };
                lines.push(Line::leaf(format!("set {name} {number}")));
            }
            lines.extend(change.hands.iter().filter_map(Hand::bonus));
            steps.push((change.after, lines));
            before = change.combat.clone();
        }
        steps.sort_by_key(|(after, _)| *after);
        steps.retain(|(_, lines)| !lines.is_empty());
        steps
    }

    /// What stands in the braces of the fight.
    fn body(&self, steps: &[(u32, Vec<Line>)]) -> Vec<Line> {
        let first = &self.combats[0];
        let several = self.combats.len() > 1;
        let bonuses: Vec<Line> = self.hands.iter().filter_map(Hand::bonus).collect();
        let escapes_after =
            first.evade.map_or(0, |round| round.saturating_sub(1)).max(first.more.evade_until.unwrap_or(0));
        let rounds = self.rounds.iter().filter_map(|(after, _)| *after).chain(steps.iter().map(|(after, _)| *after));
        let most = rounds.max().unwrap_or(0).max(u32::try_from(escapes_after).unwrap_or(0));
        let mut body = Vec::new();
        let mut before = Vec::new();
        let escape = self.escape.as_ref().map(|lines| self.escape_line(lines));
        let asks = escape.iter().any(|line| line.head.contains("round "));
        if most > 0 || asks || !bonuses.is_empty() {
            body.push(Line::leaf(format!("local round max={}", most + 2)));
            before.push(Line::leaf("round 1"));
        }
        if !bonuses.is_empty() {
            before.push(Line::block("if \"round = 1\"", bonuses));
        }
        let mut end = Vec::new();
        for (after, lines) in steps {
            // With several enemies a round can end with the fall of one: what follows it waits for the next.
            let (into, at) = if several { (&mut before, after + 1) } else { (&mut end, *after) };
            into.push(Line::block(format!("if \"round = {at}\""), lines.clone()));
        }
        for (after, lines) in &self.rounds {
            match after {
                Some(after) => end.push(Line::block(format!("if \"round = {after}\""), lines.clone())),
                None => end.extend(lines.iter().cloned()),
            }
        }
        let mut blows: Vec<Line> = Vec::new();
        if first.more.shield > 0 {
            body.push(Line::leaf(format!("local shield start={0} max={0}", first.more.shield)));
            blows
                .extend(["let kept \"min(hurt, shield)\"", "hurt \"0 - kept\"", "shield \"0 - kept\""].map(Line::leaf));
        }
        if first.more.if_wounded > 0 {
            let more = Line::leaf(format!("hurt {}", first.more.if_wounded));
            blows.push(Line::block("if \"hurt > 0\"", vec![more]));
        }
        blows.extend(self.hands.iter().filter_map(Hand::blows));
        for (head, lines) in [("before-round", before), ("on blows", blows), ("end-of-round", end)] {
            if !lines.is_empty() {
                body.push(Line::block(head, lines));
            }
        }
        body.extend(escape);
        body.extend(self.defeat.as_ref().map(|lines| Line::block("defeat leaves=1", lines.clone())));
        body
    }

    fn escape_line(&self, lines: &[Line]) -> Line {
        let first = &self.combats[0];
        let mut conditions = Vec::new();
        if let Some(round) = first.evade.filter(|round| *round > 1) {
            conditions.push(format!("round >= {}", round - 1));
        }
        if let Some(round) = first.more.evade_until {
            conditions.push(format!("round <= {round}"));
        }
        if let Some(points) = first.more.evade_below {
            conditions.push(format!("enemy.endurance <= {points}"));
        }
        let head = if conditions.is_empty() {
            "escape".to_string()
        } else {
            format!("escape if={}", quoted(&conditions.join(" and ")))
        };
        Line::block(head, lines.to_vec())
    }
}
