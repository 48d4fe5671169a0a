//! The two formulas that need no recursion. They are used to check everything else, and vice versa.

use dashu_int::UBig;
use mdp::Rational;

/// The chance to win when luck is never used (the paper's equation 8): `p^n * sum(C(n - 1 + j, j) * r^j for j in 0..m)`
/// with `n = ceil(enemy stamina / 2)` wounds to deal and `m = ceil(hero stamina / 2)` wounds that are fatal.
///
/// `win` is p, the chance that a round that is not drawn is won
/// ([`RoundOdds::decisive_win`](crate::RoundOdds::decisive_win)).
///
/// ```
/// use fighting_fantasy::{RoundOdds, win_without_luck};
///
/// // Any single wound decides this fight.
/// let even = RoundOdds::new(0).decisive_win();
/// assert_eq!(win_without_luck(&even, 2, 2), mdp::ratio(1, 2));
/// ```
pub fn win_without_luck(win: &Rational, hero_stamina: u32, enemy_stamina: u32) -> Rational {
    let n = enemy_stamina.div_ceil(2) as usize;
    let m = hero_stamina.div_ceil(2) as usize;
    power(win, n) * lost_rounds(&(Rational::ONE - win), n - 1, m)
}

/// `sum(C(wounds + j, j) * r^j for j in 0..m)`: up to m - 1 lost rounds, in any order with `wounds` won ones, before
/// the last blow. Computed over one denominator, so that nothing is reduced in between.
fn lost_rounds(loss: &Rational, wounds: usize, m: usize) -> Rational {
    let (numerator, denominator) = loss.clone().into_parts();
    let (_, numerator) = numerator.into_parts();
    let mut term = UBig::ONE;
    let mut sum = UBig::ZERO;
    for j in 0..m {
        sum = sum * &denominator + &term;
        term = term * &numerator * (wounds + 1 + j) / (j + 1);
    }
    Rational::from_parts(sum.into(), denominator.pow(m.saturating_sub(1)))
}

/// The chance to win when every won round is followed by a test of luck that always succeeds with
/// the same chance, and no lost round is (the paper's equations 9 to 15).
///
/// A lucky blow takes 4 stamina, an unlucky one 1. A history of wounds that brings the enemy from
/// `enemy_stamina` to exactly s has `a` lucky and `b` unlucky ones, `4a + b = enemy_stamina - s`,
/// in any order; the last blow then ends the fight if it is lucky, or if s is 1. Up to `m - 1`
/// lost rounds lie anywhere before the last blow, `m = ceil(hero stamina / 2)`.
///
/// The answer is split by that s: `[1, 2, 3, 4]`. Its sum is the chance to win.
///
/// ```
/// use fighting_fantasy::{RoundOdds, win_with_constant_luck, win_without_luck};
///
/// // Always lucky: wounds of 4 instead of 2, so half as many.
/// let win = RoundOdds::new(-2).decisive_win();
/// let split = win_with_constant_luck(&win, &mdp::ratio(1, 1), 10, 12);
/// let sum = split.iter().fold(mdp::Rational::ZERO, |sum, part| sum + part);
/// assert_eq!(sum, win_without_luck(&win, 10, 6));
/// ```
pub fn win_with_constant_luck(win: &Rational, luck: &Rational, hero_stamina: u32, enemy_stamina: u32) -> [Rational; 4] {
    let lost_at_most = hero_stamina.div_ceil(2) as usize;
    let loss = Rational::ONE - win;
    let unlucky = Rational::ONE - luck;
    [1u32, 2, 3, 4].map(|last| {
        let Some(before) = enemy_stamina.checked_sub(last) else { return Rational::ZERO };
        let last_blow = if last == 1 { win.clone() } else { win * luck };
        let mut histories = Rational::ZERO;
        for lucky_ones in 0..=before / 4 {
            let unlucky_ones = before - 4 * lucky_ones;
            let wounds = (lucky_ones + unlucky_ones) as usize;
            let orders = Rational::from(binomial(wounds, lucky_ones as usize));
            let lucks = power(luck, lucky_ones as usize) * power(&unlucky, unlucky_ones as usize);
            let losses = lost_rounds(&loss, wounds, lost_at_most);
            histories += orders * lucks * power(win, wounds) * losses;
        }
        histories * last_blow
    })
}

/// The chance to win when every lost round is followed by a test of luck that always succeeds with
/// the same chance, and no won round is: the defensive counterpart that the paper mentions.
///
/// A lucky hero loses 1 stamina, an unlucky one 3; the last blow falls on an enemy who has been
/// wounded `n - 1` times, `n = ceil(enemy stamina / 2)`, while the hero's wounds sum to less than
/// `hero_stamina`.
///
/// ```
/// use fighting_fantasy::{RoundOdds, win_with_constant_defensive_luck, win_without_luck};
///
/// // Always lucky: wounds of 1 instead of 2.
/// let win = RoundOdds::new(-2).decisive_win();
/// let value = win_with_constant_defensive_luck(&win, &mdp::ratio(1, 1), 6, 12);
/// assert_eq!(value, win_without_luck(&win, 12, 12));
/// ```
pub fn win_with_constant_defensive_luck(
    win: &Rational,
    luck: &Rational,
    hero_stamina: u32,
    enemy_stamina: u32,
) -> Rational {
    let n = enemy_stamina.div_ceil(2) as usize;
    let loss = Rational::ONE - win;
    let unlucky = Rational::ONE - luck;
    let mut arrangements = UBig::ONE;
    let mut sum = Rational::ZERO;
    for lost in 0..hero_stamina as usize {
        // All `lost` wounds cost 1 each, every unlucky one 2 more.
        let most_unlucky = ((hero_stamina as usize - 1 - lost) / 2).min(lost);
        let survives = (0..=most_unlucky).fold(Rational::ZERO, |sum, k| {
            sum + Rational::from(binomial(lost, k)) * power(&unlucky, k) * power(luck, lost - k)
        });
        sum += Rational::from(arrangements.clone()) * power(&loss, lost) * survives;
        arrangements = arrangements * (n + lost) / (lost + 1);
    }
    power(win, n) * sum
}

/// `base` to the power of a number of rounds, which is at most the number of points of stamina.
fn power(base: &Rational, exponent: usize) -> Rational {
    base.pow(isize::try_from(exponent).expect("staminas have 32 bits"))
}

/// The number of ways to choose `k` of `n`.
fn binomial(n: usize, k: usize) -> UBig {
    (0..k.min(n - k)).fold(UBig::ONE, |product, i| product * (n - i) / (i + 1))
}
