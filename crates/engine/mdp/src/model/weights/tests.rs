use super::*;

#[test]
fn equal_chances_are_one_vector() {
    let mut table = WeightTable::new();
    let own = Meaning::Chance;
    let coin = table.intern(own, &[1, 1]).unwrap();
    assert_eq!(table.intern(own, &[5, 5]), Ok(coin));
    assert_eq!(table.find(own, &[5, 5]), Some(coin));
    assert_eq!(table.intern(own, &[7]), Ok(CERTAIN));
    assert_eq!(table.intern_large(own, &[UBig::ONE << 300, UBig::ONE << 300]), Ok(coin));
    assert_eq!(table.intern(own, &[u64::MAX, u64::MAX]), Ok(coin));
    assert_eq!(table.probabilities(coin), [0.5, 0.5]);
    assert_eq!(table.vectors(), 2);
}

#[test]
fn meanings_distinguish_weights() {
    let mut table = WeightTable::new();
    let large = [UBig::ONE << 80, UBig::ONE << 80];
    let coin = table.intern(Meaning::Chance, &[2, 2]).unwrap();
    for number in 0..2 {
        let own = Meaning::Own(number);
        let ids = [table.intern(own, &[2, 2]), table.intern(own, &[1, 1]), table.intern_large(own, &large)];
        for (id, weights) in ids.into_iter().zip([vec![2u8.into(); 2], vec![1u8.into(); 2], large.to_vec()]) {
            let id = id.unwrap();
            assert_ne!(id, coin);
            assert_eq!((table.meaning(id), table.weight_list(id)), (own, weights));
        }
        assert_eq!(table.find(own, &[1, 1]), ids[1].ok());
        assert_eq!(table.intern_large(own, &large), ids[2]);
    }
    assert_eq!((table.meaning(coin), table.vectors()), (Meaning::Chance, 8));
}

#[test]
fn large_weights_keep_every_digit() {
    let mut table = WeightTable::new();
    let vector = [UBig::ONE << 200, UBig::ONE];
    let id = table.intern_large(Meaning::Chance, &vector).unwrap();
    assert_eq!(table.intern_large(Meaning::Chance, &vector), Ok(id));
    assert_eq!(table.total(id), (UBig::ONE << 200) + UBig::ONE);
    assert_eq!(table.weight_list(id), vector);
    assert_eq!(table.count(id), 2);
}
