//! The combat results table, and the losses in each round of a fight.

use std::fmt;
use std::str::FromStr;

/// What one side loses in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// This many points of ENDURANCE.
    Points(u8),
    /// All of it, however much there is.
    Killed,
}

impl Loss {
    /// In points; [`Losses::KILLED`] for all of it.
    const fn points(self) -> u8 {
        match self {
            Self::Points(points) => points,
            Self::Killed => Losses::KILLED,
        }
    }
}

/// The losses of both sides in a round, in the table's notation: the enemy's loss first.
///
/// ```
/// use lone_wolf::{Cell, Loss};
///
/// assert_eq!("4/5".parse(), Ok(Cell { enemy: Loss::Points(4), hero: Loss::Points(5) }));
/// assert_eq!("0/k".parse(), Ok(Cell { enemy: Loss::Points(0), hero: Loss::Killed }));
/// assert!("4-5".parse::<Cell>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The enemy's loss.
    pub enemy: Loss,
    /// The hero's loss.
    pub hero: Loss,
}

/// A text that is not a [`Cell`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellError {
    text: String,
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.text.chars().take(20).collect();
        write!(f, "{shown:?} is no pair of losses: write the enemy's and the hero's, such as 4/5, 0/8 or 0/k (killed)")
    }
}

impl std::error::Error for CellError {}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        let loss = |text: &str| match text {
            "k" | "K" => Some(Loss::Killed),
            // Parsing would also accept a plus sign.
            _ if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok().map(Loss::Points),
            _ => None,
        };
        text.split_once('/')
            .and_then(|(enemy, hero)| Some(Self { enemy: loss(enemy)?, hero: loss(hero)? }))
            .ok_or_else(|| CellError { text: text.to_owned() })
    }
}

/// Which column of the table a combat ratio uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColumnRule {
    /// The rule of the books: 0 has a column of its own, then two ratios share one: 1 and 2, 3 and 4, and so on to 9
    /// and 10, and the same below 0; the outermost columns are for 11 and more, and -11 and less.
    #[default]
    Standard,
    /// Half the ratio rounded down, with the outermost columns as in the books: an old program did that. An odd ratio
    /// above 0 gets the column before its own, 1 that of 0.
    FloorHalf,
}

impl ColumnRule {
    /// A column from -6 to 6.
    fn column(self, ratio: i32) -> i32 {
        match (self, ratio) {
            (_, ..-10) => -6,
            (_, 11..) => 6,
            (Self::Standard, _) => ratio.signum() * (ratio.abs() + 1).div_euclid(2),
            (Self::FloorHalf, _) => ratio.div_euclid(2),
        }
    }
}

/// A combat results table: the losses of both sides in a round, by combat ratio and picked number.
///
/// ```
/// use lone_wolf::CombatTable;
///
/// let table = CombatTable::standard();
/// assert_eq!(table.cell(-5, 7), "6/3".parse()?);
/// assert_eq!(table.cell(-13, 1), "0/k".parse()?);
/// # Ok::<(), lone_wolf::CellError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CombatTable {
    columns: ColumnRule,
    rows: [[Cell; 13]; 10],
}

/// The table of the books: the enemy's and the hero's loss, a row for each picked number from 0, the columns from
/// "-11 or less" to "11 or more".
const STANDARD: [[(u8, u8); 13]; 10] = {
    const K: u8 = Losses::KILLED;
    [
        [(6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 0), (12, 0), (14, 0), (16, 0), (18, 0), (K, 0), (K, 0), (K, 0)],
        [(0, K), (0, K), (0, 8), (0, 6), (1, 6), (2, 5), (3, 5), (4, 5), (5, 4), (6, 4), (7, 4), (8, 3), (9, 3)],
        [(0, K), (0, 8), (0, 7), (1, 6), (2, 5), (3, 5), (4, 4), (5, 4), (6, 3), (7, 3), (8, 3), (9, 3), (10, 2)],
        [(0, 8), (0, 7), (1, 6), (2, 5), (3, 5), (4, 4), (5, 4), (6, 3), (7, 3), (8, 3), (9, 2), (10, 2), (11, 2)],
        [(0, 8), (1, 7), (2, 6), (3, 5), (4, 4), (5, 4), (6, 3), (7, 3), (8, 2), (9, 2), (10, 2), (11, 2), (12, 2)],
        [(1, 7), (2, 6), (3, 5), (4, 4), (5, 4), (6, 3), (7, 2), (8, 2), (9, 2), (10, 2), (11, 2), (12, 2), (14, 1)],
        [(2, 6), (3, 6), (4, 5), (5, 4), (6, 3), (7, 2), (8, 2), (9, 2), (10, 2), (11, 1), (12, 1), (14, 1), (16, 1)],
        [(3, 5), (4, 5), (5, 4), (6, 3), (7, 2), (8, 2), (9, 1), (10, 1), (11, 1), (12, 0), (14, 0), (16, 0), (18, 0)],
        [(4, 4), (5, 4), (6, 3), (7, 2), (8, 1), (9, 1), (10, 0), (11, 0), (12, 0), (14, 0), (16, 0), (18, 0), (K, 0)],
        [(5, 3), (6, 3), (7, 2), (8, 0), (9, 0), (10, 0), (11, 0), (12, 0), (14, 0), (16, 0), (18, 0), (K, 0), (K, 0)],
    ]
};

