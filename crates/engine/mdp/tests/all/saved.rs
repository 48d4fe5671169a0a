//! Saved solutions: what is written can be read, and nothing else.

use std::hash::Hash;

use mdp::rows::RowGame;
use mdp::{
    Distribution, ExploreOptions, Game, Identity, SaveError, Saved, SolveOptions, StateSpace, Turn, Weight, explore,
    ratio, rows, solve,
};
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
                turn.chance([(place - 1, Weight(1)), (place + 1, Weight(1))]);
                turn.chance([(place - 1, Weight(u64::MAX)), (place + 1, Weight(u64::MAX - 1))]);
                turn.to(place - 1);
            }
        }
    }
}

/// Five throws of a coin, each worth what it shows: nothing goes round, so no level has cyclic parts.
struct Throws;

impl Game for Throws {
    type State = (u8, u8);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(u8, u8)>> {
        vec![Distribution::certain((0, 0))]
    }

    fn rules(&self, &(throws, heads): &(u8, u8), turn: &mut Turn<(u8, u8)>) {
        if throws == 5 {
            return turn.end_ordered([heads.into(), ratio(-i64::from(heads % 2), 3)]);
        }
        turn.chance([((throws + 1, heads), Weight(1)), ((throws + 1, heads + 1), Weight(1))]);
        turn.to((throws + 1, heads));
    }
}

/// Three rooms, in each of which a coin decides whether a tenth of the health goes; told in rows.
struct Rooms;

impl Game for Rooms {
    type State = (u8, u8);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(u8, u8)>> {
        (1..=10).map(|health| Distribution::certain((0, health))).collect()
    }

    fn rules(&self, &(room, health): &(u8, u8), turn: &mut Turn<(u8, u8)>) {
        match (room, health) {
            (_, 0) => turn.end(0),
            (3, health) => turn.end(i64::from(health)),
            _ => {
                turn.uniform([(room + 1, health), (room + 1, health - 1)]);
                turn.to((3, 1));
            }
        }
    }
}

impl RowGame for Rooms {
    fn row_length(&self) -> u32 {
        11
    }

    fn row_of(&self, &(room, health): &(u8, u8)) -> ((u8, u8), u32) {
        ((room, 0), health.into())
    }

    fn in_row(&self, &(room, _): &(u8, u8), position: u32) -> (u8, u8) {
        (room, u8::try_from(position).unwrap())
    }
}

fn identity() -> Identity {
    Identity { game: "walk".to_owned(), rules: 1, parameters: "places=10".to_owned() }
}

fn saved(exact: bool) -> Saved<u8> {
    saved_space(explored(&Walk), exact)
}

fn explored<G: Game>(game: &G) -> StateSpace<G::State> {
    explore(game, &ExploreOptions::default()).expect("small")
}

fn saved_space<S: Eq + Hash>(space: StateSpace<S>, exact: bool) -> Saved<S> {
    let solution = solve(space.model(), &SolveOptions::default().with_exact(exact)).expect("small");
    Saved::new(identity(), space, solution)
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
            let number = loaded.space().number_of(&place).expect("reached");
            assert_eq!(Some(number), saved.space().number_of(&place));
            assert_eq!(loaded.solution().value(number), saved.solution().value(number));
            assert_eq!(loaded.solution().policy().choice(number), saved.solution().policy().choice(number));
        }
        assert_eq!(loaded.solution().best(), saved.solution().best());
        assert_eq!(loaded.solution().sense(), saved.solution().sense());
        assert!(std::sync::Arc::ptr_eq(loaded.space().model(), loaded.solution().model()));
        assert_eq!(loaded.space().model().counts(), saved.space().model().counts());
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

/// Files of formats before this one are refused, whatever is in them.
#[test]
fn older_formats_are_refused_by_their_version() {
    let old = include_bytes!("../data/format-2.solution");
    let error = Saved::<u8>::from_bytes(old, None).expect_err("an old format");
    assert_eq!(error.to_string(), "a saved solution of format 2; this program reads format 6");
    let mut current = saved(true).to_bytes(None).expect("bytes");
    for version in 0..=3 {
        current[18] = version;
        assert!(matches!(Saved::<u8>::from_bytes(&current, None), Err(SaveError::Version(found)) if found == version));
    }
}

#[test]
#[should_panic = "the solution of another model"]
fn a_solution_is_saved_with_its_own_states() {
    let own = saved(true);
    let _ = Saved::new(identity(), own.space().clone(), saved(true).solution().clone());
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

/// Bytes that are changed, removed or added.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..6u8), 1..4)
}

