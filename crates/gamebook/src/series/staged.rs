//! Solving a series stage by stage: forwards to know with what heroes come to each book, backwards to know what that is
//! worth, and forwards again to know how likely it is.
//!
//! A stage is a book with what its hero has learned by then. Stages lead to later ones only, so the values of the later
//! ones pay the ends of the one before, and no more than one stage is in memory at a time. What an end pays is known
//! between bounds. The stage is solved with the lower ones; since no value changes by more than the ends do, the upper
//! bound of a value is the one that comes out, and the widest difference of an end.

use std::collections::BTreeMap;

use budget::Budget;
use mdp::{
    Dice, Distribution, ExploreOptions, Game, Rational, RowTurns, Solution, SolveOptions, StateSpace, Turn, UBig,
    Value, Weight, exactly, explore, forward, solve,
};
use rustc_hash::FxHashMap;

use super::shelf::{Part, Shelf, game_number, read_part, write_part};
use crate::machine::Machine;
use crate::solved::SolveBookError;
use crate::state::{DEAD, State};

/// What is known of the states with which stages begin.
type Values = FxHashMap<State, (f64, f64)>;

/// One stage of a series: play is over where another one begins.
struct StageGame<'a> {
    machine: &'a Machine,
    stage: usize,
    starts: Distribution<State>,
    values: &'a Values,
}

impl StageGame<'_> {
    /// What an end pays, if the state is one: a stage begins there.
    fn pays(&self, state: &State) -> Option<Rational> {
        begins_another(self.machine, self.stage, state)
            .then(|| self.values.get(state).map_or(Rational::ZERO, |(lower, _)| exactly(*lower).unwrap_or_default()))
    }
}

impl Game for StageGame<'_> {
    type State = State;
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![self.starts.clone()]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        match self.pays(state) {
            Some(pays) => turn.end(pays),
            None => self.machine.rules(state, turn),
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
        if self.pays(row).is_none() {
            return self.machine.rules_of_row(row, positions, turns);
        }
        for (place, position) in positions.iter().enumerate() {
            if let Some(pays) = self.pays(&self.machine.in_row(row, *position)) {
                turns.turn(place).end(pays);
            }
        }
    }
}

/// Whether a state that one stage comes to begins another.
fn begins_another(machine: &Machine, stage: usize, state: &State) -> bool {
    state.place() < DEAD && machine.program.stage(state.place()) != stage
}

/// The number of a state with which a stage was begun.
fn begun_with(space: &StateSpace<State>, state: &State) -> Result<u32, SolveBookError> {
    space.number_of(state).ok_or_else(|| SolveBookError::Engine("a start is missing".into()))
}

/// A stage that has been solved.
struct SolvedStage {
    space: StateSpace<State>,
    solution: Solution,
    /// How much more an end can be worth than it pays.
    slack: f64,
}

/// How a series was solved, stage by stage.
pub(super) struct Staged<'a> {
    machine: &'a Machine,
    options: &'a ExploreOptions<'a>,
    shelf: &'a dyn Shelf,
    game: u64,
    /// With what play comes to each stage.
    starts: Vec<Vec<State>>,
    values: Values,
    /// The stage that was solved last.
    kept: Option<(usize, SolvedStage)>,
    /// States of each stage, as far as they were counted.
    pub states: Vec<u64>,
}

/// What comes out of a stage under best play.
pub(super) struct Passed {
    /// The states with which later stages are begun, with the probability of each.
    pub begun: Vec<(State, f64)>,
    /// The probability that the series is won in this stage.
    pub won: f64,
}

