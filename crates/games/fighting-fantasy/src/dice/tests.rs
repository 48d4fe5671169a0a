use super::*;

#[test]
fn every_roll_of_four_dice() {
    for difference in -13..=13 {
        let mut counted = RoundOdds { won: 0, drawn: 0, lost: 0 };
        for roll in 0..1296 {
            let [a, b, c, d] = [roll % 6, roll / 6 % 6, roll / 36 % 6, roll / 216];
            match (difference + a + b).cmp(&(c + d)) {
                std::cmp::Ordering::Greater => counted.won += 1,
                std::cmp::Ordering::Equal => counted.drawn += 1,
                std::cmp::Ordering::Less => counted.lost += 1,
            }
        }
        assert_eq!(RoundOdds::new(difference), counted, "skill difference {difference}");
    }
    assert_eq!(RoundOdds::new(i32::MAX).won, 1296);
    assert_eq!(RoundOdds::new(i32::MIN).lost, 1296);
}

#[test]
fn every_roll_of_two_dice() {
    for luck in 0..20 {
        let lucky = (0..36).filter(|roll| 2 + roll % 6 + roll / 6 <= luck).count();
        assert_eq!(usize::from(lucky_rolls(luck)), lucky, "luck {luck}");
    }
}
