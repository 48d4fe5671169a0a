//! Solving: depth first along the choices that look best, one strongly connected component after another.

use budget::{Budget, Stopped};

use super::Search;
use super::cycles::Stuck;
use super::followed::Followed;
use super::known::{ACTIVE, Before, INFERRED, NEW, PROVED, SOLVED, is_known};
use crate::graph::choice::Place;
use crate::numbers::rounding::up;

/// Sweeps of a component at most. One that still improves then is taken as it is: its values hold from above as after any
/// sweep, and from below what comes of its choices is counted, so the bounds that are told are wider, but proved.
const SWEEPS: usize = 2_000;

/// Values that differ by so much less than the healths do are taken to differ by as much.
const INFERRING: f64 = 2e-12;

/// One place on the way of the search.
#[derive(Debug)]
struct Frame {
    place: Place,
    number: u32,
    low: u32,
    waiting: Vec<Place>,
    /// What it was worth by when it was last backed up, and whether it led back to itself.
    after: Vec<(u32, i16, f64)>,
    returns: bool,
    /// How many sets had been freed then.
    freed: u64,
}

/// What became of a component that was improved.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Settled {
    /// Nothing changes any more.
    Yes,
    /// Its best choices lead to these new positions.
    Grown(Vec<Place>),
    /// Its best choices lead back to an active position before it, with this number.
    Joined(u32),
}

