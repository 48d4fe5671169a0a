//! Models from arrays, as scientific libraries keep sparse matrices.

use budget::Budget;
use dashu_ratio::RBig;
use hashbrown::HashMap;

use crate::builder::{BuildError, Builder};
use crate::error::{Location, ReadError};
use crate::explicit::{Kind, MOST};
use crate::group::group;
use crate::memory::Memory;
use crate::number_table::NumberTable;
use crate::numbers::Number;

/// The transitions of a model as compressed sparse rows: a row for each choice.
#[derive(Clone, Copy, Debug)]
pub struct Arrays<'a> {
    /// Where the rows of each state begin, followed by their number; play ends in a state without rows. `None`: each
    /// state has one row, an empty row ends play, and the model is a Markov chain.
    pub choices: Option<&'a [i64]>,
    /// Where each row begins in `indices` and `data`, followed by their length.
    pub indptr: &'a [i64],
    /// Target states.
    pub indices: &'a [i64],
    /// Their probabilities.
    pub data: Column<'a>,
}

/// Probabilities or rewards in an array.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Each is read as the shortest decimal that is nearest to it: `0.3` is 3/10. A row of probabilities whose sum is
    /// within [`TOLERANCE`](crate::TOLERANCE) of 1 is divided by it.
    Doubles(&'a [f64]),
    /// Each row of probabilities sums to exactly 1.
    Fractions(&'a [RBig]),
}

impl Column<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Doubles(list) => list.len(),
            Self::Fractions(list) => list.len(),
        }
    }
}

impl<'a> Builder<'a> {
    /// Begins a model with all states and choices of these arrays; initial states, labels, names and rewards can follow.
    ///
    /// ```
    /// use budget::Budget;
    /// use model_files::{Arrays, Builder, Column, StateSet};
    ///
    /// // State 0 may stay, or go on to 1 with probability 0.3; in 1 play ends.
    /// let budget = Budget::default();
    /// let mut builder = Builder::from_arrays(
    ///     &Arrays {
    ///         choices: Some(&[0, 2, 2]),
    ///         indptr: &[0, 1, 3],
    ///         indices: &[0, 0, 1],
    ///         data: Column::Doubles(&[1.0, 0.7, 0.3]),
    ///     },
    ///     &budget,
    /// )?;
    /// builder.initial(StateSet::from_fn(2, |state| state == 0));
    /// let model = builder.finish()?;
    /// assert_eq!((model.states(), model.choice_count(), model.transitions()), (2, 2, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the arrays do not form a model (the error names the array and the index), or the budget stops the run.
    pub fn from_arrays(arrays: &Arrays<'_>, budget: &'a Budget<'a>) -> Result<Self, ReadError> {
        let memory = Memory::new(budget, 0);
        let rows = arrays.indptr.len().saturating_sub(1);
        let states = arrays.choices.map_or(rows, |choices| choices.len().saturating_sub(1));
        let states = u32::try_from(states).ok().filter(|states| *states <= MOST).ok_or_else(|| {
            ReadError::file(format!("{states} states"), format!("a model has at most {MOST} of them"))
        })?;
        memory.states(states)?;
        let length = arrays.indices.len();
        if arrays.data.len() != length {
            let remedy = format!("as many as indices: {length}");
            return Err(ReadError::file(format!("data has {} entries", arrays.data.len()), remedy));
        }
        let bounds = ranges("indptr", arrays.indptr, length, &memory)?;
        let first_choice = match arrays.choices {
            Some(choices) => ranges("choices", choices, rows, &memory)?,
            None => filled_before(&bounds, &memory)?,
        };
        let first_branch = if arrays.choices.is_some() { bounds } else { filled_rows(&bounds, &memory)? };
        let targets = targets(arrays.indices, states, &memory)?;
        let mut table = NumberTable::default();
        let probabilities = numbers("data", arrays.data, &mut table, &memory)?;
        let row = |choice: u64| match arrays.choices {
            Some(_) => choice,
            None => first_choice
                .windows(2)
                .zip(0..)
                .find(|(pair, _)| u64::from(pair[1]) > choice)
                .map_or(0, |found| found.1),
        };
        let place = |choice: u64| Location::Item { array: "indptr", index: row(choice) };
        let grouped = group(first_branch, targets, &probabilities, &table.values, place, &memory)?;
        let kind = if arrays.choices.is_some() { Kind::Mdp } else { Kind::Dtmc };
        Ok(Self::of_choices(kind, states, first_choice, grouped, budget))
    }

