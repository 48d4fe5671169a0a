//! Exact values of all fights of one skill difference, without fractions.
//!
//! Let p = w / d be the chance that a round that is not drawn is won, and let a test of luck succeed with c / 36. One
//! round takes a value to w/d of another plus (d - w)/d of a third, one test of luck to c/36 of one plus (36 - c)/36 of
//! another. So every value is an integer over `d^a * 36^t`, if a bounds the remaining rounds and t the remaining tests.
//!
//! With t tests left, `a = floor((hero stamina + enemy stamina + t) / 2)` is such a bound: a round without luck costs
//! one side 2 stamina, a round with luck costs one side at least 1 and a test. All numerators of a cell are therefore
//! sums of products of non-negative integers, each at most as large as the denominator, which is the same for all
//! strategies: comparing two values, also for equality, is comparing integers.

use mdp::Rational;

use budget::{Budget, Progress, Stage, Stopped};
use dashu_int::UBig;

use crate::dice::{RoundOdds, lucky_rolls};
use crate::rules::Amplify;
use crate::strategy::Outcome;

/// The fights of a map, none of which has special rules: all staminas from 1 to `max_stamina` and every luck up to
/// `max_luck`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The hero's skill minus the enemy's.
    pub skill_difference: i32,
    /// The highest luck.
    pub max_luck: u32,
    /// The highest stamina of the hero and of the enemy, at least 1.
    pub max_stamina: u32,
    /// What a lucky blow takes from the enemy.
    pub amplify: Amplify,
}

impl Extent {
    /// How many situations there are.
    pub(crate) fn situations(self) -> u64 {
        let side = u64::from(self.max_stamina);
        (u64::from(self.max_luck) + 1).saturating_mul(side * side)
    }

    /// The progress of a table with this many layers filled.
    fn progress(self, layers: u32) -> Progress {
        let (side, all) = (u64::from(self.max_stamina), u64::from(self.max_luck) + 2);
        let situations = |layers: u64| layers.saturating_mul(side * side);
        let (done, waiting) = (situations(layers.into()), situations(all - u64::from(layers)));
        Progress { stage: Stage::Solving, done, waiting, memory: Table::bytes(self) }
    }

    /// Requests memory before anything is filled.
    pub(crate) fn claim(self, bytes: u64, budget: &Budget<'_>) -> Result<(), Stopped> {
        budget.advance(self.progress(0))?;
        budget.more_memory(bytes)
    }

    /// The index of a situation: luck from 0, then the staminas from 1.
    pub(crate) fn index(self, luck: u32, hero: u32, enemy: u32) -> usize {
        let side = self.max_stamina;
        assert!(
            luck <= self.max_luck && (1..=side).contains(&hero) && (1..=side).contains(&enemy),
            "luck {luck}, staminas {hero} and {enemy} are not in the map"
        );
        let side = side as usize;
        (luck as usize * side + hero as usize - 1) * side + enemy as usize - 1
    }
}

/// The numerators of the values of all fights of an [`Extent`], and their denominators.
///
/// Fights are held in layers: first those in which luck may not be used at all, then those with
/// luck 0, 1, and so on. (A test at luck 0 is possible and always fails.)
#[derive(Clone)]
pub(crate) struct Table {
    extent: Extent,
    /// w, d - w and d, without common factors.
    win: u64,
    loss: u64,
    decisive: u64,
    /// 64-bit limbs per number, least significant first.
    limbs: usize,
    /// One number for every layer, hero's stamina and enemy's stamina.
    numerators: Vec<u64>,
    /// `d^a * 36^t` for every a, then t.
    denominators: Vec<u64>,
    zero: Vec<u64>,
}

/// How luck is decided after an outcome of a round.
pub(crate) enum Use {
    /// Take the better one.
    Best,
    /// As given.
    Fixed(bool),
}

