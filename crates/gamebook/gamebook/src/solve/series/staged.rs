//! Solving a series layer by layer: forwards to know with what heroes come to each layer, backwards to know what that is
//! worth, and forwards again (`passing.rs`) to know how likely it is.
//!
//! A stage is a book with what its hero has learned by then. A stage that is too large for memory is cut into layers, where
//! play never leads back. Layers lead to later ones only, so the values of the later ones pay the ends of the one before,
//! and no more than one layer is in memory at a time. What an end pays is known between bounds. The layer is solved with
//! the lower ones; since no value changes by more than the ends do, the upper bound of a value is the one that comes out,
//! and the widest difference of an end.
//!
//! Where a limit ends the way forwards, what was not looked at is worth something between 0 and 1: the way back through
//! what is known makes bounds of that, solving each layer twice.

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

/// The part of the time that the way forwards may take: on the way back each layer is explored once more, and solved.
const FORWARDS: f64 = 1.0 / 3.0;

/// The part of what is left of the time that a layer may take on the way back, where not all layers are known: those
/// before it need some, too.
const BACK: f64 = 0.5;

/// A layer that was cut for so much more memory than there is, this part of it, is cut anew.
const SPARE: u64 = 4;

/// What the names begin with under which bounds lie that a way leaves which was stopped.
const BOUNDS: &str = "bounds-";

/// Bounds of ends that are further apart than this are not what rounding leaves.
const WIDE: f64 = 1e-7;

/// What is known of the states with which later layers begin.
#[derive(Debug, Default)]
pub(super) struct Values {
    states: RowSet<State>,
    /// Between which bounds each is worth, in their order.
    bounds: Vec<[f64; 2]>,
}

impl Values {
    fn of(&self, row: &State, position: u32) -> Option<[f64; 2]> {
        let place = usize::try_from(self.states.index_of(row, position)?).ok()?;
        self.bounds.get(place).copied()
    }

    /// What is known here or there.
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

/// A layer that has been solved, as far as it can be reached from some states.
pub(super) struct SolvedLayer {
    place: usize,
    starts: RowSet<State>,
    pub(super) space: RowSpace<State>,
    pub(super) solution: Solution,
    /// What the states with which it is begun, in their order, are worth at most: where an end can be worth far more than
    /// it pays.
    at_most: Option<Vec<f64>>,
    /// How much more an end can be worth than it pays.
    slack: f64,
}

impl SolvedLayer {
    /// Between which bounds the states are worth with which it is begun, in their order.
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

/// How a series was solved, layer by layer.
pub(super) struct Staged<'a> {
    pub(super) machine: &'a Machine,
    pub(super) options: &'a ExploreOptions<'a>,
    shelf: &'a dyn Shelf,
    game: u64,
    /// A layer ends where it can when it has so many states beside those with which later ones are begun.
    enough: usize,
    /// The layers in the order of play.
    pub layers: Vec<Layer>,
    /// For each layer the stages with which play goes on after it.
    leads_to: Vec<BTreeSet<usize>>,
    /// The stage that is looked at on the way forwards.
    ahead: usize,
    /// What ended the way forwards before all layers were found, if something did.
    stopped: Option<Stopped>,
    /// What was solved last.
    kept: Option<SolvedLayer>,
    /// States of each stage in which play goes on, as far as they were counted.
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

    /// The stage of a state; `None` where play is over.
    pub fn stage(&self, state: &State) -> Option<usize> {
        (state.place() < DEAD).then(|| self.machine.program.stage(state.place()))
    }

