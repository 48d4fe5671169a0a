//! A passage as a section of a book.

use std::collections::BTreeSet;

use gamebook::Comparison;

use super::expression::{Expression, Operation};
use super::names::Names;
use super::passage::{Passage, Step, Story};
use crate::line::{Line, quoted};

/// The longest condition that a book reads, in bytes, with room to spare.
const LONGEST_CONDITION: usize = 4_000;
/// The longest label.
pub(crate) const LONGEST_LABEL: usize = 200;

/// Writes passages.
pub(super) struct Writer<'s> {
    names: &'s mut Names,
    passages: BTreeSet<&'s str>,
    /// Every end is won.
    all_win: bool,
    pub(super) links: usize,
    pub(super) todos: Vec<(usize, String)>,
    /// Texts under conditions.
    pub(super) hidden_texts: usize,
    /// The most conditions of a passage that were noted.
    pub(super) most_frozen: usize,
    /// Of the passage that is being written: rolls and conditions so far, and what is set in it.
    rolls: usize,
    frozen: usize,
    set_here: BTreeSet<String>,
}

/// What holds around steps: under which condition they are done, and how the passage ends.
#[derive(Clone, Copy)]
struct Around<'c> {
    condition: Option<&'c str>,
    end: &'c Line,
}

/// What steps are written as.
#[derive(Default)]
struct Written<'s> {
    body: Vec<Line>,
    /// Links are only gathered.
    offers: Vec<Offer<'s>>,
}

/// A link with what must hold for it.
struct Offer<'s> {
    condition: Option<String>,
    label: &'s str,
    body: &'s [Step],
}

