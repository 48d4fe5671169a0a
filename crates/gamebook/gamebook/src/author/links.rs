//! Places of a text that name sections: for editors, whose texts may contain errors elsewhere.

use std::ops::Range;

use budget::{Budget, Stopped};
use kdl::KdlNode;

use crate::syntax::{arguments, children, entry_span, name_span, parse_kdl};

/// A place that names a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionLink {
    /// The number or name of the section.
    pub name: String,
    /// The span of that name.
    pub span: Range<usize>,
    /// The span of the whole section, if this is its head.
    pub section: Option<Range<usize>>,
}

/// Nodes with sections as arguments.
const NAMING: [&str; 5] = ["section", "goto", "start", "goal", "stub"];

/// Every place of a book's text that names a section, in order. Lines that cannot be parsed are skipped.
///
/// ```
/// let text = "start 1\nsection 1 { choice \"on\" { goto 2; }; }\nsection 2 { victory; }";
/// let links = gamebook::section_links(text, &budget::Budget::unlimited())?;
/// let found: Vec<(&str, bool)> = links.iter().map(|link| (&text[link.span.clone()], link.section.is_some())).collect();
/// assert_eq!(found, [("1", false), ("1", true), ("2", false), ("2", true)]);
/// # Ok::<(), budget::Stopped>(())
/// ```
///
/// # Errors
/// If the budget is exhausted.
pub fn section_links(text: &str, budget: &Budget<'_>) -> Result<Vec<SectionLink>, Stopped> {
    let parsed = parse_kdl(text, budget)?;
    let mut found = Vec::new();
    within(&parsed.nodes, &mut found);
    // A section ends where the next node of the top level begins.
    let mut begins: Vec<usize> = parsed.nodes.iter().map(|node| name_span(node).start).collect();
    begins.sort_unstable();
    for node in parsed.nodes.iter().filter(|node| node.name().value() == "section") {
        let begin = name_span(node).start;
        let end = begins.get(begins.partition_point(|other| *other <= begin)).copied().unwrap_or(text.len());
        let Some(name) = arguments(node).next().map(entry_span) else { continue };
        found.iter_mut().filter(|link| link.span == name).for_each(|link| link.section = Some(begin..end));
    }
    found.sort_by_key(|link: &SectionLink| link.span.start);
    Ok(found)
}

fn within(nodes: &[KdlNode], found: &mut Vec<SectionLink>) {
    for node in nodes {
        if NAMING.contains(&node.name().value()) {
            for entry in arguments(node) {
                let name = entry.value().as_string().map_or_else(|| entry.value().to_string(), str::to_string);
                found.push(SectionLink { name, span: entry_span(entry), section: None });
            }
        }
        within(children(node), found);
    }
}
