//! Registers of which only the total matters: a unit of one is as good as a unit of another.
//!
//! For every place some registers are partitioned into classes. The invariant of every rule below: if two states differ only in
//! registers without a class, and in how the total of a class is distributed among its members, then each action of one has its
//! like in the other, with the same probabilities, and the successors again differ only in that way. Hence values are preserved.
//! Classes flow backwards through the program and only become finer, up to a fixed point.
//!
//! Nothing is declared: what the program does with its registers decides, so no other pass has to know which are alike.

use budget::{Budget, Stopped};
use rustc_hash::FxHashMap;

use super::worklist::Worklist;
use crate::program::{
    Decides, Edges, HERE, Instruction, Label, Layout, Program, Reads, Register, Sets, Test, Value, Weight,
};
use crate::terms::{Comparison, Operator};

/// Which registers are alike at each place.
pub(crate) struct Alike {
    /// The registers that are part of a total somewhere.
    counted: Vec<Register>,
    /// The class of each of them, place by place: one more than the index of its first member, or 0 for none.
    classes: Vec<u8>,
}

impl Alike {
    /// Finds the classes; `same` has for every place one with the same future.
    pub(crate) fn new(
        program: &Program,
        successors: &Edges,
        same: &[Label],
        budget: &Budget<'_>,
    ) -> Result<Self, Stopped> {
        let counted = counted(program);
        if counted.len() < 2 {
            return Ok(Self { counted: Vec::new(), classes: Vec::new() });
        }
        let (width, places) = (counted.len(), program.steps.len());
        budget.memory((places * width) as u64)?;
        let before = successors.turned(budget)?;
        let mut analysis = Analysis::new(program, same, &counted);
        let mut open = Worklist::new(program, successors);
        while let Some(place) = open.next(budget)? {
            if analysis.grow(place) {
                open.revisit(before.of(place));
            }
        }
        let classes = analysis.classes;
        Ok(Self { counted, classes })
    }

    /// Each register that is alike with an earlier one at a place, and the first of its class, if any of the class is `live`.
    pub(crate) fn at(&self, place: Label, live: impl Fn(Register) -> bool) -> Vec<(Register, Register)> {
        let width = self.counted.len();
        let row = &self.classes[place as usize * width..][..width];
        let mut is_live = [false; 1 << u8::BITS];
        for (register, class) in self.counted.iter().zip(row) {
            is_live[usize::from(*class)] |= *class > 0 && live(*register);
        }
        let members = self.counted.iter().zip(row).enumerate();
        let members = members.filter(|(own, (_, class))| {
            let first = usize::from(**class);
            is_live[first] && own + 1 != first
        });
        members.map(|(_, (member, class))| (*member, self.counted[usize::from(*class) - 1])).collect()
    }
}

/// The registers that are part of a total somewhere and can hold more than one unit, in order.
fn counted(program: &Program) -> Vec<Register> {
    let mut is_counted = vec![false; program.layout.registers()];
    let mut total = |own: &[Register]| {
        if own.len() > 1 {
            for register in own {
                is_counted[usize::from(*register)] = true;
            }
        }
    };
    for (place, step) in program.places().zip(&program.steps) {
        step.decides(&mut |decides| match decides {
            Decides::Test(test) => test.totals(&mut total),
            Decides::Number(value) => value.totals(&mut total),
            Decides::Register(_) => {}
        });
        step.ways(place, &mut |way| way.sets.iter().for_each(|(_, value)| value.totals(&mut total)));
    }
    let can_be_more = |register: &Register| {
        let (least, most) = program.layout.range(*register);
        is_counted[usize::from(*register)] && least == 0 && most > 1
    };
    // One more than an index must fit in a byte.
    (0..Register::MAX).take(program.layout.registers()).filter(can_be_more).collect()
}

