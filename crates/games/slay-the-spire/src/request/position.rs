//! A position within a turn, as a file has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::data::card::Card;
use crate::data::enemy::Kind;
use crate::data::name::{self, UnknownName};
use crate::data::potion::Potion;
use crate::data::power::Power;
use crate::data::relic::{Relic, Relics};
use crate::rules::fight_start::splits_at;
use crate::rules::setup::Hero;
use crate::rules::state::{ENEMIES, Enemy, FREE, KNOWN, NONE, Pile, Player, State};
use crate::rules::{HIGHEST_ASCENSION, HIGHEST_HEALTH, Rules, Track};

/// A position of a fight in which it is the player's turn.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionFile {
    /// Counted from 1; nothing depends on it.
    #[serde(default)]
    #[expect(dead_code, reason = "files have it, and nothing depends on it")]
    pub(super) turn: u16,
    #[serde(alias = "health")]
    pub(super) hp: i16,
    pub(super) max_hp: Option<i16>,
    #[serde(default)]
    pub(super) ascension: u8,
    #[serde(default)]
    pub(super) relics: Vec<String>,
    #[serde(default)]
    pub(super) block: u16,
    #[serde(default = "full_energy")]
    pub(super) energy: u8,
    #[serde(default)]
    pub(super) strength: i16,
    #[serde(default)]
    pub(super) dexterity: i16,
    #[serde(default)]
    pub(super) vulnerable: u8,
    #[serde(default)]
    pub(super) weak: u8,
    #[serde(default)]
    pub(super) frail: u8,
    #[serde(default)]
    pub(super) metallicize: u8,
    #[serde(default)]
    pub(super) entangled: bool,
    #[serde(default)]
    pub(super) akabeko_unused: bool,
    /// The counters of relics that count across fights.
    pub(super) pen_nib: Option<u8>,
    pub(super) nunchaku: Option<u8>,
    pub(super) happy_flower: Option<u8>,
    pub(super) ink_bottle: Option<u8>,
    /// Whether health has been lost in this fight.
    #[serde(default)]
    pub(super) centennial_puzzle_used: bool,
    /// Further powers by name, each with its amount.
    #[serde(default)]
    pub(super) powers: BTreeMap<String, u8>,
    /// What was played this turn, where a card or a relic counts it.
    #[serde(default)]
    pub(super) attacks_played: u8,
    #[serde(default)]
    pub(super) skills_played: u8,
    #[serde(default)]
    pub(super) cards_played: u8,
    /// How often health was lost in this fight, where the cost of a card depends on it.
    #[serde(default)]
    pub(super) losses: u8,
    /// The cards that are known to lie on top of the draw pile, the next one first; `draw` has the others.
    #[serde(default)]
    pub(super) top: Vec<String>,
    /// Cards of the hand that cost nothing this turn.
    #[serde(default)]
    pub(super) free: Vec<String>,
    pub(super) hand: BTreeMap<String, u8>,
    #[serde(default)]
    pub(super) draw: BTreeMap<String, u8>,
    #[serde(default)]
    pub(super) discard: BTreeMap<String, u8>,
    #[serde(default)]
    pub(super) exhausted: BTreeMap<String, u8>,
    #[serde(default)]
    pub(super) potions: BTreeMap<String, u8>,
    pub(super) enemies: Vec<EnemyFile>,
    /// Fields of the reference files that are not part of a position.
    #[serde(default)]
    #[expect(dead_code, reason = "reference files have it, and it is what is asked for")]
    pub(super) value: serde::de::IgnoredAny,
    #[serde(default)]
    #[expect(dead_code, reason = "reference files have it, and it is what is asked for")]
    pub(super) plays: serde::de::IgnoredAny,
}

