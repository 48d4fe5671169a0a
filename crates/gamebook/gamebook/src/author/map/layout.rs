//! Where the sections of a book are drawn: in layers from the start downwards, after Sugiyama, Tagawa and Toda, "Methods
//! for visual understanding of hierarchical system structures", IEEE Transactions on Systems, Man, and Cybernetics 11
//! (1981).
//!
//! Ways that lead back are turned round; every section comes in the layer after the last of those that lead to it; long
//! ways get a place in every layer that they cross; the order within the layers is improved until few ways cross; and
//! places are moved as near to those above and below as the order allows. The same book is always drawn the same.

use std::collections::BTreeMap;
use std::mem;

use crate::book::Book;
use crate::terms::SectionNumber;

/// Width and height of a section's box.
pub const BOX: (f64, f64) = (54.0, 32.0);

/// From the middle of a layer to that of the next.
const LAYER: f64 = 72.0;

/// Between the edges of two boxes, or of a box and a way, in a layer.
const GAP: f64 = 12.0;

/// What a way takes in a layer.
const WAY: f64 = 6.0;

/// White around the whole.
const MARGIN: f64 = 40.0;

/// How often the order in the layers is improved, and how often places are moved.
const SWEEPS: usize = 24;

/// How strongly everything is tied to the middle of the paper; two sections are tied with 1.
const TO_THE_MIDDLE: f64 = 0.03;

/// When ways cross more layers than this all together, the longest are drawn straight across what lies between.
const MOST_CROSSED: usize = 40_000;

/// A book's sections on paper, in pixels to the right and down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The width of the whole.
    pub width: f64,
    /// The height of the whole.
    pub height: f64,
    /// Where each section is.
    pub places: BTreeMap<SectionNumber, Place>,
    /// The ways between sections, ordered by where they come from and where they lead.
    pub ways: Vec<Way>,
}

/// Where a section is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The middle of its box.
    pub x: f64,
    /// The middle of its box.
    pub y: f64,
    /// Its layer, from 0 at the top.
    pub layer: usize,
}

/// A way from one section to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Where it comes from.
    pub from: SectionNumber,
    /// Where it leads.
    pub to: SectionNumber,
    /// Whether it leads back up: it closes a loop.
    pub back: bool,
    /// From the edge of the first box to the edge of the other. A smooth line through them is vertical in each.
    pub points: Vec<(f64, f64)>,
}

impl Way {
    /// The line through the points, as the path of an SVG picture.
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

/// Lays out the sections of a book. Those that cannot be reached from `start` stand above what they lead to.
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

/// A way between sections by their places in the book, turned downwards.
#[derive(Clone, Copy, Debug)]
struct Edge {
    above: usize,
    below: usize,
    /// It leads from `below` to `above`, or from a section to itself.
    back: bool,
}

/// The ways with those turned round that lead back, and the sections in an order that all ways follow. Looks around from
/// `start`, then from every section that was not seen yet.
fn without_loops(next: &[Vec<usize>], start: usize) -> (Vec<Edge>, Vec<usize>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Open,
        Done,
    }
    let mut seen = vec![Seen::Not; next.len()];
    let (mut edges, mut order) = (Vec::new(), Vec::new());
    for root in (start..next.len()).take(1).chain(0..next.len()) {
        if seen[root] != Seen::Not {
            continue;
        }
        seen[root] = Seen::Open;
        let mut path = vec![(root, 0)];
        while let Some((section, looked)) = path.last_mut() {
            let section = *section;
            if let Some(&to) = next[section].get(*looked) {
                *looked += 1;
                let back = seen[to] == Seen::Open;
                edges.push(if back {
                    Edge { above: to, below: section, back }
                } else {
                    Edge { above: section, below: to, back }
                });
                if seen[to] == Seen::Not {
                    seen[to] = Seen::Open;
                    path.push((to, 0));
                }
            } else {
                seen[section] = Seen::Done;
                order.push(section);
                path.pop();
            }
        }
    }
    order.reverse();
    edges.sort_by_key(|edge| if edge.back { (edge.below, edge.above) } else { (edge.above, edge.below) });
    (edges, order)
}

