//! The cards: what each costs and does, as data.

use std::fmt;
use std::str::FromStr;

use super::name::{self, UnknownName};
use super::power::Power;

/// The type of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An attack: not while Entangled; answered by thorns.
    Attack,
    /// A skill: the Gremlin Nob does not like it.
    Skill,
    /// A power: leaves the game when it is played.
    Power,
    /// A status: put into the piles by enemies and by some cards, for one fight.
    Status,
    /// A curse.
    Curse,
}

/// The energy a card takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// This much.
    Energy(u8),
    /// All energy there is.
    All,
    /// This much, minus one for each time health was lost in this fight.
    LessWounds(u8),
    /// It cannot be played.
    Unplayable,
}

/// A number of the basic card, and of the upgraded one.
pub type Number = [u8; 2];

/// What a card does. A card is a list of these, carried out in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Damage to the target, several times: (damage, times).
    Hit(Number, Number),
    /// Damage to every enemy.
    HitAll(Number),
    /// Damage to every enemy, as often as there was energy.
    HitAllForEnergy(Number),
    /// Damage to a random enemy, several times.
    HitRandom(Number, Number),
    /// Damage as much as the player's block.
    HitBlock,
    /// Damage to which strength counts several times: (damage, times).
    HitStrength(Number, Number),
    /// Damage, plus more for every card called Strike: (damage, more).
    HitStrikes(Number, Number),
    /// Damage to every enemy; the player is healed by what is not blocked.
    HitAllHealing(Number),
    /// Damage to the target; when it kills, the maximum health and the health grow: (damage, more).
    HitFeeding(Number, Number),
    /// Block.
    Block(Number),
    /// Twice the block.
    DoubleBlock,
    /// Vulnerable on the target.
    Vulnerable(Number),
    /// Weak on the target.
    Weak(Number),
    /// Vulnerable on every enemy.
    VulnerableAll(Number),
    /// Weak on every enemy.
    WeakAll(Number),
    /// The target loses strength.
    Enfeeble(Number),
    /// Strength.
    Strength(Number),
    /// Strength until the end of the turn.
    StrengthThisTurn(Number),
    /// Strength if the target intends to attack.
    StrengthAgainstAttack(Number),
    /// Twice the strength.
    DoubleStrength,
    /// Cards are drawn.
    Draw(Number),
    /// Energy.
    Energy(Number),
    /// Energy and cards, one each, if the target is vulnerable.
    IfVulnerable,
    /// Health is lost; block does not help.
    LoseHealth(Number),
    /// A power of the player grows.
    Gain(Power, Number),
    /// Copies of a card, by its name, come to a pile.
    Create(&'static str, Pile, Number),
    /// A copy of this card comes to the discard pile.
    CopyOfThis,
    /// A chosen card of the hand is upgraded for this fight; with the upgraded card all of them.
    UpgradeHand,
    /// A card of the hand is exhausted: a chosen one.
    ExhaustChosen,
    /// A card of the hand is exhausted: a random one; by the upgraded card a chosen one.
    ExhaustRandom,
    /// All cards of the hand except attacks are exhausted, each for this much block.
    ExhaustNonAttacks(Number),
    /// The hand is exhausted, for this much damage to the target for each card.
    ExhaustHand(Number),
    /// A chosen card of the discard pile comes on top of the draw pile.
    DiscardToTop,
    /// A chosen card of the hand comes on top of the draw pile.
    HandToTop,
    /// Copies of a chosen attack or power of the hand come to the hand.
    CopyChosen(Number),
    /// A chosen exhausted card (none of this name) comes to the hand.
    ExhaustedToHand,
    /// This card does this much more damage from now on, in this fight.
    GrowThis(Number),
    /// The top card of the draw pile is played at a random enemy, and exhausted.
    PlayTop,
    /// A random attack of the Ironclad's comes to the hand, and costs nothing this turn.
    RandomAttack,
}

/// Where a created card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pile {
    /// To the hand; when that is full, to the discard pile.
    Hand,
    /// To the discard pile.
    Discard,
    /// To a random position in the draw pile.
    Draw,
}

