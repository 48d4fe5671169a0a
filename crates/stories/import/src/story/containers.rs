//! Replaces lists and maps of plain values by variables: one for each value of a list, which counts it, and one for each
//! name of a map, which holds its entry.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::Comparison;

use super::expression::{Expression, Operation};
use super::passage::{MOST_VARIABLES, Step, every_step};

/// The uses that a story makes of lists and maps.
#[derive(Default)]
struct Uses {
    /// The values that a list ever has.
    lists: BTreeMap<String, BTreeSet<Value>>,
    /// Lists whose length is read, or from which a value is taken: the count of each value matters, not only its presence.
    counted: BTreeSet<String>,
    /// The values of lists that are set once and never change.
    constant: BTreeMap<String, Option<Vec<Expression>>>,
    /// The names of a map's entries, each with a dot before it.
    maps: BTreeMap<String, BTreeSet<String>>,
    /// Variables that are also set to something other than a list or a map.
    others: BTreeSet<String>,
    variables: BTreeSet<String>,
}

/// A plain value, in an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Number(i64),
    Boolean(bool),
    Text(String),
}

/// Replaces all uses of lists and maps; a step with a use that cannot be replaced becomes a `todo`.
pub(crate) fn replace(all: &mut [&mut Vec<Step>]) {
    let mut uses = Uses::default();
    for steps in &*all {
        every_step(steps, &mut |step| uses.note(step));
    }
    let roots: Vec<String> = uses.maps.keys().cloned().collect();
    for root in roots {
        let parts = uses.variables.iter().filter(|own| own.strip_prefix(&root).is_some_and(|own| own.starts_with('.')));
        let parts: Vec<String> = parts.map(|own| own[root.len()..].to_string()).collect();
        uses.maps.entry(root).or_default().extend(parts);
    }
    for steps in all {
        uses.replace(steps);
    }
}

impl Uses {
    fn note(&mut self, step: &Step) {
        match step {
            Step::Set(_, name, own) => {
                self.variables.insert(name.clone());
                self.note_reads(own);
                self.note_set(name, own);
            }
            Step::If(_, branches, _) => branches.iter().for_each(|(test, _)| self.note_reads(test)),
            Step::Unset(name) => {
                self.variables.insert(name.clone());
                self.others.insert(name.clone());
            }
            _ => {}
        }
    }

    fn note_set(&mut self, name: &str, own: &Expression) {
        match own {
            Expression::Map(all) => {
                let names = all.iter().map(|(key, _)| format!(".{key}"));
                self.maps.entry(name.into()).or_default().extend(names);
            }
            own => match list_of(name, own) {
                Some((values, is_whole)) => {
                    self.lists.entry(name.into()).or_default().extend(values);
                    let literal =
                        if let (true, Expression::List(all)) = (is_whole, own) { Some(all.clone()) } else { None };
                    let entry = self.constant.entry(name.into()).or_insert_with(|| literal.clone());
                    if *entry != literal {
                        *entry = None;
                    }
                }
                None => {
                    self.others.insert(name.into());
                }
            },
        }
    }

    fn note_reads(&mut self, own: &Expression) {
        own.visit(&mut |own| match own {
            Expression::Variable(name) => {
                self.variables.insert(name.clone());
            }
            Expression::Length(own) => {
                if let Expression::Variable(name) = &**own {
                    self.counted.insert(name.clone());
                }
            }
            _ => {}
        });
    }

    fn is_list(&self, name: &str) -> bool {
        self.lists.get(name).is_some_and(|values| values.len() <= MOST_VARIABLES)
            && !self.others.contains(name)
            && !self.maps.contains_key(name)
    }

    fn is_map(&self, name: &str) -> bool {
        self.maps.get(name).is_some_and(|parts| parts.len() <= MOST_VARIABLES)
            && !self.others.contains(name)
            && !self.lists.contains_key(name)
    }

