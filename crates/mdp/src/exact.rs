//! Exact values: integers over known denominators.
//!
//! A state's value is a sum of products of weights, divided by the totals on the way. So its
//! denominator is known before the value is: the least common multiple, over the choices that
//! could be best, of the choice's total times the denominators of its targets. Values are kept as
//! numerators in fixed runs of 64-bit limbs; states with the same denominator (there are few
//! denominators and many states) are of one *class*. No greatest common divisor is taken in the
//! sweep.
//!
//! The floating-point bounds come first: only choices that they cannot tell apart are computed
//! exactly, and compared as integers, so a tie is proved to be one.
//!
//! A cyclic part is solved by policy iteration, each policy's equations exactly
//! ([`crate::linear`]); its states then share a class of their own.

use budget::Budget;
use dashu_base::{BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::best::ChoiceSets;
use crate::bounds::{Bounds, Ends};
use crate::distribution::lcm;
use crate::linear::{Effort, EliminationError, Row, solve_exactly};
use crate::model::{CHANCE, Choice, KIND, LOW, Level, Model, REWARD, SHARED, StateId};
use crate::part::{Opt, Part, leaving_policy};
use crate::rational::{Rational, enclose, exactly};
use crate::solve::{Sense, SolveError};
use crate::weights::{CERTAIN, WeightSlice, WeightTable, WeightsId};

/// Words from which on a level's numerators are worth sharing among threads.
const WORTH_SHARING: usize = 1 << 13;
/// States whose denominators are found before their numerators are computed: what was read for the
/// first is still in the cache for the second. For one thread alone, and for each of several.
const PIECE_ALONE: u32 = 1 << 9;
const PIECE: u32 = 1 << 12;
/// Cyclic parts of a level that are solved before their values are entered.
const PARTS: usize = 256;

/// The exact value of every state (shifted to be at least 0).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ExactValues {
    /// For every state its class (upper 24 bits) and where its numerator begins in `limbs`.
    places: Vec<Place>,
    limbs: Vec<u64>,
    classes: Vec<Class>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place(u64);

impl Place {
    const OFFSET_BITS: u32 = 40;

    fn new(class: u32, offset: usize) -> Self {
        Self(u64::from(class) << Self::OFFSET_BITS | offset as u64)
    }

    #[inline]
    fn class(self) -> u32 {
        (self.0 >> Self::OFFSET_BITS) as u32
    }

    #[inline]
    fn offset(self) -> usize {
        (self.0 & ((1 << Self::OFFSET_BITS) - 1)) as usize
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Class {
    denominator: UBig,
    /// Limbs of each numerator.
    limbs: usize,
}

/// The class of the denominator 1.
const WHOLE: u32 = 0;

/// One objective, exactly. Payoffs and rewards are shifted to be at least 0.
pub(crate) struct ExactObjective<'a> {
    pub(crate) model: &'a Model,
    pub(crate) sense: Sense,
    pub(crate) payoffs: Vec<Rational>,
    pub(crate) rewards: Vec<Rational>,
    pub(crate) forever: Rational,
}

impl ExactValues {
    pub(crate) fn value(&self, state: StateId) -> Rational {
        let place = self.places[state as usize];
        let class = &self.classes[place.class() as usize];
        let numerator = UBig::from_words(&self.limbs[place.offset()..place.offset() + class.limbs]);
        Rational::from_parts(numerator.into(), class.denominator.clone())
    }

    /// The denominator of a state's value before it is reduced: every product of totals on a way
    /// from the state to an end divides it, as long as only best choices are taken.
    pub(crate) fn denominator(&self, state: StateId) -> &UBig {
        &self.classes[self.places[state as usize].class() as usize].denominator
    }

    /// Whether every state has a numerator over a denominator.
    pub(crate) fn check(&self, states: usize) -> bool {
        self.places.len() == states
            && self.classes.iter().all(|class| class.denominator != UBig::ZERO)
            && self.places.iter().all(|place| {
                let class = self.classes.get(place.class() as usize);
                class
                    .and_then(|class| place.offset().checked_add(class.limbs))
                    .is_some_and(|end| end <= self.limbs.len())
            })
    }

    pub(crate) fn bytes(&self) -> u64 {
        let classes: usize =
            self.classes.iter().map(|class| size_of::<Class>() + class.denominator.as_words().len() * 8).sum();
        (self.places.capacity() * 8 + self.limbs.capacity() * 8 + classes) as u64
    }
}

/// Remembers results for pairs: a hash table behind a small cache of the latest.
#[derive(Debug, Default)]
struct Memo {
    latest: Latest,
    all: FxHashMap<(u32, u32), u32>,
}

/// The latest results for pairs.
#[derive(Debug)]
struct Latest(Vec<((u32, u32), u32)>);

impl Default for Latest {
    fn default() -> Self {
        Self(vec![((u32::MAX, u32::MAX), 0); Self::COUNT])
    }
}

impl Latest {
    const COUNT: usize = 1 << 10;

    #[inline]
    fn slot(&mut self, key: (u32, u32)) -> &mut ((u32, u32), u32) {
        &mut self.0[(key.0.wrapping_mul(37) ^ key.1) as usize % Self::COUNT]
    }

    #[inline]
    fn get(&mut self, key: (u32, u32), all: &FxHashMap<(u32, u32), u32>) -> Option<u32> {
        let slot = self.slot(key);
        if slot.0 != key {
            *slot = (key, *all.get(&key)?);
        }
        Some(slot.1)
    }
}

impl Memo {
    #[inline]
    fn get(&mut self, key: (u32, u32)) -> Option<u32> {
        self.latest.get(key, &self.all)
    }

    fn insert(&mut self, key: (u32, u32), result: u32) {
        self.all.insert(key, result);
        *self.latest.slot(key) = (key, result);
    }
}

/// All denominators that occur, each once.
struct Classes {
    list: Vec<Class>,
    known: FxHashMap<UBig, u32>,
    joined: Memo,
    multiplied: Memo,
    /// The number of every weight vector's total.
    total_of: Vec<u32>,
    totals: Vec<UBig>,
    /// Binary digits of the largest value, rounded up.
    value_bits: usize,
    /// Bytes of the denominators, which are kept twice.
    denominator_bytes: u64,
}

impl Classes {
    fn new(weights: &WeightTable, largest: f64) -> Self {
        let mut totals: Vec<UBig> = Vec::new();
        let mut known: FxHashMap<UBig, u32> = FxHashMap::default();
        let total_of = (0..weights.len() as WeightsId)
            .map(|id| {
                *known.entry(weights.total(id)).or_insert_with_key(|total| {
                    totals.push(total.clone());
                    totals.len() as u32 - 1
                })
            })
            .collect();
        let mut classes = Self {
            list: Vec::new(),
            known: FxHashMap::default(),
            joined: Memo::default(),
            multiplied: Memo::default(),
            total_of,
            totals,
            value_bits: (largest.max(1.0).log2() as usize) + 2,
            denominator_bytes: 0,
        };
        classes.of(UBig::ONE);
        classes
    }

    /// The class of a denominator.
    fn of(&mut self, denominator: UBig) -> u32 {
        if let Some(class) = self.known.get(&denominator) {
            return *class;
        }
        let class = self.list.len() as u32;
        let limbs = (denominator.bit_len() + self.value_bits).div_ceil(64);
        self.denominator_bytes += 2 * (size_of::<Class>() + denominator.as_words().len() * 8) as u64;
        self.list.push(Class { denominator: denominator.clone(), limbs });
        self.known.insert(denominator, class);
        class
    }

    /// Bytes in use.
    fn bytes(&self) -> u64 {
        let pairs = self.joined.all.capacity() + self.multiplied.all.capacity();
        self.denominator_bytes + (pairs * size_of::<((u32, u32), u32)>()) as u64
    }

    fn join_anew(&mut self, key: (u32, u32)) -> u32 {
        let denominator = lcm(&self.list[key.0 as usize].denominator, &self.list[key.1 as usize].denominator);
        let class = self.of(denominator);
        self.joined.insert(key, class);
        class
    }

    /// The class of the least common multiple where it is plain; otherwise what to look it up with.
    #[inline]
    fn simple_join(a: u32, b: u32) -> Result<u32, (u32, u32)> {
        if a == b || b == WHOLE {
            Ok(a)
        } else if a == WHOLE {
            Ok(b)
        } else {
            Err((a.min(b), a.max(b)))
        }
    }
}

impl Denominators for Classes {
    #[inline]
    fn join(&mut self, a: u32, b: u32) -> Option<u32> {
        match Self::simple_join(a, b) {
            Ok(class) => Some(class),
            Err(key) => Some(self.joined.get(key).unwrap_or_else(|| self.join_anew(key))),
        }
    }

    #[inline]
    fn multiply(&mut self, class: u32, weights: WeightsId) -> Option<u32> {
        if weights == CERTAIN {
            return Some(class);
        }
        let key = (class, self.total_of[weights as usize]);
        if let Some(class) = self.multiplied.get(key) {
            return Some(class);
        }
        let denominator = &self.list[class as usize].denominator * &self.totals[key.1 as usize];
        let class = self.of(denominator);
        self.multiplied.insert(key, class);
        Some(class)
    }
}

/// What a group of terms is multiplied with to reach the denominator of their state.
#[derive(Clone, Debug)]
enum Factor {
    One,
    Small(u64),
    Large(UBig),
}

/// Per thread: factors that were needed before, and room to compute in.
struct Workspace {
    /// For the class of a state, the total of a choice, and the class of a group of targets.
    factors: Vec<((u32, u32, u32), Factor)>,
    known: FxHashMap<(u32, u32, u32), u32>,
    /// Bytes of the factors, about.
    factor_bytes: usize,
    /// The places in `factors` of the latest ones.
    latest: [u32; Self::LATEST],
    /// Classes that were found before: joined, and multiplied.
    found: [Latest; 2],
    group: Vec<u64>,
    other: Vec<u64>,
}

impl Default for Workspace {
    fn default() -> Self {
        let factors = vec![((u32::MAX, u32::MAX, u32::MAX), Factor::One)];
        Self {
            factors,
            known: FxHashMap::default(),
            factor_bytes: 0,
            latest: [0; Self::LATEST],
            found: Default::default(),
            group: Vec::new(),
            other: Vec::new(),
        }
    }
}

impl Workspace {
    const LATEST: usize = 256;
    /// Factors are forgotten, and made again when needed, when they take more than this.
    const MOST_BYTES: usize = 64 << 20;

    /// Keeps the memory that factors take within bounds.
    fn tidy(&mut self) {
        if self.factor_bytes > Self::MOST_BYTES {
            let found = std::mem::take(&mut self.found);
            *self = Self { found, ..Self::default() };
        }
    }

    /// The place of a factor in `factors`.
    #[inline]
    fn factor(&mut self, key: (u32, u32, u32), make: impl FnOnce() -> Factor) -> usize {
        let slot = (key.0.wrapping_mul(37) ^ key.1.wrapping_mul(5) ^ key.2) as usize % Self::LATEST;
        let latest = self.latest[slot] as usize;
        if self.factors[latest].0 == key {
            return latest;
        }
        let place = *self.known.entry(key).or_insert_with(|| {
            let factor = make();
            let long = if let Factor::Large(factor) = &factor { factor.as_words().len() * 8 } else { 0 };
            // The entry here and that of the table.
            self.factor_bytes += 2 * size_of::<((u32, u32, u32), Factor)>() + long;
            self.factors.push((key, factor));
            self.factors.len() as u32 - 1
        });
        self.latest[slot] = place;
        place as usize
    }
}

/// Solves one objective. `candidates` holds the choices that could be best, and then those that
/// are; `used` bytes are in use already.
pub(crate) fn sweep(
    objective: &ExactObjective<'_>,
    bounds: &Bounds,
    candidates: &mut ChoiceSets,
    used: u64,
    may_stay: impl Fn(StateId) -> bool + Sync,
    budget: &Budget<'_>,
    mut progress: impl FnMut(&Level, u64) -> Result<(), SolveError>,
) -> Result<ExactValues, SolveError> {
    let model = objective.model;
    let largest = bounds.largest();
    let mut classes = Classes::new(model.weights(), largest);
    let mut values =
        ExactValues { places: vec![Place(0); model.states() as usize], limbs: Vec::new(), classes: Vec::new() };
    let payoffs = enter_payoffs(objective, &mut classes, &mut values.limbs);
    let reward_classes: Vec<u32> = objective.rewards.iter().map(|r| classes.of(r.denominator().clone())).collect();
    let mut workspaces: Vec<Workspace> = (0..rayon::current_num_threads()).map(|_| Workspace::default()).collect();
    let mut waiting: Vec<StateId> = Vec::new();
    for level in model.levels().iter().rev() {
        let piece = if workspaces.len() == 1 { PIECE_ALONE } else { PIECE * workspaces.len() as u32 };
        let mut begin = level.states.start;
        while begin < level.cyclic {
            let states = begin..level.cyclic.min(begin.saturating_add(piece));
            begin = states.end;
            let known = Known::of_all(
                model,
                states.clone(),
                candidates,
                &values.places,
                &reward_classes,
                &classes,
                &mut workspaces,
            );
            workspaces.iter_mut().for_each(Workspace::tidy);
            waiting.clear();
            let first_limb = values.limbs.len();
            let mut next_limb = first_limb;
            for (state, known) in states.zip(known) {
                if let Some(payoff) = model.code.payoff(state) {
                    values.places[state as usize] = payoffs[payoff as usize];
                    continue;
                }
                let known =
                    known.or_else(|| class_of(model, state, candidates, &values.places, &reward_classes, &mut classes));
                match known {
                    None => {}
                    Some(Known::SameAs(place)) => values.places[state as usize] = place,
                    Some(Known::Class(class)) => {
                        values.places[state as usize] = Place::new(class, next_limb);
                        next_limb += classes.list[class as usize].limbs;
                        waiting.push(state);
                    }
                }
            }
            if classes.list.len() >= 1 << 24 || next_limb >= 1 << Place::OFFSET_BITS {
                return Err(SolveError::TooLarge);
            }
            let needed = values.bytes() + classes.bytes() + ((next_limb - first_limb) * 8) as u64;
            budget.memory(used + needed)?;
            reserve(&mut values.limbs, next_limb - first_limb);
            values.limbs.resize(next_limb, 0);
            let (limbs, new) = values.limbs.split_at_mut(first_limb);
            let step =
                Step { objective, classes: &classes, places: &values.places, limbs, reward_classes: &reward_classes };
            let settled = step.all(&waiting, new, candidates, &mut workspaces);
            for (state, best) in settled {
                candidates.set(state, &best);
            }
        }
        let parts = &model.parts[level.parts.start as usize..level.parts.end as usize];
        for parts in parts.chunks(PARTS) {
            let left = budget.limits().max_memory.saturating_sub(used + values.bytes() + classes.bytes());
            let effort = Effort { most_entries: (left / 64) as usize, budget };
            let known = PartValues { objective, candidates, classes: &classes, values: &values };
            let solved = parts.par_iter().map(|members| {
                let part = Part::new(model, members.clone(), |state, choice| candidates.contains(state, choice));
                let stays = part.stays(&may_stay);
                known.solve(part, &stays, effort)
            });
            for solved in solved.collect::<Result<Vec<_>, _>>()? {
                solved.enter(candidates, &mut classes, &mut values);
            }
        }
        progress(level, values.bytes() + classes.bytes())?;
    }
    values.classes = classes.list;
    values.limbs.shrink_to_fit();
    Ok(values)
}

/// Makes room without doubling what may be most of the memory.
fn reserve(limbs: &mut Vec<u64>, more: usize) {
    if limbs.capacity() - limbs.len() < more {
        limbs.reserve_exact(more.max(limbs.len() / 4).max(1 << 12));
    }
}

/// Puts every payoff's numerator into the limbs, once.
fn enter_payoffs(objective: &ExactObjective<'_>, classes: &mut Classes, limbs: &mut Vec<u64>) -> Vec<Place> {
    let mut places = Vec::with_capacity(objective.payoffs.len());
    for payoff in &objective.payoffs {
        let class = classes.of(payoff.denominator().clone());
        places.push(enter(&payoff.numerator().unsigned_abs(), class, classes, limbs));
    }
    places
}

/// Appends a numerator.
fn enter(numerator: &UBig, class: u32, classes: &Classes, limbs: &mut Vec<u64>) -> Place {
    let place = Place::new(class, limbs.len());
    let words = numerator.as_words();
    limbs.extend_from_slice(words);
    limbs.resize(place.offset() + classes.list[class as usize].limbs, 0);
    place
}

/// What is known of a state before its numerator is computed.
#[derive(Clone, Copy)]
enum Known {
    /// Its value is that of another state.
    SameAs(Place),
    Class(u32),
}

impl Known {
    /// Threads look up, side by side, what has been found before; nothing for the rest. One thread
    /// alone gets by without.
    fn of_all(
        model: &Model,
        states: Range<StateId>,
        candidates: &ChoiceSets,
        places: &[Place],
        reward_classes: &[u32],
        classes: &Classes,
        workspaces: &mut [Workspace],
    ) -> Vec<Option<Self>> {
        if workspaces.len() == 1 || states.len() < WORTH_SHARING / 4 {
            return vec![None; states.len()];
        }
        let mut known = vec![None; states.len()];
        let share = states.len().div_ceil(workspaces.len());
        known.par_chunks_mut(share).zip(workspaces).enumerate().for_each(|(piece, (known, workspace))| {
            let mut found = FoundBefore { classes, latest: &mut workspace.found };
            for (state, known) in (states.start + (piece * share) as u32..).zip(known) {
                *known = class_of(model, state, candidates, places, reward_classes, &mut found);
            }
        });
        known
    }
}

/// What the class of a state is made with.
trait Denominators {
    /// The class of the least common multiple.
    fn join(&mut self, a: u32, b: u32) -> Option<u32>;
    /// The class of the denominator times a weight vector's total.
    fn multiply(&mut self, class: u32, weights: WeightsId) -> Option<u32>;
}

/// The classes as they are: finds only what has been found before.
struct FoundBefore<'a> {
    classes: &'a Classes,
    latest: &'a mut [Latest; 2],
}

impl Denominators for FoundBefore<'_> {
    #[inline]
    fn join(&mut self, a: u32, b: u32) -> Option<u32> {
        match Classes::simple_join(a, b) {
            Ok(class) => Some(class),
            Err(key) => self.latest[0].get(key, &self.classes.joined.all),
        }
    }

    #[inline]
    fn multiply(&mut self, class: u32, weights: WeightsId) -> Option<u32> {
        if weights == CERTAIN {
            return Some(class);
        }
        self.latest[1].get((class, self.classes.total_of[weights as usize]), &self.classes.multiplied.all)
    }
}

