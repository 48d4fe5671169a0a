//! Writing DRN.

use std::fmt::Write as _;
use std::io::{self, Write};

use budget::{Budget, Stage};
use dashu_ratio::RBig;

use crate::explicit::{ExplicitModel, INIT, Kind};
use crate::memory::Memory;
use crate::numbers::{MOST_DIGITS, short_decimal};

/// Writes a model as DRN text.
///
/// Numbers are written as decimals (`@value_type: double`) when all of them have a short decimal form, otherwise as
/// fractions (`rational`): either way nothing is rounded. White space in names of actions is replaced by `_`.
///
/// # Errors
/// When writing fails, or a label cannot be written in DRN (quotation marks, line breaks). When the budget stops the
/// run, the error contains the reason, see [`Stopped::behind`](budget::Stopped::behind).
///
/// ```
/// # let text = "@type: MDP\n@nr_states\n1\n@model\nstate 0 init \"a goal\"\n";
/// # let budget = budget::Budget::default();
/// # let model = model_files::read_drn(text.as_bytes(), &budget)?;
/// let mut written = Vec::new();
/// model_files::write_drn(&model, &mut written, &budget)?;
/// assert_eq!(model_files::read_drn(&written[..], &budget)?, model);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_drn(model: &ExplicitModel, mut output: impl Write, budget: &Budget<'_>) -> io::Result<()> {
    let memory = Memory::new(budget, 0);
    let decimal = all_decimal(model, budget)?;
    let text_of = |number: &RBig| {
        memory.step()?;
        let text = short_decimal(number).filter(|_| decimal).unwrap_or_else(|| number.to_string());
        if text.len() > MOST_DIGITS {
            let problem = format!("a number of more than {MOST_DIGITS} digits cannot be written in DRN");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        memory.take((size_of::<String>() + text.len()) as u64)?;
        Ok(text)
    };
    let of_choices =
        model.distributions().iter().map(|w| (0..w.outcomes()).map(|o| text_of(&w.probability(o))).collect());
    let probabilities = of_choices.collect::<io::Result<Vec<Vec<String>>>>()?;
    let of_rewards = model.rewards().iter().map(|reward| reward.values().iter().map(text_of).collect());
    let rewards = of_rewards.collect::<io::Result<Vec<Vec<String>>>>()?;

    let mut out = String::new();
    let mut written = 0;
    header(model, decimal, &mut out)?;
    let labels: Vec<(String, &crate::StateSet)> = std::iter::once((INIT, model.initial()))
        .chain(model.labels().iter().map(|(name, states)| (name.as_str(), states)))
        .map(|(name, states)| quoted(name).map(|name| (name, states)))
        .collect::<io::Result<_>>()?;
    for state in 0..model.states() {
        budget.step(Stage::Writing, written, 0)?;
        let _ = write!(out, "state {state}");
        let places = model.rewards().iter().map(|reward| reward.of_state.get(state as usize).copied());
        reward_list(&rewards, places, &mut out);
        for (name, states) in &labels {
            if states.contains(state) {
                out.push(' ');
                out.push_str(name);
            }
        }
        out.push('\n');
        for (place, choice) in model.choices(state).enumerate() {
            match model.action(choice) {
                Some(name) => {
                    out.push_str("\taction ");
                    out.extend(name.chars().map(|c| if ends_a_word(c) { '_' } else { c }));
                }
                None => drop(write!(out, "\taction {place}")),
            }
            let places = model.rewards().iter().map(|reward| reward.of_choice.get(choice as usize).copied());
            reward_list(&rewards, places, &mut out);
            out.push('\n');
            let (targets, weights) = model.outcomes(choice);
            for (target, probability) in targets.iter().zip(&probabilities[weights as usize]) {
                let _ = writeln!(out, "\t\t{target} : {probability}");
                if out.len() > FLUSHED {
                    written += out.len() as u64;
                    budget.step(Stage::Writing, written, 0)?;
                    output.write_all(out.as_bytes())?;
                    out.clear();
                }
            }
        }
    }
    output.write_all(out.as_bytes())?;
    output.flush()
}

/// The size of the text buffer.
const FLUSHED: usize = 1 << 18;

/// Whether all numbers of a model have a short decimal form.
fn all_decimal(model: &ExplicitModel, budget: &Budget<'_>) -> io::Result<bool> {
    let probabilities = model.distributions().iter().flat_map(|w| (0..w.outcomes()).map(move |o| w.probability(o)));
    for number in probabilities.chain(model.rewards().iter().flat_map(|reward| reward.values().iter().cloned())) {
        budget.step(Stage::Writing, 0, 0)?;
        if short_decimal(&number).is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn header(model: &ExplicitModel, decimal: bool, out: &mut String) -> io::Result<()> {
    out.push_str("@type: ");
    out.push_str(match model.kind() {
        Kind::Mdp => "MDP",
        Kind::Dtmc => "DTMC",
    });
    out.push_str("\n@value_type: ");
    out.push_str(if decimal { "double" } else { "rational" });
    out.push_str("\n@parameters\n\n@reward_models\n");
    for (place, reward) in model.rewards().iter().enumerate() {
        if reward.name().is_empty() || reward.name().contains(ends_a_word) {
            return Err(unwritable(reward.name()));
        }
        out.push_str(if place == 0 { "" } else { " " });
        out.push_str(reward.name());
    }
    let _ = write!(out, "\n@nr_states\n{}\n@nr_choices\n{}\n@model\n", model.states(), model.choice_count());
    Ok(())
}

fn reward_list(texts: &[Vec<String>], places: impl Iterator<Item = Option<u32>>, out: &mut String) {
    for (model, place) in places.enumerate() {
        out.push_str(if model == 0 { " [" } else { ", " });
        out.push_str(&texts[model][place.unwrap_or(0) as usize]);
    }
    if !texts.is_empty() {
        out.push(']');
    }
}

/// Whether this letter ends a word.
fn ends_a_word(letter: char) -> bool {
    letter.is_whitespace() || letter.is_ascii_control()
}

/// A label in DRN: in quotation marks if it is not a single word.
fn quoted(label: &str) -> io::Result<String> {
    if label.contains(['"', '\n', '\r']) || label.is_empty() {
        return Err(unwritable(label));
    }
    let plain = !label.contains(ends_a_word) && !label.starts_with(['[', '!', '{']);
    Ok(if plain { label.into() } else { format!("\"{label}\"") })
}

fn unwritable(name: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("the name `{name}` cannot be written in DRN"))
}
