//! Solving order: components, levels, and the renumbering that sorts states by them.
//!
//! The *level* of a state is the length of the longest path from it to an end. States are renumbered level by level,
//! the deepest first: a solver walks the stream backwards, the successors of a state are solved before it and are near
//! in memory, and states of one level are independent of each other.
//!
//! Tarjan's algorithm (crate `graph`) looks only at states between which a choice leads back to a smaller number; the levels of
//! all others follow without a search, and a model whose choices all lead to higher numbers needs none.
//!
//! Where states form rows, the search goes over rows first (`row_graph.rs`), then over the states of those rows that
//! have cycles; any other row is one node (`nodes.rs`). Successors that all states of a block share are looked at once,
//! and blocks that lead to each other in lockstep are searched in place of their states (`inner.rs`). So recorded words
//! are written once, in solving order (`writer.rs`), and the states of an acyclic row keep their blocks, as they are on
//! one level. Components whose states are in the same blocks form a *family*: the first states of all of them come
//! first, then the second ones, so that they keep their blocks, too.

pub(crate) mod emitted;
mod inner;
mod nodes;
mod row_graph;
mod scc;
mod writer;

pub(crate) use row_graph::{RowGraph, push_new};
pub(crate) use scc::{BYTES_PER_NODE, BYTES_PER_STATE};

use std::ops::Range;

use budget::{Budget, Stopped};
use rayon::prelude::*;

use crate::model::{BlockWriter, CHANCE, Code, Family, KIND, Level, Measured, Model, StateId, measure, write_runs};
use crate::order::emitted::Numbered;
use crate::support::{filled, id, inverse as inverse_of, look, to_index};
use graph::UNKNOWN;
use nodes::Nodes;
use scc::{Components, Sccs, find_sccs, find_sccs_of_rows};
use writer::Stream;

/// Puts a stream whose states are numbered in any order into solving order. Also returns the new number of every old
/// one, unless all stay the same. `held` is the number of bytes that the caller holds, including the stream.
pub(crate) fn order(code: Code, held: u64, budget: &Budget<'_>) -> Result<(Model, Option<Vec<StateId>>), Stopped> {
    let sccs = find_sccs(&code, held, budget)?;
    let (numbers, levels, families) = arrange(&code, &sccs, |state| state, budget)?;
    drop(sccs);
    let numbers = unless_in_place(numbers);
    let code = match &numbers {
        None => code,
        Some(numbers) => renumber(code, numbers, budget)?,
    };
    Ok((model(code, levels, families, budget)?, numbers))
}

/// The same for states of rows, whose words are still to be written: `tables` are those to which the words refer.
/// States of a row stay together if no choice leads back.
pub(crate) fn order_rows(
    tables: Code,
    emitted: &Numbered<'_>,
    rows: RowGraph,
    held: u64,
    budget: &Budget<'_>,
) -> Result<(Model, Option<Vec<StateId>>), Stopped> {
    let components = Components::new(&rows, held, budget)?;
    let nodes = Nodes::new(&rows, components.cyclic_rows(rows.len()));
    let mut code = cyclic_rows(tables, emitted, &rows, &nodes, budget)?;
    let sccs = find_sccs_of_rows(&code, &rows, &nodes, &components, held, budget)?;
    drop((rows, components));
    let (numbers, levels, families) = arrange(&code, &sccs, |node| nodes.first(node), budget)?;
    drop((sccs, nodes));
    (code.offsets, code.words) = (Vec::new(), Vec::new());
    let code = in_order(code, emitted, &numbers, &levels, &families, budget)?;
    Ok((model(code, levels, families, budget)?, unless_in_place(numbers)))
}

/// The new number of every old one, unless all stay the same.
fn unless_in_place(numbers: Vec<StateId>) -> Option<Vec<StateId>> {
    let in_place = numbers.par_iter().enumerate().all(|(old, new)| old == *new as usize);
    (!in_place).then_some(numbers)
}

/// The model of a stream that is in solving order.
fn model(code: Code, levels: Vec<Level>, families: Vec<Family>, budget: &Budget<'_>) -> Result<Model, Stopped> {
    let (measured, counts) = measure(&code, &levels, &families, budget)?;
    let levels = levels.into_iter().zip(measured);
    let levels = levels.map(|(level, Measured { outcomes, digits })| Level { outcomes, digits, ..level }).collect();
    Ok(Model { code, levels, families, counts })
}

/// The most components of a family; the families of a level are solved in parallel.
const MOST_SCCS: usize = 256;

/// The new number of every state, the levels, and the families of components by new numbers.
type SolvingOrder = (Vec<StateId>, Vec<Level>, Vec<Family>);

