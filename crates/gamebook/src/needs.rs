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
//! What can be thrown away where room is wanted is never needed for its weight. Things of a group of which nothing
//! is needed but how many there are, are counted together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::{Budget, Stage, Stopped};
use rustc_hash::FxHashMap;

use crate::book::{Comparison, Operator};
use crate::depends::Depends;
use crate::edges::Edges;
use crate::program::{Answer, Decides, Group, Instruction, Place, Program, Question, Test, Value, Way};
use crate::reach::depth_first;
use crate::state::{Field, Layout, Register, State};
use crate::value::Reads;

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
    /// Situations from which the book is surely won by who plays right are one.
    pub sure: bool,
}

impl Default for Analyses {
    /// All of them.
    fn default() -> Self {
        Self {
            straight: true,
            forget: true,
            cap: true,
            merge: true,
            fold: true,
            split: true,
            hopeless: true,
            sure: true,
        }
    }
}

impl Analyses {
    /// None of them: every step is a state, and every state remembers everything.
    pub const NONE: Self = Self {
        straight: false,
        forget: false,
        cap: false,
        merge: false,
        fold: false,
        split: false,
        hopeless: false,
        sure: false,
    };

    /// Each by name.
    pub const NAMES: [&'static str; 8] = ["straight", "forget", "cap", "merge", "fold", "split", "hopeless", "sure"];

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
            "sure" => &mut self.sure,
            _ => return None,
        } = false;
        Some(self)
    }
}

/// For every place, what is kept of a state there.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    /// The place that each place is said to be, and what is kept there: which of `kept` that is.
    places: Vec<(Place, u32)>,
    /// Each once: as much is kept at many places.
    kept: Vec<Kept>,
    /// Registers whose numbers are cut, one after another.
    cuts: Vec<(Field, i32)>,
    /// Registers that are counted in another, likewise.
    merged: Vec<(Field, Field)>,
}

/// What is kept of a state.
#[derive(Clone, Debug)]
struct Kept {
    /// The bits that are kept.
    mask: State,
    /// Where its cuts begin and end.
    cuts: (u32, u32),
    /// Where its merged registers begin and end.
    merged: (u32, u32),
    /// The bits of the registers that are counted in others.
    members: State,
}

impl Needs {
    /// Everything is kept that is told of a hero; of what is not, where a system of rules says what is told, only what
    /// can still matter, as `rows` say.
    pub(crate) fn whole(program: &Program, rows: Option<&[u16]>) -> Self {
        let registers = program.layout.registers();
        let analyses = Analyses { forget: true, ..Analyses::NONE };
        let mut told = vec![WHOLE; registers];
        if program.sheet.stats.is_some() {
            program.sheet.fight.iter().for_each(|register| told[usize::from(*register)] = 0);
        }
        let Some(rows) = rows else {
            // Everywhere the same.
            let needs = Self::new(program, analyses, &told);
            return Self { places: program.places().map(|place| (place, 0)).collect(), ..needs };
        };
        let whole = |(place, need): (usize, &u16)| if *need > 0 { WHOLE } else { told[place % registers] };
        let rows: Vec<u16> = rows.iter().enumerate().map(whole).collect();
        Self::new(program, analyses, &rows)
    }

    /// What is kept where `rows` say what is needed.
    pub(crate) fn new(program: &Program, analyses: Analyses, rows: &[u16]) -> Self {
        let mut needs = Self {
            places: Vec::with_capacity(program.steps.len()),
            kept: Vec::new(),
            cuts: Vec::new(),
            merged: Vec::new(),
        };
        let mut known: FxHashMap<&[u16], u32> = FxHashMap::default();
        for (place, row) in (0..).zip(rows.chunks(program.layout.registers())) {
            let kept = *known.entry(row).or_insert_with(|| {
                needs.add(program, analyses, row);
                number(needs.kept.len() - 1)
            });
            needs.places.push((place, kept));
        }
        needs
    }

