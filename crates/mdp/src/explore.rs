//! From rules to a state space: every state that can be reached, breadth first.
//!
//! The states waiting to be expanded are cut into pieces that threads expand side by side; what
//! they found is then joined in the order of the pieces. So a state's number depends on the rules
//! only, not on the number of threads nor on who was faster.

use std::fmt;

use budget::{Budget, Progress, Stage, Stopped};
use dashu_int::UBig;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use crate::distribution::{Distribution, SharedWeights};
use crate::game::{Game, Turn, Weights};
use crate::model::{CHANCE, Code, FINAL, KIND, LOW, REWARD, SHARED, StateId, id};
use crate::order::{self, order};
use crate::rational::Rational;
use crate::space::{StateSpace, hash_of};
use crate::weights::{CERTAIN, TooManyWeights, WeightTable, WeightsId};

/// How to [`explore`].
///
/// ```
/// use budget::{Budget, Limits};
/// use mdp::ExploreOptions;
///
/// let budget = Budget::new(Limits { max_states: 1_000_000, ..Limits::default() });
/// let options = ExploreOptions::default().with_budget(&budget).with_threads(1);
/// assert_eq!(options.threads, Some(1));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ExploreOptions<'a> {
    /// What it may use, and who watches; `None` for a budget of its own with the default limits.
    pub budget: Option<&'a Budget<'a>>,
    /// How many threads; `None` for one on each core. The result is the same.
    pub threads: Option<usize>,
}

impl<'a> ExploreOptions<'a> {
    /// The same within this budget.
    #[must_use]
    pub fn with_budget(self, budget: &'a Budget<'a>) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The same with so many threads, at least 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: Some(threads), ..self }
    }
}

/// Why a game could not be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// The budget said stop.
    Stopped(Stopped),
    /// The game has no start.
    NoStart,
    /// The rules of a state say neither a payoff nor a choice.
    NoRules {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A choice is left to a chance in which nothing can happen.
    NothingCanHappen {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A choice has not as many outcomes as weights.
    UnequalOutcomes {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// The rules of a state say both a payoff and a choice.
    OverAndNotOver {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A choice earns a negative reward, or several.
    BadReward {
        /// The state, as `Debug` writes it.
        state: String,
    },
    /// A finished state pays another number of payoffs than the others.
    UnequalPayoffs {
        /// How many the others pay.
        expected: usize,
        /// How many this one pays.
        found: usize,
    },
    /// More states than have numbers (2^32 - 2), or more different weight vectors, payoffs or shared chance
    /// nodes (2^30).
    TooLarge,
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::NoStart => f.write_str("the game has no start"),
            Self::NoRules { state } => write!(f, "a state has neither a payoff nor a choice ({state})"),
            Self::NothingCanHappen { state } => write!(f, "a choice is left to a chance of no outcomes ({state})"),
            Self::UnequalOutcomes { state } => {
                write!(f, "a choice has not as many outcomes as there are weights ({state})")
            }
            Self::OverAndNotOver { state } => write!(f, "a state has both a payoff and choices ({state})"),
            Self::BadReward { state } => write!(f, "a choice earns less than nothing, or twice ({state})"),
            Self::UnequalPayoffs { expected, found } => {
                write!(f, "a finished state pays {found} payoffs where others pay {expected}")
            }
            Self::TooLarge => f.write_str(
                "more than 2^32 - 2 states, or than 2^30 different weight vectors, payoffs or shared chance nodes",
            ),
        }
    }
}

impl std::error::Error for ExploreError {}

impl From<Stopped> for ExploreError {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<TooManyWeights> for ExploreError {
    fn from(_: TooManyWeights) -> Self {
        Self::TooLarge
    }
}

/// Finds every state of `game` that can be reached from its starts, and puts them into solving
/// order.
///
/// # Errors
/// When the budget says stop ([`ExploreError::Stopped`], which says how far it came), or when the rules
/// contradict themselves.
pub fn explore<G: Game>(game: &G, options: &ExploreOptions<'_>) -> Result<StateSpace<G::State>, ExploreError> {
    let own = Budget::default();
    let budget = options.budget.unwrap_or(&own);
    in_pool(options.threads, |threads| {
        let mut explorer = Explorer::new(game, budget);
        explorer.enter_starts()?;
        if threads == 1 {
            explorer.expand_alone()?;
        } else {
            explorer.expand_together(threads)?;
        }
        explorer.finish()
    })
}

/// Runs `work` with that many threads for everything in it that runs side by side.
pub(crate) fn in_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    let threads = threads.map_or_else(rayon::current_num_threads, |threads| threads.clamp(1, 1024));
    if threads == rayon::current_num_threads() {
        return work(threads);
    }
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(|| work(threads)),
        // Threads that the system does not give change nothing but the time.
        Err(_) => work(rayon::current_num_threads()),
    }
}

