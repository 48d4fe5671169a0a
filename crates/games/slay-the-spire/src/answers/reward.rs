//! The value of changes to a deck: taking, removing or upgrading a card, or missing a relic.

use std::cmp::Ordering;

use mdp::{Number, Rational, nearest};
use serde::{Deserialize, Serialize};

use super::json::number;
use super::simulated_plays::SimulatedGain;
use super::worth::{Interval, Worth};
use crate::data::card::{Card, Kind};
use crate::data::name::UnknownName;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;

/// Another change to a deck, or to what the hero has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeckChange {
    /// One card is removed.
    Remove,
    /// One card is upgraded.
    Upgrade,
    /// One relic is missing: what it is worth is the loss.
    Relics,
}

/// A hero with a changed deck.
#[derive(Clone, Debug)]
pub struct ChangedDeck {
    /// The change: `none`, a card that was taken, `remove strike`, `upgrade bash`, `without vajra`.
    pub name: String,
    /// The hero with the changed deck.
    pub hero: Hero,
}

/// The value of a fight: by the objective, and the chance of survival.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RewardWorth {
    value: [f64; 2],
    survival: [f64; 2],
}

/// The value of a changed deck.
#[derive(Clone, Debug, Serialize)]
pub struct Reward {
    /// The change.
    pub take: String,
    /// The value by the objective, over all fights.
    pub value: Number,
    /// The chance of survival.
    pub survival: Number,
    /// The difference of the value from that with the unchanged deck.
    pub gain: Number,
    /// The difference of the chance of survival.
    pub survival_gain: Number,
    /// Simulated values, where a search was stopped: they prove nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated: Option<SimulatedGain>,
    /// The same fight by fight.
    pub encounters: Vec<RewardShare>,
}

/// The value of a changed deck in one of the fights.
#[derive(Clone, Debug, Serialize)]
pub struct RewardShare {
    enemies: Vec<String>,
    weight: f64,
    value: Number,
    survival: Number,
    gain: Number,
}

/// The JSON answer for changes to a deck, best first.
#[derive(Clone, Debug, Serialize)]
pub struct RewardAnswer {
    format: u32,
    /// The decks, best first.
    pub rewards: Vec<Reward>,
    /// Why bounds are wider than they could be, if the run was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

impl RewardWorth {
    /// The results for one health.
    pub fn new(worth: &Worth) -> Self {
        let bounds = |interval: Interval| [interval.lower, interval.upper];
        Self { value: bounds(worth.value), survival: bounds(worth.survival) }
    }

    /// The bounds of the value by the objective.
    pub(crate) fn bounds(&self) -> Interval {
        let [lower, upper] = self.value;
        Interval { lower, upper }
    }

    /// All of it, as bits.
    pub fn bits(&self) -> [u64; 4] {
        [self.value[0], self.value[1], self.survival[0], self.survival[1]].map(f64::to_bits)
    }

