//! Games whose values are known in closed form.

use crate::common::{self, Rules, contains};
use mdp::{
    Distribution, ExploreOptions, Game, ModelBuilder, Rational, Sense, SolveOptions, StateSpace, Turn, Weight,
    exact_visit_probabilities, explore, ratio, solve,
};

fn explored<G: Game>(game: &G) -> StateSpace<G::State> {
    explore(game, &ExploreOptions::default()).expect("a small game")
}

/// The exact value of the first start, which bounds in floating point must contain too.
fn value<S: Eq + std::hash::Hash>(space: &StateSpace<S>, sense: Sense) -> Rational {
    let exact = solve(space.model(), &SolveOptions::exact().with_sense(sense)).expect("solvable");
    let bounded = solve(space.model(), &SolveOptions::default().with_sense(sense)).expect("solvable");
    common::check_bounds(space.model(), &exact, &bounded, 1.0);
    let value = exact.value_of(&space.starts()[0]).exact.expect("exact");
    assert!(contains(&bounded.value_of(&space.starts()[0]), &value));
    value
}

/// A fortune between 0 and `goal`; each round a stake is won with probability `win / total`.
struct Gambling {
    win: u64,
    total: u64,
    goal: u32,
    start: u32,
    /// Whether the player chooses the stake; otherwise it is 1.
    stakes: bool,
}

impl Game for Gambling {
    type State = u32;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u32>> {
        vec![Distribution::certain(self.start)]
    }

    fn rules(&self, fortune: &u32, turn: &mut Turn<u32>) {
        if *fortune == 0 || *fortune == self.goal {
            return turn.end(u8::from(*fortune > 0));
        }
        let most = if self.stakes { (*fortune).min(self.goal - fortune) } else { 1 };
        for stake in 1..=most {
            turn.chance([(fortune + stake, Weight(self.win)), (fortune - stake, Weight(self.total - self.win))]);
        }
    }
}

/// With r = q / p: (1 - r^i) / (1 - r^n), or i / n in a fair game.
fn ruin(win: u64, total: u64, start: u32, goal: u32) -> Rational {
    if 2 * win == total {
        return ratio(start.into(), goal.into());
    }
    let r = Rational::from(total - win) / Rational::from(win);
    let power = |n: u32| (0..n).fold(Rational::ONE, |power, _| power * &r);
    (Rational::ONE - power(start)) / (Rational::ONE - power(goal))
}

#[test]
fn gamblers_ruin() {
    for (win, total) in [(1, 2), (18, 37), (2, 3), (1, 1000)] {
        for (start, goal) in [(1, 2), (1, 10), (5, 10), (9, 10)] {
            let game = Gambling { win, total, goal, start, stakes: false };
            assert_eq!(value(&explored(&game), Sense::Max), ruin(win, total, start, goal));
        }
    }
}

#[test]
fn a_long_ruin_in_floating_point() {
    for (win, total) in [(1, 2), (18, 37), (3, 5)] {
        let space = explored(&Gambling { win, total, goal: 200, start: 100, stakes: false });
        let solution = solve(space.model(), &SolveOptions::default()).expect("solvable");
        for fortune in 1..200 {
            let bounds = solution.value(space.number_of(&fortune).expect("reachable"));
            let expected = ruin(win, total, fortune, 200);
            assert!(contains(&bounds, &expected), "{fortune}: {bounds:?}");
            assert!(bounds.width() < 1e-9, "{fortune}: {bounds:?}");
        }
    }
}

/// Bold play is best in an unfavourable game (Dubins and Savage): with f the value of a fortune as a
/// share of the goal, f(x) = p f(2x) up to 1/2 and p + q f(2x - 1) from there.
fn bold(p: &Rational, fortune: u32, goal: u32) -> Rational {
    if fortune == 0 || fortune == goal {
        return Rational::from(u8::from(fortune > 0));
    }
    if 2 * fortune <= goal {
        p * bold(p, 2 * fortune, goal)
    } else {
        p + (Rational::ONE - p) * bold(p, 2 * fortune - goal, goal)
    }
}

#[test]
fn choosing_stakes() {
    for start in 1..32 {
        let unfavourable = Gambling { win: 18, total: 38, goal: 32, start, stakes: true };
        assert_eq!(value(&explored(&unfavourable), Sense::Max), bold(&ratio(18, 38), start, 32));
    }
    // In a favourable game timid play is best: always the least stake.
    let favourable = Gambling { win: 20, total: 38, goal: 32, start: 11, stakes: true };
    assert_eq!(value(&explored(&favourable), Sense::Max), ruin(20, 38, 11, 32));
    // In a fair game all stakes are equal.
    let space = explored(&Gambling { win: 1, total: 2, goal: 32, start: 16, stakes: true });
    assert_eq!(value(&space, Sense::Min), ratio(1, 2));
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    for fortune in 1..32 {
        let state = space.number_of(&fortune).expect("reachable");
        assert_eq!(solution.value(state).exact, Some(ratio(fortune.into(), 32)));
        assert_eq!(solution.best().count(state), fortune.min(32 - fortune) as usize);
    }
}

