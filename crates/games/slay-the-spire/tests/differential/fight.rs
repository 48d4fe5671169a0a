//! A fight with complete lists, and the basic operations of the rules: damage, block, lost health, draws.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::cards::Card;
use super::dice::Chance;
use super::monsters::Monster;
use super::queue::{Do, Queued};

/// The identity of a monster, whatever happens to others.
pub type Id = u32;

pub type Powers = BTreeMap<&'static str, i32>;

#[derive(Clone, Debug, Default)]
pub struct Fight {
    pub ascension: i32,
    pub hp: i32,
    pub max_hp: i32,
    pub block: i32,
    pub energy: i32,
    pub powers: Powers,
    /// The losses at the end of the turn, in the order in which they were added.
    pub losses: Vec<&'static str>,
    /// Weak, Frail and Vulnerable that the end of this round does not reduce.
    pub just_applied: BTreeSet<&'static str>,
    pub relics: BTreeSet<String>,
    /// The counters of relics.
    pub counters: Powers,
    pub wounds: i32,
    pub cards_played: i32,
    pub attacks_played: i32,
    pub skills_played: i32,
    pub hand: Vec<Card>,
    /// The next card last; only the last ones are known.
    pub draw: Vec<Card>,
    pub known: usize,
    /// The cards that were shuffled in while cards were known: each may lie anywhere.
    pub anywhere: Vec<Card>,
    /// The cards of the hand that cost nothing this turn.
    pub free: Vec<Card>,
    pub discard: Vec<Card>,
    pub exhausted: Vec<Card>,
    /// With the indices that they had at the start.
    pub potions: Vec<(usize, String)>,
    pub monsters: Vec<Monster>,
    pub next_id: Id,
    pub monsters_act: bool,
    pub actions: VecDeque<Do>,
    pub cards: VecDeque<Queued>,
    /// The cards among which the player has to choose.
    pub asked: Option<Vec<Card>>,
    /// The card that was chosen with the play.
    pub choice: Option<Card>,
    pub dead: bool,
    pub bloodied: bool,
}

impl Fight {
    pub fn has(&self, power: &str) -> bool {
        self.amount(power) != 0
    }

    pub fn amount(&self, power: &str) -> i32 {
        self.powers.get(power).copied().unwrap_or(0)
    }

    pub fn relic(&self, name: &str) -> bool {
        self.relics.contains(name)
    }

    pub fn top(&mut self, action: Do) {
        self.actions.push_front(action);
    }

    pub fn bottom(&mut self, action: Do) {
        self.actions.push_back(action);
    }

    /// Those that are neither dead nor gone.
    pub fn alive(&self) -> Vec<Id> {
        self.monsters.iter().filter(|monster| monster.hp > 0).map(|monster| monster.id).collect()
    }

    pub fn monster(&mut self, id: Id) -> Option<&mut Monster> {
        self.monsters.iter_mut().find(|monster| monster.id == id && monster.hp > 0)
    }

    pub fn won(&self) -> bool {
        self.alive().is_empty()
    }

    /// The current damage of an attack to a monster.
    pub fn attack(&self, card: &Card, base: i32, strength_counts: i32, target: Id) -> i32 {
        let mut damage = f64::from(base);
        if self.relic("strike-dummy") && card.is_strike() {
            damage += 3.0;
        }
        damage += f64::from(self.amount("strength") * strength_counts + self.amount("vigor"));
        if self.has("pen nib") {
            damage *= 2.0;
        }
        if self.has("weak") {
            damage *= 0.75;
        }
        let target = self.monsters.iter().find(|monster| monster.id == target);
        if target.is_some_and(|monster| monster.amount("vulnerable") > 0) {
            damage *= if self.relic("paper-phrog") { 1.75 } else { 1.5 };
        }
        whole(damage)
    }

    pub fn card_block(&self, base: i32) -> i32 {
        let block = f64::from(base + self.amount("dexterity"));
        whole(if self.has("frail") { block * 0.75 } else { block })
    }

