//! The combat rules of the mechanics as the lines of a fight.

use crate::line::{Line, quoted};
use crate::xml::Element;

/// What an enemy is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kind {
    pub undead: bool,
    /// To Mindblast.
    immune: bool,
}

/// What is said of one enemy's combat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Combat {
    skill: i32,
    skill_more: i32,
    mindforce_skill: i32,
    mindforce: i32,
    /// What each round costs, whatever disciplines help.
    loss: i32,
    /// What each round costs the enemy beside the hero's blows.
    helper: i32,
    /// What Mindblast is worth, if not what it always is.
    mindblast: Option<i32>,
    untouchable: bool,
    double: bool,
    bare: bool,
    pub kind: Kind,
    pub only_weapon: Option<String>,
    /// From which round on he may run.
    pub evade: Option<i32>,
}

impl Combat {
    /// Takes over an attribute; false where it is not understood.
    pub fn set(&mut self, name: &str, value: &str) -> bool {
        let amount = value.trim_start_matches('+').parse::<i32>().ok();
        match (name, amount) {
            ("combatSkillModifier", Some(points)) => self.skill = points,
            ("combatSkillModifierIncrement", Some(points)) => {
                self.skill_more = self.skill_more.saturating_add(points);
            }
            ("mindforceCS", Some(points)) => self.mindforce_skill = points,
            ("mindforceEP", Some(points @ -20..=0)) => self.mindforce = -points,
            ("turnLoss", Some(points @ -20..=0)) => self.loss = -points,
            ("enemyTurnLoss", Some(points @ -50..=0)) => self.helper = -points,
            ("mindblastBonus", Some(points @ -50..=50)) => {
                self.mindblast = Some(points);
                self.kind.immune = true;
            }
            ("noMindblast", None) => self.kind.immune = value == "true",
            ("enemyMultiplier", Some(0)) => self.untouchable = true,
            ("enemyMultiplier", Some(1)) => self.untouchable = false,
            ("damageMultiplier", Some(2)) => self.double = true,
            ("damageMultiplier", Some(1)) => self.double = false,
            ("noWeapon", None) => self.bare = value == "true",
            ("eludeTurn", Some(turn)) => self.evade = Some(turn.saturating_add(1)),
            _ => return false,
        }
        true
    }

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
                    if name != "index" && !rest.set(name, value) {
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

/// What happens after a round.
pub(crate) struct Turn<'r> {
    pub rule: &'r Element,
    /// After which round: a number, or the name of one.
    pub after: Option<String>,
    /// After every round.
    pub any: bool,
}

impl<'r> Turn<'r> {
    /// `names`: of the number that was picked last.
    pub fn new(rule: &'r Element, names: &str) -> Option<Self> {
        let turn = rule.attribute("turn")?;
        let number = turn.parse::<u32>().ok().filter(|after| (1..=100).contains(after));
        let picked = (turn == "[RANDOM]").then(|| names.to_string());
        let after = number.map(|after| after.to_string()).or(picked);
        (turn == "any" || after.is_some()).then_some(Self { rule, after, any: turn == "any" })
    }

    /// Whether it only changes what holds in the fight.
    pub fn changes_only(&self) -> bool {
        self.rule.elements().all(|inner| inner.name == "combat")
    }

    /// Whether it asks for the first wound.
    pub fn is_wound(&self) -> bool {
        let mut inner = self.rule.elements();
        let expression = inner.next().and_then(|test| test.attribute("expression")).unwrap_or_default();
        inner.next().is_none() && expression.replace(' ', "") == "[COMBATSENDURANCELOST]>0"
    }

    /// The three outcomes of a lone round that is compared: our name, and the rules of each.
    pub fn compared(&self) -> Option<Vec<(&'static str, &'r Element)>> {
        const MINE: &str = "[COMBATSENDURANCELOST]";
        const THEIRS: &str = "[COMBATSENEMYLOST]";
        if self.after.as_deref() != Some("1") {
            return None;
        }
        let mut found = Vec::new();
        for test in self.rule.elements().filter(|inner| inner.name == "test") {
            let expression = test.attribute("expression")?.replace(' ', "");
            let name = if expression == format!("{MINE}>{THEIRS}") {
                "worse"
            } else if expression == format!("{THEIRS}>{MINE}") {
                "better"
            } else if expression == format!("{THEIRS}=={MINE}") || expression == format!("{MINE}=={THEIRS}") {
                "equal"
            } else {
                return None;
            };
            found.push((name, test));
        }
        (found.len() == 3).then_some(found)
    }
}
