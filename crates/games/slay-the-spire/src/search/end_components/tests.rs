use budget::Budget;

use super::end_components;

#[test]
fn only_where_one_can_stay() {
    // 0 and 1 form a cycle, but 1 also has a choice that may lead to 2, which has none; 3 stays where it is; 4 leads to
    // 3; 5 may lead to itself or out; 6 and 7 lead to each other through 8, and 8 to 3, too.
    let mut options = vec![
        vec![('a', vec![1])],
        vec![('b', vec![0, 2]), ('c', vec![0, 1])],
        vec![],
        vec![('d', vec![3])],
        vec![('e', vec![3])],
        vec![('f', vec![5, 2])],
        vec![('g', vec![8])],
        vec![('h', vec![8])],
        vec![('i', vec![6, 7]), ('j', vec![3])],
    ];
    let mut found = end_components(&mut options, &Budget::unlimited()).unwrap();
    found.sort();
    assert_eq!(found, [vec![0, 1], vec![3], vec![6, 7, 8]]);
    let left: String = options.iter().flatten().map(|(name, _)| *name).collect();
    assert_eq!(left, "acdghi");
}
