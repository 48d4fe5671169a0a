//! Files of the game itself: the record of a run (`.run`) and a save (`.autosave`), as requests.
//!
//! Both are JSON; a save is disguised: each byte is combined with one of the word `key` (exclusive or), and the whole is
//! written in base 64. Of a run only the deck, the relics, the health, the ascension and the fights that were met matter
//! here. What a file does not say is assumed, and each assumption is listed; so is what is left out because it is not
//! modelled.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::communication::names::{acts_at_the_start, card, is_without_effect, relic};
use super::fight_request::FightRequest;
use crate::data::name::shown;
use crate::data::next_encounter::Met;
use crate::data::potion::Potion;
use crate::data::relic::Relic;

/// A run, or a save.
///
/// ```
/// use slay_the_spire::RunFile;
///
/// let text = r#"{"character_chosen": "IRONCLAD", "ascension_level": 3, "floor_reached": 4,
///     "master_deck": ["Strike_R", "Strike_R", "Bash+1", "Shrug It Off"], "relics": ["Burning Blood", "Vajra"],
///     "current_hp_per_floor": [74, 71, 60], "max_hp_per_floor": [80, 80, 80],
///     "damage_taken": [{"enemies": "Jaw Worm", "floor": 1, "damage": 6}]}"#;
/// let read = RunFile::read(text)?.request(false)?;
/// assert_eq!((read.request.hp, read.request.ascension), (Some(60), 3));
/// assert_eq!(read.request.met, ["jaw-worm"]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RunFile {
    /// Of a record: the run inside of a message about it.
    event: Option<Box<RunFile>>,
    character_chosen: Option<String>,
    ascension_level: f64,
    /// The cards of a record: `Bash+1`.
    master_deck: Option<Vec<String>>,
    /// The cards of a save.
    cards: Option<Vec<SavedCard>>,
    relics: Vec<String>,
    relic_counters: Vec<f64>,
    potions: Vec<String>,
    floor_reached: Option<f64>,
    floor_num: Option<f64>,
    act_num: Option<f64>,
    current_hp_per_floor: Vec<f64>,
    max_hp_per_floor: Vec<f64>,
    current_health: Option<f64>,
    max_health: Option<f64>,
    damage_taken: Vec<Fought>,
    metric_damage_taken: Vec<Fought>,
}

/// A card of a save.
#[derive(Clone, Debug, Deserialize)]
struct SavedCard {
    id: String,
    #[serde(default)]
    upgrades: f64,
}

/// A fight of the run.
#[derive(Clone, Debug, Deserialize)]
struct Fought {
    enemies: String,
    #[serde(default)]
    floor: f64,
}

/// A request that was read from a file.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The player, and what he has met. The enemies are those of the next fight.
    pub request: FightRequest,
    /// What the file does not say and was assumed, and what was left out.
    pub assumed: Vec<String>,
}

/// The last floor of Act 1.
const LAST_FLOOR: f64 = 16.0;