/// The data of a card. Where there are two values, the second is the upgraded card's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardData {
    /// The name in arguments and files.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What it costs.
    pub cost: [Cost; 2],
    /// What it does.
    pub effects: &'static [Effect],
    /// Whether it is exhausted when it is played.
    pub exhausts: [bool; 2],
    /// Whether it is exhausted when it is in hand at the end of the turn.
    pub ethereal: bool,
    /// Whether it lies on top of the draw pile when the fight begins.
    pub innate: [bool; 2],
    /// Whether it can be played only when the whole hand is attacks.
    pub only_attacks: bool,
    /// Whether it is played at one enemy.
    pub targeted: bool,
    /// How many forms it has: two if it can be upgraded, otherwise one.
    pub forms: usize,
}

impl CardData {
    const fn new(name: &'static str, kind: Kind, cost: u8, effects: &'static [Effect]) -> Self {
        Self {
            name,
            kind,
            cost: [Cost::Energy(cost); 2],
            effects,
            exhausts: [false; 2],
            ethereal: false,
            innate: [false; 2],
            only_attacks: false,
            targeted: false,
            forms: 2,
        }
    }

    const fn exhausts(mut self) -> Self {
        self.exhausts = [true; 2];
        self
    }

    const fn ethereal(mut self) -> Self {
        self.ethereal = true;
        self
    }

    const fn targeted(mut self) -> Self {
        self.targeted = true;
        self
    }

    const fn upgraded_cost(mut self, cost: u8) -> Self {
        self.cost[1] = Cost::Energy(cost);
        self
    }

    const fn costs(mut self, normal: Cost, upgraded: Cost) -> Self {
        self.cost = [normal, upgraded];
        self
    }
}

const fn attack(name: &'static str, cost: u8, effects: &'static [Effect]) -> CardData {
    CardData::new(name, Kind::Attack, cost, effects).targeted()
}

const fn sweep(name: &'static str, cost: u8, effects: &'static [Effect]) -> CardData {
    CardData::new(name, Kind::Attack, cost, effects)
}

const fn skill(name: &'static str, cost: u8, effects: &'static [Effect]) -> CardData {
    CardData::new(name, Kind::Skill, cost, effects)
}

const fn power(name: &'static str, cost: u8, effects: &'static [Effect]) -> CardData {
    CardData::new(name, Kind::Power, cost, effects)
}

const fn dead_weight(name: &'static str, kind: Kind) -> CardData {
    let card = CardData::new(name, kind, 0, &[]).costs(Cost::Unplayable, Cost::Unplayable);
    CardData { forms: 1, ..card }
}

use Effect as E;

/// Once.
const ONE: Number = [1, 1];

