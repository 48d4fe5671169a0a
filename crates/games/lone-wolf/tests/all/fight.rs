//! Fights in which the hero may leave: against published figures, a direct recursion, folded fights, and dice.

use std::collections::{BTreeMap, HashMap};

use lone_wolf::{
    Analysis, AnalysisError, Cell, ColumnRule, CombatTable, Conditions, Fight, MOST_ROUNDS_FOLLOWED, Start, TimedBonus,
    Track, analyse, fold,
};
use mdp::{
    Dice, Distribution, ExploreOptions, Policy, Rational, SolveOptions, evaluate, exact_visit_probabilities, explore,
    ratio,
};
use proptest::prelude::*;

fn ratio_is(ratio: i32) -> Conditions {
    Conditions { ratio, ..Conditions::default() }
}

fn fight(conditions: Conditions, hero: u8, enemy: u8, evade_from: Option<u32>) -> Fight<'static> {
    Fight { table: CombatTable::standard(), conditions, hero, enemy, evade_from }
}

fn analysed(fight: &Fight<'_>) -> Analysis {
    analyse(fight, &ExploreOptions::default().with_threads(1)).expect("can be analysed")
}

/// The ENDURANCE left to a hero who leaves as soon as he may.
fn leaving_at_once(fight: &Fight<'_>) -> BTreeMap<u8, Rational> {
    let space = explore(fight, &ExploreOptions::default()).unwrap();
    let leave = Policy::new(space.model(), |_| 0).unwrap();
    let solution = evaluate(&leave, &SolveOptions::exact()).unwrap();
    let visit_probabilities = exact_visit_probabilities(&solution, &space.starts()[0], None).unwrap();
    let ended =
        |(state, probability): (u32, mdp::Probability)| (space.state(state).hero, probability.into_exact().unwrap());
    visit_probabilities.finished().map(ended).collect()
}

#[test]
fn published_escapes() {
    let now = leaving_at_once(&fight(ratio_is(-5), 25, 100, Some(1)));
    let shares = [(19, 5), (20, 5), (21, 5), (22, 10), (23, 10), (25, 5)];
    assert_eq!(now, BTreeMap::from(shares.map(|(hero, one_in)| (hero, ratio(1, one_in)))));
    let after_two = leaving_at_once(&fight(ratio_is(-5), 25, 100, Some(3)));
    assert_eq!(after_two.first_key_value(), Some((&7, &ratio(1, 125))));
    assert_eq!(after_two.last_key_value(), Some((&25, &ratio(1, 125))));
}

#[test]
fn rounds_of_a_simple_fight() {
    // Ratio 0: the ten losses of the two sides sum to 21 and 75.
    let analysis = analysed(&fight(ratio_is(0), 99, 99, None));
    let first = analysis.rounds[0];
    assert_eq!((first.mean_endurance, first.mean_enemy_endurance, first.over), (99.0 - 2.1, 99.0 - 7.5, 0.0));
    let last = analysis.rounds.last().unwrap();
    let left = analysis.endurance_left.iter().map(|(hero, p)| f64::from(*hero) * mdp::nearest(p)).sum::<f64>();
    assert!((last.mean_endurance - left).abs() < 1e-9);
    assert_eq!(last.over, 1.0);
    assert!(analysis.situations.is_empty() && analysis.evaded == Rational::ZERO);
}

#[test]
fn untouchable_for_ever() {
    let safe = Conditions { untouchable: u32::MAX, ..ratio_is(-20) };
    for evade_from in [None, Some(1), Some(9)] {
        let analysis = analysed(&fight(safe.clone(), 3, 40, evade_from));
        assert_eq!(analysis.endurance_left, [(3, Rational::ONE)]);
        assert!(analysis.situations.iter().all(|situation| !situation.leave));
        assert_eq!(analysis.rounds.last().unwrap().over, 1.0);
        assert!(analysis.rounds.len() < MOST_ROUNDS_FOLLOWED as usize);
    }
}

#[test]
fn endless_fights() {
    let none: Cell = "0/0".parse().unwrap();
    let idle = CombatTable::new(ColumnRule::Standard, [[none; 13]; 10]);
    let endless = Fight { table: &idle, ..fight(ratio_is(0), 5, 5, None) };
    assert_eq!(analyse(&endless, &ExploreOptions::default()), Err(AnalysisError::Endless));
    let leaves = analysed(&Fight { evade_from: Some(3), ..endless });
    assert_eq!((leaves.evaded, leaves.rounds.len()), (Rational::ONE, 3));
}

