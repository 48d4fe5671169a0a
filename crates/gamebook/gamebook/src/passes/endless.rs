//! Endless loops: cycles at no cost in which the hero gains something each time round.
//!
//! They are found in the program after specialization. Steps that take something away, or that record something which may
//! differ the next time, belong to no such loop; all outcomes of a chance must stay in it. A loop that is found can be used by
//! every hero who reaches it, unless a test of other numbers prevents it.

use std::collections::BTreeSet;

use budget::{Budget, Stage, Stopped};
use graph::components;

use crate::program::{Instruction, Label, Layout, Program, Reads, Register, Test, Value, Weight};
use crate::terms::{Operator, SectionNumber};

/// A loop that yields something without limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessLoop {
    /// What increases each time round: `gold`, `endurance`, an item, a stat or a counter.
    pub what: String,
    /// The sections that yield it.
    pub got_in: Vec<SectionNumber>,
    /// All sections of the loop.
    pub sections: Vec<SectionNumber>,
}

/// The endless loops of a specialized program.
pub(crate) fn endless_loops(program: &Program, budget: &Budget<'_>) -> Result<Vec<EndlessLoop>, Stopped> {
    let sheet = &program.sheet;
    let mut counted: Vec<(&str, Register)> = match &sheet.stats {
        Some(stats) => stats.iter().map(|stat| (stat.name.as_str(), stat.register)).collect(),
        None => vec![("gold", sheet.gold), ("endurance", sheet.endurance)],
    };
    counted.extend(sheet.items.iter().map(|(name, register)| (name.as_str(), *register)));
    let noted = counted.iter().map(|(_, register)| *register);
    let noted: BTreeSet<Register> = noted.chain(sheet.flags.iter().map(|(_, register)| *register)).collect();
    let mut found: Vec<EndlessLoop> = Vec::new();
    for (what, register) in counted {
        budget.step(Stage::Compiling, found.len() as u64, 0)?;
        let rules = Free { program, noted: &noted, register };
        let ways: Vec<Vec<FreeWay>> = program.places().map(|place| rules.ways(place)).collect();
        // The search is needed only if something yields it at all.
        if ways.iter().flatten().any(|way| way.more) {
            let search = Search { program, ways };
            let noted = |(got_in, sections)| EndlessLoop { what: what.to_string(), got_in, sections };
            found.extend(search.loops(budget)?.into_iter().map(noted));
        }
    }
    Ok(found)
}

/// The steps that cost nothing, for a hero who wants more of one register.
struct Free<'p> {
    program: &'p Program,
    /// The registers on the hero's sheet.
    noted: &'p BTreeSet<Register>,
    register: Register,
}

/// The sections that yield something, and all sections of a loop.
type LoopSections = (Vec<SectionNumber>, Vec<SectionNumber>);

/// A successor at no cost.
struct FreeWay {
    next: Label,
    /// Whether the step increases the register.
    more: bool,
}

impl Free<'_> {
    /// The successors of a step that cost nothing, are open to a hero with the largest value, and record nothing new.
    fn ways(&self, place: Label) -> Vec<FreeWay> {
        let mut free = Vec::new();
        let step = &self.program.steps[place as usize];
        let mut way = |sets: &[(Register, Value)], next: Label| {
            let changes = |(register, value): &(Register, Value)| self.change(*register, value);
            if let Some(more) = sets.iter().map(changes).try_fold(false, |any, more| more.map(|more| any || more)) {
                free.push(FreeWay { next, more });
            }
        };
        match step {
            Instruction::Branch { test, yes, no } => {
                if self.may_hold(test) {
                    way(&[], *yes);
                }
                if self.may_hold(&test.clone().negated()) {
                    way(&[], *no);
                }
            }
            Instruction::Ask(question) => {
                for answer in question.answers.iter().filter(|answer| self.may_hold(&answer.test)) {
                    way(&answer.sets, answer.leads_to(place));
                }
            }
            // A fight has a cost.
            Instruction::Fold(_) => {}
            step => step.ways(place, &mut |own| way(own.sets, own.next)),
        }
        free
    }

    /// Whether an assignment increases the register; `None` if it costs or records something.
    fn change(&self, register: Register, value: &Value) -> Option<bool> {
        let layout = &self.program.layout;
        if grows(value, register, layout) {
            return Some(register == self.register && value.range(layout).1 > 0);
        }
        // Flags are constant at every specialized place, so an assignment that changes one leaves the loop.
        let is_flag = layout.range(register) == (0, 1) && matches!(value, Value::Constant(_));
        (is_flag || !self.noted.contains(&register)).then_some(false)
    }

    /// Whether a test may hold for the largest value of the register.
    fn may_hold(&self, test: &Test) -> bool {
        let most = self.program.layout.range(self.register).1;
        test.given(&|register| (register == self.register).then_some(most)) != Test::Constant(false)
    }
}

