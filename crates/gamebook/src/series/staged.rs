//! Solving a series layer by layer: forwards to know with what heroes come to each layer, backwards to know what that is
//! worth, and forwards again to know how likely it is.
//!
//! A stage is a book with what its hero has learned by then. A stage that is too large for memory is cut into layers, where
//! play never leads back. Layers lead to later ones only, so the values of the later ones pay the ends of the one before,
//! and no more than one layer is in memory at a time. What an end pays is known between bounds. The layer is solved with
//! the lower ones; since no value changes by more than the ends do, the upper bound of a value is the one that comes out,
//! and the widest difference of an end.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::{
    Dice, Distribution, ExploreOptions, Game, Rational, RowTurns, Solution, SolveOptions, StateSpace, Turn, UBig,
    Value, Weight, exactly, explore, explore_part, forward, solve,
};

use super::shelf::{Part, Shelf, game_number, read_part, write_part};
use crate::machine::Machine;
use crate::reach::layer;
use crate::solved::SolveBookError;
use crate::state::{DEAD, State};

/// A part of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub stage: usize,
    /// Places of this layer and later ones are beyond it.
    until: u32,
}

/// To the end of the stage.
const WHOLE: u32 = u32::MAX;

impl Layer {
    /// Whether play goes on at a state in another layer.
    fn ends(self, machine: &Machine, state: &State) -> bool {
        state.place() < DEAD
            && (machine.program.stage(state.place()) != self.stage || layer(machine.rank(state)) >= self.until)
    }
}

/// What is known of the states with which later layers begin.
#[derive(Debug, Default)]
struct Values {
    /// In order.
    states: Vec<State>,
    /// Between which bounds each is worth.
    bounds: Vec<[f64; 2]>,
}

impl Values {
    fn of(&self, state: &State) -> Option<[f64; 2]> {
        self.states.binary_search(state).ok().map(|place| self.bounds[place])
    }
}

/// One layer of a series: play is over where another one begins.
struct LayerGame<'a> {
    machine: &'a Machine,
    layer: Layer,
    starts: Distribution<State>,
    values: &'a Values,
}

impl LayerGame<'_> {
    /// What an end pays.
    fn pays(&self, state: &State) -> Rational {
        self.values.of(state).and_then(|[lower, _]| exactly(lower)).unwrap_or_default()
    }
}

impl Game for LayerGame<'_> {
    type State = State;
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![self.starts.clone()]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        if self.layer.ends(self.machine, state) {
            turn.end(self.pays(state));
        } else {
            self.machine.rules(state, turn);
        }
    }

    fn row_length(&self) -> u32 {
        self.machine.row_length()
    }

    fn row_of(&self, state: &State) -> (State, u32) {
        self.machine.row_of(state)
    }

    fn in_row(&self, row: &State, position: u32) -> State {
        self.machine.in_row(row, position)
    }

    fn rank(&self, row: &State) -> u32 {
        self.machine.rank(row)
    }

    fn rules_of_row(&self, row: &State, positions: &[u32], turns: &mut RowTurns<State, String>) {
        if !self.layer.ends(self.machine, row) {
            return self.machine.rules_of_row(row, positions, turns);
        }
        for (place, position) in positions.iter().enumerate() {
            turns.together(place..place + 1).end(self.pays(&self.machine.in_row(row, *position)));
        }
    }
}

/// A layer that has been solved.
struct SolvedLayer {
    space: StateSpace<State>,
    solution: Solution,
    /// How much more an end can be worth than it pays.
    slack: f64,
}

/// How a series was solved, layer by layer.
pub(super) struct Staged<'a> {
    machine: &'a Machine,
    options: &'a ExploreOptions<'a>,
    shelf: &'a dyn Shelf,
    game: u64,
    /// A layer ends where it can when it has so many states beside those with which later ones are begun.
    enough: usize,
    /// The layers in the order of play.
    pub layers: Vec<Layer>,
    /// The layer that was solved last.
    kept: Option<(usize, SolvedLayer)>,
    /// States of each stage in which play goes on, as far as they were counted.
    pub states: Vec<u64>,
}

