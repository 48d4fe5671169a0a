//! A heuristic policy is played from the beginning of a fight to its end, turn by turn.
//!
//! Where a search is stopped long before it knows how to play, most positions after the beginning were never visited.
//! Then a policy that considers one turn at a time plays on: among the ends of the turn that it survives it takes the
//! one with the most health left, minus an estimate of the enemies' remaining cost. The probability of each position
//! after each turn is propagated for all healths together; positions of earlier turns are dropped. Positions that are
//! too unlikely are dropped and count as nothing, so the sum is a lower bound of the policy's value, and of best play.

use std::rc::Rc;
use std::time::{Duration, Instant};

use budget::{Budget, Reason};
use rustc_hash::FxHashMap;

use super::Search;
use super::induced_chain::{Ending, Step};
use crate::graph::candidate::{Candidate, Pick, Ranked, first, mean, picked, ranked};
use crate::graph::parts::Key;
use crate::graph::turns::{ClosedTurn, Decided, Opened};
use crate::numbers::chance::Chance;
use crate::numbers::rounding::down;
use crate::rules::spoils::Spoils;
use crate::rules::state::{Change, State};

/// The most turns.
const TURNS: usize = 100;
/// Positions that are less likely are dropped the first time; and the factor of that bound for the next time.
const UNLIKELY: f64 = 1e-4;
const FINER: f64 = 8.0;
/// When no more than this probability is not followed, or is the bound for dropping, the result is complete.
const COMPLETE: f64 = 1e-4;
const NEGLIGIBLE: f64 = 1e-11;
/// The number of beginnings that are followed together.
const TOGETHER: usize = 8;
/// The share of the remaining time that it may take: following the best play that was found comes after it.
const SHARE: f64 = 0.5;
/// How long it continues even when time is up.
const SHORT: Duration = Duration::from_millis(100);
/// The same for a user who has asked it to stop and waits.
const SHORTER: Duration = Duration::from_millis(50);

/// The probability of each of some positions with each health.
#[derive(Debug, Default)]
struct Layer {
    rows: FxHashMap<Key, usize>,
    masses: Vec<f64>,
}

impl Layer {
    /// The approximate number of bytes.
    fn bytes(&self) -> usize {
        size_of_val(self.masses.as_slice()) + 2 * self.rows.len() * size_of::<(Key, usize)>()
    }
}

/// A position within a turn, as the policy evaluates it.
#[derive(Clone, Debug)]
struct Seen {
    ranked: Ranked,
    goes: Goes,
}

/// How a turn continues.
#[derive(Clone, Debug)]
enum Goes {
    Over,
    /// There was no time to evaluate it: it counts as nothing.
    Unseen,
    Closed(Opened),
    Open(Rc<Decided>),
}

/// The state of the rollout.
struct Player<'p, 'g, 'a> {
    search: &'p mut Search<'g, 'a>,
    /// How many healths there are.
    width: usize,
    /// The positions after the current turn.
    after: Layer,
    ends: FxHashMap<Ending, f64>,
    /// The positions evaluated in the current turn.
    seen: FxHashMap<State, Rc<Seen>>,
    /// The number of additions.
    sums: usize,
    /// Whether there is no more time, given the bytes held in addition to the search.
    stops: &'p mut dyn FnMut(&Search<'_, '_>, usize) -> bool,
    /// Whether that was the case: positions that were not evaluated by then are dropped.
    stopped: bool,
}

impl Search<'_, '_> {
    /// Lower bounds of the probabilities of the ends of a fight that begins at these after nodes with these
    /// probabilities and healths, under the heuristic policy.
    pub(crate) fn play_rollout(&mut self, starts: &[(Chance, u32, i16)], budget: &Budget<'_>) -> Step {
        let begun = Instant::now();
        let budget = budget.part(SHARE);
        // Some beginnings at a time, so that all of these are followed to the end before time is up.
        let parts: Vec<_> = starts.chunks(TOGETHER).collect();
        let mut best: Vec<Vec<(f64, Ending)>> = vec![Vec::new(); parts.len()];
        let reached = |ends: &[(f64, Ending)]| ends.iter().map(|(chance, _)| chance).sum::<f64>();
        let mut unlikely = UNLIKELY;
        let mut late = false;
        while !late && best.iter().map(|ends| reached(ends)).sum::<f64>() < 1.0 - COMPLETE && unlikely > NEGLIGIBLE {
            for (part, best) in parts.iter().zip(&mut best) {
                if late {
                    break;
                }
                let ends = self.played_out(part, unlikely, |search, bytes| {
                    let fits = || {
                        budget.check()?;
                        search.fits(&budget)?;
                        budget.memory(search.bytes().saturating_add(bytes as u64))
                    };
                    late |= fits().is_err_and(|stopped| {
                        let short = if stopped.reason == Reason::Interrupted { SHORTER } else { SHORT };
                        begun.elapsed() > short
                    });
                    late
                });
                if reached(&ends) > reached(best) {
                    *best = ends;
                }
            }
            unlikely /= FINER;
        }
        Step { ends: best.concat(), ..Step::default() }
    }

