//! Things of which nothing matters any more but how many they are: a book with many of them is no larger than one that
//! counts them, and its odds are what can be worked out by hand.

use gamebook::{Analyses, Question, Situation, Solved, read};
use mdp::{ExploreOptions, Rational, ratio};

const NAMES: [&str; 6] = ["rope", "comb", "mirror", "bell", "spoon", "whistle"];

/// The exact probability to win, and how many states there are. Each of six things lies there with a probability of one
/// half; `end` is what happens then.
fn solved(items: &str, end: &str, analyses: Analyses) -> (Rational, u32) {
    let found = NAMES.map(|name| format!("pick {{ when 0 4 {{ gain {name}; }}; when 5 9 {{ }}; }}\n")).concat();
    let text = format!(
        "book \"Heap\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 2\n\
         hero {{ combat-skill 15; endurance 25; items pack; }}\n\
         items {{\n{items}\ncontainer pack holds=8\n}}\nsection 1 {{\n{found}{end}\n}}\nsection 2 {{ victory; }}\n"
    );
    let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    let question = Question { exact: true, analyses, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).expect("can be solved");
    (solved.win().exact.expect("is asked for"), solved.space().model().states())
}

fn plain() -> String {
    NAMES.map(|name| format!("backpack-item {name} most=1\n")).concat()
}

/// How many of six coins show heads: at least this many.
fn at_least(heads: usize) -> Rational {
    const WAYS: [u32; 7] = [1, 6, 15, 20, 15, 6, 1];
    ratio(WAYS[heads..].iter().sum::<u32>().into(), 64)
}

#[test]
fn things_that_are_only_counted_are_one_number() {
    let end = "give-up backpack-items 2; if \"backpack-items >= 2\" { goto 2; }; death";
    let (win, states) = solved(&plain(), end, Analyses::default());
    assert_eq!(win, at_least(4));
    // Before the n-th pick from none to n - 1, and whether what is found there is taken: no sets of things.
    assert!(states <= 40, "{states} states");
    let (same, apart) = solved(&plain(), end, Analyses { merge: false, ..Analyses::default() });
    assert_eq!(same, win);
    assert!(apart > 63, "{apart} states");
}

#[test]
fn a_thing_that_is_asked_for_later_is_known_until_then() {
    // A rope is asked for by its name after two things are gone; what is given up first is anything else.
    let end = "give-up backpack-items 2; if \"has rope and backpack-items >= 2\" { goto 2; }; death";
    let (win, states) = solved(&plain(), end, Analyses::default());
    // The rope, and at least three of the other five.
    assert_eq!(win, ratio(1, 2) * ratio(10 + 5 + 1, 32));
    assert!(states <= 70, "{states} states");
    // A rope that is lost for nothing counts until it is lost, and not after that.
    let end = "lose rope 1; if \"backpack-items >= 4\" { goto 2; }; death";
    assert_eq!(solved(&plain(), end, Analyses::default()).0, ratio(5 + 1, 32));
    let end = "lose rope all; lose bell 1; if \"backpack-items >= 3\" { goto 2; }; death";
    assert_eq!(solved(&plain(), end, Analyses::default()).0, ratio(4 + 1, 16));
}

#[test]
fn a_thing_that_fills_two_places_is_not_like_the_others() {
    let items = plain().replace("rope most=1", "rope most=1 places=2");
    // Six places are filled only with the rope and four of the other five.
    let end = "if \"backpack-room <= 2\" { goto 2; }; death";
    let (win, _) = solved(&items, end, Analyses::default());
    assert_eq!(win, ratio(1, 2) * ratio(5 + 1, 32));
}

/// The exact probability to win under a system of rules, and the number of states, with and without merging; an interpreter
/// agrees.
fn by_rules(end: &str) -> (Rational, [u32; 2]) {
    let found = NAMES.map(|name| format!("roll d2 {{ when 1 {{ gain {name}; }}; else {{ }}; }}\n")).concat();
    let items = NAMES.map(|name| format!("item {name} in=pack\n")).concat();
    let text = format!(
        "book \"Heap\" format=1 system=none\nstart 1\ncontainer pack holds=8\n{items}\
         section 1 {{\n{found}{end}\n}}\nsection 2 {{ victory; }}\n"
    );
    let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    let solved = |analyses| {
        let question = Question { exact: true, analyses, ..Question::new(&book) };
        let solved = Solved::new(&book, &question, &ExploreOptions::default()).expect("can be solved");
        (solved.win().exact.expect("is asked for"), solved.space().model().states())
    };
    let all = Analyses::default();
    let [(win, few), (apart, many)] = [all, Analyses { merge: false, ..all }].map(solved);
    let interpreted = gamebook_reference::win_by_rules(&book, &Situation::default(), 20_000).expect("is small");
    assert_eq!((&win, &apart), (&interpreted, &interpreted), "{text}");
    (win, [few, many])
}

#[test]
fn things_of_a_system_that_are_only_counted_are_one_number() {
    let (win, [few, many]) = by_rules("give-up pack 2; if \"pack.items >= 2\" { goto 2; }; death");
    assert_eq!(win, at_least(4));
    assert!(few * 2 < many, "{few} of {many}");
    // Each of them is equally likely to be taken, however they are called.
    let (win, [few, many]) = by_rules("give-up pack 2 by=chance; if \"pack.items >= 2\" { goto 2; }; death");
    assert_eq!(win, at_least(4));
    assert!(few * 2 < many, "{few} of {many}");
    // What is lost with everything else was only counted before.
    let end = "if \"pack.items < 3\" { death; }; lose-all pack; gain bell; if \"has bell\" { goto 2; }; death";
    let (win, [few, many]) = by_rules(end);
    assert_eq!(win, at_least(3));
    assert!(few * 2 < many, "{few} of {many}");
}

#[test]
fn a_thing_of_a_system_that_is_asked_for_later_is_known_until_then() {
    let (win, [few, many]) = by_rules("give-up pack 2; if \"has rope and pack.items >= 2\" { goto 2; }; death");
    assert_eq!(win, ratio(1, 2) * ratio(10 + 5 + 1, 32));
    assert!(few * 2 < many, "{few} of {many}");
    let (win, _) = by_rules("lose rope; if \"pack.items >= 4\" { goto 2; }; death");
    assert_eq!(win, ratio(5 + 1, 32));
    let (win, _) = by_rules("set rope 0; lose bell; if \"pack.items >= 3\" { goto 2; }; death");
    assert_eq!(win, ratio(4 + 1, 16));
}

/// What is set may be more than the pack holds, and more than one number can count.
#[test]
fn a_total_that_is_too_large_for_one_number_is_kept_apart() {
    let (win, _) =
        by_rules("set rope 8; set bell 5; give-up pack by=chance; if \"pack.items >= 15\" { goto 2; }; death");
    assert_eq!(win, at_least_of_four(3));
}

/// The same for four coins.
fn at_least_of_four(heads: usize) -> Rational {
    const WAYS: [u32; 5] = [1, 4, 6, 4, 1];
    ratio(WAYS[heads..].iter().sum::<u32>().into(), 16)
}
