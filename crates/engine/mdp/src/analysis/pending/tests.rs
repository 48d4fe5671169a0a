use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

proptest! {
    /// Masses come out in order, whatever is added and taken in between, also below those already taken.
    #[test]
    fn the_lowest_comes_first(
        steps in prop::collection::vec((prop::collection::vec((0..300u32, 0..9u8), 0..6), 0..4usize, 0..300u32), 1..60),
    ) {
        let mut pending: PendingMasses<f64> = PendingMasses::new(300);
        let mut expected: BTreeMap<u32, f64> = BTreeMap::new();
        for (added, taken, one) in steps {
            for (state, mass) in added {
                pending.add(state, &mass.into());
                *expected.entry(state).or_default() += f64::from(mass);
            }
            for _ in 0..taken {
                let first = pending.first();
                prop_assert_eq!(first, expected.keys().next().copied());
                prop_assert_eq!(first.map(|state| (state, pending.take(state).unwrap())), expected.pop_first());
            }
            prop_assert_eq!(pending.take(one), expected.remove(&one));
            prop_assert_eq!(pending.len(), expected.len());
        }
    }
}
