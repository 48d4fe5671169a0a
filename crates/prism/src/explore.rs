//! All states that can be reached, and what can happen in each.

use std::fmt::Write as _;
use std::hash::BuildHasher;

use budget::{Budget, Stage, Stopped};
use dashu_base::Gcd;
use dashu_int::UBig;
use dashu_ratio::RBig;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use model_files::{Builder, ExplicitModel, Kind, StateSet};

use crate::error::Error;
use crate::expression::Expr;
use crate::program::{Action, Command, Program, Rewards, Variable};
use crate::states::States;

/// Probabilities that miss 1 in sum by at most one part in this are divided by their sum.
const ONE_PART_IN: u64 = 1_000_000_000;

/// Finds all states.
pub fn explore(program: &Program, budget: &Budget<'_>) -> Result<(ExplicitModel, States), Error> {
    let mut explorer = Explorer {
        program,
        budget,
        space: Space::new(&program.variables),
        kind: if program.chain { Kind::Dtmc } else { Kind::Mdp },
        earned: program.rewards.iter().map(|_| Earned::default()).collect(),
        choices: 0,
        normalised: 0,
    };
    let initial = explorer.initial()?;
    let mut builder = Builder::growing(explorer.kind, budget);
    let mut state = Vec::new();
    let mut next = 0;
    while next < explorer.space.len() {
        explorer.space.unpack(next, &mut state);
        builder.state()?;
        explorer.expand(&state, &mut builder)?;
        next += 1;
        let waiting = u64::from(explorer.space.len() - next);
        budget.step(Stage::Exploring, next.into(), waiting)?;
    }
    explorer.finish(initial, builder)
}

/// Where the bits of a variable are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) word: usize,
    pub(crate) shift: u32,
    pub(crate) bits: u32,
    pub(crate) low: i64,
}

impl Place {
    /// What the words of a state say of the variable.
    pub(crate) fn value(self, words: &[u64]) -> i64 {
        if self.bits == 0 {
            return self.low;
        }
        let mask = u64::MAX >> (u64::BITS - self.bits);
        self.low.wrapping_add_unsigned(words[self.word] >> self.shift & mask)
    }
}

/// The states found so far, packed into words of 64 bits.
struct Space {
    places: Vec<Place>,
    /// Words of a state, at least one.
    width: usize,
    words: Vec<u64>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    count: u32,
}

impl Space {
    fn new(variables: &[Variable]) -> Self {
        let (mut word, mut used) = (0, 0);
        let mut places = Vec::with_capacity(variables.len());
        for variable in variables {
            let most = variable.high.abs_diff(variable.low);
            let bits = u64::BITS - most.leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            places.push(Place { word, shift: used, bits, low: variable.low });
            used += bits;
        }
        Self {
            places,
            width: word + 1,
            words: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            count: 0,
        }
    }

    fn len(&self) -> u32 {
        self.count
    }

    fn pack(&self, state: &[i64], packed: &mut Vec<u64>) {
        packed.clear();
        packed.resize(self.width, 0);
        for (value, place) in state.iter().zip(&self.places) {
            if place.bits > 0 {
                packed[place.word] |= value.abs_diff(place.low) << place.shift;
            }
        }
    }

    fn unpack(&self, number: u32, state: &mut Vec<i64>) {
        let begin = number as usize * self.width;
        let words = &self.words[begin..begin + self.width];
        state.clear();
        state.extend(self.places.iter().map(|place| place.value(words)));
    }

