//! Folded fights against published figures, against a direct recursion, and against the engine.

use std::collections::{BTreeMap, HashMap};

use lone_wolf::{
    Cell, ColumnRule, CombatTable, Conditions, Ending, EndlessFight, Folded, Loss, MOST_ROUNDS, Start, TimedBonus,
    Track, fold,
};
use mdp::{
    Distribution, ExploreOptions, Game, Rational, SolveOptions, Turn, exact_visit_probabilities, explore, ratio, solve,
};
use proptest::prelude::*;

fn ratio_is(ratio: i32) -> Conditions {
    Conditions { ratio, ..Conditions::default() }
}

/// The ends of a fight with the table of the books.
fn ends(conditions: &Conditions, hero: u8, enemy: u8) -> Distribution<Ending> {
    let start = Start { enemy, heroes: hero, ..Start::default() };
    fold(CombatTable::standard(), conditions, &start, Track::default()).expect("ends").from(hero).clone()
}

fn left(hero: u8) -> Ending {
    Ending { hero, ..Ending::default() }
}

#[test]
fn published_figures() {
    let bold = ends(&ratio_is(-13), 25, 30);
    assert_eq!(bold.probability_of(&left(0)), ratio(19_879_281, 20_000_000));
    assert_eq!(bold.probability_of(&left(25)), ratio(1, 100_000));
    assert_eq!(ends(&ratio_is(-11), 20, 26).probability_of(&left(0)), ratio(992_003, 1_000_000));
    let shielded = Conditions { untouchable: 2, ..ratio_is(-5) };
    assert_eq!(ends(&shielded, 5, 20).probability_of(&left(0)), ratio(18_873, 25_000));
}

