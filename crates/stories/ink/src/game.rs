//! The running story as a game of one player against chance.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use mdp::{Dice, Distribution, Game, Turn, Weight};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::goal::{Goal, WIN};
use crate::runner::{Broken, Runner, Step, StepLimits};
use crate::situation::{Piece, Pieces, Store, choice_path, saved, situation, texts};
use crate::story::{Rendering, Story};

/// The message to a player where a step is not followed.
const CUT: &str = "this way is not followed: it depends on what the runtime does not keep as ink does";

/// How the story ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// The name in a tag `# ending: NAME` before the end; otherwise the knot or stitch in which it ended, or
    /// [`TOP`](crate::TOP).
    pub name: String,
    /// Whether the goal was attained.
    pub won: bool,
}

/// Why and where a story breaks off: a mistake of its author, or a limit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fault {
    /// What happened.
    pub message: String,
    /// The knot or stitch in which it happened, or [`TOP`](crate::TOP).
    pub place: String,
}

/// A state of a story. Its numbers are those of the game that created it, and have no meaning for another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Before the first word.
    Start,
    /// Play passes these knots on the way to another state.
    Passing(u32, Box<State>),
    /// The story asks for a choice.
    Asking(Situation),
    /// It has ended.
    Ended(u32),
    /// It has broken off.
    Broken(u32),
    /// Not followed: chance has too many ways to the next choice, or a variable leads to where the runtime counts visits
    /// otherwise than ink does.
    Cut,
}

/// A state in which the story asks for a choice, reduced to what can still matter.
#[derive(Clone, Debug)]
pub struct Situation {
    /// What can still matter.
    key: Pieces,
    /// What can only change words: that of the play that came here first.
    words: Pieces,
}

impl PartialEq for Situation {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Situation {}

impl Hash for Situation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Situation {
    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        (self.key.len() + self.words.len()) as u64 * 4
    }

    fn pieces(&self) -> impl Iterator<Item = u32> + '_ {
        self.key.iter().chain(self.words.iter()).copied()
    }
}

/// A choice in a state, and its outcomes.
#[derive(Debug)]
pub(crate) struct Move<T = State> {
    /// The text of the choice; `None` if there is none to make.
    pub(crate) text: Option<String>,
    /// Its targets, with weights.
    pub(crate) outcomes: Vec<(T, u128)>,
}

/// A story as a game: choices are named by their texts; an end that attains the goal pays 1, every other end and every
/// fault 0.
#[derive(Debug)]
pub struct InkGame {
    story: Story,
    /// Whether it is run for its texts, or for its odds.
    with_texts: bool,
    limits: StepLimits,
    store: Store,
    endings: Register<Ending>,
    faults: Register<Fault>,
    passed: Register<Vec<u32>>,
}

/// Values with numbers, in the order of insertion.
#[derive(Debug)]
struct Register<T>(RwLock<(FxHashMap<T, u32>, Vec<T>)>);

impl<T: Clone + Eq + Hash> Register<T> {
    fn new() -> Self {
        Self(RwLock::default())
    }

    fn number(&self, thing: T) -> u32 {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let (numbers, things) = &mut *known;
        *numbers.entry(thing).or_insert_with_key(|thing| {
            things.push(thing.clone());
            u32::try_from(things.len() - 1).expect("memory ends before that")
        })
    }

    fn get(&self, number: u32) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).1.get(number as usize).cloned()
    }
}

thread_local! {
    /// The runtime cannot be sent to another thread: each thread has one, of the story that it used last.
    static RUNNER: RefCell<Option<((u64, bool), Runner)>> = const { RefCell::new(None) };
}

impl InkGame {
    /// The game of a story, in which what only changes words does not count.
    pub fn new(story: &Story, limits: StepLimits) -> Self {
        Self::of(story, false, limits)
    }

    /// The game of a story with all its texts.
    pub(crate) fn with_texts(story: &Story, limits: StepLimits) -> Self {
        Self::of(story, true, limits)
    }

    fn of(story: &Story, with_texts: bool, limits: StepLimits) -> Self {
        Self {
            story: story.clone(),
            with_texts,
            limits,
            store: Store::default(),
            endings: Register::new(),
            faults: Register::new(),
            passed: Register::new(),
        }
    }