/// The search for loops that increase one register.
struct Search<'p> {
    program: &'p Program,
    /// The successors at no cost of each place.
    ways: Vec<Vec<FreeWay>>,
}

impl Search<'_> {
    /// The places from which play can go on for ever at no cost.
    fn free_places(&self) -> Vec<bool> {
        let Self { program, ways } = self;
        let mut free = vec![true; program.steps.len()];
        let mut before = vec![Vec::new(); program.steps.len()];
        for (place, own) in program.places().zip(ways) {
            for way in own {
                before[way.next as usize].push(place);
            }
        }
        let mut open: Vec<Label> = program.places().collect();
        while let Some(place) = open.pop() {
            let at = place as usize;
            if !free[at] {
                continue;
            }
            let leads = |way: &FreeWay| free[way.next as usize];
            let stays = match &program.steps[at] {
                Instruction::Chance { outcomes } => {
                    // A choice left to the reader is not a chance.
                    let certain = !outcomes.iter().any(|outcome| matches!(outcome.weight, Weight::Holds(_)));
                    if certain {
                        ways[at].len() == outcomes.len() && ways[at].iter().all(leads)
                    } else {
                        ways[at].iter().any(leads)
                    }
                }
                _ => ways[at].iter().any(leads),
            };
            if !stays {
                free[at] = false;
                open.extend(&before[at]);
            }
        }
        free
    }

    /// For each loop the sections that increase the register, and all its sections.
    fn loops(&self, budget: &Budget<'_>) -> Result<Vec<LoopSections>, Stopped> {
        let free = self.free_places();
        let program = self.program;
        let leads: Vec<Vec<Label>> = program
            .places()
            .map(|place| {
                let ways = if free[place as usize] { &self.ways[place as usize][..] } else { &[] };
                ways.iter().map(|way| way.next).filter(|next| free[*next as usize]).collect()
            })
            .collect();
        let places = program.places();
        let circles = components(places.clone(), places, |place| leads[place as usize].iter().copied(), budget)?;
        let mut part = vec![0; program.steps.len()];
        for (number, circle) in circles.iter().enumerate() {
            for place in circle {
                part[*place as usize] = number;
            }
        }
        let mut found = vec![(BTreeSet::new(), BTreeSet::new()); circles.len()];
        for place in program.places().filter(|place| free[*place as usize]) {
            let own = part[place as usize];
            let (got_in, sections) = &mut found[own];
            let stays = |way: &&FreeWay| free[way.next as usize] && part[way.next as usize] == own;
            for way in self.ways[place as usize].iter().filter(stays) {
                sections.insert(program.sections[place as usize]);
                if way.more {
                    got_in.insert(program.sections[place as usize]);
                }
            }
        }
        let mut loops: Vec<LoopSections> = found
            .into_iter()
            .filter(|(got_in, _)| !got_in.is_empty())
            .map(|(got_in, sections)| (got_in.into_iter().collect(), sections.into_iter().collect()))
            .collect();
        // Copies of a loop with other flags set are the same loop.
        loops.sort();
        loops.dedup();
        Ok(loops)
    }
}

/// Whether a value is the register plus something non-negative.
fn grows(value: &Value, register: Register, layout: &Layout) -> bool {
    match value {
        Value::Register(own) => *own == register,
        Value::Operation(Operator::Plus, left, right) => {
            let never_less = |value: &Value| value.range(layout).0 >= 0 && !value.depends_on(register);
            grows(left, register, layout) && never_less(right) || grows(right, register, layout) && never_less(left)
        }
        // Healing stops at the maximum.
        Value::Operation(Operator::Min, left, right) => grows(left, register, layout) || grows(right, register, layout),
        _ => false,
    }
}