/// Reads a file that was changed, and uses all that it says if it can be read.
fn lie<S: Clone + Eq + Hash + serde::Serialize + serde::de::DeserializeOwned>(
    mut bytes: Vec<u8>,
    changes: &[(prop::sample::Index, u8, u8)],
) {
    for (place, value, how) in changes {
        let place = 51 + place.index(bytes.len() - 51);
        match how {
            0 => drop(bytes.remove(place)),
            1 => bytes.insert(place, *value),
            2 => bytes[place] = value % 4,
            _ => bytes[place] = *value,
        }
    }
    rehash(&mut bytes);
    let Ok(saved) = Saved::<S>::from_bytes(&bytes, None) else { return };
    let (space, solution) = (saved.space(), saved.solution());
    let model = space.model();
    for state in 0..model.states() {
        for objective in 0..solution.objectives() {
            let _ = solution.value_in(objective, state);
        }
        assert_eq!(solution.best().of(state).count(), solution.best().count(state));
        assert_eq!(solution.policy().choice(state).is_none(), model.payoff(state).is_some());
        assert_eq!(space.number_of(space.state(state)), Some(state));
        let _ = mdp::advise(solution, state, None);
    }
    for start in space.starts() {
        let _ = solution.value_of(start);
        let _ = mdp::forward(solution.policy(), start, None);
        if solution.is_exact() {
            let _ = mdp::forward_exact(solution, start, None);
        }
        let options = mdp::SimulateOptions { plays: 10, max_steps: 100, ..mdp::SimulateOptions::default() };
        let _ = mdp::simulate(solution.policy(), start, &options, None);
    }
    assert!(saved.to_bytes(None).is_ok());
}

/// A level without cyclic parts that names some beyond the last, its hash right.
#[test]
fn a_level_with_empty_parts_is_refused() {
    let bytes = saved_space(explored(&Throws), true).to_bytes(None).expect("bytes");
    let mut refused = 0;
    for place in 51..bytes.len() {
        let mut changed = bytes.clone();
        if changed[place] == 0 && changed.get(place + 1) == Some(&0) {
            changed[place..place + 2].fill(9);
            rehash(&mut changed);
            refused += u32::from(Saved::<(u8, u8)>::from_bytes(&changed, None).is_err());
        }
    }
    assert!(refused > 3);
}

/// Writing and reading stop when the budget says so, and a file that was not finished is removed.
#[test]
fn saving_and_loading_are_stopped() {
    use budget::{Budget, Limits};
    let limits = Limits { max_time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let no_time = Budget::new(limits);
    let saved = saved_space(explored(&Throws), false);
    let bytes = saved.to_bytes(None).expect("bytes");
    // Small files are over before anybody looks.
    assert!(Saved::<(u8, u8)>::from_bytes(&bytes, None).is_ok());
    let long = Identity { parameters: "x".repeat(1 << 20), ..identity() };
    let long = Saved::new(long, saved.space().clone(), saved.solution().clone());
    assert!(matches!(long.to_bytes(Some(&no_time)), Err(SaveError::Stopped(_))));
    let path = std::env::temp_dir().join(format!("bestplay-test-{}-stopped.solution", std::process::id()));
    std::fs::write(&path, "the old file").expect("written");
    assert!(matches!(long.save(&path, Some(&no_time)), Err(SaveError::Stopped(_))));
    assert_eq!(std::fs::read_to_string(&path).expect("there"), "the old file");
    let bytes = long.to_bytes(None).expect("bytes");
    assert!(matches!(Saved::<(u8, u8)>::from_bytes(&bytes, Some(&no_time)), Err(SaveError::Stopped(_))));
    std::fs::write(&path, bytes).expect("written");
    let little = Budget::new(Limits { max_memory: 1 << 20, ..Limits::default() });
    assert!(matches!(Saved::<(u8, u8)>::load(&path, None, Some(&little)), Err(SaveError::Stopped(_))));
    std::fs::remove_file(&path).expect("removed");
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
    fn lies_do_no_harm(changes in changes(), exact: bool) {
        lie::<u8>(saved(exact).to_bytes(None).expect("bytes"), &changes);
    }

    /// The same where nothing is cyclic.
    #[test]
    fn lies_about_levels_do_no_harm(changes in changes(), exact: bool) {
        lie::<(u8, u8)>(saved_space(explored(&Throws), exact).to_bytes(None).expect("bytes"), &changes);
    }

    /// The same with blocks.
    #[test]
    fn lies_about_blocks_do_no_harm(changes in changes(), exact: bool) {
        let saved = saved_space(rows::explore(&Rooms, &ExploreOptions::default()).expect("small"), exact);
        let counts = saved.space().model().counts();
        assert!(counts.outcomes < counts.transitions);
        lie::<(u8, u8)>(saved.to_bytes(None).expect("bytes"), &changes);
    }
}