/// What is known of an unfinished state; nothing where a denominator is not found.
fn class_of(
    model: &Model,
    state: StateId,
    candidates: &ChoiceSets,
    places: &[Place],
    reward_classes: &[u32],
    classes: &mut impl Denominators,
) -> Option<Known> {
    let mut class = WHOLE;
    let mut chosen = Chosen::new(model, state, candidates);
    while let Some((choice, _)) = chosen.next() {
        if let ([target], None) = (choice.targets, choice.reward)
            && candidates.count(state) == 1
        {
            return Some(Known::SameAs(places[*target as usize]));
        }
        let mut inner = WHOLE;
        for target in choice.targets {
            inner = classes.join(inner, places[*target as usize].class())?;
        }
        let mut outer = classes.multiply(inner, choice.weights)?;
        if let Some(reward) = choice.reward.filter(|_| !reward_classes.is_empty()) {
            outer = classes.join(outer, reward_classes[reward as usize])?;
        }
        class = classes.join(class, outer)?;
    }
    Some(Known::Class(class))
}

/// A state's choices that are in the set.
fn chosen<'a>(model: &'a Model, state: StateId, set: &'a ChoiceSets) -> impl Iterator<Item = (Choice<'a>, u32)> {
    model.choices(state).zip(0..).filter(move |(_, number)| set.contains(state, *number))
}