/// What comes out of a layer under best play.
pub(super) struct Passed {
    /// The states with which later layers are begun, with the probability of each.
    pub begun: Vec<(State, f64)>,
    /// The probability that the series is won in this layer.
    pub won: f64,
}

impl<'a> Staged<'a> {
    pub fn new(machine: &'a Machine, options: &'a ExploreOptions<'a>, shelf: &'a dyn Shelf, enough: usize) -> Self {
        Self {
            machine,
            options,
            shelf,
            game: game_number(&machine.program, &machine.start()),
            enough,
            layers: Vec::new(),
            kept: None,
            states: vec![0; machine.program.stages.len().max(1)],
        }
    }

    /// The stage of a state; `None` where play is over.
    pub fn stage(&self, state: &State) -> Option<usize> {
        (state.place() < DEAD).then(|| self.machine.program.stage(state.place()))
    }

    fn load(&self, name: &str) -> Result<Option<Part>, SolveBookError> {
        let bytes = self.shelf.load(name).map_err(SolveBookError::Engine)?;
        Ok(bytes.and_then(|bytes| read_part(self.game, &bytes)))
    }

    fn keep(&self, name: &str, states: &[State], numbers: &[f64]) -> Result<(), SolveBookError> {
        self.shelf.keep(name, &write_part(self.game, states, numbers)).map_err(SolveBookError::Engine)
    }

    /// A part that was kept before.
    fn kept(&self, name: &str) -> Result<Part, SolveBookError> {
        self.load(name)?.ok_or_else(|| SolveBookError::Engine(format!("{name} was kept and is no longer there")))
    }

    /// The value of the series.
    pub fn solve(&mut self) -> Result<Value, SolveBookError> {
        let first = self.machine.first();
        let Some(begin) = self.stage(&first) else {
            return Ok(Value::exactly(u8::from(Machine::is_won(&first)).into()));
        };
        // With what play comes to each stage.
        let mut begun: Vec<Vec<State>> = vec![Vec::new(); self.states.len()];
        begun[begin].push(first);
        for stage in begin..begun.len() {
            let mut starts = std::mem::take(&mut begun[stage]);
            while !starts.is_empty() {
                starts.sort_unstable();
                starts.dedup();
                for end in self.look_ahead(stage, &starts)? {
                    if let Some(next) = self.stage(&end).filter(|next| *next >= stage) {
                        begun[next].push(end);
                    }
                }
                starts = std::mem::take(&mut begun[stage]);
            }
        }
        for place in (0..self.layers.len()).rev() {
            self.look_back(place)?;
        }
        let [lower, upper] = self.values(0)?.of(&first).unwrap_or([0.0, 1.0]);
        Ok(Value { lower, upper, exact: None })
    }

    /// Finds out how far the next layer goes, and with what later ones can be begun from it.
    fn look_ahead(&mut self, stage: usize, starts: &[State]) -> Result<Vec<State>, SolveBookError> {
        let name = format!("ends-{}", self.layers.len());
        let kept = self.load(&name)?;
        let (ends, states, until) = if let Some((ends, numbers)) = kept
            && let [states, until] = numbers[..]
        {
            (ends, states.to_bits(), u32::try_from(until.to_bits()).unwrap_or(WHOLE))
        } else {
            let game = self.game_of(Layer { stage, until: WHOLE }, starts, &EMPTY)?;
            let part = explore_part(&game, self.enough, &|told, next| layer(told) < layer(next), self.options)?;
            let until = part.rank().map_or(WHOLE, layer);
            let own = Layer { stage, until };
            let (mut ends, mut states) = (Vec::new(), 0);
            for state in part.states().filter(|state| state.place() < DEAD) {
                if own.ends(self.machine, &state) { ends.push(state) } else { states += 1 }
            }
            drop(part);
            ends.sort_unstable();
            // A part holds states and floating-point numbers; these are kept by their bits, so that they come back whole.
            self.keep(&name, &ends, &[f64::from_bits(states), f64::from_bits(until.into())])?;
            (ends, states, until)
        };
        self.states[stage] += states;
        self.layers.push(Layer { stage, until });
        Ok(ends)
    }