impl Table {
    /// An upper bound of the memory of the table of an extent in bytes: its numerators, and the denominators.
    pub fn bytes(extent: Extent) -> u64 {
        let layers = u64::from(extent.max_luck) + 2;
        let side = u64::from(extent.max_stamina);
        let rounds = side + layers / 2;
        // d has at most 11 bits, 36 at most 6.
        let limbs = (rounds * 11 + layers * 6) / 64 + 1;
        let numbers = layers.saturating_mul(side * side).saturating_add((rounds + 1).saturating_mul(layers));
        // Plus a handful of single numbers.
        numbers.saturating_add(8).saturating_mul(limbs * 8)
    }

    /// Fills a table. `choose` tells how luck is used (luck, outcome, hero's and enemy's stamina); `decided` is called
    /// where the better way was determined, with the comparison of using luck and keeping it. The caller, who knows how
    /// many tables there are at once, has requested the memory.
    pub fn fill(
        extent: Extent,
        budget: &Budget<'_>,
        choose: impl Fn(u32, Outcome, u32, u32) -> Use,
        mut decided: impl FnMut(u32, Outcome, u32, u32, std::cmp::Ordering),
    ) -> Result<Self, Stopped> {
        let mut table = Self::empty(extent, budget)?;
        let limbs = table.limbs;
        let amplify = i64::from(extent.amplify.damage());
        let mut numerators = std::mem::take(&mut table.numerators);
        let mut with_luck = [table.zero.clone(), table.zero.clone()];
        let mut at = 0;
        let layers = extent.max_luck + 2;
        for layer in 0..layers {
            budget.advance(extent.progress(layer))?;
            let luck = layer.checked_sub(1);
            let lucky = u64::from(luck.map_or(0, lucky_rolls));
            for hero in 1..=extent.max_stamina {
                budget.check()?;
                for enemy in 1..=extent.max_stamina {
                    let (done, rest) = numerators.split_at_mut(at);
                    let rounds = Self::rounds(layer, hero, enemy);
                    let (h, e) = (i64::from(hero), i64::from(enemy));
                    let value = |layer, h, e| table.value(done, layer, h, e, rounds - 1);
                    let mut best = [value(layer, h - 2, e).0, value(layer, h, e - 2).0];
                    if let Some(luck) = luck {
                        // The wounds of a lucky and of an unlucky test after either outcome.
                        let tests = [
                            (Outcome::Lost, value(layer - 1, h - 1, e), value(layer - 1, h - 3, e)),
                            (Outcome::Won, value(layer - 1, h, e - amplify), value(layer - 1, h, e - 1)),
                        ];
                        for (((outcome, (good, f), (bad, g)), used), best) in
                            tests.into_iter().zip(&mut with_luck).zip(&mut best)
                        {
                            let choice = choose(luck, outcome, hero, enemy);
                            if let Use::Fixed(false) = choice {
                                continue;
                            }
                            combine(used, good, lucky * f, bad, (36 - lucky) * g);
                            let better = match choice {
                                Use::Best => {
                                    let order = compare(used, best);
                                    decided(luck, outcome, hero, enemy, order);
                                    order.is_gt()
                                }
                                Use::Fixed(use_luck) => use_luck,
                            };
                            if better {
                                *best = used;
                            }
                        }
                    }
                    combine(&mut rest[..limbs], best[0], table.loss, best[1], table.win);
                    at += limbs;
                }
            }
        }
        table.numerators = numerators;
        Ok(table)
    }

