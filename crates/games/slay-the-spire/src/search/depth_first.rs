//! Solving: depth first along the choices that look best, one strongly connected component after another.

use budget::{Budget, Stopped};

use super::Search;
use super::cycles::CycleOutcome;
use super::followed::Followed;
use super::known::{ACTIVE, Before, INFERRED, NEW, PROVED, SOLVED, is_known};
use crate::graph::choice::SearchState;
use crate::numbers::rounding::up;

/// The most sweeps of a component. One that still improves then is accepted: its values are upper bounds as after any
/// sweep, and lower bounds are computed from its choices, so the reported bounds are wider, but proved.
const SWEEPS: usize = 2_000;

/// Values whose differences are this close to those of the healths are taken to differ by as much.
const INFERRING: f64 = 2e-12;

/// A state on the search path.
#[derive(Debug)]
struct Frame {
    state: SearchState,
    number: u32,
    low: u32,
    successors: Vec<SearchState>,
    /// The values by which it was last backed up, and whether it led back to itself.
    after: Vec<(u32, i16, f64)>,
    returns: bool,
    /// The number of freed sets at that time.
    freed: u64,
}

/// The result of updating a component.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Updated {
    /// Nothing changes any more.
    Yes,
    /// Its best choices lead to these new states.
    Grown(Vec<SearchState>),
    /// Its best choices lead back to an active state before it, with this number.
    Joined(u32),
}

impl Search<'_, '_> {
    /// Solves an after node for a health: afterwards its value is an upper bound under best play.
    pub(crate) fn solve(&mut self, node: u32, health: i16, budget: &Budget<'_>) -> Result<(), Stopped> {
        loop {
            self.open(node);
            let rolls = self.graph.rolls_of(node).unwrap_or_default();
            let states: Vec<SearchState> = rolls.iter().map(|(_, before)| (*before, health)).collect();
            let looked = self.deepen(&states, budget);
            if looked.is_err() {
                self.refresh(node, health);
                return looked;
            }
            for state in states {
                if !self.is_known(state) {
                    let solved = self.visit(state, budget);
                    if solved.is_err() {
                        self.forget_active();
                        return solved;
                    }
                }
            }
            if !self.refresh(node, health) {
                return Ok(());
            }
        }
    }

    /// Solves a decision for a health. Returns an upper bound of its value.
    pub(crate) fn solve_point(&mut self, point: u32, health: i16, budget: &Budget<'_>) -> Result<f64, Stopped> {
        let mut followed = Followed::default();
        loop {
            followed.clear();
            let value = self.follow(point, health, &mut followed);
            let open = followed.next.iter().find(|state| !self.is_known(**state)).copied();
            match open {
                None if !followed.opened => return Ok(value),
                None => {}
                Some(state) => {
                    self.deepen(&[state], budget)?;
                    let solved = self.visit(state, budget);
                    if solved.is_err() {
                        self.forget_active();
                    }
                    solved?;
                }
            }
        }
    }

    /// After a stop: clears the search path.
    fn forget_active(&mut self) {
        for state in std::mem::take(&mut self.component) {
            self.set_status(state, NEW);
        }
        self.active.clear();
    }

    fn enter(&mut self, state: SearchState, budget: &Budget<'_>) -> Result<Frame, Stopped> {
        self.graph.expand_within(state.0, budget)?;
        let number = self.met;
        self.met += 1;
        self.active.insert(state, number);
        self.component.push(state);
        self.set_status(state, ACTIVE);
        let mut followed = Followed::default();
        self.backup(state, &mut followed);
        let Followed { next: successors, after, .. } = followed;
        Ok(Frame { state, number, low: number, successors, after, returns: false, freed: self.freed })
    }

