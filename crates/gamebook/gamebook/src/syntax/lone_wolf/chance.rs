//! Reading picks and fights.

use std::ops::Range;

use kdl::{KdlEntry, KdlNode};

use crate::book::{Case, Condition, Enemy, Fight, LOCAL_NUMBERS, Leaves, Node, NodeKind, Number, Pick};
use crate::syntax::bounds::fits;
use crate::syntax::kdl::{
    arguments, children, entry_span, flag, integer, integer_property, name_span, property, shown, shown_name, string,
};
use crate::syntax::numbers::local_of;
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most picks that one sum adds up.
const MOST_PICKS: i64 = 12;

/// The most sums of a contest.
const MOST_SUMS: usize = 4;

/// The most conditions under which something is added that a hero's play decides.
const MOST_PLUS: usize = 6;

/// The most enemies of one fight.
const MOST_ENEMIES: usize = 30;

/// The totals that a pick can have.
const MOST_TOTAL: std::ops::RangeInclusive<i64> = -1_000_000..=1_000_000;

/// The most combinations of sums that one `pick` may have.
const MOST_TOTALS: usize = 100_000;

impl Reader<'_> {
    pub(crate) fn pick(&mut self, node: &KdlNode) -> NodeKind {
        const USAGE: &str = "`pick { when 0 4 { ... }; when 5 9 { ... }; }`";
        let named: Vec<_> = node
            .entries()
            .iter()
            .filter(|entry| entry.name().is_some_and(|name| !["as", "count", "zero-is"].contains(&name.value())))
            .collect();
        let names: Vec<&str> = named.iter().filter_map(|entry| entry.name().map(kdl::KdlIdentifier::value)).collect();
        let own = names.iter().copied().take(MOST_SUMS);
        let properties: Vec<&str> = ["as", "count", "zero-is"].into_iter().chain(own).collect();
        self.shape(node, 0..=0, &properties, true, USAGE);
        let mut sums = Vec::new();
        if named.len() > MOST_SUMS {
            self.error(
                name_span(node),
                format!("a contest of {} sums", named.len()),
                format!("up to {MOST_SUMS} are possible"),
            );
        }
        for (entry, name) in named.iter().zip(&names).take(MOST_SUMS) {
            let count = integer(&mut self.problems, entry, 1..=MOST_PICKS, "the number of picks of a sum");
            let local = self.local(name, entry_span(entry));
            sums.push((local, count.unwrap_or(1)));
        }
        let bound = property(node, "as").and_then(|entry| {
            let name = string(&mut self.problems, entry, "the name of the total")?;
            self.local(name, entry_span(entry))
        });
        let count = integer_property(&mut self.problems, node, "count", 1..=MOST_PICKS);
        if sums.is_empty() {
            sums.push((bound, count.unwrap_or(1)));
        } else if let Some(entry) = property(node, "as").or_else(|| property(node, "count")) {
            self.error(entry_span(entry), "this pick has named sums already", "write `pick mine=2 theirs=2`");
        }
        let zero_is_ten = match property(node, "zero-is") {
            Some(entry) => integer::<u8>(&mut self.problems, entry, 10..=10, "`zero-is`").is_some(),
            None => false,
        };
        let combinations = sums.iter().map(|(_, count)| usize::from(*count) * 9 + 1).product::<usize>();
        if combinations > MOST_TOTALS {
            self.error(name_span(node), "too many sums at once", format!("{MOST_TOTALS} combinations are looked at"));
            sums.truncate(1);
        }
        let own: Vec<usize> = sums.iter().filter_map(|(local, _)| *local).collect();
        let is_more = children(node).iter().any(|child| child.name().value() == "plus");
        for (local, picks) in &sums {
            let (least, most) = if zero_is_ten { (1, 10) } else { (0, 9) };
            // What is added is not read yet; a total that does not fit is an error.
            let any = (i64::from(*LOCAL_NUMBERS.start()), i64::from(*LOCAL_NUMBERS.end()));
            let own = (least * i64::from(*picks), most * i64::from(*picks));
            if let Some(local) = local {
                self.bind(*local, if is_more { any } else { own });
            }
        }
        let (mut plus, mut cases) = (Vec::new(), Vec::new());
        let mut is_closed = false;
        let fought = self.fought;
        let mut fought_somewhere = fought;
        for child in children(node) {
            if self.problems.is_full() {
                break;
            }
            self.fought = fought;
            if matches!(child.name().value(), "when" | "else") && is_closed {
                self.error(name_span(child), "a case after `else`", "put `else` last");
            }
            match child.name().value() {
                "plus" => plus.extend(self.plus(child)),
                "when" => cases.extend(self.case(child, &own)),
                "else" => {
                    is_closed = true;
                    self.shape(child, 0..=0, &[], true, "`else { ... }`");
                    cases.push((Case::Else, self.body(children(child)), name_span(child)));
                }
                other => {
                    let help = did_you_mean(other, ["plus", "when", "else"])
                        .unwrap_or_else(|| "a pick has `plus`, `when` and `else`".into());
                    self.error(name_span(child), format!("`{}` means nothing in a pick", shown_name(other)), help);
                }
            }
            fought_somewhere |= self.fought;
        }
        self.fought = fought_somewhere;
        if sums.len() > 1 {
            self.contest.extend(&own);
        }
        if plus.len() > MOST_PLUS {
            self.error(name_span(node), format!("more than {MOST_PLUS} additions"), "add them up");
            plus.truncate(MOST_PLUS);
        }
        if sums.len() > 1 && !plus.is_empty() {
            self.error(name_span(node), "`plus` in a contest of several sums", "add it in the conditions");
            plus.clear();
        }
        let pick = Pick { sums, zero_is_ten, plus, cases };
        self.check_pick(node, &pick);
        NodeKind::Pick(pick)
    }

    fn plus(&mut self, node: &KdlNode) -> Option<(Number, Condition)> {
        self.shape(node, 1..=1, &["if"], false, "`plus 2 if=\"discipline sixth-sense\"`");
        let entry = arguments(node).next()?;
        let number = self.number(entry)?;
        let known = self.known_numbers.clone();
        let mut depends = false;
        number.visit(&mut |number| depends |= !is_known(number, &known));
        if depends {
            self.error(
                entry_span(entry),
                "what is added must be the same however the game went",
                "write a number, with `if` where it depends on something: `plus 2 if=\"gold >= 5\"`",
            );
            return None;
        }
        let condition = match property(node, "if") {
            Some(entry) => self.condition(entry)?,
            None => Condition::Constant(true),
        };
        Some((number, condition))
    }

    /// A case. One that cannot be read stands for every total, so that it hides nothing else.
    fn case(&mut self, node: &KdlNode, own: &[usize]) -> Option<(Case, Vec<Node>, Range<usize>)> {
        self.shape(node, 1..=2, &[], true, "`when 0 4 { ... }` or `when \"mine > theirs\" { ... }`");
        let mut entries = arguments(node);
        let (first, second) = (entries.next()?, entries.next());
        let case = if first.value().as_string().is_some() {
            self.condition_alone(second);
            self.case_condition(first, own)
        } else {
            self.case_totals(first, second)
        };
        let body = self.body(children(node));
        Some((case.unwrap_or(Case::Else), body, name_span(node)))
    }

    /// What follows the condition of a case belongs to nothing.
    pub(crate) fn condition_alone(&mut self, more: Option<&KdlEntry>) {
        if let Some(entry) = more {
            let message = format!("`{}` after the condition of a case", shown(entry));
            self.error(entry_span(entry), message, "leave it out, or write numbers: `when 0 4 { ... }`");
        }
    }

    fn case_totals(&mut self, first: &KdlEntry, second: Option<&KdlEntry>) -> Option<Case> {
        let low = integer(&mut self.problems, first, -1000..=1000, "a total")?;
        let high = match second {
            Some(entry) => integer(&mut self.problems, entry, -1000..=1000, "a total")?,
            None => low,
        };
        if high < low {
            self.error(
                entry_span(first),
                format!("from {low} to {high} there is nothing"),
                format!("write `when {high} {low}`"),
            );
            return None;
        }
        Some(Case::Between(low, high))
    }

    /// Conditions of cases may only ask for what does not depend on how the game went.
    fn case_condition(&mut self, entry: &KdlEntry, own: &[usize]) -> Option<Case> {
        let condition = self.condition(entry)?;
        let known: Vec<usize> = self.known_numbers.iter().chain(own).copied().collect();
        let mut depends = false;
        condition.visit(&mut |part| depends |= matches!(part, Condition::Flag(_) | Condition::Wounded));
        condition.visit_numbers(&mut |number| depends |= !is_known(number, &known));
        if depends {
            self.error(
                entry_span(entry),
                "the odds of a case must not depend on how the game went",
                "ask for the names of the pick, for disciplines and for numbers of choices around with constant bounds; \
                 other conditions stand in an `if` around the pick",
            );
            return None;
        }
        Some(Case::When(condition))
    }

    /// Overlaps, and sums too large for a name. Gaps are looked for when the whole book is known.
    fn check_pick(&mut self, node: &KdlNode, pick: &Pick) {
        if pick.cases.is_empty() && pick.sums.iter().all(|(local, _)| local.is_none()) {
            self.error(name_span(node), "a pick without a case", "write `when 0 4 { ... }`, or name it: as=r");
        }
        // Which case each total from -1000 to 1000 belongs to.
        let mut taken = [false; 2001];
        for (case, _, span) in &pick.cases {
            let Case::Between(low, high) = case else { continue };
            if pick.sums.len() > 1 {
                self.error(span.clone(), "which of the sums is meant?", "write a condition: `when \"mine > theirs\"`");
                continue;
            }
            let own = || (-1000..).zip(&taken).filter(|(total, taken)| (*low..=*high).contains(total) && **taken);
            let (first, last) = (own().next().map(|(total, _)| total), own().last().map(|(total, _)| total));
            for (total, taken) in (-1000..).zip(&mut taken) {
                *taken |= (*low..=*high).contains(&total);
            }
            if let (Some(first), Some(last)) = (first, last) {
                let what = if first == last { format!("{first}") } else { format!("{first} to {last}") };
                self.error(span.clone(), format!("{what} belongs to an earlier case already"), "let cases not overlap");
            }
        }
        let (least, most) = self.totals(pick);
        if pick.sums[0].0.is_some() && !fits((least, most)) {
            let help = format!("{} to {} are possible", LOCAL_NUMBERS.start(), LOCAL_NUMBERS.end());
            self.error(name_span(node), format!("totals between {least} and {most}"), help);
        }
        if !(MOST_TOTAL.contains(&least) && MOST_TOTAL.contains(&most)) {
            let help = format!("{} to {} are possible", MOST_TOTAL.start(), MOST_TOTAL.end());
            self.error(name_span(node), format!("totals between {least} and {most}"), help);
        }
    }

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
        // Who is wrong is nobody, either, but that is told already.
        if fight.enemies.is_empty() && self.problems.errors() == before {
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

    #[expect(clippy::too_many_lines, reason = "one arm for each child of a fight")]
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
        let first = arguments(node).next();
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
                    fight.bonuses.push((bonus, rounds, condition));
                }
            }
            "bare-hands" => {
                self.shape(node, 0..=0, &["rounds"], false, "`bare-hands rounds=2`");
                fight.bare_hands = self.rounds(node, "rounds").unwrap_or(u32::MAX);
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
                let number = first.and_then(|entry| integer(&mut self.problems, entry, 0..=9, "a picked number"));
                let body = self.body(children(node));
                fight.slip = number.map(|number| (number, body));
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
            _ => {
                let help = did_you_mean(name, PARTS).unwrap_or_else(|| format!("a fight has {}", PARTS.join(", ")));
                self.error(name_span(node), format!("`{}` means nothing in a fight", shown_name(name)), help);
            }
        }
    }
}

impl Reader<'_> {
    /// After how many rounds something begins: a number, or a name of the section.
    fn after(&mut self, entry: &KdlEntry, lone_round: bool) -> Option<Number> {
        let number = self.number(entry)?;
        let wrong = match number {
            _ if lone_round => "a lone round has none after it",
            Number::Constant(1..=100) | Number::Local(_) => return Some(number),
            _ => "this is no number of rounds",
        };
        self.error(entry_span(entry), wrong, "write after=3, or the name of a number that was picked: after=r");
        None
    }
}

/// Whether a number is known when the book is compiled for a hero, or is made of such.
fn is_known(number: &Number, names: &[usize]) -> bool {
    match number {
        Number::Constant(_) | Number::Disciplines | Number::Operation(..) => true,
        other => local_of(other).is_some_and(|local| names.contains(&local)),
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
        Condition::Constant(_)
        | Condition::Discipline(_)
        | Condition::Skilled(_)
        | Condition::Flag(_)
        | Condition::Reading(..) => false,
    }
}
