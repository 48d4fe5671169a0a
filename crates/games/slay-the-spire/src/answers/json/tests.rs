use mdp::ratio;
use serde_json::{Value, json};

use super::super::solve::Counts;
use super::*;

/// A number has the same exactness wherever it occurs.
#[test]
fn a_number_has_one_exactness() {
    let half = Interval { lower: 0.5, upper: 0.5 };
    for (objective, twin, other) in
        [(Objective::Health, "expected_health", "survival"), (Objective::Survival, "survival", "expected_health")]
    {
        for exact in [None, Some(ratio(1, 2))] {
            let (value, expected_health, survival) = (half, Some(half), half);
            let health = 7;
            let worth = Worth { exact, expected_health, survival, ..Worth::between(value, health, objective) };
            let solved = Solved { worths: vec![worth], counts: Counts::default(), stopped: None };
            let answer = serde_json::to_value(FightAnswer::new(&solved).by_health(&solved)).unwrap();
            assert_eq!(answer["value"], answer[twin]);
            assert_eq!(answer["value"]["exact"].is_null(), solved.worths[0].exact.is_none());
            assert_eq!(answer[other]["exact"], Value::Null);
            let at = &answer["by_health"][0];
            assert_eq!(
                at["value"] == at["survival"],
                objective == Objective::Survival || at["value"]["exact"] == json!(null)
            );
        }
    }
}
