//! Output shared by all commands, and how they fail.

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

/// Why a command gave no answer; determines the exit code.
#[derive(Debug)]
pub enum Failure {
    /// The arguments or a file are wrong: exit code 2.
    BadInput(Box<Diagnostic>),
    /// The input is right but the run did not succeed (a limit, the disk): exit code 1.
    Failed(Box<Diagnostic>),
    /// The output says everything already; this is the exit code.
    Reported(u8),
    /// Ctrl-C or the signal to terminate: exit code 130 or 143, as shells expect.
    Interrupted(Signal),
}

impl Failure {
    /// Bad input without a place in a file: `message` is the error, `help` a suggestion.
    pub fn bad_input(message: impl Display, help: impl Display) -> Self {
        Self::BadInput(Diagnostic::error(message, help).into())
    }

    /// A run that failed: `message` says how far it came, `help` what can be done.
    pub fn failed(message: impl Display, help: impl Display) -> Self {
        Self::Failed(Diagnostic::error(message, help).into())
    }

    /// Adds that finished results are kept.
    pub fn keeping(self, directory: &Path) -> Self {
        let kept = format!("what is finished is kept in `{}`: the same command goes on there", directory.display());
        match self {
            Self::Failed(report) => {
                let help = report.help().map(|help| format!("{help}; ")).unwrap_or_default();
                Self::failed(report, help + &kept)
            }
            Self::Interrupted(signal) => {
                note(&format!("{}; {kept}", signal.name()));
                Self::Reported(signal.exit_code())
            }
            other => other,
        }
    }

    /// Adds what is known already.
    pub fn knowing(self, known: &str) -> Self {
        match self {
            Self::Failed(report) => {
                let help = report.help().unwrap_or_default().to_string();
                Self::failed(format_args!("{report}; known by then: {known}"), help)
            }
            Self::Interrupted(signal) => {
                note(&format!("{}; known by then: {known}", signal.name()));
                Self::Reported(signal.exit_code())
            }
            other => other,
        }
    }

    /// Adds a suggestion to the failure of a run.
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
            Self::Reported(code) => *code,
            Self::Interrupted(signal) => signal.exit_code(),
        }
    }
}

/// A run that was stopped.
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

/// Prints a note on standard error.
pub fn note(text: &str) {
    print_error(text, Escapes::Text);
}

/// Prints a text on standard error.
pub fn print_error(text: &str, escapes: Escapes) {
    // If standard error is closed, the exit code still reports the failure.
    let _ = writeln!(io::stderr(), "{}", shown(text, escapes));
}

/// Prints an answer on standard output. A reader that stops early (`| head`) is not a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_with(Escapes::Text, |out| write_line(out, text))
}

/// Writes a text and ends its last line.
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

/// Fails early if there is no standard output for the answer.
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

/// Prints an answer as JSON. `answer` has its own `format` field.
pub fn print_json<T: Serialize>(answer: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(answer).map_err(|error| {
        Failure::failed(format_args!("cannot write the answer as JSON: {error}"), "please report this")
    })?;
    print_with(Escapes::Json, |out| write_line(out, &text))
}

/// Whether a path stands for standard output or input.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input file in messages.
pub fn name_of(path: &Path) -> String {
    if is_standard(path) { "standard input".into() } else { path.display().to_string() }
}

/// The file to be written instead of standard output; `None` for `-`.
pub fn in_place(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| !is_standard(path))
}

/// Rejects `-` and the empty name for files that are read and written repeatedly.
pub fn is_kept(path: &Path) -> Result<(), Failure> {
    if is_standard(path) || path.as_os_str().is_empty() {
        return Err(Failure::bad_input(
            "what is kept cannot be kept in standard output",
            "name a file or folder for it",
        ));
    }
    Ok(())
}

/// Writes a requested file atomically; `-` is standard output.
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
