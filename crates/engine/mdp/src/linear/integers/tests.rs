use super::*;
use budget::Budget;

fn solution(rows: &[Row<IBig>], right: [i32; 2]) -> Result<(Vec<IBig>, UBig), EliminationError> {
    let effort = Effort { most_entries: 100, budget: &Budget::unlimited() };
    eliminate(rows, &right.map(IBig::from), effort)
}

#[test]
fn a_system_of_two() {
    // 2x + y = 5, x - 3y = -1.
    let rows = [vec![(0, IBig::from(2)), (1, IBig::ONE)], vec![(0, IBig::ONE), (1, IBig::from(-3))]];
    assert_eq!(solution(&rows, [5, -1]), Ok((vec![IBig::from(14), IBig::from(7)], UBig::from(7u8))));
}

#[test]
fn rows_are_swapped_where_a_pivot_is_zero() {
    let rows = [vec![(1, IBig::from(2))], vec![(0, IBig::from(3))]];
    assert_eq!(solution(&rows, [4, 9]), Ok((vec![IBig::from(18), IBig::from(12)], UBig::from(6u8))));
}
