use super::*;

#[test]
fn few_and_many() {
    let mut sets = ChoiceSets { masks: vec![0; 3], ..ChoiceSets::default() };
    sets.set(0, &[0, 30]);
    sets.set(1, &[3, 31, 500]);
    assert_eq!(sets.of(0).collect::<Vec<_>>(), [0, 30]);
    assert_eq!(sets.of(1).collect::<Vec<_>>(), [3, 31, 500]);
    assert!(sets.contains(1, 500) && !sets.contains(1, 30) && !sets.contains(0, 31));
    assert_eq!((sets.first(0), sets.first(1), sets.first(2)), (Some(0), Some(3), None));
    assert_eq!((sets.count(0), sets.count(1), sets.count(2)), (2, 3, 0));
    sets.set(1, &[2]);
    assert_eq!(sets.of(1).collect::<Vec<_>>(), [2]);
}
