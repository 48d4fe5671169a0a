//! The required parts of an archive, those read so far, and the model that they form.

use std::io::Read;

use hashbrown::HashMap;

use super::index::{Annotation, Encoding, Index};
use super::numbers::Numbers;
use super::part::Part;
use super::refused::refused;
use super::reward::Reward;
use super::words::{most, number, word};
use crate::error::{Location, ReadError};
use crate::explicit::{Actions, ExplicitModel, Kind, MOST};
use crate::group::group;
use crate::memory::{Memory, name_bytes};
use crate::state_set::StateSet;

/// The required parts of the archive, and those read so far.
pub(super) struct Parts<'a> {
    memory: &'a Memory<'a>,
    kind: Kind,
    states: u32,
    choices: u64,
    branches: u64,
    choice_actions: u64,
    initial_states: u64,
    probability: Encoding,
    first_choice: Option<Vec<u32>>,
    first_branch: Option<Vec<u32>>,
    targets: Option<Vec<u32>>,
    probabilities: Option<Vec<u32>>,
    numbers: Numbers,
    initial: Option<StateSet>,
    actions: Option<Vec<u32>>,
    action_ends: Option<Vec<u32>>,
    action_text: Option<Vec<u8>>,
    /// By identifier.
    labels: HashMap<String, Label>,
    rewards: Vec<Reward>,
}

struct Label {
    name: String,
    states: Option<StateSet>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(index: &Index, memory: &'a Memory<'a>) -> Result<Self, ReadError> {
        let error = |problem: String, remedy: &str| ReadError::part("index.json", problem, remedy);
        let system = &index.transition_system;
        if system.time != "discrete" {
            let what = match (system.time.as_str(), system.players) {
                ("stochastic", 0) => "a continuous-time Markov chain",
                ("stochastic" | "urgent-stochastic", _) => "a Markov automaton",
                _ => "a model with a time of its own",
            };
            return Err(error(
                format!("{what} (time `{}`)", system.time),
                "only MDP and DTMC (discrete time) are supported",
            ));
        }
        if system.observations > 0 {
            return Err(error("a partially observable MDP".into(), "only MDP and DTMC are supported"));
        }
        let kind = match system.players {
            0 => Kind::Dtmc,
            1 => Kind::Mdp,
            players => {
                return Err(error(
                    format!("a stochastic game of {players} players"),
                    "only MDP (1) and DTMC (0) are supported",
                ));
            }
        };
        for (what, count) in [("states", system.states), ("choices", system.choices), ("branches", system.branches)] {
            if count > u64::from(MOST) {
                return Err(error(format!("{count} {what}"), &format!("at most {MOST} are possible")));
            }
        }
        memory.states(number(system.states))?;
        let probability = match &system.branch_probability_type {
            Some(value) => Encoding::of(value)
                .map_err(|(problem, remedy)| error(format!("branch-probability-type: {problem}"), remedy))?,
            None if system.branches == 0 => Encoding::Double,
            None => {
                return Err(error(
                    "a model without probabilities".into(),
                    "branch-probability-type: double or rational",
                ));
            }
        };
        let labels = named(index.annotations.get("aps"))
            .filter(|(_, _, annotation)| {
                annotation.value.name == "bool" && annotation.applies_to.iter().any(|to| to == "states")
            })
            .map(|(id, name, _)| (id, Label { name, states: None }))
            .collect();
        let mut rewards = Vec::new();
        for (id, name, annotation) in named(index.annotations.get("rewards")) {
            let encoding = Encoding::of(&annotation.value)
                .map_err(|(problem, remedy)| error(format!("reward model `{name}`: {problem}"), remedy))?;
            let applies_to = annotation.applies_to.clone();
            let (numbers, of_state, of_choice, of_branch) = Default::default();
            rewards.push(Reward { id, name, encoding, applies_to, numbers, of_state, of_choice, of_branch });
        }
        Ok(Self {
            memory,
            kind,
            states: number(system.states),
            choices: system.choices,
            branches: system.branches,
            choice_actions: system.choice_actions,
            initial_states: system.initial_states,
            probability,
            first_choice: None,
            first_branch: None,
            targets: None,
            probabilities: None,
            numbers: Numbers::default(),
            initial: None,
            actions: None,
            action_ends: None,
            action_text: None,
            labels,
            rewards,
        })
    }

