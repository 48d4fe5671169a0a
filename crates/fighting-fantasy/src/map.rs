//! The best use of luck in every situation: the maps of the paper's figure 4 and supplementary figure 6.

use std::cmp::Ordering;
use std::fmt;

use mdp::{Rational, ratio};
use rayon::prelude::*;

use crate::analysis::Question;
use crate::dice::lucky_rolls;
use crate::rules::Wound;
use crate::strategy::Outcome;
use crate::table::{Extent, Table, Use};

/// How much stamina a lucky blow takes from the enemy instead of 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Amplify {
    /// 3: the variant of some books.
    Three,
    /// 4: the usual rule.
    #[default]
    Four,
}

impl Amplify {
    /// The wound, in points of stamina.
    pub fn damage(self) -> u32 {
        match self {
            Self::Three => 3,
            Self::Four => 4,
        }
    }
}

/// What is best after one outcome of a round, proved with exact numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decision {
    /// Using luck is better, by however little.
    UseLuck,
    /// Not using luck is better.
    Keep,
    /// Both are worth exactly the same.
    #[default]
    Either,
}

impl Decision {
    /// From how using luck compares with keeping it.
    pub(crate) fn from_comparison(using_luck: Ordering) -> Self {
        match using_luck {
            Ordering::Greater => Self::UseLuck,
            Ordering::Less => Self::Keep,
            Ordering::Equal => Self::Either,
        }
    }

    /// `use-luck`, `keep` or `either`.
    pub fn name(self) -> &'static str {
        match self {
            Self::UseLuck => "use-luck",
            Self::Keep => "keep",
            Self::Either => "either",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is best in one situation before a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decisions {
    /// If the round is lost.
    pub on_lost_round: Decision,
    /// If the round is won.
    pub on_won_round: Decision,
}

impl Decisions {
    /// The number in the paper's figures: 1 = use luck whatever the outcome, 2 = after a lost round,
    /// 3 = after a won round, 0 (a blank in the figures) = after neither. A tie counts as not using luck.
    pub fn figure_number(self) -> u8 {
        match (self.on_lost_round == Decision::UseLuck, self.on_won_round == Decision::UseLuck) {
            (true, true) => 1,
            (true, false) => 2,
            (false, true) => 3,
            (false, false) => 0,
        }
    }
}

/// A map asks for more memory than it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The memory that the map would take, in bytes.
    pub bytes: u128,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the map would take {} MiB, more than the limit of {} MiB", self.bytes >> 20, (MOST_LIMBS * 8) >> 20)
    }
}

impl std::error::Error for TooLarge {}

/// The largest map: 1 GiB.
pub(crate) const MOST_LIMBS: u128 = 1 << 27;

/// The best use of luck, and its exact value, for every luck up to a limit and all staminas from 1
/// to a limit, at one skill difference, in a fight without special rules.
///
/// ```
/// use fighting_fantasy::{Amplify, Decision, LuckMap};
///
/// // A White Dragon (skill 15, stamina 22) against a hero of skill 12, stamina 24, luck 12.
/// let map = LuckMap::new(-3, 12, 24, Amplify::Four)?;
/// assert_eq!(format!("{:.5}", map.win(12, 24, 22)), "0.04639");
/// assert_eq!(map.decisions(12, 24, 22).on_won_round, Decision::UseLuck);
/// # Ok::<(), fighting_fantasy::TooLarge>(())
/// ```
pub struct LuckMap {
    extent: Extent,
    table: Table,
    /// For every luck, hero's stamina, enemy's stamina.
    decisions: Vec<Decisions>,
    wins: Vec<f64>,
}

impl LuckMap {
    /// Solves all fights with a hero whose skill exceeds the enemy's by `skill_difference`.
    ///
    /// # Errors
    /// [`TooLarge`] when the map would take more than a gigabyte.
    pub fn new(skill_difference: i32, max_luck: u32, max_stamina: u32, amplify: Amplify) -> Result<Self, TooLarge> {
        let extent = Extent { skill_difference, max_luck, max_stamina, amplify };
        let limbs = Table::size(extent);
        if limbs > MOST_LIMBS {
            return Err(TooLarge { bytes: limbs * 8 });
        }
        let mut decisions = vec![Decisions::default(); (max_luck as usize + 1) * (max_stamina as usize).pow(2)];
        let table = Table::fill(
            extent,
            |_, _, _, _| Use::Best,
            |luck, outcome, hero, enemy, order| {
                let decision = Decision::from_comparison(order);
                let here = &mut decisions[extent.index(luck, hero, enemy)];
                match outcome {
                    Outcome::Lost => here.on_lost_round = decision,
                    Outcome::Won => here.on_won_round = decision,
                }
            },
        );
        let mut wins = Vec::with_capacity(decisions.len());
        for luck in 0..=max_luck {
            for hero in 1..=max_stamina {
                wins.extend((1..=max_stamina).map(|enemy| table.nearest(Some(luck), hero, enemy)));
            }
        }
        Ok(Self { extent, table, decisions, wins })
    }