    /// Adds what is kept where this is needed.
    fn add(&mut self, program: &Program, analyses: Analyses, row: &[u16]) {
        let layout = &program.layout;
        let Self { kept, cuts, merged, .. } = self;
        let (first_cut, first_merged) = (cuts.len(), merged.len());
        let mut mask = State::default();
        for (register, need) in (0..).zip(row) {
            if *need == 0 && analyses.forget {
                continue;
            }
            mask = mask.union(&layout.mask(register));
            let field = layout.field(register);
            if analyses.cap && *need > 0 && field.number(*need) < layout.range(register).1 {
                cuts.push((field, field.number(*need)));
            }
        }
        if analyses.merge && analyses.forget {
            for group in program.groups.iter().filter(|group| row[usize::from(group.counter)] > 0) {
                let unneeded = group.members.iter().filter(|member| row[usize::from(**member)] == 0);
                let counter = layout.field(group.counter);
                merged.extend(unneeded.map(|member| (layout.field(*member), counter)));
            }
        }
        let members = merged[first_merged..].iter();
        let members = members.fold(State::default(), |all, (member, _)| all.union(&member.mask()));
        kept.push(Kept {
            mask,
            cuts: (number(first_cut), number(cuts.len())),
            merged: (number(first_merged), number(merged.len())),
            members,
        });
    }

    /// The same where each place is said to be another one, from which all goes on in the same way.
    pub(crate) fn said_to_be(mut self, others: &[Place]) -> Self {
        self.places = others.iter().map(|other| self.places[*other as usize]).collect();
        self
    }

    /// The place that a place is said to be.
    pub(crate) fn place(&self, place: Place) -> Place {
        self.places[place as usize].0
    }

    #[inline]
    fn kept(&self, place: Place) -> &Kept {
        &self.kept[self.kind(place)]
    }

    /// What is kept at a place: as much is kept wherever this is the same number, which is less than [`Self::kinds`].
    #[inline]
    pub(crate) fn kind(&self, place: Place) -> usize {
        self.places[place as usize].1 as usize
    }

    /// How many kinds of places there are, between which it differs what is kept.
    pub(crate) fn kinds(&self) -> usize {
        self.kept.len()
    }

    /// The bits that are kept at a place.
    #[inline]
    pub(crate) fn mask(&self, place: Place) -> &State {
        &self.kept(place).mask
    }

    /// From how far above its smallest number on all numbers of a register are alike at a place: 0 where it is forgotten.
    pub(crate) fn alike_from(&self, place: Place, layout: &Layout, register: Register) -> u32 {
        let Kept { mask, cuts, .. } = self.kept(place);
        let own = layout.mask(register);
        if own.only(mask) != own {
            return 0;
        }
        let cuts = self.cuts[cuts.0 as usize..cuts.1 as usize].iter();
        let cut = cuts.filter(|(cut, _)| cut.mask() == own).map(|(_, need)| layout.above(register, *need).into()).min();
        cut.unwrap_or(layout.field(register).numbers())
    }

    /// The bits that are kept wherever play is.
    pub(crate) fn everywhere(&self) -> State {
        let masks = self.kept.iter().map(|kept| kept.mask);
        masks.reduce(|common, mask| common.common(&mask)).unwrap_or_default()
    }

    /// The bits of the registers that are looked at to say what is kept at places of a kind.
    pub(crate) fn touches(&self, kind: usize) -> State {
        let Kept { cuts, merged, .. } = &self.kept[kind];
        let merged = self.merged[merged.0 as usize..merged.1 as usize].iter().flat_map(|(from, to)| [*from, *to]);
        let cut = self.cuts[cuts.0 as usize..cuts.1 as usize].iter().map(|(field, _)| *field);
        merged.chain(cut).fold(State::default(), |mask, field| mask.union(&field.mask()))
    }

    /// Adds to `depends` on what it depends what is kept of a state; `always` are counted as read if they are looked at.
    #[inline]
    pub(crate) fn look(&self, state: &State, always: &State, depends: &mut Depends) {
        let Kept { cuts, merged, members, .. } = self.kept(state.place());
        if !state.meets(members) && !members.meets(always) {
            depends.must_be_empty(members);
        } else {
            for (member, counter) in &self.merged[merged.0 as usize..merged.1 as usize] {
                let own = member.mask();
                if state.meets(&own) || own.meets(always) {
                    depends.touch(&own.union(&counter.mask()));
                } else {
                    depends.must_be_empty(&own);
                }
            }
        }
        for (field, need) in &self.cuts[cuts.0 as usize..cuts.1 as usize] {
            if depends.touched.has(*field) {
                continue;
            }
            if state.get(*field) <= *need && !always.has(*field) {
                depends.must_be_at_most(*field, *need);
            } else {
                depends.touch(&field.mask());
            }
        }
    }

