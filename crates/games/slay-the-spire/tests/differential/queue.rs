//! The queue of actions, as the game processes it.

use super::cards::{self, Card};
use super::dice::Chance;
use super::fight::{Fight, Id, count, pick_card, remove};

/// An action. Damage is the damage of the hit before block.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    Hit(Id, i32),
    HitAll(Vec<(Id, i32)>),
    HitAny(Card, i32),
    Whirl(Vec<(Id, i32)>, i32),
    Drain(Vec<(Id, i32)>),
    Feed(Id, i32, i32),
    FiendFire(Id, i32),
    Dropkick(Id, i32),
    /// Damage to monsters that is not an attack.
    Sear(Id, i32),
    SearAll(i32),
    SearAny(i32),
    LoseHp(i32),
    /// Damage that the player does to himself.
    Burn(i32),
    /// Damage by a monster that is not an attack.
    Sting(i32),
    Heal(i32),
    Block(i32),
    DoubleBlock,
    MonsterBlock(Id, i32),
    Power(&'static str, i32),
    /// The same by a monster.
    Inflict(&'static str, i32),
    MonsterPower(Id, &'static str, i32),
    Spot(Id, i32),
    LimitBreak,
    Energy(i32),
    Draw(i32),
    ToDiscard(Card),
    ToDraw(Card),
    ToHand(Card, i32),
    Upgrade,
    UpgradeAll,
    ExhaustChosen,
    ExhaustRandom,
    ExhaustNonAttacks(i32),
    TopFromDiscard,
    TopFromHand,
    CopyChosen(i32),
    Exhume,
    Havoc,
    /// The top card is played at this monster.
    PlayTop(Id),
    RandomAttack,
    /// The damage of this card grows, wherever it is.
    Grow(Card),
    /// The card that was played goes to its pile.
    PutAway(Card, bool),
    GuardianCloses(Id),
    DiscardHand,
    EndTurn,
    MonstersStart,
    MonsterHit(Id, i32),
    /// Another action of a monster, by its name.
    Own(Id, &'static str, i32),
}

/// What follows when there are no actions.
#[derive(Clone, Debug, PartialEq)]
pub enum Queued {
    /// A second play of a card.
    Again(Card, Option<Id>, i32),
    /// The card that Havoc plays.
    Top(Card, Id, i32),
    /// A status or a curse at the end of the turn.
    Held(Card, i32),
    TurnEnds,
    Monster(Id),
    EndOfRound,
}

/// How a card is played: from the hand, from the draw pile, or as a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Hand,
    Top,
    Copy,
}

impl Fight {
    /// Continues until no action is left, the player has to choose, or he is dead.
    pub fn go(&mut self, chance: &mut Chance<'_>) {
        while !self.dead {
            let over = self.won();
            if let Some(action) = self.actions.pop_front() {
                let stays = matches!(
                    action,
                    Do::Heal(_) | Do::Block(_) | Do::PutAway(..) | Do::LoseHp(_) | Do::Burn(_) | Do::Sting(_)
                );
                if over && !stays {
                    continue;
                }
                self.act(action, chance);
                if self.asked.is_some() {
                    return;
                }
            } else if let Some(queued) = self.cards.pop_front() {
                if !over {
                    self.begin(queued);
                }
            } else {
                break;
            }
        }
        self.choice = None;
        self.forget_free();
    }

    /// Chooses a card for the pending action.
    pub fn choose(&mut self, card: &Card, chance: &mut Chance<'_>) {
        self.asked = None;
        self.choice = Some(card.clone());
        self.go(chance);
    }

    fn act(&mut self, action: Do, chance: &mut Chance<'_>) {
        match action {
            Do::Hit(monster, damage) => drop(self.damage_monster(monster, damage, true)),
            Do::HitAll(damage) => damage.iter().for_each(|(monster, damage)| {
                self.damage_monster(*monster, *damage, true);
            }),
            Do::HitAny(card, base) => {
                let alive = self.alive();
                let monster = alive[chance.one_of(alive.len())];
                let damage = self.attack(&card, base, 1, monster);
                self.top(Do::Hit(monster, damage));
            }
            Do::Whirl(damage, times) => (0..times).for_each(|_| self.bottom(Do::HitAll(damage.clone()))),
            Do::Drain(damage) => {
                let taken: i32 =
                    damage.iter().map(|(monster, damage)| self.damage_monster(*monster, *damage, true)).sum();
                if taken > 0 {
                    self.bottom(Do::Heal(taken));
                }
            }
            Do::Feed(monster, damage, more) => {
                let alive = self.monster(monster).is_some();
                self.damage_monster(monster, damage, true);
                if alive && self.monster(monster).is_none() {
                    self.max_hp += more;
                    self.heal(more);
                }
            }
            Do::FiendFire(monster, damage) => {
                for card in std::mem::take(&mut self.hand) {
                    self.actions.push_front(Do::Hit(monster, damage));
                    self.exhaust(card);
                }
            }
            Do::Dropkick(monster, damage) => {
                if self.monster(monster).is_some_and(|monster| monster.amount("vulnerable") > 0) {
                    self.top(Do::Draw(1));
                    self.top(Do::Energy(1));
                }
                self.top(Do::Hit(monster, damage));
            }
            Do::Sear(monster, damage) => drop(self.damage_monster(monster, damage, false)),
            Do::SearAll(damage) => self.alive().into_iter().for_each(|monster| {
                self.damage_monster(monster, damage, false);
            }),
            Do::SearAny(damage) => {
                let alive = self.alive();
                let monster = alive[chance.one_of(alive.len())];
                self.top(Do::Sear(monster, damage));
            }
            Do::Upgrade | Do::ExhaustChosen | Do::TopFromDiscard | Do::TopFromHand | Do::CopyChosen(_) | Do::Exhume => {
                self.ask(action);
            }
            _ => self.act_on_player(action, chance),
        }
    }

    /// Actions that affect the player and his cards.
    fn act_on_player(&mut self, action: Do, chance: &mut Chance<'_>) {
        match action {
            Do::LoseHp(amount) => self.lose_hp(amount, true),
            Do::Burn(damage) => drop(self.damage_player(damage, true)),
            Do::Sting(damage) => drop(self.damage_player(damage, false)),
            Do::Heal(amount) => self.heal(amount),
            Do::Block(amount) => self.gain_block(amount),
            Do::DoubleBlock => self.gain_block(self.block),
            Do::MonsterBlock(monster, amount) => {
                if let Some(monster) = self.monster(monster) {
                    monster.block = (monster.block + amount).min(999);
                }
            }
            Do::Power(power, amount) => self.apply(power, amount, false),
            Do::Inflict(power, amount) => self.apply(power, amount, true),
            Do::MonsterPower(monster, power, amount) => {
                if let Some(monster) = self.monster(monster) {
                    monster.apply(power, amount);
                }
            }
            Do::Spot(monster, amount) => {
                if self.monster(monster).is_some_and(|monster| monster.means_to_attack()) {
                    self.bottom(Do::Power("strength", amount));
                }
            }
            Do::LimitBreak => self.top(Do::Power("strength", self.amount("strength"))),
            Do::Energy(amount) => self.energy = (self.energy + amount).max(0),
            Do::Draw(count) => self.draw_cards(count, chance),
            Do::PutAway(card, true) => self.exhaust(card),
            Do::PutAway(card, false) | Do::ToDiscard(card) => self.discard.push(card),
            Do::ToDraw(card) => self.shuffle_in(card),
            Do::ToHand(card, count) => {
                for _ in 0..count {
                    let pile = if self.hand.len() < 10 { &mut self.hand } else { &mut self.discard };
                    pile.push(card.clone());
                }
            }
            Do::UpgradeAll => {
                let cards = self.hand.iter_mut().chain(&mut self.free);
                cards.filter(|card| card.can_be_upgraded()).for_each(|card| card.upgraded = true);
                self.free.sort();
            }
            Do::ExhaustRandom => {
                if let Some(card) = pick_card(&self.hand, chance) {
                    remove(&mut self.hand, &card);
                    self.exhaust(card);
                }
            }
            Do::ExhaustNonAttacks(block) => {
                let (kept, gone): (Vec<Card>, Vec<Card>) =
                    std::mem::take(&mut self.hand).into_iter().partition(|card| card.kind() == 'A');
                self.hand = kept;
                for card in gone {
                    if block > 0 {
                        self.top(Do::Block(block));
                    }
                    self.exhaust(card);
                }
            }
            Do::Havoc => {
                let alive = self.alive();
                self.top(Do::PlayTop(alive[chance.one_of(alive.len())]));
            }
            Do::PlayTop(monster) => {
                if let Some(card) = self.take_top(chance) {
                    self.cards.push_back(Queued::Top(card, monster, self.energy));
                }
            }
            Do::RandomAttack => {
                let mut attacks = Card::random_attacks();
                let card = attacks.swap_remove(chance.one_of(attacks.len()));
                if self.hand.len() < 10 {
                    self.hand.push(card.clone());
                    self.set_free(card);
                } else {
                    self.discard.push(card);
                }
            }
            Do::Grow(card) => self.grow(&card),
            _ => self.act_of_turn(action, chance),
        }
    }

    /// Every instance of this card grows: the one being played, and its waiting copy; or wherever it is.
    fn grow(&mut self, card: &Card) {
        let grown = Card { grown: card.grown + if card.upgraded { 8 } else { 5 }, ..card.clone() };
        let mut in_use = false;
        for action in &mut self.actions {
            if let Do::PutAway(own, _) = action
                && own == card
                && !in_use
            {
                *own = grown.clone();
                in_use = true;
            }
        }
        for queued in &mut self.cards {
            if let Queued::Again(own, ..) = queued
                && own == card
                && in_use
            {
                *own = grown.clone();
            }
        }
        let piles = [&mut self.discard, &mut self.hand, &mut self.draw, &mut self.exhausted];
        let lying = piles.into_iter().flatten().find(|own| *own == card);
        if let Some(own) = lying.filter(|_| !in_use) {
            *own = grown;
        }
    }

    fn ask(&mut self, action: Do) {
        let mut cards = match action {
            Do::Upgrade => self.hand.iter().filter(|card| card.can_be_upgraded()).cloned().collect(),
            Do::CopyChosen(_) => self.hand.iter().filter(|card| matches!(card.kind(), 'A' | 'P')).cloned().collect(),
            Do::Exhume => self.exhausted.iter().filter(|card| card.name != "exhume").cloned().collect(),
            // More than five known cards are not modelled.
            Do::TopFromDiscard | Do::TopFromHand if self.known >= 5 => Vec::new(),
            Do::TopFromDiscard => self.discard.clone(),
            _ => self.hand.clone(),
        };
        cards.sort();
        cards.dedup();
        if cards.is_empty() {
            return;
        }
        let Some(card) = self.choice.take() else {
            self.asked = Some(cards);
            return self.top(action);
        };
        assert!(cards.contains(&card), "{card:?} is none of {cards:?}");
        match action {
            Do::Upgrade => {
                remove(&mut self.hand, &card);
                let better = Card { upgraded: true, ..card.clone() };
                self.hand.push(better.clone());
                if count(&self.free, &card) > count(&self.hand, &card) {
                    remove(&mut self.free, &card);
                    self.free.push(better);
                }
            }
            Do::CopyChosen(count) => {
                for _ in 0..count {
                    if self.free.contains(&card) && self.hand.len() < 10 {
                        self.set_free(card.clone());
                    }
                    let pile = if self.hand.len() < 10 { &mut self.hand } else { &mut self.discard };
                    pile.push(card.clone());
                }
            }
            Do::Exhume => {
                remove(&mut self.exhausted, &card);
                self.hand.push(card);
            }
            Do::TopFromDiscard => {
                remove(&mut self.discard, &card);
                self.put_on_top(card);
            }
            Do::TopFromHand => {
                remove(&mut self.hand, &card);
                self.put_on_top(card);
            }
            _ => {
                remove(&mut self.hand, &card);
                self.exhaust(card);
            }
        }
    }

    fn put_on_top(&mut self, card: Card) {
        self.draw.push(card);
        self.known += 1;
    }

    /// A card of the hand is played, with this choice if it asks for one.
    pub fn play(&mut self, card: &Card, target: Option<Id>, choice: Option<Card>, chance: &mut Chance<'_>) {
        let energy = card.cost(self).unwrap();
        self.choice = choice;
        self.use_card(card, target, energy, By::Hand);
        self.go(chance);
    }

    /// Whether the card could be played now if it cost nothing.
    pub fn allowed(&self, card: &Card) -> bool {
        let entangled = card.kind() == 'A' && self.has("entangled");
        let clashes = card.is('c') && self.hand.iter().any(|other| other.kind() != 'A');
        let stopped = self.cards_played >= 3 && self.hand.iter().any(|other| other.name == "normality");
        !(entangled || clashes || stopped)
    }

    fn use_card(&mut self, card: &Card, target: Option<Id>, energy: i32, by: By) {
        self.cards_played += 1;
        cards::play(self, card, target, energy);
        self.answers(card, target, energy, by == By::Copy);
        let corrupted = card.kind() == 'S' && self.has("corruption");
        if by != By::Copy && card.kind() != 'P' {
            self.bottom(Do::PutAway(card.clone(), card.exhausts() || corrupted || by == By::Top));
        }
        if by == By::Hand {
            remove(&mut self.hand, card);
            remove(&mut self.free, card);
            self.energy -= energy;
        }
        for _ in self.hand.clone().iter().filter(|card| card.name == "pain") {
            self.top(Do::LoseHp(1));
        }
    }

    /// The reactions of powers, relics and monsters to a card.
    fn answers(&mut self, card: &Card, target: Option<Id>, energy: i32, again: bool) {
        if self.counts("ink-bottle", 10) == 0 && self.relic("ink-bottle") {
            self.bottom(Do::Draw(1));
        }
        if card.kind() == 'S' {
            self.skills_played += 1;
            if self.relic("letter-opener") && self.skills_played % 3 == 0 {
                self.bottom(Do::SearAll(5));
            }
            for monster in self.alive() {
                let enrage = self.monster(monster).map_or(0, |monster| monster.amount("enrage"));
                if enrage > 0 {
                    self.top(Do::MonsterPower(monster, "strength", enrage));
                }
            }
        }
        if card.kind() != 'A' {
            return;
        }
        self.attacks_played += 1;
        if self.has("rage") {
            self.bottom(Do::Block(self.amount("rage")));
        }
        if self.has("double tap") && !again {
            *self.powers.get_mut("double tap").unwrap() -= 1;
            self.cards.push_front(Queued::Again(card.clone(), target, energy));
        }
        if self.has("vigor") {
            self.bottom(Do::Power("vigor", -8));
        }
        if self.has("pen nib") {
            self.bottom(Do::Power("pen nib", -1));
        }
        let third = self.attacks_played % 3 == 0;
        for (relic, action) in [
            ("kunai", Do::Power("dexterity", 1)),
            ("ornamental-fan", Do::Block(4)),
            ("shuriken", Do::Power("strength", 1)),
        ] {
            if third && self.relic(relic) {
                self.bottom(action);
            }
        }
        if self.counts("nunchaku", 10) == 0 && self.relic("nunchaku") {
            self.bottom(Do::Energy(1));
        }
        if self.counts("pen-nib", 10) == 9 && self.relic("pen-nib") {
            self.bottom(Do::Power("pen nib", 1));
        }
        for monster in self.alive() {
            let hide = self.monster(monster).map_or(0, |monster| monster.amount("sharp hide"));
            if hide > 0 {
                self.bottom(Do::Sting(hide));
            }
        }
    }

    /// A relic counts up to a number, and from 0 again.
    pub fn counts(&mut self, relic: &'static str, to: i32) -> i32 {
        let counter = self.counters.entry(relic).or_default();
        *counter = (*counter + 1) % to;
        *counter
    }

    fn begin(&mut self, queued: Queued) {
        match queued {
            Queued::Again(card, target, energy) => {
                let in_vain = card.is('t') && target.is_none_or(|monster| self.monster(monster).is_none());
                if !in_vain && self.allowed(&card) {
                    self.use_card(&card, target, energy, By::Copy);
                }
            }
            Queued::Top(card, monster, energy) => {
                let in_vain = card.is('t') && self.monster(monster).is_none();
                if !in_vain && card.cost(self).is_some() && self.allowed(&card) {
                    self.use_card(&card, Some(monster), energy, By::Top);
                } else if card.kind() != 'P' {
                    self.bottom(Do::PutAway(card, true));
                }
            }
            Queued::Held(card, hand) => self.held(card, hand),
            Queued::TurnEnds => self.turn_ends(),
            Queued::Monster(monster) => self.takes_turn(monster),
            Queued::EndOfRound => self.end_round(),
        }
    }
}
