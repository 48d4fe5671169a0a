//! Expressions over labels.

use std::sync::OnceLock;

use model_files::{ExplicitModel, Expression, read};

use crate::{Corpus, Target, Verdict, budget, root};

/// An expression is refused, or its states and those of its negation are all.
pub const TARGET: Target = Target {
    name: "expression",
    corpus: &[Corpus::Files { folder: "fuzz/corpus/expression", ending: "" }],
    words: &[
        "!", "&", "&&", "|", "||", "(", ")", "\"", "true", "false", "init", "deadlock", "goal", "trap", "\"a b\"", "=>",
    ],
    longest: 2_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    static MODEL: OnceLock<ExplicitModel> = OnceLock::new();
    let path = "crates/engine/model-files/tests/data/random-41.drn";
    let model = MODEL.get_or_init(|| read(&root().join(path), &budget()).expect("the corpus is whole"));
    let text = String::from_utf8_lossy(input);
    let states = |text: &str| Expression::parse(text).and_then(|expression| expression.states(model, &budget()));
    let Ok(found) = states(&text) else { return Ok(Verdict::Refused) };
    // One parenthesis and one negation more may be too deep.
    if let Ok(others) = states(&format!("!({text})"))
        && (0..model.states()).any(|state| found.contains(state) == others.contains(state))
    {
        return Err("the negation has not the other states".into());
    }
    Ok(Verdict::Accepted)
}
