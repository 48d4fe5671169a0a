//! Fights as games: against the maps, against exact reference values, and against hand-made cases.
#![expect(clippy::cast_sign_loss, clippy::cast_possible_wrap, reason = "staminas and differences are small")]
#![expect(clippy::float_cmp, reason = "these numbers are exact, or the nearest to exact ones")]

use crate::common::{cases, fraction, number, signed};
use budget::Budget;
use fighting_fantasy::{
    Amplify, Analysis, Armour, Chance, Decision, Enemy, Escape, Extent, Fight, Fighters, Hero, LuckMap, Moment,
    Objective, Outcome, Player, SpecialRules, Strategy, SuddenDeath, analyse, play, win_with_strategy,
};
use mdp::{ExploreOptions, Rational, ratio};

fn hero(difference: i32, stamina: u32, luck: u32) -> Hero {
    Hero { skill: u32::try_from(20 + difference).unwrap(), stamina, luck }
}

fn solve(hero: Hero, enemies: Vec<Enemy>, rules: SpecialRules, objective: Objective, player: Player<'_>) -> Analysis {
    analyse(&Fight::new(hero, enemies, rules, objective, player).unwrap(), &ExploreOptions::default()).unwrap()
}

fn plain(hero: Hero, enemy: u32, objective: Objective) -> Analysis {
    solve(hero, vec![Enemy::new(20, enemy)], SpecialRules::default(), objective, Player::Free)
}

#[test]
fn the_engine_agrees_with_the_maps() {
    for amplify in [Amplify::Three, Amplify::Four] {
        for difference in [-10, -6, -1, 0, 2, 9, 12] {
            let map = LuckMap::new(
                Extent { skill_difference: difference, max_luck: 8, max_stamina: 11, amplify },
                &Budget::unlimited(),
            )
            .unwrap();
            for luck in [0, 1, 5, 8] {
                for (stamina, enemy) in [(1, 1), (2, 2), (3, 7), (11, 4), (10, 11)] {
                    let rules = SpecialRules { amplify, ..SpecialRules::default() };
                    let enemies = vec![Enemy::new(20, enemy)];
                    let analysis =
                        solve(hero(difference, stamina, luck), enemies, rules, Objective::win(), Player::Free);
                    assert_eq!(analysis.value, map.win_exact(luck, stamina, enemy));
                    let decisions = map.decisions(luck, stamina, enemy);
                    assert_eq!(analysis.on_lost_round.decision, decisions.on_lost_round);
                    assert_eq!(analysis.on_won_round.decision, decisions.on_won_round);
                }
            }
        }
    }
}

#[test]
fn the_engine_agrees_with_the_strategies() {
    let fighters = Fighters { skill_difference: -2, luck: 9, hero_stamina: 13, enemy_stamina: 10 };
    for strategy in Strategy::ALL {
        for threshold in [1, 6, 10] {
            let rule = |moment: Moment| {
                moment.luck >= threshold
                    && strategy.uses_luck(moment.outcome, moment.hero_stamina, moment.enemy_stamina)
            };
            let enemies = vec![Enemy::new(20, 10)];
            let player = Player::Rule(&rule);
            let analysis = solve(hero(-2, 13, 9), enemies, SpecialRules::default(), Objective::win(), player);
            let expected =
                win_with_strategy(fighters, Amplify::Four, strategy, threshold, &Budget::unlimited()).unwrap();
            assert_eq!(analysis.value, expected, "{strategy} from {threshold}");
        }
    }
}

