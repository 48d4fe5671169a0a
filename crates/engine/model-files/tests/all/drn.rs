//! Reading and writing DRN: content is read exactly, and damage is reported with its position.

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use budget::{Budget, Limits, Reason};
use model_files::{
    ExplicitModel, Kind, ReadError, Weights, fingerprint, layered, parse_number, read, read_drn, write_drn,
};

const COIN: &str = "\
// a comment
@type: MDP
@value_type: double
@parameters

@reward_models
steps coins
@nr_states
3
@nr_choices
3
@model
state 0 [1, 0.5] init \"heads up\"
//[x=1 & y=2]
\taction toss [0, 2/3]
\t\t1 : 0.3
\t\t2 : 0.7
\taction 1 [0, 0]
\t\t0 : 1e-05
\t\t2 : 0.99999
state 1 [0, 0] won
\taction __NOLABEL__ [0, 0]
\t\t1 : 1
state 2
";

fn parse(text: &str) -> Result<ExplicitModel, String> {
    read_drn(text.as_bytes(), &Budget::default()).map_err(|error| error.to_string())
}

/// The error after replacing one text by another.
fn damage(from: &str, to: &str) -> String {
    assert!(COIN.contains(from), "{from}");
    parse(&COIN.replacen(from, to, 1)).expect_err(to)
}

#[test]
fn everything_is_read_exactly() {
    let model = parse(COIN).unwrap();
    assert_eq!(model.kind(), Kind::Mdp);
    assert_eq!((model.states(), model.choice_count(), model.transitions()), (3, 3, 5));
    assert_eq!(model.choices(0), 0..2);
    assert!(model.choices(2).is_empty());
    let (targets, weights) = model.outcomes(0);
    assert_eq!(targets, [1, 2]);
    assert_eq!(model.weights(weights), Weights::Small { weights: &[3, 7], total: 10 });
    assert_eq!(model.weights(model.outcomes(1).1), Weights::Small { weights: &[1, 99_999], total: 100_000 });
    assert_eq!((model.action(0), model.action(1), model.action(2)), (Some("toss"), None, None));
    assert!(model.label("heads up").unwrap().contains(0));
    assert_eq!(model.initial().iter().collect::<Vec<_>>(), [0]);
    let coins = model.reward("coins").unwrap();
    assert_eq!(*coins.of_state(0), parse_number(b"1/2").unwrap());
    assert_eq!(*coins.of_choice(0), parse_number(b"2/3").unwrap());
    assert_eq!(*coins.of_state(2), parse_number(b"0").unwrap());
    assert_eq!(model.normalised_choices(), 0);
}

#[test]
fn equal_targets_are_added_and_impossible_ones_left_out() {
    let model = parse(
        "@type: MDP\n@nr_states\n3\n@model\nstate 0\naction 0\n2 : 1/4\n0 : 0\n1 : 1/2\n2 : 1/4\nstate 1\nstate 2\n",
    )
    .unwrap();
    let (targets, weights) = model.outcomes(0);
    assert_eq!(targets, [2, 1]);
    assert_eq!(model.weights(weights), Weights::Small { weights: &[1, 1], total: 2 });
}

#[test]
fn decimals_that_almost_sum_to_one_are_divided_by_their_sum() {
    let third = "0.3333333333333333";
    let text = format!(
        "@type: DTMC\n@nr_states\n3\n@model\nstate 0\naction 0\n0 : {third}\n1 : {third}\n2 : {third}\nstate 1\nstate 2\n"
    );
    let model = parse(&text).unwrap();
    assert_eq!(model.weights(model.outcomes(0).1), Weights::Small { weights: &[1, 1, 1], total: 3 });
    assert_eq!(model.normalised_choices(), 1);
    let error = parse(&text.replace(third, "0.3333333")).unwrap_err();
    assert!(error.starts_with("line 6, column 1: this choice: the probabilities sum to 9999999/10000000"), "{error}");
}

#[test]
fn weights_of_any_size() {
    let many = format!("1/1{}", "0".repeat(40));
    let rest = format!("{}/1{}", "9".repeat(40), "0".repeat(40));
    let model =
        parse(&format!("@type: MDP\n@nr_states\n2\n@model\nstate 0\naction 0\n0 : {many}\n1 : {rest}\nstate 1\n"))
            .unwrap();
    let Weights::Large { total, .. } = model.weights(model.outcomes(0).1) else { panic!("too small") };
    assert_eq!(total.to_string(), format!("1{}", "0".repeat(40)));
}

