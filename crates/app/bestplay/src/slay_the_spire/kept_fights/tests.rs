use super::*;

#[test]
fn what_is_written_is_read_and_nothing_else() {
    let found = |value: f64| RewardWorth::from_bits([0.1, value, 0.5, 1.0].map(f64::to_bits)).unwrap();
    let fights = BTreeMap::from([("jaw worm \"80\"".to_string(), found(0.3)), ("cultist".to_string(), found(7.0))]);
    let text = written(&fights);
    assert_eq!(read(&text), Ok(fights));
    for place in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        if let Ok(damaged) = String::from_utf8(bytes) {
            assert!(read(&damaged).is_err(), "{place}");
        }
        assert!(read(&text[..place]).is_err(), "{place}");
    }
    assert_eq!(read("{\"cultist\":{\"value\":[1.0,2.0],\"survival\":[0.5,1.0]}}\n"), Err(Wrong::Version));
    assert_eq!(read(&text.replace("version 0", "version 1")), Err(Wrong::Version));
    assert!(RewardWorth::from_bits([2.0, 1.0, 0.0, 1.0].map(f64::to_bits)).is_none());
    assert!(RewardWorth::from_bits([f64::NAN; 4].map(f64::to_bits)).is_none());
}
