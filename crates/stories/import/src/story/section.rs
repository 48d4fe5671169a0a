//! Writes a passage as a section of a book.

use std::collections::{BTreeMap, BTreeSet};

use super::expression::{Expression, visits_of};
use super::names::Names;
use super::passage::{Passage, Step, Story};
use crate::line::{Line, quoted};

mod terms;

/// The longest condition, in bytes; somewhat less than the book language reads.
const LONGEST_CONDITION: usize = 4_000;
/// The longest label.
pub(crate) const LONGEST_LABEL: usize = 200;

/// Writes passages.
pub(super) struct Writer<'s> {
    names: &'s mut Names,
    passages: BTreeSet<&'s str>,
    /// Whether every end is won.
    all_win: bool,
    pub(super) links: usize,
    pub(super) todos: Vec<(usize, String)>,
    /// How many texts under conditions were left out.
    pub(super) hidden_texts: usize,
    /// The largest number of flags that a passage needs to keep its conditions.
    pub(super) most_frozen: usize,
    /// Of the passage that is being written: rolls and kept conditions so far, and the variables that it sets.
    rolls: usize,
    frozen: usize,
    set_here: BTreeSet<String>,
    /// Whether the steps being written are those of a link, done when the link is followed.
    is_followed: bool,
}

/// The variable that records whether another variable is set.
pub(super) fn set_mark(name: &str) -> String {
    format!("{name} is set")
}

/// The context of steps: the condition under which they are done, and how the passage ends.
#[derive(Clone, Copy)]
struct Around<'c> {
    condition: Option<&'c str>,
    end: &'c Line,
}

/// The lines that steps become.
#[derive(Default)]
struct Written<'s> {
    body: Vec<Line>,
    /// The links, which are written after all other steps.
    offers: Vec<Offer<'s>>,
}

/// A link with its condition.
struct Offer<'s> {
    condition: Option<String>,
    label: &'s str,
    body: &'s [Step],
    /// Where play continues after the body, unless the body itself leads elsewhere.
    after: After,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    End,
    /// The page again, without this link or with it.
    PageWithout,
    Page,
}

/// Whether no step after these is reached.
pub(crate) fn leaves(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Goto { .. } | Step::Held { is_shown: false, .. } => true,
        Step::If(_, branches, otherwise) => {
            let is_sure =
                branches.len() > 1 && branches.last().is_some_and(|(test, _)| *test == Expression::Boolean(true));
            branches.iter().all(|(_, body)| leaves(body)) && (is_sure || leaves(otherwise))
        }
        _ => false,
    })
}

fn has_links(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Link { .. } | Step::Click { .. } => true,
        Step::If(_, branches, otherwise) => branches.iter().any(|(_, body)| has_links(body)) || has_links(otherwise),
        _ => false,
    })
}

impl<'s> Writer<'s> {
    pub(super) fn new(story: &'s Story, names: &'s mut Names, all_win: bool) -> Self {
        Self {
            names,
            passages: story.passages.iter().map(|own| own.name.as_str()).collect(),
            all_win,
            links: 0,
            todos: Vec::new(),
            hidden_texts: 0,
            most_frozen: 0,
            rolls: 0,
            frozen: 0,
            set_here: BTreeSet::new(),
            is_followed: false,
        }
    }

    pub(super) fn section(&mut self, passage: &'s Passage, counted: &BTreeMap<String, Option<i64>>) -> Line {
        self.frozen = 0;
        self.set_here.clear();
        sets(&passage.steps, &mut self.set_here);
        let end = if passage.wins || self.all_win { Line::leaf("victory") } else { Line::leaf("death \"the end\"") };
        let mut body = text(&passage.steps);
        let visits = visits_of(&passage.name);
        if counted.contains_key(&visits) {
            let visits = self.names.name(&visits);
            body.push(Line::leaf(format!("set {visits} \"{visits} + 1\"")));
        }
        let mut written = Written { body, offers: Vec::new() };
        self.steps(&passage.steps, Around { condition: None, end: &end }, &mut written);
        let Written { mut body, offers } = written;
        if !leaves(&passage.steps) {
            if offers.is_empty() {
                body.push(end.clone());
            } else {
                self.page(offers, &end, &mut body);
            }
        }
        self.most_frozen = self.most_frozen.max(self.frozen);
        Line::block(format!("section {}", quoted(&passage.name)), body)
    }