#[test]
fn damage_is_reported_with_its_position() {
    let cases = [
        ("1 : 0.3", "1 : 0.4", "line 15, column 1: this choice: the probabilities sum to 11/10 (about 1.1)"),
        ("1 : 0.3", "1 : -0.3", "line 15, column 1: this choice: a probability below zero"),
        ("1 : 0.3", "7 : 0.3", "line 16, column 3: target state 7 does not exist (the file declares 3 states"),
        ("1 : 0.3", "1 0.3", "line 16, column 5: `0.3` after the target state"),
        ("1 : 0.3", "1 : 0.3 x", "line 16, column 11: `x` at the end of the line"),
        ("1 : 0.3", "1 : zero", "line 16, column 7: `zero` is no number"),
        ("1 : 0.3", "1 : 1/0", "line 16, column 7: `1/0` divides by zero"),
        ("1 : 0.3", "1 : [0.1, 0.5]", "line 16, column 7: an interval where a number belongs: an interval model"),
        ("state 1", "state 0", "line 21, column 7: state 0 stands a second time"),
        ("state 1", "state 2", "line 21, column 7: state 2 where state 1 should stand"),
        ("state 1 [0, 0]", "state 1 [0]", "line 21, column 9: 1 rewards (the file names 2 reward models"),
        ("state 1 [0, 0]", "state 1 [0, 0", "line 21, column 9: a list of rewards without end"),
        ("state 1", "stat 1", "line 21, column 1: a line that begins with `stat 1"),
        ("\"heads up\"", "\"heads up", "line 13, column 23: a label without closing quote"),
        ("state 2\n", "", "line 24, column 1: the file ends after 2 states (@nr_states declares 3)"),
        ("@nr_states\n3", "@nr_states\n4", "line 25, column 1: the file ends after 3 states (@nr_states declares 4)"),
        ("@nr_states\n3", "@nr_states\n2", "line 17, column 3: target state 2 does not exist"),
        (
            "@nr_choices\n3",
            "@nr_choices\n4",
            "line 25, column 1: the file ends after 3 choices (@nr_choices declares 4)",
        ),
        ("@nr_states\n3", "@nr_states\nthree", "line 9, column 1: `three` is no number of states"),
        ("@nr_states\n3", "@nr_states\n99999999999", "line 9, column 1: 99999999999 states (at most 4294967294"),
        ("@nr_states\n3\n", "", "line 10, column 1: no @nr_states before @model"),
        ("@type: MDP", "@type: POMDP", "line 2, column 1: a model of type `POMDP`: a partially observable MDP"),
        (
            "@type: MDP",
            "@type: Markov Automaton",
            "line 2, column 1: a model of type `Markov Automaton`: a Markov automaton",
        ),
        ("@type: MDP", "@type: CTMC", "line 2, column 1: a model of type `CTMC`: a continuous-time Markov chain"),
        ("@type: MDP", "@type: SMG", "line 2, column 1: a model of type `SMG`: a stochastic game of several players"),
        ("@type: MDP", "@nr_players\n2\n@type: SMG", "line 2, column 1: a model of type `SMG`: a stochastic game"),
        (
            "@type: MDP",
            "{ \"jani-version\": 1 }",
            "line 2, column 1: a JANI model, not DRN (DRN or UMB: Storm writes one",
        ),
        ("@type: MDP", "@type: DTMC", "line 18, column 2: a second action in a state of a Markov chain"),
        ("@type: MDP", "@tipe: MDP", "line 2, column 1: `@tipe: MDP` is no part of a DRN header"),
        (
            "@value_type: double",
            "@value_type: double-interval",
            "line 3, column 1: probabilities of type `double-interval`: an interval model",
        ),
        (
            "@value_type: double",
            "@value_type: rational-function",
            "line 3, column 1: probabilities of type `rational-function`: a parametric model",
        ),
        ("@parameters\n\n", "@parameters\np q\n", "line 5, column 1: a parametric model, with parameters (p q)"),
        ("@model\n", "", "line 12, column 1: `state 0"),
        ("\taction toss [0, 2/3]\n", "", "line 15, column 3: a target state that belongs to no choice"),
        ("\t\t1 : 1\n", "", "line 22, column 1: this choice: a choice without target states"),
    ];
    for (from, to, error) in cases {
        let found = damage(from, to);
        assert!(found.starts_with(error), "{from} -> {to}\n   found {found}\nexpected {error}");
    }
    assert!(parse("").unwrap_err().contains("the file ends before the line `@model`"));
}

