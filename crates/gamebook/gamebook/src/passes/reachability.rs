//! What can be reached from where: places from which the book cannot be won, and those from which it surely is; ways to
//! the end; and questions in which the last answer is best as soon as it can be given. Each is told the edges of the program
//! that it needs: from where places are reached (`before`), or where they lead.

use std::collections::VecDeque;

use budget::{Budget, Stage, Stopped};
use graph::components;

use crate::program::{Answer, Decides, Edges, Instruction, Place, Program, Reads, Register, Test, Value, Weight};

/// The places from which the book cannot be won, whatever chance brings.
pub(crate) fn hopeless(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
    let steps = steps_to(program, before, |_, step| *step == Instruction::Victory, budget)?;
    Ok(steps.into_iter().map(|steps| steps == u32::MAX).collect())
}

/// From how many steps on at most the book is won from each place if the player wants it, whatever chance brings and
/// whatever the hero has; `u32::MAX` where that is not so.
pub(crate) fn sure(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    // How many places a step leads to that are not known to be sure.
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
                // Who has nothing may have no way on.
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

/// Ends a program wherever the book is surely won: which steps stood there.
pub(crate) fn end_when_sure(program: &mut Program, sure: &[u32]) -> Vec<(Place, Instruction)> {
    let places = program.places().zip(sure).filter(|(_, sure)| **sure != u32::MAX);
    places
        .map(|(place, _)| (place, std::mem::replace(&mut program.steps[place as usize], Instruction::Victory)))
        .collect()
}

/// How many steps it is from each place to an end of the play.
pub(crate) fn distances(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    let ends = |step: &Instruction| matches!(step, Instruction::Victory | Instruction::Death | Instruction::Stuck);
    steps_to(program, before, |_, step| ends(step), budget)
}

/// How many steps it is at least from each place to a victory; `u32::MAX` where there is no way.
pub(crate) fn steps_to_victory(program: &Program, before: &Edges, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    steps_to(program, before, |_, step| matches!(step, Instruction::Victory), budget)
}

/// The places in the order in which a search from `start`, depth first, is done with them, and the places to which
/// play comes back from what they lead to. `representative` names the place that a place is representative to be.
pub(crate) fn depth_first(
    start: Place,
    successors: &Edges,
    representative: impl Fn(Place) -> Place,
) -> (Vec<Place>, Vec<Place>) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; successors.places()];
    let (mut done, mut loops) = (Vec::new(), Vec::new());
    // With those to which it leads that are not looked at yet: the last one comes first.
    let mut open: Vec<(Place, &[Place])> = Vec::new();
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

/// How many ranks there are within a layer.
const RANKS: u32 = 1 << 13;

/// For every place its rank: first come the places from which play leads to it and which it never leads back to. Within
/// strongly connected places it is told how many questions to the player or to chance lie before it at most, loops left out.
pub(crate) fn ranks(program: &Program, successors: &Edges, representative: impl Fn(Place) -> Place) -> Vec<u32> {
    let (done, _) = depth_first(program.start, successors, &representative);
    let leads = |place: Place| successors.of(place).iter().map(|to| representative(*to));
    let mut order = vec![0; program.steps.len()];
    for (number, place) in (1u32..).zip(&done) {
        order[*place as usize] = number;
    }
    let mut ranks = vec![0; program.steps.len()];
    let asks = |place: Place| {
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
    for members in components.expect("nobody stops a budget without limits") {
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

/// The layer of a place of a rank: play never leads from one layer to an earlier one.
pub(crate) fn layer(rank: u32) -> u32 {
    rank / RANKS
}

/// For every place whether there is a question there whose last answer is at least as good as any other, whenever it
/// can be given.
///
/// That is so where all answers lead to the same place in the end, and there more ENDURANCE is never worse: who gives
/// another answer may lose more of it before he comes there. More of it is never worse where no number but itself
/// depends on it, and it decides nothing but whether the hero lives, for then the stronger hero can do whatever the
/// weaker does and is never behind him.
pub(crate) fn best_left(
    program: &Program,
    before: &Edges,
    canonical: &[Place],
    needed: impl Fn(Place, Register) -> bool,
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

/// Whether a step treats a hero with more of something otherwise than one with less, unless he dies of having none.
fn asks_for(program: &Program, place: Place, step: &Instruction, vital: Register) -> bool {
    let mut asks = false;
    step.ways(place, &mut |way| {
        for (register, value) in way.sets {
            asks |= if *register == vital { !value.grows_with(vital) } else { value.depends_on(vital) };
        }
    });
    let dies = |place: Place| program.steps[place as usize] == Instruction::Death;
    match step {
        Instruction::Branch { test, yes, .. } => {
            asks | (test.depends_on(vital) && !(program.sheet.has_fallen(test) && dies(*yes)))
        }
        // What comes of a fight is never worse for who has more at its beginning.
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

/// How many steps it is at least from each place to one that is `wanted`; `u32::MAX` where there is
/// no way.
fn steps_to(
    program: &Program,
    before: &Edges,
    wanted: impl Fn(Place, &Instruction) -> bool,
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
