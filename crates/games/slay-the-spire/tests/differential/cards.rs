//! The cards, as text: kind and cost (upgraded after a slash), then t: has a target, x: is exhausted (b: only the basic one),
//! e: ethereal, i: innate (u: only the upgraded one), c: only with a hand of attacks.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::fight::{Fight, Id};
use super::queue::Do;

const TABLE: &str = "
strike A1 t; defend S1; bash A2 t; anger A0 t; armaments S1; body-slam A1/0 t; clash A0 tc; cleave A1; clothesline A2 t;
flex S0; havoc S1/0; headbutt A1 t; heavy-blade A2 t; iron-wave A1 t; perfected-strike A2 t; pommel-strike A1 t; shrug-it-off S1;
sword-boomerang A1; thunderclap A1; true-grit S1; twin-strike A1 t; warcry S0 x; wild-strike A1 t; battle-trance S0;
blood-for-blood A4/3 t; bloodletting S0; burning-pact S1; carnage A2 te; combust P1; dark-embrace P2/1; disarm S1 tx;
dropkick A1 t; dual-wield S1; entrench S2/1; evolve P1; feel-no-pain P1; fire-breathing P1; flame-barrier S2;
ghostly-armor S1 e; hemokinesis A1 t; infernal-blade S1/0 x; inflame P1; intimidate S0 x; metallicize P1; power-through S1; pummel A1 tx; rage S0;
rampage A1 t; reckless-charge A0 t; rupture P1; searing-blow A2 t; second-wind S1; seeing-red S1/0 x; sentinel S1; sever-soul A2 t;
shockwave S2 x; spot-weakness S1 t; uppercut A2 t; whirlwind AX; barricade P3/2; berserk P0; bludgeon A3 t; brutality P0 u;
corruption P3/2; demon-form P3; double-tap S1; exhume S1/0 x; feed A1 tx; fiend-fire A2 tx; immolate A2; impervious S2 x;
juggernaut P2; limit-break S1 b; offering S0 x; reaper A2 x; slimed T1 x; wound T-; dazed T- e; burn T-; void T- e;
ascenders-bane C- e; clumsy C- e; injury C-; writhe C- i; parasite C-; decay C-; doubt C-; shame C-; regret C-; pain C-;
normality C-; curse-of-the-bell C-";

/// A card of this implementation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    pub name: &'static str,
    pub upgraded: bool,
    /// The growth of its damage.
    pub grown: i32,
}

#[derive(Clone, Debug)]
struct Line {
    kind: char,
    cost: [&'static str; 2],
    flags: &'static str,
}

fn table() -> &'static BTreeMap<&'static str, Line> {
    static LINES: OnceLock<BTreeMap<&'static str, Line>> = OnceLock::new();
    LINES.get_or_init(|| {
        let lines = TABLE.split(';').map(|line| {
            let mut words = line.split_whitespace();
            let (name, cost, flags) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap_or(""));
            let (kind, costs) = cost.split_at(1);
            let (basic, upgraded) = costs.split_once('/').unwrap_or((costs, costs));
            (name, Line { kind: kind.chars().next().unwrap(), cost: [basic, upgraded], flags })
        });
        lines.collect()
    })
}

impl Card {
    /// Every attack that Infernal Blade can create.
    pub fn random_attacks() -> Vec<Self> {
        let names = table().iter().filter(|(_, line)| line.kind == 'A').map(|(name, _)| *name);
        names.filter(|name| !matches!(*name, "strike" | "bash" | "feed" | "reaper")).map(Self::of).collect()
    }

    /// `strike+`, `rampage-13`
    pub fn of(text: &str) -> Self {
        let (name, upgraded) = text.strip_suffix('+').map_or((text, false), |name| (name, true));
        let grown = name.strip_prefix("rampage-").map(|damage| damage.parse::<i32>().unwrap() - 8);
        let name = if grown.is_some() { "rampage" } else { name };
        let (name, _) = table().get_key_value(name).unwrap_or_else(|| panic!("no card is called {text}"));
        Self { name, upgraded, grown: grown.unwrap_or(0) }
    }

    pub fn text(&self) -> String {
        let grown = if self.grown > 0 { format!("-{}", 8 + self.grown) } else { String::new() };
        format!("{}{grown}{}", self.name, if self.upgraded { "+" } else { "" })
    }