/// The states that have numbers: the last number means none.
const MOST_STATES: u64 = u32::MAX as u64 - 1;
/// Characters of a state in an error.
const LONGEST_STATE: usize = 500;
/// States that a thread expands between two looks at the limits. Many enough to make joining cheap,
/// few enough to keep all threads at work.
const BATCH: usize = 1 << 13;
/// Words that all threads may find between two looks at the limits, if the states to come are like
/// those before.
const BATCH_WORDS: usize = 1 << 22;
/// Words that one thread alone finds before it appends them: few enough to stay in the cache.
const PIECE_WORDS: usize = 1 << 12;

struct Explorer<'a, G: Game> {
    game: &'a G,
    budget: &'a Budget<'a>,
    states: Vec<G::State>,
    index: HashTable<StateId>,
    code: Code,
    nodes: SharedNodes,
    shared_weights: KnownWeights,
    starts: Vec<Distribution<StateId>>,
}

/// The numbers of weights that the game shares among its choices, by where they are in memory.
/// Copies are kept, so that nothing else can come to the same place.
#[derive(Default)]
struct KnownWeights(FxHashMap<usize, (WeightsId, SharedWeights)>);

impl KnownWeights {
    #[inline]
    fn get(&self, weights: &SharedWeights) -> Option<WeightsId> {
        self.0.get(&weights.address()).map(|(id, _)| *id)
    }

    fn intern(&mut self, weights: &SharedWeights, table: &mut WeightTable) -> Result<WeightsId, TooManyWeights> {
        if let Some(id) = self.get(weights) {
            return Ok(id);
        }
        let id = table.intern_large(weights.weights())?;
        self.0.insert(weights.address(), (id, weights.clone()));
        Ok(id)
    }
}

/// What one thread found in a piece: words in which some numbers are still open.
struct Piece<S, A> {
    words: Vec<u32>,
    /// Where each state's words end.
    ends: Vec<u32>,
    /// States that had no number yet, and the words to put it in.
    new_states: Vec<(S, u64, u32)>,
    new_weights: Vec<(Vec<u64>, u32)>,
    new_large_weights: Vec<(Vec<UBig>, u32)>,
    new_shared_weights: Vec<(SharedWeights, u32)>,
    new_payoffs: Vec<(Vec<Rational>, u32)>,
    new_rewards: Vec<(Rational, u32)>,
    error: Option<ExploreError>,
    /// Whether it stopped before the last of its states.
    unfinished: bool,
    turn: Turn<S, A>,
    scratch: Scratch,
}

#[derive(Default)]
struct Scratch {
    hashes: Vec<u64>,
    weights: Vec<u64>,
    large: Vec<UBig>,
    kept: Vec<u32>,
    order: Vec<u32>,
}

impl<S, A> Default for Piece<S, A> {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            ends: Vec::new(),
            new_states: Vec::new(),
            new_weights: Vec::new(),
            new_large_weights: Vec::new(),
            new_shared_weights: Vec::new(),
            new_payoffs: Vec::new(),
            new_rewards: Vec::new(),
            error: None,
            unfinished: false,
            turn: Turn::new(),
            scratch: Scratch::default(),
        }
    }
}

impl<'a, G: Game> Explorer<'a, G> {
    fn new(game: &'a G, budget: &'a Budget<'a>) -> Self {
        Self {
            game,
            budget,
            states: Vec::new(),
            index: HashTable::new(),
            code: Code { offsets: vec![0], ..Code::default() },
            nodes: SharedNodes::default(),
            shared_weights: KnownWeights::default(),
            starts: Vec::new(),
        }
    }