#[test]
fn a_declared_size_costs_nothing() {
    let text = "@type: MDP\n@nr_states\n2147483646\n@nr_choices\n4294967294\n@model\nstate 0 init a b c\n";
    assert!(parse(text).unwrap_err().contains("the file ends after 1 states"));
}

/// The limit that stops the reading of a text, in bytes.
fn stopped(text: &str, max_memory: u64) -> Result<(), String> {
    let budget = Budget::new(Limits { max_memory, ..Limits::default() });
    match read_drn(text.as_bytes(), &budget) {
        Ok(_) => Ok(()),
        Err(ReadError::Stopped(stopped)) => {
            assert!(matches!(stopped.reason, Reason::Memory { limit, .. } if limit == max_memory));
            Err(stopped.to_string())
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn large_weights_have_a_limit() {
    let (nines, zeros) = ("9".repeat(1997), "0".repeat(2000));
    let mut text = "@type: MDP\n@nr_states\n2\n@model\nstate 0\n".to_string();
    for choice in 1..1000 {
        let rest = 1000 - choice;
        write!(text, "action 0\n0 : {choice}/1{zeros}\n1 : {nines}{rest:03}/1{zeros}\n").unwrap();
    }
    text += "state 1\n";
    assert_eq!(stopped(&text, 64 << 20), Ok(()));
    assert!(stopped(&text, 8 << 20).unwrap_err().starts_with("the limit of 8.4 MB of memory is reached"));
}

#[test]
fn different_numbers_have_a_limit() {
    // Every choice has numbers of its own.
    let mut text = "@type: MDP\n@nr_states\n20000\n@model\n".to_string();
    for state in 0..20_000 {
        let (to, weight, total) = ((state + 1) % 20_000, state + 1, 30_000_000 + state);
        let rest = total - weight;
        write!(text, "state {state}\naction a{state}\n{state} : {weight}/{total}\n{to} : {rest}/{total}\n").unwrap();
    }
    assert_eq!(stopped(&text, 64 << 20), Ok(()));
    assert!(stopped(&text, 4 << 20).is_err());
}

#[test]
fn limits_of_states_and_time_hold() {
    let text = COIN.as_bytes();
    let budget = Budget::new(Limits { max_states: 2, ..Limits::default() });
    assert!(read_drn(text, &budget).unwrap_err().to_string().starts_with("the limit of 2 states is reached"));
    let budget = Budget::new(Limits { max_time: Some(Duration::ZERO), ..Limits::default() });
    assert!(matches!(read_drn(text, &budget), Err(ReadError::Stopped(_))));
    let budget = Budget::new(Limits::default()).watched(&|_| ControlFlow::Break(()));
    let Err(ReadError::Stopped(stopped)) = read_drn(text, &budget) else { panic!("it went on") };
    assert_eq!(stopped.reason, Reason::Interrupted);
}

#[test]
fn compressed_text_is_read() {
    let model = parse(COIN).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(COIN.as_bytes()).unwrap();
    let mut packed = packed.finish().unwrap();
    assert_eq!(read_drn(&packed[..], &Budget::default()).unwrap(), model);
    packed.push(0);
    assert!(read_drn(&packed[..], &Budget::default()).unwrap_err().to_string().contains("cannot be unpacked"));
    packed.truncate(packed.len() - 2);
    assert!(read_drn(&packed[..], &Budget::default()).unwrap_err().to_string().contains("cannot be unpacked"));
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let packed = std::fs::read(data.join("random-41.drn.xz")).unwrap();
    let model = read(&data.join("random-41.drn"), &Budget::default()).unwrap();
    assert_eq!(read(&data.join("random-41.drn.xz"), &Budget::default()).unwrap(), model);
    assert!(read_drn(&packed[..packed.len() - 1], &Budget::default()).is_err());
}

#[test]
fn written_models_are_read_back() {
    for model in [parse(COIN).unwrap(), layered(2500, 7).unwrap()] {
        let mut text = Vec::new();
        write_drn(&model, &mut text, &Budget::default()).unwrap();
        let again = read_drn(&text[..], &Budget::default()).unwrap();
        assert_eq!(again, model);
        assert_eq!(fingerprint(&again, &Budget::default()), fingerprint(&model, &Budget::default()));
    }
}

#[test]
fn labels_of_any_letters_are_read_back() {
    for label in ["a\0b", "\u{1}", "\u{b}", "a b", "[a]", "!a", "{a}", "\u{85}", "\u{2028}"] {
        let model = read_drn(COIN.replace("heads up", label).as_bytes(), &Budget::default()).unwrap();
        let mut text = Vec::new();
        write_drn(&model, &mut text, &Budget::default()).unwrap();
        let again = read_drn(&text[..], &Budget::default()).unwrap();
        assert_eq!(fingerprint(&again, &Budget::default()), fingerprint(&model, &Budget::default()), "{label:?}");
    }
}

#[test]
fn threads_do_not_matter() {
    let model = layered(20_000, 3).unwrap();
    let mut text = Vec::new();
    write_drn(&model, &mut text, &Budget::default()).unwrap();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| read_drn(&text[..], &Budget::default())).unwrap(), model);
    }
}

