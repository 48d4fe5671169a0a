//! How often a place was visited: a variable that is counted up where the place is entered, as far as anybody asks.

use std::collections::{BTreeMap, BTreeSet};

use gamebook::Comparison;

use crate::story::{Expression, MOST_VARIABLES, Operation, Step, Story, every_step};

/// What begins the name of such a variable.
const BEEN: &str = "been in ";
/// Up to here each number is told by itself.
const TOLD: i64 = 12;
/// Nobody asks for more.
const MOST: i64 = 9_990;

/// The variable of a place.
pub(super) fn been_in(place: &str) -> String {
    format!("{BEEN}{place}")
}

/// Counts visits wherever they are asked for. `flows` are the knots and stitches: those are visited by who comes from elsewhere
/// to some place in them, and not by who comes back to their beginning out of them; other places are by who comes to their
/// beginning.
pub(super) fn count(story: &mut Story, flows: &BTreeSet<String>) {
    let mut asked: BTreeMap<String, Option<i64>> = BTreeMap::new();
    for passage in &story.passages {
        every_step(&passage.steps, &mut |step| match step {
            Step::Set(_, _, own) => ask(own, false, &mut asked),
            Step::If(_, branches, _) => branches.iter().for_each(|(test, _)| ask(test, true, &mut asked)),
            _ => {}
        });
    }
    if asked.len() > MOST_VARIABLES {
        // So many variables no book can declare.
        return;
    }
    for (variable, _) in asked.iter().filter(|(_, most)| most.is_none()) {
        let place = variable.trim_start_matches(BEEN);
        let line = story.passages.iter().find(|own| own.name == place).map_or(0, |own| own.line);
        story.todos.push((line, format!("how often `{place}` is visited, in arithmetic")));
    }
    for passage in &mut story.passages {
        let name = passage.name.clone();
        enter(&mut passage.steps, &name, flows, &asked);
        if let Some(most) = asked.get(&been_in(&name)).filter(|_| !flows.contains(&name)) {
            passage.steps.splice(0..0, [visit(&name, most.unwrap_or(1))]);
        }
    }
}

/// Notes up to which number an expression asks for visits; `None`: without end.
fn ask(own: &Expression, is_condition: bool, asked: &mut BTreeMap<String, Option<i64>>) {
    let mut note = |own: &Expression, most: Option<i64>| {
        if let Expression::Variable(name) = own
            && name.starts_with(BEEN)
        {
            let known = asked.entry(name.clone()).or_insert(Some(1));
            *known = known.zip(most).map(|(known, most)| known.max(most));
        }
    };
    match own {
        Expression::Variable(_) => note(own, is_condition.then_some(1)),
        Expression::Not(inner) => ask(inner, true, asked),
        Expression::And(left, right) | Expression::Or(left, right) => {
            ask(left, true, asked);
            ask(right, true, asked);
        }
        Expression::Compare(_, left, right) => match (&**left, &**right) {
            (own @ Expression::Variable(_), Expression::Number(number))
            | (Expression::Number(number), own @ Expression::Variable(_)) => {
                note(own, Some(number.saturating_add(1).clamp(1, MOST)));
            }
            (own @ Expression::Variable(_), Expression::Boolean(_))
            | (Expression::Boolean(_), own @ Expression::Variable(_)) => note(own, Some(2)),
            (left, right) => {
                ask(left, false, asked);
                ask(right, false, asked);
            }
        },
        Expression::Operation(_, left, right) => {
            ask(left, false, asked);
            ask(right, false, asked);
        }
        Expression::Either(all) => all.iter().for_each(|own| ask(own, false, asked)),
        Expression::Number(_) | Expression::Boolean(_) | Expression::Text(_) | Expression::Random(..) => {}
    }
}

/// One visit more, up to the most that counts.
fn visit(place: &str, most: i64) -> Step {
    let variable = been_in(place);
    let set = |to: Expression| vec![Step::Set(0, variable.clone(), to)];
    let now = || Expression::Variable(variable.clone());
    match most {
        ..=1 => Step::Set(0, variable.clone(), Expression::Number(1)),
        2..=TOLD => {
            let is = |number| Expression::compare(Comparison::Equal, now(), Expression::Number(number));
            let branches = (0..most).map(|number| (is(number), set(Expression::Number(number + 1))));
            Step::If(0, branches.collect(), Vec::new())
        }
        most => {
            let more = Expression::operation(Operation::Plus, now(), Expression::Number(1));
            let test = Expression::compare(Comparison::Less, now(), Expression::Number(most));
            Step::If(0, vec![(test, set(more))], Vec::new())
        }
    }
}

/// Counts who goes from the passage `from` into a flow from elsewhere.
fn enter(steps: &mut Vec<Step>, from: &str, flows: &BTreeSet<String>, asked: &BTreeMap<String, Option<i64>>) {
    let is_in =
        |place: &str, flow: &str| place.strip_prefix(flow).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let mut place = 0;
    while place < steps.len() {
        match &mut steps[place] {
            Step::Goto { target, .. } => {
                let target = target.clone();
                let entered: Vec<Step> = asked
                    .iter()
                    .filter_map(|(variable, most)| Some((variable.strip_prefix(BEEN)?, most.unwrap_or(1))))
                    .filter(|(flow, _)| flows.contains(*flow) && is_in(&target, flow) && !is_in(from, flow))
                    .map(|(flow, most)| visit(flow, most))
                    .collect();
                let count = entered.len();
                steps.splice(place..place, entered);
                place += count;
            }
            Step::If(_, branches, otherwise) => {
                for body in branches.iter_mut().map(|(_, body)| body).chain([otherwise]) {
                    enter(body, from, flows, asked);
                }
            }
            Step::Link { body, .. } => enter(body, from, flows, asked),
            _ => {}
        }
        place += 1;
    }
}