    /// All cards named Strike but the exhausted ones.
    pub fn strikes(&self) -> i32 {
        let piles = [&self.hand, &self.draw, &self.anywhere, &self.discard];
        let count = piles.into_iter().flatten().filter(|card| card.is_strike()).count();
        i32::try_from(count).unwrap()
    }

    pub fn gain_block(&mut self, amount: i32) {
        if amount > 0 {
            self.block = (self.block + amount).min(999);
            if self.has("juggernaut") {
                self.bottom(Do::SearAny(self.amount("juggernaut")));
            }
        }
    }

    pub fn heal(&mut self, amount: i32) {
        self.hp = (self.hp + amount).min(self.max_hp);
        self.look_at_skull();
    }

    /// A Red Skull reacts when the health falls to at most half, and when it rises above.
    pub fn look_at_skull(&mut self) {
        let bloodied = 2 * self.hp <= self.max_hp;
        if self.relic("red-skull") && bloodied != self.bloodied {
            self.top(Do::Power("strength", if bloodied { 3 } else { -3 }));
        }
        self.bloodied = bloodied;
    }

    /// Health is lost: by the player's own action, or not.
    pub fn lose_hp(&mut self, amount: i32, own: bool) {
        if amount <= 0 || self.dead {
            return;
        }
        self.hp -= amount;
        self.wounds += 1;
        if own && self.has("rupture") {
            self.top(Do::Power("strength", self.amount("rupture")));
        }
        if self.relic("self-forming-clay") {
            self.top(Do::Power("next block", 3));
        }
        if self.powers.remove("puzzle").is_some() {
            self.top(Do::Draw(3));
        }
        self.look_at_skull();
        self.dead = self.hp <= 0;
    }

    /// Damage reduced by block. Returns whether health was lost.
    pub fn damage_player(&mut self, amount: i32, own: bool) -> bool {
        let stopped = amount.min(self.block);
        self.block -= stopped;
        self.lose_hp(amount - stopped, own);
        amount > stopped
    }

    /// Damage to a monster, by an attack or not. Returns the health it took.
    pub fn damage_monster(&mut self, id: Id, amount: i32, attack: bool) -> i32 {
        let (boot, ascension) = (self.relic("the-boot"), self.ascension);
        let Some(monster) = self.monster(id) else { return 0 };
        let stopped = amount.min(monster.block);
        monster.block -= stopped;
        let mut through = amount - stopped;
        if attack && boot && through > 0 && through < 5 {
            through = 5;
        }
        let lost = through.min(monster.hp);
        let mut later = Vec::new();
        if attack && lost > 0 && lost < monster.hp {
            if monster.has("curl up") {
                let curl = monster.powers.remove("curl up").unwrap();
                later.push(Do::MonsterBlock(id, curl));
            }
            if monster.kind == "mad-gremlin" {
                *monster.powers.entry("strength").or_default() += if ascension >= 17 { 2 } else { 1 };
            }
        }
        monster.hp -= lost;
        if lost > 0 {
            monster.lost_health(lost, &mut later);
        }
        if monster.hp == 0 && monster.kind == "fungi-beast" && !self.won() {
            self.apply("vulnerable", 2, self.monsters_act);
        }
        if lost > 0 && self.relic("gremlin-horn") && !self.won() && self.monster(id).is_none() {
            later.extend([Do::Energy(1), Do::Draw(1)]);
        }
        self.actions.extend(later);
        lost
    }

    /// A power on the player; one by a monster (or as if) does not wear off at once.
    pub fn apply(&mut self, power: &'static str, amount: i32, holds: bool) {
        const DEBUFFS: [&str; 8] =
            ["weak", "frail", "vulnerable", "no draw", "entangled", "lose strength", "lose dexterity", "nothing"];
        let loss = matches!(power, "strength" | "dexterity") && amount < 0;
        if amount == 0 || (power == "plated armor" && amount < 0 && !self.has(power)) {
            return;
        }
        if (loss || DEBUFFS.contains(&power)) && self.has("artifact") {
            *self.powers.get_mut("artifact").unwrap() -= 1;
            return;
        }
        if holds && !self.has(power) && matches!(power, "weak" | "frail" | "vulnerable") {
            self.just_applied.insert(power);
        }
        if power.starts_with("lose ") && !self.has(power) {
            self.losses.push(power);
        }
        let held = self.powers.entry(power).or_default();
        *held = (*held + amount).clamp(-999, 999);
    }

