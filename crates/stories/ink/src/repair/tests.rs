use serde_json::json;

use super::repair;

/// Within `s0` of the sequence at `k.0` every index is one more than in its paths.
#[test]
fn paths_within_branches_of_sequences_are_mended() {
    let branch = |enter: &str, leave: &str, other: &str| {
        let condition = json!([{"->": enter, "c": true}, {"b": ["^x", {"->": "k.0.9"}, {"->": leave}, null]}]);
        json!([["done", {"k": [["ev", {"->": ".^.s0", "c": true}, "nop", {
            "s0": ["pop", "\n", "ev", 1, "/ev", condition, "nop", {"->": other}, null]
        }], null]}], "done", null])
    };
    let mut story = json!([branch(".^.^.4.b", ".^.^", "k.0.9").get(0).cloned(), "done", null]);
    // The knot is where a story has it: after the last operation of the root.
    let knots = story[0][1].take();
    story[0][1] = json!(null);
    story[2] = knots;
    let mut whole = json!({"root": story, "listDefs": {}});
    repair(&mut whole);
    let story = &whole["root"];
    let within = &story[2]["k"][0][3]["s0"];
    assert_eq!(within[5][0], json!({"->": "k.0.s0.5.b", "c": true}));
    assert_eq!(within[5][1]["b"], json!(["^x", {"->": "k.0.9"}, {"->": "k.0.s0.6"}, null]));
    // The last operation leaves the sequence.
    assert_eq!(within[7], json!({"->": "k.0.2"}));
    assert_eq!(story[2]["k"][0][1], json!({"->": ".^.s0", "c": true}));
}

/// Where an index is wrong, the structure tells the target of what the compiler adds.
#[test]
fn branches_lead_back_to_where_they_began() {
    let mut story = json!({"root": [["done", null], "done", {"k": [
        ["ev", {"^->": "k.0.$r1"}, {"temp=": "$r"}, "str", {"->": "k.7.s"}, [{"#n": "$r1"}], "/str", "/ev",
            {"*": "k.c-0", "flg": 20}, {"s": ["^go", {"->": "$r", "var": true}, null]}],
        {"c-0": [
            "ev", {"^->": "k.c-0.$r2"}, "/ev", {"temp=": "$r"}, {"->": "k.9.s"}, [{"#n": "$r2"}], "\n",
            "ev", true, "/ev", [{"->": "k.c-0.3.b", "c": true}, {"b": ["^x", {"->": "k.c-0.4"}, null]}], "nop", null
        ]}
    ]}], "listDefs": {}});
    repair(&mut story);
    let knot = &story["root"][2]["k"];
    assert_eq!((&knot[0][4]["->"], &knot[1]["c-0"][4]["->"]), (&json!("k.0.s"), &json!("k.0.s")));
    let branch = &knot[1]["c-0"][10];
    assert_eq!((&branch[0]["->"], &branch[1]["b"][1]["->"]), (&json!("k.c-0.10.b"), &json!("k.c-0.11")));
}

/// A label is found by its name, from wherever it is named.
#[test]
fn labels_are_found_by_their_names() {
    let mut story = json!({"root": [["done", null], "done", {
        "k": [{"loop": ["^around", "done", null], "s": [{"->": "loop"}, "ev", {"VAR?": "loop"}, {"VAR?": "gold"}, "out", "/ev", null]}],
        "other": [{"loop": ["done", null]}],
        "global decl": ["ev", 1, {"VAR=": "gold"}, "/ev", "end", null]
    }], "listDefs": {}});
    repair(&mut story);
    let stitch = &story["root"][2]["k"][0]["s"];
    assert_eq!(
        (&stitch[0], &stitch[2], &stitch[3]),
        (&json!({"->": "k.loop"}), &json!({"CNT?": "k.loop"}), &json!({"VAR?": "gold"}))
    );
}
