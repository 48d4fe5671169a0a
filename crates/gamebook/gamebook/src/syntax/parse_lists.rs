//! Parsing lists of disciplines, items, flags and readings, and names of policies, from arguments.

use std::collections::BTreeMap;

use super::arguments::ArgumentError;
use crate::book::{
    Book, DISCIPLINES, Discipline, Edition, Forget, HeroQuantity, ItemId, MOST_FORGOTTEN, Policy, System, VariableKind,
    discipline_names,
};

/// The error for an unknown `what`.
fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> ArgumentError {
    ArgumentError::unknown(format!("there is no {what} `{name}` in this book"), name, known)
}

/// Parses disciplines, with the weapon of `weaponskill=WEAPON`.
///
/// # Errors
/// An unknown discipline.
///
/// ```
/// use gamebook::{Discipline, read_disciplines};
///
/// let (disciplines, weapon) = read_disciplines(["hunting", "weaponskill=sword"])?;
/// assert_eq!(disciplines, [Discipline::Hunting, Discipline::Weaponskill]);
/// assert_eq!(weapon.as_deref(), Some("sword"));
/// assert!(read_disciplines(["juggling"]).is_err());
/// # Ok::<(), gamebook::ArgumentError>(())
/// ```
pub fn read_disciplines<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(Vec<Discipline>, Option<String>), ArgumentError> {
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

/// Parses items of a book with their counts: `meal=2`, or `meal` twice.
///
/// # Errors
/// An unknown item, or an invalid count.
///
/// ```
/// use gamebook::{built_in, read, read_items};
///
/// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
/// let meal = book.item("meal").unwrap();
/// assert_eq!(read_items(&book, ["meal=2", "meal"])?, [(meal, 3)]);
/// let wrong = read_items(&book, ["mael"]).unwrap_err();
/// assert_eq!(wrong.message, "there is no item `mael` in this book");
/// # Ok::<(), gamebook::ArgumentError>(())
/// ```
pub fn read_items<'a>(
    book: &Book,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<(ItemId, u8)>, ArgumentError> {
    let mut found: BTreeMap<ItemId, u8> = BTreeMap::new();
    for part in names {
        let (name, count) = part.split_once('=').unwrap_or((part, "1"));
        let known = book.items.iter().map(|item| item.name.as_str());
        let item = book.item(name).ok_or_else(|| unknown("item", name, known))?;
        let wrong = || ArgumentError::new(format!("`{part}` is not a number of items"), "write meal=2 for two of them");
        let count: u8 = count.parse().map_err(|_| wrong())?;
        let sum = found.entry(item).or_default();
        *sum = sum.saturating_add(count);
    }
    Ok(found.into_iter().collect())
}

/// Parses what is to be carried out of a book: items and `gold=10`; in a system of rules anything on the hero's sheet.
///
/// ```
/// use gamebook::{built_in, read, read_leaving};
///
/// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
/// assert_eq!(read_leaving(&book, ["gold=10", "sommerswerd"])?.len(), 2);
/// assert_eq!(read_leaving(&book, ["gold=99"]).unwrap_err().message, "`gold=99`: this cannot be");
/// # Ok::<(), gamebook::ArgumentError>(())
/// ```
///
/// # Errors
/// An unknown name, or an impossible number.
pub fn read_leaving<'a>(
    book: &Book,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<(HeroQuantity, i32)>, ArgumentError> {
    let one = |part: &'a str| {
        let (name, count) = part.split_once('=').unwrap_or((part, "1"));
        let found = match &book.system {
            Some(system) => {
                let known = system.own_variables().map(|(_, own)| own.name.as_str());
                let own = system.own_variables().find(|(_, own)| own.name == name);
                let (place, own) = own.ok_or_else(|| unknown("number or item", name, known))?;
                (HeroQuantity::Variable(place), own.most)
            }
            None if name == "gold" => (HeroQuantity::Gold, book.kai.most_gold.into()),
            None => {
                let known = book.items.iter().map(|item| item.name.as_str()).chain(["gold"]);
                let item = book.item(name).ok_or_else(|| unknown("item", name, known))?;
                (HeroQuantity::Item(item), book.most_of(&book.items[item]).into())
            }
        };
        let (quantity, most) = found;
        let count = count.parse().ok().filter(|count| (1..=most).contains(count));
        let wrong = || ArgumentError::new(format!("`{part}`: this cannot be"), format!("`{name}` is 1 to {most}"));
        Ok((quantity, count.ok_or_else(wrong)?))
    };
    names.into_iter().map(one).collect()
}

