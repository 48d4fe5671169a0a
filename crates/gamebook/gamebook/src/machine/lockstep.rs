//! Lockstep execution: the states of a row advance together, and each step is executed once until they diverge.

use super::Machine;
use super::action::{Decided, Move};
use super::row_field::RowField;
use super::touches::Touches;
use crate::passes::ReadSet;
use crate::program::{Instruction, State};

/// Lanes of a row: the position in which each began and its current position.
type Lanes = Vec<(u32, u32)>;

/// States that have taken the same path.
#[derive(Debug)]
pub(super) struct LockstepGroup {
    /// Their current row.
    pub row: State,
    pub lanes: Lanes,
    /// The registers on which the path depends.
    pub depends: ReadSet,
    next: Next,
    steps: u32,
}

/// The next action of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Clear what does not matter where it begins.
    Begin,
    /// Run to a question.
    Run,
    /// Clear what does not matter at the question.
    Stop,
}

/// After this many steps the states of a group advance one by one.
const MOST_STEPS: u32 = 256;

impl Machine {
    /// Advances the states at these positions of a row to their next stops. Calls `advanced` with each group that stops in one
    /// row, and with each position that must advance alone.
    pub(super) fn advance_together(
        &self,
        row_field: &RowField,
        row: State,
        lanes: Lanes,
        moves: &mut Vec<Move>,
        advanced: &mut dyn FnMut(Result<LockstepGroup, u32>),
    ) {
        let mut groups = vec![LockstepGroup { row, lanes, depends: ReadSet::default(), next: Next::Begin, steps: 0 }];
        while let Some(group) = groups.pop() {
            let begin = groups.len();
            match group.next {
                _ if group.steps > MOST_STEPS => {
                    group.lanes.iter().for_each(|(start, _)| advanced(Err(*start)));
                }
                Next::Begin => self.begin(row_field, group, &mut groups, advanced),
                Next::Run => self.run_together(row_field, group, moves, &mut groups),
                Next::Stop => self.stop(row_field, group, &mut groups, advanced),
            }
            // The first groups continue first.
            groups[begin..].reverse();
        }
    }

    fn begin(
        &self,
        row_field: &RowField,
        mut group: LockstepGroup,
        groups: &mut Vec<LockstepGroup>,
        advanced: &mut dyn FnMut(Result<LockstepGroup, u32>),
    ) {
        self.read_projection_all(row_field, &mut group);
        let looks = row_field.is_in(&self.touches.kept(group.row.place()));
        let mut kept = Vec::new();
        self.project_all(row_field, looks, group, &mut kept);
        for group in kept {
            let last = Touches::last_answer(&self.program, group.row.place());
            if !self.last_differs.get(group.row.place() as usize).is_some_and(|differs| *differs) {
                groups.push(group);
                continue;
            }
            let mut parted = Vec::new();
            group.part(row_field, row_field.is_in(&last), |state| self.asks_at_once(state), &mut parted);
            for (asks, mut group) in parted {
                if asks {
                    group.depends.touch(&last);
                    advanced(Ok(group));
                } else {
                    groups.push(group);
                }
            }
        }
    }

    fn stop(
        &self,
        row_field: &RowField,
        mut group: LockstepGroup,
        groups: &mut Vec<LockstepGroup>,
        advanced: &mut dyn FnMut(Result<LockstepGroup, u32>),
    ) {
        let stop = group.row;
        self.read_projection_all(row_field, &mut group);
        let looks = row_field.is_in(&self.touches.kept(stop.place()));
        let mut parted = Vec::new();
        let cut = self.cut(row_field, &group);
        let same = |state: &State| match cut {
            Some((row, most)) => {
                let (own, position) = row_field.split(state);
                own == row && position <= most
            }
            None => self.project(state) == *state,
        };
        // A projection that clears positions changes no state whose position is cleared already.
        let forgotten = !row_field.is_in(&self.passed(stop.place()));
        group.part(row_field, looks || forgotten, same, &mut parted);
        for (same, group) in parted {
            if same {
                advanced(Ok(group));
            } else {
                self.project_all(row_field, looks, group, groups);
            }
        }
    }

    /// Adds to a group's path the registers that the projection reads.
    fn read_projection_all(&self, row_field: &RowField, group: &mut LockstepGroup) {
        self.read_projection(&row_field.at(&group.row, row_field.length - 1), &mut group.depends);
    }

    /// The row of a group's projection and the largest position that is still distinguished there; `None` if the projection is
    /// not a single row.
    fn cut(&self, row_field: &RowField, group: &LockstepGroup) -> Option<(State, u32)> {
        let positions = || group.lanes.iter().map(|(_, position)| *position);
        let kept = |position: u32| row_field.split(&self.project(&row_field.at(&group.row, position)));
        let (lowest, highest) = (positions().min()?, positions().max()?);
        let (row, position) = kept(highest);
        // The projection keeps a position up to a maximum, and nothing else depends on it; but the register of which it is the
        // lowest bits can fall below them.
        (kept(lowest) == (row, lowest.min(position)))
            .then_some((row, if position == highest { u32::MAX } else { position }))
    }

    /// Projects all states of a group, which then run on.
    fn project_all(
        &self,
        row_field: &RowField,
        looks: bool,
        mut group: LockstepGroup,
        groups: &mut Vec<LockstepGroup>,
    ) {
        match self.cut(row_field, &group) {
            Some((row, most)) if looks => {
                group.row = row;
                group.next = Next::Run;
                group.lanes.iter_mut().for_each(|(_, position)| *position = most.min(*position));
                groups.push(group);
            }
            _ => group.each(row_field, looks, |state| self.project(state), Next::Run, groups),
        }
    }

