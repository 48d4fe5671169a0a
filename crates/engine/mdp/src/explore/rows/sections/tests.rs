use super::*;

#[test]
fn each_piece_is_taken_once() {
    for (pieces, threads) in [(0, 1), (1, 1), (5, 1), (1, 3), (7, 3), (32, 2)] {
        let sections = Sections::new(pieces, threads);
        let mut taken: Vec<usize> = Vec::new();
        // Each takes one; then the last thread takes all that are left.
        taken.extend((0..threads).filter_map(|thread| sections.take(thread)));
        if pieces >= threads {
            assert!(taken.iter().copied().eq((0..threads).map(|own| own * pieces / threads)));
        }
        taken.extend(std::iter::from_fn(|| sections.take(threads - 1)));
        assert!((0..threads).all(|thread| sections.take(thread).is_none()));
        taken.sort_unstable();
        assert!(taken.into_iter().eq(0..pieces));
    }
}
