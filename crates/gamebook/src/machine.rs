//! Playing a program: what a state leads to.
//!
//! Play runs from one question to the next. Questions to the player and to chance are the states;
//! everything between is done at once. A question with one answer is none.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use budget::Budget;
use dashu_int::UBig;
use lone_wolf::{CombatTable, Conditions, Ending, Folded, Losses, Start, TimedBonus, Track, fold};
use mdp::{Distribution, Game, SharedWeights, Turn};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::book::{Book, ItemId, Kind, SectionNumber, Thing};
use crate::compile::{CompileError, compile, shifted};
use crate::hero::{Hero, MOST_WEAPONS};
use crate::needs::{Analyses, Needs, rows};
use crate::program::{Alternative, FightPlan, NOWHERE, Op, Place, Program, Test, Value};
use crate::split::{better_left, canonical, distances, hopeless, split};
use crate::state::{
    ARM, BEFORE, DEAD, ENDURANCE, ENEMY, GOLD, LEFT, LOCAL_NUMBERS, LOCAL_ZERO, Layout, NO_PLACE, PLAIN, ROUND,
    Register, State, WON, WOUNDED,
};

/// After so many steps without a question a state is made: the engine sees whether play goes round.
const MOST_STEPS: usize = 10_000;

/// How many settled states a thread remembers; a power of two.
const SETTLED: usize = 1 << 13;

/// A book, made ready to be played by one hero: a [`Game`].
#[derive(Debug)]
pub struct Machine {
    pub(crate) program: Program,
    pub(crate) needs: Needs,
    /// The fights that it is best to leave as soon as possible.
    left: Vec<bool>,
    /// The places from which the book cannot be won.
    hopeless: Vec<bool>,
    /// How many steps it is from each place to an end.
    distances: Vec<u32>,
    table: CombatTable,
    analyses: Analyses,
    /// States are made where sections are entered.
    entering: bool,
    start: State,
    folds: RwLock<FxHashMap<FoldKey, Option<Arc<Fold>>>>,
    /// No other machine has this number.
    number: u64,
}

/// How a fight ends for every hero, with the weights as the engine wants them.
#[derive(Debug)]
struct Fold {
    folded: Folded,
    /// By the hero's ENDURANCE.
    weights: Vec<SharedWeights>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FoldKey {
    conditions: Conditions,
    start: Start,
    track: Track,
}

/// One answer of a question, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub action: Action,
    pub state: State,
}

/// What the player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// One of the choices that the author wrote, with the number that is chosen with it.
    Choice { alternative: u32, number: Option<i32> },
    /// Takes so many.
    Take(u16),
    /// Drops one of these for what lies there; `None`: a weapon that is like any other.
    Drop(Option<ItemId>),
    /// Buys or sells one: the line of the shop.
    Trade(u16),
    /// Goes on without more of it.
    GoOn,
    /// Eats one of these.
    Eat(ItemId),
    /// Eats nothing.
    Hunger,
    /// Uses what heals.
    Use(ItemId),
    /// Fights with this weapon; `None`: with one that is like any other, or bare hands.
    Wield(Option<ItemId>),
    /// Fights the next round.
    FightOn,
    /// Leaves the fight.
    Leave,
}

