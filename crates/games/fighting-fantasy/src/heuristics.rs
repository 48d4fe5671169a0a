//! The quality of the rules of thumb: every strategy with every threshold, exactly, compared with best play.

use budget::{Budget, Stopped};
use mdp::Rational;
use rayon::prelude::*;

use crate::rules::Amplify;
use crate::strategy::Strategy;
use crate::table::{Extent, Table, Use, compare};

/// The exact chance to win a fight without special rules when luck is used by `strategy` and only while it is at least
/// `threshold`.
///
/// # Errors
/// When the computation would take more memory than the budget has, or the budget stops the run.
///
/// ```
/// use budget::Budget;
/// use fighting_fantasy::{Amplify, Fighters, Strategy, win_with_strategy};
///
/// let fighters = Fighters { skill_difference: 0, luck: 12, hero_stamina: 2, enemy_stamina: 2 };
/// // One wound decides: luck can only turn the first lost round into a wound of 1.
/// let win = win_with_strategy(fighters, Amplify::Four, Strategy::OnLoss, 1, &Budget::unlimited())?;
/// assert_eq!(win, mdp::ratio(3, 4));
/// # Ok::<(), budget::Stopped>(())
/// ```
pub fn win_with_strategy(
    fighters: Fighters,
    amplify: Amplify,
    strategy: Strategy,
    threshold: u32,
    budget: &Budget<'_>,
) -> Result<Rational, Stopped> {
    let extent = fighters.extent(amplify);
    extent.claim(Table::bytes(extent), budget)?;
    let table = strategy_table(extent, strategy, threshold, budget)?;
    Ok(table.exact(Some(fighters.luck), fighters.hero_stamina, fighters.enemy_stamina))
}

/// The beginning of a fight without special rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fighters {
    /// The hero's skill minus the enemy's.
    pub skill_difference: i32,
    /// The hero's luck.
    pub luck: u32,
    /// The hero's stamina, at least 1.
    pub hero_stamina: u32,
    /// The enemy's stamina, at least 1.
    pub enemy_stamina: u32,
}

impl Fighters {
    fn extent(self, amplify: Amplify) -> Extent {
        Extent {
            skill_difference: self.skill_difference,
            max_luck: self.luck,
            max_stamina: self.hero_stamina.max(self.enemy_stamina),
            amplify,
        }
    }
}

fn strategy_table(extent: Extent, strategy: Strategy, threshold: u32, budget: &Budget<'_>) -> Result<Table, Stopped> {
    Table::fill(
        extent,
        budget,
        |luck, outcome, hero, enemy| Use::Fixed(luck >= threshold && strategy.uses_luck(outcome, hero, enemy)),
        |_, _, _, _, _| (),
    )
}

/// One strategy in one situation, with its best threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The chance to win: the nearest floating-point number.
    pub win: f64,
    /// The difference from the best use of luck: the nearest floating-point number.
    pub loss: f64,
    /// The best thresholds, including exactly equal ones: bit t for "while luck is at least t", from 1 to the current
    /// luck. No bit at all: the strategy only does harm, never using luck is better than any threshold. Empty for
    /// [`Strategy::Never`].
    pub thresholds: u64,
}

impl Score {
    /// The best thresholds in ascending order.
    pub fn best_thresholds(self) -> impl Iterator<Item = u32> {
        (1..64).filter(move |threshold| self.thresholds >> threshold & 1 == 1)
    }
}

/// All strategies in one situation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// The chance to win with the best use of luck: the nearest floating-point number.
    pub best_play: f64,
    /// Every strategy of [`Strategy::ALL`] with its best threshold.
    pub strategies: [Score; 9],
    /// The strategies that are exactly the best: bit n for strategy n.
    pub winners: u16,
}

impl Scores {
    /// The number in supplementary figure 7: the first of the best strategies; 0 where none helps.
    pub fn figure_number(&self) -> u8 {
        // Of the nine strategies one is a winner.
        u8::try_from(self.winners.trailing_zeros()).unwrap_or(0)
    }
}

/// The scores of all strategies for every luck up to a limit and all staminas up to a limit, at one
/// skill difference.
pub struct HeuristicMap {
    extent: Extent,
    scores: Vec<Scores>,
}

/// The highest luck of a [`HeuristicMap`].
pub const MOST_LUCK_FOR_STRATEGIES: u32 = 40;

impl Extent {
    /// The same with luck limited to what strategies are scored for.
    fn cut(self) -> Self {
        Self { max_luck: self.max_luck.min(MOST_LUCK_FOR_STRATEGIES), ..self }
    }
}

