//! The objective of the player.

use mdp::Rational;

use super::induced_chain::Ending;
use crate::data::relic::Relic;
use crate::numbers::fraction::of_f64;
use crate::rules::spoils::Spoils;
use crate::rules::state::Change;
use crate::rules::{Rules, RulesError};

/// The objective of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The expected health after the fight, where death counts 0.
    Health,
    /// The chance to survive.
    Survival,
    /// The chance to end the fight with at least this much health.
    AtLeast(i16),
    /// The least expected loss of health of a player who cannot die, in a fight in which nothing heals.
    Loss,
    /// The least expected number of turns. A defeat costs [`DEFEAT`] turns more, and so does a fight that is given up
    /// after a turn.
    Turns,
    /// A weighted sum: for each point of final and of maximum health, for surviving, and for each potion left; 0 for
    /// death.
    Weighted {
        /// For each point of health.
        health: f64,
        /// For being alive.
        survival: f64,
        /// For each potion.
        potion: f64,
        /// For each point of the maximum health.
        max_health: f64,
    },
}

impl Objective {
    /// Whether less is better.
    #[must_use]
    pub fn is_cost(self) -> bool {
        matches!(self, Self::Loss | Self::Turns)
    }

    /// A factor that makes more better.
    pub(crate) fn sign(self) -> f64 {
        if self.is_cost() { -1.0 } else { 1.0 }
    }
}

/// What a defeat costs, in turns. It can be given up to: so a player with more health, who can live through more turns
/// of a lost fight, is never worse off.
pub const DEFEAT: f64 = 1000.0;

/// The values of the ends of a fight.
#[derive(Clone, Debug)]
pub(crate) struct Payoff {
    /// Whether health has no limit, and the loss counts.
    pub loss: bool,
    /// Whether each turn costs 1, and a defeat [`DEFEAT`].
    pub turns: bool,
    /// Whether the value of an end is convex in the health, with death as 0.
    pub convex: bool,
    /// The health from which on an end is worth 1, if nothing else counts.
    least: Option<i16>,
    /// For each point of health.
    health: f64,
    survival: f64,
    potion: f64,
    /// For each point of the maximum health.
    highest: f64,
    /// By how much it can rise.
    most_gained: i16,
    /// Health that is gained when the fight is won.
    heal: i16,
    /// Additional health for a player with at most half.
    heal_half: i16,
    max_health: i16,
}

impl Payoff {
    /// An immortal hero who can be healed could gain without limit: that is refused.
    pub(crate) fn new(objective: Objective, rules: &Rules) -> Result<Self, RulesError> {
        if objective == Objective::Loss && rules.can_heal() {
            let why = "the loss of health has no meaning where the fight can heal: ask for health or survival instead";
            return Err(RulesError::Other(why.into()));
        }
        let (health, survival, potion, highest) = match objective {
            Objective::Health | Objective::Loss => (1.0, 0.0, 0.0, 0.0),
            Objective::Survival => (0.0, 1.0, 0.0, 0.0),
            Objective::AtLeast(_) | Objective::Turns => (0.0, 0.0, 0.0, 0.0),
            Objective::Weighted { health, survival, potion, max_health } => (health, survival, potion, max_health),
        };
        let heal = if rules.has(Relic::BurningBlood) { 6 } else { 0 };
        let heal_half = if rules.has(Relic::MeatOnTheBone) { 12 } else { 0 };
        Ok(Self {
            loss: objective == Objective::Loss,
            turns: objective == Objective::Turns,
            least: if let Objective::AtLeast(least) = objective { Some(least.max(1)) } else { None },
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

    /// The end of a fight won with this health, including healing at its end.
    pub(crate) fn ending(&self, health: i16, spoils: Spoils) -> Ending {
        let highest = self.max_health + i16::from(spoils.gained);
        // Meat on the Bone is applied first.
        let meat = if health * 2 <= highest { self.heal_half } else { 0 };
        Ending { health: (health + meat + self.heal).min(highest), spoils }
    }

    /// The value of a win with this health and these spoils.
    pub(crate) fn won(&self, health: i16, spoils: Spoils) -> f64 {
        self.of_end(self.ending(health, spoils))
    }

    /// The value of an end of the fight.
    pub(crate) fn of_end(&self, end: Ending) -> f64 {
        match self.least {
            _ if self.turns => {
                if end.health > 0 {
                    0.0
                } else {
                    -DEFEAT
                }
            }
            Some(least) => f64::from(u8::from(end.health >= least)),
            None if end.health > 0 => self.health * f64::from(end.health) + self.beside(end.spoils),
            None => 0.0,
        }
    }

    /// The value of surviving apart from health.
    fn beside(&self, Spoils { potions, gained }: Spoils) -> f64 {
        let highest = self.highest * f64::from(self.max_health + i16::from(gained));
        self.survival + self.potion * f64::from(potions.count_ones()) + highest
    }

    /// The exact value of an end of the fight, with the weights as decimals.
    pub(crate) fn exactly(&self, end: Ending) -> Option<Rational> {
        if let Some(least) = self.least {
            return Some(Rational::from(u8::from(end.health >= least)));
        }
        if end.health <= 0 {
            return Some(Rational::ZERO);
        }
        let potions = of_f64(self.potion)? * Rational::from(end.spoils.potions.count_ones());
        let highest = of_f64(self.highest)? * Rational::from(self.max_health + i16::from(end.spoils.gained));
        Some(of_f64(self.health)? * Rational::from(end.health) + of_f64(self.survival)? + potions + highest)
    }

    /// The second criterion for plays of equal value: the final health if the objective is a chance, otherwise survival.
    pub(crate) fn second(&self, end: Ending) -> Rational {
        let is_chance = self.health == 0.0 && self.potion == 0.0 && self.highest == 0.0;
        if is_chance { Rational::from(end.health) } else { Rational::from(u8::from(end.health > 0)) }
    }

    /// An upper bound of the value with this mean health, counting death as 0.
    pub(crate) fn at_most(&self, health: f64, potions: u8) -> f64 {
        if self.turns {
            return 0.0;
        }
        let most = self.max_health + self.most_gained;
        let healed = (health + f64::from(self.heal + self.heal_half)).min(most.into());
        if let Some(least) = self.least {
            // Markov's inequality.
            return (healed / f64::from(least) * (1.0 + f64::EPSILON)).min(1.0);
        }
        let gained = u8::try_from(self.most_gained).expect("it was a number of 8 bits");
        self.health * healed + self.beside(Spoils { potions, gained })
    }

    /// Whether values are negative: they add up what is lost on the way.
    pub(crate) fn is_cost(&self) -> bool {
        self.loss || self.turns
    }

    /// What is gained at an end of a turn, beside the value of what follows.
    pub(crate) fn gained(&self, change: Change) -> f64 {
        match (self.loss, self.turns) {
            (true, _) => f64::from(change.delta),
            (_, true) => -1.0,
            _ => 0.0,
        }
    }

    /// What an end of the fight costs, where values are negative.
    pub(crate) fn cost_of_end(&self, end: Ending) -> f64 {
        if self.turns { -self.of_end(end) } else { 0.0 }
    }

    /// Whether nothing is lost by giving the fight up before a position of at most this value.
    pub(crate) fn is_given_up(&self, most: f64) -> bool {
        self.turns && most <= -DEFEAT
    }

    /// Whether more health is never worse, and nothing is gained by waiting.
    pub(crate) fn is_monotone(&self) -> bool {
        self.heal_half == 0 && self.potion == 0.0
    }
}