    fn enter_starts(&mut self) -> Result<(), ExploreError> {
        let starts = self.game.starts();
        if starts.is_empty() {
            return Err(ExploreError::NoStart);
        }
        for start in starts {
            let numbers = start.map(|state| number(&mut self.states, &mut self.index, state.clone(), hash_of(state)));
            self.starts.push(numbers.merge());
        }
        Ok(())
    }

    fn expanded(&self) -> usize {
        self.code.offsets.len() - 1
    }

    /// The same work as [`expand_together`](Self::expand_together) without joining: with one
    /// thread a new state can have its number at once.
    fn expand_alone(&mut self) -> Result<(), ExploreError> {
        let mut piece = Piece::default();
        while self.expanded() < self.states.len() {
            self.check_limits(Stage::Exploring)?;
            let last = self.states.len().min(self.expanded() + self.batch(1));
            let most_words = self.code.words.len() + BATCH_WORDS;
            while self.expanded() < last && self.code.words.len() < most_words {
                let first = self.expanded();
                piece.clear();
                for expanded in first..last {
                    if piece.words.len() > PIECE_WORDS {
                        break;
                    }
                    piece.turn.clear();
                    self.game.rules(&self.states[expanded], &mut piece.turn);
                    let Self { states, index, code, shared_weights, .. } = self;
                    let encoded =
                        piece.encode(code, shared_weights, |state, hash, _| number(states, index, state, hash));
                    encoded.map_err(|error| with_state(error, &self.states[expanded]))?;
                }
                self.join(&mut piece, first)?;
            }
        }
        Ok(())
    }

    /// How many states to expand before the next look at the limits: fewer when they have many
    /// outcomes.
    fn batch(&self, threads: usize) -> usize {
        let words = self.code.words.len() / self.expanded().max(1) + 1;
        (BATCH_WORDS / words).clamp(1, threads * BATCH)
    }

