//! Playing a program: what a state leads to.
//!
//! Play runs from one question to the next. Questions to the player and to chance are the states;
//! everything between is done at once. A question with one answer is none.

mod answers;
mod chances;
mod followed;
mod game;
mod party;
mod row_folds;
mod row_settling;
mod rows;
mod running;
mod settled;
mod spread;
mod together;
mod weaker;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Budget, Stopped};
use mdp::Turn;

use crate::analyses::Analyses;
use crate::book::{Book, SectionNumber};
use crate::canonical::canonical;
use crate::compile::{CompileError, Starting, compile};
use crate::depends::Depends;
use crate::edges::Edges;
use crate::hero::Hero;
use crate::idle::without_idle;
use crate::kept::Kept;
use crate::making::{Made, Making};
use crate::needs::rows;
use crate::policy::Policy;
use crate::program::{FEW_STEPS, Instruction, Place, Program};
use crate::reach::{best_left, distances, end_when_sure, hopeless, ranks, sure};
use crate::relax::{Forget, relax};
use crate::split::split;
use crate::state::{DEAD, Register, State, WON};
use crate::verify::verify;

pub(crate) use answers::{Action, Move};
use chances::Memo;
use game::BUFFERS;
use rows::Across;
use settled::Touches;
use spread::{has_large_weights, told_with_others};
use weaker::Living;

/// After so many steps without a question a state is made: the engine sees whether play goes round.
const MOST_STEPS: usize = 10_000;

/// What is found out about a program side by side, unless it is short.
fn both<A: Send, B: Send>(
    program: &Program,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if program.steps.len() < FEW_STEPS { (one(), other()) } else { rayon::join(one, other) }
}

/// A book, made ready to be played by one hero: a [`mdp::Game`].
#[derive(Debug)]
pub struct Machine {
    pub(crate) program: Arc<Program>,
    /// The program with all that it does, where some of that matters only to what is told of a hero.
    told: Option<Arc<Program>>,
    /// Of which place of the program before it was split each place is a part; nothing where it was not.
    whole_places: Arc<[Place]>,
    kept: Kept,
    /// What can still matter at each place of the whole game, beside what is on the hero's sheet; nothing where that is all.
    whole_rows: Option<Arc<[u16]>>,
    /// The questions whose last answer is best as soon as it can be given.
    left: Vec<bool>,
    /// The questions whose last answer surely makes a difference if it can be given.
    last_differs: Vec<bool>,
    /// The chances that are computed, and what they depend on.
    memos: Vec<Option<Memo>>,
    /// What each step reads or writes.
    touches: Touches,
    /// In what the states of a row differ.
    across: Option<Across>,
    /// The chances that take as much from all states of a row.
    falls: Vec<bool>,
    /// For every place, when its rows are told: those that lead to others before them.
    ranks: Vec<u32>,
    /// What is kept of a state where play is over.
    ended: State,
    /// The chances that have weights that are large numbers.
    large: Vec<bool>,
    /// The chances that are told with the one before them.
    told_with_others: Vec<bool>,
    /// Which states tell of which heroes, where weaker ones are told with the strongest.
    living: Option<Living>,
    /// The places from which the book cannot be won.
    hopeless: Vec<bool>,
    /// From how many steps on at most it is surely won from each place; `u32::MAX` where it is not.
    sure: Vec<u32>,
    /// How many steps it is from each place to an end.
    distances: Vec<u32>,
    analyses: Analyses,
    /// States are made where sections are entered.
    entering: bool,
    start: State,
    /// No other machine has this number.
    number: u64,
}

/// What a machine is made of.
struct Parts {
    program: Program,
    state: State,
    told: Option<Arc<Program>>,
    whole_places: Arc<[Place]>,
}

/// How play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Dead(SectionNumber),
    Won(SectionNumber),
}

