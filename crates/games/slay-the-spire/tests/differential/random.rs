//! Random fights: any cards, relics, potions, enemies, at any ascension.

use slay_the_spire::{Card, EnemyKind, Foe, Hero, Potion, Relic, Relics, Rules, State};

use super::dice::Dice;
use super::fight::Fight;

/// The beginning of a fight, in both implementations.
pub struct Begun {
    pub rules: Rules,
    pub state: State,
    pub fight: Fight,
    pub health: i16,
    pub exhumes: bool,
    pub text: String,
}

/// A fight, if it is modelled.
pub fn begin(dice: &mut Dice) -> Option<Begun> {
    let ascension = u8::try_from(dice.roll(21)).unwrap();
    let cards: Vec<Card> = Card::all().collect();
    // Few kinds, some of them twice: so the number of possible hands stays small.
    let mut deck: Vec<Card> = Vec::new();
    for _ in 0..4 + dice.roll(4) {
        let card = cards[dice.roll(cards.len())];
        deck.extend(std::iter::repeat_n(card, 1 + dice.roll(3)));
    }
    let plain = ["strike", "defend", "bash"][dice.roll(3)].parse::<Card>().unwrap();
    deck.extend(std::iter::repeat_n(plain, dice.roll(4)));
    let relics: Relics = Relic::ALL.iter().map(|(relic, _)| *relic).filter(|_| dice.roll(6) == 0).collect();
    let potions: Vec<Potion> = Potion::all().filter(|_| dice.roll(12) == 0).take(4).collect();
    let health = i16::try_from(10 + dice.roll(71)).unwrap();
    let hero = Hero { ascension, max_health: 80, deck, relics, potions };
    let foes: Vec<Foe> = (0..=dice.roll(3)).map(|_| foe(ascension, dice)).collect();
    let rules = hero.rules(&foes).ok()?.beginning_with(health);
    let enemies: Vec<_> =
        foes.iter().map(|foe| rules.enemy(foe.kind, *foe.health.start(), *foe.curl_up.start())).collect();
    let state = rules.start(&hero.deck, &enemies);
    let mut fight = Fight {
        ascension: ascension.into(),
        hp: health.into(),
        max_hp: 80,
        relics: relics.iter().map(|relic| relic.to_string()).collect(),
        draw: hero.deck.iter().map(|card| super::description::card(*card)).collect(),
        potions: hero.potions.iter().map(ToString::to_string).enumerate().collect(),
        ..Fight::default()
    };
    for foe in &foes {
        fight.add_monster(foe.kind.data().name, (*foe.health.start()).into(), (*foe.curl_up.start()).into());
    }
    fight.begin_fight();
    let names = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>();
    let exhumes = hero.deck.iter().any(|card| card.data().name == "exhume");
    let text = format!("{:?} {:?} {:?} {health} at {ascension}", names(&hero.deck), fight.relics, fight.potions);
    Some(Begun { rules, state, fight, health, exhumes, text })
}

/// An enemy of any kind, weak enough to be killed half of the time.
fn foe(ascension: u8, dice: &mut Dice) -> Foe {
    let kind = EnemyKind::ALL[dice.roll(EnemyKind::ALL.len())];
    let (health, curl_up) = (kind.health(ascension), kind.curl_up(ascension));
    let pick =
        |low: u16, high: u16, dice: &mut Dice| low + u16::try_from(dice.roll(usize::from(high - low) + 1)).unwrap();
    let lowest = if dice.roll(2) == 0 { 4.max(*health.start() / 4) } else { *health.start() };
    let health = pick(lowest, *health.end(), dice);
    let curl = u8::try_from(pick((*curl_up.start()).into(), (*curl_up.end()).into(), dice)).unwrap();
    Foe { kind, health: health..=health, curl_up: curl..=curl }
}
