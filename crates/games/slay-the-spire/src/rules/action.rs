//! What the player can do.

use super::queue::Todo;
use super::state::{KNOWN, NONE, Pile, State};
use super::{Rules, Track};
use crate::data::card::{Cost, Effect, Kind};
use crate::data::power::Power;

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A card of this slot is played.
    Play {
        /// The card's slot.
        slot: u8,
        /// The enemy's place from the left; `u8::MAX` for a card without a target.
        target: u8,
        /// The slot of the card that is chosen for its effect; `u8::MAX` if there is none.
        choice: u8,
    },
    /// A potion is used.
    Use {
        /// Its place among the fight's potions.
        potion: u8,
        /// The enemy's place from the left, or `u8::MAX`.
        target: u8,
    },
    /// This card is chosen for a card that was played before.
    Choose {
        /// The card's slot.
        slot: u8,
    },
    /// The turn ends.
    EndTurn,
}

impl Rules {
    /// All actions of the player, the end of the turn last; only the choices while a played card waits for one.
    pub fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        if state.ended {
            actions.push(Action::EndTurn);
            return;
        }
        if state.waiting > 0 {
            if let Some(Todo::Effect { effect, form, .. }) = self.stalls.get(state.waiting).queue.first() {
                let candidates = self.candidates(state, &state.hand, effect, usize::from(*form));
                actions.extend(candidates.into_iter().map(|slot| Action::Choose { slot }));
            }
            return;
        }
        let enemies = state.living().count();
        let targets = |targeted: bool| if targeted { 0..enemies } else { 0..1 };
        let place = |targeted: bool, target: usize| if targeted { place(target) } else { NONE };
        for (slot, _) in state.hand.iter() {
            if !self.playable(state, slot) {
                continue;
            }
            let data = self.card(slot).data();
            let asks = data.effects.iter().any(asks_for_a_card);
            let choices = if asks { self.choices(state, slot) } else { Vec::new() };
            for target in targets(data.targeted) {
                let target = place(data.targeted, target);
                if !asks {
                    actions.push(Action::Play { slot, target, choice: NONE });
                }
                actions.extend(choices.iter().map(|choice| Action::Play { slot, target, choice: *choice }));
            }
        }
        for (potion, bottle) in (0u8..).zip(&self.potions) {
            // Of equal potions the first one left is used.
            let left = |place: u8| state.potions >> place & 1 == 1;
            let same_before = (0..potion).any(|other| left(other) && self.potions[usize::from(other)] == *bottle);
            if left(potion) && !same_before {
                let targeted = bottle.is_targeted();
                let uses = targets(targeted).map(|target| Action::Use { potion, target: place(targeted, target) });
                actions.extend(uses);
            }
        }
        actions.push(Action::EndTurn);
    }

    /// Whether a card of the hand can be played now.
    fn playable(&self, state: &State, slot: u8) -> bool {
        self.cost(state, slot).is_some_and(|cost| cost <= state.energy) && self.allowed(state, slot)
    }

    /// Whether a card could be played now, whatever it costs.
    pub(super) fn allowed(&self, state: &State, slot: u8) -> bool {
        let data = self.card(slot).data();
        let in_hand = |name: &str| state.hand.iter().any(|(slot, _)| self.card(slot).data().name == name);
        let entangled = data.kind == Kind::Attack && state.player.has(Power::Entangled) > 0;
        let not_an_attack = |slot: u8| self.card(slot).data().kind != Kind::Attack;
        let clashes = data.only_attacks && state.hand.iter().any(|(slot, _)| not_an_attack(slot));
        let stopped = self.tracks(Track::Played) && state.player.has(Power::Played) >= 3 && in_hand("normality");
        !(entangled || clashes || stopped)
    }

    /// The energy a card takes now; `None` when it cannot be played.
    pub(crate) fn cost(&self, state: &State, slot: u8) -> Option<u8> {
        let card = self.card(slot);
        let data = card.data();
        let cost = match data.cost[card.form()] {
            Cost::Unplayable => return None,
            Cost::Energy(cost) => cost,
            Cost::All => return Some(state.energy),
            Cost::LessWounds(cost) => cost.saturating_sub(state.player.has(Power::Wounds)),
        };
        let free = state.is_free(slot) || data.kind == Kind::Skill && state.player.has(Power::Corruption) > 0;
        Some(if free { 0 } else { cost })
    }

    /// The cards that can be chosen for a card of the hand when it is played; only `u8::MAX` if there is no choice.
    fn choices(&self, state: &State, slot: u8) -> Vec<u8> {
        let card = self.card(slot);
        let mut hand = state.hand;
        hand.remove(slot, 1);
        let pain = |(slot, _): (u8, u8)| self.card(slot).data().name == "pain";
        if state.player.has(Power::Puzzle) > 0 && hand.iter().any(pain) {
            // The player first sees the cards that Pain makes him draw.
            return vec![NONE];
        }
        let effects = card.data().effects.iter().filter(|effect| asks_for_a_card(effect));
        let mut choices: Vec<u8> =
            effects.flat_map(|effect| self.candidates(state, &hand, effect, card.form())).collect();
        if choices.is_empty() {
            choices.push(NONE);
        }
        choices
    }

    /// The cards that can be chosen for an effect, with this hand.
    pub(super) fn candidates(&self, state: &State, hand: &Pile, effect: &Effect, form: usize) -> Vec<u8> {
        let all = |pile: &Pile| pile.iter().map(|(slot, _)| slot);
        let data = |slot: u8| self.card(slot).data();
        match effect {
            Effect::UpgradeHand if form == 0 => self.upgradable(hand),
            Effect::ExhaustChosen => all(hand).collect(),
            Effect::ExhaustRandom if form == 1 => all(hand).collect(),
            Effect::DiscardToTop if state.known() < KNOWN => all(&state.discard).collect(),
            Effect::HandToTop if state.known() < KNOWN => all(hand).collect(),
            Effect::CopyChosen(_) => {
                all(hand).filter(|slot| matches!(data(*slot).kind, Kind::Attack | Kind::Power)).collect()
            }
            Effect::ExhaustedToHand => all(&state.exhausted).filter(|slot| data(*slot).name != "exhume").collect(),
            _ => Vec::new(),
        }
    }

    /// The slots of a pile's cards that can be upgraded in the fight.
    pub(crate) fn upgradable(&self, hand: &Pile) -> Vec<u8> {
        let upgradable = |slot: u8| {
            let upgraded = self.upgraded[usize::from(slot)];
            upgraded != NONE && upgraded != slot && self.card(slot).data().kind != Kind::Status
        };
        hand.iter().map(|(slot, _)| slot).filter(|slot| upgradable(*slot)).collect()
    }
}

fn place(target: usize) -> u8 {
    u8::try_from(target).unwrap_or(NONE)
}

/// Whether a card must, or could have to, be chosen for the effect when the card is played.
fn asks_for_a_card(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::UpgradeHand
            | Effect::ExhaustChosen
            | Effect::ExhaustRandom
            | Effect::DiscardToTop
            | Effect::CopyChosen(_)
            | Effect::ExhaustedToHand
    )
}
