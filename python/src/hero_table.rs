//! A table of heroes in a file, as `bestplay gamebook heroes --state` keeps it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamebook::{HeroGroup, HeroOverrides, HeroQuantity, Question, hero_layout, heroes_asked};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rustc_hash::FxHashSet;
use solved_table::{About, Bounds, Cell, Known, Layout, LineValues, TableFile, TableFileError, write_csv};

use crate::book::{Book, HeroFields};
use crate::wrong::Wrong;

/// A table of heroes with the results known so far. The table holds its file open until it is closed.
#[pyclass(frozen, module = "bestplay._engine")]
pub struct HeroTable {
    layout: Layout,
    /// The heroes of the table, in order.
    heroes: Vec<Vec<Cell>>,
    /// Each different hero once, by the first of his numbers.
    each: Vec<usize>,
    open: Mutex<(Option<TableFile>, Known)>,
}

/// The result of a hero, by his number: the probability to win, its bounds, and the fraction.
type Solved = (usize, f64, f64, f64, Option<String>);

fn unkept(error: TableFileError) -> PyErr {
    if error.is_bad_input { PyValueError::new_err(error.to_string()) } else { PyOSError::new_err(error.to_string()) }
}

/// The question about a hero, as a group of one.
fn alone(book: &gamebook::Book, overrides: &HeroOverrides, exact: bool) -> Result<HeroGroup, Wrong> {
    let question = Question { hero: overrides.hero(book)?, exact, ..Question::new(book) };
    let mut values = overrides.values(book)?;
    values.sort_unstable();
    let roll = values.into_iter().map(|(own, number)| (HeroQuantity::Variable(own), number)).collect();
    Ok(HeroGroup { question, rolls: vec![roll] })
}

impl HeroTable {
    fn lock(&self) -> MutexGuard<'_, (Option<TableFile>, Known)> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl HeroTable {
    /// Opens the table of these heroes of a book, or makes it.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, book: &Book, heroes: Vec<HeroFields>, exact: bool) -> PyResult<Self> {
        let book: Arc<gamebook::Book> = book.book().clone();
        py.detach(|| {
            let own = Question { exact, ..Question::new(&book) };
            let (mut shared, mut cells, mut each) = (None, Vec::with_capacity(heroes.len()), Vec::new());
            let mut known = FxHashSet::default();
            for (place, fields) in heroes.into_iter().enumerate() {
                let group = alone(&book, &HeroOverrides::from(fields), exact)?;
                let numbers: Vec<HeroQuantity> = group.rolls[0].iter().map(|(quantity, _)| *quantity).collect();
                let first = shared.get_or_insert_with(|| (group.question.hero.lost.clone(), numbers.clone()));
                if *first != (group.question.hero.lost.clone(), numbers) {
                    let help =
                        "name the same fields for each hero, and the same `lost`; other heroes need another table";
                    return Err(PyErr::from(Wrong::bad("these heroes do not fit into one table", help)));
                }
                let hero = group.cells(&book, 0);
                if known.insert(hero.clone()) {
                    each.push(place);
                }
                cells.push(hero);
            }
            let (lost, numbers) = shared.unwrap_or_default();
            let question = Question { hero: gamebook::Hero { lost, ..own.hero.clone() }, ..own };
            let layout = hero_layout(&book, &numbers, exact);
            let about = About { same: heroes_asked(&book, &question), repeat: "exact, and lost of each hero" };
            let open = TableFile::open(&path, &layout, &about).map_err(unkept)?;
            Ok(Self { layout, heroes: cells, each, open: Mutex::new((Some(open.0), open.1)) })
        })
    }

    /// The names of its columns.
    fn columns(&self) -> Vec<String> {
        self.layout.heads()
    }

    /// Each different hero once, by the first of his numbers.
    fn each(&self) -> Vec<usize> {
        self.each.clone()
    }

    /// The heroes without a result.
    fn missing(&self) -> Vec<usize> {
        let (_, known) = &*self.lock();
        self.each.iter().copied().filter(|hero| !known.contains_key(&self.heroes[*hero])).collect()
    }

    /// Adds heroes: all of them or none.
    fn add(&self, py: Python<'_>, solved: Vec<Solved>) -> PyResult<()> {
        let line = |(hero, value, lower, upper, exact): Solved| {
            let cells = self.heroes.get(hero).cloned();
            let cells = cells.ok_or_else(|| PyValueError::new_err(format!("there is no hero {hero}")))?;
            Ok((cells, LineValues { bounds: vec![Bounds { value, lower, upper }], exact }))
        };
        let lines = solved.into_iter().map(line).collect::<PyResult<Vec<_>>>()?;
        py.detach(|| {
            let (file, known) = &mut *self.lock();
            let file = file.as_mut().ok_or_else(|| PyValueError::new_err("the table is closed"))?;
            file.add(&lines).map_err(unkept)?;
            known.extend(lines);
            Ok(())
        })
    }

    /// The result of a hero, column by column; `None` without a result.
    fn row<'py>(&self, py: Python<'py>, hero: usize) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (_, known) = &*self.lock();
        let Some((cells, found)) = self.heroes.get(hero).and_then(|hero| known.get_key_value(hero)) else {
            return Ok(None);
        };
        let mut row: Vec<Bound<'py, PyAny>> = Vec::new();
        for cell in cells {
            row.push(match cell {
                Cell::Number(number) => number.into_pyobject(py)?.into_any(),
                Cell::Names(names) => names.into_pyobject(py)?.into_any(),
            });
        }
        for own in found.bounds.iter().flat_map(|own| [own.value, own.lower, own.upper]) {
            row.push(own.into_pyobject(py)?.into_any());
        }
        if self.layout.exact {
            row.push(found.exact.as_ref().into_pyobject(py)?.into_any());
        }
        PyTuple::new(py, row).map(Some)
    }

    /// Writes the results of these heroes as CSV; heroes without a result are left out. A failed write leaves no file behind.
    fn write_csv(&self, py: Python<'_>, path: PathBuf, heroes: Vec<usize>) -> PyResult<()> {
        py.detach(|| {
            let (_, known) = &*self.lock();
            let rows = heroes.iter().filter_map(|hero| known.get_key_value(self.heroes.get(*hero)?));
            let rows = rows.map(|(cells, found)| (&cells[..], found));
            whole_file::write(&path, |out| write_csv(&self.layout, rows, out))
        })
        .map_err(|error: std::io::Error| PyOSError::new_err(format!("cannot write {}: {error}", path.display())))
    }

    /// Closes the file. The results stay in memory.
    fn close(&self) {
        self.lock().0 = None;
    }
}
