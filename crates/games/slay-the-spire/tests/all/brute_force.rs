//! The same fights solved in another way: a recursion over single cards, with its own rules, that
//! leaves nothing out: every card is a decision, no position is skipped, merged or rounded.

use std::collections::{BTreeMap, HashMap};

use mdp::{ExploreOptions, Rational};
use slay_the_spire::{Objective, Pile, Play, Position, Setup, Worth, advise, odds};

type Cards = BTreeMap<&'static str, u64>;

/// Cost, damage, Vulnerable, block.
const CARDS: [(&str, i64, i64, i64, i64); 6] = [
    ("strike", 1, 6, 0, 0),
    ("strike+", 1, 9, 0, 0),
    ("defend", 1, 0, 0, 5),
    ("defend+", 1, 0, 0, 8),
    ("bash", 2, 8, 2, 0),
    ("bash+", 2, 10, 3, 0),
];

#[derive(Clone, PartialEq, Eq, Hash)]
struct Situation {
    turn: i64,
    energy: i64,
    health: i64,
    block: i64,
    enemy: i64,
    vulnerable: i64,
    hand: Cards,
    draw: Cards,
    discard: Cards,
}

/// Survival and expected health of a best play; the one that counts first stands first.
type Pair = (Rational, Rational);

struct BruteForce {
    survival_first: bool,
    known: HashMap<Situation, Pair>,
}

fn move_card(from: &mut Cards, to: &mut Cards, card: &'static str) {
    let count = from.get_mut(card).unwrap();
    *count -= 1;
    if *count == 0 {
        from.remove(card);
    }
    *to.entry(card).or_insert(0) += 1;
}

impl BruteForce {
    fn value(&mut self, now: &Situation) -> Pair {
        if now.enemy <= 0 || now.health <= 0 {
            let alive = Rational::from(i64::from(now.health > 0));
            let health = Rational::from(now.health.max(0));
            return if self.survival_first { (alive, health) } else { (health, alive) };
        }
        if let Some(known) = self.known.get(now) {
            return known.clone();
        }
        let mut best = self.end_turn(now);
        for (card, cost, damage, vulnerable, block) in CARDS {
            if cost <= now.energy && now.hand.contains_key(card) {
                let mut next = now.clone();
                move_card(&mut next.hand, &mut next.discard, card);
                next.energy -= cost;
                next.enemy -= if now.vulnerable > 0 { damage * 3 / 2 } else { damage };
                next.vulnerable += vulnerable;
                next.block += block;
                best = best.max(self.value(&next));
            }
        }
        self.known.insert(now.clone(), best.clone());
        best
    }

    fn end_turn(&mut self, now: &Situation) -> Pair {
        let mut next = now.clone();
        if now.turn > 0 {
            next.health -= (1 + 5 * now.turn - now.block).max(0);
        }
        next.block = 0;
        next.energy = 3;
        next.turn += 1;
        next.vulnerable = (now.vulnerable - 1).max(0);
        next.hand.clear();
        for (card, count) in &now.hand {
            if *card != "ascenders-bane" {
                *next.discard.entry(card).or_insert(0) += count;
            }
        }
        if next.health <= 0 {
            return self.value(&next);
        }
        self.draw(&next, 5)
    }

    /// Draws one card after another, each of the pile equally likely. The discard pile is shuffled
    /// when a card is to be drawn and there is none.
    fn draw(&mut self, now: &Situation, missing: u64) -> Pair {
        if missing == 0 || now.draw.is_empty() && now.discard.is_empty() {
            return self.value(now);
        }
        let mut now = now.clone();
        if now.draw.is_empty() {
            now.draw = std::mem::take(&mut now.discard);
        }
        let total: u64 = now.draw.values().sum();
        let mut sum = (Rational::ZERO, Rational::ZERO);
        for (card, count) in now.draw.clone() {
            let mut next = now.clone();
            move_card(&mut next.draw, &mut next.hand, card);
            let value = self.draw(&next, missing - 1);
            let probability = Rational::from_parts(count.into(), total.into());
            sum = (sum.0 + value.0 * &probability, sum.1 + value.1 * &probability);
        }
        sum
    }
}

fn cards(pile: Pile) -> Cards {
    pile.iter().map(|(card, count)| (card.name(), u64::from(count))).collect()
}

fn situation(position: &Position) -> Situation {
    Situation {
        turn: position.turn.into(),
        energy: position.energy.into(),
        health: position.health.into(),
        block: position.block.into(),
        enemy: position.enemy.into(),
        vulnerable: position.vulnerable.into(),
        hand: cards(position.hand),
        draw: cards(position.draw),
        discard: cards(position.discard),
    }
}

