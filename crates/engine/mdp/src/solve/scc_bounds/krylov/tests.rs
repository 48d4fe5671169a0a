use super::*;

/// A ring on which play goes either way, and leaves from one node one time in a million: sweeps need millions of steps.
#[test]
fn a_ring_that_is_hardly_left() {
    const SIZE: u32 = 12;
    const EXIT: f64 = 1e-6;
    let row = |node: u32| {
        let stays = if node == 0 { 1.0 - EXIT } else { 1.0 };
        [1, 5, SIZE - 1].map(|step| ((node + step) % SIZE, stays / 3.0)).into_iter()
    };
    let sweeps = Sweeps::new((0..SIZE).map(row));
    // From 0, where the way out pays 1 and so every value is 1.
    let mut residual = vec![0.0; SIZE as usize];
    residual[0] = EXIT;
    // One sweep with that right-hand side is one without it plus its contribution.
    for node in 1..SIZE {
        residual[node as usize] = row(node).map(|(to, p)| p * residual[to as usize]).sum();
    }
    let once = residual.clone();
    for node in (0..SIZE).rev() {
        let brings = if node == 0 { EXIT } else { 0.0 };
        residual[node as usize] = brings + row(node).map(|(to, p)| p * residual[to as usize]).sum::<f64>();
    }
    assert!(once.iter().all(|share| *share <= EXIT));
    let Correction { shares, left } = sweeps.correct(residual, 24, 1e-14);
    assert!(left < 1e-10, "{left}");
    let furthest = shares.iter().fold(0.0, |most: f64, share| most.max((share - 1.0).abs()));
    assert!(furthest < 1e-6, "{furthest}");
}