    /// The inverse of [`bits`](Self::bits); `None` if these are not two pairs of bounds.
    pub fn from_bits(bits: [u64; 4]) -> Option<Self> {
        let [lower, upper, least, most] = bits.map(f64::from_bits);
        let holds = lower <= upper && 0.0 <= least && least <= most && most <= 1.0;
        holds.then_some(Self { value: [lower, upper], survival: [least, most] })
    }
}

/// Cards by their names; `each` stands for every attack, skill and power that is not upgraded.
///
/// # Errors
/// When a name is not known.
///
/// ```
/// use slay_the_spire::offered_cards;
///
/// assert_eq!(offered_cards(&["anger".into()])?.len(), 1);
/// assert!(offered_cards(&["each".into()])?.len() > 50);
/// assert!(offered_cards(&["angst".into()]).is_err());
/// # Ok::<(), slay_the_spire::UnknownName>(())
/// ```
pub fn offered_cards(names: &[String]) -> Result<Vec<Card>, UnknownName> {
    let mut cards: Vec<Card> = Vec::new();
    for name in names {
        if name == "each" {
            let is_offered = |card: &Card| {
                let is_played = matches!(card.data().kind, Kind::Attack | Kind::Skill | Kind::Power);
                is_played && card.upgraded() != *card
            };
            cards.extend(Card::all().filter(is_offered));
        } else {
            cards.push(name.parse()?);
        }
    }
    Ok(cards)
}

/// The decks to compare; the first one is the deck as it is.
pub fn changed_decks(hero: &Hero, cards: &[Card], also: &[DeckChange]) -> Vec<ChangedDeck> {
    let mut decks = vec![ChangedDeck { name: "none".into(), hero: hero.clone() }];
    for card in cards {
        let mut taken = hero.clone();
        taken.deck.push(*card);
        decks.push(ChangedDeck { name: card.to_string(), hero: taken });
    }
    if also.contains(&DeckChange::Relics) {
        decks.extend(hero.relics.iter().map(|relic| ChangedDeck {
            name: format!("without {relic}"),
            hero: Hero { relics: hero.relics.without(relic), ..hero.clone() },
        }));
    }
    let mut kinds = hero.deck.clone();
    kinds.sort_unstable();
    kinds.dedup();
    for (what, card) in also.iter().flat_map(|what| kinds.iter().map(move |card| (*what, *card))) {
        let mut changed = hero.clone();
        let Some(place) = changed.deck.iter().position(|other| *other == card) else { continue };
        let name = match what {
            DeckChange::Remove => {
                changed.deck.remove(place);
                format!("remove {card}")
            }
            DeckChange::Relics => continue,
            DeckChange::Upgrade if card.upgraded() == card => continue,
            DeckChange::Upgrade => {
                changed.deck[place] = card.upgraded();
                format!("upgrade {card}")
            }
        };
        decks.push(ChangedDeck { name, hero: changed });
    }
    decks
}

impl RewardAnswer {
    /// The decks by their gain. `found` has, deck by deck, the value of each of the encounters.
    pub fn new(
        decks: &[ChangedDeck],
        encounters: &[(Rational, Vec<Foe>)],
        objective: Objective,
        found: &[RewardWorth],
        stopped: Option<String>,
    ) -> Self {
        let rows: Vec<&[RewardWorth]> = found.chunks(encounters.len().max(1)).collect();
        let reward = |(place, (deck, row)): (usize, (&ChangedDeck, &&[RewardWorth]))| {
            reward(&deck.name, encounters, objective, row, rows[0], place == 0)
        };
        let mut rewards: Vec<Reward> = decks.iter().zip(&rows).enumerate().map(reward).collect();
        rewards.sort_by(|a, b| b.gain.decimal.total_cmp(&a.gain.decimal));
        Self { format: 1, rewards, stopped }
    }

    /// The same with simulated values of each deck, ranked by simulated play.
    #[must_use]
    pub(super) fn with_simulated(mut self, decks: &[ChangedDeck], simulated: Vec<SimulatedGain>) -> Self {
        for (deck, simulated) in decks.iter().zip(simulated) {
            if let Some(reward) = self.rewards.iter_mut().find(|reward| reward.take == deck.name) {
                reward.simulated = Some(simulated);
            }
        }
        let order = |reward: &Reward| reward.simulated.as_ref().map(SimulatedGain::order);
        self.rewards.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(Ordering::Equal));
        self
    }
}

fn reward(
    name: &str,
    encounters: &[(Rational, Vec<Foe>)],
    objective: Objective,
    row: &[RewardWorth],
    without: &[RewardWorth],
    as_it_is: bool,
) -> Reward {
    let interval = |bounds: [f64; 2]| Interval { lower: bounds[0], upper: bounds[1] };
    let sum = |row: &[RewardWorth], part: fn(&RewardWorth) -> [f64; 2]| {
        encounters
            .iter()
            .zip(row)
            .fold(Interval::ZERO, |sum, ((share, _), found)| sum.plus(nearest(share), interval(part(found))))
    };
    // A smaller loss is better.
    let sign = objective.sign();
    let gain = |with: Interval, without: Interval, sign: f64| {
        if as_it_is {
            return Interval::ZERO;
        }
        let difference = without.plus(-1.0, with).flipped();
        if sign < 0.0 { difference.flipped() } else { difference }
    };
    let (value, before) = (sum(row, |found| found.value), sum(without, |found| found.value));
    let (survival, survived) = (sum(row, |found| found.survival), sum(without, |found| found.survival));
    let shares = encounters.iter().zip(row.iter().zip(without)).map(|((weight, foes), (found, none))| RewardShare {
        enemies: foes.iter().map(|foe| foe.kind.to_string()).collect(),
        weight: nearest(weight),
        value: number(interval(found.value)),
        survival: number(interval(found.survival)),
        gain: number(gain(interval(found.value), interval(none.value), sign)),
    });
    Reward {
        take: name.to_owned(),
        value: number(value),
        survival: number(survival),
        gain: number(gain(value, before, sign)),
        simulated: None,
        survival_gain: number(gain(survival, survived, 1.0)),
        encounters: shares.collect(),
    }
}
