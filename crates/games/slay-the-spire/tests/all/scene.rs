//! A moment in a fight, set up card by card.

use slay_the_spire::{Action, Card, EnemyKind, Potion, Relic, Relics, Rules, State};

/// No target, no choice.
pub const NONE: u8 = u8::MAX;

/// A fight in which these cards are in hand, with 10 energy, against one or two Jaw Worms of 100 health that
/// intend to chomp.
pub struct Scene {
    pub rules: Rules,
    pub state: State,
}

impl Scene {
    pub fn with(hand: &[&str], draw: &[&str], enemies: usize, relics: &[Relic], potions: &[&str]) -> Self {
        let cards = |names: &[&str]| -> Vec<Card> { names.iter().map(|name| name.parse().unwrap()).collect() };
        let deck = [cards(hand), cards(draw)].concat();
        let potions: Vec<Potion> = potions.iter().map(|name| name.parse().unwrap()).collect();
        let relics: Relics = relics.iter().copied().collect();
        let kinds = vec![EnemyKind::JawWorm; enemies];
        let rules = Rules::new(0, 80, &deck, &kinds, relics, &potions).unwrap();
        let mut enemy = rules.enemy(EnemyKind::JawWorm, 100, 0);
        enemy.intent = 0;
        let mut state = rules.start(&[], &vec![enemy; enemies]);
        state.hand = rules.pile(&cards(hand));
        state.draw = rules.pile(&cards(draw));
        state.energy = 10;
        Self { rules, state }
    }

    pub fn new(hand: &[&str]) -> Self {
        Self::with(hand, &[], 1, &[], &[])
    }

    /// Plays a card at the first enemy, or at nobody when it has no target; what it leads to must be certain.
    pub fn play(&mut self, name: &str) -> &mut Self {
        self.play_choosing(name, None)
    }

    pub fn play_choosing(&mut self, name: &str, choice: Option<&str>) -> &mut Self {
        let card: Card = name.parse().unwrap();
        let slot = self.rules.slot(card).unwrap();
        let choice = choice.map_or(NONE, |name| self.rules.slot(name.parse().unwrap()).unwrap());
        let target = if card.data().targeted { 0 } else { NONE };
        let action = Action::Play { slot, target, choice };
        let mut actions = Vec::new();
        self.rules.actions(&self.state, &mut actions);
        assert!(actions.contains(&action), "{name} cannot be played: {actions:?}");
        let mut outcomes = Vec::new();
        self.rules.act(&self.state, action, &mut outcomes);
        assert_eq!(outcomes.len(), 1, "{name} leaves something to chance");
        self.state = outcomes[0].1;
        self
    }

    pub fn end_turn(&mut self) -> &mut Self {
        let ends = self.rules.end_turn(&self.state);
        assert_eq!(ends.len(), 1);
        self.state = ends[0].1;
        self
    }

    pub fn damage(&self) -> u16 {
        100 - self.state.enemies[0].map_or(0, |enemy| enemy.health)
    }

    pub fn block(&self) -> u16 {
        self.state.player.block
    }

    pub fn lost(&self) -> i16 {
        -self.state.health.delta
    }

    pub fn count(&self, pile: fn(&State) -> slay_the_spire::Pile, name: &str) -> u8 {
        pile(&self.state).count(self.rules.slot(name.parse().unwrap()).unwrap())
    }
}
