use super::*;
use crate::explicit::MOST;
use budget::Budget;

#[test]
fn long_lists_are_searched_in_windows() {
    let budget = Budget::unlimited();
    let memory = Memory::new(&budget, 0);
    let mut states: Vec<u32> = (0..100_000).map(|place: u32| place.wrapping_mul(2_654_435_761) % MOST).collect();
    let mut sorted = states.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), states.len());
    assert!(!has_duplicate(&states, &memory).unwrap());
    states.push(states[77]);
    assert!(has_duplicate(&states, &memory).unwrap());
}
