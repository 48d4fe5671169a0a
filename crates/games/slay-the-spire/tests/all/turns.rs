//! The fewest turns: fights whose number of turns is plain, and random fights solved a second time by a recursion over
//! single plays.

use std::collections::HashMap;
use std::time::Duration;

use budget::{Budget, Limits};
use mdp::Dice;
use slay_the_spire::{
    Action, Card, Change, DEFEAT, EnemyKind, Exactness, FightOptions, FightRequest, Foe, Goal, Hero, Objective,
    PositionFile, Rules, State, advise, play_out, solve, solve_several,
};

fn fewest(deck: &str, enemy: &str, enemy_hp: &str, hp: i16) -> (f64, f64) {
    let request = FightRequest {
        enemies: vec![enemy.into()],
        enemy_hp: Some(enemy_hp.into()),
        deck: Some(deck.into()),
        hp: Some(hp),
        objective: Goal::Turns,
        ..FightRequest::default()
    };
    let (hero, encounters) = (request.hero().unwrap(), request.encounters().unwrap());
    let asked = FightOptions::default();
    let solved = solve_several(&hero, &encounters, &[hp], Objective::Turns, asked, &Budget::unlimited()).unwrap();
    assert_eq!(solved.stopped, None);
    let worth = &solved.worths[0];
    assert!(worth.value.width() < 1e-8, "{worth:?}");
    (worth.value.middle(), worth.survival.middle())
}

#[track_caller]
fn is((turns, survival): (f64, f64), right: (f64, f64)) {
    assert!((turns - right.0).abs() < 1e-8 && (survival - right.1).abs() < 1e-8, "{turns} {survival}");
}

#[test]
fn as_many_turns_as_the_damage_needs() {
    // Three Strikes a turn.
    is(fewest("strike=5", "cultist", "18", 80), (1.0, 1.0));
    is(fewest("strike=5", "cultist", "19", 80), (2.0, 1.0));
    is(fewest("strike=5", "cultist", "36..=37", 80), (2.5, 1.0));
    // Bash, then a Strike for 9.
    is(fewest("strike=1,bash=1,defend=3", "cultist", "17", 80), (1.0, 1.0));
    is(fewest("strike=1,bash=1,defend=3", "cultist", "18", 80), (2.0, 1.0));
    // A fight that cannot be won is given up after the first turn.
    is(fewest("defend=6", "cultist", "1", 80), (1.0 + DEFEAT, 0.0));
    // A Looter runs away in turn 4 or 5.
    is(fewest("", "looter", "1", 80), (4.5, 1.0));
}

/// Without block the first Chomp kills, so the fight takes longer than for a hero who does not mind it.
#[test]
fn a_life_is_worth_more_than_a_turn() {
    let (turns, survival) = fewest("strike=3,defend=3", "jaw-worm", "36", 10);
    let (bold, sure) = fewest("strike=3,defend=3", "jaw-worm", "36", 80);
    assert!(bold < turns && (sure - 1.0).abs() < 1e-9, "{bold} {turns} {sure}");
    // The price of a defeat is that of 1,000 turns: hardly any chance to survive is given away.
    let hero = FightRequest { deck: Some("strike=3,defend=3".into()), ..FightRequest::default() }.hero().unwrap();
    let foes = [Foe { health: 36..=36, ..Foe::of("jaw-worm".parse().unwrap(), 0) }];
    let most = solve(&hero, &foes, &[10], Objective::Survival, &Budget::unlimited()).unwrap().worths[0].value;
    assert!((survival - most.middle()).abs() < 0.01 && survival > 0.1, "{survival} {most:?}");
}

/// A lower and an upper bound of the number of turns, from the rules alone, looking ahead a limited number of them.
struct Naive<'a> {
    rules: &'a Rules,
    known: HashMap<(State, i16, u8), (f64, f64)>,
}