    /// Writes the links that are offered as long as the page stays.
    fn page(&mut self, mut offers: Vec<Offer<'s>>, end: &Line, body: &mut Vec<Line>) {
        let again = Line::leaf("again page");
        let (mut choices, mut conditions, mut stays) = (Vec::new(), Vec::new(), false);
        let mut next = 0;
        while let Some(offer) = offers.get(next) {
            let (label, steps, after) = (offer.label, offer.body, offer.after);
            let mut condition = offer.condition.clone();
            let mut own = Written::default();
            let mut followed = None;
            if after == After::PageWithout {
                let flag = self.flag();
                body.push(Line::leaf(format!("clear {flag}")));
                own.body.push(Line::leaf(format!("set {flag}")));
                condition =
                    Some(condition.map_or_else(|| format!("not {flag}"), |own| format!("({own}) and not {flag}")));
                followed = Some(flag);
            }
            let (end, is_last) = if after == After::End { (end, true) } else { (&again, false) };
            stays |= !is_last;
            self.is_followed = !is_last;
            self.steps(steps, Around { condition: followed.as_deref(), end }, &mut own);
            self.is_followed = false;
            if !leaves(steps) {
                own.body.push(end.clone());
            }
            let require = condition.iter().map(|own| line("require", own));
            let label: String = label.chars().take(LONGEST_LABEL).collect();
            let inner = require.chain(own.body).collect();
            choices.push(Line::block(format!("choice {}", quoted(&label)), inner));
            conditions.push(condition);
            offers.extend(own.offers);
            self.links += 1;
            next += 1;
        }
        let mut page = Vec::new();
        // Where no link is left, the play ends.
        if let Some(conditions) = conditions.into_iter().collect::<Option<Vec<String>>>() {
            let any = conditions.iter().map(|own| format!("({own})")).collect::<Vec<_>>().join(" or ");
            if any.len() < LONGEST_CONDITION {
                page.push(Line::block(line("if", &format!("not ({any})")).head, vec![end.clone()]));
            } else {
                self.todo(0, "so many conditions of links", body);
            }
        }
        page.extend(choices);
        if stays {
            body.push(Line::block("repeat page", page));
        } else {
            body.extend(page);
        }
    }

    /// A flag of the section.
    fn flag(&mut self) -> String {
        self.frozen += 1;
        format!("shown-{}", self.frozen)
    }

    fn todo(&mut self, at: usize, what: &str, body: &mut Vec<Line>) {
        let words: Vec<&str> = what.split_whitespace().collect();
        let what: String = words.join(" ").chars().take(80).collect();
        let place = if at > 0 { format!("line {at}: ") } else { String::new() };
        body.push(Line::todo(&format!("{place}{what}")));
        self.todos.push((at, what));
    }