    fn game_of<'g>(
        &'g self,
        layer: Layer,
        starts: &[State],
        values: &'g Values,
    ) -> Result<LayerGame<'g>, SolveBookError> {
        let starts = Distribution::uniform(starts.iter().copied());
        let starts = starts.map_err(|error| SolveBookError::Engine(error.to_string()))?;
        Ok(LayerGame { machine: self.machine, layer, starts, values })
    }

    /// Whether a layer is the first of its stage.
    fn begins_stage(&self, place: usize) -> bool {
        place == 0 || self.layers[place - 1].stage != self.layers[place].stage
    }

    /// The states with which a layer is begun, in order.
    fn starts(&self, place: usize) -> Result<Vec<State>, SolveBookError> {
        if place == 0 {
            return Ok(vec![self.machine.first()]);
        }
        let stage = self.layers[place].stage;
        let from = if self.begins_stage(place) { 0 } else { place - 1 };
        let mut starts = Vec::new();
        for earlier in from..place {
            let (ends, _) = self.kept(&format!("ends-{earlier}"))?;
            starts.extend(ends.into_iter().filter(|end| self.stage(end) == Some(stage)));
        }
        starts.sort_unstable();
        starts.dedup();
        Ok(starts)
    }

    /// What the states are worth with which a layer is begun.
    fn values(&self, place: usize) -> Result<Values, SolveBookError> {
        let (states, numbers) = self.kept(&format!("values-{place}"))?;
        Ok(Values { states, bounds: numbers.chunks_exact(2).map(|own| [own[0], own[1]]).collect() })
    }

    /// What the states beyond a layer are worth.
    fn values_beyond(&self, place: usize) -> Result<Values, SolveBookError> {
        let mut beyond = Values::default();
        for later in place + 1..self.layers.len() {
            if later == place + 1 || self.begins_stage(later) {
                let Values { states, bounds } = self.values(later)?;
                beyond.states.extend(states);
                beyond.bounds.extend(bounds);
            }
        }
        if !beyond.states.is_sorted() {
            let mut order: Vec<usize> = (0..beyond.states.len()).collect();
            order.sort_unstable_by_key(|place| beyond.states[*place]);
            beyond = Values {
                states: order.iter().map(|place| beyond.states[*place]).collect(),
                bounds: order.iter().map(|place| beyond.bounds[*place]).collect(),
            };
        }
        Ok(beyond)
    }

    /// Solves a layer, if it is not the one that was solved last.
    fn solved(&mut self, place: usize) -> Result<&SolvedLayer, SolveBookError> {
        if self.kept.as_ref().is_none_or(|(kept, _)| *kept != place) {
            self.kept = None;
            let own = self.layers[place];
            let values = self.values_beyond(place)?;
            let space = explore(&self.game_of(own, &self.starts(place)?, &values)?, self.options)?;
            let ends = space.states().iter().filter(|state| own.ends(self.machine, state));
            let slack = ends.filter_map(|state| values.of(state)).map(|[lower, upper]| (upper - lower).next_up());
            let slack = slack.fold(0.0, f64::max);
            drop(values);
            let solution = solve(space.model(), &SolveOptions::from(*self.options))?;
            self.kept = Some((place, SolvedLayer { space, solution, slack }));
        }
        match &self.kept {
            Some((_, solved)) => Ok(solved),
            None => Err(SolveBookError::Engine("a layer was not solved".into())),
        }
    }

    /// Finds out what the states are worth with which a layer is begun.
    fn look_back(&mut self, place: usize) -> Result<(), SolveBookError> {
        let name = format!("values-{place}");
        let starts = self.starts(place)?;
        if self.load(&name)?.is_some_and(|(known, values)| known == starts && values.len() == 2 * starts.len()) {
            return Ok(());
        }
        let SolvedLayer { space, solution, slack } = self.solved(place)?;
        let mut values = Vec::with_capacity(2 * starts.len());
        for state in &starts {
            let value = solution.value(begun_with(space, state)?);
            let upper = if *slack > 0.0 { (value.upper + slack).next_up() } else { value.upper };
            values.extend([value.lower, upper].map(|bound| bound.clamp(0.0, 1.0)));
        }
        self.keep(&name, &starts, &values)
    }

    /// Follows best play through a layer that is begun with these states.
    pub fn follow(&mut self, place: usize, begun: &BTreeMap<State, f64>) -> Result<Passed, SolveBookError> {
        let name = format!("passed-{place}");
        if let Some((states, mut numbers)) = self.load(&name)?
            && numbers.len() == states.len() + 1
        {
            let won = numbers.pop().unwrap_or(0.0);
            return Ok(Passed { begun: states.into_iter().zip(numbers).collect(), won });
        }
        let (budget, machine, own) = (self.options.budget, self.machine, self.layers[place]);
        let SolvedLayer { space, solution, .. } = self.solved(place)?;
        let mut weights = Vec::with_capacity(begun.len());
        for (state, mass) in begun {
            weights.push((begun_with(space, state)?, Weight(scaled(*mass))));
        }
        let all: f64 = begun.values().sum();
        let start = Distribution::weighted(weights).map_err(|error| SolveBookError::Engine(error.to_string()))?;
        let passed = forward(solution.policy(), &start, budget)?;
        let (mut begun, mut won) = (Vec::new(), 0.0);
        for (number, probability) in passed.finished() {
            let (state, mass) = (space.state(number), probability.decimal() * all);
            if Machine::is_won(state) {
                won += mass;
            } else if own.ends(machine, state) {
                begun.push((*state, mass));
            }
        }
        begun.sort_unstable_by_key(|(state, _)| *state);
        begun.retain(|(_, mass)| *mass > 0.0);
        let states: Vec<State> = begun.iter().map(|(state, _)| *state).collect();
        let numbers: Vec<f64> = begun.iter().map(|(_, mass)| *mass).chain([won]).collect();
        self.keep(&name, &states, &numbers)?;
        Ok(Passed { begun, won })
    }

    /// Plays through a layer under best play, as often from each of these states as it says; what the plays come to, and
    /// how many win the series in it.
    pub fn play(
        &mut self,
        place: usize,
        begun: &BTreeMap<State, u64>,
        seed: u64,
    ) -> Result<(BTreeMap<State, u64>, u64), SolveBookError> {
        let (machine, options, own) = (self.machine, self.options, self.layers[place]);
        let unlimited = Budget::default();
        let budget = options.budget.unwrap_or(&unlimited);
        let SolvedLayer { space, solution, .. } = self.solved(place)?;
        let mut dice = Dice::new(seed, place as u64);
        let (mut ended, mut won) = (BTreeMap::new(), 0);
        for (state, plays) in begun {
            let start = begun_with(space, state)?;
            for _ in 0..*plays {
                budget.look()?;
                let mut now = start;
                // Play ends: going round for ever is never best where the series can be won.
                while let Some(choice) = solution.policy().choice(now) {
                    let Some(choice) = space.model().choices(now).nth(choice as usize) else { break };
                    now = dice.next(space.model(), &choice);
                }
                let state = space.state(now);
                if Machine::is_won(state) {
                    won += 1;
                } else if own.ends(machine, state) {
                    *ended.entry(*state).or_default() += 1;
                }
            }
        }
        Ok((ended, won))
    }
}

/// Nothing is known.
static EMPTY: Values = Values { states: Vec::new(), bounds: Vec::new() };

/// The number of a state with which a layer was begun.
fn begun_with(space: &StateSpace<State>, state: &State) -> Result<u32, SolveBookError> {
    space.number_of(state).ok_or_else(|| SolveBookError::Engine("a start is missing".into()))
}

/// A probability as an integer: how many times the smallest number above 0.
fn scaled(probability: f64) -> UBig {
    let bits = probability.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0 => UBig::from(fraction),
        exponent => UBig::from(fraction | 1 << 52) << (usize::try_from(exponent).unwrap_or(1) - 1),
    }
}
