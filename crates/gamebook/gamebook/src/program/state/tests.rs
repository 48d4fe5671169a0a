use super::*;

fn layout() -> Layout {
    let range = |least, most| (String::new(), least, most);
    Layout::new(vec![range(-3, 12), range(0, 0), range(0, 9999), range(-128, 383), range(0, 1)]).unwrap()
}

#[test]
fn numbers_are_kept_within_their_range() {
    let layout = layout();
    let mut state = layout.zero().at(77);
    for (register, number, held) in
        [(0, -5, -3), (0, 13, 12), (1, 4, 0), (2, 9_999, 9_999), (3, -100, -100), (4, i32::MAX, 1)]
    {
        layout.set(&mut state, register, number);
        assert_eq!(layout.get(&state, register), held);
    }
    let held: Vec<i32> = (0..5).map(|register| layout.get(&state, register)).collect();
    assert_eq!((held, state.place()), (vec![12, 0, 9_999, -100, 1], 77));
}

#[test]
fn what_is_not_masked_stays() {
    let layout = layout();
    let (mut left, mut right) = (layout.zero().at(1), layout.zero().at(2));
    layout.set(&mut left, 2, 5);
    layout.set(&mut right, 2, 6);
    layout.set(&mut right, 3, 7);
    let with = left.with(&layout.mask(3), &right);
    assert_eq!((layout.get(&with, 2), layout.get(&with, 3), with.place()), (5, 7, 2));
    assert_eq!(layout.get(&right.only(&layout.mask(3)), 3), 7);
}

#[test]
fn what_is_not_masked_is_passed_if_it_may() {
    let layout = layout();
    let (mut left, mut right) = (layout.zero().at(1), layout.zero().at(2));
    for (register, number) in [(0, 4), (2, 5), (3, 7), (4, 1)] {
        layout.set(&mut left, register, number);
    }
    layout.set(&mut right, 2, 6);
    layout.set(&mut right, 3, 8);
    let (mask, passed) = (layout.mask(3).union(&layout.mask(4)), layout.mask(0).union(&layout.mask(4)));
    let with = right.only(&mask).beside(&mask, &passed, &left);
    let held: Vec<i32> = (0..5).map(|register| layout.get(&with, register)).collect();
    let none = layout.range(2).0;
    assert_eq!((held, with.place()), (vec![4, 0, none, 8, 0], 2));
    assert_eq!(mask.common(&passed), layout.mask(4));
}

#[test]
fn too_many_registers_are_refused() {
    let registers = vec![(String::new(), 0, 65_535); 19];
    assert_eq!(Layout::new(registers).unwrap_err(), StateTooLarge { bits: 24 + 19 * 16 });
    assert!(Layout::new(vec![(String::new(), 0, 65_535); 18]).is_ok());
}
