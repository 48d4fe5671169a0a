//! Dominated ends of a turn.
//!
//! The proofs are by imitation: from the better end the player can do, draw by draw, what he would do from the worse
//! one, and is never worse off. That requires equal piles and an equal player, because equal draws must have equal
//! effects, and enemies whose rules do not depend on what differs:
//!
//! - An enemy with less health, more Vulnerable, more Weak, less strength, less bite, or less Curl Up takes at least as much
//!   from the same attacks and gives at most as much back. It dies no later, and then does nothing.
//! - An attack that the imitation would play at an enemy that is dead already is skipped. So every card with a target
//!   must only harm it ([`Rules::attacks_can_be_skipped`]), or it is the last enemy, whose death ends the fight.
//! - Nothing is gained by a longer fight, nor by being hit: where health can be gained, or losing it makes cards cheaper
//!   or brings block, cards or strength, enemies are not compared.
//! - It must not matter to others that an enemy dies early. It does for enemies that put cards into the piles
//!   (the piles would differ from then on), for spores, and beside a Shield Gremlin. Those are compared only when
//!   they stand alone; large slimes, which look at their health, never.

use crate::data::enemy::{Act, Kind};
use crate::rules::Rules;
use crate::rules::state::{ENEMIES, Enemy};

/// Enemies from the left.
pub(crate) type Standing = [Option<Enemy>; ENEMIES];

/// The conditions for a comparison of enemies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dominance {
    skippable: bool,
    /// Whether health can be gained, so that a longer fight may be better.
    pub heals: bool,
    /// Whether losing health can be useful.
    losses_help: bool,
}

impl Dominance {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { skippable: rules.attacks_can_be_skipped(), heals: rules.can_heal(), losses_help: rules.losses_help() }
    }

    /// Whether a fight against these enemies is at least as good for the player as one against those, all
    /// else being equal.
    pub(crate) fn is_as_good(self, these: &Standing, those: &Standing) -> bool {
        !(self.heals || self.losses_help)
            && these.iter().zip(those).all(|pair| match pair {
                (Some(this), Some(that)) => this == that || self.compares(this, that, these),
                (None, None) => true,
                _ => false,
            })
    }

    /// Whether this enemy can be compared with a weaker one at all.
    pub(crate) fn can_compare(self, enemy: &Enemy, all: &Standing) -> bool {
        !(self.heals || self.losses_help) && self.compares(enemy, enemy, all)
    }

    fn compares(self, this: &Enemy, that: &Enemy, all: &Standing) -> bool {
        // The cheapest tests come first.
        if this.health > that.health || this.strength > that.strength || this.special > that.special {
            return false;
        }
        let alone = all.iter().flatten().count() == 1;
        if this.kind != that.kind || this.kind.splits() || !(alone || self.skippable) {
            return false;
        }
        if !alone && (minds_dying(this.kind) || all.iter().flatten().any(|enemy| enemy.kind == Kind::ShieldGremlin)) {
            return false;
        }
        // A bite that has not been seen yet can have any strength.
        if this.bite > that.bite || (this.bite == 0) != (that.bite == 0) {
            return false;
        }
        let no_less_harmful = Enemy {
            health: that.health,
            vulnerable: that.vulnerable,
            weak: that.weak,
            strength: that.strength,
            special: that.special,
            bite: that.bite,
            ..*this
        } == *that;
        // Where an attack through block triggers something, attacks must have the same effects.
        let touchy = (this.kind == Kind::Lagavulin && this.memory > 0) || this.kind == Kind::MadGremlin;
        let same_harm = !touchy || this.vulnerable == that.vulnerable;
        // When the Guardian shifts depends on every point of health.
        let same_harm = same_harm
            && (this.kind != Kind::TheGuardian || (this.vulnerable, this.special) == (that.vulnerable, that.special));
        no_less_harmful && same_harm && this.vulnerable >= that.vulnerable && this.weak >= that.weak
    }
}

/// Whether the rest of the fight depends on when this enemy dies, apart from its own moves.
fn minds_dying(kind: Kind) -> bool {
    adds_cards(kind) || kind == Kind::FungiBeast
}

/// Whether it puts cards into the player's piles.
pub(crate) fn adds_cards(kind: Kind) -> bool {
    kind.data().moves.iter().flat_map(|data| data.acts).any(|act| match act {
        Act::Create(..) | Act::Burn(_) | Act::Inferno => true,
        Act::Split(left, right) => adds_cards(*left) || adds_cards(*right),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