    /// The maps of several skill differences, on all processors.
    ///
    /// # Errors
    /// [`TooLarge`] when all of them together would take more than a gigabyte.
    pub fn several(
        skill_differences: impl IntoIterator<Item = i32>,
        max_luck: u32,
        max_stamina: u32,
        amplify: Amplify,
    ) -> Result<Vec<Self>, TooLarge> {
        let differences: Vec<i32> = skill_differences.into_iter().collect();
        let limbs = Table::size(Extent { skill_difference: 0, max_luck, max_stamina, amplify });
        let limbs = limbs * differences.len() as u128;
        if limbs > MOST_LIMBS {
            return Err(TooLarge { bytes: limbs * 8 });
        }
        differences.into_par_iter().map(|difference| Self::new(difference, max_luck, max_stamina, amplify)).collect()
    }

    /// The hero's skill minus the enemy's.
    pub fn skill_difference(&self) -> i32 {
        self.extent.skill_difference
    }

    /// The highest luck in the map.
    pub fn max_luck(&self) -> u32 {
        self.extent.max_luck
    }

    /// The highest stamina in the map.
    pub fn max_stamina(&self) -> u32 {
        self.extent.max_stamina
    }

    /// What is best after a lost and after a won round.
    ///
    /// # Panics
    /// When the situation is not in the map.
    pub fn decisions(&self, luck: u32, hero_stamina: u32, enemy_stamina: u32) -> Decisions {
        self.decisions[self.extent.index(luck, hero_stamina, enemy_stamina)]
    }

    /// The chance to win: the floating-point number nearest to [`win_exact`](Self::win_exact), so
    /// the true value lies between its two neighbours.
    ///
    /// # Panics
    /// When the situation is not in the map.
    pub fn win(&self, luck: u32, hero_stamina: u32, enemy_stamina: u32) -> f64 {
        self.wins[self.extent.index(luck, hero_stamina, enemy_stamina)]
    }

    /// The exact chance to win before the next round is rolled, with the best use of luck.
    ///
    /// # Panics
    /// When the situation is not in the map.
    pub fn win_exact(&self, luck: u32, hero_stamina: u32, enemy_stamina: u32) -> Rational {
        self.extent.index(luck, hero_stamina, enemy_stamina);
        self.table.exact(Some(luck), hero_stamina, enemy_stamina)
    }

    /// The question of luck after a round, with the exact chance to win of either answer.
    ///
    /// # Panics
    /// When the situation is not in the map.
    ///
    /// ```
    /// use fighting_fantasy::{Amplify, LuckMap, Outcome};
    ///
    /// // The enemy has 4 stamina left and is wounded: a lucky blow kills it, and luck 12 never fails.
    /// let map = LuckMap::new(0, 12, 24, Amplify::Four)?;
    /// assert_eq!(map.question(Outcome::Won, 12, 1, 4).use_luck, Some(1.into()));
    /// # Ok::<(), fighting_fantasy::TooLarge>(())
    /// ```
    pub fn question(&self, outcome: Outcome, luck: u32, hero_stamina: u32, enemy_stamina: u32) -> Question {
        let decisions = self.decisions(luck, hero_stamina, enemy_stamina);
        let (decision, wound) = match outcome {
            Outcome::Lost => (decisions.on_lost_round, Wound::taken(2)),
            Outcome::Won => (decisions.on_won_round, Wound::dealt(2, self.extent.amplify)),
        };
        let after = |luck: u32, wound: u32| {
            let (hero, enemy) = match outcome {
                Outcome::Lost => (hero_stamina.saturating_sub(wound), enemy_stamina),
                Outcome::Won => (hero_stamina, enemy_stamina.saturating_sub(wound)),
            };
            match (hero, enemy) {
                (0, _) => Rational::ZERO,
                (_, 0) => Rational::ONE,
                (hero, enemy) => self.table.exact(Some(luck), hero, enemy),
            }
        };
        let lucky = ratio(lucky_rolls(luck).into(), 36);
        let use_luck = (luck > 0)
            .then(|| &lucky * after(luck - 1, wound.lucky) + (Rational::ONE - &lucky) * after(luck - 1, wound.unlucky));
        Question { decision, keep: Some(after(luck, wound.plain)), use_luck }
    }

    /// The exact chance to win without ever using luck.
    ///
    /// # Panics
    /// When the situation is not in the map.
    pub fn win_without_luck_exact(&self, hero_stamina: u32, enemy_stamina: u32) -> Rational {
        self.extent.index(0, hero_stamina, enemy_stamina);
        self.table.exact(None, hero_stamina, enemy_stamina)
    }
}
