//! Solving for all heroes in parallel, group by group.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use budget::{Budget, Progress, Stage};
use gamebook::{Book, HeroGroup, SolveBookError};
use mdp::ExploreOptions;
use rustc_hash::FxHashMap;
use solved_table::{Known, LineValues, Solved};

use crate::arguments::engine_args::Run;
use crate::gamebook::answer::unsolved::unsolved;
use crate::memory;
use crate::output::Failure;

/// The interval of checks of the budget.
const LOOK: Duration = Duration::from_millis(50);

/// From this number of groups on each is one task; fewer groups are split into this many parts.
const FEW_GROUPS: usize = 8;
const PARTS: usize = 4;

/// Heroes of one group that a worker takes at once.
struct Task {
    group: usize,
    rolls: Range<usize>,
}

/// Messages from workers.
enum Message {
    /// Heroes of a group who were solved together, by their rolls. They are stored together, too, since the last digits depend
    /// on which heroes are solved together.
    Found(usize, Vec<(usize, LineValues)>),
    /// A failure.
    Failed(SolveBookError),
}

/// Solves the book for all heroes that are not `known`, and calls `keep` with results as they come, a few at a time.
pub fn all(
    book: &Book,
    groups: &[HeroGroup],
    mut known: Known,
    run: Run<'_>,
    keep: &mut dyn FnMut(&[Solved]) -> Result<(), Failure>,
) -> Result<Known, Failure> {
    let mut open: Vec<Vec<bool>> = Vec::with_capacity(groups.len());
    for group in groups {
        open.push((0..group.rolls.len()).map(|roll| !known.contains_key(&group.cells(book, roll))).collect());
    }
    let alike = alike(book, groups, &open, run.budget)?;
    let in_a_row: Vec<usize> = groups.iter().map(HeroGroup::alike_in_a_row).collect();
    let tasks = tasks(&open, &alike, &in_a_row);
    // A representative is solved for all rolls that any of its group wants.
    let mut followers: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (group, first) in alike.iter().enumerate().filter(|(group, first)| group != *first) {
        followers.entry(*first).or_default().push(group);
    }
    let wanted = |group: usize, roll: usize| {
        let others = followers.get(&group).into_iter().flatten();
        others.chain([&group]).any(|group| open[*group][roll])
    };
    let every = (0..groups.len()).flat_map(|group| (0..groups[group].rolls.len()).map(move |roll| (group, roll)));
    let mut waiting = every.filter(|(group, roll)| open[*group][*roll]).count() as u64;
    let heroes: u64 = groups.iter().map(|group| group.rolls.len() as u64).sum();
    let known_before = heroes - waiting;
    let (mut done, stop) = (0u64, AtomicBool::new(false));
    let queue = Mutex::new(VecDeque::from(tasks));
    let watch =
        |_: Progress| if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..run.threads() {
            let (sender, queue, watch, wanted) = (sender.clone(), &queue, &watch, &wanted);
            scope.spawn(move || {
                // Each has its own budget, since limits apply to single heroes.
                let own = Budget::new(*run.budget.limits()).watched(watch).metered(memory::used);
                let options = run.options.with_budget(&own).with_threads(1);
                work(book, groups, queue, &options, wanted, &sender);
            });
        }
        drop(sender);
        let mut failure = None;
        loop {
            let mut found = Vec::new();
            let first = receiver.recv_timeout(LOOK);
            let over = matches!(first, Err(RecvTimeoutError::Disconnected));
            for message in first.into_iter().chain(receiver.try_iter()) {
                match message {
                    Message::Found(group, solved) => {
                        let others = followers.get(&group).into_iter().flatten().copied();
                        for group in others.chain([group]) {
                            for (roll, win) in solved.iter().filter(|(roll, _)| open[group][*roll]) {
                                found.push((groups[group].cells(book, *roll), win.clone()));
                            }
                        }
                    }
                    Message::Failed(error) => {
                        failure.get_or_insert_with(|| unsolved(&error));
                    }
                }
            }
            if !found.is_empty()
                && let Err(error) = keep(&found)
            {
                failure.get_or_insert(error);
            }
            done += found.len() as u64;
            waiting = waiting.saturating_sub(found.len() as u64);
            known.extend(found);
            if over {
                break;
            }
            let memory = memory::used().unwrap_or(0);
            if let Err(stopped) = run.budget.advance(Progress { stage: Stage::Heroes, done, waiting, memory }) {
                failure.get_or_insert_with(|| stopped.into());
            }
            if failure.is_some() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        failure.map_or(Ok(known), |failure| {
            Err(failure.knowing(&format!("how {} of {heroes} heroes fare", known_before + done)))
        })
    })
}

/// Works on tasks until there are none, or one fails.
fn work(
    book: &Book,
    groups: &[HeroGroup],
    queue: &Mutex<VecDeque<Task>>,
    options: &ExploreOptions<'_>,
    wanted: &dyn Fn(usize, usize) -> bool,
    sender: &Sender<Message>,
) {
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some(Task { group, rolls }) = next() {
        let wanted = |roll: usize| rolls.contains(&roll) && wanted(group, roll);
        let solved = groups[group].solve(book, options, &wanted, &mut |solved| {
            let solved = solved.iter().map(|(roll, win)| (*roll, LineValues::from(win))).collect();
            // If nothing receives this, a failure is being reported already.
            let _ = sender.send(Message::Found(group, solved));
            Ok(())
        });
        if let Err(error) = solved {
            let _ = sender.send(Message::Failed(error));
            return;
        }
    }
}

/// The tasks: each group, or parts of it if there are few groups, independent of the number of threads. `in_a_row` heroes of a
/// group stay together.
fn tasks(open: &[Vec<bool>], alike: &[usize], in_a_row: &[usize]) -> Vec<Task> {
    let own = |group: &usize| {
        alike[*group] == *group && {
            let follows = |other: &usize| alike[*other] == *group;
            (0..open.len()).filter(follows).any(|other| open[other].iter().any(|open| *open))
        }
    };
    let groups: Vec<usize> = (0..open.len()).filter(own).collect();
    // Finished ones count, too, so that a continued run has the same parts.
    let parts = if open.len() >= FEW_GROUPS { 1 } else { PARTS };
    let cut = |group: &usize| {
        let (group, rolls) = (*group, open[*group].len());
        let length = rolls.div_ceil(parts).max(1).next_multiple_of(in_a_row[group]);
        (0..rolls).step_by(length).map(move |first| Task { group, rolls: first..rolls.min(first + length) })
    };
    groups.iter().flat_map(cut).collect()
}

/// For every group the first one whose heroes play the same game: a book may not distinguish two sets of disciplines.
fn alike(book: &Book, groups: &[HeroGroup], open: &[Vec<bool>], budget: &Budget<'_>) -> Result<Vec<usize>, Failure> {
    let mut alike: Vec<usize> = (0..groups.len()).collect();
    if groups.len() < 2 {
        return Ok(alike);
    }
    let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (place, group) in groups.iter().enumerate() {
        if open[place].iter().all(|open| !open) {
            continue;
        }
        let failure = |error: SolveBookError| unsolved(&error);
        let same = known.entry(group.fingerprint(book, budget).map_err(failure)?).or_default();
        for other in same.iter() {
            if groups[*other].plays_as(group, book, budget).map_err(failure)? {
                alike[place] = *other;
                break;
            }
        }
        if alike[place] == place {
            same.push(place);
        }
    }
    Ok(alike)
}

#[cfg(test)]
mod tests;
