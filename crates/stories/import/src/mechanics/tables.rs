//! Random picks: a table of numbers and what follows each.

use std::collections::VecDeque;

use super::{Moment, Runner, State, as_number, name_of};
use crate::line::{Line, quoted};
use crate::xml::Element;

impl<'r> Runner<'_, '_> {
    pub(super) fn table(&mut self, table: &'r Element, mut state: State<'r>) -> Vec<Line> {
        let zero_is_ten = table.attribute("zeroAsTen") == Some("true");
        let target = self.shared.target;
        let added = std::mem::take(&mut state.plus);
        let (least, most) = totals(zero_is_ten, &added);
        // In a system of rules what is added to a roll is known; everything else is added afterwards.
        let is_later = |points: &String| target.is_system() && points.parse::<i32>().is_err();
        let plus = |points: &String| Line::leaf(format!("plus {}", as_number(points)));
        let later: Vec<&String> = added.iter().filter(|points| is_later(points)).collect();
        let plus: Vec<Line> = added.iter().filter(|points| !is_later(points)).map(plus).collect();
        let moment = state.moment;
        state.moment = Moment::Picked;
        state.forget();
        let only_cases = table.elements().all(|inner| inner.name == "case");
        if only_cases && later.is_empty() {
            let mut body = plus;
            for case in table.elements() {
                let (low, high) = bounds(case, least, most);
                let own = State { moment, ..state.clone() };
                let lines = self.run(case.elements().collect(), own);
                let range = if low == high { format!("when {low}") } else { format!("when {low} {high}") };
                body.push(Line::block(range, lines));
            }
            let ranges = table.elements().map(|case| bounds(case, least, most)).collect();
            if !covers(ranges, least, most) {
                body.push(Line::block("else", vec![Line::leaf("death \"not understood\"")]));
                self.todo("numbers that lead nowhere");
            }
            return vec![Line::block(target.pick(None, zero_is_ten), body)];
        }
        // The number is asked for further down.
        state.picked += 1;
        let name = name_of(&state);
        let picked = target.pick(Some(&name), zero_is_ten);
        let no_braces = plus.is_empty() && target.is_system();
        let mut lines = vec![if no_braces { Line::leaf(picked) } else { Line::block(picked, plus) }];
        lines.extend(later.into_iter().map(|points| Line::leaf(format!("{name} {}", quoted(points)))));
        let cases: Vec<&Element> = table.elements().filter(|inner| inner.name == "case").collect();
        let others: VecDeque<&Element> = table.elements().filter(|inner| inner.name != "case").collect();
        let mut rest: Vec<Line> = Vec::new();
        let ranges: Vec<(i32, i32)> = cases.iter().map(|case| bounds(case, least, most)).collect();
        for (case, (low, high)) in cases.iter().zip(&ranges) {
            let asked = match (*low > least, *high < most) {
                _ if low == high => format!("{name} = {low}"),
                (true, true) => format!("{name} >= {low} and {name} <= {high}"),
                (true, false) => format!("{name} >= {low}"),
                (false, _) => format!("{name} <= {high}"),
            };
            let inner: VecDeque<&Element> = case.elements().chain(others.iter().copied()).collect();
            let own = self.run(inner, State { moment, ..state.clone() });
            let word = if rest.is_empty() { "if" } else { "else-if" };
            rest.push(Line::block(format!("{word} {}", quoted(&asked)), own));
        }
        if rest.len() > 1 && covers(ranges, least, most) {
            // Every number has its case: the last is what is left.
            if let Some(last) = rest.last_mut() {
                last.head = "else".into();
            }
            lines.extend(rest);
            return lines;
        }
        let after = self.run(others, State { moment, ..state });
        if rest.is_empty() {
            lines.extend(after);
        } else {
            lines.extend(rest);
            lines.push(Line::block("else", after));
        }
        lines
    }
}

/// The least and the largest total that can come up; a formula can be anything.
pub(super) fn totals(zero_is_ten: bool, added: &[String]) -> (i32, i32) {
    let (mut least, mut most): (i32, i32) = if zero_is_ten { (1, 10) } else { (0, 9) };
    for points in added {
        match points.parse::<i32>() {
            Ok(points) if points < 0 => least = i32::max(least.saturating_add(points), -500),
            Ok(points) => most = i32::min(most.saturating_add(points), 500),
            Err(_) => (least, most) = (-500, 500),
        }
    }
    (least, most)
}

/// Between which totals a case holds.
pub(super) fn bounds(case: &Element, least: i32, most: i32) -> (i32, i32) {
    let bound = |name: &str| case.attribute(name).and_then(|value| value.parse::<i32>().ok());
    let low = bound("value").or_else(|| bound("from")).unwrap_or(least).clamp(-500, 500);
    let high = bound("value").or_else(|| bound("to")).unwrap_or(most).clamp(-500, 500);
    (low, high.max(low))
}

/// Whether ranges reach from the least total to the largest.
pub(super) fn covers(mut ranges: Vec<(i32, i32)>, least: i32, most: i32) -> bool {
    ranges.sort_unstable();
    let mut next = least;
    for (low, high) in ranges {
        if low > next {
            return false;
        }
        next = next.max(high.saturating_add(1));
    }
    next > most
}
