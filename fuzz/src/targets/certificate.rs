//! Certificates of optimal values.

use std::sync::OnceLock;

use model_files::{ExplicitModel, Expression, StateSet, read};
use verify::{Certificate, Claim, check as verify};

use crate::run::corpus;
use crate::{Corpus, Target, Verdict, budget, root};

/// A certificate is refused, or claims the values that were claimed for the same question before.
pub const TARGET: Target = Target {
    name: "certificate",
    corpus: &[Corpus { folder: "fuzz/corpus/certificate", ending: ".txt" }],
    words: &[
        "model ",
        "goal ",
        "goal true\n",
        "objective max\n",
        "objective min\n",
        "measure probability\n",
        "measure reward cost\n",
        "states ",
        "end\n",
        " inf ",
        " - ",
        " 0 ",
        " 1 ",
        "1/2",
        "-1",
    ],
    longest: 10_000,
    check,
};

struct Known {
    model: ExplicitModel,
    /// Goal states and the certificate.
    certificates: Vec<(StateSet, Certificate)>,
}

fn goal(model: &ExplicitModel, text: &str) -> Option<StateSet> {
    Expression::parse(text).and_then(|goal| goal.states(model, &budget())).ok()
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let path = root().join("crates/model-files/tests/data/random-41.drn");
        let model = read(&path, &budget()).expect("the corpus is whole");
        let certificates = corpus(&TARGET).expect("the corpus is there").into_iter().map(|text| {
            let certificate = Certificate::read(&text[..], &budget()).expect("the corpus is whole");
            (goal(&model, &certificate.goal).expect("its goal is of this model"), certificate)
        });
        Known { certificates: certificates.collect(), model }
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let Known { model, certificates } = known();
    let budget = budget();
    let Ok(certificate) = Certificate::read(input, &budget) else { return Ok(Verdict::Refused) };
    let mut written = Vec::new();
    certificate.write(&mut written, &budget).map_err(|error| error.to_string())?;
    if Certificate::read(&written[..], &budget).as_ref() != Ok(&certificate) {
        return Err("written and read again it is another certificate".into());
    }
    if verify(model, &certificate, &budget).is_err() {
        return Ok(Verdict::Refused);
    }
    let goal = goal(model, &certificate.goal).ok_or("accepted with a goal that is none")?;
    let values = |certificate: &Certificate| -> Vec<Claim> {
        certificate.entries.iter().map(|entry| entry.value.clone()).collect()
    };
    for (other, right) in certificates {
        let same = goal == *other && certificate.objective == right.objective && certificate.measure == right.measure;
        if same && values(&certificate) != values(right) {
            return Err("accepted with other values".into());
        }
    }
    Ok(Verdict::Accepted)
}
