//! Solving a series layer by layer: a forward pass finds the initial states of each layer, a backward pass their values, and a
//! second forward pass (`passing.rs`) their probabilities.
//!
//! A stage is a book with a set of disciplines that its hero has by then. A stage that is too large for memory is cut into
//! layers, between which play never leads back. The values of later layers are payoffs of the one before, and only one layer is
//! in memory at a time. Payoffs are known as bounds. A layer is solved with the lower ones; since no value changes by more than
//! the payoffs do, an upper bound of a value is the upper bound of that solution plus the largest gap of a payoff.
//!
//! If a limit stops the forward pass, unexplored states are worth between 0 and 1, and the backward pass turns this into
//! bounds, solving each layer twice.

use std::collections::BTreeSet;

use budget::{Budget, Reason, Stopped};
use mdp::advanced::{EndPayoffs, solve_with};
use mdp::rows::{RowGame, RowSet, RowSpace, explore_part, explore_rows};
use mdp::{ExploreOptions, Solution, SolveOptions, StateId, Value};

use super::layer::{Layer, LayerGame, WHOLE, cut};
use super::part::{Head, Part, Unfit, read_part, write_part};
use super::shelf::{Shelf, game_number};
use crate::machine::Machine;
use crate::passes::layer;
use crate::program::{DEAD, State};
use crate::solve::solve_error::SolveBookError;

/// The part of the time for the forward pass: the backward pass explores each layer again, and solves it.
const FORWARDS: f64 = 1.0 / 3.0;

/// The part of the remaining time for a layer in the backward pass if not all layers are known: earlier layers need some, too.
const BACK: f64 = 0.5;

/// A layer that was cut for a limit larger than the present one by more than this fraction is cut again.
const SPARE: u64 = 4;

/// The prefix of the names of bounds from an incomplete forward pass.
const BOUNDS: &str = "bounds-";

/// Larger gaps of payoffs are not rounding.
const WIDE: f64 = 1e-7;

/// The known values of initial states of later layers.
#[derive(Debug, Default)]
pub(super) struct Values {
    states: RowSet<State>,
    /// Their bounds, in the same order.
    bounds: Vec<[f64; 2]>,
}

impl Values {
    fn of(&self, row: &State, position: u32) -> Option<[f64; 2]> {
        let place = usize::try_from(self.states.index_of(row, position)?).ok()?;
        self.bounds.get(place).copied()
    }

    /// The union of both.
    fn and(self, other: Self) -> Self {
        if self.bounds.is_empty() {
            return other;
        }
        let states = self.states.union(&other.states);
        let bounds = states.iter().filter_map(|(row, position)| self.of(row, position).or(other.of(row, position)));
        let bounds = bounds.collect();
        Self { states, bounds }
    }
}

/// A solved layer, restricted to what can be reached from some states.
pub(super) struct SolvedLayer {
    place: usize,
    starts: RowSet<State>,
    pub(super) space: RowSpace<State>,
    pub(super) solution: Solution,
    /// Upper bounds of the initial states, in their order, if a payoff has a wide gap.
    at_most: Option<Vec<f64>>,
    /// The largest gap of a payoff.
    slack: f64,
}

impl SolvedLayer {
    /// The bounds of the initial states, in their order.
    fn bounds(&self) -> Result<Vec<[f64; 2]>, SolveBookError> {
        let mut bounds = Vec::new();
        for (place, (row, position)) in self.starts.iter().enumerate() {
            let value = self.solution.value(number_of(&self.space, row, position)?);
            let upper = match &self.at_most {
                Some(at_most) => at_most.get(place).copied().unwrap_or(1.0),
                None if self.slack > 0.0 => (value.upper + self.slack).next_up(),
                None => value.upper,
            };
            bounds.push([value.lower, upper].map(|bound| bound.clamp(0.0, 1.0)));
        }
        Ok(bounds)
    }
}