/// A fight of Fire on the Water as published by an old program: 25 ENDURANCE against 25, a ratio of 3, and the odd
/// ratio in the column before its own. In per cent.
#[test]
fn published_shares() {
    let cells = |pick: u8| -> [Cell; 13] {
        [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6].map(|column| CombatTable::standard().cell(column * 2, pick))
    };
    let mut rows: [[Cell; 13]; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(cells);
    // The cells in which that program's table differs from that of the books: the enemy's loss at 7, by column.
    for (column, loss) in [(6, 10), (7, 11), (8, 12), (9, 14)] {
        rows[7][column].enemy = Loss::Points(loss);
    }
    let table = CombatTable::new(ColumnRule::FloorHalf, rows);
    let start = Start { enemy: 25, heroes: 25, ..Start::default() };
    let endings = fold(&table, &ratio_is(3), &start, Track::default()).expect("ends");
    for (hero, share) in [
        (20, "12.80"),
        (19, "10.97"),
        (21, "9.60"),
        (22, "7.70"),
        (18, "7.03"),
        (15, "6.21"),
        (25, "6.20"),
        (14, "6.05"),
        (13, "5.34"),
        (16, "5.24"),
        (23, "5.10"),
        (17, "4.73"),
        (12, "3.74"),
    ] {
        let chance = mdp::nearest(&endings.from(25).probability_of(&left(hero)));
        assert_eq!(format!("{:.2}", chance * 100.0), share, "{hero}");
    }
}

#[test]
fn the_least_and_the_most() {
    let plain = ratio_is(0);
    let start = Start { enemy: 0, heroes: 3, round: 7, wounded: true };
    let track = Track { rounds: 9, wounded: true };
    let over = fold(CombatTable::standard(), &plain, &start, track).expect("ends");
    assert_eq!(over.from(3), &Distribution::certain(Ending { hero: 3, rounds: 7, wounded: true }));
    assert_eq!(over.from(0), &Distribution::certain(left(0)));
    let dead = fold(CombatTable::standard(), &plain, &Start { enemy: 9, ..Start::default() }, track).expect("ends");
    assert_eq!(dead.from(0), &Distribution::certain(left(0)));
    let all = ends(&ratio_is(-12), 255, 255);
    assert_eq!(all.probabilities().map(|(_, p)| p).fold(Rational::ZERO, |sum, p| sum + p), Rational::ONE);
    // A hero who falls together with the enemy is dead.
    let table = CombatTable::new(ColumnRule::Standard, [["k/k".parse().unwrap(); 13]; 10]);
    let both = fold(&table, &plain, &Start { enemy: 255, heroes: 255, ..Start::default() }, track).expect("ends");
    assert_eq!(both.from(255), &Distribution::certain(left(0)));
}

#[test]
fn a_later_start_is_the_rest_of_a_fight() {
    let conditions = Conditions { bonuses: vec![TimedBonus { rounds: 3, bonus: 4 }], ..ratio_is(-4) };
    for round in 0..6 {
        let start = Start { round, enemy: 20, heroes: 20, wounded: false };
        let later = fold(CombatTable::standard(), &conditions, &start, Track::default()).expect("ends");
        let bonuses = vec![TimedBonus { rounds: 3u32.saturating_sub(round), bonus: 4 }];
        assert_eq!(later.from(20), &ends(&Conditions { bonuses, ..conditions.clone() }, 20, 20));
    }
}

#[test]
fn fights_without_end() {
    let none: Cell = "0/0".parse().unwrap();
    let idle = CombatTable::new(ColumnRule::Standard, [[none; 13]; 10]);
    let start = Start { enemy: 10, heroes: 10, ..Start::default() };
    let fold_idle = |conditions: &Conditions| fold(&idle, conditions, &start, Track::default());
    assert_eq!(fold_idle(&ratio_is(0)).unwrap_err(), EndlessFight::ForEver);
    assert!(EndlessFight::ForEver.to_string().contains("for ever"));
    let drained = Conditions { mindforce: 3, ..ratio_is(0) };
    assert_eq!(fold_idle(&drained).unwrap().from(10), &Distribution::certain(left(0)));
    // Untouchable for ever: the enemy eventually falls.
    let safe = Conditions { untouchable: u32::MAX, ..ratio_is(-20) };
    assert_eq!(ends(&safe, 1, 30), Distribution::certain(left(1)));
    // Endless only after the first rounds, and only where it lasts that long.
    let mut rows = [[none; 13]; 10];
    for row in &mut rows {
        row[12] = "k/0".parse().unwrap();
    }
    let strong_first = CombatTable::new(ColumnRule::Standard, rows);
    let conditions = Conditions { bonuses: vec![TimedBonus { rounds: 1, bonus: 20 }], ..ratio_is(0) };
    assert!(fold(&strong_first, &conditions, &start, Track::default()).is_ok());
    assert!(fold(&strong_first, &conditions, &Start { round: 1, ..start }, Track::default()).is_err());
}

#[test]
fn too_many_different_rounds() {
    let start = Start { enemy: 10, heroes: 10, ..Start::default() };
    let long = |untouchable| Conditions { untouchable, ..ratio_is(-11) };
    let folded = |conditions: &Conditions, rounds| {
        fold(CombatTable::standard(), conditions, &start, Track { rounds, wounded: false })
    };
    assert!(folded(&long(MOST_ROUNDS), 0).is_ok());
    assert_eq!(folded(&long(4_000_000_000), 0).unwrap_err(), EndlessFight::TooLong);
    assert_eq!(folded(&long(u32::MAX), 4_000_000_000).unwrap_err(), EndlessFight::TooLong);
    // Where every round has losses, no fight lasts that long.
    assert!(folded(&ratio_is(-11), u32::MAX).is_ok());
    assert!(
        fold(
            CombatTable::standard(),
            &long(u32::MAX - 1),
            &Start { round: u32::MAX, ..start },
            Track { rounds: u32::MAX, wounded: true }
        )
        .is_ok()
    );
}

/// The same fight by a direct recursion over the rules: one round, then the rest of the fight. Rationals, no sharing
/// between heroes, no common denominators.
struct Recursion<'a> {
    table: &'a CombatTable,
    conditions: &'a Conditions,
    track: Track,
    /// From here on rounds are identical and not counted.
    steady: u32,
    known: HashMap<(u32, u8, u8, bool), BTreeMap<Ending, Rational>>,
}