/// A state's choices that are in the set: [`chosen`] for the sweep, which cannot afford to decode
/// choices that it does not want.
struct Chosen<'a> {
    model: &'a Model,
    set: &'a ChoiceSets,
    state: StateId,
    run: &'a [u32],
    number: u32,
}

impl<'a> Chosen<'a> {
    #[inline]
    fn new(model: &'a Model, state: StateId, set: &'a ChoiceSets) -> Self {
        Self { model, set, state, run: model.code.run(state), number: 0 }
    }

    #[inline]
    fn next(&mut self) -> Option<(Choice<'a>, u32)> {
        let code = &self.model.code;
        let mut reward = None;
        loop {
            let (&header, rest) = self.run.split_first()?;
            self.run = rest;
            let (weights, targets) = match header & KIND {
                CHANCE => {
                    let (targets, rest) = rest.split_at(code.weights.count(header));
                    self.run = rest;
                    (header, targets)
                }
                SHARED => code.shared_node(header),
                REWARD => {
                    reward = Some(header & LOW);
                    continue;
                }
                _ => return None,
            };
            let number = self.number;
            self.number += 1;
            if self.set.contains(self.state, number) {
                return Some((Choice { weights, targets, reward }, number));
            }
            reward = None;
        }
    }
}

/// One level: everything below is known.
struct Step<'a> {
    objective: &'a ExactObjective<'a>,
    classes: &'a Classes,
    places: &'a [Place],
    limbs: &'a [u64],
    reward_classes: &'a [u32],
}