impl Action {
    /// Whether something is dropped.
    pub(crate) fn drops(self) -> bool {
        matches!(self, Self::Drop(_))
    }
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
        let mut program = compile(book, hero, start, goals, budget)?;
        let layout = program.layout.clone();
        let mut state = State::default().at(program.start);
        for (item, count) in hero.belongings(book).into_iter().enumerate() {
            layout.set(&mut state, Layout::item(item), u16::from(count));
        }
        layout.set(&mut state, GOLD, u16::from(hero.gold));
        for flag in &situation.flags {
            layout.set(&mut state, layout.flag(*flag), 1);
        }
        if analyses.split {
            let rows = rows(&program, analyses, budget)?;
            let registers = layout.registers();
            let live = |place: Place, register: Register| {
                !analyses.forget || rows[place as usize * registers + usize::from(register)] > 0
            };
            if let Some(split) = split(&program, &state, live, budget)? {
                program = split;
                state = state.at(program.start);
            }
        }
        let rows = rows(&program, analyses, budget)?;
        let mut needs = Needs::new(&program, analyses, &rows);
        let mut left = vec![false; program.fights.len()];
        if analyses.merge && analyses.forget {
            let canonical = canonical(&program, budget)?;
            let registers = layout.registers();
            let needed =
                |place: Place, register: Register| rows[place as usize * registers + usize::from(register)] > 0;
            left = better_left(&program, &canonical, needed, budget)?;
            needs = needs.said_to_be(&canonical);
        }
        let hopeless = if analyses.hopeless { hopeless(&program, budget)? } else { vec![false; program.ops.len()] };
        let distances = distances(&program, budget)?;
        let table = book.table.clone();
        let mut machine = Self {
            program,
            needs,
            left,
            hopeless,
            distances,
            table,
            analyses,
            entering: false,
            start: state,
            folds: RwLock::default(),
            number: new_number(),
        };
        let most = machine.max_endurance(&state);
        let endurance = situation.endurance.map_or(most, |now| u16::from(now).min(most));
        machine.program.layout.set(&mut machine.start, ENDURANCE, endurance);
        Ok(machine)
    }

    /// The same game without reductions, with a state wherever a section is entered; fights to the end are one
    /// chance or go round by round.
    pub(crate) fn whole(&self, fold: bool) -> Self {
        Self {
            program: self.program.clone(),
            needs: Needs::everything(&self.program),
            left: vec![false; self.program.fights.len()],
            hopeless: vec![false; self.program.ops.len()],
            distances: Vec::new(),
            table: self.table.clone(),
            analyses: Analyses { straight: true, fold, ..Analyses::NONE },
            entering: true,
            start: self.start,
            folds: RwLock::default(),
            number: new_number(),
        }
    }

    /// The situation in which play begins.
    pub(crate) fn start(&self) -> State {
        self.start
    }

    /// Whether an action uses up what heals for a hero who is not hurt.
    pub(crate) fn wastes(&self, state: &State, action: Action) -> bool {
        matches!(action, Action::Use(_)) && self.get(state, ENDURANCE) >= self.max_endurance(state)
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

    /// What is most likely where chance moves; `None` where it does not, or a whole fight is one chance.
    pub(crate) fn most_likely(&self, state: &State) -> Option<State> {
        let mut outcomes = Vec::new();
        if self.is_chance(state) {
            self.chances(state, &mut outcomes);
        } else if let Some(Op::Bout { fight, enemy, .. }) = self.op(state) {
            let plan = &self.program.fights[*fight as usize];
            let fold = self.folded(state)?;
            let endings = fold.folded.from(self.get(state, ENDURANCE) as u8);
            return endings
                .iter()
                .max_by(|left, right| left.1.cmp(right.1))
                .map(|(ending, _)| self.after_bout(state, plan, *enemy, *ending));
        }
        outcomes.into_iter().max_by(|left, right| left.0.cmp(&right.0)).map(|(_, next)| next)
    }

    /// Adds the one continuation that `choose` picks.
    pub(crate) fn follow_one(&self, state: &State, turn: &mut Turn<State>, choose: impl FnOnce(&[Move]) -> usize) {
        BUFFERS.with_borrow_mut(|buffers| {
            if self.go_on(state, turn, buffers) {
                return;
            }
            let mut moves = std::mem::take(&mut buffers.moves);
            moves.clear();
            self.moves(state, usize::MAX, &mut moves);
            match moves.get(choose(&moves)) {
                Some(answer) => turn.to(self.run(answer.state, &mut buffers.inner)),
                None => turn.end(0),
            }
            buffers.moves = moves;
        });
    }

    pub(crate) fn get(&self, state: &State, register: Register) -> u16 {
        self.program.layout.get(state, register)
    }

    fn set(&self, state: &mut State, register: Register, value: u16) {
        self.program.layout.set(state, register, value);
    }

    /// Adds to a register, within 0 and its maximum.
    fn add(&self, state: &mut State, register: Register, change: i32) {
        let value = i32::from(self.get(state, register)).saturating_add(change);
        let max = i32::from(self.program.layout.max(register));
        self.set(state, register, value.clamp(0, max) as u16);
    }

    pub(crate) fn count(&self, state: &State, item: ItemId) -> u16 {
        self.get(state, Layout::item(item))
    }

    /// The maximum of ENDURANCE with what he wears.
    pub(crate) fn max_endurance(&self, state: &State) -> u16 {
        let facts = &self.program.facts;
        let worn = facts.armour.iter().filter(|(item, _)| self.count(state, *item) > 0);
        u16::from(facts.endurance) + worn.map(|(_, more)| u16::from(*more)).sum::<u16>()
    }

    fn of_kind(&self, state: &State, kind: Kind) -> u16 {
        let items = self.program.facts.kinds.iter().enumerate().filter(|(_, own)| **own == kind);
        let own: u16 = items.map(|(item, _)| self.count(state, item)).sum();
        own + if kind == Kind::Weapon { self.get(state, PLAIN) } else { 0 }
    }

    /// Free places for a kind of item.
    fn room(&self, state: &State, kind: Kind) -> u16 {
        let facts = &self.program.facts;
        match kind {
            Kind::Weapon => u16::from(MOST_WEAPONS).saturating_sub(self.of_kind(state, kind)),
            Kind::Backpack if facts.container.is_some_and(|container| self.count(state, container) == 0) => 0,
            Kind::Backpack => u16::from(facts.room).saturating_sub(self.of_kind(state, kind)),
            Kind::Special | Kind::Container => u16::MAX,
        }
    }

    pub(crate) fn value(&self, state: &State, value: &Value) -> i32 {
        match value {
            Value::Constant(number) => *number,
            Value::Register(register) => i32::from(self.get(state, *register)),
            Value::Local(register, _) => i32::from(self.get(state, *register)) - LOCAL_ZERO,
            Value::MaxEndurance => i32::from(self.max_endurance(state)),
            Value::OfKind(kind) => i32::from(self.of_kind(state, *kind)),
            Value::BackpackRoom => i32::from(self.room(state, Kind::Backpack)),
            Value::Operation(operator, left, right) => {
                operator.apply(self.value(state, left), self.value(state, right))
            }
        }
    }

    pub(crate) fn test(&self, state: &State, test: &Test) -> bool {
        match test {
            Test::Constant(holds) => *holds,
            Test::Compare(comparison, left, right) => {
                comparison.holds(self.value(state, left), self.value(state, right))
            }
            Test::Not(inner) => !self.test(state, inner),
            Test::And(left, right) => self.test(state, left) && self.test(state, right),
            Test::Or(left, right) => self.test(state, left) || self.test(state, right),
        }
    }

    /// What is kept of a state.
    #[inline]
    pub(crate) fn keep(&self, state: &State) -> State {
        match Self::end(state) {
            None if self.hopeless[state.place() as usize] => State::default().at(DEAD),
            None => self.needs.keep(state),
            // Nothing matters any more.
            Some(_) if self.analyses.forget => State::default().at(state.place()),
            Some(_) => *state,
        }
    }

    /// How play ended, if it has.
    pub(crate) fn end(state: &State) -> Option<End> {
        match state.place() {
            place @ WON.. => Some(End::Won((place - WON) as SectionNumber)),
            place @ DEAD.. => Some(End::Dead((place - DEAD) as SectionNumber)),
            _ => None,
        }
    }

    /// The section in which a state is.
    pub(crate) fn section(&self, state: &State) -> SectionNumber {
        match Self::end(state) {
            Some(End::Dead(section) | End::Won(section)) => section,
            None => self.program.sections[state.place() as usize],
        }
    }

    /// Whether a state lies just where its section is entered.
    pub(crate) fn enters(&self, state: &State) -> bool {
        matches!(self.op(state), Some(Op::Enter { .. }))
    }

    pub(crate) fn op(&self, state: &State) -> Option<&Op> {
        self.program.ops.get(state.place() as usize)
    }

    fn dead(&self, place: Place) -> State {
        State::default().at(DEAD + Place::from(self.program.sections[place as usize]))
    }

    /// Less ENDURANCE, or more up to the maximum; dead at 0.
    fn hurt(&self, state: &mut State, change: i32, next: Place) {
        let now = i32::from(self.get(state, ENDURANCE));
        let after = now.saturating_add(change);
        if change < 0 && after <= 0 {
            *state = self.dead(state.place());
            return;
        }
        if change > 0 {
            let most = i32::from(self.max_endurance(state)).max(now);
            self.set(state, ENDURANCE, after.min(most) as u16);
        } else {
            self.set(state, ENDURANCE, after as u16);
        }
        *state = state.at(next);
    }

    /// Loses items; what they held or gave goes with them.
    fn lose(&self, state: &mut State, item: ItemId, count: u16) {
        let left = self.count(state, item).saturating_sub(count);
        self.set(state, Layout::item(item), left);
        let facts = &self.program.facts;
        if left == 0 && facts.container == Some(item) && count > 0 {
            for (other, kind) in facts.kinds.iter().enumerate() {
                if *kind == Kind::Backpack {
                    self.set(state, Layout::item(other), 0);
                }
            }
        }
        if facts.armour.iter().any(|(armour, _)| *armour == item) {
            let most = self.max_endurance(state);
            if self.get(state, ENDURANCE) > most {
                self.set(state, ENDURANCE, most);
            }
        }
    }

    /// Gets items for which there is room.
    fn get_items(&self, state: &mut State, item: ItemId, count: u16) {
        let before = self.count(state, item);
        self.add(state, Layout::item(item), i32::from(count));
        if before == 0
            && count > 0
            && let Some((_, more)) = self.program.facts.armour.iter().find(|(armour, _)| *armour == item)
        {
            self.add(state, ENDURANCE, i32::from(*more));
        }
    }

    /// Runs from a state to the next question. `moves` is a buffer.
    pub(crate) fn run(&self, mut state: State, moves: &mut Vec<Move>) -> State {
        // Brent's way to see that play goes round: whoever comes by here again comes by for ever.
        let (mut known, mut until) = (state, 2);
        for steps in 1..MOST_STEPS {
            if steps == until {
                (known, until) = (state, 2 * until);
            } else if steps > 1 && state == known {
                return if self.analyses.hopeless { State::default().at(DEAD) } else { state };
            }
            if state.place() >= DEAD {
                return state;
            }
            if self.step(&mut state) {
                if !self.analyses.straight || self.entering && self.enters(&state) {
                    return state;
                }
                continue;
            }
            if self.is_left_to_chance(&state) {
                return state;
            }
            match self.only_answer(&state, moves) {
                Some(next) => state = next,
                None => return state,
            }
            if !self.analyses.straight {
                return state;
            }
        }
        state
    }

    /// What follows a question to the player if all answers come to the same; dead if there is none.
    fn only_answer(&self, state: &State, moves: &mut Vec<Move>) -> Option<State> {
        if let Op::Round { fight, clash, flee } = &self.program.ops[state.place() as usize] {
            return match self.may_leave(state, &self.program.fights[*fight as usize]) {
                _ if self.asks_at_once(state) => None,
                true => Some(state.at(*flee)),
                false => Some(state.at(*clash)),
            };
        }
        // Two different answers are enough to know.
        moves.clear();
        self.moves(state, 2, moves);
        if let [first, second, ..] = &moves[..] {
            if !self.analyses.merge || self.keep(&first.state) != self.keep(&second.state) {
                return None;
            }
            moves.clear();
            self.moves(state, usize::MAX, moves);
            let kept = self.keep(&moves[0].state);
            if moves.iter().any(|other| self.keep(&other.state) != kept) {
                return None;
            }
        }
        Some(moves.first().map_or_else(|| self.dead(state.place()), |first| first.state))
    }

    /// Whether a state is surely where the player is asked: in a fight, where most are.
    fn asks_at_once(&self, state: &State) -> bool {
        match self.op(state) {
            Some(Op::Round { fight, .. }) => {
                self.may_leave(state, &self.program.fights[*fight as usize]) && !self.left[*fight as usize]
            }
            _ => false,
        }
    }

    fn may_leave(&self, state: &State, fight: &FightPlan) -> bool {
        fight.evade.is_some_and(|(from, _)| u32::from(self.get(state, ROUND)) + 1 >= from)
    }

    /// Whether chance moves, or a whole fight is one chance.
    fn is_left_to_chance(&self, state: &State) -> bool {
        self.is_chance(state) || matches!(self.op(state), Some(Op::Bout { .. }))
    }

    /// Does one step that asks nobody; says whether it was one.
    pub(crate) fn step(&self, state: &mut State) -> bool {
        let place = state.place();
        match &self.program.ops[place as usize] {
            Op::Jump(next) | Op::Enter { next } => *state = state.at(*next),
            Op::Endurance { change, next } => {
                let change = self.value(state, change);
                self.hurt(state, change, *next);
            }
            Op::Restore { half, next } => {
                let missing = i32::from(self.max_endurance(state)) - i32::from(self.get(state, ENDURANCE));
                self.hurt(state, if *half { missing.max(0) / 2 } else { missing.max(0) }, *next);
            }
            Op::Add { register, change, next } => {
                let change = self.value(state, change);
                self.add(state, *register, change);
                *state = state.at(*next);
            }
            Op::Set { register, value, next } => {
                let value = self.value(state, value).clamp(0, i32::from(u16::MAX)) as u16;
                self.set(state, *register, value);
                *state = state.at(*next);
            }
            Op::Wear { item, next } => {
                self.get_items(state, *item, 1);
                *state = state.at(*next);
            }
            Op::Lose { item, count, next } => {
                let count = count
                    .as_ref()
                    .map_or(u16::MAX, |count| self.value(state, count).clamp(0, i32::from(u16::MAX)) as u16);
                self.lose(state, *item, count);
                *state = state.at(*next);
            }
            Op::LoseAll { items, next } => {
                let all_plain = (0..self.program.facts.kinds.len())
                    .filter(|item| self.program.facts.is_plain(*item))
                    .all(|item| items.contains(&item));
                if all_plain {
                    self.set(state, PLAIN, 0);
                }
                for item in items {
                    self.lose(state, *item, u16::MAX);
                }
                *state = state.at(*next);
            }
            Op::Branch { test, yes, no } => {
                *state = state.at(if self.test(state, test) { *yes } else { *no });
            }
            Op::Foe { fight, enemy, next } => {
                let endurance = self.program.fights[*fight as usize].enemies[usize::from(*enemy)].endurance;
                self.set(state, ENEMY, u16::from(endurance));
                *state = state.at(*next);
            }
            Op::Bout { fight, rounds, .. } => {
                let plan = &self.program.fights[*fight as usize];
                if self.analyses.fold && !plan.by_rounds() && self.folded(state).is_some() {
                    return false;
                }
                *state = state.at(*rounds);
            }
            Op::Leave { heals, next, .. } => {
                if *next == NOWHERE {
                    *state = self.dead(place);
                } else if *heals {
                    self.hurt(state, 1, *next);
                } else {
                    *state = state.at(*next);
                }
            }
            Op::Death | Op::Stuck => *state = self.dead(place),
            Op::Victory => *state = state.at(WON + Place::from(self.program.sections[place as usize])),
            _ => return false,
        }
        true
    }

    /// The answers to the question at a state; more than `enough` need not be listed.
    pub(crate) fn moves(&self, state: &State, enough: usize, moves: &mut Vec<Move>) {
        let facts = &self.program.facts;
        let go = |action, state: State, next: Place| Move { action, state: state.at(next) };
        match &self.program.ops[state.place() as usize] {
            Op::Choose { alternatives } => {
                for (number, alternative) in (0..).zip(alternatives) {
                    self.answers(state, number, alternative, enough, moves);
                    if moves.len() >= enough {
                        break;
                    }
                }
            }
            Op::Take { thing, count, limited, with, next } => {
                let count = self.value(state, count).clamp(0, 255) as u16;
                self.takings(state, *thing, count, *limited, [*next, *with], moves);
            }
            Op::GiveUp { kind, next } => {
                if self.get(state, LEFT) > 0 && self.of_kind(state, *kind) > 0 {
                    let mut less = *state;
                    self.add(&mut less, LEFT, -1);
                    self.drops(&less, *kind, None, moves);
                } else {
                    moves.push(go(Action::GoOn, *state, *next));
                }
            }
            Op::Eat { next } => {
                for (item, heals) in &facts.food {
                    if self.count(state, *item) > 0 {
                        let mut fed = *state;
                        self.lose(&mut fed, *item, 1);
                        self.hurt(&mut fed, i32::from(*heals), *next);
                        moves.push(Move { action: Action::Eat(*item), state: fed });
                    }
                }
                let mut hungry = *state;
                self.hurt(&mut hungry, -3, *next);
                moves.push(Move { action: Action::Hunger, state: hungry });
            }
            Op::Shop { lines, next } => self.trades(state, lines, *next, moves),
            Op::Use { after_combat, next } => {
                moves.push(go(Action::GoOn, *state, *next));
                // Also for who is not hurt: so a stronger hero can do whatever a weaker can.
                for (item, heals) in &facts.healing[usize::from(!*after_combat)] {
                    if self.count(state, *item) > 0 {
                        let mut healed = *state;
                        self.lose(&mut healed, *item, 1);
                        self.hurt(&mut healed, i32::from(*heals), state.place());
                        moves.push(Move { action: Action::Use(*item), state: healed });
                    }
                }
            }
            Op::Begin { fight, next } => self.arms(state, &self.program.fights[*fight as usize], *next, moves),
            Op::Round { fight, clash, flee } => {
                moves.push(go(Action::FightOn, *state, *clash));
                if self.may_leave(state, &self.program.fights[*fight as usize]) {
                    moves.push(go(Action::Leave, *state, *flee));
                }
            }
            _ => {}
        }
    }

    fn answers(&self, state: &State, number: u32, alternative: &Alternative, enough: usize, moves: &mut Vec<Move>) {
        let push = |state: &State, chosen: Option<i32>, moves: &mut Vec<Move>| {
            if self.test(state, &alternative.test) {
                let action = Action::Choice { alternative: number, number: chosen };
                moves.push(Move { action, state: state.at(alternative.body) });
            }
        };
        match &alternative.each {
            None => push(state, None, moves),
            Some((register, from, to)) => {
                // Reading makes sure that they are no other numbers.
                let from = self.value(state, from).max(*LOCAL_NUMBERS.start());
                let to = self.value(state, to).min(*LOCAL_NUMBERS.end());
                for chosen in from..=to {
                    if moves.len() >= enough {
                        break;
                    }
                    let mut with = *state;
                    let Some(held) = shifted(chosen) else { continue };
                    self.set(&mut with, *register, held);
                    push(&with, Some(chosen), moves);
                }
            }
        }
    }

    /// Ways to drop one of a kind, and stay where one is.
    fn drops(&self, state: &State, kind: Kind, but: Option<ItemId>, moves: &mut Vec<Move>) {
        if kind == Kind::Weapon && self.get(state, PLAIN) > 0 {
            let mut less = *state;
            self.add(&mut less, PLAIN, -1);
            moves.push(Move { action: Action::Drop(None), state: less });
        }
        for (item, own) in self.program.facts.kinds.iter().enumerate() {
            if *own == kind && Some(item) != but && self.count(state, item) > 0 {
                let mut less = *state;
                self.lose(&mut less, item, 1);
                moves.push(Move { action: Action::Drop(Some(item)), state: less });
            }
        }
    }

    fn takings(&self, state: &State, thing: Thing, count: u16, limited: bool, next: [Place; 2], moves: &mut Vec<Move>) {
        let offered = if limited { count.min(self.get(state, LEFT)) } else { count };
        let most = match thing {
            // More than the pouch holds cannot be told from the most that it holds.
            Thing::Gold => offered.min(self.program.layout.max(GOLD) - self.get(state, GOLD)),
            Thing::Item(item) => {
                let kind = self.program.facts.kinds[item];
                let own = self.program.layout.max(Layout::item(item)) - self.count(state, item);
                offered.min(own).min(self.room(state, kind))
            }
        };
        for taken in (0..=most).rev() {
            let mut after = *state;
            match thing {
                Thing::Gold => self.add(&mut after, GOLD, i32::from(taken)),
                Thing::Item(item) => self.get_items(&mut after, item, taken),
            }
            if limited {
                self.add(&mut after, LEFT, -i32::from(taken));
            }
            moves.push(Move { action: Action::Take(taken), state: after.at(next[usize::from(taken > 0)]) });
        }
        if let Thing::Item(item) = thing {
            let kind = self.program.facts.kinds[item];
            if matches!(kind, Kind::Weapon | Kind::Backpack) && offered > 0 {
                // Not only where there is no room: what fills it may be forgotten.
                self.drops(state, kind, Some(item), moves);
            }
        }
    }

    fn trades(&self, state: &State, lines: &[crate::program::Line], next: Place, moves: &mut Vec<Move>) {
        moves.push(Move { action: Action::GoOn, state: state.at(next) });
        let gold = self.get(state, GOLD);
        let (mut weapons_offered, mut goods_offered) = (false, false);
        for (number, line) in (0..).zip(lines) {
            if line.stock.is_some_and(|(stock, most)| self.get(state, stock) >= u16::from(most)) {
                continue;
            }
            let mut after = *state;
            if let Some((stock, _)) = line.stock {
                self.add(&mut after, stock, 1);
            }
            if line.buy {
                let kind = self.program.facts.kinds[line.item];
                let has_it = matches!(kind, Kind::Special | Kind::Container) && self.count(state, line.item) > 0;
                if gold < u16::from(line.price) || has_it {
                    continue;
                }
                weapons_offered |= kind == Kind::Weapon;
                goods_offered |= kind == Kind::Backpack;
                if self.room(state, kind) == 0 {
                    continue;
                }
                self.add(&mut after, GOLD, -i32::from(line.price));
                self.get_items(&mut after, line.item, 1);
            } else {
                if self.count(state, line.item) == 0 {
                    continue;
                }
                self.lose(&mut after, line.item, 1);
                self.add(&mut after, GOLD, i32::from(line.price));
            }
            moves.push(Move { action: Action::Trade(number), state: after.at(line.again) });
        }
        if weapons_offered {
            self.drops(state, Kind::Weapon, None, moves);
        }
        if goods_offered {
            self.drops(state, Kind::Backpack, None, moves);
        }
    }

    /// The weapons that a fight can be begun with: one for each that differs in what counts.
    fn arms(&self, state: &State, fight: &FightPlan, next: Place, moves: &mut Vec<Move>) {
        let facts = &self.program.facts;
        let mut begun = *state;
        self.set(&mut begun, ROUND, 0);
        self.set(&mut begun, WOUNDED, 0);
        let before = if fight.mock.is_some() { self.get(state, ENDURANCE) } else { 0 };
        self.set(&mut begun, BEFORE, before);
        let undead = fight.enemies.iter().any(|enemy| enemy.undead);
        let mut used: Vec<crate::program::Arm> = Vec::new();
        let mut push = |item: Option<ItemId>, arm: u8| {
            let mut powers = facts.arm_table[usize::from(arm)];
            powers.doubles_undead &= undead;
            if used.contains(&powers) {
                return;
            }
            used.push(powers);
            let mut armed = begun;
            self.set(&mut armed, ARM, u16::from(arm));
            moves.push(Move { action: Action::Wield(item), state: armed.at(next) });
        };
        if !fight.bare_hands {
            for (item, arm) in facts.arms.iter().enumerate() {
                let allowed = fight.only_weapon.is_none_or(|only| only == item);
                if let Some(arm) = arm
                    && allowed
                    && self.count(state, item) > 0
                {
                    push(Some(item), *arm);
                }
            }
            if fight.only_weapon.is_none() && self.get(state, PLAIN) > 0 {
                push(None, 1);
            }
        }
        if moves.is_empty() {
            let mut armed = begun;
            self.set(&mut armed, ARM, 0);
            moves.push(Move { action: Action::Wield(None), state: armed.at(next) });
        }
    }

    /// What holds while this enemy is fought.
    pub(crate) fn conditions(&self, state: &State, plan: &FightPlan, enemy: u8) -> Conditions {
        let facts = &self.program.facts;
        let foe = &plan.enemies[usize::from(enemy)];
        let arm = facts.arm_table[usize::from(self.get(state, ARM)).min(facts.arm_table.len() - 1)];
        let mut ratio = facts.combat_skill + arm.bonus - foe.skill;
        if facts.mindblast && !foe.immune_to_mindblast {
            ratio += 2;
        }
        for (item, bonus) in &facts.shields {
            if self.count(state, *item) > 0 {
                ratio += i32::from(*bonus);
            }
        }
        let mut bonuses = Vec::new();
        for (bonus, rounds, test) in &plan.bonuses {
            if self.test(state, test) {
                match rounds {
                    None => ratio += bonus,
                    Some(rounds) => bonuses.push(TimedBonus { rounds: *rounds, bonus: *bonus }),
                }
            }
        }
        Conditions {
            ratio,
            bonuses,
            mindforce: plan.mindforce,
            untouchable: plan.untouchable,
            double_damage: plan.double_damage || arm.doubles_undead && foe.undead,
        }
    }

    /// How the bout at a state ends, or what is left of it where a round is to be fought; `None` when it cannot be
    /// folded.
    fn folded(&self, state: &State) -> Option<Arc<Fold>> {
        let (Op::Bout { fight, enemy, .. } | Op::Clash { fight, enemy, .. }) = self.op(state)? else { return None };
        let plan = &self.program.fights[*fight as usize];
        let key = FoldKey {
            conditions: self.conditions(state, plan, *enemy),
            start: Start {
                round: u32::from(self.get(state, ROUND)),
                enemy: self.get(state, ENEMY) as u8,
                wounded: self.get(state, WOUNDED) > 0,
                heroes: self.most_endurance(),
            },
            track: Track { rounds: u32::from(plan.round_cap), wounded: plan.wounds },
        };
        if let Some(known) = self.folds.read().ok().and_then(|folds| folds.get(&key).cloned()) {
            return known;
        }
        let folded = fold(&self.table, &key.conditions, &key.start, key.track).ok().map(|folded| {
            let weights = (0..=key.start.heroes).map(|hero| folded.from(hero).shared_weights()).collect();
            Arc::new(Fold { folded, weights })
        });
        if let Ok(mut folds) = self.folds.write() {
            folds.insert(key, folded.clone());
        }
        folded
    }

    /// How the fight ends in which a round is to be fought; `None` when something may happen in it between rounds.
    pub(crate) fn rest_of_fight(&self, state: &State) -> Option<Distribution<State>> {
        let Op::Clash { fight, enemy, .. } = self.op(state)? else { return None };
        let plan = &self.program.fights[*fight as usize];
        if plan.by_rounds() {
            return None;
        }
        let hero = self.get(state, ENDURANCE).min(u16::from(self.most_endurance())) as u8;
        let fold = self.folded(state)?;
        Some(fold.folded.from(hero).map(|ending| self.after_bout(state, plan, *enemy, *ending)))
    }

    /// The most ENDURANCE that this hero can ever have.
    fn most_endurance(&self) -> u8 {
        let worn: u8 = self.program.facts.armour.iter().fold(0, |sum: u8, (_, more)| sum.saturating_add(*more));
        self.program.facts.endurance.saturating_add(worn)
    }

    /// Where a hero is who has no ENDURANCE left.
    fn beaten(&self, state: &State, plan: &FightPlan) -> State {
        if let Some(next) = plan.mock {
            let mut after = *state;
            self.set(&mut after, ENDURANCE, self.get(state, BEFORE));
            return after.at(next);
        }
        if let Some((leaves, next)) = plan.defeat {
            let mut after = *state;
            self.set(&mut after, ENDURANCE, u16::from(leaves).min(self.max_endurance(state)));
            return after.at(next);
        }
        self.dead(state.place())
    }

    /// Where a hero is whose enemy has fallen.
    fn victorious(&self, state: &State, plan: &FightPlan, enemy: u8) -> State {
        if let Some(next) = plan.foes.get(usize::from(enemy) + 1) {
            return state.at(*next);
        }
        let mut after = *state;
        if plan.mock.is_some() {
            self.set(&mut after, ENDURANCE, self.get(state, BEFORE));
        }
        after.at(plan.won)
    }

    /// After a round with these losses.
    fn after_round(&self, state: &State, plan: &FightPlan, enemy: u8, round: Place, losses: Losses) -> State {
        let mut after = *state;
        let hero = self.get(state, ENDURANCE).saturating_sub(u16::from(losses.hero));
        let foe = self.get(state, ENEMY).saturating_sub(u16::from(losses.enemy));
        let rounds = (self.get(state, ROUND) + 1).min(plan.round_cap);
        self.set(&mut after, ENDURANCE, hero);
        self.set(&mut after, ENEMY, foe);
        self.set(&mut after, ROUND, rounds);
        if plan.wounds && losses.hero > 0 {
            self.set(&mut after, WOUNDED, 1);
        }
        if hero == 0 {
            return self.beaten(&after, plan);
        }
        // The fight is not over while there are others.
        if foe == 0 && usize::from(enemy) + 1 == plan.foes.len() {
            return self.victorious(&after, plan, enemy);
        }
        let stop = plan.stop.filter(|(stop, _)| u32::from(self.get(state, ROUND)) + 1 >= *stop);
        if let Some(next) = plan.first_wound.filter(|_| losses.hero > 0).or(stop.map(|(_, next)| next)) {
            if plan.mock.is_some() {
                self.set(&mut after, ENDURANCE, self.get(state, BEFORE));
            }
            return after.at(next);
        }
        if foe == 0 { self.victorious(&after, plan, enemy) } else { after.at(round) }
    }

    /// What both lose in the next round, by the picked number.
    pub(crate) fn losses(&self, state: &State, plan: &FightPlan, enemy: u8) -> [Losses; 10] {
        let round = u32::from(self.get(state, ROUND)) + 1;
        self.conditions(state, plan, enemy).round(&self.table, round)
    }

    /// What chance can bring at a state, with weights; states before anything that follows is done.
    pub(crate) fn chances(&self, state: &State, outcomes: &mut Vec<(UBig, State)>) {
        match &self.program.ops[state.place() as usize] {
            Op::Pick { outcomes: cases } => {
                outcomes.extend(cases.iter().map(|case| {
                    let mut after = *state;
                    if let Some((register, value)) = case.set {
                        self.set(&mut after, register, value);
                    }
                    (case.weight.clone(), after.at(case.next))
                }));
            }
            Op::Scatter { kind, next } => self.scatter(state, *kind, *next, outcomes),
            Op::Clash { fight, enemy, round } => {
                let plan = &self.program.fights[*fight as usize];
                let losses = self.losses(state, plan, *enemy);
                outcomes
                    .extend(losses.map(|losses| (UBig::ONE, self.after_round(state, plan, *enemy, *round, losses))));
            }
            Op::Flee { fight, enemy } => {
                let plan = &self.program.fights[*fight as usize];
                let next = plan.evade.map_or(NOWHERE, |(_, next)| next);
                for losses in self.losses(state, plan, *enemy) {
                    let mut after = *state;
                    let hero = self.get(state, ENDURANCE).saturating_sub(u16::from(losses.hero));
                    self.set(&mut after, ENDURANCE, hero);
                    self.set(&mut after, ROUND, (self.get(state, ROUND) + 1).min(plan.round_cap));
                    if plan.wounds && losses.hero > 0 {
                        self.set(&mut after, WOUNDED, 1);
                    }
                    if hero > 0 && plan.mock.is_some() {
                        self.set(&mut after, ENDURANCE, self.get(state, BEFORE));
                    }
                    outcomes.push((UBig::ONE, if hero == 0 { self.beaten(&after, plan) } else { after.at(next) }));
                }
            }
            Op::Compare { fight, worse, equal, better } => {
                let plan = &self.program.fights[*fight as usize];
                for losses in self.losses(state, plan, 0) {
                    let mut after = *state;
                    let hero = self.get(state, ENDURANCE).saturating_sub(u16::from(losses.hero));
                    self.set(&mut after, ENDURANCE, hero);
                    if plan.wounds && losses.hero > 0 {
                        self.set(&mut after, WOUNDED, 1);
                    }
                    self.set(&mut after, ROUND, 1.min(plan.round_cap));
                    let next = match losses.hero.cmp(&losses.enemy) {
                        std::cmp::Ordering::Greater => *worse,
                        std::cmp::Ordering::Equal => *equal,
                        std::cmp::Ordering::Less => *better,
                    };
                    outcomes.push((UBig::ONE, if hero == 0 { self.dead(state.place()) } else { after.at(next) }));
                }
            }
            _ => {}
        }
    }

    /// Where a hero is after a bout that ended so.
    fn after_bout(&self, state: &State, plan: &FightPlan, enemy: u8, ending: Ending) -> State {
        let mut after = *state;
        self.set(&mut after, ENDURANCE, u16::from(ending.hero));
        self.set(&mut after, ENEMY, 0);
        self.set(&mut after, ROUND, ending.rounds.min(u32::from(plan.round_cap)) as u16);
        self.set(&mut after, WOUNDED, u16::from(ending.wounded));
        if ending.hero == 0 { self.beaten(&after, plan) } else { self.victorious(&after, plan, enemy) }
    }

    fn scatter(&self, state: &State, kind: Kind, next: Place, outcomes: &mut Vec<(UBig, State)>) {
        if self.get(state, LEFT) == 0 || self.of_kind(state, kind) == 0 {
            outcomes.push((UBig::ONE, state.at(next)));
            return;
        }
        let mut less = *state;
        self.add(&mut less, LEFT, -1);
        for (item, own) in self.program.facts.kinds.iter().enumerate() {
            let count = self.count(&less, item);
            if *own == kind && count > 0 {
                let mut without = less;
                self.lose(&mut without, item, 1);
                outcomes.push((count.into(), without));
            }
        }
    }

    pub(crate) fn is_chance(&self, state: &State) -> bool {
        state.place() < DEAD
            && matches!(
                self.program.ops[state.place() as usize],
                Op::Pick { .. } | Op::Scatter { .. } | Op::Clash { .. } | Op::Flee { .. } | Op::Compare { .. }
            )
    }

    /// Adds to `turn` what follows where nobody is asked; says whether that is so.
    fn go_on<A>(&self, state: &State, turn: &mut Turn<State, A>, buffers: &mut Buffers) -> bool {
        match Self::end(state) {
            Some(End::Won(_)) => turn.end(1),
            Some(End::Dead(_)) => turn.end(0),
            None => {
                let mut stepped = *state;
                if self.step(&mut stepped) {
                    turn.to(if self.analyses.straight { buffers.settled(self, &stepped) } else { self.keep(&stepped) });
                } else if self.is_left_to_chance(state) {
                    self.chance(state, turn, buffers);
                } else {
                    return false;
                }
            }
        }
        true
    }

    /// The answers to the question at a state that make a difference: those that come to the same at once are one.
    pub(crate) fn choices(&self, state: &State, choices: &mut Vec<Move>) {
        choices.clear();
        self.moves(state, usize::MAX, choices);
        if self.analyses.merge {
            let mut seen: Vec<State> = Vec::new();
            choices.retain(|answer| {
                let kept = self.keep(&answer.state);
                let new = !seen.contains(&kept);
                if new {
                    seen.push(kept);
                }
                new
            });
        }
    }

    /// Adds to `turn` what follows when play comes to `state`, which lies right after an answer or
    /// an outcome.
    fn follow<A>(&self, state: State, turn: &mut Turn<State, A>, buffers: &mut Buffers) {
        let stop = buffers.settled(self, &state);
        if self.analyses.straight && !self.entering && self.is_chance(&stop) {
            self.chance(&stop, turn, buffers);
        } else {
            turn.to(stop);
        }
    }

    fn chance<A>(&self, state: &State, turn: &mut Turn<State, A>, buffers: &mut Buffers) {
        if let Op::Bout { fight, enemy, .. } = &self.program.ops[state.place() as usize]
            && let Some(fold) = self.folded(state)
        {
            let plan = &self.program.fights[*fight as usize];
            let hero = self.get(state, ENDURANCE).min(u16::from(self.most_endurance())) as u8;
            let endings = fold.folded.from(hero).iter().map(|(ending, _)| {
                let next = self.after_bout(state, plan, *enemy, *ending);
                buffers.settled(self, &next)
            });
            turn.chance_with(&fold.weights[usize::from(hero)], endings);
            return;
        }
        buffers.outcomes.clear();
        self.chances(state, &mut buffers.outcomes);
        let mut outcomes = std::mem::take(&mut buffers.outcomes);
        for (_, next) in &mut outcomes {
            *next = buffers.settled(self, next);
        }
        say(&outcomes, turn);
        buffers.outcomes = outcomes;
    }

    /// Where play stands when the hero sets out.
    pub(crate) fn first(&self) -> State {
        if self.entering { self.start } else { self.run(self.keep(&self.start), &mut Vec::new()) }
    }
}

