//! The map in the language of Graphviz.

use std::fmt::Write;

use super::{Map, colour, percent, thickness};

impl Map<'_> {
    /// The map in the DOT language: `dot -Tsvg map.dot` draws it.
    pub fn dot(&self) -> String {
        let mut out = String::new();
        let mut head = vec![self.book.title.clone()];
        head.extend(self.subtitle.iter().cloned());
        // Writing to a string cannot fail.
        let _ = writeln!(out, "digraph {} {{", quoted(&self.book.title));
        let _ = writeln!(out, "  label={}; labelloc=t; fontname=\"Helvetica\";", quoted(&head.join("\n")));
        out.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", fontname=\"Helvetica\"];\n");
        out.push_str("  edge [color=\"#666666\"];\n");
        for number in self.book.sections.keys() {
            let outline = self.book.outline(*number);
            let visit = self.figures.and_then(|figures| figures.sections.get(number));
            let mut label = self.book.section_text(*number);
            let mut attributes = vec![format!("tooltip={}", quoted(&self.caption(*number, &outline).join("\n")))];
            if let Some(visit) = visit {
                let (fill, white) = colour(visit.win);
                label = format!("{label}\n{}", percent(visit.win));
                attributes.push(format!("fillcolor=\"{fill}\""));
                if white {
                    attributes.push("fontcolor=\"#ffffff\"".into());
                }
                if visit.death > 0.0 {
                    label = format!("{label}\ndeath {}", percent(visit.death));
                }
            }
            if self.figures.is_some() && visit.is_none() {
                attributes.push("color=\"#aaaaaa\", fontcolor=\"#777777\"".into());
            }
            if self.goals.contains(number) {
                attributes.push("peripheries=2".into());
            }
            if *number == self.start {
                attributes.push("shape=oval".into());
            }
            let dead = visit.map_or(outline.deadly && self.figures.is_none(), |visit| visit.death > 0.0);
            if dead {
                attributes.push("color=\"#d55e00\", penwidth=3".into());
            }
            let _ = writeln!(out, "  \"{number}\" [label={}, {}];", quoted(&label), attributes.join(", "));
        }
        for number in self.book.sections.keys() {
            for target in self.book.outline(*number).targets {
                let _ = write!(
                    out,
                    "  \"{number}\" -> \"{target}\" [edgetooltip={}",
                    quoted(&self.way_caption(*number, target))
                );
                let _ = match self.taken(*number, target) {
                    Some(0.0) => write!(out, ", style=dashed, color=\"#bbbbbb\""),
                    Some(probability) => write!(out, ", penwidth={:.2}, color=\"#333333\"", thickness(probability)),
                    None => Ok(()),
                };
                out.push_str("];\n");
            }
        }
        out.push_str("}\n");
        out
    }
}

/// A text in quotes, with centred lines.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