impl Step<'_> {
    /// Computes the numerators of the waiting states, whose limbs lie one after another in `new`.
    /// Returns the sets of those that had more than one candidate.
    fn all(
        &self,
        waiting: &[StateId],
        new: &mut [u64],
        candidates: &ChoiceSets,
        workspaces: &mut [Workspace],
    ) -> Vec<(StateId, Vec<u32>)> {
        let threads = workspaces.len();
        if new.len() < WORTH_SHARING || threads == 1 {
            return self.some(waiting, new, candidates, &mut workspaces[0]);
        }
        let share = waiting.len().div_ceil(threads);
        let mut pieces = Vec::new();
        let mut rest = new;
        for (states, workspace) in waiting.chunks(share).zip(workspaces) {
            let limbs = states.iter().map(|state| self.class(*state).limbs).sum();
            let (own, after) = rest.split_at_mut(limbs);
            pieces.push((states, own, workspace));
            rest = after;
        }
        let settled: Vec<_> = pieces
            .into_par_iter()
            .map(|(states, own, workspace)| self.some(states, own, candidates, workspace))
            .collect();
        settled.into_iter().flatten().collect()
    }

    fn class(&self, state: StateId) -> &Class {
        &self.classes.list[self.places[state as usize].class() as usize]
    }

    fn some(
        &self,
        states: &[StateId],
        mut limbs: &mut [u64],
        candidates: &ChoiceSets,
        workspace: &mut Workspace,
    ) -> Vec<(StateId, Vec<u32>)> {
        let mut settled = Vec::new();
        let mut best = Vec::new();
        for state in states {
            let (own, rest) = limbs.split_at_mut(self.class(*state).limbs);
            limbs = rest;
            best.clear();
            let mut chosen = Chosen::new(self.objective.model, *state, candidates);
            while let Some((choice, number)) = chosen.next() {
                if best.is_empty() {
                    self.numerator(*state, &choice, own, workspace);
                    best.push(number);
                    continue;
                }
                let mut other = std::mem::take(&mut workspace.other);
                other.clear();
                other.resize(own.len(), 0);
                self.numerator(*state, &choice, &mut other, workspace);
                match self.objective.sense.order(compare(&other, own)) {
                    std::cmp::Ordering::Greater => {
                        own.copy_from_slice(&other);
                        best.clear();
                        best.push(number);
                    }
                    std::cmp::Ordering::Equal => best.push(number),
                    std::cmp::Ordering::Less => {}
                }
                workspace.other = other;
            }
            if candidates.count(*state) > 1 {
                settled.push((*state, best.clone()));
            }
        }
        settled
    }

    /// The numerator of a choice over its state's denominator, into `sum` (zero before).
    fn numerator(&self, state: StateId, choice: &Choice<'_>, sum: &mut [u64], workspace: &mut Workspace) {
        let class = self.places[state as usize].class();
        let total = self.classes.total_of[choice.weights as usize];
        let weights = self.objective.model.weights().weights(choice.weights);
        let mut place = 0;
        let mut next = choice.targets.first().map(|target| self.places[*target as usize]);
        while let Some(first) = next {
            // A group: targets of one class.
            let inner = first.class();
            let limbs = self.classes.list[inner as usize].limbs;
            let factor = workspace.factor((class, total, inner), || self.factor(class, total, inner));
            let Workspace { factors, group, .. } = &mut *workspace;
            let factor = &factors[factor].1;
            let target_sum: &mut [u64] = if matches!(factor, Factor::One) {
                sum
            } else {
                group.clear();
                group.resize(sum.len(), 0);
                group
            };
            while let Some(own) = next.filter(|own| own.class() == inner) {
                let numerator = &self.limbs[own.offset()..own.offset() + limbs];
                match weights {
                    WeightSlice::Small(weights, _) => add_product(target_sum, numerator, weights[place]),
                    WeightSlice::Large(weights, _) => {
                        add_long_product(target_sum, numerator, weights[place].as_words());
                    }
                }
                place += 1;
                next = choice.targets.get(place).map(|target| self.places[*target as usize]);
            }
            match factor {
                Factor::One => {}
                Factor::Small(factor) => add_product(sum, group, *factor),
                Factor::Large(factor) => add_long_product(sum, group, factor.as_words()),
            }
        }
        if let Some(reward) = choice.reward.filter(|_| !self.objective.rewards.is_empty()) {
            let scale = &self.classes.list[class as usize].denominator
                / &self.classes.list[self.reward_classes[reward as usize] as usize].denominator;
            let earned = self.objective.rewards[reward as usize].numerator().unsigned_abs() * scale;
            add_long_product(sum, &[1], earned.as_words());
        }
    }

    fn factor(&self, class: u32, total: u32, inner: u32) -> Factor {
        let divisor = &self.classes.list[inner as usize].denominator * &self.classes.totals[total as usize];
        let factor = &self.classes.list[class as usize].denominator / divisor;
        match u64::try_from(&factor) {
            Ok(1) => Factor::One,
            Ok(small) => Factor::Small(small),
            Err(_) => Factor::Large(factor),
        }
    }
}