    /// The number of a state, which is added when it is new.
    fn number(&mut self, packed: &[u64], budget: &Budget<'_>) -> Result<u32, Stopped> {
        let hash = self.hasher.hash_one(packed);
        let width = self.width;
        let of = |words: &[u64], number: u32| {
            let begin = number as usize * width;
            words[begin..begin + width] == *packed
        };
        if let Some(number) = self.table.find(hash, |number| of(&self.words, *number)) {
            return Ok(*number);
        }
        let number = self.count;
        budget.states(u64::from(number) + 1)?;
        if self.table.len() == self.table.capacity() || self.words.len() + width > self.words.capacity() {
            let held = self.words.capacity() * 8 + self.table.allocation_size();
            budget.memory(held as u64 * 2)?;
            budget.more_memory(held as u64)?;
        }
        self.words.extend_from_slice(packed);
        let (words, hasher) = (&self.words, &self.hasher);
        self.table.insert_unique(hash, number, |number| {
            let begin = *number as usize * width;
            hasher.hash_one(&words[begin..begin + width])
        });
        self.count += 1;
        Ok(number)
    }
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
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let place = *self.known.entry_ref(&reward).or_insert(next);
        if place == next {
            self.values.push(reward);
        }
        self.of_choices.push((choice, place));
    }
}

/// What may come of a choice: states with their probabilities.
#[derive(Default)]
struct Outcomes {
    targets: Vec<u32>,
    probabilities: Vec<RBig>,
}

impl Outcomes {
    fn add(&mut self, target: u32, probability: RBig) {
        // Choices of models have a handful of targets.
        match self.targets.iter().position(|other| *other == target) {
            Some(place) => self.probabilities[place] += probability,
            None => {
                self.targets.push(target);
                self.probabilities.push(probability);
            }
        }
    }

    /// Integers in the proportion of the probabilities.
    fn weights(&self) -> Vec<UBig> {
        let mut denominator = UBig::ONE;
        for probability in &self.probabilities {
            let other = probability.denominator();
            denominator = &denominator / (&denominator).gcd(other) * other;
        }
        let weight = |probability: &RBig| {
            let (_, numerator) = probability.numerator().clone().into_parts();
            numerator * (&denominator / probability.denominator())
        };
        self.probabilities.iter().map(weight).collect()
    }
}

struct Explorer<'a> {
    program: &'a Program,
    budget: &'a Budget<'a>,
    space: Space,
    kind: Kind,
    earned: Vec<Earned>,
    choices: u32,
    normalised: u64,
}

