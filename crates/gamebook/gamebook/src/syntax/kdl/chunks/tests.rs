use super::*;

#[test]
fn parcels_hold_every_piece_once() {
    for (pieces, length) in [(0, 1), (1, 10), (5, LEAST_PARCEL), (40, LEAST_PARCEL / 2), (10_000, 700), (20, 1 << 20)] {
        let all: Vec<Range<usize>> = (0..pieces).map(|piece| piece * length..(piece + 1) * length).collect();
        let parcels = parcels(&all);
        assert_eq!(parcels.concat(), all);
        assert!((1..=MOST_PARCELS + 1).contains(&parcels.len()), "{}", parcels.len());
        assert!(pieces == 0 || parcels.iter().all(|own| !own.is_empty()));
    }
}

#[test]
fn work_comes_back_in_order() {
    let parcels: Vec<u32> = (0..100).collect();
    assert_eq!(side_by_side(&parcels, |own| own * 2), Some((0..200).step_by(2).collect()));
}