/// `sum += a * b`. The sum has room: numerators are bounded by their class.
#[inline]
fn add_product(sum: &mut [u64], a: &[u64], b: u64) {
    let mut carry = 0u64;
    let shared = a.len().min(sum.len());
    let (low, high) = sum.split_at_mut(shared);
    for (sum, a) in low.iter_mut().zip(a) {
        let wide = u128::from(*a) * u128::from(b) + u128::from(*sum) + u128::from(carry);
        *sum = wide as u64;
        carry = (wide >> 64) as u64;
    }
    for sum in high {
        if carry == 0 {
            return;
        }
        let (next, over) = sum.overflowing_add(carry);
        *sum = next;
        carry = u64::from(over);
    }
}

/// `sum += a * b` for a factor of several limbs.
fn add_long_product(sum: &mut [u64], a: &[u64], b: &[u64]) {
    for (shift, limb) in b.iter().enumerate().take(sum.len()) {
        add_product(&mut sum[shift..], a, *limb);
    }
}

fn compare(a: &[u64], b: &[u64]) -> std::cmp::Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

/// An option of a cyclic part with integers: its inner weights, and what it brings from outside
/// times the common denominator.
struct ExactOption {
    /// Node and weight.
    inner: Vec<(u32, UBig)>,
    total: UBig,
    outside: UBig,
}

