//! How far it is out of a cyclic part by choices that may be taken there.

use std::collections::VecDeque;

use super::optimal_choices::ChoiceSets;
use crate::model::{CyclicPart, Model};

/// How far it is out of a cyclic part by its best choices; reused.
#[derive(Default)]
pub(super) struct WaysOut {
    /// For every state of the part, by its place; `u32::MAX` where no way leads out.
    distance: Vec<u32>,
    /// For every state the first choice that can lead out.
    out: Vec<Option<u32>>,
    /// Where choices lead inside of the part, and where those of each state begin.
    moves: Vec<Move>,
    starts: Vec<usize>,
    /// From where each state is come to, sorted.
    back: Vec<(u32, u32)>,
    queue: VecDeque<u32>,
}

/// A choice of a state, by its number, can lead there.
struct Move {
    choice: u32,
    to: u32,
}

impl WaysOut {
    /// Looks at a part, in which the choices that `may` refuses are not taken: it gets the place of a state and the number of
    /// its choice.
    pub(super) fn find(&mut self, model: &Model, best: &ChoiceSets, part: CyclicPart, may: impl Fn(u32, u32) -> bool) {
        let Self { distance, out, moves, starts, back, queue } = self;
        out.clear();
        moves.clear();
        starts.clear();
        back.clear();
        for (place, state) in (0..).zip(part.iter()) {
            let mut own = None;
            starts.push(moves.len());
            for (choice, targets) in best
                .choices(model, state)
                .filter(|(choice, _)| may(place, *choice))
                .map(|(choice, own)| (choice, own.targets))
            {
                for target in targets.iter() {
                    match part.place_of(target) {
                        Some(to) => {
                            moves.push(Move { choice, to });
                            back.push((to, place));
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
        queue.extend((0..).zip(&*out).filter(|(_, out)| out.is_some()).map(|(place, _)| place));
        if queue.len() == part.size() {
            return queue.clear();
        }
        back.sort_unstable();
        while let Some(place) = queue.pop_front() {
            let first = back.partition_point(|(to, _)| *to < place);
            for (_, earlier) in back[first..].iter().take_while(|(to, _)| *to == place) {
                if distance[*earlier as usize] == u32::MAX {
                    distance[*earlier as usize] = distance[place as usize] + 1;
                    queue.push_back(*earlier);
                }
            }
        }
    }

    /// Whether a way leads out from every state.
    pub(super) fn lead_out(&self) -> bool {
        !self.distance.contains(&u32::MAX)
    }

    /// The first choice of a state that can lead nearer to the way out; nothing where none does.
    pub(super) fn nearer(&self, place: usize) -> Option<u32> {
        let leads = |own: &&Move| self.distance[own.to as usize] < self.distance[place];
        let moves = &self.moves[self.starts[place]..self.starts[place + 1]];
        self.out[place].or_else(|| moves.iter().find(leads).map(|own| own.choice))
    }
}
