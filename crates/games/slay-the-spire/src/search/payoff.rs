//! What the player plays for.

use mdp::Rational;

use super::induced_chain::Ending;
use crate::data::relic::Relic;
use crate::numbers::fraction::of_f64;
use crate::rules::spoils::Spoils;
use crate::rules::{Rules, RulesError};

/// What the player plays for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The expected health after the fight, where death counts 0.
    Health,
    /// The chance to survive.
    Survival,
    /// The least expected loss of health, by who cannot die, in a fight in which nothing heals.
    Loss,
    /// So much for each point of health that is left and that one can have, for surviving, and for each potion that is
    /// left; 0 for death.
    Weighted {
        /// For each point of health.
        health: f64,
        /// For being alive.
        survival: f64,
        /// For each potion.
        potion: f64,
        /// For each point of the highest health.
        max_health: f64,
    },
}

/// What the ends of a fight are worth.
#[derive(Clone, Debug)]
pub(crate) struct Payoff {
    /// Health has no limit, and what is lost counts.
    pub loss: bool,
    /// What an end is worth is convex in the health, death counted as none.
    pub convex: bool,
    /// For each point of health.
    health: f64,
    survival: f64,
    potion: f64,
    /// For each point of the highest health.
    highest: f64,
    /// By how much it can rise.
    most_gained: i16,
    /// Health that is gained when the fight is won.
    heal: i16,
    /// More health for who has at most half.
    heal_half: i16,
    max_health: i16,
}

impl Payoff {
    /// A hero who cannot die and can be healed would have no end to what he gains: that is refused.
    pub(crate) fn new(objective: Objective, rules: &Rules) -> Result<Self, RulesError> {
        if objective == Objective::Loss && rules.can_heal() {
            let why = "the loss of health by who can be healed in the fight: ask for health or survival instead";
            return Err(RulesError::Other(why.into()));
        }
        let (health, survival, potion, highest) = match objective {
            Objective::Health | Objective::Loss => (1.0, 0.0, 0.0, 0.0),
            Objective::Survival => (0.0, 1.0, 0.0, 0.0),
            Objective::Weighted { health, survival, potion, max_health } => (health, survival, potion, max_health),
        };
        let heal = if rules.has(Relic::BurningBlood) { 6 } else { 0 };
        let heal_half = if rules.has(Relic::MeatOnTheBone) { 12 } else { 0 };
        Ok(Self {
            loss: objective == Objective::Loss,
            convex: objective == Objective::Health && heal == 0 && heal_half == 0,
            health,
            survival,
            potion,
            highest,
            most_gained: rules.most_health() - rules.max_health,
            heal,
            heal_half,
            max_health: rules.max_health,
        })
    }

    /// The end of a fight that was won with so much health, with what heals then.
    pub(crate) fn ending(&self, health: i16, spoils: Spoils) -> Ending {
        let highest = self.max_health + i16::from(spoils.gained);
        // The Meat on the Bone looks first.
        let meat = if health * 2 <= highest { self.heal_half } else { 0 };
        Ending { health: (health + meat + self.heal).min(highest), spoils }
    }

    /// What it is worth to have won with so much health and these spoils.
    pub(crate) fn won(&self, health: i16, spoils: Spoils) -> f64 {
        self.of_end(self.ending(health, spoils))
    }

    /// What the end of a fight is worth.
    pub(crate) fn of_end(&self, end: Ending) -> f64 {
        if end.health > 0 { self.health * f64::from(end.health) + self.beside(end.spoils) } else { 0.0 }
    }

    /// What counts beside the health of who has survived.
    fn beside(&self, Spoils { potions, gained }: Spoils) -> f64 {
        let highest = self.highest * f64::from(self.max_health + i16::from(gained));
        self.survival + self.potion * f64::from(potions.count_ones()) + highest
    }

    /// What the end of a fight is worth exactly, where the weights are what their decimals say.
    pub(crate) fn exactly(&self, end: Ending) -> Option<Rational> {
        if end.health <= 0 {
            return Some(Rational::ZERO);
        }
        let potions = of_f64(self.potion)? * Rational::from(end.spoils.potions.count_ones());
        let highest = of_f64(self.highest)? * Rational::from(self.max_health + i16::from(end.spoils.gained));
        Some(of_f64(self.health)? * Rational::from(end.health) + of_f64(self.survival)? + potions + highest)
    }

    /// What counts among plays that are worth the same: the health that is left where survival is played for, else survival.
    pub(crate) fn second(&self, end: Ending) -> Rational {
        let survival_alone = self.health == 0.0 && self.potion == 0.0 && self.highest == 0.0;
        if survival_alone { Rational::from(end.health) } else { Rational::from(u8::from(end.health > 0)) }
    }

    /// What it is worth at most to have this much health on average, counting death as none.
    pub(crate) fn at_most(&self, health: f64, potions: u8) -> f64 {
        let most = self.max_health + self.most_gained;
        let healed = (health + f64::from(self.heal + self.heal_half)).min(most.into());
        let gained = u8::try_from(self.most_gained).expect("it was a number of 8 bits");
        self.health * healed + self.beside(Spoils { potions, gained })
    }

    /// Whether more health is never worth less, and neither health nor anything else is gained by waiting.
    pub(crate) fn is_monotone(&self) -> bool {
        self.heal_half == 0 && self.potion == 0.0
    }
}
