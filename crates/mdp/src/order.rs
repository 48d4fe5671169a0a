//! Solving order: cyclic parts, levels, and the renumbering that puts them in a row.

use std::iter;
use std::ops::Range;

use budget::{Budget, Stopped};
use dashu_int::UBig;
use rayon::prelude::*;

use crate::blocks::BlockWriter;
use crate::cyclic::Family;
use crate::model::{CHANCE, Code, Counts, FINAL, KIND, LOW, Level, MOVES, Model, REWARD, SHARED, StateId, target};
use crate::places::{id, place};
use crate::weights::{WeightSlice, WeightTable};

/// Bytes a state that [`order`] needs beside the new stream: the search keeps three numbers for every state. What it
/// needs for a state and those after it on its way is asked for as it grows.
pub(crate) const BYTES_PER_STATE: u64 = 3 * 4;

/// Puts a stream whose states are numbered in any order into solving order. Also returns the new
/// number of every old one, unless all stay the same. `held` is how many bytes the caller holds, the stream among them.
/// Where states have rows, `rows` are the first states of them; states of a row keep together as far as no choice leads
/// back.
pub(crate) fn order(
    code: Code,
    rows: Option<&[StateId]>,
    held: u64,
    budget: &Budget<'_>,
) -> Result<(Model, Option<Vec<StateId>>), Stopped> {
    let parts = strong_parts(&code, rows, held, budget)?;
    let (numbers, levels, families) = arrange(&code, &parts, budget)?;
    drop(parts);
    let in_place = numbers.par_iter().enumerate().all(|(old, new)| old == *new as usize);
    let code = match rows {
        None if in_place => code,
        None => renumber(code, &numbers, budget)?,
        Some(_) => renumber_blocks(code, &numbers, &levels, &families, budget)?,
    };
    let (measured, counts) = measure(&code, &levels, &families, budget)?;
    let levels = levels.into_iter().zip(measured);
    let levels = levels.map(|(level, Measured { outcomes, digits })| Level { outcomes, digits, ..level }).collect();
    let model = Model { code, levels, families, counts };
    Ok((model, (!in_place).then_some(numbers)))
}

/// The most parts of a family: families are solved side by side.
const MOST_PARTS: usize = 256;

/// Asks the budget at some of the states (or steps) that a loop goes through: often enough, and so seldom that
/// it costs nothing.
fn look(budget: &Budget<'_>, count: u32) -> Result<(), Stopped> {
    if count.is_multiple_of(1 << 10) { budget.check() } else { Ok(()) }
}

/// The level of every state, and the cyclic parts.
struct Parts {
    levels: Vec<u32>,
    /// Every cyclic part's states, in increasing order.
    cyclic: Vec<Vec<StateId>>,
}

/// A state on the way down of the depth-first search.
struct Frame {
    state: StateId,
    /// Words of the state's run still to read.
    next: u64,
    end: u64,
    /// Targets of the current chance node still to visit.
    target: u64,
    targets: u32,
    /// The state's place in its block.
    lane: u32,
    /// One more than the highest level met outside the state's own part.
    level: u32,
    leads_to_itself: bool,
}

const UNKNOWN: u32 = u32::MAX;

/// What the search knows of a state.
#[derive(Clone, Copy)]
struct Found {
    /// How many states were visited before it.
    visited: u32,
    /// The lowest of these numbers of the states that it is known to lead to and that are still open.
    lowest: u32,
}

/// The strongly connected components. A state whose choices lead to higher numbers only is one by itself, if no choice
/// leads from a higher number to it or below it: models that are written down level by level need no search, nor do the
/// parts of others that are. Rows are looked at as a whole.
fn strong_parts(code: &Code, rows: Option<&[StateId]>, held: u64, budget: &Budget<'_>) -> Result<Parts, Stopped> {
    let mut parts = Parts { levels: vec![UNKNOWN; code.states() as usize], cyclic: Vec::new() };
    let held = held + u64::from(code.states()) * BYTES_PER_STATE;
    let mut search = Search { held, ..Search::default() };
    let mut rows_left = rows.map_or(0, <[StateId]>::len);
    let mut end = code.states();
    while end > 0 {
        // The rows from `begin` to `end` are those between which choices lead back.
        let mut begin = end;
        let mut least = StateId::MAX;
        let mut level = 0;
        let mut count = 0;
        while count == 0 || least < begin {
            let last = begin;
            begin = rows.map_or(last - 1, |rows| {
                rows_left -= 1;
                rows[rows_left]
            });
            count += 1;
            let mut after = last;
            while after > begin {
                look(budget, after)?;
                let block = code.block(after - 1);
                for word in code.choices(block.first).flat_map(|choice| choice.targets.words) {
                    let first = target(*word, 0);
                    let lanes = if word & MOVES == 0 { 1 } else { block.lanes };
                    least = least.min(first);
                    for known in &parts.levels[first as usize..(first + lanes) as usize] {
                        level = level.max(known.wrapping_add(1));
                    }
                }
                after = block.first;
            }
        }
        if count == 1 && least >= end {
            parts.levels[begin as usize..end as usize].fill(level);
        } else {
            search.find(code, begin..end, &mut parts, budget)?;
        }
        end = begin;
    }
    Ok(parts)
}

