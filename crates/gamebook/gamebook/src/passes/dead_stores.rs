//! Dead store elimination.
//!
//! Removes assignments to registers that are dead, and turns questions and tests whose branches lead to equivalent places into
//! jumps, which in turn makes registers dead that only those tests read. Steps keep their places, so that reports on the hero
//! can follow the original program.

use budget::{Budget, Stopped};

use super::analyses::Analyses;
use super::liveness::rows;
use super::minimize::canonical;
use crate::program::{Edges, Instruction, Label, Program, Reads, Register, Sets, Test};

/// The most iterations; books need two or three.
const ROUNDS: usize = 6;

/// A program without dead stores and without questions that make no difference.
pub(crate) fn without_idle(program: &Program, analyses: Analyses, budget: &Budget<'_>) -> Result<Program, Stopped> {
    let mut program = program.clone();
    let registers = program.layout.registers();
    for _ in 0..ROUNDS {
        let rows = rows(&program, &Edges::successors(&program), analyses, 0, budget)?;
        let needed = |place: Label, register: Register| rows[place as usize * registers + usize::from(register)] > 0;
        let mut changed = false;
        for place in program.places() {
            let live_sets = |sets: &Sets, next: Label| live(sets, |register| needed(next, register), registers);
            match &mut program.steps[place as usize] {
                Instruction::Set { sets, next } => {
                    let Some(kept) = live_sets(sets, *next) else { continue };
                    let next = *next;
                    program.steps[place as usize] =
                        if kept.is_empty() { Instruction::Jump(next) } else { Instruction::Set { sets: kept, next } };
                }
                Instruction::Chance { outcomes } => {
                    let mut any = false;
                    for outcome in outcomes {
                        if let Some(kept) = live_sets(&outcome.sets, outcome.next) {
                            outcome.sets = kept;
                            any = true;
                        }
                    }
                    if !any {
                        continue;
                    }
                }
                _ => continue,
            }
            changed = true;
        }
        let same = canonical(&program, budget)?;
        for place in program.places() {
            let to = match &program.steps[place as usize] {
                Instruction::Branch { yes, no, .. } if same[*yes as usize] == same[*no as usize] => Some(*yes),
                Instruction::Ask(question) => {
                    let first =
                        question.answers.iter().find(|answer| answer.test == Test::ALWAYS && answer.each.is_none());
                    let leads = |next: Label| same.get(next as usize).copied();
                    first.map(|first| first.next).filter(|to| {
                        leads(*to).is_some()
                            && question.answers.iter().all(|answer| {
                                answer.sets.is_empty() && answer.each.is_none() && leads(answer.next) == leads(*to)
                            })
                    })
                }
                _ => None,
            };
            if let Some(to) = to {
                program.steps[place as usize] = Instruction::Jump(to);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // A fight is described only where the player or chance still moves.
    let Program { steps, notes, .. } = &mut program;
    notes.foes.retain(|place, _| matches!(steps[*place as usize], Instruction::Ask(_) | Instruction::Chance { .. }));
    Ok(program)
}

/// The assignments without those to dead registers; `None` if none is dead.
fn live(sets: &Sets, needed: impl Fn(Register) -> bool, registers: usize) -> Option<Sets> {
    // Backwards: a register that a kept assignment reads is live.
    let mut read = vec![false; registers];
    let mut kept = Vec::with_capacity(sets.len());
    let mut done = vec![false; registers];
    for (register, value) in sets.iter().rev() {
        let own = usize::from(*register);
        if read[own] || needed(*register) && !done[own] {
            value.reads(&mut |register| read[usize::from(register)] = true);
            kept.push((*register, value.clone()));
            if !value.depends_on(*register) {
                read[own] = false;
            }
            done[own] = true;
        }
    }
    (kept.len() < sets.len()).then(|| {
        kept.reverse();
        kept.into()
    })
}
