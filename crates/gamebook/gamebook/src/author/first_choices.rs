//! The first questions of a play that matter, and how one comes to them.

use mdp::Value;

use super::play::{Look, Play, Step};
use crate::program::Question;
use crate::solve::{Advice, Belongings, Solved};
use crate::terms::SectionNumber;

/// A question, and what its answers are worth.
#[derive(Clone, Debug)]
pub struct FirstChoice {
    /// The section in which it is asked; in a series a section of [`Series::told`](crate::book::Series::told).
    pub section: SectionNumber,
    /// What it is about, when it is none of the author's choices: `key`, `a meal`, `a shop`.
    pub about: Option<String>,
    /// What the hero has when it is asked.
    pub belongings: Belongings,
    /// The answers.
    pub answers: Vec<Advice>,
    /// What is done in a play from its beginning until the question is asked.
    pub steps: Vec<Step>,
}

/// At most so many questions are told.
const QUESTIONS: usize = 3;

/// At most so many steps are gone to find them.
const STEPS: usize = 60;

/// Whether it matters which answer is given.
fn differ(answers: &[Advice]) -> bool {
    let worths = answers.iter().filter_map(|answer| answer.win.as_ref()).map(Value::decimal);
    let (least, most) = worths.fold((f64::INFINITY, 0.0f64), |(low, high), worth| (low.min(worth), high.max(worth)));
    most - least > 1e-9
}

impl Solved {
    /// The first questions whose answers are not all worth the same, on the way of best play to which chance brings what is
    /// most likely: at most three, each once, and none after chance has had its say more than a few times.
    pub fn first_choices(&self) -> Vec<FirstChoice> {
        let mut found = Vec::new();
        let mut known = Vec::new();
        let mut play = Play::with_hints(self, 0);
        let mut steps: Vec<Step> = Vec::new();
        while steps.len() < STEPS && found.len() < QUESTIONS {
            let step = match play.look() {
                Look::Over(_) => None,
                Look::Chance => play.likeliest().map(Step::Rolled),
                Look::Question => {
                    let state = play.state();
                    // A shop asks again after every purchase.
                    let key = (play.section(), self.whole().question(state).map(Question::labels));
                    if !known.contains(&key) && differ(&self.advise_roughly(state)) {
                        found.push(FirstChoice {
                            section: play.section(),
                            about: self.whole().about(state).map(str::to_string),
                            belongings: play.belongings(),
                            answers: play.useful_hints(),
                            steps: steps.clone(),
                        });
                        known.push(key);
                    }
                    play.best().map(Step::Answer)
                }
            };
            let Some(step) = step else { break };
            if play.go_on(&step).is_err() {
                break;
            }
            steps.push(step);
        }
        found
    }
}
