//! What can still matter: for every place and register, how much of its number can be told apart
//! from there on.
//!
//! A need of 0 means that the register can never matter again: it is forgotten. A need of `n` means
//! that all numbers from `n` up lead to the same: they are stored as `n`. Needs flow backwards
//! through the program, from what is tested, spent or lost to where it was got; in loops they grow
//! until they change no more. Every rule below keeps this true: if two situations differ only in
//! numbers that are at least the need, then whatever the player does in one he can do in the other,
//! with the same chances, and what follows again differs only in that way. So no value changes.
//!
//! What fills a backpack or a hand is never needed for its weight: it may be thrown away whenever
//! there is no room.

use budget::{Budget, Stage, Stopped};

use crate::book::{Comparison, Kind, Thing};
use crate::program::{FightPlan, NOWHERE, Op, Place, Program, Test, Value};
use crate::state::{ARM, BEFORE, ENDURANCE, ENEMY, Field, GOLD, LEFT, Layout, PLAIN, ROUND, Register, State, WOUNDED};

/// Reductions that keep every value; each can be switched off.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analyses {
    /// Steps without choice or chance make no states.
    pub straight: bool,
    /// Registers that can no longer matter are forgotten.
    pub forget: bool,
    /// Numbers are stored only as far as they can be told apart.
    pub cap: bool,
    /// Equal futures are merged: weapons that do the same, choices that lead to the same.
    pub merge: bool,
    /// A fight to the end is one chance where nothing depends on its rounds.
    pub fold: bool,
    /// Places are split by the flags and special items that he has there.
    pub split: bool,
    /// Situations from which the book can surely not be won are one.
    pub hopeless: bool,
}

impl Default for Analyses {
    /// All of them.
    fn default() -> Self {
        Self { straight: true, forget: true, cap: true, merge: true, fold: true, split: true, hopeless: true }
    }
}

impl Analyses {
    /// None of them: every step is a state, and every state remembers everything.
    pub const NONE: Self =
        Self { straight: false, forget: false, cap: false, merge: false, fold: false, split: false, hopeless: false };

    /// Each by name.
    pub const NAMES: [&'static str; 7] = ["straight", "forget", "cap", "merge", "fold", "split", "hopeless"];

    /// The same without one of them; `None` when there is none of this name.
    pub fn without(mut self, name: &str) -> Option<Self> {
        *match name {
            "straight" => &mut self.straight,
            "forget" => &mut self.forget,
            "cap" => &mut self.cap,
            "merge" => &mut self.merge,
            "fold" => &mut self.fold,
            "split" => &mut self.split,
            "hopeless" => &mut self.hopeless,
            _ => return None,
        } = false;
        Some(self)
    }
}

/// For every place, what is kept of a state there.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    places: Vec<Kept>,
    /// Registers whose numbers are cut, for all places one after another.
    cuts: Vec<(Field, u16)>,
    /// The weapons that count as [`PLAIN`], likewise.
    plain: Vec<Field>,
    /// The register in which they are counted.
    plain_count: Field,
}

/// What is kept of a state at a place.
#[derive(Clone, Debug)]
struct Kept {
    /// The bits that are kept.
    mask: State,
    /// The place that it is said to be.
    place: Place,
    /// Where its cuts begin and how many there are.
    cuts: (u32, u16),
    /// Where its plain weapons begin and how many there are.
    plain: (u32, u16),
}

impl Needs {
    /// Everything is kept.
    pub(crate) fn everything(program: &Program) -> Self {
        let rows = vec![WHOLE; program.ops.len() * program.layout.registers()];
        Self::new(program, Analyses::NONE, &rows)
    }

    /// What is kept where `rows` say what is needed.
    pub(crate) fn new(program: &Program, analyses: Analyses, rows: &[u16]) -> Self {
        let layout = &program.layout;
        let registers = layout.registers();
        let (places, cuts, plain) = (Vec::with_capacity(program.ops.len()), Vec::new(), Vec::new());
        let mut needs = Self { places, cuts, plain, plain_count: layout.field(PLAIN) };
        let plain_weapons: Vec<Register> =
            (0..program.facts.kinds.len()).filter(|item| program.facts.is_plain(*item)).map(Layout::item).collect();
        for (place, row) in (0..).zip(rows.chunks(registers)) {
            let (cuts, plain) = (needs.cuts.len(), needs.plain.len());
            let mut mask = State::default();
            for (register, need) in (0..).zip(row) {
                let max = layout.max(register);
                if *need == 0 && analyses.forget {
                    continue;
                }
                mask = mask.union(&layout.mask(register));
                // Names in a section are shifted: they are kept whole.
                let whole = register >= layout.local(0);
                if analyses.cap && *need > 0 && *need < max && !whole {
                    needs.cuts.push((layout.field(register), *need));
                }
            }
            if analyses.merge && analyses.forget && row[usize::from(PLAIN)] > 0 {
                let unneeded = plain_weapons.iter().filter(|weapon| row[usize::from(**weapon)] == 0);
                needs.plain.extend(unneeded.map(|weapon| layout.field(*weapon)));
            }
            let run = |begin: usize, end: usize| (begin as u32, (end - begin) as u16);
            let (cuts, plain) = (run(cuts, needs.cuts.len()), run(plain, needs.plain.len()));
            needs.places.push(Kept { mask, place, cuts, plain });
        }
        needs
    }

