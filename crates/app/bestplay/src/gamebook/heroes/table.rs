//! A table of heroes: its rows, and its JSON.

use std::io::{self, Write};

use gamebook::{Book, HeroChoice, HeroGroup, HeroQuantity, Question, SKILLS_COLUMN, roll_chance};
use serde_json::json;
use solved_table::{Cell, Known, Layout, Roster, RosterNumber, RosterRow, every_roll, write_json};

use crate::gamebook::input::book_file::section_json;

/// The heroes and the question.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub book: &'a Book,
    pub question: &'a Question,
    pub choice: &'a HeroChoice,
}

/// Heroes with their results.
pub struct Table<'a> {
    pub asked: Asked<'a>,
    /// In the order of [`HeroChoice::groups`].
    pub roster: Roster,
}

impl<'a> Table<'a> {
    /// The table of these heroes with known results.
    pub fn new(asked: Asked<'a>, layout: Layout, groups: &[HeroGroup], known: &Known) -> Self {
        let Asked { book, choice, .. } = asked;
        let mut rows = Vec::new();
        for (place, group) in groups.iter().enumerate() {
            for roll in 0..group.rolls.len() {
                let cells = group.cells(book, roll);
                // Each was solved, or there was a failure.
                let Some(found) = known.get(&cells) else { continue };
                rows.push(RosterRow { cells, found: found.clone(), group: place, roll });
            }
        }
        let number = |(quantity, values): &(HeroQuantity, Vec<i32>)| RosterNumber {
            name: quantity.name(book),
            chances: values.iter().map(|value| roll_chance(book, *quantity, *value).unwrap_or(1.0)).collect(),
            values: values.clone(),
        };
        let name = |group: &HeroGroup| named(&group.cells(book, 0), &layout, choice.equipments.len() > 1);
        let numbers: Vec<RosterNumber> = choice.numbers.iter().map(number).collect();
        let draft = book.draft.warning().map(|warning| format!(" ({warning})")).unwrap_or_default();
        let roster = Roster {
            title: format!("{}{draft}", book.title),
            rolls: every_roll(&numbers),
            numbers,
            groups: groups.iter().map(name).collect(),
            layout,
            rows,
            is_chance: true,
        };
        Self { asked, roster }
    }

    /// As JSON, one row per line.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let Asked { book, question, .. } = self.asked;
        let goals: Vec<_> = question.goals.iter().map(|goal| section_json(book, *goal)).collect();
        let mut head = serde_json::Map::from_iter([
            ("format".into(), json!(1)),
            ("book".into(), json!(book.title)),
            ("start".into(), json!(section_json(book, question.start))),
            ("goals".into(), json!(goals)),
        ]);
        head.extend(book.draft.fields());
        write_json(head, &self.roster.layout, self.roster.lines(), out)
    }
}

/// What distinguishes the heroes of a group from other groups.
fn named(cells: &[Cell], layout: &Layout, equipments_differ: bool) -> String {
    let names = cells.iter().zip(&layout.cells).filter_map(|(cell, column)| match cell {
        Cell::Names(names) => {
            let differs = column == "disciplines" || column == SKILLS_COLUMN || column == "items" && equipments_differ;
            differs.then(|| names.clone())
        }
        Cell::Number(_) => None,
    });
    names.collect::<Vec<_>>().join("; ")
}
