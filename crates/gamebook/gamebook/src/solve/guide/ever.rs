//! The probabilities that a question is ever asked and an answer ever offered: play may reach a question more than once.

use std::collections::{BTreeMap, BTreeSet};

use mdp::{StateId, StateSpace, VisitProbabilities};
use rustc_hash::FxHashMap;

use super::remembering::Remembered;
use super::sections::QuestionGuide;
use crate::machine::{End, Machine};
use crate::program::State;
use crate::solve::solve_error::SolveBookError;
use crate::terms::SectionNumber;

/// Which question is asked in which state.
#[derive(Default)]
pub(super) struct Asking {
    /// For each state the index of its question in the section and the number of a set of answers.
    pub asked: FxHashMap<StateId, (usize, usize)>,
    /// Numbers of sets of answers, each a list of their indexes in the question.
    offers: FxHashMap<Vec<usize>, usize>,
}

impl Asking {
    /// Records the question of a state and its possible answers.
    pub(super) fn note(&mut self, situation: StateId, question: usize, offered: Vec<usize>) {
        let number = self.offers.len();
        let offered = *self.offers.entry(offered).or_insert(number);
        self.asked.insert(situation, (question, offered));
    }
}

/// Optimal play with its visits and questions.
pub(super) struct Ever<'a> {
    pub(super) followed: &'a VisitProbabilities<'a>,
    pub(super) space: &'a StateSpace<Remembered>,
    pub(super) whole: &'a Machine,
    pub(super) best: &'a StateSpace<State>,
    pub(super) asking: &'a Asking,
}

/// Smaller differences are rounding.
const SAME: f64 = 1e-9;

/// A question: its section and its index there.
type Where = (SectionNumber, usize);

impl Ever<'_> {
    /// The probability that a question is ever asked with a `wanted` set of answers.
    fn probabilities(&self, wanted: impl Fn(usize) -> bool) -> Result<BTreeMap<Where, f64>, SolveBookError> {
        let key = |number| {
            let (number, _) = *self.space.state(number);
            let state = self.best.state(number);
            if matches!(Machine::end(state), Some(End::Dead(_))) {
                return None;
            }
            let asked = self.asking.asked.get(&number).filter(|(_, offered)| wanted(*offered));
            // States without a question are grouped by section, too, so that play moves between few groups.
            Some((self.whole.section(state), asked.map(|(question, _)| *question)))
        };
        let found = self.followed.by_key(key)?.into_iter();
        Ok(found
            .filter_map(|(key, ever)| key.and_then(|(section, asked)| Some(((section, asked?), ever.decimal()))))
            .collect())
    }

    /// Sets the probabilities that questions are ever asked and answers ever offered.
    pub(super) fn fill(
        &self,
        sections: &mut BTreeMap<SectionNumber, Vec<QuestionGuide>>,
    ) -> Result<(), SolveBookError> {
        let asked = self.probabilities(|_| true)?;
        // Indexes of answers that are offered only sometimes, to questions that are asked repeatedly.
        let mut unclear: BTreeSet<usize> = BTreeSet::new();
        for (section, questions) in &mut *sections {
            for (place, question) in questions.iter_mut().enumerate() {
                let ever = asked.get(&(*section, place)).copied().unwrap_or_default();
                question.ever = ever;
                let again = question.asked > ever * (1.0 + SAME);
                for (place, answer) in question.answers.iter_mut().enumerate() {
                    let always = answer.offered >= question.asked * (1.0 - SAME);
                    answer.ever = if always { ever } else { answer.offered.min(ever) };
                    if again && !always {
                        unclear.insert(place);
                    }
                }
            }
        }
        let mut offers: Vec<&[usize]> = vec![&[]; self.asking.offers.len()];
        for (offered, number) in &self.asking.offers {
            offers[*number] = offered;
        }
        for answer in unclear {
            let offered = self.probabilities(|offered| offers[offered].contains(&answer))?;
            for ((section, place), ever) in offered {
                let question = sections.get_mut(&section).and_then(|questions| questions.get_mut(place));
                if let Some(own) = question.and_then(|question| question.answers.get_mut(answer)) {
                    own.ever = ever;
                }
            }
        }
        Ok(())
    }
}