    fn empty(extent: Extent, budget: &Budget<'_>) -> Result<Self, Stopped> {
        let odds = RoundOdds::new(extent.skill_difference);
        let (won, lost) = (u64::from(odds.won), u64::from(odds.lost));
        let common = gcd(won, lost);
        let (win, loss) = (won / common, lost / common);
        let decisive = win + loss;
        let layers = extent.max_luck + 2;
        let most_rounds = extent.max_stamina + (layers - 1) / 2;
        let largest = UBig::from(decisive).pow(most_rounds as usize) * UBig::from(36u8).pow(layers as usize - 1);
        let limbs = largest.as_words().len().max(1);
        let cells = layers as usize * (extent.max_stamina as usize).pow(2);
        let mut denominators = vec![0; (most_rounds as usize + 1) * layers as usize * limbs];
        denominators[0] = 1;
        for index in 1..denominators.len() / limbs {
            let (done, rest) = denominators.split_at_mut(index * limbs);
            let (before, factor) =
                if index % layers as usize == 0 { (index - layers as usize, decisive) } else { (index - 1, 36) };
            let before = &done[before * limbs..][..limbs];
            combine(&mut rest[..limbs], before, factor, before, 0);
            budget.step(Stage::Solving, 0, u64::from(layers))?;
        }
        Ok(Self {
            extent,
            win,
            loss,
            decisive,
            limbs,
            numerators: vec![0; cells * limbs],
            denominators,
            zero: vec![0; limbs],
        })
    }

    /// The bound a of the module's text.
    fn rounds(layer: u32, hero: u32, enemy: u32) -> u32 {
        (hero + enemy + layer) / 2
    }

    /// A number, and its factor to the numerator over `decisive^rounds * 36^layer` of the value of the fight in this
    /// situation.
    fn value<'a>(&'a self, done: &'a [u64], layer: u32, hero: i64, enemy: i64, rounds: u32) -> (&'a [u64], u64) {
        if hero <= 0 {
            (&self.zero, 0)
        } else if enemy <= 0 {
            (self.denominator(layer, rounds), 1)
        } else {
            let (hero, enemy) = (points(hero), points(enemy));
            let at = self.index(layer, hero, enemy) * self.limbs;
            // At most two rounds fewer: a test costs up to 4 stamina and itself.
            let fewer = rounds - Self::rounds(layer, hero, enemy);
            (&done[at..at + self.limbs], self.decisive.pow(fewer))
        }
    }

    fn index(&self, layer: u32, hero: u32, enemy: u32) -> usize {
        let side = self.extent.max_stamina as usize;
        (layer as usize * side + hero as usize - 1) * side + enemy as usize - 1
    }

    fn denominator(&self, layer: u32, rounds: u32) -> &[u64] {
        let at = (rounds * (self.extent.max_luck + 2) + layer) as usize * self.limbs;
        &self.denominators[at..at + self.limbs]
    }

    /// The numerator of a fight's value; `luck` is `None` where luck may not be used.
    pub fn numerator(&self, luck: Option<u32>, hero: u32, enemy: u32) -> &[u64] {
        let at = self.index(luck.map_or(0, |luck| luck + 1), hero, enemy) * self.limbs;
        &self.numerators[at..at + self.limbs]
    }

    /// The denominator that belongs to [`numerator`](Self::numerator).
    pub fn denominator_of(&self, luck: Option<u32>, hero: u32, enemy: u32) -> &[u64] {
        let layer = luck.map_or(0, |luck| luck + 1);
        self.denominator(layer, Self::rounds(layer, hero, enemy))
    }

    /// Replaces a fight's value by that of another table of the same extent.
    pub fn take_from(&mut self, other: &Self, luck: Option<u32>, hero: u32, enemy: u32) {
        let at = self.index(luck.map_or(0, |luck| luck + 1), hero, enemy) * self.limbs;
        self.numerators[at..at + self.limbs].copy_from_slice(other.numerator(luck, hero, enemy));
    }

    /// The floating-point number nearest to the difference of a fight's value from that of another table of the same
    /// extent, which must not be larger.
    pub fn nearest_excess(&self, other: &Self, luck: Option<u32>, hero: u32, enemy: u32) -> f64 {
        let mut borrow = false;
        let difference: Vec<u64> = self
            .numerator(luck, hero, enemy)
            .iter()
            .zip(other.numerator(luck, hero, enemy))
            .map(|(x, y)| {
                let (difference, under) = x.overflowing_sub(*y);
                let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
                borrow = under || under_again;
                difference
            })
            .collect();
        nearest_quotient(&difference, self.denominator_of(luck, hero, enemy))
    }

    /// A fight's exact value.
    pub fn exact(&self, luck: Option<u32>, hero: u32, enemy: u32) -> Rational {
        fraction(self.numerator(luck, hero, enemy), self.denominator_of(luck, hero, enemy))
    }

    /// The floating-point number nearest to a fight's value.
    pub fn nearest(&self, luck: Option<u32>, hero: u32, enemy: u32) -> f64 {
        nearest_quotient(self.numerator(luck, hero, enemy), self.denominator_of(luck, hero, enemy))
    }
}

