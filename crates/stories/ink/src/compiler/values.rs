//! From expressions to operations on values.

use serde_json::{Value, json};

use super::containers::ContainerId;
use super::emit::{Emitter, error};
use super::names::Target;
use super::parser::DEEPEST;
use super::syntax::{Expression, Position, Variable};
use crate::source::SourceError;

/// Functions of ink, their names in compiled stories, and how many arguments they take.
const FUNCTIONS: [(&str, &str, usize); 21] = [
    ("CHOICE_COUNT", "choiceCnt", 0),
    ("TURNS", "turn", 0),
    ("TURNS_SINCE", "turns", 1),
    ("READ_COUNT", "readc", 1),
    ("RANDOM", "rnd", 2),
    ("SEED_RANDOM", "srnd", 1),
    ("LIST_RANGE", "range", 3),
    ("LIST_RANDOM", "lrnd", 1),
    ("LIST_MIN", "LIST_MIN", 1),
    ("LIST_MAX", "LIST_MAX", 1),
    ("LIST_ALL", "LIST_ALL", 1),
    ("LIST_COUNT", "LIST_COUNT", 1),
    ("LIST_VALUE", "LIST_VALUE", 1),
    ("LIST_INVERT", "LIST_INVERT", 1),
    ("MIN", "MIN", 2),
    ("MAX", "MAX", 2),
    ("POW", "POW", 2),
    ("FLOOR", "FLOOR", 1),
    ("CEILING", "CEILING", 1),
    ("INT", "INT", 1),
    ("FLOAT", "FLOAT", 1),
];

impl Emitter<'_> {
    /// The value of an expression, within an evaluation.
    pub(super) fn expression(&mut self, expression: &Expression, to: ContainerId) -> Result<(), SourceError> {
        match expression {
            Expression::Whole(number) => self.containers.push(to, *number),
            Expression::Real(number) => self.containers.push(to, *number),
            Expression::Truth(truth) => self.containers.push(to, *truth),
            Expression::Text(nodes) => {
                self.containers.push(to, "str");
                if nodes.is_empty() {
                    self.containers.push(to, "^");
                }
                self.nodes(nodes, to)?;
                self.containers.push(to, "/str");
            }
            Expression::Name { path, position } => self.named(path, position, to)?,
            Expression::Place(divert) => {
                let name = divert.target.join(".");
                match self.target(&divert.target, &divert.position)? {
                    Some(found) => self.containers.push_path(to, "^->", self.container(found), &Value::Null),
                    None => {
                        let message = format!("{name} is a variable: as a value it is written without the arrow");
                        return error(&divert.position, message);
                    }
                }
            }
            Expression::List { items, position } => {
                let mut list = serde_json::Map::new();
                for name in items {
                    let Some((of, value)) = self.names.item(name) else {
                        return error(position, format!("{name} is no item of a list"));
                    };
                    let item = name.split_once('.').map_or(&name[..], |(_, item)| item);
                    list.insert(format!("{of}.{item}"), value.into());
                }
                self.containers.push(to, json!({"list": list}));
            }
            Expression::Call { name, arguments, position } => self.call(name, arguments, position, to)?,
            Expression::Unary(name, inner) => {
                self.expression(inner, to)?;
                self.containers.push(to, *name);
            }
            Expression::Binary(name, left, right) => {
                self.expression(left, to)?;
                self.expression(right, to)?;
                self.containers.push(to, *name);
            }
            Expression::Step { name, by, up, position } => {
                self.containers.push(to, json!({"VAR?": name}));
                match by {
                    Some(by) => self.expression(by, to)?,
                    None => self.containers.push(to, 1),
                }
                self.containers.push(to, if *up { "+" } else { "-" });
                let operation = self.assignment(name, position)?;
                self.containers.push(to, operation);
            }
        }
        Ok(())
    }

    /// A constant, an item of a list, how often a place was visited, or a variable.
    fn named(&mut self, path: &[String], position: &Position, to: ContainerId) -> Result<(), SourceError> {
        let name = path.join(".");
        if let Some(value) = self.declarations.constants.get(&name) {
            if self.constants == DEEPEST {
                return error(position, format!("the constant {name} is made of itself"));
            }
            self.constants += 1;
            self.expression(value, to)?;
            self.constants -= 1;
            return Ok(());
        }
        let is_variable = || path.len() == 1 && self.names.variable(self.flow_here(), &name).is_some();
        if self.names.item(&name).is_none() {
            if let Some(found) = self.names.place(path, &self.scopes) {
                let found = self.container(found);
                self.containers.push_path(to, "CNT?", found, &Value::Null);
                return Ok(());
            }
            if !is_variable() {
                return error(position, format!("{name} is the name of nothing"));
            }
        }
        self.containers.push(to, json!({"VAR?": name}));
        Ok(())
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        position: &Position,
        to: ContainerId,
    ) -> Result<(), SourceError> {
        if let Some((_, command, count)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) {
            if arguments.len() != *count {
                return error(position, format!("{name} takes {count} arguments, not {}", arguments.len()));
            }
            arguments.iter().try_for_each(|argument| self.expression(argument, to))?;
            self.containers.push(to, *command);
            return Ok(());
        }
        let mut lists = self.declarations.variables.iter().filter(|(_, own)| matches!(own, Variable::List(_)));
        if lists.any(|(list, _)| list == name) {
            match arguments {
                [] => self.containers.push(to, json!({"list": {}, "origins": [name]})),
                [number] => {
                    self.containers.push(to, format!("^{name}"));
                    self.expression(number, to)?;
                    self.containers.push(to, "listInt");
                }
                _ => return error(position, format!("{name} is a list: it takes one number or nothing")),
            }
            return Ok(());
        }
        if self.declarations.externals.contains_key(name) {
            arguments.iter().try_for_each(|argument| self.expression(argument, to))?;
            self.containers.push(to, json!({"x()": name, "exArgs": arguments.len()}));
            return Ok(());
        }
        let target = [name.to_owned()];
        let found = self.target(&target, position)?;
        self.arguments(name, arguments, found, position, to)?;
        match found {
            Some(found) => self.containers.push_path(to, "f()", self.container(found), &Value::Null),
            None => self.containers.push(to, json!({"f()": name, "var": true})),
        }
        Ok(())
    }

    /// The arguments of a call or divert, as many as its target takes; those by reference as variables.
    pub(super) fn arguments(
        &mut self,
        name: &str,
        arguments: &[Expression],
        target: Option<Target>,
        position: &Position,
        to: ContainerId,
    ) -> Result<(), SourceError> {
        let parameters = self.names.parameters(target);
        if target.is_some() && parameters.len() != arguments.len() {
            let message = format!("{name} takes {} arguments, not {}", parameters.len(), arguments.len());
            return error(position, message);
        }
        for (place, argument) in arguments.iter().enumerate() {
            if parameters.get(place).is_some_and(|parameter| parameter.by_reference) {
                let Expression::Name { path, .. } = argument else {
                    return error(position, format!("{name} takes a variable by reference, no other value"));
                };
                self.containers.push(to, json!({"^var": path.join("."), "ci": -1}));
            } else {
                self.expression(argument, to)?;
            }
        }
        Ok(())
    }
}