/// The layer-by-layer solution of a series.
pub(super) struct Staged<'a> {
    pub(super) machine: &'a Machine,
    pub(super) options: &'a ExploreOptions<'a>,
    shelf: &'a dyn Shelf,
    game: u64,
    /// A layer ends, where possible, once it has this many states besides those that later layers begin with.
    enough: usize,
    /// The layers in topological order.
    pub layers: Vec<Layer>,
    /// For each layer the stages that follow it.
    leads_to: Vec<BTreeSet<usize>>,
    /// The current stage of the forward pass.
    ahead: usize,
    /// Why the forward pass was incomplete, if it was.
    stopped: Option<Stopped>,
    /// The layer that was solved last.
    kept: Option<SolvedLayer>,
    /// The number of non-terminal states of each stage, as far as explored.
    pub states: Vec<u64>,
}

impl<'a> Staged<'a> {
    pub fn new(machine: &'a Machine, options: &'a ExploreOptions<'a>, shelf: &'a dyn Shelf, enough: usize) -> Self {
        Self {
            machine,
            options,
            shelf,
            game: game_number(machine),
            enough,
            layers: Vec::new(),
            leads_to: Vec::new(),
            ahead: 0,
            stopped: None,
            kept: None,
            states: vec![0; machine.program.stages.len().max(1)],
        }
    }

    /// The stage of a state; `None` for terminal states.
    pub fn stage(&self, state: &State) -> Option<usize> {
        (state.place() < DEAD).then(|| self.machine.program.stage(state.place()))
    }

    /// Loads a part of this cut, if it is intact.
    pub(super) fn load(&self, name: &str, cut: u64) -> Result<Option<Part>, SolveBookError> {
        let Some(bytes) = self.shelf.load(name).map_err(SolveBookError::Shelf)? else { return Ok(None) };
        match read_part(&Head { name, game: self.game, cut }, self.machine.row_length(), &bytes) {
            Ok(part) => Ok(Some(part)),
            Err(why) => {
                // Bounds of an incomplete pass are expected to be replaced by a run that gets farther.
                if !(why == Unfit::Cut && name.starts_with(BOUNDS)) {
                    self.shelf.anew(name, &why.to_string());
                }
                Ok(None)
            }
        }
    }

    pub(super) fn keep(
        &self,
        name: &str,
        cut: u64,
        states: &RowSet<State>,
        numbers: &[f64],
    ) -> Result<(), SolveBookError> {
        let part = write_part(&Head { name, game: self.game, cut }, states, numbers);
        self.shelf.keep(name, &part).map_err(SolveBookError::Shelf)
    }

    /// Loads a part that this run has stored.
    fn kept(&self, name: &str, cut: u64) -> Result<Part, SolveBookError> {
        self.load(name, cut)?.ok_or_else(|| gone(name))
    }

    /// The hash of the cuts on which the ends of a layer depend: those of the layers before it.
    fn cut_before(&self, place: usize) -> u64 {
        cut(&self.layers[..place])
    }

    /// The hash of all cuts.
    pub(super) fn whole_cut(&self) -> u64 {
        cut(&self.layers)
    }

    /// The value of the series. If a limit stops a stage, `known` is called for bounds that need no complete exploration.
    ///
    /// # Errors
    /// [`SolveBookError::StoppedWithBounds`] if a limit is reached after some layers were found.
    pub fn solve(
        &mut self,
        known: &dyn Fn(usize) -> Result<[f64; 2], SolveBookError>,
    ) -> Result<Value, SolveBookError> {
        let first = self.machine.first();
        let Some(begin) = self.stage(&first) else {
            return Ok(Value::exactly(u8::from(Machine::is_won(&first)).into()));
        };
        let mut within: [f64; 2] = [0.0, 1.0];
        match self.look_ahead_from(begin, &first) {
            Err(SolveBookError::Stopped(stopped))
                if stopped.reason != Reason::Interrupted && !self.layers.is_empty() =>
            {
                self.stopped = Some(stopped);
                within = known(self.ahead)?;
            }
            other => other?,
        }
        for place in (0..self.layers.len()).rev() {
            match self.look_back(place) {
                // The backward pass goes on without a layer that exceeds the limits.
                Err(SolveBookError::Stopped(stopped)) if self.may_do_without(&stopped) => {
                    if self.stopped.is_none() {
                        self.stopped = Some(stopped);
                        within = known(self.layers[place].stage)?;
                    }
                    if place == 0 && within == [0.0, 1.0] {
                        return Err(SolveBookError::Stopped(stopped));
                    }
                }
                other => other?,
            }
        }
        let (row, position) = self.machine.row_of(&first);
        let [lower, upper] = self.values(0)?.of(&row, position).unwrap_or([0.0, 1.0]);
        let win = Value { lower: lower.max(within[0]), upper: upper.min(within[1]), exact: None };
        match self.stopped {
            Some(stopped) => Err(SolveBookError::StoppedWithBounds { stopped, win }),
            None => Ok(win),
        }
    }

