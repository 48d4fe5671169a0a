//! Lists of disciplines and items, as arguments and questions have them.

use std::collections::BTreeMap;
use std::fmt;

use crate::book::{Book, ItemId};
use crate::discipline::{DISCIPLINES, Discipline};
use crate::problem::did_you_mean;

/// A list that names what there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError {
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ListError {}

/// There is no such `what` in the book.
fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> ListError {
    let help = did_you_mean(name, known.clone()).unwrap_or_else(|| {
        let known: Vec<&str> = known.collect();
        format!("there are {}", if known.is_empty() { "none".into() } else { known.join(", ") })
    });
    ListError { message: format!("there is no {what} `{name}` in this book"), help }
}

/// Disciplines by their names, and the weapon of `weaponskill=WEAPON`.
///
/// # Errors
/// A name that is no discipline's.
///
/// ```
/// use gamebook::{Discipline, read_disciplines};
///
/// let (disciplines, weapon) = read_disciplines(["hunting", "weaponskill=sword"])?;
/// assert_eq!(disciplines, [Discipline::Hunting, Discipline::Weaponskill]);
/// assert_eq!(weapon.as_deref(), Some("sword"));
/// assert!(read_disciplines(["juggling"]).is_err());
/// # Ok::<(), gamebook::ListError>(())
/// ```
pub fn read_disciplines<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(Vec<Discipline>, Option<String>), ListError> {
    let mut weapon = None;
    let mut found = Vec::new();
    for name in names {
        let plain = match name.strip_prefix("weaponskill=") {
            Some(of) => {
                weapon = Some(of.to_owned());
                "weaponskill"
            }
            None => name,
        };
        let known = DISCIPLINES.iter().map(|(_, name)| *name);
        found.push(plain.parse().map_err(|_: String| unknown("discipline", name, known))?);
    }
    Ok((found, weapon))
}

/// Items of a book by their names, each with how many of it: `meal=2`, or `meal` twice.
///
/// # Errors
/// A name that is no item's, or a number that is none.
///
/// ```
/// use gamebook::{built_in, read, read_items};
///
/// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
/// let meal = book.item("meal").unwrap();
/// assert_eq!(read_items(&book, ["meal=2", "meal"])?, [(meal, 3)]);
/// let wrong = read_items(&book, ["mael"]).unwrap_err();
/// assert_eq!(wrong.message, "there is no item `mael` in this book");
/// # Ok::<(), gamebook::ListError>(())
/// ```
pub fn read_items<'a>(book: &Book, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<(ItemId, u8)>, ListError> {
    let mut found: BTreeMap<ItemId, u8> = BTreeMap::new();
    for part in names {
        let (name, count) = part.split_once('=').unwrap_or((part, "1"));
        let known = book.items.iter().map(|item| item.name.as_str());
        let item = book.item(name).ok_or_else(|| unknown("item", name, known))?;
        let count: u8 = count.parse().map_err(|_| ListError {
            message: format!("`{part}` is no number of items"),
            help: "write meal=2 for two of them".into(),
        })?;
        let sum = found.entry(item).or_default();
        *sum = sum.saturating_add(count);
    }
    Ok(found.into_iter().collect())
}

/// Flags of a book by their names, each once.
///
/// # Errors
/// A name that is no flag's.
pub fn read_flags<'a>(book: &Book, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<usize>, ListError> {
    let known = || book.flags.iter().map(String::as_str);
    let place = |name: &'a str| known().position(|flag| flag == name).ok_or_else(|| unknown("flag", name, known()));
    let mut found = names.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