    /// The same where each place is said to be another one, from which all goes on in the same way.
    pub(crate) fn said_to_be(mut self, others: &[Place]) -> Self {
        self.places = others.iter().map(|other| self.places[*other as usize].clone()).collect();
        self
    }

    /// What is kept of a state.
    #[inline]
    pub(crate) fn keep(&self, state: &State) -> State {
        let Kept { mask, place, cuts, plain } = &self.places[state.place() as usize];
        let mut kept = state.only(mask).at(*place);
        let plain = &self.plain[plain.0 as usize..plain.0 as usize + usize::from(plain.1)];
        if !plain.is_empty() {
            let count: u16 = plain.iter().map(|weapon| state.get(*weapon)).sum();
            kept.set(self.plain_count, state.get(self.plain_count) + count);
        }
        for (field, need) in &self.cuts[cuts.0 as usize..cuts.0 as usize + usize::from(cuts.1)] {
            if kept.get(*field) > *need {
                kept.set(*field, *need);
            }
        }
        kept
    }
}

/// The need of every register at every place, place by place.
pub(crate) fn rows(program: &Program, analyses: Analyses, budget: &Budget<'_>) -> Result<Vec<u16>, Stopped> {
    let registers = program.layout.registers();
    let analysis = Analysis { program, merge: analyses.merge };
    let places = program.ops.len();
    budget.memory((places * registers * size_of::<u16>()) as u64)?;
    let before = program.predecessors(budget)?;
    let mut rows = vec![0u16; places * registers];
    let mut row = vec![0u16; registers];
    // Places whose needs may have grown. Most lead to places before them, so one pass does most of the work.
    let mut open = vec![true; places];
    let mut waiting = places;
    while waiting > 0 {
        for place in 0..places {
            if !std::mem::replace(&mut open[place], false) {
                continue;
            }
            waiting -= 1;
            budget.step(Stage::Compiling, (places - waiting) as u64, waiting as u64)?;
            row.fill(0);
            analysis.before(place, &rows, &mut row);
            let mut grows = false;
            for ((register, need), old) in (0..).zip(&row).zip(&mut rows[place * registers..][..registers]) {
                let need = (*need).min(program.layout.max(register));
                grows |= need > *old;
                *old = need.max(*old);
            }
            if grows {
                for earlier in &before[place] {
                    waiting += usize::from(!std::mem::replace(&mut open[*earlier as usize], true));
                }
            }
        }
    }
    Ok(rows)
}

struct Analysis<'p> {
    program: &'p Program,
    merge: bool,
}

/// Everything that a register can hold.
const WHOLE: u16 = u16::MAX;

fn at_least(row: &mut [u16], register: Register, need: u16) {
    let own = &mut row[usize::from(register)];
    *own = (*own).max(need);
}

