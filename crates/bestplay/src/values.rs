//! Values of a number in an argument: `7..12`, `20..29/3`, `0,10,20`.

use std::str::FromStr;

/// The values that a number has in turn, in order, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(pub Vec<i32>);

impl FromStr for Values {
    type Err = &'static str;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        let mut values: Vec<i32> = Vec::new();
        for part in list.split(',').map(str::trim) {
            let number = |text: &str| text.trim().parse::<i32>().map_err(|_| "this is no number");
            let Some((from, to)) = part.split_once("..") else {
                values.push(number(part)?);
                continue;
            };
            let (to, step) = to.split_once('/').unwrap_or((to, "1"));
            let (from, to, step) = (number(from)?, number(to)?, number(step)?);
            let many = i64::from(to) - i64::from(from);
            if step < 1 || many < 0 || many / i64::from(step) > 1_000 {
                return Err("these are no values, or too many");
            }
            values.extend((from..=to).step_by(usize::try_from(step).unwrap_or(1)));
        }
        values.sort_unstable();
        values.dedup();
        Ok(Self(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_steps_and_lists() {
        assert_eq!("20..29/3, 5,5".parse(), Ok(Values(vec![5, 20, 23, 26, 29])));
        assert!(["", "x", "9..1", "1..9/0", "0..9999"].iter().all(|text| text.parse::<Values>().is_err()));
    }
}
