//! Validates the expressions of a story: texts and numbers are not mixed, and every variable is set before it is read.
//! A step with any other expression is replaced by a `todo`.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::Comparison;

use super::expression::{Dialect, Expression};
use super::passage::{MOST_VARIABLES, Step, Story, every_step};
use super::section::set_mark;

/// The kinds of values that an expression can have, as a set of bits.
type Kinds = u8;
const NUMBER: Kinds = 1;
const BOOLEAN: Kinds = 2;
const TEXT: Kinds = 4;

/// Replaces every step whose expressions are not valid by a `todo`. `variables` are all variables of the story, at most
/// [`MOST_VARIABLES`].
pub(super) fn replace_unclear(story: &mut Story, variables: &BTreeSet<String>) {
    let places = story.passages.iter().zip(0..).map(|(own, place)| (own.name.clone(), place)).collect();
    let mut flow = Flow {
        dialect: story.dialect,
        places,
        variables: variables.iter().cloned().zip(0..).collect(),
        entries: vec![None; story.passages.len()],
        waiting: Vec::new(),
        unset: BTreeSet::new(),
        asked: BTreeSet::new(),
        kinds: BTreeMap::new(),
        mends: false,
    };
    let mut begins = Set::default();
    story.initial.keys().for_each(|name| flow.put(&mut begins, name, true));
    flow.arrive(&story.start, begins);
    while let Some(place) = flow.waiting.pop() {
        let mut state = flow.entries[place].unwrap_or_default();
        flow.walk(&mut story.passages[place].steps, &mut state);
    }
    flow.kinds = kinds(story, &flow);
    flow.mends = true;
    for (place, passage) in story.passages.iter_mut().enumerate() {
        // A passage that is never entered has no effect.
        let mut state = flow.entries[place].unwrap_or(Set::ALL);
        flow.walk(&mut passage.steps, &mut state);
    }
    for passage in &mut story.passages {
        mark(&mut passage.steps, &flow.asked);
    }
    for name in flow.asked {
        let is_set = story.initial.contains_key(&name);
        story.initial.insert(set_mark(&name), Expression::Boolean(is_set));
    }
}

/// Adds variables that record whether other variables are set.
fn mark(steps: &mut Vec<Step>, asked: &BTreeSet<String>) {
    let mut at = 0;
    while at < steps.len() {
        let mark_of = |name: &String, is_set: bool| {
            asked.contains(name).then(|| Step::Set(0, set_mark(name), Expression::Boolean(is_set)))
        };
        let more = match &mut steps[at] {
            Step::Set(_, name, _) => mark_of(name, true),
            Step::Unset(name) => mark_of(name, false),
            Step::If(_, branches, otherwise) => {
                for (_, body) in branches.iter_mut() {
                    mark(body, asked);
                }
                mark(otherwise, asked);
                None
            }
            Step::Link { body, .. } | Step::Click { body, .. } => {
                mark(body, asked);
                None
            }
            _ => None,
        };
        at += 1;
        if let Some(more) = more {
            steps.insert(at, more);
            at += 1;
        }
    }
}

/// The kinds of every variable.
fn kinds(story: &Story, flow: &Flow) -> BTreeMap<String, Kinds> {
    let mut sets: Vec<(&String, &Expression)> = story.initial.iter().collect();
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| {
            if let Step::Set(_, name, own) = step {
                sets.push((name, own));
            }
        });
    }
    let mut kinds: BTreeMap<String, Kinds> = BTreeMap::new();
    if flow.dialect == Dialect::Harlowe {
        // In Harlowe a variable that is not set is 0.
        kinds.extend(flow.unset.iter().map(|name| (name.clone(), NUMBER)));
    }
    loop {
        let mut changed = false;
        for (name, own) in &sets {
            let more = kinds_of(own, &kinds);
            let known = kinds.entry((*name).clone()).or_default();
            changed |= *known | more != *known;
            *known |= more;
        }
        if !changed {
            return kinds;
        }
    }
}

