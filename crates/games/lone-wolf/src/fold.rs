//! A whole fight as one step: the exact distribution of its ends.
//!
//! While the hero lives, nothing depends on his ENDURANCE, only on his loss so far, which never falls. So one pass over
//! (rounds fought, his loss, the enemy's ENDURANCE) computes the probability that the enemy falls when the hero has
//! lost a given amount, and that serves every hero: one with more ENDURANCE has won, every other one has died before.
//!
//! Probabilities are integers over one power of ten, and rounds without any loss are divided out. `fight.rs` is the
//! same fight as a game with the choice to leave; both use the rules in `combat.rs`, and tests compare them.

use std::collections::BTreeMap;
use std::fmt;

use dashu_base::Gcd;
use dashu_int::UBig;
use mdp::{Distribution, Weight};

use crate::combat::{CombatTable, Conditions, Losses};

/// What to track in a fight besides ENDURANCE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Track {
    /// Count rounds up to this number; 0: not at all.
    pub rounds: u32,
    /// Whether to track that the hero has lost ENDURANCE, for any reason.
    pub wounded: bool,
}

/// The start of a fight, or of the rest of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Start {
    /// Rounds fought already.
    pub round: u32,
    /// The enemy's ENDURANCE; at 0 the hero has already won.
    pub enemy: u8,
    /// Whether the hero has lost ENDURANCE already.
    pub wounded: bool,
    /// Endings are computed for every ENDURANCE of the hero from 1 to this.
    pub heroes: u8,
}

/// The end of a fight. For a dead hero the other fields are 0 and false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// The hero's ENDURANCE; 0: dead.
    pub hero: u8,
    /// Rounds fought, including those before the start, as far as they are counted.
    pub rounds: u32,
    /// Whether the hero has lost ENDURANCE, if that is tracked.
    pub wounded: bool,
}

/// The most rounds without necessary changes that are followed one by one: the digits of the exact probabilities grow
/// with them.
pub const MOST_ROUNDS: u32 = 100;

/// A fight that cannot be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndlessFight {
    /// It can reach a point from which no round changes anything.
    ForEver,
    /// After [`MOST_ROUNDS`] it can still be undecided while its conditions change, or rounds are still counted.
    TooLong,
}

impl fmt::Display for EndlessFight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ForEver => f.write_str("the fight can go on for ever: neither side can lose ENDURANCE any more"),
            Self::TooLong => {
                write!(f, "the fight can go on for more than {MOST_ROUNDS} rounds that differ or are counted")
            }
        }
    }
}

impl std::error::Error for EndlessFight {}

/// The ends of a fight, for every ENDURANCE of the hero at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// By the hero's ENDURANCE, from 0.
    endings: Vec<Distribution<Ending>>,
}

impl Folded {
    /// The ends of the fight for a hero with this ENDURANCE, in increasing order, so death comes first, with weights in
    /// lowest terms. A hero without ENDURANCE is dead.
    ///
    /// # Panics
    /// When it is more than the requested [`Start::heroes`].
    pub fn from(&self, hero: u8) -> &Distribution<Ending> {
        &self.endings[usize::from(hero)]
    }
}

