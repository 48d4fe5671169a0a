//! Exports for other programs: models as DRN or UMB, policies as CSV.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use budget::{Budget, Stage};
use clap::Args;
use mdp::advanced::WeightSlice;
use mdp::{Distribution, Game, Model, Rational, Solution, StateId, StateSpace, Value, decimal_text};
use model_files::{BuildError, Builder, Compression, ExplicitModel, Kind, StateSet, write_drn, write_umb};

use crate::output::{Failure, is_standard, write_file};

/// Exports of a game's solution.
#[derive(Args)]
pub struct ExportArgs {
    /// Write the model that is solved as a DRN or UMB file, for other solvers to check
    #[arg(long, value_name = "FILE.drn|FILE.umb", help_heading = "Export")]
    export_model: Option<PathBuf>,
    /// Write the choice to take and the value of every state as a table
    #[arg(long, value_name = "FILE.csv", help_heading = "Export")]
    export_policy: Option<PathBuf>,
}

impl ExportArgs {
    /// Whether an export is requested: commands that need no model build one for it.
    pub fn is_asked(&self) -> bool {
        self.export_model.is_some() || self.export_policy.is_some()
    }

    /// Writes the requested files. The model has the game's first start.
    pub fn write<G: Game<Action: Display>>(
        &self,
        game: &G,
        space: &StateSpace<G::State>,
        solution: &Solution,
        budget: &Budget<'_>,
    ) -> Result<(), Failure> {
        // Choices without a name are chances.
        let action = |state: StateId, choice: u32| {
            let action = game.actions(space.state(state)).into_iter().nth(choice as usize).flatten();
            Some(action.map_or_else(|| "chance".to_owned(), |action| action.to_string()))
        };
        self.write_solution(solution, &space.starts()[0], action, budget)
    }

    /// The same for a solution without a game; `action` names choices.
    pub fn write_solution(
        &self,
        solution: &Solution,
        start: &Distribution<StateId>,
        action: impl Fn(StateId, u32) -> Option<String>,
        budget: &Budget<'_>,
    ) -> Result<(), Failure> {
        let model = solution.policy().model();
        if let Some(path) = &self.export_model {
            let starts = std::slice::from_ref(start);
            let explicit = explicit_model(model, starts, &action, budget).map_err(|error| match error {
                BuildError::Stopped(stopped) => stopped.into(),
                error @ BuildError::Invalid(_) => {
                    Failure::failed(error, "files of models cannot hold as much; ask about less")
                }
            })?;
            write_model(path, &explicit, budget)?;
        }
        if let Some(path) = &self.export_policy {
            let rows = (0..model.states()).map(|state| {
                let choice = solution.policy().choice(state);
                let action = choice.and_then(|choice| action(state, choice));
                PolicyRow {
                    state: state.to_string(),
                    choice,
                    action: action.unwrap_or_default(),
                    value: Some(solution.value(state)),
                }
            });
            write_policy(path, rows, budget)?;
        }
        Ok(())
    }
}

/// Writes a model in the format of the file's extension; on standard output as text.
pub fn write_model(path: &Path, model: &ExplicitModel, budget: &Budget<'_>) -> Result<(), Failure> {
    let named = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let extension = if is_standard(path) { "drn" } else { named };
    if !matches!(extension, "drn" | "umb") {
        return Err(Failure::bad_input(
            format_args!("{} names no format", path.display()),
            "end the name in .drn (text) or .umb (binary)",
        ));
    }
    write_file(path, |file| match extension {
        "umb" => write_umb(model, file, Compression::Gzip, budget),
        _ => write_drn(model, file, budget),
    })
}

/// One line of a policy table.
pub struct PolicyRow {
    pub state: String,
    /// The index within the state; `None` for terminal states.
    pub choice: Option<u32>,
    pub action: String,
    /// `None` for infinite.
    pub value: Option<Value>,
}

