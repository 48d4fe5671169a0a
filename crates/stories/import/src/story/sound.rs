//! What of a story's expressions can be taken at its word: texts and numbers are not mixed up, and what is read was set
//! before. Everything else becomes a `todo` where it stands.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::Comparison;

use super::expression::{Dialect, Expression};
use super::passage::{MOST_VARIABLES, Step, Story, every_step};

/// What an expression can be: sums of these.
type Kinds = u8;
const NUMBER: Kinds = 1;
const BOOLEAN: Kinds = 2;
const TEXT: Kinds = 4;

/// Puts a `todo` in the place of every step that asks for more than can be told. `variables` are all that the story has, no
/// more than [`MOST_VARIABLES`].
pub(super) fn refuse_unsound(story: &mut Story, variables: &BTreeSet<String>) {
    let places = story.passages.iter().zip(0..).map(|(own, place)| (own.name.clone(), place)).collect();
    let mut flow = Flow {
        dialect: story.dialect,
        places,
        variables: variables.iter().cloned().zip(0..).collect(),
        entries: vec![None; story.passages.len()],
        waiting: Vec::new(),
        unset: BTreeSet::new(),
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
        // What is never reached does nothing.
        let mut state = flow.entries[place].unwrap_or(Set::ALL);
        flow.walk(&mut passage.steps, &mut state);
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
        // What was not set is 0 there.
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
        _ => BOOLEAN,
    }
}

/// The variables that are surely set, a bit for each.
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
    /// As what equals something that is neither no nor 0, or does not: what is not set does not.
    Equal,
}

struct Flow {
    dialect: Dialect,
    places: BTreeMap<String, usize>,
    variables: BTreeMap<String, usize>,
    /// What is set wherever a passage is entered; `None`: it never is.
    entries: Vec<Option<Set>>,
    waiting: Vec<usize>,
    /// What may be read before it is set.
    unset: BTreeSet<String>,
    kinds: BTreeMap<String, Kinds>,
    /// Whether steps are replaced, or only looked through.
    mends: bool,
}

impl Flow {
    fn put(&self, state: &mut Set, name: &str, is_set: bool) {
        if let Some(place) = self.variables.get(name) {
            state.put(*place, is_set);
        }
    }

    /// A passage is entered with what is set.
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

    /// Goes through steps; returns whether nothing after them is reached.
    fn walk(&mut self, steps: &mut [Step], state: &mut Set) -> bool {
        for step in steps {
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
                Step::Link { body, .. } => {
                    self.walk(body, &mut { *state });
                }
                Step::Goto { target, .. } => {
                    if !self.mends {
                        self.arrive(target, *state);
                    }
                    return true;
                }
                Step::Text(_) | Step::Todo { .. } => {}
            }
        }
        false
    }

    /// What cannot be told of an expression.
    fn problem(&mut self, own: &Expression, read: As, state: Set) -> Option<String> {
        match own {
            Expression::Variable(name) => {
                let is_set = self.variables.get(name).is_none_or(|place| state.has(*place));
                if !is_set {
                    self.unset.insert(name.clone());
                    // What is not set is no in SugarCube, and 0 in Harlowe.
                    let is_told = self.dialect == Dialect::Harlowe || read != As::Value && !name.starts_with('_');
                    if !is_told {
                        return Some(format!("`{name}` may be read before it is set"));
                    }
                }
            }
            Expression::Not(inner) => return self.problem(inner, As::Condition, state),
            Expression::And(left, right) | Expression::Or(left, right) => {
                let wrong = self.problem(left, As::Condition, state);
                return wrong.or_else(|| self.problem(right, As::Condition, state));
            }
            Expression::Operation(_, left, right) => {
                let wrong = self.problem(left, As::Value, state);
                let wrong = wrong.or_else(|| self.problem(right, As::Value, state));
                return wrong.or_else(|| {
                    let numbers = [left, right].iter().all(|own| self.kinds(own) & !NUMBER == 0);
                    (!numbers && self.mends).then(|| "arithmetic with what is no number".into())
                });
            }
            Expression::Compare(comparison, left, right) => return self.compared(*comparison, left, right, state),
            Expression::Either(all) => return all.iter().find_map(|own| self.problem(own, As::Value, state)),
            Expression::Number(_) | Expression::Boolean(_) | Expression::Text(_) | Expression::Random(..) => {}
        }
        let right = if self.dialect == Dialect::Harlowe { BOOLEAN } else { NUMBER | BOOLEAN };
        let wrong = read == As::Condition && self.mends && self.kinds(own) & !right != 0;
        wrong.then(|| "a condition that is neither yes nor no".into())
    }

    fn compared(&mut self, how: Comparison, left: &Expression, right: &Expression, state: Set) -> Option<String> {
        let is_equality = matches!(how, Comparison::Equal | Comparison::NotEqual);
        let holds = |own: &Expression| match own {
            Expression::Number(number) => *number != 0,
            Expression::Boolean(own) => *own,
            Expression::Text(text) => !text.is_empty(),
            _ => false,
        };
        let read = |other: &Expression| if is_equality && holds(other) { As::Equal } else { As::Value };
        let wrong = self.problem(left, read(right), state).or_else(|| self.problem(right, read(left), state));
        if wrong.is_some() || !self.mends {
            return wrong;
        }
        let (left, right) = (self.kinds(left), self.kinds(right));
        let all = left | right;
        if all & TEXT != 0 && all != TEXT {
            Some("a text compared with what is none".into())
        } else if all & BOOLEAN != 0 && all != BOOLEAN {
            Some("yes or no compared with a number".into())
        } else if all & NUMBER != all && !is_equality {
            Some("an order of what are no numbers".into())
        } else {
            None
        }
    }

    fn kinds(&self, own: &Expression) -> Kinds {
        kinds_of(own, &self.kinds)
    }
}
