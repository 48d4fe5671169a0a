use mdp::ExploreOptions;

use crate::author::read;
use crate::solve::question::Question;
use crate::solve::solved::Solved;

/// In a loop a longer way can be more likely than a short one, even to a section that was visited before.
#[test]
fn the_most_likely_way_leads_round() {
    let way = |first: u32| {
        let text = format!(
            "book \"Round\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
                 hero {{ combat-skill 15; endurance 25; }}\n\
                 section 1 {{ pick {{ when 0 {first} {{ goto 3; }}; else {{ goto 2; }}; }}; }}\n\
                 section 2 {{ pick {{ when 0 7 {{ goto 9; }}; when 8 {{ goto 1; }}; else {{ death \"a fall\"; }}; }}; }}\n\
                 section 3 {{ pick {{ when 0 8 {{ goto 4; }}; else {{ goto 1; }}; }}; }}\n\
                 section 4 {{ pick {{ when 0 8 {{ goto 2; }}; else {{ goto 1; }}; }}; }}\n\
                 section 9 {{ victory; }}\n"
        );
        let (book, _) = read(&text).unwrap();
        let solved = Solved::new(&book, &Question::new(&book), &ExploreOptions::default()).unwrap();
        solved.journey(&ExploreOptions::default()).unwrap().way
    };
    // 6/10 * 9/10 * 9/10 is more than 4/10; 5/10 * 9/10 * 9/10 is less than 5/10.
    assert_eq!(way(5), [1, 3, 4, 2, 9]);
    assert_eq!(way(4), [1, 2, 9]);
}
