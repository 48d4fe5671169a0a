//! Single sections of the Kai books in which something was forgotten once: who is sent where, and with what.

use gamebook::{Question, SectionNumber, Solved, built_in, read, read_items, read_leaving, read_readings};
use mdp::{ExploreOptions, Rational, ratio};

/// What best play is worth from a section of a built-in book to a goal, where it is to be left with something.
fn win(
    name: &str,
    reading: &str,
    (from, to): (SectionNumber, SectionNumber),
    items: &str,
    leaving: &[&str],
) -> Rational {
    let (book, _) = read(built_in(name).unwrap()).unwrap();
    let mut question = Question { exact: true, start: from, goals: vec![to], ..Question::new(&book) };
    question.hero.items = read_items(&book, items.split_whitespace()).unwrap();
    question.hero.disciplines.clear();
    question.hero.weaponskill = None;
    question.situation.leaving = read_leaving(&book, leaving.iter().copied()).unwrap();
    let readings = [reading.to_string()];
    question.situation.readings = read_readings(&book, &readings[..usize::from(!reading.is_empty())]).unwrap();
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

/// 2/299: where who gives the spear, who has none, and who keeps it is sent.
#[test]
fn the_three_editions_of_the_tunnels() {
    for (reading, gives, has_none, keeps) in [
        ("", 118, 118, 102),
        ("tunnels=project-aon", 118, 118, 102),
        ("tunnels=first-edition", 102, 118, 118),
        ("tunnels=later-printings", 118, 102, 102),
    ] {
        for to in [118, 102] {
            let comes = |items: &str, leaving: &[&str]| {
                win("fire-on-the-water", reading, (299, to), items, leaving) == Rational::ONE
            };
            let label = format!("{reading}, to {to}");
            assert_eq!(comes("magic-spear", &["magic-spear"]), keeps == to, "{label}: kept");
            assert_eq!(comes("", &[]), has_none == to, "{label}: none");
            // The other way is the one with the spear in his hands.
            let both = gives == to || keeps == to;
            assert_eq!(comes("magic-spear", &[]), both, "{label}: given or kept");
        }
    }
}

/// 2/328 asks for a pendant that was given, 194 takes it away.
#[test]
fn a_pendant_that_was_given_and_lost() {
    let comes = |items: &str, from, to| win("fire-on-the-water", "", (from, to), items, &[]);
    assert_eq!(comes("crystal-star-pendant", 328, 113), Rational::ONE);
    assert_eq!(comes("memory-of-the-crystal-star", 328, 113), Rational::ONE);
    assert_eq!(comes("", 328, 113), Rational::ZERO);
    let lost = |items: &str, leaving: &str| win("fire-on-the-water", "", (194, 86), items, &[leaving]);
    assert_eq!(lost("crystal-star-pendant", "memory-of-the-crystal-star"), Rational::ONE);
    assert_eq!(lost("crystal-star-pendant", "crystal-star-pendant"), Rational::ZERO);
    assert_eq!(lost("seal", "memory-of-the-crystal-star"), Rational::ZERO);
}

/// 3/150, 244, 277 and 18: the Kalkoth blade is a weapon that strikes, and is lost by it.
#[test]
fn a_blade_of_bone_is_a_weapon() {
    let win =
        |reading, from_to, items: &str, leaving: &[&str]| win("the-caverns-of-kalte", reading, from_to, items, leaving);
    let (sure, never) = (Rational::ONE, Rational::ZERO);
    for way in [(244, 150), (277, 142), (150, 18)] {
        for (items, expected) in [("kalkoth-bone-sword", &sure), ("axe", &sure), ("long-rope", &never)] {
            assert_eq!(win("", way, items, &[]), *expected, "{way:?} with {items}");
        }
    }
    // From 18 on to where no weapon is asked for.
    let lost = |items, leaving| win("", (18, 211), items, leaving);
    assert_eq!(lost("kalkoth-bone-sword", &["kalkoth-bone-sword"]), never);
    assert_eq!(lost("kalkoth-bone-sword axe", &["kalkoth-bone-sword"]), sure);
    assert_eq!(lost("kalkoth-bone-sword axe", &["axe"]), sure);
    assert_eq!(lost("kalkoth-bone-sword axe", &["axe", "kalkoth-bone-sword"]), never);
    assert_eq!(lost("axe mace", &["axe"]), sure);
    assert_eq!(lost("axe", &["axe"]), never);
    // 196 takes the ordinary weapons, or every one.
    let disarmed = |reading| win(reading, (196, 306), "kalkoth-bone-sword axe", &["kalkoth-bone-sword"]);
    assert_eq!((disarmed(""), disarmed("disarmed=every")), (sure, never.clone()));
    assert_eq!(win("", (196, 306), "kalkoth-bone-sword axe", &["axe"]), never);
}

/// 3/170 and 328, and the fights they lead to: nothing is swallowed. The red potion gives 5 back.
#[test]
fn who_is_taken_by_surprise_swallows_nothing() {
    for (from, to) in [(170, 304), (328, 99)] {
        let left = |endurance: u8| {
            let (book, _) = read(built_in("the-caverns-of-kalte").unwrap()).unwrap();
            let mut question = Question { exact: true, start: from, goals: vec![to], ..Question::new(&book) };
            question.hero.items = read_items(&book, ["sommerswerd", "red-potion-of-laumspur"]).unwrap();
            question.situation.endurance = Some(endurance);
            Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
        };
        assert_eq!((left(6), left(7)), (ratio(0, 1), ratio(1, 1)), "from {from}");
    }
}
