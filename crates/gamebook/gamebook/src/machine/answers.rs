//! Questions to the player: the possible answers, and whether they differ.

use super::Machine;
use super::action::{Action, Decided, Move};
use super::row_field::RowField;
use crate::passes::ReadSet;
use crate::program::{Answer, DEAD, HERE, Instruction, Label, Question, Reads, Register, Sheet, State, Test, Value};
use crate::terms::Operator;

impl Machine {
    /// The possible answers to the question of a state, at most about `enough` of them.
    pub(crate) fn moves(&self, state: &State, enough: usize, moves: &mut Vec<Move>) {
        self.moves_of(state, enough, moves, |_| true);
    }

    /// The same, where answers outside of `can` are known to be impossible.
    fn moves_of(&self, state: &State, enough: usize, moves: &mut Vec<Move>, can: impl Fn(usize) -> bool) {
        let Some(Instruction::Ask(question)) = self.instruction(state) else { return };
        for (number, answer) in question.answers.iter().enumerate() {
            if can(number) {
                self.answers(state, number, answer, enough, moves);
            }
            if moves.len() >= enough {
                return;
            }
            if question.distinct
                && let Some((last, others)) = moves.split_last()
                && last.action.answer == number
                && others.iter().any(|other| other.state == last.state)
            {
                moves.pop();
            }
        }
        if let Some(next) = question.otherwise
            && moves.is_empty()
        {
            moves.push(Move { action: Action { answer: question.answers.len(), number: None }, state: state.at(next) });
        }
    }

    fn answers(&self, state: &State, number: usize, answer: &Answer, enough: usize, moves: &mut Vec<Move>) {
        let layout = &self.program.layout;
        let next = answer.leads_to(state.place());
        let push = |mut state: State, chosen: Option<i32>, moves: &mut Vec<Move>| {
            if answer.test.holds(layout, &state) {
                self.program.layout.assign(&mut state, &answer.sets);
                moves.push(Move { action: Action { answer: number, number: chosen }, state: state.at(next) });
            }
        };
        let Some(each) = &answer.each else { return push(*state, None, moves) };
        let (least, most) = layout.range(each.register);
        let (from, to) = (each.from.number(layout, state).max(least), each.to.number(layout, state).min(most));
        for above in 0..=to.saturating_sub(from) {
            if moves.len() >= enough {
                break;
            }
            let chosen = if each.down { to - above } else { from + above };
            let mut with = *state;
            layout.set(&mut with, each.register, chosen);
            push(with, Some(chosen), moves);
        }
    }

    /// The question of a state.
    pub(crate) fn question(&self, state: &State) -> Option<&Question> {
        match self.instruction(state)? {
            Instruction::Ask(question) => Some(question),
            _ => None,
        }
    }

    /// The hero's sheet in the current book.
    pub(crate) fn sheet(&self, state: &State) -> &Sheet {
        self.program.sheet_in(self.section(state))
    }

    /// Whether an action only discards something.
    pub(crate) fn throws_away(&self, state: &State, action: Action) -> bool {
        let answer = self.question(state).and_then(|question| question.answers.get(action.answer));
        answer.is_some_and(|answer| answer.throws_away().is_some())
    }

    /// Whether an action leaves an item where it lies: it changes nothing and play continues.
    pub(crate) fn leaves(&self, state: &State, action: Action) -> bool {
        let Some(question) = self.question(state) else { return false };
        let answer = question.answers.get(action.answer);
        let is_thing = self
            .about(state)
            .is_some_and(|about| about == "gold" || self.sheet(state).items.iter().any(|(name, _)| name == about));
        is_thing && answer.is_some_and(|answer| answer.sets.is_empty() && answer.next != HERE)
    }

    /// Whether an action adds an item, or gold at a question about gold.
    pub(crate) fn gets(&self, state: &State, action: Action) -> bool {
        let answer = self.question(state).and_then(|question| question.answers.get(action.answer));
        answer.is_some_and(|answer| {
            let is_item = |own: Register| self.sheet(state).items.iter().any(|(_, register)| *register == own);
            answer.sets.iter().any(|(own, value)| match value {
                Value::Operation(Operator::Minus, ..) => false,
                _ => is_item(*own) || *own == self.sheet(state).gold && self.about(state) == Some("gold"),
            })
        })
    }

    /// The subject of a question that the compiler generated; `None` for the author's own.
    pub(crate) fn about(&self, state: &State) -> Option<&str> {
        self.question(state)?.about.map(|about| self.program.labels[about as usize].as_str())
    }

    /// Whether an action is surely useless.
    pub(crate) fn wastes(&self, state: &State, action: Action) -> bool {
        let answer = self.question(state).and_then(|question| question.answers.get(action.answer));
        answer.is_some_and(|answer| answer.wastes.holds(&self.program.layout, state))
    }

    /// The state after a question whose answers all lead to the same state; dead if no answer is possible. Adds to `depends`
    /// the registers that decide this, beside those that the question reads and writes.
    pub(super) fn only_answer(&self, state: &State, moves: &mut Vec<Move>, depends: &mut ReadSet) -> Option<State> {
        if self.asks_at_once(state) {
            return None;
        }
        moves.clear();
        if self.last_is_best[state.place() as usize] {
            self.moves(state, usize::MAX, moves);
            let question = self.question(state)?;
            // This answer is optimal whenever it is possible.
            if let Some(last) = moves.last().filter(|last| last.action.answer + 1 == question.answers.len()) {
                return Some(last.state);
            }
            moves.clear();
        }
        // Two different answers are enough.
        self.moves(state, 2, moves);
        if let [first, second, ..] = &moves[..] {
            let mut keep = |state: &State| self.project_reading(state, depends);
            if !self.analyses.merge || keep(&first.state) != keep(&second.state) {
                return None;
            }
            moves.clear();
            self.moves(state, usize::MAX, moves);
            let kept = keep(&moves[0].state);
            if moves.iter().any(|other| keep(&other.state) != kept) {
                return None;
            }
        }
        Some(moves.first().map_or_else(|| self.dead(state.place()), |first| first.state))
    }

