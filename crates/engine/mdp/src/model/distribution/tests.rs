use super::*;
use crate::numbers::ratio;

#[test]
fn nothing_can_happen() {
    assert_eq!(Distribution::<u8>::uniform([]), Err(DistributionError::NothingCanHappen));
    assert_eq!(
        Distribution::weighted([('a', Weight(0u8)), ('b', Weight(0))]),
        Err(DistributionError::NothingCanHappen)
    );
}

#[test]
fn merge_groups_in_order_and_reduces() {
    let merged = Distribution::weighted([('b', Weight(2u8)), ('a', Weight(4)), ('b', Weight(6))]).unwrap().merge();
    assert_eq!(merged.iter().map(|(o, w)| (*o, w.clone())).collect::<Vec<_>>(), [('b', 2u8.into()), ('a', 1u8.into())]);
    assert_eq!(*merged.total(), UBig::from(3u8));
}

#[test]
fn and_then_mixes_totals() {
    // A coin, then a six-sided or a ten-sided die.
    let coin = Distribution::uniform([6, 10]).unwrap();
    let rolled = coin.and_then(|sides| Distribution::uniform(1..=*sides).unwrap()).merge();
    assert_eq!(rolled.probability_of(&1), ratio(1, 12) + ratio(1, 20));
    assert_eq!(rolled.probability_of(&10), ratio(1, 20));
    assert_eq!(rolled.probabilities().map(|(_, p)| p).fold(Rational::ZERO, |a, b| a + b), Rational::ONE);
}
