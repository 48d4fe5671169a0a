//! Where hunting feeds nobody, as far as the way there tells: what holds on every way from the beginning need not be
//! remembered by who plays.

use std::collections::BTreeMap;

use budget::{Budget, Stopped};
use gamebook::{SectionNumber, section_links};

use crate::line::{Line, quoted};
use crate::target::Target;

/// The flag of a land in which hunting feeds nobody.
pub(crate) const NO_HUNTING: &str = "no-hunting";

/// Says that hunting feeds from there on, or that it feeds nobody.
pub(crate) fn change(feeds: bool) -> Line {
    Line::leaf(format!("{} {NO_HUNTING}", if feeds { "clear" } else { "set" }))
}

/// A meal where it depends on the way whether hunting feeds.
pub(crate) fn meal(target: Target) -> [Line; 2] {
    [Line::block(question(), vec![target.eat(false)]), Line::block("else", vec![target.eat(true)])]
}

/// With what [`meal`] begins.
fn question() -> String {
    format!("if {}", quoted(NO_HUNTING))
}

/// What can be the case at a moment: that hunting feeds, or that it feeds nobody.
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

/// Says in sections how one eats there, where all ways from the start tell the same. `others` are the texts of further
/// sections, which stay as they are. Says whether somebody still has to remember it.
///
/// # Errors
/// When the budget says stop.
pub(crate) fn settle(
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
            // What it says may be said on each of its ways.
            let known = text.split(['{', '}', ';', '\n']).map(str::trim).filter_map(said).fold(known, Possible::or);
            let links = section_links(text, budget)?;
            let to = links.iter().filter(|link| link.section.is_none()).filter_map(|link| link.name.parse().ok());
            to.for_each(|to| leads(to, known));
        }
    }
    let mut remembered = others.values().any(|text| text.contains(NO_HUNTING));
    for (section, lines) in &mut *sections {
        // Where nobody comes nothing was said.
        let known = entered.get(section).copied().unwrap_or(Possible::FEEDS);
        settle_meals(lines, known, target, &mut remembered);
    }
    if !remembered {
        sections.values_mut().for_each(forget);
    }
    Ok(remembered)
}

/// Calls `leads` with every section to which lines lead, and what is known then; answers what is known after them.
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

/// Says how one eats where that is known, and notes whether it still is asked; answers what is known after the lines.
fn settle_meals(lines: &mut Vec<Line>, known: Possible, target: Target, asked: &mut bool) -> Possible {
    let mut known = Known::new(known);
    let mut settled = Vec::with_capacity(lines.len());
    let mut left = std::mem::take(lines).into_iter();
    while let Some(mut line) = left.next() {
        if line.head == question() {
            // The other half of a meal.
            let otherwise = left.next();
            let Possible { feeds, feeds_nobody } = known.now;
            if feeds && feeds_nobody {
                *asked = true;
                settled.extend([line].into_iter().chain(otherwise));
            } else {
                settled.push(target.eat(feeds));
            }
            continue;
        }
        let within = known.within(&line);
        let inner = line.body.as_mut().map(|body| settle_meals(body, within, target, asked));
        known = known.after(&line, inner);
        settled.push(line);
    }
    *lines = settled;
    known.now
}

/// What is known between the lines of a block.
#[derive(Clone, Copy)]
struct Known {
    now: Possible,
    /// The same before the last line that is no `else`: who comes to one has passed by what stands before it.
    before: Possible,
}

impl Known {
    fn new(now: Possible) -> Self {
        Self { now, before: now }
    }

    /// What is known within a line.
    fn within(self, line: &Line) -> Possible {
        if line.head.starts_with("else") { self.before } else { self.now }
    }

    /// What is known after a line; `inner`: after what stands in it.
    fn after(self, line: &Line, inner: Option<Possible>) -> Self {
        let now = said(&line.head).unwrap_or(self.now);
        Self { now: inner.map_or(now, |inner| now.or(inner)), before: self.within(line) }
    }
}

/// The section to which a node leads.
fn target(head: &str) -> Option<SectionNumber> {
    head.strip_prefix("goto ")?.parse().ok()
}

/// What a node says about hunting from there on.
fn said(head: &str) -> Option<Possible> {
    let (word, flag) = head.split_once(' ')?;
    let feeds_nobody = match word {
        "set" => true,
        "clear" => false,
        _ => return None,
    };
    (flag == NO_HUNTING).then_some(Possible { feeds: !feeds_nobody, feeds_nobody })
}

/// Takes away what is said for nobody.
fn forget(lines: &mut Vec<Line>) {
    lines.retain(|line| said(&line.head).is_none());
    lines.iter_mut().filter_map(|line| line.body.as_mut()).for_each(forget);
}

#[cfg(test)]
mod tests;