/// Answers or outcomes that differ only in the counted register that each is about: it is possible with a unit of that register
/// or comes up by the number of its units, and may take one.
struct Family {
    /// The index of one of them.
    first: usize,
    /// The indexes of the registers; none for an answer or outcome that is not about one.
    members: Vec<usize>,
}

/// What answers or outcomes must share to be a family: their tests and assignments, but for those of their own register, and
/// their target.
type Shared = (Vec<Test>, Vec<Option<(Register, Value)>>, Label);

struct Analysis<'p> {
    program: &'p Program,
    /// For every register its index among those that are counted.
    indexes: Vec<Option<usize>>,
    width: usize,
    classes: Vec<u8>,
    /// The families of the answers and outcomes at each place.
    families: FxHashMap<Label, Vec<Family>>,
    /// New classes by pairs of classes, while a row is refined.
    pairs: FxHashMap<(u8, u16), u8>,
}

/// An edge: the test under which it is possible, the numbers that are chosen before, what it assigns, and its target.
struct Path<'p> {
    tests: Vec<&'p Test>,
    sets: &'p Sets,
    next: Label,
}

impl<'p> Analysis<'p> {
    /// No register is in a class yet.
    fn new(program: &'p Program, same: &[Label], counted: &[Register]) -> Self {
        let mut indexes = vec![None; program.layout.registers()];
        for (index, register) in counted.iter().enumerate() {
            indexes[usize::from(*register)] = Some(index);
        }
        let width = counted.len();
        let classes = vec![0; program.steps.len() * width];
        let mut own =
            Self { program, indexes, width, classes, families: FxHashMap::default(), pairs: FxHashMap::default() };
        for (place, step) in program.places().zip(&program.steps) {
            let same = |next: Label| if next == HERE { HERE } else { same[next as usize] };
            let families = match step {
                Instruction::Ask(question) => families(question.answers.iter().map(|answer| {
                    let about = if answer.each.is_none() { own.is_about(&answer.test) } else { None };
                    own.shared(about, conjuncts(&answer.test), &answer.sets, same(answer.next))
                })),
                Instruction::Chance { outcomes } => families(outcomes.iter().map(|outcome| {
                    let about = match outcome.weight {
                        Weight::Register(register) => own.indexes[usize::from(register)],
                        _ => None,
                    };
                    own.shared(about, Vec::new(), &outcome.sets, same(outcome.next))
                })),
                _ => continue,
            };
            own.families.insert(place, families);
        }
        own
    }

    /// The counted register of which a test asks for a unit, if that is only one.
    fn is_about(&self, test: &Test) -> Option<usize> {
        let mut about = conjuncts(test).into_iter().filter_map(|part| self.indexes[usize::from(part.is_there()?)]);
        about.next().filter(|_| about.next().is_none())
    }

    /// What an answer or outcome about a register must share with others; `None` if it does more with counted registers than
    /// to take a unit of its own.
    fn shared(&self, about: Option<usize>, tests: Vec<&Test>, sets: &Sets, next: Label) -> Option<(usize, Shared)> {
        let about = about?;
        let is_own = |register: Register| self.indexes[usize::from(register)] == Some(about);
        let assigned = sets.iter().filter(|(register, _)| self.indexes[usize::from(*register)].is_some());
        let takes_one = |(register, value): &(Register, Value)| is_own(*register) && value.is_one_less_than(*register);
        if assigned.clone().count() > 1 || !assigned.clone().all(takes_one) {
            return None;
        }
        let tests = tests.into_iter().filter(|test| !test.is_there().is_some_and(is_own)).cloned().collect();
        let sets = sets.iter().map(|own| (!is_own(own.0)).then(|| own.clone())).collect();
        Some((about, (tests, sets, next)))
    }

    fn row(&self, place: Label) -> &[u8] {
        &self.classes[place as usize * self.width..][..self.width]
    }

    /// Refines the classes before a step; returns whether that changed them.
    fn grow(&mut self, place: Label) -> bool {
        let mut row = self.row(place).to_vec();
        self.before(place, &mut row);
        let own = &mut self.classes[place as usize * self.width..][..self.width];
        let grown = *own != row;
        own.copy_from_slice(&row);
        grown
    }

