//! Expansion of rows: batches of states that differ only in the hero's health.
//!
//! Most of the expansion is the same for all states of a row: the possible answers, the stops after them, the outcomes of
//! chances. It is computed once for all of them ([`lockstep`](super::lockstep)) until they diverge, and cached by the registers
//! on which it depends.

use std::ops::Range;

use mdp::rows::{RowTarget, RowTurns};

use super::Machine;
use super::action::Move;
use super::lane_group::{LaneGroup, LaneTargets, Stops, join};
use super::row_buffers::RowBuffers;
use super::row_cache::Arrivals;
use super::row_field::RowField;
use super::run_cache::Buffers;
use super::successor_cache::RequestedLanes;
use crate::program::{DEAD, Instruction, Outcome, Reads, State, Weight};

/// Chances with more outcomes are expanded state by state.
const MOST_OUTCOMES: usize = 100;

impl Machine {
    /// Emits the actions and successors of the states at these positions of a row.
    pub(super) fn expand_row(
        &self,
        row_field: &RowField,
        row: &State,
        positions: &[u32],
        turns: &mut RowTurns<State, String>,
        buffers: &mut Buffers,
    ) {
        let Some(all) = LaneGroup::of_all(positions) else { return };
        let requested = RequestedLanes {
            positions: positions.iter().fold(0, |all, position| all | 1 << position),
            stage: if row.place() >= DEAD || self.program.stages.is_empty() {
                0
            } else {
                self.program.stage(row.place())
            },
        };
        let mut rows = RowExpansion { machine: self, row_field, own: positions, requested, turns, buffers };
        let together = row.place() < DEAD && self.analyses.straight && !self.entering;
        match self.instruction(row) {
            Some(Instruction::Ask(_)) if together => rows.ask(row),
            Some(Instruction::Chance { .. } | Instruction::Fold(_)) if together => {
                rows.known(row, |own| own.chance(row, &[all]));
            }
            _ => rows.alone(row, &all),
        }
    }
}

/// The row that is being expanded.
pub(super) struct RowExpansion<'a> {
    pub machine: &'a Machine,
    pub row_field: &'a RowField,
    /// The positions of the requested states.
    pub own: &'a [u32],
    requested: RequestedLanes,
    pub turns: &'a mut RowTurns<State, String>,
    buffers: &'a mut Buffers,
}

