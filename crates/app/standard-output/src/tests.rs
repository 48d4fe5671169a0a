#[test]
fn these_tests_have_a_standard_output() {
    assert!(!super::was_closed());
}
