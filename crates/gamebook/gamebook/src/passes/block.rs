//! Blocks: steps in which nothing is asked, such as a fight without decisions, and how they end.
//!
//! A block is a small program over registers of its own: those that it writes, and one for every expression that it reads and
//! that does not change in it. So all states in which it goes the same way share what is computed here.
//!
//! The states of a block at its chances are a Markov chain that ends at the exits. A state that can follow itself at once ends as
//! it ends without that outcome; no other state may come again, so the endings of a state are the sum of those of what follows,
//! by its weight, and are computed in whole numbers, last states first. A block in which states do come again, or that has too
//! many, is played step by step.

use std::sync::{Arc, RwLock};

use dashu_base::Gcd;
use dashu_int::UBig;
use mdp::{Distribution, SharedWeights};
use rustc_hash::FxHashMap;

use crate::program::{ByFirst, Endings, Instruction, Layout, Native, Register, State, Weight};

/// The most states of a block for one set of inputs.
const MOST_STATES: usize = 1 << 12;

/// The most weights of endings, over all states of a block for one set of inputs. Larger blocks stay as they are.
const MOST_WEIGHTS: usize = 1 << 18;

/// The most steps from one chance to the next.
const MOST_STEPS: usize = 1 << 10;

/// The most endings of a block for one set of inputs.
const MOST_ENDINGS: usize = 1 << 8;

/// A block forgets what it knows when it has so many endings.
const MOST_KNOWN: usize = 1 << 18;

/// What a block does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// Its steps, the first one first. A label beyond them is an exit.
    pub steps: Vec<Instruction>,
    /// The ranges of its registers.
    pub ranges: Vec<(i32, i32)>,
    /// The registers that matter at each chance.
    pub kept: Vec<Vec<Register>>,
    /// The registers that matter at each exit.
    pub exits: Vec<Vec<Register>>,
    /// The registers of the inputs; without the first one a block has only one set of endings.
    pub first: Option<Register>,
    pub others: Vec<Register>,
    pub outputs: Vec<Register>,
}

/// A block, with the endings that are known.
#[derive(Debug)]
pub(super) struct Block {
    shape: Shape,
    layout: Layout,
    /// The bits of `kept` and of `exits`.
    kept: Vec<State>,
    exits: Vec<State>,
    known: RwLock<Known>,
}

/// The endings that are known, by the inputs.
#[derive(Debug, Default)]
struct Known {
    by_inputs: FxHashMap<Box<[i32]>, Option<ByFirst>>,
    /// How many endings they have.
    endings: usize,
}

/// What follows a chance: another one, or an ending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    Chance(usize),
    Ending(usize),
}

/// The weights of endings.
struct Ends {
    total: UBig,
    /// In the order of the endings.
    weights: Vec<(usize, UBig)>,
}

impl Block {
    /// `None` if its registers need too many bits.
    pub(super) fn new(shape: Shape) -> Option<Self> {
        let registers = shape.ranges.iter().map(|(least, most)| (String::new(), *least, *most)).collect();
        let layout = Layout::new(registers).ok()?;
        let mask = |own: &Vec<Register>| {
            own.iter().fold(State::default(), |mask, register| mask.union(&layout.mask(*register)))
        };
        let kept = shape.kept.iter().map(mask).collect();
        let exits = shape.exits.iter().map(mask).collect();
        Some(Self { shape, layout, kept, exits, known: RwLock::default() })
    }

    fn found(&self, others: &[i32]) -> Option<ByFirst> {
        let Shape { first, others: inputs, .. } = &self.shape;
        let mut state = self.layout.zero();
        for (register, number) in inputs.iter().zip(others) {
            self.layout.set(&mut state, *register, *number);
        }
        let mut walk = Walk {
            block: self,
            states: Vec::new(),
            known: FxHashMap::default(),
            endings: Endpoints::default(),
            weights: 0,
        };
        let Some(first) = first else { return Some([walk.from(state)?].into()) };
        let (_, most) = self.layout.range(*first);
        let each = (0..=most).map(|number| {
            self.layout.set(&mut state, *first, number);
            walk.from(state)
        });
        each.collect()
    }
}

impl Native for Block {
    fn endings(&self, others: &[i32]) -> Option<ByFirst> {
        if let Some(known) = self.known.read().ok().and_then(|known| known.by_inputs.get(others).cloned()) {
            return known;
        }
        let found = self.found(others);
        if let Ok(mut known) = self.known.write() {
            if known.endings > MOST_KNOWN {
                *known = Known::default();
            }
            known.endings += 1 + found.iter().flat_map(|all| all.iter()).map(|own| own.outputs.len()).sum::<usize>();
            known.by_inputs.insert(others.into(), found.clone());
        }
        found
    }
}

/// The distinct endings of a block.
#[derive(Default)]
struct Endpoints {
    states: Vec<State>,
    known: FxHashMap<State, usize>,
}

/// The chances of a block that can come after some inputs.
struct Walk<'b> {
    block: &'b Block,
    /// What follows each of them, and once it is known how it ends.
    states: Vec<Option<Ends>>,
    known: FxHashMap<State, usize>,
    endings: Endpoints,
    /// The number of weights so far.
    weights: usize,
}

/// A chance whose followers are being looked at.
struct Open {
    at: usize,
    all: u64,
    next: Vec<(u64, Next)>,
    looked_at: usize,
}

