//! Certificates of optimal values.

use std::sync::OnceLock;

use mdp::{Sense, SolveOptions};
use model_files::{ExplicitModel, Expression, StateSet, read};
use model_questions::{Question, certificate, reward_model};
use verify::{Certificate, Claim, check as verify};

use crate::run::corpus;
use crate::{Corpus, Target, Verdict, budget, root};

/// A certificate is refused, or claims the values that were claimed for the same question before.
pub const TARGET: Target = Target {
    name: "certificate",
    corpus: &[Corpus::Made(made)],
    words: &[
        "model ",
        "goal ",
        "goal true\n",
        "cut ",
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
    model: &'static ExplicitModel,
    /// Goal states and the certificate.
    certificates: Vec<(StateSet, Certificate)>,
}

fn goal(model: &ExplicitModel, text: &str) -> Option<StateSet> {
    Expression::parse(text).and_then(|goal| goal.states(model, &budget())).ok()
}

/// The model that the certificates are about.
fn model() -> &'static ExplicitModel {
    static MODEL: OnceLock<ExplicitModel> = OnceLock::new();
    MODEL.get_or_init(|| {
        let path = root().join("crates/engine/model-files/tests/data/random-41.drn");
        read(&path, &budget()).expect("the corpus is whole")
    })
}

/// The largest and the smallest probability of a goal and of the start, and cost until the goal.
fn made() -> Result<Vec<Vec<u8>>, String> {
    let mut all = Vec::new();
    for (goal, reward) in [("goal", None), ("goal", Some("cost")), ("init", None)] {
        for sense in [Sense::Max, Sense::Min] {
            all.push(proof(goal, reward, sense)?);
        }
    }
    Ok(all)
}

fn proof(goal: &str, reward: Option<&str>, sense: Sense) -> Result<Vec<u8>, String> {
    let (model, budget) = (model(), budget());
    let states = self::goal(model, goal).ok_or("its goal is of this model")?;
    let reward = reward.map(|name| reward_model(model, name)).transpose().map_err(|error| error.to_string())?;
    let question = Question { model, goal: states, until: None, sense, reward };
    let prepared = question.prepare(&budget).map_err(|error| error.to_string())?;
    let answer = prepared.answer(&SolveOptions::exact()).map_err(|unanswered| unanswered.error.to_string())?;
    let proof = certificate(&question, goal.into(), None, &answer, &budget).map_err(|error| error.to_string())?;
    let mut text = Vec::new();
    proof.ok_or("it is exact")?.write(&mut text, &budget).map_err(|error| error.to_string())?;
    Ok(text)
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let model = model();
        let certificates = corpus(&TARGET).expect("the corpus is there").into_iter().map(|text| {
            let certificate = Certificate::read(&text[..], &budget()).expect("the corpus is whole");
            (goal(model, &certificate.goal).expect("its goal is of this model"), certificate)
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
