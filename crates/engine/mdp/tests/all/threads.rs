//! The same space and the same solution on any number of threads.

use crate::common::listing;
use mdp::rows::{RowGame, explore};
use mdp::{Distribution, ExploreOptions, Game, Sense, Solution, SolveOptions, StateSpace, Turn, Weight, ratio, solve};

const WIDTH: u32 = 40_000;

/// Layers of 40,000 states. The chance nodes depend on a group of 16 states, so equal ones abound.
struct Layers {
    count: u32,
    /// One state in a hundred can go back a step.
    circles: bool,
    /// A group is a row.
    rows: bool,
}

const GROUP: u32 = 16;

impl Game for Layers {
    type State = (u32, u32);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(u32, u32)>> {
        vec![
            Distribution::uniform((0..WIDTH).map(|place| (0, place))).expect("not empty"),
            Distribution::certain((0, 17)),
        ]
    }

    fn rules(&self, &(layer, place): &(u32, u32), turn: &mut Turn<(u32, u32)>) {
        if layer == self.count {
            return turn.end(ratio(i64::from(place % 1000) - 300, 7));
        }
        let group = place / GROUP;
        for choice in 0..3 {
            let next = |step: u32| (layer + 1, (group * 31 + step * 997 + choice * 4001) % WIDTH);
            if self.circles && place % 100 == 0 && layer > 0 {
                turn.chance([(next(0), Weight(2)), (next(1), Weight(3)), ((layer - 1, place), Weight(1))]);
            } else {
                turn.chance([(next(0), Weight(1 + u64::from(group % 3))), (next(1), Weight(2)), (next(2), Weight(3))]);
            }
        }
        if place % 2 == 0 {
            turn.to((layer + 1, (place + 1) % WIDTH));
        }
    }
}

impl RowGame for Layers {
    fn row_length(&self) -> u32 {
        if self.rows { GROUP } else { 1 }
    }

    fn row_of(&self, &(layer, place): &(u32, u32)) -> ((u32, u32), u32) {
        let position = place % self.row_length();
        ((layer, place - position), position)
    }

    fn in_row(&self, &(layer, place): &(u32, u32), position: u32) -> (u32, u32) {
        (layer, place + position)
    }

    fn rank(&self, (layer, _): &(u32, u32)) -> u32 {
        *layer
    }
}

fn spaces(game: &Layers) -> [StateSpace<(u32, u32)>; 2] {
    [1, 2].map(|threads| explore(game, &ExploreOptions::default().with_threads(threads)).expect("it fits"))
}

fn same(game: &Layers, exact: bool) {
    let [one, two] = spaces(game);
    assert_eq!(one.states(), two.states());
    assert_eq!(one.starts(), two.starts());
    assert_eq!(one.model().counts(), two.model().counts());
    assert_eq!(one.model().levels(), two.model().levels());
    assert!(one.model().sccs().eq(two.model().sccs()));
    for state in (0..one.model().states()).step_by(3) {
        assert_eq!(listing(one.model(), state), listing(two.model(), state));
        assert_eq!(one.number_of(one.state(state)), Some(state));
    }
    let counts = one.model().counts();
    assert!(counts.states > 100_000);
    assert!(one.model().levels().iter().any(|level| level.states.len() > 8192));
    assert!(game.rows || counts.outcomes < counts.transitions / 4, "{counts:?}");
    // Exact values take longer; the sense does not change how they are shared among threads.
    for sense in if exact { &[Sense::Max][..] } else { &[Sense::Max, Sense::Min] } {
        let sense = *sense;
        let solved = [1, 2].map(|threads| {
            let options = SolveOptions::default().with_threads(threads).with_exact(exact).with_sense(sense);
            solve(one.model(), &options).expect("solvable")
        });
        assert_eq!(solved[0].best(), solved[1].best());
        let choices = |solution: &Solution| -> Vec<Option<u32>> {
            (0..solution.model().states()).map(|state| solution.policy().choice(state)).collect()
        };
        assert_eq!(choices(&solved[0]), choices(&solved[1]));
        for state in (0..one.model().states()).step_by(if exact { 11 } else { 1 }) {
            assert_eq!(solved[0].value(state), solved[1].value(state));
        }
        for start in one.starts() {
            assert_eq!(solved[0].value_of(start), solved[1].value_of(start));
        }
    }
}

#[test]
fn layers() {
    same(&Layers { count: 6, circles: false, rows: false }, false);
}

#[test]
fn layers_exactly() {
    same(&Layers { count: 6, circles: false, rows: false }, true);
}

#[test]
fn layers_with_circles() {
    let game = Layers { count: 6, circles: true, rows: false };
    let [one, _] = spaces(&game);
    assert!(one.model().counts().sccs > 0);
    same(&game, false);
}

/// In several pieces, which are put together more than once.
#[test]
fn layers_by_rows() {
    same(&Layers { count: 6, circles: true, rows: true }, false);
}

/// The rules again, from the space: what is stored equals the rules.
#[test]
fn shared_nodes_equal_the_rules() {
    let game = Layers { count: 3, circles: true, rows: false };
    let [space, _] = spaces(&game);
    let model = space.model();
    for state in 0..model.states() {
        let (layer, place) = *space.state(state);
        let Some(first) = model.choices(state).next() else {
            assert_eq!(layer, 3);
            continue;
        };
        let back = place % 100 == 0 && layer > 0;
        let group = place / 16;
        let weights: Vec<u64> = if back { vec![2, 3, 1] } else { vec![1 + u64::from(group % 3), 2, 3] };
        // In lowest terms.
        let weights: Vec<u64> = if weights == [2, 2, 3] || !weights.iter().all(|weight| weight % 2 == 0) {
            weights
        } else {
            weights.iter().map(|w| w / 2).collect()
        };
        let expected: Vec<dashu_int::UBig> = weights.into_iter().map(Into::into).collect();
        assert_eq!(model.weights().weight_list(first.weights), expected);
        let last = if back { (layer - 1, place) } else { (layer + 1, (group * 31 + 2 * 997) % WIDTH) };
        let targets: Vec<(u32, u32)> = first.targets.iter().map(|target| *space.state(target)).collect();
        assert_eq!(targets, [(layer + 1, group * 31 % WIDTH), (layer + 1, (group * 31 + 997) % WIDTH), last]);
    }
}
