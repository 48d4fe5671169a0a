//! Random small fights, solved a second time by a recursion over single plays without pruning.

use std::collections::HashMap;

use budget::{Budget, Limits};
use slay_the_spire::{Action, Card, EnemyKind, Foe, Hero, Objective, Rules, State, solve};

/// A lower and an upper bound of the value of a position, looking ahead a limited number of turns: the value of an
/// unfinished fight is between 0 and all the health that is left, or can be gained.
struct Naive<'a> {
    rules: &'a Rules,
    /// Whether health can be gained.
    heals: bool,
    known: HashMap<(State, i16, u8), (f64, f64)>,
}

impl Naive<'_> {
    /// Health as a number, not as a change.
    fn with_health_applied(&self, state: &State, health: i16) -> (State, i16) {
        let mut next = *state;
        let left = state.health.after(health).unwrap_or(0);
        next.health = slay_the_spire::Change::none(self.rules.max_health);
        (next, left)
    }

    fn turn(&mut self, state: &State, health: i16, turns: u8) -> (f64, f64) {
        if turns == 0 {
            // Feed raises the highest health by 4 for each of two enemies at most.
            return (0.0, f64::from(if self.heals { self.rules.max_health + 8 } else { health }));
        }
        let mut sum = (0.0, 0.0);
        for (chance, rolled) in self.rules.roll(state) {
            for (share, drawn) in self.rules.start_turn(&rolled) {
                let value = self.play(&drawn, health, turns);
                let weight = chance.as_f64() * share.as_f64();
                sum = (sum.0 + weight * value.0, sum.1 + weight * value.1);
            }
        }
        sum
    }

    fn play(&mut self, state: &State, health: i16, turns: u8) -> (f64, f64) {
        let (state, health) = self.with_health_applied(state, health);
        if health <= 0 {
            return (0.0, 0.0);
        }
        if state.is_over() {
            return (f64::from(health), f64::from(health));
        }
        if let Some(known) = self.known.get(&(state, health, turns)) {
            return *known;
        }
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        self.rules.actions(&state, &mut actions);
        let mut best = (0.0f64, 0.0f64);
        for action in actions {
            let mut sum = (0.0, 0.0);
            if action == Action::EndTurn {
                for (chance, after) in self.rules.end_turn(&state) {
                    let (after, left) = self.with_health_applied(&after, health);
                    let value = match left {
                        ..=0 => (0.0, 0.0),
                        _ if after.is_over() => (f64::from(left), f64::from(left)),
                        _ => self.turn(&after, left, turns - 1),
                    };
                    sum = (sum.0 + chance.as_f64() * value.0, sum.1 + chance.as_f64() * value.1);
                }
            } else {
                self.rules.act(&state, action, &mut outcomes);
                for (chance, next) in outcomes.clone() {
                    let value = self.play(&next, health, turns);
                    sum = (sum.0 + chance.as_f64() * value.0, sum.1 + chance.as_f64() * value.1);
                }
            }
            best = (best.0.max(sum.0), best.1.max(sum.1));
        }
        self.known.insert((state, health, turns), best);
        best
    }
}

/// Pseudorandom numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(sides).unwrap()).unwrap()
    }
}

#[test]
fn random_fights() {
    let mut dice = Dice(7);
    let cards: Vec<Card> = Card::all().collect();
    // Hexaghost's attack depends on the health at the start, which is computed here play by play.
    let kinds: Vec<EnemyKind> = EnemyKind::ALL.iter().copied().filter(|kind| *kind != EnemyKind::Hexaghost).collect();
    let mut exact = 0;
    for fight in 0..100 {
        let ascension = [0, 2, 7, 17, 18][dice.roll(5)];
        let mut hero = Hero::new(ascension);
        hero.deck = vec![Card::all().next().unwrap(); 2];
        hero.deck.extend((0..3).map(|_| cards[dice.roll(cards.len())]));
        let enemies = 1 + dice.roll(2);
        let foes: Vec<Foe> = (0..enemies)
            .map(|_| {
                let kind = kinds[dice.roll(kinds.len())];
                let health = u16::try_from(3 + dice.roll(9)).unwrap();
                let curl = if kind.is_louse() { 3 } else { 0 };
                Foe { kind, health: health..=health, curl_up: curl..=curl }
            })
            .collect();
        let health = i16::try_from(4 + dice.roll(20)).unwrap();
        let described =
            format!("{fight}: {:?} {foes:?} {health}", hero.deck.iter().map(Card::to_string).collect::<Vec<_>>());
        // Some fights can last for ever: then the bounds are wide, but hold.
        let budget = Budget::new(Limits { max_states: 500, ..Limits::NONE });
        let Ok(solved) = solve(&hero, &foes, &[health], Objective::Health, &budget) else {
            continue; // Such a deck is not modelled.
        };
        let value = solved.worths[0].value;
        let rules = hero.rules(&foes).unwrap();
        let enemies: Vec<_> =
            foes.iter().map(|foe| rules.enemy(foe.kind, *foe.health.start(), *foe.curl_up.start())).collect();
        let start = rules.start(&hero.deck, &enemies);
        let heals = hero.deck.iter().any(|card| matches!(card.data().name, "reaper" | "feed"));
        let mut naive = Naive { rules: &rules, heals, known: HashMap::new() };
        let (least, most) = naive.turn(&start, health, if foes.len() > 1 { 2 } else { 3 });
        assert!(value.upper >= least - 1e-9 && value.lower <= most + 1e-9, "{described}: {value:?}, {least} to {most}");
        assert!(value.lower <= value.upper, "{described}");
        exact += usize::from(most - least < 1e-12);
    }
    assert!(exact > 20, "{exact} fights were over in time");
}
