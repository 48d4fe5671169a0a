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
use choices::{Choice, Teller, of_state};
use space::Space;
use within::Within;

/// Finds all states up to where play is over, from the initial states or from one of all states.
pub fn explore(program: &Program, from: Option<u32>, budget: &Budget<'_>) -> Result<Explored, Error> {
    let start = from.map(|from| Teller::new(program, budget).find(from)).transpose()?;
    let begin = || {
        let mut teller = Teller::new(program, budget);
        match &start {
            Some(start) => teller.space.number(start, budget).map(|_| ())?,
            None => teller.initial()?,
        }
        Ok::<_, Error>(teller)
    };
    let within = if program.bounds.is_empty() { None } else { Within::new(begin()?)? };
    let teller = begin()?;
    let initial = start.is_none().then(|| teller.space.len());
    let kind = if program.chain { Kind::Dtmc } else { Kind::Mdp };
    let builder = Builder::growing(kind, budget);
    let earned = program.rewards.iter().map(|_| Earned::default()).collect();
    let mut explorer = Explorer { teller, builder, earned, choices: 0, initial, cut: Vec::new() };
    let mut state = Vec::new();
    let mut next = 0;
    // Before `deeper` are all states that can be reached with `depth` choices or fewer.
    let (mut depth, mut deeper) = (0, explorer.teller.space.len());
    while next < explorer.teller.space.len() {
        if next == deeper {
            (depth, deeper) = (depth + 1, explorer.teller.space.len());
        }
        explorer.teller.space.unpack(next, &mut state);
        explorer.builder.state()?;
        let over = program.over.as_ref().map_or(Ok(false), |over| over.truth(&state))?;
        let used_up = program.steps.is_some_and(|steps| depth >= steps)
            || within.as_ref().is_some_and(|within| !within.goes_on(explorer.teller.space.words(next)));
        if over || used_up {
            explorer.cut.push(next);
        } else {
            explorer.expand(&state)?;
        }
        next += 1;
        let waiting = u64::from(explorer.teller.space.len() - next);
        budget.step(Stage::Exploring, next.into(), waiting)?;
    }
    explorer.finish()
}

/// What choices earn in one reward model.
#[derive(Default)]
struct Earned {
    values: Vec<RBig>,
    known: HashMap<RBig, u32>,
    /// Choice and the place of its reward.
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
    teller: Teller<'a>,
    builder: Builder<'a>,
    earned: Vec<Earned>,
    choices: u32,
    /// How many states there are where play begins: the first ones. None where it begins elsewhere.
    initial: Option<u32>,
    /// The states where play is over, in order.
    cut: Vec<u32>,
}

impl Explorer<'_> {
    /// Adds the choices of a state.
    fn expand(&mut self, state: &[i64]) -> Result<(), Error> {
        for Choice { name, outcomes, earns } in self.teller.choices(state)? {
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

    /// Adds where play begins, labels and rewards.
    fn finish(self) -> Result<Explored, Error> {
        let Self { teller, mut builder, earned, initial, cut, .. } = self;
        let Teller { program, budget, space, normalised } = teller;
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
        let states = States { names, places: space.places, width: space.width, words: space.words };
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
