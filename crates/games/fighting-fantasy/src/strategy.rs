//! Rules of thumb for the use of luck: the paper's strategies 0 to 8, and its composite advice.

use std::fmt;
use std::str::FromStr;

/// The outcome of an attack round that was not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The enemy has wounded the hero.
    Lost,
    /// The hero has wounded the enemy.
    Won,
}

/// The conditions under which a player uses luck, by the staminas before the wound (in the paper's numbering).
///
/// Each is combined with a threshold: luck below it is never used.
///
/// ```
/// use fighting_fantasy::{Outcome, Strategy};
///
/// let careful: Strategy = "on-loss-if-hero-below-6".parse()?;
/// assert!(careful.uses_luck(Outcome::Lost, 5, 20));
/// assert!(!careful.uses_luck(Outcome::Lost, 6, 20));
/// assert_eq!("4".parse(), Ok(careful));
/// # Ok::<(), fighting_fantasy::UnknownStrategy>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// 0: never.
    Never,
    /// 1: after every round that is not drawn.
    Always,
    /// 2: after every lost round.
    OnLoss,
    /// 3: after every won round.
    OnWin,
    /// 4: after a lost round if the hero's stamina is below 6.
    OnLossIfHeroBelow6,
    /// 5: after a won round if the enemy's stamina is above 6.
    OnWinIfEnemyAbove6,
    /// 6: after every round if the hero's stamina is below 6.
    EitherIfHeroBelow6,
    /// 7: after every round if the hero's stamina is below 4.
    EitherIfHeroBelow4,
    /// 8: after every round if the enemy's stamina is above the hero's.
    EitherIfEnemyAboveHero,
}

impl Strategy {
    /// All strategies, each at the index of its number.
    pub const ALL: [Self; 9] = [
        Self::Never,
        Self::Always,
        Self::OnLoss,
        Self::OnWin,
        Self::OnLossIfHeroBelow6,
        Self::OnWinIfEnemyAbove6,
        Self::EitherIfHeroBelow6,
        Self::EitherIfHeroBelow4,
        Self::EitherIfEnemyAboveHero,
    ];

    /// The paper's number, 0 to 8.
    pub fn number(self) -> usize {
        self as usize
    }

    /// Its name in the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Always => "always",
            Self::OnLoss => "on-loss",
            Self::OnWin => "on-win",
            Self::OnLossIfHeroBelow6 => "on-loss-if-hero-below-6",
            Self::OnWinIfEnemyAbove6 => "on-win-if-enemy-above-6",
            Self::EitherIfHeroBelow6 => "either-if-hero-below-6",
            Self::EitherIfHeroBelow4 => "either-if-hero-below-4",
            Self::EitherIfEnemyAboveHero => "either-if-enemy-above-hero",
        }
    }

    /// Whether luck is used after this outcome; the staminas are those before the wound.
    pub fn uses_luck(self, outcome: Outcome, hero_stamina: u32, enemy_stamina: u32) -> bool {
        let won = outcome == Outcome::Won;
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::OnLoss => !won,
            Self::OnWin => won,
            Self::OnLossIfHeroBelow6 => !won && hero_stamina < 6,
            Self::OnWinIfEnemyAbove6 => won && enemy_stamina > 6,
            Self::EitherIfHeroBelow6 => hero_stamina < 6,
            Self::EitherIfHeroBelow4 => hero_stamina < 4,
            Self::EitherIfEnemyAboveHero => enemy_stamina > hero_stamina,
        }
    }

    /// The paper's composite advice: which of the strategies 1, 2 and 3 to adopt for a whole fight, by its beginning.
    ///
    /// The paper gives it in words ("high", "low"), and the figures of its last two cases are missing from the
    /// available text; here they are: always if luck is 10 or more or the hero's stamina is below 6; else on loss if
    /// the enemy's stamina is 2 or less (one wound ends the fight anyway), or if the hero's skill is at least 2 points
    /// better and the enemy's stamina is above the hero's; else on win.
    pub fn composite(skill_difference: i32, luck: u32, hero_stamina: u32, enemy_stamina: u32) -> Self {
        if luck >= 10 || hero_stamina < 6 {
            Self::Always
        } else if enemy_stamina <= 2 || (skill_difference >= 2 && enemy_stamina > hero_stamina) {
            Self::OnLoss
        } else {
            Self::OnWin
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not the name of a [`Strategy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownStrategy;

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a strategy; write a number from 0 to 8, or one of ")?;
        for (place, strategy) in Strategy::ALL.iter().enumerate() {
            write!(f, "{}{strategy}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        Self::ALL
            .into_iter()
            .find(|strategy| text == strategy.name() || text.parse() == Ok(strategy.number()))
            .ok_or(UnknownStrategy)
    }
}
