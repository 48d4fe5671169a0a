//! Parsing rolls of dice and draws of units.

use std::ops::Range;

use kdl::{KdlEntry, KdlNode};

use crate::book::{Condition, Node, Roll, RollCase, Rule};
use crate::syntax::heads::NODES;
use crate::syntax::kdl::{arguments, children, entry_span, integer, name_span, property, property_names, shown_name};
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most sums that are rolled at once, and the most combinations of them.
const MOST_SUMS: usize = 4;

const MOST_COMBINATIONS: i64 = 20_000;

/// The most conditional additions to a roll.
const MOST_ADDITIONS: usize = 8;

/// A case of a roll: condition, content and span.
type RollCaseBody = (RollCase, Vec<Node>, Range<usize>);

impl Reader<'_> {
    pub(crate) fn roll(&mut self, node: &KdlNode) -> Option<Rule> {
        const USAGE: &str = "`roll 2d6 as=r { when 2 6 { ... }; else { ... }; }` or `roll mine=2d6 theirs=2d6`";
        let named: Vec<&KdlEntry> =
            node.entries().iter().filter(|entry| entry.name().is_some_and(|name| name.value() != "as")).collect();
        let names: Vec<&str> = property_names(node).into_iter().filter(|name| *name != "as").collect();
        let properties: Vec<&str> = ["as"].into_iter().chain(names.iter().copied().take(MOST_SUMS)).collect();
        self.shape(node, 0..=8, &properties, true, USAGE);
        let mut sums = Vec::new();
        if named.len() > MOST_SUMS {
            self.error(
                name_span(node),
                format!("{} sums at once", named.len()),
                format!("up to {MOST_SUMS} are possible"),
            );
        }
        if arguments(node).any(|entry| matches!(entry.value().as_string(), Some("+" | "-"))) {
            let text: Vec<String> = arguments(node).map(|own| self.source_of(own)).collect();
            let help = format!("write `roll \"{}\"`", shown_name(&text.join(" ")));
            self.error(name_span(node), "dice with spaces in them stand in quotes", help);
            return None;
        }
        let mut all = Vec::new();
        for entry in arguments(node) {
            let dice = self.dice(entry)?;
            all.push(dice);
        }
        if let Some(mut dice) = all.into_iter().reduce(|mut sum, more| {
            sum.dice.extend(more.dice);
            sum.plus += more.plus;
            sum
        }) {
            dice.dice.sort_unstable();
            if !named.is_empty() {
                self.error(name_span(node), "dice with a name and dice without", format!("write {USAGE}"));
            }
            let local = match property(node, "as") {
                Some(entry) => Some(self.bind_new(entry, "the name of the sum")?),
                None => None,
            };
            sums.push((local, dice));
        } else if named.is_empty() {
            self.error(name_span(node), "which dice are rolled?", format!("write {USAGE}"));
            return None;
        }
        for (entry, name) in named.iter().zip(&names).take(MOST_SUMS) {
            let dice = self.dice(entry)?;
            if self.own().variable(name).is_some() || NODES.contains(name) {
                self.error(
                    entry_span(entry),
                    format!("`{}` has a meaning already", shown_name(name)),
                    "choose another name",
                );
                return None;
            }
            let local = self.bind_name(name);
            sums.push((Some(local), dice));
        }
        let combinations = sums.iter().map(|(_, dice)| i64::from(dice.range().1) - i64::from(dice.range().0) + 1);
        if combinations.fold(1i64, i64::saturating_mul) > MOST_COMBINATIONS {
            self.error(
                name_span(node),
                "too many sums at once",
                format!("{MOST_COMBINATIONS} combinations are possible"),
            );
            return None;
        }
        let plus = self.roll_additions(node);
        let cases = self.roll_cases(node, sums.len(), USAGE);
        let roll = Roll { sums, plus, cases };
        self.roll_is_whole(node, &roll);
        Some(Rule::Roll(roll))
    }

    /// The cases of a roll with this many sums.
    fn roll_cases(&mut self, node: &KdlNode, sums: usize, usage: &str) -> Vec<RollCaseBody> {
        let mut cases: Vec<RollCaseBody> = Vec::new();
        for child in children(node) {
            if self.problems.is_full() {
                break;
            }
            if cases.last().is_some_and(|(case, ..)| matches!(case, RollCase::Else)) {
                self.error(name_span(child), "a case after `else`", "put `else` last");
            }
            match child.name().value() {
                "plus" => {}
                "when" => cases.extend(self.roll_case(child, sums)),
                "else" => {
                    self.shape(child, 0..=0, &[], true, "`else { ... }`");
                    cases.push((RollCase::Else, self.body(children(child)), name_span(child)));
                }
                other => {
                    let help = did_you_mean(other, ["when", "else"]).unwrap_or_else(|| format!("write {usage}"));
                    self.error(name_span(child), format!("`{}` means nothing in a roll", shown_name(other)), help);
                }
            }
        }
        cases
    }

    /// `plus 2 if="hunting"`: an addition to the sum.
    fn roll_additions(&mut self, node: &KdlNode) -> Vec<(i32, Condition)> {
        const USAGE: &str = "`plus 2 if=\"hunting\"`";
        let mut plus = Vec::new();
        for child in children(node).iter().filter(|child| child.name().value() == "plus") {
            self.shape(child, 1..=1, &["if"], false, USAGE);
            let when = property(child, "if").map_or(Some(Condition::Constant(true)), |entry| self.condition(entry));
            let number = arguments(child)
                .next()
                .and_then(|entry| integer(&mut self.problems, entry, -1000..=1000, "what is added"));
            if plus.len() >= MOST_ADDITIONS {
                let help = format!("up to {MOST_ADDITIONS} are possible");
                self.error(name_span(child), "too much is added to this roll", help);
                break;
            }
            plus.extend(number.zip(when));
        }
        if !plus.is_empty() && property_names(node).into_iter().any(|name| name != "as") {
            self.error(name_span(node), "to which of the sums is it added?", "roll one sum: `roll 2d6 as=r`");
        }
        plus
    }

    fn roll_case(&mut self, node: &KdlNode, sums: usize) -> Option<RollCaseBody> {
        self.shape(node, 1..=2, &[], true, "`when 2 6 { ... }` or `when \"r <= luck\" { ... }`");
        let mut entries = arguments(node);
        let (first, second) = (entries.next()?, entries.next());
        let case = if first.value().as_string().is_some() {
            self.condition_alone(second);
            self.condition(first).map(RollCase::When)
        } else if sums > 1 {
            self.error(name_span(node), "which of the sums is meant?", "write a condition: `when \"mine > theirs\"`");
            None
        } else {
            let low = integer(&mut self.problems, first, -1000..=20_000, "a sum");
            let high = second.map_or(low, |entry| integer(&mut self.problems, entry, -1000..=20_000, "a sum"));
            match low.zip(high) {
                Some((low, high)) if high < low => {
                    let help = format!("write `when {high} {low}`");
                    self.error(entry_span(first), format!("from {low} to {high} there is nothing"), help);
                    None
                }
                Some((low, high)) => Some(RollCase::Between(low, high)),
                None => None,
            }
        };
        let body = self.body(children(node));
        Some((case.unwrap_or(RollCase::Else), body, name_span(node)))
    }

    /// Checks that every sum belongs to exactly one case.
    fn roll_is_whole(&mut self, node: &KdlNode, roll: &Roll) {
        if roll.cases.is_empty() {
            if roll.sums.iter().all(|(local, _)| local.is_none()) {
                self.error(
                    name_span(node),
                    "a roll that decides nothing",
                    "write `when 1 3 { ... }`, or name it: as=r",
                );
            }
            return;
        }
        let (least, most) = roll.range_of_first();
        let mut taken = vec![false; usize::try_from(most - least + 1).unwrap_or(0)];
        let mut is_closed = false;
        for (case, _, span) in &roll.cases {
            match case {
                RollCase::Else => is_closed = true,
                RollCase::When(_) => {}
                RollCase::Between(low, high) => {
                    if *low > most || *high < least {
                        self.warning(
                            span.clone(),
                            "this never comes up",
                            format!("the sum is between {least} and {most}"),
                        );
                    }
                    for sum in (*low).max(least)..=(*high).min(most) {
                        let Some(taken) = taken.get_mut(usize::try_from(sum - least).unwrap_or(usize::MAX)) else {
                            continue;
                        };
                        if std::mem::replace(taken, true) {
                            let message = format!("{sum} belongs to an earlier case already");
                            self.error(span.clone(), message, "let cases not overlap");
                            return;
                        }
                    }
                }
            }
        }
        if let Some(gap) = taken.iter().position(|taken| !taken).filter(|_| !is_closed) {
            let sum = least + i32::try_from(gap).unwrap_or(0);
            let what =
                if roll.sums.len() > 1 { "no case for what is left".into() } else { format!("no case for {sum}") };
            self.error(name_span(node), what, "add it, or `else { ... }`");
        }
    }

    /// `draw { red { ... }; black { ... }; else { ... }; }`
    pub(crate) fn draw(&mut self, node: &KdlNode) -> Rule {
        self.shape(node, 0..=0, &[], true, "`draw { red { ... }; black { ... }; else { ... }; }`");
        let (mut cases, mut otherwise) = (Vec::new(), Vec::new());
        for child in children(node) {
            let name = child.name().value();
            self.shape(child, 0..=0, &[], true, &format!("`{} {{ ... }}`", shown_name(name)));
            if name == "else" {
                otherwise = self.body(children(child));
                continue;
            }
            let body = self.body(children(child));
            match self.own().variable(name) {
                Some(own) if self.own().system.variables[own].least < 0 => {
                    let message = format!("there can be fewer than no `{}`", shown_name(name));
                    self.error(name_span(child), message, "draw counters that begin at 0");
                }
                Some(own) => cases.push((own, body)),
                None => {
                    let known = self.own().known();
                    let help =
                        did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_else(|| "name a counter".into());
                    let message = format!("`{}` is nothing that can be drawn", shown_name(name));
                    self.error(name_span(child), message, help);
                }
            }
        }
        if children(node).is_empty() {
            self.error(name_span(node), "nothing to draw", "name the counters: `draw { red { ... }; black { ... }; }`");
        }
        Rule::Draw(cases, otherwise)
    }
}
