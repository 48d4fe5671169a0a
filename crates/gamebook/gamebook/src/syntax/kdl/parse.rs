//! From text to KDL, skipping invalid parts.

use std::ops::Range;

use budget::{Budget, Progress, Stage, Stopped};
use kdl::{KdlDocument, KdlNode};

use super::chunks::{parcels, side_by_side};
use super::elide::Elided;
use super::faults::{SAYS_NOTHING, after_a_brace, line_alone, problem, slip};
use super::limits::{DEEPEST, LONGEST, LONGEST_PIECE};
use super::parsed::Parsed;
use super::precautions::{LONGEST_NUMBER, dice, filled, long_numbers, too_much};
use super::segment::{Pieces, outer_braces, parts, pieces};
use crate::syntax::problem::{MOST_PROBLEMS, Problem, ProblemList};

/// How often a piece is parsed again without its invalid lines.
const ROUNDS: usize = 6;

/// The most bytes given to the parser at once.
const LONGEST_READ: usize = 32 << 10;

/// The most words and bytes of a book outside of texts and comments.
const MOST_WORDS: usize = 500_000;

const LONGEST_CODE: usize = 4 << 20;

/// After this many errors of the parser (one extra sign can cause thousands) the rest is skipped; each parcel has its share.
const MOST_FAULTS: usize = 50_000;

/// Parses a text as KDL, skipping invalid lines.
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

/// Reports progress and checks the budget.
pub(crate) fn report_reading(budget: &Budget<'_>, read: usize, length: usize) -> Result<(), Stopped> {
    let (done, waiting) = (read as u64, length.saturating_sub(read) as u64);
    budget.advance(Progress { stage: Stage::Reading, done, waiting, memory: budget.progress().memory })
}

/// A parser for a text in pieces.
struct Parser<'t> {
    text: &'t str,
    cut: &'t Pieces,
    problems: ProblemList,
    /// The number of errors that left nothing out.
    harmless: usize,
    /// The number of errors of the parser.
    faults: usize,
    /// The limit on errors.
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
            let problem = Problem::error(at..at, "there are too many errors");
            self.problems.push(problem.help("fix the reported ones first"));
            parsed.missing.is_everywhere();
        }
        parsed.problems = self.problems;
        Ok(parsed)
    }

    /// Whether the limit on errors is reached.
    fn is_full(&self) -> bool {
        self.problems.is_full() || self.faults > self.most_faults
    }

    /// Parses nodes at a depth of braces, in several steps if they are long.
    fn part(&mut self, part: Range<usize>, depth: usize, budget: &Budget<'_>) -> Result<Vec<KdlNode>, Stopped> {
        report_reading(budget, part.start, self.text.len())?;
        let short = Elided::new(self.text, part.clone(), self.cut, 0..0);
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
        // A single node: its children are parsed separately.
        let braces = outer_braces(self.text, part.clone()).filter(|_| depth < DEEPEST);
        let inner = braces.map(|own| own.start + 1..own.end - 1);
        let outside = inner.clone().map(|inner| Elided::new(self.text, part.clone(), self.cut, inner));
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

    /// Parses nodes that are short enough for the parser.
    fn short(&mut self, short: &Elided<'_>, part: Range<usize>, depth: usize) -> Vec<KdlNode> {
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
        // Names cannot begin with a digit; dice are read from the original text.
        let dice = dice(&rest);
        rest = filled(rest, dice, b'd');
        // The rest is parsed as if the `;` were there.
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
                        self.restore(node, short);
                    }
                    return nodes;
                }
                Err(error) => error,
            };
            // The first error on a line that can be skipped; others may be consequences.
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
                    others.push(Problem::error(part, "this is not KDL").help("see docs/book-language.md"));
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

    /// Restores the original positions and long texts of a node.
    fn restore(&mut self, node: &mut KdlNode, short: &Elided<'_>) {
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
                    Ok(content) => {
                        entry.set_value(content);
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
            children.nodes_mut().iter_mut().for_each(|child| self.restore(child, short));
        }
    }
}