impl RowExpansion<'_> {
    /// Expands states one by one.
    fn alone(&mut self, row: &State, group: &LaneGroup) {
        for state in group.from..group.to {
            self.one(&self.row_field.at(row, group.at(self.own, state)), state);
        }
    }

    pub(super) fn one(&mut self, now: &State, state: u32) {
        let Self { machine, row_field, turns, buffers, .. } = self;
        buffers.rows.followed.give_up();
        turns.alone(state as usize, |turn| machine.expand(now, turn, buffers), |next| row_field.split(next));
    }

    /// Expands a question to the player.
    fn ask(&mut self, row: &State) {
        let own = self.own;
        let Some(all) = LaneGroup::of_all(own) else { return };
        let mut moves = std::mem::take(&mut self.buffers.rows.moves);
        let mut possible = std::mem::take(&mut self.buffers.rows.possible);
        if self.machine.possible(self.row_field, row, &mut possible) {
            self.machine.choices_of(row, &mut moves, &mut self.buffers.seen, |number| possible[number]);
            self.buffers.rows.possible = possible;
            self.answered(row, 0..all.to, &moves, |_| std::slice::from_ref(&all));
            self.buffers.rows.moves = moves;
            return;
        }
        // States with the same answers are expanded together.
        let mut others = std::mem::take(&mut self.buffers.rows.others);
        let mut after: Vec<Vec<LaneGroup>> = Vec::new();
        let mut together = 0..0;
        for (state, position) in (0..).zip(own) {
            let now = self.row_field.at(row, *position);
            self.machine.choices_of(&now, &mut others, &mut self.buffers.seen, |number| possible[number]);
            let split = |answer: &Move| self.row_field.split(&answer.state);
            let same = moves.len() == others.len()
                && moves.iter().zip(&others).all(|(left, right)| left.state == split(right).0);
            if together.is_empty() || !same {
                self.answered(row, together.clone(), &moves, |answer| &after[answer]);
                together = state..state;
                moves.clear();
                moves.extend(others.iter().map(|answer| Move { state: split(answer).0, ..*answer }));
                after.iter_mut().for_each(Vec::clear);
                after.resize_with(after.len().max(moves.len()), Vec::new);
            }
            for (groups, answer) in after.iter_mut().zip(&others) {
                join(groups, own, state, split(answer).1);
            }
            together.end = state + 1;
        }
        self.answered(row, together, &moves, |answer| &after[answer]);
        self.buffers.rows.possible = possible;
        self.buffers.rows.moves = moves;
        self.buffers.rows.others = others;
    }

    /// Adds the successors of the answers of some states; `after` returns their groups after each answer.
    fn answered<'p>(
        &mut self,
        row: &State,
        states: Range<u32>,
        moves: &[Move],
        after: impl Fn(usize) -> &'p [LaneGroup],
    ) {
        if states.is_empty() {
            return;
        }
        if moves.is_empty() {
            self.turns.together(states.start as usize..states.end as usize).end(0);
        }
        for (answer, to) in moves.iter().enumerate() {
            self.follow(row, &to.state, after(answer));
        }
    }

    /// Adds the successors of a row right after an answer to `question`.
    fn follow(&mut self, question: &State, row: &State, groups: &[LaneGroup]) {
        // The cache holds what follows for all lanes.
        if groups.len() == 1 && LaneGroup::of_all(self.own).as_ref() == groups.first() {
            self.known(row, |own| own.follow_anew(question, row, groups));
        } else {
            self.follow_anew(question, row, groups);
        }
    }

    /// Emits what all states emit from a row on: from the cache, or computed by `anew`.
    fn known(&mut self, row: &State, anew: impl FnOnce(&mut Self)) {
        self.buffers.belong_to(self.machine);
        if self.buffers.rows.followed.again(row, self.requested, self.turns) {
            return;
        }
        let checkpoint = self.turns.checkpoint();
        self.buffers.rows.followed.begin();
        anew(self);
        self.buffers.rows.followed.end(row, self.requested, self.turns, checkpoint);
    }

    /// The same without the cache.
    fn follow_anew(&mut self, question: &State, row: &State, groups: &[LaneGroup]) {
        let mut stops = std::mem::take(&mut self.buffers.rows.stops);
        self.advance(Arrivals { row, own: self.own, groups }, &mut stops);
        for (row, groups) in stops.iter() {
            if self.machine.joins_question(question, row) {
                self.chance(row, groups);
            } else {
                let row = self.number(row);
                for LaneTargets { from, to, next } in groups.iter().map(|group| group.to_row(row)) {
                    self.turns.together(from as usize..to as usize).to(next);
                }
            }
        }
        self.buffers.rows.stops = stops;
    }

    /// Adds the outcomes of a chance in a row.
    fn chance(&mut self, row: &State, groups: &[LaneGroup]) {
        let machine = self.machine;
        match machine.instruction(row) {
            Some(Instruction::Fold(fold)) => self.fold(row, fold, groups),
            Some(Instruction::Chance { outcomes }) if self.is_plain(row, outcomes) => {
                self.come_up(row, outcomes, groups);
            }
            _ => {
                let Self { row_field, turns, buffers, own, .. } = self;
                buffers.rows.followed.give_up();
                for group in groups {
                    for state in group.from..group.to {
                        let now = row_field.at(row, group.at(own, state));
                        let chance = |turn: &mut _| machine.chance(&now, turn, buffers);
                        turns.alone(state as usize, chance, |next| row_field.split(next));
                    }
                }
            }
        }
    }

    /// Whether a chance has few outcomes, with weights that are the same for the whole row.
    fn is_plain(&self, row: &State, outcomes: &[Outcome]) -> bool {
        let place = row.place() as usize;
        let layout = &self.machine.program.layout;
        let own = |outcome: &Outcome| match &outcome.weight {
            Weight::Register(register) => self.row_field.is_in(&layout.mask(*register)),
            Weight::Holds(test) => {
                let mut reads = false;
                test.reads(&mut |register| reads |= self.row_field.is_in(&layout.mask(register)));
                reads
            }
            Weight::Number(_) | Weight::Large(_) | Weight::BySkill(_) => false,
        };
        !self.machine.merges_chances()
            && !self.machine.large[place]
            && outcomes.len() <= MOST_OUTCOMES
            && !outcomes.iter().any(own)
    }

    /// Adds the outcomes of a chance one by one.
    fn come_up(&mut self, row: &State, outcomes: &[Outcome], groups: &[LaneGroup]) {
        let (machine, own) = (self.machine, self.own);
        let touches = machine.touches.step(row.place());
        self.touch(touches);
        let touched = self.row_field.is_in(touches);
        let mut up = std::mem::take(&mut self.buffers.rows.outcomes);
        let mut after = Vec::new();
        // Outcomes that surely do the same are one.
        let mut rows: Vec<Option<State>> = Vec::with_capacity(outcomes.len());
        let highest = groups.iter().map(|group| group.at(own, group.to - 1)).max().unwrap_or(0);
        let highest = self.row_field.at(row, highest);
        for outcome in outcomes {
            let weight = machine.small_weight(row, &outcome.weight);
            if weight == 0 {
                continue;
            }
            let next = if !touched {
                Some(machine.after(row, outcome))
            } else if machine.falls[row.place() as usize] {
                // The highest position shows how far all fall.
                Some(machine.after(&highest, outcome))
            } else {
                None
            };
            if let Some(known) = rows.iter().position(|known| next.is_some() && *known == next) {
                up[known].0 += weight;
                continue;
            }
            let place = rows.len();
            rows.push(next);
            if up.len() == place {
                up.push((0, Vec::new()));
            }
            let (in_all, targets) = &mut up[place];
            *in_all = weight;
            targets.clear();
            if let Some(next) = next.filter(|_| !touched) {
                self.add_targets(&next, own, groups, targets);
                continue;
            }
            let mut to: Option<State> = None;
            after.clear();
            let moves_only = self.row_field.is_moved(outcome);
            for group in groups {
                let mut state = group.from;
                while state < group.to {
                    let after_chance = |state: u32| {
                        self.row_field.split(&machine.after(&self.row_field.at(row, group.at(own, state)), outcome))
                    };
                    let (next, position) = after_chance(state);
                    // If the first and the last keep their distance, so do all between: adding a number within limits never
                    // increases a distance.
                    let last = group.to - 1;
                    let distance = own[last as usize] - own[state as usize];
                    let whole = moves_only && group.moves && after_chance(last) == (next, position + distance);
                    if let Some(to) = to.filter(|to| *to != next) {
                        self.add_targets(&to, own, &after, targets);
                        after.clear();
                    }
                    to = Some(next);
                    if whole {
                        after.push(LaneGroup { from: state, to: group.to, position, moves: true });
                        break;
                    }
                    join(&mut after, own, state, position);
                    state += 1;
                }
            }
            if let Some(to) = to {
                self.add_targets(&to, own, &after, targets);
            }
        }
        let meaning = machine.meaning(row);
        let weights: Vec<u64> = up[..rows.len()].iter().map(|(weight, _)| *weight).collect();
        self.emit_together(groups, &up[..rows.len()], |turn, next| {
            turn.meaning(meaning).chance(next.zip(&weights).map(|(next, weight)| (next, mdp::Weight(*weight))));
        });
        self.buffers.rows.outcomes = up;
    }

    /// Adds the targets of groups that enter a row.
    pub(super) fn add_targets(
        &mut self,
        row: &State,
        own: &[u32],
        groups: &[LaneGroup],
        targets: &mut Vec<LaneTargets>,
    ) {
        let mut stops = std::mem::take(&mut self.buffers.rows.stops_after_chance);
        self.advance(Arrivals { row, own, groups }, &mut stops);
        for (row, groups) in stops.iter() {
            let row = self.number(row);
            targets.extend(groups.iter().map(|group| group.to_row(row)));
        }
        self.buffers.rows.stops_after_chance = stops;
    }

    /// Emits the states of these groups, once for each run of states with the same targets. `say` gets the targets.
    pub(super) fn emit_together<T>(
        &mut self,
        groups: &[LaneGroup],
        outcomes: &[(T, Vec<LaneTargets>)],
        say: impl Fn(&mut mdp::Turn<RowTarget, String>, &mut dyn Iterator<Item = RowTarget>),
    ) {
        let mut cuts = std::mem::take(&mut self.buffers.rows.cuts);
        cuts.clear();
        cuts.extend(outcomes.iter().flat_map(|(_, targets)| targets.iter().map(|targets| targets.from)));
        cuts.extend(groups.iter().flat_map(|group| [group.from, group.to]));
        cuts.sort_unstable();
        cuts.dedup();
        for cut in cuts.windows(2) {
            if !groups.iter().any(|group| (group.from..group.to).contains(&cut[0])) {
                continue;
            }
            let own = |state: u32| self.own[state as usize];
            let next = |(_, targets): &(T, Vec<LaneTargets>)| {
                let targets = targets.iter().find(|targets| (targets.from..targets.to).contains(&cut[0]));
                targets.map_or_else(RowTarget::default, |targets| targets.next.after(own(cut[0]) - own(targets.from)))
            };
            let turn = self.turns.together(cut[0] as usize..cut[1] as usize);
            say(turn, &mut outcomes.iter().map(next));
        }
        self.buffers.rows.cuts = cuts;
    }

    /// Advances groups in a row to their stops.
    fn advance(&mut self, arrivals: Arrivals<'_>, stops: &mut Stops) {
        let Self { machine, row_field, buffers, .. } = self;
        buffers.belong_to(machine);
        let RowBuffers { cache, followed, .. } = &mut buffers.rows;
        cache.advance(machine, row_field, arrivals, &mut buffers.inner, stops);
        followed.depends().join(&stops.depends);
    }

    /// Records that registers are read or written.
    pub(super) fn touch(&mut self, registers: &State) {
        self.buffers.rows.followed.depends().touch(registers);
    }

    /// The number of a row in which play stops.
    fn number(&mut self, row: &State) -> u32 {
        let number = self.turns.row(row);
        self.buffers.rows.followed.comes_to(number, self.machine.passed(row.place()));
        number
    }
}
