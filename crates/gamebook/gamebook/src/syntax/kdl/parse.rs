//! From text to KDL. Where a part is no KDL, the rest is read all the same.

use std::ops::Range;

use budget::{Budget, Progress, Stage, Stopped};
use kdl::{KdlDocument, KdlNode};

use super::chunks::{parcels, side_by_side};
use super::elide::Short;
use super::entries::shown_name;
use super::limits::{DEEPEST, LONGEST, LONGEST_PIECE};
use super::newline::{begins_with_newline, is_newline, kdl_lines};
use super::segment::{Pieces, outer_braces, parts, pieces};
use crate::syntax::problem::{MOST_PROBLEMS, Problem, ProblemList};
use crate::terms::SectionNumber;

/// How often a piece is read again without the lines that are no KDL.
const ROUNDS: usize = 6;

/// So much the parser gets at once, in bytes.
const LONGEST_READ: usize = 32 << 10;

/// The most of a book that is neither text nor comment: words, and bytes.
const MOST_WORDS: usize = 500_000;

const LONGEST_CODE: usize = 4 << 20;

/// After so many mistakes that the parser finds (one sign too many can be thousands) the rest is not read: in a text that
/// is read in parcels, of each its share.
const MOST_FAULTS: usize = 50_000;

/// What the parser says where it does not know what it expected.
const SAYS_NOTHING: &str = "Expected end of document";

/// The longest number, in digits.
const LONGEST_NUMBER: usize = 18;

/// More `/-` of a piece cannot stand before a comment or another `/-`.
const MOST_DOUBLE: usize = 8;

/// What is KDL in a text.
#[derive(Default)]
pub(crate) struct Parsed {
    pub(crate) nodes: Vec<KdlNode>,
    /// What is wrong with its syntax.
    pub(crate) problems: ProblemList,
    pub(crate) missing: Missing,
}

/// What could not be read: what it would have declared is not missed elsewhere.
#[derive(Default)]
pub(crate) struct Missing {
    /// Pieces of the text in which something was left out.
    pieces: Vec<Range<usize>>,
    /// Something may be missing at the head of the book.
    pub(crate) head: bool,
    /// Sections that stand there, even if they could not be read.
    sections: Vec<String>,
    /// Any other section may be missing, too.
    any_section: bool,
}

impl Parsed {
    /// What was read of what follows.
    fn append(&mut self, mut next: Self) {
        self.nodes.append(&mut next.nodes);
        self.problems.append(next.problems);
        self.missing.pieces.append(&mut next.missing.pieces);
        self.missing.sections.append(&mut next.missing.sections);
        self.missing.head |= next.missing.head;
        self.missing.any_section |= next.missing.any_section;
    }
}

impl Missing {
    /// Anything may be missing.
    fn is_everywhere(&mut self) {
        self.head = true;
        self.any_section = true;
    }

    fn piece(&mut self, text: &str, piece: Range<usize>) {
        let own = &text[piece.clone()];
        match own.trim_start().strip_prefix("section ") {
            Some(rest) => {
                let number = rest.trim_start();
                let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
                self.sections.push(number[..end].into());
                self.any_section |= rest.contains("section ");
            }
            None => {
                self.head = true;
                self.any_section |= own.contains("section");
            }
        }
        self.pieces.push(piece);
    }

    /// Whether something is missing around a place.
    pub(crate) fn around(&self, at: usize) -> bool {
        self.pieces.iter().any(|piece| piece.contains(&at))
    }

