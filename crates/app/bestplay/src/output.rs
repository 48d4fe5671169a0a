//! What every command shares: its way out to the terminal, and how it fails.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::Path;

use budget::{Limits, Reason, Stopped};
use clap::ValueEnum;
use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::shown::{Escapes, Shown, shown};
use crate::signal::Signal;

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON object with `"format": 1`
    Json,
}

/// Why a command did not give its answer; decides the exit code.
#[derive(Debug)]
pub enum Failure {
    /// The arguments or a file are wrong: exit code 2.
    BadInput(Box<Diagnostic>),
    /// The input is right but the run did not succeed (a limit, the disk): exit code 1.
    Failed(Box<Diagnostic>),
    /// What was written already says all; this is the exit code.
    Told(u8),
    /// Ctrl-C or the signal to terminate: exit code 130 or 143, as shells expect.
    Interrupted(Signal),
}

impl Failure {
    /// Bad input that has no place in a file: `message` says what is wrong, `help` what would be right.
    pub fn bad_input(message: impl Display, help: impl Display) -> Self {
        Self::BadInput(Diagnostic::error(message, help).into())
    }

    /// A run that failed: `message` says how far it came, `help` what can be done.
    pub fn failed(message: impl Display, help: impl Display) -> Self {
        Self::Failed(Diagnostic::error(message, help).into())
    }

    /// The same failure; what was finished before it is not lost.
    pub fn keeping(self, directory: &Path) -> Self {
        let kept = format!("what is finished is kept in `{}`: the same command goes on there", directory.display());
        match self {
            Self::Failed(report) => {
                let help = report.help().map(|help| format!("{help}; ")).unwrap_or_default();
                Self::failed(report, help + &kept)
            }
            Self::Interrupted(signal) => {
                note(&format!("{}; {kept}", signal.name()));
                Self::Told(signal.exit_code())
            }
            other => other,
        }
    }

    /// The same failure; what was found out before it is told too.
    pub fn knowing(self, known: &str) -> Self {
        match self {
            Self::Failed(report) => {
                let help = report.help().unwrap_or_default().to_string();
                Self::failed(format_args!("{report}; known by then: {known}"), help)
            }
            Self::Interrupted(signal) => {
                note(&format!("{}; known by then: {known}", signal.name()));
                Self::Told(signal.exit_code())
            }
            other => other,
        }
    }

    /// The same failure of a run, with more that helps.
    pub fn helping(self, more: &str) -> Self {
        match self {
            Self::Failed(report) => {
                let help = report.help().map(|help| format!("{help}\n")).unwrap_or_default();
                Self::failed(&report, help + more)
            }
            other => other,
        }
    }

    /// The process's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::BadInput(_) => 2,
            Self::Failed(_) => 1,
            Self::Told(code) => *code,
            Self::Interrupted(signal) => signal.exit_code(),
        }
    }
}

/// A run that stopped before its end.
impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        match stopped.reason {
            Reason::Interrupted => Self::Interrupted(Signal::came().unwrap_or(Signal::Interrupt)),
            Reason::States { limit } if limit >= Limits::default().max_states => {
                Self::failed(stopped, "no more of them can be numbered: ask about less")
            }
            Reason::States { .. } => Self::failed(stopped, "raise --max-states, or ask about less"),
            Reason::Memory { .. } => {
                Self::failed(stopped, "raise --max-memory if the machine has more, or ask about less")
            }
            Reason::Time { .. } => Self::failed(stopped, "raise --max-time, or ask about less"),
        }
    }
}

/// Says something on standard error beside the answer.
pub fn note(text: &str) {
    tell(text, Escapes::Text);
}

/// Says something on standard error.
pub fn tell(text: &str, escapes: Escapes) {
    // Where standard error is closed there is nobody to tell; the exit code says it too.
    let _ = writeln!(io::stderr(), "{}", shown(text, escapes));
}

