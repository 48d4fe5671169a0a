//! The effects of cards and potions, when they are processed.

use super::carry_out::{Flow, each_enemy};
use super::damage::gain_block;
use super::draw::top_cards;
use super::queue::{Next, Running, Todo};
use super::state::{Enemy, NONE, State};
use super::{Rules, Track};
use crate::data::card::{Card, Effect, Kind, Pile as Where};
use crate::data::enemy::MoveData;
use crate::data::power::Power;
use crate::numbers::chance::Chance;

impl Rules {
    /// The effect of a card of this form, or of a potion, on this target, with the chosen card.
    pub(super) fn effect(
        &self,
        run: &mut Running,
        effect: &Effect,
        form: usize,
        (target, choice, slot): (u8, u8, u8),
    ) -> Flow {
        match *effect {
            Effect::DoubleBlock => gain_block(run, run.state.player.block),
            Effect::IfVulnerable => {
                let enemy = run.state.enemies.get(usize::from(target)).copied().flatten();
                if enemy.is_some_and(|enemy| enemy.vulnerable > 0) {
                    run.at_once(Todo::Draw(1));
                    run.at_once(Todo::Energy(1));
                }
            }
            Effect::Vulnerable(_)
            | Effect::Weak(_)
            | Effect::VulnerableAll(_)
            | Effect::WeakAll(_)
            | Effect::Enfeeble(_) => debuff(&mut run.state, effect, form, target.into()),
            Effect::Strength(_)
            | Effect::StrengthThisTurn(_)
            | Effect::StrengthAgainstAttack(_)
            | Effect::DoubleStrength
            | Effect::Gain(..) => buff(&mut run.state, effect, form, target),
            Effect::Create(name, place, count) => {
                if let Some(slot) = self.slot(Card::called(name)) {
                    create(run, slot, place, count[form]);
                }
            }
            Effect::PlayTop => return each_enemy(run, |next, place| next.at_once(Todo::PlayTop { place })),
            Effect::RandomAttack => return self.random_attack(run),
            Effect::CopyOfThis => run.state.discard.add(slot, 1),
            Effect::UpgradeHand if form == 1 => self.upgrade_hand(&mut run.state),
            Effect::ExhaustRandom if form == 0 => return self.exhaust_random(run),
            _ if choice == NONE => {
                let asks = !self.candidates(&run.state, &run.state.hand, effect, form).is_empty();
                return if asks { Flow::Ask } else { Flow::On };
            }
            _ => self.with_chosen(run, effect, form, choice),
        }
        Flow::On
    }

    /// The effects that use a chosen card.
    fn with_chosen(&self, run: &mut Running, effect: &Effect, form: usize, chosen: u8) {
        match effect {
            Effect::UpgradeHand => {
                let (hand, better) = (&mut run.state.hand, self.upgraded[usize::from(chosen)]);
                hand.remove(chosen, 1);
                hand.add(better, 1);
                if run.state.free_without_cards(chosen) {
                    run.state.spend_free(chosen);
                    run.state.free_card(better);
                }
            }
            Effect::ExhaustChosen | Effect::ExhaustRandom => {
                run.state.hand.remove(chosen, 1);
                self.exhaust(run, chosen);
            }
            Effect::DiscardToTop if run.state.discard.count(chosen) > 0 => {
                run.state.discard.remove(chosen, 1);
                run.state.put_on_top(chosen);
            }
            Effect::HandToTop => {
                run.state.hand.remove(chosen, 1);
                run.state.put_on_top(chosen);
            }
            Effect::CopyChosen(count) => {
                let room = 10 - run.state.hand.len().min(10);
                let copied = if run.state.is_free(chosen) { u32::from(count[form]).min(room) } else { 0 };
                create(run, chosen, Where::Hand, count[form]);
                (0..copied).for_each(|_| run.state.free_card(chosen));
            }
            Effect::ExhaustedToHand => {
                run.state.exhausted.remove(chosen, 1);
                create(run, chosen, Where::Hand, 1);
            }
            _ => {}
        }
    }

