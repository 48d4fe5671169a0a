//! The turns: how the player's begins and ends, what the enemies do, and what they intend next.

use super::card::{Card, Kind};
use super::chance::Chance;
use super::damage::{gain_block, hurt, hurt_all};
use super::enemy::{Act, Kind as EnemyKind, at};
use super::moves::{Past, counts_run, first_moves, longest_run, next_moves};
use super::play::{Due, Outcomes, Running};
use super::power::Power;
use super::relic::Relic;
use super::rules::Rules;
use super::state::{ENEMIES, Enemy, NONE, Pile, Player, State};

/// Energy of a turn.
const ENERGY: u8 = 3;
/// Cards of a turn.
const CARDS: u8 = 5;

/// What wears off by one at the end of every round.
const WEARING_OFF: [Power; 3] = [Power::Frail, Power::Vulnerable, Power::Weak];

impl Rules {
    /// The start of the player's turn, with the draw.
    pub fn start_turn(&self, state: &State) -> Outcomes {
        let mut run = Running { state: *state, due: Due::default() };
        let player = &mut run.state.player;
        player.set(Power::FlameBarrier, 0);
        run.state.energy = (ENERGY + player.has(Power::Berserk)).saturating_add(player.take(Power::NextEnergy));
        let mut block: u16 = player.take(Power::NextBlock).into();
        match player.has(Power::HornCleat) {
            0 => {}
            1 => {
                player.set(Power::HornCleat, 0);
                block += 14;
            }
            turns => player.set(Power::HornCleat, turns - 1),
        }
        if self.has(Relic::HappyFlower) {
            player.gain(Power::HappyFlower, 1);
            if player.has(Power::HappyFlower) == 3 {
                player.set(Power::HappyFlower, 0);
                run.state.energy += 1;
            }
        }
        let cards = CARDS + run.state.player.take(Power::NextDraw);
        gain_block(&mut run, block);
        if self.has(Relic::MercuryHourglass) {
            hurt_all(&mut run.state, 3);
            run.state.close_ranks();
        }
        run.due.draws += cards;
        let mut drawn = Vec::new();
        self.resolve_draws(run, &mut drawn);
        let mut outcomes = Vec::new();
        for (chance, mut run) in drawn {
            run.state.close_ranks();
            let brutality = run.state.player.has(Power::Brutality);
            (0..brutality).for_each(|_| self.lose_health(&mut run.state, 1, false));
            run.state.player.strengthen(run.state.player.has(Power::DemonForm).into());
            if brutality == 0 {
                outcomes.push((chance, run.state));
                continue;
            }
            run.due.draws += brutality;
            let mut more = Vec::new();
            self.resolve_draws(run, &mut more);
            outcomes.extend(more.into_iter().map(|(share, run)| (chance.and(share), run.state)));
        }
        for (_, state) in &mut outcomes {
            state.curl();
            state.close_ranks();
        }
        outcomes
    }

    /// The end of the player's turn and the enemies' turn. The positions are those before the enemies' next
    /// moves are rolled, with an empty hand.
    pub fn end_turn(&self, state: &State) -> Outcomes {
        let mut outcomes = Vec::new();
        self.end_turn_counting(state, true, &mut outcomes);
        outcomes
    }

    /// The same. Without `own` the losses and gains before the enemies act are forgotten.
    pub(crate) fn end_turn_counting(&self, state: &State, own: bool, outcomes: &mut Outcomes) {
        outcomes.clear();
        let mut run = Running { state: *state, due: Due::default() };
        self.end_of_players_turn(&mut run);
        if !own {
            run.state.health = super::state::Change::none(self.most_health());
        }
        let fresh = fresh_with_doubt([false; 3], state, self);
        if !run.due.any() {
            return self.enemies_turn(Chance::ONE, run.state, fresh, outcomes);
        }
        // Juggernaut may still have a target to choose.
        let mut branches = Vec::new();
        self.resolve_draws(run, &mut branches);
        for (chance, run) in branches {
            self.enemies_turn(chance, run.state, fresh, outcomes);
        }
    }

