//! From ink text to the compiled story.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use bladeink_compiler::{Compiler, CompilerError, CompilerOptions};

use crate::lines::{
    align_gathers, begins_weave, braces_after, end_lists, is_declaration, split_brace, with_conditions,
    without_comments,
};
use crate::quiet::quietly;
use crate::ranks::bracketed;
use crate::spelled::{
    as_compiled, has_logic_within, split_gather, split_logic, split_more_tags, split_tags, split_tunnels, with_space,
};

/// The most open brackets, and bullets or characters of one line: the compiler recurses for each.
const DEEPEST: usize = 200;
const LONGEST_LINE: usize = 20_000;
/// The stack of the compiler in bytes; used only as far as it recurses.
const STACK: usize = 256 << 20;
/// The limit on compilation time.
const LONGEST: Duration = Duration::from_mins(1);
/// The most files that may be included.
const MOST_FILES: usize = 1_000;
/// The prefix of an error for a file that is still to be read.
const WANTED: &str = "wanted: ";

/// Why a text is not a story that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The file, as named by the caller or by an `INCLUDE`.
    pub file: String,
    /// The line in that file, from 1, if it is known. Lines of a file that includes others are counted from the last
    /// `INCLUDE`, as the compiler counts them.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl SourceError {
    pub(crate) fn new(file: &str, line: Option<usize>, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, message } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {message}"),
            None => write!(f, "{file}: {message}"),
        }
    }
}

impl std::error::Error for SourceError {}

/// Compiles ink text to compiled JSON. `include` is called for each file that an `INCLUDE` names, with the path as
/// written, joined to that of the including file: no file is read otherwise.
pub(crate) fn compile(
    text: &str,
    file: &str,
    mut include: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, SourceError> {
    let main = as_the_compiler_reads(text, file)?;
    let mut files: BTreeMap<String, Compiled> = BTreeMap::new();
    loop {
        let texts = files.iter().map(|(name, own)| (name.clone(), own.text.clone())).collect();
        match compile_within_limits(&main.text, file, texts)? {
            Ok(json) => return Ok(json),
            Err(error) => {
                let Some(name) = error.message().strip_prefix(WANTED).map(str::to_owned) else {
                    return Err(source_error(&error, file, |name| files.get(name).unwrap_or(&main)));
                };
                if files.len() == MOST_FILES {
                    return Err(SourceError::new(file, None, format!("it includes more than {MOST_FILES} files")));
                }
                let text = included(&name, &mut include)
                    .map_err(|why| SourceError::new(file, None, format!("INCLUDE {name} cannot be read: {why}")))?;
                let text = as_the_compiler_reads(&text, &name)?;
                files.insert(name, text);
            }
        }
    }
}

/// The text of an included file. The compiler joins its name to that of the including file; in ink it is relative to the
/// folder of the story.
fn included(name: &str, include: &mut impl FnMut(&str) -> Result<String, String>) -> Result<String, String> {
    let own = include(name);
    let mut shorter = name;
    while let (Err(_), Some((_, rest))) = (&own, shorter.split_once('/')) {
        if let Ok(text) = include(rest) {
            return Ok(text);
        }
        shorter = rest;
    }
    own
}

/// Compiles on a thread with a large stack, which is abandoned when it takes too long.
fn compile_within_limits(
    text: &str,
    file: &str,
    files: BTreeMap<String, String>,
) -> Result<Result<String, CompilerError>, SourceError> {
    let (text, name) = (text.to_owned(), file.to_owned());
    let (send, receive) = channel();
    let work = move || {
        let options = CompilerOptions { count_all_visits: true, source_filename: Some(name) };
        let wanted = |file: &str| {
            files.get(file).cloned().ok_or_else(|| CompilerError::invalid_source(format!("{WANTED}{file}")))
        };
        let compiled = quietly(|| Compiler::with_options(options).compile_with_file_handler(&text, wanted));
        // The receiver is gone if it took too long.
        send.send(compiled).ok();
    };
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| SourceError::new(file, None, format!("no thread to compile it: {error}")))?;
    match receive.recv_timeout(LONGEST) {
        Ok(Ok(compiled)) => Ok(compiled),
        Ok(Err(panic)) => Err(SourceError::new(file, None, format!("the ink compiler fails on it: {panic}"))),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            Err(SourceError::new(file, None, format!("the ink compiler needs more than {LONGEST:?}")))
        }
    }
}

/// A text for the compiler.
struct Compiled {
    text: String,
    /// The lines of the author's text, from 1, that were split, once for each additional line.
    split: Vec<usize>,
}