/// Checks the odds of a fight in both objectives.
fn check(deck: &str, hp: u16, cultist_hp: &str) {
    let setup = Setup { deck: deck.parse().unwrap(), hp, cultist_hp: cultist_hp.parse().unwrap() };
    for objective in [Objective::Health, Objective::Survival] {
        let survival_first = objective == Objective::Survival;
        let mut brute_force = BruteForce { survival_first, known: HashMap::new() };
        let found = odds(&setup, objective, &ExploreOptions::default()).unwrap();
        for (health, worth) in &found.by_cultist_hp {
            let expected = brute_force.draw(&situation(&setup.against(*health)), 5);
            let Worth { health: by_health, survival } = worth.clone();
            let pair = if survival_first { (survival, by_health) } else { (by_health, survival) };
            assert_eq!(pair, expected, "deck {deck}, {hp} health, Cultist {health}, {objective:?}");
        }
        let sum = |f: &dyn Fn(u16) -> Rational| {
            found.final_health.iter().fold(Rational::ZERO, |sum, (health, p)| sum + f(*health) * p)
        };
        assert_eq!(sum(&|_| Rational::ONE), Rational::ONE);
        assert_eq!(sum(&|health| Rational::from(health)), found.worth.health);
        assert_eq!(sum(&|health| Rational::from(u8::from(health > 0))), found.worth.survival);
    }
}

#[test]
fn small_decks() {
    check("strike=3,defend=2,bash=1", 20, "22..=26");
    check("strike=2,defend=3,bash=1,ascenders-bane=1", 30, "31");
    check("strike=4,defend=2,ascenders-bane=2", 25, "35..=36");
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_upgraded_cards() {
    check("strike+=1,strike=2,defend=1,defend+=1,bash+=1", 20, "36");
}

#[test]
fn upgraded_attacks() {
    check("strike+=2,strike=2,bash+=1,bash=1", 20, "48");
}

#[test]
fn upgraded_cards_and_a_curse() {
    check("bash=2,bash+=1,strike+=2,ascenders-bane=1", 20, "40");
}

#[test]
fn fewer_cards_than_a_hand() {
    check("strike=2,bash=1", 30, "20..=45");
    check("strike=1,defend=1,ascenders-bane=1", 40, "10..=20");
    check("strike+=1", 100, "9..=30");
}

#[test]
fn fights_that_are_lost() {
    check("", 999, "1");
    check("ascenders-bane=5", 68, "1..=3");
    check("defend=6", 68, "1..=2");
    check("strike=1,defend=2", 50, "200");
}

#[test]
fn low_healths() {
    for hp in 1..=12 {
        check("strike=3,defend=2,bash=1", hp, "20..=22");
    }
}

/// Deep enough that the discard pile is shuffled in twice.
#[test]
fn the_starting_deck() {
    check("strike=5,defend=4,bash=1,ascenders-bane=1", 12, "45");
}

#[test]
fn every_play_in_the_middle_of_a_turn() {
    let texts = [
        r#"{"turn":2,"energy":2,"health":20,"block":4,"enemy":{"health":23,"vulnerable":2},
            "hand":{"strike":1,"bash":1,"defend+":1},"draw":{"strike":1,"defend":2},"discard":{"strike+":1}}"#,
        r#"{"turn":3,"energy":3,"health":15,"enemy":{"health":21},
            "hand":{"strike":2,"bash":1,"defend":2},"draw":{"strike":3,"defend":2,"ascenders-bane":1}}"#,
        r#"{"turn":1,"energy":0,"health":9,"enemy":{"health":6},"hand":{"strike":1},"draw":{"strike":4}}"#,
        r#"{"turn":4,"energy":1,"health":9,"enemy":{"health":6},"hand":{"strike":1,"bash":1},"draw":{"strike":4}}"#,
        r#"{"turn":4,"energy":3,"health":30,"enemy":{"health":12},"hand":{},"draw":{"strike":4}}"#,
    ];
    for text in texts {
        let position: Position = serde_json::from_str(text).unwrap();
        for objective in [Objective::Health, Objective::Survival] {
            let plays = advise(&position, objective, &ExploreOptions::default()).unwrap();
            let mut brute_force =
                BruteForce { survival_first: objective == Objective::Survival, known: HashMap::new() };
            let best = brute_force.value(&situation(&position));
            for (place, Play { cards, worth }) in plays.iter().enumerate() {
                let after = cards.iter().fold(position, |position, card| position.play(*card).unwrap());
                let after = situation(&after);
                let expected = if after.enemy <= 0 { brute_force.value(&after) } else { brute_force.end_turn(&after) };
                let found = match objective {
                    Objective::Health => (worth.health.clone(), worth.survival.clone()),
                    Objective::Survival => (worth.survival.clone(), worth.health.clone()),
                };
                assert_eq!(found, expected, "{cards:?} in {text}");
                assert!(place > 0 || found == best, "{text}");
                assert!(found <= best, "{text}");
            }
        }
    }
}
