//! Loops in which nothing is asked are one chance in every system of rules: the odds stay the same, and the states become few.

use gamebook::{Analyses, Question, Situation, Solved, read};
use mdp::{ExploreOptions, Rational};

/// The odds of a book, by both ways to play its loops and by the interpreter, and the numbers of states: folded, and step by step.
fn folded_and_not(text: &str) -> (Rational, [u32; 2]) {
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let all = Analyses::default();
    let solve = |analyses| {
        let question = Question { exact: true, analyses, ..Question::new(&book) };
        let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
        let journey = solved.journey(&ExploreOptions::default()).unwrap();
        let win = solved.win();
        assert!((journey.win.decimal() - win.decimal()).abs() < 1e-12, "{text}");
        (win.exact.unwrap(), solved.space().model().states())
    };
    let [(folded, few), (apart, many)] = [all, Analyses { fold: false, ..all }].map(solve);
    let expected = gamebook_reference::win_by_rules(&book, &Situation::default(), 1_000_000).unwrap();
    assert_eq!((&folded, &apart), (&expected, &expected), "{text}");
    (folded, [few, many])
}

#[test]
fn a_fight_without_decisions_is_one_chance() {
    let (_, [few, many]) = folded_and_not(
        "book Test format=1 system=none\nstart 1\nstat skill start=9\nstat stamina start=6 vital=#true\n\
         enemy-stat skill\nenemy-stat stamina vital=#true\n\
         fight-system { round { roll 2d6 as=mine; roll 2d6 as=theirs; let edge \"mine + skill - theirs - enemy.skill\"\n\
         if \"edge > 0\" { enemy.stamina -2; }; if \"edge < 0\" { stamina -2; }; }; }\n\
         section 1 { fight Orc skill=8 stamina=5; roll d6 { when 1 2 { fight Troll skill=9 stamina=4; }; else { }; }; \
         if \"stamina >= 3\" { victory; }; death; }\n",
    );
    // Every stamina before the second fight, and what follows.
    assert!(few < 15 && few * 2 < many, "{few} of {many}");
}

#[test]
fn a_loop_may_end_in_several_ways() {
    let (win, [few, many]) = folded_and_not(
        "book Test format=1 system=none\nstart 1\ncounter coins max=20 start=5\ncounter rounds max=9\n\
         section 1 { choice bold { goto 2; }; choice careful { coins 1; goto 2; }; }\n\
         section 2 { repeat table {\n\
         roll d6 as=r { when 1 2 { coins -1; }; when 3 { }; when 4 5 { coins 1; }; when 6 { rounds 1; }; }\n\
         if \"coins = 0\" { death; }; if \"coins >= 9\" { goto 3; }; if \"rounds = 3\" { goto 4; }; again table; }; }\n\
         section 3 { roll d6 { when 1 { death; }; else { victory; }; }; }\n\
         section 4 { if \"coins >= 6\" { victory; }; death; }\n",
    );
    assert!(win > Rational::ZERO && win < Rational::ONE);
    assert!(few <= many, "{few} of {many}");
}

#[test]
fn what_a_loop_reads_is_an_input() {
    // The cloak, the wager and the counted rounds decide how it goes on.
    let (win, [few, many]) = folded_and_not(
        "book Test format=1 system=none\nstart 1\nstat life start=12 vital=#true max=20\ncounter rounds max=30\n\
         items { item cloak; item charm; }\n\
         section 1 { choice \"take the cloak\" { gain cloak; goto 2; }; choice \"take the charm\" { gain charm; goto 2; }; \
         choice both { life -5; gain cloak; gain charm; goto 2; }; }\n\
         section 2 { let foe 9\n\
         repeat round { rounds 1\n\
         roll 2d6 as=r { when \"r + 2 * cloak <= 8\" { life \"-(2 - charm)\"; }; else { foe \"-2 - cloak\"; }; }\n\
         if \"foe <= 0\" { goto 3; }; again round; }; }\n\
         section 3 { if \"rounds <= 6 and life >= 3\" { victory; }; death; }\n",
    );
    assert!(win > Rational::ZERO && win < Rational::ONE);
    assert!(few * 3 < many, "{few} of {many}");
}

#[test]
fn a_loop_that_is_too_large_stays() {
    let text = "book Test format=1 system=none\nstart 1\ncounter a max=70\ncounter b max=70\n\
         section 1 { repeat walk { roll d6 { when 1 { a 1; }; when 2 { b 1; }; else { a 2; b 1; }; };\n\
         if \"a >= 70 or b >= 70\" { if \"a > 2 * b - 6\" { victory; }; death; }; again walk; }; }\n";
    let (book, _) = read(text).unwrap();
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    let win = solved.win().exact.unwrap();
    assert!(win > Rational::ZERO && win < Rational::ONE);
    assert!(solved.space().model().states() > 4_000);
}