    /// Whether anything is missing.
    pub(crate) fn is_any(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Whether a section that was not read may stand in the text.
    pub(crate) fn section(&self, number: SectionNumber) -> bool {
        self.any_section || self.sections.iter().any(|section| section.parse() == Ok(number))
    }
}

/// Reads a text as KDL. Lines that are none are left out.
pub(crate) fn parse_kdl(text: &str, budget: &Budget<'_>) -> Result<Parsed, Stopped> {
    let mut problems = ProblemList::default();
    if text.len() > LONGEST {
        problems.push(
            Problem::error(0..0, format!("a book of {} bytes", text.len()))
                .help(format!("up to {LONGEST} bytes are read")),
        );
        return Ok(Parsed { problems, ..Parsed::default() });
    }
    let cut = pieces(text);
    for (found, most, what) in [(cut.words, MOST_WORDS, "words"), (cut.code, LONGEST_CODE, "bytes")] {
        if found > most {
            let message = format!("a book of {found} {what} outside of texts and comments");
            problems.push(Problem::error(0..0, message).help(format!("up to {most} are read")));
            return Ok(Parsed { problems, ..Parsed::default() });
        }
    }
    let parcels = parcels(&cut.parts);
    let Some(read) =
        side_by_side(&parcels, |own| Parser::new(text, &cut, MOST_FAULTS / parcels.len()).pieces(own, budget))
    else {
        problems.push(Problem::error(0..0, "this book could not be read").help("is there enough memory?"));
        return Ok(Parsed { problems, ..Parsed::default() });
    };
    let mut parsed = Parsed::default();
    for own in read {
        parsed.append(own?);
    }
    if let Some(at) = cut.never_closed {
        let problem = Problem::error(at..at + 1, "what is opened here is never closed");
        parsed.problems.push(problem.help("a comment ends with `*/`, a text of several lines with three quotes"));
        parsed.missing.is_everywhere();
    }
    Ok(parsed)
}

/// Says how much of a text is read, and asks whether to go on.
pub(crate) fn report_reading(budget: &Budget<'_>, read: usize, length: usize) -> Result<(), Stopped> {
    let (done, waiting) = (read as u64, length.saturating_sub(read) as u64);
    budget.advance(Progress { stage: Stage::Reading, done, waiting, memory: budget.progress().memory })
}

/// A text that is read piece by piece.
struct Parser<'t> {
    text: &'t str,
    cut: &'t Pieces,
    problems: ProblemList,
    /// How many of them left nothing out.
    harmless: usize,
    /// How many mistakes the parser has found.
    faults: usize,
    /// After so many the rest is not read.
    most_faults: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, cut: &'t Pieces, most_faults: usize) -> Self {
        Self { text, cut, problems: ProblemList::default(), harmless: 0, faults: 0, most_faults }
    }

    fn pieces(mut self, pieces: &[Range<usize>], budget: &Budget<'_>) -> Result<Parsed, Stopped> {
        let mut parsed = Parsed::default();
        for piece in pieces {
            if self.is_full() {
                break;
            }
            let before = self.problems.len() - self.harmless;
            if piece.len() > LONGEST_PIECE {
                let message = format!("one piece of {} bytes", piece.len());
                self.problems.push(Problem::error(piece.start..piece.start + 1, message).help(format!(
                    "a section, or another node of a book's head, has up to {LONGEST_PIECE}: is a brace missing?"
                )));
            } else {
                parsed.nodes.extend(self.part(piece.clone(), 0, budget)?);
            }
            if self.problems.len() - self.harmless > before {
                parsed.missing.piece(self.text, piece.clone());
            }
        }
        if self.faults > self.most_faults {
            let at = pieces.last().map_or(0, |last| last.end);
            let problem = Problem::error(at..at, "there is more wrong than is looked at");
            self.problems.push(problem.help("mend what is told first"));
            parsed.missing.is_everywhere();
        }
        parsed.problems = self.problems;
        Ok(parsed)
    }

    /// Whether so much is wrong that the rest is not read.
    fn is_full(&self) -> bool {
        self.problems.is_full() || self.faults > self.most_faults
    }

    /// Reads nodes that stand in so many braces, in several goes where they are long.
    fn part(&mut self, part: Range<usize>, depth: usize, budget: &Budget<'_>) -> Result<Vec<KdlNode>, Stopped> {
        report_reading(budget, part.start, self.text.len())?;
        let short = Short::new(self.text, part.clone(), self.cut, 0..0);
        if short.text.len() <= LONGEST_READ {
            return Ok(self.short(&short, part, depth));
        }
        let mut nodes = Vec::new();
        let parts = parts(self.text, part.clone(), LONGEST_READ);
        if parts.len() > 1 {
            for part in parts {
                if !self.is_full() {
                    nodes.extend(self.part(part, depth, budget)?);
                }
            }
            return Ok(nodes);
        }
        // One node: what is in its braces is read by itself.
        let braces = outer_braces(self.text, part.clone()).filter(|_| depth < DEEPEST);
        let inner = braces.map(|own| own.start + 1..own.end - 1);
        let outside = inner.clone().map(|inner| Short::new(self.text, part.clone(), self.cut, inner));
        let (Some(inner), Some(outside)) = (inner, outside.filter(|own| own.text.len() <= LONGEST_READ)) else {
            let message = format!("one node of {} bytes", short.text.len());
            let help = format!("texts and braces aside a node has up to {LONGEST_READ}: is a quote or brace missing?");
            self.problems.push(Problem::error(part.start..part.start + 1, message).help(help));
            return Ok(nodes);
        };
        nodes = self.short(&outside, part, depth);
        if let [only] = &mut nodes[..]
            && let Some(children) = only.children_mut()
        {
            *children.nodes_mut() = self.part(inner, depth + 1, budget)?;
        }
        Ok(nodes)
    }

    /// Reads nodes that are short enough for the parser.
    fn short(&mut self, short: &Short<'_>, part: Range<usize>, depth: usize) -> Vec<KdlNode> {
        let text = self.text;
        let problems = &mut self.problems;
        let mut rest = short.text.clone();
        let numbers = long_numbers(&rest);
        for number in &numbers {
            let problem = Problem::error(short.span(number.clone()), format!("a number of {} digits", number.len()));
            problems.push(problem.help(format!("numbers have up to {LONGEST_NUMBER} digits")));
        }
        self.harmless += numbers.len();
        if let Some(problem) = too_much(&rest, depth) {
            problems.push(Problem { span: short.span(problem.span.clone()), ..problem });
            return Vec::new();
        }
        rest = filled(rest, numbers, b'0');
        // A name cannot begin with a number; what they are is read from the text itself.
        let dice = dice(&rest);
        rest = filled(rest, dice, b'd');
        // The rest is read as if the `;` were there.
        let first = self.cut.joined.partition_point(|at| *at < part.start);
        let joined = self.cut.joined[first..].iter().copied().take_while(|at| *at < part.end);
        let joined: Vec<usize> = joined.filter(|at| short.place(short.at(*at)) == *at).collect();
        let has_room = |at: &usize| text[..*at].ends_with([' ', '\t']) && !text[*at..].starts_with('{');
        let can_go_on = joined.iter().all(has_room);
        for at in &joined {
            problems.push(after_a_brace(text, *at));
        }
        if !can_go_on {
            return Vec::new();
        }
        rest = filled(rest, joined.iter().map(|at| short.at(*at) - 1..short.at(*at)).collect(), b';');
        for _ in 0..ROUNDS {
            let error = match KdlDocument::parse_v2(&rest) {
                Ok(mut document) => {
                    let mut nodes = std::mem::take(document.nodes_mut());
                    for node in &mut nodes {
                        self.settle(node, short);
                    }
                    return nodes;
                }
                Err(error) => error,
            };
            // What is wrong on a line that can be left out; the rest may only follow from it.
            self.faults += error.diagnostics.len();
            let mut lines: Vec<Range<usize>> = Vec::new();
            let mut others = Vec::new();
            let says_nothing = |diagnostic: &&kdl::KdlDiagnostic| diagnostic.message.as_deref() == Some(SAYS_NOTHING);
            let (vague, clear): (Vec<_>, Vec<_>) = error.diagnostics.iter().take(MOST_PROBLEMS).partition(says_nothing);
            for diagnostic in clear.into_iter().chain(vague) {
                let at = diagnostic.span.offset().min(rest.len());
                let end = (at + diagnostic.span.len()).min(rest.len());
                let span = short.span(at..end);
                let problem = slip(&rest, at, span.clone()).unwrap_or_else(|| problem(diagnostic, span));
                match line_alone(&rest, at) {
                    Some(line) if !lines.contains(&line) => {
                        lines.push(line);
                        problems.push(problem);
                    }
                    Some(_) => {}
                    None => others.push(problem),
                }
            }
            if lines.is_empty() {
                if others.is_empty() {
                    others.push(Problem::error(part, "this is no KDL").help("see docs/book-language.md"));
                }
                for problem in others {
                    problems.push(problem);
                }
                return Vec::new();
            }
            if problems.is_full() || self.faults > self.most_faults {
                break;
            }
            rest = filled(rest, lines, b' ');
        }
        Vec::new()
    }

    /// Puts a node to where it stands in the text, and long texts into it.
    fn settle(&mut self, node: &mut KdlNode, short: &Short<'_>) {
        let moved = |offset: usize, length: usize| {
            let span = short.span(offset..offset + length);
            (span.start, span.len())
        };
        let name = node.name().span();
        node.name_mut().set_span(moved(name.offset(), name.len()));
        for entry in node.entries_mut() {
            let span = entry.span();
            if let Some(text) = short.text_ending(span.offset() + span.len()) {
                match text.read(self.text) {
                    Ok(said) => {
                        entry.set_value(said);
                        entry.clear_format();
                    }
                    Err(slip) => {
                        let end = self.text.ceil_char_boundary(slip.at + 1);
                        self.problems.push(Problem::error(slip.at..end, slip.message).help(slip.help));
                        self.harmless += 1;
                    }
                }
            }
            entry.set_span(moved(span.offset(), span.len()));
        }
        if let Some(children) = node.children_mut() {
            children.nodes_mut().iter_mut().for_each(|child| self.settle(child, short));
        }
    }
}

