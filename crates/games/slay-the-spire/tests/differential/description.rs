//! A position of either implementation as text, for comparison.

use std::collections::BTreeMap;

use slay_the_spire::{Action, Card, Power, Rules, State};

use super::fight::Fight;
use super::monsters::Monster;
use super::queue::Do;

/// The powers of the player in both implementations: the name there, and here. Counters of cards are compared where
/// something depends on them.
const POWERS: [(Power, &str); 33] = [
    (Power::Vulnerable, "vulnerable"),
    (Power::Weak, "weak"),
    (Power::Frail, "frail"),
    (Power::StrengthLoss, "lose strength"),
    (Power::DexterityLoss, "lose dexterity"),
    (Power::Artifact, "artifact"),
    (Power::Entangled, "entangled"),
    (Power::NoDraw, "no draw"),
    (Power::Metallicize, "metallicize"),
    (Power::PlatedArmor, "plated armor"),
    (Power::Thorns, "thorns"),
    (Power::FlameBarrier, "flame barrier"),
    (Power::Ritual, "ritual"),
    (Power::Regeneration, "regeneration"),
    (Power::Combust, "combust"),
    (Power::CombustCost, "combust cost"),
    (Power::DarkEmbrace, "dark embrace"),
    (Power::Evolve, "evolve"),
    (Power::FeelNoPain, "feel no pain"),
    (Power::FireBreathing, "fire breathing"),
    (Power::Rage, "rage"),
    (Power::Rupture, "rupture"),
    (Power::Barricade, "barricade"),
    (Power::Berserk, "berserk"),
    (Power::Brutality, "brutality"),
    (Power::Corruption, "corruption"),
    (Power::DemonForm, "demon form"),
    (Power::DoubleTap, "double tap"),
    (Power::Juggernaut, "juggernaut"),
    (Power::NextBlock, "next block"),
    (Power::Nunchaku, "nunchaku"),
    (Power::InkBottle, "ink-bottle"),
    (Power::Puzzle, "puzzle"),
];

/// A position as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Description(String);

fn listed(mut cards: Vec<String>) -> String {
    cards.sort();
    cards.join(" ")
}

fn dead() -> Description {
    Description("dead".into())
}

fn won(hp: i32, max_hp: i32, potions: usize) -> Description {
    Description(format!("won: {hp} of {max_hp}, {potions} potions"))
}

/// A position of the solver as text, for this health at the beginning of the turn; the intents of the enemies are
/// included within a turn.
pub fn theirs(rules: &Rules, state: &State, health: i16, within: bool) -> Description {
    let max_hp = i32::from(rules.max_health) + i32::from(state.player.has(Power::MaxHealth));
    let Some(hp) = state.health.after(health) else { return dead() };
    if state.is_over() {
        return won(hp.into(), max_hp, state.potions.count_ones() as usize);
    }
    let card = |slot: u8| rules.card(slot).to_string();
    let pile = |pile: &slay_the_spire::Pile| -> String {
        let cards = pile.iter().flat_map(|(slot, count)| std::iter::repeat_n(card(slot), count.into()));
        listed(cards.collect())
    };
    let known: Vec<String> = state.top.iter().take(state.known()).map(|slot| card(*slot)).collect();
    let mut powers: BTreeMap<&str, i32> = BTreeMap::new();
    for (power, name) in POWERS {
        powers.insert(name, state.player.has(power).into());
    }
    powers.insert("strength", state.player.strength.into());
    powers.insert("dexterity", state.player.dexterity.into());
    powers.insert("vigor", 8 * i32::from(state.player.has(Power::Akabeko)));
    powers.retain(|_, amount| *amount != 0);
    let monsters: Vec<String> = state
        .living()
        .map(|enemy| {
            let special = if enemy.kind.splits() { 0 } else { enemy.special };
            let next = if within { enemy.intends().unwrap_or("nothing") } else { "" };
            let kind = enemy.kind;
            let (hp, block, strength, vulnerable, weak) =
                (enemy.health, enemy.block, enemy.strength, enemy.vulnerable, enemy.weak);
            let (artifact, bite) = (enemy.artifact, enemy.bite);
            format!("{kind} {hp} {block} {strength} {vulnerable} {weak} {artifact} {special} {bite} {next}")
        })
        .collect();
    let mut asked = Vec::new();
    if state.waiting > 0 {
        let mut actions = Vec::new();
        rules.actions(state, &mut actions);
        asked = actions
            .iter()
            .map(|action| if let Action::Choose { slot } = action { card(*slot) } else { String::new() })
            .collect();
    }
    let (asked, exhausted) = (listed(asked), pile(&state.exhausted));
    let free = state.free.iter().filter(|slot| **slot != u8::MAX).map(|slot| card(*slot));
    let (free, anywhere) = (listed(free.collect()), listed(state.anywhere().map(card).collect()));
    let potions = state.potions;
    let (block, energy) = (state.player.block, state.energy);
    Description(format!(
        "{hp} of {max_hp}, block {block}, energy {energy}, hand {}, free {free}, draw {} then {known:?} with {anywhere}, discard {}, exhausted {exhausted}, \
         {powers:?}, potions {potions}, monsters {monsters:?}, asked {asked}",
        pile(&state.hand),
        pile(&state.draw),
        pile(&state.discard),
    ))
}