    /// Runs to a question, or until the group diverges.
    fn run_together(
        &self,
        row_field: &RowField,
        mut group: LockstepGroup,
        moves: &mut Vec<Move>,
        groups: &mut Vec<LockstepGroup>,
    ) {
        loop {
            let place = group.row.place();
            group.steps += 1;
            if self.is_as_good_as_over(place) {
                group.next = Next::Stop;
            }
            if group.next == Next::Stop || group.steps > MOST_STEPS {
                return groups.push(group);
            }
            if let Some(decided) = self.decided(&group.row) {
                group.depends.touch(self.touches.tests(place));
                let Decided::Answered(answer) = decided else {
                    group.next = Next::Stop;
                    return groups.push(group);
                };
                let touches = self.touches.answer(place, answer);
                group.depends.touch(touches);
                match group.all(row_field, row_field.is_in(touches), |state| self.give(state, answer), groups) {
                    Some(whole) => group = whole,
                    None => return,
                }
                continue;
            }
            let touches = *self.touches.step(place);
            let looks = row_field.is_in(&touches);
            group.depends.touch(&touches);
            match &self.program.steps[place as usize] {
                Instruction::Chance { .. } => group.next = Next::Stop,
                Instruction::Ask(_) => {
                    self.answer_together(row_field, looks, group, moves, groups);
                    return;
                }
                Instruction::Fold(fold) => {
                    let mut folded = Vec::new();
                    let is_one = |state: &State| self.is_folded(state, fold);
                    group.part(row_field, looks, is_one, &mut folded);
                    for (is_one, mut group) in folded {
                        if is_one {
                            group.next = Next::Stop;
                        } else {
                            group.row = group.row.at(fold.steps);
                        }
                        groups.push(group);
                    }
                    return;
                }
                _ => {
                    let step = |state: &State| {
                        let mut next = *state;
                        self.step(&mut next);
                        next
                    };
                    match group.all(row_field, looks, step, groups) {
                        Some(whole) => group = whole,
                        None => return,
                    }
                }
            }
        }
    }

    /// Gives the only answer that each state of a group has, and splits off the states that have several.
    fn answer_together(
        &self,
        row_field: &RowField,
        looks: bool,
        group: LockstepGroup,
        moves: &mut Vec<Move>,
        groups: &mut Vec<LockstepGroup>,
    ) {
        let looks = looks || row_field.is_in(self.touches.answers(group.row.place()));
        let mut answered = Vec::new();
        let mut depends = group.depends;
        // If no position is read, all have the same answer; otherwise this only separates states with one answer from the
        // others.
        let answer = |state: &State| {
            let answer = self.only_answer(state, moves, &mut depends);
            if looks { answer.map(|_| State::default()) } else { answer }
        };
        group.part(row_field, looks, answer, &mut answered);
        for (answer, mut group) in answered {
            group.depends = depends;
            match answer {
                None => {
                    group.next = Next::Stop;
                    groups.push(group);
                }
                Some(_) if looks => {
                    let next = |state: &State| self.only_answer(state, moves, &mut depends).unwrap_or(*state);
                    group.each(row_field, true, next, Next::Run, groups);
                }
                Some(next) => group.each(row_field, false, |_| next, Next::Run, groups),
            }
        }
    }
}

impl LockstepGroup {
    /// Moves all states on and splits them by row. A position that is not read (`looks` unset) is kept, or cleared for all.
    fn each(
        mut self,
        row_field: &RowField,
        looks: bool,
        mut next: impl FnMut(&State) -> State,
        then: Next,
        groups: &mut Vec<Self>,
    ) {
        self.next = then;
        if !looks {
            // A position that is not read is kept or cleared.
            let (row, position) = row_field.split(&next(&row_field.at(&self.row, row_field.length - 1)));
            self.row = row;
            if position == 0 {
                self.lanes.iter_mut().for_each(|(_, position)| *position = 0);
            }
            return groups.push(self);
        }
        let begin = groups.len();
        for (start, position) in &self.lanes {
            let (row, position) = row_field.split(&next(&row_field.at(&self.row, *position)));
            let known = groups[begin..].iter().rposition(|group| group.row == row);
            let place = known.map_or(groups.len(), |known| begin + known);
            if place == groups.len() {
                groups.push(Self { row, lanes: Vec::new(), ..self.empty() });
            }
            groups[place].lanes.push((*start, position));
        }
    }

    /// Moves all states on; returns the group if it does not diverge, which is the usual case.
    fn all(
        self,
        row_field: &RowField,
        looks: bool,
        next: impl FnMut(&State) -> State,
        groups: &mut Vec<Self>,
    ) -> Option<Self> {
        let begin = groups.len();
        self.each(row_field, looks, next, Next::Run, groups);
        let last = groups.pop()?;
        if groups.len() == begin {
            return Some(last);
        }
        groups.push(last);
        None
    }

    /// Splits the group by the value of `differs`; does not split it if no position is read (`looks` unset).
    fn part<T: PartialEq>(
        self,
        row_field: &RowField,
        looks: bool,
        mut differs: impl FnMut(&State) -> T,
        parts: &mut Vec<(T, Self)>,
    ) {
        if !looks {
            let differs = differs(&row_field.at(&self.row, row_field.length - 1));
            return parts.push((differs, self));
        }
        for (start, position) in &self.lanes {
            let own = differs(&row_field.at(&self.row, *position));
            let place = parts.iter().position(|(known, _)| *known == own).unwrap_or_else(|| {
                parts.push((own, self.empty()));
                parts.len() - 1
            });
            parts[place].1.lanes.push((*start, *position));
        }
    }

    fn empty(&self) -> Self {
        Self { row: self.row, lanes: Vec::new(), depends: self.depends, next: self.next, steps: self.steps }
    }
}