/// Stamina that is left, which is above 0.
fn points(stamina: i64) -> u32 {
    u32::try_from(stamina).expect("staminas have 32 bits")
}

/// The lower 64 bits.
fn low(sum: u128) -> u64 {
    u64::try_from(sum & u128::from(u64::MAX)).expect("the higher bits are gone")
}

/// `to = x * f + y * g`. The factors are far below 2^63 (at most 36 * 1296^2) and the result fits.
fn combine(to: &mut [u64], x: &[u64], f: u64, y: &[u64], g: u64) {
    let mut carry = 0u128;
    for ((to, x), y) in to.iter_mut().zip(x).zip(y) {
        let sum = u128::from(*x) * u128::from(f) + u128::from(*y) * u128::from(g) + carry;
        *to = low(sum);
        carry = sum >> 64;
    }
    debug_assert_eq!(carry, 0, "a numerator exceeds its denominator");
}

/// Compares two numbers of equally many limbs.
pub(crate) fn compare(x: &[u64], y: &[u64]) -> std::cmp::Ordering {
    x.iter().rev().cmp(y.iter().rev())
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `numerator / denominator` in lowest terms.
pub(crate) fn fraction(numerator: &[u64], denominator: &[u64]) -> Rational {
    Rational::from_parts(integer(numerator).into(), integer(denominator))
}

fn integer(limbs: &[u64]) -> UBig {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// The floating-point number nearest to `numerator / denominator`.
///
/// Both are cut to their highest 64 bits. The cut numbers bound the quotient from both sides; where
/// both bounds round to the same number, so does the quotient, for rounding is monotone. In the few
/// other cases (about 1 in 300) the whole numbers decide.
fn nearest_quotient(numerator: &[u64], denominator: &[u64]) -> f64 {
    let Some((n, n_shift)) = top_bits(numerator) else { return 0.0 };
    let Some((d, d_shift)) = top_bits(denominator) else { return f64::NAN };
    let below = (u128::from(n) << 63) / (u128::from(d) + 1);
    let above = ((u128::from(n) + 1) << 63) / u128::from(d) + 1;
    let exponent = n_shift - d_shift - 63;
    // The exponent is at most 0: a probability. Multiplying by a power of two is exact here.
    let [below, above] = [below, above].map(rounded);
    if below.to_bits() == above.to_bits() && exponent > -1000 {
        below * 2f64.powi(exponent)
    } else {
        mdp::nearest(&fraction(numerator, denominator))
    }
}

/// The floating-point number nearest to a whole number.
#[expect(clippy::cast_precision_loss, reason = "the rounding is what is asked for")]
fn rounded(number: u128) -> f64 {
    number as f64
}

/// The 64 highest bits of a number, the first of them 1, and how far they were shifted down.
fn top_bits(limbs: &[u64]) -> Option<(u64, i32)> {
    let last = limbs.iter().rposition(|limb| *limb != 0)?;
    let zeros = limbs[last].leading_zeros();
    let next = if last > 0 && zeros > 0 { limbs[last - 1] >> (64 - zeros) } else { 0 };
    Some((limbs[last] << zeros | next, i32::try_from(last).expect("numbers have few limbs") * 64 - zeros.cast_signed()))
}
