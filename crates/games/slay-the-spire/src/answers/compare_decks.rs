//! Which card to take: every deck in every fight, searched, and simulated where the search does not finish.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use budget::{Budget, Limits, Stopped};
use mdp::{Rational, nearest};
use rayon::prelude::*;

use super::reward::{ChangedDeck, RewardAnswer, RewardWorth};
use super::simulate::{Fight, simulated_gain};
use super::simulated_plays::SimulatedGain;
use super::solve::solve;
use super::unknown::unknown_fights;
use super::worth::Interval;
use crate::request::encounters::Encounters;
use crate::rules::RulesError;
use crate::rules::setup::{Foe, Hero};
use crate::search::payoff::Objective;
use crate::simulate::compare::{Comparison, Encounter};
use crate::simulate::sampled::Simulating;

/// The share of a time limit in which fights are searched before the open ones are simulated.
const SEARCH: f64 = 0.3;
/// The share after which the results are reported.
const SAMPLING: f64 = 0.95;
/// How long a fight is searched with no time limit but a sufficient precision.
const PATIENCE: Duration = Duration::from_secs(5);

/// The value of a fight for one health, and why it was not solved to the end, if it was not. Once the budget is spent, no search
/// begins.
///
/// # Errors
/// When the fight is not modelled.
pub fn reward_worth(
    hero: &Hero,
    foes: &[Foe],
    (health, objective): (i16, Objective),
    budget: &Budget<'_>,
) -> Result<(RewardWorth, Option<Stopped>), RulesError> {
    if let Err(stopped) = budget.check() {
        return Ok((unknown_reward(hero, foes, (health, objective), stopped)?, Some(stopped)));
    }
    let solved = solve(hero, foes, &[health], objective, budget)?;
    Ok((RewardWorth::new(&solved.worths[0]), solved.stopped))
}

/// What is known of a fight before any search.
///
/// # Errors
/// When the fight is not modelled.
pub fn unknown_reward(
    hero: &Hero,
    foes: &[Foe],
    (health, objective): (i16, Objective),
    stopped: Stopped,
) -> Result<RewardWorth, RulesError> {
    let known = unknown_fights(hero, &[(Rational::ONE, foes.to_vec())], &[health], objective, stopped)?;
    Ok(RewardWorth::new(&known.worths[0]))
}