/// Disciplines in the form of [`read_disciplines`], separated by blanks; `none` if there are none.
pub(crate) fn disciplines_text(disciplines: &[Discipline], weapon: Option<&str>) -> String {
    or_none(&discipline_names(disciplines, weapon))
}

/// Items in the form of [`read_items`], separated by blanks; `none` if there are none.
pub(crate) fn items_text(book: &Book, items: &[(ItemId, u8)]) -> String {
    let text_of = |(item, count): &(ItemId, u8)| match (&book.items[*item].name, count) {
        (name, 1) => name.clone(),
        (name, count) => format!("{name}={count}"),
    };
    or_none(&items.iter().map(text_of).collect::<Vec<_>>())
}

/// Names separated by blanks; `none` if there are none.
pub(crate) fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(" ") }
}

/// Parses flags of a book, without duplicates.
///
/// # Errors
/// An unknown flag.
pub fn read_flags<'a>(book: &Book, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<usize>, ArgumentError> {
    let known = || book.flags.iter().map(String::as_str);
    let place = |name: &'a str| known().position(|flag| flag == name).ok_or_else(|| unknown("flag", name, known()));
    let mut found = names.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Parses skills of a system of rules, without duplicates; returns the indexes of their variables.
///
/// # Errors
/// An unknown skill.
///
/// ```
/// use gamebook::{read, read_skills};
///
/// let text = r#"book "Wood" format=1 rules="kai"
/// start 1
/// section 1 { victory; }"#;
/// let (book, _) = read(text)?;
/// let system = book.system.as_ref().unwrap();
/// assert_eq!(read_skills(system, ["hunting", "healing"])?.len(), 2);
/// assert!(read_skills(system, ["juggling"]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_skills<'a>(system: &System, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<usize>, ArgumentError> {
    let known = system.skills().map(|own| system.variables[own].name.as_str());
    let place = |name: &'a str| {
        let found = system.skills().find(|own| system.variables[*own].name == name);
        found.ok_or_else(|| unknown("skill", name, known.clone()))
    };
    let mut found = names.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Parses flags and skills of a system of rules, without duplicates; returns the indexes of their variables.
///
/// # Errors
/// An unknown flag or skill.
pub fn read_system_flags<'a>(
    system: &System,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<usize>, ArgumentError> {
    let is_flag = |kind: VariableKind| kind.is_yes_or_no() && kind != VariableKind::Circle;
    let flags = || system.variables.iter().enumerate().filter(|(_, own)| is_flag(own.kind));
    let known = flags().map(|(_, own)| own.name.as_str());
    let place = |name: &'a str| {
        let found = flags().find(|(_, own)| own.name == name);
        found.map(|(place, _)| place).ok_or_else(|| unknown("flag", name, known.clone()))
    };
    let mut found = names.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Parses readings such as `cheat=1`, without duplicates; `edition=first` stands for all readings of an edition that are not
/// given separately.
///
/// ```
/// use gamebook::{built_in, read, read_readings};
///
/// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
/// let first = read_readings(&book, &["edition=first".into()])?;
/// assert_eq!(first, read_readings(&book, &["tunnels=first-edition".into()])?);
/// // A reading given separately overrides the edition.
/// let readings = read_readings(&book, &["edition=first".into(), "tunnels=project-aon".into()])?;
/// assert_eq!(readings, [(5, 0)]);
/// # Ok::<(), gamebook::ArgumentError>(())
/// ```
///
/// # Errors
/// An unknown reading or edition.
pub fn read_readings(book: &Book, texts: &[String]) -> Result<Vec<(usize, usize)>, ArgumentError> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut edition: Option<&Edition> = None;
    for text in texts {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        if name == "edition" && book.readings.iter().all(|own| own.name != name) {
            if edition.replace(edition_named(book, value)?).is_some() {
                return Err(ArgumentError::new("two editions", "keep one"));
            }
            continue;
        }
        let known = book.readings.iter().map(|own| own.name.as_str());
        let Some(place) = known.clone().position(|own| own == name) else {
            return Err(ArgumentError::unknown(format!("this book has no reading `{name}`"), name, known));
        };
        let values: Vec<&str> = book.readings[place].values.iter().map(String::as_str).collect();
        let Some(own) = values.iter().position(|own| *own == value) else {
            return Err(ArgumentError::new(
                format!("`{name}` is not read as `{value}`"),
                format!("write {name}={}", values.join(&format!(" or {name}="))),
            ));
        };
        if found.iter().any(|(other, _)| *other == place) {
            return Err(ArgumentError::new(format!("`{name}` occurs twice"), "keep one"));
        }
        found.push((place, own));
    }
    for (place, own) in edition.into_iter().flat_map(|edition| &edition.readings) {
        if found.iter().all(|(other, _)| other != place) {
            found.push((*place, *own));
        }
    }
    Ok(found)
}

