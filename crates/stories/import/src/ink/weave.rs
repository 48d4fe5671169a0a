//! How choices and gathers lead on: a knot as passages.

use std::collections::BTreeSet;

use super::content::{block, closing, content, untagged};
use super::here::Here;
use super::knot::{Item, Knot, TAKEN, Targets};
use super::visits::been_in;
use crate::story::{Expression, Passage, Step};

/// The most gathers of a knot: what follows each is read within what comes before it.
const MOST_GATHERS: usize = 300;

/// The most conditions that are looked at together.
const MOST_TESTS: usize = 50;

/// The passages of a knot or stitch, its own first.
pub(super) fn passages(knot: &Knot, targets: &Targets, variables: &BTreeSet<String>) -> Vec<Passage> {
    let mut weaver = Weaver { knot, targets, variables, found: Vec::new(), numbers: 0 };
    let items = &knot.items;
    let count = items.iter().filter(|item| matches!(item, Item::Gather { .. })).count();
    if let (true, Some(into)) = (items.is_empty(), &knot.into) {
        weaver.add(knot.name.clone(), vec![Step::Goto { line: knot.line, target: into.clone() }]);
    } else if count > MOST_GATHERS {
        let what = format!("{count} gathers in a knot: up to {MOST_GATHERS} are read");
        weaver.add(knot.name.clone(), vec![Step::Todo { line: knot.line, what }, Step::End]);
    } else {
        let steps = weaver.steps(items, 1, None);
        weaver.add(knot.name.clone(), steps);
    }
    weaver.found.reverse();
    weaver.found
}

struct Weaver<'k> {
    knot: &'k Knot,
    targets: &'k Targets,
    variables: &'k BTreeSet<String>,
    found: Vec<Passage>,
    numbers: usize,
}

/// A choice: when it is offered, what it is called (nothing where it is taken for want of others), and what it does.
struct Offer {
    test: Option<Expression>,
    label: Option<String>,
    body: Vec<Step>,
}