/// The same for the other implementation. `exhumes`: exhausted cards are kept if something depends on them.
pub fn ours(fight: &Fight, within: bool, exhumes: bool) -> Description {
    if fight.dead {
        return dead();
    }
    let max_hp = fight.max_hp;
    if fight.won() {
        return won(fight.hp, max_hp, fight.potions.len());
    }
    let names = |cards: &[super::cards::Card]| -> Vec<String> { cards.iter().map(super::cards::Card::text).collect() };
    let (unknown, known) = fight.draw.split_at(fight.draw.len() - fight.known);
    let known: Vec<String> = names(known).into_iter().rev().collect();
    let mut powers: BTreeMap<&str, i32> = BTreeMap::new();
    // The solver takes it away when the attack is played. Nothing that is queued in between depends on it.
    let vigor_ends = fight.asked.is_some() && fight.actions.contains(&Do::Power("vigor", -8));
    for (name, amount) in &fight.powers {
        if *name == "vigor" && vigor_ends {
            continue;
        }
        if !matches!(*name, "pen nib" | "art of war") && *amount != 0 {
            powers.insert(name, *amount);
        }
    }
    for relic in ["nunchaku", "ink-bottle"] {
        let counted = fight.counters.get(relic).filter(|counted| **counted > 0 && fight.relic(relic));
        powers.extend(counted.map(|counted| (relic, *counted)));
    }
    let monster = |monster: &Monster| {
        let special = match monster.kind {
            "the-guardian" if monster.open && !monster.closing => monster.threshold - monster.lost,
            _ => monster.amount("curl up"),
        };
        let next = if within { monster.next.unwrap_or("nothing") } else { "" };
        let (kind, hp, block, strength) = (monster.kind, monster.hp, monster.block, monster.amount("strength"));
        let (vulnerable, weak) = (monster.amount("vulnerable"), monster.amount("weak"));
        let (artifact, bite) = (monster.amount("artifact"), monster.bite);
        format!("{kind} {hp} {block} {strength} {vulnerable} {weak} {artifact} {special} {bite} {next}")
    };
    let monsters: Vec<String> = fight.monsters.iter().filter(|monster| monster.hp > 0).map(monster).collect();
    let asked = listed(fight.asked.as_deref().map(names).unwrap_or_default());
    let (free, anywhere) = (listed(names(&fight.free)), listed(names(&fight.anywhere)));
    let exhausted = if exhumes { listed(names(&fight.exhausted)) } else { String::new() };
    let potions: u32 = fight.potions.iter().map(|(place, _)| 1 << place).sum();
    let (hp, block, energy) = (fight.hp, fight.block, fight.energy);
    Description(format!(
        "{hp} of {max_hp}, block {block}, energy {energy}, hand {}, free {free}, draw {} then {known:?} with {anywhere}, discard {}, exhausted {exhausted}, \
         {powers:?}, potions {potions}, monsters {monsters:?}, asked {asked}",
        listed(names(&fight.hand)),
        listed(names(unknown)),
        listed(names(&fight.discard)),
    ))
}

/// A card of the other implementation.
pub fn card(card: Card) -> super::cards::Card {
    super::cards::Card::of(&card.to_string())
}