    /// Finds the answers that are possible in some state of a row. Returns whether they are possible in all of them and do the
    /// same in each.
    pub(super) fn possible(&self, row_field: &RowField, row: &State, possible: &mut Vec<bool>) -> bool {
        possible.clear();
        let Some(question) = self.question(row) else { return false };
        let mut alike = true;
        for (number, answer) in question.answers.iter().enumerate() {
            let holds = match &answer.each {
                Some(each) => {
                    let depends = |value: &dyn Reads| value.depends_on(row_field.register);
                    (!depends(&answer.test) && !depends(&each.from) && !depends(&each.to)).then_some(true)
                }
                None => answer.test.holds_without(row_field.register, &self.program.layout, row),
            };
            possible.push(holds != Some(false));
            alike &= match holds {
                Some(true) => !row_field.is_in(self.touches.answer(row.place(), number)),
                Some(false) => true,
                None => false,
            };
        }
        alike
    }

    /// The outcome of a question if it is the same for every ENDURANCE. This is common, since the hero lacks most of the items
    /// that can be used at any time.
    pub(super) fn decided(&self, state: &State) -> Option<Decided> {
        let open = self.row_field?.register;
        let here = state.place();
        let question = self.question(state).filter(|_| !self.last_is_best[here as usize])?;
        let mut only: Option<(usize, Label)> = None;
        let mut is_open = false;
        for (number, answer) in question.answers.iter().enumerate() {
            let holds = match answer.each {
                Some(_) => None,
                None => answer.test.holds_without(open, &self.program.layout, state),
            };
            match (holds, only) {
                (Some(false), _) => {}
                (None, _) => is_open = true,
                (Some(true), None) => only = Some((number, answer.leads_to(here))),
                (Some(true), Some((_, other))) => {
                    if self.differ(answer.leads_to(here), other) {
                        return Some(Decided::Asked);
                    }
                    is_open = true;
                }
            }
        }
        only.filter(|_| !is_open).map(|(number, _)| Decided::Answered(number))
    }

    /// Whether the projections at two places surely differ.
    fn differ(&self, one: Label, other: Label) -> bool {
        let plays_on = |place: Label| {
            place < DEAD && !self.unwinnable[place as usize] && self.surely_won[place as usize] == u32::MAX
        };
        plays_on(one) && plays_on(other) && self.kept.place(one) != self.kept.place(other)
    }

    /// The state after an answer.
    pub(super) fn give(&self, state: &State, answer: usize) -> State {
        let mut next = *state;
        if let Some(answer) = self.question(state).and_then(|question| question.answers.get(answer)) {
            self.program.layout.assign(&mut next, &answer.sets);
            next = next.at(answer.leads_to(state.place()));
        }
        next
    }

    /// Whether the player surely has a choice in a state. This is quick, and true for most states after fights.
    #[inline]
    pub(super) fn asks_at_once(&self, state: &State) -> bool {
        let place = state.place() as usize;
        self.last_differs.get(place).is_some_and(|differs| *differs)
            && match &self.program.steps[place] {
                Instruction::Ask(question) => {
                    question.answers.last().is_some_and(|last| last.test.holds(&self.program.layout, state))
                }
                _ => false,
            }
    }

    /// For every place whether it is a question whose first answer is always possible and whose last answer leads to a
    /// different state.
    pub(super) fn last_differs(&self) -> Vec<bool> {
        let differs = |place: Label, step: &Instruction| {
            let Instruction::Ask(question) = step else { return false };
            let [first, .., last] = &question.answers[..] else { return false };
            let goes = |answer: &Answer| answer.each.is_none() && answer.sets.is_empty();
            let (first_next, last_next) = (first.leads_to(place), last.leads_to(place));
            first.test == Test::ALWAYS
                && goes(first)
                && goes(last)
                && self.kept.place(first_next) != self.kept.place(last_next)
                && !(self.unwinnable[first_next as usize] && self.unwinnable[last_next as usize])
                && !self.last_is_best[place as usize]
        };
        let places = self.program.places().zip(&self.program.steps);
        places.map(|(place, step)| differs(place, step)).collect()
    }

    /// The possible answers to the question of a state, one for each state they lead to. `seen` is a buffer.
    pub(crate) fn choices(&self, state: &State, choices: &mut Vec<Move>, seen: &mut Vec<State>) {
        self.choices_of(state, choices, seen, |_| true);
    }

    /// The same, where answers outside of `can` are known to be impossible.
    pub(super) fn choices_of(
        &self,
        state: &State,
        choices: &mut Vec<Move>,
        seen: &mut Vec<State>,
        can: impl Fn(usize) -> bool,
    ) {
        choices.clear();
        self.moves_of(state, usize::MAX, choices, can);
        if self.analyses.merge {
            seen.clear();
            choices.retain(|answer| {
                let kept = self.project(&answer.state);
                let new = !seen.contains(&kept);
                if new {
                    seen.push(kept);
                }
                new
            });
        }
    }
}
