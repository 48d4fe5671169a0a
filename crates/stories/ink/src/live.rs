//! Liveness: the variables and counts that can still be read from a position of the story on.
//!
//! A backward data-flow analysis over all operations, to a fixed point: what an operation reads is live before it, what
//! it assigns is dead before it, and what is live at any of its successors is live. The successors of a call are its
//! target and the operation after it; the call stack is part of every saved state and is handled there. A variable
//! divert can lead to any target that occurs as a value.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::chance::shuffle_name;
use crate::counts::{Count, places};
use crate::program::{Call, ContainerId, DECLARATIONS, Operation, Position, Program, Target};
use crate::wording::Wording;

/// A variable or count that can be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fact {
    /// A variable of this name, global or not.
    Variable(String),
    Count(Count),
}

/// The live facts at every position of a story.
#[derive(Debug)]
pub(crate) struct Live {
    /// The index of the first position of each container.
    first: Vec<usize>,
    facts: FxHashMap<Fact, usize>,
    /// Variables that are lists initially: an assigned list inherits the origins of its items.
    lists: FxHashSet<String>,
    words: usize,
    /// The sets before every position, one after another.
    before: Vec<u64>,
}

/// A set of facts that are live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    fn insert(&mut self, bit: usize) {
        if let Some(word) = self.0.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }
}

/// The effect of an operation on liveness.
#[derive(Default)]
struct Effect {
    reads: Vec<usize>,
    assigns: Option<usize>,
    next: Vec<usize>,
}

impl Live {
    /// What can be read at every position; reads that only change `wording` do not count.
    pub(crate) fn of(program: &Program, wording: &Wording) -> Self {
        let mut first = Vec::with_capacity(program.containers.len());
        let mut size = 0;
        for container in &program.containers {
            first.push(size);
            size += container.operations.len() + 1;
        }
        let mut live = Self { first, facts: FxHashMap::default(), lists: lists(program), words: 0, before: Vec::new() };
        let effects = live.effects(program, wording, size);
        live.words = live.facts.len().div_ceil(64);
        live.before = vec![0; effects.len() * live.words];
        live.solve(&effects);
        live
    }

    /// The empty set.
    pub(crate) fn nothing(&self) -> Set {
        Set(vec![0; self.words])
    }

    /// Adds the facts live at a position; after the last operation of a container those where its parent continues.
    pub(crate) fn add(&self, set: &mut Set, container: ContainerId, place: usize) {
        let end = self.first.get(container + 1).map_or(self.before.len() / self.words.max(1), |next| *next);
        let place = (self.first[container] + place).min(end.saturating_sub(1));
        let words = &self.before[place * self.words..(place + 1) * self.words];
        set.0.iter_mut().zip(words).for_each(|(all, more)| *all |= more);
    }

    /// Adds one fact.
    pub(crate) fn add_variable(&self, set: &mut Set, name: &str) {
        if let Some(bit) = self.facts.get(&Fact::Variable(name.to_owned())) {
            set.insert(*bit);
        }
    }

    /// Whether a fact is in a set.
    pub(crate) fn holds(&self, set: &Set, fact: &Fact) -> bool {
        self.facts.get(fact).is_some_and(|bit| set.has(*bit))
    }

    fn bit(&mut self, fact: Fact) -> usize {
        let next = self.facts.len();
        *self.facts.entry(fact).or_insert(next)
    }

    fn place(&self, position: Position) -> usize {
        self.first[position.container] + position.place
    }

    /// The effects of all positions, and of one more after them: any target of a variable divert.
    fn effects(&mut self, program: &Program, wording: &Wording, anywhere: usize) -> Vec<Effect> {
        let places = places(program);
        let mut effects = Vec::with_capacity(anywhere + 1);
        for (id, container) in program.containers.iter().enumerate() {
            for (place, operation) in container.operations.iter().enumerate() {
                let here = Position { container: id, place };
                let mut effect = Effect::default();
                if !wording.has(id, place) {
                    self.reads(&mut effect, program, here, &places);
                    if matches!(operation, Operation::Command(name) if name == "seq") {
                        effect.reads.push(self.bit(Fact::Variable(shuffle_name(&container.path, place))));
                    }
                }
                self.successors(&mut effect, program, here, anywhere);
                effects.push(effect);
            }
            let goes_on = container.parent.zip(container.place);
            let next = goes_on.map(|(container, place)| self.place(Position { container, place: place + 1 }));
            effects.push(Effect { next: next.into_iter().collect(), ..Effect::default() });
        }
        let next = places.iter().map(|container| self.place(Position { container: *container, place: 0 })).collect();
        effects.push(Effect { next, ..Effect::default() });
        effects
    }