/// Adds a choice that leaves it to chance, with weights of any size.
fn say<A>(outcomes: &[(UBig, State)], turn: &mut Turn<State, A>) {
    // Few outcomes of small weights, as nearly all are: their sum is small, too.
    let small = |weight: &UBig| u64::try_from(weight).ok().filter(|weight| *weight < 1 << 32);
    if outcomes.len() < 1 << 16 && outcomes.iter().all(|(weight, _)| small(weight).is_some()) {
        return turn.chance(outcomes.iter().filter_map(|(weight, next)| Some((*next, small(weight)?))));
    }
    match Distribution::weighted(outcomes.iter().map(|(weight, next)| (*next, weight.clone()))) {
        Ok(distribution) => turn.chance_from(&distribution.merge()),
        // Weights are positive: without outcomes there is no chance, which the engine will say.
        Err(_) => turn.chance([]),
    }
}

fn new_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// What a thread needs again and again.
#[derive(Default)]
struct Buffers {
    moves: Vec<Move>,
    inner: Vec<Move>,
    outcomes: Vec<(UBig, State)>,
    /// Of which machine the settled states are.
    machine: u64,
    /// States and where play comes from them to its next question: the last one of each hash.
    settled: Vec<(State, State)>,
}

impl Buffers {
    /// Where play from a state comes to its next question, as far as that matters; from what was found out before
    /// if possible, for most outcomes lead where others led.
    fn settled(&mut self, machine: &Machine, state: &State) -> State {
        if self.machine != machine.number {
            let none = State::default().at(NO_PLACE);
            self.settled.clear();
            self.settled.resize(SETTLED, (none, none));
            self.machine = machine.number;
        }
        let kept = machine.keep(state);
        if machine.asks_at_once(&kept) {
            return kept;
        }
        let (known, settled) = &mut self.settled[FxBuildHasher.hash_one(kept) as usize % SETTLED];
        if *known != kept {
            *settled = machine.keep(&machine.run(kept, &mut self.inner));
            *known = kept;
        }
        *settled
    }
}

thread_local! {
    static BUFFERS: std::cell::RefCell<Buffers> = std::cell::RefCell::default();
}

impl Game for Machine {
    type State = State;
    /// What an answer is called; where nobody is asked there is no name.
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.keep(&self.first()))]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        BUFFERS.with_borrow_mut(|buffers| {
            if self.go_on(state, turn, buffers) {
                return;
            }
            let mut choices = std::mem::take(&mut buffers.moves);
            self.choices(state, &mut choices);
            for answer in &choices {
                turn.choice_with(|| self.describe_action(state, answer.action));
                self.follow(answer.state, turn, buffers);
            }
            if choices.is_empty() {
                turn.end(0);
            }
            buffers.moves = choices;
        });
    }
}