impl Explorer<'_> {
    /// Where play begins: these states come first.
    fn initial(&mut self) -> Result<u32, Error> {
        let mut packed = Vec::new();
        let variables = &self.program.variables;
        let Some(init) = &self.program.init else {
            let state: Vec<i64> = variables.iter().map(|variable| variable.init).collect();
            self.space.pack(&state, &mut packed);
            self.space.number(&packed, self.budget)?;
            return Ok(1);
        };
        if let Some(variable) = variables.iter().find(|variable| variable.low == i64::MIN) {
            let problem = format!("`init` asks about all values of `{}`", variable.name);
            return Err(Error::new(init.at, problem, "a range for each variable"));
        }
        let mut state: Vec<i64> = variables.iter().map(|variable| variable.low).collect();
        loop {
            self.budget.step(Stage::Exploring, self.space.len().into(), 0)?;
            if init.truth(&state)? {
                self.space.pack(&state, &mut packed);
                self.space.number(&packed, self.budget)?;
            }
            // The next in order, as a counter goes on.
            let Some(place) = (0..state.len()).rev().find(|place| state[*place] < variables[*place].high) else {
                break;
            };
            state[place] += 1;
            for (value, variable) in state.iter_mut().zip(variables).skip(place + 1) {
                *value = variable.low;
            }
        }
        if self.space.len() == 0 {
            return Err(Error::new(init.at, "no state where play begins", "at least one"));
        }
        Ok(self.space.len())
    }

    /// Adds the choices of a state.
    fn expand(&mut self, state: &[i64], builder: &mut Builder<'_>) -> Result<(), Error> {
        let program = self.program;
        // In a chain: what all commands together come to.
        let mut all: Vec<(usize, Outcomes)> = Vec::new();
        for (number, action) in program.actions.iter().enumerate() {
            let Some(enabled) = enabled(action, state)? else { continue };
            let mut chosen = vec![0; enabled.len()];
            loop {
                let commands: Vec<&Command> = enabled.iter().zip(&chosen).map(|(list, place)| list[*place]).collect();
                let outcomes = self.outcomes(&commands, state)?;
                if program.chain {
                    all.push((number, outcomes));
                } else {
                    add_choice(&outcomes, action.name.as_deref(), builder)?;
                    let earns = earns(&program.rewards, number, state)?;
                    self.earn(earns);
                }
                // The next combination, the last module first.
                let Some(place) = (0..chosen.len()).rev().find(|place| chosen[*place] + 1 < enabled[*place].len())
                else {
                    break;
                };
                chosen[place] += 1;
                chosen[place + 1..].fill(0);
                self.budget.step(Stage::Exploring, self.space.len().into(), 0)?;
            }
        }
        if all.is_empty() {
            return Ok(());
        }
        let count = RBig::from(all.len());
        let mut together = Outcomes::default();
        let mut earned = vec![RBig::ZERO; program.rewards.len()];
        let only = if let [(number, _)] = all[..] { program.actions[number].name.as_deref() } else { None };
        for (number, outcomes) in all {
            for (target, probability) in outcomes.targets.into_iter().zip(outcomes.probabilities) {
                together.add(target, probability / &count);
            }
            for (sum, reward) in earned.iter_mut().zip(earns(&program.rewards, number, state)?) {
                *sum += reward / &count;
            }
        }
        add_choice(&together, only, builder)?;
        self.earn(earned);
        Ok(())
    }

    /// Gives the latest choice its rewards.
    fn earn(&mut self, rewards: Vec<RBig>) {
        for (earned, reward) in self.earned.iter_mut().zip(rewards) {
            earned.add(self.choices, reward);
        }
        self.choices += 1;
    }

    /// What comes of some commands that happen together.
    fn outcomes(&mut self, commands: &[&Command], state: &[i64]) -> Result<Outcomes, Error> {
        let mut partial: Vec<(RBig, Vec<i64>)> = vec![(RBig::ONE, state.to_vec())];
        for command in commands {
            let probabilities = self.probabilities(command, state)?;
            let mut more = Vec::with_capacity(partial.len() * probabilities.len());
            for (before, next) in &partial {
                for (probability, update) in probabilities.iter().zip(&command.updates) {
                    self.budget.step(Stage::Exploring, self.space.len().into(), 0)?;
                    if probability.is_zero() {
                        continue;
                    }
                    let mut next = next.clone();
                    for (place, value) in &update.changes {
                        next[*place] = self.changed(&self.program.variables[*place], value, state)?;
                    }
                    more.push((before * probability, next));
                }
            }
            partial = more;
        }
        let mut outcomes = Outcomes::default();
        let mut packed = Vec::new();
        for (probability, next) in partial {
            self.space.pack(&next, &mut packed);
            let target = self.space.number(&packed, self.budget)?;
            outcomes.add(target, probability);
        }
        Ok(outcomes)
    }

    /// The probabilities of a command: not negative, and 1 in sum.
    fn probabilities(&mut self, command: &Command, state: &[i64]) -> Result<Vec<RBig>, Error> {
        let mut sum = RBig::ZERO;
        let mut probabilities = Vec::with_capacity(command.updates.len());
        for update in &command.updates {
            let probability = update.probability.number(state)?;
            if probability < RBig::ZERO {
                let problem = format!("a probability of {probability}{}", self.in_state(state));
                return Err(Error::new(update.probability.at, problem, "probabilities lie between 0 and 1"));
            }
            sum += &probability;
            probabilities.push(probability);
        }
        if sum == RBig::ONE {
            return Ok(probabilities);
        }
        let miss = if sum > RBig::ONE { &sum - RBig::ONE } else { RBig::ONE - &sum };
        if miss * RBig::from(ONE_PART_IN) > RBig::ONE {
            let problem = format!("the probabilities sum to {sum}{}", self.in_state(state));
            return Err(Error::new(command.at, problem, "they must sum to 1"));
        }
        self.normalised += 1;
        Ok(probabilities.into_iter().map(|probability| probability / &sum).collect())
    }

    /// The new value of a variable.
    fn changed(&self, variable: &Variable, value: &Expr, state: &[i64]) -> Result<i64, Error> {
        let new = if variable.truth { i64::from(value.truth(state)?) } else { value.int(state)? };
        if new < variable.low || new > variable.high {
            let problem = format!("`{}` becomes {new}{}", variable.name, self.in_state(state));
            let remedy = format!("its values go from {} to {}", variable.low, variable.high);
            return Err(Error::new(value.at, problem, remedy));
        }
        Ok(new)
    }

    /// ` where x = 1, y = false`
    fn in_state(&self, state: &[i64]) -> String {
        /// More would hide the error.
        const SHOWN: usize = 12;
        let mut text = String::new();
        for (variable, value) in self.program.variables.iter().zip(state).take(SHOWN) {
            let before = if text.is_empty() { " where " } else { ", " };
            // Writing to a text does not fail.
            let _ = if variable.truth {
                write!(text, "{before}{} = {}", variable.name, *value != 0)
            } else {
                write!(text, "{before}{} = {value}", variable.name)
            };
        }
        if state.len() > SHOWN {
            text.push_str(", ...");
        }
        text
    }

    /// Adds where play begins, labels and rewards.
    fn finish(self, initial: u32, mut builder: Builder<'_>) -> Result<(ExplicitModel, States), Error> {
        let Self { program, budget, space, earned, normalised, .. } = self;
        let states = space.len();
        builder.initial(StateSet::from_fn(states, |state| state < initial));
        builder.normalised(normalised);
        let mut values = Vec::new();
        for (name, label) in &program.labels {
            let mut set = StateSet::new(states);
            for state in 0..states {
                budget.step(Stage::Exploring, states.into(), (states - state).into())?;
                space.unpack(state, &mut values);
                if label.truth(&values)? {
                    set.push(state);
                }
            }
            // PRISM has these of its own.
            if name != "init" && name != "deadlock" {
                builder.label(name, set)?;
            }
        }
        for (rewards, earned) in program.rewards.iter().zip(earned) {
            let mut wrong = None;
            let of_states = (0..states).map_while(|state| {
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
        Ok((builder.finish()?, states))
    }
}

/// For every module of an action its commands that may happen; `None` when one of them has none.
fn enabled<'a>(action: &'a Action, state: &[i64]) -> Result<Option<Vec<Vec<&'a Command>>>, Error> {
    let mut enabled = Vec::with_capacity(action.modules.len());
    for commands in &action.modules {
        let mut list = Vec::new();
        for command in commands {
            if command.guard.truth(state)? {
                list.push(command);
            }
        }
        if list.is_empty() {
            return Ok(None);
        }
        enabled.push(list);
    }
    Ok(Some(enabled))
}

fn of_state(rewards: &Rewards, state: &[i64]) -> Result<RBig, Error> {
    let mut sum = RBig::ZERO;
    for (guard, value) in &rewards.of_states {
        if guard.truth(state)? {
            sum += value.number(state)?;
        }
    }
    Ok(sum)
}

/// What a choice of an action earns in each reward model.
fn earns(rewards: &[Rewards], action: usize, state: &[i64]) -> Result<Vec<RBig>, Error> {
    let earned = |rewards: &Rewards| {
        let mut sum = RBig::ZERO;
        for (_, guard, value) in rewards.of_actions.iter().filter(|(place, ..)| *place == action) {
            if guard.truth(state)? {
                sum += value.number(state)?;
            }
        }
        Ok(sum)
    };
    rewards.iter().map(earned).collect()
}

/// Adds a choice with these outcomes to the model.
fn add_choice(outcomes: &Outcomes, name: Option<&str>, builder: &mut Builder<'_>) -> Result<(), Error> {
    if let [target] = outcomes.targets[..] {
        builder.choice(&[target], &[1])?;
    } else {
        builder.choice_large(&outcomes.targets, &outcomes.weights())?;
    }
    if let Some(name) = name {
        builder.name_choice(name)?;
    }
    Ok(())
}