/// The edition with this name.
fn edition_named<'b>(book: &'b Book, name: &str) -> Result<&'b Edition, ArgumentError> {
    let known = book.editions.iter().map(|own| own.name.as_str());
    let found = book.editions.iter().find(|own| own.name == name);
    found.ok_or_else(|| ArgumentError::unknown(format!("this book has no edition `{name}`"), name, known))
}

/// Parses what need not be remembered: `gold`, items, flags and counters, in a system of rules variables, each in the whole
/// book or, as `gold@67`, from a section on; and names of the book's relaxed games.
///
/// ```
/// use gamebook::{built_in, read, read_forgets};
///
/// let (book, _) = read(built_in("fire-on-the-water").unwrap()).unwrap();
/// assert_eq!(read_forgets(&book, ["gold@30", "meal"])?[0].from, Some(30));
/// assert_eq!(read_forgets(&book, ["goold"]).unwrap_err().help, "did you mean `gold`?");
/// # Ok::<(), gamebook::ArgumentError>(())
/// ```
///
/// # Errors
/// An unknown name, or one of a vital number, an unknown section, or more than 64 names.
pub fn read_forgets<'a>(book: &Book, names: impl IntoIterator<Item = &'a str>) -> Result<Vec<Forget>, ArgumentError> {
    let each = |name: &'a str| match book.kinder.iter().find(|own| own.name == name) {
        Some(own) => own.forgets.iter().map(|name| read_forget(book, name)).collect(),
        None => vec![read_forget(book, name)],
    };
    let forgets: Vec<Forget> = names.into_iter().flat_map(each).collect::<Result<_, _>>()?;
    if forgets.len() > MOST_FORGOTTEN {
        return Err(ArgumentError::new(format!("more than {MOST_FORGOTTEN} names are forgotten"), "leave some out"));
    }
    Ok(forgets)
}

/// Parses one thing that need not be remembered, such as `gold@67`.
pub(crate) fn read_forget(book: &Book, text: &str) -> Result<Forget, ArgumentError> {
    let (name, section) = text.split_once('@').map_or((text, None), |(name, section)| (name, Some(section)));
    if book.system.as_ref().is_some_and(|own| own.variables.iter().any(|own| own.vital && own.name == name)) {
        let message = format!("`{name}` cannot be forgotten: the hero dies without it");
        return Err(ArgumentError::new(message, "leave it out"));
    }
    let known: Vec<&str> = match &book.system {
        Some(system) => {
            system.own_variables().filter(|(_, own)| !own.vital).map(|(_, own)| own.name.as_str()).collect()
        }
        None => {
            let items = book.items.iter().map(|item| item.name.as_str());
            let counters = book.counters.iter().map(|counter| counter.name.as_str());
            items.chain(book.flags.iter().map(String::as_str)).chain(counters).chain(["gold"]).collect()
        }
    };
    if !known.contains(&name) {
        let kinder = book.kinder.iter().map(|own| own.name.as_str());
        return Err(unknown("number or item", name, known.into_iter().chain(kinder)));
    }
    let none = |section: &str| ArgumentError::new(format!("there is no section {section}"), "write gold@67");
    let from = section.map(|own| book.section_named(own).ok_or_else(|| none(own))).transpose()?;
    Ok(Forget { name: name.into(), from })
}

/// The book's policy with this name.
///
/// # Errors
/// If there is none.
pub fn policy_named<'b>(book: &'b Book, name: &str) -> Result<&'b Policy, ArgumentError> {
    let known = book.policies.iter().map(|policy| policy.name.as_str());
    let found = book.policies.iter().find(|policy| policy.name == name);
    found.ok_or_else(|| ArgumentError::unknown(format!("there is no policy `{name}`"), name, known))
}