/// How the situation at the start differs from that of a fresh hero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Situation {
    /// ENDURANCE now; `None`: the maximum.
    pub endurance: Option<u8>,
    /// Flags that are set.
    pub flags: Vec<usize>,
    /// What the hero's sheet says where it does not say what the book does: variables of a system of rules.
    pub values: Vec<(usize, i32)>,
    /// Which readings are not the defaults: which, and how they are read.
    pub readings: Vec<(usize, usize)>,
    /// The policy that the player follows.
    pub policy: Option<Policy>,
    /// What he need not remember: the game is kinder then. Not in a series.
    pub forgets: Vec<Forget>,
    /// What is rolled and chosen before play begins.
    pub making: Option<Making>,
    /// So much of it must be carried out of the book: who comes to its end with less has not won. Not in a series.
    pub leaving: Vec<(Made, i32)>,
    /// Whether the player is asked also where it is surely as good to be asked later: for those who do not play best.
    pub every_question: bool,
}

impl Situation {
    /// How each passage of the book is read that can be disputed.
    pub(crate) fn read_as(&self, book: &Book) -> Vec<usize> {
        let said = |own| self.readings.iter().find(|(reading, _)| *reading == own).map_or(0, |(_, value)| *value);
        (0..book.readings.len()).map(said).collect()
    }
}

impl Machine {
    /// Makes a book ready for a hero who begins in `start`; entering one of `goals` wins.
    ///
    /// # Errors
    /// When the book has more to remember than a state can hold or is too large, or the budget says stop.
    pub fn new(
        book: &Book,
        hero: &Hero,
        situation: &Situation,
        start: SectionNumber,
        goals: &[SectionNumber],
        analyses: Analyses,
        budget: &Budget<'_>,
    ) -> Result<Self, CompileError> {
        let mut starting = compile(book, hero, situation, start, goals, budget)?;
        if !situation.forgets.is_empty() {
            starting = relax(starting, &situation.forgets, budget)?;
        }
        Self::of(starting, analyses, budget)
    }

    /// A program made ready to be played.
    pub(crate) fn of(starting: Starting, analyses: Analyses, budget: &Budget<'_>) -> Result<Self, CompileError> {
        let Starting { mut program, mut state } = starting;
        debug_assert_eq!(found_wrong(&program), "");
        let registers = program.layout.registers();
        let patience = patience(&program);
        let mut whole_places = Vec::new();
        if analyses.split {
            let rows = rows(&program, &Edges::successors(&program), analyses, patience, budget)?;
            let live = |place: Place, register: Register| {
                !analyses.forget || rows[place as usize * registers + usize::from(register)] > 0
            };
            if let Some(split) = split(&program, &state, live, budget)? {
                (program, whole_places) = split;
                debug_assert_eq!(found_wrong(&program), "");
                state = state.at(program.start);
            }
        }
        let mut told = None;
        if program.sheet.stats.is_some() && analyses.merge && analyses.forget {
            let whole = program.clone();
            program = without_idle(&program, analyses, budget)?;
            debug_assert_eq!(found_wrong(&program), "");
            told = Some(Arc::new(whole));
        }
        let parts = Parts { program, state, told, whole_places: whole_places.into() };
        let machine = Self::made(parts, analyses, budget)?;
        let Some(program) = machine.with_checks() else { return Ok(machine) };
        let Self { told, whole_places, start, .. } = machine;
        Self::made(Parts { program, state: start, told, whole_places }, analyses, budget)
    }