    /// Reads a part, if it is relevant.
    pub(super) fn accept(&mut self, name: &str, size: u64, input: &mut dyn Read) -> Result<(), ReadError> {
        let memory = self.memory;
        let mut part = Part { name, size, input, memory };
        let states = u64::from(self.states);
        match name {
            "state-to-choices.bin" => self.first_choice = Some(part.ranges(states, self.choices)?),
            "choice-to-branches.bin" => self.first_branch = Some(part.ranges(self.choices, self.branches)?),
            "branch-to-target.bin" => self.targets = Some(part.indices(8, self.branches, states, "target state")?),
            "branch-to-probability.bin" => {
                self.probabilities = Some(part.numbers(self.probability, self.branches, &mut self.numbers)?);
            }
            "state-is-initial.bin" => self.initial = Some(part.states(self.states)?),
            "actions/choices/values.bin" => {
                self.actions = Some(part.indices(4, self.choices, self.choice_actions, "action")?);
            }
            "actions/choices/string-mapping.bin" => {
                let mut ends = Vec::new();
                let Some(actions) = self.choice_actions.checked_add(1) else {
                    return Err(part.error("too many actions", "fewer"));
                };
                part.entries(8, actions, |_, entry| {
                    let Ok(end) = u32::try_from(word(entry)) else {
                        return refused("a text of 4 GiB", "shorter names");
                    };
                    memory.grow(&mut ends, 1, most(actions))?;
                    ends.push(end);
                    Ok(())
                })?;
                self.action_ends = Some(ends);
            }
            "actions/choices/strings.bin" => self.action_text = Some(part.bytes()?),
            _ => return self.accept_annotation(part),
        }
        Ok(())
    }