/// Gives every state its number in solving order: deepest level first, in each level the states without a cycle first,
/// otherwise in the order of the old numbers. `first` gives the first state of a node, and the number of states for the
/// node after the last; `code` has the words of nodes in components.
fn arrange(
    code: &Code,
    sccs: &Sccs,
    first: impl Fn(u32) -> StateId + Sync,
    budget: &Budget<'_>,
) -> Result<SolvingOrder, Stopped> {
    let highest = sccs.levels.iter().copied().max().map_or(0, |level| level as usize + 1);
    // Chunks that are not too short, considering that each stores a number for every level.
    let chunk = (4 * highest).max(1 << 12);
    let nodes_of = |number: usize, levels: &[u32]| id(number * chunk)..id(number * chunk + levels.len());
    let count = |(number, levels): (usize, &[u32])| {
        let mut by_level: Vec<u32> = vec![0; highest];
        for (node, level) in nodes_of(number, levels).zip(levels) {
            by_level[*level as usize] += first(node + 1) - first(node);
        }
        by_level
    };
    let counts: Vec<Vec<u32>> = sccs.levels.par_chunks(chunk).enumerate().map(count).collect();
    let mut in_cycle = vec![0u32; highest];
    for scc in &sccs.cyclic {
        in_cycle[sccs.levels[scc[0] as usize] as usize] += id(scc.len());
    }
    let mut levels = Vec::with_capacity(highest);
    let mut cursors = vec![0; highest];
    let mut next = 0;
    for level in (0..highest).rev() {
        let states = next..next + counts.iter().map(|own| own[level]).sum::<u32>();
        cursors[level] = next;
        next = states.end;
        let cyclic = states.end - in_cycle[level];
        levels.push(Level { states, cyclic, families: 0..0, outcomes: 0, digits: 0 });
    }
    let mut numbers = filled(UNKNOWN, next as usize);
    let families = arrange_cyclic(code, sccs, &first, &mut levels, &mut numbers, budget)?;
    // For each chunk the numbers to assign, and the next number of each level.
    let mut pieces = Vec::with_capacity(counts.len());
    let mut rest = &mut numbers[..];
    for (number, (mut own, levels)) in counts.into_iter().zip(sccs.levels.chunks(chunk)).enumerate() {
        budget.look()?;
        let nodes = nodes_of(number, levels);
        let begin = first(nodes.start);
        let (numbers, after) = rest.split_at_mut((first(nodes.end) - begin) as usize);
        rest = after;
        for (node, level) in nodes.clone().zip(levels) {
            if numbers[(first(node) - begin) as usize] != UNKNOWN {
                own[*level as usize] -= 1;
            }
        }
        pieces.push((nodes, levels, numbers, cursors.clone()));
        cursors.iter_mut().zip(own).for_each(|(cursor, own)| *cursor += own);
    }
    pieces.into_par_iter().for_each(|(nodes, levels, numbers, mut cursors)| {
        let begin = first(nodes.start);
        for (node, level) in nodes.zip(levels) {
            let own = &mut numbers[(first(node) - begin) as usize..(first(node + 1) - begin) as usize];
            if own.first() != Some(&UNKNOWN) {
                continue;
            }
            for number in own {
                *number = cursors[*level as usize];
                cursors[*level as usize] += 1;
            }
        }
    });
    Ok((numbers, levels, families))
}

/// Numbers the states of components, isomorphic components one after the other, and adds their families to the levels.
fn arrange_cyclic(
    code: &Code,
    sccs: &Sccs,
    first: impl Fn(u32) -> StateId,
    levels: &mut [Level],
    numbers: &mut [StateId],
    budget: &Budget<'_>,
) -> Result<Vec<Family>, Stopped> {
    let mut families: Vec<Family> = Vec::new();
    let deepest = levels.len();
    let level_of = |scc: &[u32]| deepest - 1 - sccs.levels[scc[0] as usize] as usize;
    let mut cyclic: Vec<&Vec<u32>> = sccs.cyclic.iter().collect();
    cyclic.sort_by_key(|scc| (level_of(scc), scc[0]));
    let isomorphic = |one: &&Vec<u32>, next: &&Vec<u32>| {
        let goes_on = |one: u32, next: u32| one + 1 == next && next < code.block(one).end();
        let go_on = one.len() == next.len() && one.iter().zip(*next).all(|(one, next)| goes_on(*one, *next));
        go_on && level_of(one) == level_of(next)
    };
    for sccs in cyclic.chunk_by(isomorphic).flat_map(|sccs| sccs.chunks(MOST_SCCS)) {
        budget.look()?;
        let level = &mut levels[level_of(sccs[0])];
        let before = families.last().filter(|_| !level.families.is_empty());
        let begin = before.map_or(level.cyclic, Family::end);
        let family = Family { first: begin, sccs: id(sccs.len()), states: id(sccs[0].len()) };
        for (scc, members) in sccs.iter().zip(family.all()) {
            for (node, number) in scc.iter().zip(members.iter()) {
                numbers[first(*node) as usize] = number;
            }
        }
        if level.families.is_empty() {
            level.families.start = id(families.len());
        }
        families.push(family);
        level.families.end = id(families.len());
    }
    Ok(families)
}