    /// Writes steps, and gathers their links, each with its condition.
    fn steps(&mut self, steps: &'s [Step], around: Around<'_>, written: &mut Written<'s>) {
        let Around { condition, end } = around;
        for (place, step) in steps.iter().enumerate() {
            // No later step reads what this one rolls.
            self.rolls = 0;
            match step {
                // The label of the whole passage is written at its head.
                Step::Text(own) => {
                    self.hidden_texts += usize::from(condition.is_some() && !own.trim().is_empty());
                }
                Step::Set(line, name, own) => {
                    if let Err(what) = self.set(name, own, &mut written.body) {
                        let name = self.names.name(name);
                        self.todo(*line, &format!("{what}: `{name}` is not set"), &mut written.body);
                    }
                }
                Step::Unset(name) => written.body.push(Line::leaf(format!("set {} 0", self.names.name(name)))),
                Step::If(line, branches, otherwise) => {
                    self.branches(*line, branches, otherwise, Around { condition, end }, written);
                }
                Step::Link { label, body } => {
                    let condition = condition.map(String::from);
                    written.offers.push(Offer { condition, label, body, after: After::End });
                }
                Step::Click { label, body, once } => {
                    let (condition, after) =
                        (condition.map(String::from), if *once { After::PageWithout } else { After::Page });
                    written.offers.push(Offer { condition, label, body, after });
                }
                // The steps of the included passage, or a `todo`, have replaced it before.
                Step::Include { line, target } | Step::Held { line, variable: target, .. } => {
                    self.todo(*line, &format!("`{target}` is not included"), &mut written.body);
                }
                Step::Goto { line, target } => {
                    if self.passages.contains(target.as_str()) {
                        written.body.push(Line::leaf(format!("goto {}", quoted(target))));
                    } else {
                        self.todo(*line, &format!("there is no `{target}`"), &mut written.body);
                        written.body.push(end.clone());
                    }
                }
                Step::Todo { line, what } => self.todo(*line, what, &mut written.body),
            }
            // Later steps are never reached.
            if leaves(&steps[place..=place]) {
                return;
            }
        }
    }

    fn branches(
        &mut self,
        at: usize,
        branches: &'s [(Expression, Vec<Step>)],
        otherwise: &'s [Step],
        around: Around<'_>,
        written: &mut Written<'s>,
    ) {
        let links = has_links(otherwise) || branches.iter().any(|(_, body)| has_links(body));
        let joined = |parts: &[String]| -> Option<String> {
            let all: Vec<String> =
                around.condition.map(String::from).into_iter().chain(parts.iter().cloned()).collect();
            (!all.is_empty()).then(|| all.iter().map(|own| format!("({own})")).collect::<Vec<_>>().join(" and "))
        };
        let mut before: Vec<String> = Vec::new();
        let mut chain: Vec<(Option<String>, Vec<Line>)> = Vec::new();
        for (test, inner) in branches {
            let text = match self.condition(test, links, &mut written.body) {
                Ok(text) => text,
                Err(what) => {
                    self.todo(at, &format!("{what}: taken as never"), &mut written.body);
                    "never".into()
                }
            };
            let all = joined(&[&before[..], std::slice::from_ref(&text)].concat());
            if all.as_ref().is_some_and(|own| own.len() > LONGEST_CONDITION) {
                self.todo(at, "a condition that is too long", &mut written.body);
                return;
            }
            let lines = self.inner(inner, Around { condition: all.as_deref(), ..around }, written);
            chain.push((Some(text.clone()), lines));
            before.push(format!("not ({text})"));
        }
        let all = joined(&before).filter(|own| own.len() <= LONGEST_CONDITION);
        let condition = all.as_deref().or(Some("always"));
        chain.push((None, self.inner(otherwise, Around { condition, ..around }, written)));
        // Empty branches at the end are left out.
        while chain.last().is_some_and(|(_, lines)| lines.is_empty()) {
            chain.pop();
        }
        for (number, (text, lines)) in chain.into_iter().enumerate() {
            let head = match (number, text) {
                (0, Some(text)) => line("if", &text).head,
                // One of the branches surely holds: the last needs no condition.
                (_, Some(text)) if text == "always" => "else".into(),
                (_, Some(text)) => line("else-if", &text).head,
                (_, None) => "else".into(),
            };
            written.body.push(Line::block(head, lines));
        }
    }

    /// The lines of a branch; its links join those of the passage.
    fn inner(&mut self, steps: &'s [Step], around: Around<'_>, written: &mut Written<'s>) -> Vec<Line> {
        let mut own = Written { body: Vec::new(), offers: std::mem::take(&mut written.offers) };
        self.steps(steps, around, &mut own);
        written.offers = own.offers;
        own.body
    }

