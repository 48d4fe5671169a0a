//! What the player can do.

use super::state::{NONE, Pile, State, TOP};
use super::{Rules, Track};
use crate::data::card::{Cost, Effect, Kind};
use crate::data::power::Power;

/// One thing that the player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A card of this slot is played.
    Play {
        /// The card's slot.
        slot: u8,
        /// The enemy's place from the left; `u8::MAX` for a card that has no target.
        target: u8,
        /// The slot of the card that is chosen for its effect; `u8::MAX` where there is none.
        choice: u8,
    },
    /// A potion is used.
    Use {
        /// Its place among the fight's potions.
        potion: u8,
        /// The enemy's place from the left, or `u8::MAX`.
        target: u8,
    },
    /// This card of the hand is put on top of the draw pile, as a card that was played asks.
    PutOnTop {
        /// The card's slot.
        slot: u8,
    },
    /// The turn ends.
    EndTurn,
}

impl Rules {
    /// Everything the player can do, the end of the turn last. Nothing but a choice that a played card asks for.
    pub fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.clear();
        if state.ended {
            actions.push(Action::EndTurn);
            return;
        }
        if state.choosing > 0 {
            actions.extend(state.hand.iter().map(|(slot, _)| Action::PutOnTop { slot }));
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
            // Of equal potions the first that is left is used.
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
        let data = self.card(slot).data();
        let in_hand = |name: &str| state.hand.iter().any(|(slot, _)| self.card(slot).data().name == name);
        let Some(cost) = self.cost(state, slot) else { return false };
        cost <= state.energy
            && !(data.kind == Kind::Attack && state.player.has(Power::Entangled) > 0)
            && !(data.only_attacks && state.hand.iter().any(|(slot, _)| self.card(slot).data().kind != Kind::Attack))
            && !(self.tracks(Track::Played) && state.player.has(Power::Played) >= 3 && in_hand("normality"))
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
        let free = data.kind == Kind::Skill && state.player.has(Power::Corruption) > 0;
        Some(if free { 0 } else { cost })
    }

    /// The cards that can be chosen for the card's effect; only `u8::MAX` where there is nothing to choose.
    fn choices(&self, state: &State, slot: u8) -> Vec<u8> {
        let card = self.card(slot);
        let upgraded = card.form() == 1;
        let mut hand = state.hand;
        hand.remove(slot, 1);
        let kind = |slot: u8| self.card(slot).data().kind;
        let mut choices: Vec<u8> = Vec::new();
        for effect in card.data().effects {
            match effect {
                Effect::UpgradeHand if !upgraded => choices.extend(self.upgradable(&hand)),
                Effect::ExhaustChosen => choices.extend(hand.iter().map(|(slot, _)| slot)),
                Effect::ExhaustRandom if upgraded => choices.extend(hand.iter().map(|(slot, _)| slot)),
                Effect::DiscardToTop if state.known() < TOP => {
                    choices.extend(state.discard.iter().map(|(slot, _)| slot));
                }
                Effect::CopyChosen(_) => {
                    let copied = hand.iter().map(|(slot, _)| slot);
                    choices.extend(copied.filter(|slot| matches!(kind(*slot), Kind::Attack | Kind::Power)));
                }
                Effect::ExhaustedToHand => {
                    let back = state.exhausted.iter().map(|(slot, _)| slot);
                    choices.extend(back.filter(|slot| self.card(*slot).data().name != "exhume"));
                }
                _ => {}
            }
        }
        if choices.is_empty() {
            choices.push(NONE);
        }
        choices
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

/// Whether a card has to be chosen for the effect, or could have.
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