/// The layer of every section: after all that lead to it, then moved to where its ways are shorter.
fn layers(edges: &[Edge], order: &[usize], start: usize) -> Vec<usize> {
    let sections = order.len();
    let (mut above, mut below) = (vec![Vec::new(); sections], vec![Vec::new(); sections]);
    for edge in edges.iter().filter(|edge| edge.above != edge.below) {
        above[edge.below].push(edge.above);
        below[edge.above].push(edge.below);
    }
    let mut layers = vec![0usize; sections];
    for &section in order {
        layers[section] = above[section].iter().map(|other| layers[*other] + 1).max().unwrap_or(0);
    }
    for _ in 0..SWEEPS {
        let mut moved = false;
        for &section in order.iter().rev() {
            let highest = above[section].iter().map(|other| layers[*other] + 1).max().unwrap_or(0);
            let lowest = below[section].iter().map(|other| layers[*other].saturating_sub(1)).min().unwrap_or(highest);
            let better = if section != start && below[section].len() > above[section].len() { lowest } else { highest };
            moved |= better != layers[section];
            layers[section] = better;
        }
        if !moved {
            break;
        }
    }
    layers
}

/// What stands in a layer: a section, or a long way that passes.
#[derive(Clone, Debug)]
struct Item {
    layer: usize,
    width: f64,
    /// Those in the layer above that are tied to it, with how strongly.
    above: Vec<(usize, f64)>,
    below: Vec<(usize, f64)>,
    /// The place in its layer.
    rank: usize,
    x: f64,
}

struct Drawing {
    /// The sections by their places in the book, then what passes of long ways.
    items: Vec<Item>,
    /// The items from left to right.
    rows: Vec<Vec<usize>>,
    /// What each way passes on its way down, by its place in the list of edges.
    passes: Vec<Vec<usize>>,
}

impl Drawing {
    fn new(edges: &[Edge], layers: &[usize], order: &[usize]) -> Self {
        let item = |layer, width| Item { layer, width, above: Vec::new(), below: Vec::new(), rank: 0, x: 0.0 };
        let mut items: Vec<Item> = layers.iter().map(|layer| item(*layer, BOX.0)).collect();
        let mut passes = vec![Vec::new(); edges.len()];
        let span = |edge: &Edge| layers[edge.below].saturating_sub(layers[edge.above]);
        let mut by_length: Vec<usize> = (0..edges.len()).filter(|edge| span(&edges[*edge]) > 0).collect();
        by_length.sort_by_key(|edge| span(&edges[*edge]));
        let mut crossed = 0;
        for place in by_length {
            let edge = &edges[place];
            crossed += span(edge) - 1;
            if crossed > MOST_CROSSED {
                break;
            }
            let mut last = edge.above;
            for layer in layers[edge.above] + 1..=layers[edge.below] {
                let current = if layer == layers[edge.below] { edge.below } else { items.len() };
                if current == items.len() {
                    items.push(item(layer, WAY));
                    passes[place].push(current);
                }
                // Long ways are drawn straight first of all.
                let passing = [last, current].iter().filter(|end| **end >= layers.len()).count();
                let pull = [1.0, 2.0, 8.0][passing];
                items[last].below.push((current, pull));
                items[current].above.push((last, pull));
                last = current;
            }
        }
        let mut rows = vec![Vec::new(); layers.iter().max().map_or(0, |last| last + 1)];
        let mut drawn = vec![false; items.len()];
        // At first each section and what passes from it, one after the other.
        for &section in order {
            let mut open = vec![section];
            while let Some(current) = open.pop() {
                if !mem::replace(&mut drawn[current], true) {
                    rows[items[current].layer].push(current);
                    open.extend(items[current].below.iter().map(|(other, _)| *other).filter(|it| *it >= layers.len()));
                }
            }
        }
        let mut drawing = Self { items, rows, passes };
        drawing.number();
        drawing
    }

    fn number(&mut self) {
        for row in &self.rows {
            for (rank, item) in row.iter().enumerate() {
                self.items[*item].rank = rank;
            }
        }
    }

    /// Puts every item near the middle of those that it is tied to, layer by layer, down and up; keeps the order in which
    /// the fewest ways cross.
    fn order_layers(&mut self) {
        let (mut best, mut fewest) = (self.rows.clone(), self.crossings());
        for sweep in 0..SWEEPS {
            let down = sweep % 2 == 0;
            for step in 0..self.rows.len() {
                let layer = if down { step } else { self.rows.len() - 1 - step };
                self.sort(layer, down);
            }
            self.swap_neighbours();
            let crossings = self.crossings();
            if crossings < fewest {
                (best, fewest) = (self.rows.clone(), crossings);
            }
        }
        self.rows = best;
        self.number();
    }

    fn sort(&mut self, layer: usize, by_above: bool) {
        let mut row = mem::take(&mut self.rows[layer]);
        let middle = |item: &usize| {
            let item = &self.items[*item];
            let ties = if by_above { &item.above } else { &item.below };
            let sum: usize = ties.iter().map(|(other, _)| self.items[*other].rank).sum();
            if ties.is_empty() { number(item.rank) } else { number(sum) / number(ties.len()) }
        };
        let mut keyed: Vec<(f64, usize)> = row.iter().map(|item| (middle(item), *item)).collect();
        keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
        row.clear();
        for (rank, (_, item)) in keyed.into_iter().enumerate() {
            self.items[item].rank = rank;
            row.push(item);
        }
        self.rows[layer] = row;
    }