/// The text with one byte written over some of its parts, which are whole characters.
fn filled(text: String, parts: Vec<Range<usize>>, with: u8) -> String {
    let mut bytes = text.into_bytes();
    for part in parts {
        bytes[part].fill(with);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Numbers that are longer than the parser reads. Those in quotes and comments are none.
fn long_numbers(piece: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in kdl_lines(piece) {
        let mut in_quotes = false;
        let mut word = 0;
        for (at, byte) in line.bytes().enumerate() {
            in_quotes ^= byte == b'"' && !(in_quotes && is_escaped(line, at));
            if !in_quotes && line.as_bytes()[..=at].ends_with(b"//") {
                break;
            }
            if !in_quotes && (byte.is_ascii_alphanumeric() || byte == b'_') {
                word += 1;
                continue;
            }
            let begin = at - word;
            if word > LONGEST_NUMBER && line.as_bytes()[begin].is_ascii_digit() {
                found.push(start + begin..start + at);
            }
            word = 0;
        }
        start += line.len();
    }
    found
}

/// Whether a backslash takes the meaning from what stands here.
fn is_escaped(line: &str, at: usize) -> bool {
    line.as_bytes()[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// Dice without quotes, such as 2d6.
fn dice(piece: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in kdl_lines(piece) {
        let mut in_quotes = false;
        let bytes = line.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            in_quotes ^= bytes[at] == b'"' && !(in_quotes && is_escaped(line, at));
            if !in_quotes && bytes[at..].starts_with(b"//") {
                break;
            }
            let begins = at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'=' | b';' | b'{');
            let length = if in_quotes || !begins { 0 } else { dice_length(&bytes[at..]) };
            if length > 0 {
                found.push(start + at..start + at + length);
            }
            at += length.max(1);
        }
        start += line.len();
    }
    found
}

/// How long the dice are with which a text begins; 0 where it does not.
fn dice_length(text: &[u8]) -> usize {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let count = digits(0);
    if count == 0 || count > 3 || text.get(count) != Some(&b'd') {
        return 0;
    }
    let sides = digits(count + 1);
    let mut end = count + 1 + sides;
    if sides > 0 && matches!(text.get(end), Some(b'+' | b'-')) {
        let more = digits(end + 1);
        end += if more > 0 { 1 + more } else { 0 };
    }
    let ends = text.get(end).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b';' | b'}' | b'{'))
        || begins_with_newline(&text[end..]);
    if sides > 0 && ends { end } else { 0 }
}

