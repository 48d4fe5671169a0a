use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn as_a_set_of_pairs(
        own in prop::collection::vec((0..6u8, 0..130u32), 0..60),
        other in prop::collection::vec((0..6u8, 0..130u32), 0..60),
    ) {
        let set = RowSet::of(130, own.clone());
        let pairs: BTreeSet<(u8, u32)> = own.iter().copied().collect();
        prop_assert_eq!(set.iter().map(|(row, position)| (*row, position)).collect::<Vec<_>>(), pairs.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(set.len(), pairs.len() as u64);
        for (row, position) in (0..6).flat_map(|row| (0..131).map(move |position| (row, position))) {
            let expected = pairs.iter().position(|own| *own == (row, position));
            prop_assert_eq!(set.index_of(&row, position), expected.map(|expected| expected as u64));
        }
        let both: Vec<_> = own.iter().chain(&other).copied().collect();
        prop_assert_eq!(set.union(&RowSet::of(130, other)), RowSet::of(130, both));
        let few: Vec<_> = own.iter().filter(|(row, _)| row % 2 == 0).copied().collect();
        prop_assert_eq!(set.filter(|row| row % 2 == 0), RowSet::of(130, few));
        for count in 0..4 {
            let chunks = set.chunks(count);
            let all: Vec<_> = chunks.iter().flat_map(RowSet::iter).collect();
            prop_assert!(all.iter().copied().eq(set.iter()) && chunks.len() as u64 <= count.max(1));
        }
        prop_assert_eq!(RowSet::from_parts(130, set.rows().to_vec(), set.positions().to_vec()), Some(set));
    }
}
