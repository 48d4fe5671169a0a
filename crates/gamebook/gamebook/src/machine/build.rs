//! Construction of a machine: the order of the passes over a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Budget, Stopped};

use super::Machine;
use super::living::Living;
use super::merge_chances::{has_large_weights, merged_into_previous};
use super::row_field::RowField;
use super::touches::Touches;
use crate::passes::{
    Alike, Analyses, Projection, canonical, distances, end_when_surely_won, fold_blocks, last_answer_best,
    let_actions_wait, ranks, rows, split, surely_won, unwinnable, when_actions_matter, without_idle,
};
use crate::program::{Edges, FEW_STEPS, Label, Program, Register, Starting, State, verify};

/// Runs two analyses in parallel, unless the program is short.
fn both<A: Send, B: Send>(
    program: &Program,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if program.steps.len() < FEW_STEPS { (one(), other()) } else { rayon::join(one, other) }
}

/// For every place one with the same future, and the registers that are alike, as far as equivalent futures are merged.
fn equivalences(
    program: &Program,
    successors: &Edges,
    analyses: Analyses,
    budget: &Budget<'_>,
) -> Result<(Option<Vec<Label>>, Option<Alike>), Stopped> {
    if !(analyses.merge && analyses.forget) {
        return Ok((None, None));
    }
    let same = canonical(program, budget)?;
    // What a program counts together itself is alike already.
    let own = program.groups.is_empty();
    let alike = own.then(|| Alike::new(program, successors, &same, budget)).transpose()?;
    Ok((Some(same), alike))
}

/// The input of [`Machine::made`].
struct Parts {
    program: Program,
    state: State,
    unreduced: Option<Arc<Program>>,
    compiled_places: Arc<[Label]>,
}

impl Machine {
    /// Runs all passes over a program.
    pub(crate) fn of(starting: Starting, analyses: Analyses, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let Starting { mut program, mut state } = starting;
        debug_assert_eq!(found_wrong(&program), "");
        let registers = program.layout.registers();
        let patience = patience(&program);
        if analyses.wait {
            when_actions_matter(&mut program, budget)?;
        }
        let mut compiled_places = Vec::new();
        if analyses.split {
            let rows = rows(&program, &Edges::successors(&program), analyses, patience, budget)?;
            if let Some(split) = split(&program, &state, live_by(&rows, registers, analyses), budget)? {
                (program, compiled_places) = split;
                debug_assert_eq!(found_wrong(&program), "");
                state = state.at(program.start);
            }
        }
        if analyses.fold && program.sheet.stats.is_some() {
            let rows = rows(&program, &Edges::successors(&program), analyses, patience, budget)?;
            let entries = fold_blocks(&mut program, live_by(&rows, registers, analyses), budget)?;
            if !compiled_places.is_empty() {
                let compiled = |entry: Label| compiled_places[entry as usize];
                compiled_places.extend(entries.into_iter().map(compiled).collect::<Vec<_>>());
            }
            state = state.at(program.start);
            debug_assert_eq!(found_wrong(&program), "");
        }
        let mut unreduced = None;
        let idle = analyses.merge && analyses.forget;
        if program.sheet.stats.is_some() && (idle || analyses.wait) {
            let whole = program.clone();
            let_actions_wait(&mut program);
            if idle {
                program = without_idle(&program, analyses, budget)?;
            }
            debug_assert_eq!(found_wrong(&program), "");
            unreduced = Some(Arc::new(whole));
        }
        let parts = Parts { program, state, unreduced, compiled_places: compiled_places.into() };
        let machine = Self::made(parts, analyses, budget)?;
        let Some(program) = machine.with_checks() else { return Ok(machine) };
        let Self { unreduced, compiled_places, start, .. } = machine;
        Self::made(Parts { program, state: start, unreduced, compiled_places }, analyses, budget)
    }

