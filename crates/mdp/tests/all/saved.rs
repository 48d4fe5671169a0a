//! Saved solutions: what is written can be read, and nothing else.

use mdp::{Distribution, ExploreOptions, Game, Identity, SaveError, Saved, SolveOptions, Turn, explore, ratio, solve};
use proptest::prelude::*;

/// Walk on a line from 0 to 9: three choices of chances, one of them with large weights.
struct Walk;

impl Game for Walk {
    type State = u8;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u8>> {
        vec![Distribution::uniform([4, 5]).expect("two")]
    }

    fn rules(&self, place: &u8, turn: &mut Turn<u8>) {
        match place {
            0 => turn.end(ratio(-1, 3)),
            9 => turn.end(1),
            _ => {
                turn.chance([(place - 1, 1), (place + 1, 1)]);
                turn.chance([(place - 1, u64::MAX), (place + 1, u64::MAX - 1)]);
                turn.to(place - 1);
            }
        }
    }
}

fn identity() -> Identity {
    Identity { game: "walk".to_owned(), rules: 1, parameters: "places=10".to_owned() }
}

fn saved(exact: bool) -> Saved<u8> {
    let space = explore(&Walk, &ExploreOptions::default()).expect("small");
    let solution = solve(space.model(), &SolveOptions::default().with_exact(exact)).expect("small");
    Saved { identity: identity(), space, solution }
}

#[test]
fn what_was_saved_is_loaded() {
    for exact in [false, true] {
        let saved = saved(exact);
        let path = std::env::temp_dir().join(format!("bestplay-test-{}-{exact}.solution", std::process::id()));
        saved.save(&path, None).expect("written");
        let loaded: Saved<u8> = Saved::load(&path, Some(&identity()), None).expect("read");
        std::fs::remove_file(&path).expect("removed");
        for place in 0..10u8 {
            let number = loaded.space.number_of(&place).expect("reached");
            assert_eq!(Some(number), saved.space.number_of(&place));
            assert_eq!(loaded.solution.value(number), saved.solution.value(number));
            assert_eq!(loaded.solution.best(), saved.solution.best());
            assert_eq!(loaded.solution.policy(), saved.solution.policy());
        }
        assert_eq!(loaded.space.model().counts(), saved.space.model().counts());
        assert_eq!(loaded.to_bytes(None).expect("bytes"), saved.to_bytes(None).expect("bytes"));
    }
}

#[test]
fn other_solutions_are_refused() {
    let path = std::env::temp_dir().join(format!("bestplay-test-{}-other.solution", std::process::id()));
    saved(true).save(&path, None).expect("written");
    let other = Identity { parameters: "places=11".to_owned(), ..identity() };
    let error = Saved::<u8>::load(&path, Some(&other), None).expect_err("another game");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(
        error.to_string(),
        "the solution of walk (rules 1) with places=10, not of walk (rules 1) with places=11"
    );
    assert!(matches!(Saved::<u8>::from_bytes(b"something else", None), Err(SaveError::NotASolution)));
    assert!(matches!(Saved::<u8>::from_bytes(b"bestplay solution\n\x63", None), Err(SaveError::Version(0x63))));
    assert!(matches!(Saved::<u8>::load("/nowhere/at/all".as_ref(), None, None), Err(SaveError::Io(_))));
}

/// The contents with their hash made right again.
fn rehash(bytes: &mut [u8]) {
    use siphasher::sip128::{Hasher128, SipHasher13};
    use std::hash::Hasher;
    const BEGIN: usize = 18 + 1 + 32;
    let mut hasher = SipHasher13::new();
    hasher.write(&bytes[BEGIN..]);
    let hash = hasher.finish128().as_u128().to_le_bytes();
    bytes[BEGIN - 16..BEGIN].copy_from_slice(&hash);
}

proptest! {
    #[test]
    fn damage_is_found(place in any::<prop::sample::Index>(), flip in 1u8..) {
        let mut bytes = saved(true).to_bytes(None).expect("bytes");
        let place = place.index(bytes.len());
        bytes[place] ^= flip;
        prop_assert!(Saved::<u8>::from_bytes(&bytes, None).is_err());
        prop_assert!(Saved::<u8>::from_bytes(&bytes[..place], None).is_err());
    }

    /// A file made by hand, with its hash right: it is refused, or does no harm when used.
    #[test]
    fn lies_do_no_harm(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), exact: bool) {
        let mut bytes = saved(exact).to_bytes(None).expect("bytes");
        for (place, value) in changes {
            let place = 51 + place.index(bytes.len() - 51);
            bytes[place] = value;
        }
        rehash(&mut bytes);
        if let Ok(saved) = Saved::<u8>::from_bytes(&bytes, None) {
            for state in 0..saved.space.model().states() {
                let _ = saved.solution.value(state);
                let _ = mdp::advise(saved.space.model(), &saved.solution, state, &SolveOptions::default());
            }
            let _ = saved.solution.value_of(&saved.space.starts()[0]);
            let _ = mdp::forward(saved.space.model(), saved.solution.policy(), &saved.space.starts()[0], None);
        }
    }
}
