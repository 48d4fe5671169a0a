//! Reachability: places from which the book cannot be won or is surely won, distances to the end, orders of expansion, and
//! questions whose last answer is optimal whenever it is possible. The functions take the edges that they need: predecessors
//! (`before`) or successors.

use std::collections::VecDeque;

use budget::{Budget, Stage, Stopped};
use graph::components;

use crate::program::{Answer, Decides, Edges, Instruction, Label, Program, Reads, Register, Test, Value, Weight};

/// The places from which the book cannot be won, whatever chance brings.
pub(crate) fn unwinnable(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
    let steps = steps_to(program, before, |_, step| *step == Instruction::Victory, budget)?;
    Ok(steps.into_iter().map(|steps| steps == u32::MAX).collect())
}

/// For each place the number of steps within which the player can win, whatever chance brings and whatever the hero has;
/// `u32::MAX` if he cannot be sure.
pub(crate) fn surely_won(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    // The number of successors of each step that are not known to win.
    let mut open = vec![0; program.steps.len()];
    let mut steps = vec![u32::MAX; program.steps.len()];
    let mut found = VecDeque::new();
    for (place, step) in program.places().zip(&program.steps) {
        for earlier in before.of(place) {
            open[*earlier as usize] += 1;
        }
        if *step == Instruction::Victory {
            steps[place as usize] = 0;
            found.push_back(place);
        }
    }
    while let Some(place) = found.pop_front() {
        budget.step(Stage::Compiling, program.steps.len() as u64, found.len() as u64)?;
        for earlier in before.of(place) {
            open[*earlier as usize] -= 1;
            let is_sure = match &program.steps[*earlier as usize] {
                Instruction::Ask(question) => {
                    let always = |answer: &&Answer| answer.test == Test::ALWAYS && answer.each.is_none();
                    let mut given = question.answers.iter().filter(always);
                    given.any(|answer| answer.next == place)
                        || open[*earlier as usize] == 0 && question.otherwise.is_some()
                }
                // An empty register may leave no outcome.
                Instruction::Chance { outcomes }
                    if outcomes.iter().any(|outcome| matches!(outcome.weight, Weight::Register(_))) =>
                {
                    false
                }
                _ => open[*earlier as usize] == 0,
            };
            if is_sure && steps[*earlier as usize] == u32::MAX {
                steps[*earlier as usize] = steps[place as usize] + 1;
                found.push_back(*earlier);
            }
        }
    }
    Ok(steps)
}

/// Replaces surely won places by victories; returns the steps replaced.
pub(crate) fn end_when_surely_won(program: &mut Program, surely_won: &[u32]) -> Vec<(Label, Instruction)> {
    let places = program.places().zip(surely_won).filter(|(_, surely_won)| **surely_won != u32::MAX);
    places
        .map(|(place, _)| (place, std::mem::replace(&mut program.steps[place as usize], Instruction::Victory)))
        .collect()
}

/// The smallest number of steps from each place to an end.
pub(crate) fn distances(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    let ends = |step: &Instruction| matches!(step, Instruction::Victory | Instruction::Death | Instruction::Stuck);
    steps_to(program, before, |_, step| ends(step), budget)
}

/// The smallest number of steps from each place to a victory; `u32::MAX` if there is none.
pub(crate) fn steps_to_victory(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    steps_to(program, before, |_, step| matches!(step, Instruction::Victory), budget)
}

/// All places, those that can be reached in postorder and first.
pub(crate) fn postorder(program: &Program, successors: &Edges) -> Vec<Label> {
    let (mut order, _) = depth_first(program.start, successors, |place| place);
    let mut reached = vec![false; program.steps.len()];
    for place in &order {
        reached[*place as usize] = true;
    }
    order.extend(program.places().filter(|place| !reached[*place as usize]));
    order
}

/// The places in postorder of a depth-first search from `start`, and the targets of its back edges. `representative` maps each
/// place to its equivalence class.
pub(crate) fn depth_first(
    start: Label,
    successors: &Edges,
    representative: impl Fn(Label) -> Label,
) -> (Vec<Label>, Vec<Label>) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; successors.places()];
    let (mut done, mut loops) = (Vec::new(), Vec::new());
    // Each with its successors that are not visited yet; the last one comes first.
    let mut open: Vec<(Label, &[Label])> = Vec::new();
    let start = representative(start);
    marks[start as usize] = Mark::Open;
    open.push((start, successors.of(start)));
    while let Some((place, next)) = open.last_mut() {
        let Some((to, others)) = next.split_last() else {
            marks[*place as usize] = Mark::Done;
            done.push(*place);
            open.pop();
            continue;
        };
        *next = others;
        let to = representative(*to);
        match marks[to as usize] {
            Mark::New => {
                marks[to as usize] = Mark::Open;
                open.push((to, successors.of(to)));
            }
            Mark::Open => loops.push(to),
            Mark::Done => {}
        }
    }
    (done, loops)
}

/// The number of ranks in a layer.
const RANKS: u32 = 1 << 13;