    fn replace(&self, steps: &mut Vec<Step>) {
        for mut step in std::mem::take(steps) {
            let done = match &mut step {
                Step::Set(line, name, own) if self.is_list(name) => self.list_set(*line, name, own),
                Step::Set(line, name, Expression::Map(all)) if self.is_map(name) => self.map_set(*line, name, all),
                Step::Set(_, _, own) => self.read(own).map(|()| None),
                Step::If(_, branches, otherwise) => {
                    for (_, body) in branches.iter_mut() {
                        self.replace(body);
                    }
                    self.replace(otherwise);
                    branches.iter_mut().try_for_each(|(test, _)| self.read(test)).map(|()| None)
                }
                Step::Link { body, .. } | Step::Click { body, .. } => {
                    self.replace(body);
                    Ok(None)
                }
                _ => Ok(None),
            };
            match (done, step) {
                (Ok(Some(more)), _) => steps.extend(more),
                (Err(what), Step::Set(line, ..) | Step::If(line, ..)) => steps.push(Step::Todo { line, what }),
                (_, step) => steps.push(step),
            }
        }
    }

    /// The steps that set a list.
    fn list_set(&self, line: usize, list: &str, own: &Expression) -> Result<Option<Vec<Step>>, String> {
        let values = &self.lists[list];
        let is_counted = self.counted.contains(list);
        let set = |value: &Value, to: Expression| Step::Set(line, part_of(list, value), to);
        let number = |count: usize| {
            let count = if is_counted { count } else { count.min(1) };
            Expression::Number(i64::try_from(count).unwrap_or(i64::MAX))
        };
        let steps = match own {
            Expression::List(all) => {
                let count = |value: &Value| all.iter().filter(|own| value_of(own).as_ref() == Some(value)).count();
                values.iter().map(|value| set(value, number(count(value)))).collect()
            }
            Expression::Operation(how @ (Operation::Plus | Operation::Minus), _, other) => {
                let Expression::List(all) = &**other else { return Err(format!("the list `{list}`")) };
                let changed = all.iter().filter_map(value_of);
                let step = |value: Value| {
                    let now = Expression::Variable(part_of(list, &value));
                    let to = match how {
                        Operation::Minus => Expression::Number(0),
                        _ if is_counted => Expression::operation(Operation::Plus, now, Expression::Number(1)),
                        _ => Expression::Number(1),
                    };
                    set(&value, to)
                };
                changed.map(step).collect()
            }
            // The value is added where the list lacks it.
            Expression::Choose(_, _, more) => match &**more {
                Expression::Operation(_, _, other) => match &**other {
                    Expression::List(all) => {
                        let least = |value: Value| {
                            let now = Expression::Variable(part_of(list, &value));
                            set(&value, Expression::operation(Operation::Most, now, Expression::Number(1)))
                        };
                        all.iter().filter_map(value_of).map(least).collect()
                    }
                    _ => return Err(format!("the list `{list}`")),
                },
                _ => return Err(format!("the list `{list}`")),
            },
            _ => return Err(format!("the list `{list}`")),
        };
        Ok(Some(steps))
    }

    /// The steps that set a map: its entries are set, all others unset.
    fn map_set(&self, line: usize, map: &str, all: &mut [(String, Expression)]) -> Result<Option<Vec<Step>>, String> {
        let mut steps = Vec::new();
        for part in &self.maps[map] {
            if !all.iter().any(|(key, _)| part[1..] == *key) {
                steps.push(Step::Unset(format!("{map}{part}")));
            }
        }
        for (key, own) in all {
            self.read(own)?;
            steps.push(Step::Set(line, format!("{map}.{key}"), own.clone()));
        }
        Ok(Some(steps))
    }

    /// Replaces questions about lists.
    fn read(&self, own: &mut Expression) -> Result<(), String> {
        let mut wrong = None;
        *own = own.clone().map(&mut |own| {
            let replaced = match &own {
                Expression::Contains(list, item) => self.contains(list, item),
                Expression::Length(list) => self.length(list),
                Expression::Either(all) => self.either(all),
                _ => return own,
            };
            replaced.unwrap_or_else(|what| {
                wrong = Some(what);
                own
            })
        });
        own.visit(&mut |own| match own {
            Expression::List(_) => wrong = wrong.take().or(Some("a list within something else".into())),
            Expression::Map(_) => wrong = wrong.take().or(Some("a map within something else".into())),
            Expression::Variable(name) => {
                let root = name.split('.').next().unwrap_or_default();
                if self.lists.contains_key(name) || self.maps.contains_key(name) {
                    wrong = wrong.take().or(Some(format!("all that `{name}` has")));
                } else if root != name && !self.is_part(name) {
                    wrong = wrong.take().or(Some(format!("a part of `{root}`")));
                }
            }
            _ => {}
        });
        wrong.map_or(Ok(()), Err)
    }

