//! The certificate of an exact answer: for every state its value, a choice that attains it, and the rank that the
//! conditions of the `verify` crate require.

use budget::{Budget, Stage, Stopped};
use mdp::{Rational, Sense};
use model_files::{StateSet, fingerprint, number_bytes};
use verify::{Certificate, Claim, Entry, Measure, Objective};

use crate::answer::Answer;
use crate::graph::{Distances, Graph, NONE};
use crate::question::Question;
use crate::raised::is_signed;

/// The certificate of an answer to a question, whose goal and `until` are given as expressions over labels; `None` when
/// the answer is not exact.
///
/// # Errors
/// When the budget stops the run.
pub fn certificate(
    question: &Question<'_>,
    goal: String,
    until: Option<String>,
    answer: &Answer,
    budget: &Budget<'_>,
) -> Result<Option<Certificate>, Stopped> {
    let Some(values) = exact_values(question, answer, budget)? else { return Ok(None) };
    let graph = Graph::new(question.model, &question.goal, question.until.as_ref(), budget)?;
    let certifier = Certifier { question, values, graph, budget };
    let (ranks, choices) = certifier.witnesses()?;
    let entries = certifier
        .values
        .iter()
        .zip(ranks)
        .zip(choices)
        .zip(0..)
        .map(|(((value, rank), choice), state)| Entry {
            value: value.clone().map_or(Claim::Infinite, Claim::Finite),
            choice: (choice != NONE).then(|| choice - question.model.choices(state).start),
            rank: if rank == NONE { 0 } else { rank.into() },
        })
        .collect();
    Ok(Some(Certificate {
        model: fingerprint(question.model, budget)?,
        goal,
        until,
        cut: 0,
        objective: match question.sense {
            Sense::Max => Objective::Max,
            Sense::Min => Objective::Min,
        },
        measure: question.reward.map_or(Measure::Probability, |reward| Measure::Reward(reward.name().into())),
        entries,
    }))
}

/// The values of all states, `None` for infinite ones; `None` when one of them is not exact.
fn exact_values(
    question: &Question<'_>,
    answer: &Answer,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Option<Rational>>>, Stopped> {
    let states = question.model.states();
    // Bytes of a value and its entry in the certificate, without their digits.
    let mut bytes = u64::from(states) * (size_of::<Option<Rational>>() + size_of::<Entry>()) as u64;
    budget.more_memory(bytes)?;
    let mut values = Vec::with_capacity(states as usize);
    for state in 0..states {
        budget.step(Stage::Writing, state.into(), (states - state).into())?;
        let value = match answer.value(state) {
            None => None,
            Some(value) => match value.exact {
                None => return Ok(None),
                exact => exact,
            },
        };
        if let Some(value) = &value {
            // The digits, here and in its entry.
            bytes += 2 * number_bytes(value);
            budget.memory(bytes)?;
        }
        values.push(value);
    }
    Ok(Some(values))
}

struct Certifier<'a> {
    question: &'a Question<'a>,
    /// `None`: infinite.
    values: Vec<Option<Rational>>,
    graph: Graph<'a>,
    budget: &'a Budget<'a>,
}

impl Certifier<'_> {
    /// For every state the rank and the choice (by its number in the model).
    fn witnesses(&self) -> Result<(Vec<u32>, Vec<u32>), Stopped> {
        let tight = self.tight()?;
        let is_tight = |choice: u32| tight.contains(choice);
        let in_goal = |state: u32| self.question.goal.contains(state);
        // With negative rewards the goal is certainly reached by every policy, as where the largest total is finite.
        let sense = if is_signed(self.question) { Sense::Max } else { self.question.sense };
        Ok(match (self.question.reward, sense) {
            (None, Sense::Max) => {
                // Only for states with a positive probability does a path to the goal by tight choices matter.
                let to_goal = self.graph.distances(in_goal, is_tight)?;
                (to_goal.ranks, to_goal.choices)
            }
            (Some(_), Sense::Min) => {
                let to_goal = self.graph.distances(in_goal, is_tight)?;
                let stages = self.graph.stages()?;
                let ranks =
                    to_goal.ranks.iter().zip(stages).map(|(rank, stage)| if stage == 0 { *rank } else { stage });
                (ranks.collect(), to_goal.choices)
            }
            (None, Sense::Min) => (self.graph.unavoidable()?, self.first_tight(&tight)),
            (Some(_), Sense::Max) => {
                let ranks = self.graph.unavoidable()?;
                let avoids = |state: u32| ranks[state as usize] == NONE;
                let Distances { ranks: to_avoiding, choices } = self.graph.distances(avoids, |_| true)?;
                let first_tight = self.first_tight(&tight);
                let mut result = (Vec::new(), Vec::new());
                for state in 0..self.question.model.states() {
                    let at = state as usize;
                    let (rank, choice) = if self.values[at].is_some() {
                        (ranks[at], first_tight[at])
                    } else if to_avoiding[at] == 0 {
                        (0, self.avoiding_choice(state, avoids))
                    } else {
                        (to_avoiding[at], choices[at])
                    };
                    result.0.push(rank);
                    result.1.push(choice);
                }
                result
            }
        })
    }

    /// A choice that stays in the states from which the goal can be avoided.
    fn avoiding_choice(&self, state: u32, avoids: impl Fn(u32) -> bool) -> u32 {
        let model = self.question.model;
        model
            .choices(state)
            .find(|choice| model.outcomes(*choice).0.iter().all(|target| avoids(*target)))
            .unwrap_or(NONE)
    }

    fn first_tight(&self, tight: &StateSet) -> Vec<u32> {
        let model = self.question.model;
        (0..model.states())
            .map(|state| model.choices(state).find(|choice| tight.contains(*choice)).unwrap_or(NONE))
            .collect()
    }

    /// The choices that attain the value of their state.
    fn tight(&self) -> Result<StateSet, Stopped> {
        let model = self.question.model;
        let mut tight = StateSet::new(model.choice_count());
        for state in 0..model.states() {
            self.budget.step(Stage::Writing, state.into(), (model.states() - state).into())?;
            if self.question.goal.contains(state) || self.question.is_over(state) {
                continue;
            }
            if let Some(value) = &self.values[state as usize] {
                model
                    .choices(state)
                    .filter(|choice| self.worth(state, *choice).as_ref() == Some(value))
                    .for_each(|choice| tight.push(choice));
            }
        }
        Ok(tight)
    }

    fn worth(&self, state: u32, choice: u32) -> Option<Rational> {
        let reward = self.question.reward.map(|reward| reward.of_state(state) + reward.of_choice(choice));
        self.question
            .model
            .probabilities(choice)
            .try_fold(reward.unwrap_or(Rational::ZERO), |sum, (target, probability)| {
                Some(sum + probability * self.values[target as usize].as_ref()?)
            })
    }
}
