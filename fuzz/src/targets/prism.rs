//! Models in the PRISM language.

use std::collections::HashMap;

use budget::{Budget, Limits};
use model_files::{fingerprint, read_drn, write_drn};
use prism::{Explored, Reaching, ReadRequest};

use crate::{Corpus, MEMORY, Target, Verdict};

/// A model is refused, or the same when it is written as DRN and read again.
pub const TARGET: Target = Target {
    name: "prism",
    corpus: &[
        Corpus::Files { folder: "crates/engine/prism/tests/data", ending: ".prism" },
        Corpus::Files { folder: "fuzz/corpus/prism", ending: ".prism" },
    ],
    words: &[
        "mdp\n",
        "dtmc\n",
        "const int K = 2;\n",
        "const double p = 0.1;\n",
        "formula f = ",
        "label \"l\" = ",
        "global g : bool;\n",
        "module m\n",
        "endmodule\n",
        "rewards\n",
        "endrewards\n",
        "init true endinit\n",
        " : [0..3] init 1;\n",
        " : bool;\n",
        "[] true -> ",
        "[toss] ",
        "(s' = ",
        " & ",
        " | ",
        "!",
        " => ",
        " <=> ",
        " ? ",
        " : ",
        "min(",
        "max(",
        "mod(",
        "pow(",
        "floor(",
        "ceil(",
        "log(",
        "round(",
        "func(pow, ",
        " ^ ",
        "prob q = 1/2;\n",
        "true",
        "false",
        "..",
        "1/2",
        "0.5",
        "-",
    ],
    longest: 8_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let budget = Budget::new(Limits { max_memory: MEMORY, max_states: 2_000, max_time: None });
    let Ok(model) = prism::read(&text, &[("K", "1")], &[], &budget).or_else(|_| prism::read(&text, &[], &[], &budget))
    else {
        return Ok(Verdict::Refused);
    };
    // DRN has labels at their states: those that hold nowhere are lost.
    let mut written = Vec::new();
    if model.labels().iter().all(|(_, states)| !states.is_empty()) && write_drn(&model, &mut written, &budget).is_ok() {
        let again = read_drn(&written[..], &budget).map_err(|error| format!("what was written is refused: {error}"))?;
        if fingerprint(&again, &budget) != fingerprint(&model, &budget) {
            return Err("written and read again it is another model".into());
        }
    }
    Ok(Verdict::Accepted)
}

/// A model and a goal, which stands in a comment in its first line: what is explored for the goal is a part of the whole.
pub const QUESTIONS: Target = Target {
    name: "prism-question",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/prism-question", ending: ".prism" }],
    words: &[
        "// ",
        "x=3",
        "y<2",
        "end",
        "\"end\"",
        "deadlock",
        "init",
        " & ",
        " | ",
        "!",
        "=>",
        "<=>",
        "(",
        ")",
        "'",
        "true",
        "mod(x, 2)",
        "2^x",
    ],
    longest: 8_000,
    check: check_question,
};

fn check_question(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let goal = text.lines().next().unwrap_or_default().trim_start_matches('/');
    let budget = Budget::new(Limits { max_memory: MEMORY, max_states: 2_000, max_time: None });
    let question = Some(Reaching { goal, until: None, steps: None, bounds: &[] });
    let Ok(part) = prism::read_for(&text, &[], &ReadRequest { question, ..ReadRequest::default() }, &budget) else {
        return Ok(Verdict::Refused);
    };
    let asked = ReadRequest { expressions: &[goal], ..ReadRequest::default() };
    // The whole can be too large, or wrong behind the goal.
    let Ok(whole) = prism::read_for(&text, &[], &asked, &budget) else { return Ok(Verdict::Accepted) };
    let numbers: HashMap<String, u32> =
        (0..whole.model.states()).map(|state| (whole.states.describe(state), state)).collect();
    for state in (0..part.model.states()).filter(|state| !part.cut.contains(*state)) {
        let Some(number) = numbers.get(&part.states.describe(state)) else {
            return Err("a state of the part is none of the whole".into());
        };
        if outcomes(&part, state) != outcomes(&whole, *number) {
            return Err(format!("in the part state {state} has other choices than in the whole"));
        }
    }
    Ok(Verdict::Accepted)
}

/// The choices of a state: where they lead, and how likely that is.
fn outcomes(explored: &Explored, state: u32) -> Vec<Vec<(String, String)>> {
    let Explored { model, states, .. } = explored;
    let outcomes = |choice| {
        let outcomes = model.probabilities(choice);
        outcomes.map(|(target, probability)| (states.describe(target), probability.to_string())).collect()
    };
    model.choices(state).map(outcomes).collect()
}
