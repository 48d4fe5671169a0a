//! Values of a number in an argument: `7..12`, `20..29/3`, `0,10,20`.

use std::str::FromStr;

/// The most values in one range of [`Values`].
const MOST: i64 = 1_001;

/// An error in a list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValues {
    /// The part between two commas.
    pub part: String,
    /// The error, in words.
    pub problem: &'static str,
}

/// The values of a list, in its order; a range may have at most `most`.
pub fn listed(list: &str, most: i64) -> Result<Vec<i64>, WrongValues> {
    let mut values = Vec::new();
    for part in list.split(',').map(str::trim) {
        let wrong = |problem| WrongValues { part: part.into(), problem };
        let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong("this is no number"));
        let Some((from, to)) = part.split_once("..") else {
            values.push(number(part)?);
            continue;
        };
        let (to, step) = to.split_once('/').unwrap_or((to, "1"));
        let (from, to, step) = (number(from)?, number(to)?, number(step)?);
        let width = to.checked_sub(from).filter(|width| step >= 1 && *width >= 0 && width / step < most);
        let steps = width.ok_or_else(|| wrong("these are no values, or too many"))? / step;
        values.extend((0..=steps).map(|place| from + place * step));
    }
    Ok(values)
}

/// The values of a number in ascending order, without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(pub Vec<i32>);

impl FromStr for Values {
    type Err = &'static str;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        let values = listed(list, MOST).map_err(|wrong| wrong.problem)?;
        let small: Result<Vec<i32>, _> = values.into_iter().map(i32::try_from).collect();
        let mut values = small.map_err(|_| "this is no number")?;
        values.sort_unstable();
        values.dedup();
        Ok(Self(values))
    }
}

#[cfg(test)]
mod tests;