/// An enemy as a file has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EnemyFile {
    pub(super) kind: String,
    pub(super) hp: u16,
    pub(super) max_hp: Option<u16>,
    pub(super) intent: String,
    #[serde(default)]
    pub(super) run: u8,
    #[serde(default)]
    pub(super) block: u16,
    #[serde(default)]
    pub(super) strength: i16,
    #[serde(default)]
    pub(super) vulnerable: u8,
    #[serde(default)]
    pub(super) weak: u8,
    #[serde(default)]
    pub(super) curl_up: u8,
    pub(super) bite: Option<u8>,
    #[serde(default, deserialize_with = "flag")]
    pub(super) enraged: u8,
    #[serde(default, deserialize_with = "flag")]
    pub(super) entangle_used: u8,
    #[serde(default)]
    #[expect(dead_code, reason = "it follows from being asleep")]
    pub(super) metallicize: u8,
    pub(super) slept: Option<u8>,
    #[serde(default)]
    pub(super) artifact: u8,
    #[serde(default, deserialize_with = "flag")]
    pub(super) blasted: u8,
    /// Guardian: how much health it must still lose before it shifts, and how often it has opened again.
    pub(super) mode_shift: Option<u8>,
    #[serde(default)]
    pub(super) shifted: u8,
    /// Hexaghost: the strength of Divider, and whether its Burns are upgraded.
    pub(super) divider: Option<u8>,
    #[serde(default, deserialize_with = "flag")]
    pub(super) burns_upgraded: u8,
}

/// 1 for `true`, as positions store it.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    bool::deserialize(deserializer).map(u8::from)
}

fn full_energy() -> u8 {
    3
}

/// A position with the rules of its fight.
#[derive(Clone, Debug)]
pub struct Position {
    /// The rules.
    pub rules: Rules,
    /// The kinds of the enemies.
    pub kinds: Vec<Kind>,
    /// The position.
    pub state: State,
    /// The player's health.
    pub health: i16,
}

type Failed = String;

/// More losses of health make no card cheaper.
const MOST_LOSSES: u8 = 4;

impl PositionFile {
    /// The position that the file describes.
    ///
    /// # Errors
    /// An error message as text.
    pub fn position(&self) -> Result<Position, Failed> {
        let max_health = self.in_range()?;
        let piles = [&self.hand, &self.draw, &self.discard, &self.exhausted];
        let mut deck = Vec::new();
        for pile in piles {
            deck.extend(cards(pile)?);
        }
        let top: Vec<Card> = self.top.iter().map(|name| parse(name)).collect::<Result<_, _>>()?;
        if top.len() > KNOWN {
            return Err(format!("top: at most {KNOWN} cards are known"));
        }
        deck.extend(&top);
        if cards(&self.hand)?.len() > 10 {
            return Err("hand: at most 10 cards".into());
        }
        let relics: Relics = self.relics.iter().map(|name| parse::<Relic>(name)).collect::<Result<_, _>>()?;
        let mut potions = Vec::new();
        for (name, count) in &self.potions {
            let potion: Potion = parse(name)?;
            potions.extend(std::iter::repeat_n(potion, usize::from(*count).min(9)));
        }
        let enemies = self.enemies.iter().map(|enemy| enemy.enemy(self.ascension)).collect::<Result<Vec<_>, _>>()?;
        let kinds: Vec<Kind> = enemies.iter().map(|enemy| enemy.kind).collect();
        let rules = Rules::new(self.ascension, max_health, &deck, &kinds, relics, &potions);
        let rules = Rules { health: self.hp, ..rules.map_err(|error| error.to_string())? };
        let mut state = rules.start(&[], &enemies);
        for (place, enemy) in state.enemies.iter_mut().zip(&enemies) {
            *place = Some(*enemy);
        }
        let pile = |names| cards(names).map(|cards| rules.pile(&cards));
        state.hand = pile(&self.hand)?;
        state.draw = pile(&self.draw)?;
        state.discard = pile(&self.discard)?;
        state.exhausted = if rules.tracks(Track::Exhausted) { pile(&self.exhausted)? } else { Pile::default() };
        state.energy = self.energy;
        state.health = crate::rules::state::Change::none(rules.most_health());
        let player = &mut state.player;
        player.powers = [0; Power::COUNT];
        (player.block, player.strength, player.dexterity) = (self.block, self.strength, self.dexterity);
        let skull = rules.has(Relic::RedSkull);
        let given = [
            (Power::Vulnerable, self.vulnerable),
            (Power::Weak, self.weak),
            (Power::Frail, self.frail),
            (Power::Metallicize, self.metallicize),
            (Power::Entangled, u8::from(self.entangled)),
            (Power::Akabeko, u8::from(self.akabeko_unused)),
            (Power::Puzzle, u8::from(rules.has(Relic::CentennialPuzzle) && !self.centennial_puzzle_used)),
            (Power::Health, if skull { u8::try_from(self.hp).unwrap_or(u8::MAX) } else { 0 }),
            (Power::Skull, u8::from(skull && 2 * self.hp <= max_health)),
            (Power::Thorns, if rules.has(Relic::BronzeScales) { 3 } else { 0 }),
        ];
        for (power, amount) in given {
            player.set(power, amount);
        }
        for (relic, power, counted, most) in [
            (Relic::PenNib, Power::PenNib, self.pen_nib, 9),
            (Relic::Nunchaku, Power::Nunchaku, self.nunchaku, 9),
            (Relic::HappyFlower, Power::HappyFlower, self.happy_flower, 2),
            (Relic::InkBottle, Power::InkBottle, self.ink_bottle, 9),
        ] {
            player.set(power, counter(relic, rules.has(relic), counted, most)?);
        }
        self.played_and_powers(&rules, player)?;
        self.known_and_free(&rules, &top, &mut state)?;
        Ok(Position { rules, kinds, state, health: self.hp })
    }
}