    /// Swaps neighbours in a layer where fewer ways cross then.
    fn swap_neighbours(&mut self) {
        for layer in 0..self.rows.len() {
            let mut row = mem::take(&mut self.rows[layer]);
            for rank in 1..row.len() {
                let (left, right) = (row[rank - 1], row[rank]);
                let crossed = |left: usize, right: usize| {
                    let (left, right) = (&self.items[left], &self.items[right]);
                    self.between(&left.above, &right.above) + self.between(&left.below, &right.below)
                };
                if crossed(right, left) < crossed(left, right) {
                    row.swap(rank - 1, rank);
                    self.items[left].rank = rank;
                    self.items[right].rank = rank - 1;
                }
            }
            self.rows[layer] = row;
        }
    }

    /// How many ties of the left item cross those of the right one.
    fn between(&self, left: &[(usize, f64)], right: &[(usize, f64)]) -> usize {
        // Sections to which everything leads are no place for this.
        if left.len() * right.len() > 1_000 {
            return 0;
        }
        let rank = |(item, _): &(usize, f64)| self.items[*item].rank;
        left.iter().map(|one| right.iter().filter(|other| rank(other) < rank(one)).count()).sum()
    }

    /// How many pairs of ways cross.
    fn crossings(&self) -> u64 {
        let mut crossings = 0;
        for row in &self.rows {
            let mut ends: Vec<(usize, usize)> = Vec::new();
            for item in row {
                let item = &self.items[*item];
                ends.extend(item.below.iter().map(|(other, _)| (item.rank, self.items[*other].rank)));
            }
            ends.sort_unstable();
            let most = ends.iter().map(|(_, below)| *below).max().unwrap_or(0);
            // How many ways end left of a rank, as a tree of partial sums.
            let mut counts = vec![0u64; most + 2];
            for (seen, (_, below)) in ends.iter().enumerate() {
                let mut not_right = 0;
                let mut place = below + 1;
                while place > 0 {
                    not_right += counts[place];
                    place &= place - 1;
                }
                crossings += seen as u64 - not_right;
                let mut place = below + 1;
                while place < counts.len() {
                    counts[place] += 1;
                    place += place & place.wrapping_neg();
                }
            }
        }
        crossings
    }

    /// Moves the items of each layer as near as can be to those that they are tied to.
    fn place(&mut self) {
        for layer in 0..self.rows.len() {
            let middle = number(self.rows[layer].len()) / 2.0;
            self.settle(layer, |item| (number(item.rank) - middle, 1.0));
        }
        for sweep in 0..2 * SWEEPS {
            let down = sweep % 2 == 0;
            for step in 0..self.rows.len() {
                let layer = if down { step } else { self.rows.len() - 1 - step };
                let wishes: Vec<(f64, f64)> = self.rows[layer].iter().map(|item| self.wish(*item, down)).collect();
                self.settle(layer, |item| wishes[item.rank]);
            }
        }
    }

    /// Where an item would like to be, and how much.
    fn wish(&self, item: usize, by_above: bool) -> (f64, f64) {
        let item = &self.items[item];
        let ties = if by_above { &item.above } else { &item.below };
        // A little pull to the middle of the paper, so that long books do not drift aside.
        let pull = ties.iter().map(|(_, pull)| pull).sum::<f64>() + TO_THE_MIDDLE;
        (ties.iter().map(|(other, pull)| pull * self.items[*other].x).sum::<f64>() / pull, pull)
    }

    /// Places the items of a layer in their order, with room between them, so that the squares of the distances from
    /// where they would like to be are least: items that would overlap are joined to blocks ("pool adjacent violators").
    fn settle(&mut self, layer: usize, wish: impl Fn(&Item) -> (f64, f64)) {
        // Blocks: what their wishes and weights add up to, and how many items they have.
        let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
        let mut offsets = Vec::with_capacity(self.rows[layer].len());
        let (mut offset, mut before) = (0.0, None);
        for item in &self.rows[layer] {
            let item = &self.items[*item];
            if let Some(width) = before {
                offset += f64::midpoint(width, item.width) + GAP;
            }
            before = Some(item.width);
            offsets.push(offset);
            let (x, weight) = wish(item);
            let mut block = (weight * (x - offset), weight, 1);
            while let Some(last) = blocks.last()
                && last.0 / last.1 >= block.0 / block.1
            {
                block = (block.0 + last.0, block.1 + last.1, block.2 + last.2);
                blocks.pop();
            }
            blocks.push(block);
        }
        let mut row = self.rows[layer].iter().zip(offsets);
        for (sum, weight, count) in blocks {
            for (item, offset) in row.by_ref().take(count) {
                self.items[*item].x = sum / weight + offset;
            }
        }
    }

