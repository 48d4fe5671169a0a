//! The maps and the formulas against exact reference values, and the paper's own figures.
#![expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "staminas and differences are small")]
#![expect(clippy::float_cmp, reason = "these numbers are exact, or the nearest to exact ones")]

use crate::common::{cases, fraction, number, signed};
use budget::Budget;
use fighting_fantasy::{
    Amplify, Enemy, Extent, Fight, Hero, LuckMap, Objective, Outcome, Player, RoundOdds, SpecialRules, analyse,
    lucky_rolls, win_with_constant_defensive_luck, win_with_constant_luck, win_without_luck,
};
use mdp::{Rational, ratio};

fn amplify(damage: u32) -> Amplify {
    if damage == 3 { Amplify::Three } else { Amplify::Four }
}

#[test]
fn best_use_of_luck() {
    for case in cases(include_str!("../data/optimal.json")) {
        let [luck, hero, enemy] = [1, 2, 3].map(|column| number(&case[column]));
        let map = LuckMap::new(
            Extent {
                skill_difference: signed(&case[0]),
                max_luck: luck,
                max_stamina: hero.max(enemy),
                amplify: amplify(number(&case[4])),
            },
            &Budget::unlimited(),
        )
        .unwrap();
        assert_eq!(map.win_exact(luck, hero, enemy), fraction(&case[5]), "{case:?}");
        assert_eq!(map.win(luck, hero, enemy), mdp::nearest(&fraction(&case[5])), "{case:?}");
        assert_eq!(map.win_without_luck_exact(hero, enemy), fraction(&case[6]), "{case:?}");
        let decisions = map.decisions(luck, hero, enemy);
        assert_eq!(decisions.on_lost_round.name(), case[7].as_str().unwrap(), "{case:?}");
        assert_eq!(decisions.on_won_round.name(), case[8].as_str().unwrap(), "{case:?}");
    }
}

/// The map's questions of luck, from its own table, against the engine's solution of each fight.
#[test]
fn questions_of_luck() {
    for (difference, luck, amplify) in
        [(-3, 12, Amplify::Four), (0, 7, Amplify::Three), (2, 1, Amplify::Four), (-1, 0, Amplify::Four)]
    {
        let map = LuckMap::new(
            Extent { skill_difference: difference, max_luck: luck, max_stamina: 9, amplify },
            &Budget::unlimited(),
        )
        .unwrap();
        for (stamina, enemy_stamina) in (1..=9).flat_map(|hero| (1..=9).map(move |enemy| (hero, enemy))) {
            let hero = Hero { skill: (10 + difference) as u32, stamina, luck };
            let rules = SpecialRules { amplify, ..SpecialRules::default() };
            let enemies = vec![Enemy::new(10, enemy_stamina)];
            let fight = Fight::new(hero, enemies, rules, Objective::win(), Player::Free).unwrap();
            let solved = analyse(&fight, &mdp::ExploreOptions::default()).unwrap();
            for (outcome, expected) in [(Outcome::Lost, solved.on_lost_round), (Outcome::Won, solved.on_won_round)] {
                let found = map.question(outcome, luck, stamina, enemy_stamina);
                assert_eq!(found.decision, expected.decision, "{hero:?} against {enemy_stamina}");
                assert_eq!(found.keep, expected.keep, "{hero:?} against {enemy_stamina}");
                if luck > 0 {
                    assert_eq!(found.use_luck, expected.use_luck, "{hero:?} against {enemy_stamina}");
                }
            }
        }
    }
}

#[test]
fn constant_luck() {
    for case in cases(include_str!("../data/constant_luck.json")) {
        let win = RoundOdds::new(signed(&case[0])).decisive_win();
        let luck = ratio(i64::from(lucky_rolls(number(&case[1]))), 36);
        let split = win_with_constant_luck(&win, &luck, number(&case[2]), number(&case[3]));
        let expected: Vec<Rational> = case[5].as_array().unwrap().iter().map(fraction).collect();
        assert_eq!(split.to_vec(), expected, "{case:?}");
        assert_eq!(split.iter().fold(Rational::ZERO, |sum, part| sum + part), fraction(&case[4]), "{case:?}");
    }
}

/// Constant luck by recursion over single rounds; wounds to the hero and to the enemy by luck.
fn constant_luck_by_recursion(
    win: &Rational,
    hero: i32,
    enemy: i32,
    wounds_of_hero: &[(i32, Rational)],
    wounds_of_enemy: &[(i32, Rational)],
) -> Rational {
    let mut values = vec![vec![Rational::ZERO; enemy as usize + 1]; hero as usize + 1];
    for h in 1..=hero {
        for e in 1..=enemy {
            let at = |h: i32, e: i32| match (h > 0, e > 0) {
                (false, _) => Rational::ZERO,
                (true, false) => Rational::ONE,
                (true, true) => values[h as usize][e as usize].clone(),
            };
            let lost = wounds_of_hero.iter().fold(Rational::ZERO, |sum, (wound, p)| sum + at(h - wound, e) * p);
            let won = wounds_of_enemy.iter().fold(Rational::ZERO, |sum, (wound, p)| sum + at(h, e - wound) * p);
            values[h as usize][e as usize] = won * win + lost * (Rational::ONE - win);
        }
    }
    values[hero as usize][enemy as usize].clone()
}

