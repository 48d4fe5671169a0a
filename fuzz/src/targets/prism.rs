//! Models in the PRISM language.

use budget::{Budget, Limits};
use model_files::{fingerprint, read_drn, write_drn};

use crate::{Corpus, MEMORY, Target, Verdict};

/// A model is refused, or the same when it is written as DRN and read again.
pub const TARGET: Target = Target {
    name: "prism",
    corpus: &[
        Corpus::Files { folder: "crates/prism/tests/data", ending: ".prism" },
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
