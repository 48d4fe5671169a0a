use super::*;

#[test]
fn every_pattern_can_be_read() {
    assert!(all_patterns().iter().all(|regex| !regex.as_str().is_empty()));
}
