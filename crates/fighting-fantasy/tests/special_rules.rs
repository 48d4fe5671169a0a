//! Fights as games: against the maps, against exact reference values, and against hand-made cases.

mod common;

use common::{cases, fraction, number, signed};
use fighting_fantasy::{
    Amplify, Analysis, Decision, Enemy, Fight, Fighters, Hero, LuckMap, Moment, Objective, Outcome, Player,
    SpecialRules, Strategy, SuddenDeath, analyse, win_with_strategy,
};
use mdp::{Limits, Rational, ratio};

fn hero(difference: i32, stamina: u32, luck: u32) -> Hero {
    Hero { skill: u32::try_from(20 + difference).unwrap(), stamina, luck }
}

fn solve(hero: Hero, enemies: Vec<Enemy>, rules: SpecialRules, objective: Objective, player: Player<'_>) -> Analysis {
    analyse(&Fight::new(hero, enemies, rules, objective, player).unwrap(), Limits::default()).unwrap()
}

fn plain(hero: Hero, enemy: u32, objective: Objective) -> Analysis {
    solve(hero, vec![Enemy::new(20, enemy)], SpecialRules::default(), objective, Player::Free)
}

#[test]
fn the_engine_agrees_with_the_maps() {
    for amplify in [Amplify::Three, Amplify::Four] {
        for difference in [-10, -6, -1, 0, 2, 9, 12] {
            let map = LuckMap::new(difference, 8, 11, amplify).unwrap();
            for luck in [0, 1, 5, 8] {
                for (stamina, enemy) in [(1, 1), (2, 2), (3, 7), (11, 4), (10, 11)] {
                    let rules = SpecialRules { amplify, ..SpecialRules::default() };
                    let enemies = vec![Enemy::new(20, enemy)];
                    let analysis = solve(hero(difference, stamina, luck), enemies, rules, Objective::win(), Player::Free);
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
                moment.luck >= threshold && strategy.uses_luck(moment.outcome, moment.hero_stamina, moment.enemy_stamina)
            };
            let enemies = vec![Enemy::new(20, 10)];
            let player = Player::Rule(&rule);
            let analysis = solve(hero(-2, 13, 9), enemies, SpecialRules::default(), Objective::win(), player);
            let expected = win_with_strategy(fighters, Amplify::Four, strategy, threshold).unwrap();
            assert_eq!(analysis.value, expected, "{strategy} from {threshold}");
        }
    }
}

#[test]
fn razaak() {
    for case in cases(include_str!("data/razaak.json")) {
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
    for case in cases(include_str!("data/retention.json")) {
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