impl<'a> Staged<'a> {
    pub fn new(machine: &'a Machine, options: &'a ExploreOptions<'a>, shelf: &'a dyn Shelf) -> Self {
        let stages = machine.program.stages.len();
        Self {
            machine,
            options,
            shelf,
            game: game_number(&machine.program, &machine.start()),
            starts: vec![Vec::new(); stages],
            values: Values::default(),
            kept: None,
            states: vec![0; stages],
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

    /// The value of the series.
    pub fn solve(&mut self) -> Result<Value, SolveBookError> {
        let first = self.machine.first();
        let Some(begin) = self.stage(&first) else {
            return Ok(Value::exactly(u8::from(Machine::is_won(&first)).into()));
        };
        self.starts[begin].push(first);
        for stage in begin..self.starts.len() {
            self.look_ahead(stage)?;
        }
        for stage in (begin..self.starts.len()).rev() {
            self.look_back(stage)?;
        }
        let (lower, upper) = self.values.get(&first).copied().unwrap_or((0.0, 1.0));
        Ok(Value { lower, upper, exact: None })
    }

    /// Finds out with what later stages can be begun from this one.
    fn look_ahead(&mut self, stage: usize) -> Result<(), SolveBookError> {
        self.starts[stage].sort_unstable();
        self.starts[stage].dedup();
        if self.starts[stage].is_empty() {
            return Ok(());
        }
        let name = format!("ends-{stage}");
        let (ends, states) = match self.load(&name)? {
            Some((ends, states)) => (ends, states.first().map_or(0, |states| states.to_bits())),
            None => {
                let space = self.explore(stage)?;
                let begins = |state: &&State| begins_another(self.machine, stage, state);
                let mut ends: Vec<State> = space.states().iter().filter(begins).copied().collect();
                ends.sort_unstable();
                let states = space.states().len() as u64;
                // A part holds states and floating-point numbers; the count is kept by its bits, so that it comes back whole.
                self.keep(&name, &ends, &[f64::from_bits(states)])?;
                (ends, states)
            }
        };
        self.states[stage] = states;
        for end in ends {
            if let Some(next) = self.stage(&end).filter(|next| *next > stage) {
                self.starts[next].push(end);
            }
        }
        Ok(())
    }

    fn explore(&self, stage: usize) -> Result<StateSpace<State>, SolveBookError> {
        let starts = Distribution::uniform(self.starts[stage].iter().copied());
        let starts = starts.map_err(|error| SolveBookError::Engine(error.to_string()))?;
        let game = StageGame { machine: self.machine, stage, starts, values: &self.values };
        Ok(explore(&game, self.options)?)
    }

    /// Solves a stage, if it is not the one that was solved last.
    fn solved(&mut self, stage: usize) -> Result<&SolvedStage, SolveBookError> {
        if self.kept.as_ref().is_none_or(|(kept, _)| *kept != stage) {
            self.kept = None;
            let space = self.explore(stage)?;
            let solution = solve(space.model(), &SolveOptions::from(*self.options))?;
            let ends = space.states().iter().filter_map(|state| self.values.get(state));
            let slack = ends.map(|(lower, upper)| (upper - lower).next_up()).fold(0.0, f64::max);
            self.kept = Some((stage, SolvedStage { space, solution, slack }));
        }
        match &self.kept {
            Some((_, solved)) => Ok(solved),
            None => Err(SolveBookError::Engine("a stage was not solved".into())),
        }
    }

    /// Finds out what the states are worth with which a stage is begun.
    fn look_back(&mut self, stage: usize) -> Result<(), SolveBookError> {
        if self.starts[stage].is_empty() {
            return Ok(());
        }
        let name = format!("values-{stage}");
        let starts = std::mem::take(&mut self.starts[stage]);
        let values = match self.load(&name)? {
            Some((known, values)) if known == starts && values.len() == 2 * starts.len() => values,
            _ => {
                self.starts[stage].clone_from(&starts);
                let SolvedStage { space, solution, slack } = self.solved(stage)?;
                let mut values = Vec::with_capacity(2 * starts.len());
                for state in &starts {
                    let value = solution.value(begun_with(space, state)?);
                    let upper = if *slack > 0.0 { (value.upper + slack).next_up() } else { value.upper };
                    values.extend([value.lower, upper].map(|bound| bound.clamp(0.0, 1.0)));
                }
                self.keep(&name, &starts, &values)?;
                values
            }
        };
        self.values.extend(starts.iter().zip(values.chunks(2)).map(|(state, value)| (*state, (value[0], value[1]))));
        self.starts[stage] = starts;
        Ok(())
    }

    /// Follows best play through a stage that is begun with these states.
    pub fn follow(&mut self, stage: usize, begun: &BTreeMap<State, f64>) -> Result<Passed, SolveBookError> {
        let name = format!("passed-{stage}");
        if let Some((states, mut numbers)) = self.load(&name)?
            && numbers.len() == states.len() + 1
        {
            let won = numbers.pop().unwrap_or(0.0);
            return Ok(Passed { begun: states.into_iter().zip(numbers).collect(), won });
        }
        let (budget, machine) = (self.options.budget, self.machine);
        let SolvedStage { space, solution, .. } = self.solved(stage)?;
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
            } else if begins_another(machine, stage, state) {
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

    /// Plays through a stage under best play, as often from each of these states as it says; what the plays come to, and
    /// how many win the series in it.
    pub fn play(
        &mut self,
        stage: usize,
        begun: &BTreeMap<State, u64>,
        seed: u64,
    ) -> Result<(BTreeMap<State, u64>, u64), SolveBookError> {
        let (machine, options) = (self.machine, self.options);
        let own = Budget::default();
        let budget = options.budget.unwrap_or(&own);
        let SolvedStage { space, solution, .. } = self.solved(stage)?;
        let mut dice = Dice::new(seed, stage as u64);
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
                } else if begins_another(machine, stage, state) {
                    *ended.entry(*state).or_default() += 1;
                }
            }
        }
        Ok((ended, won))
    }
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