    /// What is kept of a state.
    #[inline]
    pub(crate) fn keep(&self, state: &State) -> State {
        let (place, kind) = self.places[state.place() as usize];
        let Kept { mask, cuts, merged, members } = &self.kept[kind as usize];
        let mut kept = state.only(mask).at(place);
        if state.meets(members) {
            for (member, counter) in &self.merged[merged.0 as usize..merged.1 as usize] {
                let count = state.get(*member);
                if count > 0 {
                    kept.set(*counter, kept.get(*counter) + count);
                }
            }
        }
        for (field, need) in &self.cuts[cuts.0 as usize..cuts.1 as usize] {
            if kept.get(*field) > *need {
                kept.set(*field, *need);
            }
        }
        kept
    }
}

/// There are fewer kinds, and things to be said of them, than 2^32: a place has 24 bits, and there are fewer than 2^8 registers.
fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The need of every register at every place, place by place: how far above its smallest number.
///
/// In loops needs grow step by step; what has grown more often than `patience` says at a place is needed whole.
pub(crate) fn rows(
    program: &Program,
    successors: &Edges,
    analyses: Analyses,
    patience: u32,
    budget: &Budget<'_>,
) -> Result<Vec<u16>, Stopped> {
    let registers = program.layout.registers();
    let places = program.steps.len();
    budget.memory((places * registers * size_of::<u16>()) as u64)?;
    let before = successors.turned(budget)?;
    let mut analysis = Analysis::new(program, analyses.merge);
    let mut row = vec![0u16; registers];
    // What follows comes first: so the needs of a loop are known before anything that only leads to it is looked at.
    let (mut order, _) = depth_first(program.start, successors, |place| place);
    let mut reached = vec![false; places];
    for place in &order {
        reached[*place as usize] = true;
    }
    order.extend(program.places().filter(|place| !reached[*place as usize]));
    let mut ranks = vec![0; places];
    for (rank, place) in order.iter().enumerate() {
        ranks[*place as usize] = rank;
    }
    // Places whose needs may have grown, by rank.
    let mut waits = vec![true; places];
    let mut open: BinaryHeap<Reverse<usize>> = (0..places).map(Reverse).collect();
    let mut grown = vec![0u32; places];
    while let Some(Reverse(rank)) = open.pop() {
        let place = order[rank];
        let at = place as usize;
        waits[at] = false;
        budget.step(Stage::Compiling, (places - open.len()) as u64, open.len() as u64)?;
        row.fill(0);
        analysis.before(place, &mut row);
        let old = &mut analysis.rows[at * registers..][..registers];
        // Without a branch for each register: seldom more than a few grow.
        let growth = row.iter().zip(&*old).fold(0, |most, (need, old)| need.saturating_sub(*old).max(most));
        if growth > 0 {
            for ((need, old), most) in row.iter().zip(old).zip(&analysis.most) {
                let whole = need > old && *old > 0 && grown[at] >= patience;
                *old = if whole { *most } else { *need.max(old) };
            }
            grown[at] += 1;
            for earlier in before.of(place).iter().map(|earlier| *earlier as usize) {
                if !std::mem::replace(&mut waits[earlier], true) {
                    open.push(Reverse(ranks[earlier]));
                }
            }
        }
    }
    Ok(analysis.rows)
}

struct Analysis<'p> {
    program: &'p Program,
    merge: bool,
    rows: Vec<u16>,
    /// All that each register can hold.
    most: Vec<u16>,
    /// The group of each register that is counted in another.
    groups: Vec<Option<&'p Group>>,
    /// What is needed on one way.
    way: Vec<u16>,
    /// What can be thrown away where the player is asked.
    thrown: Vec<Register>,
    /// What is counted together with others after an answer.
    counted: Vec<Register>,
}

/// Everything that a register can hold.
const WHOLE: u16 = u16::MAX;

fn at_least(row: &mut [u16], register: Register, need: u16) {
    let own = &mut row[usize::from(register)];
    *own = (*own).max(need);
}

fn join(row: &mut [u16], other: &[u16]) {
    for (own, other) in row.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}

impl<'p> Analysis<'p> {
    /// Nothing is needed anywhere yet.
    fn new(program: &'p Program, merge: bool) -> Self {
        let registers = program.layout.registers();
        let all = || (0..).take(registers);
        let group = |register: Register| program.groups.iter().find(|group| group.members.contains(&register));
        Self {
            program,
            merge,
            rows: vec![0; program.steps.len() * registers],
            most: all().map(|register| program.layout.above(register, i32::MAX)).collect(),
            groups: all().map(group).collect(),
            way: vec![0; registers],
            thrown: Vec::new(),
            counted: Vec::new(),
        }
    }

    fn row(&self, place: Place) -> &[u16] {
        let registers = self.program.layout.registers();
        &self.rows[place as usize * registers..][..registers]
    }

