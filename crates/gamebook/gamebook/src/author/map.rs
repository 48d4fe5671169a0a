//! The sections of a book as a drawn graph.

mod dot;
mod layout;
mod svg;

use std::collections::BTreeMap;

use super::outline::Outline;
use crate::book::Book;
use crate::solve::{Guide, Journey};
use crate::terms::SectionNumber;

pub use layout::{BOX, Layout, MapLink, SectionPosition, layout};

/// A map of a book: its sections and their targets. With [`Figures`] it is coloured by the probability of winning, and lines
/// are as thick as optimal play uses them.
///
/// ```
/// use gamebook::{Figures, Map, Question, Solved, read};
/// use mdp::ExploreOptions;
///
/// let text = r#"
///     book "Fork" format=1 rules="lone-wolf"
///     start 1
///     goal 3
///     hero { combat-skill 15; endurance 25; }
///     section 1 { pick { when 0 3 { goto 2; }; else { goto 3; }; }; }
///     section 2 { death "a pit"; }
///     section 3 { victory; }
/// "#;
/// let (book, _) = read(text)?;
/// assert!(Map::new(&book).dot().contains(r#""1" -> "2""#));
///
/// let options = ExploreOptions::default();
/// let solved = Solved::new(&book, &Question::new(&book), &options)?;
/// let figures = Figures::new(&solved.journey(&options)?, &solved.guide(&options)?);
/// assert_eq!(figures.ways.as_ref().map(|ways| ways[&(1, 2)]), Some(0.4));
/// let map = Map { figures: Some(&figures), ..Map::new(&book) };
/// assert!(map.svg().contains("40 % of all heroes die here"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map<'a> {
    /// The book.
    pub book: &'a Book,
    /// The section in which play begins.
    pub start: SectionNumber,
    /// The sections in which it is won.
    pub goals: &'a [SectionNumber],
    /// Lines under the title: the hero, for instance.
    pub subtitle: Vec<String>,
    /// The figures of optimal play.
    pub figures: Option<&'a Figures>,
}

/// Probabilities of optimal play, seen from the beginning.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The sections that optimal play can visit.
    pub sections: BTreeMap<SectionNumber, Visit>,
    /// The probability of ever going from one section to the other; `None` if it is not known.
    pub ways: Option<BTreeMap<(SectionNumber, SectionNumber), f64>>,
}

/// The figures of a section under optimal play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Visit {
    /// The probability of a visit.
    pub visited: f64,
    /// The probability of winning, given a visit.
    pub win: f64,
    /// The probability of dying here.
    pub death: f64,
}

impl Figures {
    /// The figures of a solved book.
    pub fn new(journey: &Journey, guide: &Guide) -> Self {
        let mut figures = Self::default();
        for visit in &journey.sections {
            let visit_here = Visit { visited: visit.visited, win: visit.win_if_here, death: 0.0 };
            figures.sections.insert(visit.section, visit_here);
        }
        for (section, probability) in &journey.deaths {
            figures.sections.entry(*section).or_default().death = *probability;
        }
        let ways = guide.sections.iter().flat_map(|(section, here)| {
            here.from.iter().filter_map(|(from, probability)| Some(((*from.as_ref()?, *section), *probability)))
        });
        figures.ways = Some(ways.collect());
        figures
    }
}

impl<'a> Map<'a> {
    /// A map of the book's structure, from its own start to its own goals.
    pub fn new(book: &'a Book) -> Self {
        Self { book, start: book.start, goals: &book.goals, subtitle: Vec::new(), figures: None }
    }

    /// The description of a section, line by line.
    fn caption(&self, section: SectionNumber, outline: &Outline) -> Vec<String> {
        let mut lines = vec![format!("Section {}", self.book.section_text(section))];
        if section == self.start {
            lines.push("Play begins here.".into());
        }
        if self.goals.contains(&section) {
            lines.push("A goal: the book is won here.".into());
        }
        if let Some(figures) = self.figures {
            match figures.sections.get(&section) {
                Some(visit) => {
                    lines.push(format!("{} of all heroes come here.", percent(visit.visited)));
                    lines.push(format!("{} of those who are here win.", percent(visit.win)));
                    if visit.death > 0.0 {
                        lines.push(format!("{} of all heroes die here.", percent(visit.death)));
                    }
                }
                None => lines.push("Best play never comes here.".into()),
            }
        }
        lines.extend(outline.fights.iter().map(|enemy| format!("Fight: {enemy}")));
        if outline.victory {
            lines.push("It can end in victory.".into());
        }
        if outline.deadly {
            lines.push("It can end in death.".into());
        }
        if !outline.targets.is_empty() {
            let targets: Vec<String> = outline.targets.iter().map(|to| self.book.section_text(*to)).collect();
            lines.push(format!("Leads to {}", targets.join(", ")));
        }
        lines
    }

    /// The probability of ever going from one section to the other; `None` if it is not known.
    fn taken(&self, from: SectionNumber, to: SectionNumber) -> Option<f64> {
        let ways = self.figures?.ways.as_ref()?;
        Some(ways.get(&(from, to)).copied().unwrap_or(0.0))
    }

    /// The description of the way between two sections.
    fn way_caption(&self, from: SectionNumber, to: SectionNumber) -> String {
        let way = self.taken(from, to);
        let (from, to) = (self.book.section_text(from), self.book.section_text(to));
        match way {
            Some(0.0) => format!("{from} to {to}: never by best play"),
            Some(probability) => format!("{from} to {to}: {} of all heroes", percent(probability)),
            None => format!("{from} to {to}"),
        }
    }
}

/// A probability in few characters: three digits, and 0 or 100 only if exact.
fn percent(probability: f64) -> String {
    let percent = 100.0 * probability;
    if probability > 0.0 && percent < 0.01 {
        "< 0.01 %".into()
    } else if probability < 1.0 && percent >= 99.995 {
        "> 99.99 %".into()
    } else {
        let digits = if (10.0..99.95).contains(&percent) { 1 } else { 2 };
        let text = format!("{percent:.digits$}");
        format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The colour of a probability of winning, from the scale `viridis`, which suits all kinds of colour vision and grey; and
/// whether text on it must be white.
fn colour(win: f64) -> (String, bool) {
    const SCALE: [[f64; 3]; 6] = [
        [68.0, 1.0, 84.0],
        [65.0, 68.0, 135.0],
        [42.0, 120.0, 142.0],
        [34.0, 168.0, 132.0],
        [122.0, 209.0, 81.0],
        [253.0, 231.0, 37.0],
    ];
    // Five steps between neighbouring colours.
    let place = win.clamp(0.0, 1.0) * 5.0;
    let left = (1..5).take_while(|step| f64::from(*step) <= place).count();
    let share = place - place.floor().min(4.0);
    let mixed = |channel: usize| {
        let mixed = SCALE[left][channel].mul_add(1.0 - share, SCALE[left + 1][channel] * share);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "colours are 0 to 255")]
        let byte = mixed.round() as u8;
        byte
    };
    let code = format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
    (code, win < 0.45)
}

/// The thickness of a line: its area grows with the probability, and the rarest way is still visible.
fn thickness(probability: f64) -> f64 {
    6.0f64.mul_add(probability.clamp(0.0, 1.0).sqrt(), 0.6)
}

#[cfg(test)]
mod tests;