    fn line(&self) -> &'static Line {
        &table()[self.name]
    }

    /// A for attack, S for skill, P for power, T for status, C for curse.
    pub fn kind(&self) -> char {
        self.line().kind
    }

    pub fn is(&self, flag: char) -> bool {
        self.line().flags.contains(flag)
    }

    pub fn exhausts(&self) -> bool {
        self.is('x') || (self.is('b') && !self.upgraded)
    }

    pub fn innate(&self) -> bool {
        self.is('i') || (self.is('u') && self.upgraded)
    }

    pub fn is_strike(&self) -> bool {
        self.name.contains("strike")
    }

    pub fn can_be_upgraded(&self) -> bool {
        !self.upgraded && !matches!(self.kind(), 'T' | 'C')
    }

    /// Its cost: `None` if it cannot be played, all there is for X.
    pub fn cost(&self, fight: &Fight) -> Option<i32> {
        let cost = match self.line().cost[usize::from(self.upgraded)] {
            "-" => return None,
            "X" => return Some(fight.energy),
            cost => cost.parse::<i32>().unwrap(),
        };
        let cost = if self.name == "blood-for-blood" { (cost - fight.wounds).max(0) } else { cost };
        let free = fight.free.contains(self) || (self.kind() == 'S' && fight.has("corruption"));
        Some(if free { 0 } else { cost })
    }
}

/// The effects of a card, as actions at the end of the queue: it is played at this enemy, with this much energy.
pub fn play(fight: &mut Fight, card: &Card, target: Option<Id>, energy: i32) {
    // There may be no enemy: then no effect reaches it.
    let at = target.unwrap_or(Id::MAX);
    let todo = if card.kind() == 'A' { attack(fight, card, at, energy) } else { other(fight, card, at) };
    fight.actions.extend(todo);
}

fn attack(fight: &Fight, card: &Card, at: Id, energy: i32) -> Vec<Do> {
    let up = i32::from(card.upgraded);
    let hit = |base: i32| Do::Hit(at, fight.attack(card, base, 1, at));
    let all = |base: i32| -> Vec<(Id, i32)> {
        fight.alive().iter().map(|monster| (*monster, fight.attack(card, base, 1, *monster))).collect()
    };
    let marks =
        |amount: i32| fight.alive().into_iter().map(move |monster| Do::MonsterPower(monster, "vulnerable", amount));
    match card.name {
        "strike" => vec![hit(6 + 3 * up)],
        "bash" => vec![hit(8 + 2 * up), Do::MonsterPower(at, "vulnerable", 2 + up)],
        "anger" => vec![hit(6 + 2 * up), Do::ToDiscard(card.clone())],
        "body-slam" => vec![hit(fight.block)],
        "clash" => vec![hit(14 + 4 * up)],
        "cleave" => vec![Do::HitAll(all(8 + 3 * up))],
        "clothesline" => vec![hit(12 + 2 * up), Do::MonsterPower(at, "weak", 2 + up)],
        "headbutt" => vec![hit(9 + 3 * up), Do::TopFromDiscard],
        "heavy-blade" => vec![Do::Hit(at, fight.attack(card, 14, 3 + 2 * up, at))],
        "iron-wave" => vec![Do::Block(fight.card_block(5 + 2 * up)), hit(5 + 2 * up)],
        "perfected-strike" => vec![hit(6 + (2 + up) * fight.strikes())],
        "pommel-strike" => vec![hit(9 + up), Do::Draw(1 + up)],
        "sword-boomerang" => (0..3 + up).map(|_| Do::HitAny(card.clone(), 3)).collect(),
        "thunderclap" => [Do::HitAll(all(4 + 3 * up))].into_iter().chain(marks(1)).collect(),
        "twin-strike" => vec![hit(5 + 2 * up), hit(5 + 2 * up)],
        "wild-strike" => vec![hit(12 + 5 * up), Do::ToDraw(Card::of("wound"))],
        "blood-for-blood" => vec![hit(18 + 4 * up)],
        "carnage" => vec![hit(20 + 8 * up)],
        "dropkick" => vec![Do::Dropkick(at, fight.attack(card, 5 + 3 * up, 1, at))],
        "hemokinesis" => vec![Do::LoseHp(2), hit(15 + 5 * up)],
        "pummel" => (0..4 + up).map(|_| hit(2)).collect(),
        "rampage" => vec![hit(8 + card.grown), Do::Grow(card.clone())],
        "reckless-charge" => vec![hit(7 + 3 * up), Do::ToDraw(Card::of("dazed"))],
        "searing-blow" => vec![hit(12 + 4 * up)],
        "sever-soul" => vec![Do::ExhaustNonAttacks(0), hit(16 + 6 * up)],
        "uppercut" => {
            vec![hit(13), Do::MonsterPower(at, "weak", 1 + up), Do::MonsterPower(at, "vulnerable", 1 + up)]
        }
        "whirlwind" => vec![Do::Whirl(all(5 + 3 * up), energy)],
        "bludgeon" => vec![hit(32 + 10 * up)],
        "feed" => vec![Do::Feed(at, fight.attack(card, 10 + 2 * up, 1, at), 3 + up)],
        "fiend-fire" => vec![Do::FiendFire(at, fight.attack(card, 7 + 3 * up, 1, at))],
        "immolate" => vec![Do::HitAll(all(21 + 7 * up)), Do::ToDiscard(Card::of("burn"))],
        "reaper" => vec![Do::Drain(all(4 + up))],
        name => panic!("{name} cannot be played"),
    }
}

