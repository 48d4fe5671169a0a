//! Parsing picks.

use std::ops::Range;

use kdl::{KdlEntry, KdlNode};

use crate::book::{Case, Condition, LOCAL_NUMBERS, LocalId, Node, NodeKind, Number, Pick};
use crate::syntax::bounds::fits;
use crate::syntax::kdl::{
    arguments, children, entry_span, integer, integer_property, name_span, property, shown, shown_name, string,
};
use crate::syntax::numbers::local_of;
use crate::syntax::problem::did_you_mean;
use crate::syntax::reader::Reader;

/// The most picks in one sum.
const MOST_PICKS: i64 = 12;

/// The most sums of a contest.
const MOST_SUMS: usize = 4;

/// The most additions whose conditions depend on play.
const MOST_PLUS: usize = 6;

/// The range of totals.
const MOST_TOTAL: std::ops::RangeInclusive<i64> = -1_000_000..=1_000_000;

/// The most combinations of sums in a pick.
const MOST_TOTALS: usize = 100_000;

/// A case: condition, content and span.
type PickCase = (Case, Vec<Node>, Range<usize>);

impl Reader<'_> {
    pub(crate) fn pick(&mut self, node: &KdlNode) -> NodeKind {
        const USAGE: &str = "`pick { when 0 4 { ... }; when 5 9 { ... }; }`";
        let (mut sums, zero_is_ten) = self.pick_sums(node, USAGE);
        let combinations = sums.iter().map(|(_, count)| usize::from(*count) * 9 + 1).product::<usize>();
        if combinations > MOST_TOTALS {
            self.error(name_span(node), "too many sums at once", format!("{MOST_TOTALS} combinations are looked at"));
            sums.truncate(1);
        }
        let own: Vec<usize> = sums.iter().filter_map(|(local, _)| *local).collect();
        let is_more = children(node).iter().any(|child| child.name().value() == "plus");
        for (local, picks) in &sums {
            let (least, most) = if zero_is_ten { (1, 10) } else { (0, 9) };
            // The additions are not parsed yet; a total that does not fit is an error.
            let any = (i64::from(*LOCAL_NUMBERS.start()), i64::from(*LOCAL_NUMBERS.end()));
            let own = (least * i64::from(*picks), most * i64::from(*picks));
            if let Some(local) = local {
                self.bind(*local, if is_more { any } else { own });
            }
        }
        let (mut plus, cases) = self.pick_cases(node, &own);
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

    /// The sums of a pick, each with its number of picks, and whether 0 counts as ten.
    fn pick_sums(&mut self, node: &KdlNode, usage: &str) -> (Vec<(Option<LocalId>, u8)>, bool) {
        let named: Vec<_> = node
            .entries()
            .iter()
            .filter(|entry| entry.name().is_some_and(|name| !["as", "count", "zero-is"].contains(&name.value())))
            .collect();
        let names: Vec<&str> = named.iter().filter_map(|entry| entry.name().map(kdl::KdlIdentifier::value)).collect();
        let own = names.iter().copied().take(MOST_SUMS);
        let properties: Vec<&str> = ["as", "count", "zero-is"].into_iter().chain(own).collect();
        self.shape(node, 0..=0, &properties, true, usage);
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
        (sums, zero_is_ten)
    }

    /// The additions to the total of a pick, and its cases; `own` are the names of its sums.
    fn pick_cases(&mut self, node: &KdlNode, own: &[usize]) -> (Vec<(Number, Condition)>, Vec<PickCase>) {
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
                "when" => cases.extend(self.case(child, own)),
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
        (plus, cases)
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

    /// A case. An invalid one stands for every total, so that it hides no other errors.
    fn case(&mut self, node: &KdlNode, own: &[usize]) -> Option<PickCase> {
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

    /// Reports further arguments after the condition of a case.
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

    /// The condition of a case must not depend on play.
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

    /// Reports overlaps, and sums too large for a name. Gaps are found once the whole book is known.
    fn check_pick(&mut self, node: &KdlNode, pick: &Pick) {
        if pick.cases.is_empty() && pick.sums.iter().all(|(local, _)| local.is_none()) {
            self.error(name_span(node), "a pick without a case", "write `when 0 4 { ... }`, or name it: as=r");
        }
        // The case of each total from -1000 to 1000.
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
}

/// Whether a number is constant once the book is compiled for a hero.
fn is_known(number: &Number, names: &[usize]) -> bool {
    match number {
        Number::Constant(_) | Number::Disciplines | Number::Operation(..) => true,
        other => local_of(other).is_some_and(|local| names.contains(&local)),
    }
}