    /// The story.
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// How a state has ended; `None` if it has not.
    pub fn ending(&self, state: &State) -> Option<Ending> {
        match state {
            State::Ended(number) => self.endings.get(*number),
            _ => None,
        }
    }

    /// Why a state has broken off; `None` if it has not.
    pub fn fault(&self, state: &State) -> Option<Fault> {
        match state {
            State::Broken(number) => self.faults.get(*number),
            _ => None,
        }
    }

    /// The numbers of the knots that play passes in a state, in the order of [`Story::knots`].
    pub(crate) fn passed(&self, state: &State) -> Vec<u32> {
        match state {
            State::Passing(number, _) => self.passed.get(*number).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Bytes in use for the pieces of situations.
    pub(crate) fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    /// The knot or stitch in which the choices of a state are written.
    pub(crate) fn place(&self, state: &State) -> String {
        let State::Asking(situation) = state else { return crate::TOP.to_owned() };
        let path = choice_path(&self.store.pieces(situation.pieces()));
        self.story.inner.place_name(&path.unwrap_or_default())
    }

    /// The choices of a state; empty where play has ended.
    pub(crate) fn moves(&self, state: &State) -> Vec<Move> {
        self.moves_with(state, |_, state| state)
    }

    /// The choices of a state, with targets made of the text that leads to them and their states.
    pub(crate) fn moves_with<T: Clone + Eq + Hash>(
        &self,
        state: &State,
        target: impl Fn(&str, State) -> T,
    ) -> Vec<Move<T>> {
        match state {
            State::Start => vec![Move { text: None, outcomes: self.outcomes(None, &[], &target) }],
            State::Passing(_, next) => vec![Move { text: None, outcomes: vec![(target("", (**next).clone()), 1)] }],
            State::Asking(situation) => {
                let pieces = self.store.pieces(situation.pieces());
                let state = saved(&pieces);
                let moves = texts(&pieces).enumerate().map(|(choice, text)| Move {
                    text: Some(text.to_owned()),
                    outcomes: self.outcomes(Some((&state, choice)), &pieces, &target),
                });
                moves.collect()
            }
            State::Ended(_) | State::Broken(_) | State::Cut => Vec::new(),
        }
    }

    /// The texts of the choices of a state.
    pub(crate) fn choices(&self, state: &State) -> Vec<String> {
        match state {
            State::Asking(situation) => texts(&self.store.pieces(situation.pieces())).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }

    /// One step by a choice, if there is one to make, with these outcomes of draws: its text, and the state after it.
    pub(crate) fn played(&self, state: &State, choice: usize, roll: &mut dyn FnMut(u32) -> u32) -> (String, State) {
        let (text, next) = self.stepped(state, choice, |runner, from| {
            let mut answers = Vec::new();
            loop {
                let (step, asked) = runner.step(from, &answers, self.limits);
                // Each draw is known only after those before it.
                match asked.get(answers.len()) {
                    Some(next) => answers.push(roll(*next)),
                    None => return step,
                }
            }
        });
        // The player gets a message that it does not go on.
        let next = if next == State::Cut { self.fault_state(CUT.to_owned(), "") } else { next };
        (text, next)
    }

    /// The same with dice, and with the knots on the way to the state.
    pub(crate) fn rolled(&self, state: &State, choice: usize, dice: &mut Dice) -> State {
        self.stepped(state, choice, |runner, from| runner.rolled(from, dice, self.limits)).1
    }

    fn stepped(
        &self,
        state: &State,
        choice: usize,
        step: impl FnOnce(&mut Runner, Option<(&str, usize)>) -> Result<Step, Broken>,
    ) -> (String, State) {
        let pieces = match state {
            State::Asking(situation) => self.store.pieces(situation.pieces()),
            _ => Vec::new(),
        };
        let saved = matches!(state, State::Asking(_)).then(|| saved(&pieces));
        let from = saved.as_deref().map(|saved| (saved, choice));
        let run = |runner: &mut Runner| {
            let step = step(runner, from);
            let state = step.map_or_else(|broken| self.broken(&broken, &pieces), |step| self.state(&step, &pieces));
            (runner.text().to_owned(), state)
        };
        self.with_runner(run).unwrap_or_else(|| (String::new(), self.fault_state("it cannot be loaded".into(), "")))
    }

    /// Runs the story once for each combination of random outcomes.
    fn outcomes<T: Clone + Eq + Hash>(
        &self,
        from: Option<(&str, usize)>,
        pieces: &[Arc<Piece>],
        target: &impl Fn(&str, State) -> T,
    ) -> Vec<(T, u128)> {
        let run = |runner: &mut Runner| {
            let mut ways: Vec<(T, u128)> = Vec::new();
            let mut answers: Vec<u32> = Vec::new();
            let mut operations = 0;
            loop {
                let (step, asked) = runner.step(from, &answers, self.limits);
                operations += runner.operations();
                let share = asked.iter().try_fold(1u128, |all, answers| all.checked_mul((*answers).into()));
                let too_many =
                    ways.len() >= self.limits.outcomes as usize || operations > self.limits.operations_of_all();
                let (Some(share), false) = (share, too_many) else {
                    return vec![(target(runner.text(), State::Cut), 1)];
                };
                let state = step.map_or_else(|broken| self.broken(&broken, pieces), |step| self.state(&step, pieces));
                ways.push((target(runner.text(), state), share));
                answers.resize(asked.len(), 0);
                let Some(last) = (0..asked.len()).rev().find(|place| answers[*place] + 1 < asked[*place]) else {
                    break;
                };
                answers.truncate(last + 1);
                answers[last] += 1;
            }
            weighted(ways).unwrap_or_else(|| vec![(target(runner.text(), State::Cut), 1)])
        };
        self.with_runner(run).unwrap_or_else(|| {
            let broken = self.broken(&Broken { message: "it cannot be loaded".into(), saved: None }, pieces);
            vec![(target("", broken), 1)]
        })
    }

    fn rendering(&self) -> &Rendering {
        if self.with_texts { &self.story.inner.texts } else { &self.story.inner.odds }
    }

    /// Runs this with the thread's runtime of the story; `None` if there is none.
    fn with_runner<T>(&self, run: impl FnOnce(&mut Runner) -> T) -> Option<T> {
        RUNNER.with_borrow_mut(|kept| {
            let number = (self.story.inner.number, self.with_texts);
            if kept.as_ref().is_none_or(|(known, _)| *known != number) {
                *kept = Runner::new(&self.rendering().json).ok().map(|runner| (number, runner));
            }
            kept.as_mut().map(|(_, runner)| run(runner))
        })
    }

    fn fault_state(&self, message: String, path: &str) -> State {
        State::Broken(self.faults.number(Fault { message, place: self.story.inner.place_name(path) }))
    }

    /// The state in which a step from a situation of these pieces breaks off. If the goal was attained by then, the
    /// play is won.
    fn broken(&self, broken: &Broken, before: &[Arc<Piece>]) -> State {
        if broken.is_ours() {
            return State::Cut;
        }
        let passed = broken.saved.as_ref().map(|saved| self.entered(saved, before)).unwrap_or_default();
        let state = match &self.story.inner.goal {
            Goal::Knot(goal) if self.is_passed(goal, &passed) => {
                State::Ended(self.endings.number(Ending { name: goal.clone(), won: true }))
            }
            _ => self.fault_state(broken.message.clone(), broken.path().unwrap_or_default()),
        };
        self.after(passed, state)
    }

    /// Whether a knot is among those of these numbers.
    fn is_passed(&self, knot: &str, passed: &[u32]) -> bool {
        passed.iter().any(|number| self.story.inner.knots[*number as usize].0 == *knot)
    }

    /// A state that play reaches through these knots.
    fn after(&self, passed: Vec<u32>, state: State) -> State {
        if passed.is_empty() { state } else { State::Passing(self.passed.number(passed), Box::new(state)) }
    }

    /// The state after a step, from a situation of these pieces.
    fn state(&self, step: &Step, before: &[Arc<Piece>]) -> State {
        let story = &self.story.inner;
        let passed = self.entered(&step.saved, before);
        let by_knot = match &story.goal {
            Goal::Knot(goal) => self.is_passed(goal, &passed),
            Goal::Tag | Goal::Condition(_) => false,
        };
        let next = if by_knot || step.holds || !step.asks {
            let tagged = || step.tags.iter().any(|tag| tag.trim().eq_ignore_ascii_case(WIN));
            let won = by_knot || step.holds || (story.goal == Goal::Tag && tagged());
            State::Ended(self.endings.number(Ending { name: self.ending_name(step, by_knot), won }))
        } else {
            match situation(story, &self.rendering().live, &self.store, &step.saved) {
                Some((key, words)) => State::Asking(Situation { key, words }),
                None => return self.fault_state("its state cannot be read".into(), ""),
            }
        };
        self.after(passed, next)
    }

    fn ending_name(&self, step: &Step, by_knot: bool) -> String {
        let story = &self.story.inner;
        let tagged = step.tags.iter().rev().find_map(|tag| {
            let (key, name) = tag.split_once(':')?;
            key.trim().eq_ignore_ascii_case("ending").then(|| name.trim().to_owned())
        });
        let goal = || match &story.goal {
            Goal::Knot(goal) if by_knot => Some(goal.clone()),
            Goal::Condition(goal) if step.holds && step.asks => Some(goal.clone()),
            _ => None,
        };
        let place = || step.end.and_then(|end| story.ends.get(end).cloned());
        tagged.or_else(goal).or_else(place).unwrap_or_else(|| crate::TOP.to_owned())
    }

    /// The knots that were visited since a situation of these pieces.
    fn entered(&self, saved: &Value, before: &[Arc<Piece>]) -> Vec<u32> {
        let Some(visits) = saved.get("visitCounts").and_then(Value::as_object) else { return Vec::new() };
        let known = |path: &str| {
            let same = |piece: &Arc<Piece>| match &**piece {
                Piece::Visits(name, count) if name == path => Some(*count),
                _ => None,
            };
            before.iter().find_map(same).unwrap_or(0)
        };
        let entered = (0u32..)
            .zip(&self.story.inner.knots)
            .filter(|(_, (name, _))| visits.get(name).and_then(Value::as_i64).is_some_and(|count| count > known(name)));
        entered.map(|(number, _)| number).collect()
    }
}

/// A state without the knots on the way to it.
pub(crate) fn destination(state: State) -> State {
    match state {
        State::Passing(_, next) => *next,
        state => state,
    }
}

/// Probabilities `1/n` as weights in lowest terms, if their common total is a number; equal targets are merged.
fn weighted<T: Clone + Eq + Hash>(ways: Vec<(T, u128)>) -> Option<Vec<(T, u128)>> {
    let common = ways.iter().try_fold(1u128, |all, (_, share)| (all / gcd(all, *share)).checked_mul(*share))?;
    let mut places: FxHashMap<T, usize> = FxHashMap::default();
    let mut merged: Vec<(T, u128)> = Vec::new();
    for (state, share) in ways {
        let place = *places.entry(state).or_insert_with_key(|state| {
            merged.push((state.clone(), 0));
            merged.len() - 1
        });
        merged[place].1 += common / share;
    }
    let divisor = merged.iter().fold(0, |all, (_, weight)| gcd(all, *weight));
    for (_, weight) in &mut merged {
        *weight /= divisor;
    }
    Some(merged)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Game for InkGame {
    type State = State;
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State::Start)]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        let moves = self.moves(state);
        if moves.is_empty() {
            let won = self.ending(state).is_some_and(|ending| ending.won);
            return turn.end(u8::from(won));
        }
        for Move { text, outcomes } in moves {
            if let Some(text) = text {
                turn.choice(text);
            }
            let weighted = outcomes.into_iter().map(|(state, weight)| (state, Weight(weight)));
            match Distribution::weighted(weighted) {
                Ok(distribution) => turn.chance_from(&distribution),
                // The engine then reports a choice without outcomes.
                Err(_) => turn.chance([]),
            }
        }
    }
}
