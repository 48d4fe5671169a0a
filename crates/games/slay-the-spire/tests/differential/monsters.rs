//! The monsters: their data, actions, and intents.

use std::collections::BTreeMap;

use super::cards::Card;
use super::fight::{Id, Powers};
use super::queue::Do;

#[derive(Clone, Debug, Default)]
pub struct Monster {
    pub id: Id,
    pub kind: &'static str,
    /// 0 when it is dead or gone.
    pub hp: i32,
    pub max_hp: i32,
    pub block: i32,
    pub powers: Powers,
    pub history: Vec<&'static str>,
    /// Its intent; `None` between its turn and the roll, unless something decided it.
    pub next: Option<&'static str>,
    /// The strength of a louse's bite, or of Divider, once known.
    pub bite: i32,
    /// What the Guardian has lost since it opened, and its limit.
    pub lost: i32,
    pub threshold: i32,
    pub open: bool,
    pub closing: bool,
    /// A wizard's charge; how often Lagavulin slept; 1 when Hexaghost's Burns are upgraded.
    pub count: i32,
    pub alone: bool,
}

impl Monster {
    pub fn amount(&self, power: &str) -> i32 {
        self.powers.get(power).copied().unwrap_or(0)
    }

    pub fn has(&self, power: &str) -> bool {
        self.amount(power) != 0
    }

    pub fn apply(&mut self, power: &'static str, amount: i32) {
        let debuff = matches!(power, "weak" | "vulnerable") || amount < 0;
        if debuff && self.has("artifact") {
            *self.powers.get_mut("artifact").unwrap() -= 1;
        } else {
            let held = self.powers.entry(power).or_default();
            *held = (*held + amount).clamp(-999, 999);
        }
    }

    pub fn means_to_attack(&self) -> bool {
        self.next.is_some_and(|name| self.acts(name, 0).iter().any(|act| matches!(act, Do::MonsterHit(..))))
    }

    /// Reacts to a loss of health, or dies.
    pub fn lost_health(&mut self, lost: i32, later: &mut Vec<Do>) {
        if self.hp == 0 {
            return;
        }
        match self.kind {
            "acid-slime-l" | "spike-slime-l" | "slime-boss" if 2 * self.hp <= self.max_hp => self.next = Some("split"),
            "lagavulin" if self.has("asleep") => {
                self.powers.remove("asleep");
                self.next = Some("stunned");
            }
            "the-guardian" if self.open && !self.closing => {
                self.lost += lost;
                if self.lost >= self.threshold {
                    self.closing = true;
                    later.push(Do::GuardianCloses(self.id));
                }
            }
            _ => {}
        }
    }

