//! What can be played, and what a card or a potion does.

use super::card::{Card, CardData, Cost, Effect, Kind, Pile as Where};
use super::chance::Chance;
use super::enemy::{Kind as EnemyKind, MoveData};
use super::potion::Drink;
use super::power::Power;
use super::relic::Relic;
use super::rules::Rules;
use super::state::{ENEMIES, Enemy, NONE, State, TOP};

/// One thing that the player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A card of this slot is played.
    Play {
        /// The card's slot.
        slot: u8,
        /// The enemy's place from the left; [`NONE`] for a card that has no target.
        target: u8,
        /// The slot of the card that is chosen for its effect; [`NONE`] where there is none.
        choice: u8,
    },
    /// A potion is used.
    Use {
        /// Its place among the fight's potions.
        potion: u8,
        /// The enemy's place from the left, or [`NONE`].
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

/// Positions with their chances.
pub type Outcomes = Vec<(Chance, State)>;

/// What is still to be done by chance before the next effect.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Due {
    /// Cards to be drawn.
    pub draws: u8,
    /// Attacks on random enemies.
    pub hits: u8,
    /// Their damage.
    pub damage: u8,
    /// Cards of the hand to be exhausted at random.
    pub exhausts: u8,
    /// Damage to random enemies, by Juggernaut.
    pub jolts: u8,
}

impl Due {
    fn any(self) -> bool {
        self.draws > 0 || self.hits > 0 || self.exhausts > 0 || self.jolts > 0
    }
}

/// A position in the middle of an effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Running {
    pub state: State,
    pub due: Due,
}

/// The card being played, and how.
#[derive(Clone, Copy, Debug)]
struct Playing {
    card: Card,
    slot: u8,
    target: usize,
    choice: u8,
    energy: u8,
    /// Akabeko's damage.
    bonus: i32,
    /// Pen Nib's factor.
    factor: i32,
    /// How often the card's effects are carried out.
    times: usize,
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
            let choices = self.choices(state, slot);
            for target in targets(data.targeted) {
                let target = place(data.targeted, target);
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
            && !(data.only_attacks
                && state.hand.iter().any(|(slot, _)| self.card(slot).data().kind != Kind::Attack))
            && !(self.tracks.played && state.player.has(Power::Played) >= 3 && in_hand("normality"))
    }

