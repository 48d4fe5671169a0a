//! A fight as data: the participants and the special rules.

use std::fmt;
use std::str::FromStr;

use mdp::{Rational, ratio};

/// The highest skill that is accepted: the books stop at 12 for heroes and below 20 for monsters.
pub const MOST_SKILL: u32 = 1_000_000;
/// The highest stamina and luck that are accepted: the books stop near 30 and at 12.
pub const MOST_STAMINA: u32 = 1_000;
/// The number of slots for enemies.
pub(crate) const PLACES: u8 = 8;
/// How many enemies one after another are accepted.
pub const MOST_ENEMIES: usize = PLACES as usize;
/// How many enemies together are accepted.
pub const MOST_TOGETHER: usize = 4;

/// How much stamina a lucky blow takes from the enemy instead of 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Amplify {
    /// 3: the variant of some books.
    Three,
    /// 4: the usual rule.
    #[default]
    Four,
}

impl Amplify {
    /// The wound, in points of stamina.
    pub fn damage(self) -> u32 {
        match self {
            Self::Three => 3,
            Self::Four => 4,
        }
    }
}

/// The hero before the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hero {
    /// From 1.
    pub skill: u32,
    /// From 1.
    pub stamina: u32,
    /// From 0.
    pub luck: u32,
}

/// An enemy before the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Enemy {
    /// From 1.
    pub skill: u32,
    /// From 1.
    pub stamina: u32,
    /// The stamina that a wound costs the hero without luck: usually 2.
    pub damage: u32,
    /// Whether this enemy kills by rounds won in a row.
    pub sudden_death: Option<SuddenDeath>,
}

impl Enemy {
    /// An enemy without special rules.
    pub fn new(skill: u32, stamina: u32) -> Self {
        Self { skill, stamina, damage: 2, sudden_death: None }
    }
}

/// `SKILL/STAMINA`.
impl FromStr for Enemy {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let bad = || RulesError(format!("{} is no enemy; write SKILL/STAMINA, such as 14/12", shortened(text)));
        let (skill, stamina) = text.split_once('/').ok_or_else(bad)?;
        Ok(Self::new(skill.parse().map_err(|_| bad())?, stamina.parse().map_err(|_| bad())?))
    }
}

/// An enemy that kills at once by winning rounds in a row: Razaak in Crypt of the Sorcerer needs two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuddenDeath {
    /// How many rounds in a row, from 1.
    pub row: u8,
    /// Whether a drawn round breaks the row; otherwise it does not count.
    pub draw_resets: bool,
    /// How many it has won in a row when the fight begins; less than `row`.
    pub won_already: u8,
}

/// A chance `of_them / all`, such as 1/6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chance {
    /// At most `all`.
    pub of_them: u16,
    /// From 1 to [`Chance::MOST`].
    pub all: u16,
}

impl Chance {
    /// Never.
    pub const NEVER: Self = Self { of_them: 0, all: 1 };
    /// The largest denominator.
    pub const MOST: u16 = 1000;
}

/// `1/6`, or a whole number.
impl FromStr for Chance {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let bad = || {
            RulesError(format!(
                "{} is no chance; write a fraction from 0 to 1 such as 1/6, of at most {}",
                shortened(text),
                Self::MOST
            ))
        };
        let (of_them, all) = text.split_once('/').unwrap_or((text, "1"));
        let chance = Self { of_them: of_them.parse().map_err(|_| bad())?, all: all.parse().map_err(|_| bad())? };
        if chance.is_sound() { Ok(chance) } else { Err(bad()) }
    }
}

impl Chance {
    /// The chance as a fraction in lowest terms.
    ///
    /// # Panics
    /// When `all` is zero.
    pub fn exact(self) -> Rational {
        ratio(i64::from(self.of_them), u64::from(self.all))
    }

    fn is_sound(self) -> bool {
        (1..=Self::MOST).contains(&self.all) && self.of_them <= self.all
    }
}

