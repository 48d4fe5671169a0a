//! The sources of healing within a fight, and an upper bound of their amount.
//!
//! Reaper heals by what the enemies lose, so by no more than the health that they have: none of them ever gains any,
//! except that when one splits, each half has all that was left. Feed heals once for each enemy.

use super::Rules;
use super::state::Enemy;
use crate::data::card::Effect;
use crate::data::potion::Drink;
use crate::data::power::Power;
use crate::data::relic::Relic;

/// The sources of healing within a fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Healing {
    /// Whether potions heal, or effects of drinking them.
    pub drinks: bool,
    /// Whether damage heals.
    reaps: bool,
    /// The gain for each enemy that dies.
    fed: u8,
}

impl Healing {
    /// The sources of healing in a fight with these rules.
    pub(crate) fn new(rules: &Rules) -> Self {
        let effects =
            || rules.cards.iter().flat_map(|card| card.data().effects.iter().map(|effect| (card.form(), effect)));
        let fed = effects().map(|(form, effect)| if let Effect::HitFeeding(_, more) = effect { more[form] } else { 0 });
        let heals = |drink: Drink| {
            matches!(drink, Drink::Heal(_) | Drink::MaxHealth(_) | Drink::As(Effect::Gain(Power::Regeneration, _)))
        };
        Self {
            drinks: rules.potions.iter().any(|potion| heals(potion.data().does))
                || (rules.has(Relic::ToyOrnithopter) && !rules.potions.is_empty()),
            reaps: effects().any(|(_, effect)| matches!(effect, Effect::HitAllHealing(_))),
            fed: fed.max().unwrap_or(0),
        }
    }

    /// Whether there are any.
    pub(crate) fn is_any(self) -> bool {
        self.drinks || self.reaps || self.fed > 0
    }

    /// An upper bound of the healing in the rest of a fight against these enemies; `None` if there is none.
    pub(crate) fn most<'e>(self, enemies: impl Iterator<Item = &'e Enemy>) -> Option<u16> {
        let mut most = (!self.drinks).then_some(0)?;
        for enemy in enemies {
            if enemy.kind.splits() {
                return None;
            }
            most += u16::from(self.fed) + if self.reaps { enemy.health } else { 0 };
        }
        Some(most)
    }
}
