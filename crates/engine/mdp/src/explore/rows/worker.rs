//! What one thread records for its pieces of a batch of rows.

use std::hash::Hash;
use std::ops::Range;

use super::discovered_rows::DiscoveredRows;
use crate::explore::chunk::{KnownWeights, Piece};
use crate::explore::rows::frontier;
use crate::game::{Group, InRow, RowGame, RowTarget, RowTurns, Turn, never_meet};
use crate::model::{Code, MOVES};
use crate::order::emitted::Lanes;
use crate::support::id;

/// A row that has no number yet, with its hash; or the number that it has been given.
pub(super) enum NewRow<S> {
    Open(S, u64),
    Known(u32),
}

/// The row of a state without a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowOf {
    /// It has been discovered before.
    Known(u32),
    /// It is new: an index into [`Worker::new_rows`].
    New(u32),
}

/// A successor without a number, of the first state of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenTarget {
    pub(super) row: RowOf,
    pub(super) position: u32,
    /// Whether it moves along with the states of the block, as far as each is from the first.
    pub(super) moves: bool,
}

/// What was known before the batch was expanded.
pub(super) struct Known<'a, S> {
    pub(super) discovered: &'a DiscoveredRows<S>,
    pub(super) tables: &'a Code,
    pub(super) shared_weights: &'a KnownWeights,
}

/// States of a row with the same choices, up to successors that move along with the states.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The range of their indices in the batch.
    pub(super) states: Range<usize>,
    /// The range of their words in the worker's words.
    pub(super) words: Range<usize>,
    /// The number of successor rows of their row, in the first block of a row; 0 in the others.
    pub(super) led: u32,
}

/// A piece of a batch that was expanded.
#[derive(Debug)]
pub(super) struct ExpandedPiece {
    /// Its first state in the batch.
    pub(super) first: usize,
    /// Its blocks, among all blocks of its worker.
    pub(super) blocks: Range<usize>,
}

/// What one thread recorded for pieces of a batch of rows: words for blocks of states.
pub(super) struct Worker<S, A> {
    /// The words; each block's are like those of a state.
    pub(super) words: Piece<OpenTarget>,
    pub(super) blocks: Vec<Block>,
    pub(super) pieces: Vec<ExpandedPiece>,
    pub(super) new_rows: Vec<NewRow<S>>,
    turns: RowTurns<S, A>,
    /// The numbers of the successor rows of the current row.
    rows: Vec<RowOf>,
    positions: Vec<u32>,
    groups: Vec<Group>,
    /// The successors of a block.
    next: Vec<RowTarget>,
}

impl<S, A> Default for Worker<S, A> {
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

impl<S: Clone + Eq + Hash, A> Worker<S, A> {
    /// Clears the results; words recorded next are appended to these.
    pub(super) fn append_to(&mut self, words: Vec<u32>) {
        self.words.append_to(words);
        self.blocks.clear();
        self.pieces.clear();
        self.new_rows.clear();
    }

    /// Expands the states of a piece of a batch into words, row by row. Stops when more than `most_words` words have
    /// been recorded, those of other pieces included.
    pub(super) fn expand<G: RowGame<State = S, Action = A>>(
        &mut self,
        game: &G,
        batch: &[InRow],
        piece: Range<usize>,
        known: &Known<'_, S>,
        most_words: usize,
    ) {
        let Known { discovered, tables, shared_weights } = *known;
        let begun = self.blocks.len();
        let first = piece.start;
        let mut expanded = first;
        for row in frontier::rows(&batch[piece]) {
            if self.words.recorded() > most_words {
                break;
            }
            self.positions.clear();
            self.positions.extend(row.iter().map(|state| state.position));
            self.turns.clear();
            game.rules_of_row(&discovered.rows()[row[0].row as usize], &self.positions, &mut self.turns);
            self.rows.clear();
            for (next, hash) in self.turns.rows() {
                self.rows.push(match discovered.known_row(next, hash) {
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
                let to = self.end_of_equal(from);
                let states = self.groups[from].states.start..self.groups[to - 1].states.end;
                let lanes = Lanes::of(self.positions[states.clone()].iter().copied());
                let Self { words, turns, groups, rows, next, .. } = self;
                words.encode(turns.turn(&groups[from]), tables, shared_weights, |index, _, _| {
                    let RowTarget { first: InRow { row, position }, moves } = next[index];
                    let target = OpenTarget { row: rows[row as usize], position, moves };
                    let RowOf::Known(row) = target.row else { return Err(target) };
                    let first = InRow { row, position };
                    let known = if moves {
                        discovered.slots.reaches_all(first, &lanes)
                    } else {
                        discovered.slots.reaches(first)
                    };
                    let slot = || discovered.slots.slot(first) | if moves { MOVES } else { 0 };
                    known.then(slot).ok_or(target)
                });
                let led = if from == 0 { id(self.rows.len()) } else { 0 };
                let words = self.words.run(self.blocks.len());
                self.blocks.push(Block { states: expanded + states.start..expanded + states.end, words, led });
                from = to;
            }
            expanded += row.len();
        }
        self.pieces.push(ExpandedPiece { first, blocks: begun..self.blocks.len() });
    }

    /// The pieces that were expanded: where in the batch each begins, how far it was expanded, and its number of words.
    pub(super) fn expanded_pieces(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.pieces.iter().filter_map(|piece| {
            let blocks = &self.blocks[piece.blocks.clone()];
            let (begin, end) = (blocks.first()?, blocks.last()?);
            Some((piece.first, end.states.end, end.words.end - begin.words.start))
        })
    }

    /// Finds the end of a run of groups of the row with the same choices as the one at an index, up to successors that
    /// move along with the states: `next` says which. Only groups of one state are merged.
    fn end_of_equal(&mut self, from: usize) -> usize {
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
            if !have_equal_choices(first, other) {
                break;
            }
            if to == from + 1 {
                // Which successors move is determined by the first two states.
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

/// Whether two states have the same choices, up to their successors.
fn have_equal_choices<A>(one: &Turn<RowTarget, A>, other: &Turn<RowTarget, A>) -> bool {
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
