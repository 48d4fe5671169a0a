//! A book in our language as it is written: lines with blocks under them.

use std::fmt::Write;

use gamebook::SectionNumber;

/// A line, with a block or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What stands in it, such as `goto 12`.
    pub head: String,
    /// What stands in its braces.
    pub body: Option<Vec<Line>>,
}

impl Line {
    pub fn leaf(head: impl Into<String>) -> Self {
        Self { head: head.into(), body: None }
    }

    pub fn block(head: impl Into<String>, body: Vec<Line>) -> Self {
        Self { head: head.into(), body: Some(body) }
    }

    pub fn goto(section: SectionNumber) -> Self {
        Self::leaf(format!("goto {section}"))
    }

    /// What a person has to look at.
    pub fn todo(what: &str) -> Self {
        Self::leaf(format!("todo {}", quoted(what)))
    }

    /// Writes it with everything that stands in it; what is short stands in one line.
    pub fn write(&self, indent: usize, out: &mut String) {
        const WIDTH: usize = 110;
        let margin = "    ".repeat(indent);
        let flat = self.flat();
        if let Some(flat) = flat.filter(|flat| margin.len() + flat.len() <= WIDTH) {
            let _ = writeln!(out, "{margin}{flat}");
            return;
        }
        match &self.body {
            None => {
                let _ = writeln!(out, "{margin}{}", self.head);
            }
            Some(body) => {
                let _ = writeln!(out, "{margin}{} {{", self.head);
                for line in body {
                    line.write(indent + 1, out);
                }
                let _ = writeln!(out, "{margin}}}");
            }
        }
    }

    /// It in one line, where nothing that stands in it has a block of its own.
    fn flat(&self) -> Option<String> {
        let Some(body) = &self.body else { return Some(self.head.clone()) };
        let stands_alone = |line: &Self| line.body.is_some() || line.head.starts_with("//") || line.head.contains('\n');
        if body.iter().any(stands_alone) || body.len() > 4 {
            return None;
        }
        let mut flat = format!("{} {{", self.head);
        for line in body {
            let _ = write!(flat, " {};", line.head);
        }
        flat.push_str(" }");
        Some(flat)
    }
}

/// Whether no text of the book language holds it as it is: control characters, ends of lines, and signs that turn the
/// direction of writing.
pub(crate) fn is_forbidden(own: char) -> bool {
    own.is_control()
        || matches!(own, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A text as a string of the book language; signs that none can hold become spaces.
///
/// ```
/// assert_eq!(import::quoted("a \"b\"\n"), "\"a \\\"b\\\" \"");
/// ```
pub fn quoted(text: &str) -> String {
    let mut string = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                string.push('\\');
                string.push(c);
            }
            c if is_forbidden(c) => string.push(' '),
            c => string.push(c),
        }
    }
    string.push('"');
    string
}

#[cfg(test)]
mod tests;