    /// A part that was kept in this cut, and is whole.
    pub(super) fn load(&self, name: &str, cut: u64) -> Result<Option<Part>, SolveBookError> {
        let Some(bytes) = self.shelf.load(name).map_err(SolveBookError::Shelf)? else { return Ok(None) };
        match read_part(&Head { name, game: self.game, cut }, self.machine.row_length(), &bytes) {
            Ok(part) => Ok(Some(part)),
            Err(why) => {
                // What is known of a way that was stopped is expanded anew by each run that comes farther.
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

    /// A part that was kept before in this run.
    fn kept(&self, name: &str, cut: u64) -> Result<Part, SolveBookError> {
        self.load(name, cut)?.ok_or_else(|| gone(name))
    }

    /// How the books were cut where the ends of a layer were found: the layers before it.
    fn cut_before(&self, place: usize) -> u64 {
        cut(&self.layers[..place])
    }

    /// The cut as a whole.
    pub(super) fn whole_cut(&self) -> u64 {
        cut(&self.layers)
    }

    /// The value of the series. Where a limit is in the way at a stage, `known` is asked between which bounds the series is
    /// worth as far as can be expanded without looking at it whole.
    ///
    /// # Errors
    /// [`SolveBookError::StoppedWithBounds`] when a limit is reached after some layers were found.
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
                // The way back goes on without a layer that cannot be solved within the limits.
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

    /// Whether bounds can still be expanded when a layer was not solved for this reason. Where all layers are known the time is
    /// not divided, and when it is over there is none for the others.
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
        // With what play comes to each stage.
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

    /// Finds out how far the next layer goes, and with what later ones can be begun from it.
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
            // A part holds states and floating-point numbers; these are kept by their bits, so that they come back whole.
            self.keep(&name, cut, &ends, &[states, until.into(), self.enough as u64].map(f64::from_bits))?;
            (ends, states, until)
        };
        self.states[stage] += states;
        self.leads_to.push(ends.rows().iter().filter_map(|row| self.stage(row)).collect());
        self.layers.push(Layer { stage, until, states });
        Ok(ends)
    }

    /// How far a layer goes by what was kept: the states with which later ones can be begun from it, how many it has
    /// itself, and where it ends. Nothing where it is too large and could be cut smaller by now.
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

    /// The states with which a layer is begun.
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

    /// Where the values lie with which a layer is begun. Bounds from a way that was stopped are not those of the whole.
    fn values_name(&self, place: usize) -> String {
        match self.stopped {
            Some(_) => format!("{BOUNDS}{place}"),
            None => whole_name(place),
        }
    }

    /// What the states are worth with which a layer is begun. Of one that was not solved nothing is known.
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

    /// What the states beyond a layer are worth.
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

    /// Solves a layer as far as it can be reached from these states, if that was not done last. The states with which
    /// later ones are begun are worth what is known of them: `beyond`, or else what lies on the shelf.
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
        // Each must be known: what is not paid for is worth nothing.
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
            // One solution at a time is in memory.
            let solution = paying(1)?;
            let upper = |(row, position)| Ok(solution.value(number_of(&space, row, position)?).upper);
            at_most = Some(starts.iter().map(upper).collect::<Result<_, SolveBookError>>()?);
        }
        let solution = paying(0)?;
        Ok(SolvedLayer { place, starts, space, solution, at_most, slack })
    }

    /// Between which bounds a state beyond a layer is worth, as far as that is known. Of what was not looked at it is known
    /// that it is worth something between 0 and 1.
    fn worth(&self, values: &Values, row: &State, position: u32) -> Result<[f64; 2], SolveBookError> {
        let known = values.of(row, position).or_else(|| self.stopped.map(|_| [0.0, 1.0]));
        known.ok_or_else(|| SolveBookError::Engine("what a later layer is worth is missing".into()))
    }

    /// Between which bounds the series is worth after each answer to its first question, by what the answer is called; as far
    /// as they lead out of the layer in which it is asked.
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

    /// Finds out what the states are worth with which a layer is begun: of some of them after the others, where the layer
    /// has more states than are to be in memory at once.
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
        // What is handed on keeps its value.
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

/// The failure where a part that was kept in this run cannot be had any more.
fn gone(name: &str) -> SolveBookError {
    SolveBookError::Shelf(format!("{name} was kept and is no longer there, or no longer whole"))
}

/// Where the values lie with which a layer is begun, when all layers are known.
fn whole_name(place: usize) -> String {
    format!("values-{place}")
}

/// The number of a state among those of a layer.
pub(super) fn number_of(space: &RowSpace<State>, row: &State, position: u32) -> Result<StateId, SolveBookError> {
    space.number_of(row, position).ok_or_else(|| SolveBookError::Engine("a start is missing".into()))
}