    /// Whether bounds are still possible without a layer that was not solved for this reason. If all layers are known the time
    /// is not divided, so none is left for the others.
    fn may_do_without(&self, stopped: &Stopped) -> bool {
        match stopped.reason {
            Reason::States { .. } | Reason::Memory { .. } => true,
            Reason::Time { .. } => self.stopped.is_some(),
            Reason::Interrupted => false,
        }
    }

    /// Finds all layers, stage by stage, in a part of the time.
    fn look_ahead_from(&mut self, begin: usize, first: &State) -> Result<(), SolveBookError> {
        let unlimited = Budget::default();
        let budget = self.options.budget.unwrap_or(&unlimited).part(FORWARDS);
        let options = self.options.with_budget(&budget);
        // The initial states of each stage.
        let mut begun: Vec<RowSet<State>> = vec![RowSet::default(); self.states.len()];
        begun[begin] = self.set([first]);
        for stage in begin..begun.len() {
            self.ahead = stage;
            let mut starts = std::mem::take(&mut begun[stage]);
            while !starts.is_empty() {
                let ends = self.look_ahead(stage, &starts, &options)?;
                for next in self.leads_to.last().into_iter().flatten() {
                    begun[*next] = begun[*next].union(&ends.filter(|row| self.stage(row) == Some(*next)));
                }
                starts = std::mem::take(&mut begun[stage]);
            }
        }
        Ok(())
    }

