//! Liveness: for every place and register, the value from which on all larger ones are equivalent.
//!
//! A need of 0 means that the register is dead and can be cleared. A need of `n` means that all numbers from `n` up are
//! equivalent, so they are stored as `n`. Needs flow backwards through the program, from tests and uses to assignments; in
//! loops they grow to a fixed point. The invariant of every rule below: if two states differ only in numbers that are at least
//! the need, then each action of one is possible in the other, with the same probabilities, and the successors again differ
//! only in that way. Hence values are preserved.
//!
//! Items that can be discarded where room is needed never matter for their weight. Items of a group of which only the total
//! matters are counted together.

use budget::{Budget, Stopped};

use super::analyses::Analyses;
use super::worklist::Worklist;
use crate::program::{
    Answer, Decides, Edges, Group, Instruction, Label, Layout, Program, Question, Reads, Register, Test, Value, Way,
};
use crate::terms::{Comparison, Operator};

/// The need of every register at every place, place by place, as an offset from its minimum.
///
/// In loops needs grow step by step; a need that has grown more often than `patience` at a place becomes the whole range.
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
    let mut open = Worklist::new(program, successors);
    let mut grown = vec![0u32; places];
    while let Some(place) = open.next(budget)? {
        let at = place as usize;
        row.fill(0);
        analysis.before(place, &mut row);
        let old = &mut analysis.rows[at * registers..][..registers];
        // Without a branch per register: few of them grow.
        let growth = row.iter().zip(&*old).fold(0, |most, (need, old)| need.saturating_sub(*old).max(most));
        if growth > 0 {
            for ((need, old), most) in row.iter().zip(old).zip(&analysis.most) {
                let whole = need > old && *old > 0 && grown[at] >= patience;
                *old = if whole { *most } else { *need.max(old) };
            }
            grown[at] += 1;
            open.revisit(before.of(place));
        }
    }
    Ok(analysis.rows)
}

struct Analysis<'p> {
    program: &'p Program,
    merge: bool,
    rows: Vec<u16>,
    /// The largest need of each register.
    most: Vec<u16>,
    /// The group of each register that is counted with others.
    groups: Vec<Option<&'p Group>>,
    /// The needs on one path.
    way: Vec<u16>,
    /// The items that can be discarded at a question.
    thrown: Vec<Register>,
    /// The items that are counted together after an answer.
    counted: Vec<Register>,
}

/// The need of a register whose whole range matters.
pub(crate) const WHOLE: u16 = u16::MAX;

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
    /// No register is needed yet.
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

    fn row(&self, place: Label) -> &[u16] {
        let registers = self.program.layout.registers();
        &self.rows[place as usize * registers..][..registers]
    }

    /// The needs before a step.
    fn before(&mut self, place: Label, row: &mut [u16]) {
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
        // A member must be kept at least as far as the total in which it is counted later.
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

    /// The needs before the assignments of a path.
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
            // A member also increases the total of its group.
            value.distinguish(number(after.max(counted)), layout, &mut need);
            let own = &mut row[usize::from(*register)];
            *own = match value {
                value if adds_to(value, *register, layout) => after,
                // A member that decreases must not have been counted with the others before.
                value if value.depends_on(*register) => (*own).max(1),
                _ => WHOLE,
            };
        }
        way.written.iter().for_each(|register| row[usize::from(*register)] = 0);
    }

    /// The needs at a question.
    fn ask(&mut self, question: &'p Question, place: Label, row: &mut [u16]) {
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
            // Items can be discarded freely, so a larger count is never worse.
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
            // Discarding a member that is counted in a total decreases the total, so it does not make room freely.
            counted.clear();
            for group in program.groups.iter().filter(|group| self.merge && own[usize::from(group.counter)] > 0) {
                counted.extend(&group.members);
            }
            // Where room can be made, or the register saturates, the test for room adds no need.
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
        // If the count of an item matters, so does whether it can be discarded here.
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

    /// Whether an answer changes no live register and leads nowhere that another answer does not.
    fn is_idle(&self, answer: &Answer, question: &Question, next: Label, place: Label) -> bool {
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

    /// The group with which a register is counted, if merging is on.
    fn merged(&self, register: Register) -> Option<&'p Group> {
        self.groups[usize::from(register)].filter(|_| self.merge)
    }

    /// Whether a test reads a member of a group only as part of the total.
    fn adds_up(&self, test: &Test, register: Register) -> bool {
        self.merged(register).is_some_and(|group| test.adds_up(register, group.counter))
    }

    /// Whether an answer gives away an item of which only the group's total matters afterwards, and another answer gives away
    /// one from that total instead.
    fn is_counted(&self, answer: &Answer, question: &Question, next: Label) -> bool {
        let gives = |answer: &Answer| answer.takes_one().filter(|register| answer.test.is_there() == Some(*register));
        let Some(member) = gives(answer) else { return false };
        self.merged(member).is_some_and(|group| {
            self.row(next)[usize::from(member)] == 0
                && question.answers.iter().any(|other| gives(other) == Some(group.counter) && other.next == answer.next)
        })
    }

    /// The counter of a group, if an answer about one of its members also exists for the counter.
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

/// Whether a value is the register plus something non-negative that does not depend on it.
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

/// Visits the conjuncts of a test.
fn all_of(test: &Test, visit: &mut dyn FnMut(&Test)) {
    match test {
        Test::And(left, right) => {
            all_of(left, visit);
            all_of(right, visit);
        }
        test => visit(test),
    }
}