    /// A machine for a program after all passes that rewrite it.
    fn made(parts: Parts, analyses: Analyses, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let Parts { mut program, state, unreduced, compiled_places } = parts;
        let registers = program.layout.registers();
        let patience = patience(&program);
        let rows_of = |program: &Program| rows(program, &Edges::successors(program), analyses, patience, budget);
        let unreduced_rows = unreduced.as_deref().map(rows_of).transpose()?;
        let successors = Edges::successors(&program);
        let patience = if patience == 0 { FEW_TIMES } else { patience };
        let whole_rows = match unreduced_rows {
            None if program.sheet.stats.is_some() => Some(rows(&program, &successors, analyses, patience, budget)?),
            unreduced => unreduced,
        };
        let before = successors.turned(budget)?;
        let surely_won = || {
            if analyses.sure { surely_won(&program, &before, budget) } else { Ok(vec![u32::MAX; program.steps.len()]) }
        };
        let reached = || {
            let unwinnable = if analyses.hopeless {
                unwinnable(&program, &before, budget)?
            } else {
                vec![false; program.steps.len()]
            };
            Ok((unwinnable, distances(&program, &before, budget)?))
        };
        let (surely_won, reached): (Result<_, Stopped>, Result<_, Stopped>) = both(&program, surely_won, reached);
        let (surely_won, (unwinnable, distances)) = (surely_won?, reached?);
        // A state that is surely won needs no registers.
        let goes_on = end_when_surely_won(&mut program, &surely_won);
        let winning = Edges::successors(&program);
        let needed = || rows(&program, &winning, analyses, patience, budget);
        let merged = || equivalences(&program, &winning, analyses, budget);
        let (needed, merged): (Result<_, Stopped>, Result<_, Stopped>) = both(&program, needed, merged);
        let (rows, (canonical, alike)) = (needed?, merged?);
        let mut kept = Projection::new(&program, analyses, &rows, alike.as_ref());
        let mut last_is_best = vec![false; program.steps.len()];
        if let Some(canonical) = canonical {
            let needed =
                |place: Label, register: Register| rows[place as usize * registers + usize::from(register)] > 0;
            last_is_best = last_answer_best(&program, &winning.turned(budget)?, &canonical, needed, budget)?;
            kept = kept.identified_with(&canonical);
        }
        for (place, step) in goes_on {
            program.steps[place as usize] = step;
        }
        let by_rows = || {
            let row_field = RowField::new(&program);
            let falls = row_field.as_ref().map(|row_field| row_field.falls(&program)).unwrap_or_default();
            (row_field, falls, ranks(&program, &successors, |place| kept.place(place)), Living::new(&program, &kept))
        };
        let touches = || Touches::new(&program, &kept);
        let (touches, (row_field, falls, ranks, living)) = both(&program, touches, by_rows);
        let mut machine = Self {
            last_differs: Vec::new(),
            memos: Vec::new(),
            touches,
            falls,
            row_field,
            ranks,
            // No register matters after the end.
            ended: if analyses.forget { State::default() } else { kept.everywhere() },
            large: program.steps.iter().map(has_large_weights).collect(),
            merged_into_previous: merged_into_previous(&program, &successors),
            living,
            program: Arc::new(program),
            unreduced,
            compiled_places,
            kept,
            whole_rows: whole_rows.map(Arc::from),
            last_is_best,
            unwinnable,
            surely_won,
            distances,
            analyses,
            entering: false,
            start: state,
            number: new_number(),
        };
        machine.last_differs = machine.last_differs();
        machine.memos = machine.remembered();
        Ok(machine)
    }

    /// The game without reductions, with a state at the entry of each section. `fold` says whether fights to the end are one
    /// chance or go round by round.
    pub(crate) fn whole(&self, fold: bool) -> Self {
        let program = Arc::clone(self.unreduced.as_ref().unwrap_or(&self.program));
        let places = program.steps.len();
        let kept = Projection::whole(&self.program, self.whole_rows.as_deref());
        let successors = Edges::successors(&program);
        let mut whole = Self {
            memos: Vec::new(),
            touches: Touches::new(&program, &kept),
            row_field: None,
            falls: Vec::new(),
            // Without reductions no place is equivalent to another.
            ranks: ranks(&program, &successors, |place| place),
            ended: kept.everywhere(),
            large: program.steps.iter().map(has_large_weights).collect(),
            merged_into_previous: if self.unreduced.is_some() {
                merged_into_previous(&program, &successors)
            } else {
                vec![false; places]
            },
            living: None,
            program,
            unreduced: self.unreduced.clone(),
            compiled_places: Arc::clone(&self.compiled_places),
            kept,
            whole_rows: self.whole_rows.clone(),
            last_is_best: vec![false; places],
            last_differs: vec![false; places],
            unwinnable: vec![false; places],
            surely_won: vec![u32::MAX; places],
            distances: Vec::new(),
            analyses: Analyses { straight: true, fold, ..Analyses::NONE },
            entering: true,
            start: self.start,
            number: new_number(),
        };
        whole.memos = whole.remembered();
        whole
    }
}

/// Whether a register is live at a place, by the needs of all registers there.
fn live_by(rows: &[u16], registers: usize, analyses: Analyses) -> impl Fn(Label, Register) -> bool {
    move |place, register| !analyses.forget || rows[place as usize * registers + usize::from(register)] > 0
}

/// The errors of a program that is small enough to be verified in builds without optimisation.
fn found_wrong(program: &Program) -> String {
    const MOST_STEPS: usize = 1 << 16;
    if program.steps.len() <= MOST_STEPS { verify(program) } else { String::new() }
}

/// How often the live range of a register may grow at a place before all of it is live.
fn patience(program: &Program) -> u32 {
    // The loops of fights that are played round by round let it grow for long and gain little.
    if program.sheet.stats.is_some() { 0 } else { u32::MAX }
}

/// The same bound for the loops of a system of rules, for the passes after specialization.
const FEW_TIMES: u32 = 6;

fn new_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}