/// Writes a policy as a table: state, choice, action, bounds and exact value.
pub fn write_policy(path: &Path, rows: impl Iterator<Item = PolicyRow>, budget: &Budget<'_>) -> Result<(), Failure> {
    write_file(path, |out| {
        writeln!(out, "state,choice,action,lower,upper,exact")?;
        for row in rows {
            budget.step(Stage::Writing, 0, 0)?;
            write!(out, "{},", quoted(&row.state))?;
            if let Some(choice) = row.choice {
                write!(out, "{choice}")?;
            }
            write!(out, ",{},", quoted(&row.action))?;
            match row.value {
                None => writeln!(out, "inf,inf,inf")?,
                Some(Value { lower, upper, exact }) => {
                    let exact = exact.map(|exact| exact.to_string()).unwrap_or_default();
                    writeln!(out, "{},{},{exact}", decimal_text(lower), decimal_text(upper))?;
                }
            }
        }
        Ok(())
    })
}

/// A field of a CSV file (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

/// The engine's model in the form of a file.
///
/// States keep their numbers. Finished states have the label `final`; all of them lead to one additional state at the end,
/// labelled `end`, which is absorbing. The reward model `payoff` holds the rewards of choices and the payoffs of finished
/// states (`payoff2` and so on: the further payoffs of an ordered list). The expected payoff is therefore the expected total of
/// `payoff` until `end`; and if every payoff is 0 or 1, it is the probability of reaching the label `goal`: the finished states
/// with payoff 1. The starts have the label `init`; a random start is one additional state before `end`.
///
/// `action` names choices.
pub fn explicit_model(
    model: &Model,
    starts: &[Distribution<StateId>],
    action: impl Fn(StateId, u32) -> Option<String>,
    budget: &Budget<'_>,
) -> Result<ExplicitModel, BuildError> {
    let drawn: Vec<&Distribution<StateId>> = starts.iter().filter(|start| start.size() > 1).collect();
    // The builder rejects numbers that are too large.
    let end = model.states().saturating_add(u32::try_from(drawn.len()).unwrap_or(u32::MAX));
    let states = end.saturating_add(1);
    let mut builder = Builder::new(Kind::Mdp, states, budget)?;
    let mut earned: Vec<(u32, Rational)> = Vec::new();
    let mut choices = 0;
    for state in 0..model.states() {
        builder.state()?;
        if model.payoff(state).is_some() {
            builder.choice(&[end], &[1])?;
            choices += 1;
            continue;
        }
        for (number, choice) in (0..).zip(model.choices(state)) {
            let targets = choice.targets.to_vec();
            match model.weights().weights(choice.weights) {
                WeightSlice::Small(weights, _) => builder.choice(&targets, weights)?,
                WeightSlice::Large(weights, _) => builder.choice_large(&targets, weights)?,
            }
            if let Some(name) = action(state, number) {
                builder.name_choice(&name)?;
            }
            if let Some(reward) = choice.reward {
                earned.push((choices, model.rewards()[reward as usize].clone()));
            }
            choices += 1;
        }
    }
    for start in &drawn {
        builder.state()?;
        let (targets, weights): (Vec<_>, Vec<_>) = start.iter().map(|(state, weight)| (*state, weight.clone())).unzip();
        builder.choice_large(&targets, &weights)?;
    }
    builder.state()?;
    builder.choice(&[end], &[1])?;

    let certain =
        starts.iter().filter(|start| start.size() == 1).flat_map(|start| start.iter().map(|(state, _)| *state));
    let certain: Vec<StateId> = certain.collect();
    builder.initial(StateSet::from_fn(states, |s| certain.contains(&s) || (model.states()..end).contains(&s)));
    let payoff = |state: u32| if state < model.states() { model.payoff(state) } else { None };
    builder.label("final", StateSet::from_fn(states, |state| payoff(state).is_some()))?;
    builder.label("end", StateSet::from_fn(states, |state| state == end))?;
    let first = |state: u32| payoff(state).and_then(|list| list.first());
    let probability = (0..states).filter_map(first).all(|p| *p == Rational::ZERO || *p == Rational::ONE);
    if probability && model.rewards().is_empty() {
        builder.label("goal", StateSet::from_fn(states, |state| first(state) == Some(&Rational::ONE)))?;
    }
    for objective in 0..model.objectives() {
        let name = if objective == 0 { "payoff".to_string() } else { format!("payoff{}", objective + 1) };
        let of_states = (0..states).filter_map(|state| Some((state, payoff(state)?.get(objective)?.clone())));
        let of_choices = if objective == 0 { std::mem::take(&mut earned) } else { Vec::new() };
        builder.reward(&name, of_states, of_choices)?;
    }
    builder.finish()
}

#[cfg(test)]
mod tests;