fn kinds_of(own: &Expression, kinds: &BTreeMap<String, Kinds>) -> Kinds {
    match own {
        Expression::Number(_) | Expression::Random(..) | Expression::Operation(..) => NUMBER,
        Expression::Text(_) => TEXT,
        Expression::Variable(name) => kinds.get(name).copied().unwrap_or_default(),
        Expression::Either(all) => all.iter().fold(0, |sum, own| sum | kinds_of(own, kinds)),
        Expression::Choose(_, one, other) => kinds_of(one, kinds) | kinds_of(other, kinds),
        _ => BOOLEAN,
    }
}

/// The variables that are surely set, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Set([u64; MOST_VARIABLES.div_ceil(64)]);

impl Set {
    const ALL: Self = Self([u64::MAX; MOST_VARIABLES.div_ceil(64)]);

    fn put(&mut self, place: usize, is_in: bool) {
        let bit = 1 << (place % 64);
        let word = &mut self.0[place / 64];
        *word = if is_in { *word | bit } else { *word & !bit };
    }

    fn has(self, place: usize) -> bool {
        self.0[place / 64] & 1 << (place % 64) != 0
    }

    fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own &= other);
        self
    }
}

/// How an expression is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    Value,
    Condition,
    /// In a comparison that is guarded by a test whether the variable is set.
    Compared,
}

/// Whether a variable is a part of a list or a map, which has no parts before it is set.
fn is_part(name: &str) -> bool {
    name.contains('.') || name.contains(" has ")
}

struct Flow {
    dialect: Dialect,
    places: BTreeMap<String, usize>,
    variables: BTreeMap<String, usize>,
    /// The variables that are set whenever a passage is entered; `None` for a passage that is never entered.
    entries: Vec<Option<Set>>,
    waiting: Vec<usize>,
    /// The variables that may be read before they are set.
    unset: BTreeSet<String>,
    /// The variables that the story tests for being set.
    asked: BTreeSet<String>,
    kinds: BTreeMap<String, Kinds>,
    /// Whether steps are replaced, or only examined.
    mends: bool,
}

impl Flow {
    fn put(&self, state: &mut Set, name: &str, is_set: bool) {
        if let Some(place) = self.variables.get(name) {
            state.put(*place, is_set);
        }
    }

    /// Records that a passage is entered with these variables set.
    fn arrive(&mut self, target: &str, mut state: Set) {
        let Some(&place) = self.places.get(target) else { return };
        // Temporary variables end with their passage.
        for own in self.variables.iter().filter(|(name, _)| name.starts_with('_')).map(|(_, place)| *place) {
            state.put(own, false);
        }
        let known = self.entries[place];
        let state = known.map_or(state, |known| known.and(state));
        if known != Some(state) {
            self.entries[place] = Some(state);
            self.waiting.push(place);
        }
    }

    /// Validates steps; returns whether no step after them is reached.
    fn walk(&mut self, steps: &mut [Step], state: &mut Set) -> bool {
        for step in steps {
            if self.mends {
                self.resolve_step(step, *state);
            }
            let wrong = match &*step {
                Step::Set(line, _, own) => self.problem(own, As::Value, *state).map(|what| (*line, what)),
                Step::If(line, branches, _) => branches
                    .iter()
                    .find_map(|(test, _)| self.problem(test, As::Condition, *state))
                    .map(|what| (*line, what)),
                _ => None,
            };
            if let Some((line, what)) = wrong.filter(|_| self.mends) {
                *step = Step::Todo { line, what };
                continue;
            }
            match step {
                Step::Set(_, name, _) => {
                    self.put(state, name, true);
                }
                Step::Unset(name) => {
                    self.put(state, name, false);
                }
                Step::If(_, branches, otherwise) => {
                    let mut after: Option<Set> = None;
                    for body in branches.iter_mut().map(|(_, body)| body).chain([otherwise]) {
                        let mut own = *state;
                        if !self.walk(body, &mut own) {
                            after = Some(after.map_or(own, |other| other.and(own)));
                        }
                    }
                    match after {
                        Some(after) => *state = after,
                        None => return true,
                    }
                }
                Step::Link { body, .. } | Step::Click { body, .. } => {
                    self.walk(body, &mut { *state });
                }
                Step::Goto { target, .. } => {
                    if !self.mends {
                        self.arrive(target, *state);
                    }
                    return true;
                }
                Step::Text(_) | Step::Include { .. } | Step::Held { .. } | Step::Todo { .. } => {}
            }
        }
        false
    }

