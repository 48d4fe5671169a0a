//! Reading picks and fights.

use kdl::KdlNode;

use super::Reader;
use crate::book::{Case, Condition, Enemy, Fight, Node, NodeKind, Number, Pick};
use crate::entries::{arguments, children, entry_span, flag, integer, integer_property, name_span, property, string};
use crate::problem::did_you_mean;

/// The most picks that one sum adds up.
const MOST_PICKS: i64 = 12;
/// The most combinations of sums that one `pick` may have.
const MOST_TOTALS: usize = 100_000;

impl Reader<'_> {
    pub(super) fn pick(&mut self, node: &KdlNode) -> NodeKind {
        const USAGE: &str = "`pick { when 0 4 { ... }; when 5 9 { ... }; }`";
        let named: Vec<_> = node
            .entries()
            .iter()
            .filter(|entry| entry.name().is_some_and(|name| !["as", "count", "zero-is"].contains(&name.value())))
            .collect();
        let names: Vec<&str> = named.iter().filter_map(|entry| entry.name().map(kdl::KdlIdentifier::value)).collect();
        let properties: Vec<&str> = ["as", "count", "zero-is"].into_iter().chain(names.iter().copied()).collect();
        self.shape(node, 0..=0, &properties, true, USAGE);
        let mut sums = Vec::new();
        for (entry, name) in named.iter().zip(&names) {
            let count = integer(&mut self.problems, entry, 1..=MOST_PICKS, "the number of picks of a sum");
            let local = self.local(name, entry_span(entry));
            sums.push((local, count.unwrap_or(1) as u8));
        }
        let bound = property(node, "as").and_then(|entry| {
            let name = string(&mut self.problems, entry, "the name of the total")?;
            self.local(name, entry_span(entry))
        });
        let count = integer_property(&mut self.problems, node, "count", 1..=MOST_PICKS);
        if sums.is_empty() {
            sums.push((bound, count.unwrap_or(1) as u8));
        } else if let Some(entry) = property(node, "as").or_else(|| property(node, "count")) {
            self.error(entry_span(entry), "this pick has named sums already", "write `pick mine=2 theirs=2`");
        }
        let zero_is_ten = match property(node, "zero-is") {
            Some(entry) => integer(&mut self.problems, entry, 10..=10, "`zero-is`").is_some(),
            None => false,
        };
        let combinations = sums.iter().map(|(_, count)| usize::from(*count) * 9 + 1).product::<usize>();
        if combinations > MOST_TOTALS {
            self.error(name_span(node), "too many sums at once", format!("{MOST_TOTALS} combinations are looked at"));
            sums.truncate(1);
        }
        let (mut plus, mut cases) = (Vec::new(), Vec::new());
        let fought = self.fought;
        let mut fought_somewhere = fought;
        for child in children(node) {
            self.fought = fought;
            match child.name().value() {
                "plus" => plus.extend(self.plus(child)),
                "when" => cases.extend(self.case(child)),
                "else" => {
                    self.shape(child, 0..=0, &[], true, "`else { ... }`");
                    cases.push((Case::Else, self.body(children(child)), name_span(child)));
                }
                other => {
                    let help = did_you_mean(other, ["plus", "when", "else"])
                        .unwrap_or_else(|| "a pick has `plus`, `when` and `else`".into());
                    self.error(name_span(child), format!("`{other}` means nothing in a pick"), help);
                }
            }
            fought_somewhere |= self.fought;
        }
        self.fought = fought_somewhere;
        let pick = Pick { sums, zero_is_ten, plus, cases };
        self.check_pick(node, &pick);
        NodeKind::Pick(pick)
    }

    fn plus(&mut self, node: &KdlNode) -> Option<(Number, Condition)> {
        self.shape(node, 1..=1, &["if"], false, "`plus 2 if=\"discipline sixth-sense\"`");
        let number = arguments(node).next().and_then(|entry| self.number(entry))?;
        let condition = match property(node, "if") {
            Some(entry) => self.condition(entry)?,
            None => Condition::Constant(true),
        };
        Some((number, condition))
    }

    fn case(&mut self, node: &KdlNode) -> Option<(Case, Vec<Node>, std::ops::Range<usize>)> {
        self.shape(node, 1..=2, &[], true, "`when 0 4 { ... }` or `when \"mine > theirs\" { ... }`");
        let mut entries = arguments(node);
        let (first, second) = (entries.next()?, entries.next());
        let case = if first.value().as_string().is_some() {
            Case::When(self.condition(first)?)
        } else {
            let low = integer(&mut self.problems, first, -1000..=1000, "a total")?;
            let high = match second {
                Some(entry) => integer(&mut self.problems, entry, -1000..=1000, "a total")?,
                None => low,
            };
            if high < low {
                self.error(entry_span(first), format!("from {low} to {high} there is nothing"), "smaller number first");
            }
            Case::Between(low as i32, high as i32)
        };
        let body = self.body(children(node));
        Some((case, body, name_span(node)))
    }

    /// Gaps and overlaps, where they can be seen without a hero.
    fn check_pick(&mut self, node: &KdlNode, pick: &Pick) {
        let ranges: Vec<(i32, i32, std::ops::Range<usize>)> = pick
            .cases
            .iter()
            .filter_map(|(case, _, span)| match case {
                Case::Between(low, high) => Some((*low, *high, span.clone())),
                _ => None,
            })
            .collect();
        if ranges.is_empty() {
            if pick.cases.is_empty() && pick.sums.iter().all(|(local, _)| local.is_none()) {
                self.error(name_span(node), "a pick without a case", "write `when 0 4 { ... }`, or name it: as=r");
            }
            return;
        }
        for (place, (low, high, span)) in ranges.iter().enumerate() {
            if let Some((other_low, other_high, _)) =
                ranges[..place].iter().find(|(other_low, other_high, _)| low <= other_high && other_low <= high)
            {
                let both = (low.max(other_low), high.min(other_high));
                let what = if both.0 == both.1 { format!("{}", both.0) } else { format!("{} to {}", both.0, both.1) };
                self.error(span.clone(), format!("{what} belongs to an earlier case already"), "let cases not overlap");
            }
        }
        if pick.cases.iter().any(|(case, _, _)| !matches!(case, Case::Between(..))) || pick.sums.len() > 1 {
            return;
        }
        let (least, most) = if pick.zero_is_ten { (1, 10) } else { (0, 9) };
        let count = i32::from(pick.sums[0].1);
        let (mut low, mut high) = (least * count, most * count);
        for (number, _) in &pick.plus {
            let Number::Constant(number) = number else { return };
            low += (*number).min(0);
            high += (*number).max(0);
        }
        let always: i32 = pick
            .plus
            .iter()
            .filter(|(_, condition)| *condition == Condition::Constant(true))
            .map(|(number, _)| if let Number::Constant(number) = number { *number } else { 0 })
            .sum();
        low = low.max(least * count + always.min(0)) + always.max(0);
        high += always.min(0);
        let missing: Vec<i32> =
            (low..=high).filter(|total| !ranges.iter().any(|(from, to, _)| from <= total && total <= to)).collect();
        if let (Some(first), Some(last)) = (missing.first(), missing.last()) {
            let what = if first == last { format!("{first}") } else { format!("totals between {first} and {last}") };
            self.error(name_span(node), format!("no case for {what}"), "add a `when` or an `else`");
        }
    }

    pub(super) fn fight(&mut self, node: &KdlNode) -> Option<NodeKind> {
        const USAGE: &str = "`fight \"Name\" skill=15 endurance=20`, or `fight { enemy ...; enemy ...; }`";
        const ENEMY: [&str; 4] = ["skill", "endurance", "undead", "immune-to-mindblast"];
        let lone_round = node.name().value() == "one-round";
        self.shape(node, 0..=1, &ENEMY, true, USAGE);
        let mut fight = Fight::default();
        if arguments(node).next().is_some() || !node.entries().is_empty() {
            fight.enemies.extend(self.enemy(node));
        }
        let fought = std::mem::replace(&mut self.fought, true);
        let mut outcomes: [Option<Vec<Node>>; 3] = [None, None, None];
        for child in children(node) {
            match child.name().value() {
                "enemy" => {
                    self.shape(child, 1..=1, &ENEMY, false, "`enemy \"Name\" skill=15 endurance=20`");
                    fight.enemies.extend(self.enemy(child));
                }
                name @ ("worse" | "equal" | "better") if lone_round => {
                    self.shape(child, 0..=0, &[], true, "`worse { ... }`");
                    let place = ["worse", "equal", "better"].iter().position(|other| *other == name).unwrap_or(0);
                    outcomes[place] = Some(self.body(children(child)));
                }
                _ => self.fight_part(child, &mut fight, lone_round),
            }
        }
        if fight.enemies.is_empty() {
            self.error(name_span(node), "a fight against nobody", format!("write {USAGE}"));
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
        Some(NodeKind::Fight(Box::new(fight)))
    }

    fn enemy(&mut self, node: &KdlNode) -> Option<Enemy> {
        let name = arguments(node).next().and_then(|entry| string(&mut self.problems, entry, "the name of an enemy"));
        for needed in ["skill", "endurance"] {
            if property(node, needed).is_none() {
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
            skill: skill? as i32,
            endurance: endurance? as u8,
            undead: flag(&mut self.problems, node, "undead"),
            immune_to_mindblast: flag(&mut self.problems, node, "immune-to-mindblast"),
        })
    }

    fn rounds(&mut self, node: &KdlNode, name: &str) -> Option<u32> {
        integer_property(&mut self.problems, node, name, 1..=100).map(|rounds| rounds as u32)
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each child of a fight")]
    fn fight_part(&mut self, node: &KdlNode, fight: &mut Fight, lone_round: bool) {
        const PARTS: [&str; 12] = [
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
        ];
        let name = node.name().value();
        let first = arguments(node).next();
        if lone_round && ["evade", "mock", "defeat", "stop", "first-wound"].contains(&name) {
            self.error(name_span(node), format!("`{name}` in a lone round"), "write worse, equal and better");
            return;
        }
        let twice = match name {
            "evade" => fight.evade.is_some(),
            "mock" => fight.mock.is_some(),
            "defeat" => fight.defeat.is_some(),
            "stop" => fight.stop.is_some(),
            "first-wound" => fight.first_wound.is_some(),
            "only-weapon" => fight.only_weapon.is_some(),
            _ => false,
        };
        if twice {
            self.error(name_span(node), format!("`{name}` stands here twice"), "keep one");
        }
        match name {
            "bonus" => {
                self.shape(node, 1..=1, &["rounds", "if"], false, "`bonus 2 rounds=1 if=\"has shield\"`");
                let Some(entry) = first else { return };
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
                    fight.bonuses.push((bonus as i32, rounds, condition));
                }
            }
            "bare-hands" => {
                self.shape(node, 0..=0, &[], false, "`bare-hands`");
                fight.bare_hands = true;
            }
            "only-weapon" => {
                self.shape(node, 1..=1, &[], false, "`only-weapon magic-spear`");
                let Some(entry) = first else { return };
                let Some(name) = string(&mut self.problems, entry, "the name of a weapon") else { return };
                let Some(item) = self.item_name(name, entry_span(entry)) else { return };
                if self.items[item].weapon.is_none() {
                    self.error(entry_span(entry), format!("`{name}` is no weapon"), "name a weapon");
                }
                fight.only_weapon = Some(item);
            }
            "mindforce" => {
                self.shape(node, 1..=1, &["always"], false, "`mindforce 2`");
                let Some(entry) = first else { return };
                fight.mindforce = integer(&mut self.problems, entry, 0..=50, "a loss").unwrap_or(0) as u8;
                fight.mindforce_always = flag(&mut self.problems, node, "always");
            }
            "untouchable" => {
                self.shape(node, 0..=0, &["rounds"], false, "`untouchable rounds=2`");
                fight.untouchable = self.rounds(node, "rounds").unwrap_or(u32::MAX);
            }
            "double-damage" => {
                self.shape(node, 0..=0, &[], false, "`double-damage`");
                fight.double_damage = true;
            }
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
                let leaves = integer_property(&mut self.problems, node, "leaves", 1..=99).unwrap_or(1);
                fight.defeat = Some((leaves as u8, self.body(children(node))));
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
            _ => {
                let help = did_you_mean(name, PARTS).unwrap_or_else(|| format!("a fight has {}", PARTS.join(", ")));
                self.error(name_span(node), format!("`{name}` means nothing in a fight"), help);
            }
        }
    }
}

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
        Condition::Constant(_) | Condition::Discipline(_) | Condition::Flag(_) => false,
    }
}