    /// What is needed before a step.
    fn before(&mut self, place: Place, row: &mut [u16]) {
        let program = self.program;
        let layout = &program.layout;
        let step = &program.steps[place as usize];
        if let Instruction::Ask(question) = step {
            self.ask(question, place, row);
        } else {
            step.ways(place, &mut |way| {
                self.way(&way);
                join(row, &self.way);
            });
            let mut need = |register, number| at_least(row, register, layout.above(register, number));
            step.decides(&mut |decides| match decides {
                Decides::Test(test) => test.distinguish(layout, &mut |register, number| {
                    if !self.adds_up(test, register) {
                        need(register, number);
                    }
                }),
                Decides::Number(value) => value.distinguish(i32::MAX, layout, &mut need),
                Decides::Register(register) => need(register, i32::MAX),
            });
        }
        // What is kept of a thing must be enough to count it with the others later.
        for group in &program.groups {
            let counted = row[usize::from(group.counter)];
            for member in &group.members {
                let own = &mut row[usize::from(*member)];
                if *own > 0 {
                    *own = counted.max(*own);
                }
            }
        }
        for (need, most) in row.iter_mut().zip(&self.most) {
            *need = (*need).min(*most);
        }
    }

    /// What is needed on one way, before anything is written on it.
    fn way(&mut self, way: &Way<'_>) {
        let program = self.program;
        let layout = &program.layout;
        let registers = layout.registers();
        let Self { rows, way: row, groups, .. } = self;
        row.copy_from_slice(&rows[way.next as usize * registers..][..registers]);
        for (register, value) in way.sets.iter().rev() {
            let after = std::mem::replace(&mut row[usize::from(*register)], 0);
            let number = |need: u16| layout.field(*register).number(need);
            let counted = groups[usize::from(*register)].map_or(0, |group| row[usize::from(group.counter)]);
            let mut need = |register, number| at_least(row, register, layout.above(register, number));
            if counted == 0 {
                if after > 0 {
                    value.distinguish(number(after), layout, &mut need);
                }
                continue;
            }
            // Also what is counted together with others becomes more.
            value.distinguish(number(after.max(counted)), layout, &mut need);
            let own = &mut row[usize::from(*register)];
            *own = match value {
                value if adds_to(value, *register, layout) => after,
                // What becomes less of it must not have been counted with the others before.
                value if value.depends_on(*register) => (*own).max(1),
                _ => WHOLE,
            };
        }
        way.written.iter().for_each(|register| row[usize::from(*register)] = 0);
    }

    /// What is needed where the player is asked.
    fn ask(&mut self, question: &'p Question, place: Place, row: &mut [u16]) {
        let program = self.program;
        let layout = &program.layout;
        let (mut thrown, mut counted) = (std::mem::take(&mut self.thrown), std::mem::take(&mut self.counted));
        thrown.clear();
        thrown.extend(question.answers.iter().filter_map(Answer::throws_away));
        if let Some(next) = question.otherwise {
            join(row, self.row(next));
        }
        for answer in &question.answers {
            let next = answer.leads_to(place);
            // Who can throw one thing away can throw away as many as he likes: more are as good as fewer.
            if answer.throws_away().is_some()
                || self.is_idle(answer, question, next, place)
                || self.is_counted(answer, question, next)
            {
                continue;
            }
            self.way(&Way { unless: None, written: &[], sets: &answer.sets, next });
            let grown = |register: Register| {
                answer.sets.iter().any(|(own, value)| *own == register && adds_to(value, register, layout))
            };
            let mut own = std::mem::take(&mut self.way);
            // What is counted together with others is not made room for: who throws one of it away has one less of all.
            counted.clear();
            for group in program.groups.iter().filter(|group| self.merge && own[usize::from(group.counter)] > 0) {
                counted.extend(&group.members);
            }
            // Room can be made, and more of a thing than a register holds cannot be told from all that it holds.
            let makes_room =
                |register: Register| !counted.contains(&register) && (thrown.contains(&register) || grown(register));
            let mut need = |register, number| at_least(&mut own, register, layout.above(register, number));
            if let Some(register) = self.stands_for(answer, question) {
                need(register, 1);
            } else {
                all_of(&answer.test, &mut |test| {
                    test.distinguish(layout, &mut |register, number| {
                        if self.adds_up(test, register) {
                            return;
                        }
                        let room = matches!(test, Test::Compare(Comparison::AtLeast, left, Value::Constant(_)) if left.falls_with(register));
                        if !(room && makes_room(register)) {
                            need(register, number);
                        }
                    });
                });
                if let Some(each) = &answer.each {
                    own[usize::from(each.register)] = 0;
                    let mut need = |register, number| at_least(&mut own, register, layout.above(register, number));
                    each.from.distinguish(i32::MAX, layout, &mut need);
                    each.to.distinguish(i32::MAX, layout, &mut |register, number| {
                        let adds_up =
                            self.merged(register).is_some_and(|group| each.to.adds_up(register, group.counter));
                        if !(adds_up || each.to.falls_with(register) && makes_room(register)) {
                            need(register, number);
                        }
                    });
                }
            }
            join(row, &own);
            self.way = own;
        }
        // Where it matters how many of a thing there are, so does whether one can be thrown away here.
        for answer in &question.answers {
            let Some(thing) = answer.throws_away() else { continue };
            let counted = program.groups.iter().filter(|group| group.members.contains(&thing));
            let matters = counted.map(|group| group.counter).chain([thing]).any(|own| row[usize::from(own)] > 0);
            if matters {
                answer.test.distinguish(layout, &mut |register, number| {
                    if register != thing {
                        at_least(row, register, layout.above(register, number));
                    }
                });
            }
        }
        (self.thrown, self.counted) = (thrown, counted);
    }