impl ExactOption {
    /// The option's worth times its total and the common denominators.
    fn worth(&self, numerators: &[IBig], denominator: &UBig) -> IBig {
        let outside = IBig::from(&self.outside * denominator);
        self.inner
            .iter()
            .fold(outside, |sum, (node, weight)| sum + IBig::from(weight.clone()) * &numerators[*node as usize])
    }
}

/// What cyclic parts of a level are solved from.
struct PartValues<'a> {
    objective: &'a ExactObjective<'a>,
    candidates: &'a ChoiceSets,
    classes: &'a Classes,
    values: &'a ExactValues,
}

/// A cyclic part with the values of its nodes, over one denominator in lowest terms.
struct SolvedPart {
    part: Part,
    numerators: Vec<UBig>,
    denominator: UBig,
    /// The best choices of every state.
    settled: Vec<(StateId, Vec<u32>)>,
}

impl PartValues<'_> {
    /// Solves a part whose outside is known exactly, and settles which of its choices are best.
    fn solve(&self, part: Part, stays: &[bool], effort: Effort<'_>) -> Result<SolvedPart, SolveError> {
        let Self { objective, candidates, classes, values } = *self;
        let model = objective.model;
        let denominator = |target: StateId| &classes.list[values.places[target as usize].class() as usize].denominator;
        let mut common = objective.common_denominator(&part);
        // Few classes, many targets.
        let mut last = WHOLE;
        for state in part.members.clone() {
            for (choice, _) in chosen(model, state, candidates) {
                for target in choice.targets.iter().filter(|target| part.node(**target).is_none()) {
                    let class = values.places[*target as usize].class();
                    if class != last {
                        common = lcm(&common, denominator(*target));
                        last = class;
                    }
                }
            }
        }
        let outside = |target: StateId| {
            let place = values.places[target as usize];
            let limbs = classes.list[place.class() as usize].limbs;
            let numerator = UBig::from_words(&values.limbs[place.offset()..place.offset() + limbs]);
            numerator * (&common / denominator(target))
        };
        let (numerators, denominator) = iterate_policies(objective, &part, stays, &common, outside, None, effort)?;
        // Which choices are best, inner ones of end components included.
        let mut settled = Vec::new();
        for state in part.members.clone() {
            let Some(node) = part.node(state) else { continue };
            let is_best = |choice: &Choice<'_>| {
                let option = ExactOption::new(objective, &part, choice, &common, outside);
                option.worth(&numerators, &denominator) == IBig::from(option.total.clone()) * &numerators[node]
            };
            let best = chosen(model, state, candidates).filter(|(choice, _)| is_best(choice));
            settled.push((state, best.map(|(_, number)| number).collect()));
        }
        let numerators: Vec<UBig> = numerators.into_iter().map(UnsignedAbs::unsigned_abs).collect();
        let denominator = denominator * common;
        let divisor = numerators.iter().fold(denominator.clone(), Gcd::gcd);
        let numerators = numerators.into_iter().map(|numerator| numerator / &divisor).collect();
        Ok(SolvedPart { part, numerators, denominator: denominator / divisor, settled })
    }
}