    fn finish(self, sections: &[SectionNumber], edges: &[Edge]) -> Layout {
        let left = self.items.iter().map(|item| item.x - item.width / 2.0).fold(f64::INFINITY, f64::min);
        let right = self.items.iter().map(|item| item.x + item.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
        if sections.is_empty() {
            return Layout::default();
        }
        let x = |item: usize| self.items[item].x - left + MARGIN;
        let y = |item: usize| number(self.items[item].layer) * LAYER + MARGIN + BOX.1 / 2.0;
        let place = |item: usize| Place { x: x(item), y: y(item), layer: self.items[item].layer };
        let places = sections.iter().enumerate().map(|(item, section)| (*section, place(item))).collect();
        let ports = self.ports(edges);
        let ways = edges.iter().zip(&self.passes).zip(ports).map(|((edge, passes), (out, into))| {
            let (above, below) = (edge.above, edge.below);
            if above == below {
                let points = vec![(x(above) + BOX.0 / 2.0, y(above) - BOX.1 * 0.15)];
                return Way { from: sections[above], to: sections[above], back: true, points };
            }
            let mut points = vec![(x(above) + out, y(above) + BOX.1 / 2.0)];
            for &pass in passes {
                points.extend([(x(pass), y(pass) - BOX.1 / 2.0), (x(pass), y(pass) + BOX.1 / 2.0)]);
            }
            points.push((x(below) + into, y(below) - BOX.1 / 2.0));
            let (from, to) = if edge.back { (below, above) } else { (above, below) };
            if edge.back {
                points.reverse();
            }
            Way { from: sections[from], to: sections[to], back: edge.back, points }
        });
        let height = number(self.rows.len()) * LAYER - LAYER + BOX.1 + 2.0 * MARGIN;
        Layout { width: right - left + 2.0 * MARGIN, height, places, ways: ways.collect() }
    }

    /// Where each way leaves its upper box and enters its lower one, to the right of the box's middle: spread, in the
    /// order of where they come from.
    fn ports(&self, edges: &[Edge]) -> Vec<(f64, f64)> {
        let mut ports = vec![(0.0, 0.0); edges.len()];
        let (mut out, mut into) = (BTreeMap::<usize, Vec<_>>::new(), BTreeMap::<usize, Vec<_>>::new());
        for (place, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.above != edge.below) {
            let first = self.passes[place].first().copied().unwrap_or(edge.below);
            let last = self.passes[place].last().copied().unwrap_or(edge.above);
            out.entry(edge.above).or_default().push((self.items[first].x, place));
            into.entry(edge.below).or_default().push((self.items[last].x, place));
        }
        let spread = |ends: &mut Vec<(f64, usize)>, port: &mut dyn FnMut(usize, f64)| {
            ends.sort_by(|left, right| left.0.total_cmp(&right.0));
            let step = (BOX.0 * 0.7 / number(ends.len())).min(12.0);
            for (rank, (_, place)) in ends.iter().enumerate() {
                port(*place, (number(rank) - number(ends.len() - 1) / 2.0) * step);
            }
        };
        for ends in out.values_mut() {
            spread(ends, &mut |place, x| ports[place].0 = x);
        }
        for ends in into.values_mut() {
            spread(ends, &mut |place, x| ports[place].1 = x);
        }
        ports
    }
}

/// A count of what is drawn, as a length.
fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// A book of these ways; section 1 is the first.
    fn book(sections: SectionNumber, ways: &[(SectionNumber, SectionNumber)]) -> Book {
        let mut text = String::from("book \"B\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 1\n");
        text.push_str("hero { combat-skill 15; endurance 25; }\n");
        for section in 1..=sections {
            let choices = ways.iter().filter(|(from, _)| *from == section);
            let choices: Vec<String> = choices.map(|(_, to)| format!("choice x{to} {{ goto {to}; }}; ")).collect();
            let body = if choices.is_empty() { "death x;".into() } else { choices.concat() };
            let _ = writeln!(text, "section {section} {{ {body} }}");
        }
        crate::read(&text).expect("a book").0
    }

