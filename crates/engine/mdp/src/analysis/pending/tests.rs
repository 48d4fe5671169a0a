use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

proptest! {
    /// Whatever is added and taken between, also below what was taken, it comes out in order.
    #[test]
    fn the_lowest_comes_first(
        steps in prop::collection::vec((prop::collection::vec((0..300u32, 0..9u8), 0..6), 0..4usize, 0..300u32), 1..60),
    ) {
        let mut waiting: Waiting<f64> = Waiting::new(300);
        let mut expected: BTreeMap<u32, f64> = BTreeMap::new();
        for (added, taken, one) in steps {
            for (state, mass) in added {
                waiting.add(state, &mass.into());
                *expected.entry(state).or_default() += f64::from(mass);
            }
            for _ in 0..taken {
                let first = waiting.first();
                prop_assert_eq!(first, expected.keys().next().copied());
                prop_assert_eq!(first.map(|state| (state, waiting.take(state).unwrap())), expected.pop_first());
            }
            prop_assert_eq!(waiting.take(one), expected.remove(&one));
            prop_assert_eq!(waiting.len(), expected.len());
        }
    }
}
