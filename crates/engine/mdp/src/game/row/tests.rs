use super::*;

#[test]
fn a_row_has_one_number() {
    let mut turns: RowTurns<u32> = RowTurns::default();
    for _ in 0..2 {
        turns.clear();
        for row in (0..40).chain(0..40).chain([39, 7, 0]) {
            assert_eq!(turns.row(&(row * 3)), row);
        }
        assert_eq!(turns.rows().len(), 40);
    }
}