    /// Cards come from the top of the draw pile.
    pub fn draw_cards(&mut self, count: i32, chance: &mut Chance<'_>) {
        if self.has("no draw") {
            return;
        }
        for _ in 0..count {
            if self.hand.len() >= 10 {
                return;
            }
            let Some(card) = self.take_top(chance) else { return };
            let kind = card.kind();
            let name = card.name;
            self.hand.push(card);
            if name == "void" {
                self.bottom(Do::Energy(-1));
            }
            if kind == 'T' && self.has("evolve") {
                self.bottom(Do::Draw(self.amount("evolve")));
            }
            if matches!(kind, 'T' | 'C') && self.has("fire breathing") {
                self.bottom(Do::SearAll(self.amount("fire breathing")));
            }
        }
    }

    /// The top card of the draw pile, for which the discard pile is shuffled if need be.
    pub fn take_top(&mut self, chance: &mut Chance<'_>) -> Option<Card> {
        if self.draw.is_empty() {
            self.draw = std::mem::take(&mut self.discard);
            self.known = 0;
        }
        if self.known > 0 {
            let anywhere = self.anywhere.len();
            let place = chance.one_of(self.draw.len() + anywhere);
            if place < anywhere {
                return Some(self.anywhere.remove(place));
            }
            self.known -= 1;
            let card = self.draw.pop();
            if self.known == 0 {
                self.draw.append(&mut self.anywhere);
            }
            return card;
        }
        let card = pick_card(&self.draw, chance)?;
        remove(&mut self.draw, &card);
        Some(card)
    }

    /// A card is shuffled into the draw pile.
    pub fn shuffle_in(&mut self, card: Card) {
        // More cards in unknown order are not distinguished from those below.
        if self.known > 0 && self.anywhere.len() < 3 {
            self.anywhere.push(card);
        } else {
            self.draw.insert(0, card);
        }
    }

    /// Cards that have left the hand lose their free cost.
    pub fn forget_free(&mut self) {
        for card in self.free.clone() {
            if count(&self.free, &card) > count(&self.hand, &card) {
                remove(&mut self.free, &card);
            }
        }
    }

    /// A card of the hand costs nothing this turn; beyond four that is not tracked.
    pub fn set_free(&mut self, card: Card) {
        if self.free.len() < 4 {
            self.free.push(card);
        }
    }

    /// A card leaves the game for this fight.
    pub fn exhaust(&mut self, card: Card) {
        if self.has("dark embrace") {
            self.bottom(Do::Draw(self.amount("dark embrace")));
        }
        if self.has("feel no pain") {
            self.bottom(Do::Block(self.amount("feel no pain")));
        }
        if card.name == "sentinel" {
            self.top(Do::Energy(if card.upgraded { 3 } else { 2 }));
        }
        self.exhausted.push(card);
    }
}

/// A random one of these cards; equal ones are one option with more weight.
pub fn pick_card(cards: &[Card], chance: &mut Chance<'_>) -> Option<Card> {
    let mut kinds: BTreeMap<&Card, u32> = BTreeMap::new();
    for card in cards {
        *kinds.entry(card).or_default() += 1;
    }
    if kinds.is_empty() {
        return None;
    }
    let weights: Vec<u32> = kinds.values().copied().collect();
    let picked = chance.pick(&weights);
    kinds.keys().nth(picked).map(|card| (*card).clone())
}

pub fn count(cards: &[Card], card: &Card) -> usize {
    cards.iter().filter(|other| *other == card).count()
}

/// Removes one card, if it is there.
pub fn remove(cards: &mut Vec<Card>, card: &Card) -> bool {
    let place = cards.iter().position(|other| other == card);
    place.map(|place| cards.remove(place)).is_some()
}

/// Rounded down, at least 0.
#[expect(clippy::cast_possible_truncation, reason = "damage is small")]
pub fn whole(number: f64) -> i32 {
    (number.floor() as i32).max(0)
}
