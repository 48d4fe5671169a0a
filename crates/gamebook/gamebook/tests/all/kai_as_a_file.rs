//! Books with the rules of Kai as a file are worth what the same books with the rules of Lone Wolf are.

use gamebook::{Analyses, Question, Situation, Solved, read};
use mdp::{ExploreOptions, Rational};

fn worth(text: &str) -> Rational {
    let (book, _) = match read(text) {
        Ok(read) => read,
        Err(problems) => panic!("{problems}\n{text}"),
    };
    let mut values = [Analyses::default(), Analyses::NONE].map(|analyses| {
        let question = Question { exact: true, analyses, ..Question::new(&book) };
        let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
        solved.win().exact.unwrap()
    });
    assert_eq!(values[0], values[1], "{text}");
    std::mem::take(&mut values[0])
}

/// The same book twice: what stands in `[a|b]` is `a` for Lone Wolf and `b` for the file.
fn compare(text: &str) -> Rational {
    let pick = |own: usize| {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('[') {
            let (both, after) = after.split_once(']').expect("closed");
            let (lone_wolf, file) = both.split_once('|').expect("two");
            out.push_str(before);
            out.push_str(if own == 0 { lone_wolf } else { file });
            rest = after;
        }
        out + rest
    };
    let (lone_wolf, file) = (pick(0), pick(1));
    let (expected, found) = (worth(&lone_wolf), worth(&file));
    assert_eq!(found, expected, "{file}");
    expected
}

