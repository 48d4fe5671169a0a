//! A table of heroes that is offered.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use gamebook::{Book, DISCIPLINES, HeroQuantity, SKILLS_COLUMN, hero_layout, roll_chance};
use solved_table::{Roster, Table};

use crate::gamebook::{Gamebooks, OfferedBook};
use crate::question::Problem;

/// A table of heroes on its page.
#[derive(Clone, Debug)]
pub struct HeroTable {
    /// How addresses and questions call it.
    pub name: String,
    /// What stands in it.
    pub(crate) table: Arc<Table>,
    /// Its different names, column by column; none for numbers.
    pub(crate) names: Arc<OnceLock<Vec<Vec<String>>>>,
    /// Its heroes in groups, as the book of this name says how they are rolled: for the book that was asked about last.
    roster: Arc<Mutex<Option<Kept>>>,
}

/// Heroes in groups, and the book that says how they are rolled.
type Kept = (String, Arc<Roster>);

/// Columns of heroes of Lone Wolf's rules.
pub const DISCIPLINES_COLUMN: &str = "disciplines";
pub const ITEMS_COLUMN: &str = "items";

impl HeroTable {
    /// A table from a file of this name.
    ///
    /// ```
    /// let table = solved_table::read_csv("skill,win,lower,upper\n7,0.5,0.25,0.75\n")?;
    /// assert_eq!(explorer::HeroTable::new("tables/heroes.csv", table).name, "heroes");
    /// # Ok::<(), solved_table::TableError>(())
    /// ```
    pub fn new(name: &str, table: Table) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let ends = [".csv", ".sqlite"];
        let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned();
        Self { name, table: Arc::new(table), names: Arc::default(), roster: Arc::default() }
    }

    /// The address of its page, from `/`.
    pub fn address(&self) -> String {
        let query: String = form_urlencoded::byte_serialize(self.name.as_bytes()).collect();
        format!("/gamebook/heroes?table={query}")
    }

    /// Its different names, column by column.
    pub(crate) fn names(&self) -> &[Vec<String>] {
        self.names.get_or_init(|| {
            let columns = 0..self.table.layout.cells.len();
            columns
                .map(|column| if self.table.is_number(column) { Vec::new() } else { self.table.names(column) })
                .collect()
        })
    }

    /// The place of a column.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.table.layout.cells.iter().position(|own| own == name)
    }

    /// Whether these may be heroes of a book: it knows all that their columns name.
    pub(crate) fn fits(&self, book: &Book) -> bool {
        let cells = &self.table.layout.cells;
        let named = |column: &str, knows: &dyn Fn(&str) -> bool| {
            let names = self.column(column).map(|place| &self.names()[place]);
            names.is_none_or(|names| names.iter().all(|name| knows(name)))
        };
        if let Some(system) = &book.system {
            let knows = |name: &str| system.variables.iter().any(|own| own.name == name);
            let is_skill = |name: &str| system.skills().any(|skill| system.variables[skill].name == name);
            let fits = |(place, name): (usize, &String)| {
                if self.table.is_number(place) { knows(name) } else { name == SKILLS_COLUMN }
            };
            return cells.iter().enumerate().all(fits) && named(SKILLS_COLUMN, &is_skill);
        }
        let own = hero_layout(book, &[], false).cells;
        *cells == own
            && named(DISCIPLINES_COLUMN, &|name| DISCIPLINES.iter().any(|(_, own)| *own == name))
            && named(ITEMS_COLUMN, &|name| book.item(name).is_some())
    }

    /// The books of which these may be heroes; first the one whose title the file says.
    pub(crate) fn books<'l>(&self, gamebooks: &'l Gamebooks) -> Vec<&'l OfferedBook> {
        let mut books: Vec<&OfferedBook> = gamebooks.books.iter().filter(|own| self.fits(&own.book)).collect();
        books.sort_by_key(|own| self.table.about.as_ref() != Some(&own.book.title));
        books
    }

    /// The book of this name; for the empty name the first that fits, if there is one.
    pub(crate) fn book<'l>(&self, gamebooks: &'l Gamebooks, name: &str) -> Result<Option<&'l OfferedBook>, Problem> {
        let books = self.books(gamebooks);
        if name.is_empty() {
            return Ok(books.first().copied());
        }
        let found = books.iter().find(|own| own.name == name).copied();
        found.map(Some).ok_or_else(|| {
            let names: Vec<&str> = books.iter().map(|own| own.name.as_str()).collect();
            let help =
                if names.is_empty() { "leave book out".into() } else { format!("they may be of {}", names.join(", ")) };
            Problem::impossible(format_args!("these are no heroes of {name:?}"), help)
        })
    }

    /// The heroes in groups, each roll as likely as the book's dice make it; alike without a book.
    pub(crate) fn roster(&self, offered: Option<&OfferedBook>) -> Arc<Roster> {
        let name = offered.map_or_else(String::new, |own| own.name.clone());
        let mut kept = self.roster.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, roster)) = kept.as_ref().filter(|(own, _)| *own == name) {
            return Arc::clone(roster);
        }
        let title = self.table.about.clone().or_else(|| offered.map(|own| own.book.title.clone()));
        let chance = |name: &str, value| {
            let book = &offered?.book;
            roll_chance(book, made_of(book, name)?, value)
        };
        let roster = Arc::new(Roster::of_table(&title.unwrap_or_else(|| self.name.clone()), &self.table, chance));
        *kept = Some((name, Arc::clone(&roster)));
        roster
    }
}

/// What a column of a table is in a book.
fn made_of(book: &Book, name: &str) -> Option<HeroQuantity> {
    match (&book.system, name) {
        (None, "combat_skill") => Some(HeroQuantity::CombatSkill),
        (None, "endurance") => Some(HeroQuantity::Endurance),
        (None, "gold") => Some(HeroQuantity::Gold),
        (None, _) => None,
        (Some(system), name) => system.variables.iter().position(|own| own.name == name).map(HeroQuantity::Variable),
    }
}