/// Every card that is modelled.
pub const CARDS: &[CardData] = &[
    attack("strike", 1, &[E::Hit([6, 9], ONE)]),
    skill("defend", 1, &[E::Block([5, 8])]),
    attack("bash", 2, &[E::Hit([8, 10], ONE), E::Vulnerable([2, 3])]),
    // Common.
    attack("anger", 0, &[E::Hit([6, 8], ONE), E::CopyOfThis]),
    skill("armaments", 1, &[E::Block([5, 5]), E::UpgradeHand]),
    attack("body-slam", 1, &[E::HitBlock]).upgraded_cost(0),
    CardData { only_attacks: true, ..attack("clash", 0, &[E::Hit([14, 18], ONE)]) },
    sweep("cleave", 1, &[E::HitAll([8, 11])]),
    attack("clothesline", 2, &[E::Hit([12, 14], ONE), E::Weak([2, 3])]),
    skill("flex", 0, &[E::StrengthThisTurn([2, 4])]),
    skill("havoc", 1, &[E::PlayTop]).upgraded_cost(0),
    attack("headbutt", 1, &[E::Hit([9, 12], ONE), E::DiscardToTop]),
    attack("heavy-blade", 2, &[E::HitStrength([14, 14], [3, 5])]),
    attack("iron-wave", 1, &[E::Block([5, 7]), E::Hit([5, 7], ONE)]),
    attack("perfected-strike", 2, &[E::HitStrikes([6, 6], [2, 3])]),
    attack("pommel-strike", 1, &[E::Hit([9, 10], ONE), E::Draw([1, 2])]),
    skill("shrug-it-off", 1, &[E::Block([8, 11]), E::Draw([1, 1])]),
    sweep("sword-boomerang", 1, &[E::HitRandom([3, 3], [3, 4])]),
    sweep("thunderclap", 1, &[E::HitAll([4, 7]), E::VulnerableAll([1, 1])]),
    skill("true-grit", 1, &[E::Block([7, 9]), E::ExhaustRandom]),
    attack("twin-strike", 1, &[E::Hit([5, 7], [2, 2])]),
    skill("warcry", 0, &[E::Draw([1, 2]), E::HandToTop]).exhausts(),
    attack("wild-strike", 1, &[E::Hit([12, 17], ONE), E::Create("wound", Pile::Draw, ONE)]),
    // Uncommon.
    skill("battle-trance", 0, &[E::Draw([3, 4]), E::Gain(Power::NoDraw, ONE)]),
    attack("blood-for-blood", 4, &[E::Hit([18, 22], ONE)]).costs(Cost::LessWounds(4), Cost::LessWounds(3)),
    skill("bloodletting", 0, &[E::LoseHealth([3, 3]), E::Energy([2, 3])]),
    skill("burning-pact", 1, &[E::ExhaustChosen, E::Draw([2, 3])]),
    attack("carnage", 2, &[E::Hit([20, 28], ONE)]).ethereal(),
    power("combust", 1, &[E::Gain(Power::Combust, [5, 7]), E::Gain(Power::CombustCost, ONE)]),
    power("dark-embrace", 2, &[E::Gain(Power::DarkEmbrace, ONE)]).upgraded_cost(1),
    skill("disarm", 1, &[E::Enfeeble([2, 3])]).targeted().exhausts(),
    attack("dropkick", 1, &[E::Hit([5, 8], ONE), E::IfVulnerable]),
    skill("dual-wield", 1, &[E::CopyChosen([1, 2])]),
    skill("entrench", 2, &[E::DoubleBlock]).upgraded_cost(1),
    power("evolve", 1, &[E::Gain(Power::Evolve, [1, 2])]),
    power("feel-no-pain", 1, &[E::Gain(Power::FeelNoPain, [3, 4])]),
    power("fire-breathing", 1, &[E::Gain(Power::FireBreathing, [6, 10])]),
    skill("flame-barrier", 2, &[E::Block([12, 16]), E::Gain(Power::FlameBarrier, [4, 6])]),
    skill("ghostly-armor", 1, &[E::Block([10, 13])]).ethereal(),
    attack("hemokinesis", 1, &[E::LoseHealth([2, 2]), E::Hit([15, 20], ONE)]),
    skill("infernal-blade", 1, &[E::RandomAttack]).upgraded_cost(0).exhausts(),
    power("inflame", 1, &[E::Strength([2, 3])]),
    skill("intimidate", 0, &[E::WeakAll([1, 2])]).exhausts(),
    power("metallicize", 1, &[E::Gain(Power::Metallicize, [3, 4])]),
    skill("power-through", 1, &[E::Create("wound", Pile::Hand, [2, 2]), E::Block([15, 20])]),
    attack("pummel", 1, &[E::Hit([2, 2], [4, 5])]).exhausts(),
    skill("rage", 0, &[E::Gain(Power::Rage, [3, 5])]),
    attack("rampage", 1, &[E::Hit([8, 8], ONE), E::GrowThis([5, 8])]),
    attack("reckless-charge", 0, &[E::Hit([7, 10], ONE), E::Create("dazed", Pile::Draw, ONE)]),
    power("rupture", 1, &[E::Gain(Power::Rupture, [1, 2])]),
    attack("searing-blow", 2, &[E::Hit([12, 16], ONE)]),
    skill("second-wind", 1, &[E::ExhaustNonAttacks([5, 7])]),
    skill("seeing-red", 1, &[E::Energy([2, 2])]).upgraded_cost(0).exhausts(),
    skill("sentinel", 1, &[E::Block([5, 8])]),
    attack("sever-soul", 2, &[E::ExhaustNonAttacks([0, 0]), E::Hit([16, 22], ONE)]),
    skill("shockwave", 2, &[E::WeakAll([3, 5]), E::VulnerableAll([3, 5])]).exhausts(),
    skill("spot-weakness", 1, &[E::StrengthAgainstAttack([3, 4])]).targeted(),
    attack("uppercut", 2, &[E::Hit([13, 13], ONE), E::Weak([1, 2]), E::Vulnerable([1, 2])]),
    sweep("whirlwind", 0, &[E::HitAllForEnergy([5, 8])]).costs(Cost::All, Cost::All),
    // Rare.
    power("barricade", 3, &[E::Gain(Power::Barricade, ONE)]).upgraded_cost(2),
    power("berserk", 0, &[E::Gain(Power::Vulnerable, [2, 1]), E::Gain(Power::Berserk, ONE)]),
    attack("bludgeon", 3, &[E::Hit([32, 42], ONE)]),
    CardData { innate: [false, true], ..power("brutality", 0, &[E::Gain(Power::Brutality, ONE)]) },
    power("corruption", 3, &[E::Gain(Power::Corruption, ONE)]).upgraded_cost(2),
    power("demon-form", 3, &[E::Gain(Power::DemonForm, [2, 3])]),
    skill("double-tap", 1, &[E::Gain(Power::DoubleTap, [1, 2])]),
    skill("exhume", 1, &[E::ExhaustedToHand]).upgraded_cost(0).exhausts(),
    attack("feed", 1, &[E::HitFeeding([10, 12], [3, 4])]).exhausts(),
    attack("fiend-fire", 2, &[E::ExhaustHand([7, 10])]).exhausts(),
    sweep("immolate", 2, &[E::HitAll([21, 28]), E::Create("burn", Pile::Discard, ONE)]),
    skill("impervious", 2, &[E::Block([30, 40])]).exhausts(),
    power("juggernaut", 2, &[E::Gain(Power::Juggernaut, [5, 7])]),
    CardData { exhausts: [true, false], ..skill("limit-break", 1, &[E::DoubleStrength]) },
    skill("offering", 0, &[E::LoseHealth([6, 6]), E::Energy([2, 2]), E::Draw([3, 5])]).exhausts(),
    sweep("reaper", 2, &[E::HitAllHealing([4, 5])]).exhausts(),
    // Statuses.
    CardData { forms: 1, ..CardData::new("slimed", Kind::Status, 1, &[]).exhausts() },
    dead_weight("wound", Kind::Status),
    dead_weight("dazed", Kind::Status).ethereal(),
    CardData { forms: 2, ..dead_weight("burn", Kind::Status) },
    dead_weight("void", Kind::Status).ethereal(),
    // Curses.
    dead_weight("ascenders-bane", Kind::Curse).ethereal(),
    dead_weight("clumsy", Kind::Curse).ethereal(),
    dead_weight("injury", Kind::Curse),
    CardData { innate: [true; 2], ..dead_weight("writhe", Kind::Curse) },
    dead_weight("parasite", Kind::Curse),
    dead_weight("decay", Kind::Curse),
    dead_weight("doubt", Kind::Curse),
    dead_weight("shame", Kind::Curse),
    dead_weight("regret", Kind::Curse),
    dead_weight("pain", Kind::Curse),
    dead_weight("normality", Kind::Curse),
    dead_weight("curse-of-the-bell", Kind::Curse),
];

