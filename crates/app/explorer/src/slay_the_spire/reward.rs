//! Which card to take: what every change of a deck is worth in the fights that are to come.
//!
//! One fight is solved for each deck and group of enemies, one after another, each with its share of the time that is left.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use budget::{Budget, Limits, Progress, Reason, Stage};
use serde::Deserialize;
use slay_the_spire::{
    DeckChange, FightOptions, FightRequest, RewardAnswer, RewardWorth, changed_decks, offered_cards, solve_several,
};

use super::fight::{Fight, PATIENCE, RIGHT, is_patient, not_modelled};
use crate::question::{Problem, Question, Run, object};

/// At most so many cards are offered by name.
const MOST_CARDS: usize = 100;
/// Decks times groups of enemies: more fights are not solved for one question.
const MOST_FIGHTS: usize = 2_000;

/// Which card to take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RewardQuestion {
    /// The deck as it is, and what it is to fight.
    #[serde(deserialize_with = "object")]
    fight: FightRequest,
    /// The cards that are offered; `each` for all.
    #[serde(default)]
    cards: Vec<String>,
    /// What else can be done with the deck.
    #[serde(default)]
    also: Vec<DeckChange>,
    /// When the bounds that are proved are told.
    #[serde(default)]
    seconds: Option<u64>,
}

impl RewardQuestion {
    fn decks(&self, fight: &Fight) -> Result<Vec<slay_the_spire::ChangedDeck>, Problem> {
        if self.cards.len() > MOST_CARDS || self.also.len() > 2 {
            return Err(Problem::impossible("too many cards are offered", format_args!("say at most {MOST_CARDS}")));
        }
        let cards = offered_cards(&self.cards).map_err(|error| Problem::impossible(error, RIGHT))?;
        let decks = changed_decks(&fight.hero, &cards, &self.also);
        let fights = decks.len().saturating_mul(fight.encounters.len());
        if decks.len() == 1 {
            return Err(Problem::impossible(
                "nothing is offered",
                "say a card, or that one can be removed or upgraded",
            ));
        }
        if fights > MOST_FIGHTS {
            let help = format_args!("at most {MOST_FIGHTS}: offer fewer cards, or meet fewer groups of enemies");
            return Err(Problem::impossible(format_args!("these are {fights} fights"), help));
        }
        Ok(decks)
    }
}

impl Question for RewardQuestion {
    type Context = ();
    type Answer = RewardAnswer;

    fn check(&self, (): &()) -> Result<(), Problem> {
        is_patient(self.seconds)?;
        self.decks(&Fight::new(&self.fight)?).map(|_| ())
    }

    fn answer(&self, run: &Run<'_>, (): &()) -> Result<RewardAnswer, Problem> {
        let fight = Fight::new(&self.fight)?;
        let Fight { encounters, objective, health, .. } = &fight;
        let decks = self.decks(&fight)?;
        let time = Duration::from_secs(self.seconds.unwrap_or(PATIENCE));
        let until = Instant::now() + time;
        let fights: Vec<_> = decks.iter().flat_map(|deck| encounters.iter().map(move |own| (deck, own))).collect();
        // Whoever goes beyond his share leaves this to those after him: without any time nothing can be proved.
        let least = time / u32::try_from(4 * fights.len()).expect("few cards are offered");
        let (mut found, mut stopped) = (Vec::new(), None);
        for (done, (deck, (_, foes))) in fights.iter().enumerate() {
            let left = fights.len() - done;
            // What one fight does not need of its share is there for those after it.
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
            let met = [(mdp::Rational::ONE, foes.clone())];
            let solved = solve_several(&deck.hero, &met, &[*health], *objective, FightOptions::default(), &budget);
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
