//! The explored models: states, choices, probabilities, rewards.

use std::path::Path;

use budget::{Budget, Limits};
use model_files::{ExplicitModel, Kind, parse_number};
use prism::read;

/// A model of the data beside this test.
fn data(name: &str, constants: &[(&str, &str)]) -> ExplicitModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    read(&std::fs::read_to_string(path).unwrap(), constants, &[], &Budget::default()).unwrap()
}

fn sizes(model: &ExplicitModel) -> (u32, u32, u32) {
    (model.states(), model.choice_count(), model.transitions())
}

/// Sizes as in the Quantitative Verification Benchmark Set.
#[test]
fn the_shared_coin_has_its_sizes() {
    let model = data("consensus.prism", &[("K", "2")]);
    assert_eq!(sizes(&model), (272, 400, 492));
    let finished = model.label("finished").unwrap();
    assert!(!finished.is_empty() && !finished.contains(0));
    assert_eq!(model.initial().iter().collect::<Vec<_>>(), [0]);
    let steps = model.reward("steps").unwrap();
    assert!((0..model.states()).all(|state| *steps.of_state(state) == parse_number(b"1").unwrap()));
}

#[test]
fn a_die_made_of_coins() {
    let model = data("die.prism", &[]);
    assert_eq!(model.kind(), Kind::Dtmc);
    assert_eq!(sizes(&model), (13, 13, 20));
    let faces = model.label("six").unwrap();
    assert_eq!(faces.len(), 1);
    // A choice has the name and the reward of its action.
    assert_eq!(model.action(0), Some("toss"));
    assert_eq!(*model.reward("default").unwrap().of_choice(0), parse_number(b"1").unwrap());
}

#[test]
fn modules_with_the_same_action_move_together() {
    let text = "mdp
        module a x : [0..2]; [go] x<2 -> 1/3 : (x'=x+1) + 2/3 : true; [] x=2 -> (x'=0); endmodule
        module b = a [x=y] endmodule
        rewards \"both\" [go] true : x + y; true : 2; endrewards";
    let model = read(text, &[], &["x=2 & y=2"], &Budget::default()).unwrap();
    // In (0, 0) both throw: 4 outcomes of 1/9, 2/9, 2/9, 4/9.
    assert_eq!(model.choices(0).len(), 1);
    let mut outcomes: Vec<_> = model.probabilities(0).map(|(_, probability)| probability.to_string()).collect();
    outcomes.sort();
    assert_eq!(outcomes, ["1/9", "2/9", "2/9", "4/9"]);
    assert_eq!(model.states(), 9);
    let stuck = model.label("x=2 & y=2").unwrap();
    let stuck: Vec<u32> = stuck.iter().collect();
    // Where both are at their end they return one by one.
    assert_eq!(stuck.len(), 1);
    assert_eq!(model.choices(stuck[0]).len(), 2);
    let both = model.reward("both").unwrap();
    assert_eq!(both.of_state(0).to_string(), "2");
    assert_eq!(both.of_choice(0).to_string(), "0");
}

#[test]
fn commands_of_a_chain_share_its_step() {
    let text = "dtmc module a x : [0..2]; [l] x=0 -> (x'=1); [r] x=0 -> 1/2 : (x'=2) + 1/2 : (x'=1); endmodule
        rewards [l] true : 4; endrewards";
    let model = read(text, &[], &[], &Budget::default()).unwrap();
    let outcomes: Vec<_> = model.probabilities(0).map(|(state, p)| (state, p.to_string())).collect();
    assert_eq!(outcomes, [(1, "3/4".into()), (2, "1/4".into())]);
    assert_eq!(model.reward("default").unwrap().of_choice(0).to_string(), "2");
    assert!(model.choices(1).is_empty());
}

#[test]
fn values_of_the_language() {
    let text = "mdp
        const int a = b + 1; const b = 2; const double p = 0.1 * a; const bool yes = !(a = b) => false;
        formula next = mod(x + 1, 4);
        global g : bool init true;
        module m
            x : [-1..9] init max(0, min(a, -1)) + floor(7/2) - ceil(2.5);
            [] !yes & x < 3 | false -> p : (x'=next) & (g'=!g) + 1 - p : (x'=pow(2, 2) - 1 + (g ? 1 : -1));
        endmodule
        label \"end\" = (x = 4) <=> g;";
    let model = read(text, &[], &[], &Budget::default()).unwrap();
    let outcomes: Vec<_> = model.probabilities(0).map(|(_, p)| p.to_string()).collect();
    assert_eq!(outcomes, ["3/10", "7/10"]);
    assert!(model.label("end").unwrap().contains(2));
}

#[test]
fn several_initial_states() {
    let text = "mdp module m x : [0..3]; y : bool; [] x>0 -> (x'=x-1); endmodule init x>1 & !y endinit";
    let model = read(text, &[], &[], &Budget::default()).unwrap();
    assert_eq!(model.initial().len(), 2);
    assert_eq!(model.states(), 4);
}

#[test]
fn limits_hold() {
    let text = "mdp module m x : int; [] true -> (x'=x+1); endmodule";
    let budget = Budget::new(Limits { max_states: 1000, ..Limits::default() });
    let error = read(text, &[], &[], &budget).unwrap_err().to_string();
    assert!(error.starts_with("the limit of 1000 states is reached"), "{error}");
    let budget = Budget::new(Limits { max_memory: 10_000_000, ..Limits::default() });
    assert!(read(text, &[], &[], &budget).unwrap_err().to_string().contains("of memory is reached"));
}

#[test]
fn a_label_of_the_model_may_be_named_beside_others() {
    let text = "dtmc module a s : [0..1]; [] s=0 -> (s'=1); [] s=1 -> true; endmodule label \"done\" = s=1;";
    let model = read(text, &[], &["done", "s=0"], &Budget::default()).unwrap();
    let of = |name: &str| model.label(name).unwrap().iter().collect::<Vec<_>>();
    assert_eq!((of("done"), of("s=0"), model.labels().len()), (vec![1], vec![0], 2));
}