    fn visit(&mut self, start: SearchState, budget: &Budget<'_>) -> Result<(), Stopped> {
        let mut frames = vec![self.enter(start, budget)?];
        let mut followed = Followed::default();
        while let Some(frame) = frames.last_mut() {
            if let Some(state) = frame.successors.pop() {
                frame.returns |= state == frame.state;
                match self.status(state) {
                    SOLVED | INFERRED | PROVED => {}
                    ACTIVE => frame.low = frame.low.min(self.active[&state]),
                    _ if self.infer(state) => {}
                    _ => {
                        self.ask(budget)?;
                        let entered = self.enter(state, budget)?;
                        frames.push(entered);
                    }
                }
                continue;
            }
            let state = frame.state;
            if frame.freed != self.freed || !self.still(&frame.after) {
                frame.freed = self.freed;
                self.backup(state, &mut followed);
                std::mem::swap(&mut frame.after, &mut followed.after);
                frame.returns = followed.next.contains(&state);
                for state in &followed.next {
                    match self.status(*state) {
                        SOLVED | INFERRED | PROVED => {}
                        ACTIVE => frame.low = frame.low.min(self.active[state]),
                        _ => frame.successors.push(*state),
                    }
                }
                if !frame.successors.is_empty() {
                    continue;
                }
            }
            let low = frame.low;
            if low == frame.number {
                let from = self.component.iter().rposition(|other| *other == state).unwrap_or(0);
                if self.component.len() - from > 1 || frame.returns {
                    match self.update_component(from, budget)? {
                        Updated::Yes => {}
                        Updated::Grown(new) => {
                            // They are searched as if they were successors here: what leads back to an active state
                            // joins the component.
                            frame.successors = new;
                            continue;
                        }
                        Updated::Joined(low) => {
                            frames.pop();
                            if let Some(parent) = frames.last_mut() {
                                parent.low = parent.low.min(low);
                            }
                            continue;
                        }
                    }
                }
                self.release(from, SOLVED);
            }
            frames.pop();
            if self.status(state) == ACTIVE
                && let Some(parent) = frames.last_mut()
            {
                parent.low = parent.low.min(low);
            }
        }
        Ok(())
    }

    /// Infers the value of a state from those with less health, if possible (see [`tighten`](super::tighten)).
    fn infer(&mut self, (node, health): SearchState) -> bool {
        if !self.infers || !self.convex() {
            return false;
        }
        // The nearest two healths with known values.
        let mut below = self.before.below(node, health).filter(|(_, cell)| cell.upper < f64::INFINITY);
        let mut known = || below.next().filter(|(_, cell)| is_known(cell.status));
        let Some((high, Before { upper, .. })) = known() else { return false };
        let Some((low, Before { upper: lower, .. })) = known() else { return false };
        if upper - lower < f64::from(high - low) - INFERRING {
            return false;
        }
        drop(below);
        let value = up(upper + f64::from(health - high), 2);
        self.lower((node, health), value);
        self.set_status((node, health), INFERRED);
        true
    }

    /// Takes the newest component from the active states.
    fn release(&mut self, from: usize, status: u8) {
        for state in self.component.split_off(from) {
            self.active.remove(&state);
            self.set_status(state, status);
        }
    }

    /// Updates a component until nothing changes.
    fn update_component(&mut self, from: usize, budget: &Budget<'_>) -> Result<Updated, Stopped> {
        let states: Vec<SearchState> = self.component[from..].to_vec();
        let first = self.active[&states[0]];
        let mut followed = Followed::default();
        for sweep in 0..SWEEPS {
            let mut change = 0.0f64;
            let mut new = Vec::new();
            for state in states.iter().rev() {
                self.ask(budget)?;
                let old = self.upper(*state);
                self.backup(*state, &mut followed);
                let next = &followed.next;
                change = change.max(old - self.upper(*state));
                new.extend(next.iter().filter(|state| self.status(**state) == NEW));
                let earliest = next.iter().filter_map(|state| self.active.get(state)).min();
                if let Some(number) = earliest.filter(|number| **number < first) {
                    return Ok(Updated::Joined(*number));
                }
            }
            if !new.is_empty() {
                return Ok(Updated::Grown(new));
            }
            // A component that seems to have converged, or does not converge, may be a set of positions that is not
            // left.
            let still = change <= 1e-14;
            if still || sweep % 64 == 63 {
                let stuck = self.break_cycles(&states, budget)?;
                if still && stuck == CycleOutcome::No {
                    break;
                }
            }
        }
        Ok(Updated::Yes)
    }
}