/// Two patterns of three tosses; the one that comes up first wins.
struct Penney {
    first: &'static str,
    second: &'static str,
}

impl Game for Penney {
    type State = String;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<String>> {
        vec![Distribution::certain(String::new())]
    }

    fn rules(&self, tosses: &String, turn: &mut Turn<String>) {
        if tosses == self.first || tosses == self.second {
            return turn.end(u8::from(tosses == self.second));
        }
        let last = &tosses[tosses.len().saturating_sub(2)..];
        turn.uniform(["H", "T"].map(|toss| format!("{last}{toss}")));
    }
}

/// The published odds for the best answer to every pattern (Penney 1969; Gardner 1974).
#[test]
fn penneys_game() {
    for (first, second, wins, loses) in [
        ("HHH", "THH", 7, 1),
        ("HHT", "THH", 3, 1),
        ("HTH", "HHT", 2, 1),
        ("HTT", "HHT", 2, 1),
        ("THH", "TTH", 2, 1),
        ("THT", "TTH", 2, 1),
        ("TTH", "HTT", 3, 1),
        ("TTT", "HTT", 7, 1),
    ] {
        assert_eq!(
            value(&explored(&Penney { first, second }), Sense::Max),
            Rational::from(wins) / Rational::from(wins + loses)
        );
    }
}

#[test]
fn a_coin_until_heads() {
    let space = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => turn.chance([(0, Weight(1)), (1, Weight(1))]),
        _ => turn.end(1),
    }));
    assert_eq!(value(&space, Sense::Max), Rational::ONE);
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let reached = exact_visit_probabilities(&solution, &space.starts()[0], None).expect("small");
    for (_, probability) in reached.iter() {
        assert_eq!(probability.into_exact(), Some(Rational::ONE));
    }
}

/// On a cycle of n + 1 places, each of the others is equally likely to be the last one visited. Here: from place 0 of a
/// cycle with one absorbing place, from which side that one is entered.
#[test]
fn a_walk_on_a_cycle() {
    const PLACES: u64 = 12;
    // The walk ends on place 5, paying 1 if it came from place 4.
    let space = explored(&Rules::new(|state: u64, turn: &mut Turn<u64>| match state {
        100 | 101 => turn.end(state - 100),
        _ => {
            let step = |to: u64, from: u64| if to == 5 { 100 + u64::from(from == 4) } else { to };
            turn.chance([
                (step((state + 1) % PLACES, state), Weight(1)),
                (step((state + PLACES - 1) % PLACES, state), Weight(1)),
            ]);
        }
    }));
    // Five steps up, seven down: gambler's ruin.
    assert_eq!(value(&space, Sense::Max), ratio(7, 12));
}

#[test]
fn going_round_for_ever_is_best() {
    // 0 and 1 lead to each other; every way out loses.
    let space = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => {
            turn.to(1);
            turn.chance([(2, Weight(1)), (3, Weight(1))]);
        }
        1 => {
            turn.to(3);
            turn.to(0);
        }
        2 => turn.end(-1),
        _ => turn.end(ratio(-7, 2)),
    }));
    assert_eq!(value(&space, Sense::Max), Rational::ZERO);
    assert_eq!(value(&space, Sense::Min), ratio(-7, 2));
    let solution = solve(space.model(), &SolveOptions::exact()).expect("solvable");
    let state = |number| space.number_of(&number).expect("reachable");
    assert_eq!(solution.best().of(state(0)).collect::<Vec<_>>(), [0]);
    assert_eq!(solution.best().of(state(1)).collect::<Vec<_>>(), [1]);
    assert_eq!(solution.policy().choice(state(1)), Some(1));
    let reached = exact_visit_probabilities(&solution, &space.starts()[0], None).expect("small");
    assert_eq!(reached.finished().count(), 0);
    assert_eq!(reached.probability(state(1)).into_exact(), Some(Rational::ONE));
    assert_eq!(reached.probability(state(2)).into_exact(), Some(Rational::ZERO));
}

