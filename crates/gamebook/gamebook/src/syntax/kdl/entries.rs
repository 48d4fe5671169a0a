//! Arguments and properties of KDL nodes, with errors and suggestions.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use kdl::{KdlEntry, KdlNode};

use crate::syntax::problem::{Problem, ProblemList, did_you_mean};

/// The span of a node's name.
pub(crate) fn name_span(node: &KdlNode) -> Range<usize> {
    let span = node.name().span();
    span.offset()..span.offset() + span.len()
}

/// The span of an entry.
pub(crate) fn entry_span(entry: &KdlEntry) -> Range<usize> {
    let span = entry.span();
    span.offset()..span.offset() + span.len()
}

/// The children of a node; empty without braces.
pub(crate) fn children(node: &KdlNode) -> &[KdlNode] {
    node.children().map_or(&[], |document| document.nodes())
}

/// The arguments of a node, without its properties.
pub(crate) fn arguments(node: &KdlNode) -> impl Iterator<Item = &KdlEntry> {
    node.entries().iter().filter(|entry| entry.name().is_none())
}

/// A property of a node; the last one of duplicates.
pub(crate) fn property<'n>(node: &'n KdlNode, name: &str) -> Option<&'n KdlEntry> {
    node.entries().iter().rev().find(|entry| entry.name().is_some_and(|own| own.value() == name))
}

/// The names of the properties of a node.
pub(crate) fn property_names(node: &KdlNode) -> Vec<&str> {
    node.entries().iter().filter_map(|entry| Some(entry.name()?.value())).collect()
}

/// Checks the number of arguments, the names of properties, and whether children are allowed. `usage` is a sample.
pub(crate) fn check_shape(
    problems: &mut ProblemList,
    node: &KdlNode,
    count: RangeInclusive<usize>,
    properties: &[&str],
    may_have_children: bool,
    usage: &str,
) -> bool {
    let before = problems.len();
    let given = arguments(node).count();
    let name = shown_name(node.name().value());
    if !count.contains(&given) {
        let wants = match (*count.start(), *count.end()) {
            (0, 0) => "no argument".to_string(),
            (1, 1) => "one argument".to_string(),
            (least, usize::MAX) => format!("at least {least}"),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        problems.push(
            Problem::error(name_span(node), format!("`{name}` wants {wants}, not {given}"))
                .help(format!("write {usage}")),
        );
    }
    if let Some(own) = node.ty() {
        problems.push(no_type(name_span(node), own.value()));
    }
    let mut seen = BTreeSet::new();
    for entry in node.entries() {
        if problems.is_full() {
            break;
        }
        if let Some(own) = entry.ty() {
            problems.push(no_type(entry_span(entry), own.value()));
        }
        let Some(own) = entry.name() else { continue };
        if !properties.contains(&own.value()) {
            let help =
                did_you_mean(own.value(), properties.iter().copied()).unwrap_or_else(|| format!("write {usage}"));
            problems.push(
                Problem::error(entry_span(entry), format!("`{name}` has no property `{}`", shown_name(own.value())))
                    .help(help),
            );
        }
        if !seen.insert(own.value()) {
            problems.push(
                Problem::error(entry_span(entry), format!("the property `{}` occurs twice", shown_name(own.value())))
                    .help("keep one"),
            );
        }
    }
    if !may_have_children && node.children().is_some() {
        problems.push(
            Problem::error(name_span(node), format!("`{name}` has nothing in braces")).help(format!("write {usage}")),
        );
    }
    problems.len() == before
}

/// Types in KDL have no meaning here.
fn no_type(span: Range<usize>, name: &str) -> Problem {
    Problem::error(span, format!("`({})` means nothing", shown_name(name))).help("leave it out")
}

/// A whole number within a range.
pub(crate) fn integer<T: TryFrom<i64>>(
    problems: &mut ProblemList,
    entry: &KdlEntry,
    range: RangeInclusive<i64>,
    what: &str,
) -> Option<T> {
    let number = entry.value().as_integer().and_then(|number| i64::try_from(number).ok());
    match number.filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok()) {
        Some(number) => Some(number),
        None => {
            problems.push(
                Problem::error(entry_span(entry), format!("{what} is a whole number here, not `{}`", shown(entry)))
                    .help(format!("{} to {} are possible", range.start(), range.end())),
            );
            None
        }
    }
}

/// A name or text.
pub(crate) fn string<'n>(problems: &mut ProblemList, entry: &'n KdlEntry, what: &str) -> Option<&'n str> {
    let text = entry.value().as_string();
    if text.is_none() {
        problems.push(
            Problem::error(entry_span(entry), format!("{what} is a name or text, not `{}`", shown(entry)))
                .help("write letters, or text in quotes"),
        );
    }
    text
}

/// `#true` or `#false`; false by default.
pub(crate) fn flag(problems: &mut ProblemList, node: &KdlNode, name: &str) -> bool {
    flag_or(problems, node, name, false)
}

/// The same with another default.
pub(crate) fn flag_or(problems: &mut ProblemList, node: &KdlNode, name: &str, default: bool) -> bool {
    let Some(entry) = property(node, name) else { return default };
    entry.value().as_bool().unwrap_or_else(|| {
        problems.push(
            Problem::error(entry_span(entry), format!("`{name}` is yes or no, not `{}`", shown(entry)))
                .help(format!("write {name}=#true or {name}=#false")),
        );
        default
    })
}

/// An integer property within a range.
pub(crate) fn integer_property<T: TryFrom<i64>>(
    problems: &mut ProblemList,
    node: &KdlNode,
    name: &str,
    range: RangeInclusive<i64>,
) -> Option<T> {
    let entry = property(node, name)?;
    integer(problems, entry, range, &format!("`{name}`"))
}

/// The text of an entry, shortened.
pub(crate) fn shown(entry: &KdlEntry) -> String {
    shown_name(&entry.value().to_string())
}

/// A name, shortened.
pub(crate) fn shown_name(text: &str) -> String {
    if text.chars().nth(40).is_some() { text.chars().take(40).chain(['…']).collect() } else { text.into() }
}