impl PositionFile {
    /// Whether the numbers can be; the maximum of the health.
    fn in_range(&self) -> Result<i16, Failed> {
        let max_health = self.max_hp.unwrap_or_else(|| Hero::new(self.ascension).max_health.max(self.hp));
        if self.ascension > HIGHEST_ASCENSION || !(1..=HIGHEST_HEALTH).contains(&max_health) {
            return Err(format!("max_hp goes from 1 to {HIGHEST_HEALTH}, ascension from 0 to {HIGHEST_ASCENSION}"));
        }
        if !(1..=max_health).contains(&self.hp) {
            return Err(format!("hp goes from 1 to max_hp, {max_health} here"));
        }
        if self.enemies.is_empty() || self.enemies.len() > ENEMIES {
            return Err(format!("enemies: expected 1 to {ENEMIES}"));
        }
        if self.energy > 20 || self.block > 999 || self.strength.abs() > 999 || self.dexterity.abs() > 999 {
            return Err("energy goes up to 20, block, strength and dexterity up to 999".into());
        }
        Ok(max_health)
    }

    /// Cards that are known to lie on top, and cards that cost nothing.
    fn known_and_free(&self, rules: &Rules, top: &[Card], state: &mut State) -> Result<(), Failed> {
        for card in top.iter().rev() {
            rules.slot(*card).into_iter().for_each(|slot| state.put_on_top(slot));
        }
        if self.free.len() > FREE {
            return Err(format!("free: at most {FREE} cards cost nothing"));
        }
        for name in &self.free {
            let card: Card = parse(name)?;
            match rules.slot(card).filter(|slot| state.hand.count(*slot) > 0) {
                Some(slot) => state.free_card(slot),
                None => return Err(format!("free: there is no {card} in the hand")),
            }
        }
        Ok(())
    }

    /// What was played and lost, and powers by name.
    fn played_and_powers(&self, rules: &Rules, player: &mut Player) -> Result<(), Failed> {
        let counted = [
            (Power::Attacks, self.attacks_played),
            (Power::Skills, self.skills_played),
            (Power::Played, self.cards_played),
            (Power::Wounds, self.losses.min(MOST_LOSSES)),
        ];
        for (power, count) in counted.into_iter().filter(|(power, _)| rules.keeps(*power)) {
            player.set(power, count);
        }
        for (name, amount) in &self.powers {
            player.set(power_called(name)?, *amount);
        }
        let (damage, cost) = (player.has(Power::Combust), player.has(Power::CombustCost));
        if damage > 0 && cost == 0 {
            return Err("powers: with combust a position must give combust-cost, the health that it takes".into());
        }
        Ok(())
    }
}

