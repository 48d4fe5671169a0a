//! Numbers for pairs of a node and a health. Most nodes are come to with few healths, near each other.

/// So many healths next to each other are kept together.
const BLOCK: usize = 8;
/// Nothing is kept yet.
const NOTHING: u32 = u32::MAX;

/// A table with a row for each node and a column for each health; what was never set has a value of its own.
#[derive(Debug)]
pub(crate) struct Table<T> {
    /// Blocks in a row.
    width: usize,
    /// Where the blocks of the rows stand.
    blocks: Vec<u32>,
    cells: Vec<T>,
    unset: T,
}

impl<T: Copy> Table<T> {
    /// A table with so many columns.
    pub(crate) fn new(columns: usize, unset: T) -> Self {
        Self { width: columns.div_ceil(BLOCK), blocks: Vec::new(), cells: Vec::new(), unset }
    }

    /// What stands there.
    pub(crate) fn get(&self, row: u32, column: i16) -> T {
        let column = usize::try_from(column).unwrap_or(0);
        match self.blocks.get(row as usize * self.width + column / BLOCK) {
            None | Some(&NOTHING) => self.unset,
            Some(block) => self.cells[*block as usize * BLOCK + column % BLOCK],
        }
    }

    /// The nearest column on one side (`step` 1 or -1) in which something stands, and what.
    pub(crate) fn next(&self, row: u32, column: i16, step: i16) -> Option<(i16, T)>
    where
        T: PartialEq,
    {
        let columns = i16::try_from(self.width * BLOCK).unwrap_or(i16::MAX);
        let mut others = std::iter::successors(Some(column + step), |column| Some(column + step));
        let others = others.by_ref().take_while(|column| (0..columns).contains(column));
        others.map(|column| (column, self.get(row, column))).find(|(_, value)| *value != self.unset)
    }

    /// The columns of a row in which something may stand.
    pub(crate) fn columns(&self, row: u32) -> impl Iterator<Item = i16> {
        let from = row as usize * self.width;
        let blocks = self.blocks.get(from..from + self.width).unwrap_or_default();
        let kept = (0..).zip(blocks).filter(|(_, block)| **block != NOTHING).map(|(place, _)| place * BLOCK);
        kept.flat_map(|column: usize| column..column + BLOCK).map(|column| i16::try_from(column).unwrap_or(i16::MAX))
    }

    /// Puts something there.
    pub(crate) fn set(&mut self, row: u32, column: i16, value: T) {
        let column = usize::try_from(column).unwrap_or(0);
        let place = row as usize * self.width + column / BLOCK;
        if self.blocks.len() <= place {
            self.blocks.resize((row as usize + 1) * self.width, NOTHING);
        }
        if self.blocks[place] == NOTHING {
            self.blocks[place] = u32::try_from(self.cells.len() / BLOCK).unwrap_or(NOTHING);
            self.cells.resize(self.cells.len() + BLOCK, self.unset);
        }
        self.cells[self.blocks[place] as usize * BLOCK + column % BLOCK] = value;
    }

    /// Forgets what was put there.
    pub(crate) fn clear(&mut self) {
        self.cells.fill(self.unset);
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.blocks.as_slice()) + size_of_val(self.cells.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn what_was_set_and_what_was_not() {
        let mut table = Table::new(81, f64::INFINITY);
        assert_eq!(table.get(7, 80), f64::INFINITY);
        table.set(7, 80, 1.0);
        table.set(2, 0, 2.0);
        assert_eq!((table.get(7, 80), table.get(2, 0)), (1.0, 2.0));
        assert_eq!((table.get(7, 79), table.get(2, 8), table.get(9, 0)), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
    }
}