    fn expand_together(&mut self, threads: usize) -> Result<(), ExploreError> {
        let mut pieces: Vec<Piece<G::State, G::Action>> = (0..4 * threads).map(|_| Piece::default()).collect();
        while self.expanded() < self.states.len() {
            self.check_limits(Stage::Exploring)?;
            let first = self.expanded();
            let last = self.states.len().min(first + self.batch(threads));
            let size = (last - first).div_ceil(pieces.len());
            let most_words = BATCH_WORDS / pieces.len();
            let (game, states, index) = (self.game, &self.states, &self.index);
            let (code, shared) = (&self.code, &self.shared_weights);
            pieces.par_iter_mut().zip(states[first..last].par_chunks(size)).for_each(|(piece, chunk)| {
                piece.clear();
                for state in chunk {
                    // The states are no longer like those before: the rest comes later.
                    if piece.words.len() > most_words {
                        piece.unfinished = true;
                        break;
                    }
                    if let Err(error) = piece.expand(game, state, states, index, code, shared) {
                        piece.error = Some(error);
                        break;
                    }
                }
            });
            let used = (last - first).div_ceil(size);
            for (place, piece) in pieces[..used].iter_mut().enumerate() {
                self.join(piece, first + place * size)?;
                if piece.unfinished {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Gives what a piece left open its numbers and appends its words.
    fn join(&mut self, piece: &mut Piece<G::State, G::Action>, first: usize) -> Result<(), ExploreError> {
        for (state, hash, word) in piece.new_states.drain(..) {
            piece.words[word as usize] = number(&mut self.states, &mut self.index, state, hash);
        }
        for (weights, word) in piece.new_weights.drain(..) {
            piece.words[word as usize] = self.code.weights.intern(&weights)?;
        }
        for (weights, word) in piece.new_large_weights.drain(..) {
            piece.words[word as usize] = self.code.weights.intern_large(&weights)?;
        }
        for (weights, word) in piece.new_shared_weights.drain(..) {
            piece.words[word as usize] = self.shared_weights.intern(&weights, &mut self.code.weights)?;
        }
        for (payoff, word) in piece.new_payoffs.drain(..) {
            let expected = self.code.payoffs.lists().first().map_or(payoff.len(), Vec::len);
            if payoff.len() != expected {
                return Err(ExploreError::UnequalPayoffs { expected, found: payoff.len() });
            }
            let id = self.code.payoffs.intern(&payoff);
            if id > LOW {
                return Err(ExploreError::TooLarge);
            }
            piece.words[word as usize] = FINAL | id;
        }
        for (reward, word) in piece.new_rewards.drain(..) {
            let id = self.code.rewards.intern(&reward);
            if id > LOW {
                return Err(ExploreError::TooLarge);
            }
            piece.words[word as usize] = REWARD | id;
        }
        let mut begin = 0;
        for (place, end) in piece.ends.iter().enumerate() {
            let run = &piece.words[begin as usize..*end as usize];
            self.nodes.append((first + place) as StateId, run, &mut self.code)?;
            self.code.offsets.push(self.code.words.len() as u64);
            begin = *end;
        }
        piece.error.take().map_or(Ok(()), Err)
    }

    fn memory(&self) -> u64 {
        (self.states.capacity() * size_of::<G::State>() + self.index.allocation_size()) as u64
            + self.code.bytes()
            + self.nodes.bytes()
    }

    /// What it takes to finish from here without finding another state.
    fn memory_to_order(&self) -> u64 {
        let states = self.states.len() as u64;
        let renumbering = states * (order::BYTES_PER_STATE + 8) + self.code.words.len() as u64 * 4;
        renumbering.max(states * size_of::<G::State>() as u64)
    }

    fn progress(&self, stage: Stage) -> Progress {
        Progress {
            stage,
            done: self.states.len() as u64,
            waiting: (self.states.len() - self.expanded()) as u64,
            memory: self.memory(),
        }
    }

    fn check_limits(&self, stage: Stage) -> Result<(), ExploreError> {
        let progress = self.progress(stage);
        self.budget.advance(progress)?;
        self.budget.states(progress.done)?;
        if progress.done > MOST_STATES {
            return Err(ExploreError::TooLarge);
        }
        // Growing doubles an array: the largest step that can come before the next look.
        let words = self.code.words.capacity() * 4;
        let growth = if stage == Stage::Exploring {
            words.max(self.states.capacity() * size_of::<G::State>()).max(self.index.allocation_size()) as u64
        } else {
            0
        };
        // What the whole process uses may be more than what is counted here.
        self.budget.more_memory(if stage == Stage::Exploring { growth } else { self.memory_to_order() })?;
        Ok(self.budget.memory(progress.memory + self.memory_to_order().max(growth))?)
    }

    fn finish(mut self) -> Result<StateSpace<G::State>, ExploreError> {
        self.nodes = SharedNodes::default();
        self.code.words.shrink_to_fit();
        self.check_limits(Stage::Ordering)?;
        let Self { mut states, mut index, code, mut starts, budget, .. } = self;
        let (model, numbers) = order(code, budget)?;
        if let Some(numbers) = numbers {
            states = order::inverse(&numbers).into_iter().map(|old| states[old as usize].clone()).collect();
            for number in &mut index {
                *number = numbers[*number as usize];
            }
            for start in &mut starts {
                *start = start.map(|state| numbers[*state as usize]);
            }
        }
        Ok(StateSpace { states, index, model, starts })
    }
}

/// The number of a state, the next free one if it is new.
#[inline]
fn number<S: Clone + Eq + Hash>(states: &mut Vec<S>, index: &mut HashTable<StateId>, state: S, hash: u64) -> StateId {
    if index.len() == index.capacity() {
        // Filled anew in the order of the states: faster than moving the entries of the old table,
        // and never both in memory.
        *index = HashTable::new();
        *index = HashTable::with_capacity(2 * states.len().max(1 << 10));
        for (number, state) in (0..).zip(states.iter()) {
            index.insert_unique(hash_of(state), number, |known| hash_of(&states[*known as usize]));
        }
    }
    match index.entry(hash, |known| states[*known as usize] == state, |known| hash_of(&states[*known as usize])) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(free) => {
            // The limit on states is looked at long before the numbers run out.
            let new = states.len() as StateId;
            free.insert(new);
            states.push(state);
            new
        }
    }
}

impl<S: Clone + fmt::Debug + Eq + Hash, A> Piece<S, A> {
    fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.new_states.clear();
        self.new_weights.clear();
        self.new_large_weights.clear();
        self.new_shared_weights.clear();
        self.new_payoffs.clear();
        self.new_rewards.clear();
        self.unfinished = false;
    }

    /// Appends the words of one state; what has no number yet is noted.
    fn expand<G: Game<State = S, Action = A>>(
        &mut self,
        game: &G,
        state: &S,
        states: &[S],
        index: &HashTable<StateId>,
        code: &Code,
        shared: &KnownWeights,
    ) -> Result<(), ExploreError> {
        self.turn.clear();
        game.rules(state, &mut self.turn);
        let mut new_states = std::mem::take(&mut self.new_states);
        let resolve = |target: S, hash, word| match index.find(hash, |known| states[*known as usize] == target) {
            Some(known) => *known,
            None => {
                new_states.push((target, hash, word));
                0
            }
        };
        let encoded = self.encode(code, shared, resolve);
        self.new_states = new_states;
        encoded.map_err(|error| with_state(error, state))
    }

    /// Turns what was said of a state into words. `resolve` gives a next state its number, or
    /// notes that the word at this place waits for one.
    fn encode(
        &mut self,
        code: &Code,
        shared: &KnownWeights,
        mut resolve: impl FnMut(S, u64, u32) -> StateId,
    ) -> Result<(), ExploreError> {
        let Self { words, turn, scratch, .. } = self;
        match (turn.payoff.is_empty(), turn.choices.is_empty()) {
            (true, true) => return Err(ExploreError::NoRules { state: String::new() }),
            (false, false) => return Err(ExploreError::OverAndNotOver { state: String::new() }),
            (false, true) if !turn.rewards.is_empty() => {
                return Err(ExploreError::BadReward { state: String::new() });
            }
            (false, true) => {
                match code.payoffs.find(&turn.payoff) {
                    Some(id) => words.push(FINAL | id),
                    None => {
                        self.new_payoffs.push((turn.payoff.clone(), id(words.len())));
                        words.push(FINAL);
                    }
                }
                self.ends.push(id(words.len()));
                return Ok(());
            }
            (true, false) => {}
        }
        if turn.empty_chance {
            return Err(ExploreError::NothingCanHappen { state: String::new() });
        }
        if turn.unequal {
            return Err(ExploreError::UnequalOutcomes { state: String::new() });
        }
        let mut begin = 0;
        let mut rewards = turn.rewards.iter().peekable();
        for (number, choice) in turn.choices.iter().enumerate() {
            let states = &turn.states[begin..choice.states];
            begin = choice.states;
            if let Some((_, reward)) = rewards.next_if(|(of, _)| *of == number) {
                if *reward < Rational::ZERO || rewards.next_if(|(of, _)| *of == number).is_some() {
                    return Err(ExploreError::BadReward { state: String::new() });
                }
                if let Some(id) = code.rewards.find(reward) {
                    words.push(REWARD | id);
                } else {
                    self.new_rewards.push((reward.clone(), id(words.len())));
                    words.push(REWARD);
                }
            }
            if states.len() == 1 {
                words.push(CHANCE | CERTAIN);
                let word = id(words.len());
                words.push(resolve(states[0].clone(), hash_of(&states[0]), word));
                continue;
            }
            scratch.merge(states, choice.weights, turn);
            let header = id(words.len());
            words.push(CHANCE | CERTAIN);
            if scratch.kept.len() > 1 {
                if let (Weights::Shared(place), true) = (choice.weights, scratch.large.is_empty()) {
                    let weights = &turn.shared[place];
                    match shared.get(weights) {
                        Some(id) => words[header as usize] = CHANCE | id,
                        None => self.new_shared_weights.push((weights.clone(), header)),
                    }
                } else if !scratch.large.is_empty() {
                    self.new_large_weights.push((scratch.large.clone(), header));
                } else if let Some(id) = code.weights.find(&scratch.weights) {
                    words[header as usize] = CHANCE | id;
                } else {
                    self.new_weights.push((scratch.weights.clone(), header));
                }
            }
            for kept in &scratch.kept {
                let word = id(words.len());
                words.push(resolve(states[*kept as usize].clone(), scratch.hashes[*kept as usize], word));
            }
        }
        if rewards.next().is_some() {
            return Err(ExploreError::BadReward { state: String::new() });
        }
        self.ends.push(id(words.len()));
        Ok(())
    }
}

/// Names the state in an error that has none yet.
fn with_state<S: fmt::Debug>(error: ExploreError, state: &S) -> ExploreError {
    let state = || format!("{state:?}").chars().take(LONGEST_STATE).collect();
    match error {
        ExploreError::NoRules { .. } => ExploreError::NoRules { state: state() },
        ExploreError::NothingCanHappen { .. } => ExploreError::NothingCanHappen { state: state() },
        ExploreError::UnequalOutcomes { .. } => ExploreError::UnequalOutcomes { state: state() },
        ExploreError::BadReward { .. } => ExploreError::BadReward { state: state() },
        ExploreError::OverAndNotOver { .. } => ExploreError::OverAndNotOver { state: state() },
        other => other,
    }
}

impl Scratch {
    /// Finds the different states of a chance node (`kept`, in order of first appearance) and the
    /// weight of each (`weights`, or `large` where they do not fit 64 bits; neither for shared weights
    /// of states that are all different).
    fn merge<S: Eq + Hash, A>(&mut self, states: &[S], weights: Weights, turn: &Turn<S, A>) {
        /// Up to here comparing all pairs is faster than sorting.
        const FEW: usize = 24;
        self.hashes.clear();
        self.hashes.extend(states.iter().map(hash_of));
        self.kept.clear();
        self.weights.clear();
        self.large.clear();
        if states.len() > FEW {
            self.order.clear();
            self.order.extend(0..states.len() as u32);
            let hashes = &self.hashes;
            self.order.sort_unstable_by_key(|place| (hashes[*place as usize], *place));
        }
        // Where each state stands in `kept` already.
        let known = |scratch: &Self, place: usize| {
            let hash = scratch.hashes[place];
            let same = |other: u32| scratch.hashes[other as usize] == hash && states[other as usize] == states[place];
            if states.len() > FEW {
                // Of equal states the first is the lowest of those with the same hash.
                let run = scratch.order.partition_point(|other| scratch.hashes[*other as usize] < hash);
                scratch.order[run..]
                    .iter()
                    .take_while(|other| scratch.hashes[**other as usize] == hash)
                    .find(|other| same(**other))
                    .filter(|other| (**other as usize) < place)
                    .and_then(|first| scratch.kept.binary_search(first).ok())
            } else {
                scratch.kept.iter().position(|other| same(*other))
            }
        };
        match weights {
            Weights::Certain => self.kept.push(0),
            Weights::Small(first) => {
                let small = &turn.weights[first..first + states.len()];
                // The most common of all nodes.
                if let [a, b] = states
                    && a != b
                {
                    self.kept.extend([0, 1]);
                    self.weights.extend_from_slice(small);
                    return;
                }
                for (place, weight) in small.iter().enumerate() {
                    match known(self, place) {
                        Some(known) => match self.weights[known].checked_add(*weight) {
                            Some(sum) => self.weights[known] = sum,
                            None => return self.merge_large(states, small),
                        },
                        None => {
                            self.kept.push(place as u32);
                            self.weights.push(*weight);
                        }
                    }
                }
            }
            Weights::Large(_) | Weights::Shared(_) => {
                let (large, shared) = match weights {
                    Weights::Shared(place) => (turn.shared[place].weights(), true),
                    Weights::Large(place) => (&turn.large[place][..], false),
                    Weights::Certain | Weights::Small(_) => (&[][..], false),
                };
                for (place, weight) in large.iter().enumerate() {
                    match known(self, place) {
                        Some(known) => {
                            // All before this one are different.
                            let before = self.large.len()..self.kept.len();
                            self.large.extend(before.map(|place| large[place].clone()));
                            self.large[known] += weight;
                        }
                        None => {
                            self.kept.push(place as u32);
                            if !shared || !self.large.is_empty() {
                                self.large.push(weight.clone());
                            }
                        }
                    }
                }
            }
        }
    }

    /// The rare case in which a sum of 64-bit weights needs more bits.
    #[cold]
    fn merge_large<S: Eq>(&mut self, states: &[S], weights: &[u64]) {
        let mut places: HashTable<u32> = HashTable::new();
        self.kept.clear();
        self.weights.clear();
        self.large.clear();
        let hashes = &self.hashes;
        for (place, state) in states.iter().enumerate() {
            let weight = UBig::from(weights[place]);
            let kept = &self.kept;
            let same = |known: &u32| states[kept[*known as usize] as usize] == *state;
            match places.entry(hashes[place], same, |known| hashes[kept[*known as usize] as usize]) {
                Entry::Occupied(known) => self.large[*known.get() as usize] += weight,
                Entry::Vacant(free) => {
                    free.insert(self.large.len() as u32);
                    self.kept.push(place as u32);
                    self.large.push(weight);
                }
            }
        }
    }
}

/// Finds chance nodes that stand in the stream already.
///
/// A game without any is not made to pay for the search: it is given up when it finds too little.
/// That depends on the nodes seen so far and on nothing else.
#[derive(Debug, Default)]
struct SharedNodes {
    /// Every node: its state, where it stands in the state's run, and its number once shared.
    nodes: Vec<(StateId, u32, u32)>,
    hashes: Vec<u64>,
    known: HashTable<u32>,
    /// How often an equal node was found.
    found: usize,
    given_up: bool,
}

const NOT_SHARED: u32 = u32::MAX;
/// The search is judged whenever the nodes have doubled from here.
const TRIAL: usize = 1 << 16;
/// It goes on while at least one node in so many is shared.
const WORTH: usize = 16;

impl SharedNodes {
    fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<(StateId, u32, u32)>() + self.hashes.capacity() * 8;
        (nodes + self.known.allocation_size()) as u64
    }

    /// Appends a state's run, with a pointer in place of every chance node that stands elsewhere.
    fn append(&mut self, state: StateId, run: &[u32], code: &mut Code) -> Result<(), ExploreError> {
        if self.given_up {
            code.words.extend_from_slice(run);
            return Ok(());
        }
        let start = code.words.len();
        let mut rest = run;
        let mut rewarded = false;
        while let Some(&header) = rest.first() {
            let length = if header & KIND == CHANCE { 1 + code.weights.count(header) } else { 1 };
            let (node, after) = rest.split_at(length);
            rest = after;
            // A reward stands directly before the chance node of its choice.
            if length <= 2 || std::mem::take(&mut rewarded) {
                rewarded = header & KIND == REWARD;
                code.words.extend_from_slice(node);
                continue;
            }
            let delta = (code.words.len() - start) as u32;
            match self.number(state, delta, start, node, code) {
                None => code.words.extend_from_slice(node),
                Some(place) => {
                    let (owner, delta, shared) = &mut self.nodes[place as usize];
                    if *shared == NOT_SHARED {
                        *shared = code.shared.len() as u32;
                        if *shared > LOW {
                            return Err(ExploreError::TooLarge);
                        }
                        code.shared.push((*owner, *delta));
                    }
                    code.words.push(SHARED | *shared);
                }
            }
        }
        Ok(())
    }

    /// The place in `nodes` of an equal node, or nothing if it is the first of its kind.
    fn number(&mut self, state: StateId, delta: u32, start: usize, node: &[u32], code: &Code) -> Option<u32> {
        let run_of = |(owner, delta, _): (StateId, u32, u32)| {
            let begin = if owner == state { start } else { code.offsets[owner as usize] as usize };
            &code.words[begin + delta as usize..]
        };
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        let hash = hasher.finish();
        if self.known.len() == self.known.capacity() {
            // Filled anew in the order of the nodes: faster than moving the entries of the old table.
            self.known = HashTable::new();
            self.known = HashTable::with_capacity(2 * self.hashes.len().max(1 << 10));
            for (place, hash) in (0..).zip(&self.hashes) {
                self.known.insert_unique(*hash, place, |known| self.hashes[*known as usize]);
            }
        }
        let Self { nodes, hashes, known, .. } = self;
        let entry = known.entry(
            hash,
            |place| hashes[*place as usize] == hash && run_of(nodes[*place as usize]).starts_with(node),
            |place| hashes[*place as usize],
        );
        match entry {
            Entry::Occupied(known) => {
                self.found += 1;
                Some(*known.get())
            }
            Entry::Vacant(free) => {
                free.insert(nodes.len() as u32);
                nodes.push((state, delta, NOT_SHARED));
                hashes.push(hash);
                if self.nodes.len() >= TRIAL && self.nodes.len().is_power_of_two() {
                    self.given_up = self.found < self.nodes.len() / WORTH;
                    if self.given_up {
                        *self = Self { given_up: true, ..Self::default() };
                    }
                }
                None
            }
        }
    }
}