#[test]
fn razaak() {
    for case in cases(include_str!("../data/razaak.json")) {
        let hero = Hero { skill: number(&case[0]), stamina: number(&case[1]), luck: number(&case[2]) };
        let sudden_death = Some(SuddenDeath { row: 2, draw_resets: case[4].as_bool().unwrap(), won_already: 0 });
        let enemies = vec![Enemy { sudden_death, ..Enemy::new(12, 20) }];
        // The rule of a well-known simulation of this fight.
        let rule = |moment: Moment| match moment.outcome {
            Outcome::Won => moment.luck >= 6 && moment.enemy_stamina > 2,
            Outcome::Lost => moment.luck >= 1 && moment.hero_stamina <= 2,
        };
        let policy = case[3].as_str().unwrap();
        let player = if policy == "crypt_c_heuristic" { Player::Rule(&rule) } else { Player::Free };
        let rules = SpecialRules { luck_allowed: policy != "no_luck", ..SpecialRules::default() };
        let analysis = solve(hero, enemies, rules, Objective::win(), player);
        assert_eq!(analysis.value, fraction(&case[5]), "{case:?}");
        assert_eq!(analysis.ends.won, fraction(&case[5]), "{case:?}");
        assert_eq!(analysis.ends.sudden_death, fraction(&case[6]), "{case:?}");
        assert_eq!(analysis.ends.no_stamina, fraction(&case[7]), "{case:?}");
        let uses = [&analysis.on_lost_round, &analysis.on_won_round].map(|q| q.decision == Decision::UseLuck);
        assert_eq!(uses, [case[8].as_bool().unwrap(), case[9].as_bool().unwrap()], "{case:?}");
    }
}

#[test]
fn retention() {
    for case in cases(include_str!("../data/retention.json")) {
        let hero = hero(signed(&case[0]), number(&case[2]), number(&case[1]));
        let objective = match case[4].as_str().unwrap() {
            "stamina" => Objective::stamina(),
            "stamina-and-luck" => Objective::weighted(0, 1, 1),
            _ => Objective::win().keeping(number(&case[5]), number(&case[6])),
        };
        let analysis = plain(hero, number(&case[3]), objective.clone());
        assert_eq!(analysis.value, fraction(&case[7]), "{case:?}");
        if case.len() > 8 {
            let uses = [&analysis.on_lost_round, &analysis.on_won_round].map(|q| q.decision == Decision::UseLuck);
            assert_eq!(uses, [case[8].as_bool().unwrap(), case[9].as_bool().unwrap()], "{case:?}");
        }
        if case.len() > 10 {
            let rules = SpecialRules { luck_allowed: false, ..SpecialRules::default() };
            let without = solve(hero, vec![Enemy::new(20, number(&case[3]))], rules, objective, Player::Free);
            assert_eq!(without.value, fraction(&case[10]), "{case:?}");
        }
    }
}

fn no_luck() -> SpecialRules {
    SpecialRules { luck_allowed: false, ..SpecialRules::default() }
}

fn win(hero: Hero, enemies: Vec<Enemy>, rules: SpecialRules) -> Rational {
    solve(hero, enemies, rules, Objective::win(), Player::Free).value
}

/// The chance that a round that is not drawn is won, at equal skill: 1/2.
fn level(stamina: u32, luck: u32) -> Hero {
    Hero { skill: 20, stamina, luck }
}

#[test]
fn sudden_death_at_once_leaves_only_victories() {
    let sudden_death = Some(SuddenDeath { row: 1, draw_resets: false, won_already: 0 });
    let enemies = vec![Enemy { sudden_death, ..Enemy::new(20, 6) }];
    let analysis = solve(level(24, 12), enemies, no_luck(), Objective::win(), Player::Free);
    assert_eq!(analysis.value, ratio(1, 8));
    assert_eq!(analysis.ends.sudden_death, ratio(7, 8));
    // Whatever the hero would decide about a lost round, it is too late.
    assert_eq!(analysis.on_lost_round.decision, Decision::Either);
}

