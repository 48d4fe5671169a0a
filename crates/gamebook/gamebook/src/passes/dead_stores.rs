//! Steps that do nothing that matters.
//!
//! What is put into a register that can no longer matter is left out, and a question or a test whose ways lead to the
//! same becomes none: so what it asked for matters no more, either. The steps keep their places, and whoever wants to
//! know what a hero has in the end follows the program as it was.

use budget::{Budget, Stopped};

use super::analyses::Analyses;
use super::liveness::rows;
use super::minimize::canonical;
use crate::program::{Edges, Instruction, Place, Program, Reads, Test};

/// So often it is looked again; books need two or three.
const ROUNDS: usize = 6;

/// A program without what does nothing that matters.
pub(crate) fn without_idle(program: &Program, analyses: Analyses, budget: &Budget<'_>) -> Result<Program, Stopped> {
    let mut program = program.clone();
    let registers = program.layout.registers();
    for _ in 0..ROUNDS {
        let rows = rows(&program, &Edges::successors(&program), analyses, 0, budget)?;
        let needed = |place: Place, register: u8| rows[place as usize * registers + usize::from(register)] > 0;
        let mut changed = false;
        for place in program.places() {
            if let Instruction::Set { sets, next } = &program.steps[place as usize] {
                // From the last to the first: what is read by one that is kept is needed.
                let mut read = vec![false; registers];
                let mut kept = Vec::with_capacity(sets.len());
                let mut done = vec![false; registers];
                for (register, value) in sets.iter().rev() {
                    let own = usize::from(*register);
                    if read[own] || needed(*next, *register) && !done[own] {
                        value.reads(&mut |register| read[usize::from(register)] = true);
                        kept.push((*register, value.clone()));
                        if !value.depends_on(*register) {
                            read[own] = false;
                        }
                        done[own] = true;
                    }
                }
                if kept.len() < sets.len() {
                    kept.reverse();
                    changed = true;
                    let next = *next;
                    program.steps[place as usize] = if kept.is_empty() {
                        Instruction::Jump(next)
                    } else {
                        Instruction::Set { sets: kept.into(), next }
                    };
                }
            }
        }
        let same = canonical(&program, budget)?;
        for place in program.places() {
            let to = match &program.steps[place as usize] {
                Instruction::Branch { yes, no, .. } if same[*yes as usize] == same[*no as usize] => Some(*yes),
                Instruction::Ask(question) => {
                    let first =
                        question.answers.iter().find(|answer| answer.test == Test::ALWAYS && answer.each.is_none());
                    let leads = |next: Place| same.get(next as usize).copied();
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
    // Where nobody is asked any more nobody is told of a fight.
    let Program { steps, notes, .. } = &mut program;
    notes.foes.retain(|place, _| matches!(steps[*place as usize], Instruction::Ask(_) | Instruction::Chance { .. }));
    Ok(program)
}