#[test]
fn formulas_agree_with_recursion() {
    let plain = [(2, Rational::ONE)];
    for difference in [-9, -3, 0, 4] {
        let win = RoundOdds::new(difference).decisive_win();
        for luck in [0u8, 3, 18, 36] {
            let q = ratio(i64::from(luck), 36);
            let not_q = Rational::ONE - &q;
            for (hero, enemy) in [(1, 1), (2, 3), (7, 4), (4, 9), (12, 13), (23, 24)] {
                let (h, e) = (hero as u32, enemy as u32);
                assert_eq!(win_without_luck(&win, h, e), constant_luck_by_recursion(&win, hero, enemy, &plain, &plain));
                let strong = [(4, q.clone()), (1, not_q.clone())];
                assert_eq!(
                    win_with_constant_luck(&win, &q, h, e).iter().fold(Rational::ZERO, |sum, part| sum + part),
                    constant_luck_by_recursion(&win, hero, enemy, &plain, &strong)
                );
                let weak = [(1, q.clone()), (3, not_q.clone())];
                assert_eq!(
                    win_with_constant_defensive_luck(&win, &q, h, e),
                    constant_luck_by_recursion(&win, hero, enemy, &weak, &plain)
                );
            }
        }
    }
}

#[test]
fn no_luck_in_the_map_is_the_formula() {
    for difference in [-11, -10, -4, 0, 3, 10, 11] {
        let map = LuckMap::new(
            Extent { skill_difference: difference, max_luck: 0, max_stamina: 15, amplify: Amplify::Four },
            &Budget::unlimited(),
        )
        .unwrap();
        let win = RoundOdds::new(difference).decisive_win();
        for hero in 1..=15 {
            for enemy in 1..=15 {
                let formula = win_without_luck(&win, hero, enemy);
                assert_eq!(map.win_without_luck_exact(hero, enemy), formula);
                assert_eq!(map.win_exact(0, hero, enemy), formula);
            }
        }
    }
}

/// The paper's program in floating point: luck is used only where it gains more than 1e-10 of the
/// value. Returns, for every luck up to 12 and all staminas up to 24, whether it uses luck after a
/// lost and after a won round.
fn with_a_tolerance(difference: i32) -> Vec<[bool; 2]> {
    let odds = RoundOdds::new(difference);
    let decisive = f64::from(odds.won + odds.lost);
    let (win, loss) = (f64::from(odds.won) / decisive, f64::from(odds.lost) / decisive);
    // Layer 0 is luck -1, where a test fails as it does at luck 0.
    let mut values = vec![[[0.0; 25]; 25]; 14];
    let mut uses = Vec::new();
    for layer in 0..14usize {
        let q = if layer == 0 { 0.0 } else { f64::from(lucky_rolls(layer as u32 - 1)) / 36.0 };
        for hero in 1..=24i32 {
            for enemy in 1..=24i32 {
                let at = |layer: usize, h: i32, e: i32| match (h > 0, e > 0) {
                    (false, _) => 0.0,
                    (true, false) => 1.0,
                    (true, true) => values[layer][h as usize][e as usize],
                };
                let keep = [at(layer, hero - 2, enemy), at(layer, hero, enemy - 2)];
                let mut best = keep;
                let mut used = [false; 2];
                if let Some(next) = layer.checked_sub(1) {
                    let luck = [
                        q * at(next, hero - 1, enemy) + (1.0 - q) * at(next, hero - 3, enemy),
                        q * at(next, hero, enemy - 4) + (1.0 - q) * at(next, hero, enemy - 1),
                    ];
                    for side in 0..2 {
                        used[side] = luck[side] - keep[side] > 1e-10 * keep[side];
                        if used[side] {
                            best[side] = luck[side];
                        }
                    }
                    uses.push(used);
                }
                values[layer][hero as usize][enemy as usize] = loss * best[0] + win * best[1];
            }
        }
    }
    uses
}

#[test]
fn a_tolerance_throws_real_gains_away() {
    let mut states = 0;
    let mut wrong = 0;
    let extent = |skill_difference| Extent { skill_difference, max_luck: 12, max_stamina: 24, amplify: Amplify::Four };
    for map in LuckMap::several((-10..=10).map(extent), &Budget::unlimited()).unwrap() {
        let mut program = with_a_tolerance(map.skill_difference()).into_iter();
        for luck in 0..=12 {
            for hero in 1..=24 {
                for enemy in 1..=24 {
                    let exact = map.decisions(luck, hero, enemy);
                    let exact = [exact.on_lost_round, exact.on_won_round].map(|best| best.name() == "use-luck");
                    states += 1;
                    wrong += usize::from(program.next() != Some(exact));
                }
            }
        }
    }
    assert_eq!((wrong, states), (8_910, 21 * 13 * 24 * 24));
}

#[test]
fn headlines() {
    // Skill difference, luck, hero, enemy; without luck and with it, as the paper prints them.
    let cases = [
        (-4, 12, 22, 19, "9.843e-6", "1.141e-2"),
        (-2, 12, 22, 21, "1.016e-2", "2.212e-1"),
        (-3, 12, 24, 22, "4.409e-4", "4.639e-2"),
        (-2, 12, 24, 12, "2.815e-1", "7.764e-1"),
    ];
    for (difference, luck, hero, enemy, without, with) in cases {
        let map = LuckMap::new(
            Extent { skill_difference: difference, max_luck: luck, max_stamina: 24, amplify: Amplify::Four },
            &Budget::unlimited(),
        )
        .unwrap();
        let plain = mdp::nearest(&map.win_without_luck_exact(hero, enemy));
        assert_eq!(format!("{plain:.3e}"), without);
        assert_eq!(format!("{:.3e}", map.win(luck, hero, enemy)), with);
    }
    let map = LuckMap::new(
        Extent { skill_difference: -4, max_luck: 12, max_stamina: 24, amplify: Amplify::Four },
        &Budget::unlimited(),
    )
    .unwrap();
    let fold = map.win(12, 22, 19) / mdp::nearest(&map.win_without_luck_exact(22, 19));
    assert_eq!(format!("{fold:.0}"), "1159");
}
