//! Where a text speaks of sections: for editors, whose texts may be wrong elsewhere.

use std::ops::Range;

use budget::{Budget, Stopped};
use kdl::KdlNode;

use crate::syntax::{arguments, children, entry_span, name_span, parse_kdl};

/// A place of a text that names a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionLink {
    /// The number or the name of the section.
    pub name: String,
    /// Where that stands.
    pub span: Range<usize>,
    /// All of the section, up to what follows it, where this is its head.
    pub section: Option<Range<usize>>,
}

/// Nodes whose arguments are sections.
const NAMING: [&str; 5] = ["section", "goto", "start", "goal", "stub"];

/// Every place of a book's text that names a section, in the order of the text. Lines that cannot be read are left out.
///
/// ```
/// let text = "start 1\nsection 1 { choice \"on\" { goto 2; }; }\nsection 2 { victory; }";
/// let links = gamebook::section_links(text, &budget::Budget::unlimited())?;
/// let told: Vec<(&str, bool)> = links.iter().map(|link| (&text[link.span.clone()], link.section.is_some())).collect();
/// assert_eq!(told, [("1", false), ("1", true), ("2", false), ("2", true)]);
/// # Ok::<(), budget::Stopped>(())
/// ```
///
/// # Errors
/// When the budget says stop.
pub fn section_links(text: &str, budget: &Budget<'_>) -> Result<Vec<SectionLink>, Stopped> {
    let parsed = parse_kdl(text, budget)?;
    let mut found = Vec::new();
    within(&parsed.nodes, &mut found);
    // A section goes on to where the next node of the head begins.
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