    pub(super) fn set<'s>(&self, states: impl IntoIterator<Item = &'s State>) -> RowSet<State> {
        let states = states.into_iter().map(|state| self.machine.row_of(state));
        RowSet::of(self.machine.row_length().max(1), states)
    }

    /// Explores the next layer: where it ends, and the states in which play leaves it.
    fn look_ahead(
        &mut self,
        stage: usize,
        starts: &RowSet<State>,
        options: &ExploreOptions<'_>,
    ) -> Result<RowSet<State>, SolveBookError> {
        let name = format!("ends-{}", self.layers.len());
        let cut = self.cut_before(self.layers.len());
        let (ends, states, until) = if let Some(known) = self.ends_kept(&name, cut)? {
            known
        } else {
            let game = LayerGame { machine: self.machine, layer: Layer { stage, until: WHOLE, states: 0 } };
            let part =
                explore_part(&game, starts, self.enough, &|expanded, next| layer(expanded) < layer(next), options)?;
            let until = part.rank().map_or(WHOLE, layer);
            let own = Layer { stage, until, states: 0 };
            let ends = part.states(|row| own.ends(self.machine, row));
            let states = part.states(|row| row.place() < DEAD && !own.ends(self.machine, row)).len();
            drop(part);
            // A part holds floats; these integers are stored by their bits.
            self.keep(&name, cut, &ends, &[states, until.into(), self.enough as u64].map(f64::from_bits))?;
            (ends, states, until)
        };
        self.states[stage] += states;
        self.leads_to.push(ends.rows().iter().filter_map(|row| self.stage(row)).collect());
        self.layers.push(Layer { stage, until, states });
        Ok(ends)
    }

    /// The stored result for a layer: the states in which play leaves it, the number of its states, and where it ends. `None`
    /// if it is too large and can now be cut smaller.
    fn ends_kept(&self, name: &str, cut: u64) -> Result<Option<(RowSet<State>, u64, u32)>, SolveBookError> {
        let Some((ends, numbers)) = self.load(name, cut)? else { return Ok(None) };
        let [states, until, enough] = numbers[..] else { return Err(gone(name)) };
        let [states, until, enough] = [states, until, enough].map(f64::to_bits);
        let own = self.enough as u64;
        if states > own && enough > own.saturating_add(own / SPARE) {
            self.shelf.anew(name, &Unfit::TooLarge.to_string());
            return Ok(None);
        }
        Ok(Some((ends, states, u32::try_from(until).unwrap_or(WHOLE))))
    }

    /// Whether a layer is the first of its stage.
    fn begins_stage(&self, place: usize) -> bool {
        place == 0 || self.layers[place - 1].stage != self.layers[place].stage
    }

    /// The initial states of a layer.
    fn starts(&self, place: usize) -> Result<RowSet<State>, SolveBookError> {
        if place == 0 {
            return Ok(self.set([&self.machine.first()]));
        }
        let stage = self.layers[place].stage;
        let from = if self.begins_stage(place) { 0 } else { place - 1 };
        let mut starts = RowSet::default();
        for earlier in (from..place).filter(|earlier| self.leads_to[*earlier].contains(&stage)) {
            let (ends, _) = self.kept(&format!("ends-{earlier}"), self.cut_before(earlier))?;
            starts = starts.union(&ends.filter(|row| self.stage(row) == Some(stage)));
        }
        Ok(starts)
    }

    /// The name of the part with the initial values of a layer. Bounds from an incomplete pass have names of their own.
    fn values_name(&self, place: usize) -> String {
        match self.stopped {
            Some(_) => format!("{BOUNDS}{place}"),
            None => whole_name(place),
        }
    }

    /// The initial values of a layer; empty if it was not solved.
    fn values(&self, place: usize) -> Result<Values, SolveBookError> {
        let cut = self.whole_cut();
        let known = match self.load(&self.values_name(place), cut)? {
            None if self.stopped.is_some() => self.load(&whole_name(place), cut)?,
            known => known,
        };
        match known {
            Some((states, numbers)) => Ok(Values { states, bounds: numbers.as_chunks::<2>().0.to_vec() }),
            None if self.stopped.is_some() => Ok(Values::default()),
            None => Err(gone(&whole_name(place))),
        }
    }

    /// The values of the states beyond a layer.
    fn values_beyond(&self, place: usize) -> Result<Values, SolveBookError> {
        let mut beyond = Values::default();
        for later in place + 1..self.layers.len() {
            let stage = self.layers[later].stage;
            let next = later == place + 1 && stage == self.layers[place].stage;
            if next || self.begins_stage(later) && self.leads_to[place].contains(&stage) {
                beyond = beyond.and(self.values(later)?);
            }
        }
        Ok(beyond)
    }

    /// Solves a layer from these states, unless it was solved last. States beyond it have the values `beyond`, or else those on
    /// the shelf.
    pub(super) fn solved(
        &mut self,
        place: usize,
        starts: RowSet<State>,
        beyond: Option<&Values>,
        options: &ExploreOptions<'_>,
    ) -> Result<&SolvedLayer, SolveBookError> {
        let kept = match self.kept.take().filter(|kept| kept.place == place && kept.starts == starts) {
            Some(kept) => kept,
            None => self.solve_layer(place, starts, beyond, options)?,
        };
        Ok(self.kept.insert(kept))
    }

    fn solve_layer(
        &self,
        place: usize,
        starts: RowSet<State>,
        beyond: Option<&Values>,
        options: &ExploreOptions<'_>,
    ) -> Result<SolvedLayer, SolveBookError> {
        let own = self.layers[place];
        let space = explore_rows(&LayerGame { machine: self.machine, layer: own }, &starts, options)?;
        let loaded;
        let values = match beyond {
            Some(values) => values,
            None => {
                loaded = self.values_beyond(place)?;
                &loaded
            }
        };
        let ends = || space.states().filter(|(row, ..)| own.ends(self.machine, row));
        // Each must be known: a missing payoff would count as 0.
        let known = || ends().map(|(row, at, number)| Ok((number, self.worth(values, row, at)?)));
        let mut slack: f64 = 0.0;
        for own in known() {
            let (_, [lower, upper]) = own?;
            slack = slack.max((upper - lower).next_up());
        }
        let paying = |bound: usize| -> Result<Solution, SolveBookError> {
            let pays = known().map(|own| own.map(|(number, bounds)| (number, bounds[bound])));
            let pays: Vec<(StateId, f64)> = pays.collect::<Result<_, SolveBookError>>()?;
            Ok(solve_with(space.model(), &EndPayoffs::new(&pays), &SolveOptions::from(*options))?)
        };
        let mut at_most = None;
        if slack > WIDE {
            // Only one solution is in memory at a time.
            let solution = paying(1)?;
            let upper = |(row, position)| Ok(solution.value(number_of(&space, row, position)?).upper);
            at_most = Some(starts.iter().map(upper).collect::<Result<_, SolveBookError>>()?);
        }
        let solution = paying(0)?;
        Ok(SolvedLayer { place, starts, space, solution, at_most, slack })
    }

    /// The bounds of a state beyond a layer; 0 to 1 if it was not explored.
    fn worth(&self, values: &Values, row: &State, position: u32) -> Result<[f64; 2], SolveBookError> {
        let known = values.of(row, position).or_else(|| self.stopped.map(|_| [0.0, 1.0]));
        known.ok_or_else(|| SolveBookError::Engine("what a later layer is worth is missing".into()))
    }

    /// The bounds of the series after each answer to its first question, by label; only for answers that lead out of the first
    /// layer.
    pub fn first_answers(&self) -> Result<Vec<(String, [f64; 2])>, SolveBookError> {
        let (machine, first) = (self.machine, self.machine.first());
        let beyond = self.values_beyond(0)?;
        let mut moves = Vec::new();
        machine.moves(&first, usize::MAX, &mut moves);
        let mut found = Vec::new();
        for answer in moves {
            let stop = machine.advance(&answer.state, &mut Vec::new());
            let (row, position) = machine.row_of(&stop);
            let worth = match Machine::end(&stop) {
                Some(_) => Some([f64::from(u8::from(Machine::is_won(&stop))); 2]),
                None => beyond.of(&row, position),
            };
            found.extend(worth.map(|worth| (machine.describe_action(&first, answer.action), worth)));
        }
        Ok(found)
    }

    /// Computes the initial values of a layer; for some states at a time if the layer is too large for memory.
    fn look_back(&mut self, place: usize) -> Result<(), SolveBookError> {
        let (name, cut) = (self.values_name(place), self.whole_cut());
        let starts = self.starts(place)?;
        if let Some((known, values)) = self.load(&name, cut)?
            && known == starts
            && values.len() as u64 == 2 * starts.len()
        {
            return Ok(());
        }
        let unlimited = Budget::default();
        let part = if self.stopped.is_some() && place > 0 { BACK } else { 1.0 };
        let budget = self.options.budget.unwrap_or(&unlimited).part(part);
        let options = self.options.with_budget(&budget);
        let beyond = self.values_beyond(place)?;
        let own = self.layers[place];
        // States that lie beyond the layer keep their values.
        let mut known = Values::default();
        let chunks = own.states.div_ceil(self.enough.max(1) as u64);
        for chunk in starts.filter(|row| !own.ends(self.machine, row)).chunks(chunks) {
            let layer = self.solved(place, chunk, Some(&beyond), &options)?;
            known = known.and(Values { states: layer.starts.clone(), bounds: layer.bounds()? });
        }
        let mut values = Vec::new();
        for (row, position) in starts.iter() {
            values.extend(match known.of(row, position) {
                Some(bounds) => bounds,
                None => self.worth(&beyond, row, position)?,
            });
        }
        self.keep(&name, cut, &starts, &values)
    }
}

/// The error for a part of this run that has disappeared.
fn gone(name: &str) -> SolveBookError {
    SolveBookError::Shelf(format!("{name} was kept and is no longer there, or no longer whole"))
}

/// The name of the part with the initial values of a layer, if all layers are known.
fn whole_name(place: usize) -> String {
    format!("values-{place}")
}

/// The number of a state in a layer.
pub(super) fn number_of(space: &RowSpace<State>, row: &State, position: u32) -> Result<StateId, SolveBookError> {
    space.number_of(row, position).ok_or_else(|| SolveBookError::Engine("a start is missing".into()))
}
