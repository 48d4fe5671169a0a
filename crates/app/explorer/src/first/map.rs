//! The map of a solved book as a small picture: the strip of its layers turned to run from left to right and cut into rows.
//! A way from one row to another is left out; `gamebook-map.js` draws the map that can be moved, with all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use gamebook::{Layout, MapLink, SectionNumber, SectionVisit};
use maud::{Markup, PreEscaped, html};

use super::solved_book::SolvedBook;

/// Pixels of the picture for a pixel of the layout: along the strip, and across it.
const ALONG: f64 = 0.19;
const ACROSS: f64 = 0.4;
/// The space between rows, and around the whole.
const GAP: f64 = 26.0;
/// The width of the whole, for its height.
const SHAPE: f64 = 1.4;
/// The least width of the whole.
const SMALLEST: f64 = 500.0;
/// So many sections where heroes die have their numbers, if as many as this die there.
const KILLERS: usize = 3;
const DEADLY: f64 = 0.02;
/// Steps of the ramp of colours: the middle one is the odds at the start.
const STEPS: f64 = 20.0;

/// How a strip is cut.
struct Fold {
    rows: Vec<Row>,
    width: f64,
    height: f64,
}

/// A part of the strip: its top and its left edge in the layout, and where it begins in the picture.
struct Row {
    top: f64,
    left: f64,
    begin: f64,
}

/// The least and the greatest of some numbers.
fn extent(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| (least.min(at), most.max(at)))
}

impl Fold {
    fn new(layout: &Layout) -> Self {
        let places = || layout.places.values();
        let ((left, right), (top, bottom)) =
            (extent(places().map(|place| place.x)), extent(places().map(|place| place.y)));
        let (long, across) = ((bottom - top).max(1.0), (right - left) * ACROSS + GAP);
        let count = (long * ALONG / (SHAPE * across)).sqrt().round().max(1.0);
        let long = long / count;
        // What is left over by rounding belongs to the last row.
        let tops =
            std::iter::successors(Some(top), |top| Some(top + long)).take_while(|top| *top < bottom - long / 2.0);
        let mut fold = Self { rows: Vec::new(), width: long * ALONG + 2.0 * GAP, height: GAP };
        for top in tops.chain((bottom <= top).then_some(top)) {
            let bottom = if top + long * 1.5 > bottom { f64::INFINITY } else { top + long };
            let own = places().filter(|place| (top..bottom).contains(&place.y)).map(|place| place.x);
            let (left, right) = extent(own);
            if left <= right {
                fold.rows.push(Row { top, left, begin: fold.height });
                fold.height += (right - left) * ACROSS + GAP;
            }
        }
        fold
    }

    /// The part of the plane that is shown: a small book is not blown up to fill it.
    fn view(&self) -> String {
        let (width, height) = (self.width.max(SMALLEST), self.height.max(SMALLEST / 2.0));
        format!("{:.0} {:.0} {width:.0} {height:.0}", (self.width - width) / 2.0, (self.height - height) / 2.0)
    }

    /// A point of the layout in the picture, with its row.
    fn at(&self, (x, y): (f64, f64)) -> (usize, f64, f64) {
        let found = self.rows.iter().enumerate().rfind(|(_, row)| y >= row.top).or(self.rows.iter().enumerate().next());
        let Some((place, row)) = found else { return (0, 0.0, 0.0) };
        (place, ((y - row.top) * ALONG + GAP).round(), ((x - row.left) * ACROSS + row.begin).round())
    }

    /// A way within a row as a path; its bends are left out.
    fn line(&self, way: &MapLink) -> Option<String> {
        let (from, to) = (self.at(*way.points.first()?), self.at(*way.points.last()?));
        let ((row, x, y), (across, down)) = (from, (to.1 - from.1, to.2 - from.2));
        let half = (across / 2.0).round();
        (row == to.0).then(|| format!("M{x} {y}c{half} 0 {half} {down} {across} {down}"))
    }
}

/// The colour of odds, as a step of the ramp: the middle is the odds at the start, above it equal steps are equal factors
/// (`odds-colour.js` has the same).
fn step(chance: f64, at_start: f64) -> f64 {
    let share = if chance <= at_start || at_start <= 0.0 {
        if at_start > 0.0 { chance / at_start } else { 1.0 }
    } else {
        1.0 + if at_start < 1.0 { 1.0 - chance.ln() / at_start.ln() } else { 1.0 }
    };
    (share * STEPS / 2.0).round()
}

/// How large a disc is by how many heroes visit, and the ring around a section by how many die there (`first.js` has the
/// same).
fn radius(visited: f64) -> f64 {
    (3.5 + 5.5 * visited.sqrt()).round()
}
fn ring(dying: f64) -> f64 {
    (10.0 + 26.0 * dying.sqrt()).round()
}

/// The picture, with a name for those who do not see it.
pub fn picture(solved: &SolvedBook, name: &str) -> Markup {
    let SolvedBook { offered, win, deaths, sections, way } = solved;
    let fold = Fold::new(&offered.layout);
    let visits: BTreeMap<SectionNumber, &SectionVisit> = sections.iter().map(|visit| (visit.section, visit)).collect();
    let likeliest: BTreeSet<(SectionNumber, SectionNumber)> = way.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let places: BTreeMap<SectionNumber, (usize, f64, f64)> =
        offered.layout.places.iter().map(|(section, place)| (*section, fold.at((place.x, place.y)))).collect();
    let place = |section: SectionNumber| places.get(&section).map(|(_, x, y)| (*x, *y));
    // Without closing tags the page is a fifth smaller; all of it is numbers.
    let mut lines = String::new();
    for (way, line) in offered.layout.ways.iter().filter_map(|way| Some((way, fold.line(way)?))) {
        let class = if likeliest.contains(&(way.from, way.to)) { " class=\"taken\"" } else { "" };
        let _ = write!(lines, "<path id=\"w{}-{}\" d=\"{line}\"{class}/>", way.from, way.to);
    }
    let mut discs = String::new();
    for (section, (_, x, y)) in &places {
        let _ = write!(discs, "<circle id=\"s{section}\" cx=\"{x}\" cy=\"{y}\" ");
        let end = visits.get(section).map_or("r=\"3\"/>".into(), |visit| {
            format!("class=\"o{}\" r=\"{}\"/>", step(visit.win_if_here, *win), radius(visit.visited))
        });
        discs.push_str(&end);
    }
    let killers: Vec<_> = deaths.iter().filter(|(_, share)| *share >= DEADLY).take(KILLERS).collect();
    let book = &offered.book;
    // The start and the goals are marked for every hero.
    let ends: BTreeSet<SectionNumber> = [book.start].into_iter().chain(book.goals.iter().copied()).collect();
    let marks: BTreeSet<SectionNumber> =
        ends.iter().copied().chain(killers.iter().map(|(section, _)| *section)).collect();
    let named = ends.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    html! {
        svg #picture viewBox=(fold.view()) role="img" aria-label=(name) data-marks=(named) {
            g { (PreEscaped(lines)) }
            g #rings {
                @for ((x, y), share) in killers.iter().filter_map(|(section, share)| Some((place(*section)?, *share))) {
                    circle cx=(x) cy=(y) r=(ring(share)) {}
                }
            }
            g { (PreEscaped(discs)) }
            g #marks {
                @for section in marks {
                    @if let Some((x, y)) = place(section) { text x=(x) y=(y - 14.0) { (book.section_text(section)) } }
                }
            }
        }
    }
}
