//! What is done to inputs.

use fastrand::Rng;
use fuzz::mutate::mutate;

#[test]
fn the_same_seed_does_the_same_damage() {
    let damaged = |seed| {
        let mut random = Rng::with_seed(seed);
        let mut all = Vec::new();
        for _ in 0..1000 {
            let mut input = b"state 0 init\n\taction 0\n\t\t17 : 0.25\n".to_vec();
            mutate(&mut random, &mut input, &[b"other".to_vec()], &["word"], 100);
            assert!(input.len() <= 100);
            all.push(input);
        }
        all
    };
    assert_eq!(damaged(1), damaged(1));
    assert_ne!(damaged(1), damaged(2));
}