const fn loss(points: u8) -> Loss {
    if points == Losses::KILLED { Loss::Killed } else { Loss::Points(points) }
}

static STANDARD_TABLE: CombatTable = {
    let mut rows = [[Cell { enemy: Loss::Killed, hero: Loss::Killed }; 13]; 10];
    let mut pick = 0;
    while pick < 10 {
        let mut column = 0;
        while column < 13 {
            let (enemy, hero) = STANDARD[pick][column];
            rows[pick][column] = Cell { enemy: loss(enemy), hero: loss(hero) };
            column += 1;
        }
        pick += 1;
    }
    CombatTable { columns: ColumnRule::Standard, rows }
};

impl CombatTable {
    /// The table of the books.
    pub fn standard() -> &'static Self {
        &STANDARD_TABLE
    }

    /// A table with a row for each picked number, 0 to 9, of 13 columns from "-11 or less" to "11 or more".
    pub fn new(columns: ColumnRule, rows: [[Cell; 13]; 10]) -> Self {
        Self { columns, rows }
    }

    /// The losses of a round.
    ///
    /// # Panics
    /// When the picked number is above 9.
    pub fn cell(&self, ratio: i32, pick: u8) -> Cell {
        // Columns are -6 to 6.
        self.rows[usize::from(pick)][usize::try_from(self.columns.column(ratio) + 6).unwrap_or(0)]
    }
}

/// A bonus to the combat ratio (negative for a penalty) in the first rounds of a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimedBonus {
    /// The number of rounds; `u32::MAX`: always.
    pub rounds: u32,
    /// The change of the combat ratio.
    pub bonus: i32,
}

/// The conditions of a fight against one enemy.
///
/// ```
/// use lone_wolf::{CombatTable, Conditions, Losses, TimedBonus};
///
/// // The hero is 5 points worse, but not in the first two rounds, and feels the enemy's mindforce.
/// let surprise = TimedBonus { rounds: 2, bonus: 5 };
/// let fight = Conditions { ratio: -5, bonuses: vec![surprise], mindforce: 2, ..Conditions::default() };
/// assert_eq!(fight.steady_from(), 3);
/// let picked = |round, pick: usize| fight.round(CombatTable::standard(), round)[pick];
/// assert_eq!(picked(2, 9), Losses { hero: 2, enemy: 11 });
/// assert_eq!(picked(3, 9), Losses { hero: 2, enemy: 8 });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conditions {
    /// The hero's combat skill with all permanent bonuses, minus the enemy's.
    pub ratio: i32,
    /// Bonuses for the first rounds.
    pub bonuses: Vec<TimedBonus>,
    /// The hero's loss in every round in addition to the table's.
    pub mindforce: u8,
    /// The number of first rounds without that loss.
    pub mindforce_after: u32,
    /// The enemy's loss in every round in addition to the table's.
    pub helper: u8,
    /// The number of first rounds in which the hero loses nothing, not even to mindforce; `u32::MAX`: always.
    pub untouchable: u32,
    /// The number of first rounds in which the enemy loses nothing.
    pub only_parry: u32,
    /// Whether the enemy's loss from the table is doubled.
    pub double_damage: bool,
}

/// The losses of both sides in a round, in points of ENDURANCE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Losses {
    /// The hero's loss.
    pub hero: u8,
    /// The enemy's loss.
    pub enemy: u8,
}

impl Losses {
    /// The loss of all ENDURANCE, which is never more than this.
    pub const KILLED: u8 = u8::MAX;
}

impl Conditions {
    /// The first round (counted from 1) from which on the conditions no longer change.
    pub fn steady_from(&self) -> u32 {
        let changes = self.bonuses.iter().map(|timed| timed.rounds).chain([
            self.untouchable,
            self.mindforce_after,
            self.only_parry,
        ]);
        1 + changes.filter(|rounds| *rounds != u32::MAX).max().unwrap_or(0)
    }

    /// The losses of a round (counted from 1), by the picked number.
    pub fn round(&self, table: &CombatTable, round: u32) -> [Losses; 10] {
        let in_force = self.bonuses.iter().filter(|timed| round <= timed.rounds);
        let ratio = in_force.fold(self.ratio, |ratio, timed| ratio.saturating_add(timed.bonus));
        let mindforce = if round <= self.mindforce_after { 0 } else { self.mindforce };
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|pick| {
            let Cell { enemy, hero } = table.cell(ratio, pick);
            let hero = if round <= self.untouchable { 0 } else { hero.points().saturating_add(mindforce) };
            let enemy = enemy.points().saturating_mul(if self.double_damage { 2 } else { 1 });
            let enemy = if round <= self.only_parry { 0 } else { enemy.saturating_add(self.helper) };
            Losses { hero, enemy }
        })
    }
}

#[cfg(test)]
mod tests;
