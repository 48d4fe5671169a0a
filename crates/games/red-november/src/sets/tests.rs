use super::*;

#[test]
fn equal_sets_have_equal_names() {
    let mut sets = Sets::new(130);
    let a = sets.with(Sets::EMPTY, &[129, 3]);
    let one = sets.with(Sets::EMPTY, &[3]);
    assert_eq!(sets.with(one, &[129]), a);
    assert_eq!(sets.with(a, &[3]), a);
    assert_ne!(a, one);
    assert!(sets.contains(a, 129) && sets.contains(a, 3) && !sets.contains(a, 128));
    assert_eq!(sets.len(), 3);
}
