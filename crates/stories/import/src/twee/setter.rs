//! What variables are set to: `$x to 3, $y += 1`.

use crate::story::{Dialect, Expression, Operation, Step, expression};

const SUGAR_CUBE: Dialect = Dialect::SugarCube;

/// `$x to 3, $y += 1`
pub(super) fn sets(arguments: &str, line: usize) -> Vec<Step> {
    let parts = arguments.split([';', '\n']).flat_map(split_sets);
    let set = |part: String| {
        set(&part, line).unwrap_or_else(|what| Step::Todo { line, what: format!("{what}<<set {}>>", part.trim()) })
    };
    parts.filter(|own| !own.trim().is_empty()).map(set).collect()
}

/// Parts between commas before variables.
fn split_sets(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split(',') {
        let begins = part.trim_start().starts_with('$') && (part.contains(" to ") || part.contains('='));
        match found.last_mut() {
            Some(last) if !begins => {
                last.push(',');
                last.push_str(part);
            }
            _ => found.push(part.into()),
        }
    }
    found
}

fn set(part: &str, line: usize) -> Result<Step, String> {
    for (sign, operation) in [("+=", Operation::Plus), ("-=", Operation::Minus), ("*=", Operation::Times)] {
        if let Some((name, value)) = part.split_once(sign) {
            let Ok(Expression::Variable(name)) = expression(name, SUGAR_CUBE, None) else { return Err(String::new()) };
            let value = expression(value, SUGAR_CUBE, None).map_err(|what| what + ": ")?;
            let now = Expression::Variable(name.clone());
            return Ok(Step::Set(line, name, Expression::operation(operation, now, value)));
        }
    }
    let (name, value) = part.split_once(" to ").or_else(|| part.split_once('=')).ok_or_else(String::new)?;
    let Ok(Expression::Variable(name)) = expression(name, SUGAR_CUBE, None) else { return Err(String::new()) };
    let value = expression(value, SUGAR_CUBE, None).map_err(|what| what + ": ")?;
    Ok(Step::Set(line, name, value))
}
