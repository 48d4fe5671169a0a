//! Stories in ink: knots, stitches, choices, gathers, diverts, and what variables plainly do.

use std::collections::{BTreeMap, BTreeSet};

use budget::{Budget, Progress, Stage, Stopped};
use graph::components;

use crate::story::{Dialect, Expression, ImportedStory, Step, Story, every_step, written};
use crate::twee::text_of;
use crate::unreadable::Unreadable;

mod content;
mod here;
mod knot;
mod lines;
mod visits;
mod weave;

use knot::{TAKEN, Targets};
use lines::{BEGINNING, lines};

/// Reads a story in ink and writes it as a book. What ends in one of the knots `goals`, or after a tag `# win`, `# victory`
/// or `# goal`, is won.
///
/// ```
/// let story = "-> gate\n== gate\nTwo ways.\n* left -> END\n+ [right] -> garden\n== garden\nLight. # win\n-> END\n";
/// let imported = import::ink(story.as_bytes(), &[], &budget::Budget::unlimited())?;
/// assert_eq!((imported.links, imported.todos.len()), (2, 0));
/// assert!(gamebook::read(&imported.text).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file is too long, no UTF-8, holds no story or too much of one, or the budget says stop.
pub fn ink(bytes: &[u8], goals: &[String], budget: &Budget<'_>) -> Result<ImportedStory, Unreadable> {
    let text = text_of(bytes)?;
    let mut story = Story { title: "A story".into(), dialect: Dialect::Ink, ..Story::default() };
    let file = lines(text, &mut story)?;
    let variables: BTreeSet<String> = story.initial.keys().cloned().chain(temporary(text)).collect();
    let mut targets = Targets::default();
    for knot in &file.knots {
        targets.add(knot);
    }
    for (done, knot) in (0u64..).zip(&file.knots) {
        budget
            .advance(Progress { stage: Stage::Reading, done, waiting: file.knots.len() as u64 - done, memory: 0 })
            .map_err(Unreadable::Stopped)?;
        let passages = weave::passages(knot, &targets, &variables);
        for passage in passages {
            story.add(passage)?;
        }
    }
    let Some(first) = story.passages.first() else {
        return Err(Unreadable::wrong("it holds no story: knots begin with a line `== name`".into()));
    };
    story.start.clone_from(&first.name);
    if first.name != BEGINNING {
        let what = format!("nothing stands before the first knot, where ink begins: it begins in `{}`", first.name);
        story.todos.push((first.line, what));
    }
    for passage in &mut story.passages {
        let is = |goal: &String| {
            passage.name.strip_prefix(goal.as_str()).is_some_and(|own| own.is_empty() || own.starts_with('.'))
        };
        passage.wins |= goals.iter().any(is);
    }
    // Only of them is it said that there are none.
    let missing: Vec<String> =
        goals.iter().filter(|goal| !file.knots.iter().any(|knot| knot.name == **goal)).cloned().collect();
    let flows = file.knots.iter().map(|knot| knot.name.clone()).collect();
    visits::count(&mut story, &flows);
    once(&mut story, budget).map_err(Unreadable::Stopped)?;
    let mut seen = BTreeSet::new();
    if let Some(twice) = story.passages.iter().find(|own| !seen.insert(own.name.clone())) {
        return Err(Unreadable::wrong(format!("`{}` stands in it twice", twice.name)));
    }
    written(story, &missing, budget)
}

/// The temporary variables of a file.
fn temporary(text: &str) -> impl Iterator<Item = String> + '_ {
    let name = |line: &str| {
        let rest = line[line.find('~')? + 1..].trim_start().strip_prefix("temp ")?;
        let name = rest.split('=').next()?.trim();
        name.chars().all(|own| own.is_alphanumeric() || own == '_').then(|| name.to_string())
    };
    text.lines().filter_map(name)
}

/// A choice can be taken once; that is noted only where it could be offered again.
fn once(story: &mut Story, budget: &Budget<'_>) -> Result<(), Stopped> {
    let places: BTreeMap<&str, u32> =
        story.passages.iter().zip(0..).map(|(own, place)| (own.name.as_str(), place)).collect();
    let leads: Vec<Vec<u32>> = story
        .passages
        .iter()
        .map(|passage| {
            let mut found = Vec::new();
            every_step(&passage.steps, &mut |step| {
                if let Step::Goto { target, .. } = step {
                    found.extend(places.get(target.as_str()));
                }
            });
            found
        })
        .collect();
    let all = 0..u32::try_from(leads.len()).unwrap_or(u32::MAX);
    for circle in components(all.clone(), all, |place| leads[place as usize].iter().copied(), budget)? {
        if let [place] = circle[..]
            && !leads[place as usize].contains(&place)
        {
            let passage = &mut story.passages[place as usize];
            passage.steps = std::mem::take(&mut passage.steps).into_iter().map(offered_once).collect();
        }
    }
    Ok(())
}

/// The same without noting that a choice was taken.
fn offered_once(step: Step) -> Step {
    let is_note = |name: &String| name.starts_with(TAKEN);
    match step {
        Step::If(line, branches, otherwise) => {
            let all = |steps: Vec<Step>| steps.into_iter().map(offered_once).collect::<Vec<Step>>();
            let branches = branches.into_iter().map(|(test, body)| (untaken(test), all(body))).collect();
            Step::If(line, branches, all(otherwise))
        }
        Step::Link { label, body } => {
            let body = body.into_iter().filter(|own| !matches!(own, Step::Set(_, name, _) if is_note(name))).collect();
            Step::Link { label, body }
        }
        step => step,
    }
}

/// A condition where no choice was taken before.
fn untaken(test: Expression) -> Expression {
    match test {
        Expression::Variable(name) if name.starts_with(TAKEN) => Expression::Number(0),
        Expression::And(left, right) => untaken(*left).and(untaken(*right)),
        Expression::Or(left, right) => Expression::Or(Box::new(untaken(*left)), Box::new(untaken(*right))),
        Expression::Not(inner) => untaken(*inner).negated(),
        own => own,
    }
}
