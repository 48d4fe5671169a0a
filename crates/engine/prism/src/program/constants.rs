//! The values of constants.

use hashbrown::HashMap;

use super::names::{Names, Renaming, not_fixed, twice};
use crate::error::{At, Error, Source};
use crate::language::{ConstantSyntax, ConstantType, Expr, Value, parse_expression};

/// Assigns every constant its value: that of the caller, or that of the text.
pub fn constants(constants: &[ConstantSyntax], given: &[(&str, &str)], names: &mut Names) -> Result<(), Error> {
    let mut open: HashMap<&str, &ConstantSyntax> = HashMap::new();
    for constant in constants {
        if names.formulas.contains_key(&constant.name.text) || open.insert(&constant.name.text, constant).is_some() {
            return Err(twice(&constant.name));
        }
    }
    let mut values: HashMap<&str, Expr> = HashMap::new();
    for (place, (name, text)) in given.iter().enumerate() {
        // The name comes first in what was given, and then `=`.
        let at = At { line: 1, column: 1, source: Source::Constant(place, 0) };
        let Some(constant) = open.get(name) else {
            let known: Vec<&str> = constants.iter().map(|constant| constant.name.text.as_str()).collect();
            let problem = format!("the model has no constant `{name}`");
            let known = if known.is_empty() { "it has none".into() } else { format!("it has: {}", known.join(", ")) };
            return Err(Error::new(at, problem, known));
        };
        if constant.value.is_some() {
            let problem = format!("line {} of the model fixes the constant `{name}`", constant.name.at.line);
            return Err(Error::new(at, problem, "leave it out, or take its value out of the model"));
        }
        let value = u32::try_from(name.chars().count() + 1).expect("the model has a constant of this name");
        let value = parse_expression(text, Source::Constant(place, value))?;
        if values.insert(*name, value).is_some() {
            return Err(Error::new(at, format!("the constant `{name}` is given twice"), "one value"));
        }
    }
    for constant in constants {
        if let Some(value) = &constant.value {
            values.entry(&constant.name.text).or_insert_with(|| value.clone());
        }
    }
    // A constant may come before those on which it depends: each round resolves at least one more.
    let mut left: Vec<&ConstantSyntax> = constants.iter().collect();
    while !left.is_empty() {
        let before = left.len();
        let mut first_error = None;
        let mut still = Vec::new();
        for constant in left {
            let name = constant.name.text.as_str();
            let Some(value) = values.get(name) else {
                let problem = format!("the constant `{name}` has no value");
                return Err(Error::new(constant.name.at, problem, format!("give it one: {name}=...")));
            };
            match names.resolve(value, &Renaming::new()) {
                Ok(resolved) => {
                    let value = constant_value(constant, &resolved)?;
                    names.constants.insert(name.to_string(), value);
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                    still.push(constant);
                }
            }
        }
        if still.len() == before {
            return Err(first_error.unwrap_or_else(|| Error::whole("constants without values", "one value each")));
        }
        left = still;
    }
    Ok(())
}

fn constant_value(constant: &ConstantSyntax, resolved: &Expr) -> Result<Value, Error> {
    if resolved.as_constant().is_none() {
        return Err(not_fixed(resolved));
    }
    match constant.kind {
        ConstantType::Int => resolved.int(&[]).map(Value::Int),
        ConstantType::Double => resolved.number(&[]).map(Value::Real),
        ConstantType::Bool => resolved.truth(&[]).map(Value::Bool),
    }
}
