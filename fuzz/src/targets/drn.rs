//! Models as DRN.

use model_files::{fingerprint, read_drn, write_drn};

use crate::{Corpus, Target, Verdict, budget};

/// A model is refused, or the same when it is written and read again.
pub const TARGET: Target = Target {
    name: "drn",
    corpus: &[Corpus::Files { folder: "crates/model-files/tests/data", ending: ".drn" }],
    words: &[
        "@type: DTMC\n",
        "@type: MDP\n",
        "@value_type: rational\n",
        "@parameters\n\n",
        "@placeholders\n$x : 1/2\n",
        "@reward_models\na b\n",
        "@nr_states\n",
        "@nr_choices\n",
        "@model\n",
        "\nstate ",
        "\n\taction ",
        "\n\t\t0 : 1",
        " : ",
        " init",
        " \"a b\"",
        "[1, 2]",
        "[0.5]",
        "$x",
        "//",
        "__NOLABEL__",
        "1e-5",
        "1e-4000",
        "-1/2",
        "1/3",
        "\r\n",
    ],
    longest: 20_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    let budget = budget();
    let Ok(model) = read_drn(input, &budget) else { return Ok(Verdict::Refused) };
    let mut text = Vec::new();
    // Not all names and numbers can be written; what is written can be read.
    if write_drn(&model, &mut text, &budget).is_ok() {
        let again = read_drn(&text[..], &budget).map_err(|error| format!("what was written is refused: {error}"))?;
        if fingerprint(&again, &budget) != fingerprint(&model, &budget) {
            return Err("written and read again it is another model".into());
        }
    }
    Ok(Verdict::Accepted)
}
