//! The combat rules of the mechanics, and the lines of a fight that they become.

mod counting;
mod lone_wolf;
mod plain;
mod system;

use std::collections::BTreeSet;

pub(crate) use self::counting::count_fights;
pub(crate) use self::plain::{Exit, Plain};
pub(crate) use self::system::{Change, Hand, Written};
use crate::formula::formula;
use crate::target::Target;
use crate::xml::Element;

/// What an enemy is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kind {
    pub undead: bool,
    /// To Mindblast.
    immune: bool,
}

/// The rules of the combat with one enemy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Combat {
    skill: i32,
    skill_more: i32,
    mindforce_skill: i32,
    mindforce: i32,
    /// The hero's loss in each round, whatever his disciplines.
    loss: i32,
    /// The enemy's loss in each round, beside the hero's blows.
    helper: i32,
    /// The bonus of Mindblast, if it is not the usual one.
    mindblast: Option<i32>,
    untouchable: bool,
    double: bool,
    bare: bool,
    pub kind: Kind,
    pub only_weapon: Option<String>,
    /// The first round in which he may run.
    pub evade: Option<i32>,
    /// Rules that only systems of rules can express.
    pub more: More,
}

/// Rules of a combat that only systems of rules can express.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct More {
    /// Of the mind's attacks, the names of those to which the enemy is immune.
    pub immune: BTreeSet<&'static str>,
    /// The addition to the enemy's COMBAT SKILL.
    pub enemy_skill: i32,
    /// The addition to the hero's, if it is not a number.
    pub skill: Option<String>,
    /// How often the hero's blows count, and the enemy's.
    pub hit: Option<i32>,
    pub hurt: Option<i32>,
    /// In how many rounds neither weapon nor blow counts.
    pub unarmed_rounds: Option<i32>,
    pub hurt_after: Option<i32>,
    pub hit_after: Option<i32>,
    /// What each round costs in which the hero is wounded, and what is kept from him in all.
    pub if_wounded: i32,
    pub shield: i32,
    /// How many halves of the mind's attacks count, and what a surge adds and costs.
    pub psychic: Option<i32>,
    pub surge: Option<i32>,
    pub surge_cost: Option<i32>,
    /// Until which round he may run, and with how much ENDURANCE left to the enemy.
    pub evade_until: Option<i32>,
    pub evade_below: Option<i32>,
}

impl More {
    /// Takes over an attribute; false where it is not understood.
    fn set(&mut self, name: &str, value: &str) -> bool {
        const IMMUNE: [(&str, &str); 4] = [
            ("noPsiSurge", "psi-surge"),
            ("noKaiSurge", "kai-surge"),
            ("noKaiBlast", "kai-blast"),
            ("noKaiRay", "kai-ray"),
        ];
        if let Some((_, attack)) = IMMUNE.iter().find(|(own, _)| *own == name) {
            match value {
                "true" => _ = self.immune.insert(attack),
                "false" => _ = self.immune.remove(attack),
                _ => return false,
            }
            return true;
        }
        let amount = value.trim_start_matches('+').parse::<i32>().ok();
        match (name, amount) {
            ("enemyCombatSkillModifier", Some(points @ -50..=50)) => self.enemy_skill = points,
            ("damageMultiplier", Some(times @ 0..=9)) => self.hit = Some(times),
            ("enemyMultiplier", Some(times @ 0..=9)) => self.hurt = Some(times),
            ("noWeapon", Some(rounds @ 1..=50)) => self.unarmed_rounds = Some(rounds),
            ("immuneTurns", Some(rounds @ 1..=50)) => self.hurt_after = Some(rounds),
            ("enemyImmuneTurns", Some(rounds @ 1..=50)) => self.hit_after = Some(rounds),
            ("turnLossIfWounded", Some(points @ -20..=0)) => self.if_wounded = -points,
            ("immuneDamage", Some(points @ 0..=99)) => self.shield = points,
            ("mindblastMultiplier", None) if value == "0.5" => self.psychic = Some(1),
            ("mindblastMultiplier", Some(times @ 0..=4)) => self.psychic = Some(2 * times),
            ("psiSurgeBonus" | "kaiSurgeBonus", Some(points @ 0..=50)) => self.surge = Some(points),
            ("kaiSurgeTurnLoss", Some(points @ 0..=9)) => self.surge_cost = Some(points),
            ("maxEludeTurn", Some(rounds @ 0..=50)) => self.evade_until = Some(rounds),
            ("eludeEnemyEP", Some(points @ 0..=99)) => self.evade_below = Some(points),
            _ => return false,
        }
        true
    }
}

impl Combat {
    /// What is added to the hero's COMBAT SKILL, where it is a number.
    pub fn plain_skill(&self) -> Option<i32> {
        self.more.skill.is_none().then(|| self.skill.saturating_add(self.skill_more))
    }

    /// Takes over an attribute; false where it is not understood. `random` is the name of the number picked last.
    pub fn set(&mut self, (name, value): (&str, &str), target: Target, random: &str) -> bool {
        if target.is_system() {
            if self.more.set(name, value) {
                return true;
            }
            if name == "combatSkillModifier" && value.contains('[') {
                (self.skill, self.skill_more) = (0, 0);
                self.more.skill = formula(value, random, target);
                return self.more.skill.is_some();
            }
            if name == "combatSkillModifier" {
                (self.skill_more, self.more.skill) = (0, None);
            }
        }
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
