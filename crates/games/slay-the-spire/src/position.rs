//! The rules, card by card.

use crate::card::Card;
use crate::pile::Pile;

/// The cards drawn for a turn.
pub const CARDS_PER_TURN: usize = 5;

/// The energy of a turn.
pub const ENERGY_PER_TURN: u8 = 3;

/// A fight at any moment of the player's turn, with everything that is on the table.
///
/// The three piles together hold at most [`Pile::MOST_CARDS`]; positions that are read from a file
/// are checked for that and for sensible numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The turn, counted from 0.
    pub turn: u16,
    /// The energy that is left.
    pub energy: u8,
    /// The Ironclad's health; 0 is dead.
    pub health: u16,
    /// The Ironclad's block.
    pub block: u16,
    /// The Cultist's health; 0 is dead.
    pub enemy: u16,
    /// The turns for which the Cultist is still vulnerable.
    pub vulnerable: u8,
    /// The cards in hand.
    pub hand: Pile,
    /// The draw pile.
    pub draw: Pile,
    /// The discard pile.
    pub discard: Pile,
}

/// The damage of the Cultist's attack in a turn: none in turn 0, then 6, 11, 16 and so on, since
/// its ritual makes it stronger every turn.
pub const fn attack(turn: u16) -> u16 {
    if turn == 0 { 0 } else { 1 + 5 * turn }
}

impl Position {
    /// Whether the Ironclad or the Cultist is dead.
    pub const fn is_over(&self) -> bool {
        self.health == 0 || self.enemy == 0
    }

    /// The position after a card of the hand is played; `None` when it cannot be: it is not
    /// there, it costs more than the energy that is left, it cannot be played at all, or the
    /// fight is over.
    #[must_use]
    pub fn play(&self, card: Card) -> Option<Self> {
        let cost = card.cost()?;
        if self.is_over() || self.hand.count(card) == 0 || cost > self.energy {
            return None;
        }
        let damage = if self.vulnerable > 0 { card.damage_to_vulnerable() } else { card.damage() };
        Some(Self {
            energy: self.energy - cost,
            block: self.block + card.block(),
            enemy: self.enemy.saturating_sub(damage),
            vulnerable: self.vulnerable.saturating_add(card.vulnerable()),
            hand: self.hand - Pile::of(card, 1),
            discard: self.discard + Pile::of(card, 1),
            ..*self
        })
    }

    /// The position after the player ends the turn: the Cultist, if alive, attacks; the hand is
    /// discarded but for ethereal cards, which leave the game. The next turn has begun, and its
    /// cards are still to be drawn. A fight that is over stays as it is.
    #[must_use]
    pub fn end_turn(&self) -> Self {
        if self.is_over() {
            return *self;
        }
        Self {
            turn: self.turn + 1,
            energy: ENERGY_PER_TURN,
            health: self.health.saturating_sub(attack(self.turn).saturating_sub(self.block)),
            block: 0,
            vulnerable: self.vulnerable.saturating_sub(1),
            hand: Pile::EMPTY,
            discard: self.discard + self.hand.without_ethereal(),
            ..*self
        }
    }

    /// Every hand that can be drawn, with the number of equally likely ways to draw it. When the
    /// draw pile holds too few cards, all of it is drawn, the discard pile is shuffled into a new
    /// draw pile, and the rest comes from there.
    pub fn draws(&self) -> Vec<(u64, Self)> {
        let missing = CARDS_PER_TURN.saturating_sub(self.draw.len());
        if missing == 0 {
            let hands = hands(self.draw, CARDS_PER_TURN);
            hands.into_iter().map(|(ways, hand)| (ways, Self { hand, draw: self.draw - hand, ..*self })).collect()
        } else {
            let rests = hands(self.discard, missing.min(self.discard.len()));
            let shuffled =
                |rest| Self { hand: self.draw + rest, draw: self.discard - rest, discard: Pile::EMPTY, ..*self };
            rests.into_iter().map(|(ways, rest)| (ways, shuffled(rest))).collect()
        }
    }

    /// Walks through every sequence of cards that can be played from here, the empty one first,
    /// and shows each with the position to which it leads.
    pub fn for_each_play(&self, mut visit: impl FnMut(&[Card], &Self)) {
        self.plays_after(&mut Vec::with_capacity(CARDS_PER_TURN), &mut visit);
    }

    fn plays_after(&self, played: &mut Vec<Card>, visit: &mut impl FnMut(&[Card], &Self)) {
        visit(played, self);
        for card in Card::ALL {
            if let Some(next) = self.play(card) {
                played.push(card);
                next.plays_after(played, visit);
                played.pop();
            }
        }
    }
}