#[test]
fn a_row_that_has_begun() {
    let enemy = |won_already| {
        let sudden_death = Some(SuddenDeath { row: 2, draw_resets: false, won_already });
        vec![Enemy { sudden_death, ..Enemy::new(20, 2) }]
    };
    // One blow decides; after one lost round the second is deadly.
    assert_eq!(win(level(24, 0), enemy(0), no_luck()), ratio(3, 4));
    assert_eq!(win(level(24, 0), enemy(1), no_luck()), ratio(1, 2));
    // A draw (146 of 1296) breaks the row: then it is as at the beginning, except for the wounds.
    let sudden_death = Some(SuddenDeath { row: 2, draw_resets: true, won_already: 1 });
    let enemies = vec![Enemy { sudden_death, ..Enemy::new(20, 2) }];
    let after_one = |unbroken: &Rational| (Rational::from(575) + Rational::from(146) * unbroken) / Rational::from(1296);
    let mut unbroken = ratio(1, 2);
    for wounds in 1..=3 {
        assert_eq!(win(level(2 * wounds, 0), enemies.clone(), no_luck()), after_one(&unbroken));
        unbroken = ratio(1, 2) + ratio(1, 2) * after_one(&unbroken);
    }
}

#[test]
fn chances_to_die_at_once() {
    let one_in_six: Chance = "1/6".parse().unwrap();
    let rules = SpecialRules { death_each_round: one_in_six, ..no_luck() };
    let analysis = solve(level(1, 0), vec![Enemy::new(20, 1)], rules, Objective::win(), Player::Free);
    // x = 5/6 (575/1296 + 146/1296 x)
    let one_round = ratio(5, 6) * ratio(575, 1296) / (Rational::ONE - ratio(5, 6) * ratio(146, 1296));
    assert_eq!(analysis.value, one_round);
    assert_eq!(analysis.ends.no_stamina, one_round);
    assert_eq!(analysis.ends.instant_death, Rational::ONE - ratio(2, 1) * one_round);

    let rules = SpecialRules { death_on_lost_round: one_in_six, ..no_luck() };
    let analysis = solve(level(3, 0), vec![Enemy::new(20, 2)], rules, Objective::win(), Player::Free);
    // A first lost round is survived with 5/6, a second empties stamina or kills at once.
    assert_eq!(analysis.value, ratio(1, 2) + ratio(1, 2) * ratio(5, 6) * ratio(1, 2));
    assert_eq!(analysis.ends.instant_death, ratio(1, 12) + ratio(5, 12) * ratio(1, 12));
}

#[test]
fn other_damage() {
    // Blows of 3 against 9 of stamina, wounds of 4 against 8: three against two rounds.
    let rules = SpecialRules { damage: 3, ..no_luck() };
    let enemies = vec![Enemy { damage: 4, ..Enemy::new(20, 9) }];
    assert_eq!(win(level(8, 0), enemies, rules), ratio(5, 16));
    // A sure lucky blow of 3 + 2 ends a fight that a blow of 3 does not.
    let rules = SpecialRules { damage: 3, ..SpecialRules::default() };
    assert_eq!(win(level(2, 12), vec![Enemy { damage: 4, ..Enemy::new(20, 5) }], rules), ratio(1, 2));
}

#[test]
fn armour_softens() {
    let armour = |of_them, all| Some(Armour { chance: Chance { of_them, all }, softens: 1 });
    let enemies = || vec![Enemy::new(20, 2)];
    // A wound of 2 kills, a softened one does not: two chances to lose a round.
    assert_eq!(win(level(2, 0), enemies(), SpecialRules { armour: armour(1, 6), ..no_luck() }), ratio(13, 24));
    assert_eq!(win(level(2, 0), enemies(), SpecialRules { armour: armour(1, 1), ..no_luck() }), ratio(3, 4));
    // Armour that swallows the whole wound every other time: rounds that change nothing.
    let light = vec![Enemy { damage: 1, ..Enemy::new(20, 1) }];
    let analysis =
        solve(level(1, 0), light, SpecialRules { armour: armour(1, 2), ..no_luck() }, Objective::win(), Player::Free);
    assert_eq!(analysis.value, ratio(2, 3));
    assert!((analysis.rounds.iter().sum::<f64>() + analysis.longer - 1.0).abs() < 1e-12);
}