    /// The same without positions less likely than this share of the beginnings, and until it is stopped.
    fn played_out(
        &mut self,
        starts: &[(Chance, u32, i16)],
        unlikely: f64,
        mut stops: impl FnMut(&Search<'_, '_>, usize) -> bool,
    ) -> Vec<(f64, Ending)> {
        let width = usize::try_from(self.graph.transitions.rules.most_health()).unwrap_or(0) + 1;
        let mut player = Player {
            search: self,
            width,
            after: Layer::default(),
            ends: FxHashMap::default(),
            seen: FxHashMap::default(),
            sums: 0,
            stops: &mut stops,
            stopped: false,
        };
        let share: f64 = starts.iter().map(|(chance, ..)| chance.as_f64()).sum();
        for (chance, node, health) in starts {
            let key = player.search.graph.after.value(*node);
            player.arrive(key, *health, chance.as_f64());
        }
        'turns: for _ in 0..TURNS {
            let layer = player.rolled();
            let mut keys: Vec<(Key, usize)> = layer.rows.iter().map(|(key, row)| (*key, *row)).collect();
            // In a deterministic order.
            keys.sort_unstable_by_key(|(_, row)| *row);
            for (key, row) in keys {
                let masses = &layer.masses[row * width..(row + 1) * width];
                if masses.iter().sum::<f64>() < unlikely * share {
                    continue;
                }
                player.asks(layer.bytes());
                player.turn(key, masses);
                if player.stopped {
                    break 'turns;
                }
            }
            if player.after.rows.is_empty() {
                break;
            }
        }
        let sums = player.sums;
        let mut ends: Vec<(f64, Ending)> = player.ends.into_iter().map(|(end, mass)| (down(mass, sums), end)).collect();
        ends.sort_unstable_by_key(|(_, end)| *end);
        ends
    }
}

