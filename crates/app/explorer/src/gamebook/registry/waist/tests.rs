use super::*;
use crate::gamebook::OfferedBook;

fn waist_of(sections: &str) -> Option<SectionNumber> {
    let head =
        "book \"Waist\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nhero { combat-skill 15; endurance 20; }\n";
    OfferedBook::new("waist", &format!("{head}{sections}\nsection 9 {{ victory; }}")).unwrap().waist()
}

/// A section with a choice of these.
fn section(number: u32, to: &[u32]) -> String {
    let choices = to.iter().map(|to| format!("choice \"to {to}\" {{ goto {to}; }}; ")).collect::<Vec<_>>().concat();
    format!("section {number} {{ {choices}}}\n")
}

#[test]
fn a_section_on_every_way_is_the_waist() {
    // 4 and 7 are on every way; 4 has more on both sides.
    let ways = [
        (1, vec![2, 3]),
        (2, vec![4, 3]),
        (3, vec![4, 2]),
        (4, vec![5, 6]),
        (5, vec![7, 4]),
        (6, vec![7, 5]),
        (7, vec![9, 8]),
        (8, vec![7, 1]),
    ];
    let text: String = ways.iter().map(|(number, to)| section(*number, to)).collect();
    assert_eq!(waist_of(&text), Some(4));
    // Each way leaves something out.
    let text: String =
        [(1, vec![2, 3]), (2, vec![9, 3]), (3, vec![9, 2])].iter().map(|(number, to)| section(*number, to)).collect();
    assert_eq!(waist_of(&text), None);
}