impl Walk<'_> {
    /// The endings of a block that begins in a state.
    fn from(&mut self, state: State) -> Option<Arc<Endings>> {
        let ends = match self.run(state.at(0))? {
            (Next::Chance(at), state) => {
                self.finish(at, state)?;
                self.states[at].as_ref()?
            }
            (Next::Ending(ending), _) => &Ends { total: UBig::ONE, weights: vec![(ending, UBig::ONE)] },
        };
        let Shape { steps, outputs, .. } = &self.block.shape;
        let layout = &self.block.layout;
        let mut ended: Vec<_> = ends
            .weights
            .iter()
            .map(|(ending, weight)| {
                let state = &self.endings.states[*ending];
                let outputs: Box<[i32]> = outputs.iter().map(|register| layout.get(state, *register)).collect();
                ((state.place() as usize - steps.len(), outputs), weight)
            })
            .collect();
        ended.sort_unstable();
        let weights = ended.iter().map(|(_, weight)| ((), mdp::Weight((*weight).clone())));
        let weights: SharedWeights = Distribution::weighted(weights).ok()?.shared_weights();
        let outputs = ended.into_iter().map(|((exit, outputs), _)| (outputs, exit)).collect();
        Some(Arc::new(Endings { weights, outputs }))
    }

    /// Runs to the next chance or to an exit.
    fn run(&mut self, mut state: State) -> Option<(Next, State)> {
        let Block { shape, layout, kept, exits, .. } = self.block;
        for _ in 0..MOST_STEPS {
            let place = state.place() as usize;
            match shape.steps.get(place) {
                None => {
                    state = state.only(&exits[place - shape.steps.len()]);
                    let Endpoints { states, known } = &mut self.endings;
                    let ending = *known.entry(state).or_insert_with(|| {
                        states.push(state);
                        states.len() - 1
                    });
                    return (ending < MOST_ENDINGS).then_some((Next::Ending(ending), state));
                }
                Some(Instruction::Chance { .. }) => {
                    state = state.only(&kept[place]);
                    let all = self.known.len();
                    let at = *self.known.entry(state).or_insert(all);
                    if at == all {
                        self.states.push(None);
                    }
                    return (at < MOST_STATES).then_some((Next::Chance(at), state));
                }
                Some(Instruction::Set { sets, next }) => {
                    layout.assign(&mut state, sets);
                    state = state.at(*next);
                }
                Some(Instruction::Branch { test, yes, no }) => {
                    state = state.at(if test.holds(layout, &state) { *yes } else { *no });
                }
                Some(Instruction::Jump(next)) => state = state.at(*next),
                Some(_) => return None,
            }
        }
        None
    }

    /// Finds how a chance ends, and all that follow it. `None` if one of them can come again after another.
    fn finish(&mut self, at: usize, state: State) -> Option<()> {
        if self.states[at].is_some() {
            return Some(());
        }
        let mut is_open = vec![false; self.states.len()];
        let mut follow = |walk: &mut Self, at: usize, state: State| {
            let (own, states) = walk.follow(at, state)?;
            is_open.resize(walk.states.len(), false);
            if std::mem::replace(&mut is_open[at], true) { None } else { Some((own, states)) }
        };
        let mut open = vec![follow(self, at, state)?];
        while let Some((own, states)) = open.last_mut() {
            match own.next.get(own.looked_at) {
                Some((_, Next::Chance(at))) if self.states[*at].is_none() => {
                    let (at, state) = (*at, states[own.looked_at]);
                    open.push(follow(self, at, state)?);
                }
                Some(_) => own.looked_at += 1,
                None => {
                    let ends = self.ends(own)?;
                    self.weights += ends.weights.len();
                    if self.weights > MOST_WEIGHTS {
                        return None;
                    }
                    self.states[own.at] = Some(ends);
                    open.pop();
                }
            }
        }
        Some(())
    }

    /// What follows a chance. A chance that comes again at once is skipped: it ends the same way.
    fn follow(&mut self, at: usize, state: State) -> Option<(Open, Vec<State>)> {
        let block = self.block;
        let Some(Instruction::Chance { outcomes }) = block.shape.steps.get(state.place() as usize) else { return None };
        let mut next: Vec<(u64, Next)> = Vec::with_capacity(outcomes.len());
        let mut states = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let Weight::Number(weight) = outcome.weight else { return None };
            let mut after = state;
            block.layout.assign(&mut after, &outcome.sets);
            let (to, after) = self.run(after.at(outcome.next))?;
            if weight == 0 || to == Next::Chance(at) {
                continue;
            }
            match next.iter_mut().find(|(_, known)| *known == to) {
                Some((known, _)) => *known += u64::from(weight),
                None => {
                    next.push((weight.into(), to));
                    states.push(after);
                }
            }
        }
        let all = next.iter().map(|(weight, _)| *weight).sum();
        (all > 0).then_some((Open { at, all, next, looked_at: 0 }, states))
    }

    /// How a chance ends, once all that follow it are finished.
    fn ends(&self, own: &Open) -> Option<Ends> {
        let mut common = UBig::ONE;
        for (_, next) in &own.next {
            if let Next::Chance(at) = next {
                let total = &self.states[*at].as_ref()?.total;
                if *total != common {
                    common = &common / (&common).gcd(total) * total;
                }
            }
        }
        let mut sums: Vec<UBig> = vec![UBig::ZERO; self.endings.states.len()];
        for (weight, next) in &own.next {
            match next {
                Next::Ending(ending) => sums[*ending] += &common * *weight,
                Next::Chance(at) => {
                    let after = self.states[*at].as_ref()?;
                    let factor = &common / &after.total * *weight;
                    for (ending, own) in &after.weights {
                        sums[*ending] += own * &factor;
                    }
                }
            }
        }
        let weights = sums.into_iter().enumerate().filter(|(_, weight)| *weight != UBig::ZERO).collect();
        Some(Ends { total: common * own.all, weights })
    }
}