    /// Simplifies the expressions of a step by the kinds of all variables.
    fn resolve_step(&mut self, step: &mut Step, state: Set) {
        match step {
            Step::Set(_, _, own) => *own = self.resolved(own, state),
            Step::If(_, branches, _) => {
                for (test, _) in branches {
                    *test = self.resolved(test, state);
                }
            }
            _ => {}
        }
    }

    /// Resolves comparisons of different kinds, elided operands, and comparisons with variables that may not be set.
    fn resolved(&mut self, own: &Expression, state: Set) -> Expression {
        let own = own.clone().map(&mut |own| match own {
            Expression::Same(is_same, left, right) => {
                let (one, other) = (self.kinds(&left), self.kinds(&right));
                if one != 0 && other != 0 && one & other == 0 {
                    Expression::Boolean(!is_same)
                } else {
                    Expression::Same(is_same, left, right)
                }
            }
            Expression::Elided(whole, part) => match self.kinds(&part) {
                BOOLEAN => *part,
                kinds if kinds & BOOLEAN == 0 => *whole,
                _ => Expression::Elided(whole, part),
            },
            own => own,
        });
        if self.dialect == Dialect::Harlowe {
            return own;
        }
        own.map(&mut |own| {
            let (left, right, is_different) = match &own {
                Expression::Compare(how, left, right) => (left, right, *how == Comparison::NotEqual),
                Expression::Same(is_same, left, right) => (left, right, !is_same),
                _ => return own,
            };
            let maybe = |own: &Expression| match own {
                Expression::Variable(name) if self.can_be_unset(name) && !self.is_set(name, state) => {
                    Some(name.clone())
                }
                _ => None,
            };
            let ((Some(name), None) | (None, Some(name))) = (maybe(left), maybe(right)) else { return own };
            let is_set = Expression::IsSet(name);
            if is_different { is_set.negated().or(own) } else { is_set.and(own) }
        })
    }

    /// Whether a variable has a meaning while it is not set. Temporary variables, which end with their passage, are not tracked.
    fn can_be_unset(&self, name: &str) -> bool {
        match self.dialect {
            Dialect::Harlowe => !is_part(name),
            Dialect::SugarCube => !name.starts_with('_') && !is_part(name),
            Dialect::Chapbook => false,
        }
    }

    fn is_set(&self, name: &str, state: Set) -> bool {
        self.variables.get(name).is_none_or(|place| state.has(*place))
    }