#[test]
fn a_fight_without_end_is_no_victory() {
    let hero = Hero { skill: 1, stamina: 5, luck: 3 };
    let enemies = vec![Enemy { damage: 0, ..Enemy::new(30, 5) }];
    let analysis = solve(hero, enemies, no_luck(), Objective::win(), Player::Free);
    assert_eq!(analysis.value, Rational::ZERO);
    assert_eq!(analysis.longer, 1.0);
}

#[test]
fn escape() {
    let rules = |cost, value: (i64, u64)| SpecialRules {
        escape: Some(Escape { cost, value: ratio(value.0, value.1) }),
        ..SpecialRules::default()
    };
    // Running with 2 of stamina costs 2, unless one is lucky.
    let hero = level(2, 7);
    let analysis = solve(hero, vec![Enemy::new(40, 20)], rules(2, (1, 2)), Objective::win(), Player::Free);
    assert_eq!(analysis.value, ratio(1, 2) * ratio(21, 36));
    assert_eq!(analysis.ends.escaped, ratio(21, 36));
    assert_eq!((analysis.rounds.as_slice(), analysis.longer), ([1.0].as_slice(), 0.0));
    // A fight that is won anyway.
    let analysis =
        solve(Hero { skill: 40, ..hero }, vec![Enemy::new(20, 20)], rules(1, (1, 2)), Objective::win(), Player::Free);
    assert_eq!(analysis.value, Rational::ONE);
    assert_eq!(
        analysis.opening.iter().map(|o| (o.name.as_str(), o.best)).collect::<Vec<_>>(),
        [("fight", true), ("escape", false)]
    );
}

/// Two enemies one after the other, by recursion over the second fight's values.
#[test]
fn one_after_another() {
    let (first, second) = (Enemy::new(21, 4), Enemy::new(19, 5));
    let (luck, stamina) = (6, 9);
    let after = LuckMap::new(
        Extent { skill_difference: 1, max_luck: luck, max_stamina: 9, amplify: Amplify::Four },
        &Budget::unlimited(),
    )
    .unwrap();
    let odds = fighting_fantasy::RoundOdds::new(-1).decisive_win();
    let mut values: std::collections::HashMap<(u32, i32, i32), Rational> = std::collections::HashMap::new();
    for l in 0..=luck {
        for h in 1..=stamina {
            for e in 1..=4 {
                let at = |l: u32, h: i32, e: i32| match (h > 0, e > 0) {
                    (false, _) => Rational::ZERO,
                    (true, false) => after.win_exact(l, h as u32, second.stamina),
                    (true, true) => values[&(l, h, e)].clone(),
                };
                let q = ratio(fighting_fantasy::lucky_rolls(l).into(), 36);
                let mixed = |good: Rational, bad: Rational| &q * good + (Rational::ONE - &q) * bad;
                let (mut lost, mut won) = (at(l, h - 2, e), at(l, h, e - 2));
                if let Some(left) = l.checked_sub(1) {
                    lost = lost.max(mixed(at(left, h - 1, e), at(left, h - 3, e)));
                    won = won.max(mixed(at(left, h, e - 4), at(left, h, e - 1)));
                }
                values.insert((l, h, e), &odds * won + (Rational::ONE - &odds) * lost);
            }
        }
    }
    let analysis = win(level(stamina as u32, luck), vec![first, second], SpecialRules::default());
    assert_eq!(analysis, values[&(luck, stamina, 4)]);
}

