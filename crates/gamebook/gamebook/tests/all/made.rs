//! Heroes whom the rules roll or let choose, against single heroes one by one.

use gamebook::{Analyses, Book, Question, RolledHero, Solved, read, read_items};
use mdp::{ExploreOptions, Rational, ratio};

fn book(text: &str) -> Book {
    read(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}")).0
}

fn win(book: &Book, question: &Question) -> Rational {
    Solved::new(book, question, &ExploreOptions::default()).unwrap().win().exact.expect("exact")
}

/// The hero whom a book makes, the same with these reductions as with all of them.
fn made(book: &Book, analyses: Analyses) -> RolledHero {
    let mut question = Question { exact: true, ..Question::new(book) };
    let made = RolledHero::new(book, &question, &book.creation, &ExploreOptions::default()).unwrap();
    question.analyses = analyses;
    let other = RolledHero::new(book, &question, &book.creation, &ExploreOptions::default()).unwrap();
    assert_eq!(made.win.exact, other.win.exact);
    let sum = made.rolls.iter().fold(ratio(0, 1), |sum, own| sum + &own.probability);
    assert_eq!(sum, ratio(1, 1));
    made
}

#[test]
fn a_hero_of_lone_wolf() {
    const CHOICES: [&str; 4] = ["mace", "shield", "mail", "potion"];
    let book = book(
        "book \"Trial\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
         items { weapon mace; special shield combat-skill=2; special mail endurance=4;\n\
         backpack-item potion heals=4 when=after-combat; special seal; }\n\
         hero { combat-skill 15; endurance 20; gold 5; fixed seal; items mace;\n\
         rolled combat-skill=\"d2 + 13\" endurance=\"d2 + 19\" gold=\"d3\"; choose 2 { mace; shield; mail; potion; }; }\n\
         section 1 { choice \"pay\" { require \"gold >= 3\"; lose gold 3; goto 2; }; choice \"on\" { endurance -4; goto 2; }; }\n\
         section 2 { fight \"Guard\" skill=16 endurance=20; if \"has seal\" { goto 9; }; death; }\n\
         section 9 { victory; }\n",
    );
    let made = made(&book, Analyses::NONE);
    assert_eq!(made.rolls.len(), 2 * 2 * 3);
    let mut mean = ratio(0, 1);
    for roll in &made.rolls {
        let number = |name: &str| roll.rolled.iter().find(|(own, _)| own == name).unwrap().1;
        let mut best: Vec<(Rational, String)> = Vec::new();
        for (first, one) in CHOICES.iter().enumerate() {
            for two in &CHOICES[first + 1..] {
                let mut question = Question { exact: true, ..Question::new(&book) };
                question.hero.combat_skill = number("combat-skill");
                question.hero.endurance = u8::try_from(number("endurance")).unwrap();
                question.hero.gold = u8::try_from(number("gold")).unwrap();
                question.hero.items = read_items(&book, [*one, *two]).unwrap();
                best.push((win(&book, &question), format!("{one}, {two}")));
            }
        }
        let most = best.iter().map(|(win, _)| win.clone()).max().unwrap();
        assert_eq!(roll.win.exact.as_ref(), Some(&most), "{:?}", roll.rolled);
        assert!(roll.best.iter().all(|own| best.contains(&(most.clone(), own.clone()))), "{:?}", roll.best);
        assert!(!roll.best.is_empty());
        mean += most * roll.probability.clone();
    }
    assert_eq!(made.win.exact, Some(mean));
}

#[test]
fn a_hero_of_a_system() {
    let book = book(
        "book \"Pit\" format=1 system=\"fighting-fantasy\"\nstart 1\n\
         container bag holds=2\nitem rope in=bag\nitem lamp in=bag\n\
         hero { provisions 0; skill 8; luck 7; rolled skill=\"d2 + 7\" stamina=\"2d2 + 3\"; choose 1 { rope; lamp; luck 2; }; }\n\
         section 1 { fight \"Rat\" skill=6 stamina=4; test lucky { yes { goto 2; }; no { if \"has rope\" { goto 2; }; death; }; }; }\n\
         section 2 { if \"has lamp\" { victory; }; roll d6 { when 1 4 { victory; }; else { death; }; }; }\n",
    );
    let made = made(&book, Analyses { merge: false, ..Analyses::default() });
    assert_eq!(made.rolls.len(), 2 * 3);
    let system = book.system.as_ref().unwrap();
    let mut mean = ratio(0, 1);
    for roll in &made.rolls {
        let values: Vec<String> = roll.rolled.iter().map(|(name, number)| format!("{name}={number}")).collect();
        let alone = |more: &str| {
            let mut question = Question { exact: true, ..Question::new(&book) };
            question.situation.values = gamebook::read_values(system, &format!("{},{more}", values.join(","))).unwrap();
            win(&book, &question)
        };
        let most = [alone("rope=1"), alone("lamp=1"), alone("luck=9")].into_iter().max().unwrap();
        assert_eq!(roll.win.exact.as_ref(), Some(&most), "{:?}", roll.rolled);
        mean += most * roll.probability.clone();
    }
    assert_eq!(made.win.exact, Some(mean));
}

#[test]
fn what_is_wrong_is_reported() {
    let wrong = |hero: &str| {
        let text = format!(
            "book \"Trial\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nitems {{ weapon mace; }}\n\
             hero {{ combat-skill 15; endurance 20; {hero}; }}\nsection 1 {{ goto 9; }}\nsection 9 {{ victory; }}\n"
        );
        read(&text).unwrap_err().0[0].message.clone()
    };
    assert_eq!(wrong("rolled combat-skill=\"2d6\""), "the dice bring 2 to 12, and `combat-skill` is 10 to 19");
    assert_eq!(wrong("rolled gold"), "with which dice is `gold` rolled?");
    assert_eq!(wrong("rolled gould=\"d6\""), "`gould` is nothing that a hero has");
    assert_eq!(wrong("rolled gold=\"d6\" gold=\"d6\""), "the property `gold` occurs twice");
    assert_eq!(wrong("choose 2 { mace; }"), "fewer than 2 to choose");
    assert_eq!(wrong("choose 1 { endurance 3; }"), "`endurance` is no thing to choose");
    assert_eq!(wrong("rolled mace=\"d6\""), "an item is not rolled");
}
