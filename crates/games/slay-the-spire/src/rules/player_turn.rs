//! The beginning and the end of the player's turn.

use super::queue::{Next, Outcomes, Running, Todo};
use super::state::{FREE, NONE, State};
use super::{Rules, Track};
use crate::data::power::Power;
use crate::data::relic::Relic;
use crate::numbers::chance::Chance;

/// Energy of a turn.
const ENERGY: u8 = 3;
/// Cards of a turn.
const CARDS: u8 = 5;

/// The cards that act when they are held at the end of a turn. In the game they act in the order of the hand, which
/// positions do not store: here in the order of the list of cards.
const ACTING: [&str; 5] = ["burn", "decay", "doubt", "shame", "regret"];

impl Rules {
    /// The start of the player's turn, with the draw.
    pub fn start_turn(&self, state: &State) -> Outcomes {
        let mut outcomes = Vec::new();
        self.carry_out(Chance::ONE, &mut self.turn_begins(state), &mut outcomes);
        outcomes
    }

    /// The queue of the start of the player's turn.
    pub(super) fn turn_begins(&self, state: &State) -> Running {
        let mut run = Running::new(state);
        let player = &mut run.state.player;
        player.set(Power::FlameBarrier, 0);
        run.state.energy = (ENERGY + player.has(Power::Berserk)).saturating_add(player.take(Power::NextEnergy));
        if self.has(Relic::HappyFlower) && player.count(Power::HappyFlower, 3) {
            run.state.energy += 1;
        }
        let player = &mut run.state.player;
        let cleat = player.has(Power::HornCleat);
        player.set(Power::HornCleat, cleat.saturating_sub(1));
        let (block, cards) = (player.take(Power::NextBlock), CARDS + player.take(Power::NextDraw));
        let (brutality, demon) = (player.has(Power::Brutality), player.has(Power::DemonForm));
        let comes = [
            (cleat == 1, Todo::Block(14)),
            (self.has(Relic::MercuryHourglass), Todo::HurtAll(3)),
            (block > 0, Todo::Block(block.into())),
            (true, Todo::Draw(cards)),
            (brutality > 0, Todo::Draw(brutality)),
            (brutality > 0, Todo::Lose(brutality.into())),
            (demon > 0, Todo::Strengthen(demon.into())),
        ];
        comes.into_iter().filter(|(comes, _)| *comes).for_each(|(_, todo)| run.later(todo));
        run
    }

    /// The end of the player's turn and the enemies' turn. The positions are those before the enemies' next
    /// moves are rolled.
    pub fn end_turn(&self, state: &State) -> Outcomes {
        let mut outcomes = Vec::new();
        self.end_turn_counting(state, true, &mut outcomes);
        outcomes
    }

    /// The same. Without `own` the losses and gains before the enemies act are ignored.
    pub(crate) fn end_turn_counting(&self, state: &State, own: bool, outcomes: &mut Outcomes) {
        outcomes.clear();
        self.carry_out(Chance::ONE, &mut self.turn_over(state, own), outcomes);
    }

    /// The queue of the end of the player's turn.
    pub(super) fn turn_over(&self, state: &State, own: bool) -> Running {
        let mut run = Running::new(state);
        if self.has(Relic::Orichalcum) && state.player.block == 0 {
            run.later(Todo::Block(6));
        }
        for power in [Power::Metallicize, Power::PlatedArmor] {
            let block = state.player.has(power);
            if block > 0 {
                run.later(Todo::Block(block.into()));
            }
        }
        if self.tracks(Track::Held) {
            let hand = u8::try_from(state.hand.len()).expect("a hand has few cards");
            for (slot, count) in state.hand.iter().filter(|(slot, _)| ACTING.contains(&self.card(*slot).data().name)) {
                run.next.extend(std::iter::repeat_n(Next::Held { slot, hand }, count.into()));
            }
        }
        run.next.push_back(Next::TurnEnds);
        if !own {
            run.next.push_back(Next::Forget);
        }
        run.next.push_back(Next::Enemies);
        run
    }

    /// A status or curse of the hand acts, and is discarded.
    pub(super) fn held(&self, run: &mut Running, slot: u8, hand: u8) {
        let card = self.card(slot);
        run.state.hand.remove(slot, 1);
        match card.data().name {
            "burn" => run.later(Todo::Scorch([2, 4][card.form()])),
            "decay" => run.later(Todo::Scorch(2)),
            "doubt" => run.suffer(Power::Weak, 1),
            "shame" => run.suffer(Power::Frail, 1),
            _ => run.later(Todo::Lose(hand.into())),
        }
        run.later(Todo::PutAway { slot, exhausts: false });
    }

    /// Effects that last for the turn end, and the hand is discarded.
    pub(super) fn turn_ends(&self, run: &mut Running) {
        let player = &mut run.state.player;
        let healed = player.has(Power::Regeneration);
        player.set(Power::Regeneration, healed.saturating_sub(1));
        let (combust, cost) = (player.has(Power::Combust), player.has(Power::CombustCost));
        let (strength, dexterity) = (player.take(Power::StrengthLoss), player.take(Power::DexterityLoss));
        let losses = [
            (strength > 0, Todo::Strengthen(-i16::from(strength))),
            (dexterity > 0, Todo::Quicken(-i16::from(dexterity))),
        ];
        let [first, second] = if player.take(Power::DexterityFirst) > 0 { [losses[1], losses[0]] } else { losses };
        let ritual = player.has(Power::Ritual);
        for power in [Power::Entangled, Power::NoDraw, Power::DoubleTap, Power::Rage, Power::Played, Power::Skills] {
            player.set(power, 0);
        }
        if player.take(Power::Attacks) == 0 && self.has(Relic::ArtOfWar) {
            player.gain(Power::NextEnergy, 1);
        }
        let comes = [
            (healed > 0, Todo::Heal(healed.into())),
            (combust > 0, Todo::Lose(cost.into())),
            (combust > 0, Todo::HurtAll(combust.into())),
            first,
            second,
            (ritual > 0, Todo::Strengthen(ritual.into())),
            (true, Todo::DiscardHand),
            (true, Todo::HandOver),
        ];
        comes.into_iter().filter(|(comes, _)| *comes).for_each(|(_, todo)| run.later(todo));
    }

    /// The hand is discarded; ethereal cards are exhausted.
    pub(super) fn discard_hand(&self, run: &mut Running) {
        run.state.free = [NONE; FREE];
        let hand = std::mem::take(&mut run.state.hand);
        for (slot, count) in hand.iter() {
            if self.card(slot).data().ethereal {
                (0..count).for_each(|_| self.exhaust(run, slot));
            } else {
                run.state.discard.add(slot, count);
            }
        }
    }
}
