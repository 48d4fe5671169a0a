//! The first questions of a play that matter, and how play reaches them.

use mdp::Value;

use super::play::{Phase, Play, Step};
use crate::program::Question;
use crate::solve::{Advice, Belongings, Solved};
use crate::terms::SectionNumber;

/// A question and the worth of its answers.
#[derive(Clone, Debug)]
pub struct FirstChoice {
    /// The section in which it is asked; in a series a section of [`Series::as_one_book`](crate::book::Series::as_one_book).
    pub section: SectionNumber,
    /// Its subject, if it is not one of the author's choices: `key`, `a meal`, `a shop`.
    pub about: Option<String>,
    /// The hero's possessions at the question.
    pub belongings: Belongings,
    /// The answers.
    pub answers: Vec<Advice>,
    /// The steps from the beginning of the play to the question.
    pub steps: Vec<Step>,
}

/// The most questions that are listed.
const QUESTIONS: usize = 3;

/// The most steps taken to find them.
const STEPS: usize = 60;

/// Whether the answers differ in worth.
fn differ(answers: &[Advice]) -> bool {
    let worths = answers.iter().filter_map(|answer| answer.win.as_ref()).map(Value::decimal);
    let (least, most) = worths.fold((f64::INFINITY, 0.0f64), |(low, high), worth| (low.min(worth), high.max(worth)));
    most - least > 1e-9
}

impl Solved {
    /// The first questions whose answers differ in worth, along optimal play with the most likely outcomes: at most three,
    /// without repetitions, and only within the first few chances.
    pub fn first_choices(&self) -> Vec<FirstChoice> {
        let mut found = Vec::new();
        let mut known = Vec::new();
        let mut play = Play::with_hints(self, 0);
        let mut steps: Vec<Step> = Vec::new();
        while steps.len() < STEPS && found.len() < QUESTIONS {
            let step = match play.phase() {
                Phase::Over(_) => None,
                Phase::Chance => play.likeliest().map(Step::Rolled),
                Phase::Question => {
                    let state = play.state();
                    // A shop repeats its question after every purchase.
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
