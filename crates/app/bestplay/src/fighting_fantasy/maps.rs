//! Maps of situations: their extents and formats.

use std::fmt::Write;
use std::ops::RangeInclusive;

use clap::ValueEnum;
use fighting_fantasy::{Amplify, Extent};

/// How a map is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MapFormat {
    /// For people
    Text,
    /// A table, one line for every situation
    Csv,
    /// One JSON object with `"format": 1`
    Json,
    /// A drawing
    Svg,
}

/// The stamina that a lucky blow costs the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AmplifyArg {
    /// 3 points of stamina: the variant of some books
    #[value(name = "3")]
    Three,
    /// 4 points of stamina: the usual rule
    #[value(name = "4")]
    Four,
}

impl From<AmplifyArg> for Amplify {
    fn from(arg: AmplifyArg) -> Self {
        match arg {
            AmplifyArg::Three => Self::Three,
            AmplifyArg::Four => Self::Four,
        }
    }
}

/// The skill differences of the paper's figures: beyond them one side wins every round.
pub(super) const DIFFERENCES: RangeInclusive<i32> = -10..=10;
/// The highest luck of the paper's figures.
pub(super) const MOST_LUCK: u32 = 12;

/// The maps of the paper's figures, up to this stamina.
pub(super) fn paper_extents(max_stamina: u32, amplify: Amplify) -> impl Iterator<Item = Extent> {
    DIFFERENCES.map(move |skill_difference| Extent { skill_difference, max_luck: MOST_LUCK, max_stamina, amplify })
}

/// The titles of all maps, a row for each skill difference.
pub(super) fn map_titles() -> Vec<Vec<String>> {
    let title = |difference, luck| format!("skill difference {}, luck {luck}", signed(difference));
    DIFFERENCES.map(|difference| (0..=MOST_LUCK).map(|luck| title(difference, luck)).collect()).collect()
}

/// A difference with its sign.
pub(super) fn signed(difference: i32) -> String {
    if difference == 0 { "0".into() } else { format!("{difference:+}") }
}

/// All pairs of staminas, the hero's first.
pub(super) fn staminas(most: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=most).flat_map(move |hero| (1..=most).map(move |enemy| (hero, enemy)))
}

/// A map in digits.
pub(super) fn grid(text: &mut String, side: u32, number: impl Fn(u32, u32) -> u8) {
    let column = |enemy: u32| if enemy == 1 || enemy.is_multiple_of(4) { format!("{enemy:>2}") } else { "  ".into() };
    let columns: Vec<String> = (1..=side).map(column).collect();
    let _ = writeln!(text, "         enemy's stamina\nhero's  {}", columns.join(""));
    for hero in 1..=side {
        let _ = write!(text, "{hero:>6}  ");
        for enemy in 1..=side {
            match number(hero, enemy) {
                0 => text.push_str(" ."),
                number => {
                    let _ = write!(text, " {number}");
                }
            }
        }
        text.push('\n');
    }
}