    /// The actions of a move.
    pub fn acts(&self, name: &str, ascension: i32) -> Vec<Do> {
        let id = self.id;
        let from = |step: i32, low: i32, high: i32| if ascension >= step { high } else { low };
        let two = |low, high| from(2, low, high);
        let hit = |damage: i32| Do::MonsterHit(id, damage);
        let slimed = |count: i32| vec![Do::ToDiscard(Card::of("slimed")); usize::try_from(count).unwrap()];
        let custom = |what: &'static str, amount: i32| vec![Do::Own(id, what, amount)];
        let inflict = |power: &'static str, amount: i32| Do::Inflict(power, amount);
        let own = |power: &'static str, amount: i32| Do::MonsterPower(id, power, amount);
        match (self.kind, name) {
            ("cultist", "incantation") => custom("ritual", 0),
            ("cultist", _) | ("fungi-beast", "bite") => vec![hit(6)],
            ("jaw-worm", "chomp") => vec![hit(two(11, 12))],
            ("jaw-worm", "thrash") => vec![hit(7), Do::MonsterBlock(id, 5)],
            ("jaw-worm", _) => {
                let strength = if ascension >= 17 { 5 } else { two(3, 4) };
                vec![own("strength", strength), Do::MonsterBlock(id, from(17, 6, 9))]
            }
            ("red-louse" | "green-louse", "bite") => vec![hit(self.bite)],
            ("red-louse", _) => vec![own("strength", from(17, 3, 4))],
            ("green-louse", _) | ("acid-slime-l", "lick") => vec![inflict("weak", 2)],
            ("acid-slime-s", "tackle") => vec![hit(two(3, 4))],
            ("acid-slime-s" | "acid-slime-m", "lick") => vec![inflict("weak", 1)],
            ("spike-slime-s", _) => vec![hit(two(5, 6))],
            ("acid-slime-m", "corrosive-spit") => [vec![hit(two(7, 8))], slimed(1)].concat(),
            ("acid-slime-m", _) => vec![hit(two(10, 12))],
            ("spike-slime-m", "flame-tackle") => [vec![hit(two(8, 10))], slimed(1)].concat(),
            ("spike-slime-m", _) => vec![inflict("frail", 1)],
            ("acid-slime-l", "corrosive-spit") => [vec![hit(two(11, 12))], slimed(2)].concat(),
            ("acid-slime-l", "tackle") => vec![hit(two(16, 18))],
            ("spike-slime-l", "flame-tackle") => [vec![hit(two(16, 18))], slimed(2)].concat(),
            ("spike-slime-l", "lick") => vec![inflict("frail", from(17, 2, 3))],
            (_, "split") => custom("split", 0),
            ("blue-slaver", "stab") => vec![hit(two(12, 13))],
            ("blue-slaver", _) => vec![hit(two(7, 8)), inflict("weak", from(17, 1, 2))],
            ("red-slaver", "stab") => vec![hit(two(13, 14))],
            ("red-slaver", "scrape") => vec![hit(two(8, 9)), inflict("vulnerable", from(17, 1, 2))],
            ("red-slaver", _) => vec![inflict("entangled", 1)],
            ("looter", "mug") => vec![hit(two(10, 11))],
            ("looter", "lunge") => vec![hit(two(12, 14))],
            ("looter", "smoke-bomb") => vec![Do::MonsterBlock(id, 6)],
            ("looter", _) => custom("escape", 0),
            ("fungi-beast", _) => vec![own("strength", if ascension >= 17 { 5 } else { two(3, 4) })],
            ("mad-gremlin", _) => vec![hit(two(4, 5))],
            ("sneaky-gremlin", _) => vec![hit(two(9, 10))],
            ("fat-gremlin", _) => {
                vec![hit(two(4, 5)), inflict("weak", 1), inflict("frail", from(17, 0, 1))]
            }
            ("shield-gremlin", "protect") => custom("guard", if ascension >= 17 { 11 } else { from(7, 7, 8) }),
            ("shield-gremlin", _) => vec![hit(two(6, 8))],
            ("gremlin-wizard", "ultimate-blast") => vec![hit(two(25, 30))],
            _ => self.strong_acts(name, ascension),
        }
    }

    /// The same of elites and bosses.
    fn strong_acts(&self, name: &str, ascension: i32) -> Vec<Do> {
        let id = self.id;
        let from = |step: i32, low: i32, high: i32| if ascension >= step { high } else { low };
        let elite = |low, high| from(3, low, high);
        let boss = |low, high| from(4, low, high);
        let hit = |damage: i32| Do::MonsterHit(id, damage);
        let custom = |what: &'static str, amount: i32| vec![Do::Own(id, what, amount)];
        let inflict = |power: &'static str, amount: i32| Do::Inflict(power, amount);
        let own = |power: &'static str, amount: i32| Do::MonsterPower(id, power, amount);
        match (self.kind, name) {
            ("gremlin-nob", "bellow") => vec![own("enrage", from(18, 2, 3))],
            ("gremlin-nob", "rush") => vec![hit(elite(14, 16))],
            ("gremlin-nob", _) => vec![hit(elite(6, 8)), inflict("vulnerable", 2)],
            ("lagavulin", "sleep") => custom("sleep", 0),
            ("lagavulin", "attack") => vec![hit(elite(18, 20))],
            ("lagavulin", "siphon-soul") => {
                let amount = from(18, 1, 2);
                vec![inflict("dexterity", -amount), inflict("strength", -amount)]
            }
            ("sentry", "bolt") => vec![Do::ToDiscard(Card::of("dazed")); if ascension >= 18 { 3 } else { 2 }],
            ("sentry", _) => vec![hit(elite(9, 10))],
            ("slime-boss", "goop-spray") => {
                vec![Do::ToDiscard(Card::of("slimed")); if ascension >= 19 { 5 } else { 3 }]
            }
            ("slime-boss", "slam") => vec![hit(boss(35, 38))],
            ("the-guardian", "charging-up") => vec![Do::MonsterBlock(id, 9)],
            ("the-guardian", "fierce-bash") => vec![hit(boss(32, 36))],
            ("the-guardian", "vent-steam") => vec![inflict("weak", 2), inflict("vulnerable", 2)],
            ("the-guardian", "whirlwind") => vec![hit(5); 4],
            ("the-guardian", "defensive-mode") => vec![own("sharp hide", from(19, 3, 4))],
            ("the-guardian", "roll-attack") => vec![hit(boss(9, 10))],
            ("the-guardian", _) => [vec![hit(8), hit(8)], custom("open", 0)].concat(),
            ("hexaghost", "activate") => custom("measure", 0),
            ("hexaghost", "divider") => vec![hit(self.bite); 6],
            ("hexaghost", "sear") => [vec![hit(6)], custom("burn", from(19, 1, 2))].concat(),
            ("hexaghost", "tackle") => vec![hit(boss(5, 6)); 2],
            ("hexaghost", "inflame") => vec![own("strength", from(19, 2, 3)), Do::MonsterBlock(id, 12)],
            ("hexaghost", _) => [vec![hit(boss(2, 3)); 6], custom("inferno", 3)].concat(),
            _ => Vec::new(),
        }
    }

