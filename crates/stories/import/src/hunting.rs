//! Where hunting feeds nobody. If that is the same on every path from the beginning to a meal, the book needs no flag for it.

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use gamebook::{SectionNumber, section_links};

use crate::line::{Line, quoted};
use crate::target::Target;

/// The flag of a land in which hunting feeds nobody.
pub(crate) const NO_HUNTING: &str = "no-hunting";

/// The line after which hunting feeds, or feeds nobody.
pub(crate) fn change(feeds: bool) -> Line {
    Line::leaf(format!("{} {NO_HUNTING}", if feeds { "clear" } else { "set" }))
}

/// A meal if hunting feeds on some of the paths to it.
pub(crate) fn meal(target: Target) -> [Line; 2] {
    [Line::block(question(), vec![target.eat(false)]), Line::block("else", vec![target.eat(true)])]
}

/// The head of the first line of [`meal`].
fn question() -> String {
    format!("if {}", quoted(NO_HUNTING))
}

/// The possibilities at a moment, over all paths: that hunting feeds, and that it feeds nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Possible {
    feeds: bool,
    feeds_nobody: bool,
}

impl Possible {
    const FEEDS: Self = Self { feeds: true, feeds_nobody: false };

    fn or(self, other: Self) -> Self {
        Self { feeds: self.feeds || other.feeds, feeds_nobody: self.feeds_nobody || other.feeds_nobody }
    }
}

/// Resolves the meals for which all paths from the start agree. `others` are the texts of further sections, which stay
/// unchanged. Returns whether the flag is still needed.
///
/// # Errors
/// When the budget says stop.
pub(crate) fn resolve(
    sections: &mut BTreeMap<SectionNumber, Vec<Line>>,
    others: &BTreeMap<SectionNumber, &str>,
    (start, target): (SectionNumber, Target),
    budget: &Budget<'_>,
) -> Result<bool, Stopped> {
    let mut entered = BTreeMap::from([(start, Possible::FEEDS)]);
    let mut open = vec![start];
    while let Some(section) = open.pop() {
        let known = entered[&section];
        let mut leads = |to: SectionNumber, known: Possible| {
            let own = entered.entry(to).or_default();
            if own.or(known) != *own {
                *own = own.or(known);
                open.push(to);
            }
        };
        if let Some(lines) = sections.get(&section) {
            follow(lines, known, &mut leads);
        } else if let Some(text) = others.get(&section) {
            // The text is not followed: each of its lines may be on each path through it.
            let known =
                text.split(['{', '}', ';', '\n']).map(str::trim).filter_map(hunting_after).fold(known, Possible::or);
            let links = section_links(text, budget)?;
            let to = links.iter().filter(|link| link.section.is_none()).filter_map(|link| link.name.parse().ok());
            to.for_each(|to| leads(to, known));
        }
    }
    let mut remembered = others.values().any(|text| text.contains(NO_HUNTING));
    for (section, lines) in &mut *sections {
        // No path leads to it, so nothing has changed.
        let known = entered.get(section).copied().unwrap_or(Possible::FEEDS);
        resolve_meals(lines, known, target, &mut remembered);
    }
    if !remembered {
        sections.values_mut().for_each(forget);
    }
    Ok(remembered)
}

/// Calls `leads` with every section to which lines lead, and the possibilities there; returns those after the lines.
fn follow(lines: &[Line], known: Possible, leads: &mut dyn FnMut(SectionNumber, Possible)) -> Possible {
    let mut known = Known::new(known);
    for line in lines {
        if let Some(to) = target(&line.head) {
            leads(to, known.now);
        }
        let inner = line.body.as_ref().map(|body| follow(body, known.within(line), leads));
        known = known.after(line, inner);
    }
    known.now
}

/// Resolves the meals whose possibilities agree, and sets `asked` if others are left; returns the possibilities after the
/// lines.
fn resolve_meals(lines: &mut Vec<Line>, known: Possible, target: Target, asked: &mut bool) -> Possible {
    let mut known = Known::new(known);
    let mut resolved = Vec::with_capacity(lines.len());
    let mut left = std::mem::take(lines).into_iter();
    while let Some(mut line) = left.next() {
        if line.head == question() {
            // The other half of a meal.
            let otherwise = left.next();
            let Possible { feeds, feeds_nobody } = known.now;
            if feeds && feeds_nobody {
                *asked = true;
                resolved.extend([line].into_iter().chain(otherwise));
            } else {
                resolved.push(target.eat(feeds));
            }
            continue;
        }
        let within = known.within(&line);
        let inner = line.body.as_mut().map(|body| resolve_meals(body, within, target, asked));
        known = known.after(&line, inner);
        resolved.push(line);
    }
    *lines = resolved;
    known.now
}

/// The possibilities between the lines of a block.
#[derive(Clone, Copy)]
struct Known {
    now: Possible,
    /// The same before the last line that is not an `else`: an `else` is reached without the lines before it.
    before: Possible,
}

impl Known {
    fn new(now: Possible) -> Self {
        Self { now, before: now }
    }

    /// The possibilities within a line.
    fn within(self, line: &Line) -> Possible {
        if line.head.starts_with("else") { self.before } else { self.now }
    }

    /// The possibilities after a line; `inner` are those after its block.
    fn after(self, line: &Line, inner: Option<Possible>) -> Self {
        let now = hunting_after(&line.head).unwrap_or(self.now);
        Self { now: inner.map_or(now, |inner| now.or(inner)), before: self.within(line) }
    }
}

/// The section to which a node leads.
fn target(head: &str) -> Option<SectionNumber> {
    head.strip_prefix("goto ")?.parse().ok()
}

/// The possibilities after a node that sets or clears the flag.
fn hunting_after(head: &str) -> Option<Possible> {
    let (word, flag) = head.split_once(' ')?;
    let feeds_nobody = match word {
        "set" => true,
        "clear" => false,
        _ => return None,
    };
    (flag == NO_HUNTING).then_some(Possible { feeds: !feeds_nobody, feeds_nobody })
}

/// Removes the lines that set or clear the flag.
fn forget(lines: &mut Vec<Line>) {
    lines.retain(|line| hunting_after(&line.head).is_none());
    lines.iter_mut().filter_map(|line| line.body.as_mut()).for_each(forget);
}

#[cfg(test)]
mod tests;