impl Recursion<'_> {
    fn endings(&mut self, fought: u32, hero: u8, enemy: u8, wounded: bool) -> BTreeMap<Ending, Rational> {
        let fought = fought.min(self.steady);
        if hero == 0 {
            return BTreeMap::from([(Ending::default(), Rational::ONE)]);
        }
        if enemy == 0 {
            let wounded = self.track.wounded && wounded;
            let rounds = fought.min(self.track.rounds);
            return BTreeMap::from([(Ending { hero, rounds, wounded }, Rational::ONE)]);
        }
        if let Some(known) = self.known.get(&(fought, hero, enemy, wounded)) {
            return known.clone();
        }
        let mut endings: BTreeMap<Ending, Rational> = BTreeMap::new();
        let mut stays = Rational::ZERO;
        for losses in self.conditions.round(self.table, fought + 1) {
            if losses.hero == 0 && losses.enemy == 0 && fought == self.steady {
                stays += ratio(1, 10);
                continue;
            }
            let (hero_after, enemy_after) = (hero.saturating_sub(losses.hero), enemy.saturating_sub(losses.enemy));
            for (ending, chance) in self.endings(fought + 1, hero_after, enemy_after, wounded || losses.hero > 0) {
                *endings.entry(ending).or_insert(Rational::ZERO) += chance * ratio(1, 10);
            }
        }
        for chance in endings.values_mut() {
            *chance = &*chance / (Rational::ONE - &stays);
        }
        self.known.insert((fought, hero, enemy, wounded), endings.clone());
        endings
    }
}

/// The same fight as a game without choices.
struct AsGame<'a> {
    table: &'a CombatTable,
    conditions: &'a Conditions,
    track: Track,
    begins: (u32, u8, u8, bool),
}

impl Game for AsGame<'_> {
    /// Rounds fought, the hero, the enemy, wounded.
    type State = (u32, u8, u8, bool);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<Self::State>> {
        vec![Distribution::certain(self.begins)]
    }

    fn rules(&self, &(fought, hero, enemy, wounded): &Self::State, turn: &mut Turn<Self::State>) {
        if hero == 0 || enemy == 0 {
            return turn.end(u8::from(hero > 0));
        }
        let steady = (self.conditions.steady_from() - 1).max(self.track.rounds);
        turn.uniform(self.conditions.round(self.table, fought + 1).into_iter().map(|losses| {
            let (hero, enemy) = (hero.saturating_sub(losses.hero), enemy.saturating_sub(losses.enemy));
            ((fought + 1).min(steady), hero, enemy, wounded || losses.hero > 0)
        }));
    }
}

impl AsGame<'_> {
    fn endings(&self) -> BTreeMap<Ending, Rational> {
        let space = explore(self, &ExploreOptions::default().with_threads(1)).unwrap();
        let solution = solve(space.model(), &SolveOptions::exact().with_threads(1)).unwrap();
        let visit_probabilities = exact_visit_probabilities(&solution, &space.starts()[0], None).unwrap();
        let mut endings = BTreeMap::new();
        for (state, probability) in visit_probabilities.finished() {
            let (fought, hero, _, wounded) = *space.state(state);
            let rounds = fought.min(self.track.rounds);
            let alive = Ending { hero, rounds, wounded: self.track.wounded && wounded };
            let ending = if hero == 0 { Ending::default() } else { alive };
            *endings.entry(ending).or_insert(Rational::ZERO) += probability.into_exact().unwrap();
        }
        let win: Rational = endings.iter().filter(|(e, _)| e.hero > 0).fold(Rational::ZERO, |sum, (_, p)| sum + p);
        assert_eq!(solution.value_of(&space.starts()[0]).exact.unwrap(), win);
        endings
    }
}

