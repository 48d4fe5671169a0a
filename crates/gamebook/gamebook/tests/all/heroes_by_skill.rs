//! Heroes of a system of rules by what they know.

use gamebook::{HeroChoice, Question, Solved, read};
use mdp::ExploreOptions;

/// Two of three skills; mail raises life, and so does the circle of the first two.
const BOOK: &str = r#"
    book "Skills" format=1 system="none"
    start 1
    learns 2
    stat life from="d4 + 2" initial=#true vital=#true
    item-stat weapon max=1
    item-stat life max=9 raises=life
    kind weapon weapon=1
    items { weapon sword; weapon axe; }
    skill swim climb
    skill arms of=weapon
    circle both life=2 { swim; climb; }
    item mail life=3
    hero { swim; climb; mail 1; }
    section 1 {
        roll d10 as=r
        if "r <= life" { goto 2; }
        if "arms and arms.sword" { goto 2; }
        death
    }
    section 2 { victory; }
"#;

#[test]
fn every_set_is_solved_with_what_it_brings() {
    let (book, _) = read(BOOK).unwrap_or_else(|problems| panic!("{problems}"));
    let question = Question { exact: true, ..Question::new(&book) };
    let choice = HeroChoice::all(&book, None);
    assert_eq!((choice.skills.len(), choice.count()), (3, Some(12)));
    let mut found = Vec::new();
    for group in choice.groups(&book, &question).unwrap() {
        for roll in 0..group.rolls.len() {
            let question = group.question_of(&book, roll);
            let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
            let cells: Vec<String> = group.cells(&book, roll).iter().map(|cell| format!("{cell:?}")).collect();
            found.push((cells.join(" "), solved.win().exact.unwrap()));
        }
    }
    // Swim and climb: life is what was rolled and 5 more; else 3 more, and arms with the first of the weapons.
    for (place, rolled) in (3..=6).enumerate() {
        let (cells, win) = &found[place];
        assert!(cells.contains("swim climb") && cells.contains(&format!("Number({rolled})")), "{cells}");
        assert_eq!(*win, mdp::ratio(rolled + 5, 10).min(mdp::ratio(1, 1)), "{cells}");
    }
    assert!(found[4..].iter().all(|(cells, win)| cells.contains("arms") && *win == mdp::ratio(1, 1)), "{found:?}");
}