    /// Adds a reward model from arrays: the rewards of states and of choices.
    ///
    /// ```
    /// # use budget::Budget;
    /// # use model_files::{Builder, Column, Kind};
    /// # let budget = Budget::default();
    /// let mut builder = Builder::new(Kind::Mdp, 2, &budget)?;
    /// builder.state()?;
    /// builder.choice(&[1], &[1])?;
    /// builder.state()?;
    /// builder.reward_arrays("cost", None, Some(Column::Doubles(&[0.3])))?;
    /// let model = builder.finish()?;
    /// assert_eq!(model.rewards()[0].of_choice(0).to_string(), "3/10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When an array does not have one entry for each state or choice, or an entry is not finite; when the name is
    /// taken, or the budget stops the run.
    pub fn reward_arrays(
        &mut self,
        name: &str,
        of_states: Option<Column<'_>>,
        of_choices: Option<Column<'_>>,
    ) -> Result<(), ReadError> {
        let mut table = NumberTable::default();
        let memory = Memory::new(self.budget(), 0);
        let mut places = |array: &'static str, column: Option<Column<'_>>, length: u32| {
            let Some(column) = column else { return Ok(Vec::new()) };
            if column.len() != length as usize {
                let problem = format!("{array} of `{name}` has {} entries", column.len());
                return Err(ReadError::file(problem, format!("{length} are needed")));
            }
            numbers(array, column, &mut table, &memory)
        };
        let of_states = places("state_rewards", of_states, self.states())?;
        let of_choices = places("choice_rewards", of_choices, self.choices())?;
        let values: Vec<RBig> = table.values.into_iter().map(|number| number.value).collect();
        self.add_reward_indices(name, &values, of_states, of_choices).map_err(|error| match error {
            BuildError::Stopped(stopped) => stopped.into(),
            BuildError::Invalid(problem) => ReadError::file(problem, "another name"),
        })
    }
}

/// Entries that are processed between two checks of the budget.
const BLOCK: usize = 1 << 15;

fn item(array: &'static str, index: usize, problem: String, remedy: impl Into<String>) -> ReadError {
    ReadError::new(Location::Item { array, index: index as u64 }, problem, remedy)
}

/// An empty array with room for `length` entries.
fn room<T>(length: usize, memory: &Memory<'_>) -> Result<Vec<T>, ReadError> {
    let mut array = Vec::new();
    memory.grow(&mut array, length, usize::MAX)?;
    Ok(array)
}

/// Boundaries of consecutive ranges from 0 to `end`.
fn ranges(array: &'static str, given: &[i64], end: usize, memory: &Memory<'_>) -> Result<Vec<u32>, ReadError> {
    if end > MOST as usize {
        return Err(ReadError::file(format!("{array} for {end} entries"), format!("at most {MOST}")));
    }
    if given.is_empty() {
        return Err(ReadError::file(format!("{array} has no entries"), "at least one, 0, for a model without states"));
    }
    let mut bounds: Vec<u32> = room(given.len(), memory)?;
    for (index, value) in given.iter().enumerate() {
        if index.is_multiple_of(BLOCK) {
            memory.check()?;
        }
        let least = bounds.last().copied().unwrap_or(0);
        let most = if index == 0 { 0 } else { end };
        let own = u32::try_from(*value).ok().filter(|own| *own >= least && *own as usize <= most);
        let Some(own) = own.filter(|own| index + 1 < given.len() || *own as usize == end) else {
            let remedy = format!("ranges follow each other from 0 to {end}");
            return Err(item(array, index, format!("{value}"), remedy));
        };
        bounds.push(own);
    }
    Ok(bounds)
}

/// For each row the number of non-empty rows before it, followed by their total.
fn filled_before(bounds: &[u32], memory: &Memory<'_>) -> Result<Vec<u32>, ReadError> {
    let mut first = room(bounds.len(), memory)?;
    let mut filled = 0;
    first.push(0);
    for pair in bounds.windows(2) {
        filled += u32::from(pair[1] > pair[0]);
        first.push(filled);
    }
    Ok(first)
}

/// The boundaries of rows without those of empty ones.
fn filled_rows(bounds: &[u32], memory: &Memory<'_>) -> Result<Vec<u32>, ReadError> {
    let mut rows = room(bounds.len(), memory)?;
    rows.push(0);
    rows.extend(bounds.windows(2).filter(|pair| pair[1] > pair[0]).map(|pair| pair[1]));
    Ok(rows)
}

fn targets(given: &[i64], states: u32, memory: &Memory<'_>) -> Result<Vec<u32>, ReadError> {
    let mut targets = room(given.len(), memory)?;
    for block in given.chunks(BLOCK) {
        memory.check()?;
        for value in block {
            let target = u32::try_from(*value).ok().filter(|target| *target < states).ok_or_else(|| {
                let remedy = format!("there are {states} states, numbered from 0");
                item("indices", targets.len(), format!("target state {value}"), remedy)
            })?;
            targets.push(target);
        }
    }
    Ok(targets)
}

/// The numbers of a column as indices of a table.
fn numbers(
    array: &'static str,
    column: Column<'_>,
    table: &mut NumberTable,
    memory: &Memory<'_>,
) -> Result<Vec<u32>, ReadError> {
    let mut ids = room(column.len(), memory)?;
    match column {
        Column::Doubles(list) => {
            for block in list.chunks(BLOCK) {
                memory.check()?;
                for value in block {
                    let wrong = || item(array, ids.len(), value.to_string(), "a finite number");
                    let id = table.double(*value, memory)?.ok_or_else(wrong)?;
                    ids.push(id);
                }
            }
        }
        Column::Fractions(list) => {
            let mut known: HashMap<&RBig, u32> = HashMap::new();
            for value in list {
                let id = if let Some(id) = known.get(value) {
                    *id
                } else {
                    memory.grow_table(known.len(), known.capacity(), known.allocation_size())?;
                    let id = table.add(Number { value: value.clone(), decimal: false }, memory)?;
                    known.insert(value, id);
                    id
                };
                ids.push(id);
            }
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests;
