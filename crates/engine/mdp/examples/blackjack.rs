//! Blackjack from infinitely many decks: the expected win of a stake of 1 by hitting and standing.
//!
//! The dealer looks for a blackjack first, and stands on every 17. A blackjack pays 3 to 2. There is no doubling and no
//! splitting.

use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, Weight, ratio, solve_game_with};

/// The sum of some cards, an ace as 1, and whether there is an ace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Hand(pub(crate) u8, pub(crate) bool);

impl Hand {
    fn with(self, card: u8) -> Self {
        Self(self.0 + card, self.1 || card == 1)
    }

    fn total(self) -> u8 {
        if self.1 && self.0 <= 11 { self.0 + 10 } else { self.0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    Player { hand: Hand, dealer: u8 },
    Dealer { hand: Hand, player: u8 },
    Over { halves_won: i8 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Stand,
    Hit,
}

pub(crate) struct Blackjack;

/// The results of drawing each card, with weights: face cards count as 10.
fn draw<T>(next: impl Fn(u8) -> T) -> impl Iterator<Item = (T, Weight)> {
    (1..=10).map(move |card| (next(card), Weight(if card == 10 { 4 } else { 1 })))
}

impl Game for Blackjack {
    type State = State;
    type Action = Action;

    fn starts(&self) -> Vec<Distribution<State>> {
        let card = Distribution::weighted(draw(|card| card)).expect("cards have weights");
        let two =
            card.and_then(|first| card.map(|second| (*first, Hand::default().with(*first).with(*second)))).merge();
        let dealt = |hand: Hand, dealer: u8, dealers: Hand| match (hand.total(), dealers.total()) {
            (21, 21) => State::Over { halves_won: 0 },
            (21, _) => State::Over { halves_won: 3 },
            (_, 21) => State::Over { halves_won: -2 },
            _ => State::Player { hand, dealer },
        };
        vec![two.and_then(|(_, hand)| two.map(|(dealer, dealers)| dealt(*hand, *dealer, *dealers))).merge()]
    }

    fn rules(&self, &state: &State, turn: &mut Turn<State, Action>) {
        match state {
            State::Over { halves_won } => turn.end(ratio(halves_won.into(), 2)),
            State::Player { hand: Hand(22.., _), .. } => turn.end(-1),
            State::Player { hand, dealer } => {
                turn.choice(Action::Hit).chance(draw(|card| State::Player { hand: hand.with(card), dealer }));
                // The dealer is known to have no blackjack.
                let hands = draw(|card| Hand::default().with(dealer).with(card)).filter(|(own, _)| own.total() != 21);
                let player = hand.total();
                turn.choice(Action::Stand).chance(hands.map(|(hand, weight)| (State::Dealer { hand, player }, weight)));
            }
            State::Dealer { hand, player } => match hand.total() {
                22.. => turn.end(1),
                17.. => turn.end(player.cmp(&hand.total()) as i8),
                _ => turn.chance(draw(|card| State::Dealer { hand: hand.with(card), player })),
            },
        }
    }
}

pub(crate) fn solved() -> Result<Solved<Blackjack>, GameError> {
    solve_game_with(Blackjack, &SolveOptions::exact())
}

pub(crate) fn main() -> Result<(), GameError> {
    let solved = solved()?;
    println!("a stake of 1 wins {} in the mean", solved.start_value().decimal());
    for choice in solved.choices(&State::Player { hand: Hand(16, false), dealer: 10 })? {
        println!("16 against a ten: {:?} {:.6}", choice.action, choice.value.decimal());
    }
    Ok(())
}