/// Whether nothing after these steps is reached.
pub(crate) fn leaves(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Goto { .. } => true,
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
        Step::Link { .. } => true,
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
        }
    }

    pub(super) fn section(&mut self, passage: &'s Passage) -> Line {
        (self.rolls, self.frozen) = (0, 0);
        self.set_here.clear();
        sets(&passage.steps, &mut self.set_here);
        let end = if passage.wins || self.all_win { Line::leaf("victory") } else { Line::leaf("death \"the end\"") };
        let mut written = Written { body: text(&passage.steps), offers: Vec::new() };
        self.steps(&passage.steps, Around { condition: None, end: &end }, &mut written);
        let Written { mut body, offers } = written;
        if !leaves(&passage.steps) {
            if offers.is_empty() {
                body.push(end.clone());
            }
            for offer in offers {
                self.links += 1;
                let condition: Vec<Line> = offer.condition.into_iter().map(|own| line("require", &own)).collect();
                let mut written = Written { body: condition, offers: Vec::new() };
                self.steps(offer.body, Around { condition: None, end: &end }, &mut written);
                let mut inner = written.body;
                if !leaves(offer.body) {
                    inner.push(end.clone());
                }
                let label: String = offer.label.chars().take(LONGEST_LABEL).collect();
                body.push(Line::block(format!("choice {}", quoted(&label)), inner));
            }
        }
        self.most_frozen = self.most_frozen.max(self.frozen);
        Line::block(format!("section {}", quoted(&passage.name)), body)
    }

    fn todo(&mut self, at: usize, what: &str, body: &mut Vec<Line>) {
        let what: String = what.chars().take(80).collect();
        let place = if at > 0 { format!("line {at}: ") } else { String::new() };
        body.push(Line::todo(&format!("{place}{what}")));
        self.todos.push((at, what));
    }

    /// Writes steps; links are gathered, each with what must hold for it.
    fn steps(&mut self, steps: &'s [Step], around: Around<'_>, written: &mut Written<'s>) {
        let Around { condition, end } = around;
        for (place, step) in steps.iter().enumerate() {
            match step {
                // That of the whole passage stands at its head.
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
                    written.offers.push(Offer { condition: condition.map(String::from), label, body });
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
            // Nothing that follows is reached.
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
            let told = match self.condition(test, links, &mut written.body) {
                Ok(told) => told,
                Err(what) => {
                    self.todo(at, &format!("{what}: taken as never"), &mut written.body);
                    "never".into()
                }
            };
            let all = joined(&[&before[..], std::slice::from_ref(&told)].concat());
            if all.as_ref().is_some_and(|own| own.len() > LONGEST_CONDITION) {
                self.todo(at, "a condition that is too long", &mut written.body);
                return;
            }
            let lines = self.inner(inner, Around { condition: all.as_deref(), ..around }, written);
            chain.push((Some(told.clone()), lines));
            before.push(format!("not ({told})"));
        }
        let all = joined(&before).filter(|own| own.len() <= LONGEST_CONDITION);
        let condition = all.as_deref().or(Some("always"));
        chain.push((None, self.inner(otherwise, Around { condition, ..around }, written)));
        // What says nothing is left out, from the end.
        while chain.last().is_some_and(|(_, lines)| lines.is_empty()) {
            chain.pop();
        }
        for (number, (told, lines)) in chain.into_iter().enumerate() {
            let head = match (number, told) {
                (0, Some(told)) => line("if", &told).head,
                // As it is written where one of the branches surely holds.
                (_, Some(told)) if told == "always" => "else".into(),
                (_, Some(told)) => line("else-if", &told).head,
                (_, None) => "else".into(),
            };
            written.body.push(Line::block(head, lines));
        }
    }

    /// What the steps of a branch are written as; its links go to those of the passage.
    fn inner(&mut self, steps: &'s [Step], around: Around<'_>, written: &mut Written<'s>) -> Vec<Line> {
        let mut own = Written { body: Vec::new(), offers: std::mem::take(&mut written.offers) };
        self.steps(steps, around, &mut own);
        written.offers = own.offers;
        own.body
    }

    /// A condition as it is told. One that may not hold any more when links are offered is noted.
    fn condition(&mut self, test: &Expression, for_links: bool, body: &mut Vec<Line>) -> Result<String, String> {
        let mut changes = false;
        test.visit(&mut |own| {
            changes |= match own {
                Expression::Variable(name) => self.set_here.contains(name),
                Expression::Random(..) => true,
                _ => false,
            };
        });
        let told = self.test(test, body)?;
        if told.len() > LONGEST_CONDITION {
            return Err("a condition that is too long".into());
        }
        if !(for_links && changes) {
            return Ok(told);
        }
        self.frozen += 1;
        let flag = format!("shown-{}", self.frozen);
        body.push(Line::block(line("if", &told).head, vec![Line::leaf(format!("set {flag}"))]));
        body.push(Line::block("else", vec![Line::leaf(format!("clear {flag}"))]));
        Ok(flag)
    }

    /// What a variable is set to.
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
            Expression::Compare(..) | Expression::And(..) | Expression::Or(..) | Expression::Not(_) => {
                let told = self.test(own, body)?;
                body.push(Line::block(line("if", &told).head, vec![Line::leaf(format!("set {name} 1"))]));
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

    /// A name for a roll.
    fn roll(&mut self) -> String {
        self.rolls += 1;
        format!("roll-{}", self.rolls)
    }

    /// A number; what it rolls is rolled before.
    fn number(&mut self, own: &Expression, body: &mut Vec<Line>) -> Result<String, String> {
        Ok(match own {
            Expression::Number(number @ ..0) => format!("(0 - {})", -number),
            Expression::Number(number) => number.to_string(),
            Expression::Boolean(own) => u8::from(*own).to_string(),
            Expression::Text(text) => self.names.text(text).to_string(),
            Expression::Variable(name) => self.names.name(name),
            Expression::Operation(operation, left, right) => {
                let (left, right) = (self.number(left, body)?, self.number(right, body)?);
                let sign = match operation {
                    Operation::Plus => "+",
                    Operation::Minus => "-",
                    Operation::Times => "*",
                };
                format!("({left} {sign} {right})")
            }
            Expression::Random(least, most) => {
                let sides = most - least + 1;
                let roll = self.roll();
                body.push(Line::leaf(format!("roll d{sides} as={roll}")));
                match least - 1 {
                    less @ ..0 => format!("({roll} - {})", -less),
                    more => format!("({roll} + {more})"),
                }
            }
            Expression::Either(_) => return Err("`either` within something else".into()),
            Expression::Compare(..) | Expression::And(..) | Expression::Or(..) | Expression::Not(_) => {
                return Err("a condition where a number stands".into());
            }
        })
    }

    fn test(&mut self, own: &Expression, body: &mut Vec<Line>) -> Result<String, String> {
        Ok(match own {
            Expression::And(left, right) => format!("({}) and ({})", self.test(left, body)?, self.test(right, body)?),
            Expression::Or(left, right) => format!("({}) or ({})", self.test(left, body)?, self.test(right, body)?),
            Expression::Not(inner) => format!("not ({})", self.test(inner, body)?),
            Expression::Compare(comparison, left, right) if is_asked(left) || is_asked(right) => {
                self.compared_conditions(*comparison, left, right, body)?
            }
            Expression::Compare(comparison, left, right) => {
                let sign = comparison.sign();
                format!("{} {sign} {}", self.number(left, body)?, self.number(right, body)?)
            }
            Expression::Boolean(own) => {
                if *own {
                    "always".into()
                } else {
                    "never".into()
                }
            }
            own => format!("{} != 0", self.number(own, body)?),
        })
    }

    /// A condition that is compared with a number, or with another: yes is 1, and no is 0.
    fn compared_conditions(
        &mut self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        body: &mut Vec<Line>,
    ) -> Result<String, String> {
        let is_equal = match comparison {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => return Err("a condition in an order".into()),
        };
        let (asked, other) = if is_asked(left) { (left, right) } else { (right, left) };
        let asked = self.test(asked, body)?;
        let (yes, no) = if other.is_condition() {
            let other = self.test(other, body)?;
            (other.clone(), format!("not ({other})"))
        } else {
            let other = self.number(other, body)?;
            (format!("{other} = 1"), format!("{other} = 0"))
        };
        let alike = format!("(({asked}) and ({yes})) or ((not ({asked})) and ({no}))");
        Ok(if is_equal { alike } else { format!("not ({alike})") })
    }
}

/// Whether it is a condition that our language knows no number for.
fn is_asked(own: &Expression) -> bool {
    own.is_condition() && !matches!(own, Expression::Boolean(_))
}

/// A node with a condition.
fn line(node: &str, condition: &str) -> Line {
    Line::leaf(format!("{node} {}", quoted(condition)))
}

/// Every variable that steps set before what they offer is offered.
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
            _ => {}
        }
    }
}

/// What is read in a passage whatever holds.
fn text(steps: &[Step]) -> Vec<Line> {
    let parts = steps.iter().filter_map(|step| if let Step::Text(own) = step { Some(own.as_str()) } else { None });
    text_lines(&parts.collect::<String>())
}

/// A text as a node; none where there is nothing to read.
pub(crate) fn text_lines(text: &str) -> Vec<Line> {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if lines.iter().all(|line| line.is_empty()) {
        return Vec::new();
    }
    let mut told = String::from("text \"\"\"\n");
    for line in lines {
        if !line.is_empty() {
            let inner = quoted(line);
            told.push_str("        ");
            told.push_str(&inner[1..inner.len() - 1]);
        }
        told.push('\n');
    }
    told.push_str("        \"\"\"");
    vec![Line::leaf(told)]
}