    fn before(&mut self, place: Label, row: &mut [u8]) {
        let program = self.program;
        let families = self.families.remove(&place);
        match &program.steps[place as usize] {
            Instruction::Ask(question) => {
                if let Some(next) = question.otherwise {
                    let after = self.row(next).to_vec();
                    self.refine(row, |own| after[own].into());
                }
                for family in families.iter().flatten() {
                    let answer = &question.answers[family.first];
                    let (tests, next) = (conjuncts(&answer.test), answer.leads_to(place));
                    let mut after = self.path(&Path { tests, sets: &answer.sets, next }, family);
                    if let Some(each) = &answer.each {
                        self.forget(&mut after, each.register);
                        self.read(&mut after, &each.from);
                        self.read(&mut after, &each.to);
                    }
                    self.refine_by(row, &after, family);
                }
            }
            Instruction::Chance { outcomes } => {
                for family in families.iter().flatten() {
                    let outcome = &outcomes[family.first];
                    let tests = if let Weight::Holds(test) = &outcome.weight { conjuncts(test) } else { Vec::new() };
                    let mut after = self.path(&Path { tests, sets: &outcome.sets, next: outcome.next }, family);
                    if let (Weight::Register(register), true) = (&outcome.weight, family.members.is_empty()) {
                        self.total(&mut after, &[*register]);
                    }
                    self.refine_by(row, &after, family);
                }
            }
            step => {
                step.ways(place, &mut |way| {
                    let mut after = self.row(way.next).to_vec();
                    self.assign(&mut after, way.sets, &[], None);
                    way.written.iter().for_each(|register| self.forget(&mut after, *register));
                    self.refine(row, |own| after[own].into());
                });
                step.decides(&mut |decides| match decides {
                    Decides::Test(test) => self.read(row, test),
                    Decides::Number(value) => self.read(row, value),
                    Decides::Register(register) => self.total(row, &[register]),
                });
            }
        }
        if let Some(families) = families {
            self.families.insert(place, families);
        }
    }

    /// The classes before an edge of a family.
    fn path(&mut self, path: &Path<'_>, family: &Family) -> Vec<u8> {
        let mut row = self.row(path.next).to_vec();
        // Of a family one register stands for all.
        let own = family.members.first().copied();
        self.assign(&mut row, path.sets, &path.tests, own);
        for test in &path.tests {
            let is_own = test.is_there().is_some_and(|it| own.is_some() && self.indexes[usize::from(it)] == own);
            if !is_own {
                self.read(&mut row, *test);
            }
        }
        row
    }

    /// Refines by the classes after the tests of a family: units of its members do the same where they are alike afterwards.
    fn refine_by(&mut self, row: &mut [u8], after: &[u8], family: &Family) {
        let is_member = |own: usize| u16::from(family.members.contains(&own)) << u8::BITS;
        self.refine(row, |own| u16::from(after[own]) | is_member(own));
    }

    /// The classes before assignments, one after another, where these tests hold and a unit of `own` is there.
    fn assign(&mut self, row: &mut [u8], sets: &[(Register, Value)], tests: &[&Test], own: Option<usize>) {
        let counted = sets.iter().filter(|(register, _)| self.indexes[usize::from(*register)].is_some()).count();
        for (register, value) in sets.iter().rev() {
            if let Some(index) = self.indexes[usize::from(*register)] {
                let takes_one = own == Some(index) && value.is_one_less_than(*register);
                if row[index] == 0 || counted == 1 && (takes_one || self.adds(row, index, *register, value, tests)) {
                    continue;
                }
                self.forget(row, *register);
            }
            self.read(row, value);
        }
    }

