//! Sets of states that are stored by rows.

use crate::support::{bits, id};

/// A set of states, stored by rows: each row once, with a bit for each of its positions. Where rows are full that takes
/// little more than a bit for a state. The states are in order: row by row, and by their positions.
///
/// ```
/// use mdp::rows::RowSet;
///
/// let set = RowSet::of(64, [("cave", 7), ("bridge", 3), ("cave", 2), ("cave", 7)]);
/// let states: Vec<_> = set.iter().map(|(row, position)| (*row, position)).collect();
/// assert_eq!(states, [("bridge", 3), ("cave", 2), ("cave", 7)]);
/// assert_eq!((set.index_of(&"cave", 7), set.index_of(&"cave", 3), set.index_of(&"well", 3)), (Some(2), None, None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSet<S> {
    /// In order.
    rows: Vec<S>,
    /// For each row a bit set of the positions that belong to it, this many words each.
    reached: Vec<u64>,
    width: usize,
    /// How many states come before each row; one more entry than rows.
    before: Vec<u64>,
}

impl<S> Default for RowSet<S> {
    /// The empty set.
    fn default() -> Self {
        Self { rows: Vec::new(), reached: Vec::new(), width: 0, before: vec![0] }
    }
}

impl<S: Clone + Ord> RowSet<S> {
    /// The set of these states, given by row and position; rows have at most `length` positions.
    ///
    /// # Panics
    /// When a position is beyond the end of its row.
    pub fn of(length: u32, states: impl IntoIterator<Item = (S, u32)>) -> Self {
        let mut states: Vec<(S, u32)> = states.into_iter().collect();
        states.sort_unstable();
        let mut set = Self::empty(length);
        for row in states.chunk_by(|left, right| left.0 == right.0) {
            set.rows.push(row[0].0.clone());
            let from = set.reached.len();
            set.reached.resize(from + set.width, 0);
            for (_, position) in row {
                assert!(*position < length, "a position beyond the end of its row");
                set.reached[from + *position as usize / 64] |= 1 << (position % 64);
            }
        }
        set.counted()
    }

    /// The set of rows with their positions, in any order; no row occurs twice.
    pub(crate) fn of_rows(length: u32, rows: Vec<(S, &[u64])>) -> Self {
        let mut rows = rows;
        rows.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut set = Self::empty(length);
        set.reached.reserve(rows.len() * set.width);
        for (row, reached) in rows {
            set.rows.push(row);
            set.reached.extend(reached);
        }
        set.counted()
    }

    fn empty(length: u32) -> Self {
        Self { width: (length as usize).div_ceil(64), ..Self::default() }
    }

    fn counted(mut self) -> Self {
        self.before.reserve(self.rows.len());
        let mut count = 0;
        for own in self.reached.chunks_exact(self.width.max(1)) {
            count += own.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            self.before.push(count);
        }
        self
    }

    /// The states that are in either of two sets of rows of the same length.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut set = Self { width: self.width.max(other.width), ..Self::default() };
        let (mut own, mut theirs) = (0, 0);
        while own < self.rows.len() || theirs < other.rows.len() {
            let order = match (self.rows.get(own), other.rows.get(theirs)) {
                (Some(left), Some(right)) => left.cmp(right),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let from = set.reached.len();
            set.reached.resize(from + set.width, 0);
            if order.is_le() {
                set.rows.push(self.rows[own].clone());
                set.reached[from..].iter_mut().zip(self.words(own)).for_each(|(word, more)| *word |= more);
                own += 1;
            }
            if order.is_ge() {
                if order.is_gt() {
                    set.rows.push(other.rows[theirs].clone());
                }
                set.reached[from..].iter_mut().zip(other.words(theirs)).for_each(|(word, more)| *word |= more);
                theirs += 1;
            }
        }
        set.counted()
    }

    /// The states whose rows `keep` accepts.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(&S) -> bool) -> Self {
        let mut set = Self { width: self.width, ..Self::default() };
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| keep(row)) {
            set.rows.push(row.clone());
            set.reached.extend(self.words(index));
        }
        set.counted()
    }

    /// The same states split into sets of about equal size, in order, without splitting rows.
    pub fn chunks(&self, count: u64) -> Vec<Self> {
        let most = self.len().div_ceil(count.max(1)).max(1);
        let mut chunks: Vec<Self> = Vec::new();
        let mut first = 0;
        while first < self.rows.len() {
            let full = self.before[first] + most;
            let end = self.before.partition_point(|before| *before < full).clamp(first + 1, self.rows.len());
            let reached = self.reached[first * self.width..end * self.width].to_vec();
            let chunk = Self { rows: self.rows[first..end].to_vec(), reached, width: self.width, ..Self::default() };
            chunks.push(chunk.counted());
            first = end;
        }
        chunks
    }

    fn words(&self, row: usize) -> &[u64] {
        &self.reached[row * self.width..][..self.width]
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a state in the set; `None` when it is not in it.
    pub fn index_of(&self, row: &S, position: u32) -> Option<u64> {
        let row = self.rows.binary_search(row).ok()?;
        let words = self.words(row);
        let (word, bit) = (position as usize / 64, 1 << (position % 64));
        if words.get(word)? & bit == 0 {
            return None;
        }
        let full: u32 = words[..word].iter().map(|word| word.count_ones()).sum();
        Some(self.before[row] + u64::from(full + (words[word] & (bit - 1)).count_ones()))
    }

    /// The rows, in order.
    pub fn rows(&self) -> &[S] {
        &self.rows
    }

    /// The positions of all rows, as sets of 64 bits: equally many for each row.
    pub fn positions(&self) -> &[u64] {
        &self.reached
    }

    /// The set of these rows, in order, with [their positions](Self::positions), if it is one.
    pub fn from_parts(length: u32, rows: Vec<S>, positions: Vec<u64>) -> Option<Self> {
        let set = Self { rows, reached: positions, ..Self::empty(length) };
        let fits = Some(set.reached.len()) == set.rows.len().checked_mul(set.width);
        (fits && set.rows.is_sorted_by(|left, right| left < right)).then(|| set.counted())
    }

    /// All states by row and position, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&S, u32)> {
        let of_word = move |(index, word): (usize, &u64)| {
            let (row, first) = (&self.rows[index / self.width], id(index % self.width * 64));
            let word = *word;
            bits(word).map(move |bit| (row, first + bit))
        };
        self.reached.iter().enumerate().flat_map(of_word)
    }
}

#[cfg(test)]
mod tests;
