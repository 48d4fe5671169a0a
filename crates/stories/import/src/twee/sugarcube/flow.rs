//! `<<if>>`, `<<switch>>` and `<<for>>`.

use super::arguments::{Argument, arguments};
use crate::story::{Dialect, Expression, Step, assignments, every_step, expression};
use crate::twee::markup::Widgets;

const SUGAR_CUBE: Dialect = Dialect::SugarCube;
/// The most repetitions of the body of a `<<for>>`.
const MOST_TURNS: usize = 200;

/// A macro that contains others, or a macro that divides one: its name, its arguments, and the steps after it.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) words: String,
    pub(super) body: Vec<Step>,
}

/// `<<if>>` with all its parts.
pub(super) fn conditions(parts: Vec<Part>, line: usize) -> Step {
    let mut branches = Vec::new();
    let mut otherwise = Vec::new();
    let mut is_over = false;
    for Part { name, words, body } in parts {
        if is_over {
            return Step::Todo { line, what: format!("<<{name}>> after <<else>>") };
        }
        if name == "else" {
            if !words.is_empty() {
                return Step::Todo { line, what: format!("<<else {words}>>") };
            }
            otherwise = body;
            is_over = true;
            continue;
        }
        match expression(&words, SUGAR_CUBE) {
            Ok(test) => branches.push((test, body)),
            Err(what) => return Step::Todo { line, what: format!("{what}: <<{name} {words}>>") },
        }
    }
    Step::If(line, branches, otherwise)
}

/// `<<switch>>` with all its parts; `place` distinguishes it from others.
pub(super) fn switch(parts: Vec<Part>, line: usize, place: usize) -> Vec<Step> {
    let todo = |what: String| vec![Step::Todo { line, what }];
    let mut parts = parts.into_iter();
    let Some(head) = parts.next() else { return Vec::new() };
    let value = match expression(&head.words, SUGAR_CUBE) {
        Ok(value) => value,
        Err(what) => return todo(format!("{what}: <<switch {}>>", head.words)),
    };
    let mut steps = Vec::new();
    // It is computed once.
    let value = if matches!(value, Expression::Variable(_)) {
        value
    } else {
        let name = format!("_switch {place}");
        steps.push(Step::Set(line, name.clone(), value));
        Expression::Variable(name)
    };
    let mut branches: Vec<(Expression, Vec<Step>)> = Vec::new();
    let mut otherwise = None;
    for Part { name, words, body } in parts {
        if otherwise.is_some() {
            return todo(format!("<<{name} {words}>> after <<default>>"));
        }
        if name == "default" {
            otherwise = Some(body);
            continue;
        }
        match cases(&value, &words, line) {
            Some(test) => branches.push((test, body)),
            None => return todo(format!("<<case {words}>>")),
        }
    }
    let otherwise = otherwise.unwrap_or_default();
    if branches.is_empty() {
        branches.push((Expression::Boolean(false), Vec::new()));
    }
    steps.push(Step::If(line, branches, otherwise));
    steps
}

/// Whether a value is one of several.
fn cases(value: &Expression, words: &str, line: usize) -> Option<Expression> {
    let one = |own: Argument<'_>| match own {
        Argument::Text(own) => Some(Expression::Text(own.into())),
        Argument::Word(own) => match expression(own, SUGAR_CUBE) {
            Ok(own) => Some(own),
            // A word alone is a text.
            Err(_)
                if own.chars().all(|own| own.is_alphanumeric() || own == '_')
                    && !own.starts_with(|own: char| own.is_ascii_digit()) =>
            {
                Some(Expression::Text(own.into()))
            }
            Err(_) => None,
        },
        Argument::Code | Argument::Link(..) => None,
    };
    let all: Option<Vec<Expression>> = arguments(words, line)?.into_iter().map(one).collect();
    all?.into_iter().map(|own| value.clone().same_as(own)).reduce(Expression::or)
}

/// `<<for>>`: its body once for every turn.
pub(super) fn repetition(words: &str, body: &[Step], line: usize, widgets: &Widgets) -> Vec<Step> {
    let (mut stops, mut count) = (false, 0);
    every_step(body, &mut |own| {
        count += 1;
        stops |=
            matches!(own, Step::Todo { what, .. } if what.starts_with("<<break") || what.starts_with("<<continue"));
    });
    let fits = |turns: &Vec<Turn>| turns.len() <= MOST_TURNS && widgets.take(turns.len() * (count + 2));
    match turns(words, line).filter(|turns| !stops && fits(turns)) {
        Some(turns) => turns.into_iter().flat_map(|turn| turn.with(body)).collect(),
        None => vec![Step::Todo { line, what: format!("<<for {words}>>") }],
    }
}

/// The assignments before a turn of a loop.
struct Turn {
    sets: Vec<Step>,
    /// The loop has ended.
    is_last: bool,
}

impl Turn {
    fn with(mut self, body: &[Step]) -> Vec<Step> {
        if !self.is_last {
            self.sets.extend(body.iter().cloned());
        }
        self.sets
    }
}

/// The turns of a loop, where they do not depend on the play so far.
fn turns(words: &str, line: usize) -> Option<Vec<Turn>> {
    let turn = |sets: Vec<(String, Expression)>| {
        let sets = sets.into_iter().map(|(name, own)| Step::Set(line, name, own)).collect();
        Turn { sets, is_last: false }
    };
    if let Some((names, range)) = words.split_once(" range ") {
        let names: Vec<String> = names.split(',').map(|own| own.trim().to_string()).collect();
        let values = match expression(range, SUGAR_CUBE).ok()? {
            Expression::List(all) => all,
            Expression::Number(number) => (0..number).map(Expression::Number).collect(),
            _ => return None,
        };
        let sets = |(number, value): (i64, Expression)| match &names[..] {
            [value_name] => Some(turn(vec![(value_name.clone(), value)])),
            [key, value_name] => {
                Some(turn(vec![(key.clone(), Expression::Number(number)), (value_name.clone(), value)]))
            }
            _ => None,
        };
        let is_variable = |own: &String| matches!(expression(own, SUGAR_CUBE), Ok(Expression::Variable(_)));
        return (0..).zip(values).map(sets).collect::<Option<Vec<_>>>().filter(|_| names.iter().all(is_variable));
    }
    let mut parts = words.split(';');
    let (begin, test, step) = (parts.next()?, parts.next()?, parts.next()?);
    let [(name, Expression::Number(value))] = &assignments(begin, SUGAR_CUBE).ok()?[..] else { return None };
    let mut value = *value;
    let test = expression(test, SUGAR_CUBE).ok()?;
    let [(stepped, step)] = &assignments(step, SUGAR_CUBE).ok()?[..] else { return None };
    if parts.next().is_some() || stepped != name {
        return None;
    }
    let mut all = Vec::new();
    while let Expression::Boolean(true) = at(&test, name, value)? {
        all.push(turn(vec![(name.clone(), Expression::Number(value))]));
        if all.len() > MOST_TURNS {
            return None;
        }
        let Expression::Number(next) = at(step, name, value)? else { return None };
        value = next;
    }
    let mut last = turn(vec![(name.clone(), Expression::Number(value))]);
    last.is_last = true;
    all.push(last);
    Some(all)
}

/// The value of an expression for a given number of a variable; `None` where it depends on anything else.
fn at(own: &Expression, name: &str, value: i64) -> Option<Expression> {
    let found = own.clone().map(&mut |own| match own {
        Expression::Variable(own) if own == name => Expression::Number(value),
        own => own.folded(),
    });
    matches!(found, Expression::Number(_) | Expression::Boolean(_)).then_some(found)
}