impl Weaver<'_> {
    fn here(&self, line: usize) -> Here<'_> {
        Here { targets: self.targets, variables: self.variables, within: &self.knot.name, line }
    }

    fn add(&mut self, name: String, steps: Vec<Step>) {
        self.found.push(Passage { name, line: self.knot.line, wins: false, steps });
    }

    fn name(&mut self, label: Option<&str>) -> String {
        match label {
            Some(label) => format!("{}.{label}", self.knot.name),
            None => {
                self.numbers += 1;
                format!("{}.{}", self.knot.name, self.numbers)
            }
        }
    }

    /// What these items do; who comes to their end goes on at `exit`.
    fn steps(&mut self, items: &[Item], level: usize, exit: Option<&str>) -> Vec<Step> {
        let mut steps = Vec::new();
        let on = |exit: Option<&str>| match exit {
            Some(target) => Step::Goto { line: 0, target: target.into() },
            None => Step::End,
        };
        let mut place = 0;
        while let Some(item) = items.get(place) {
            match item {
                Item::Line { line, text } => steps.extend(content(text, &self.here(*line), 0)),
                Item::Block { line, text } => steps.extend(block(text, &self.here(*line), 0)),
                Item::Todo { line, what } => steps.push(self.here(*line).todo(what)),
                _ => break,
            }
            place += 1;
        }
        let rest = &items[place..];
        match rest.first() {
            None => steps.push(on(exit)),
            Some(Item::Gather { label, .. }) => {
                let name = self.gathered(label.as_deref(), &rest[1..], level, exit);
                steps.push(on(Some(&name)));
            }
            Some(_) => self.choices(rest, level, exit, &mut steps),
        }
        steps
    }

    /// Adds the passage of a gather, and tells its name.
    fn gathered(&mut self, label: Option<&str>, items: &[Item], level: usize, exit: Option<&str>) -> String {
        let name = self.name(label);
        let steps = self.steps(items, level, exit);
        self.add(name.clone(), steps);
        name
    }

    /// The choices, each with what stands under it, up to the gather.
    fn choices(&mut self, items: &[Item], level: usize, exit: Option<&str>, steps: &mut Vec<Step>) {
        let is_here = |item: &Item| match item {
            Item::Choice { depth, .. } | Item::Gather { depth, .. } => *depth <= level,
            _ => false,
        };
        let end = items.iter().position(|item| matches!(item, Item::Gather { depth, .. } if *depth <= level));
        let (choices, after) = items.split_at(end.unwrap_or(items.len()));
        let exit = match after.first() {
            Some(Item::Gather { label, .. }) => Some(self.gathered(label.as_deref(), &after[1..], level, exit)),
            _ => exit.map(String::from),
        };
        let mut begins: Vec<usize> = (0..choices.len()).filter(|own| *own == 0 || is_here(&choices[*own])).collect();
        begins.push(choices.len());
        let (mut offers, mut fallbacks) = (Vec::new(), Vec::new());
        let mut any: Vec<Expression> = Vec::new();
        for own in begins.windows(2) {
            let (choice, inner) = (&choices[own[0]], &choices[own[0] + 1..own[1]]);
            let Some(Offer { test, label, body }) = self.choice(choice, inner, level, exit.as_deref(), steps) else {
                continue;
            };
            let Some(label) = label else {
                fallbacks.push((test, body));
                continue;
            };
            any.push(test.clone().unwrap_or(Expression::Boolean(true)));
            let link = Step::Link { label, body };
            offers.push(match test {
                Some(test) => Step::If(0, vec![(test, vec![link])], Vec::new()),
                None => link,
            });
        }
        let line = choices.iter().find_map(|own| if let Item::Choice { line, .. } = own { Some(*line) } else { None });
        if !fallbacks.is_empty() && any.len() > MOST_TESTS {
            let what = "what is taken where none of so many choices can be".into();
            steps.push(Step::Todo { line: line.unwrap_or(0), what });
            fallbacks.clear();
        }
        // Taken where nothing else can be: the first of them that can.
        let none = any.into_iter().take(if fallbacks.is_empty() { 0 } else { MOST_TESTS });
        let none = none.map(Expression::negated).reduce(Expression::and);
        for (test, body) in fallbacks {
            match none.iter().cloned().chain(test).reduce(Expression::and) {
                Some(test) => steps.push(Step::If(0, vec![(test, body)], Vec::new())),
                None => steps.extend(body),
            }
        }
        steps.extend(offers);
    }

    /// A choice; what is not understood of it goes to the steps before it.
    fn choice(
        &mut self,
        choice: &Item,
        inner: &[Item],
        level: usize,
        exit: Option<&str>,
        steps: &mut Vec<Step>,
    ) -> Option<Offer> {
        let Item::Choice { line, once, label: name, text, .. } = choice else { return None };
        let here = self.here(*line);
        let (text, won) = untagged(text);
        let (mut test, rest) = match conditions(text, &here) {
            Ok(found) => found,
            Err(step) => {
                steps.push(step);
                return None;
            }
        };
        let (words, target) = match rest.split_once("->") {
            Some((words, target)) => (words, Some(target.trim()).filter(|own| !own.is_empty())),
            None => (rest, None),
        };
        let (label, after) = labels(words);
        let is_fallback = label.is_empty() && rest.starts_with("->");
        let odd = if label.is_empty() && !is_fallback {
            Some("a choice without words in its line")
        } else if rest.ends_with("->") && !is_fallback {
            Some("a choice that leads to nothing")
        } else if words.contains("<-") || words.contains('\\') {
            Some("a thread or a sign behind a `\\` in a choice")
        } else if words.contains('{') && !matches!(&content(words, &here, 0)[..], [Step::Text(_), ..] | []) {
            Some("braces in the words of a choice")
        } else {
            None
        };
        if let Some(what) = odd {
            steps.push(here.todo(format!("{what}: {text}")));
            return None;
        }
        let does = target.map(|target| here.divert(target));
        let mut body = Vec::new();
        let place = name.as_deref().map(|name| format!("{}.{name}", self.knot.name));
        if *once {
            self.numbers += 1;
            let taken = match &place {
                Some(place) => been_in(place),
                None => format!("{TAKEN}{} {}", self.knot.name, self.numbers),
            };
            if place.is_none() {
                body.push(Step::Set(*line, taken.clone(), Expression::Number(1)));
            }
            let not_yet = Expression::Variable(taken).negated();
            test = Some(match test {
                Some(test) => test.and(not_yet),
                None => not_yet,
            });
        }
        if inner.is_empty() && place.is_none() && !won {
            body.push(does.unwrap_or_else(|| match exit {
                Some(target) => Step::Goto { line: *line, target: target.into() },
                None => Step::End,
            }));
        } else {
            let name = self.name(name.as_deref());
            body.push(Step::Goto { line: *line, target: name.clone() });
            let mut own: Vec<Step> = won.then_some(Step::Won).into_iter().collect();
            if !after.is_empty() {
                own.push(Step::Text(format!("{after}\n")));
            }
            own.extend(match does {
                Some(does) => vec![does],
                None => self.steps(inner, level + 1, exit),
            });
            self.add(name, own);
        }
        Some(Offer { test, label: (!is_fallback).then_some(label), body })
    }
}

/// The conditions with which a choice begins, and what follows them.
fn conditions<'t>(text: &'t str, here: &Here<'_>) -> Result<(Option<Expression>, &'t str), Step> {
    let mut rest = text;
    let mut test: Option<Expression> = None;
    for number in 0.. {
        if !rest.starts_with('{') {
            break;
        }
        let end = closing(rest).filter(|_| number < MOST_TESTS);
        let end = end.ok_or_else(|| here.todo("the conditions of a choice"))?;
        let own = here.expression(&rest[1..end]).map_err(|what| here.todo(format!("{what}: a choice is left out")))?;
        test = Some(match test {
            Some(before) => before.and(own),
            None => own,
        });
        rest = rest[end + 1..].trim_start();
    }
    Ok((test, rest))
}

/// What a choice is called, and what is read once it is taken.
fn labels(words: &str) -> (String, String) {
    let (label, after) = match words.split_once('[') {
        Some((before, own)) => {
            let (own, after) = own.split_once(']').unwrap_or((own, ""));
            (format!("{before}{own}"), format!("{before}{after}"))
        }
        None => (words.to_string(), words.to_string()),
    };
    (label.trim().to_string(), after.trim().to_string())
}
