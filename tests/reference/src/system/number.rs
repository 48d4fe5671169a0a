//! What numbers are.

use gamebook::{Number, NumberTable};

use super::rules::Rules;
use super::task::State;
use crate::expression::compute;

impl<'b> Rules<'b> {
    /// What a number is.
    pub fn number(&self, state: &State<'b>, number: &Number) -> i64 {
        let variables = &self.system.variables;
        match number {
            Number::Constant(number) => i64::from(*number),
            Number::Variable(variable) => state.variable(*variable),
            Number::Local(local) => state.name(*local),
            Number::Operation(operator, left, right) => {
                compute(*operator, self.number(state, left), self.number(state, right))
            }
            Number::If(condition, yes, no) => self.number(state, if self.holds(state, condition) { yes } else { no }),
            Number::Value(value) => self.number(state, &self.system.values[*value].1),
            Number::Table(table, row, column) => {
                let (row, column) = (self.number(state, row), self.number(state, column));
                looked_up(&self.system.tables[*table], row, column)
            }
            Number::Disciplines => self.system.skills().map(|own| state.variables[own]).sum(),
            Number::Carried(stat) => {
                let carried = variables.iter().zip(&state.variables).filter(|(_, count)| **count > 0);
                carried.map(|(own, _)| i64::from(own.traits.stat(*stat))).sum()
            }
            Number::Wielded(stat) => {
                let unarmed = self.system.item_stats[*stat].unarmed;
                state.wielded.map_or(unarmed, |item| variables[item].traits.stat(*stat)).into()
            }
            Number::SkilledWith(skill) => i64::from(state.wielded.is_some_and(|item| {
                let known = self.system.skills_in.iter().filter(|own| own.skill == *skill);
                let mut counting = known.filter(|own| {
                    own.item == item || variables[item].traits.counts_as.contains(&variables[own.item].name)
                });
                state.variables[*skill] > 0 && counting.any(|own| state.variables[own.known] > 0)
            })),
            Number::AtHand(stat) => state.item.map_or(0, |item| variables[item].traits.stat(*stat)).into(),
            Number::InContainer(container) => {
                let held = variables.iter().zip(&state.variables).filter(|(own, _)| own.container == Some(*container));
                held.map(|(_, count)| count).sum()
            }
            Number::Room(container) => self.room(state, *container),
            // The other numbers are those of Lone Wolf.
            _ => 0,
        }
    }

    /// How many places of a container are free.
    pub fn room(&self, state: &State<'b>, container: usize) -> i64 {
        let own = &self.system.containers[container];
        let there = own.itself.map_or(1, |itself| state.variables[itself]);
        let held = self.system.variables.iter().zip(&state.variables);
        let held = held.filter(|(own, _)| own.container == Some(container));
        let taken: i64 = held.map(|(own, count)| i64::from(own.traits.places()) * count).sum();
        there * i64::from(own.holds) - taken
    }
}

/// What stands in a table: the last row and column that begin at the numbers or before them, else the first.
fn looked_up(table: &NumberTable, row: i64, column: i64) -> i64 {
    let last = |begins: &[i32], number: i64| begins.iter().rposition(|own| i64::from(*own) <= number).unwrap_or(0);
    let place = last(&table.rows, row) * table.columns.len() + last(&table.columns, column);
    table.cells[place].into()
}