/// Armour that sometimes softens an enemy's blow, after the luck has been decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Armour {
    /// How often, for every wound.
    pub chance: Chance,
    /// By how many points of stamina.
    pub softens: u32,
}

/// The choice to run away before any round, at the price of a wound. Luck can soften it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Escape {
    /// What it costs in stamina without luck: usually 2.
    pub cost: u32,
    /// The value of an escape, as a share of the value of a victory with the same stamina and luck left.
    pub value: Rational,
}

/// The differences from a fight against one enemy after another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpecialRules {
    /// The stamina that a wound costs an enemy without luck: usually 2. Luck adds the difference of `amplify` and 2, or
    /// takes 1 away.
    pub damage: u32,
    /// The wound of a lucky blow.
    pub amplify: Amplify,
    /// Whether luck may be used at all.
    pub luck_allowed: bool,
    /// All enemies at once instead of one after another: in every round the hero chooses one to
    /// wound, and every other rolls against the hero too, but can only wound.
    pub together: bool,
    /// Armour of the hero.
    pub armour: Option<Armour>,
    /// The probability of dying at the beginning of every round.
    pub death_each_round: Chance,
    /// The probability that a lost round kills at once.
    pub death_on_lost_round: Chance,
    /// Whether and how the hero may run away.
    pub escape: Option<Escape>,
}

impl Default for SpecialRules {
    fn default() -> Self {
        Self {
            damage: 2,
            amplify: Amplify::Four,
            luck_allowed: true,
            together: false,
            armour: None,
            death_each_round: Chance::NEVER,
            death_on_lost_round: Chance::NEVER,
            escape: None,
        }
    }
}

/// The cost of a wound, by the result of the test of luck.
///
/// ```
/// use fighting_fantasy::{Amplify, Wound};
///
/// assert_eq!(Wound::dealt(2, Amplify::Four), Wound { plain: 2, lucky: 4, unlucky: 1 });
/// assert_eq!(Wound::taken(2), Wound { plain: 2, lucky: 1, unlucky: 3 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wound {
    /// Without a test of luck.
    pub plain: u32,
    /// After a test that succeeded.
    pub lucky: u32,
    /// After a test that failed.
    pub unlucky: u32,
}

impl Wound {
    /// A wound that the hero deals.
    pub fn dealt(damage: u32, amplify: Amplify) -> Self {
        Self { plain: damage, lucky: damage + amplify.damage() - 2, unlucky: damage.saturating_sub(1) }
    }

    /// A wound that the hero takes.
    pub fn taken(damage: u32) -> Self {
        Self { plain: damage, lucky: damage.saturating_sub(1), unlucky: damage + 1 }
    }
}

/// The objective to maximise: the value of a victory. Everything else has value 0 (except an [`Escape`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Objective {
    /// The value of a victory in itself.
    pub win: Rational,
    /// The value of every point of stamina left.
    pub stamina: Rational,
    /// The value of every point of luck left.
    pub luck: Rational,
    /// A victory with less stamina has value 0.
    pub keep_stamina: u32,
    /// A victory with less luck has value 0.
    pub keep_luck: u32,
}

impl Objective {
    /// The chance to win.
    pub fn win() -> Self {
        Self::weighted(1, 0, 0)
    }

    /// The expected stamina left, 0 after a defeat.
    pub fn stamina() -> Self {
        Self::weighted(0, 1, 0)
    }

    /// Whole-number weights of a victory, of every point of stamina and of every point of luck left.
    pub fn weighted(win: u32, stamina: u32, luck: u32) -> Self {
        Self {
            win: Rational::from(win),
            stamina: Rational::from(stamina),
            luck: Rational::from(luck),
            keep_stamina: 0,
            keep_luck: 0,
        }
    }

    /// The same, but only victories with at least this much left count.
    #[must_use]
    pub fn keeping(self, stamina: u32, luck: u32) -> Self {
        Self { keep_stamina: stamina, keep_luck: luck, ..self }
    }

