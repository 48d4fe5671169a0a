//! What one thread finds in the pieces that it takes of the rows that wait.

use std::hash::Hash;
use std::ops::Range;

use super::discovered_rows::FoundRows;
use crate::explore::chunk::{KnownWeights, Piece};
use crate::explore::rows::frontier;
use crate::game::{Group, InRow, Next, RowGame, RowTurns, Turn, never_meet};
use crate::model::{Code, MOVES};
use crate::order::emitted::Lanes;
use crate::support::id;

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
    /// It is new: a place in [`Teller::new_rows`].
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

/// What was known before a batch was told.
pub(super) struct Known<'a, S> {
    pub(super) found: &'a FoundRows<S>,
    pub(super) tables: &'a Code,
    pub(super) shared_weights: &'a KnownWeights,
}

/// States of a row that say the same, but for next states that move along with them.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Where in the batch they stand.
    pub(super) states: Range<usize>,
    /// Which words of the teller are theirs.
    pub(super) words: Range<usize>,
    /// To how many rows their row leads; nothing but for the first block of a row.
    pub(super) led: u32,
}

/// A piece of a batch that was told.
#[derive(Debug)]
pub(super) struct ToldPiece {
    /// Its first state in the batch.
    pub(super) first: usize,
    /// Its blocks, among all of its teller.
    pub(super) blocks: Range<usize>,
}

/// What one thread found in pieces of a batch of rows: words for blocks of states.
pub(super) struct Teller<S, A> {
    /// The words, each block's as those of a state.
    pub(super) words: Piece<OpenTarget>,
    pub(super) blocks: Vec<Block>,
    pub(super) pieces: Vec<ToldPiece>,
    pub(super) new_rows: Vec<NewRow<S>>,
    turns: RowTurns<S, A>,
    /// The numbers of the rows to which the row at hand leads.
    rows: Vec<RowOf>,
    positions: Vec<u32>,
    groups: Vec<Group>,
    /// The next states of a block.
    next: Vec<Next>,
}

impl<S, A> Default for Teller<S, A> {
    fn default() -> Self {
        Self {
            words: Piece::default(),
            blocks: Vec::new(),
            pieces: Vec::new(),
            new_rows: Vec::new(),
            turns: RowTurns::default(),
            rows: Vec::new(),
            positions: Vec::new(),
            groups: Vec::new(),
            next: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash, A> Teller<S, A> {
    /// Forgets what was found. What is found next is appended to these words.
    pub(super) fn append_to(&mut self, words: Vec<u32>) {
        self.words.append_to(words);
        self.blocks.clear();
        self.pieces.clear();
        self.new_rows.clear();
    }

    /// Turns the states of a piece of a batch into words, one after another; those of a row stand together. Stops when more than
    /// so many words were found, those of other pieces among them.
    pub(super) fn tell<G: RowGame<State = S, Action = A>>(
        &mut self,
        game: &G,
        batch: &[InRow],
        piece: Range<usize>,
        known: &Known<'_, S>,
        most_words: usize,
    ) {
        let Known { found, tables, shared_weights } = *known;
        let begun = self.blocks.len();
        let first = piece.start;
        let mut told = first;
        for row in frontier::rows(&batch[piece]) {
            if self.words.found() > most_words {
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
                let Self { words, turns, groups, rows, next, .. } = self;
                words.encode(turns.turn(&groups[from]), tables, shared_weights, |place, _, _| {
                    let Next { first: InRow { row, position }, moves } = next[place];
                    let target = OpenTarget { row: rows[row as usize], position, moves };
                    let RowOf::Known(row) = target.row else { return Err(target) };
                    let first = InRow { row, position };
                    let known = if moves { found.slots.reaches_all(first, &lanes) } else { found.slots.reaches(first) };
                    let slot = || found.slots.slot(first) | if moves { MOVES } else { 0 };
                    known.then(slot).ok_or(target)
                });
                let led = if from == 0 { id(self.rows.len()) } else { 0 };
                let words = self.words.run(self.blocks.len());
                self.blocks.push(Block { states: told + states.start..told + states.end, words, led });
                from = to;
            }
            told += row.len();
        }
        self.pieces.push(ToldPiece { first, blocks: begun..self.blocks.len() });
    }

    /// The pieces that were told: where in the batch each begins, how far it was told, and how many words that are.
    pub(super) fn told(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.pieces.iter().filter_map(|piece| {
            let blocks = &self.blocks[piece.blocks.clone()];
            let (begin, end) = (blocks.first()?, blocks.last()?);
            Some((piece.first, end.states.end, end.words.end - begin.words.start))
        })
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
        && one.shared.iter().zip(&other.shared).all(|(one, other)| one.identity() == other.identity())
        && !(one.empty_chance || one.unequal || other.empty_chance || other.unequal)
}
