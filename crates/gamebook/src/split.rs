//! Splitting a program by what the hero is known to have.
//!
//! Flags and special items are few, and the tests on them shape the book: who has the spear goes
//! one way, who has not goes another. So each place is split into one for every combination of
//! flags and special items with which play can come there (and which can still matter there).
//! Tests on them vanish, and whatever is found out about a place afterwards (what can still
//! matter, whether the book can still be won) is found out for each combination apart.

use std::collections::VecDeque;

use budget::{Budget, Stage, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::book::{Comparison, Kind, Thing};
use crate::program::{Alternative, FightPlan, NOWHERE, Op, Outcome, Place, Program, Test, Value};
use crate::state::{ARM, ENDURANCE, ENEMY, Layout, ROUND, Register, State, WOUNDED};

/// More places than this are not made: the program stays as it is.
const MOST_PLACES: usize = 400_000;

/// A set of flags and special items: a bit for each.
type Keys = u64;

/// Splits `program` for play that begins in `start`. `live` says of a place and a register whether
/// it can matter there.
pub(crate) fn split(
    program: &Program,
    start: &State,
    live: impl Fn(Place, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Option<Program>, Stopped> {
    let layout = &program.layout;
    // Where a number says how many are lost, nobody knows before whether it is one.
    let uncertain: FxHashSet<usize> = program
        .ops
        .iter()
        .filter_map(|op| match op {
            Op::Lose { item, count: Some(count), .. } if !matches!(count, Value::Constant(_)) => Some(*item),
            _ => None,
        })
        .collect();
    let registers: Vec<Register> = (0..program.facts.kinds.len())
        .filter(|item| {
            matches!(program.facts.kinds[*item], Kind::Special | Kind::Container) && !uncertain.contains(item)
        })
        .map(Layout::item)
        .chain((0..layout.flags).map(|flag| layout.flag(flag)))
        .take(Keys::BITS as usize)
        .collect();
    let masks = (0..program.ops.len() as Place)
        .map(|place| {
            let bits = registers.iter().enumerate().filter(|(_, register)| live(place, **register));
            bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
        })
        .collect();
    let keys = registers.iter().enumerate().filter(|(_, register)| layout.get(start, **register) > 0);
    let keys = keys.fold(0, |keys, (bit, _)| keys | 1 << bit);
    let mut splitter = Splitter {
        program,
        bits: registers.iter().enumerate().map(|(bit, register)| (*register, bit as u32)).collect(),
        masks,
        places: Vec::new(),
        known: FxHashMap::default(),
        fights: Vec::new(),
        known_fights: FxHashMap::default(),
    };
    let start = splitter.place(program.start, keys);
    let mut ops = Vec::new();
    while ops.len() < splitter.places.len() {
        if splitter.places.len() > MOST_PLACES {
            return Ok(None);
        }
        step(budget, ops.len(), splitter.places.len() - ops.len())?;
        let (place, keys) = splitter.places[ops.len()];
        let op = splitter.op(&program.ops[place as usize], place, keys);
        ops.push(op);
    }
    Ok(Some(Program {
        sections: splitter.places.iter().map(|(place, _)| program.sections[*place as usize]).collect(),
        ops,
        entries: Vec::new(),
        start,
        labels: program.labels.clone(),
        rolls: (0..)
            .zip(&splitter.places)
            .filter_map(|(own, (place, _))| Some((own, program.rolls.get(place)?.clone())))
            .collect(),
        fights: splitter.fights,
        facts: program.facts.clone(),
        layout: program.layout.clone(),
    }))
}

/// Asks whether to go on: so many places are looked at, so many wait.
fn step(budget: &Budget<'_>, done: usize, waiting: usize) -> Result<(), Stopped> {
    budget.step(Stage::Compiling, done as u64, waiting as u64)
}

struct Splitter<'p> {
    program: &'p Program,
    /// The bit of each register that is split by.
    bits: FxHashMap<Register, u32>,
    /// What can matter at each place.
    masks: Vec<Keys>,
    /// The new places: the old one, and what he has there.
    places: Vec<(Place, Keys)>,
    known: FxHashMap<(Place, Keys), Place>,
    fights: Vec<FightPlan>,
    known_fights: FxHashMap<(u32, Keys), u32>,
}

impl Splitter<'_> {
    fn place(&mut self, place: Place, keys: Keys) -> Place {
        if place == NOWHERE {
            return NOWHERE;
        }
        let key = (place, keys & self.masks[place as usize]);
        *self.known.entry(key).or_insert_with(|| {
            self.places.push(key);
            self.places.len() as Place - 1
        })
    }

    fn with(&self, keys: Keys, register: Register, has: bool) -> Keys {
        match self.bits.get(&register) {
            Some(bit) if has => keys | 1 << bit,
            Some(bit) => keys & !(1 << bit),
            None => keys,
        }
    }

    fn value(&self, value: &Value, keys: Keys) -> Value {
        match value {
            Value::Register(register) => match self.bits.get(register) {
                Some(bit) => Value::Constant((keys >> bit & 1) as i32),
                None => value.clone(),
            },
            Value::Operation(operator, left, right) => match (self.value(left, keys), self.value(right, keys)) {
                (Value::Constant(left), Value::Constant(right)) => Value::Constant(operator.apply(left, right)),
                (left, right) => Value::Operation(*operator, Box::new(left), Box::new(right)),
            },
            other => other.clone(),
        }
    }

    fn test(&self, test: &Test, keys: Keys) -> Test {
        match test {
            Test::Constant(_) => test.clone(),
            Test::Compare(comparison, left, right) => match (self.value(left, keys), self.value(right, keys)) {
                (Value::Constant(left), Value::Constant(right)) => {
                    let comparison: Comparison = *comparison;
                    Test::Constant(comparison.holds(left, right))
                }
                (left, right) => Test::Compare(*comparison, left, right),
            },
            Test::Not(inner) => self.test(inner, keys).negated(),
            Test::And(left, right) => Test::both(self.test(left, keys), self.test(right, keys)),
            Test::Or(left, right) => Test::either(self.test(left, keys), self.test(right, keys)),
        }
    }

    fn fight(&mut self, fight: u32, keys: Keys) -> u32 {
        if let Some(known) = self.known_fights.get(&(fight, keys)) {
            return *known;
        }
        let number = self.fights.len() as u32;
        self.known_fights.insert((fight, keys), number);
        let plan = &self.program.fights[fight as usize];
        self.fights.push(plan.clone());
        let foes = plan.foes.iter().map(|place| self.place(*place, keys)).collect();
        let won = self.place(plan.won, keys);
        let evade = plan.evade.map(|(from, place)| (from, self.place(place, keys)));
        let mock = plan.mock.map(|place| self.place(place, keys));
        let defeat = plan.defeat.map(|(leaves, place)| (leaves, self.place(place, keys)));
        let stop = plan.stop.map(|(after, place)| (after, self.place(place, keys)));
        let first_wound = plan.first_wound.map(|place| self.place(place, keys));
        let own = &mut self.fights[number as usize];
        (own.foes, own.won, own.evade, own.mock) = (foes, won, evade, mock);
        (own.defeat, own.stop, own.first_wound) = (defeat, stop, first_wound);
        number
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each step")]
    fn op(&mut self, op: &Op, place: Place, keys: Keys) -> Op {
        match op {
            Op::Jump(next) => Op::Jump(self.place(*next, keys)),
            Op::Enter { next } => Op::Enter { next: self.place(*next, keys) },
            Op::Endurance { change, next } => {
                Op::Endurance { change: self.value(change, keys), next: self.place(*next, keys) }
            }
            Op::Restore { half, next } => Op::Restore { half: *half, next: self.place(*next, keys) },
            Op::Add { register, change, next } => {
                Op::Add { register: *register, change: self.value(change, keys), next: self.place(*next, keys) }
            }
            Op::Set { register, value, next } => {
                let value = self.value(value, keys);
                let after = match value {
                    Value::Constant(number) => self.with(keys, *register, number > 0),
                    _ => keys,
                };
                Op::Set { register: *register, value, next: self.place(*next, after) }
            }
            Op::Wear { item, next } => {
                let after = self.with(keys, Layout::item(*item), true);
                Op::Wear { item: *item, next: self.place(*next, after) }
            }
            Op::Lose { item, count, next } => {
                let count = count.as_ref().map(|count| self.value(count, keys));
                let after = match count {
                    None | Some(Value::Constant(1..)) => self.with(keys, Layout::item(*item), false),
                    _ => keys,
                };
                Op::Lose { item: *item, count, next: self.place(*next, after) }
            }
            Op::LoseAll { items, next } => {
                let after = items.iter().fold(keys, |keys, item| self.with(keys, Layout::item(*item), false));
                Op::LoseAll { items: items.clone(), next: self.place(*next, after) }
            }
            Op::Branch { test, yes, no } => match self.test(test, keys) {
                Test::Constant(true) => Op::Jump(self.place(*yes, keys)),
                Test::Constant(false) => Op::Jump(self.place(*no, keys)),
                test => Op::Branch { test, yes: self.place(*yes, keys), no: self.place(*no, keys) },
            },
            Op::Choose { alternatives } => {
                let mut own = Vec::with_capacity(alternatives.len());
                for alternative in alternatives {
                    let test = self.test(&alternative.test, keys);
                    if test == Test::Constant(false) {
                        continue;
                    }
                    let each = alternative
                        .each
                        .as_ref()
                        .map(|(register, from, to)| (*register, self.value(from, keys), self.value(to, keys)));
                    let body = self.place(alternative.body, keys);
                    own.push(Alternative { label: alternative.label, test, each, body });
                }
                Op::Choose { alternatives: own.into() }
            }
            Op::Pick { outcomes } => {
                let outcomes = outcomes
                    .iter()
                    .map(|outcome| Outcome { next: self.place(outcome.next, keys), ..outcome.clone() })
                    .collect();
                Op::Pick { outcomes }
            }
            Op::Take { thing, count, limited, next, .. } => {
                let after = match thing {
                    Thing::Item(item) => self.with(keys, Layout::item(*item), true),
                    Thing::Gold => keys,
                };
                let count = self.value(count, keys);
                let with = self.place(*next, after);
                Op::Take { thing: *thing, count, limited: *limited, with, next: self.place(*next, keys) }
            }
            Op::GiveUp { kind, next } => Op::GiveUp { kind: *kind, next: self.place(*next, keys) },
            Op::Scatter { kind, next } => Op::Scatter { kind: *kind, next: self.place(*next, keys) },
            Op::Eat { next } => Op::Eat { next: self.place(*next, keys) },
            Op::Shop { lines, next } => {
                let lines = lines
                    .iter()
                    .map(|line| {
                        let after = self.with(keys, Layout::item(line.item), line.buy);
                        crate::program::Line { again: self.place(place, after), ..line.clone() }
                    })
                    .collect();
                Op::Shop { lines, next: self.place(*next, keys) }
            }
            Op::Use { after_combat, next } => Op::Use { after_combat: *after_combat, next: self.place(*next, keys) },
            Op::Begin { fight, next } => Op::Begin { fight: self.fight(*fight, keys), next: self.place(*next, keys) },
            Op::Foe { fight, enemy, next } => {
                Op::Foe { fight: self.fight(*fight, keys), enemy: *enemy, next: self.place(*next, keys) }
            }
            Op::Bout { fight, enemy, rounds } => {
                Op::Bout { fight: self.fight(*fight, keys), enemy: *enemy, rounds: self.place(*rounds, keys) }
            }
            Op::Round { fight, clash, flee } => Op::Round {
                fight: self.fight(*fight, keys),
                clash: self.place(*clash, keys),
                flee: self.place(*flee, keys),
            },
            Op::Clash { fight, enemy, round } => {
                Op::Clash { fight: self.fight(*fight, keys), enemy: *enemy, round: self.place(*round, keys) }
            }
            Op::Flee { fight, enemy } => Op::Flee { fight: self.fight(*fight, keys), enemy: *enemy },
            Op::Compare { fight, worse, equal, better } => Op::Compare {
                fight: self.fight(*fight, keys),
                worse: self.place(*worse, keys),
                equal: self.place(*equal, keys),
                better: self.place(*better, keys),
            },
            Op::Leave { heals, section, .. } => {
                let entry = self.program.entries.get(usize::from(*section)).copied().unwrap_or(NOWHERE);
                Op::Leave { heals: *heals, section: *section, next: self.place(entry, keys) }
            }
            Op::Death => Op::Death,
            Op::Victory => Op::Victory,
            Op::Stuck => Op::Stuck,
        }
    }
}

/// For every place the first one from which all goes on in the same way, whatever the sections are called.
///
/// Places are looked at after those to which they lead, so that equal ones lead to equal ones. What leads back
/// in a loop is only equal to itself; the rounds of a fight are known by the fight.
pub(crate) fn canonical(program: &Program, budget: &Budget<'_>) -> Result<Vec<Place>, Stopped> {
    const UNKNOWN: Place = NOWHERE;
    let mut canonical = vec![UNKNOWN; program.ops.len()];
    let mut open = vec![false; program.ops.len()];
    let mut steps: FxHashMap<Op, Place> = FxHashMap::default();
    let mut fights: FxHashMap<FightPlan, u32> = FxHashMap::default();
    let mut next = Vec::new();
    for root in 0..program.ops.len() as Place {
        let mut stack = vec![root];
        while let Some(place) = stack.last().copied() {
            step(budget, root as usize, program.ops.len() - root as usize)?;
            if canonical[place as usize] != UNKNOWN {
                stack.pop();
                continue;
            }
            next.clear();
            program.ways_out(&program.ops[place as usize], &mut next);
            if !std::mem::replace(&mut open[place as usize], true) {
                let unknown = next.iter().filter(|next| {
                    **next != NOWHERE && canonical[**next as usize] == UNKNOWN && !open[**next as usize]
                });
                stack.extend(unknown);
                continue;
            }
            stack.pop();
            let of = |place: Place| match place {
                NOWHERE => NOWHERE,
                place if canonical[place as usize] == UNKNOWN => place,
                place => canonical[place as usize],
            };
            let mut fight_of = |fight: u32| {
                let plan = program.fights[fight as usize].map_places(of);
                *fights.entry(plan).or_insert(fight)
            };
            let step = program.ops[place as usize].map_places(of, &mut fight_of);
            canonical[place as usize] = match step {
                // What only leads on is what it leads to.
                Op::Jump(next) | Op::Enter { next } | Op::Leave { heals: false, next, .. } if next != NOWHERE => next,
                // The rounds of a fight lead to each other: they are known by the fight and the enemy.
                Op::Round { fight, clash, .. } => {
                    let enemy = match program.ops[clash as usize] {
                        Op::Clash { enemy, .. } => enemy,
                        _ => 0,
                    };
                    *steps.entry(Op::Round { fight, clash: enemy.into(), flee: NOWHERE }).or_insert(place)
                }
                Op::Clash { fight, enemy, .. } => {
                    *steps.entry(Op::Clash { fight, enemy, round: NOWHERE }).or_insert(place)
                }
                Op::Bout { fight, enemy, .. } => {
                    *steps.entry(Op::Bout { fight, enemy, rounds: NOWHERE }).or_insert(place)
                }
                step => *steps.entry(step).or_insert(place),
            };
        }
    }
    Ok(canonical)
}

/// For every fight whether leaving it is at least as good as fighting on, whenever it is possible.
///
/// That is so where leaving and winning lead to the same, and there more ENDURANCE is never worse: who fights on
/// suffers the same round, and may suffer more before he comes to the same place. More ENDURANCE is never worse
/// where nothing asks for it and no defeat leads anywhere but to death, for then the stronger hero can do whatever
/// the weaker does and is never behind him.
pub(crate) fn better_left(
    program: &Program,
    canonical: &[Place],
    needed: impl Fn(Place, Register) -> bool,
    budget: &Budget<'_>,
) -> Result<Vec<bool>, Stopped> {
    let asks = steps_to(program, |op| asks_for_endurance(program, op), budget)?;
    Ok(program
        .fights
        .iter()
        .map(|fight| {
            fight.evade.is_some_and(|(_, left)| {
                canonical[left as usize] == canonical[fight.won as usize]
                    && asks[left as usize] == u32::MAX
                    && asks[fight.won as usize] == u32::MAX
                    && fight.mock.is_none()
                    && fight.defeat.is_none()
                    && fight.stop.is_none()
                    && fight.first_wound.is_none()
                    && ![ROUND, WOUNDED, ENEMY, ARM].iter().any(|register| needed(left, *register))
            })
        })
        .collect())
}

/// Whether a step treats a hero with more ENDURANCE otherwise than one with less.
fn asks_for_endurance(program: &Program, op: &Op) -> bool {
    use value_asks as value;
    fn test(of: &Test) -> bool {
        match of {
            Test::Constant(_) => false,
            Test::Compare(_, left, right) => value(left) || value(right),
            Test::Not(inner) => test(inner),
            Test::And(left, right) | Test::Or(left, right) => test(left) || test(right),
        }
    }
    match op {
        Op::Branch { test: when, .. } => test(when),
        Op::Choose { alternatives } => alternatives.iter().any(|alternative| {
            let each = alternative.each.as_ref().is_some_and(|(_, from, to)| value(from) || value(to));
            each || test(&alternative.test)
        }),
        Op::Endurance { change: number, .. }
        | Op::Add { change: number, .. }
        | Op::Set { value: number, .. }
        | Op::Take { count: number, .. }
        | Op::Lose { count: Some(number), .. } => value(number),
        Op::Begin { fight, .. } => {
            let plan = &program.fights[*fight as usize];
            plan.mock.is_some() || plan.defeat.is_some() || plan.bonuses.iter().any(|(_, _, when)| test(when))
        }
        _ => false,
    }
}

fn value_asks(value: &Value) -> bool {
    match value {
        Value::Register(register) => *register == ENDURANCE,
        Value::Operation(_, left, right) => value_asks(left) || value_asks(right),
        _ => false,
    }
}

/// The places from which the book cannot be won, whatever chance brings.
pub(crate) fn hopeless(program: &Program, budget: &Budget<'_>) -> Result<Vec<bool>, Stopped> {
    let steps = steps_to(program, |op| *op == Op::Victory, budget)?;
    Ok(steps.into_iter().map(|steps| steps == u32::MAX).collect())
}

/// How many steps it is from each place to an end of the play.
pub(crate) fn distances(program: &Program, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    steps_to(program, |op| matches!(op, Op::Victory | Op::Death | Op::Stuck), budget)
}

/// How many steps it is at least from each place to one that is `wanted`; `u32::MAX` where there is
/// no way.
fn steps_to(program: &Program, wanted: impl Fn(&Op) -> bool, budget: &Budget<'_>) -> Result<Vec<u32>, Stopped> {
    let mut before = program.predecessors(budget)?;
    let mut steps = vec![u32::MAX; program.ops.len()];
    let mut open = VecDeque::new();
    for (place, op) in (0..).zip(&program.ops) {
        step(budget, place as usize, program.ops.len())?;
        if wanted(op) {
            steps[place as usize] = 0;
            open.push_back(place);
        }
    }
    while let Some(place) = open.pop_front() {
        step(budget, program.ops.len(), open.len())?;
        for earlier in std::mem::take(&mut before[place as usize]) {
            if steps[earlier as usize] == u32::MAX {
                steps[earlier as usize] = steps[place as usize] + 1;
                open.push_back(earlier);
            }
        }
    }
    Ok(steps)
}
