use super::*;

#[test]
fn few_groups_are_cut_many_are_not() {
    let open = vec![vec![true; 10], vec![false; 10]];
    let rolls = |in_a_row: usize| -> Vec<Range<usize>> {
        let tasks = tasks(&open, &[0, 1], &[in_a_row, 1]);
        assert!(tasks.iter().all(|task| task.group == 0));
        tasks.into_iter().map(|task| task.rolls).collect()
    };
    assert_eq!(rolls(1), [0..3, 3..6, 6..9, 9..10]);
    // Who differs in little is not parted.
    assert_eq!(rolls(4), [0..4, 4..8, 8..10]);
    let many: Vec<Vec<bool>> = (0..9).map(|group| vec![group == 3; 10]).collect();
    assert_eq!(tasks(&many, &[0, 1, 2, 3, 4, 5, 6, 7, 8], &[1; 9]).len(), 1);
    // What the second wants is found for the first.
    let open = vec![vec![false; 10], vec![true; 10]];
    assert!(tasks(&open, &[0, 0], &[1, 1]).iter().all(|task| task.group == 0));
}
