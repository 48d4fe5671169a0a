//! How choices and gathers lead on: a knot as passages.

use super::content::{Here, block, closing, content, divert, untagged};
use super::lines::Item;
use super::{Knot, TAKEN, Targets, passage};
use crate::story::{Dialect, Expression, Passage, Step, expression};

/// The most gathers of a knot: what follows each is read within what comes before it.
const MOST_GATHERS: usize = 300;

/// The most conditions that are looked at together.
const MOST_TESTS: usize = 50;

/// The passages of a knot or stitch, its own first.
pub(super) fn passages(knot: &Knot, targets: &Targets) -> Vec<Passage> {
    let mut weaver = Weaver { knot, targets, found: Vec::new(), numbers: 0 };
    if let (true, Some(into)) = (knot.items.is_empty(), &knot.into) {
        return vec![passage(knot.name.clone(), false, vec![Step::Goto { line: 0, target: into.clone() }])];
    }
    let items = &knot.items;
    let count = items.iter().filter(|item| matches!(item, Item::Gather { .. })).count();
    if count > MOST_GATHERS {
        let what = format!("{count} gathers in a knot: up to {MOST_GATHERS} are read");
        return vec![passage(knot.name.clone(), false, vec![Step::Todo { line: 0, what }, Step::End])];
    }
    weaver.passage(knot.name.clone(), items, 1, None);
    weaver.found.reverse();
    weaver.found
}

struct Weaver<'k> {
    knot: &'k Knot,
    targets: &'k Targets,
    found: Vec<Passage>,
    numbers: usize,
}

