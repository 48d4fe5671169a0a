//! The strategies against exact reference values.
#![expect(clippy::float_cmp, reason = "these numbers are exact, or the nearest to exact ones")]

use crate::common::{cases, fraction, number, signed};
use budget::Budget;
use fighting_fantasy::{Amplify, Extent, Fighters, HeuristicMap, LuckMap, Strategy, win_with_strategy};
use mdp::{Rational, nearest};

#[test]
fn every_strategy_with_every_threshold() {
    for case in cases(include_str!("../data/heuristics.json")) {
        let fighters = Fighters {
            skill_difference: signed(&case[0]),
            luck: number(&case[1]),
            hero_stamina: number(&case[2]),
            enemy_stamina: number(&case[3]),
        };
        let Fighters { skill_difference, luck, hero_stamina, enemy_stamina } = fighters;
        let side = hero_stamina.max(enemy_stamina);
        let map = LuckMap::new(
            Extent { skill_difference, max_luck: luck, max_stamina: side, amplify: Amplify::Four },
            &Budget::unlimited(),
        )
        .unwrap();
        let best_play = map.win_exact(luck, hero_stamina, enemy_stamina);
        assert_eq!(best_play, fraction(&case[4]));
        let heuristics = HeuristicMap::new(
            Extent { skill_difference, max_luck: luck, max_stamina: side, amplify: Amplify::Four },
            &Budget::unlimited(),
        )
        .unwrap();
        let scores = heuristics.scores(luck, hero_stamina, enemy_stamina);
        let never = fraction(&case[5][0]);
        let mut overall = never.clone();
        for strategy in Strategy::ALL {
            let expected: Vec<Rational> =
                case[5 + strategy.number()].as_array().unwrap().iter().map(fraction).collect();
            for (threshold, expected) in (1..).zip(&expected) {
                let win =
                    win_with_strategy(fighters, Amplify::Four, strategy, threshold, &Budget::unlimited()).unwrap();
                assert_eq!(win, *expected, "{fighters:?} {strategy} from {threshold}");
            }
            let best = expected.iter().max().unwrap();
            let score = scores.strategies[strategy.number()];
            assert_eq!(score.win, nearest(best), "{fighters:?} {strategy}");
            assert_eq!(score.loss, nearest(&(&best_play - best)), "{fighters:?} {strategy}");
            if strategy != Strategy::Never {
                let thresholds: Vec<u32> = (1..=luck).filter(|t| expected[*t as usize - 1] == *best).collect();
                assert_eq!(score.best_thresholds().collect::<Vec<_>>(), thresholds, "{fighters:?} {strategy}");
            }
            if *best > overall {
                overall = best.clone();
            }
        }
        for strategy in Strategy::ALL {
            let wins = scores.winners >> strategy.number() & 1 == 1;
            let best = case[5 + strategy.number()].as_array().unwrap().iter().map(fraction).max().unwrap();
            assert_eq!(wins, best == overall, "{fighters:?} {strategy}");
        }
    }
}

#[test]
fn names_and_numbers() {
    for strategy in Strategy::ALL {
        assert_eq!(strategy.name().parse(), Ok(strategy));
        assert_eq!(strategy.number().to_string().parse(), Ok(strategy));
    }
    assert!("9".parse::<Strategy>().is_err());
    assert!("sometimes".parse::<Strategy>().unwrap_err().to_string().contains("never, always"));
}