/// Two enemies at once without luck, by value iteration over rounds with their draws.
#[test]
fn together() {
    let (hero, skills, staminas) = (Hero { skill: 9, stamina: 8, luck: 0 }, [9u32, 8], [4u32, 3]);
    let odds = skills.map(|skill| fighting_fantasy::RoundOdds::new(9 - skill as i32));
    let share = |rolls: u16| f64::from(rolls) / 1296.0;
    let mut values = [[[0.0f64; 4]; 5]; 9];
    for _ in 0..2000 {
        for h in 1..=8usize {
            for a in 0..=4usize {
                for b in 0..=3usize {
                    let here = [a, b];
                    let mut best: f64 = if a + b == 0 { 1.0 } else { 0.0 };
                    for target in (0..2).filter(|target| here[*target] > 0) {
                        let other = 1 - target;
                        let mut sum = 0.0;
                        // Against the target: won, drawn, lost.
                        let o = odds[target];
                        for (chance, wound, blow) in [(o.won, 0, 2), (o.drawn, 0, 0), (o.lost, 2, 0)] {
                            let mut left = here;
                            left[target] = left[target].saturating_sub(blow);
                            let others = if here[other] > 0 { share(odds[other].lost) } else { 0.0 };
                            for (p, second) in [(others, 2), (1.0 - others, 0)] {
                                let stamina = h.saturating_sub(wound + second);
                                sum += share(chance) * p * values[stamina][left[0]][left[1]];
                            }
                        }
                        best = best.max(sum);
                    }
                    values[h][a][b] = best;
                }
            }
        }
    }
    let enemies = vec![Enemy::new(skills[0], staminas[0]), Enemy::new(skills[1], staminas[1])];
    let exact = win(hero, enemies, SpecialRules { together: true, ..no_luck() });
    assert!((mdp::nearest(&exact) - values[8][4][3]).abs() < 1e-12, "{} {}", mdp::nearest(&exact), values[8][4][3]);
}

#[test]
fn dice_agree() {
    let enemies = || vec![Enemy::new(20, 7), Enemy::new(19, 4)];
    let rules = || SpecialRules { together: true, ..SpecialRules::default() };
    let fight = Fight::new(hero(1, 15, 9), enemies(), rules(), Objective::stamina(), Player::Free).unwrap();
    let exact = analyse(&fight, &ExploreOptions::default()).unwrap().value;
    let played = play(&fight, &ExploreOptions::default(), 100_000, 7).unwrap();
    assert_eq!(played.fights, 100_000);
    assert!((played.mean - mdp::nearest(&exact)).abs() < 5.0 * played.standard_error, "{played:?}");
}

/// Without luck the winner of an even fight needs n rounds: negative binomial.
#[test]
fn rounds() {
    let rules = no_luck();
    let analysis = solve(level(4, 0), vec![Enemy::new(20, 4)], rules, Objective::win(), Player::Free);
    assert_eq!(analysis.rounds, [0.0, 0.0, 0.5, 0.5]);
    assert_eq!(analysis.longer, 0.0);
}

#[test]
fn figures_outside_their_limits() {
    let error = |hero: Hero, enemies: Vec<Enemy>, rules: SpecialRules| {
        Fight::new(hero, enemies, rules, Objective::win(), Player::Free).err().unwrap().to_string()
    };
    let fine = level(10, 5);
    let plain = SpecialRules::default;
    assert_eq!(
        error(Hero { stamina: 0, ..fine }, vec![Enemy::new(5, 5)], plain()),
        "the hero's stamina is 0; it must be from 1 to 1000"
    );
    assert!(error(fine, vec![Enemy::new(5, 0)], plain()).contains("an enemy's stamina is 0"));
    assert!(error(fine, Vec::new(), plain()).contains("there are 0 enemies"));
    assert!(error(fine, vec![Enemy::new(5, 5); 9], plain()).contains("one after another there may be 1 to 8"));
    assert!(error(fine, vec![Enemy::new(5, 5); 5], SpecialRules { together: true, ..plain() }).contains("1 to 4"));
    for bad in ["14-12", "14", "/", "1/2/3", "a/b", "99999999999999999999999999999999999999999/1", ""] {
        assert!(bad.parse::<Enemy>().is_err(), "{bad}");
    }
    for bad in ["2/1", "1/0", "-1/2", "1/1001", "x", "1/6/6"] {
        assert!(bad.parse::<Chance>().is_err(), "{bad}");
    }
}