    fn enemies_turn(&self, chance: Chance, mut state: State, fresh: [bool; 3], outcomes: &mut Outcomes) {
        state.close_ranks();
        if state.is_over() {
            return outcomes.push((chance, state));
        }
        for enemy in state.enemies.iter_mut().flatten() {
            (enemy.block, enemy.curling) = (0, 0);
        }
        self.enemies_act(chance, EnemiesTurn { state, fresh }, 0, outcomes);
    }

    fn end_of_players_turn(&self, run: &mut Running) {
        if self.has(Relic::Orichalcum) && run.state.player.block == 0 {
            gain_block(run, 6);
        }
        let metal = run.state.player.has(Power::Metallicize);
        let plates = run.state.player.has(Power::PlatedArmor);
        gain_block(run, metal.into());
        gain_block(run, plates.into());
        if self.tracks.held {
            self.held_cards(&mut run.state);
        }
        let combust = run.state.player.has(Power::Combust);
        if combust > 0 {
            let cost = run.state.player.has(Power::CombustCost);
            self.lose_health(&mut run.state, cost.into(), true);
            hurt_all(&mut run.state, combust.into());
        }
        let player = &mut run.state.player;
        let (strength, dexterity) = (player.take(Power::StrengthLoss), player.take(Power::DexterityLoss));
        player.strengthen(-i16::from(strength));
        player.quicken(-i16::from(dexterity));
        player.strengthen(player.has(Power::Ritual).into());
        let healed = player.has(Power::Regeneration);
        player.set(Power::Regeneration, healed.saturating_sub(1));
        for power in [Power::Entangled, Power::NoDraw, Power::DoubleTap, Power::Rage, Power::Played, Power::Skills] {
            player.set(power, 0);
        }
        if player.take(Power::Attacks) == 0 && self.has(Relic::ArtOfWar) {
            player.gain(Power::NextEnergy, 1);
        }
        if healed > 0 {
            let highest = self.highest(&run.state);
            run.state.health.heal(healed.into(), highest);
        }
        let hand = std::mem::take(&mut run.state.hand);
        for (slot, count) in hand.iter() {
            if self.card(slot).data().ethereal {
                (0..count).for_each(|_| self.exhaust(run, slot));
            } else {
                run.state.discard.add(slot, count);
            }
        }
        // Cards that would be drawn now are left where they are.
        run.due.draws = 0;
        run.state.energy = 0;
        run.state.ended = false;
    }

    /// What statuses and curses in hand do at the end of the turn.
    fn held_cards(&self, state: &mut State) {
        let hand = state.hand;
        for (slot, count) in hand.iter() {
            let card = self.card(slot);
            for _ in 0..count {
                match card.data().name {
                    "burn" => drop(self.strike_player(state, [2, 4][card.form()])),
                    "decay" => drop(self.strike_player(state, 2)),
                    "doubt" => drop(state.player.suffer(Power::Weak, 1)),
                    "shame" => drop(state.player.suffer(Power::Frail, 1)),
                    "regret" => self.lose_health(state, u16::try_from(hand.len()).unwrap_or(u16::MAX), true),
                    _ => {}
                }
            }
        }
    }

    /// Damage to the player, which block stops. Says whether health was lost.
    pub(crate) fn strike_player(&self, state: &mut State, damage: u16) -> bool {
        let stopped = damage.min(state.player.block);
        state.player.block -= stopped;
        self.lose_health(state, damage - stopped, false);
        damage > stopped
    }

