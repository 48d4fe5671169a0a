//! Which card to take: the value of every changed deck in the fights to come.
//!
//! One fight is solved for each deck and each group of enemies; those that are too large are simulated.

use budget::Budget;
use serde::Deserialize;
use slay_the_spire::{
    ChangedDeck, DeckChange, FightRequest, Foe, RewardAnswer, Simulating, changed_decks, compare_decks, offered_cards,
    reward_worth,
};

use super::fight::{Fight, NAMES_HELP, check_seconds, not_modelled, within};
use crate::question::{Problem, Question, Run, object};

/// The most cards that a request may offer by name.
const MAX_CARDS: usize = 100;
/// The most fights (decks times groups of enemies) that are solved for one request.
const MAX_FIGHTS: usize = 2_000;

/// Asks which card to take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RewardQuestion {
    /// The deck before the reward, and its enemies.
    #[serde(deserialize_with = "object")]
    fight: FightRequest,
    /// The offered cards; `each` stands for all.
    #[serde(default)]
    cards: Vec<String>,
    /// Other changes of the deck.
    #[serde(default)]
    also: Vec<DeckChange>,
    /// The limit on the search.
    #[serde(default)]
    seconds: Option<u64>,
}

impl RewardQuestion {
    fn decks(&self, fight: &Fight) -> Result<Vec<ChangedDeck>, Problem> {
        if self.cards.len() > MAX_CARDS || self.also.len() > 3 {
            return Err(Problem::impossible("too many cards are offered", format_args!("offer at most {MAX_CARDS}")));
        }
        let cards = offered_cards(&self.cards).map_err(|error| Problem::impossible(error, NAMES_HELP))?;
        let decks = changed_decks(&fight.hero, &cards, &self.also);
        let fights = decks.len().saturating_mul(fight.encounters.len());
        if decks.len() == 1 {
            return Err(Problem::impossible(
                "nothing is offered",
                "offer a card, to remove or upgrade one, or a missing relic",
            ));
        }
        if fights > MAX_FIGHTS {
            let help = format_args!("at most {MAX_FIGHTS}: offer fewer cards, or fight fewer groups of enemies");
            return Err(Problem::impossible(format_args!("these are {fights} fights"), help));
        }
        Ok(decks)
    }
}

impl Question for RewardQuestion {
    type Context = ();
    type Answer = RewardAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        check_seconds(self.seconds)?;
        self.decks(&Fight::new(&self.fight)?).map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<RewardAnswer, Problem> {
        let fight = Fight::new(&self.fight)?;
        let Fight { encounters, objective, health, .. } = &fight;
        let decks = self.decks(&fight)?;
        let asked = (*health, *objective);
        within(self.seconds, run, |budget| {
            let worth =
                |deck: &ChangedDeck, foes: &[Foe], budget: &Budget<'_>| reward_worth(&deck.hero, foes, asked, budget);
            compare_decks((&decks, encounters), asked, Simulating::default(), worth, budget).map_err(not_modelled)
        })
    }
}