/// The old number of every new one.
pub(crate) fn inverse(numbers: &[StateId]) -> Vec<StateId> {
    inverse_of(numbers.len(), |old| numbers[old])
}

fn renumber(code: Code, numbers: &[StateId], budget: &Budget<'_>) -> Result<Code, Stopped> {
    const CHUNK: usize = 1 << 14;
    let old_numbers = inverse(numbers);
    let mut offsets = Vec::with_capacity(code.offsets.len());
    offsets.push(0);
    let mut end = 0;
    for old in &old_numbers {
        end += code.offsets[*old as usize + 1] - code.offsets[*old as usize];
        offsets.push(end);
    }
    let mut words = vec![0; code.words.len()];
    let mut pieces = Vec::new();
    let mut rest = &mut words[..];
    for states in old_numbers.chunks(CHUNK) {
        let first = pieces.len() * CHUNK;
        let (piece, after) = rest.split_at_mut(to_index(offsets[first + states.len()] - offsets[first]));
        pieces.push((states, piece));
        rest = after;
    }
    pieces.into_par_iter().try_for_each(|(states, mut piece)| {
        for state in states {
            look(budget, *state)?;
            let run = code.run(*state);
            let (own, after) = piece.split_at_mut(run.len());
            piece = after;
            let mut at = 0;
            while at < run.len() {
                let header = run[at];
                own[at] = header;
                at += 1;
                if header & KIND == CHANCE {
                    for _ in 0..code.weights.count(header) {
                        own[at] = numbers[run[at] as usize];
                        at += 1;
                    }
                }
            }
        }
        Ok(())
    })?;
    let shared = code.shared.iter().map(|(state, delta)| (numbers[*state as usize], *delta)).collect();
    Ok(Code { offsets, words, shared, ..code })
}

/// A stream of nodes in which only those of cyclic rows have words.
fn cyclic_rows(
    tables: Code,
    emitted: &Numbered<'_>,
    rows: &RowGraph,
    nodes: &Nodes,
    budget: &Budget<'_>,
) -> Result<Code, Stopped> {
    if !nodes.any_cyclic() {
        return Ok(Code { offsets: vec![0; nodes.len() + 1], ..tables });
    }
    let runs: Vec<Range<u32>> = (0..id(rows.len())).map(|row| nodes.of_row(row)).collect();
    let stream = Stream::of_nodes(emitted, rows, nodes);
    let write = |steps: &mut u32, run: usize, writer: &mut BlockWriter<'_>| {
        let row = id(run);
        if !nodes.is_cyclic(row) {
            writer.skip(1);
            return Ok(());
        }
        let states = rows.states(row);
        stream.write(states.end - states.start, |lane| states.start + lane, steps, writer, budget)
    };
    write_runs(tables, 0, &runs, write)
}

/// The stream in solving order.
fn in_order(
    tables: Code,
    emitted: &Numbered<'_>,
    numbers: &[StateId],
    levels: &[Level],
    families: &[Family],
    budget: &Budget<'_>,
) -> Result<Code, Stopped> {
    /// Longer runs are written in several pieces.
    const MOST: StateId = 1 << 14;
    let old_numbers = inverse(numbers);
    // Blocks do not extend beyond the corresponding states of a family.
    let alone = |level: &Level| {
        let states = level.states.start..level.cyclic;
        states.clone().step_by(MOST as usize).map(move |first| first..states.end.min(first + MOST))
    };
    let of_family = |level: &Level| {
        let own = &families[level.families.start as usize..level.families.end as usize];
        own.iter().flat_map(|family| family.runs())
    };
    let runs: Vec<Range<StateId>> = levels.iter().flat_map(|level| alone(level).chain(of_family(level))).collect();
    let stream = Stream::renumbered(emitted, numbers);
    let write = |steps: &mut u32, run: usize, writer: &mut BlockWriter<'_>| {
        let Range { start, end } = runs[run];
        stream.write(end - start, |lane| old_numbers[(start + lane) as usize], steps, writer, budget)
    };
    write_runs(tables, emitted.words(), &runs, write)
}
