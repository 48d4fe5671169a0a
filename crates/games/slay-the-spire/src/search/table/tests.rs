use super::Table;

#[test]
fn set_and_unset_cells() {
    let mut table = Table::new(f64::INFINITY);
    assert_eq!(table.get(7, 80), f64::INFINITY);
    *table.at(7, 80) = 1.0;
    *table.at(2, 0) = 2.0;
    assert_eq!((table.get(7, 80), table.get(2, 0)), (1.0, 2.0));
    assert_eq!((table.get(7, 79), table.get(2, 8), table.get(9, 0)), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
}

/// Rows grow on both sides, and the blocks that they leave are reused by others, as if they had never been set.
#[test]
fn rows_grow_and_nothing_is_lost_or_left_behind() {
    let mut table = Table::new(0u32);
    let mut set = std::collections::BTreeMap::new();
    let mut number = 1u32;
    for _ in 0..3_000 {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (row, column) = ((number >> 8) % 23, i16::try_from((number >> 16) % 251).unwrap());
        *table.at(row, column) = number;
        set.insert((row, column), number);
        if number.is_multiple_of(16) {
            for (row, column) in (0..24).flat_map(|row| (0..=251).map(move |column| (row, column))) {
                assert_eq!(table.get(row, column), set.get(&(row, column)).copied().unwrap_or(0));
            }
        }
    }
    for (row, column) in (0..24).flat_map(|row| (0..=251).map(move |column| (row, column))) {
        let above = set.range((row, column + 1)..(row + 1, 0)).next().map(|((_, column), number)| (*column, *number));
        let below = set.range((row, 0)..(row, column)).next_back().map(|((_, column), number)| (*column, *number));
        let set = |cell: &(i16, u32)| cell.1 > 0;
        assert_eq!((table.above(row, column).find(set), table.below(row, column).find(set)), (above, below));
    }
}