    /// Its value as text.
    ///
    /// ```
    /// use fighting_fantasy::Objective;
    ///
    /// assert_eq!(Objective::win().keeping(0, 6).name(), "chance to win, counting only luck 6 or more");
    /// ```
    pub fn name(&self) -> String {
        let known = [
            (Self::win(), "chance to win"),
            (Self::stamina(), "expected stamina left"),
            (Self::weighted(0, 1, 1), "expected stamina and luck left"),
        ];
        let is_this =
            |other: &Self| (&self.win, &self.stamina, &self.luck) == (&other.win, &other.stamina, &other.luck);
        let name = known.iter().find(|(objective, _)| is_this(objective)).map_or("expected worth", |(_, name)| name);
        match (self.keep_stamina, self.keep_luck) {
            (0 | 1, 0) => name.into(),
            (stamina, 0) => format!("{name}, counting only stamina {stamina} or more"),
            (0 | 1, luck) => format!("{name}, counting only luck {luck} or more"),
            (stamina, luck) => format!("{name}, counting only stamina {stamina} and luck {luck} or more"),
        }
    }

    /// The value of a victory with this much left.
    pub fn value(&self, stamina: u32, luck: u32) -> Rational {
        if stamina < self.keep_stamina || luck < self.keep_luck {
            return Rational::ZERO;
        }
        &self.win + &self.stamina * Rational::from(stamina) + &self.luck * Rational::from(luck)
    }
}

/// What is wrong with a fight, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError(pub(crate) String);

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RulesError {}

/// A text as it is quoted in an error: never longer than a line.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    format!("{shown:?}")
}

/// Checks everything that the types allow.
pub(crate) fn check(hero: &Hero, enemies: &[Enemy], rules: &SpecialRules) -> Result<(), RulesError> {
    let within = |what: &str, value: u32, least: u32, most: u32| {
        if (least..=most).contains(&value) {
            Ok(())
        } else {
            Err(RulesError(format!("{what} is {value}; it must be from {least} to {most}")))
        }
    };
    within("the hero's skill", hero.skill, 1, MOST_SKILL)?;
    within("the hero's stamina", hero.stamina, 1, MOST_STAMINA)?;
    within("the hero's luck", hero.luck, 0, MOST_STAMINA)?;
    within("the hero's damage", rules.damage, 1, MOST_STAMINA)?;
    let most = if rules.together { MOST_TOGETHER } else { MOST_ENEMIES };
    let count = enemies.len();
    if !(1..=most).contains(&count) {
        let how = if rules.together { "together" } else { "one after another" };
        return Err(RulesError(format!("there are {count} enemies; {how} there may be 1 to {most}")));
    }
    for enemy in enemies {
        within("an enemy's skill", enemy.skill, 1, MOST_SKILL)?;
        within("an enemy's stamina", enemy.stamina, 1, MOST_STAMINA)?;
        within("an enemy's damage", enemy.damage, 0, MOST_STAMINA)?;
        if let Some(sudden_death) = enemy.sudden_death {
            let row = u32::from(sudden_death.row);
            within("the row of rounds for a sudden death", row, 1, 255)?;
            within("the row of rounds already won", u32::from(sudden_death.won_already), 0, row - 1)?;
        }
    }
    if let Some(armour) = rules.armour {
        within("what the armour softens", armour.softens, 1, MOST_STAMINA)?;
    }
    if let Some(escape) = &rules.escape {
        within("the cost of an escape", escape.cost, 0, MOST_STAMINA)?;
        if escape.value < Rational::ZERO {
            return Err(RulesError("the value of an escape is negative; it must be at least 0".into()));
        }
    }
    let chances = [rules.death_each_round, rules.death_on_lost_round];
    if let Some(chance) = chances.into_iter().chain(rules.armour.map(|armour| armour.chance)).find(|c| !c.is_sound()) {
        return Err(RulesError(format!(
            "the chance {}/{} is not between 0 and 1, of at most {}",
            chance.of_them,
            chance.all,
            Chance::MOST
        )));
    }
    Ok(())
}
