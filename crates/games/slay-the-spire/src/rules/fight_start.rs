//! The position before the first draw.

use super::Rules;
use super::damage::SKULL;
use super::state::{ENEMIES, Enemy, NONE, Pile, Player, State};
use crate::data::card::{Card, Kind as CardKind};
use crate::data::enemy::Kind as EnemyKind;
use crate::data::power::Power;
use crate::data::relic::Relic;

impl Rules {
    /// The position before the first draw, with this deck: with the initial effects of relics, and the first moves
    /// still to be rolled.
    pub fn start(&self, deck: &[Card], enemies: &[Enemy]) -> State {
        let mut player = Player { block: 0, strength: 0, dexterity: 0, powers: [0; Power::COUNT] };
        let given: [(Relic, Power, u8); 8] = [
            (Relic::Akabeko, Power::Akabeko, 1),
            (Relic::Anchor, Power::NextBlock, 10),
            (Relic::AncientTeaSet, Power::NextEnergy, 2),
            (Relic::BagOfPreparation, Power::NextDraw, 2),
            (Relic::BronzeScales, Power::Thorns, 3),
            (Relic::CentennialPuzzle, Power::Puzzle, 1),
            (Relic::HornCleat, Power::HornCleat, 2),
            (Relic::Lantern, Power::NextEnergy, 1),
        ];
        for (relic, power, amount) in given {
            if self.has(relic) {
                player.gain(power, amount);
            }
        }
        player.strengthen(i16::from(self.has(Relic::Vajra)));
        if self.has(Relic::DuVuDoll) {
            let curses = deck.iter().filter(|card| card.data().kind == CardKind::Curse);
            curses.for_each(|_| player.strengthen(1));
        }
        if self.has(Relic::RedSkull) {
            let strong = 2 * self.health <= self.max_health;
            player.set(Power::Health, u8::try_from(self.health).unwrap_or(u8::MAX));
            player.set(Power::Skull, strong.into());
            player.strengthen(if strong { SKULL } else { 0 });
        }
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
            free: [NONE; super::state::FREE],
            player,
            health: super::state::Change::none(self.most_health()),
            energy: 0,
            potions: self.all_potions(),
            waiting: 0,
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
        }
    }
}

/// The health at which an enemy splits that began with this much.
pub(crate) fn splits_at(health: u16) -> u8 {
    u8::try_from(health / 2).unwrap_or(u8::MAX)
}