fn other(fight: &Fight, card: &Card, at: Id) -> Vec<Do> {
    let up = i32::from(card.upgraded);
    let each = |power: &'static str, amount: i32| -> Vec<Do> {
        fight.alive().iter().map(|monster| Do::MonsterPower(*monster, power, amount)).collect()
    };
    let block = |base: i32| Do::Block(fight.card_block(base));
    match card.name {
        "defend" | "sentinel" => vec![block(5 + 3 * up)],
        "armaments" => vec![block(5), if card.upgraded { Do::UpgradeAll } else { Do::Upgrade }],
        "flex" => vec![Do::Power("strength", 2 + 2 * up), Do::Power("lose strength", 2 + 2 * up)],
        "shrug-it-off" => vec![block(8 + 3 * up), Do::Draw(1)],
        "true-grit" => vec![block(7 + 2 * up), if card.upgraded { Do::ExhaustChosen } else { Do::ExhaustRandom }],
        "warcry" => vec![Do::Draw(1 + up), Do::TopFromHand],
        "battle-trance" => vec![Do::Draw(3 + up), Do::Power("no draw", 1)],
        "bloodletting" => vec![Do::LoseHp(3), Do::Energy(2 + up)],
        "burning-pact" => vec![Do::ExhaustChosen, Do::Draw(2 + up)],
        "combust" => vec![Do::Power("combust", 5 + 2 * up), Do::Power("combust cost", 1)],
        "disarm" => vec![Do::MonsterPower(at, "strength", -(2 + up))],
        "dual-wield" => vec![Do::CopyChosen(1 + up)],
        "entrench" => vec![Do::DoubleBlock],
        "evolve" => vec![Do::Power("evolve", 1 + up)],
        "feel-no-pain" => vec![Do::Power("feel no pain", 3 + up)],
        "fire-breathing" => vec![Do::Power("fire breathing", 6 + 4 * up)],
        "flame-barrier" => vec![block(12 + 4 * up), Do::Power("flame barrier", 4 + 2 * up)],
        "ghostly-armor" => vec![block(10 + 3 * up)],
        "inflame" => vec![Do::Power("strength", 2 + up)],
        "intimidate" => each("weak", 1 + up),
        "metallicize" => vec![Do::Power("metallicize", 3 + up)],
        "power-through" => vec![Do::ToHand(Card::of("wound"), 2), block(15 + 5 * up)],
        "havoc" => vec![Do::Havoc],
        "infernal-blade" => vec![Do::RandomAttack],
        "rage" => vec![Do::Power("rage", 3 + 2 * up)],
        "rupture" => vec![Do::Power("rupture", 1 + up)],
        "second-wind" => vec![Do::ExhaustNonAttacks(fight.card_block(5 + 2 * up))],
        "seeing-red" => vec![Do::Energy(2)],
        "shockwave" => [each("weak", 3 + 2 * up), each("vulnerable", 3 + 2 * up)].concat(),
        "spot-weakness" => vec![Do::Spot(at, 3 + up)],
        "berserk" => vec![Do::Power("vulnerable", 2 - up), Do::Power("berserk", 1)],
        "demon-form" => vec![Do::Power("demon form", 2 + up)],
        "double-tap" => vec![Do::Power("double tap", 1 + up)],
        "exhume" => vec![Do::Exhume],
        "impervious" => vec![block(30 + 10 * up)],
        "juggernaut" => vec![Do::Power("juggernaut", 5 + 2 * up)],
        "limit-break" => vec![Do::LimitBreak],
        "offering" => vec![Do::LoseHp(6), Do::Energy(2), Do::Draw(3 + 2 * up)],
        "barricade" => vec![Do::Power("barricade", 1)],
        "brutality" => vec![Do::Power("brutality", 1)],
        "corruption" => vec![Do::Power("corruption", 1)],
        "dark-embrace" => vec![Do::Power("dark embrace", 1)],
        "slimed" => Vec::new(),
        name => panic!("{name} cannot be played"),
    }
}
