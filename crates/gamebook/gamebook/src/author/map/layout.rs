//! Layout of a map: in layers from the start downwards, after Sugiyama, Tagawa and Toda, "Methods for visual understanding of
//! hierarchical system structures", IEEE Transactions on Systems, Man, and Cybernetics 11 (1981).
//!
//! Edges that lead back are reversed; every section goes into the layer after the last of its predecessors; long edges get an
//! item in every layer that they cross; the order within layers is improved until few edges cross; and items are moved as close
//! to those above and below as the order allows. The layout is deterministic.

mod coordinates;
mod drawing;
mod layers;
mod shape;

use crate::book::Book;
use crate::terms::SectionNumber;
use drawing::Drawing;
use layers::{layers, without_loops};

pub use shape::{BOX, Layout, MapLink, SectionPosition};

/// Lays out the sections of a book. Those that are not reachable from `start` are above what they lead to.
///
/// ```
/// let text = r#"
///     book "Loop" format=1 rules="lone-wolf"
///     start 1
///     goal 4
///     hero { combat-skill 15; endurance 25; }
///     section 1 { choice "left" { goto 2; }; choice "right" { goto 3; }; }
///     section 2 { choice "on" { goto 4; }; choice "back" { goto 1; }; }
///     section 3 { goto 4; }
///     section 4 { victory; }
/// "#;
/// let (book, _) = gamebook::read(text)?;
/// let layout = gamebook::layout(&book, book.start);
/// let layers: Vec<usize> = layout.places.values().map(|place| place.layer).collect();
/// assert_eq!(layers, [0, 1, 1, 2]);
/// let back: Vec<_> = layout.ways.iter().filter(|way| way.back).map(|way| (way.from, way.to)).collect();
/// assert_eq!(back, [(2, 1)]);
/// # Ok::<(), gamebook::Problems>(())
/// ```
pub fn layout(book: &Book, start: SectionNumber) -> Layout {
    let sections: Vec<SectionNumber> = book.sections.keys().copied().collect();
    let number_of = |section: &SectionNumber| sections.binary_search(section).ok();
    let next: Vec<Vec<usize>> =
        sections.iter().map(|section| book.outline(*section).targets.iter().filter_map(number_of).collect()).collect();
    let start = number_of(&start).unwrap_or(0);
    let (edges, order) = without_loops(&next, start);
    let layers = layers(&edges, &order, start);
    let mut drawing = Drawing::new(&edges, &layers, &order);
    drawing.order_layers();
    drawing.place();
    drawing.finish(&sections, &edges)
}

#[cfg(test)]
mod tests;
