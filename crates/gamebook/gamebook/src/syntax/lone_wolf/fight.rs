//! Parsing fights.

use kdl::{KdlEntry, KdlNode};

use crate::book::{Condition, Enemy, Fight, Leaves, Node, NodeKind, Number};
use crate::syntax::kdl::{
    arguments, children, entry_span, flag, integer, integer_property, name_span, property, shown_name, string,
};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most enemies of one fight.
const MOST_ENEMIES: usize = 30;

/// Whether a condition can change during a fight.
fn mentions_endurance(condition: &Condition) -> bool {
    fn number(of: &Number) -> bool {
        match of {
            Number::Endurance | Number::Rounds => true,
            Number::Operation(_, left, right) => number(left) || number(right),
            _ => false,
        }
    }
    match condition {
        Condition::Wounded => true,
        Condition::Compare(_, left, right) => number(left) || number(right),
        Condition::Not(inner) => mentions_endurance(inner),
        Condition::And(left, right) | Condition::Or(left, right) => {
            mentions_endurance(left) || mentions_endurance(right)
        }
        Condition::Constant(_)
        | Condition::Discipline(_)
        | Condition::Skilled(_)
        | Condition::Flag(_)
        | Condition::Reading(..) => false,
    }
}

impl Reader<'_> {
    pub(crate) fn fight(&mut self, node: &KdlNode) -> Option<NodeKind> {
        const USAGE: &str = "`fight \"Name\" skill=15 endurance=20`, or `fight { enemy ...; enemy ...; }`";
        const ENEMY: [&str; 4] = ["skill", "endurance", "undead", "immune-to-mindblast"];
        let lone_round = node.name().value() == "one-round";
        let before = self.problems.errors();
        let well_formed = self.shape(node, 0..=1, &ENEMY, true, USAGE);
        let mut fight = Fight::default();
        if arguments(node).next().is_some() || !node.entries().is_empty() {
            fight.enemies.extend(self.enemy(node, well_formed));
        }
        let fought = std::mem::replace(&mut self.fought, true);
        let mut outcomes: [Option<Vec<Node>>; 3] = [None, None, None];
        for child in children(node) {
            match child.name().value() {
                "enemy" => {
                    let usage = "`enemy \"Name\" skill=15 endurance=20`";
                    let well_formed = self.shape(child, 1..=1, &ENEMY, false, usage);
                    fight.enemies.extend(self.enemy(child, well_formed));
                }
                name @ ("worse" | "equal" | "better") if lone_round => {
                    self.shape(child, 0..=0, &[], true, "`worse { ... }`");
                    let place = ["worse", "equal", "better"].iter().position(|other| *other == name).unwrap_or(0);
                    outcomes[place] = Some(self.body(children(child)));
                }
                _ => self.fight_part(child, &mut fight, lone_round),
            }
        }
        if fight.enemies.len() > MOST_ENEMIES {
            self.error(
                name_span(node),
                format!("{} enemies", fight.enemies.len()),
                format!("up to {MOST_ENEMIES} are possible"),
            );
            fight.enemies.truncate(MOST_ENEMIES);
        }
        // Invalid enemies are reported already.
        if fight.enemies.is_empty() && self.problems.errors() == before {
            self.error(name_span(node), "a fight without enemies", format!("write {USAGE}"));
            return None;
        }
        if lone_round {
            if fight.enemies.len() > 1 {
                self.error(name_span(node), "a lone round against several", "name one enemy");
            }
            for (outcome, name) in outcomes.iter().zip(["worse", "equal", "better"]) {
                if outcome.is_none() {
                    self.error(name_span(node), format!("`{name}` is missing"), "write worse, equal and better");
                }
            }
            let [worse, equal, better] = outcomes.map(Option::unwrap_or_default);
            self.fought |= fought;
            return Some(NodeKind::OneRound { fight: Box::new(fight), worse, equal, better });
        }
        if fight.mock.is_some() && fight.defeat.is_some() {
            self.error(name_span(node), "both `mock` and `defeat`", "keep one");
        }
        if fight.mock.is_some() && fight.returns_half {
            self.error(name_span(node), "both `mock` and `returns-half`", "keep one: a mock fight returns all");
        }
        if fight.venom > 0 && fight.first_wound.is_some() {
            self.error(name_span(node), "both `venom` and `first-wound`", "keep one: venom leaves no wounds");
        }
        Some(NodeKind::Fight(Box::new(fight)))
    }

    fn enemy(&mut self, node: &KdlNode, well_formed: bool) -> Option<Enemy> {
        let name = arguments(node).next().and_then(|entry| string(&mut self.problems, entry, "the name of an enemy"));
        for needed in ["skill", "endurance"] {
            if well_formed && property(node, needed).is_none() {
                self.error(
                    name_span(node),
                    format!("the enemy's `{needed}` is missing"),
                    "write enemy \"Name\" skill=15 endurance=20",
                );
            }
        }
        let skill = integer_property(&mut self.problems, node, "skill", 0..=99);
        let endurance = integer_property(&mut self.problems, node, "endurance", 1..=150);
        Some(Enemy {
            name: name.unwrap_or_default().into(),
            skill: skill?,
            endurance: endurance?,
            undead: flag(&mut self.problems, node, "undead"),
            immune_to_mindblast: flag(&mut self.problems, node, "immune-to-mindblast"),
        })
    }

    fn rounds(&mut self, node: &KdlNode, name: &str) -> Option<u32> {
        integer_property(&mut self.problems, node, name, 1..=100)
    }

    fn fight_part(&mut self, node: &KdlNode, fight: &mut Fight, lone_round: bool) {
        const PARTS: [&str; 18] = [
            "enemy",
            "bonus",
            "bare-hands",
            "only-weapon",
            "mindforce",
            "untouchable",
            "double-damage",
            "evade",
            "mock",
            "defeat",
            "stop",
            "first-wound",
            "no-potions",
            "helper",
            "venom",
            "only-parry",
            "returns-half",
            "slip",
        ];
        const NOT_ALONE: [&str; 8] =
            ["evade", "mock", "defeat", "stop", "first-wound", "venom", "returns-half", "slip"];
        let name = node.name().value();
        if lone_round && NOT_ALONE.contains(&name) {
            self.error(name_span(node), format!("`{name}` in a lone round"), "write worse, equal and better");
            return;
        }
        let twice = match name {
            "evade" => fight.evade.is_some(),
            "mock" => fight.mock.is_some(),
            "defeat" => fight.defeat.is_some(),
            "stop" => fight.stop.is_some(),
            "first-wound" => fight.first_wound.is_some(),
            "slip" => fight.slip.is_some(),
            "only-weapon" => fight.only_weapon.is_some(),
            _ => false,
        };
        if twice {
            self.error(name_span(node), format!("`{name}` occurs twice"), "keep one");
        }
        match name {
            "bonus" => self.fight_bonus(node, fight),
            "only-weapon" => self.only_weapon(node, fight),
            "evade" | "mock" | "defeat" | "stop" | "first-wound" | "slip" => self.fight_way(node, fight),
            _ if PARTS.contains(&name) => self.fight_rule(node, fight, lone_round),
            _ => {
                let help = did_you_mean(name, PARTS).unwrap_or_else(|| format!("a fight has {}", PARTS.join(", ")));
                self.error(name_span(node), format!("`{}` means nothing in a fight", shown_name(name)), help);
            }
        }
    }

    /// A bonus to the hero's COMBAT SKILL in a fight.
    fn fight_bonus(&mut self, node: &KdlNode, fight: &mut Fight) {
        self.shape(node, 1..=1, &["rounds", "if"], false, "`bonus 2 rounds=1 if=\"has shield\"`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(bonus) = integer(&mut self.problems, entry, -50..=50, "a bonus") else { return };
        let rounds = self.rounds(node, "rounds");
        let condition = match property(node, "if") {
            Some(entry) => self.condition(entry),
            None => Some(Condition::Constant(true)),
        };
        if let Some(condition) = condition {
            if mentions_endurance(&condition) {
                self.error(
                    name_span(node),
                    "a bonus cannot depend on endurance, rounds or wounds",
                    "it must stay the same for the whole fight",
                );
            }
            fight.bonuses.push((bonus, rounds, condition));
        }
    }

    /// The only weapon allowed in a fight.
    fn only_weapon(&mut self, node: &KdlNode, fight: &mut Fight) {
        self.shape(node, 1..=1, &[], false, "`only-weapon magic-spear`");
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a weapon") else { return };
        let Some(item) = self.item_name(name, entry_span(entry)) else { return };
        if self.items[item].weapon.is_none() {
            self.error(entry_span(entry), format!("`{name}` is not a weapon"), "name a weapon");
        }
        fight.only_weapon = Some(item);
    }

    /// A special rule of a fight.
    fn fight_rule(&mut self, node: &KdlNode, fight: &mut Fight, lone_round: bool) {
        let first = arguments(node).next();
        match node.name().value() {
            "bare-hands" => {
                self.shape(node, 0..=0, &["rounds"], false, "`bare-hands rounds=2`");
                fight.bare_hands = self.rounds(node, "rounds").unwrap_or(u32::MAX);
            }
            "mindforce" => {
                self.shape(node, 1..=1, &["always", "after"], false, "`mindforce 2 after=3`");
                let Some(entry) = first else { return };
                fight.mindforce = integer(&mut self.problems, entry, 0..=50, "a loss").unwrap_or(0);
                fight.mindforce_always = flag(&mut self.problems, node, "always");
                fight.mindforce_after = property(node, "after").and_then(|entry| self.after(entry, lone_round));
            }
            "no-potions" => {
                self.shape(node, 0..=0, &[], false, "`no-potions`");
                fight.no_potions = true;
            }
            "helper" => {
                self.shape(node, 1..=1, &[], false, "`helper 3`");
                let Some(entry) = first else { return };
                fight.helper = integer(&mut self.problems, entry, 1..=50, "a loss").unwrap_or(0);
            }
            "venom" => {
                self.shape(node, 1..=1, &[], false, "`venom 1`");
                let Some(entry) = first else { return };
                fight.venom = integer(&mut self.problems, entry, 1..=9, "numbers of ten").unwrap_or(0);
            }
            "untouchable" => {
                self.shape(node, 0..=0, &["rounds"], false, "`untouchable rounds=2`");
                fight.untouchable = self.rounds(node, "rounds").unwrap_or(u32::MAX);
            }
            "double-damage" => {
                self.shape(node, 0..=0, &[], false, "`double-damage`");
                fight.double_damage = true;
            }
            "only-parry" => {
                self.shape(node, 0..=0, &["rounds"], false, "`only-parry rounds=1`");
                if property(node, "rounds").is_none() {
                    self.error(name_span(node), "`only-parry` in how many rounds?", "write only-parry rounds=1");
                }
                fight.only_parry = self.rounds(node, "rounds").unwrap_or(1);
            }
            "returns-half" => {
                self.shape(node, 0..=0, &[], false, "`returns-half`");
                fight.returns_half = true;
            }
            _ => {}
        }
    }

    /// The target of a fight that is not fought to the end, or not won.
    fn fight_way(&mut self, node: &KdlNode, fight: &mut Fight) {
        match node.name().value() {
            "evade" => {
                self.shape(node, 0..=0, &["from-round"], true, "`evade from-round=3 { goto 12; }`");
                let from = self.rounds(node, "from-round").unwrap_or(1);
                let body = self.body(children(node));
                fight.evade = Some((from, body));
            }
            "mock" => {
                self.shape(node, 0..=0, &[], true, "`mock { goto 12; }`");
                fight.mock = Some(self.body(children(node)));
            }
            "defeat" => {
                self.shape(node, 0..=0, &["leaves"], true, "`defeat leaves=1 { goto 12; }`");
                let half = property(node, "leaves").is_some_and(|entry| entry.value().as_string() == Some("half"));
                let leaves = if half {
                    Leaves::Half
                } else {
                    let points = integer_property(&mut self.problems, node, "leaves", 1..=99);
                    Leaves::Points(points.unwrap_or(1))
                };
                fight.defeat = Some((leaves, self.body(children(node))));
            }
            "stop" => {
                self.shape(node, 0..=0, &["after"], true, "`stop after=3 { goto 12; }`");
                if property(node, "after").is_none() {
                    self.error(name_span(node), "`stop` after how many rounds?", "write stop after=3 { ... }");
                }
                let after = self.rounds(node, "after").unwrap_or(1);
                fight.stop = Some((after, self.body(children(node))));
            }
            "first-wound" => {
                self.shape(node, 0..=0, &[], true, "`first-wound { goto 12; }`");
                fight.first_wound = Some(self.body(children(node)));
            }
            "slip" => {
                self.shape(node, 1..=1, &[], true, "`slip 1 { goto 12; }`");
                let number = arguments(node).next();
                let number = number.and_then(|entry| integer(&mut self.problems, entry, 0..=9, "a picked number"));
                let body = self.body(children(node));
                fight.slip = number.map(|number| (number, body));
            }
            _ => {}
        }
    }

    /// The round after which something begins: a number, or a name of the section.
    fn after(&mut self, entry: &KdlEntry, lone_round: bool) -> Option<Number> {
        let number = self.number(entry)?;
        let wrong = match number {
            _ if lone_round => "a lone round has none after it",
            Number::Constant(1..=100) | Number::Local(_) => return Some(number),
            _ => "this is not a number of rounds",
        };
        self.error(entry_span(entry), wrong, "write after=3, or the name of a number that was picked: after=r");
        None
    }
}
