//! Output to and input from the player.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use super::player_input::PlayerInput;
use crate::output::Failure;
use crate::shown::{Escapes, Shown};

/// The longest input, in bytes; the rest of the line is ignored.
const LONGEST_LINE: u64 = 1_000;
/// The longest line of a text, in characters.
const LONGEST_OUTPUT: usize = 96;

/// Why a session stops before the end of the play.
pub(super) enum Stop {
    Output(io::Error),
    Input(io::Error),
    Failed(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The next line of the player; `None` at the end of input.
pub(super) fn listen() -> Result<Option<PlayerInput>, Stop> {
    print("> ")?;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(Stop::Input)?;
    if line.last() != Some(&b'\n') && line.len() as u64 == LONGEST_LINE {
        input.skip_until(b'\n').map_err(Stop::Input)?;
    }
    if line.is_empty() {
        print("\n")?;
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&line);
    if !io::stdin().is_terminal() {
        // As it would look on a terminal.
        let shown: String = line.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        print(&format!("{shown}\n"))?;
    }
    Ok(Some(PlayerInput::new(&line)))
}

pub(super) fn print(text: &str) -> Result<(), Stop> {
    let mut out = Shown::new(io::stdout().lock(), Escapes::Text);
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The text of a section, in lines of comfortable length.
pub(super) fn wrap_text(out: &mut String, text: &str) {
    for paragraph in text.split("\n\n").filter(|own| !own.trim().is_empty()) {
        out.push('\n');
        for line in paragraph.lines() {
            let mut length = 0;
            // Control characters are dropped.
            for word in line.split(|own: char| own.is_whitespace() || own.is_control()).filter(|own| !own.is_empty()) {
                let width = word.chars().count();
                if length > 0 && length + 1 + width > LONGEST_OUTPUT {
                    out.push('\n');
                    length = 0;
                }
                let space = if length > 0 { " " } else { "  " };
                let _ = write!(out, "{space}{word}");
                length += space.len() + width;
            }
            out.push('\n');
        }
    }
}