    /// The enemies from this place on make their moves, then the round ends.
    fn enemies_act(&self, chance: Chance, mut turn: EnemiesTurn, from: usize, outcomes: &mut Outcomes) {
        for place in from..ENEMIES {
            let Some(enemy) = turn.state.enemies[place].filter(Enemy::lives) else { continue };
            if enemy.intent == NONE {
                continue;
            }
            let acts = enemy.kind.data().moves[usize::from(enemy.intent)].acts;
            for act in acts {
                if let Act::Protect(block) = act {
                    let block = at(block, self.ascension).into();
                    let others: Vec<usize> = (0..ENEMIES)
                        .filter(|other| {
                            *other != place && turn.state.enemies[*other].is_some_and(|enemy| enemy.lives())
                        })
                        .collect();
                    let guarded = if others.is_empty() { vec![place] } else { others };
                    for other in &guarded {
                        let mut next = turn;
                        if let Some(enemy) = &mut next.state.enemies[*other] {
                            enemy.shield(block);
                        }
                        self.enemies_act(chance.and(Chance::one_in(guarded.len())), next, place + 1, outcomes);
                    }
                    return;
                }
                self.make_move(&mut turn, place, *act);
            }
            turn.state.curl();
        }
        self.end_of_round(&mut turn);
        outcomes.push((chance, turn.state));
    }

    fn make_move(&self, turn: &mut EnemiesTurn, place: usize, act: Act) {
        let ascension = self.ascension;
        let Some(enemy) = &mut turn.state.enemies[place] else { return };
        if !enemy.lives() {
            return;
        }
        match act {
            Act::Hit(damage, times) => (0..times).for_each(|_| self.attack(turn, place, at(damage, ascension))),
            Act::Bite => {
                let bite = enemy.bite;
                self.attack(turn, place, bite);
            }
            Act::Block(block) => enemy.shield(at(block, ascension).into()),
            Act::Strength(amount) => enemy.strengthen(at(amount, ascension).into()),
            Act::Frail(amount) => turn.debuff(0, at(amount, ascension)),
            Act::Vulnerable(amount) => turn.debuff(1, at(amount, ascension)),
            Act::Weak(amount) => turn.debuff(2, at(amount, ascension)),
            Act::Siphon(amount) => {
                let amount = at(amount, ascension);
                let player = &mut turn.state.player;
                if takes_hold(player) {
                    player.quicken(-i16::from(amount));
                }
                if takes_hold(player) {
                    player.strengthen(-i16::from(amount));
                }
            }
            Act::Entangle => {
                enemy.memory = 1;
                turn.state.player.suffer(Power::Entangled, 1);
            }
            Act::Create(name, count) => self.discard(&mut turn.state, Card::called(name), at(count, ascension)),
            Act::Ritual => enemy.memory = 2,
            Act::Enrage => enemy.memory = 1,
            Act::Sleep => enemy.memory = enemy.memory.saturating_sub(1),
            Act::Escape => enemy.health = 0,
            Act::Split(left, right) => split(&mut turn.state, place, [left, right]),
            Act::Measure => enemy.bite = self.divider(turn.state.health),
            Act::Divide => {
                let bite = std::mem::take(&mut enemy.bite);
                (0..6).for_each(|_| self.attack(turn, place, bite));
            }
            Act::Burn(count) => {
                let burn = Card::called(if enemy.memory > 0 { "burn+" } else { "burn" });
                self.discard(&mut turn.state, burn, at(count, ascension));
            }
            Act::Inferno => {
                enemy.memory = 1;
                self.upgrade_burns(&mut turn.state);
                self.discard(&mut turn.state, Card::called("burn+"), 3);
            }
            Act::Close => enemy.run = 1,
            Act::Open => {
                enemy.memory = enemy.memory.saturating_add(1);
                enemy.special = EnemyKind::mode_shift(ascension, enemy.memory);
            }
            Act::Protect(_) => {}
        }
    }

    /// So many copies of a card come to the discard pile.
    fn discard(&self, state: &mut State, card: Card, count: u8) {
        if let Some(slot) = self.slot(card) {
            state.discard.add(slot, count);
        }
    }