    fn last(&self, name: &str) -> bool {
        self.history.last() == Some(&name)
    }

    fn last_two(&self, name: &str) -> bool {
        self.history.len() >= 2 && self.history.iter().rev().take(2).all(|own| *own == name)
    }

    /// Its possible next moves, with weights. `place` is its place from the left among all.
    pub fn next_moves(&self, ascension: i32, place: usize) -> Vec<(&'static str, u32)> {
        let mut weights: BTreeMap<&'static str, u32> = BTreeMap::new();
        for roll in 0..100 {
            for (name, weight) in self.rolled(roll, ascension, place) {
                *weights.entry(name).or_default() += weight;
            }
        }
        weights.into_iter().filter(|(_, weight)| *weight > 0).collect()
    }

    /// Its next move for a roll of 0 to 99: in ten thousandths, where it rolls again.
    fn rolled(&self, roll: u32, ascension: i32, place: usize) -> Vec<(&'static str, u32)> {
        let first = self.history.is_empty();
        let high = ascension >= 17;
        let sure = |name: &'static str| vec![(name, 10_000)];
        let or = |one: &'static str, weight: u32, other: &'static str| vec![(one, weight), (other, 10_000 - weight)];
        // One move below a roll and another from there on, each unless it came too often.
        let barred = |name: &'static str, at_once: bool| if at_once { self.last(name) } else { self.last_two(name) };
        let two = |below: u32, one: &'static str, other: &'static str, [once, twice]: [bool; 2]| {
            let first_one = if roll < below { !barred(one, once) } else { barred(other, twice) };
            sure(if first_one { one } else { other })
        };
        match self.kind {
            "cultist" => sure(if first { "incantation" } else { "dark-strike" }),
            "jaw-worm" if first => sure("chomp"),
            "jaw-worm" => match roll {
                0..25 if self.last("chomp") => or("bellow", 5_625, "thrash"),
                0..25 => sure("chomp"),
                25..55 if self.last_two("thrash") => or("chomp", 3_570, "bellow"),
                25..55 => sure("thrash"),
                _ if self.last("bellow") => or("chomp", 4_160, "thrash"),
                _ => sure("bellow"),
            },
            "red-louse" => two(25, "grow", "bite", [high, false]),
            "green-louse" => two(25, "spit-web", "bite", [high, false]),
            "acid-slime-s" if first && high => sure("lick"),
            "acid-slime-s" if first => or("tackle", 5_000, "lick"),
            "acid-slime-s" => sure(if self.last("tackle") { "lick" } else { "tackle" }),
            "spike-slime-s" => sure("tackle"),
            "acid-slime-m" | "acid-slime-l" => self.acid_slime(roll, high),
            "spike-slime-m" | "spike-slime-l" => two(30, "flame-tackle", "lick", [false, high]),
            "blue-slaver" => two(40, "rake", "stab", [high, false]),
            "red-slaver" if first => sure("stab"),
            "red-slaver" => {
                let entangled = self.history.contains(&"entangle");
                let scraped = barred("scrape", high);
                sure(match roll {
                    75.. if !entangled => "entangle",
                    55.. if entangled && !self.last_two("stab") => "stab",
                    _ if !scraped => "scrape",
                    _ => "stab",
                })
            }
            "looter" => match self.history[..] {
                [] | ["mug"] => sure("mug"),
                ["mug", "mug"] => or("smoke-bomb", 5_000, "lunge"),
                [.., "lunge"] => sure("smoke-bomb"),
                _ => sure("escape"),
            },
            "fungi-beast" => two(60, "bite", "grow", [false, true]),
            "mad-gremlin" => sure("scratch"),
            "sneaky-gremlin" => sure("puncture"),
            "fat-gremlin" => sure("smash"),
            "shield-gremlin" => {
                let protects = first || (self.last("protect") && !self.alone);
                sure(if protects { "protect" } else { "shield-bash" })
            }
            "gremlin-wizard" => sure(if self.count >= 3 || (high && self.last("ultimate-blast")) {
                "ultimate-blast"
            } else {
                "charging"
            }),
            "gremlin-nob" if first => sure("bellow"),
            "gremlin-nob" if ascension >= 18 => {
                let bashed = self.history.iter().rev().take(2).any(|own| *own == "skull-bash");
                sure(if !bashed || self.last_two("rush") { "skull-bash" } else { "rush" })
            }
            "gremlin-nob" => sure(if roll < 33 || self.last_two("rush") { "skull-bash" } else { "rush" }),
            "lagavulin" => sure(match self.history[..] {
                _ if self.has("asleep") => "sleep",
                [.., "attack", "attack"] => "siphon-soul",
                _ => "attack",
            }),
            "sentry" if first => sure(if place.is_multiple_of(2) { "bolt" } else { "beam" }),
            "sentry" => sure(if self.last("bolt") { "beam" } else { "bolt" }),
            _ => self.boss(),
        }
    }

