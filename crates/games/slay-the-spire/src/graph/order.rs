//! Whether the order of the enemies matters.

use crate::data::enemy::Kind;
use crate::data::potion::Drink;
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::rules::{Rules, Track};

/// Whether enemies of these kinds can be permuted without changing anything but their places.
///
/// They act one after another, so the order matters if the action of one changes that of the next in the same turn:
/// They act one after another, so it matters when what one does changes what the next one does in the same
/// turn: Vulnerable on the player, a death that frees spores, block for others; and when it matters which of two
/// attacks the player's block stops, or which of two debuffs Artifact.
pub(crate) fn is_free(rules: &Rules, kinds: &[Kind]) -> bool {
    let unruly = |kind: &Kind| {
        matches!(kind, Kind::RedSlaver | Kind::GremlinNob | Kind::Lagavulin | Kind::ShieldGremlin | Kind::Sentry)
            || kind.splits()
    };
    let has_card = |name: &str| rules.cards.iter().any(|card| card.data().name == name);
    let drinks = |power: Power| {
        rules.potions.iter().any(
            |potion| matches!(potion.data().does, Drink::As(crate::data::card::Effect::Gain(gained, _)) if gained == power),
        )
    };
    let strikes_back = rules.has(Relic::BronzeScales) || has_card("flame-barrier") || drinks(Power::Thorns);
    let counting = [Relic::SelfFormingClay, Relic::CentennialPuzzle, Relic::GremlinHorn];
    let counts_hits = rules.tracks(Track::Wounds)
        || counting.into_iter().any(|relic| rules.has(relic))
        || drinks(Power::PlatedArmor)
        || drinks(Power::Artifact);
    !(kinds.iter().any(unruly) || counts_hits || strikes_back && kinds.contains(&Kind::FungiBeast))
}
