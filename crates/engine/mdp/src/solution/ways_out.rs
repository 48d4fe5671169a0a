//! Distances to the ways out of a component by the allowed choices.

use std::collections::VecDeque;

use super::optimal_choices::ChoiceSets;
use crate::model::{Model, Scc};

/// The distance of each state to a way out of its component by best choices; reused.
#[derive(Default)]
pub(super) struct WaysOut {
    /// For every state of the component, by its index; `u32::MAX` where no path leads out.
    distance: Vec<u32>,
    /// For every state the first choice that can lead out.
    out: Vec<Option<u32>>,
    /// The moves within the component, and where those of each state begin.
    moves: Vec<Move>,
    starts: Vec<usize>,
    /// The moves backwards: target and source, sorted.
    back: Vec<(u32, u32)>,
    queue: VecDeque<u32>,
}

/// A choice of a state, by its number, and one of its targets.
struct Move {
    choice: u32,
    to: u32,
}

impl WaysOut {
    /// Computes the distances in a component, without the choices that `may` refuses: it gets the index of a state and
    /// the number of its choice.
    pub(super) fn find(&mut self, model: &Model, best: &ChoiceSets, scc: Scc, may: impl Fn(u32, u32) -> bool) {
        let Self { distance, out, moves, starts, back, queue } = self;
        out.clear();
        moves.clear();
        starts.clear();
        back.clear();
        for (index, state) in (0..).zip(scc.iter()) {
            let mut own = None;
            starts.push(moves.len());
            for (choice, targets) in best
                .choices(model, state)
                .filter(|(choice, _)| may(index, *choice))
                .map(|(choice, own)| (choice, own.targets))
            {
                for target in targets.iter() {
                    match scc.index_of(target) {
                        Some(to) => {
                            moves.push(Move { choice, to });
                            back.push((to, index));
                        }
                        None => own = own.or(Some(choice)),
                    }
                }
            }
            out.push(own);
        }
        starts.push(moves.len());
        // Breadth first, backwards from the states that can leave at once.
        distance.clear();
        distance.extend(out.iter().map(|out| if out.is_some() { 0 } else { u32::MAX }));
        queue.extend((0..).zip(&*out).filter(|(_, out)| out.is_some()).map(|(index, _)| index));
        if queue.len() == scc.size() {
            return queue.clear();
        }
        back.sort_unstable();
        while let Some(index) = queue.pop_front() {
            let first = back.partition_point(|(to, _)| *to < index);
            for (_, earlier) in back[first..].iter().take_while(|(to, _)| *to == index) {
                if distance[*earlier as usize] == u32::MAX {
                    distance[*earlier as usize] = distance[index as usize] + 1;
                    queue.push_back(*earlier);
                }
            }
        }
    }

    /// Whether a path leads out from every state.
    pub(super) fn lead_out(&self) -> bool {
        !self.distance.contains(&u32::MAX)
    }

    /// The first choice of a state that can lead nearer to a way out; `None` where none does.
    pub(super) fn nearer(&self, index: usize) -> Option<u32> {
        let leads = |own: &&Move| self.distance[own.to as usize] < self.distance[index];
        let moves = &self.moves[self.starts[index]..self.starts[index + 1]];
        self.out[index].or_else(|| moves.iter().find(leads).map(|own| own.choice))
    }
}