    /// The top card of the draw pile is revealed, and will be played; at this enemy if it needs a target.
    pub(super) fn reveal_top(&self, run: &mut Running, place: u8) -> Flow {
        let reveals = |next: &mut Running, slot: u8| {
            let target = if self.card(slot).data().targeted { place } else { NONE };
            let energy = next.state.energy;
            next.next.push_back(Next::Top { slot, target, energy });
        };
        if let Some(world) = &mut run.world {
            if let Some(slot) = world.next_card(&self.cards, &mut run.state) {
                reveals(run, slot);
            }
            return Flow::On;
        }
        let ways = top_cards(&run.state).into_iter().map(|(chance, state, slot)| {
            let mut next = Running { state, ..run.clone() };
            reveals(&mut next, slot);
            (chance, next)
        });
        let ways: Vec<_> = ways.collect();
        if ways.is_empty() { Flow::On } else { Flow::Ways(ways) }
    }

    /// Any attack comes to the hand, and costs nothing this turn.
    fn random_attack(&self, run: &Running) -> Flow {
        let attacks: Vec<u8> = Card::random_attacks().filter_map(|card| self.slot(card)).collect();
        let way = |slot: &u8| {
            let mut next = run.clone();
            let fits = next.state.hand.len() < 10;
            create(&mut next, *slot, Where::Hand, 1);
            if fits {
                next.state.free_card(*slot);
            }
            (Chance::one_in(attacks.len()), next)
        };
        Flow::Ways(attacks.iter().map(way).collect())
    }

    /// A card of this slot, wherever it is, has been played once more: the pile to which it went last is searched
    /// first.
    pub(super) fn grow(&self, run: &mut Running, slot: u8) {
        let (grown, state) = (self.grown[usize::from(slot)], &mut run.state);
        let drawn = [&state.discard, &state.hand].into_iter().any(|pile| pile.count(slot) > 0);
        if !drawn
            && state.draw.count(slot) > 0
            && let Some(world) = &mut run.world
        {
            world.rename(slot, grown, 1);
        }
        let piles = [&mut state.discard, &mut state.hand, &mut state.draw, &mut state.exhausted];
        if let Some(pile) = piles.into_iter().find(|pile| pile.count(slot) > 0) {
            pile.remove(slot, 1);
            pile.add(grown, 1);
        }
    }

    fn exhaust_random(&self, run: &Running) -> Flow {
        let cards = u128::from(run.state.hand.len());
        let way = |(slot, count): (u8, u8)| {
            let mut next = run.clone();
            next.state.hand.remove(slot, 1);
            self.exhaust(&mut next, slot);
            (Chance::new(count.into(), cards), next)
        };
        if cards == 0 { Flow::On } else { Flow::Ways(run.state.hand.iter().map(way).collect()) }
    }

    /// A hit that feeds when it kills.
    pub(super) fn feed(&self, run: &mut Running, place: u8, force: u16, more: u8) {
        let alive = run.state.living_at(place).is_some();
        self.hit(run, place, force);
        if alive && run.state.living_at(place).is_none() {
            self.raise_health(&mut run.state, more);
        }
    }

    /// The hand is exhausted, for a hit each.
    pub(super) fn fiend_fire(&self, run: &mut Running, place: u8, force: u16) {
        for (slot, count) in run.state.hand.iter() {
            for _ in 0..count {
                run.at_once(Todo::Hit { place, force });
            }
            run.state.hand.remove(slot, count);
            (0..count).for_each(|_| self.exhaust(run, slot));
        }
    }

    /// All of the hand that is no attack is exhausted, for block each.
    pub(super) fn exhaust_non_attacks(&self, run: &mut Running, block: u16) {
        for (slot, count) in run.state.hand.iter() {
            if self.card(slot).data().kind == Kind::Attack {
                continue;
            }
            if block > 0 {
                (0..count).for_each(|_| run.at_once(Todo::Block(block)));
            }
            run.state.hand.remove(slot, count);
            (0..count).for_each(|_| self.exhaust(run, slot));
        }
    }

    pub(crate) fn upgrade_hand(&self, state: &mut State) {
        for slot in self.upgradable(&state.hand) {
            let (count, better) = (state.hand.count(slot), self.upgraded[usize::from(slot)]);
            state.hand.remove(slot, count);
            state.hand.add(better, count);
            while state.is_free(slot) {
                state.spend_free(slot);
                state.free_card(better);
            }
        }
    }

