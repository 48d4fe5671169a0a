//! The parameters of Lone Wolf's rules, and files that change them.

use std::sync::OnceLock;

use budget::Budget;
use kdl::KdlNode;

use crate::book::{Discipline, KaiRules, RolledStat};
use crate::syntax::heads::KAI;
use crate::syntax::kdl::{
    Parsed, arguments, entry_span, integer, integer_property, name_span, parse_kdl, property, shown_name, string,
};
use crate::syntax::problem::Problem;
use crate::syntax::reader::Reader;

impl KaiRules {
    /// The parameters of the original books.
    ///
    /// ```
    /// use gamebook::KaiRules;
    ///
    /// let rules = KaiRules::lone_wolf();
    /// assert_eq!((rules.most_gold, rules.combat_skills()), (50, 10..=19));
    /// ```
    pub fn lone_wolf() -> &'static Self {
        static RULES: OnceLock<KaiRules> = OnceLock::new();
        RULES.get_or_init(lone_wolf_rules)
    }
}

/// The file of the original rules.
pub(crate) const TEXT: &str = systems::LONE_WOLF;

/// The range of bonuses to COMBAT SKILL.
const BONUSES: std::ops::RangeInclusive<i64> = -20..=20;

/// The most ranks: as many as disciplines.
const MOST_RANKS: usize = 10;

/// The parameters in the built-in file.
pub(crate) fn lone_wolf_rules() -> KaiRules {
    // There is no budget to exhaust, and a test ensures that the file has no errors.
    match parse_kdl(TEXT, &Budget::unlimited()) {
        Ok(parsed) => kai_rules(TEXT, parsed, KaiRules::blank()).0,
        Err(_) => KaiRules::blank(),
    }
}

/// Parses the differences to `rules`, and the errors.
pub(crate) fn kai_rules(text: &str, parsed: Parsed, mut rules: KaiRules) -> (KaiRules, Vec<Problem>) {
    let Parsed { nodes, problems, missing } = parsed;
    let mut reader = Reader { text, problems, missing, ..Reader::default() };
    reader.heads(&nodes, &KAI, "a system like lone-wolf");
    if let Some(node) = reader.only(&nodes, "system", "system \"my-kai\" format=1 like=\"lone-wolf\"") {
        reader.shape(node, 1..=1, &["format", "like"], false, "`system \"my-kai\" format=1 like=\"lone-wolf\"`");
        reader.format(node);
        if let Some(name) = arguments(node).next() {
            string(&mut reader.problems, name, "the name of a system");
        }
    }
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for node in &nodes {
        let name = node.name().value();
        // There is one node for each discipline.
        let of =
            if name == "discipline" { arguments(node).next().and_then(|own| own.value().as_string()) } else { None };
        let key = (name, of.unwrap_or_default());
        if name != "system" && seen.contains(&key) {
            let what = [name].into_iter().chain(of).collect::<Vec<_>>().join(" ");
            reader.error(name_span(node), format!("`{}` occurs a second time", shown_name(&what)), "keep one");
        }
        seen.push(key);
        reader.rule(node, &mut rules);
    }
    (rules, reader.problems.sorted())
}