impl Analysis<'_> {
    fn row<'r>(&self, rows: &'r [u16], place: Place) -> &'r [u16] {
        let registers = self.program.layout.registers();
        &rows[place as usize * registers..][..registers]
    }

    fn join(&self, row: &mut [u16], rows: &[u16], place: Place) {
        for (own, next) in row.iter_mut().zip(self.row(rows, place)) {
            *own = (*own).max(*next);
        }
    }

    /// What the maximum of ENDURANCE depends on.
    fn armour(&self, row: &mut [u16]) {
        for (item, _) in &self.program.facts.armour {
            at_least(row, Layout::item(*item), 1);
        }
    }

    /// Items of a kind are counted or taken by chance: each matters.
    fn of_kind(&self, row: &mut [u16], kind: Kind) {
        for (item, own) in self.program.facts.kinds.iter().enumerate() {
            if *own == kind {
                at_least(row, Layout::item(item), WHOLE);
            }
        }
    }

    fn value(&self, row: &mut [u16], value: &Value) {
        match value {
            Value::Constant(_) => {}
            Value::Register(register) | Value::Local(register, _) => at_least(row, *register, WHOLE),
            Value::MaxEndurance => self.armour(row),
            Value::OfKind(kind) => self.of_kind(row, *kind),
            Value::BackpackRoom => {
                self.of_kind(row, Kind::Backpack);
                if let Some(container) = self.program.facts.container {
                    at_least(row, Layout::item(container), 1);
                }
            }
            Value::Operation(_, left, right) => {
                self.value(row, left);
                self.value(row, right);
            }
        }
    }

    fn test(&self, row: &mut [u16], test: &Test) {
        match test {
            Test::Constant(_) => {}
            Test::Compare(comparison, Value::Register(register), Value::Constant(number)) => {
                let number = (*number).clamp(0, i32::from(WHOLE) - 1) as u16;
                let need = match comparison {
                    Comparison::AtLeast | Comparison::Less => number,
                    Comparison::More | Comparison::AtMost | Comparison::Equal | Comparison::NotEqual => number + 1,
                };
                at_least(row, *register, need);
            }
            Test::Compare(_, left, right) => {
                self.value(row, left);
                self.value(row, right);
            }
            Test::Not(inner) => self.test(row, inner),
            Test::And(left, right) | Test::Or(left, right) => {
                self.test(row, left);
                self.test(row, right);
            }
        }
    }

    /// ENDURANCE changes by a constant, or by what cannot be foreseen (`None`).
    fn endurance(&self, row: &mut [u16], change: Option<i32>) {
        let after = row[usize::from(ENDURANCE)];
        row[usize::from(ENDURANCE)] = match change {
            None => WHOLE,
            Some(change) if change < 0 => {
                let loss = change.unsigned_abs().min(255) as u16;
                (after + loss).max(loss + 1)
            }
            Some(gain) => after.saturating_sub(gain.min(255) as u16),
        };
        if after > 0 && change.is_none_or(|change| change > 0) {
            self.armour(row);
        }
    }

    /// A plain weapon is named: it must be known apart.
    fn named(&self, row: &mut [u16], item: usize, need: u16) {
        at_least(row, Layout::item(item), need);
        if self.program.facts.is_plain(item) && row[usize::from(PLAIN)] > 0 {
            at_least(row, Layout::item(item), WHOLE);
        }
    }

    /// A place in the backpack is only there with the backpack.
    fn room_for(&self, row: &mut [u16], item: usize) {
        if self.program.facts.kinds[item] == Kind::Backpack
            && row[usize::from(Layout::item(item))] > 0
            && let Some(container) = self.program.facts.container
        {
            at_least(row, Layout::item(container), 1);
        }
    }

    fn lose(&self, row: &mut [u16], item: usize, count: Option<&Value>) {
        let register = usize::from(Layout::item(item));
        let after = row[register];
        match count {
            None => row[register] = 0,
            Some(Value::Constant(count)) => {
                if after > 0 {
                    row[register] = after.saturating_add((*count).clamp(0, 255) as u16);
                }
            }
            Some(value) => {
                if after > 0 {
                    row[register] = WHOLE;
                    self.value(row, value);
                }
            }
        }
        let facts = &self.program.facts;
        self.named(row, item, 0);
        if facts.armour.iter().any(|(armour, _)| *armour == item) && row[usize::from(ENDURANCE)] > 0 {
            self.armour(row);
        }
        if facts.container == Some(item) {
            for (other, kind) in facts.kinds.iter().enumerate() {
                if *kind == Kind::Backpack && row[usize::from(Layout::item(other))] > 0 {
                    // Where nothing is lost (a count of 0) all of it stays.
                    if matches!(count, None | Some(Value::Constant(1..))) {
                        row[usize::from(Layout::item(other))] = 0;
                    }
                }
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each step")]
    fn before(&self, place: usize, rows: &[u16], row: &mut [u16]) {
        let facts = &self.program.facts;
        match &self.program.ops[place] {
            Op::Jump(next) | Op::Enter { next } => self.join(row, rows, *next),
            Op::Death | Op::Victory | Op::Stuck => {}
            Op::Endurance { change, next } => {
                self.join(row, rows, *next);
                let constant = if let Value::Constant(change) = change { Some(*change) } else { None };
                self.endurance(row, constant);
                self.value(row, change);
            }
            Op::Restore { half, next } => {
                self.join(row, rows, *next);
                if row[usize::from(ENDURANCE)] > 0 {
                    self.armour(row);
                    row[usize::from(ENDURANCE)] = if *half { WHOLE } else { 0 };
                }
            }
            Op::Add { register, change, next } => {
                self.join(row, rows, *next);
                let own = usize::from(*register);
                if row[own] > 0 {
                    match change {
                        Value::Constant(change) if *change >= 0 => {
                            row[own] = row[own].saturating_sub((*change).min(255) as u16);
                        }
                        Value::Constant(change) => {
                            row[own] = row[own].saturating_add(change.unsigned_abs().min(255) as u16);
                        }
                        change => {
                            // The most that can be lost is added; what is gained needs no more.
                            let most_lost = change.least(&self.program.layout).map(|least| (-least).clamp(0, 255));
                            row[own] = most_lost.map_or(WHOLE, |lost| row[own].saturating_add(lost as u16));
                            self.value(row, change);
                        }
                    }
                }
            }
            Op::Set { register, value, next } => {
                self.join(row, rows, *next);
                let own = usize::from(*register);
                let after = std::mem::replace(&mut row[own], 0);
                if after > 0 {
                    self.value(row, value);
                }
            }
            Op::Wear { item, next } => {
                self.join(row, rows, *next);
                let own = usize::from(Layout::item(*item));
                row[own] = 0;
                // Armour that he has already is no second time put on.
                if facts.armour.iter().any(|(armour, _)| armour == item) && row[usize::from(ENDURANCE)] > 0 {
                    row[own] = 1;
                    row[usize::from(ENDURANCE)] = WHOLE;
                }
            }
            Op::Lose { item, count, next } => {
                self.join(row, rows, *next);
                self.lose(row, *item, count.as_ref());
            }
            Op::LoseAll { items, next } => {
                self.join(row, rows, *next);
                let all_weapons =
                    (0..facts.kinds.len()).filter(|item| facts.is_plain(*item)).all(|item| items.contains(&item));
                if all_weapons {
                    row[usize::from(PLAIN)] = 0;
                }
                for item in items {
                    self.lose(row, *item, None);
                }
            }
            Op::Branch { test, yes, no } => {
                self.join(row, rows, *yes);
                self.join(row, rows, *no);
                self.test(row, test);
            }
            Op::Choose { alternatives } => {
                for alternative in alternatives {
                    match &alternative.each {
                        Some((register, from, to)) => {
                            let mut own = vec![0; row.len()];
                            self.join(&mut own, rows, alternative.body);
                            own[usize::from(*register)] = 0;
                            for (row, own) in row.iter_mut().zip(own) {
                                *row = (*row).max(own);
                            }
                            self.value(row, from);
                            self.value(row, to);
                        }
                        None => self.join(row, rows, alternative.body),
                    }
                    self.test(row, &alternative.test);
                }
            }
            Op::Pick { outcomes } => {
                for outcome in outcomes {
                    let mut own = vec![0; row.len()];
                    self.join(&mut own, rows, outcome.next);
                    if let Some((register, _)) = outcome.set {
                        own[usize::from(register)] = 0;
                    }
                    for (row, own) in row.iter_mut().zip(own) {
                        *row = (*row).max(own);
                    }
                }
            }
            Op::Take { thing, count, limited, with, next } => {
                if let Thing::Item(item) = thing
                    && matches!(facts.kinds[*item], Kind::Special | Kind::Container)
                {
                    // Who takes it has it.
                    self.join(row, rows, *with);
                    row[usize::from(Layout::item(*item))] = 0;
                }
                self.join(row, rows, *next);
                self.value(row, count);
                if *limited {
                    at_least(row, LEFT, WHOLE);
                }
                if let Thing::Item(item) = thing {
                    self.room_for(row, *item);
                    if matches!(facts.kinds[*item], Kind::Special | Kind::Container) {
                        // What he has already cannot be taken again.
                        at_least(row, Layout::item(*item), 1);
                    }
                    // Putting armour on adds to ENDURANCE.
                    if facts.armour.iter().any(|(armour, _)| armour == item) {
                        at_least(row, ENDURANCE, WHOLE);
                    }
                }
            }
            Op::GiveUp { kind, next } | Op::Scatter { kind, next } => {
                self.join(row, rows, *next);
                self.of_kind(row, *kind);
                at_least(row, LEFT, WHOLE);
            }
            Op::Eat { next } => {
                self.join(row, rows, *next);
                self.endurance(row, Some(-3));
                for (item, heals) in &facts.food {
                    let own = usize::from(Layout::item(*item));
                    row[own] = row[own].saturating_add(1);
                    if *heals > 0 {
                        self.armour(row);
                        at_least(row, ENDURANCE, WHOLE);
                    }
                }
            }
            Op::Shop { lines, next } => {
                self.join(row, rows, *next);
                for line in lines {
                    self.join(row, rows, line.again);
                    if let Some((stock, _)) = line.stock {
                        at_least(row, stock, WHOLE);
                    }
                    at_least(row, GOLD, WHOLE);
                    if line.buy {
                        // What is good for nothing can be bought to be rid of gold, where there is room for it.
                        if facts.kinds[line.item] == Kind::Backpack
                            && let Some(container) = facts.container
                        {
                            at_least(row, Layout::item(container), 1);
                        }
                        if facts.kinds[line.item] == Kind::Special || facts.kinds[line.item] == Kind::Container {
                            at_least(row, Layout::item(line.item), 1);
                        }
                    } else {
                        at_least(row, Layout::item(line.item), WHOLE);
                    }
                }
            }
            Op::Use { after_combat, next } => {
                self.join(row, rows, *next);
                let healing = &facts.healing[usize::from(!*after_combat)];
                // Who is not hurt cannot use it up, either.
                let counts = |item: usize| row[usize::from(Layout::item(item))] > 0;
                if row[usize::from(ENDURANCE)] > 0 || healing.iter().any(|(item, _)| counts(*item)) {
                    for (item, _) in healing {
                        at_least(row, Layout::item(*item), WHOLE);
                    }
                    self.armour(row);
                    row[usize::from(ENDURANCE)] = WHOLE;
                }
            }
            Op::Begin { fight, next } => {
                self.join(row, rows, *next);
                for register in [ARM, BEFORE, ROUND, WOUNDED] {
                    row[usize::from(register)] = 0;
                }
                let fight = &self.program.fights[*fight as usize];
                if !fight.bare_hands {
                    for (item, arm) in facts.arms.iter().enumerate() {
                        if arm.is_none() || fight.only_weapon.is_some_and(|only| only != item) {
                            continue;
                        }
                        if facts.is_plain(item) && self.merge && fight.only_weapon.is_none() {
                            at_least(row, PLAIN, 1);
                        } else {
                            self.named(row, item, 1);
                        }
                    }
                }
            }
            Op::Foe { next, .. } => {
                self.join(row, rows, *next);
                row[usize::from(ENEMY)] = 0;
            }
            Op::Bout { fight, enemy, rounds } => {
                self.join(row, rows, *rounds);
                self.fight(row, rows, &self.program.fights[*fight as usize], Some(*enemy));
            }
            Op::Clash { fight, enemy, round } => {
                self.join(row, rows, *round);
                self.fight(row, rows, &self.program.fights[*fight as usize], Some(*enemy));
            }
            Op::Round { clash, flee, .. } => {
                self.join(row, rows, *clash);
                self.join(row, rows, *flee);
            }
            Op::Flee { fight, enemy } => {
                self.fight(row, rows, &self.program.fights[*fight as usize], Some(*enemy));
            }
            Op::Compare { fight, worse, equal, better } => {
                for next in [worse, equal, better] {
                    self.join(row, rows, *next);
                }
                self.fight(row, rows, &self.program.fights[*fight as usize], None);
            }
            Op::Leave { heals, next, .. } => {
                if *next != NOWHERE {
                    self.join(row, rows, *next);
                    if *heals {
                        self.endurance(row, Some(1));
                    }
                }
            }
        }
    }

    /// What a round of a fight depends on, and everything to which it can lead.
    fn fight(&self, row: &mut [u16], rows: &[u16], fight: &FightPlan, enemy: Option<u8>) {
        if let Some(enemy) = enemy {
            let won = fight.foes.get(usize::from(enemy) + 1).unwrap_or(&fight.won);
            self.join(row, rows, *won);
            let ways = [
                fight.evade.map(|(_, next)| next),
                fight.mock,
                fight.defeat.map(|(_, next)| next),
                fight.stop.map(|(_, next)| next),
                fight.first_wound,
            ];
            for next in ways.into_iter().flatten() {
                self.join(row, rows, next);
            }
        }
        at_least(row, ENDURANCE, WHOLE);
        at_least(row, ENEMY, WHOLE);
        at_least(row, ARM, WHOLE);
        if fight.round_cap > 0 {
            at_least(row, ROUND, fight.round_cap);
        }
        if fight.wounds {
            at_least(row, WOUNDED, 1);
        }
        if fight.mock.is_some() {
            at_least(row, BEFORE, WHOLE);
        }
        for (item, _) in &self.program.facts.shields {
            at_least(row, Layout::item(*item), 1);
        }
        for (_, _, test) in &fight.bonuses {
            self.test(row, test);
        }
    }
}