    /// Whether a variable is a part of a map.
    fn is_part(&self, name: &str) -> bool {
        name.rsplit_once('.').is_some_and(|(map, _)| self.is_map(map))
    }

    fn contains(&self, list: &Expression, item: &Expression) -> Result<Expression, String> {
        let any = |all: Vec<Expression>| all.into_iter().reduce(Expression::or).unwrap_or(Expression::Boolean(false));
        match list {
            Expression::List(all) => Ok(any(all.iter().map(|own| item.clone().same_as(own.clone())).collect())),
            Expression::Variable(name) if self.is_list(name) => {
                let has = |value: &Value| {
                    let count = Expression::Variable(part_of(name, value));
                    Expression::compare(Comparison::More, count, Expression::Number(0))
                };
                let values = self.lists[name].iter();
                Ok(match value_of(item) {
                    Some(item) => any(values.filter(|value| **value == item).map(has).collect()),
                    None => any(values.map(|value| item.clone().same_as(value.expression()).and(has(value))).collect()),
                })
            }
            _ => Err("what something contains that is no plain list".into()),
        }
    }

    fn length(&self, list: &Expression) -> Result<Expression, String> {
        match list {
            Expression::Variable(name) if self.is_list(name) => {
                let counts = self.lists[name].iter().map(|value| Expression::Variable(part_of(name, value)));
                let sum = counts.reduce(|one, other| Expression::operation(Operation::Plus, one, other));
                Ok(sum.unwrap_or(Expression::Number(0)))
            }
            _ => Err("the length of what is no plain list".into()),
        }
    }

    /// A random value of a list that never changes.
    fn either(&self, all: &[Expression]) -> Result<Expression, String> {
        let [Expression::Variable(name)] = all else { return Ok(Expression::Either(all.to_vec())) };
        match self.constant.get(name) {
            Some(Some(all)) if self.is_list(name) && !all.is_empty() => Ok(Expression::Either(all.clone())),
            _ if self.lists.contains_key(name) => Err(format!("one of a list `{name}` that changes")),
            _ => Err(format!("one of `{name}`")),
        }
    }
}

/// The values that a list gets when it is set, and whether those are all its values; `None` for anything but a plain list.
fn list_of(name: &str, own: &Expression) -> Option<(Vec<Value>, bool)> {
    let is_it = |own: &Expression| matches!(own, Expression::Variable(own) if own == name);
    match own {
        Expression::List(all) => Some((all.iter().map(value_of).collect::<Option<_>>()?, true)),
        Expression::Operation(Operation::Plus | Operation::Minus, now, other) if is_it(now) => match &**other {
            Expression::List(all) => Some((all.iter().map(value_of).collect::<Option<_>>()?, false)),
            _ => None,
        },
        Expression::Choose(test, now, more) if is_it(now) && matches!(**test, Expression::Contains(..)) => {
            list_of(name, more).filter(|(_, is_whole)| !is_whole)
        }
        _ => None,
    }
}

fn value_of(own: &Expression) -> Option<Value> {
    Some(match own {
        Expression::Number(own) => Value::Number(*own),
        Expression::Boolean(own) => Value::Boolean(*own),
        Expression::Text(own) => Value::Text(own.clone()),
        _ => return None,
    })
}

impl Value {
    fn expression(&self) -> Expression {
        match self {
            Self::Number(own) => Expression::Number(*own),
            Self::Boolean(own) => Expression::Boolean(*own),
            Self::Text(own) => Expression::Text(own.clone()),
        }
    }
}

/// The variable that counts how often a list has a value.
fn part_of(list: &str, value: &Value) -> String {
    match value {
        Value::Number(own) => format!("{list} has {own}"),
        Value::Boolean(own) => format!("{list} has {own}"),
        Value::Text(own) => format!("{list} has '{own}'"),
    }
}
