//! The content of a table.

use mdp::{Value, enclose, fraction_text, nearest, parse_fraction};
use rustc_hash::FxHashMap;

/// A cell of a column that identifies what was solved.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// A number.
    Number(i32),
    /// Names, separated by blanks.
    Names(String),
}

/// The names in a cell, without counts or details.
pub(crate) fn words(cell: &str) -> impl Iterator<Item = &str> {
    cell.split_whitespace().map(|word| word.split('=').next().unwrap_or(word))
}

/// A value with its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The value that is reported.
    pub value: f64,
    /// A proven lower bound of the true value.
    pub lower: f64,
    /// A proven upper bound of the true value.
    pub upper: f64,
}

/// The largest relative difference between a number and its fraction.
const ROUNDED: f64 = 1e-12;
/// How many characters of a wrong fraction an error shows.
const LONGEST_SHOWN: usize = 40;

/// The results for a line of the table.
///
/// ```
/// use solved_table::LineValues;
///
/// let found = LineValues::from(&mdp::Value { lower: 0.25, upper: 0.25, exact: Some(mdp::ratio(1, 4)) });
/// assert_eq!((found.value(), found.exact.as_deref()), (0.25, Some("1/4")));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LineValues {
    /// Its values: as many as the table has.
    pub bounds: Vec<Bounds>,
    /// The first value as a fraction, if it was requested.
    pub exact: Option<String>,
}

impl LineValues {
    /// The first value.
    pub fn value(&self) -> f64 {
        self.bounds.first().map_or(f64::NAN, |own| own.value)
    }

    /// What is wrong with the fraction, if anything: it is invalid, or differs from the number. A program that saves
    /// the table again may have rounded the numbers.
    pub(crate) fn wrong_fraction(&self) -> Option<String> {
        let (exact, Bounds { value, lower, upper }) = (self.exact.as_ref()?, self.bounds.first()?);
        let shown: String = exact.chars().take(LONGEST_SHOWN).collect();
        let Some(fraction) = parse_fraction(exact) else {
            return Some(format!("exact is {shown:?}, which is no fraction"));
        };
        let (below, above) = enclose(&fraction);
        let room = ROUNDED * value.abs();
        let agrees = (nearest(&fraction) - value).abs() <= room && lower - room <= above && below <= upper + room;
        (!agrees).then(|| format!("exact is {shown:?}, which is not {value}"))
    }
}

impl From<&Value> for LineValues {
    fn from(value: &Value) -> Self {
        let bounds = Bounds { value: value.decimal(), lower: value.lower, upper: value.upper };
        Self { bounds: vec![bounds], exact: value.exact.as_ref().map(fraction_text) }
    }
}

/// What was solved, with its results.
pub type Solved = (Vec<Cell>, LineValues);

/// The known results, by what was solved.
pub type Known = FxHashMap<Vec<Cell>, LineValues>;

/// The columns of a table.
///
/// ```
/// use solved_table::Layout;
///
/// let cells = vec!["skill".into(), "luck".into()];
/// let layout = Layout { lines: "heroes", cells, values: vec!["win"], exact: true };
/// assert_eq!(layout.heads(), ["skill", "luck", "win", "lower", "upper", "exact"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The name of its lines, in the plural: `heroes`.
    pub lines: &'static str,
    /// The names of the columns that identify what was solved.
    pub cells: Vec<String>,
    /// The names of the values; the first has its bounds in the columns `lower` and `upper`, the others have their name
    /// as a prefix.
    pub values: Vec<&'static str>,
    /// Whether there is a column with fractions.
    pub exact: bool,
}

impl Layout {
    /// The names of all columns.
    pub fn heads(&self) -> Vec<String> {
        let exact = self.exact.then(|| "exact".to_string());
        self.cells.iter().cloned().chain(self.numbers()).chain(exact).collect()
    }

    /// The names of the columns with numeric results.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = String> {
        self.values.iter().enumerate().flat_map(|(place, name)| {
            let of = |bound: &str| if place == 0 { bound.to_string() } else { format!("{name}_{bound}") };
            [(*name).to_string(), of("lower"), of("upper")]
        })
    }
}