    /// Every Burn of the piles is upgraded.
    fn upgrade_burns(&self, state: &mut State) {
        let (Some(burn), Some(better)) = (self.slot(Card::called("burn")), self.slot(Card::called("burn+"))) else {
            return;
        };
        for pile in [&mut state.draw, &mut state.discard] {
            let count = pile.count(burn);
            pile.remove(burn, count);
            pile.add(better, count);
        }
        for known in state.top.iter_mut().filter(|slot| **slot == burn) {
            *known = better;
        }
    }

    /// How hard a hit of this enemy is on the player, before block.
    fn damage_of(&self, state: &State, enemy: &Enemy, damage: u8) -> u16 {
        let base = (i32::from(damage) + i32::from(enemy.strength)).max(0);
        let quarters = base * if enemy.weak > 0 { 3 } else { 4 };
        let eighths = match (state.player.has(Power::Vulnerable) > 0, self.has(Relic::OddMushroom)) {
            (false, _) => 4,
            (true, false) => 6,
            (true, true) => 5,
        };
        u16::try_from(quarters * eighths / 16).unwrap_or(u16::MAX)
    }

    /// How hard and how often an enemy means to hit as things stand; `None` where it does not attack.
    pub fn attack_of(&self, state: &State, enemy: &Enemy) -> Option<(u16, u8)> {
        let acts = enemy.kind.data().moves.get(usize::from(enemy.intent))?.acts;
        acts.iter().find_map(|act| match act {
            Act::Hit(damage, times) => Some((self.damage_of(state, enemy, at(damage, self.ascension)), *times)),
            Act::Bite => Some((self.damage_of(state, enemy, enemy.bite), 1)),
            Act::Divide => Some((self.damage_of(state, enemy, enemy.bite), 6)),
            _ => None,
        })
    }

    /// One hit on the player.
    fn attack(&self, turn: &mut EnemiesTurn, place: usize, damage: u8) {
        let state = &mut turn.state;
        let Some(enemy) = state.enemies[place].filter(Enemy::lives) else { return };
        let damage = self.damage_of(state, &enemy, damage);
        if self.strike_player(state, damage) {
            let plates = state.player.has(Power::PlatedArmor);
            state.player.set(Power::PlatedArmor, plates.saturating_sub(1));
        }
        let thorns = state.player.has(Power::Thorns);
        let flames = state.player.has(Power::FlameBarrier);
        for back in [thorns, flames] {
            if back > 0 {
                let vulnerable = state.player.has(Power::Vulnerable);
                hurt(state, place, back.into());
                // Spores of a beast that dies now are fresh.
                turn.fresh[1] |= vulnerable == 0 && state.player.has(Power::Vulnerable) > 0;
            }
        }
    }

    fn end_of_round(&self, turn: &mut EnemiesTurn) {
        turn.state.close_ranks();
        let state = &mut turn.state;
        for (power, fresh) in WEARING_OFF.into_iter().zip(turn.fresh) {
            let turns = state.player.has(power);
            if !fresh {
                state.player.set(power, turns.saturating_sub(1));
            }
        }
        for enemy in state.enemies.iter_mut().flatten() {
            match (enemy.kind, enemy.memory) {
                (EnemyKind::Cultist, 2) => enemy.memory = 1,
                (EnemyKind::Cultist, 1) => enemy.strengthen(EnemyKind::ritual(self.ascension)),
                (EnemyKind::Lagavulin, 1..) => enemy.shield(8),
                (EnemyKind::GremlinWizard, _) if enemy.intent == 1 => enemy.memory = 1,
                _ => {}
            }
            enemy.vulnerable = enemy.vulnerable.saturating_sub(1);
            enemy.weak = enemy.weak.saturating_sub(1);
        }
        // Nobody sees the block before it is gone.
        if state.player.has(Power::Barricade) == 0 {
            state.player.block = 0;
        }
        if state.player.has(Power::FlameBarrier) > 0 {
            state.player.set(Power::FlameBarrier, 0);
        }
    }