/// Something follows a `}` on its line.
fn after_a_brace(text: &str, at: usize) -> Problem {
    let rest = &text[at..];
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';')).unwrap_or(rest.len());
    let word = shown_name(&rest[..end]);
    let help = if word.is_empty() {
        "a node has one pair of braces".into()
    } else {
        format!("a node ends with its line: write `; {word}`, or begin a new line")
    };
    Problem::error(at..at + end.max(1), "a `;` or a new line is missing after the `}` before this").help(help)
}

/// What people write who know other languages, around a place that is no KDL.
fn slip(text: &str, at: usize, span: Range<usize>) -> Option<Problem> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let begin = text[..at]
        .rfind(|own| is_newline(own) || matches!(own, ';' | '{'))
        .map_or(0, |end| text.ceil_char_boundary(end + 1));
    let end =
        text[at..].find(|own| is_newline(own) || matches!(own, ';' | '{' | '}')).map_or(text.len(), |end| at + end);
    let said = text[begin..end].trim();
    let error = |message: &str, help: String| Some(Problem::error(span.clone(), message).help(help));
    if let Some((name, value)) = said.split_once('=')
        && !name.trim_end().contains([' ', '"'])
    {
        let (name, value) = (shown_name(name.trim_end()), shown_name(value.trim()));
        return error("nothing is set by `=`", format!("write `set {name} {value}`"));
    }
    let unquoted = said.split('"').step_by(2);
    for part in unquoted {
        if part.contains(',') {
            return error("a comma means nothing here", "leave it out: spaces stand between arguments".into());
        }
        for word in ["true", "false"] {
            if part.split([' ', '=']).any(|own| own == word) {
                return error("yes and no are written with a `#`", format!("write #{word}"));
            }
        }
    }
    None
}