    /// A machine for a program that is as it will be played.
    fn made(parts: Parts, analyses: Analyses, budget: &Budget<'_>) -> Result<Self, CompileError> {
        let Parts { mut program, state, told, whole_places } = parts;
        let registers = program.layout.registers();
        let patience = patience(&program);
        let told_rows = match &told {
            Some(told) => Some(rows(told, &Edges::successors(told), analyses, patience, budget)?),
            None => None,
        };
        let successors = Edges::successors(&program);
        let patience = if patience == 0 { FEW_TIMES } else { patience };
        let whole_rows = match told_rows {
            None if program.sheet.stats.is_some() => Some(rows(&program, &successors, analyses, patience, budget)?),
            told => told,
        };
        let before = successors.turned(budget)?;
        let sure =
            || if analyses.sure { sure(&program, &before, budget) } else { Ok(vec![u32::MAX; program.steps.len()]) };
        let reached = || {
            let hopeless =
                if analyses.hopeless { hopeless(&program, &before, budget)? } else { vec![false; program.steps.len()] };
            Ok((hopeless, distances(&program, &before, budget)?))
        };
        let (sure, reached): (Result<_, Stopped>, Result<_, Stopped>) = both(&program, sure, reached);
        let (sure, (hopeless, distances)) = (sure?, reached?);
        // What is surely won needs nothing.
        let goes_on = end_when_sure(&mut program, &sure);
        let winning = Edges::successors(&program);
        let needed = || {
            let rows = rows(&program, &winning, analyses, patience, budget)?;
            Ok((Kept::new(&program, analyses, &rows), rows))
        };
        let merges = analyses.merge && analyses.forget;
        let merged = || if merges { canonical(&program, budget).map(Some) } else { Ok(None) };
        let (needed, canonical): (Result<_, Stopped>, Result<_, Stopped>) = both(&program, needed, merged);
        let ((mut kept, rows), canonical) = (needed?, canonical?);
        let mut left = vec![false; program.steps.len()];
        if let Some(canonical) = canonical {
            let needed =
                |place: Place, register: Register| rows[place as usize * registers + usize::from(register)] > 0;
            left = best_left(&program, &winning.turned(budget)?, &canonical, needed, budget)?;
            kept = kept.said_to_be(&canonical);
        }
        for (place, step) in goes_on {
            program.steps[place as usize] = step;
        }
        let by_rows = || {
            let across = Across::new(&program);
            let falls = across.as_ref().map(|across| across.falls(&program)).unwrap_or_default();
            (across, falls, ranks(&program, &successors, |place| kept.place(place)), Living::new(&program, &kept))
        };
        let touches = || Touches::new(&program, &kept);
        let (touches, (across, falls, ranks, living)) = both(&program, touches, by_rows);
        let mut machine = Self {
            last_differs: Vec::new(),
            memos: Vec::new(),
            touches,
            falls,
            across,
            ranks,
            // Nothing matters any more.
            ended: if analyses.forget { State::default() } else { kept.everywhere() },
            large: program.steps.iter().map(has_large_weights).collect(),
            told_with_others: told_with_others(&program, &successors),
            living,
            program: Arc::new(program),
            told,
            whole_places,
            kept,
            whole_rows: whole_rows.map(Arc::from),
            left,
            hopeless,
            sure,
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

    /// The same game without reductions, with a state wherever a section is entered; fights to the end are one
    /// chance or go round by round.
    pub(crate) fn whole(&self, fold: bool) -> Self {
        let program = Arc::clone(self.told.as_ref().unwrap_or(&self.program));
        let places = program.steps.len();
        let kept = Kept::whole(&self.program, self.whole_rows.as_deref());
        let successors = Edges::successors(&program);
        let mut whole = Self {
            memos: Vec::new(),
            touches: Touches::new(&program, &kept),
            across: None,
            falls: Vec::new(),
            // Here no place is said to be another.
            ranks: ranks(&program, &successors, |place| place),
            ended: kept.everywhere(),
            large: program.steps.iter().map(has_large_weights).collect(),
            told_with_others: if self.told.is_some() {
                told_with_others(&program, &successors)
            } else {
                vec![false; places]
            },
            living: None,
            program,
            told: self.told.clone(),
            whole_places: Arc::clone(&self.whole_places),
            kept,
            whole_rows: self.whole_rows.clone(),
            left: vec![false; places],
            last_differs: vec![false; places],
            hopeless: vec![false; places],
            sure: vec![u32::MAX; places],
            distances: Vec::new(),
            analyses: Analyses { straight: true, fold, ..Analyses::NONE },
            entering: true,
            start: self.start,
            number: new_number(),
        };
        whole.memos = whole.remembered();
        whole
    }

    /// The same with a state wherever a section is entered.
    pub(crate) fn entering(self) -> Self {
        Self { entering: true, ..self }
    }

    /// Bytes of the program.
    pub fn bytes(&self) -> u64 {
        let bytes = |program: &Program| program.steps.iter().map(|step| step.bytes() as u64).sum::<u64>();
        bytes(&self.program) + self.told.as_ref().map_or(0, |told| bytes(told))
    }

    /// The place at which a state is in the program as it was compiled.
    pub(crate) fn place_as_compiled(&self, state: &State) -> Place {
        self.whole_places.get(state.place() as usize).copied().unwrap_or(state.place())
    }

    /// The reductions that are used.
    pub(crate) fn analyses(&self) -> Analyses {
        self.analyses
    }

    /// The situation in which play begins.
    pub(crate) fn start(&self) -> State {
        self.start
    }

    /// How many steps it is from a state to an end, if all goes that way.
    pub(crate) fn distance(&self, state: &State) -> u32 {
        if Self::end(state).is_some() { 0 } else { self.distances[state.place() as usize] }
    }

    /// The first question to the player in the section of the start; or where chance moves, or another section
    /// is entered, or play ends, before there is one.
    pub(crate) fn first_question(&self) -> State {
        let mut moves = Vec::new();
        let mut state = self.start;
        self.step(&mut state);
        self.run(state, &mut moves)
    }

    /// The next question, through any section; or where chance moves or play ends.
    pub(crate) fn first_question_from(&self, mut state: State) -> State {
        let mut moves = Vec::new();
        for _ in 0..MOST_STEPS {
            state = self.run(state, &mut moves);
            if !self.enters(&state) || Self::end(&state).is_some() {
                break;
            }
            self.step(&mut state);
        }
        state
    }

    /// Adds the one continuation that `choose` picks.
    pub(crate) fn follow_one(&self, state: &State, turn: &mut Turn<State>, choose: &dyn Fn(&State, &[Move]) -> usize) {
        BUFFERS.with_borrow_mut(|buffers| {
            if self.told_at_once() && self.is_chance(state) && !self.large[state.place() as usize] {
                // What is answered after a chance is told with it.
                let mut outcomes = std::mem::take(&mut buffers.outcomes);
                self.spread(state, buffers, &mut outcomes);
                for (_, next) in &mut outcomes {
                    *next = self.answered(*next, choose, buffers);
                }
                turn.chance(outcomes.iter().map(|(weight, next)| (*next, mdp::Weight(*weight))));
                buffers.outcomes = outcomes;
                return;
            }
            if self.go_on(state, turn, buffers) {
                return;
            }
            let mut moves = std::mem::take(&mut buffers.moves);
            moves.clear();
            self.moves(state, usize::MAX, &mut moves);
            match moves.get(choose(state, &moves)) {
                Some(answer) => turn.to(self.keep(&self.run(answer.state, &mut buffers.inner))),
                None => turn.end(0),
            }
            buffers.moves = moves;
        });
    }

    /// Where play comes to from a question, and from those after it, as `choose` answers.
    fn answered(
        &self,
        mut state: State,
        choose: &dyn Fn(&State, &[Move]) -> usize,
        buffers: &mut settled::Buffers,
    ) -> State {
        const QUESTIONS: usize = 16;
        for _ in 0..QUESTIONS {
            if !matches!(self.instruction(&state), Some(Instruction::Ask(_))) {
                break;
            }
            let mut moves = std::mem::take(&mut buffers.moves);
            moves.clear();
            self.moves(&state, usize::MAX, &mut moves);
            let answer = moves.get(choose(&state, &moves)).map(|answer| answer.state);
            buffers.moves = moves;
            match answer {
                Some(answer) => state = self.keep(&self.run(answer, &mut buffers.inner)),
                None => break,
            }
        }
        state
    }

    /// From how many steps on at most the book is surely won, if it is.
    pub(crate) fn sure(&self, state: &State) -> u32 {
        match Self::end(state) {
            Some(End::Won(_)) => 0,
            Some(End::Dead(_)) => u32::MAX,
            None => self.sure[state.place() as usize],
        }
    }

    pub(crate) fn get(&self, state: &State, register: Register) -> i32 {
        self.program.layout.get(state, register)
    }

    /// Whether a register holds in a state what play put into it, and is not forgotten.
    pub(crate) fn keeps(&self, state: &State, register: Register) -> bool {
        let mask = self.program.layout.mask(register);
        self.kept.mask(state.place()).only(&mask) == mask
    }

    /// The maximum of ENDURANCE with what he wears.
    pub(crate) fn max_endurance(&self, state: &State) -> u16 {
        let most = self.sheet(state).max_endurance.number(&self.program.layout, state);
        u16::try_from(most).unwrap_or(0)
    }

    /// In which quarter the hero's life is of what he has at the start, from 0 to 3; 3 with more, and where he has none.
    pub(crate) fn quarter_of_life(&self, state: &State) -> u8 {
        let Some(vital) = self.program.sheet.vital() else { return 3 };
        let number = |state: &State| i64::from(self.get(state, vital));
        u8::try_from((4 * number(state).max(0) / number(&self.start).max(1)).min(3)).unwrap_or(3)
    }

    /// What is kept of a state.
    #[inline]
    pub(crate) fn keep(&self, state: &State) -> State {
        match Self::end(state) {
            None if self.hopeless[state.place() as usize] => State::default().at(DEAD),
            None if self.sure[state.place() as usize] != u32::MAX => state.only(&self.ended).at(WON),
            None => self.kept.keep(state),
            Some(End::Dead(_)) if self.analyses.hopeless => State::default().at(DEAD),
            Some(End::Won(_)) if self.analyses.sure => state.only(&self.ended).at(WON),
            Some(_) => state.only(&self.ended),
        }
    }

    /// Adds to `depends` on what it depends what is kept of a state. Rows are told apart from others by whether their positions
    /// are looked at.
    #[inline]
    fn look(&self, state: &State, depends: &mut Depends) {
        if state.place() < DEAD {
            let positions = self.across.map_or_else(State::default, |across| across.mask);
            self.kept.look(state, &positions, depends);
        }
    }

    /// What is kept of a state; adds to `depends` on what that depends.
    fn keep_looking(&self, state: &State, depends: &mut Depends) -> State {
        self.look(state, depends);
        self.keep(state)
    }

    /// How play ended, if it has.
    pub(crate) fn end(state: &State) -> Option<End> {
        let section = |first: Place| state.place() - first;
        match state.place() {
            WON.. => Some(End::Won(section(WON))),
            DEAD.. => Some(End::Dead(section(DEAD))),
            _ => None,
        }
    }

    /// Whether play is over and won.
    pub(crate) fn is_won(state: &State) -> bool {
        matches!(Self::end(state), Some(End::Won(_)))
    }

    /// The section in which a state is.
    pub fn section(&self, state: &State) -> SectionNumber {
        match Self::end(state) {
            Some(End::Dead(section) | End::Won(section)) => section,
            None => self.program.sections[state.place() as usize],
        }
    }

    /// Whether a state lies just where its section is entered.
    pub(crate) fn enters(&self, state: &State) -> bool {
        matches!(self.instruction(state), Some(Instruction::Enter { .. }))
    }

    /// The step at which a state is; `None` when play is over.
    pub(crate) fn instruction(&self, state: &State) -> Option<&Instruction> {
        self.program.steps.get(state.place() as usize)
    }
}

/// What is wrong with a program that is not too large to be looked through in builds without optimisation.
fn found_wrong(program: &Program) -> String {
    const MOST_STEPS: usize = 1 << 16;
    if program.steps.len() <= MOST_STEPS { verify(program) } else { String::new() }
}

/// How often what is needed at a place may grow before it is needed whole.
fn patience(program: &Program) -> u32 {
    // The loops of fights that are told round by round grow for long, and little is won by it.
    if program.sheet.stats.is_some() { 0 } else { u32::MAX }
}

/// In the loops of a system of rules numbers are told apart as far as they are after so many looks.
const FEW_TIMES: u32 = 6;

fn new_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}