    /// Whether a value adds to a register, and the tests leave so much room that this never exceeds the range of any register
    /// that is alike: the total grows by the same, however it is distributed.
    fn adds(&self, row: &[u8], index: usize, register: Register, value: &Value, tests: &[&Test]) -> bool {
        let layout = &self.program.layout;
        let more = match value {
            Value::Operation(Operator::Plus, left, right) if **left == Value::Register(register) => match **right {
                Value::Constant(more @ 0..) => more,
                _ => return false,
            },
            _ => return false,
        };
        let alike = || {
            let all = (0..Register::MAX).zip(&self.indexes);
            all.filter_map(|(other, own)| own.is_some_and(|own| row[own] == row[index]).then_some(other))
        };
        let most = alike().map(|other| layout.range(other).1).min().unwrap_or(0);
        tests
            .iter()
            .filter_map(|test| total_at_most(test, layout))
            .any(|(total, held)| held.saturating_add(more) <= most && alike().all(|other| total.contains(&other)))
    }

    /// A register gets a number that does not depend on what it holds.
    fn forget(&mut self, row: &mut [u8], register: Register) {
        if let Some(index) = self.indexes[usize::from(register)] {
            row[index] = 0;
            self.refine(row, |_| 0);
        }
    }

    /// Something is read.
    fn read(&mut self, row: &mut [u8], what: &(impl Reads + ?Sized)) {
        what.totals(&mut |total| self.total(row, total));
    }

    /// A total is read: registers are alike only if they are in it equally often.
    fn total(&mut self, row: &mut [u8], total: &[Register]) {
        if total.iter().any(|register| self.indexes[usize::from(*register)].is_some()) {
            let mut times = vec![0u16; self.width];
            for register in total {
                if let Some(index) = self.indexes[usize::from(*register)] {
                    times[index] += 1;
                }
            }
            self.refine(row, |own| times[own]);
        }
    }

    /// Splits classes whose members differ in something else; what is in no class and 0 in the other stays in none.
    fn refine(&mut self, row: &mut [u8], other: impl Fn(usize) -> u16) {
        self.pairs.clear();
        for (index, class) in row.iter_mut().enumerate() {
            let pair = (*class, other(index));
            if pair != (0, 0) {
                // There are fewer than 2^8 registers.
                let first = u8::try_from(index + 1).unwrap_or(u8::MAX);
                *class = *self.pairs.entry(pair).or_insert(first);
            }
        }
    }
}

/// Groups answers or outcomes by what they share.
fn families(shared: impl Iterator<Item = Option<(usize, Shared)>>) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    let mut known: FxHashMap<Shared, usize> = FxHashMap::default();
    for (first, shared) in shared.enumerate() {
        match shared {
            Some((member, shared)) => match known.get(&shared) {
                Some(family) => families[*family].members.push(member),
                None => {
                    known.insert(shared, families.len());
                    families.push(Family { first, members: vec![member] });
                }
            },
            None => families.push(Family { first, members: Vec::new() }),
        }
    }
    families
}

/// The tests all of which must hold.
fn conjuncts(test: &Test) -> Vec<&Test> {
    match test {
        Test::And(left, right) => [conjuncts(left), conjuncts(right)].concat(),
        test => vec![test],
    }
}

/// The total that a test limits, and what it is at most if the test holds; none of its registers is below 0.
fn total_at_most<'t>(test: &'t Test, layout: &Layout) -> Option<(&'t [Register], i32)> {
    let limit: Option<(&[Register], i32)> = match test {
        Test::Compare(Comparison::AtMost, Value::Sum(total), Value::Constant(most)) => Some((&**total, *most)),
        Test::Compare(Comparison::AtLeast, Value::Operation(Operator::Minus, left, right), Value::Constant(least)) => {
            match &**right {
                Value::Sum(total) => Some((&**total, left.range(layout).1.saturating_sub(*least))),
                _ => None,
            }
        }
        _ => None,
    };
    limit.filter(|(total, _)| total.iter().all(|own| layout.range(*own).0 >= 0))
}