#[test]
fn leaving_and_staying_are_equal() {
    // Out of the cycle there is a fair bet for -1 or 1.
    let space = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => {
            turn.to(1);
            turn.chance([(2, Weight(1)), (3, Weight(1))]);
        }
        1 => turn.to(0),
        2 => turn.end(-1),
        _ => turn.end(1),
    }));
    for sense in [Sense::Max, Sense::Min] {
        assert_eq!(value(&space, sense), Rational::ZERO);
        let solution = solve(space.model(), &SolveOptions::exact().with_sense(sense)).expect("solvable");
        let start = space.number_of(&0).expect("the start");
        assert_eq!(solution.best().of(start).collect::<Vec<_>>(), [0, 1]);
        // The policy takes the way out.
        assert_eq!(solution.policy().choice(start), Some(1));
    }
}

#[test]
fn no_play_ever_ends() {
    let space = explored(&Rules::new(|state, turn: &mut Turn<u64>| turn.to(1 - state)));
    assert_eq!(value(&space, Sense::Max), Rational::ZERO);
    assert_eq!(space.model().objectives(), 0);
    assert_eq!(space.model().counts().sccs, 1);
}

/// Components in a row: in each, 1 in 4 to go on, 1 in 8 to lose, otherwise once more.
#[test]
fn sccs_in_a_row() {
    const PARTS: u64 = 30;
    let space = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        1000 => turn.end(0),
        _ if state / 2 == PARTS => turn.end(1),
        _ if state % 2 == 0 => turn.to(state + 1),
        _ => turn.chance([(state + 1, Weight(2)), (1000, Weight(1)), (state - 1, Weight(5))]),
    }));
    let expected = (0..PARTS).fold(Rational::ONE, |power, _| power * ratio(2, 3));
    assert_eq!(value(&space, Sense::Max), expected);
    let counts = space.model().counts();
    assert_eq!((counts.sccs, counts.largest_scc), (PARTS, 2));
}

#[test]
fn loops_with_weights() {
    // Weights 5 of 12 stay; 3 and 4 leave.
    let space = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => turn.chance([(0, Weight(2)), (1, Weight(3)), (0, Weight(3)), (2, Weight(4))]),
        1 => turn.end(ratio(1, 3)),
        _ => turn.end(ratio(-5, 7)),
    }));
    let expected = (ratio(1, 3) * Rational::from(3) + ratio(-5, 7) * Rational::from(4)) / Rational::from(7);
    assert_eq!(value(&space, Sense::Max), expected);
}

#[test]
fn weights_beyond_64_bits() {
    let huge = dashu_int::UBig::ONE << 200;
    let chance = |targets: [u64; 3]| {
        let weights = [huge.clone(), dashu_int::UBig::ONE, &huge + dashu_int::UBig::from(5u8)];
        Distribution::weighted(targets.into_iter().zip(weights.map(Weight))).expect("positive")
    };
    let expected = |huge: &dashu_int::UBig| {
        let huge = Rational::from(huge.clone());
        let two = Rational::from(2);
        (&huge + Rational::from(5)) / (huge * two + Rational::from(6))
    };
    // Without a loop, and with one that leaves with that chance.
    let plain = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => turn.chance_from(&chance([1, 1, 2])),
        _ => turn.end(state - 1),
    }));
    assert_eq!(value(&plain, Sense::Max), expected(&huge));
    let looping = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => turn.chance_from(&chance([0, 1, 2])),
        _ => turn.end(state - 1),
    }));
    let rest = Rational::from(huge.clone()) + Rational::from(6);
    assert_eq!(value(&looping, Sense::Max), (Rational::from(huge.clone()) + Rational::from(5)) / rest);
    // Sums of 64-bit weights that need more.
    let merged = explored(&Rules::new(|state, turn: &mut Turn<u64>| match state {
        0 => turn.chance([(1, Weight(u64::MAX)), (2, Weight(u64::MAX)), (1, Weight(u64::MAX))]),
        _ => turn.end(state - 1),
    }));
    assert_eq!(value(&merged, Sense::Max), ratio(1, 3));
}

#[test]
fn negative_and_fractional_payoffs() {
    let mut builder = ModelBuilder::new();
    let weights = builder.weights(&[1, 2, 4]).expect("positive");
    builder.choice(weights, &[1, 2, 3]).expect("three targets");
    builder.finish_state().expect("a choice");
    for payoff in [ratio(-22, 7), ratio(-1, 1_000_000_007), ratio(5, 9)] {
        builder.finished(&[payoff]).expect("a payoff");
    }
    let built = builder.build(None).expect("complete");
    let solution = solve(&built.model, &SolveOptions::exact()).expect("solvable");
    let expected = (ratio(-22, 7) + ratio(-2, 1_000_000_007) + ratio(20, 9)) / Rational::from(7);
    assert_eq!(solution.value(built.number_of(0)).exact, Some(expected.clone()));
    let bounded = solve(&built.model, &SolveOptions::default()).expect("solvable");
    assert!(contains(&bounded.value(built.number_of(0)), &expected));
    assert!(bounded.value(built.number_of(0)).width() < 1e-14);
}