impl Compiled {
    /// Adds a line of the author's, or an additional one if `more` is set.
    fn add(&mut self, number: usize, line: &str, more: bool) {
        self.split.extend(more.then_some(number));
        match split_tunnels(line) {
            Some(lines) => {
                self.split.extend(lines.iter().skip(1).map(|_| number));
                self.text.push_str(&lines.join("\n"));
            }
            None => self.text.push_str(line),
        }
        self.text.push('\n');
    }

    /// The author's line for a line of the compiler.
    fn line(&self, line: usize) -> usize {
        let before = self.split.iter().enumerate().take_while(|(place, own)| **own + place < line).count();
        (line - before).max(1)
    }
}

/// The text in the spelling that the compiler reads, with brackets where precedences differ. Refuses text that makes
/// the compiler recurse too deeply.
fn as_the_compiler_reads(text: &str, file: &str) -> Result<Compiled, SourceError> {
    // Editors on Windows begin a file with this sign; the compiler would miss a header after it.
    let text = without_comments(text.trim_start_matches('\u{feff}'));
    let lists = text.lines().any(|line| line.trim_start().starts_with("LIST "));
    let mut reader = LineReader { file, lists, depth: 0, braces: 0 };
    let mut compiled = Compiled { text: String::with_capacity(text.len()), split: Vec::new() };
    let mut lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
    end_lists(&mut lines);
    align_gathers(&mut lines);
    with_conditions(&mut lines);
    let first_bullet = lines.iter().position(|line| begins_weave(line)).unwrap_or(usize::MAX);
    let is_late = |number: usize, line: &str| number > first_bullet && is_declaration(line);
    // The compiler refuses declarations within choices.
    for (number, line) in lines.iter().enumerate().filter(|(number, line)| is_late(*number, line)) {
        compiled.split.push(0);
        reader.line(number, line, &mut compiled)?;
    }
    for (number, line) in lines.iter().enumerate() {
        let line = if is_late(number, line) { "" } else { line };
        reader.line(number, line, &mut compiled)?;
    }
    Ok(compiled)
}

/// Reads the lines of a text for the compiler.
struct LineReader<'f> {
    file: &'f str,
    /// Whether operands may be lists.
    lists: bool,
    /// Open brackets of all kinds, and braces, since the last knot began.
    depth: usize,
    braces: usize,
}

impl LineReader<'_> {
    fn line(&mut self, number: usize, line: &str, compiled: &mut Compiled) -> Result<(), SourceError> {
        let error = |message: String| Err(SourceError::new(self.file, Some(number + 1), message));
        if line.len() > LONGEST_LINE {
            return error(format!("a line of more than {LONGEST_LINE} bytes"));
        }
        let in_braces = self.braces > 0;
        let line = if in_braces { with_space(line) } else { Cow::Borrowed(line) };
        let spelled = as_compiled(&line);
        if has_logic_within(&spelled) {
            return error("logic within braces needs a line of its own".into());
        }
        let (before, logic) = split_logic(&spelled, in_braces);
        let parts = Some(before)
            .filter(|_| !in_braces)
            .and_then(split_gather)
            .or_else(|| split_tags(before))
            .or_else(|| split_brace(before).map(|(text, brace)| vec![text, brace.to_owned()]))
            .unwrap_or_else(|| vec![before.to_owned()]);
        let parts: Vec<String> =
            parts.into_iter().flat_map(|part| split_more_tags(&part).unwrap_or_else(|| vec![part])).collect();
        for (place, part) in parts.iter().map(String::as_str).chain(logic).enumerate() {
            match bracketed(part, self.lists) {
                Ok(line) => compiled.add(number + 1, &line, place > 0),
                Err((first, second)) => {
                    return error(format!(
                        "`{first}` before `{second}`: the compiler ranks them otherwise than ink, write brackets"
                    ));
                }
            }
        }
        self.braces = braces_after(self.braces, &line);
        let bullets = line.chars().take_while(|sign| " \t*+-".contains(*sign)).filter(|sign| *sign > ' ').count();
        for sign in line.chars() {
            match sign {
                '{' | '(' | '[' => self.depth += 1,
                '}' | ')' | ']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if self.depth > DEEPEST {
                return error(format!("more than {DEEPEST} brackets are open"));
            }
        }
        if bullets > DEEPEST {
            return error(format!("more than {DEEPEST} bullets"));
        }
        if line.starts_with("==") {
            (self.depth, self.braces) = (0, 0);
        }
        Ok(())
    }
}

fn source_error<'c>(error: &CompilerError, main: &str, compiled: impl Fn(&str) -> &'c Compiled) -> SourceError {
    let (CompilerError::InvalidSource { message, file, line }
    | CompilerError::UnsupportedFeature { message, file, line }) = error;
    let file = file.as_deref().unwrap_or(main);
    SourceError::new(file, line.map(|line| compiled(file).line(line)), message)
}
