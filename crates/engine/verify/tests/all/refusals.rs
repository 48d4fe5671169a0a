//! Certificates that are wrong in many ways, each refused for its reason.

use budget::Budget;
use model_files::{ExplicitModel, fingerprint, parse_number, read_drn};
use proptest::prelude::*;
use verify::{Certificate, Claim, check};

/// State 0 can wait (and come back) or try; 1 and 2 can lead to each other for ever, or leave; 3 is the goal; in 4 the
/// game is lost and play ends.
const MODEL: &str = "\
@type: MDP
@reward_models
cost
@nr_states
5
@model
state 0 [1] init
action wait [0]
0 : 1
action try [2]
3 : 1/3
4 : 2/3
action round [0]
1 : 1
state 1 [0]
action on [0]
2 : 1
action leave [0]
3 : 1/2
4 : 1/2
state 2 [0]
action on [0]
1 : 1
state 3 [5] goal
action on [1]
0 : 1
state 4 [0]
";

fn model() -> ExplicitModel {
    read_drn(MODEL.as_bytes(), &Budget::default()).unwrap()
}

/// Under the maximum state 0 moves to state 1, which leaves.
const LARGEST: &str = "objective max\nmeasure probability\nstates 5\n\
    0 1/2 2 2\n1 1/2 1 1\n2 1/2 0 2\n3 1 - 0\n4 0 - 0\nend\n";
/// Under the minimum every state avoids the goal.
const SMALLEST: &str = "objective min\nmeasure probability\nstates 5\n\
    0 0 0 0\n1 0 0 0\n2 0 0 0\n3 1 - 0\n4 0 - 0\nend\n";
/// The goal can be missed from everywhere, so everything is infinite.
const LARGEST_COST: &str = "objective max\nmeasure reward cost\nstates 5\n\
    0 inf 0 0\n1 inf 0 0\n2 inf 0 0\n3 0 - 0\n4 inf - 0\nend\n";
/// No state reaches the goal with certainty.
const SMALLEST_COST: &str = "objective min\nmeasure reward cost\nstates 5\n\
    0 inf - 2\n1 inf - 2\n2 inf - 2\n3 0 - 0\n4 inf - 1\nend\n";

fn verdict(model: &ExplicitModel, goal: &str, rest: &str) -> Result<(), String> {
    let text = format!(
        "bestplay certificate 1\nmodel {}\ngoal {goal}\n{rest}",
        fingerprint(model, &Budget::default()).unwrap()
    );
    let certificate = Certificate::read(text.as_bytes(), &Budget::default()).map_err(|error| error.to_string())?;
    check(model, &certificate, &Budget::default()).map_err(|refusal| refusal.to_string())
}

fn refused(rest: &str, from: &str, to: &str) -> String {
    assert!(rest.contains(from), "{from}");
    verdict(&model(), "goal", &rest.replacen(from, to, 1)).expect_err(to)
}

fn assert_begins(found: &str, expected: &str) {
    assert!(found.starts_with(expected), "\n   found {found}\nexpected {expected}");
}

#[test]
fn right_certificates_are_accepted() {
    for rest in [LARGEST, SMALLEST, LARGEST_COST, SMALLEST_COST] {
        assert_eq!(verdict(&model(), "goal", rest), Ok(()), "{rest}");
    }
}

#[test]
fn wrong_largest_probabilities() {
    let cases = [
        ("0 1/2 2 2", "0 1/3 1 1", "state 0: its choice 2 is worth 1/2, but 1/3 is claimed"),
        ("0 1/2 2 2", "0 2/3 2 2", "state 0: its choice 2 is worth 1/2, but 2/3 is claimed"),
        // Waiting attains the value, but does not lead to the goal.
        ("0 1/2 2 2", "0 1/2 0 2", "state 0: its rank is 2, but its choice 0 leads to no state of smaller rank"),
        ("0 1/2 2 2", "0 2/3 0 2", "state 0: its rank is 2, but its choice 0 leads to no state of smaller rank"),
        ("0 1/2 2 2", "0 1/2 2 1", "state 0: its rank is 1, but its choice 2 leads to no state of smaller rank"),
        ("0 1/2 2 2", "0 1/2 - 2", "state 0: no choice is named"),
        ("0 1/2 2 2", "0 1/2 3 2", "state 0: it has 3 choices, none is number 3"),
        ("0 1/2 2 2", "0 -1/2 2 2", "state 0: a probability of -1/2"),
        ("0 1/2 2 2", "0 inf 2 2", "state 0: a probability is not infinite"),
        ("3 1 - 0", "3 1/2 - 0", "state 1: its choice 1 is worth 1/4, but 1/2 is claimed"),
        ("3 1 - 0", "3 1 - 1", "state 1: its rank is 1, but its choice 1 leads to no state of smaller rank"),
        ("4 0 - 0", "4 1/2 - 0", "state 0: its choice 1 is worth 2/3, but 1/2 is claimed"),
    ];
    for (from, to, reason) in cases {
        assert_begins(&refused(LARGEST, from, to), reason);
    }
}