/// The power of a name; those that are relics' counters have fields of their own.
fn power_called(name: &str) -> Result<Power, Failed> {
    const COUNTERS: [Power; 7] = [
        Power::Akabeko,
        Power::Nunchaku,
        Power::PenNib,
        Power::HappyFlower,
        Power::InkBottle,
        Power::Puzzle,
        Power::MaxHealth,
    ];
    let own = name::normal(name);
    let powers = Power::SHOWN.iter().filter(|(power, _)| !COUNTERS.contains(power));
    let all: Vec<(Power, String)> = powers
        .map(|(power, name)| (*power, name::normal(name)))
        .chain([(Power::CombustCost, "combust-cost".to_string())])
        .collect();
    let found = all.iter().find(|(_, name)| *name == own).map(|(power, _)| *power);
    found.ok_or_else(|| UnknownName::new("power", &own, all.iter().map(|(_, name)| name.as_str())).to_string())
}

impl EnemyFile {
    fn enemy(&self, ascension: u8) -> Result<Enemy, Failed> {
        let kind: Kind = parse(&self.kind)?;
        if !(1..=999).contains(&self.hp) || self.block > 999 || self.strength.abs() > 999 {
            return Err(format!("{kind}: hp goes from 1 to 999, block and strength up to 999"));
        }
        let Some(intent) = kind.move_called(&self.intent) else {
            let moves: Vec<&str> = kind.data().moves.iter().map(|data| data.name).collect();
            return Err(format!("{kind}: no move is called '{}'; there are {}", shown(&self.intent), moves.join(", ")));
        };
        let memory = match kind {
            Kind::Cultist => u8::from(intent == 1),
            Kind::RedSlaver => self.entangle_used,
            Kind::GremlinNob => self.enraged,
            Kind::Lagavulin if intent == 0 => 3u8.saturating_sub(self.slept.unwrap_or(0)),
            Kind::GremlinWizard => self.blasted,
            Kind::TheGuardian => self.shifted,
            Kind::Hexaghost => self.burns_upgraded,
            _ => 0,
        };
        let counted = crate::data::moves::counts_run(kind, ascension, intent, memory);
        let longest = crate::data::moves::longest_run(kind);
        let bite = self.bite.or(self.divider).unwrap_or(0);
        if kind == Kind::Hexaghost && intent == 1 && bite == 0 {
            return Err(format!("{kind}: divider is how hard each of its hits is"));
        }
        if kind.is_louse() && intent == 0 && bite == 0 {
            return Err(format!("{kind}: its bite is seen when it intends to bite"));
        }
        let special = match kind {
            _ if kind.splits() => splits_at(self.max_hp.unwrap_or(*kind.health(ascension).end())),
            Kind::TheGuardian => self.mode_shift.unwrap_or(Kind::mode_shift(ascension, self.shifted)),
            _ => self.curl_up,
        };
        Ok(Enemy {
            kind,
            health: self.hp,
            block: self.block,
            strength: self.strength,
            vulnerable: self.vulnerable,
            weak: self.weak,
            intent,
            run: if counted { self.run.clamp(1, longest) } else { 0 },
            memory,
            special,
            bite,
            artifact: self.artifact,
        })
    }
}

/// The counter of a relic, which a position must give, since it lasts from fight to fight.
fn counter(relic: Relic, is_there: bool, counted: Option<u8>, most: u8) -> Result<u8, Failed> {
    match counted {
        Some(counted) if is_there && counted <= most => Ok(counted),
        None if !is_there => Ok(0),
        _ if is_there => Err(format!("{}: with {relic} a position must give its counter, 0 to {most}", field(relic))),
        _ => Err(format!("{}: there is no {relic} among the relics", field(relic))),
    }
}

fn field(relic: Relic) -> String {
    underscored(&relic.to_string())
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, Failed>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn shown(text: &str) -> String {
    name::normal(text).escape_debug().to_string()
}

fn cards(pile: &BTreeMap<String, u8>) -> Result<Vec<Card>, Failed> {
    let mut cards = Vec::new();
    for (name, count) in pile {
        let card: Card = parse(name)?;
        cards.extend(std::iter::repeat_n(card, usize::from(*count).min(100)));
    }
    Ok(cards)
}

/// The name of a target or a card as an answer has it.
pub(crate) fn underscored(name: &str) -> String {
    name.replace('-', "_")
}

/// A place, if there is one.
pub(crate) fn some(place: u8) -> Option<u8> {
    (place != NONE).then_some(place)
}
