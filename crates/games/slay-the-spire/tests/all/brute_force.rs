//! The same fights solved by another method: a recursion over single cards, with its own rules, without pruning: every
//! card is a decision, no position is skipped, merged or rounded.

use std::collections::{BTreeMap, HashMap};

use budget::Budget;
use mdp::Rational;
use serde::Deserialize;
use slay_the_spire::{
    Exactness, FightOptions, FightRequest, Named, Objective, PositionFile, Worth, advise,
    solve_each_health_of_the_enemy, solve_several,
};

/// Everything is wanted exactly.
pub const EXACTLY: FightOptions = FightOptions { exact: Exactness::Everything, ends: false };

/// A fight against a Cultist with the difficulty of the talk.
#[derive(Debug, Deserialize)]
pub struct Setup {
    pub cultist_hp: String,
    pub hp: i16,
    pub deck: BTreeMap<String, u64>,
}

impl Setup {
    fn request(&self) -> FightRequest {
        let deck: Vec<String> = self.deck.iter().map(|(card, count)| format!("{card}={count}")).collect();
        FightRequest {
            hp: Some(self.hp),
            max_hp: Some(self.hp),
            deck: Some(deck.join(",")),
            enemy_hp: Some(self.cultist_hp.clone()),
            ..FightRequest::of_the_talk()
        }
    }
}

/// The value of a fight.
pub fn solved(setup: &Setup, objective: Objective) -> Worth {
    let request = setup.request();
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    let solved = solve_several(&hero, &encounters, &[setup.hp], objective, EXACTLY, &Budget::unlimited());
    solved.unwrap().worths.swap_remove(0)
}

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

/// Survival and expected health under a best play; the objective comes first.
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

    /// Draws one card after another, each of the pile with equal probability. The discard pile is shuffled when a card
    /// must be drawn and there is none.
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

/// The cards with these names.
fn cards(named: &BTreeMap<String, u64>) -> Cards {
    let name = |name: &str| CARDS.iter().map(|card| card.0).find(|own| *own == name).unwrap_or("ascenders-bane");
    named.iter().filter(|(_, count)| **count > 0).map(|(card, count)| (name(card), *count)).collect()
}

/// The objective first, then the second criterion.
fn pair(worth: &Worth, objective: Objective) -> Pair {
    let ends = worth.exact_ends.clone().unwrap();
    let (first, second) = match objective {
        Objective::Survival => (ends.survival, ends.expected_health),
        _ => (ends.expected_health, ends.survival),
    };
    assert_eq!(worth.exact.as_ref(), Some(&first));
    (first, second)
}

/// Checks the odds of a fight in both objectives.
fn check(deck: &str, hp: i16, cultist_hp: &str) {
    let deck = deck.split(',').filter_map(|part| part.split_once('='));
    let deck: BTreeMap<String, u64> = deck.map(|(card, count)| (card.into(), count.parse().unwrap())).collect();
    let setup = Setup { deck, hp, cultist_hp: cultist_hp.into() };
    let request = setup.request();
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    for objective in [Objective::Health, Objective::Survival] {
        let mut brute_force = BruteForce { survival_first: objective == Objective::Survival, known: HashMap::new() };
        let each = solve_each_health_of_the_enemy(&hero, &encounters, hp, objective, EXACTLY, &Budget::unlimited());
        for (health, found) in each.unwrap() {
            let start = Situation {
                turn: 0,
                energy: 3,
                health: hp.into(),
                block: 0,
                enemy: health.into(),
                vulnerable: 0,
                hand: Cards::new(),
                draw: cards(&setup.deck),
                discard: Cards::new(),
            };
            let expected = brute_force.draw(&start, 5);
            let found = pair(&found.worths[0], objective);
            assert_eq!(found, expected, "{setup:?} Cultist {health}, {objective:?}");
        }
        let ends = solved(&setup, objective).exact_ends.unwrap();
        let sum = ends.final_health.iter().fold(Rational::ZERO, |sum, (_, chance)| sum + chance);
        assert_eq!(sum, Rational::ONE);
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
    check("", 250, "1");
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

/// A turn of the Cultist, counted from 0: nothing in the first, then 6, 11, 16, ... damage.
fn position(turn: i64, fields: &str, enemy: &str) -> PositionFile {
    let (intent, strength) = if turn == 0 { ("incantation", 0) } else { ("dark_strike", 5 * (turn - 1)) };
    let text = format!(
        r#"{{{fields}, "max_hp": 100, "ascension": 17, "enemies": [{{{enemy}, "kind": "cultist", "intent": "{intent}",
            "run": {turn}, "strength": {strength}}}]}}"#
    );
    serde_json::from_str(&text).unwrap()
}