#[test]
fn too_large_fixed_points_in_end_components() {
    for [a, b, c] in [[1, 1, 1], [3, 2, 1], [1, 2, 3], [2, 1, 2]] {
        for [x, y, z] in [[0, 0, 0], [2, 0, 0]] {
            let rest = format!(
                "objective max\nmeasure probability\nstates 5\n\
                 0 1 {x} {a}\n1 1 {y} {b}\n2 1 {z} {c}\n3 1 - 0\n4 0 - 0\nend\n"
            );
            let refusal = verdict(&model(), "goal", &rest).unwrap_err();
            assert!(refusal.contains("its rank is"), "{refusal}");
        }
    }
    // The same for the minimum: 1/3 satisfies every equation where play can stay for ever.
    let rest = "objective min\nmeasure probability\nstates 5\n\
                0 1/3 0 2\n1 1/3 0 1\n2 1/3 0 2\n3 1 - 0\n4 0 - 0\nend\n";
    assert!(verdict(&model(), "goal", rest).unwrap_err().contains("leads to no state of smaller rank"));
}

#[test]
fn wrong_infinities() {
    let cases = [
        (LARGEST_COST, "1 inf 0 0", "1 0 1 1", "state 1: its choice 0 is worth inf, but 0 is claimed"),
        (
            LARGEST_COST,
            "0 inf 0 0",
            "0 inf 1 0",
            "state 0: claimed infinite with rank 0, but its choice 1 can lead to state 3",
        ),
        (
            LARGEST_COST,
            "0 inf 0 0",
            "0 inf 0 1",
            "state 0: claimed infinite, but its choice 0 leads to no infinite state of smaller",
        ),
        (LARGEST_COST, "4 inf - 0", "4 7 - 0", "state 4: it has no choices, but 7 is claimed"),
        (SMALLEST_COST, "1 inf - 2", "1 inf - 1", "state 1: claimed infinite, but its choice 0 neither"),
        (
            SMALLEST_COST,
            "4 inf - 1",
            "4 inf - 3",
            "state 0: claimed infinite, but its choice 1 neither leads to an infinite state",
        ),
        (SMALLEST_COST, "0 inf - 2", "0 3 1 1", "state 0: its choice 1 is worth inf, but 3 is claimed"),
    ];
    for (rest, from, to, reason) in cases {
        assert_begins(&refused(rest, from, to), reason);
    }
}

#[test]
fn finite_costs() {
    // Trying again and again: 3 tries of 2 are expected, each with 1 for being there.
    let text = MODEL.replace("3 : 1/3\n4 : 2/3", "3 : 1/3\n0 : 2/3");
    let model = read_drn(text.as_bytes(), &Budget::default()).unwrap();
    let right = "objective min\nmeasure reward cost\nstates 5\n\
                 0 9 1 1\n1 inf - 2\n2 inf - 2\n3 0 - 0\n4 inf - 1\nend\n";
    assert_eq!(verdict(&model, "goal", right), Ok(()));
    let wrong = |from: &str, to: &str| verdict(&model, "goal", &right.replace(from, to)).unwrap_err();
    assert_eq!(wrong("0 9 1 1", "0 8 1 1"), "state 0: its choice 1 is worth 25/3, but 8 is claimed");
    assert_eq!(wrong("0 9 1 1", "0 10 1 1"), "state 0: its choice 1 is worth 29/3, but 10 is claimed");
    assert_eq!(wrong("0 9 1 1", "0 9 0 1"), "state 0: its choice 0 is worth 10, but 9 is claimed");
    assert_begins(&wrong("0 9 1 1", "0 9 1 0"), "state 0: its rank is 0");
}

#[test]
fn the_whole() {
    let other = MODEL.replace("3 : 1/3\n4 : 2/3", "3 : 2/3\n4 : 1/3");
    let other = read_drn(other.as_bytes(), &Budget::default()).unwrap();
    let text = format!(
        "bestplay certificate 1\nmodel {}\ngoal goal\n{LARGEST}",
        fingerprint(&other, &Budget::default()).unwrap()
    );
    let certificate = Certificate::read(text.as_bytes(), &Budget::default()).unwrap();
    assert_begins(
        &check(&model(), &certificate, &Budget::default()).unwrap_err().to_string(),
        "it is about another model",
    );
    assert_begins(&verdict(&model(), "gaol", LARGEST).unwrap_err(), "the goal expression: column 1");
    assert_begins(&verdict(&model(), "!goal", LARGEST).unwrap_err(), "state 0: a goal state is worth 1");
    let coast = LARGEST_COST.replace("cost", "coast");
    assert_eq!(verdict(&model(), "goal", &coast).unwrap_err(), "the model has no reward model `coast`");
    let fewer = LARGEST.replace("states 5", "states 4").replace("4 0 - 0\n", "");
    assert_eq!(verdict(&model(), "goal", &fewer).unwrap_err(), "it is about 4 states, the model has 5");
}

