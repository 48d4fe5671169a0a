use super::*;

#[test]
fn dice_are_read_and_summed() {
    let dice = Dice::read("2d6 + 12").unwrap();
    assert_eq!((dice.range(), dice.mean()), ((14, 24), 19));
    assert_eq!(dice.totals()[5], (19, UBig::from(6u8)));
    assert_eq!(dice.to_string(), "2d6 + 12");
    assert_eq!(Dice::read("d6+3d10-1").unwrap().to_string(), "d6 + 3d10 - 1");
    assert_eq!(Dice::read("d6+d10-1").unwrap().range(), (1, 15));
    for wrong in ["", "d", "6", "2x6", "d6 +", "d6 - d6", "0d6", "21d6", "d1001", "99d99", "-", "20d100"] {
        assert!(Dice::read(wrong).is_err(), "{wrong}");
    }
}