#[test]
fn the_reference_models_have_their_sizes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/mdp");
    if !folder.exists() {
        eprintln!("skipped: {} not found", folder.display());
        return;
    }
    let coin = read(&folder.join("coin2-2.drn"), &Budget::default()).unwrap();
    assert_eq!((coin.states(), coin.choice_count(), coin.transitions()), (272, 400, 492));
    let exact = read(&folder.join("coin2-2.exact.drn"), &Budget::default()).unwrap();
    assert_eq!(fingerprint(&exact, &Budget::default()), fingerprint(&coin, &Budget::default()));
}

/// Choices that list a target twice, or one of probability zero, again and again with other targets: the weights are added
/// up for each as for the first.
#[test]
fn targets_that_are_listed_twice() {
    // The targets of three branches, and the result for the choice; every kind occurs several times.
    let kinds = [
        ("1/4 1/4 1/2", [1, 2, 1], &[(1, "3/4"), (2, "1/4")][..]),
        ("1/4 1/4 1/2", [2, 0, 2], &[(2, "3/4"), (0, "1/4")]),
        ("1/4 1/4 1/2", [2, 2, 0], &[(2, "1/2"), (0, "1/2")]),
        ("1/4 1/4 1/2", [0, 0, 1], &[(0, "1/2"), (1, "1/2")]),
        ("1/4 1/4 1/2", [1, 1, 1], &[(1, "1")]),
        ("0 1/2 1/2", [0, 1, 2], &[(1, "1/2"), (2, "1/2")]),
        ("0 1/2 1/2", [2, 0, 1], &[(0, "1/2"), (1, "1/2")]),
        ("0 1/2 1/2", [1, 0, 1], &[(1, "1/2"), (0, "1/2")]),
        ("0 1 0", [1, 2, 1], &[(2, "1")]),
        ("0 1 0", [0, 2, 0], &[(2, "1")]),
    ];
    let order: Vec<usize> = (0..kinds.len()).chain((0..kinds.len()).rev()).collect();
    let mut text = format!("@type: MDP\n@nr_states\n{}\n@model\n", order.len());
    for (state, kind) in order.iter().enumerate() {
        let (numbers, targets, _) = kinds[*kind];
        writeln!(text, "state {state}\n\taction 0").unwrap();
        for (number, target) in numbers.split(' ').zip(targets) {
            writeln!(text, "\t\t{target} : {number}").unwrap();
        }
    }
    let model = parse(&text).unwrap();
    for (choice, kind) in (0..).zip(&order) {
        let found: Vec<(u32, String)> =
            model.probabilities(choice).map(|(target, probability)| (target, probability.to_string())).collect();
        let expected: Vec<(u32, String)> =
            kinds[*kind].2.iter().map(|(target, probability)| (*target, (*probability).to_string())).collect();
        assert_eq!(found, expected, "choice {choice}");
    }
}
