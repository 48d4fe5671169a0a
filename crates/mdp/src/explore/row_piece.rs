//! What one thread finds in a piece of the rows that wait.

use std::hash::Hash;
use std::ops::Range;

use super::agenda;
use super::found_rows::FoundRows;
use super::piece::{KnownWeights, Piece};
use crate::game::{Game, Turn};
use crate::model::{Code, MOVES};
use crate::places::id;
use crate::row::{Group, InRow, Next, RowTurns, never_meet};
use crate::told::Lanes;

/// A row that has no number yet, with its hash; or the number that it has got.
pub(super) enum NewRow<S> {
    Open(S, u64),
    Known(u32),
}

/// The row of a state without a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowOf {
    /// It has been found.
    Known(u32),
    /// It is new: a place in [`RowPiece::new_rows`].
    New(u32),
}

/// A next state without a number: of the first of the states that say the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenTarget {
    pub(super) row: RowOf,
    pub(super) position: u32,
    /// It moves along with those states, as far as each is from the first.
    pub(super) moves: bool,
}

/// What one thread found in a piece of rows: words for blocks of states.
pub(super) struct RowPiece<S, A> {
    pub(super) piece: Piece<OpenTarget>,
    /// Which of the states of the piece have a run of words each.
    pub(super) blocks: Vec<Range<usize>>,
    pub(super) new_rows: Vec<NewRow<S>>,
    /// For each block to how many rows its row leads; nothing but for the first one of a row.
    pub(super) led: Vec<u32>,
    turns: RowTurns<S, A>,
    /// The numbers of the rows to which the row at hand leads.
    rows: Vec<RowOf>,
    positions: Vec<u32>,
    groups: Vec<Group>,
    /// The next states of a block.
    next: Vec<Next>,
}

impl<S, A> Default for RowPiece<S, A> {
    fn default() -> Self {
        Self {
            piece: Piece::default(),
            blocks: Vec::new(),
            new_rows: Vec::new(),
            led: Vec::new(),
            turns: RowTurns::default(),
            rows: Vec::new(),
            positions: Vec::new(),
            groups: Vec::new(),
            next: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash, A> RowPiece<S, A> {
    /// Turns states into words, one after another; those of a row stand together. Stops when there are more than so many.
    /// They are appended to what [`append_to`](Piece::append_to) was told.
    pub(super) fn expand<G: Game<State = S, Action = A>>(
        &mut self,
        game: &G,
        states: &[InRow],
        found: &FoundRows<S>,
        code: &Code,
        shared: &KnownWeights,
        most_words: usize,
    ) {
        self.blocks.clear();
        self.new_rows.clear();
        self.led.clear();
        let mut told = 0;
        for row in agenda::rows(states) {
            if self.piece.found() > most_words {
                break;
            }
            self.positions.clear();
            self.positions.extend(row.iter().map(|state| state.position));
            self.turns.clear();
            game.rules_of_row(&found.rows()[row[0].row as usize], &self.positions, &mut self.turns);
            self.rows.clear();
            for (next, hash) in self.turns.rows() {
                self.rows.push(match found.known_row(next, hash) {
                    Some(known) => RowOf::Known(known),
                    None => {
                        self.new_rows.push(NewRow::Open(next.clone(), hash));
                        RowOf::New(id(self.new_rows.len() - 1))
                    }
                });
            }
            self.turns.groups(&self.positions, &mut self.groups);
            let mut from = 0;
            while from < self.groups.len() {
                let to = self.alike(from);
                let states = self.groups[from].states.start..self.groups[to - 1].states.end;
                let lanes = Lanes::of(self.positions[states.clone()].iter().copied());
                let Self { piece, turns, groups, rows, next, .. } = self;
                piece.encode(turns.turn(&groups[from]), code, shared, |place, _, _| {
                    let Next { first: InRow { row, position }, moves } = next[place];
                    let target = OpenTarget { row: rows[row as usize], position, moves };
                    let RowOf::Known(row) = target.row else { return Err(target) };
                    let first = InRow { row, position };
                    let known = if moves { found.slots.reaches_all(first, &lanes) } else { found.slots.reaches(first) };
                    let slot = || found.slots.slot(first) | if moves { MOVES } else { 0 };
                    known.then(slot).ok_or(target)
                });
                self.blocks.push(told + states.start..told + states.end);
                self.led.push(if from == 0 { id(self.rows.len()) } else { 0 });
                from = to;
            }
            told += row.len();
        }
    }

    /// Up to where the groups of the row say the same as the one at a place, but for next states that move along with
    /// them: `next` says which. Only states that were said alone are looked at.
    fn alike(&mut self, from: usize) -> usize {
        let Self { turns, positions, groups, next, .. } = self;
        let first = turns.turn(&groups[from]);
        next.clear();
        next.extend(&first.states);
        let mut to = from + 1;
        if groups[from].states.len() > 1 {
            return to;
        }
        while let Some(group) = groups.get(to).filter(|group| group.states.len() == 1) {
            let other = turns.turn(group);
            let distance = positions[group.states.start] - positions[groups[from].states.start];
            if !say_the_same(first, other) {
                break;
            }
            if to == from + 1 {
                // Which of them move is seen from the first two.
                for (own, other) in next.iter_mut().zip(&other.states) {
                    own.moves = own.first != other.first;
                }
            }
            let follows = next.iter().zip(&other.states).all(|(own, other)| own.after(distance).first == other.first);
            if !follows || to == from + 1 && !never_meet(first, next) {
                break;
            }
            to += 1;
        }
        if to == from + 1 {
            for next in next {
                next.moves = false;
            }
        }
        to
    }
}

/// Whether two states say the same, but for where their choices lead.
fn say_the_same<A>(one: &Turn<Next, A>, other: &Turn<Next, A>) -> bool {
    one.states.len() == other.states.len()
        && one.choices == other.choices
        && one.weights == other.weights
        && one.payoff == other.payoff
        && one.rewards == other.rewards
        && one.large == other.large
        && one.shared.len() == other.shared.len()
        && one.shared.iter().zip(&other.shared).all(|(one, other)| one.address() == other.address())
        && !(one.empty_chance || one.unequal || other.empty_chance || other.unequal)
}
