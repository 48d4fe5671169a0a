//! The possessions of winning heroes, as statistics.

use std::collections::BTreeMap;

use super::describe::Belongings;
use crate::terms::SectionNumber;

/// The distribution of a number over the heroes who win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberStatistics {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// The minimum.
    pub least: i32,
    /// The maximum.
    pub most: i32,
}

/// The possessions of the heroes who win.
///
/// ```
/// use gamebook::{Question, Solved, read};
/// use mdp::ExploreOptions;
///
/// let text = r#"
///     book "Purse" format=1 rules="lone-wolf"
///     start 1
///     goal 2
///     hero { combat-skill 15; endurance 25; }
///     items { special key; }
///     section 1 { pick { when 0 4 { gain gold 4; gain key; }; else { gain gold 8; }; }; goto 2; }
///     section 2 { victory; }
/// "#;
/// let (book, _) = read(text)?;
/// let options = ExploreOptions::default();
/// let journey = Solved::new(&book, &Question::new(&book), &options)?.journey(&options)?;
/// let ends = journey.ends();
/// let (name, gold) = &ends.numbers[1];
/// assert_eq!((name.as_str(), gold.mean, gold.deviation, gold.least, gold.most), ("gold", 6.0, 2.0, 4, 8));
/// assert_eq!(ends.has, [("key".to_string(), 0.5)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ends {
    /// ENDURANCE and gold, or the stats and counters of a system of rules.
    pub numbers: Vec<(String, NumberStatistics)>,
    /// Items and flags with the share of the winners who have them, the largest first.
    pub has: Vec<(String, f64)>,
}

impl Ends {
    /// Statistics over winning heroes with these probabilities.
    pub(crate) fn new(finals: &[(SectionNumber, Belongings, f64)]) -> Self {
        let all: f64 = finals.iter().map(|(.., probability)| probability).sum();
        if all <= 0.0 {
            return Self::default();
        }
        let mut sums: Vec<(String, Sums)> = Vec::new();
        let mut has: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
        for (_, own, probability) in finals {
            for (place, (name, number)) in numbers(own).into_iter().enumerate() {
                if sums.len() <= place {
                    sums.push((name.to_string(), Sums { mean: 0.0, square: 0.0, least: number, most: number }));
                }
                let (_, sum) = &mut sums[place];
                let share = probability / all;
                sum.mean += share * f64::from(number);
                sum.square += share * f64::from(number) * f64::from(number);
                sum.least = sum.least.min(number);
                sum.most = sum.most.max(number);
            }
            let items = own.items.iter().map(|(name, _)| name).chain(&own.flags);
            for name in items {
                let (share, times) = has.entry(name).or_default();
                *share += probability / all;
                *times += 1;
            }
        }
        let statistics = |own: Sums| {
            // Rounding must not give a constant a deviation.
            let variance = if own.least == own.most { 0.0 } else { (own.square - own.mean * own.mean).max(0.0) };
            let mean = if own.least == own.most { f64::from(own.least) } else { own.mean };
            NumberStatistics { mean, deviation: variance.sqrt(), least: own.least, most: own.most }
        };
        let mut has: Vec<(String, f64)> = has
            .into_iter()
            .map(|(name, (share, times))| (name.to_string(), share_of(share, times == finals.len())))
            .collect();
        has.sort_by(|left, right| right.1.total_cmp(&left.1));
        Self { numbers: sums.into_iter().map(|(name, own)| (name, statistics(own))).collect(), has }
    }
}

/// The share of the winners who have something: 1 only if all of them have it.
fn share_of(share: f64, all_have: bool) -> f64 {
    if all_have { 1.0 } else { share.min(1.0 - f64::EPSILON) }
}

/// The moments and the range of a number.
struct Sums {
    mean: f64,
    square: f64,
    least: i32,
    most: i32,
}

/// The numbers on a hero's sheet.
fn numbers(own: &Belongings) -> Vec<(&str, i32)> {
    match &own.stats {
        Some(stats) => stats.iter().map(|(name, number)| (name.as_str(), *number)).collect(),
        None => vec![("endurance", own.endurance.into()), ("gold", own.gold.into())],
    }
}
