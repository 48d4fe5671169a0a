//! A hero of a system of rules in arguments.

use super::arguments::ArgumentError;
use crate::book::System;

fn error<T>(message: String, help: impl Into<String>) -> Result<T, ArgumentError> {
    Err(ArgumentError::new(message, help))
}

/// The values of `skill=12,provisions=3`: variables of the book's system. A stat sets its initial value, too, unless that is
/// given.
///
/// # Errors
/// An unknown name, or an impossible number.
///
/// ```
/// let text = r#"
///     book "Fork" format=1 system="fighting-fantasy"
///     start 1
///     section 1 { fight "Orc" skill=5 stamina=4; victory; }
/// "#;
/// let (book, _) = gamebook::read(text)?;
/// let system = book.system.as_ref().unwrap();
/// let values = gamebook::read_values(system, "skill=12,stamina=20,stamina.initial=24")?;
/// assert_eq!(values.len(), 4);
/// assert!(gamebook::read_values(system, "skil=12").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_values(system: &System, text: &str) -> Result<Vec<(usize, i32)>, ArgumentError> {
    let mut values: Vec<(usize, i32)> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, number) = match part.split_once('=') {
            Some((name, number)) => (name.trim(), Some(number.trim())),
            None => (part, None),
        };
        let Some(place) = system.own_variables().find(|(_, own)| own.name == name).map(|(place, _)| place) else {
            let known = system.own_variables().map(|(_, own)| own.name.as_str());
            return Err(ArgumentError::unknown(format!("a hero of this book has no `{name}`"), name, known));
        };
        let own = &system.variables[place];
        let number = match number {
            Some(number) => number.parse::<i32>().ok(),
            None if own.kind.is_yes_or_no() => Some(1),
            None => return error(format!("`{name}` without a number"), format!("write {name}={}", own.start)),
        };
        let Some(number) = number.filter(|number| (own.least.max(i32::from(own.vital))..=own.most).contains(number))
        else {
            let least = own.least.max(i32::from(own.vital));
            return error(format!("`{part}`: this cannot be"), format!("`{name}` is {least} to {}", own.most));
        };
        if values.iter().any(|(other, _)| *other == place) {
            return error(format!("`{name}` occurs twice"), "keep one");
        }
        values.push((place, number));
    }
    for (place, number) in values.clone() {
        let own = &system.variables[place];
        let Some(initial) = own.initial else { continue };
        match values.iter().find(|(other, _)| *other == initial) {
            None => {
                let number = system.setting_out(place, number, &values);
                values.retain(|(other, _)| *other != place);
                values.extend([(place, number), (initial, number)]);
            }
            Some((_, most)) if *most < number => {
                return error(format!("`{}` of {number} is more than its initial {most}", own.name), "let it be less");
            }
            Some(_) => {}
        }
    }
    for container in 0..system.containers.len() {
        let held = system.variables.iter().enumerate().filter(|(_, own)| own.container == Some(container));
        let count = |(place, own): (usize, &crate::book::Variable)| {
            let count = values.iter().find(|(other, _)| *other == place).map_or(own.start, |(_, number)| *number);
            count.saturating_mul(own.traits.places())
        };
        let (held, own) = (held.map(count).fold(0, i32::saturating_add), &system.containers[container]);
        if held > own.holds {
            return error(format!("{held} things in the {}", own.name), format!("it holds {}", own.holds));
        }
    }
    let is_known = |skill: &usize| {
        values.iter().find(|(other, _)| other == skill).map_or(system.variables[*skill].start, |(_, number)| *number)
            > 0
    };
    let known = system.skills().filter(is_known).count();
    if let Some(most) = system.learns.filter(|most| known > *most) {
        return error(format!("{known} skills are known"), format!("a hero of this book learns {most}: say NAME=0"));
    }
    Ok(values)
}
