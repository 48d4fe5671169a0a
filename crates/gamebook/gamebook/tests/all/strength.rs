//! What is used before a fight and adds to COMBAT SKILL in it.

use gamebook::{Question, Solved, read};
use mdp::{ExploreOptions, Rational};

fn win(items: &str, sections: &str) -> Rational {
    let text = format!(
        "book \"Fights\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
         items {{ weapon axe; backpack-item tonic strengthens=2; backpack-item brew strengthens=3; }}\n\
         hero {{ combat-skill 15; endurance 25; items {items}; }}\n{sections}\nsection 9 {{ victory; }}\n"
    );
    let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let question = Question { exact: true, ..Question::new(&book) };
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

fn fights(first: &str, second: &str) -> String {
    format!(
        "section 1 {{ fight {{ enemy \"A\" skill=18 endurance=20; enemy \"B\" skill=14 endurance=5; {first} }}; goto 2; }}\n\
         section 2 {{ fight \"C\" skill=16 endurance=12 {{ {second} }}; goto 9; }}"
    )
}

#[test]
fn it_lasts_one_fight_with_all_its_enemies() {
    let first = win("axe", &fights("bonus 2", "bare-hands"));
    let second = win("axe", &fights("", "bonus 2; bare-hands"));
    assert_eq!(win("axe tonic", &fights("", "bare-hands")), first.max(second));
    assert_eq!(win("axe tonic=2", &fights("", "bare-hands")), win("axe", &fights("bonus 2", "bonus 2; bare-hands")));
}

#[test]
fn one_of_each_in_a_fight() {
    assert_eq!(win("axe tonic brew", &fights("", "untouchable")), win("axe", &fights("bonus 5", "untouchable")));
    assert_eq!(win("axe tonic=5", &fights("", "untouchable")), win("axe", &fights("bonus 2", "untouchable")));
}

#[test]
fn it_helps_in_a_lone_round() {
    let round = |bonus: &str| {
        format!(
            "section 1 {{ one-round \"A\" skill=18 endurance=20 {{ {bonus}worse {{ death; }}; equal {{ death; }}; \
             better {{ goto 9; }}; }}; }}"
        )
    };
    assert_eq!(win("axe brew", &round("")), win("axe", &round("bonus 3; ")));
}
