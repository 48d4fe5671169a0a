//! Models that are read for one question.

use budget::{Budget, Limits};
use prism::{Error, Explored, Given, Reaching, ReadRequest, over_labels, read_for};

fn asked<'a>(goal: &'a str, until: Option<&'a str>, steps: Option<u64>) -> ReadRequest<'a> {
    ReadRequest { question: Some(Reaching { goal, until, steps, bounds: &[] }), ..ReadRequest::default() }
}

fn small() -> Budget<'static> {
    Budget::new(Limits { max_states: 1000, ..Limits::default() })
}

fn explored(text: &str, asked: &ReadRequest<'_>) -> Explored {
    read_for(text, &[], asked, &small()).unwrap()
}

fn describe(explored: &Explored) -> Vec<String> {
    (0..explored.model.states()).map(|state| explored.states.describe(state)).collect()
}

const COUNTER: &str = "mdp
    module counter n : int; [up] true -> (n'=n+1); [jump] n=2 -> 1/2 : (n'=10) + 1/2 : (n'=3); endmodule
    label \"three\" = n=3; label \"low\" = n<5; label \"stuck\" = false;
    rewards \"r\" n<3 : 1; n>=3 : 1/(3-n); [up] true : 1; endrewards";

#[test]
fn play_ends_at_the_goal() {
    // Beyond the goal a reward would divide by zero: states without choices have no rewards.
    let found = explored(COUNTER, &asked("n>=3", None, None));
    assert_eq!(describe(&found), ["n=0", "n=1", "n=2", "n=3", "n=10"]);
    assert_eq!(found.cut.iter().collect::<Vec<_>>(), [3, 4]);
    assert_eq!(found.model.choice_count(), 4);
    assert!(found.cut.iter().all(|state| found.model.choices(state).is_empty()));
    assert!(found.model.reward("r").unwrap().of_state(3).is_zero());
    // With the label alone play can jump over it.
    let error = read_for(COUNTER, &[], &asked("three", None, None), &small()).unwrap_err();
    assert!(error.to_string().starts_with("the limit of 1000 states"), "{error}");
    let found = explored(COUNTER, &asked("three | !low", None, None));
    assert_eq!(found.cut.len(), 2);
}

#[test]
fn play_ends_outside_of_until_and_after_the_last_step() {
    let text = COUNTER.replace("1/(3-n)", "1");
    let found = explored(&text, &asked("n=4", Some("low"), None));
    assert_eq!(describe(&found), ["n=0", "n=1", "n=2", "n=3", "n=10", "n=4"]);
    assert_eq!(found.cut.iter().collect::<Vec<_>>(), [4, 5]);
    let found = explored("mdp module m n : int; [] true -> (n'=n+1); endmodule", &asked("n=1000", None, Some(4)));
    assert_eq!(describe(&found), ["n=0", "n=1", "n=2", "n=3", "n=4"]);
    assert_eq!(found.cut.iter().collect::<Vec<_>>(), [4]);
    let found = explored(COUNTER, &asked("n=0", None, None));
    assert_eq!((found.model.states(), found.cut.len()), (1, 1));
}

/// Labels, variables, and both of them together, in every notation.
#[test]
fn goals_in_every_notation() {
    let text = "mdp module m x : [0..9]; b : bool init true; [] x<9 -> (x'=x+1) & (b'=!b); endmodule
        label \"even\" = b; label \"all heads\" = x=7; label \"x=8\" = x=2; formula f = x*x;";
    for (goal, right) in [
        ("x=7", 7),
        ("x = 7", 7),
        ("\"all heads\"", 7),
        ("\"all heads\" & !even", 7),
        ("f=49 & !even", 7),
        ("f = 49 & !even", 7),
        ("x>5 & !b", 7),
        ("x>5 & b = x<7", 6),
        ("x=7 | x>3 & !true", 7),
        ("!x<7", 7),
        ("!(x<7 | even)", 7),
        ("x<7=>x=6 & b", 6),
        ("x=8", 2),
        ("x=3|x=8", 2),
        ("deadlock", 9),
        ("deadlock & !even", 9),
        ("x=9 & \"deadlock\"", 9),
        ("init", 0),
        ("x=0 & init", 0),
        ("mod(x, 5) = 4", 4),
        ("2^x >= 30", 5),
    ] {
        let found = explored(text, &asked(goal, None, None));
        assert_eq!(found.model.states(), right + 1, "{goal}");
        let goal = model_files::Expression::parse(&over_labels(&found.model, goal)).unwrap();
        let states = goal.states(&found.model, &small()).unwrap();
        assert_eq!(states.iter().collect::<Vec<_>>(), [right]);
    }
}

/// The number of a state has the same meaning whatever is requested from there.
#[test]
fn from_one_of_all_states() {
    let from = |state| ReadRequest { from: Some(state), ..asked("three", None, None) };
    let beyond = ReadRequest { from: Some(2), ..asked("n>2", None, None) };
    assert_eq!(describe(&explored(COUNTER, &beyond)), ["n=2", "n=3", "n=10"]);
    let text = COUNTER.replace("n : int", "n : [0..12]").replace("[up] true ->", "[up] n<12 ->");
    // In the order in which all states are discovered 10 comes before 4.
    let text = text.replace("1/(3-n)", "1");
    assert_eq!(describe(&explored(&text, &from(4))), ["n=10", "n=11", "n=12"]);
    let found = explored(&text, &from(3));
    assert_eq!((describe(&found), found.cut.len()), (vec!["n=3".to_string()], 1));
    assert!(found.model.initial().is_empty());
    let error = read_for(&text, &[], &from(99), &small()).unwrap_err();
    assert_eq!(error, Error::NoState { states: 13 });
}

#[test]
fn faults_are_reported_in_the_given_texts() {
    let text =
        "mdp const int N; const int M = 2;\nmodule m x : [0..N]; endmodule label \"end\" = x=N; formula f = 1/x;";
    let error = |goal: &str, constants: &[(&str, &str)]| {
        let error = read_for(text, constants, &asked(goal, None, None), &small()).unwrap_err();
        let Error::Given { what, text, column, problem, .. } = error else { panic!("{goal}: {error}") };
        (what, text, column, problem)
    };
    let given = |what, text: &str, column, problem: &str| (what, text.to_string(), column, problem.to_string());
    let n = [("N", "2")];
    let expression = Given::Expression;
    assert_eq!(error("x=1 & z=2", &n), given(expression, "x=1 & z=2", 7, "nothing is called `z`"));
    assert_eq!(error("x = 1 & z", &n), given(expression, "x = 1 & z", 9, "nothing is called `z`"));
    assert_eq!(error("end & \"ende\"", &n), given(expression, "end & \"ende\"", 8, "nothing is called `ende`"));
    assert_eq!(error("x = ", &n), given(expression, "x = ", 5, "the text ends"));
    assert_eq!(error("x=1 &\nx=(", &n), given(expression, "x=1 &\nx=(", 10, "the text ends"));
    assert_eq!(error("x + 1", &n), given(expression, "x + 1", 1, "the number 1"));
    assert_eq!(error("\"end\" & x = $", &n), given(expression, "\"end\" & x = $", 13, "`$`"));
    let constant = Given::Constant;
    assert_eq!(error("end", &[("N", "1+")]), given(constant, "N=1+", 5, "the text ends"));
    assert_eq!(error("end", &[("N", "K")]), given(constant, "N=K", 3, "nothing is called `K`"));
    assert_eq!(error("end", &[("N", "1/2")]), given(constant, "N=1/2", 3, "1/2"));
    assert_eq!(error("end", &[("N", "true")]), given(constant, "N=true", 3, "true"));
    assert_eq!(error("end", &[("K", "1")]), given(constant, "K=1", 1, "the model has no constant `K`"));
    let fixed = "line 1 of the model fixes the constant `M`";
    assert_eq!(error("end", &[("N", "1"), ("M", "1")]), given(constant, "M=1", 1, fixed));
    let twice = "the constant `N` is given twice";
    assert_eq!(error("end", &[("N", "1"), ("N", "2")]), given(constant, "N=2", 1, twice));
    // An error in the model's own text is reported there.
    let error = read_for(text, &n, &asked("f = 1", None, None), &small()).unwrap_err().to_string();
    assert!(error.starts_with("line 2, column 65: a division by zero"), "{error}");
}

/// As far as a bound on rewards reaches on the cheapest path: the order of discovery does not matter.
#[test]
fn play_ends_where_a_bound_is_exceeded() {
    let text = "mdp module m n : int; [dear] true -> (n'=n+1); [cheap] n=0 -> (n'=10); [free] n=10 -> (n'=1); endmodule
        rewards \"cost\" [dear] true : 1; [cheap] true : 1/4; endrewards rewards \"none\" false : 1; endrewards";
    let found = |bounds: &[(&str, u8)], steps: Option<u64>| {
        let bounds: Vec<(&str, dashu_ratio::RBig)> =
            bounds.iter().map(|(name, most)| (*name, (*most).into())).collect();
        let question = Reaching { goal: "n=-1", until: None, steps, bounds: &bounds };
        let found = read_for(text, &[], &ReadRequest { question: Some(question), ..ReadRequest::default() }, &small())?;
        let going_on = (0..found.model.states()).filter(|state| !found.cut.contains(*state));
        Ok::<_, Error>(going_on.map(|state| found.states.describe(state)).collect::<Vec<_>>())
    };
    assert_eq!(found(&[("cost", 0)], None).unwrap(), ["n=0"]);
    assert_eq!(found(&[("cost", 1)], None).unwrap(), ["n=0", "n=1", "n=10"]);
    // 10 costs 1/4, 1 is free from there, and so 2 costs 5/4.
    assert_eq!(found(&[("cost", 2)], None).unwrap(), ["n=0", "n=1", "n=10", "n=2", "n=11"]);
    assert!(found(&[("none", 1)], None).is_err());
    assert!(found(&[("none", 1), ("cost", 1)], None).unwrap().len() >= 3);
    assert_eq!(found(&[("none", 1)], Some(1)).unwrap(), ["n=0"]);
}
