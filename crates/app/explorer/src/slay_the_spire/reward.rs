//! Which card to take: the value of every changed deck in the fights to come.
//!
//! One fight is solved for each deck and each group of enemies, one after another, each within its share of the remaining time.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use budget::{Budget, Limits, Progress, Reason, Stage};
use serde::Deserialize;
use slay_the_spire::{
    DeckChange, FightOptions, FightRequest, RewardAnswer, RewardWorth, changed_decks, offered_cards, solve_several,
};

use super::fight::{DEFAULT_SECONDS, Fight, NAMES_HELP, check_seconds, not_modelled};
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
    fn decks(&self, fight: &Fight) -> Result<Vec<slay_the_spire::ChangedDeck>, Problem> {
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
        let time = Duration::from_secs(self.seconds.unwrap_or(DEFAULT_SECONDS));
        let until = Instant::now() + time;
        let fights: Vec<_> = decks.iter().flat_map(|deck| encounters.iter().map(move |own| (deck, own))).collect();
        // A fight may overrun its share. Those after it have at least this much time, because without any they would prove
        // nothing.
        let least = time / u32::try_from(4 * fights.len()).expect("few cards are offered");
        let (mut found, mut stopped) = (Vec::new(), None);
        for (done, (deck, (_, foes))) in fights.iter().enumerate() {
            let left = fights.len() - done;
            // Time that a fight leaves unused goes to those after it.
            let share =
                until.saturating_duration_since(Instant::now()) / u32::try_from(left).expect("few cards are offered");
            let share = share.max(least);
            let watch = |_: Progress| {
                let (done, waiting) = (done as u64, left as u64);
                match run.budget.advance(Progress { stage: Stage::Solving, done, waiting, ..Progress::NONE }) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            };
            let budget = Budget::new(Limits { max_time: Some(share), ..*run.budget.limits() }).watched(&watch);
            let enemies = [(mdp::Rational::ONE, foes.clone())];
            let solved = solve_several(&deck.hero, &enemies, &[*health], *objective, FightOptions::default(), &budget);
            let solved = solved.map_err(not_modelled)?;
            match solved.stopped {
                Some(why) if matches!(why.reason, Reason::Interrupted) => return Err(Problem::stopped(&why)),
                why => stopped = stopped.or(why.map(|why| why.to_string())),
            }
            found.push(RewardWorth::new(&solved.worths[0]));
        }
        Ok(RewardAnswer::new(&decks, encounters, *objective, &found, stopped))
    }
}
