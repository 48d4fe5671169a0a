//! What is best now: every way to spend the rest of a turn.

use mdp::{Distribution, ExploreOptions};

use crate::card::Card;
use crate::fight::{Fights, Objective};
use crate::pile::Pile;
use crate::position::Position;
use crate::solved::{FightError, SolvedFights, Worth};

/// One way to spend the rest of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// The cards, in the order in which they are played; of all orders of the same cards a best one.
    pub cards: Vec<Card>,
    /// What the fight is worth after it.
    pub worth: Worth,
}

/// Every way to spend the rest of a turn, best first: each set of cards that the energy allows, in
/// its best order. The empty one ends the turn at once. A play ends with the card that ends the
/// fight. Of plays that are worth the same, those of fewer cards come first.
///
/// # Errors
/// When the states are too many for the limits of `options`.
///
/// ```
/// use slay_the_spire::{Card, Objective, advise};
///
/// let text = r#"{"turn":3,"health":66,"enemy":{"health":18},"hand":{"strike":3,"defend":2}}"#;
/// let plays = advise(&serde_json::from_str(text)?, Objective::Health, &mdp::ExploreOptions::default())?;
/// assert_eq!(plays[0].cards, [Card::Strike; 3]);
/// assert_eq!(plays[0].worth.health, 66.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn advise(
    position: &Position,
    objective: Objective,
    options: &ExploreOptions<'_>,
) -> Result<Vec<Play>, FightError> {
    let ways = ways(position);
    let starts: Vec<_> = ways.iter().map(|(_, end)| Distribution::certain(*end)).collect();
    let solved = SolvedFights::new(&Fights::new(objective, &starts), options)?;
    let worths = (0..starts.len()).map(|start| solved.worth(start)).collect();
    Ok(ranked(ways, worths, objective))
}

/// Every sequence of cards that can be played, with the end of turn to which it leads; of those
/// that play the same cards to the same end the first.
pub(crate) fn ways(position: &Position) -> Vec<(Vec<Card>, Position)> {
    let mut ways: Vec<(Vec<Card>, Position)> = Vec::new();
    position.for_each_play(|cards, played| {
        let end = played.end_turn();
        if !ways.iter().any(|(known, known_end)| *known_end == end && pile(known) == pile(cards)) {
            ways.push((cards.to_vec(), end));
        }
    });
    ways
}

/// The ways, each with its worth, as plays: each set of cards once, best first.
pub(crate) fn ranked(ways: Vec<(Vec<Card>, Position)>, worths: Vec<Worth>, objective: Objective) -> Vec<Play> {
    let mut plays: Vec<Play> = ways.into_iter().zip(worths).map(|((cards, _), worth)| Play { cards, worth }).collect();
    plays.sort_by(|a, b| b.worth.compare(&a.worth, objective).then(a.cards.len().cmp(&b.cards.len())));
    let mut seen: Vec<Pile> = Vec::new();
    plays.retain(|play| {
        let cards = pile(&play.cards);
        let new = !seen.contains(&cards);
        seen.push(cards);
        new
    });
    plays
}

fn pile(cards: &[Card]) -> Pile {
    cards.iter().map(|card| Pile::of(*card, 1)).sum()
}