impl Naive<'_> {
    fn with_health_applied(&self, state: &State, health: i16) -> (State, i16) {
        let mut next = *state;
        let left = state.health.after(health).unwrap_or(0);
        next.health = Change::none(self.rules.max_health);
        (next, left)
    }

    /// The turns from a beginning of a turn on.
    fn turn(&mut self, state: &State, health: i16, turns: u8) -> (f64, f64) {
        if turns == 0 {
            return (1.0, f64::INFINITY);
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

    /// The turns from a position within a turn on, this one included.
    fn play(&mut self, state: &State, health: i16, turns: u8) -> (f64, f64) {
        let (state, health) = self.with_health_applied(state, health);
        if health <= 0 {
            return (1.0 + DEFEAT, 1.0 + DEFEAT);
        }
        if state.is_over() {
            return (1.0, 1.0);
        }
        if let Some(known) = self.known.get(&(state, health, turns)) {
            return *known;
        }
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        self.rules.actions(&state, &mut actions);
        let mut best = (f64::INFINITY, f64::INFINITY);
        for action in actions {
            let mut sum = (0.0, 0.0);
            let mut add = |chance: f64, value: (f64, f64)| sum = (sum.0 + chance * value.0, sum.1 + chance * value.1);
            if action == Action::EndTurn {
                for (chance, after) in self.rules.end_turn(&state) {
                    let (after, left) = self.with_health_applied(&after, health);
                    let value = match left {
                        ..=0 => (DEFEAT, DEFEAT),
                        _ if after.is_over() => (0.0, 0.0),
                        _ => self.turn(&after, left, turns - 1),
                    };
                    // The rest can be given up.
                    add(chance.as_f64(), (1.0 + value.0.min(DEFEAT), 1.0 + value.1.min(DEFEAT)));
                }
            } else {
                self.rules.act(&state, action, &mut outcomes);
                for (chance, next) in outcomes.clone() {
                    add(chance.as_f64(), self.play(&next, health, turns));
                }
            }
            best = (best.0.min(sum.0), best.1.min(sum.1));
        }
        self.known.insert((state, health, turns), best);
        best
    }
}

/// A number that looks random.
fn number(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from((*state >> 33) % u64::try_from(below).unwrap()).unwrap()
}

#[test]
fn random_fights() {
    let mut dice = 23;
    let cards: Vec<Card> = Card::all().collect();
    // Hexaghost's attack depends on the health at the start, which is computed here play by play.
    let kinds: Vec<EnemyKind> = EnemyKind::ALL.iter().copied().filter(|kind| *kind != EnemyKind::Hexaghost).collect();
    let (mut exact, mut deaths) = (0, 0);
    for fight in 0..100 {
        let mut hero = Hero::new([0, 7, 17][number(&mut dice, 3)]);
        hero.deck = ["strike", "strike"].map(|name| name.parse().unwrap()).to_vec();
        hero.deck.extend((0..3).map(|_| cards[number(&mut dice, cards.len())]));
        let enemies = 1 + number(&mut dice, 2);
        let foes: Vec<Foe> = (0..enemies)
            .map(|_| {
                let kind = kinds[number(&mut dice, kinds.len())];
                let health = u16::try_from(5 + number(&mut dice, 14)).unwrap();
                let curl = if kind.is_louse() { 3 } else { 0 };
                Foe { kind, health: health..=health, curl_up: curl..=curl }
            })
            .collect();
        let health = i16::try_from(3 + number(&mut dice, 20)).unwrap();
        let described =
            format!("{fight}: {:?} {foes:?} {health}", hero.deck.iter().map(Card::to_string).collect::<Vec<_>>());
        let budget = Budget::new(Limits { max_states: 2_000, ..Limits::NONE });
        let Ok(solved) = solve(&hero, &foes, &[health], Objective::Turns, &budget) else {
            continue; // Such a deck is not modelled.
        };
        let value = solved.worths[0].value;
        let rules = hero.rules(&foes).unwrap().beginning_with(health);
        let enemies: Vec<_> =
            foes.iter().map(|foe| rules.enemy(foe.kind, *foe.health.start(), *foe.curl_up.start())).collect();
        let start = rules.start(&hero.deck, &enemies);
        let mut naive = Naive { rules: &rules, known: HashMap::new() };
        let (least, most) = naive.turn(&start, health, if foes.len() > 1 { 2 } else { 3 });
        assert!(value.lower <= most + 1e-9 && value.upper >= least - 1e-9, "{described}: {value:?}, {least} to {most}");
        assert!(1.0 <= value.lower + 1e-9 && value.upper <= 1.0 + DEFEAT + 1e-9, "{described} {value:?}");
        exact += usize::from(most - least < 1e-12 && value.width() < 1e-8);
        deaths += usize::from(most < 1000.0 && most > 10.0);
    }
    assert!(exact > 60 && deaths > 2, "{exact} fights were over in time, {deaths} with a chance to die");
}

/// A position counts the turn it is in, and every limit leaves bounds.
#[test]
fn positions_and_limits() {
    let file: PositionFile = serde_json::from_str(
        r#"{"hp": 30, "max_hp": 80, "hand": {"strike": 3, "defend": 2}, "draw": {"strike": 2, "defend": 2},
            "enemies": [{"kind": "jaw_worm", "hp": 30, "intent": "chomp", "run": 1}]}"#,
    )
    .unwrap();
    let position = file.position().unwrap();
    let advice = advise(&position, Objective::Turns, Exactness::Everything, &Budget::unlimited()).unwrap();
    assert_eq!(advice.first[0].0.play.as_deref(), Some("strike"));
    let value = advice.first[0].1.value;
    assert!((value.middle() - 2.0).abs() < 1e-9 && value.width() < 1e-8, "{value:?}");
    let last = advice.first.last().unwrap();
    assert!(last.1.value.lower > 2.0, "{last:?}");
    let hero = Hero::new(0);
    let foes = [Foe::of("jaw-worm".parse().unwrap(), 0)];
    let truth = solve(&hero, &foes, &[80], Objective::Turns, &Budget::unlimited()).unwrap().worths[0].value;
    assert!(truth.width() < 1e-8 && (2.0..4.0).contains(&truth.lower), "{truth:?}");
    for limit in [
        Limits { max_states: 0, ..Limits::NONE },
        Limits { max_states: 500, ..Limits::NONE },
        Limits { max_time: Some(Duration::from_millis(1)), ..Limits::NONE },
        Limits { max_memory: 1, ..Limits::NONE },
    ] {
        let known = solve(&hero, &foes, &[80], Objective::Turns, &Budget::new(limit)).unwrap().worths[0].value;
        assert!(known.lower <= truth.upper && truth.lower <= known.upper, "{known:?} {truth:?}");
        assert!(1.0 <= known.lower + 1e-9 && known.upper <= 1.0 + DEFEAT + 1e-9, "{known:?}");
    }
    let lines = play_out(&hero, &foes, 80, Objective::Turns, &mut Dice::new(3, 0), &Budget::unlimited()).unwrap();
    let turns = lines.iter().filter(|line| line.starts_with("Turn ")).count();
    assert!((2..6).contains(&turns) && lines.last().unwrap().contains("the fight is over"), "{lines:?}");
}