impl Search<'_, '_> {
    /// Solves an after node for a health: afterwards its value is that of best play, from above.
    pub(crate) fn solve(&mut self, node: u32, health: i16, budget: &Budget<'_>) -> Result<(), Stopped> {
        loop {
            self.open(node);
            let rolls = self.graph.rolls_of(node).unwrap_or_default();
            let places: Vec<Place> = rolls.iter().map(|(_, before)| (*before, health)).collect();
            let looked = self.deepen(&places, budget);
            if looked.is_err() {
                self.refresh(node, health);
                return looked;
            }
            for place in places {
                if !self.is_known(place) {
                    let solved = self.visit(place, budget);
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

    /// Solves a decision for a health. Returns what it is then worth at most.
    pub(crate) fn solve_point(&mut self, point: u32, health: i16, budget: &Budget<'_>) -> Result<f64, Stopped> {
        let mut followed = Followed::default();
        loop {
            followed.clear();
            let value = self.follow(point, health, &mut followed);
            let open = followed.next.iter().find(|place| !self.is_known(**place)).copied();
            match open {
                None if !followed.opened => return Ok(value),
                None => {}
                Some(place) => {
                    self.deepen(&[place], budget)?;
                    let solved = self.visit(place, budget);
                    if solved.is_err() {
                        self.forget_active();
                    }
                    solved?;
                }
            }
        }
    }

    /// After a stop: nothing is on the way any more.
    fn forget_active(&mut self) {
        for place in std::mem::take(&mut self.component) {
            self.set_mark(place, NEW);
        }
        self.active.clear();
    }

    fn enter(&mut self, place: Place, budget: &Budget<'_>) -> Result<Frame, Stopped> {
        self.graph.expand_within(place.0, budget)?;
        let number = self.met;
        self.met += 1;
        self.active.insert(place, number);
        self.component.push(place);
        self.set_mark(place, ACTIVE);
        let mut followed = Followed::default();
        self.backup(place, &mut followed);
        let Followed { next: waiting, after, .. } = followed;
        Ok(Frame { place, number, low: number, waiting, after, returns: false, freed: self.freed })
    }

    fn visit(&mut self, start: Place, budget: &Budget<'_>) -> Result<(), Stopped> {
        let mut frames = vec![self.enter(start, budget)?];
        let mut followed = Followed::default();
        while let Some(frame) = frames.last_mut() {
            if let Some(place) = frame.waiting.pop() {
                frame.returns |= place == frame.place;
                match self.mark(place) {
                    SOLVED | INFERRED | PROVED => {}
                    ACTIVE => frame.low = frame.low.min(self.active[&place]),
                    _ if self.infer(place) => {}
                    _ => {
                        self.ask(budget)?;
                        let entered = self.enter(place, budget)?;
                        frames.push(entered);
                    }
                }
                continue;
            }
            let place = frame.place;
            if frame.freed != self.freed || !self.still(&frame.after) {
                frame.freed = self.freed;
                self.backup(place, &mut followed);
                std::mem::swap(&mut frame.after, &mut followed.after);
                frame.returns = followed.next.contains(&place);
                for place in &followed.next {
                    match self.mark(*place) {
                        SOLVED | INFERRED | PROVED => {}
                        ACTIVE => frame.low = frame.low.min(self.active[place]),
                        _ => frame.waiting.push(*place),
                    }
                }
                if !frame.waiting.is_empty() {
                    continue;
                }
            }
            let low = frame.low;
            if low == frame.number {
                let from = self.component.iter().rposition(|other| *other == place).unwrap_or(0);
                if self.component.len() - from > 1 || frame.returns {
                    match self.settle(from, budget)? {
                        Settled::Yes => {}
                        Settled::Grown(new) => {
                            // They are looked at as if they followed here: what leads back to an active position
                            // joins the component.
                            frame.waiting = new;
                            continue;
                        }
                        Settled::Joined(low) => {
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
            if self.mark(place) == ACTIVE
                && let Some(parent) = frames.last_mut()
            {
                parent.low = parent.low.min(low);
            }
        }
        Ok(())
    }

    /// Takes the value of a place from those with less health, if it follows from them (see
    /// [`tighten`](super::tighten)).
    fn infer(&mut self, (node, health): Place) -> bool {
        if !self.infers || !self.convex() {
            return false;
        }
        // The nearest two healths of which something is known.
        let mut below = self.before.below(node, health).filter(|(_, cell)| cell.upper < f64::INFINITY);
        let mut known = || below.next().filter(|(_, cell)| is_known(cell.mark));
        let Some((high, Before { upper, .. })) = known() else { return false };
        let Some((low, Before { upper: lower, .. })) = known() else { return false };
        if upper - lower < f64::from(high - low) - INFERRING {
            return false;
        }
        drop(below);
        let value = up(upper + f64::from(health - high), 2);
        self.lower((node, health), value);
        self.set_mark((node, health), INFERRED);
        true
    }

    /// Takes the newest component from the active places.
    fn release(&mut self, from: usize, mark: u8) {
        for place in self.component.split_off(from) {
            self.active.remove(&place);
            self.set_mark(place, mark);
        }
    }

    /// Improves a component until nothing changes.
    fn settle(&mut self, from: usize, budget: &Budget<'_>) -> Result<Settled, Stopped> {
        let places: Vec<Place> = self.component[from..].to_vec();
        let first = self.active[&places[0]];
        let mut followed = Followed::default();
        for sweep in 0..SWEEPS {
            let mut change = 0.0f64;
            let mut new = Vec::new();
            for place in places.iter().rev() {
                self.ask(budget)?;
                let old = self.upper(*place);
                self.backup(*place, &mut followed);
                let next = &followed.next;
                change = change.max(old - self.upper(*place));
                new.extend(next.iter().filter(|place| self.mark(**place) == NEW));
                let earliest = next.iter().filter_map(|place| self.active.get(place)).min();
                if let Some(number) = earliest.filter(|number| **number < first) {
                    return Ok(Settled::Joined(*number));
                }
            }
            if !new.is_empty() {
                return Ok(Settled::Grown(new));
            }
            // What seems to be settled, or does not settle, may be a set of positions that is not left.
            let still = change <= 1e-14;
            if still || sweep % 64 == 63 {
                let stuck = self.unstick(&places, budget)?;
                if still && stuck == Stuck::No {
                    break;
                }
            }
        }
        Ok(Settled::Yes)
    }
}