    fn accept_annotation(&mut self, mut part: Part<'_>) -> Result<(), ReadError> {
        let path: Vec<&str> = part.name.split('/').collect();
        match path[..] {
            ["annotations", "aps", id, "states", "values.bin"] => {
                let Some(label) = self.labels.get_mut(id) else { return Ok(()) };
                label.states = Some(part.states(self.states)?);
            }
            ["annotations", "rewards", id, to, "values.bin"] => {
                let Some(reward) = self.rewards.iter_mut().find(|reward| reward.id == id) else { return Ok(()) };
                if !reward.applies_to.iter().any(|other| other == to) {
                    return Ok(());
                }
                let (values, count) = match to {
                    "states" => (&mut reward.of_state, u64::from(self.states)),
                    "choices" => (&mut reward.of_choice, self.choices),
                    "branches" => (&mut reward.of_branch, self.branches),
                    _ => return Ok(()),
                };
                *values = part.numbers(reward.encoding, count, &mut reward.numbers)?;
            }
            _ => return Ok(()),
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<ExplicitModel, ReadError> {
        let targets = required(self.targets.take(), self.branches, "branch-to-target.bin")?;
        let probabilities = required(self.probabilities.take(), self.branches, "branch-to-probability.bin")?;
        let first_branch =
            or_one_each(self.memory, self.first_branch.take(), self.choices, self.branches, "choice-to-branches.bin")?;
        let states = u64::from(self.states);
        let first_choice =
            or_one_each(self.memory, self.first_choice.take(), states, self.choices, "state-to-choices.bin")?;
        if self.kind == Kind::Dtmc
            && let Some(state) = first_choice.windows(2).position(|pair| pair[1] > pair[0] + 1)
        {
            let place =
                Location::Entry { name: "state-to-choices.bin".into(), index: state as u64, offset: state as u64 * 8 };
            return Err(ReadError::new(
                place,
                "a state with several choices",
                "at most one in a Markov chain, or #players: 1",
            ));
        }
        let initial = match self.initial.take() {
            Some(initial) => initial,
            None if self.initial_states == 0 => StateSet::new(self.states),
            None => return Err(missing("state-is-initial.bin")),
        };
        if u64::from(initial.len()) != self.initial_states {
            let problem = format!("{} initial states", initial.len());
            return Err(ReadError::part(
                "state-is-initial.bin",
                problem,
                format!("the index declares {}", self.initial_states),
            ));
        }
        let actions = self.take_actions()?;
        let labels = self.take_labels()?;
        let rewards = std::mem::take(&mut self.rewards);
        let rewards = rewards
            .into_iter()
            .map(|reward| reward.finish(&first_branch, &probabilities, &self.numbers.table.values, self.memory))
            .collect::<Result<_, _>>()?;
        let place =
            |choice: u64| Location::Entry { name: "choice-to-branches.bin".into(), index: choice, offset: choice * 8 };
        let grouped = group(first_branch, targets, &probabilities, &self.numbers.table.values, place, self.memory)?;
        Ok(ExplicitModel {
            kind: self.kind,
            first_choice,
            first_target: grouped.first_target,
            weights: grouped.weights,
            targets: grouped.targets,
            distributions: grouped.distributions,
            initial,
            labels,
            actions,
            rewards,
            normalised_choices: grouped.normalised,
        })
    }

    fn take_actions(&mut self) -> Result<Actions, ReadError> {
        let Some(ends) = self.action_ends.take() else { return Ok(Actions::default()) };
        let text = self.action_text.take().ok_or_else(|| missing("actions/choices/strings.bin"))?;
        let bad = |index: usize| {
            let place = Location::Entry {
                name: "actions/choices/string-mapping.bin".into(),
                index: index as u64,
                offset: index as u64 * 8,
            };
            ReadError::new(
                place,
                "no text of actions/choices/strings.bin in UTF-8",
                "ranges of bytes that follow each other",
            )
        };
        let mut names: Vec<&str> = Vec::new();
        self.memory.take((ends.len() * size_of::<&str>()) as u64)?;
        for (index, pair) in ends.windows(2).enumerate() {
            self.memory.step()?;
            let bytes = text.get(pair[0] as usize..pair[1] as usize).ok_or_else(|| bad(index))?;
            names.push(std::str::from_utf8(bytes).map_err(|_| bad(index))?);
        }
        // Names in the order of their first use; an empty one means none. All choices without an entry have the first.
        let mut actions = Actions::default();
        let mut of_choice = match self.actions.take() {
            Some(used) => used,
            None => {
                let mut used = Vec::new();
                self.memory.grow(&mut used, most(self.choices), usize::MAX)?;
                used.resize(most(self.choices), 0);
                used
            }
        };
        let mut ids: HashMap<&str, u32> = HashMap::new();
        for action in &mut of_choice {
            self.memory.step()?;
            let name = *names.get(*action as usize).ok_or_else(|| bad(*action as usize))?;
            *action = match ids.get(name) {
                Some(id) => *id,
                None if name.is_empty() => 0,
                None => {
                    self.memory.take(name_bytes(name))?;
                    actions.names.push(name.to_string());
                    let id = u32::try_from(actions.names.len()).expect("fewer names than choices");
                    ids.insert(name, id);
                    id
                }
            };
        }
        actions.of_choice = of_choice;
        if actions.names.is_empty() {
            actions.of_choice = Vec::new();
        }
        Ok(actions)
    }

    fn take_labels(&mut self) -> Result<Vec<(String, StateSet)>, ReadError> {
        let mut labels = Vec::new();
        for (id, label) in self.labels.drain() {
            let states = label.states.ok_or_else(|| missing(&format!("annotations/aps/{id}/states/values.bin")))?;
            if label.name != crate::INIT {
                labels.push((label.name, states));
            }
        }
        labels.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(pair) = labels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ReadError::part("index.json", format!("two labels `{}`", pair[0].0), "different aliases"));
        }
        Ok(labels)
    }
}

/// Identifier, name (the alias if there is one) and the rest.
fn named(
    group: Option<&std::collections::BTreeMap<String, Annotation>>,
) -> impl Iterator<Item = (String, String, &Annotation)> {
    group
        .into_iter()
        .flatten()
        .map(|(id, annotation)| (id.clone(), annotation.alias.clone().unwrap_or_else(|| id.clone()), annotation))
}

fn missing(name: &str) -> ReadError {
    ReadError::file(format!("the archive has no {name}"), "the index says that it should")
}

fn required(part: Option<Vec<u32>>, count: u64, name: &str) -> Result<Vec<u32>, ReadError> {
    match part {
        Some(part) => Ok(part),
        None if count == 0 => Ok(Vec::new()),
        None => Err(missing(name)),
    }
}

/// The ranges, or the default: one item for each owner. Called when the items are known to exist.
fn or_one_each(
    memory: &Memory<'_>,
    part: Option<Vec<u32>>,
    owners: u64,
    items: u64,
    name: &str,
) -> Result<Vec<u32>, ReadError> {
    match part {
        Some(part) => Ok(part),
        None if owners == items => {
            let mut ranges = Vec::new();
            memory.grow(&mut ranges, most(owners + 1), usize::MAX)?;
            ranges.extend(0..=number(owners));
            Ok(ranges)
        }
        None => Err(ReadError::file(
            format!("the archive has no {name}"),
            format!("it may be left out only when each of the {owners} has exactly one; the index declares {items}"),
        )),
    }
}