/// Writes an answer for people to standard output. A reader that has seen enough (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_with(Escapes::Text, |out| write_line(out, text))
}

/// Writes a text, and ends its last line.
fn write_line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
}

/// Writes an answer to standard output piece by piece, for answers that may be too long to hold.
pub fn print_with(escapes: Escapes, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = Shown::new(BufWriter::new(io::stdout().lock()), escapes);
    printed(write(&mut out).and_then(|()| out.flush()))
}

fn printed(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => match Stopped::behind(&error) {
            Some(stopped) => Err(stopped.into()),
            None => Err(unprinted(&error)),
        },
        _ => Ok(()),
    }
}

/// Refuses to go on where there is no standard output for the answer.
pub fn has_standard_output() -> Result<(), Failure> {
    if standard_output::was_closed() {
        return Err(Failure::failed(
            "cannot write to standard output: it is closed",
            "leave it open, or send it to a file or to /dev/null",
        ));
    }
    Ok(())
}

/// The failure of standard output.
pub fn unprinted(error: &io::Error) -> Failure {
    Failure::failed(format_args!("cannot write to standard output: {error}"), "is the disk full?")
}

/// Writes an answer as JSON. `answer` carries its own `format` field.
pub fn print_json<T: Serialize>(answer: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(answer).map_err(|error| {
        Failure::failed(format_args!("cannot write the answer as JSON: {error}"), "please report this")
    })?;
    print_with(Escapes::Json, |out| write_line(out, &text))
}

/// Whether a path stands for standard output, or input.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What a file that is read is called in messages.
pub fn name_of(path: &Path) -> String {
    if is_standard(path) { "standard input".into() } else { path.display().to_string() }
}

/// The file that is to be written in place of standard output, if one is: `-` is none.
pub fn in_place(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| !is_standard(path))
}

/// Refuses `-`, and no name, for what is read and written again and again.
pub fn is_kept(path: &Path) -> Result<(), Failure> {
    if is_standard(path) || path.as_os_str().is_empty() {
        return Err(Failure::bad_input(
            "what is kept cannot be kept in standard output",
            "name a file or folder for it",
        ));
    }
    Ok(())
}

/// Writes a file that an argument asked for, whole or not at all; `-` is standard output.
pub fn write_file(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if is_standard(path) {
        return print_with(Escapes::Text, contents);
    }
    write_whole(path, contents)
}

fn write_whole(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    whole_file::write(path, contents).map_err(|error| match Stopped::behind(&error) {
        Some(stopped) => stopped.into(),
        None => unwritten(path, &error),
    })
}

/// The failure of writing a file.
pub fn unwritten(path: &Path, error: &dyn Display) -> Failure {
    let right = "name a file in a folder that exists and has room; what was there before is as it was";
    Failure::failed(format_args!("cannot write {}: {error}", path.display()), right)
}

/// The longest file that [`read_bytes`] accepts, in bytes.
const LONGEST_TEXT: u64 = 64 << 20;

/// Reads a file; `-` is standard input.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if is_standard(path) {
        if io::stdin().is_terminal() {
            note("reading from the terminal; end with Ctrl-D");
        }
        io::stdin().lock().take(LONGEST_TEXT + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(LONGEST_TEXT + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| {
        Failure::bad_input(
            format_args!("cannot read {}: {error}", path.display()),
            "name a file that exists, or - for standard input",
        )
    })?;
    if bytes.len() as u64 > LONGEST_TEXT {
        return Err(Failure::bad_input(
            format_args!("{} is longer than {} MiB", path.display(), LONGEST_TEXT >> 20),
            "is it the right file?",
        ));
    }
    Ok(bytes)
}

/// Reads a file as text; `-` is standard input.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        Failure::bad_input(
            format_args!("{} is not UTF-8 text (byte {})", path.display(), error.utf8_error().valid_up_to()),
            "save it as UTF-8",
        )
    })
}