    fn reads(&mut self, effect: &mut Effect, program: &Program, here: Position, places: &[ContainerId]) {
        let before = |back: usize| {
            let place = here.place.checked_sub(back)?;
            program.containers[here.container].operations.get(place)
        };
        match &program.containers[here.container].operations[here.place] {
            Operation::Get(name) | Operation::Pointer(name) | Operation::Divert { variable: Some(name), .. } => {
                effect.reads.push(self.bit(Fact::Variable(name.clone())));
            }
            Operation::Set { name, declares, global } => {
                let bit = self.bit(Fact::Variable(name.clone()));
                // The assigned variable may be a reference to another one: then it is read to resolve it.
                let replaces = if *global { !self.lists.contains(name) } else { *declares };
                if replaces { effect.assigns = Some(bit) } else { effect.reads.push(bit) }
            }
            Operation::Count(Some(of)) => effect.reads.push(self.bit(Fact::Count(Count::Visits(*of)))),
            Operation::Choice { target: Some(target), flags } if flags & 16 != 0 => {
                effect.reads.push(self.bit(Fact::Count(Count::Visits(target.container))));
            }
            Operation::Command(name) => match name.as_str() {
                "visit" => effect.reads.push(self.bit(Fact::Count(Count::Visits(here.container)))),
                "turn" => effect.reads.push(self.bit(Fact::Count(Count::Turns))),
                "readc" | "turns" => {
                    let kind = if name == "turns" { Count::Since } else { Count::Visits };
                    let known = match before(1) {
                        Some(Operation::Place(Some(place))) => vec![place.container],
                        _ => places.to_vec(),
                    };
                    effect.reads.extend(known.into_iter().map(|place| self.bit(Fact::Count(kind(place)))));
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn successors(&self, effect: &mut Effect, program: &Program, here: Position, anywhere: usize) {
        let container = &program.containers[here.container];
        let after = |steps: usize| self.place(here) + steps;
        let command = |place: usize| match container.operations.get(place) {
            Some(Operation::Command(name)) => name.as_str(),
            _ => "",
        };
        match &container.operations[here.place] {
            Operation::Container(inner) => effect.next.push(self.place(Position { container: *inner, place: 0 })),
            Operation::Divert { target, conditional, call, .. } => {
                match target {
                    Target::To(position) => effect.next.push(self.place(*position)),
                    Target::Variable => effect.next.push(anywhere),
                    Target::Host => {}
                }
                // A thread also returns to the operation after its divert.
                let thread = here.place > 0 && command(here.place - 1) == "thread";
                if *conditional || *call != Call::None || thread || *target == Target::Host {
                    effect.next.push(after(1));
                }
            }
            Operation::Choice { target, .. } => {
                effect.next.extend(target.map(|target| self.place(target)));
                effect.next.push(after(1));
            }
            Operation::Command(name) => match name.as_str() {
                "done" | "end" | "~ret" => {}
                "->->" => {
                    let plain = (1..=2).any(|back| here.place >= back && command(here.place - back) == "void");
                    if !plain {
                        effect.next.push(anywhere);
                    }
                }
                _ => effect.next.push(after(1)),
            },
            _ => effect.next.push(after(1)),
        }
    }

    /// Propagates reads backwards until nothing changes.
    fn solve(&mut self, effects: &[Effect]) {
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); effects.len()];
        for (place, effect) in effects.iter().enumerate() {
            for next in &effect.next {
                from[*next].push(place);
            }
        }
        let mut worklist: Vec<usize> = (0..effects.len()).collect();
        let mut queued = vec![true; effects.len()];
        let mut set = vec![0; self.words];
        while let Some(place) = worklist.pop() {
            queued[place] = false;
            set.fill(0);
            for next in &effects[place].next {
                let words = &self.before[next * self.words..(next + 1) * self.words];
                set.iter_mut().zip(words).for_each(|(all, more)| *all |= more);
            }
            if let Some(bit) = effects[place].assigns {
                set[bit / 64] &= !(1 << (bit % 64));
            }
            for bit in &effects[place].reads {
                set[bit / 64] |= 1 << (bit % 64);
            }
            let known = &mut self.before[place * self.words..(place + 1) * self.words];
            if *known != set[..] {
                known.copy_from_slice(&set);
                for before in &from[place] {
                    if !std::mem::replace(&mut queued[*before], true) {
                        worklist.push(*before);
                    }
                }
            }
        }
    }
}

fn lists(program: &Program) -> FxHashSet<String> {
    let Some(declared) = program.find(DECLARATIONS) else { return FxHashSet::default() };
    let operations = &program.containers[declared].operations;
    let begins_as_list = |pair: &[Operation]| match pair {
        [Operation::Constant | Operation::Get(_), Operation::Set { name, .. }] => Some(name.clone()),
        _ => None,
    };
    operations.windows(2).filter_map(begins_as_list).collect()
}
