use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

proptest! {
    /// Discovering positions together marks the same ones as discovering them one by one, near each other or far apart.
    #[test]
    fn together_as_one_by_one(
        length in 1..200u32,
        steps in prop::collection::vec((0..3u32, 0..200u32, prop::collection::btree_set(0..90u32, 1..9)), 1..30),
    ) {
        let mut found = Slots::new(length);
        found.grow(3);
        let mut known = BTreeSet::new();
        for (row, first, after) in steps {
            let positions: Vec<u32> = after.iter().map(|after| first + after).filter(|own| *own < length).collect();
            let places: Vec<InRow> = positions.iter().map(|position| InRow { row, position: *position }).collect();
            let Some(first) = places.first().copied() else { continue };
            // Only their distances from each other count.
            let lanes = Lanes::of(positions.iter().map(|position| position + 5));
            prop_assert_eq!(found.reaches_all(first, &lanes), places.iter().all(|own| known.contains(own)));
            let mut new = Vec::new();
            found.reach_all(first, &lanes, &mut new);
            let expected: Vec<InRow> = places.into_iter().filter(|own| known.insert(*own)).collect();
            let width = id(found.width);
            let new = new.iter().flat_map(|Fresh { word, bits: own }| {
                bits(*own).map(move |bit| InRow { row: word / width, position: word % width * u64::BITS + bit })
            });
            prop_assert_eq!(new.collect::<Vec<_>>(), expected);
            prop_assert_eq!(found.states(), known.len());
        }
        prop_assert!(known.iter().all(|own| found.reaches(*own)));
    }
}
