//! Folded blocks in a row: their outcomes for all states at once.

use std::sync::Arc;

use mdp::rows::InRow;

use super::lane_group::{LaneGroup, LaneTargets, targets_by_row};
use super::rows::RowExpansion;
use super::running::Inputs;
use crate::program::{ByFirst, Endings, Fold, State};

/// The endings of a folded block for consecutive states.
struct Ended {
    from: u32,
    to: u32,
    /// Those of the first state.
    endings: Arc<Endings>,
    /// For each ending the state right after the block.
    to_rows: Vec<After>,
}

/// A row, the position there of the first of some states, and whether the others have kept their distance to it.
#[derive(Clone, Copy)]
struct After {
    row: State,
    position: u32,
    moves: Option<bool>,
}

impl After {
    fn at(&self, own: &[u32], first: u32, state: u32) -> u32 {
        self.position + if self.moves == Some(true) { own[state as usize] - own[first as usize] } else { 0 }
    }
}

impl Ended {
    /// Adds the next state, at a distance to the first, if it enters the same rows at that distance or at the same position.
    fn goes_on(&mut self, to_rows: &[After], distance: u32) -> bool {
        let moves = |first: &After, own: &After| own.position == first.position + distance;
        let alike = self.to_rows.iter().zip(to_rows).all(|(first, own)| {
            let moves = moves(first, own);
            own.row == first.row
                && (moves || own.position == first.position)
                && first.moves.is_none_or(|known| known == moves)
        });
        if alike {
            self.to += 1;
            self.to_rows.iter_mut().zip(to_rows).for_each(|(first, own)| first.moves = Some(moves(first, own)));
        }
        alike
    }
}

impl RowExpansion<'_> {
    /// Adds the outcomes of a folded block.
    pub(super) fn fold(&mut self, row: &State, fold: &Fold, groups: &[LaneGroup]) {
        let machine = self.machine;
        self.touch(machine.touches.step(row.place()));
        // The states of a row differ in the hero's health, which is the first input of a fight.
        let mut known: Option<(Inputs, Option<ByFirst>)> = None;
        // Runs of consecutive states with the same endings.
        let mut ended: Vec<Ended> = Vec::new();
        for group in groups {
            for state in group.from..group.to {
                let now = self.row_field.at(row, group.at(self.own, state));
                let inputs = machine.inputs(&now, fold).filter(|_| machine.analyses.fold);
                if let Some(new) = inputs
                    && known.as_ref().is_none_or(|(old, _)| old.others != new.others)
                {
                    known = Some((new, machine.folded_by_first(fold, &new)));
                }
                let by_first = known.as_ref().and_then(|(_, by_first)| by_first.as_ref());
                match inputs.zip(by_first).and_then(|(inputs, all)| inputs.among(all)) {
                    Some(endings) => {
                        let to_rows: Vec<After> = endings
                            .outputs
                            .iter()
                            .map(|outputs| {
                                let (row, position) = self.row_field.split(&machine.after_fold(&now, fold, outputs));
                                After { row, position, moves: None }
                            })
                            .collect();
                        let last = ended.last_mut().filter(|last| last.to == state);
                        let goes_on = last.is_some_and(|last| {
                            let distance = self.own[state as usize] - self.own[last.from as usize];
                            last.endings.weights == endings.weights && last.goes_on(&to_rows, distance)
                        });
                        if !goes_on {
                            ended.push(Ended { from: state, to: state + 1, to_rows, endings: Arc::clone(endings) });
                        }
                    }
                    _ => self.one(&now, state),
                }
            }
        }
        // The rows right after the block and the stops of their positions.
        let length = self.row_field.length as usize;
        let mut after: Vec<(State, Vec<Option<InRow>>)> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        for ended in &ended {
            for to in &ended.to_rows {
                let place = after.iter().position(|(known, _)| *known == to.row).unwrap_or_else(|| {
                    after.push((to.row, vec![None; length]));
                    after.len() - 1
                });
                for state in ended.from..ended.to {
                    // Requested, not known yet.
                    after[place].1[to.at(self.own, ended.from, state) as usize] = Some(InRow::default());
                }
                places.push(place);
            }
        }
        let mut targets = Vec::new();
        for (row, next) in &mut after {
            let requested: Vec<u32> =
                (0..).zip(&*next).filter(|(_, next)| next.is_some()).map(|(own, _)| own).collect();
            let Some(all) = LaneGroup::of_all(&requested) else { continue };
            targets.clear();
            self.add_targets(row, &requested, &[all], &mut targets);
            for target in &targets {
                for place in target.from..target.to {
                    let distance = requested[place as usize] - requested[target.from as usize];
                    next[requested[place as usize] as usize] = Some(target.next.after(distance).first);
                }
            }
        }
        let mut places = places.into_iter();
        for ended in ended {
            let outcomes: Vec<((), Vec<LaneTargets>)> = ended
                .to_rows
                .iter()
                .zip(places.by_ref())
                .map(|(to, place)| {
                    let next = |state: u32| after[place].1[to.at(self.own, ended.from, state) as usize];
                    ((), targets_by_row(self.own, ended.from..ended.to, |state| next(state).unwrap_or_default()))
                })
                .collect();
            let group = LaneGroup { from: ended.from, to: ended.to, position: 0, moves: false };
            self.emit_together(&[group], &outcomes, |turn, next| turn.chance_with(&ended.endings.weights, next));
        }
    }
}