    /// Nothing overlaps, everything is on the paper, and ways lead from box to box, downwards but for those that lead back.
    fn check(layout: &Layout) {
        let boxes: Vec<&Place> = layout.places.values().collect();
        for (number, one) in boxes.iter().enumerate() {
            assert!(one.x >= BOX.0 / 2.0 && one.x <= layout.width - BOX.0 / 2.0, "{one:?}");
            assert!(one.y >= BOX.1 / 2.0 && one.y <= layout.height - BOX.1 / 2.0, "{one:?}");
            for other in &boxes[..number] {
                assert!(one.layer != other.layer || (one.x - other.x).abs() >= BOX.0 + GAP - 1e-6, "{one:?} {other:?}");
            }
        }
        for way in layout.ways.iter().filter(|way| way.from != way.to) {
            let (from, to) = (layout.places[&way.from], layout.places[&way.to]);
            assert_eq!(way.back, from.layer > to.layer, "{way:?}");
            let (first, last) = (way.points[0], way.points[way.points.len() - 1]);
            for ((x, y), place) in [(first, from), (last, to)] {
                assert!((x - place.x).abs() <= BOX.0 / 2.0 && (y - place.y).abs() == BOX.1 / 2.0, "{way:?}");
            }
            let down = |pair: &[(f64, f64)]| (pair[1].1 > pair[0].1) != way.back;
            assert!(way.points.windows(2).all(down), "{way:?}");
            // No way runs through a box.
            for pair in way.points[1..way.points.len() - 1].chunks(2) {
                for place in &boxes {
                    let beside = (pair[0].0 - place.x).abs() >= BOX.0 / 2.0;
                    assert!(beside || (pair[0].1 - place.y).abs() > BOX.1, "{way:?} {place:?}");
                }
            }
        }
    }

    #[test]
    fn loops_and_islands() {
        let ways = [(1, 2), (2, 3), (3, 1), (3, 3), (2, 1), (4, 5), (5, 4), (1, 6), (6, 3)];
        let drawn = layout(&book(7, &ways), 1);
        check(&drawn);
        assert_eq!((drawn.places.len(), drawn.ways.len()), (7, ways.len()));
        let back: Vec<(SectionNumber, SectionNumber)> =
            drawn.ways.iter().filter(|way| way.back).map(|way| (way.from, way.to)).collect();
        assert_eq!(back, [(2, 1), (3, 1), (3, 3), (5, 4)]);
        assert!(drawn.ways.iter().all(|way| way.path().starts_with('M')));
        check(&layout(&book(7, &ways), 5));
        check(&layout(&book(1, &[]), 1));
    }

    #[test]
    fn sections_come_after_those_that_lead_to_them() {
        // Section 5 leads to 4 only, so it stands just above it, and nothing crosses.
        let drawn = layout(&book(5, &[(1, 2), (2, 3), (3, 4), (1, 4), (5, 4)]), 1);
        check(&drawn);
        let layers: Vec<usize> = drawn.places.values().map(|place| place.layer).collect();
        assert_eq!(layers, [0, 1, 2, 3, 2]);
    }

    #[test]
    fn trees_are_drawn_without_crossings() {
        // Three ways from each section, numbered so that they stand crosswise at first.
        let section = |place: SectionNumber| if place == 0 { 1 } else { 2 + place * 53 % 120 };
        let ways: Vec<(SectionNumber, SectionNumber)> =
            (1..=120).map(|place| (section((place - 1) / 3), section(place))).collect();
        let book = book(121, &ways);
        let drawn = layout(&book, 1);
        check(&drawn);
        for one in &drawn.ways {
            for other in &drawn.ways {
                let ends = |way: &Way| (way.points[0], way.points[way.points.len() - 1]);
                let ((a, b), (c, d)) = (ends(one), ends(other));
                let single = one.points.len() == 2 && other.points.len() == 2;
                assert!(!single || a.1 != c.1 || (a.0 - c.0) * (b.0 - d.0) >= 0.0, "{one:?} crosses {other:?}");
            }
        }
    }

    #[test]
    fn huge_books_are_drawn_in_time() {
        // A chain of which every section also leads to the last: millions of layers crossed.
        let ways: Vec<(SectionNumber, SectionNumber)> =
            (1..3_000).flat_map(|from| [(from, from + 1), (from, 3_000)]).collect();
        let ways: Vec<(SectionNumber, SectionNumber)> = ways.into_iter().filter(|way| *way != (2_999, 3_000)).collect();
        let drawn = layout(&book(3_000, &ways), 1);
        assert_eq!(drawn.places[&2_999].layer, 2_998);
        assert!(drawn.width.is_finite() && drawn.width < 100_000.0, "{}", drawn.width);
    }
}