    /// The energy a card takes now; `None` when it cannot be played.
    fn cost(&self, state: &State, slot: u8) -> Option<u8> {
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

    /// The cards that can be chosen for the card's effect; only [`NONE`] where there is nothing to choose.
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
    fn upgradable(&self, hand: &super::state::Pile) -> Vec<u8> {
        let upgradable = |slot: u8| {
            let upgraded = self.upgraded[usize::from(slot)];
            upgraded != NONE && upgraded != slot
        };
        hand.iter().map(|(slot, _)| slot).filter(|slot| upgradable(*slot)).collect()
    }

    /// What a play or a potion leads to; not for the end of the turn.
    pub fn act(&self, state: &State, action: Action, outcomes: &mut Outcomes) {
        outcomes.clear();
        match action {
            Action::Play { slot, target, choice } => self.play(state, slot, target, choice, outcomes),
            Action::Use { potion, target } => self.drink(state, potion, target, outcomes),
            Action::PutOnTop { slot } => {
                let mut next = *state;
                next.hand.remove(slot, 1);
                next.put_on_top(slot);
                next.choosing -= 1;
                outcomes.push((Chance::ONE, next));
            }
            Action::EndTurn => debug_assert!(false, "the end of the turn is no play"),
        }
    }

    fn play(&self, state: &State, slot: u8, target: u8, choice: u8, outcomes: &mut Outcomes) {
        let card = self.card(slot);
        let data = card.data();
        let mut run = Running { state: *state, due: Due::default() };
        run.state.hand.remove(slot, 1);
        let energy = self.cost(state, slot).unwrap_or(0);
        run.state.energy = run.state.energy.saturating_sub(energy);
        let mut playing =
            Playing { card, slot, target: target.into(), choice, energy, bonus: 0, factor: 1, times: 1 };
        for (slot, count) in state.hand.iter() {
            if self.card(slot).data().name == "pain" {
                (0..count).for_each(|_| self.lose_health(&mut run.state, 1, false));
            }
        }
        if self.keeps(Power::Played) {
            run.state.player.gain(Power::Played, 1);
        }
        match data.kind {
            Kind::Attack => self.before_attack(&mut run, &mut playing),
            Kind::Skill => self.before_skill(&mut run),
            Kind::Power | Kind::Status | Kind::Curse => {}
        }
        self.carry_on(Chance::ONE, run, &playing, 0, outcomes);
    }

    /// What happens whenever an attack is played.
    fn before_attack(&self, run: &mut Running, playing: &mut Playing) {
        let player = &mut run.state.player;
        if player.take(Power::Akabeko) > 0 {
            playing.bonus += 8;
        }
        if self.has(Relic::PenNib) {
            player.gain(Power::PenNib, 1);
            if player.has(Power::PenNib) == 10 {
                player.set(Power::PenNib, 0);
                playing.factor = 2;
            }
        }
        if self.has(Relic::Nunchaku) {
            player.gain(Power::Nunchaku, 1);
            if player.has(Power::Nunchaku) == 10 {
                player.set(Power::Nunchaku, 0);
                run.state.energy += 1;
            }
        }
        if player.has(Power::DoubleTap) > 0 {
            player.set(Power::DoubleTap, player.has(Power::DoubleTap) - 1);
            playing.times = 2;
        }
        let rage = player.has(Power::Rage);
        let mut third = false;
        if self.keeps(Power::Attacks) {
            player.gain(Power::Attacks, 1);
            third = player.has(Power::Attacks).is_multiple_of(3);
        }
        if third && self.has(Relic::Kunai) {
            player.quicken(1);
        }
        if third && self.has(Relic::Shuriken) {
            player.strengthen(1);
        }
        self.gain_block(run, rage.into());
        if third && self.has(Relic::OrnamentalFan) {
            self.gain_block(run, 4);
        }
    }

    /// What happens whenever a skill is played.
    fn before_skill(&self, run: &mut Running) {
        for enemy in run.state.enemies.iter_mut().flatten() {
            if enemy.kind == EnemyKind::GremlinNob && enemy.memory > 0 {
                enemy.strengthen(EnemyKind::enrage(self.ascension));
            }
        }
        if self.has(Relic::LetterOpener) {
            run.state.player.gain(Power::Skills, 1);
            if run.state.player.has(Power::Skills).is_multiple_of(3) {
                self.hurt_all(&mut run.state, 5);
            }
        }
    }

    /// Carries out the effects from a place on, then what follows a card.
    fn carry_on(&self, chance: Chance, mut run: Running, playing: &Playing, from: usize, outcomes: &mut Outcomes) {
        let effects = playing.card.data().effects;
        let steps = effects.len() * playing.times;
        for step in from..=steps {
            if step < steps {
                self.effect(&mut run, effects[step % effects.len()], playing);
            } else {
                self.after_card(&mut run, playing);
            }
            if run.due.any() {
                if run.state.is_over() {
                    run.due = Due::default();
                    continue;
                }
                let mut branches = Vec::new();
                self.resolve(chance, run, Some(playing), &mut branches);
                for (chance, run) in branches {
                    if step < steps {
                        self.carry_on(chance, run, playing, step + 1, outcomes);
                    } else {
                        outcomes.push((chance, run.state));
                    }
                }
                return;
            }
        }
        outcomes.push((chance, run.state));
    }

    /// The card goes where it belongs; enemies curl up; the dead are carried away.
    fn after_card(&self, run: &mut Running, playing: &Playing) {
        let data: &CardData = playing.card.data();
        let corrupted = data.kind == Kind::Skill && run.state.player.has(Power::Corruption) > 0;
        if data.kind == Kind::Power {
            // It is gone.
        } else if data.exhausts[playing.card.form()] || corrupted {
            self.exhaust(run, playing.slot);
        } else {
            run.state.discard.add(playing.slot, 1);
        }
        for enemy in run.state.enemies.iter_mut().flatten() {
            let block = std::mem::take(&mut enemy.curling);
            if enemy.lives() {
                enemy.shield(block.into());
            }
        }
        run.state.close_ranks();
    }

    /// Does by chance what is due, until nothing is.
    pub(crate) fn resolve_draws(&self, run: Running, branches: &mut Vec<(Chance, Running)>) {
        self.resolve(Chance::ONE, run, None, branches);
    }

    fn resolve(
        &self,
        chance: Chance,
        mut run: Running,
        playing: Option<&Playing>,
        branches: &mut Vec<(Chance, Running)>,
    ) {
        if !run.due.any() || run.state.is_over() {
            run.due = Due::default();
            branches.push((chance, run));
            return;
        }
        if run.due.hits > 0 || run.due.jolts > 0 {
            let alive: Vec<usize> = (0..ENEMIES).filter(|place| run.state.enemies[*place].is_some_and(|e| e.lives())).collect();
            let share = chance.and(Chance::one_in(alive.len()));
            for place in alive {
                let mut next = run;
                if run.due.hits > 0 {
                    next.due.hits -= 1;
                    if let Some(playing) = playing {
                        let damage = next.due.damage.into();
                        self.hit(&mut next, place, damage, 1, playing);
                    }
                } else {
                    next.due.jolts -= 1;
                    let damage = next.state.player.has(Power::Juggernaut);
                    self.hurt(&mut next.state, place, damage.into());
                }
                self.resolve(share, next, playing, branches);
            }
        } else if run.due.exhausts > 0 {
            run.due.exhausts -= 1;
            let cards = u128::from(run.state.hand.len());
            if cards == 0 {
                return self.resolve(chance, run, playing, branches);
            }
            for (slot, count) in run.state.hand.iter() {
                let mut next = run;
                next.state.hand.remove(slot, 1);
                self.exhaust(&mut next, slot);
                self.resolve(chance.and(Chance::new(count.into(), cards)), next, playing, branches);
            }
        } else {
            let count = std::mem::take(&mut run.due.draws);
            for (share, next) in self.draws(&run, count) {
                self.resolve(chance.and(share), next, playing, branches);
            }
        }
    }

    fn drink(&self, state: &State, potion: u8, target: u8, outcomes: &mut Outcomes) {
        let mut run = Running { state: *state, due: Due::default() };
        let state = &mut run.state;
        state.potions &= !(1 << potion);
        if self.has(Relic::ToyOrnithopter) {
            state.health.heal(5, self.max_health);
        }
        let target = usize::from(target);
        match self.potions[usize::from(potion)].data().does {
            Drink::Damage(damage) => self.hurt(state, target, damage.into()),
            Drink::DamageAll(damage) => self.hurt_all(state, damage.into()),
            Drink::Block(block) => self.gain_block(&mut run, block.into()),
            Drink::Dexterity(amount) => state.player.quicken(amount.into()),
            Drink::DexterityThisTurn(amount) => {
                state.player.quicken(amount.into());
                state.player.suffer(Power::DexterityLoss, amount);
            }
            Drink::Heal(hundredths) => {
                state.health.heal(self.max_health * i16::from(hundredths) / 100, self.max_health);
            }
            Drink::UpgradeHand => self.upgrade_hand(state),
            Drink::As(effect) => {
                // A potion is no card: what an effect asks of one is neutral.
                let playing = Playing {
                    card: self.cards.first().copied().unwrap_or_else(|| Card::called("wound")),
                    slot: NONE,
                    target,
                    choice: NONE,
                    energy: 0,
                    bonus: 0,
                    factor: 1,
                    times: 1,
                };
                self.effect(&mut run, effect, &playing);
            }
        }
        run.state.close_ranks();
        let mut branches = Vec::new();
        self.resolve_draws(run, &mut branches);
        outcomes.extend(branches.into_iter().map(|(chance, run)| (chance, run.state)));
    }

    fn effect(&self, run: &mut Running, effect: Effect, playing: &Playing) {
        let form = playing.card.form();
        let all = 0..ENEMIES;
        let target = playing.target;
        match effect {
            Effect::Hit(damage, times) => {
                (0..times[form]).for_each(|_| self.strike(run, target, damage[form], playing));
            }
            Effect::HitAll(damage) => all.for_each(|place| self.strike(run, place, damage[form], playing)),
            Effect::HitAllForEnergy(damage) => {
                for _ in 0..playing.energy {
                    all.clone().for_each(|place| self.strike(run, place, damage[form], playing));
                }
            }
            Effect::HitRandom(damage, times) => {
                run.due.hits += times[form];
                run.due.damage = damage[form];
            }
            Effect::HitBlock => {
                self.hit(run, target, run.state.player.block.into(), 1, playing);
            }
            Effect::HitStrength(damage, times) => {
                self.hit(run, target, damage[form].into(), times[form].into(), playing);
            }
            Effect::HitStrikes(damage, more) => {
                let strikes = self.strikes(&run.state) + i32::from(playing.card.is_strike());
                let damage = i32::from(damage[form]) + i32::from(more[form]) * strikes;
                self.hit(run, target, damage, 1, playing);
            }
            Effect::HitAllHealing(damage) => {
                let taken: u16 = all.map(|place| self.hit(run, place, damage[form].into(), 1, playing)).sum();
                run.state.health.heal(i16::try_from(taken).unwrap_or(i16::MAX), self.max_health);
            }
            Effect::Block(block) => self.gain_block(run, self.card_block(&run.state, block[form].into())),
            Effect::DoubleBlock => self.gain_block(run, run.state.player.block),
            Effect::LoseHealth(amount) => self.lose_health(&mut run.state, amount[form].into(), true),
            Effect::Draw(count) => run.due.draws += count[form],
            Effect::Energy(amount) => run.state.energy = run.state.energy.saturating_add(amount[form]),
            Effect::IfVulnerable => {
                if enemy_at(&run.state, target).is_some_and(|enemy| enemy.vulnerable > 0) {
                    run.state.energy += 1;
                    run.due.draws += 1;
                }
            }
            Effect::ExhaustRandom if form == 0 => run.due.exhausts += 1,
            Effect::Vulnerable(_)
            | Effect::Weak(_)
            | Effect::VulnerableAll(_)
            | Effect::WeakAll(_)
            | Effect::Enfeeble(_) => debuff(&mut run.state, effect, form, target),
            Effect::Strength(_)
            | Effect::StrengthThisTurn(_)
            | Effect::StrengthAgainstAttack(_)
            | Effect::DoubleStrength
            | Effect::Gain(..) => buff(&mut run.state, effect, form, target),
            _ => self.piles_effect(run, effect, playing),
        }
    }

    /// The effects that move cards.
    fn piles_effect(&self, run: &mut Running, effect: Effect, playing: &Playing) {
        let form = playing.card.form();
        let chosen = (playing.choice != NONE).then_some(playing.choice);
        match (effect, chosen) {
            (Effect::Create(name, place, count), _) => {
                if let Some(slot) = self.slot(Card::called(name)) {
                    create(&mut run.state, slot, place, count[form]);
                }
            }
            (Effect::CopyOfThis, _) => run.state.discard.add(playing.slot, 1),
            (Effect::UpgradeHand, _) if form == 1 => self.upgrade_hand(&mut run.state),
            (Effect::UpgradeHand, Some(slot)) => {
                run.state.hand.remove(slot, 1);
                run.state.hand.add(self.upgraded[usize::from(slot)], 1);
            }
            (Effect::ExhaustChosen | Effect::ExhaustRandom, Some(slot)) => {
                run.state.hand.remove(slot, 1);
                self.exhaust(run, slot);
            }
            (Effect::ExhaustNonAttacks(block), _) => {
                for (slot, count) in run.state.hand.iter() {
                    if self.card(slot).data().kind != Kind::Attack {
                        run.state.hand.remove(slot, count);
                        for _ in 0..count {
                            self.exhaust(run, slot);
                            if block[form] > 0 {
                                self.gain_block(run, self.card_block(&run.state, block[form].into()));
                            }
                        }
                    }
                }
            }
            (Effect::ExhaustHand(damage), _) => {
                let mut exhausted = 0;
                for (slot, count) in run.state.hand.iter() {
                    run.state.hand.remove(slot, count);
                    exhausted += count;
                    (0..count).for_each(|_| self.exhaust(run, slot));
                }
                for _ in 0..exhausted {
                    self.hit(run, playing.target, damage[form].into(), 1, playing);
                }
            }
            (Effect::DiscardToTop, Some(slot)) if run.state.discard.count(slot) > 0 => {
                run.state.discard.remove(slot, 1);
                run.state.put_on_top(slot);
            }
            (Effect::HandToTop, _) if !run.state.hand.is_empty() && run.state.known() < TOP => run.state.choosing += 1,
            (Effect::CopyChosen(count), Some(slot)) => create(&mut run.state, slot, Where::Hand, count[form]),
            (Effect::ExhaustedToHand, Some(slot)) => {
                run.state.exhausted.remove(slot, 1);
                create(&mut run.state, slot, Where::Hand, 1);
            }
            _ => {}
        }
    }

    fn upgrade_hand(&self, state: &mut State) {
        for slot in self.upgradable(&state.hand) {
            let count = state.hand.count(slot);
            state.hand.remove(slot, count);
            state.hand.add(self.upgraded[usize::from(slot)], count);
        }
    }

    /// How many cards named Strike there are, without the exhausted ones.
    fn strikes(&self, state: &State) -> i32 {
        let known = state.top.iter().filter(|slot| **slot != NONE && self.card(**slot).is_strike()).count();
        let piles = [state.hand, state.draw, state.discard];
        let cards = piles.iter().flat_map(|pile| pile.iter().collect::<Vec<_>>());
        let strikes: i32 =
            cards.filter(|(slot, _)| self.card(*slot).is_strike()).map(|(_, count)| i32::from(count)).sum();
        strikes + i32::try_from(known).unwrap_or(0)
    }

    /// A card is exhausted.
    pub(crate) fn exhaust(&self, run: &mut Running, slot: u8) {
        let card = self.card(slot);
        if self.tracks.exhausted {
            run.state.exhausted.add(slot, 1);
        }
        if card.data().name == "sentinel" {
            run.state.energy = run.state.energy.saturating_add([2, 3][card.form()]);
        }
        run.due.draws += run.state.player.has(Power::DarkEmbrace);
        self.gain_block(run, run.state.player.has(Power::FeelNoPain).into());
    }

    /// The block that a card gives.
    fn card_block(&self, state: &State, base: i32) -> u16 {
        let block = base + i32::from(state.player.dexterity);
        let block = if state.player.has(Power::Frail) > 0 { block * 3 / 4 } else { block };
        u16::try_from(block.max(0)).unwrap_or(u16::MAX)
    }

    /// Block, as it is.
    pub(crate) fn gain_block(&self, run: &mut Running, block: u16) {
        if block > 0 {
            let player = &mut run.state.player;
            player.block = player.block.saturating_add(block).min(999);
            run.due.jolts += u8::from(player.has(Power::Juggernaut) > 0);
        }
    }

    /// One hit of an attack on the enemy at this place.
    fn strike(&self, run: &mut Running, place: usize, damage: u8, playing: &Playing) {
        self.hit(run, place, damage.into(), 1, playing);
    }

    /// One hit of an attack on the enemy at this place. Returns the health it took.
    fn hit(&self, run: &mut Running, place: usize, damage: i32, strength: i32, playing: &Playing) -> u16 {
        let player = &run.state.player;
        let (weak, own_strength) = (player.has(Power::Weak) > 0, i32::from(player.strength));
        let Some(enemy) = run.state.enemies.get_mut(place).and_then(Option::as_mut).filter(|enemy| enemy.lives()) else {
            return 0;
        };
        let dummy = if self.has(Relic::StrikeDummy) && playing.card.is_strike() { 3 } else { 0 };
        let base = damage + own_strength * strength + playing.bonus + dummy;
        // In eighths and quarters, with one rounding at the end: Weak 3/4, Vulnerable 3/2 or 7/4.
        let weakened = base.max(0) * playing.factor * if weak { 3 } else { 4 };
        let quarters = match (enemy.vulnerable > 0, self.has(Relic::PaperPhrog)) {
            (false, _) => 4,
            (true, false) => 6,
            (true, true) => 7,
        };
        let damage = u16::try_from(weakened * quarters / 16).unwrap_or(u16::MAX);
        let mut through = damage - damage.min(enemy.block);
        enemy.block -= damage.min(enemy.block);
        if self.has(Relic::TheBoot) && (1..5).contains(&through) {
            through = 5;
        }
        let taken = through.min(enemy.health);
        enemy.health -= taken;
        if taken > 0 && enemy.lives() {
            if enemy.kind.is_louse() {
                enemy.curling += std::mem::take(&mut enemy.special);
            }
            enemy.strengthen(enemy.kind.anger(self.ascension));
        }
        self.after_damage(&mut run.state, place, taken);
        taken
    }

    /// Damage that is no attack.
    pub(crate) fn hurt(&self, state: &mut State, place: usize, damage: u16) {
        let Some(enemy) = state.enemies.get_mut(place).and_then(Option::as_mut).filter(|enemy| enemy.lives()) else {
            return;
        };
        let through = damage - damage.min(enemy.block);
        enemy.block -= damage.min(enemy.block);
        let taken = through.min(enemy.health);
        enemy.health -= taken;
        self.after_damage(state, place, taken);
    }

    /// The same to all enemies.
    pub(crate) fn hurt_all(&self, state: &mut State, damage: u16) {
        (0..ENEMIES).for_each(|place| self.hurt(state, place, damage));
    }

    /// What an enemy does that has lost health.
    fn after_damage(&self, state: &mut State, place: usize, taken: u16) {
        let others = state.living().count();
        let Some(enemy) = state.enemies[place].as_mut().filter(|_| taken > 0) else { return };
        if !enemy.lives() {
            if enemy.kind == EnemyKind::FungiBeast && others > 0 {
                state.player.suffer(Power::Vulnerable, 2);
            }
        } else if enemy.kind == EnemyKind::Lagavulin && enemy.memory > 0 {
            (enemy.memory, enemy.intent, enemy.run) = (0, 1, 0);
        } else if enemy.kind.splits() && enemy.health <= enemy.special.into() {
            let split = enemy.kind.move_called("split");
            (enemy.intent, enemy.run) = (split.unwrap_or(enemy.intent), 0);
        }
    }

    /// The player loses health.
    pub(crate) fn lose_health(&self, state: &mut State, amount: u16, by_card: bool) {
        if amount == 0 {
            return;
        }
        state.health.lose(i16::try_from(amount).unwrap_or(i16::MAX));
        if self.tracks.wounds {
            let wounds = (state.player.has(Power::Wounds) + 1).min(4);
            state.player.set(Power::Wounds, wounds);
        }
        if self.has(Relic::SelfFormingClay) {
            state.player.gain(Power::NextBlock, 3);
        }
        if by_card {
            state.player.strengthen(state.player.has(Power::Rupture).into());
        }
    }
}

fn place(target: usize) -> u8 {
    u8::try_from(target).unwrap_or(NONE)
}

/// The enemy at this place, if there is one.
fn enemy_at(state: &State, place: usize) -> Option<Enemy> {
    state.enemies.get(place).copied().flatten()
}

/// Whether it intends to attack.
fn attacks(enemy: Enemy) -> bool {
    enemy.kind.data().moves.get(usize::from(enemy.intent)).is_some_and(MoveData::is_attack)
}

/// Cards come to a pile.
fn create(state: &mut State, slot: u8, place: Where, count: u8) {
    match place {
        Where::Hand => {
            let room = 10u32.saturating_sub(state.hand.len());
            let fits = count.min(u8::try_from(room).unwrap_or(0));
            state.hand.add(slot, fits);
            state.discard.add(slot, count - fits);
        }
        Where::Discard => state.discard.add(slot, count),
        Where::Draw => state.draw.add(slot, count),
    }
}

/// The effects that weaken enemies.
fn debuff(state: &mut State, effect: Effect, form: usize, target: usize) {
    let (all, number) = match effect {
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
fn buff(state: &mut State, effect: Effect, form: usize, target: usize) {
    let attacked = enemy_at(state, target).is_some_and(attacks);
    let player = &mut state.player;
    match effect {
        Effect::Strength(amount) => player.strengthen(amount[form].into()),
        Effect::StrengthThisTurn(amount) => {
            player.strengthen(amount[form].into());
            player.suffer(Power::StrengthLoss, amount[form]);
        }
        Effect::StrengthAgainstAttack(amount) => {
            if attacked {
                player.strengthen(amount[form].into());
            }
        }
        Effect::DoubleStrength => player.strengthen(player.strength),
        Effect::Gain(power @ (Power::Vulnerable | Power::NoDraw), amount) => {
            player.suffer(power, amount[form]);
        }
        Effect::Gain(power, amount) => player.gain(power, amount[form]),
        _ => {}
    }
}