fn as_map(folded: &Folded, hero: u8) -> BTreeMap<Ending, Rational> {
    let endings = folded.from(hero);
    assert!(endings.iter().map(|(ending, _)| ending).is_sorted_by(|a, b| a < b), "in order, each once");
    assert_eq!(&endings.clone().merge(), endings, "in lowest terms");
    let map: BTreeMap<Ending, Rational> = endings.probabilities().map(|(ending, p)| (*ending, p)).collect();
    assert_eq!(map.values().fold(Rational::ZERO, |sum, p| sum + p), Rational::ONE);
    map
}

fn losses() -> impl Strategy<Value = Loss> {
    prop_oneof![4 => Just(Loss::Points(0)), 5 => (1u8..9).prop_map(Loss::Points), 1 => Just(Loss::Killed)]
}

fn tables() -> impl Strategy<Value = CombatTable> {
    let cell = (losses(), losses()).prop_map(|(enemy, hero)| Cell { enemy, hero });
    let cells = proptest::collection::vec(cell, 130);
    let rule = prop_oneof![Just(ColumnRule::Standard), Just(ColumnRule::FloorHalf)];
    prop_oneof![
        Just(CombatTable::standard().clone()),
        (rule, cells).prop_map(|(columns, cells)| {
            let row = |pick| std::array::from_fn(|column| cells[13 * pick + column]);
            CombatTable::new(columns, std::array::from_fn(row))
        })
    ]
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let timed =
        (prop_oneof![0u32..5, Just(u32::MAX)], -9..=9i32).prop_map(|(rounds, bonus)| TimedBonus { rounds, bonus });
    let mindforce = (prop_oneof![3 => Just(0u8), 1 => 1u8..4], prop_oneof![2 => Just(0u32), 1 => 1u32..4]);
    let enemy = (any::<bool>(), prop_oneof![2 => Just(0u8), 1 => 1u8..4]);
    let untouchable = prop_oneof![3 => Just(0u32), 2 => 1u32..5, 1 => Just(u32::MAX)];
    let untouchable = (untouchable, prop_oneof![2 => Just(0u32), 1 => 1u32..4]);
    (-15..=15i32, proptest::collection::vec(timed, 0..3), mindforce, untouchable, enemy).prop_map(
        |(ratio, bonuses, (mindforce, mindforce_after), (untouchable, only_parry), (double_damage, helper))| {
            Conditions { ratio, bonuses, mindforce, mindforce_after, helper, untouchable, only_parry, double_damage }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn three_ways_agree(
        table in tables(),
        conditions in conditions(),
        (round, enemy, heroes) in (0u32..4, 1u8..25, 1u8..20),
        (was_wounded, rounds, wounded) in (any::<bool>(), prop_oneof![Just(0u32), 1u32..6], any::<bool>()),
    ) {
        let track = Track { rounds, wounded };
        let start = Start { round, enemy, wounded: was_wounded, heroes };
        let steady = (conditions.steady_from() - 1).max(rounds);
        let last = conditions.round(&table, steady + 1);
        let idle = last.iter().all(|losses| losses.hero == 0 && losses.enemy == 0);
        match fold(&table, &conditions, &start, track) {
            Ok(folded) => {
                let mut recursion =
                    Recursion { table: &table, conditions: &conditions, track, steady, known: HashMap::new() };
                for hero in 1..=heroes {
                    // An idle end that is not reached must not be divided by.
                    if !idle {
                        prop_assert_eq!(as_map(&folded, hero), recursion.endings(round, hero, enemy, was_wounded));
                    }
                }
                let begins = (round.min(steady), heroes, enemy, was_wounded);
                let game = AsGame { table: &table, conditions: &conditions, track, begins };
                prop_assert_eq!(as_map(&folded, heroes), game.endings());
            }
            Err(error) => {
                prop_assert_eq!(error, EndlessFight::ForEver);
                prop_assert!(idle);
            }
        }
    }
}