impl SolvedPart {
    fn enter(self, candidates: &mut ChoiceSets, classes: &mut Classes, values: &mut ExactValues) {
        let class = classes.of(self.denominator);
        let places: Vec<Place> =
            self.numerators.iter().map(|numerator| enter(numerator, class, classes, &mut values.limbs)).collect();
        for (state, best) in self.settled {
            candidates.set(state, &best);
            if let Some(node) = self.part.node(state) {
                values.places[state as usize] = places[node];
            }
        }
    }
}

/// Bounds of a part's nodes whose outside is known within bounds: the part is solved exactly for
/// each end of the outside. What is better outside is not worse inside, so the ends enclose.
pub(crate) fn part_bounds(
    objective: &ExactObjective<'_>,
    part: &Part,
    stays: &[bool],
    ends: &Ends,
    start: Option<&[usize]>,
    effort: Effort<'_>,
) -> Result<Vec<(f64, f64)>, SolveError> {
    let solve = |outside: &[f64]| {
        let value = |target: StateId| exactly(outside[target as usize]).unwrap_or(Rational::ZERO);
        let targets = part.members.clone().flat_map(|state| objective.model.choices(state)).flat_map(|c| c.targets);
        if targets.clone().any(|target| part.node(*target).is_none() && !outside[*target as usize].is_finite()) {
            return Err(SolveError::ValueTooLarge);
        }
        let mut common = objective.common_denominator(part);
        for target in targets.filter(|target| part.node(**target).is_none()) {
            common = lcm(&common, value(*target).denominator());
        }
        let scaled = |target: StateId| {
            let (numerator, denominator) = value(target).into_parts();
            numerator.unsigned_abs() * (&common / denominator)
        };
        let (numerators, denominator) = iterate_policies(objective, part, stays, &common, scaled, start, effort)?;
        let denominator = denominator * common;
        let ends = numerators.into_iter().map(|n| enclose(&Rational::from_parts(n, denominator.clone())));
        Ok(ends.collect::<Vec<_>>())
    };
    let (lower, upper) = (solve(&ends.lower)?, solve(&ends.upper)?);
    Ok(lower.into_iter().zip(upper).map(|((lower, _), (_, upper))| (lower, upper)).collect())
}

impl ExactObjective<'_> {
    /// A denominator of what a part earns by itself: rewards, and going round for ever.
    fn common_denominator(&self, part: &Part) -> UBig {
        let mut common = self.forever.denominator().clone();
        if !self.rewards.is_empty() {
            for choice in part.members.clone().flat_map(|state| self.model.choices(state)) {
                if let Some(reward) = choice.reward {
                    common = lcm(&common, self.rewards[reward as usize].denominator());
                }
            }
        }
        common
    }
}

