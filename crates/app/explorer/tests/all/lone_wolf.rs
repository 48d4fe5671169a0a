//! Fights of Lone Wolf: the endpoint says what the library says, and refuses what cannot be.

use explorer::Ceilings;
use lone_wolf::{CombatTable, Conditions, Fight, Track, analyse, fold};
use mdp::{ExploreOptions, Number, Rational};
use serde_json::json;

use crate::common::{answer, ask, start};

const PATH: &str = "lone-wolf/fight";

#[tokio::test]
async fn answers_are_those_of_the_library() {
    let host = start(Ceilings::default()).await;
    // The hero's bonuses and the rules of the section, put together by hand.
    let conditions = |ratio| Conditions { ratio, ..Conditions::default() };
    let fight = |conditions, hero, enemy, evade_from| Fight {
        table: CombatTable::standard(),
        conditions,
        hero,
        enemy,
        evade_from,
    };
    for (question, fight) in [
        (r#"{"combat_skill":15,"endurance":25,"enemy":"22/30"}"#, fight(conditions(-7), 25, 30, None)),
        (
            r#"{"combat_skill":15,"endurance":25,"max_endurance":30,"enemy":"22/30","mindblast":true,"evade_from":3}"#,
            fight(conditions(-5), 25, 30, Some(3)),
        ),
        (
            r#"{"combat_skill":15,"endurance":25,"enemy":"22/30","weaponskill":true,"shield":true,"bonus":-1,"double_damage":true}"#,
            fight(Conditions { double_damage: true, ..conditions(-4) }, 25, 30, None),
        ),
        (
            r#"{"combat_skill":17,"endurance":24,"enemy":"20/28","unarmed":true,"enemy_mindblast":true,"untouchable":2}"#,
            fight(Conditions { mindforce: 2, untouchable: 2, ..conditions(-7) }, 24, 28, None),
        ),
        (
            r#"{"combat_skill":-4,"endurance":9,"enemy":"20/28","untouchable":"always"}"#,
            fight(Conditions { untouchable: u32::MAX, ..conditions(-24) }, 9, 28, None),
        ),
    ] {
        let reply = answer(&host, PATH, question).await;
        let analysis = analyse(&fight, &ExploreOptions::default()).unwrap();
        // Decimals may be read from JSON a little off.
        let exact = |number: &Rational| json!(Number::from(number).exact);
        assert_eq!(reply["combat_ratio"], fight.conditions.ratio, "{question}");
        for (name, number) in [("win", &analysis.win), ("death", &analysis.death), ("evaded", &analysis.evaded)] {
            assert_eq!(reply[name]["exact"], exact(number), "{question}: {name}");
        }
        let expected = analysis.endurance_left.iter().map(|(left, p)| (json!(left), exact(p)));
        let left = reply["endurance_left"].as_array().unwrap().iter();
        let left = left.map(|left| (left["endurance"].clone(), left["probability"]["exact"].clone()));
        assert_eq!(left.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{question}");
        assert_eq!(reply["rounds"].as_array().map(Vec::len), Some(analysis.rounds.len()), "{question}");
        let mean = reply["rounds"][0]["mean_endurance"].as_f64().unwrap();
        assert!((mean - analysis.rounds[0].mean_endurance).abs() < 1e-12, "{question}");
        let runs: usize = reply["run_when"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["enemy_endurance"].as_array().unwrap().len())
            .sum();
        assert_eq!(runs, analysis.situations.iter().filter(|now| now.leave).count(), "{question}");
        // And folded, which knows no states at all, where he cannot run.
        if fight.evade_from.is_none() && fight.conditions.untouchable == 0 {
            let begin = lone_wolf::Start { enemy: fight.enemy, heroes: fight.hero, ..lone_wolf::Start::default() };
            let endings = fold(fight.table, &fight.conditions, &begin, Track::default()).unwrap();
            let wins = endings.from(fight.hero).probabilities().filter(|(ending, _)| ending.hero > 0);
            assert_eq!(reply["win"]["exact"], exact(&wins.fold(Rational::ZERO, |sum, (_, p)| sum + p)), "{question}");
        }
    }
}

#[tokio::test]
async fn published_figures_and_what_cannot_be() {
    let host = start(Ceilings::default()).await;
    let bold = answer(&host, PATH, r#"{"combat_skill":10,"endurance":25,"enemy":"23/30"}"#).await;
    assert_eq!(bold["death"]["exact"], "19879281/20000000");
    let fight = |more: &str| format!(r#"{{"combat_skill":15,"endurance":25,"enemy":"22/30"{more}}}"#);
    for (question, message) in [
        ("{}".into(), "missing field `combat_skill`"),
        (r#"{"combat_skill":15,"endurance":25,"enemy":"dragon"}"#.into(), "such as 22/30"),
        (r#"{"combat_skill":15,"endurance":25,"enemy":"22/0"}"#.into(), "such as 22/30"),
        (r#"{"combat_skill":15,"endurance":25,"enemy":[22,30]}"#.into(), "a text or a whole number"),
        (r#"{"combat_skill":1001,"endurance":25,"enemy":"22/30"}"#.into(), "combat_skill is 1001"),
        (r#"{"combat_skill":15,"endurance":100,"enemy":"22/30"}"#.into(), "endurance is 100"),
        (r#"{"combat_skill":15,"endurance":256,"enemy":"22/30"}"#.into(), "invalid value"),
        (fight(r#","bonus":-1001"#), "bonus is -1001"),
        (fight(r#","bonus":9999999999"#), "invalid value"),
        (fight(r#","max_endurance":24"#), "endurance 25 is more than max_endurance"),
        (fight(r#","untouchable":101"#), "rounds up to 100"),
        (fight(r#","untouchable":-1"#), "a whole number from 0"),
        (fight(r#","evade_from":0"#), "evade_from is 0"),
        (fight(r#","evade_from":101"#), "evade_from is 101"),
        (fight(r#","weaponskill":true,"unarmed":true"#), "weaponskill does not go with unarmed"),
        (fight(r#","magic":true"#), "unknown field `magic`"),
    ] {
        let reply = ask(&host, PATH, &question).await;
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert!(reply.error().contains(message), "{question}: {}", reply.body);
    }
    // The largest fight keeps to the limits.
    let narrow = start(Ceilings { states: 1000, ..Ceilings::default() }).await;
    let large = r#"{"combat_skill":15,"endurance":99,"enemy":"22/99","evade_from":100}"#;
    assert!(ask(&narrow, PATH, large).await.error().contains("states"));
}