/// Cards of the game that are not modelled, and why.
pub const LEFT_OUT: &[(&str, &str)] =
    &[("pride", "it puts copies of itself on the draw pile"), ("necronomicurse", "it comes back when it is exhausted")];

/// A card, possibly upgraded; for a card that grows by being played, with its growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    number: u8,
    grown: u8,
}

impl Card {
    /// The card of this name, not upgraded. For names in the program's source.
    pub(crate) fn called(name: &str) -> Self {
        name.parse().expect("a card of the tables")
    }

    /// Every card, including the upgraded ones.
    pub fn all() -> impl Iterator<Item = Self> {
        let cards = (0..).take(2 * CARDS.len()).map(|number| Self { number, grown: 0 });
        cards.filter(|card| card.form() < card.data().forms)
    }

    /// The attacks of the Ironclad that a fight can create: common, uncommon and rare ones except those that heal.
    pub(crate) fn random_attacks() -> impl Iterator<Item = Self> {
        let left_out = |name: &str| matches!(name, "strike" | "bash" | "feed" | "reaper");
        Self::all().filter(move |card| {
            let data = card.data();
            card.form() == 0 && data.kind == Kind::Attack && !left_out(data.name)
        })
    }

    /// A number of its own.
    pub(crate) fn key(self) -> u64 {
        u64::from(self.number) << 8 | u64::from(self.grown)
    }