    /// The first problem of an expression.
    fn problem(&mut self, own: &Expression, read: As, state: Set) -> Option<String> {
        match own {
            Expression::Variable(name) => {
                if !self.is_set(name, state) {
                    self.unset.insert(name.clone());
                    // A variable that is not set is false in SugarCube, and 0 in Harlowe.
                    let is_clear = self.can_be_unset(name) && (read != As::Value || self.dialect == Dialect::Harlowe);
                    if !is_clear {
                        return Some(format!("`{name}` may be read before it is set"));
                    }
                }
            }
            Expression::Not(inner) => return self.problem(inner, As::Condition, state),
            Expression::And(left, right) | Expression::Or(left, right) => {
                return self.joined(left, right, read, state);
            }
            Expression::Operation(_, left, right) => {
                let wrong = self.problem(left, As::Value, state);
                let wrong = wrong.or_else(|| self.problem(right, As::Value, state));
                return wrong.or_else(|| {
                    let numbers = [left, right].iter().all(|own| self.kinds(own) & !NUMBER == 0);
                    (!numbers && self.mends).then(|| "arithmetic with something that is not a number".into())
                });
            }
            Expression::Compare(how, left, right) => {
                let is_equality = matches!(how, Comparison::Equal | Comparison::NotEqual);
                return self.compared(is_equality, false, left, right, state);
            }
            Expression::Same(_, left, right) => return self.compared(true, true, left, right, state),
            Expression::Elided(whole, part) => {
                let wrong = self.problem(whole, As::Condition, state).or_else(|| self.problem(part, As::Value, state));
                return wrong.or_else(|| self.mends.then(|| "a comparison whose operand is left out".into()));
            }
            Expression::Either(all) => return all.iter().find_map(|own| self.problem(own, read, state)),
            Expression::Choose(test, one, other) => {
                let wrong = self.problem(test, As::Condition, state);
                return wrong.or_else(|| self.problem(one, read, state)).or_else(|| self.problem(other, read, state));
            }
            Expression::IsSet(name) => self.asked.extend([name.clone()]),
            Expression::List(_) | Expression::Map(_) | Expression::Contains(..) | Expression::Length(_) => {
                return Some("a list or a map within something else".into());
            }
            Expression::Number(_) | Expression::Boolean(_) | Expression::Text(_) | Expression::Random(..) => {}
        }
        let right = if self.dialect == Dialect::Harlowe { BOOLEAN } else { NUMBER | BOOLEAN | TEXT };
        let wrong = read == As::Condition && self.mends && self.kinds(own) & !right != 0;
        wrong.then(|| "a condition that is neither yes nor no".into())
    }

    /// `and` and `or`. In `SugarCube` they yield one of their operands, so both must be truth values where the result is a value.
    fn joined(&mut self, left: &Expression, right: &Expression, read: As, state: Set) -> Option<String> {
        let wrong = self.problem(left, As::Condition, state).or_else(|| self.problem(right, As::Condition, state));
        let is_clear = read == As::Condition || (self.kinds(left) | self.kinds(right)) & !BOOLEAN == 0;
        let is_set = |own: &Expression| !matches!(own, Expression::Variable(name) if !self.is_set(name, state));
        let is_clear = is_clear && (read == As::Condition || is_set(left) && is_set(right));
        wrong.or_else(|| (!is_clear && self.mends).then(|| "`and` or `or` of what is neither yes nor no".into()))
    }

    fn compared(
        &mut self,
        is_equality: bool,
        is_strict: bool,
        left: &Expression,
        right: &Expression,
        state: Set,
    ) -> Option<String> {
        // A comparison guarded by `IsSet` may read a variable that is not set.
        let read = |own: &Expression| match own {
            Expression::Variable(name) if self.can_be_unset(name) => As::Compared,
            _ => As::Value,
        };
        let (read_left, read_right) = (read(left), read(right));
        let both_unset =
            [left, right].iter().all(|own| matches!(own, Expression::Variable(name) if !self.is_set(name, state)));
        if both_unset && self.dialect != Dialect::Harlowe {
            return Some("a comparison of variables that may not be set".into());
        }
        let wrong = self.problem(left, read_left, state).or_else(|| self.problem(right, read_right, state));
        if wrong.is_some() || !self.mends {
            return wrong;
        }
        let all = self.kinds(left) | self.kinds(right);
        if all & TEXT != 0 && all != TEXT {
            Some("a text compared with something that is not a text".into())
        } else if all & BOOLEAN != 0 && all != BOOLEAN && (is_strict || self.dialect == Dialect::Harlowe) {
            Some("yes or no compared with a number".into())
        } else if !is_equality && all & TEXT != 0 {
            Some("an order comparison of texts".into())
        } else if !is_equality && all & BOOLEAN != 0 && self.dialect == Dialect::Harlowe {
            Some("an order comparison of yes and no".into())
        } else {
            None
        }
    }

    fn kinds(&self, own: &Expression) -> Kinds {
        kinds_of(own, &self.kinds)
    }
}