    /// How many cards named Strike there are in the piles and the hand, without the exhausted ones.
    pub(super) fn strikes(&self, state: &State) -> i32 {
        let placed = state.top.iter().take(state.known()).copied().chain(state.anywhere());
        let known = placed.filter(|slot| self.card(*slot).is_strike()).count();
        let piles = [state.hand, state.draw, state.discard];
        let cards = piles.iter().flat_map(|pile| pile.iter().collect::<Vec<_>>());
        let strikes: i32 =
            cards.filter(|(slot, _)| self.card(*slot).is_strike()).map(|(_, count)| i32::from(count)).sum();
        strikes + i32::try_from(known).unwrap_or(0)
    }

    /// A card is exhausted, and removed from where it was.
    pub(crate) fn exhaust(&self, run: &mut Running, slot: u8) {
        let card = self.card(slot);
        if self.tracks(Track::Exhausted) {
            run.state.exhausted.add(slot, 1);
        }
        if card.data().name == "sentinel" {
            run.state.energy = run.state.energy.saturating_add([2, 3][card.form()]);
        }
        let (draws, block) = (run.state.player.has(Power::DarkEmbrace), run.state.player.has(Power::FeelNoPain));
        if draws > 0 {
            run.later(Todo::Draw(draws));
        }
        if block > 0 {
            run.later(Todo::Block(block.into()));
        }
    }
}

/// Whether it intends to attack.
fn attacks(enemy: Enemy) -> bool {
    enemy.kind.data().moves.get(usize::from(enemy.intent)).is_some_and(MoveData::is_attack)
}

/// Cards come to a pile.
fn create(run: &mut Running, slot: u8, place: Where, count: u8) {
    let state = &mut run.state;
    match place {
        Where::Hand => {
            let room = 10u32.saturating_sub(state.hand.len());
            let fits = count.min(u8::try_from(room).unwrap_or(0));
            state.hand.add(slot, fits);
            state.discard.add(slot, count - fits);
        }
        Where::Discard => state.discard.add(slot, count),
        Where::Draw => (0..count).for_each(|_| run.shuffle_in(slot)),
    }
}

/// The effects that weaken enemies.
fn debuff(state: &mut State, effect: &Effect, form: usize, target: usize) {
    let (all, number) = match *effect {
        Effect::VulnerableAll(number) | Effect::WeakAll(number) => (true, number),
        Effect::Vulnerable(number) | Effect::Weak(number) | Effect::Enfeeble(number) => (false, number),
        _ => return,
    };
    let amount = number[form];
    for (place, enemy) in state.enemies.iter_mut().enumerate() {
        let Some(enemy) = enemy.as_mut().filter(|enemy| enemy.lives() && (all || place == target)) else { continue };
        if enemy.suffers() {
            match effect {
                Effect::Vulnerable(_) | Effect::VulnerableAll(_) => {
                    enemy.vulnerable = enemy.vulnerable.saturating_add(amount);
                }
                Effect::Weak(_) | Effect::WeakAll(_) => enemy.weak = enemy.weak.saturating_add(amount),
                _ => enemy.strengthen(-i16::from(amount)),
            }
        }
    }
}

/// The effects that strengthen the player.
fn buff(state: &mut State, effect: &Effect, form: usize, target: u8) {
    let attacked = state.living_at(target).is_some_and(|enemy| attacks(*enemy));
    let player = &mut state.player;
    match *effect {
        Effect::Strength(amount) => player.strengthen(amount[form].into()),
        Effect::StrengthThisTurn(amount) => {
            player.strengthen(amount[form].into());
            player.suffer(Power::StrengthLoss, amount[form]);
        }
        Effect::StrengthAgainstAttack(amount) if attacked => player.strengthen(amount[form].into()),
        Effect::DoubleStrength => player.strengthen(player.strength),
        Effect::Gain(power @ (Power::Vulnerable | Power::NoDraw), amount) => {
            player.suffer(power, amount[form]);
        }
        Effect::Gain(power, amount) => player.gain(power, amount[form]),
        _ => {}
    }
}
