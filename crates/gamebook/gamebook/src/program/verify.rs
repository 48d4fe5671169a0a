//! Consistency checks for programs after any pass.

use std::fmt::Write;

use super::Program;
use super::instruction::{HERE, Instruction, Label};
use super::state::Register;

/// The errors of a program, one line each; empty if there are none.
///
/// Every place, register, label and native function that a step names must exist, every step except an end must have a
/// successor, no answer may return to its question without a change, and notes must be at steps of their kind.
pub(crate) fn verify(program: &Program) -> String {
    let mut wrong = String::new();
    let places = program.steps.len();
    let registers = program.layout.registers();
    let known = |place: Label| (place as usize) < places;
    // Writing to a string does not fail.
    let mut report = |place: Label, what: &str| _ = writeln!(wrong, "place {place}: {what}");
    if !known(program.start) || program.sections.len() != places {
        report(program.start, "play begins nowhere, or steps are without a section");
    }
    for (place, step) in program.places().zip(&program.steps) {
        let mut leads_on = false;
        let mut named = Vec::new();
        step.ways(place, &mut |way| {
            leads_on = true;
            if !known(way.next) {
                report(place, "leads to no place");
            }
        });
        step.touches(place, &mut |register| named.push(register));
        if named.iter().any(|register| usize::from(*register) >= registers) {
            report(place, "names a register that is not there");
        }
        match step {
            Instruction::Death | Instruction::Victory | Instruction::Stuck => {}
            // Without a possible answer play is stuck.
            Instruction::Ask(question) => {
                let labels = question.answers.iter().map(|answer| answer.label).chain(question.about);
                if labels.into_iter().any(|label| label as usize >= program.labels.len()) {
                    report(place, "names a label that is not there");
                }
                if question.answers.iter().any(|answer| answer.next == HERE && answer.sets.is_empty()) {
                    report(place, "an answer comes back with nothing changed");
                }
            }
            Instruction::Fold(fold) if fold.native as usize >= program.natives.len() => {
                report(place, "names a native that is not there");
            }
            _ if !leads_on => report(place, "leads nowhere"),
            _ => {}
        }
    }
    let notes = &program.notes;
    let chance = |place: &Label| matches!(program.steps.get(*place as usize), Some(Instruction::Chance { .. }));
    let ask = |place: &Label| matches!(program.steps.get(*place as usize), Some(Instruction::Ask(_)));
    let rolled = notes.rolls.keys().chain(notes.throws.keys()).chain(notes.draws.keys());
    for place in rolled.chain(notes.folds.keys()).filter(|place| !chance(place)) {
        report(*place, "has a note for a chance");
    }
    for place in notes.duels.keys().chain(notes.foes.keys()).filter(|place| !chance(place) && !ask(place)) {
        report(*place, "has a note for a fight");
    }
    for (place, fold) in &notes.folds {
        if !matches!(program.steps.get(*fold as usize), Some(Instruction::Fold(_))) {
            report(*place, "has a note for a fold");
        }
    }
    for (place, parting) in &notes.partings {
        if !ask(place) || !known(parting.left) || !known(parting.stayed) {
            report(*place, "has a note for a question that can be left");
        }
    }
    let mut counters = program.groups.iter().flat_map(|group| group.members.iter().chain([&group.counter]));
    if counters.any(|register: &Register| usize::from(*register) >= registers) {
        report(program.start, "a group names a register that is not there");
    }
    wrong
}