/// Every way to take `count` of the cards of a pile, which holds that many, with the number of
/// ways in which distinct cards give it.
fn hands(pile: Pile, count: usize) -> Vec<(u64, Pile)> {
    let mut hands = vec![(1, Pile::EMPTY)];
    let mut remaining = pile.len();
    for (card, there) in pile.iter() {
        remaining -= usize::from(there);
        hands = hands
            .into_iter()
            .flat_map(|(ways, hand)| {
                let wanted = count - hand.len();
                // A hand is small, and no card is there more often than eight bits can say.
                let small = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
                let least = small(wanted.saturating_sub(remaining));
                let most = small(wanted.min(usize::from(there)));
                (least..=most).map(move |taken| (ways * choose(there, taken), hand + Pile::of(card, taken)))
            })
            .collect();
    }
    hands
}

/// The number of ways to choose `k` of `n` things, for a `k` of at most a hand.
fn choose(n: u8, k: u8) -> u64 {
    (0..u64::from(k)).fold(1, |ways, i| ways * (u64::from(n) - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_start(deck: &str) -> Position {
        Position {
            turn: 0,
            energy: ENERGY_PER_TURN,
            health: 68,
            block: 0,
            enemy: 50,
            vulnerable: 0,
            hand: Pile::EMPTY,
            draw: deck.parse().unwrap(),
            discard: Pile::EMPTY,
        }
    }

    fn with_hand(hand: &str) -> Position {
        Position { hand: hand.parse().unwrap(), ..at_start("") }
    }

    #[test]
    fn vulnerable_counts_only_for_later_cards() {
        let start = with_hand("bash=1,strike=1");
        let bash_first = start.play(Card::Bash).and_then(|next| next.play(Card::Strike)).unwrap();
        let strike_first = start.play(Card::Strike).and_then(|next| next.play(Card::Bash)).unwrap();
        assert_eq!((bash_first.enemy, strike_first.enemy), (50 - 8 - 9, 50 - 6 - 8));
        assert_eq!(bash_first.end_turn().vulnerable, 1);
        assert!(bash_first.play(Card::Strike).is_none());
    }

    #[test]
    fn half_points_of_damage_are_lost_card_by_card() {
        let vulnerable = Position { vulnerable: 1, ..with_hand("strike+=2") };
        let after = vulnerable.play(Card::StrikePlus).and_then(|next| next.play(Card::StrikePlus)).unwrap();
        assert_eq!(after.enemy, 50 - 13 - 13);
    }

    #[test]
    fn vulnerable_adds_up() {
        let start = Position { vulnerable: 1, energy: 3, ..with_hand("bash+=1") };
        let after = start.play(Card::BashPlus).unwrap();
        assert_eq!((after.enemy, after.vulnerable), (50 - 15, 4));
        assert_eq!(after.end_turn().vulnerable, 3);
    }

    #[test]
    fn a_curse_leaves_the_game_from_the_hand_only() {
        let held = with_hand("strike=1,ascenders-bane=1");
        assert!(held.play(Card::AscendersBane).is_none());
        assert_eq!(held.end_turn().discard, "strike=1".parse().unwrap());
        let not_held = Position { draw: "ascenders-bane=1".parse().unwrap(), ..with_hand("strike=1") };
        assert_eq!(not_held.end_turn().draw, "ascenders-bane=1".parse().unwrap());
    }

    #[test]
    fn block_stops_one_attack() {
        let after = Position { turn: 3, ..with_hand("defend+=1,defend=1") }.play(Card::DefendPlus).unwrap().end_turn();
        assert_eq!((after.health, after.block, after.turn), (68 - 16 + 8, 0, 4));
        let dead = Position { turn: 3, health: 8, ..with_hand("defend=1") }.end_turn();
        assert_eq!((dead.health, dead.is_over(), dead.end_turn()), (0, true, dead));
    }

    #[test]
    fn a_dead_cultist_does_not_attack() {
        let start = Position { turn: 5, enemy: 6, ..with_hand("strike=2") };
        let after = start.play(Card::Strike).unwrap();
        assert_eq!((after.end_turn().health, after.play(Card::Strike)), (68, None));
    }

    #[test]
    fn draws_cover_all_hands() {
        let draws = at_start("strike=5,defend=4,bash=1,ascenders-bane=1").draws();
        assert_eq!(draws.len(), 19);
        assert_eq!(draws.iter().map(|(ways, _)| ways).sum::<u64>(), 462);
        assert!(draws.iter().all(|(_, position)| position.hand.len() == 5 && position.draw.len() == 6));
    }

    #[test]
    fn the_rest_of_the_draw_pile_is_drawn_before_the_shuffle() {
        let position = Position { discard: "strike=3,defend=3".parse().unwrap(), ..at_start("bash=1") };
        let draws = position.draws();
        assert_eq!(draws.iter().map(|(ways, _)| ways).sum::<u64>(), 15);
        for (_, drawn) in draws {
            assert_eq!((drawn.hand.count(Card::Bash), drawn.hand.len(), drawn.draw.len()), (1, 5, 2));
            assert!(drawn.discard.is_empty());
        }
    }

    #[test]
    fn small_decks_are_drawn_whole() {
        assert_eq!(at_start("").draws(), [(1, at_start(""))]);
        let two = at_start("strike=1,defend=1");
        assert_eq!(two.draws(), [(1, Position { hand: two.draw, draw: Pile::EMPTY, ..two })]);
    }
}