    /// Whether an answer changes nothing that is needed, and is no way on that is not there without it.
    fn is_idle(&self, answer: &Answer, question: &Question, next: Place, place: Place) -> bool {
        let row = self.row(next);
        let unneeded = |register: &Register| {
            let counted = self
                .program
                .groups
                .iter()
                .any(|group| group.members.contains(register) && row[usize::from(group.counter)] > 0);
            row[usize::from(*register)] == 0 && !counted
        };
        let always = |other: &Answer| {
            other.test == Test::ALWAYS && other.each.is_none() && other.sets.is_empty() && other.leads_to(place) == next
        };
        !(answer.sets.is_empty() && answer.each.is_none())
            && answer.sets.iter().all(|(register, _)| unneeded(register))
            && answer.each.iter().all(|each| unneeded(&each.register))
            && (next == place || question.answers.iter().any(always))
    }

    /// The group with which things of a register are counted where nothing tells them apart.
    fn merged(&self, register: Register) -> Option<&'p Group> {
        self.groups[usize::from(register)].filter(|_| self.merge)
    }

    /// Whether a test reads a register of a group only where it is counted together with the others.
    fn adds_up(&self, test: &Test, register: Register) -> bool {
        self.merged(register).is_some_and(|group| test.adds_up(register, group.counter))
    }

    /// Whether an answer gives a thing away of which nothing is needed after it but how many of its group there are, and
    /// one of those that are counted can be given in its place.
    fn is_counted(&self, answer: &Answer, question: &Question, next: Place) -> bool {
        let gives = |answer: &Answer| answer.takes_one().filter(|register| answer.test.is_there() == Some(*register));
        let Some(member) = gives(answer) else { return false };
        self.merged(member).is_some_and(|group| {
            self.row(next)[usize::from(member)] == 0
                && question.answers.iter().any(|other| gives(other) == Some(group.counter) && other.next == answer.next)
        })
    }

    /// The counter of a group, where an answer for one of its members is there for the counter, too.
    fn stands_for(&self, answer: &Answer, question: &Question) -> Option<Register> {
        let member = answer.test.is_there()?;
        let group = self.merged(member)?;
        let same = |other: &Answer| {
            other.test.is_there() == Some(group.counter)
                && other.sets == answer.sets
                && other.next == answer.next
                && other.each == answer.each
        };
        question.answers.iter().any(same).then_some(group.counter)
    }
}

/// Whether a value is what a register holds and something that does not depend on it, but never less.
fn adds_to(value: &Value, register: Register, layout: &Layout) -> bool {
    let never_less = |value: &Value| value.range(layout).0 >= 0 && !value.depends_on(register);
    match value {
        Value::Register(own) => *own == register,
        Value::Operation(Operator::Plus, left, right) => {
            adds_to(left, register, layout) && never_less(right) || adds_to(right, register, layout) && never_less(left)
        }
        _ => false,
    }
}

/// Visits the parts of a test all of which must hold.
fn all_of(test: &Test, visit: &mut dyn FnMut(&Test)) {
    match test {
        Test::And(left, right) => {
            all_of(left, visit);
            all_of(right, visit);
        }
        test => visit(test),
    }
}