/// The exact distribution of the ends of a fight that nobody leaves.
///
/// If both sides fall in the same round the hero is dead. A round in which nothing changes is followed by another;
/// where all rounds are identical that is divided out.
///
/// # Errors
/// When the fight never ends with some probability, or its rounds differ for too long.
///
/// ```
/// use lone_wolf::{CombatTable, Conditions, Ending, Start, Track, fold};
///
/// // 13 points worse, 25 ENDURANCE against 30: to win unhurt one needs the picked number 0 five times.
/// let conditions = Conditions { ratio: -13, ..Conditions::default() };
/// let start = Start { enemy: 30, heroes: 25, ..Start::default() };
/// let endings = fold(CombatTable::standard(), &conditions, &start, Track::default())?;
/// let unhurt = Ending { hero: 25, ..Ending::default() };
/// assert_eq!(endings.from(25).probability_of(&unhurt), mdp::ratio(1, 100_000));
/// assert_eq!(endings.from(25).probability_of(&Ending::default()), mdp::ratio(19_879_281, 20_000_000));
/// # Ok::<(), lone_wolf::EndlessFight>(())
/// ```
pub fn fold(table: &CombatTable, conditions: &Conditions, start: &Start, track: Track) -> Result<Folded, EndlessFight> {
    let mut walk = Walk::new(*start);
    // From here on rounds are identical and need no number.
    let steady = (conditions.steady_from() - 1).max(track.rounds);
    let mut fought = start.round;
    while fought < steady && walk.goes_on() {
        if fought - start.round == MOST_ROUNDS {
            return Err(EndlessFight::TooLong);
        }
        fought += 1;
        walk.fight_one(&conditions.round(table, fought), fought.min(track.rounds));
    }
    if walk.goes_on() {
        walk.fight_on(&conditions.round(table, fought.saturating_add(1)), track.rounds)?;
    }
    Ok(walk.endings(*start, track))
}

/// A loss of the hero, a loss of the enemy, and how many of the ten picks cause both.
type Blow = (usize, usize, u8);

/// The losses of a round, equal ones merged.
fn blows(round: &[Losses; 10]) -> Vec<Blow> {
    let mut blows: Vec<Blow> = Vec::with_capacity(round.len());
    for losses in round {
        let (hero, enemy) = (usize::from(losses.hero), usize::from(losses.enemy));
        match blows.iter_mut().find(|blow| (blow.0, blow.1) == (hero, enemy)) {
            Some(blow) => blow.2 += 1,
            None => blows.push((hero, enemy, 1)),
        }
    }
    blows
}

/// The fight of all heroes at once, as far as it has been followed.
struct Walk {
    /// The number of losses that a hero can survive: those below this.
    losses: usize,
    /// The number of values of the enemy's ENDURANCE, including 0.
    enemies: usize,
    /// The probabilities of all situations in which the fight goes on, times `total`; at `loss * enemies + enemy`.
    open: Vec<UBig>,
    /// The probabilities, times `total`, that the enemy has fallen: by the hero's loss and the number of rounds.
    won: BTreeMap<(usize, u32), UBig>,
    /// The common denominator.
    total: UBig,
}

impl Walk {
    fn new(start: Start) -> Self {
        let (losses, enemies) = (usize::from(start.heroes), usize::from(start.enemy) + 1);
        let mut walk =
            Self { losses, enemies, open: vec![UBig::ZERO; losses * enemies], won: BTreeMap::new(), total: UBig::ONE };
        if losses > 0 {
            walk.open[enemies - 1] = UBig::ONE;
        }
        walk
    }

    fn goes_on(&self) -> bool {
        self.enemies > 1 && self.open.iter().any(|chance| *chance != UBig::ZERO)
    }

    /// The situation after a blow; `None` when it kills every hero.
    fn after(&self, loss: usize, enemy: usize, blow: Blow) -> Option<(usize, usize)> {
        let loss = loss + blow.0;
        (loss < self.losses).then(|| (loss, enemy.saturating_sub(blow.1)))
    }

    /// Scales all probabilities so that they can be divided `times` times by `by`.
    fn make_divisible(&mut self, by: u8, times: usize) {
        let factor = UBig::from(by).pow(times);
        for chance in self.open.iter_mut().chain(self.won.values_mut()).filter(|chance| **chance != UBig::ZERO) {
            *chance *= &factor;
        }
        self.total *= factor;
    }

    /// A round that differs from the next.
    fn fight_one(&mut self, round: &[Losses; 10], fought: u32) {
        let blows = blows(round);
        let factor = UBig::from(10u8);
        for chance in self.won.values_mut() {
            *chance *= &factor;
        }
        self.total *= factor;
        let before = std::mem::replace(&mut self.open, vec![UBig::ZERO; self.losses * self.enemies]);
        for (place, chance) in before.iter().enumerate().filter(|(_, chance)| **chance != UBig::ZERO) {
            for blow in &blows {
                if let Some((loss, enemy)) = self.after(place / self.enemies, place % self.enemies, *blow) {
                    self.add(loss, enemy, fought, chance * blow.2);
                }
            }
        }
    }