impl Player<'_, '_, '_> {
    /// Checks the time, with this many bytes held elsewhere.
    fn asks(&mut self, bytes: usize) {
        self.stopped = self.stopped || (self.stops)(self.search, bytes + self.after.bytes());
    }

    fn arrive(&mut self, key: Key, health: i16, mass: f64) {
        let row = self.row(key);
        self.add(row, health, mass);
    }

    /// The row of a position after the turn.
    fn row(&mut self, key: Key) -> usize {
        let next = self.after.rows.len();
        let row = *self.after.rows.entry(key).or_insert(next);
        if row == next {
            self.after.masses.resize((next + 1) * self.width, 0.0);
        }
        row
    }

    fn add(&mut self, row: usize, health: i16, mass: f64) {
        self.sums += 2;
        self.after.masses[row * self.width + usize::try_from(health).unwrap_or(0)] += mass;
    }

    /// The positions after the roll of the enemies' next moves.
    fn rolled(&mut self) -> Layer {
        let after = std::mem::take(&mut self.after);
        let mut keys: Vec<(Key, usize)> = after.rows.into_iter().collect();
        keys.sort_unstable_by_key(|(_, row)| *row);
        for (key, row) in keys {
            for (chance, rolled) in self.search.graph.transitions.rolls(key) {
                let to = self.row(rolled);
                for (health, mass) in (0..).zip(&after.masses[row * self.width..(row + 1) * self.width]) {
                    if *mass > 0.0 {
                        self.add(to, health, chance.as_f64() * mass);
                    }
                }
            }
        }
        std::mem::take(&mut self.after)
    }

    /// Plays a turn, with the probability of each health at its beginning.
    fn turn(&mut self, key: Key, masses: &[f64]) {
        let state = self.search.graph.transitions.state(key);
        self.seen.clear();
        let healths: Vec<(i16, f64)> = (0..).zip(masses.iter().copied()).filter(|(_, mass)| *mass > 0.0).collect();
        for (chance, drawn) in self.search.graph.transitions.rules.start_turn(&state) {
            if self.stopped {
                break;
            }
            self.play(&drawn, chance.as_f64(), &healths);
        }
    }

    /// The evaluation of a position within a turn.
    fn see(&mut self, state: &State) -> Rc<Seen> {
        if let Some(known) = self.seen.get(state) {
            return Rc::clone(known);
        }
        let seen = Rc::new(self.look(state));
        self.seen.insert(*state, Rc::clone(&seen));
        seen
    }

    fn look(&mut self, state: &State) -> Seen {
        if state.is_over() {
            let Change { need, delta, .. } = state.health;
            let won = Candidate { seems: f64::from(delta), need, pick: Pick::End(0) };
            return Seen { ranked: ranked(vec![won]), goes: Goes::Over };
        }
        if state.ended || self.search.graph.transitions.rules.is_closed(state) {
            let opened = self.search.graph.transitions.turn(state);
            let ranked = self.rank(&opened.turn, 0);
            return Seen { ranked, goes: Goes::Closed(opened) };
        }
        // One turn can have very many decisions.
        self.asks(0);
        if self.stopped {
            return Seen { ranked: ranked(Vec::new()), goes: Goes::Unseen };
        }
        let decided = Rc::new(self.search.graph.transitions.decision(state));
        let ends: Vec<_> =
            decided.ends(&mut self.search.graph.transitions.parts).map(|(end, to)| (end.change, to)).collect();
        let mut candidates: Vec<Candidate> = Vec::new();
        for (index, (change, to)) in ends.into_iter().enumerate() {
            candidates.push(self.candidate(index, change, to));
        }
        for (index, items) in decided.chances.iter().enumerate() {
            let items: Vec<_> =
                items.iter().map(|(chance, state)| (chance.as_f64(), first(&self.see(state).ranked))).collect();
            candidates.push(mean(index, items.into_iter()));
        }
        Seen { ranked: ranked(candidates), goes: Goes::Open(decided) }
    }

    fn candidate(&self, index: usize, change: Change, to: Option<Key>) -> Candidate {
        let cost = to.map_or(0.0, |key| self.search.cost(&self.search.graph.transitions.state(key)));
        Candidate { seems: f64::from(change.delta) - cost, need: change.need, pick: Pick::End(index) }
    }

    /// Ranks the options of a decision of a closed turn, once for all piles.
    fn rank(&self, turn: &ClosedTurn, index: usize) -> Ranked {
        if let Some(known) = turn.ranked(index).get() {
            return Rc::clone(known);
        }
        let (ends, chances) = &turn.points[index];
        let mut candidates: Vec<Candidate> = ends
            .iter()
            .enumerate()
            .map(|(search_state, end)| self.candidate(search_state, end.change, end.to()))
            .collect();
        for (search_state, items) in chances.iter().enumerate() {
            let items = items.iter().map(|(chance, to)| (chance.as_f64(), first(&self.rank(turn, *to))));
            candidates.push(mean(search_state, items));
        }
        Rc::clone(turn.ranked(index).get_or_init(|| ranked(candidates)))
    }

    /// Continues a turn.
    fn play(&mut self, state: &State, chance: f64, healths: &[(i16, f64)]) {
        let seen = self.see(state);
        match &seen.goes {
            Goes::Unseen => {}
            Goes::Over => {
                for (health, mass) in healths {
                    let left = state.health.after(*health);
                    self.end(left, None, state.spoils(), chance * mass);
                }
            }
            Goes::Closed(opened) => self.play_closed(opened, 0, chance, healths),
            Goes::Open(decided) => {
                for (pick, healths) in picked(&seen.ranked, healths) {
                    match pick {
                        Pick::End(index) => {
                            let all = decided.ends(&mut self.search.graph.transitions.parts);
                            let found = all.map(|(end, to)| (*end, to)).nth(index);
                            if let Some((end, to)) = found {
                                self.take(end.change, to, end.spoils, chance, healths);
                            }
                        }
                        Pick::Chance(index) => {
                            for (share, next) in &decided.chances[index] {
                                self.play(next, chance * share.as_f64(), healths);
                            }
                        }
                    }
                }
            }
        }
    }

    fn play_closed(&mut self, opened: &Opened, index: usize, chance: f64, healths: &[(i16, f64)]) {
        let ranked = self.rank(&opened.turn, index);
        let (ends, chances) = &opened.turn.points[index];
        for (pick, healths) in picked(&ranked, healths) {
            match pick {
                Pick::End(search_state) => {
                    let end = &ends[search_state];
                    let to = opened.end(&mut self.search.graph.transitions.parts, end);
                    self.take(end.change, to, end.spoils, chance, healths);
                }
                Pick::Chance(search_state) => {
                    for (share, next) in &chances[search_state] {
                        self.play_closed(opened, *next, chance * share.as_f64(), healths);
                    }
                }
            }
        }
    }

    /// Takes an end of a turn.
    fn take(&mut self, change: Change, to: Option<Key>, spoils: Spoils, chance: f64, healths: &[(i16, f64)]) {
        let row = to.map(|key| self.row(key));
        for (health, mass) in healths {
            self.end(change.after(*health), row, spoils, chance * mass);
        }
    }

    /// A turn has ended with this health, in a position or with a won fight.
    fn end(&mut self, left: Option<i16>, row: Option<usize>, spoils: Spoils, mass: f64) {
        let ending = match (left, row) {
            (Some(left), Some(row)) => return self.add(row, left, mass),
            (Some(left), None) => self.search.payoff.ending(left, spoils),
            (None, _) => Ending::DEAD,
        };
        self.sums += 2;
        *self.ends.entry(ending).or_default() += mass;
    }
}

#[cfg(test)]
mod tests;
