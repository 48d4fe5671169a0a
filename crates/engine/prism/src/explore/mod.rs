//! All states that can be reached, as a model.

mod beginning;
mod choices;
mod explored;
mod space;
mod states;
mod within;

pub use explored::Explored;
pub use states::States;

use budget::{Budget, Stage};
use dashu_ratio::RBig;
use hashbrown::HashMap;
use model_files::{Builder, Kind, StateSet};

use crate::error::Error;
use crate::language::Expr;
use crate::program::Program;
use choices::{Choice, Expander, of_state};
use space::Space;
use within::Within;

/// Discovers all states until play is over, from the initial states or from one of all states.
pub fn explore(program: &Program, from: Option<u32>, budget: &Budget<'_>) -> Result<Explored, Error> {
    let start = from.map(|from| Expander::new(program, budget).find(from)).transpose()?;
    let begin = || {
        let mut expander = Expander::new(program, budget);
        match &start {
            Some(start) => expander.space.number(start, budget).map(|_| ())?,
            None => expander.initial()?,
        }
        Ok::<_, Error>(expander)
    };
    let within = if program.bounds.is_empty() { None } else { Within::new(begin()?)? };
    let expander = begin()?;
    let initial = start.is_none().then(|| expander.space.len());
    let kind = if program.chain { Kind::Dtmc } else { Kind::Mdp };
    let builder = Builder::growing(kind, budget);
    let earned = program.rewards.iter().map(|_| Earned::default()).collect();
    let mut explorer = Explorer { expander, builder, earned, choices: 0, initial, cut: Vec::new() };
    let mut state = Vec::new();
    let mut next = 0;
    // All states that can be reached with `depth` choices or fewer come before `deeper`.
    let (mut depth, mut deeper) = (0, explorer.expander.space.len());
    while next < explorer.expander.space.len() {
        if next == deeper {
            (depth, deeper) = (depth + 1, explorer.expander.space.len());
        }
        explorer.expander.space.unpack(next, &mut state);
        explorer.builder.state()?;
        let over = program.over.as_ref().map_or(Ok(false), |over| over.truth(&state))?;
        let used_up = program.steps.is_some_and(|steps| depth >= steps)
            || within.as_ref().is_some_and(|within| !within.goes_on(explorer.expander.space.words(next)));
        if over || used_up {
            explorer.cut.push(next);
        } else {
            explorer.expand(&state)?;
        }
        next += 1;
        let waiting = u64::from(explorer.expander.space.len() - next);
        budget.step(Stage::Exploring, next.into(), waiting)?;
    }
    explorer.finish()
}

/// The rewards of choices in one reward model.
#[derive(Default)]
struct Earned {
    values: Vec<RBig>,
    known: HashMap<RBig, u32>,
    /// Choices with the index of their reward.
    of_choices: Vec<(u32, u32)>,
}

impl Earned {
    fn add(&mut self, choice: u32, reward: RBig) {
        if reward.is_zero() {
            return;
        }
        let next = u32::try_from(self.values.len()).expect("there are fewer rewards than choices");
        let place = *self.known.entry_ref(&reward).or_insert(next);
        if place == next {
            self.values.push(reward);
        }
        self.of_choices.push((choice, place));
    }
}

struct Explorer<'a> {
    expander: Expander<'a>,
    builder: Builder<'a>,
    earned: Vec<Earned>,
    choices: u32,
    /// The number of initial states, which come first. `None` if play begins elsewhere.
    initial: Option<u32>,
    /// The states in which play is over, in order.
    cut: Vec<u32>,
}

impl Explorer<'_> {
    /// Adds the choices of a state.
    fn expand(&mut self, state: &[i64]) -> Result<(), Error> {
        for Choice { name, outcomes, earns } in self.expander.choices(state)? {
            if let [target] = outcomes.targets[..] {
                self.builder.choice(&[target], &[1])?;
            } else {
                self.builder.choice_large(&outcomes.targets, &outcomes.weights())?;
            }
            if let Some(name) = name {
                self.builder.name_choice(name)?;
            }
            for (earned, reward) in self.earned.iter_mut().zip(earns) {
                earned.add(self.choices, reward);
            }
            self.choices += 1;
        }
        Ok(())
    }

    /// Adds the initial states, labels and rewards.
    fn finish(self) -> Result<Explored, Error> {
        let Self { expander, mut builder, earned, initial, cut, .. } = self;
        let Expander { program, budget, space, normalised } = expander;
        let states = space.len();
        builder.normalised(normalised);
        builder.initial(match initial {
            Some(initial) => StateSet::from_fn(states, |state| state < initial),
            None => states_of(&program.initial, &space, budget)?,
        });
        for (name, label) in &program.labels {
            builder.label(name, states_of(label, &space, budget)?)?;
        }
        let cut = {
            let mut set = StateSet::new(states);
            for state in cut {
                set.push(state);
            }
            set
        };
        let mut values = Vec::new();
        for (rewards, earned) in program.rewards.iter().zip(earned) {
            let mut wrong = None;
            let going_on = (0..states).filter(|state| !cut.contains(*state));
            let of_states = going_on.map_while(|state| {
                space.unpack(state, &mut values);
                match of_state(rewards, &values) {
                    Ok(reward) => Some((state, reward)),
                    Err(error) => {
                        wrong = Some(error);
                        None
                    }
                }
            });
            let of_choices =
                earned.of_choices.iter().map(|(choice, place)| (*choice, earned.values[*place as usize].clone()));
            builder.reward(&rewards.name, of_states, of_choices)?;
            if let Some(error) = wrong {
                return Err(error);
            }
        }
        let names = program.variables.iter().map(|variable| (variable.name.clone(), variable.truth)).collect();
        let states = States { names, fields: space.fields, width: space.width, words: space.words };
        Ok(Explored { model: builder.finish()?, states, cut })
    }
}

/// The states that an expression describes.
fn states_of(expression: &Expr, space: &Space, budget: &Budget<'_>) -> Result<StateSet, Error> {
    let states = space.len();
    let mut set = StateSet::new(states);
    let mut values = Vec::new();
    for state in 0..states {
        budget.step(Stage::Exploring, states.into(), (states - state).into())?;
        space.unpack(state, &mut values);
        if expression.truth(&values)? {
            set.push(state);
        }
    }
    Ok(set)
}
