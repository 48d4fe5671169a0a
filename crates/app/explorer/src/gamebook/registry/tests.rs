use super::*;

#[test]
fn names() {
    let twice = OfferedBook::built_in().chain(OfferedBook::built_in()).collect();
    let gamebooks = Gamebooks::new(twice, &Ceilings::default());
    assert_eq!(gamebooks.book("").unwrap().name, "fire-on-the-water");
    assert!(gamebooks.book("crypt-of-the-sorcerer").unwrap().book.system.is_some());
    assert_eq!(gamebooks.book("fire-on-the-water-2").unwrap().name, "fire-on-the-water-2");
    assert!(gamebooks.book("../etc/passwd").unwrap_err().message.contains("there is no book"));
}