    fn acid_slime(&self, roll: u32, high: bool) -> Vec<(&'static str, u32)> {
        let large = self.kind == "acid-slime-l";
        let or = |one: &'static str, weight: u32, other: &'static str| vec![(one, weight), (other, 10_000 - weight)];
        let sure = |name: &'static str| vec![(name, 10_000)];
        let again = if large { 6_000 } else { 5_000 };
        let (spit, tackle) = match (high, large) {
            (false, _) => (30, 70),
            (true, false) => (40, 80),
            (true, true) => (40, 70),
        };
        if roll < spit {
            match self.last_two("corrosive-spit") {
                true if high => or("tackle", again, "lick"),
                true => or("tackle", 5_000, "lick"),
                false => sure("corrosive-spit"),
            }
        } else if roll < tackle {
            match (high, self.last("tackle"), self.last_two("tackle")) {
                (true, _, true) => or("corrosive-spit", again, "lick"),
                (false, true, _) => or("corrosive-spit", 4_000, "lick"),
                _ => sure("tackle"),
            }
        } else if if high { self.last("lick") } else { self.last_two("lick") } {
            or("corrosive-spit", 4_000, "tackle")
        } else {
            sure("lick")
        }
    }

    fn boss(&self) -> Vec<(&'static str, u32)> {
        const GHOST: [&str; 7] = ["sear", "tackle", "sear", "inflame", "tackle", "sear", "inferno"];
        let moves = self.history.len();
        let name = match (self.kind, self.history.last().copied()) {
            ("slime-boss", _) => ["goop-spray", "preparing", "slam"][moves % 3],
            ("the-guardian", None | Some("whirlwind")) => "charging-up",
            ("the-guardian", Some("charging-up")) => "fierce-bash",
            ("the-guardian", Some("fierce-bash")) => "vent-steam",
            ("the-guardian", Some("defensive-mode")) => "roll-attack",
            ("the-guardian", Some("roll-attack")) => "twin-slam",
            ("the-guardian", _) => "whirlwind",
            ("hexaghost", None) => "activate",
            ("hexaghost", Some("activate")) => "divider",
            ("hexaghost", _) => GHOST[(moves - 2) % 7],
            (kind, _) => panic!("{kind} is unknown"),
        };
        vec![(name, 10_000)]
    }
}
