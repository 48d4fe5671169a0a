use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn is_the_set_that_was_put_in(states in 1u32..700, seed in proptest::collection::vec(any::<u16>(), 0..400)) {
        let mut members: Vec<u32> = seed.iter().map(|state| u32::from(*state) % states).collect();
        members.sort_unstable();
        let mut set = StateSet::new(states);
        for state in &members {
            set.push(*state);
        }
        members.dedup();
        prop_assert_eq!(set.iter().collect::<Vec<_>>(), members.clone());
        prop_assert_eq!(set.len() as usize, members.len());
        prop_assert!(set.bytes() <= 8 * u64::from(states) + 64);
        for state in 0..states + 3 {
            prop_assert_eq!(set.contains(state), members.contains(&state));
        }
        prop_assert_eq!(StateSet::from_fn(states, |state| members.contains(&state)), set);
    }
}
