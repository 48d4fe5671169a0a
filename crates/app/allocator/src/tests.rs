use super::*;

/// The number is that of the option: nothing else is 10 where nobody has set it.
#[test]
fn the_delay_is_set() {
    let numbers: Vec<c_long> = (0..30).map(|option| mi_option_get(option)).collect();
    assert_eq!(numbers[PURGE_DELAY as usize], USUAL_DELAY, "{numbers:?}");
    give_back_after(1);
    assert_eq!(mi_option_get(PURGE_DELAY), 1);
}