fn problem(diagnostic: &kdl::KdlDiagnostic, span: Range<usize>) -> Problem {
    let message = diagnostic.message.clone().filter(|message| message != SAYS_NOTHING);
    let message = message.unwrap_or_else(|| "this is no KDL".into());
    let help = diagnostic.help.clone().unwrap_or_else(|| {
        if message.contains('}') {
            "every `{` needs its `}`".into()
        } else {
            "values are numbers, names, \"text\", #true and #false".into()
        }
    });
    Problem::error(span, message).help(help)
}

/// The line around a place, when it opens and closes as many braces: then it can be left out.
fn line_alone(text: &str, at: usize) -> Option<Range<usize>> {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind(is_newline).map_or(0, |end| text.ceil_char_boundary(end + 1));
    let end = text[at..].find(is_newline).map_or(text.len(), |end| at + end);
    let line = &text[start..end];
    let braces = line.matches('{').count() == line.matches('}').count();
    let comments = line.contains("/*") || line.contains("*/") || line.contains("\"\"\"");
    (braces && !comments && !line.trim().is_empty()).then_some(start..end)
}

/// What would take the parser too far: it goes down into braces by recursion, and tries what is commented out by
/// `/-` more than once, each time with all that is in it. The piece stands in so many braces.
fn too_much(piece: &str, depth: usize) -> Option<Problem> {
    let bytes = piece.as_bytes();
    let mut braces: Vec<bool> = Vec::new();
    let (mut commented, mut double) = (false, 0);
    for (at, byte) in bytes.iter().enumerate() {
        let problem = |message: &str| Problem::error(at..at + 1, message);
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'-') => {
                commented = true;
                let next = bytes[at + 2..].iter().find(|byte| !byte.is_ascii_whitespace() && **byte != b'\\');
                double += usize::from(next == Some(&b'/'));
                if double > MOST_DOUBLE {
                    return Some(
                        problem("`/-` before comments or other `/-`").help("write what is commented out after it"),
                    );
                }
            }
            _ if commented && begins_with_newline(&bytes[at..]) => {
                // `/-` at the end of a line, or before a comment, goes on on the next.
                let line = piece[..at].rsplit_once("/-").map_or("", |(_, rest)| rest.trim_start());
                commented = line.is_empty() || line.starts_with(['/', '\\']);
            }
            b'{' => {
                if commented && braces.contains(&true) {
                    let problem = problem("`/-` within what is commented out already");
                    return Some(problem.help("leave out the inner `/-`"));
                }
                braces.push(std::mem::take(&mut commented));
                if depth + braces.len() > DEEPEST {
                    return Some(problem("nested too deeply").help(format!("{DEEPEST} levels of braces are read")));
                }
            }
            b'}' => {
                braces.pop();
                commented = false;
            }
            _ => {}
        }
    }
    let comments = bytes.windows(2).fold((0usize, 0usize), |(depth, most), pair| match pair {
        b"/*" => (depth + 1, most.max(depth + 1)),
        b"*/" => (depth.saturating_sub(1), most),
        _ => (depth, most),
    });
    (comments.1 > DEEPEST)
        .then(|| Problem::error(0..1, "comments nested too deeply").help(format!("{DEEPEST} levels are read")))
}
