use serde_json::json;

use super::repair;

/// Within `s0` of the sequence at `k.0` every index is one more than in its paths.
#[test]
fn paths_within_branches_of_sequences_are_mended() {
    let branch = |enter: &str, leave: &str, other: &str| {
        let condition = json!([{"->": enter, "c": true}, {"b": ["^x", {"->": leave}, {"->": "k.0.9"}, null]}]);
        json!([["done", {"k": [["ev", {"->": ".^.s0", "c": true}, "nop", {
            "s0": ["pop", "\n", "ev", 1, "/ev", condition, "nop", {"->": other}, null]
        }], null]}], "done", null])
    };
    let mut story = json!([branch(".^.^.4.b", ".^.^", "k.0.9").get(0).cloned(), "done", null]);
    // The knot is where a story has it: after the last operation of the root.
    let knots = story[0][1].take();
    story[0][1] = json!(null);
    story[2] = knots;
    repair(&mut story);
    let within = &story[2]["k"][0][3]["s0"];
    assert_eq!(within[5][0], json!({"->": "k.0.s0.5.b", "c": true}));
    assert_eq!(within[5][1]["b"], json!(["^x", {"->": "k.0.s0.6"}, {"->": "k.0.9"}, null]));
    assert_eq!(within[7], json!({"->": "k.0.9"}));
    assert_eq!(story[2]["k"][0][1], json!({"->": ".^.s0", "c": true}));
}