#[test]
fn running_when_it_is_hopeless() {
    let analysis = analysed(&fight(ratio_is(-9), 20, 50, Some(3)));
    assert!(analysis.evaded > ratio(1, 2) && analysis.win < ratio(1, 1000));
    assert!(analysis.situations.iter().all(|situation| situation.round == 3 && situation.and_later));
    // He takes the first chance to leave.
    assert!(analysis.situations.iter().filter(|situation| situation.enemy > 25).all(|situation| situation.leave));
}

/// The best probabilities of survival and then of victory: a direct recursion over the rules, in rationals.
struct Recursion<'a> {
    fight: &'a Fight<'a>,
    steady: u32,
    known: HashMap<(u32, u8, u8), (Rational, Rational)>,
}

impl Recursion<'_> {
    fn best(&mut self, fought: u32, hero: u8, enemy: u8) -> (Rational, Rational) {
        let fought = fought.min(self.steady);
        if hero == 0 {
            return (Rational::ZERO, Rational::ZERO);
        }
        if enemy == 0 {
            return (Rational::ONE, Rational::ONE);
        }
        if let Some(known) = self.known.get(&(fought, hero, enemy)) {
            return known.clone();
        }
        let losses = self.fight.conditions.round(self.fight.table, fought + 1);
        let (mut lives, mut wins, mut stays) = (Rational::ZERO, Rational::ZERO, Rational::ZERO);
        let mut leaves_alive = Rational::ZERO;
        for loss in losses {
            if loss.hero < hero {
                leaves_alive += ratio(1, 10);
            }
            if (loss.hero, loss.enemy) == (0, 0) && fought == self.steady {
                stays += ratio(1, 10);
                continue;
            }
            let after = self.best(fought + 1, hero.saturating_sub(loss.hero), enemy.saturating_sub(loss.enemy));
            lives += after.0 * ratio(1, 10);
            wins += after.1 * ratio(1, 10);
        }
        let goes_on = Rational::ONE - stays;
        let mut best = (lives / &goes_on, wins / &goes_on);
        if self.fight.evade_from.is_some_and(|round| fought + 1 >= round) {
            best = best.max((leaves_alive, Rational::ZERO));
        }
        self.known.insert((fought, hero, enemy), best.clone());
        best
    }
}

/// A played fight: the hero's and the enemy's ENDURANCE after every round, and whether he has left alive.
type Played = (Vec<(u8, u8)>, bool);

/// Plays a fight with dice.
fn play(fight: &Fight<'_>, analysis: &Analysis, dice: &mut Dice) -> Played {
    let picks = Distribution::uniform(0..10u8).unwrap();
    let (mut hero, mut enemy) = (fight.hero, fight.enemy);
    let mut rounds = Vec::new();
    while hero > 0 && enemy > 0 {
        let round = u32::try_from(rounds.len()).unwrap() + 1;
        let leaves = analysis.situations.iter().any(|now| {
            let in_round = now.round == round || now.and_later && now.round <= round;
            now.leave && in_round && (now.hero, now.enemy) == (hero, enemy)
        });
        let loss = fight.conditions.round(fight.table, round)[usize::from(*dice.draw(&picks))];
        hero = hero.saturating_sub(loss.hero);
        if !leaves {
            enemy = enemy.saturating_sub(loss.enemy);
        }
        rounds.push((hero, enemy));
        if leaves {
            return (rounds, hero > 0);
        }
    }
    (rounds, false)
}

