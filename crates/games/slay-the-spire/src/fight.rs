//! The fight as a game for the engine: what a state is, and which plays are worth looking at.

use mdp::{Distribution, Game, Rational, Turn, Weight};
use serde::Deserialize;

use crate::card::Card;
use crate::pile::Pile;
use crate::position::Position;
use crate::setup::HIGHEST_HEALTH;

/// What the player plays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The expected health after the fight, where death counts 0; between plays that are equal in
    /// this, the chance to survive.
    #[default]
    Health,
    /// The chance to survive; between plays that are equal in this, the expected health.
    Survival,
}

impl Objective {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Health, Self::Survival];

    /// The name that the command has for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Survival => "survival",
        }
    }
}

/// Which plays of a turn become choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plays {
    /// Only those that can be best.
    Promising,
    /// All, so that every position that can come up is a state.
    All,
}

/// Fights against a Cultist, as a [`Game`] of the engine.
///
/// # States
///
/// A state is a [`Position`] at the end of a turn, with the next turn's cards still to be drawn, or
/// one after the draw, or the end of the fight. What cannot matter any more is left out, and none
/// of this changes a value:
///
/// - **Turns are folded.** A turn is played card by card, in every order; but nothing is left to
///   chance between two draws, so all that matters of a turn's sequence of cards is the position in
///   which it ends. The positions that can be reached are the choices.
/// - **Worse plays are left out** (unless [`Plays::All`] are wanted): those with which the turn ends with no more health, no less of
///   the enemy's and no more turns of Vulnerable than with another. The piles are then the same,
///   since the whole hand is discarded, played or not. From the better position the player can play
///   the cards that would be played from the worse one: with the same draws every attack does at
///   least as much damage, so the fight ends no later, and with no less health.
/// - **A turn with one choice left is played at once**: the draw leads to where it ends.
/// - **The enemy's health is rounded up** to the next sum that the deck's damages can make: the
///   damage done is always such a sum, and the enemy dies when it reaches its health.
/// - When the fight is over, the Ironclad's health is all that remains.
#[derive(Clone, Debug)]
pub struct Fights {
    objective: Objective,
    plays: Plays,
    starts: Vec<Distribution<Position>>,
    /// For every health of the enemy, the one that it is rounded up to.
    enemy: Vec<u16>,
}

impl Fights {
    /// Fights that go on from `starts`, which are all at the end of a turn, or before the first.
    pub fn new(objective: Objective, starts: &[Distribution<Position>]) -> Self {
        Self::with_plays(objective, Plays::Promising, starts)
    }

    /// [`new`](Self::new), with a say in which plays become choices.
    pub fn with_plays(objective: Objective, plays: Plays, starts: &[Distribution<Position>]) -> Self {
        let mut fights = Self { objective, plays, starts: Vec::new(), enemy: rounded_up(starts) };
        fights.starts = starts.iter().map(|start| start.map(|position| fights.reduced(*position)).merge()).collect();
        fights
    }

    /// What is played for.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The state of a position at the end of a turn.
    pub(crate) fn reduced(&self, position: Position) -> Position {
        if position.is_over() {
            return Position {
                health: position.health,
                turn: 0,
                energy: 0,
                block: 0,
                enemy: 0,
                vulnerable: 0,
                hand: Pile::EMPTY,
                draw: Pile::EMPTY,
                discard: Pile::EMPTY,
            };
        }
        let enemy = self.enemy.get(usize::from(position.enemy)).copied().unwrap_or(position.enemy);
        Position { enemy, ..position }
    }

    /// The ends of the turn that are worth looking at, in the order in which plays lead to them.
    fn turn_ends(&self, position: &Position) -> Vec<Position> {
        let mut ends: Vec<Position> = Vec::with_capacity(8);
        position.for_each_play(|_, played| {
            let end = self.reduced(played.end_turn());
            match self.plays {
                Plays::Promising if ends.iter().any(|other| no_worse(other, &end)) => {}
                Plays::All if ends.contains(&end) => {}
                Plays::Promising => {
                    ends.retain(|other| !no_worse(&end, other));
                    ends.push(end);
                }
                Plays::All => ends.push(end),
            }
        });
        ends
    }
}

/// Whether the first end of a turn is at least as good as the second, of the same turn.
fn no_worse(a: &Position, b: &Position) -> bool {
    b.health == 0 || a.health >= b.health && (a.enemy == 0 || a.enemy <= b.enemy && a.vulnerable >= b.vulnerable)
}

/// For every health of the enemy, the next sum of damages that the cards can do. Without attacks
/// every health is the same.
fn rounded_up(starts: &[Distribution<Position>]) -> Vec<u16> {
    let cards = |position: &Position| position.hand.iter().chain(position.draw.iter()).chain(position.discard.iter());
    let mut damages: Vec<u16> = starts
        .iter()
        .flat_map(Distribution::iter)
        .flat_map(|(position, _)| cards(position))
        .flat_map(|(card, _)| [card.damage(), card.damage_to_vulnerable()])
        .filter(|damage| *damage > 0)
        .collect();
    damages.sort_unstable();
    damages.dedup();
    // A health that is rounded up can lie above the highest by up to the largest damage.
    let largest = damages.last().copied().unwrap_or(0);
    let highest = HIGHEST_HEALTH + largest;
    let sums = (1..=highest + largest).fold(vec![true], |mut sums, sum| {
        sums.push(damages.iter().any(|damage| sum >= *damage && sums[usize::from(sum - damage)]));
        sums
    });
    (0..=highest).map(|health| (health..=health + largest).find(|sum| sums[usize::from(*sum)]).unwrap_or(1)).collect()
}

impl Game for Fights {
    type State = Position;
    /// The cards that are played, in words.
    type Action = String;

    fn starts(&self) -> Vec<Distribution<Position>> {
        self.starts.clone()
    }

    fn rules(&self, state: &Position, turn: &mut Turn<Position, String>) {
        if state.is_over() {
            let health = Rational::from(state.health);
            let alive = Rational::from(u8::from(state.health > 0));
            turn.end_ordered(match self.objective {
                Objective::Health => [health, alive],
                Objective::Survival => [alive, health],
            });
        } else if state.hand.is_empty() {
            turn.choice_with(|| "draw".into());
            turn.chance(state.draws().into_iter().map(|(ways, drawn)| match self.turn_ends(&drawn)[..] {
                [only] => (only, Weight(ways)),
                _ => (drawn, Weight(ways)),
            }));
        } else {
            for end in self.turn_ends(state) {
                turn.choice_with(|| self.play_to(state, &end)).to(end);
            }
        }
    }
}

impl Fights {
    /// The first play that ends the turn so, in words.
    fn play_to(&self, state: &Position, end: &Position) -> String {
        let mut cards = String::new();
        state.for_each_play(|played, position| {
            if cards.is_empty() && self.reduced(position.end_turn()) == *end {
                cards = describe_play(played);
            }
        });
        cards
    }
}

/// The cards of a play, in order, in words.
///
/// ```
/// use slay_the_spire::{Card, describe_play};
///
/// assert_eq!(describe_play(&[Card::Bash, Card::Defend]), "bash, defend");
/// assert_eq!(describe_play(&[]), "nothing");
/// ```
pub fn describe_play(cards: &[Card]) -> String {
    if cards.is_empty() {
        return "nothing".into();
    }
    cards.iter().map(|card| card.name()).collect::<Vec<_>>().join(", ")
}