impl HeuristicMap {
    /// Evaluates every strategy with every threshold in all fights of this extent; its luck is cut to
    /// [`MOST_LUCK_FOR_STRATEGIES`].
    ///
    /// # Errors
    /// When the computation would take more memory than the budget has, or the budget stops the run.
    pub fn new(extent: Extent, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let extent = extent.cut();
        extent.claim(Self::bytes(&[extent], 1), budget)?;
        Self::filled(extent, budget)
    }

    /// The memory of maps in bytes, of which at most this many are computed at the same time.
    fn bytes(extents: &[Extent], at_once: u64) -> u64 {
        let scores = |extent: &Extent| extent.situations().saturating_mul(size_of::<Scores>() as u64);
        let scores = extents.iter().map(scores).fold(0, u64::saturating_add);
        let largest = extents.iter().map(|extent| Table::bytes(*extent)).max().unwrap_or(0);
        // Best play, never, the current strategy, its best threshold, and the best of all strategies.
        scores.saturating_add(largest.saturating_mul(5 * at_once))
    }

    /// The map, after its memory has been requested.
    fn filled(extent: Extent, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let Extent { max_luck, max_stamina, .. } = extent;
        let optimal = Table::fill(extent, budget, |_, _, _, _| Use::Best, |_, _, _, _, _| ())?;
        let never = strategy_table(extent, Strategy::Never, 0, budget)?;
        let situations = || {
            (0..=max_luck).flat_map(move |luck| {
                (1..=max_stamina).flat_map(move |hero| (1..=max_stamina).map(move |enemy| (Some(luck), hero, enemy)))
            })
        };
        let mut scores: Vec<Scores> = situations()
            .map(|(luck, hero, enemy)| {
                let mut scores =
                    Scores { best_play: optimal.nearest(luck, hero, enemy), winners: 1, ..Scores::default() };
                scores.strategies[0] = Score {
                    win: never.nearest(luck, hero, enemy),
                    loss: optimal.nearest_excess(&never, luck, hero, enemy),
                    thresholds: 0,
                };
                scores
            })
            .collect();
        // The best value of any strategy so far, to find the winners exactly.
        let mut champion = never.clone();
        for strategy in Strategy::ALL.into_iter().skip(1) {
            let mut best = never.clone();
            for threshold in 1..=max_luck {
                let table = strategy_table(extent, strategy, threshold, budget)?;
                for (scores, (luck, hero, enemy)) in scores.iter_mut().zip(situations()) {
                    if luck < Some(threshold) {
                        continue;
                    }
                    let score = &mut scores.strategies[strategy.number()];
                    match compare(table.numerator(luck, hero, enemy), best.numerator(luck, hero, enemy)) {
                        std::cmp::Ordering::Less => continue,
                        std::cmp::Ordering::Equal => {}
                        std::cmp::Ordering::Greater => {
                            score.thresholds = 0;
                            best.take_from(&table, luck, hero, enemy);
                        }
                    }
                    score.thresholds |= 1 << threshold;
                }
            }
            for (scores, (luck, hero, enemy)) in scores.iter_mut().zip(situations()) {
                let score = &mut scores.strategies[strategy.number()];
                score.win = best.nearest(luck, hero, enemy);
                score.loss = optimal.nearest_excess(&best, luck, hero, enemy);
                match compare(best.numerator(luck, hero, enemy), champion.numerator(luck, hero, enemy)) {
                    std::cmp::Ordering::Less => continue,
                    std::cmp::Ordering::Equal => {}
                    std::cmp::Ordering::Greater => {
                        scores.winners = 0;
                        champion.take_from(&best, luck, hero, enemy);
                    }
                }
                scores.winners |= 1 << strategy.number();
            }
        }
        Ok(Self { extent, scores })
    }

    /// Several maps, on all processors.
    ///
    /// # Errors
    /// When the computation would take more memory than the budget has, or the budget stops the run.
    pub fn several(extents: impl IntoIterator<Item = Extent>, budget: &Budget<'_>) -> Result<Vec<Self>, Stopped> {
        let extents: Vec<Extent> = extents.into_iter().map(Extent::cut).collect();
        let Some(first) = extents.first() else { return Ok(Vec::new()) };
        let (maps, threads) = (extents.len() as u64, rayon::current_num_threads() as u64);
        first.claim(Self::bytes(&extents, maps.min(threads)), budget)?;
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

    /// The scores in one situation.
    ///
    /// # Panics
    /// When the situation is not in the map.
    pub fn scores(&self, luck: u32, hero_stamina: u32, enemy_stamina: u32) -> &Scores {
        &self.scores[self.extent.index(luck, hero_stamina, enemy_stamina)]
    }
}