impl Weaver<'_> {
    fn here(&self, line: usize) -> Here<'_> {
        Here { targets: self.targets, within: &self.knot.name, line }
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

    /// Adds the passage of these items; who comes to their end goes on at `exit`.
    fn passage(&mut self, name: String, items: &[Item], level: usize, exit: Option<&str>) {
        let (steps, wins) = self.steps(items, level, exit);
        self.found.push(passage(name, wins, steps));
    }

    fn steps(&mut self, items: &[Item], level: usize, exit: Option<&str>) -> (Vec<Step>, bool) {
        let (mut steps, mut wins) = (Vec::new(), false);
        let on = |exit: Option<&str>| match exit {
            Some(target) => Step::Goto { line: 0, target: target.into() },
            None => Step::End,
        };
        let mut place = 0;
        while let Some(item) = items.get(place) {
            let (more, won) = match item {
                Item::Line { line, text } => content(text, &self.here(*line), 0),
                Item::Block { line, text } => block(text, &self.here(*line), 0),
                _ => break,
            };
            steps.extend(more);
            wins |= won;
            place += 1;
        }
        let rest = &items[place..];
        let is_here = |item: &Item| match item {
            Item::Choice { depth, .. } | Item::Gather { depth, .. } => *depth <= level,
            _ => false,
        };
        match rest.first() {
            None => {
                steps.push(on(exit));
                return (steps, wins);
            }
            Some(Item::Gather { label, .. }) => {
                let name = self.name(label.as_deref());
                self.passage(name.clone(), &rest[1..], level, exit);
                steps.push(on(Some(&name)));
                return (steps, wins);
            }
            Some(_) => {}
        }
        // The choices, each with what stands under it, up to the gather.
        let end = rest.iter().position(|item| matches!(item, Item::Gather { depth, .. } if *depth <= level));
        let (choices, after) = rest.split_at(end.unwrap_or(rest.len()));
        let exit = match after.first() {
            Some(Item::Gather { label, .. }) => {
                let name = self.name(label.as_deref());
                self.passage(name.clone(), &after[1..], level, exit);
                Some(name)
            }
            _ => exit.map(String::from),
        };
        let mut begins: Vec<usize> = (0..choices.len()).filter(|own| *own == 0 || is_here(&choices[*own])).collect();
        begins.push(choices.len());
        let mut offers = Vec::new();
        let mut fallback = None;
        let mut any: Vec<Expression> = Vec::new();
        for own in begins.windows(2) {
            let (choice, inner) = (&choices[own[0]], &choices[own[0] + 1..own[1]]);
            let Some((test, label, body)) = self.choice(choice, inner, level, exit.as_deref(), &mut steps) else {
                continue;
            };
            let Some(label) = label else {
                fallback = Some((test, body));
                continue;
            };
            any.push(test.clone().unwrap_or(Expression::Number(1)));
            let link = Step::Link { label, body };
            offers.push(match test {
                Some(test) => Step::If(vec![(test, vec![link])], Vec::new()),
                None => link,
            });
        }
        // Taken where nothing else can be.
        if let Some((test, body)) = fallback {
            let line =
                choices.iter().find_map(|own| if let Item::Choice { line, .. } = own { Some(*line) } else { None });
            if any.len() > MOST_TESTS {
                let what = "what is taken where none of so many choices can be".into();
                steps.push(Step::Todo { line: line.unwrap_or(0), what });
            } else {
                let none = any.into_iter().map(Expression::negated);
                if let Some(test) = none.chain(test).reduce(Expression::and) {
                    steps.push(Step::If(vec![(test, body)], Vec::new()));
                } else {
                    steps.extend(body);
                }
            }
        }
        steps.extend(offers);
        (steps, wins)
    }

    /// When a choice is offered, what it is called (nothing where it is taken for want of others), and what it does.
    fn choice(
        &mut self,
        choice: &Item,
        inner: &[Item],
        level: usize,
        exit: Option<&str>,
        steps: &mut Vec<Step>,
    ) -> Option<(Option<Expression>, Option<String>, Vec<Step>)> {
        let Item::Choice { line, once, label: name, text, .. } = choice else { return None };
        let mut rest = text.as_str();
        let mut test: Option<Expression> = None;
        for number in 0.. {
            if !rest.starts_with('{') {
                break;
            }
            let end = closing(rest).filter(|_| number < MOST_TESTS);
            let Some(end) = end else {
                steps.push(Step::Todo { line: *line, what: "the conditions of a choice".into() });
                return None;
            };
            match expression(&rest[1..end], Dialect::Ink, None) {
                Ok(own) => {
                    test = Some(match test {
                        Some(before) => before.and(own),
                        None => own,
                    });
                }
                Err(what) => {
                    steps.push(Step::Todo { line: *line, what: format!("{what}: a choice is left out") });
                    return None;
                }
            }
            rest = rest[end + 1..].trim_start();
        }
        let (words, target) = match rest.split_once("->") {
            Some((words, target)) => (words, Some(target)),
            None => (rest, None),
        };
        let (words, won) = untagged(words);
        let (label, after) = match words.split_once('[') {
            Some((before, own)) => {
                let (own, after) = own.split_once(']').unwrap_or((own, ""));
                (format!("{before}{own}"), format!("{before}{after}"))
            }
            None => (words.to_string(), words.to_string()),
        };
        let label = label.trim().to_string();
        let here = self.here(*line);
        let mut own: Vec<Step> = Vec::new();
        let does = target.map(|target| divert(target, &here));
        let is_plain = inner.is_empty() && name.is_none();
        let mut body = Vec::new();
        if *once {
            self.numbers += 1;
            let taken = Expression::Variable(format!("{TAKEN}{} {}", self.knot.name, self.numbers));
            if let Expression::Variable(taken) = &taken {
                body.push(Step::Set(taken.clone(), Expression::Number(1)));
            }
            let not_yet = taken.negated();
            test = Some(match test {
                Some(test) => test.and(not_yet),
                None => not_yet,
            });
        }
        if is_plain {
            body.push(does.unwrap_or_else(|| match exit {
                Some(target) => Step::Goto { line: *line, target: target.into() },
                None => Step::End,
            }));
        } else {
            let passage_name = self.name(name.as_deref());
            body.push(Step::Goto { line: *line, target: passage_name.clone() });
            if !after.trim().is_empty() {
                own.push(Step::Text(format!("{}\n", after.trim())));
            }
            let (inner, inner_wins) = match does {
                Some(does) => (vec![does], false),
                None => self.steps(inner, level + 1, exit),
            };
            own.extend(inner);
            self.found.push(passage(passage_name, inner_wins || won, own));
        }
        Some((test, (!label.is_empty()).then_some(label), body))
    }
}