    /// A condition in the book language. A condition that may have changed when links are offered is kept in a flag.
    fn condition(&mut self, test: &Expression, for_links: bool, body: &mut Vec<Line>) -> Result<String, String> {
        let mut changes = self.is_followed;
        test.visit(&mut |own| {
            changes |= match own {
                Expression::Variable(name) | Expression::IsSet(name) => self.set_here.contains(name),
                Expression::Random(..) | Expression::Either(_) => true,
                _ => false,
            };
        });
        let text = self.test(test, body)?;
        if text.len() > LONGEST_CONDITION {
            return Err("a condition that is too long".into());
        }
        if !(for_links && changes) {
            return Ok(text);
        }
        let flag = self.flag();
        body.push(Line::block(line("if", &text).head, vec![Line::leaf(format!("set {flag}"))]));
        body.push(Line::block("else", vec![Line::leaf(format!("clear {flag}"))]));
        Ok(flag)
    }

    /// The value that a variable is set to.
    fn set(&mut self, name: &str, own: &Expression, body: &mut Vec<Line>) -> Result<(), String> {
        let name = self.names.name(name);
        match own {
            Expression::Either(all) => {
                let roll = self.roll();
                let mut lines = Vec::new();
                for (number, one) in all.iter().enumerate() {
                    let set = self.setting(&name, one, body)?;
                    let word = if number == 0 { "if" } else { "else-if" };
                    lines.push(Line::block(line(word, &format!("{roll} = {}", number + 1)).head, vec![set]));
                }
                body.push(Line::leaf(format!("roll d{} as={roll}", all.len())));
                body.extend(lines);
            }
            own if own.is_condition() && !matches!(own, Expression::Boolean(_)) => {
                let text = self.test(own, body)?;
                body.push(Line::block(line("if", &text).head, vec![Line::leaf(format!("set {name} 1"))]));
                body.push(Line::block("else", vec![Line::leaf(format!("set {name} 0"))]));
            }
            own => {
                let set = self.setting(&name, own, body)?;
                body.push(set);
            }
        }
        Ok(())
    }

    fn setting(&mut self, name: &str, own: &Expression, body: &mut Vec<Line>) -> Result<Line, String> {
        let number = self.number(own, body)?;
        let is_plain = number.parse::<i64>().is_ok();
        Ok(Line::leaf(if is_plain {
            format!("set {name} {number}")
        } else {
            format!("set {name} {}", quoted(&number))
        }))
    }
}

/// A node with a condition.
fn line(node: &str, condition: &str) -> Line {
    Line::leaf(format!("{node} {}", quoted(condition)))
}

/// Every variable that steps set before or while their links are offered.
fn sets(steps: &[Step], found: &mut BTreeSet<String>) {
    for step in steps {
        match step {
            Step::Set(_, name, _) | Step::Unset(name) => {
                found.insert(name.clone());
            }
            Step::If(_, branches, otherwise) => {
                for (_, body) in branches {
                    sets(body, found);
                }
                sets(otherwise, found);
            }
            Step::Click { body, .. } => sets(body, found),
            _ => {}
        }
    }
}

/// The text of a passage that is shown under every condition.
fn text(steps: &[Step]) -> Vec<Line> {
    let parts = steps.iter().filter_map(|step| if let Step::Text(own) = step { Some(own.as_str()) } else { None });
    text_lines(&parts.collect::<String>())
}

/// A text as a node; `None` for an empty text.
pub(crate) fn text_lines(text: &str) -> Vec<Line> {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if lines.iter().all(|line| line.is_empty()) {
        return Vec::new();
    }
    let mut text = String::from("text \"\"\"\n");
    for line in lines {
        if !line.is_empty() {
            let inner = quoted(line);
            text.push_str("        ");
            text.push_str(&inner[1..inner.len() - 1]);
        }
        text.push('\n');
    }
    text.push_str("        \"\"\"");
    vec![Line::leaf(text)]
}