/// The values of decks over all encounters, and why some bounds are wider than necessary, if they are. `fight` finds the value
/// of a fight, as [`reward_worth`] does, or knows it. Several fights are searched at once, each in its share of the time.
///
/// # Errors
/// Those of `fight`, and when a fight is not modelled.
///
/// ```
/// use budget::{Budget, Limits};
/// use slay_the_spire::*;
///
/// let (hero, encounters) = (Hero::new(0), vec![(mdp::ratio(1, 1), vec![Foe::of("cultist".parse()?, 0)])]);
/// let decks = changed_decks(&hero, &offered_cards(&["cleave".into(), "clash".into()])?, &[]);
/// let asked = (80, Objective::Health);
/// let fight = |deck: &ChangedDeck, foes: &[Foe], budget: &Budget<'_>| reward_worth(&deck.hero, foes, asked, budget);
/// let (answer, stopped) =
///     compare_decks((&decks, &encounters), asked, Simulating::default(), fight, &Budget::unlimited())?;
/// assert_eq!((answer.rewards[0].take.as_str(), stopped), ("clash", None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare_decks<E: From<RulesError> + Send>(
    (decks, encounters): (&[ChangedDeck], &Encounters),
    asked: (i16, Objective),
    simulating: Simulating,
    fight: impl Fn(&ChangedDeck, &[Foe], &Budget<'_>) -> Result<(RewardWorth, Option<Stopped>), E> + Sync,
    budget: &Budget<'_>,
) -> Result<(RewardAnswer, Option<Stopped>), E> {
    let fights: Vec<(&ChangedDeck, &[Foe])> =
        decks.iter().flat_map(|deck| encounters.iter().map(move |(_, foes)| (deck, &foes[..]))).collect();
    let threads = u32::try_from(rayon::current_num_threads()).unwrap_or(1);
    let waiting = AtomicU32::new(u32::try_from(fights.len()).unwrap_or(u32::MAX));
    let searching = budget.part(SEARCH);
    let is_limited = budget.limits().max_time.is_some();
    let search = |(deck, foes): &(&ChangedDeck, &[Foe])| {
        // Time that a fight does not need is left to those after it.
        let waiting = waiting.fetch_sub(1, Ordering::Relaxed).max(1);
        let part = searching.part(f64::from(threads) / f64::from(waiting));
        let patient = budget.within(Limits { max_time: Some(PATIENCE), ..*budget.limits() });
        let own = if is_limited { &part } else { &patient };
        let whole = !is_limited && simulating.precision.is_none();
        fight(deck, foes, if whole { budget } else { own })
    };
    let found: Vec<(RewardWorth, Option<Stopped>)> =
        fights.par_iter().with_max_len(1).map(search).collect::<Result<_, E>>()?;
    let stopped = found.iter().find_map(|(_, stopped)| *stopped);
    let (compared, precise) = simulated((decks, encounters), asked, &found, simulating, &budget.part(SAMPLING))?;
    let stopped = stopped.filter(|_| !precise);
    let found: Vec<RewardWorth> = found.into_iter().map(|(found, _)| found).collect();
    let why = stopped.map(|stopped| stopped.to_string());
    let answer = RewardAnswer::new(decks, encounters, asked.1, &found, why);
    Ok((answer.with_simulated(decks, compared), stopped))
}

/// Simulated values of decks for these fights, deck by deck, empty where all of them are solved; and whether all gains are as
/// precise as was asked.
fn simulated(
    (decks, encounters): (&[ChangedDeck], &[(Rational, Vec<Foe>)]),
    (health, objective): (i16, Objective),
    found: &[(RewardWorth, Option<Stopped>)],
    simulating: Simulating,
    budget: &Budget<'_>,
) -> Result<(Vec<SimulatedGain>, bool), RulesError> {
    let known = |deck: usize, encounter: usize| found[deck * encounters.len() + encounter];
    let is_open = |encounter: &usize| (0..decks.len()).any(|deck| known(deck, *encounter).1.is_some());
    let open: Vec<usize> = (0..encounters.len()).filter(is_open).collect();
    if open.is_empty() || objective.is_cost() {
        return Ok((Vec::new(), false));
    }
    let fights = open.iter().map(|encounter| {
        let fight = |deck: &ChangedDeck| Fight::new(&deck.hero, &encounters[*encounter].1, health, objective);
        decks.iter().map(fight).collect::<Result<Vec<_>, _>>()
    });
    let fights = fights.collect::<Result<Vec<_>, RulesError>>()?;
    let all = (0..encounters.len()).map(|encounter| {
        let place = open.iter().position(|open| *open == encounter);
        let proved: Vec<Interval> = (0..decks.len()).map(|deck| known(deck, encounter).0.bounds()).collect();
        let sampled = place.map_or(&[][..], |place| &fights[place]).iter().zip(&proved).map(|(fight, proved)| {
            let mut sampled = fight.sampled(health, simulating);
            sampled.proved = *proved;
            sampled
        });
        Encounter { share: nearest(&encounters[encounter].0), sampled: sampled.collect(), proved }
    });
    let mut comparison = Comparison::new(all.collect(), decks.len(), simulating.error);
    let precise =
        comparison.run(simulating.precision, &simulating.within(budget)).is_ok() && simulating.precision.is_some();
    let compared = comparison.compared();
    let narrow = compared.iter().all(|own| simulating.precision.is_some_and(|most| own.gain.width() <= most));
    let gains = compared.iter().map(|own| simulated_gain(own, simulating.error)).collect();
    Ok((gains, precise && narrow))
}