    /// Its data.
    pub fn data(self) -> &'static CardData {
        &CARDS[usize::from(self.number / 2)]
    }

    /// 0, or 1 when it is upgraded: the index of its numbers.
    pub fn form(self) -> usize {
        usize::from(self.number % 2)
    }

    /// The upgraded card; the card itself when it cannot be upgraded further.
    #[must_use]
    pub fn upgraded(self) -> Self {
        if self.data().forms > 1 { Self { number: self.number | 1, ..self } } else { self }
    }

    /// By how much its damage has grown in this fight.
    pub fn grown(self) -> u8 {
        self.grown
    }

    /// The card after one more play; the card itself if it does not grow.
    #[must_use]
    pub(crate) fn after_play(self) -> Self {
        let more = self.data().effects.iter().find_map(|effect| match effect {
            Effect::GrowThis(more) => Some(more[self.form()]),
            _ => None,
        });
        Self { grown: self.grown.saturating_add(more.unwrap_or(0)), ..self }
    }

    /// The current damage of a card that has grown, which is part of its name.
    fn damage(self) -> Option<u8> {
        let [Effect::Hit(damage, _), Effect::GrowThis(_)] = self.data().effects else { return None };
        Some(damage[self.form()].saturating_add(self.grown))
    }

    /// Whether its name contains Strike.
    pub fn is_strike(self) -> bool {
        self.data().name.ends_with("strike")
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = if self.form() == 1 { "+" } else { "" };
        let grown = self.damage().filter(|_| self.grown > 0).map_or_else(String::new, |damage| format!("-{damage}"));
        f.pad(&format!("{}{grown}{plus}", self.data().name))
    }
}

impl FromStr for Card {
    type Err = UnknownName;

    /// ```
    /// use slay_the_spire::Card;
    ///
    /// assert_eq!("shrug_it_off+".parse::<Card>()?.to_string(), "shrug-it-off+");
    /// assert_eq!("rampage-18".parse::<Card>()?.grown(), 10);
    /// assert_eq!("strik".parse::<Card>().unwrap_err().to_string(), "no card is called 'strik'; did you mean strike?");
    /// # Ok::<(), slay_the_spire::UnknownName>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let plain = name::normal(text);
        let (base, form) = plain.strip_suffix('+').map_or((plain.as_str(), 0), |base| (base, 1));
        if let Some((left_out, why)) = LEFT_OUT.iter().find(|(name, _)| *name == base) {
            return Err(UnknownName::left_out("card", left_out, why));
        }
        let (base, damage) = match base.rsplit_once('-').map(|(name, damage)| (name, damage.parse::<u8>())) {
            Some((name, Ok(damage))) => (name, Some(damage)),
            _ => (base, None),
        };
        let names = || CARDS.iter().map(|card| card.name);
        let index = names().position(|name| name == base).ok_or_else(|| UnknownName::new("card", base, names()))?;
        if form >= CARDS[index].forms {
            return Err(UnknownName::left_out("card", &plain, "this card has no upgraded form"));
        }
        let card = Self { number: u8::try_from(2 * index + form).expect("there are fewer than 128"), grown: 0 };
        let grown = damage.map_or(Some(0), |damage| damage.checked_sub(card.damage()?));
        grown.map(|grown| Self { grown, ..card }).ok_or_else(|| UnknownName::new("card", &plain, names()))
    }
}