const HEAD: &str = r#"
book Test format=1 [rules="lone-wolf"|system=kai]
start 1
goal 9
items {
    weapon sword
    weapon axe
    [weapon spear special=#true|special spear weapon=#true hand=#true] bonus=3 doubles-undead=#true { as sword; }
    backpack-item meal food=#true
    backpack-item laumspur food=#true heals=3 [when=any-time|saved=#true]
    backpack-item rope
    special shield combat-skill=2
    special mail endurance=4
    [container backpack holds=8|]
}
hero {
    combat-skill 14
    endurance 22
    [disciplines hunting mindblast weaponskill=sword|hunting; mindblast; weaponskill sword]
    [fixed backpack; items sword axe|sword 1; axe 1]
}
"#;

#[test]
fn fights_are_fought_alike() {
    let fights = [
        "fight Helghast skill=18 endurance=20",
        "fight Helghast skill=16 endurance=14 undead=#true immune-to-mindblast=#true",
        "fight { enemy A skill=14 endurance=9; enemy B skill=15 endurance=8; }",
        "fight A skill=17 endurance=12 [{ bonus -2; }|bonus=-2]",
        "fight A skill=13 endurance=12 [{ bare-hands; }|bare-hands=1]",
    ];
    for fight in fights {
        for gear in
            ["", "gain spear; ", "lose sword; ", "gain shield; gain mail; ", "endurance -9; gain mail; lose mail; "]
        {
            let text = format!("{HEAD}section 1 {{ {gear}{fight}; goto 9; }}\nsection 9 {{ victory; }}\n");
            let value = compare(&text);
            assert!(value > Rational::ZERO, "{text}");
        }
    }
}

#[test]
fn things_are_eaten_used_and_lost_alike() {
    let bodies = [
        // Hunting helps, unless it cannot.
        "endurance -20; gain meal; eat; [eat hunting=#false|eat where-food-is=#false]; if \"endurance > 1\" { goto 9; }; death",
        "endurance -10; gain meal 2; gain laumspur; [eat hunting=#false|eat where-food-is=#false]; [eat hunting=#false|eat where-food-is=#false]; \
         fight A skill=17 endurance=12; goto 9",
        "endurance -12; gain laumspur 2; goto 2",
        "gain rope; gain meal 8; lose-all [weapons|weapon] [backpack-items|backpack-item]; gain sword; fight A skill=17 endurance=12; \
         goto 9",
        "gain laumspur 3; give-up [backpack-items|backpack-item] 2; endurance -15; goto 2",
        "gain laumspur 1; gain rope; give-up [backpack-items|backpack-item] 1 by=chance; endurance -15; goto 2",
        "gain laumspur; lose backpack; endurance -15; gain meal; goto 2",
        "take { axe; spear; laumspur 2; }; endurance -10; goto 2",
        "take at-most=2 { spear; laumspur 2; mail; }; endurance -10; goto 2",
        "lose sword; take at-most=1 { spear; laumspur; meal 2; mail; }; endurance -17; \
         [eat hunting=#false|eat where-food-is=#false]; goto 2",
        "[pick|roll \"d10 - 1\" as=r] { plus 2 if=\"[discipline hunting|hunting]\"; when 2 5 { goto 2; }; when 6 11 { goto 9; }; \
         else { death; }; }",
    ];
    for body in bodies {
        let text = format!(
            "{HEAD}section 1 {{ {body}; }}\nsection 2 {{ fight B skill=16 endurance=11; goto 9; }}\nsection 9 {{ victory; }}\n"
        );
        compare(&text);
    }
}

/// What Magnakai heroes have and can do, as the interpreter of systems of rules says.
#[test]
fn magnakai_is_worth_what_the_interpreter_says() {
    const BODIES: [&str; 5] = [
        "fight Kraan skill=17 endurance=4; goto 9",
        "fight Kraan skill=17 endurance=4 immune-to-psi-surge=#true; goto 9",
        "gain bow; gain quiver; gain arrow 2; shoot at-least=8; if \"hit-target\" { goto 9; }; shoot at-least=8; \
         if \"hit-target\" { goto 9; }; death",
        "endurance -6; eat; goto 2",
        "if \"circle-of-fire and not circle-of-light and rank superior and carried.combat-skill = 1\" { goto 2; }; death",
    ];
    const HEROES: [&str; 3] = [
        "weaponmastery sword bow; huntmastery; psi-surge",
        "psi-surge; curing; weaponmastery axe",
        "animal-control; curing; huntmastery",
    ];
    for body in BODIES {
        for hero in HEROES {
            let text = format!(
                "book Test format=1 system=magnakai\nstart 1\ngoal 9\nitems {{ weapon sword; weapon axe; backpack-item meal food=1; }}\n\
                 hero {{ combat-skill 12; endurance 8; sword 1; {hero}; }}\nsection 1 {{ {body}; }}\n\
                 section 2 {{ fight Drakkar skill=15 endurance=3; goto 9; }}\nsection 9 {{ victory; }}\n"
            );
            let (book, _) = read(&text).unwrap();
            let expected = gamebook_reference::win_by_rules(&book, &Situation::default(), 400_000).unwrap();
            assert_eq!(worth(&text), expected, "{text}");
        }
    }
}

/// The parameters of fights in the later series, compared with the interpreter of systems of rules.
#[test]
fn later_series_are_worth_what_the_interpreter_says() {
    const FIGHTS: [&str; 8] = [
        "fight Kraan skill=19 endurance=4",
        "fight Kraan skill=19 endurance=4 immune-to-kai-surge=#true immune-to-mindblast=#true",
        "fight Kraan skill=19 endurance=4 surge-bonus=10 surge-cost=2 psychic=4",
        "fight Kraan skill=19 endurance=4 times-hit=3 times-hurt=0 harm=1 strain=1",
        "fight Kraan skill=17 endurance=3 disarmed=1 { local round max=4; before-round { round 1; }; \
         end-of-round { if \"round = 1\" { set disarmed 0; }; }; escape if=\"round >= 2\" { goto 9; }; }",
        "fight Kraan skill=19 endurance=4 { on blows { if \"hurt > 0\" { hurt 1; }; if \"picked = 3\" { set hit 0; }; }; }",
        "gain brew; fight Kraan skill=19 endurance=4",
        "gain spare; lose axe; fight Kraan skill=19 endurance=4",
    ];
    const HEROES: [&str; 3] = ["grand-weaponmastery axe; kai-surge", "kai-surge; kai-screen", "grand-huntmastery"];
    for (system, fight) in ["grand-master", "new-order"].iter().flat_map(|own| FIGHTS.map(|fight| (own, fight))) {
        for hero in HEROES {
            let text = format!(
                "book Test format=1 rules={system}\nstart 1\ngoal 9\nitems {{ weapon axe; backpack-item brew strengthens=2; \
                 special-weapon spare bonus=1 {{ as axe; }}; }}\n\
                 hero {{ combat-skill 14; endurance 9; axe 1; {hero}; }}\nsection 1 {{ {fight}; goto 9; }}\n\
                 section 9 {{ victory; }}\n"
            );
            let (book, _) = read(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
            let expected = gamebook_reference::win_by_rules(&book, &Situation::default(), 400_000).unwrap();
            assert_eq!(worth(&text), expected, "{text}");
        }
    }
}

#[test]
fn what_is_worn_counts_once_however_a_hero_is_given() {
    let text = "book Test format=1 system=kai\nstart 1\nitems { special mail endurance=4; }\nhero { endurance 20; mail 1; }\n\
                section 1 { if \"endurance = 24 and endurance.initial = 24\" { victory; }; death; }\n";
    let (book, _) = read(text).unwrap();
    for (hero, wins) in [("", true), ("endurance=20", true), ("endurance=24", false), ("mail=0", false)] {
        let mut question = Question { exact: true, ..Question::new(&book) };
        question.situation.values = gamebook::read_values(book.system.as_ref().unwrap(), hero).unwrap();
        let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
        assert_eq!(solved.win().exact.unwrap() == Rational::ONE, wins, "{hero}");
    }
    let overrides = gamebook::read_values(book.system.as_ref().unwrap(), "endurance=24,endurance.initial=24").unwrap();
    let mut question = Question { exact: true, ..Question::new(&book) };
    question.situation.values = overrides;
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    assert_eq!(solved.win().exact.unwrap(), Rational::ONE);
}

#[test]
fn who_has_no_initial_value_left_is_not_saved_by_a_defeat() {
    let book = |round: &str| {
        format!(
            "book Test format=1 system=none\nstart 1\nstat health start=3 initial=#true vital=#true\n\
             enemy-stat wounds vital=#true\nfight-system {{ round {{ {round}; }}; }}\n\
             section 1 {{ fight A wounds=9 {{ defeat leaves=2 {{ if \"health = 2\" {{ victory; }}; }}; }}; death; }}\n"
        )
    };
    for (round, wins) in [("health -1", true), ("health.initial -9", false), ("health -9; health.initial -1", true)] {
        let text = book(round);
        let (book, _) = read(&text).unwrap();
        let expected = gamebook_reference::win_by_rules(&book, &Situation::default(), 1_000).unwrap();
        assert_eq!((worth(&text) == Rational::ONE, worth(&text)), (wins, expected), "{text}");
    }
}

/// The odds of a book with all reductions and without merging, and the numbers of states.
fn merged_and_not(text: &str) -> (Rational, [u32; 2]) {
    let (book, _) = read(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let all = Analyses::default();
    let solve = |analyses| {
        let question = Question { exact: true, analyses, ..Question::new(&book) };
        let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
        (solved.win().exact.unwrap(), solved.space().model().states())
    };
    let [(merged, few), (apart, many)] = [all, Analyses { merge: false, ..all }].map(solve);
    let expected = gamebook_reference::win_by_rules(&book, &Situation::default(), 400_000).unwrap();
    assert_eq!((&merged, &apart), (&expected, &expected), "{text}");
    (merged, [few, many])
}

#[test]
fn what_is_alike_is_counted_together() {
    let (_, [few, many]) = merged_and_not(
        "book Test format=1 system=kai\nstart 1\n\
         items { weapon sword; weapon axe; weapon mace; weapon spear; backpack-item rope; backpack-item lamp; backpack-item coal; }\n\
         hero { combat-skill 12; endurance 9; weaponskill axe; }\n\
         section 1 { take { sword; axe; mace; spear; }; take { rope; lamp 2; coal 3; }; goto 2; }\n\
         section 2 { give-up backpack 1 by=chance; take { rope 2; lamp 4; coal 3; }; goto 3; }\n\
         section 3 { fight Kraan skill=13 endurance=6; if \"backpack.items >= 7\" { victory; }; death; }\n",
    );
    assert!(few * 2 < many, "{few} of {many}");
}

#[test]
fn numbers_with_the_same_effect_are_one_answer() {
    let (value, [few, many]) = merged_and_not(
        "book Test format=1 system=none\nstart 1\ncounter coins max=9 start=3\n\
         section 1 { if \"coins = 0\" { death; }; if \"coins >= 6\" { victory; }\n\
         choice \"stake {s}\" each=s from=1 to=\"min(coins, 6 - coins)\" {\n\
         choice \"on {n}\" each=n from=1 to=6 { roll d6 as=r { when \"r = n or r = 1 + n or r = n - 5\" { coins s; }\n\
         else { coins \"-s\"; }; }; goto 1; }; }; }\n",
    );
    // Bold play at odds of one to two: all at once wins a third.
    assert_eq!(value, Rational::from(1u8) / Rational::from(3u8));
    assert!(few < many, "{few} of {many}");
}
