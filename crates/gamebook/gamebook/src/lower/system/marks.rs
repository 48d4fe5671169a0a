//! Marks where the parts of a book begin, for checks of what is possible.

use std::ops::Range;

use super::lowering::{Env, Lowered, Lowering, register_of};
use super::marked::{Mark, Marked, Part, Waiting};
use crate::book::{Node, Number, System, VariableKind, is_loss};
use crate::lower::error::CompileError;
use crate::program::{Instruction, Label, Layout, Register};

impl<'a> Lowering<'a> {
    /// Whether the program is for all heroes and readings.
    pub(super) fn looks_at_all(&self) -> bool {
        self.marks.is_some()
    }

    /// Whether the parts of a node are marked: it belongs to the book, not to its system's file.
    pub(super) fn marks_parts_of(&self, node: &Node) -> bool {
        self.marks.is_some() && !node.span.is_empty()
    }

    /// A separate place for a part that begins at `place`.
    pub(super) fn marked(
        &mut self,
        part: Part,
        span: &Range<usize>,
        place: Label,
        parts: &mut Vec<Waiting>,
    ) -> Lowered {
        let own = self.push(Instruction::Jump(place))?;
        parts.push((part, span.clone(), own));
        Ok(own)
    }

    /// A separate place for a node with these parts.
    pub(super) fn whole(&mut self, place: Label, parts: Vec<Waiting>) -> Lowered {
        if parts.is_empty() {
            return Ok(place);
        }
        let around = self.push(Instruction::Jump(place))?;
        if let Some(marks) = &mut self.marks {
            marks.parts.extend(parts.into_iter().map(|(part, span, place)| Mark { part, span, place, around }));
        }
        Ok(around)
    }

    /// One of the author's questions.
    pub(super) fn question(&mut self, place: Label, span: &Range<usize>) {
        let asks = matches!(self.steps[place as usize], Instruction::Ask(_) | Instruction::Stuck);
        if let Some(marks) = self.marks.as_mut().filter(|_| asks) {
            marks.questions.push((place, span.clone()));
        }
    }

    /// A separate place for a change written as a loss.
    pub(super) fn loss(&mut self, number: &Number, span: &Range<usize>, env: &Env<'a>, place: Label) -> Lowered {
        if !is_loss(number) {
            return Ok(place);
        }
        let (own, value) = (self.push(Instruction::Jump(place))?, self.value(number, env)?);
        if let Some(marks) = &mut self.marks {
            marks.losses.push((own, value, span.clone()));
        }
        Ok(own)
    }

    /// The register of a reading.
    pub(super) fn reading(&mut self, reading: usize) -> Result<Option<Register>, CompileError> {
        let Some(marks) = &self.marks else { return Ok(None) };
        if let Some(register) = marks.readings[reading] {
            return Ok(Some(register));
        }
        let register = self.register(format!("reading {}", reading + 1), 0, self.reading_values[reading])?;
        if let Some(marks) = &mut self.marks {
            marks.readings[reading] = Some(register);
        }
        Ok(Some(register))
    }

    /// The program with its marks, for play that begins at `start`.
    pub(super) fn finish_marked(mut self, system: &System, start: Label) -> Result<Marked, CompileError> {
        let marks = self.marks.take();
        let mut ranges: Vec<(i32, i32)> = self.registers.iter().map(|(_, least, most)| (*least, *most)).collect();
        for (own, variable) in system.variables.iter().enumerate() {
            ranges[usize::from(register_of(own))] = match variable.kind {
                // The hero's own stats.
                VariableKind::Stat
                | VariableKind::Initial
                | VariableKind::Item
                | VariableKind::Skill
                | VariableKind::SkillIn
                | VariableKind::Circle => (variable.least.max(i32::from(variable.vital)), variable.most),
                VariableKind::Counter | VariableKind::Flag | VariableKind::Elsewhere => {
                    (variable.start, variable.start)
                }
            };
        }
        if ranges.is_empty() {
            ranges.push((0, 0));
        }
        let layout = Layout::new(self.take_registers())?;
        let program = self.program(layout, start);
        let (marks, questions, losses) =
            marks.map_or_else(Default::default, |marks| (marks.parts, marks.questions, marks.losses));
        Ok(Marked { program, marks, questions, losses, ranges })
    }
}
