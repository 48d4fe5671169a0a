//! Where hunting feeds nobody, as far as the way there tells: what holds on every way from the beginning need not be
//! remembered by who plays.

use std::collections::BTreeMap;

use gamebook::SectionNumber;

use crate::line::{Line, quoted};
use crate::mechanics::NO_HUNTING;

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
/// sections, which stay as they are. Says whether it still depends on the way somewhere; else nobody has to remember it.
pub(crate) fn settle(
    sections: &mut BTreeMap<SectionNumber, Vec<Line>>,
    others: &BTreeMap<SectionNumber, &str>,
    start: SectionNumber,
) -> bool {
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
            let nodes = || text.split(['{', '}', ';', '\n']).map(str::trim);
            let known = nodes().filter_map(said).fold(known, Possible::or);
            nodes().filter_map(target).for_each(|to| leads(to, known));
        }
    }
    let mut asked = others.values().any(|text| text.contains(&question()));
    for (section, lines) in &mut *sections {
        // Where nobody comes nothing was said.
        asked |= eat(lines, entered.get(section).copied().unwrap_or(Possible::FEEDS));
    }
    if !asked {
        sections.values_mut().for_each(forget);
    }
    asked
}

/// Calls `leads` with every section to which lines lead, and what is known then; answers what is known after them.
fn follow(lines: &[Line], known: Possible, leads: &mut dyn FnMut(SectionNumber, Possible)) -> Possible {
    lines.iter().fold(Known::new(known), |known, line| known.after(line, leads)).now
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

    fn after(self, line: &Line, leads: &mut dyn FnMut(SectionNumber, Possible)) -> Self {
        let before = self.within(line);
        let mut now = said(&line.head).unwrap_or(self.now);
        if let Some(to) = target(&line.head) {
            leads(to, now);
        }
        if let Some(body) = &line.body {
            now = now.or(follow(body, before, leads));
        }
        Self { now, before }
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

/// What is asked where it depends on the way how one eats.
fn question() -> String {
    format!("if {}", quoted(NO_HUNTING))
}

/// Says how one eats where that is known; whether it still is asked somewhere.
fn eat(lines: &mut Vec<Line>, known: Possible) -> bool {
    let mut known = Known::new(known);
    let mut asked = false;
    let mut settled: Vec<Line> = Vec::with_capacity(lines.len());
    let mut left = std::mem::take(lines).into_iter();
    while let Some(mut line) = left.next() {
        if line.head == question() {
            let otherwise = left.next();
            let Possible { feeds, feeds_nobody } = known.now;
            if feeds && feeds_nobody {
                asked = true;
                settled.extend([line].into_iter().chain(otherwise));
            } else {
                settled.push(Line::leaf(if feeds { "eat" } else { "eat hunting=#false" }));
            }
            continue;
        }
        let after = known.after(&line, &mut |_, _| ());
        let within = known.within(&line);
        if let Some(body) = &mut line.body {
            asked |= eat(body, within);
        }
        known = after;
        settled.push(line);
    }
    *lines = settled;
    asked
}

/// Takes away what is said for nobody.
fn forget(lines: &mut Vec<Line>) {
    lines.retain(|line| said(&line.head).is_none());
    lines.iter_mut().filter_map(|line| line.body.as_mut()).for_each(forget);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask() -> Vec<Line> {
        let without = Line::block(question(), vec![Line::leaf("eat hunting=#false")]);
        vec![without, Line::block("else", vec![Line::leaf("eat")])]
    }

    /// Sections and a patch from the first one on, as they are settled; and whether somebody has to remember something.
    fn settled(sections: &[(SectionNumber, Vec<Line>)], patch: &[(SectionNumber, &str)]) -> (String, bool) {
        let mut sections: BTreeMap<SectionNumber, Vec<Line>> = sections.iter().cloned().collect();
        let asked = settle(&mut sections, &patch.iter().copied().collect(), 1);
        let mut text = String::new();
        for (section, lines) in sections {
            Line::block(section.to_string(), lines).write(0, &mut text);
        }
        (text, asked)
    }

    fn lines(first: Vec<Line>, rest: Vec<Line>) -> Vec<Line> {
        first.into_iter().chain(rest).collect()
    }

    #[test]
    fn what_holds_on_every_way_is_not_remembered() {
        let forbids = || Line::leaf("set no-hunting");
        let sections = [
            (1, lines(ask(), vec![Line::goto(2)])),
            (2, vec![Line::block("if \"has seal\"", vec![Line::goto(3)]), forbids(), Line::goto(4)]),
            (3, lines(ask(), vec![Line::goto(5)])),
            (4, lines(ask(), vec![Line::goto(6)])),
            (5, vec![Line::leaf("victory")]),
            (6, lines(vec![Line::leaf("clear no-hunting")], lines(ask(), vec![Line::goto(5)]))),
        ];
        let text = "1 { eat; goto 2; }\n2 {\n    if \"has seal\" { goto 3; }\n    goto 4\n}\n3 { eat; goto 5; }\n\
                    4 { eat hunting=#false; goto 6; }\n5 { victory; }\n6 { eat; goto 5; }\n";
        assert_eq!(settled(&sections, &[]), (text.into(), false));
    }

    #[test]
    fn what_depends_on_the_way_is() {
        let sections = |last: Line| {
            [
                (1, vec![Line::block("choice \"a\"", vec![Line::goto(2)]), Line::block("choice \"b\"", vec![last])]),
                (2, lines(ask(), vec![Line::leaf("victory")])),
            ]
        };
        let (text, asked) = settled(&sections(Line::goto(3)), &[(3, "section 3 { set no-hunting; goto 2; }")]);
        assert!(asked && text.contains("if \"no-hunting\""), "{text}");
        let (text, asked) = settled(&sections(Line::goto(3)), &[(3, "section 3 { goto 2; }")]);
        assert!(!asked && text.contains("2 { eat; victory; }"), "{text}");
        // A patch that asks must be told.
        let (text, asked) = settled(&sections(Line::goto(2)), &[(9, "section 9 { if \"no-hunting\" { death; } }")]);
        assert!(asked && text.contains("2 { eat; victory; }"), "{text}");
    }
}