/// Policy iteration with exact linear equations: the nodes' values as numerators over `common`
/// times the denominator returned. `outside` gives the value of a state outside of the part as a
/// numerator over `common`; `start` a policy to begin with, which must leave the part with probability 1.
fn iterate_policies(
    objective: &ExactObjective<'_>,
    part: &Part,
    stays: &[bool],
    common: &UBig,
    outside: impl Fn(StateId) -> UBig + Copy,
    start: Option<&[usize]>,
    effort: Effort<'_>,
) -> Result<(Vec<IBig>, UBig), SolveError> {
    let states = part.members.end - part.members.start;
    let exact =
        |option: &Opt| ExactOption::new(objective, part, &Part::choice(objective.model, *option), common, outside);
    let mut options: Vec<Vec<ExactOption>> =
        (0..part.len()).map(|node| part.options(node).iter().map(exact).collect()).collect();
    let forever = objective.forever.numerator().unsigned_abs() * (common / objective.forever.denominator());
    for (options, _) in options.iter_mut().zip(stays).filter(|(_, stays)| **stays) {
        options.push(ExactOption { inner: Vec::new(), total: UBig::ONE, outside: forever.clone() });
    }
    if options.iter().any(Vec::is_empty) {
        return Err(SolveError::NeverLeaves { states });
    }
    let mut policy = match start {
        Some(start) => start.to_vec(),
        None => leaving_policy(
            part.len(),
            |node| options[node].len(),
            |node, place| {
                let option: &ExactOption = &options[node][place];
                let inside: UBig = option.inner.iter().map(|(_, weight)| weight).sum();
                (inside < option.total, option.inner.iter().map(|(node, _)| *node))
            },
        )
        .ok_or(SolveError::NeverLeaves { states })?,
    };
    loop {
        let (rows, right) = equations(&options, &policy);
        let (numerators, denominator) = solve_exactly(&rows, &right, effort).map_err(|error| match error {
            EliminationError::Singular => SolveError::NeverLeaves { states },
            EliminationError::TooLarge => SolveError::PartTooLarge { states },
            EliminationError::Stopped(stopped) => SolveError::Stopped(stopped),
        })?;
        let mut improved = false;
        for (node, options) in options.iter().enumerate() {
            let mut best = (policy[node], numerators[node].clone(), UBig::ONE);
            for (place, option) in options.iter().enumerate() {
                let worth = option.worth(&numerators, &denominator);
                let order = (&worth * IBig::from(best.2.clone())).cmp(&(&best.1 * IBig::from(option.total.clone())));
                if objective.sense.order(order).is_gt() {
                    best = (place, worth, option.total.clone());
                    improved = true;
                }
            }
            policy[node] = best.0;
        }
        if !improved {
            return Ok((numerators, denominator));
        }
    }
}

impl ExactOption {
    fn new(
        objective: &ExactObjective<'_>,
        part: &Part,
        choice: &Choice<'_>,
        common: &UBig,
        outside: impl Fn(StateId) -> UBig,
    ) -> Self {
        let weights = objective.model.weights().weight_list(choice.weights);
        let total = objective.model.weights().total(choice.weights);
        let mut exact = Self { inner: Vec::new(), total, outside: UBig::ZERO };
        for (target, weight) in choice.targets.iter().zip(weights) {
            match part.node(*target) {
                Some(node) => exact.inner.push((node as u32, weight)),
                None => exact.outside += weight * outside(*target),
            }
        }
        // Several targets can be of one node.
        exact.inner.sort_unstable_by_key(|(node, _)| *node);
        exact.inner.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 += &next.1;
            }
            same
        });
        if let Some(reward) = choice.reward.filter(|_| !objective.rewards.is_empty()) {
            let reward = &objective.rewards[reward as usize];
            exact.outside += &exact.total * reward.numerator().unsigned_abs() * (common / reward.denominator());
        }
        exact
    }
}

/// The equations of a policy: for every node, total times value minus the inner weights.
fn equations(options: &[Vec<ExactOption>], policy: &[usize]) -> (Vec<Row<IBig>>, Vec<IBig>) {
    let rows = policy.iter().enumerate().map(|(node, place)| {
        let option = &options[node][*place];
        let mut row: Row<IBig> = vec![(node as u32, IBig::from(option.total.clone()))];
        for (inner, weight) in &option.inner {
            let weight = IBig::from(weight.clone());
            if *inner as usize == node { row[0].1 -= weight } else { row.push((*inner, -weight)) }
        }
        row
    });
    let right = policy.iter().enumerate().map(|(node, place)| IBig::from(options[node][*place].outside.clone()));
    (rows.collect(), right.collect())
}
