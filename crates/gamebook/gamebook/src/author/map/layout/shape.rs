//! The shapes of a map: boxes of sections, and ways between them.

use std::collections::BTreeMap;

use crate::terms::SectionNumber;

/// Width and height of a section's box.
pub const BOX: (f64, f64) = (54.0, 32.0);

/// A laid-out map, in pixels to the right and down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The total width.
    pub width: f64,
    /// The total height.
    pub height: f64,
    /// The place of each section.
    pub places: BTreeMap<SectionNumber, SectionPosition>,
    /// The ways between sections, ordered by source and target.
    pub ways: Vec<MapLink>,
}

/// The place of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionPosition {
    /// The middle of its box.
    pub x: f64,
    /// The middle of its box.
    pub y: f64,
    /// Its layer, from 0 at the top.
    pub layer: usize,
}

/// A way from one section to another.
#[derive(Clone, Debug, PartialEq)]
pub struct MapLink {
    /// The source.
    pub from: SectionNumber,
    /// The target.
    pub to: SectionNumber,
    /// Whether it leads back up and closes a loop.
    pub back: bool,
    /// Points from the edge of the first box to that of the other. A smooth line through them is vertical at each.
    pub points: Vec<(f64, f64)>,
}

impl MapLink {
    /// The line through the points, as an SVG path.
    pub fn path(&self) -> String {
        use std::fmt::Write;
        let mut path = String::new();
        let Some((x, y)) = self.points.first() else { return path };
        let _ = write!(path, "M{x:.1} {y:.1}");
        if self.from == self.to {
            // A loop beside the box.
            let (dx, dy) = (BOX.0 * 0.45, BOX.1 * 0.6);
            let _ = write!(path, "c{dx:.1} {:.1} {dx:.1} {:.1} 0 {:.1}", -dy, dy, BOX.1 * 0.3);
            return path;
        }
        for pair in self.points.windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            if x1 == x2 {
                let _ = write!(path, "V{y2:.1}");
            } else {
                let middle = f64::midpoint(y1, y2);
                let _ = write!(path, "C{x1:.1} {middle:.1} {x2:.1} {middle:.1} {x2:.1} {y2:.1}");
            }
        }
        path
    }
}
