use super::*;

#[test]
fn a_part_is_read_under_its_own_head_only_and_whole() {
    let head = Head { name: "ends-3", game: 7, cut: 9 };
    let states = RowSet::of(70, [(State::from_words([1, 2, 3, 4, 5]), 69), (State::from_words([1; 5]), 0)]);
    let bytes = write_part(&head, &states, &[0.25, 0.75]);
    assert_eq!(read_part(&head, 70, &bytes), Ok((states, vec![0.25, 0.75])));
    for (other, why) in [
        (Head { name: "ends-30", ..head }, Unfit::Name),
        (Head { game: 8, ..head }, Unfit::Game),
        (Head { cut: 8, ..head }, Unfit::Cut),
    ] {
        assert_eq!(read_part(&other, 70, &bytes), Err(why));
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        let read = read_part(&head, 70, &damaged);
        assert!(matches!(read, Err(Unfit::Damaged | Unfit::Version)), "{place}: {read:?}");
        assert_eq!(read_part(&head, 70, &bytes[..place]), Err(Unfit::Damaged), "{place}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(read_part(&head, 70, &longer), Err(Unfit::Damaged));
}