impl RunFile {
    /// Reads the text of a file: JSON, or a save as the game writes it.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let plain = if text.starts_with('{') { text.to_owned() } else { disclosed(text)? };
        let mut file: Self = serde_json::from_str(&plain).map_err(|error| format!("not a run or a save: {error}"))?;
        Ok(file.event.take().map_or(file, |event| *event))
    }

    /// The player of the run, before the next fight. With `leaves_out` cards and relics that are not modelled are left out.
    ///
    /// # Errors
    /// When it says nothing of the deck or of the health, or when something is not modelled: everything that is not is named.
    pub fn request(&self, leaves_out: bool) -> Result<RunRequest, String> {
        let (mut outside, mut assumed) = (Vec::new(), Vec::new());
        let class = self.character_chosen.as_deref().unwrap_or("IRONCLAD");
        if class != "IRONCLAD" {
            return Err(format!("not modelled: the class {}", shown(class)));
        }
        let deck = self.deck(&mut outside)?;
        let relics = self.relics(&mut outside, &mut assumed);
        if !outside.is_empty() {
            if !leaves_out {
                return Err(format!("not modelled: {}", outside.join("; ")));
            }
            assumed.extend(outside.iter().map(|what| format!("{what} is left out")));
        }
        let (hp, max_hp) = self.health(&mut assumed)?;
        let floor = self.floor_num.or(self.floor_reached);
        if floor.is_some_and(|floor| floor > LAST_FLOOR) || self.act_num.is_some_and(|act| act > 1.0) {
            assumed.push("the enemies are those of Act 1, though the run has left it".into());
        }
        let ascension = whole(self.ascension_level, 0, 20).ok_or("ascension_level goes from 0 to 20")?;
        let request = FightRequest {
            ascension: u8::try_from(ascension).unwrap_or(0),
            hp: Some(hp),
            max_hp: Some(max_hp),
            deck: Some(deck),
            relics,
            potions: self.potions(&mut assumed),
            enemies: vec!["next".into()],
            met: self.met(),
            ..FightRequest::default()
        };
        Ok(RunRequest { request, assumed })
    }

    /// The deck as a request writes it.
    fn deck(&self, outside: &mut Vec<String>) -> Result<String, String> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let entries: Vec<(String, u8)> = match (&self.master_deck, &self.cards) {
            (Some(names), _) => names.iter().map(|name| upgrades(name)).collect(),
            (None, Some(cards)) => {
                let upgrades = |own: &SavedCard| whole(own.upgrades, 0, 99).and_then(|own| u8::try_from(own).ok());
                cards.iter().map(|own| (own.id.clone(), upgrades(own).unwrap_or(u8::MAX))).collect()
            }
            (None, None) => return Err("neither a run nor a save: it has no master_deck and no cards".into()),
        };
        for (id, upgrades) in entries {
            match card(&id, None, upgrades) {
                Ok(card) => *counts.entry(card.to_string()).or_default() += 1,
                Err(error) => outside.push(error),
            }
        }
        if let Some((name, count)) = counts.iter().find(|(_, count)| **count > 99) {
            return Err(format!("{count} cards of one kind ({name}) are too many"));
        }
        Ok(counts.into_iter().map(|(name, count)| format!("{name}={count}")).collect::<Vec<_>>().join(","))
    }

    fn relics(&self, outside: &mut Vec<String>, assumed: &mut Vec<String>) -> Vec<String> {
        let mut relics = Vec::new();
        for (place, id) in self.relics.iter().enumerate() {
            let Some(found) = relic(id) else {
                if !is_without_effect(id) || acts_at_the_start(id) {
                    outside.push(format!("the relic {}", shown(id)));
                }
                continue;
            };
            if matches!(found, Relic::PenNib | Relic::Nunchaku | Relic::HappyFlower | Relic::InkBottle) {
                let counter = self.relic_counters.get(place).and_then(|own| whole(*own, 0, 99)).filter(|own| *own > 0);
                let from = counter.map_or(String::new(), |counter| format!(", not from {counter}"));
                assumed.push(format!("{found} counts from 0{from}"));
            }
            if found == Relic::AncientTeaSet {
                assumed.push("the Ironclad comes from a rest (Ancient Tea Set)".into());
            }
            relics.push(found.to_string());
        }
        relics
    }

    /// The potions of a save; a record does not say which are left.
    fn potions(&self, assumed: &mut Vec<String>) -> Vec<String> {
        if self.cards.is_none() {
            assumed.push("no potions".into());
        }
        let mut potions = Vec::new();
        for id in self.potions.iter().filter(|id| *id != "Potion Slot") {
            let spaced = spaced(id);
            let found = [id.as_str(), spaced.as_str()].into_iter().find_map(|name| name.parse::<Potion>().ok());
            match found {
                Some(potion) => potions.push(potion.to_string()),
                None => assumed.push(format!("{} is not used", shown(id))),
            }
        }
        potions
    }

    /// The health now, and the most.
    fn health(&self, assumed: &mut Vec<String>) -> Result<(i16, i16), String> {
        let bad = "neither current_health nor current_hp_per_floor says a health from 1 on";
        let (mut now, most) = match (self.current_health, self.max_health) {
            (Some(now), Some(most)) => (now, most),
            _ => {
                let alive = self.current_hp_per_floor.iter().rposition(|health| *health >= 1.0).ok_or(bad)?;
                let now = self.current_hp_per_floor[alive];
                if alive + 1 < self.current_hp_per_floor.len() {
                    assumed.push(format!("the health of floor {}, {now}: the Ironclad died after it", alive + 1));
                } else {
                    assumed.push(format!("the health of the last floor in the record, {now}"));
                }
                let most = self.max_hp_per_floor.get(alive).or(self.max_hp_per_floor.last()).copied();
                (now, most.ok_or("max_hp_per_floor does not say the highest health")?)
            }
        };
        if now > most {
            now = most;
        }
        let health = |number: f64| whole(number, 1, 9_999).ok_or_else(|| bad.to_owned());
        Ok((health(now)?, health(most)?))
    }

    /// What was met in Act 1, in order; fights of events are none of its pools.
    fn met(&self) -> Vec<String> {
        let fights = if self.damage_taken.is_empty() { &self.metric_damage_taken } else { &self.damage_taken };
        let own = fights.iter().filter(|own| own.floor <= LAST_FLOOR);
        own.filter_map(|own| own.enemies.parse::<Met>().ok()).map(|met| met.to_string()).collect()
    }
}

/// A number of a file as an integer within limits.
fn whole(number: f64, least: i16, most: i16) -> Option<i16> {
    (least..=most).find(|own| f64::from(*own) == number)
}

/// A card's identifier and how often it is upgraded: `Bash+1`.
fn upgrades(name: &str) -> (String, u8) {
    match name.rsplit_once('+') {
        Some((id, "")) => (id.into(), 1),
        Some((id, count)) => count.parse().map_or_else(|_| (name.into(), 0), |count| (id.into(), count)),
        None => (name.into(), 0),
    }
}

/// `FearPotion` as `Fear Potion`.
fn spaced(id: &str) -> String {
    let mut out = String::new();
    for letter in id.chars() {
        if letter.is_uppercase() && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push(letter);
    }
    out
}

/// The text of a save without its disguise.
fn disclosed(text: &str) -> Result<String, String> {
    const KEY: &[u8; 3] = b"key";
    let bytes = from_base_64(text).ok_or("not a run or a save: neither JSON nor base 64")?;
    let plain: Vec<u8> = bytes.iter().zip(KEY.iter().cycle()).map(|(byte, key)| byte ^ key).collect();
    // The name of the player can have letters of any encoding; nothing else has.
    Ok(String::from_utf8_lossy(&plain).into_owned())
}

/// The bytes that are written in base 64; `None` where something else stands.
fn from_base_64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0u32, 0);
    for letter in text.trim_end_matches('=').bytes().filter(|letter| !letter.is_ascii_whitespace()) {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(value)) & 0xff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}