    /// The enemies' next moves, with their chances.
    pub fn roll(&self, state: &State) -> Outcomes {
        let mut outcomes = vec![(Chance::ONE, *state)];
        let living = state.living().count();
        for place in 0..living {
            let Some(enemy) = state.enemies[place] else { continue };
            let nexts = self.intents(&enemy, place, living > 1);
            outcomes = outcomes
                .into_iter()
                .flat_map(|(chance, state)| {
                    nexts.iter().map(move |(share, enemy)| {
                        let mut next = state;
                        next.enemies[place] = Some(*enemy);
                        (chance.and(*share), next)
                    })
                })
                .collect();
        }
        outcomes
    }

    /// One enemy with each of its next moves.
    pub(crate) fn intents(&self, enemy: &Enemy, place: usize, others: bool) -> Vec<(Chance, Enemy)> {
        let (kind, ascension) = (enemy.kind, self.ascension);
        let first = enemy.intent == NONE;
        let moves = if first {
            first_moves(kind, ascension, place)
        } else {
            let past = Past { last: enemy.intent, run: enemy.run, memory: enemy.memory, others };
            next_moves(kind, ascension, past)
        };
        let total: u32 = moves.iter().map(|(weight, _)| weight).sum();
        let mut nexts = Vec::new();
        for (weight, intent) in moves {
            let mut next = *enemy;
            next.intent = intent;
            next.run = self.run_of(enemy, intent, first);
            let chance = Chance::new(weight.into(), total.into());
            if kind.is_louse() && intent == 0 && next.bite == 0 {
                let bites = kind.bites(ascension);
                let share = chance.and(Chance::one_in(bites.len()));
                nexts.extend(bites.map(|bite| (share, Enemy { bite, ..next })));
            } else {
                nexts.push((chance, next));
            }
        }
        nexts
    }

    /// How often in a row the enemy then makes this move, where its rule asks.
    fn run_of(&self, enemy: &Enemy, intent: u8, first: bool) -> u8 {
        if !counts_run(enemy.kind, self.ascension, intent, enemy.memory) {
            return 0;
        }
        let again = !first && enemy.intent == intent;
        if again { (enemy.run + 1).min(longest_run(enemy.kind)) } else { 1 }
    }

    /// The position before the first draw, with this deck: what relics give at the start is there, the first
    /// moves are still to be rolled.
    pub fn start(&self, deck: &[Card], enemies: &[Enemy]) -> State {
        let mut player = Player { block: 0, strength: 0, dexterity: 0, powers: [0; Power::COUNT] };
        let given: [(Relic, Power, u8); 7] = [
            (Relic::Akabeko, Power::Akabeko, 1),
            (Relic::Anchor, Power::NextBlock, 10),
            (Relic::AncientTeaSet, Power::NextEnergy, 2),
            (Relic::BagOfPreparation, Power::NextDraw, 2),
            (Relic::BronzeScales, Power::Thorns, 3),
            (Relic::HornCleat, Power::HornCleat, 2),
            (Relic::Lantern, Power::NextEnergy, 1),
        ];
        for (relic, power, amount) in given {
            if self.has(relic) {
                player.gain(power, amount);
            }
        }
        player.strengthen(i16::from(self.has(Relic::Vajra)));
        player.quicken(i16::from(self.has(Relic::OddlySmoothStone)));
        let mut standing = [None; ENEMIES];
        for (place, enemy) in standing.iter_mut().zip(enemies) {
            let marked = self.has(Relic::BagOfMarbles) && enemy.artifact == 0;
            let artifact = enemy.artifact - u8::from(self.has(Relic::BagOfMarbles) && enemy.artifact > 0);
            *place = Some(Enemy { vulnerable: enemy.vulnerable + u8::from(marked), artifact, ..*enemy });
        }
        let mut state = State {
            hand: Pile::default(),
            draw: Pile::default(),
            discard: Pile::default(),
            exhausted: Pile::default(),
            top: [NONE; super::state::TOP],
            player,
            health: super::state::Change::none(self.most_health()),
            energy: 0,
            potions: u8::try_from((1u16 << self.potions.len()) - 1).unwrap_or(u8::MAX),
            choosing: 0,
            ended: false,
            enemies: standing,
        };
        if self.has(Relic::BloodVial) {
            state.health.heal(2, self.max_health);
        }
        for card in deck {
            let Some(slot) = self.slot(*card) else { continue };
            if card.data().innate[card.form()] { state.put_on_top(slot) } else { state.draw.add(slot, 1) }
        }
        state
    }

