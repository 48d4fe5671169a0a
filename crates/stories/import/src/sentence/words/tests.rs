use super::super::ways::way;
use super::*;

#[test]
fn few_words_are_written() {
    let long = "If you wish to walk along the very long and winding road to the far castle, turn to 3.";
    assert_eq!(way(long, false, false, crate::target::Target::Kai).label, "walk along the very long and winding road");
    let sentence = "a b c d e f g h i j the ENDURANCE k l m n o p q";
    assert!(excerpt(sentence).split(' ').count() <= MOST_WORDS && excerpt(sentence).contains("ENDURANCE"));
    assert_eq!(slug("Kai's Vordak  Gem"), "kais-vordak-gem");
}