/// Two tries of -2 are expected one way, one of -2 + 3 the other way.
#[test]
fn rewards_below_zero() {
    const MODEL: &str = "@type: MDP\n@reward_models\ncost\n@nr_states\n2\n@model\nstate 0 [-2] init\n\
        action slow [0]\n0 : 1/2\n1 : 1/2\naction quick [3]\n1 : 1\nstate 1 [-9] goal\naction on [-9]\n1 : 1\n";
    let model = read_drn(MODEL.as_bytes(), &Budget::default()).unwrap();
    let claimed = |objective: &str, state: &str| {
        verdict(
            &model,
            "goal",
            &format!("objective {objective}\nmeasure reward cost\nstates 2\n0 {state}\n1 0 - 0\nend\n"),
        )
    };
    assert_eq!(claimed("max", "1 1 1"), Ok(()));
    assert_eq!(claimed("min", "-4 0 1"), Ok(()));
    assert_begins(&claimed("max", "-4 0 1").unwrap_err(), "state 0: its choice 1 is worth 1, but -4 is claimed");
    assert_begins(&claimed("min", "1 1 1").unwrap_err(), "state 0: its choice 0 is worth -3/2, but 1 is claimed");
    assert_begins(&claimed("min", "-5 0 1").unwrap_err(), "state 0: its choice 0 is worth -9/2, but -5 is claimed");
    assert_begins(&claimed("min", "-4 0 0").unwrap_err(), "state 0: its rank is 0");
    assert_begins(&claimed("min", "inf 0 0").unwrap_err(), "state 0: claimed infinite with rank 0");
    // Where play could stay for ever no finite value is proved.
    let round = MODEL.replace("action quick", "action round [0]\n0 : 1\naction quick");
    let round = read_drn(round.as_bytes(), &Budget::default()).unwrap();
    let rest = "objective min\nmeasure reward cost\nstates 2\n0 -4 0 1\n1 0 - 0\nend\n";
    assert_begins(&verdict(&round, "goal", rest).unwrap_err(), "state 0: its choice 1 is worth -6, but -4 is claimed");
    let rest = "objective min\nmeasure reward cost\nstates 2\n0 inf 1 0\n1 0 - 0\nend\n";
    assert_eq!(verdict(&round, "goal", rest), Ok(()));
}

#[test]
fn files_that_are_no_certificate() {
    for (from, to) in [
        ("4 0 - 0\n", ""),
        ("end\n", ""),
        ("end\n", "end\nend\n"),
        ("end\n", "end\n\n0 1 - 0\n"),
        ("2 1/2", "7 1/2"),
        ("1/2", "1/0"),
        ("1/2", "0.5"),
        ("1/2", "x"),
        ("states 5", "states 4294967295"),
        ("states 5", "states -1"),
        ("objective max", "objective most"),
        ("measure probability", "measure probabilities"),
        ("0 1/2 2 2", "0 1/2 2 2 2"),
        ("0 1/2 2 2", "0 1/2 2"),
    ] {
        assert_begins(&refused(LARGEST, from, to), "line ");
    }
    let longer = format!("bestplay certificate 1\nmodel {}\n", "x".repeat(3 << 20));
    assert!(
        Certificate::read(longer.as_bytes(), &Budget::default())
            .unwrap_err()
            .to_string()
            .contains("a line of more than 1 MiB")
    );
}

#[test]
fn files_are_written_as_they_are_read() {
    for rest in [LARGEST, SMALLEST, LARGEST_COST, SMALLEST_COST] {
        let text = format!("bestplay certificate 1\nmodel abc\ngoal goal & !(a | \"b c\")\n{rest}");
        let certificate = Certificate::read(text.as_bytes(), &Budget::default()).unwrap();
        let mut written = Vec::new();
        certificate.write(&mut written, &Budget::default()).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is claimed, only the true values are accepted.
    #[test]
    fn only_true_values(
        which in 0..4usize,
        changes in prop::collection::vec((0..5usize, 0..9usize, prop::option::of(0..3u32), 0..4u64), 1..6),
    ) {
        let rest = [LARGEST, SMALLEST, LARGEST_COST, SMALLEST_COST][which];
        let model = model();
        let text = format!("bestplay certificate 1\nmodel {}\ngoal goal\n{rest}", fingerprint(&model, &Budget::default()).unwrap());
        let right = Certificate::read(text.as_bytes(), &Budget::default()).unwrap();
        let mut changed = right.clone();
        for (state, value, choice, rank) in changes {
            let entry = &mut changed.entries[state];
            entry.value = ["0", "1", "1/2", "1/3", "1/6", "2/3", "3", "9"]
                .get(value)
                .map_or(Claim::Infinite, |text| Claim::Finite(parse_number(text.as_bytes()).unwrap()));
            (entry.choice, entry.rank) = (choice, rank);
        }
        if check(&model, &changed, &Budget::default()).is_ok() {
            for (changed, right) in changed.entries.iter().zip(&right.entries) {
                prop_assert_eq!(&changed.value, &right.value);
            }
        }
    }

    #[test]
    fn any_text(text in "[a-z0-9 /\n-]{0,80}", proper in any::<bool>()) {
        let head = "bestplay certificate 1\nmodel x\ngoal g\nobjective max\nmeasure probability\nstates 2\n";
        let text = if proper { format!("{head}{text}") } else { text };
        let _ = Certificate::read(text.as_bytes(), &Budget::default());
    }
}