    fn add(&mut self, loss: usize, enemy: usize, fought: u32, chance: UBig) {
        if enemy == 0 {
            *self.won.entry((loss, fought)).or_insert(UBig::ZERO) += chance;
        } else {
            self.open[loss * self.enemies + enemy] += chance;
        }
    }

    /// Identical rounds to the end of the fight.
    fn fight_on(&mut self, round: &[Losses; 10], fought: u32) -> Result<(), EndlessFight> {
        let mut blows = blows(round);
        // A round without loss can be skipped.
        blows.retain(|blow| (blow.0, blow.1) != (0, 0));
        let changing: u8 = blows.iter().map(|blow| blow.2).sum();
        if changing == 0 {
            return Err(EndlessFight::ForEver);
        }
        // Every situation is divided by `changing` once for every round on a path to it: as a common factor the longest
        // path is enough, and every division is even.
        self.make_divisible(changing, self.longest(&blows));
        for loss in 0..self.losses {
            for enemy in (1..self.enemies).rev() {
                let chance = std::mem::take(&mut self.open[loss * self.enemies + enemy]);
                if chance == UBig::ZERO {
                    continue;
                }
                let share = chance / changing;
                for blow in &blows {
                    if let Some((loss, enemy)) = self.after(loss, enemy, *blow) {
                        self.add(loss, enemy, fought, &share * blow.2);
                    }
                }
            }
        }
        Ok(())
    }

    /// The largest number of further rounds in which something changes.
    fn longest(&self, blows: &[Blow]) -> usize {
        // For each situation the largest number of rounds to it plus one; 0 if it cannot be reached.
        let mut rounds: Vec<usize> = self.open.iter().map(|chance| usize::from(*chance != UBig::ZERO)).collect();
        for loss in 0..self.losses {
            for enemy in (1..self.enemies).rev() {
                let here = rounds[loss * self.enemies + enemy];
                if here == 0 {
                    continue;
                }
                for blow in blows {
                    if let Some((loss, enemy)) = self.after(loss, enemy, *blow).filter(|(_, enemy)| *enemy > 0) {
                        let there = &mut rounds[loss * self.enemies + enemy];
                        *there = (*there).max(here + 1);
                    }
                }
            }
        }
        rounds.into_iter().max().unwrap_or(0)
    }

    fn endings(self, start: Start, track: Track) -> Folded {
        let mut endings = vec![Distribution::certain(Ending::default())];
        let mut won = self.won;
        if self.enemies == 1 && self.losses > 0 {
            won.insert((0, start.round.min(track.rounds)), UBig::ONE);
        }
        // The greatest common divisor of the total and all probabilities with a smaller loss, and the rest of the
        // total.
        let mut common = self.total.clone();
        let mut dead = self.total;
        for hero in 1..=start.heroes {
            let last = usize::from(hero) - 1;
            for (_, chance) in won.range((last, 0)..=(last, u32::MAX)) {
                common = if common == UBig::ONE { common } else { common.gcd(chance) };
                dead -= chance;
            }
            let mut outcomes = Vec::with_capacity(won.len() + 1);
            if dead != UBig::ZERO {
                outcomes.push((Ending::default(), Weight(&dead / &common)));
            }
            for loss in (0..=last).rev() {
                for ((_, rounds), chance) in won.range((loss, 0)..=(loss, u32::MAX)) {
                    let wounded = track.wounded && (start.wounded || loss > 0);
                    // A survivor has lost less than he had.
                    let left = hero - u8::try_from(loss).unwrap_or(hero);
                    outcomes.push((Ending { hero: left, rounds: *rounds, wounded }, Weight(chance / &common)));
                }
            }
            endings.push(Distribution::weighted(outcomes).unwrap_or_else(|_| Distribution::certain(Ending::default())));
        }
        Folded { endings }
    }
}