    /// An enemy at the start of a fight.
    pub fn enemy(&self, kind: EnemyKind, health: u16, curl_up: u8) -> Enemy {
        let special = match kind {
            _ if kind.splits() => splits_at(health),
            EnemyKind::TheGuardian => EnemyKind::mode_shift(self.ascension, 0),
            _ => curl_up,
        };
        Enemy {
            kind,
            health,
            block: if kind == EnemyKind::Lagavulin { 8 } else { 0 },
            strength: 0,
            vulnerable: 0,
            weak: 0,
            intent: NONE,
            run: 0,
            memory: if kind == EnemyKind::Lagavulin { 3 } else { 0 },
            special,
            bite: 0,
            artifact: u8::from(kind == EnemyKind::Sentry),
            curling: 0,
        }
    }
}

/// The enemies' turn under way.
#[derive(Clone, Copy)]
struct EnemiesTurn {
    state: State,
    /// For each power that wears off: it took hold in this turn, when the player had none of it.
    fresh: [bool; 3],
}

impl EnemiesTurn {
    fn debuff(&mut self, which: usize, amount: u8) {
        let had = self.state.player.has(WEARING_OFF[which]) > 0;
        if self.state.player.suffer(WEARING_OFF[which], amount) && !had {
            self.fresh[which] = true;
        }
    }
}

/// What Doubt and Shame did just now does not wear off at once either.
fn fresh_with_doubt(mut fresh: [bool; 3], state: &State, rules: &Rules) -> [bool; 3] {
    if !rules.tracks.held {
        return fresh;
    }
    for (name, which) in [("shame", 0), ("doubt", 2)] {
        let held = state.hand.iter().any(|(slot, _)| {
            let data = rules.card(slot).data();
            data.name == name && data.kind == Kind::Curse
        });
        fresh[which] = held && state.player.has(WEARING_OFF[which]) == 0;
    }
    fresh
}

/// Whether a loss of strength or dexterity takes hold: Artifact takes it away.
fn takes_hold(player: &mut Player) -> bool {
    let shield = player.has(Power::Artifact);
    player.set(Power::Artifact, shield.saturating_sub(1));
    shield == 0
}

/// At how much health an enemy with so much at first splits.
pub(crate) fn splits_at(health: u16) -> u8 {
    u8::try_from(health / 2).unwrap_or(u8::MAX)
}

/// Two smaller ones with the same health in its place. They have rolled no move yet.
fn split(state: &mut State, place: usize, halves: [EnemyKind; 2]) {
    let Some(large) = state.enemies[place] else { return };
    let half = |kind: EnemyKind| {
        let special = if kind.splits() { splits_at(large.health) } else { 0 };
        Enemy { kind, block: 0, strength: 0, vulnerable: 0, weak: 0, intent: NONE, run: 0, special, ..large }
    };
    let mut standing: Vec<Enemy> = state.enemies.iter().flatten().copied().collect();
    let at = state.enemies.iter().take(place).flatten().count();
    standing.splice(at..=at, halves.map(half));
    state.enemies = [None; ENEMIES];
    for (place, enemy) in state.enemies.iter_mut().zip(standing) {
        *place = Some(enemy);
    }
}