#[test]
fn dice_agree() {
    let surprised = Conditions { bonuses: vec![TimedBonus { rounds: 2, bonus: -4 }], ..ratio_is(-3) };
    let forced = Conditions { mindforce: 2, untouchable: 1, double_damage: true, ..ratio_is(-8) };
    for (seed, fight) in [
        fight(ratio_is(-7), 25, 30, None),
        fight(ratio_is(-4), 22, 24, Some(3)),
        fight(surprised, 25, 20, Some(2)),
        fight(forced, 25, 30, Some(1)),
    ]
    .iter()
    .enumerate()
    {
        const FIGHTS: u32 = 40_000;
        let analysis = analysed(fight);
        let mut dice = Dice::new(seed as u64, 0);
        let plays: Vec<_> = (0..FIGHTS).map(|_| play(fight, &analysis, &mut dice)).collect();
        let near = |what: &str, expected: f64, spread: f64, found: f64| {
            let error = spread / f64::from(FIGHTS).sqrt();
            assert!((expected - found).abs() < 5.0 * error, "fight {seed}, {what}: {expected} but {found} ± {error}");
        };
        let share_of = |count: usize| f64::from(u32::try_from(count).unwrap()) / f64::from(FIGHTS);
        let share = |what: &str, expected: &Rational, hit: &dyn Fn(&Played) -> bool| {
            let found = share_of(plays.iter().filter(|play| hit(play)).count());
            near(what, mdp::nearest(expected), 0.5, found);
        };
        share("evaded", &analysis.evaded, &|play| play.1);
        share("won", &analysis.win, &|play| play.0.last().is_some_and(|end| end.0 > 0 && end.1 == 0));
        for (number, round) in analysis.rounds.iter().enumerate() {
            let after = |play: &Played| *play.0.get(number).or(play.0.last()).unwrap();
            let mean = |of: &dyn Fn((u8, u8)) -> u8| {
                plays.iter().map(|play| f64::from(of(after(play)))).sum::<f64>() / f64::from(FIGHTS)
            };
            near("mean ENDURANCE", round.mean_endurance, 12.5, mean(&|pair| pair.0));
            near("mean of the enemy", round.mean_enemy_endurance, 15.0, mean(&|pair| pair.1));
            let over = plays.iter().filter(|play| play.0.len() <= number + 1).count();
            near("over", round.over, 0.5, share_of(over));
        }
    }
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let timed = (0u32..4, -9..=9i32).prop_map(|(rounds, bonus)| TimedBonus { rounds, bonus });
    let untouchable = prop_oneof![3 => Just(0u32), 2 => 1u32..5, 1 => Just(u32::MAX)];
    let untouchable = (untouchable, prop_oneof![2 => Just(0u32), 1 => 1u32..4]);
    let mindforce = (0u8..3, prop_oneof![2 => Just(0u32), 1 => 1u32..4]);
    let enemy = (any::<bool>(), prop_oneof![2 => Just(0u8), 1 => 1u8..4]);
    (-15..=15i32, proptest::collection::vec(timed, 0..2), mindforce, untouchable, enemy).prop_map(
        |(ratio, bonuses, (mindforce, mindforce_after), (untouchable, only_parry), (double_damage, helper))| {
            Conditions { ratio, bonuses, mindforce, mindforce_after, helper, untouchable, only_parry, double_damage }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn without_leaving_it_is_the_folded_fight(conditions in conditions(), hero in 1u8..30, enemy in 1u8..30) {
        let analysis = analysed(&fight(conditions.clone(), hero, enemy, None));
        let start = Start { enemy, heroes: hero, ..Start::default() };
        let folded = fold(CombatTable::standard(), &conditions, &start, Track::default()).unwrap();
        let mut left = analysis.endurance_left.clone();
        if analysis.death > Rational::ZERO {
            left.insert(0, (0, analysis.death));
        }
        let endings: Vec<_> = folded.from(hero).probabilities().map(|(ending, p)| (ending.hero, p)).collect();
        prop_assert_eq!(left, endings);
    }

    #[test]
    fn leaving_is_best(conditions in conditions(), hero in 1u8..25, enemy in 1u8..25, round in 1u32..6) {
        let fight = fight(conditions, hero, enemy, Some(round));
        let analysis = analysed(&fight);
        let mut recursion = Recursion { fight: &fight, steady: fight.steady_after(), known: HashMap::new() };
        let (lives, wins) = recursion.best(0, hero, enemy);
        prop_assert_eq!(&analysis.win + &analysis.evaded, lives);
        prop_assert_eq!(&analysis.win, &wins);
        prop_assert_eq!(analysis.endurance_left.iter().fold(Rational::ZERO, |sum, (_, p)| sum + p), wins);
        // The rounds agree.
        let last = analysis.rounds.last().unwrap();
        prop_assert_eq!(last.over, 1.0);
        let before = analysis.rounds.iter().zip(&analysis.rounds[1..]);
        prop_assert!(before.clone().all(|(a, b)| a.mean_endurance >= b.mean_endurance - 1e-9 && a.over <= b.over));
    }
}