/// Tarjan's algorithm for strongly connected components, without recursion.
#[derive(Default)]
struct Search {
    found: Vec<Found>,
    open: Vec<StateId>,
    frames: Vec<Frame>,
    steps: u32,
    /// Bytes that are held beside `open` and `frames`.
    held: u64,
}

impl Search {
    /// Finds the components of the states in a range; those of higher numbers are known, and no choice leads to lower
    /// ones. Components are finished after all they lead to, so the levels come out on the way.
    fn find(
        &mut self,
        code: &Code,
        states: Range<StateId>,
        parts: &mut Parts,
        budget: &Budget<'_>,
    ) -> Result<(), Stopped> {
        let Self { found, open, frames, steps, held } = self;
        let first = states.start;
        found.clear();
        found.resize(states.len(), Found { visited: UNKNOWN, lowest: 0 });
        let mut visits = 0;
        let frame = |state: StateId| {
            let (words, lane) = code.words_of(state);
            let Range { start: next, end } = words;
            Frame { state, next, end, target: 0, targets: 0, lane, level: 0, leads_to_itself: false }
        };
        for root in states.clone() {
            if found[(root - first) as usize].visited != UNKNOWN {
                continue;
            }
            let mut entered = Some(root);
            loop {
                *steps = steps.wrapping_add(1);
                look(budget, *steps)?;
                if let Some(state) = entered.take() {
                    found[(state - first) as usize] = Found { visited: visits, lowest: visits };
                    visits += 1;
                    may_grow(open, frames, *held, budget)?;
                    open.push(state);
                    frames.push(frame(state));
                }
                let Some(top) = frames.last_mut() else { break };
                let state = top.state;
                if top.targets > 0 {
                    let target = target(code.words[place(top.target)], top.lane);
                    top.target += 1;
                    top.targets -= 1;
                    let level = parts.levels[target as usize];
                    if level != UNKNOWN {
                        top.level = top.level.max(level + 1);
                        continue;
                    }
                    let Found { visited, .. } = found[(target - first) as usize];
                    if visited == UNKNOWN {
                        entered = Some(target);
                    } else {
                        let lowest = &mut found[(state - first) as usize].lowest;
                        *lowest = (*lowest).min(visited);
                        top.leads_to_itself |= target == state;
                    }
                } else if top.next < top.end {
                    top.read_on(code);
                } else {
                    let Some(done) = frames.pop() else { break };
                    let Found { visited, lowest } = found[(state - first) as usize];
                    let finished = lowest == visited;
                    if finished {
                        let own = open.iter().rposition(|other| *other == state).unwrap_or(0);
                        for member in &open[own..] {
                            parts.levels[*member as usize] = done.level;
                        }
                        if open.len() - own > 1 || done.leads_to_itself {
                            let mut members = open[own..].to_vec();
                            members.sort_unstable();
                            parts.cyclic.push(members);
                        }
                        open.truncate(own);
                    }
                    if let Some(parent) = frames.last_mut() {
                        let above = &mut found[(parent.state - first) as usize].lowest;
                        if finished {
                            parent.level = parent.level.max(done.level + 1);
                        } else {
                            parent.level = parent.level.max(done.level);
                            *above = (*above).min(lowest);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Asks for the memory that the way down takes when an array is full and doubles.
fn may_grow(open: &[StateId], frames: &Vec<Frame>, held: u64, budget: &Budget<'_>) -> Result<(), Stopped> {
    if frames.len() < frames.capacity() {
        return Ok(());
    }
    let growth = (2 * frames.capacity() * size_of::<Frame>()) as u64;
    budget.more_memory(growth)?;
    budget.memory(held + 3 * growth / 2 + 2 * size_of_val(open) as u64)
}

impl Frame {
    /// Goes on to the targets of the next chance node.
    fn read_on(&mut self, code: &Code) {
        let header = code.words[place(self.next)];
        self.next += 1;
        match header & KIND {
            CHANCE => {
                self.target = self.next;
                self.targets = id(code.weights.count(header));
                self.next += u64::from(self.targets);
            }
            SHARED => {
                let (owner, delta) = code.shared[(header & LOW) as usize];
                let node = code.offsets[owner as usize] + u64::from(delta);
                self.target = node + 1;
                self.targets = id(code.weights.count(code.words[place(node)]));
            }
            _ => {}
        }
    }
}

/// The new number of every state, the levels, and the families of cyclic parts by new numbers.
type Arranged = (Vec<StateId>, Vec<Level>, Vec<Family>);

/// Gives every state its number in solving order: deepest level first, in each level the states
/// without a cycle first, otherwise in the order of the old numbers.
fn arrange(code: &Code, parts: &Parts, budget: &Budget<'_>) -> Result<Arranged, Stopped> {
    let highest = parts.levels.iter().copied().max().map_or(0, |level| level as usize + 1);
    let mut in_cycle = vec![0u32; highest];
    let mut by_level: Vec<u32> = vec![0; highest];
    for level in &parts.levels {
        by_level[*level as usize] += 1;
    }
    let mut cyclic: Vec<&Vec<StateId>> = parts.cyclic.iter().collect();
    cyclic.sort_by_key(|part| (std::cmp::Reverse(parts.levels[part[0] as usize]), part[0]));
    for part in &cyclic {
        in_cycle[parts.levels[part[0] as usize] as usize] += id(part.len());
    }
    let mut levels = Vec::with_capacity(highest);
    let mut cursors = vec![0; highest];
    let mut next = 0;
    for level in (0..highest).rev() {
        let states = next..next + by_level[level];
        cursors[level] = next;
        next = states.end;
        let cyclic = states.end - in_cycle[level];
        levels.push(Level { states, cyclic, families: 0..0, outcomes: 0, digits: 0 });
    }
    let mut numbers = vec![UNKNOWN; parts.levels.len()];
    let mut families: Vec<Family> = Vec::new();
    let level_of = |part: &[StateId]| highest - 1 - parts.levels[part[0] as usize] as usize;
    let alike = |one: &&Vec<StateId>, next: &&Vec<StateId>| {
        let goes_on = |one: StateId, next: StateId| one + 1 == next && next < code.block(one).end();
        let go_on = one.len() == next.len() && one.iter().zip(*next).all(|(one, next)| goes_on(*one, *next));
        go_on && level_of(one) == level_of(next)
    };
    for parts in cyclic.chunk_by(alike).flat_map(|parts| parts.chunks(MOST_PARTS)) {
        budget.look()?;
        let level = &mut levels[level_of(parts[0])];
        let before = families.last().filter(|_| !level.families.is_empty());
        let first = before.map_or(level.cyclic, Family::end);
        let family = Family { first, parts: id(parts.len()), states: id(parts[0].len()) };
        for (part, members) in parts.iter().zip(family.all()) {
            for (state, number) in part.iter().zip(members.iter()) {
                numbers[*state as usize] = number;
            }
        }
        if level.families.is_empty() {
            level.families.start = id(families.len());
        }
        families.push(family);
        level.families.end = id(families.len());
    }
    for (state, level) in parts.levels.iter().enumerate() {
        budget.look()?;
        if numbers[state] == UNKNOWN {
            numbers[state] = cursors[*level as usize];
            cursors[*level as usize] += 1;
        }
    }
    Ok((numbers, levels, families))
}

/// The old number of every new one.
pub(crate) fn inverse(numbers: &[StateId]) -> Vec<StateId> {
    let mut old = vec![0; numbers.len()];
    for (from, to) in (0..).zip(numbers) {
        old[*to as usize] = from;
    }
    old
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
        let (piece, after) = rest.split_at_mut(place(offsets[first + states.len()] - offsets[first]));
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

/// [`renumber`] for streams with blocks.
fn renumber_blocks(
    code: Code,
    numbers: &[StateId],
    levels: &[Level],
    families: &[Family],
    budget: &Budget<'_>,
) -> Result<Code, Stopped> {
    let old_numbers = inverse(numbers);
    let mut writer = BlockWriter::new(&code.weights, old_numbers.len(), code.words.len());
    let mut steps = 0;
    for level in levels {
        let own = &families[level.families.start as usize..level.families.end as usize];
        // Blocks do not go on beyond the like states of a family's parts.
        for states in iter::once(level.states.start..level.cyclic).chain(own.iter().flat_map(|family| family.runs())) {
            let mut next = states.start;
            while next < states.end {
                steps += 1;
                look(budget, steps)?;
                let old = old_numbers[next as usize];
                let block = code.block(old);
                // Those of the block that still follow each other.
                let most = (block.first + block.lanes - old).min(states.end - next);
                let run = &old_numbers[next as usize..(next + most) as usize];
                let lanes = id(run.iter().zip(old..).take_while(|(own, old)| *own == old).count());
                let number = |word: u32, lane: u32| numbers[target(word, old - block.first + lane) as usize];
                let follow = |word: u32| {
                    let first = target(word, old - block.first) as usize;
                    numbers[first..first + lanes as usize].windows(2).all(|two| two[1] == two[0].wrapping_add(1))
                };
                writer.write(block.words, lanes, number, follow);
                next += lanes;
            }
            writer.end_block();
        }
    }
    let (offsets, words) = writer.finish();
    Ok(Code { offsets, words, ..code })
}

/// The binary digits of a number.
fn bits(number: &UBig) -> u32 {
    use dashu_base::BitTest;
    u32::try_from(number.bit_len()).unwrap_or(u32::MAX)
}

/// For every weight vector, how many binary digits its smallest probability can take away.
fn digits(weights: &WeightTable) -> Vec<u32> {
    weights
        .ids()
        .map(|id| {
            let (total, least) = match weights.weights(id) {
                WeightSlice::Small(list, total) => {
                    (64 - total.leading_zeros(), list.iter().min().map_or(1, |least| 64 - least.leading_zeros()))
                }
                WeightSlice::Large(list, total) => (bits(total), list.iter().min().map_or(1, bits)),
            };
            if weights.count(id) == 1 { 0 } else { total - least + 1 }
        })
        .collect()
}

/// What a level says about its outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) outcomes: u32,
    pub(crate) digits: u32,
}

/// What the levels and counts say about choices and outcomes.
pub(crate) fn measure(
    code: &Code,
    levels: &[Level],
    families: &[Family],
    budget: &Budget<'_>,
) -> Result<(Vec<Measured>, Counts), Stopped> {
    let digits = digits(&code.weights);
    let measured: Vec<Counted> = levels
        .par_iter()
        .map(|level| {
            const CHUNK: usize = 1 << 14;
            let chunk = |first: StateId| {
                let mut state = first;
                let mut measured = (0, 0, Counts::default());
                while state < level.states.end.min(first + id(CHUNK)) {
                    look(budget, state)?;
                    let block = code.block(state);
                    let next = (block.first + block.lanes).min(level.states.end);
                    // What its states have in common is counted with the first.
                    if state == block.first.max(level.states.start) {
                        measured = both(measured, measure_block(code, block.words, next - state, &digits));
                    }
                    state = next;
                }
                Ok(measured)
            };
            let chunks: Vec<StateId> = level.states.clone().step_by(CHUNK).collect();
            chunks.into_par_iter().map(chunk).try_reduce(|| (0, 0, Counts::default()), |a, b| Ok(both(a, b)))
        })
        .collect::<Result<_, Stopped>>()?;
    let sum = measured.iter().fold(Counts::default(), |sum, (_, _, counts)| add(sum, *counts));
    let counts = Counts {
        states: u64::from(code.states()),
        levels: levels.len() as u64,
        cyclic_parts: families.iter().map(|family| u64::from(family.parts)).sum(),
        largest_part: families.iter().map(|family| u64::from(family.states)).max().unwrap_or(0),
        ..sum
    };
    Ok((measured.into_iter().map(|(outcomes, digits, _)| Measured { outcomes, digits }).collect(), counts))
}

/// The most outcomes of a state, the most digits, and how much there is.
type Counted = (u32, u32, Counts);

/// What so many states with these words count for.
fn measure_block(code: &Code, words: &[u32], lanes: u32, digits: &[u32]) -> Counted {
    let lanes = u64::from(lanes);
    let (mut most, mut deepest, mut counts) = (0, 0, Counts::default());
    let mut at = 0;
    while at < words.len() {
        let header = words[at];
        at += 1;
        match header & KIND {
            FINAL => counts.finished += lanes,
            REWARD => {}
            kind => {
                let mut weights = header;
                if kind == SHARED {
                    let (owner, delta) = code.shared[(header & LOW) as usize];
                    weights = code.run(owner)[delta as usize];
                }
                let outcomes = code.weights.count(weights);
                if kind == CHANCE {
                    counts.outcomes += outcomes as u64;
                    at += outcomes;
                }
                counts.transitions += lanes * outcomes as u64;
                counts.choices += lanes;
                most = most.max(id(outcomes));
                deepest = deepest.max(digits[weights as usize]);
            }
        }
    }
    (most, deepest, counts)
}

fn both(a: Counted, b: Counted) -> Counted {
    (a.0.max(b.0), a.1.max(b.1), add(a.2, b.2))
}

fn add(a: Counts, b: Counts) -> Counts {
    Counts {
        finished: a.finished + b.finished,
        choices: a.choices + b.choices,
        outcomes: a.outcomes + b.outcomes,
        transitions: a.transitions + b.transitions,
        ..a
    }
}