/// The same for the recursion.
fn situation(turn: i64, fields: &str, enemy: &str) -> Situation {
    let read = |fields: &str| -> serde_json::Value { serde_json::from_str(&format!("{{{fields}}}")).unwrap() };
    let (own, enemy) = (read(fields), read(enemy));
    let number = |of: &serde_json::Value, name: &str, usual: i64| of[name].as_i64().unwrap_or(usual);
    let pile = |name: &str| cards(&serde_json::from_value(own[name].clone()).unwrap_or_default());
    Situation {
        turn,
        energy: number(&own, "energy", 3),
        health: number(&own, "hp", 0),
        block: number(&own, "block", 0),
        enemy: number(&enemy, "hp", 0),
        vulnerable: number(&enemy, "vulnerable", 0),
        hand: pile("hand"),
        draw: pile("draw"),
        discard: pile("discard"),
    }
}

/// The situation after these plays.
fn after(mut now: Situation, steps: &[Named]) -> Situation {
    for step in steps {
        let name = step.play.as_ref().expect("a card").replace('_', "-");
        let (card, cost, damage, vulnerable, block) = *CARDS.iter().find(|card| card.0 == name).expect("a known card");
        move_card(&mut now.hand, &mut now.discard, card);
        now.energy -= cost;
        now.enemy -= if now.vulnerable > 0 { damage * 3 / 2 } else { damage };
        now.vulnerable += vulnerable;
        now.block += block;
    }
    now
}

#[test]
fn every_play_in_the_middle_of_a_turn() {
    let positions = [
        (
            2,
            r#""energy":2,"hp":20,"block":4,"hand":{"strike":1,"bash":1,"defend+":1},"draw":{"strike":1,"defend":2},
                "discard":{"strike+":1}"#,
            r#""hp":23,"vulnerable":2"#,
        ),
        (
            3,
            r#""hp":15,"hand":{"strike":2,"bash":1,"defend":2},"draw":{"strike":3,"defend":2,"ascenders-bane":1}"#,
            r#""hp":21"#,
        ),
        (1, r#""energy":0,"hp":9,"hand":{"strike":1},"draw":{"strike":4}"#, r#""hp":6"#),
        (4, r#""energy":1,"hp":9,"hand":{"strike":1,"bash":1},"draw":{"strike":4}"#, r#""hp":6"#),
        (4, r#""hp":30,"hand":{},"draw":{"strike":4}"#, r#""hp":12"#),
    ];
    for (turn, fields, enemy) in positions {
        let file = position(turn, fields, enemy);
        for objective in [Objective::Health, Objective::Survival] {
            let advice =
                advise(&file.position().unwrap(), objective, Exactness::Everything, &Budget::unlimited()).unwrap();
            let mut brute_force =
                BruteForce { survival_first: objective == Objective::Survival, known: HashMap::new() };
            let now = situation(turn, fields, enemy);
            let best = brute_force.value(&now);
            for (place, (steps, worth)) in advice.turns.iter().enumerate() {
                let after = after(now.clone(), steps);
                let expected = if after.enemy <= 0 { brute_force.value(&after) } else { brute_force.end_turn(&after) };
                let found = pair(worth, objective);
                assert_eq!(found, expected, "{steps:?} in {fields}");
                assert!(place > 0 || found == best, "{fields}");
                assert!(found <= best, "{fields}");
            }
        }
    }
}
