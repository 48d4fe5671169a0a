use super::*;
use budget::Budget;

#[test]
fn equal_chances_are_one_vector() {
    let budget = Budget::unlimited();
    let memory = Memory::new(&budget, 0);
    let mut table = Distributions::default();
    let coin = table.intern(&[1, 1], &memory).unwrap();
    assert_eq!(table.intern(&[5, 5], &memory).unwrap(), coin);
    assert_eq!(table.intern_large(vec![UBig::ONE << 300, UBig::ONE << 300], &memory).unwrap(), coin);
    assert_eq!(table.intern(&[u64::MAX, u64::MAX], &memory).unwrap(), coin);
    let uneven = table.intern_large(vec![UBig::ONE << 300, UBig::ONE], &memory).unwrap();
    assert_eq!(table.intern_large(vec![UBig::ONE << 301, UBig::from(2u8)], &memory).unwrap(), uneven);
    assert_eq!(table.len(), 2);
    assert_eq!(table.get(coin).probability(1), RBig::from_parts(1.into(), 2u8.into()));
}
