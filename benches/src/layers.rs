//! Layered models for the engine.

use std::sync::Arc;

use mdp::{Model, ModelBuilder, Rational};
use model_files::{Weights, layered};

/// The layered model of so many states; the states that are labelled `goal` pay 1.
pub fn layers(states: u32) -> Arc<Model> {
    let file = layered(states, 1).expect("a multiple of the number of layers");
    let words = file.choice_count() as usize + file.transitions() as usize;
    let mut builder = ModelBuilder::with_capacity(states as usize, words);
    let weights: Vec<_> = file
        .distributions()
        .iter()
        .map(|weights| match weights {
            Weights::Small { weights, .. } => builder.weights(weights),
            Weights::Large { weights, .. } => builder.large_weights(weights),
        })
        .collect::<Result<_, _>>()
        .expect("weights of a model");
    let goal = file.label("goal").expect("a layered model has a goal");
    for state in 0..states {
        if file.choices(state).len() == 1 {
            builder.finished(&[Rational::from(u8::from(goal.contains(state)))]).expect("a last state");
            continue;
        }
        for choice in file.choices(state) {
            let (targets, distribution) = file.outcomes(choice);
            builder.choice(weights[distribution as usize], targets).expect("a choice of the model");
        }
        builder.finish_state().expect("a state of the model");
    }
    drop(file);
    builder.build(None).expect("a model").model
}