/// For every place its rank: predecessors outside of its strongly connected component come first. Within a component the rank
/// is the largest number of questions and chances before the place, without back edges.
pub(crate) fn ranks(program: &Program, successors: &Edges, representative: impl Fn(Label) -> Label) -> Vec<u32> {
    let (done, _) = depth_first(program.start, successors, &representative);
    let leads = |place: Label| successors.of(place).iter().map(|to| representative(*to));
    let mut order = vec![0; program.steps.len()];
    for (number, place) in (1u32..).zip(&done) {
        order[*place as usize] = number;
    }
    let mut ranks = vec![0; program.steps.len()];
    let asks = |place: Label| {
        let step = &program.steps[place as usize];
        u32::from(matches!(step, Instruction::Ask(_) | Instruction::Chance { .. } | Instruction::Fold(_)))
    };
    for place in done.iter().rev() {
        let rank = ranks[*place as usize] + asks(*place);
        for to in leads(*place) {
            if order[to as usize] < order[*place as usize] {
                let own: &mut u32 = &mut ranks[to as usize];
                *own = rank.max(*own);
            }
        }
    }
    let all = 0..program.places().end;
    let components = components(all, [representative(program.start)], leads, &Budget::unlimited());
    let mut layers = vec![0; program.steps.len()];
    let mut packed = vec![0; program.steps.len()];
    for members in components.expect("an unlimited budget is never exhausted") {
        let layer = members.iter().map(|place| layers[*place as usize]).max().unwrap_or(0);
        let least = members.iter().map(|place| ranks[*place as usize]).min().unwrap_or(0);
        for place in &members {
            let within = (ranks[*place as usize] - least).min(RANKS - 1);
            packed[*place as usize] = layer * RANKS + within;
        }
        let after = layer + members.iter().map(|place| asks(*place)).max().unwrap_or(0);
        for place in &members {
            for to in leads(*place) {
                let own: &mut u32 = &mut layers[to as usize];
                *own = (*own).max(after).min(u32::MAX / RANKS);
            }
        }
    }
    packed
}

/// The layer of a rank: play never leads from one layer to an earlier one.
pub(crate) fn layer(rank: u32) -> u32 {
    rank / RANKS
}

/// For every place whether it is a question whose last answer is optimal whenever it is possible.
///
/// This holds if all answers lead to the same place in the end and more ENDURANCE is never worse there, since another answer
/// may lose more of it on the way. More is never worse if no other number depends on it and it decides nothing but the hero's
/// death: then the stronger hero can copy whatever the weaker one does and is never behind.
pub(crate) fn last_answer_best(
    program: &Program,
    before: &Edges,
    canonical: &[Label],
    needed: impl Fn(Label, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Vec<bool>, Stopped> {
    let vital = program.sheet.endurance;
    let asks = steps_to(program, before, |place, step| asks_for(program, place, step, vital), budget)?;
    let mut best = vec![false; program.steps.len()];
    for (place, parting) in &program.notes.partings {
        let same = canonical[parting.left as usize] == canonical[parting.stayed as usize];
        let asked = [parting.left, parting.stayed].iter().any(|place| asks[*place as usize] != u32::MAX);
        let remembered = program.sheet.fight.iter().any(|register| needed(parting.left, *register));
        best[*place as usize] = same && !asked && !remembered;
    }
    Ok(best)
}

/// Whether a step treats a hero with more of the register differently from one with less, except that he dies at none.
fn asks_for(program: &Program, place: Label, step: &Instruction, vital: Register) -> bool {
    let mut asks = false;
    step.ways(place, &mut |way| {
        for (register, value) in way.sets {
            asks |= if *register == vital { !value.grows_with(vital) } else { value.depends_on(vital) };
        }
    });
    let dies = |place: Label| program.steps[place as usize] == Instruction::Death;
    match step {
        Instruction::Branch { test, yes, .. } => {
            asks | (test.depends_on(vital) && !(program.sheet.has_fallen(test) && dies(*yes)))
        }
        // A fight never ends worse for a hero who begins it with more.
        Instruction::Fold(fold) => {
            let more = |input: &Value| *input != Value::Register(vital) && input.depends_on(vital);
            asks | fold.inputs.iter().any(more)
        }
        step => {
            step.decides(&mut |decides| {
                asks |= match decides {
                    Decides::Test(test) => test.depends_on(vital),
                    Decides::Number(value) => value.depends_on(vital),
                    Decides::Register(register) => register == vital,
                }
            });
            asks
        }
    }
}

/// The smallest number of steps from each place to one that is `wanted`; `u32::MAX` if there is none.
fn steps_to(
    program: &Program,
    before: &Edges,
    wanted: impl Fn(Label, &Instruction) -> bool,
    budget: &Budget<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut steps = vec![u32::MAX; program.steps.len()];
    let mut open = VecDeque::new();
    for (place, step) in program.places().zip(&program.steps) {
        if wanted(place, step) {
            steps[place as usize] = 0;
            open.push_back(place);
        }
    }
    while let Some(place) = open.pop_front() {
        budget.step(Stage::Compiling, program.steps.len() as u64, open.len() as u64)?;
        for earlier in before.of(place) {
            if steps[*earlier as usize] == u32::MAX {
                steps[*earlier as usize] = steps[place as usize] + 1;
                open.push_back(*earlier);
            }
        }
    }
    Ok(steps)
}