impl Reader<'_> {
    /// Parses a parameter.
    fn rule(&mut self, node: &KdlNode, rules: &mut KaiRules) {
        match node.name().value() {
            "combat-skill" => self.rolled_stat(node, 0, &mut rules.combat_skill),
            "endurance" => self.rolled_stat(node, 1, &mut rules.endurance),
            "learns" => {
                self.shape(node, 1..=1, &[], false, "`learns 5`");
                let learns = arguments(node).next();
                let learns = learns.and_then(|own| integer(&mut self.problems, own, 0..=10, "`learns`"));
                rules.learns = learns.unwrap_or(rules.learns);
            }
            "gold" => self.number_of_rule(node, "most", 1..=255, "`gold most=50`", &mut rules.most_gold),
            "weapons" => self.number_of_rule(node, "most", 1..=15, "`weapons most=2`", &mut rules.most_weapons),
            "backpack" => self.number_of_rule(node, "most", 1..=15, "`backpack most=8`", &mut rules.backpack),
            "hunger" => self.number_of_rule(node, "endurance", -99..=0, "`hunger endurance=-3`", &mut rules.hunger),
            "unarmed" => {
                self.number_of_rule(node, "combat-skill", BONUSES, "`unarmed combat-skill=-4`", &mut rules.unarmed);
            }
            "discipline" => self.discipline_of_rules(node, rules),
            "ranks" => self.ranks(node, &mut rules.ranks),
            "combat-table" => rules.table = self.table(node),
            // Unknown nodes are reported already.
            _ => {}
        }
    }

    /// `combat-skill from="d10 + 9" start=15`
    fn rolled_stat(&mut self, node: &KdlNode, least: i32, stat: &mut RolledStat) {
        const MOST: i32 = 99;
        let name = node.name().value();
        let usage = format!("`{name} from=\"d10 + 9\" start=15`");
        if !self.shape(node, 0..=0, &["from", "start"], false, &usage) {
            return;
        }
        if node.entries().is_empty() {
            self.error(name_span(node), format!("no property of `{name}`"), format!("write {usage}"));
        }
        if let Some(entry) = property(node, "from") {
            let Some(from) = self.dice(entry) else { return };
            let (low, high) = from.range();
            if low < least || high > MOST {
                let message = format!("the dice bring {low} to {high}, and `{name}` is {least} to {MOST}");
                self.error(entry_span(entry), message, "write other dice");
                return;
            }
            *stat = RolledStat { start: from.mean(), from };
        }
        let (low, high) = stat.from.range();
        let start = integer_property(&mut self.problems, node, "start", low.into()..=high.into());
        stat.start = start.unwrap_or(stat.start);
    }

    /// Parses a parameter that is a single number.
    fn number_of_rule<T: TryFrom<i64>>(
        &mut self,
        node: &KdlNode,
        name: &str,
        range: std::ops::RangeInclusive<i64>,
        usage: &str,
        number: &mut T,
    ) {
        if !self.shape(node, 0..=0, &[name], false, usage) {
            return;
        }
        match property(node, name) {
            Some(entry) => {
                if let Some(own) = integer(&mut self.problems, entry, range, &format!("`{name}`")) {
                    *number = own;
                }
            }
            None => self.error(
                name_span(node),
                format!("no property of `{}`", node.name().value()),
                format!("write {usage}"),
            ),
        }
    }

    /// Parses the effect of a discipline.
    fn discipline_of_rules(&mut self, node: &KdlNode, rules: &mut KaiRules) {
        const USAGE: &str = "`discipline mindblast combat-skill=2` or `discipline healing endurance=1`";
        if !self.shape(node, 1..=1, &["combat-skill", "endurance"], false, USAGE) {
            return;
        }
        let Some(entry) = arguments(node).next() else { return };
        let Some(name) = string(&mut self.problems, entry, "the name of a discipline") else { return };
        let (property, range, number) = match name.parse::<Discipline>() {
            Ok(Discipline::Weaponskill) => ("combat-skill", BONUSES, &mut rules.weaponskill),
            Ok(Discipline::Mindblast) => ("combat-skill", BONUSES, &mut rules.mindblast),
            Ok(Discipline::Healing) => ("endurance", 0..=99, &mut rules.healing),
            Ok(_) => {
                let help = "weaponskill, mindblast and healing have one";
                self.error(entry_span(entry), format!("the discipline of {name} has no number"), help);
                return;
            }
            Err(message) => {
                self.error(entry_span(entry), message, "weaponskill, mindblast and healing have a number");
                return;
            }
        };
        let other = if property == "endurance" { "combat-skill" } else { "endurance" };
        match crate::syntax::kdl::property(node, property) {
            Some(own) => {
                if let Some(own) = integer(&mut self.problems, own, range, &format!("`{property}`")) {
                    *number = own;
                }
            }
            None => self.error(name_span(node), format!("what does {name} do?"), format!("write {property}=1")),
        }
        if let Some(own) = crate::syntax::kdl::property(node, other) {
            self.error(
                entry_span(own),
                format!("{name} has nothing to do with `{other}`"),
                format!("write {property}=1"),
            );
        }
    }

    fn ranks(&mut self, node: &KdlNode, ranks: &mut Vec<String>) {
        if !self.shape(node, 1..=MOST_RANKS, &[], false, "`ranks novice intuite doan`") {
            return;
        }
        ranks.clear();
        for entry in arguments(node) {
            let Some(name) = string(&mut self.problems, entry, "the name of a rank") else { continue };
            if !self.well_formed(name, &entry_span(entry)) {
                continue;
            }
            if ranks.iter().any(|own| own == name) {
                self.error(entry_span(entry), format!("`{name}` occurs twice"), "keep one");
            } else {
                ranks.push(name.into());
            }
        }
    }
}

#[cfg(test)]
mod tests;
