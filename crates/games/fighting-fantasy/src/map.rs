//! The best use of luck in every situation: the maps of the paper's figure 4 and supplementary figure 6.

use budget::{Budget, Stopped};
use mdp::{Rational, ratio};
use rayon::prelude::*;

use crate::decision::{Decision, Decisions, Question};
use crate::dice::lucky_rolls;
use crate::rules::Wound;
use crate::strategy::Outcome;
use crate::table::{Extent, Table, Use};

/// The best use of luck, and its exact value, for every luck up to a limit and all staminas from 1
/// to a limit, at one skill difference, in a fight without special rules.
///
/// ```
/// use budget::Budget;
/// use fighting_fantasy::{Amplify, Decision, Extent, LuckMap};
///
/// // A White Dragon (skill 15, stamina 22) against a hero of skill 12, stamina 24, luck 12.
/// let extent = Extent { skill_difference: -3, max_luck: 12, max_stamina: 24, amplify: Amplify::Four };
/// let map = LuckMap::new(extent, &Budget::unlimited())?;
/// assert_eq!(format!("{:.5}", map.win(12, 24, 22)), "0.04639");
/// assert_eq!(map.decisions(12, 24, 22).on_won_round, Decision::UseLuck);
/// # Ok::<(), budget::Stopped>(())
/// ```
pub struct LuckMap {
    extent: Extent,
    table: Table,
    /// For every luck, hero's stamina, enemy's stamina.
    decisions: Vec<Decisions>,
    wins: Vec<f64>,
}

impl LuckMap {
    /// Solves all fights of this extent.
    ///
    /// # Errors
    /// When the map would take more memory than the budget has, or the budget stops the run.
    pub fn new(extent: Extent, budget: &Budget<'_>) -> Result<Self, Stopped> {
        extent.claim(Self::bytes(extent), budget)?;
        Self::filled(extent, budget)
    }

    /// An upper bound of the memory of a map in bytes.
    fn bytes(extent: Extent) -> u64 {
        let each = (size_of::<Decisions>() + size_of::<f64>()) as u64;
        Table::bytes(extent).saturating_add(extent.situations().saturating_mul(each))
    }

    /// The map, after its memory has been requested.
    fn filled(extent: Extent, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let Extent { max_luck, max_stamina, .. } = extent;
        let mut decisions = vec![Decisions::default(); (max_luck as usize + 1) * (max_stamina as usize).pow(2)];
        let table = Table::fill(
            extent,
            budget,
            |_, _, _, _| Use::Best,
            |luck, outcome, hero, enemy, order| {
                let decision = Decision::from_comparison(order);
                let here = &mut decisions[extent.index(luck, hero, enemy)];
                match outcome {
                    Outcome::Lost => here.on_lost_round = decision,
                    Outcome::Won => here.on_won_round = decision,
                }
            },
        )?;
        let mut wins = Vec::with_capacity(decisions.len());
        for luck in 0..=max_luck {
            for hero in 1..=max_stamina {
                budget.check()?;
                wins.extend((1..=max_stamina).map(|enemy| table.nearest(Some(luck), hero, enemy)));
            }
        }
        Ok(Self { extent, table, decisions, wins })
    }

    /// Several maps, on all processors.
    ///
    /// # Errors
    /// When all of them together would take more memory than the budget has, or the budget stops the run.
    pub fn several(extents: impl IntoIterator<Item = Extent>, budget: &Budget<'_>) -> Result<Vec<Self>, Stopped> {
        let extents: Vec<Extent> = extents.into_iter().collect();
        let Some(first) = extents.first() else { return Ok(Vec::new()) };
        first.claim(extents.iter().fold(0, |sum, extent| sum.saturating_add(Self::bytes(*extent))), budget)?;
        extents.into_par_iter().map(|extent| Self::filled(extent, budget)).collect()
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

    /// The best decisions after a lost and after a won round.
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

    /// The decision about luck after a round, with the exact probability of winning for either answer.
    ///
    /// # Panics
    /// When the situation is not in the map.
    ///
    /// ```
    /// use budget::Budget;
    /// use fighting_fantasy::{Amplify, Extent, LuckMap, Outcome};
    ///
    /// // The enemy has 4 stamina left and is wounded: a lucky blow kills it, and luck 12 never fails.
    /// let extent = Extent { skill_difference: 0, max_luck: 12, max_stamina: 24, amplify: Amplify::Four };
    /// let map = LuckMap::new(extent, &Budget::unlimited())?;
    /// assert_eq!(map.question(Outcome::Won, 12, 1, 4).use_luck, Some(1.into()));
    /// # Ok::<(), budget::Stopped>(())
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
