//! Books whose rules are a system of their own.

use fighting_fantasy::{
    Amplify, Armour, Chance, Enemy, Escape, Fight, Hero, Objective, Player, SpecialRules, SuddenDeath, analyse,
};
use gamebook::{Book, Question, SectionNumber, Solved, read, read_values};
use mdp::{ExploreOptions, Rational, ratio};

use crate::dice::Dice;

/// The probability to win a book.
fn won(text: &str, hero: &str) -> Rational {
    let book = match read(text) {
        Ok((book, _)) => book,
        Err(problems) => panic!("{problems:?}"),
    };
    solved(&book, hero)
}

fn solved(book: &Book, hero: &str) -> Rational {
    let mut question = Question { exact: true, ..Question::new(book) };
    question.situation.values = read_values(book.system.as_ref().unwrap(), hero).unwrap();
    let solved = Solved::new(book, &question, &ExploreOptions::default()).unwrap();
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    let win = solved.win();
    assert!((journey.win.decimal() - win.decimal()).abs() < 1e-12, "{journey:?}");
    win.exact.unwrap()
}

/// A book with one fight.
fn one_fight(head: &str, fight: &str) -> String {
    format!(
        "book \"A fight\" format=1 system=\"fighting-fantasy\"\nstart 1\n{head}\nsection 1 {{\n{fight}\nvictory\n}}\n\
         section 2 {{ victory; }}\nsection 3 {{ death; }}\n"
    )
}

fn fought(hero: (u32, u32, u32), enemies: Vec<Enemy>, rules: SpecialRules) -> Rational {
    let hero = Hero { skill: hero.0, stamina: hero.1, luck: hero.2 };
    let fight = Fight::new(hero, enemies, rules, Objective::win(), Player::Free).unwrap();
    analyse(&fight, &ExploreOptions::default()).unwrap().value
}

const NO_LUCK: &str = "policy \"p\" default=#true { never \"use luck\"; }";

#[test]
fn a_fight_is_worth_what_the_calculator_says() {
    let heroes = [
        ((9, 16, 8), "skill=9,stamina=16,luck=8"),
        ((7, 14, 12), "skill=7,stamina=14,luck=12"),
        ((12, 5, 1), "skill=12,stamina=5,luck=1"),
    ];
    for (hero, text) in heroes {
        for (skill, stamina) in [(5, 5), (9, 8), (12, 11)] {
            let fight = format!("fight \"Orc\" skill={skill} stamina={stamina}");
            let enemy = || vec![Enemy::new(skill, stamina)];
            assert_eq!(
                won(&one_fight("", &fight), text),
                fought(hero, enemy(), SpecialRules::default()),
                "{fight} {text}"
            );
            let without = SpecialRules { luck_allowed: false, ..SpecialRules::default() };
            assert_eq!(won(&one_fight(NO_LUCK, &fight), text), fought(hero, enemy(), without), "{fight} {text}");
        }
    }
}

#[test]
fn special_rules_are_worth_what_the_calculator_says() {
    let hero = (9, 12, 8);
    let text = "skill=9,stamina=12,luck=8";
    let enemies = || vec![Enemy::new(8, 7), Enemy::new(9, 6)];
    let two = "enemy \"A\" skill=8 stamina=7; enemy \"B\" skill=9 stamina=6;";
    let plain = SpecialRules::default;
    let one_sixth = Chance { of_them: 1, all: 6 };
    // One after another, and at once.
    assert_eq!(won(&one_fight("", &format!("fight {{ {two} }}")), text), fought(hero, enemies(), plain()));
    let together = SpecialRules { together: true, ..plain() };
    let at_once = format!("fight {{ order player-picks; {two} }}");
    assert_eq!(won(&one_fight("", &at_once), text), fought(hero, enemies(), together.clone()));
    let without = SpecialRules { luck_allowed: false, ..together };
    assert_eq!(won(&one_fight(NO_LUCK, &at_once), text), fought(hero, enemies(), without));
    // Two rounds lost in a row kill.
    for (draw, draw_resets) in [("", false), ("on draw { set run 0; }", true)] {
        let enemy =
            Enemy { sudden_death: Some(SuddenDeath { row: 2, draw_resets, won_already: 0 }), ..Enemy::new(8, 7) };
        let fight = format!(
            "fight \"A\" skill=8 stamina=7 {{ local run max=2; on lost {{ run 1; if \"run >= 2\" {{ death; }} }}; \
             on won {{ set run 0; }}; {draw} }}"
        );
        assert_eq!(won(&one_fight("", &fight), text), fought(hero, vec![enemy], plain()), "{draw_resets}");
    }
    let enemy = || vec![Enemy::new(8, 7)];
    let with = |parts: &str| one_fight("", &format!("fight \"A\" skill=8 stamina=7 {{ {parts} }}"));
    // Sudden deaths.
    let each_round = SpecialRules { death_each_round: one_sixth, ..plain() };
    let parts = "before-round { roll d6 { when 1 { death; }; else { }; }; }";
    assert_eq!(won(&with(parts), text), fought(hero, enemy(), each_round));
    let on_loss = SpecialRules { death_on_lost_round: one_sixth, ..plain() };
    let parts = "on lost { roll d6 { when 1 { death; }; else { }; }; }";
    assert_eq!(won(&with(parts), text), fought(hero, enemy(), on_loss));
    // Other blows and wounds.
    let heavier = Enemy { damage: 3, ..Enemy::new(8, 7) };
    let damage = SpecialRules { damage: 3, ..plain() };
    let fight = "fight \"A\" skill=8 stamina=7 blow=3 wound=3";
    assert_eq!(won(&one_fight("", fight), text), fought(hero, vec![heavier], damage));
    // Running away for half a victory.
    let escape = Escape { cost: 2, value: ratio(1, 2) };
    let escapes = SpecialRules { escape: Some(escape), ..plain() };
    let parts = "escape { roll d6 { when 1 3 { goto 2; }; else { goto 3; }; }; }";
    assert_eq!(won(&with(parts), "skill=7,stamina=9,luck=8"), fought((7, 9, 8), enemy(), escapes));
    // Armour that softens a wound after luck has been tested.
    let armour = SpecialRules { armour: Some(Armour { chance: one_sixth, softens: 1 }), ..plain() };
    let head = "fight-system { on lost { choice \"keep\" { }; choice \"use\" { test lucky { yes { hit -1; }; no { hit 1; }; }; }; \
                roll d6 { when 6 { hit -1; }; else { }; }; stamina \"-max(0, hit)\"; }; }";
    let fight = "fight \"A\" skill=8 stamina=7";
    assert_eq!(won(&one_fight(head, fight), text), fought(hero, enemy(), armour));
}

/// Special rules all at once, as chance puts them together.
#[test]
fn mixed_special_rules_are_worth_what_the_calculator_says() {
    mixed_special_rules(7, 15);
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_mixed_special_rules_are_worth_what_the_calculator_says() {
    mixed_special_rules(7, 75);
}

/// How fights go where luck adds so much to a wound.
fn fight_system(lucky: u32, softened: &str, ran: &str) -> String {
    format!(
        "fight-system {{
            on won {{
                choice \"keep\" {{ }}
                choice \"use\" {{ test lucky {{ yes {{ hit {lucky}; }}; no {{ hit -1; }}; }}; }}
                enemy.stamina \"-max(0, hit)\"
            }}
            on lost {{
                choice \"keep\" {{ }}
                choice \"use\" {{ test lucky {{ yes {{ hit -1; }}; no {{ hit 1; }}; }}; }}
                {softened} stamina \"-max(0, hit)\"
            }}
            {ran}
        }}"
    )
}

fn mixed_special_rules(seed: u64, cases: u32) {
    let mut dice = Dice(seed);
    for case in 0..cases {
        let mut number = |from: u32, to: u32| from + u32::try_from(dice.below((to - from + 1).into())).unwrap();
        let hero = (number(6, 12), number(1, 9), number(0, 12));
        let text = format!("skill={},stamina={},luck={}", hero.0, hero.1, hero.2);
        let mut rules = SpecialRules::default();
        let mut enemies: Vec<Enemy> = (0..number(1, 2)).map(|_| Enemy::new(number(5, 12), number(1, 7))).collect();
        let mut parts: Vec<String> = Vec::new();
        let order = if enemies.len() > 1 && number(0, 1) == 1 {
            rules.together = true;
            "order player-picks; "
        } else {
            ""
        };
        let lucky = number(1, 2);
        rules.amplify = if lucky == 1 { Amplify::Three } else { Amplify::Four };
        if number(0, 2) == 0 {
            rules.death_each_round = Chance { of_them: 1, all: 36 };
            parts.push("before-round { roll 2d6 { when 2 { death; }; else { }; }; }; ".into());
        }
        let mut lost: Vec<String> = Vec::new();
        if enemies.len() == 1 && number(0, 1) == 0 {
            let (row, draw_resets, won_already) =
                (2 + u8::from(number(0, 1) == 1), number(0, 1) == 1, u8::from(number(0, 1) == 1));
            enemies[0].sudden_death = Some(SuddenDeath { row, draw_resets, won_already });
            parts.push(format!("local run max=3 start={won_already}; on won {{ set run 0; }}; "));
            lost.push(format!("run 1; if \"run >= {row}\" {{ death; }}; "));
            if draw_resets {
                parts.push("on draw { set run 0; }; ".into());
            }
        }
        if number(0, 2) == 0 {
            rules.death_on_lost_round = Chance { of_them: 1, all: 6 };
            lost.push("roll d6 { when 1 { death; }; else { }; }; ".into());
        }
        parts.push(format!("on lost {{ {} }}; ", lost.concat()));
        let mut softened = String::new();
        if number(0, 1) == 0 {
            let softens = number(1, 3);
            rules.armour = Some(Armour { chance: Chance { of_them: 1, all: 6 }, softens });
            softened = format!("roll d6 {{ when 6 {{ hit -{softens}; }}; else {{ }}; }}; ");
        }
        let mut ran = String::new();
        if number(0, 2) == 0 {
            let cost = number(1, 3);
            rules.escape = Some(Escape { cost, value: ratio(1, 3) });
            parts.push("escape { roll d6 { when 1 2 { goto 2; }; else { goto 3; }; }; }; ".into());
            let luck = "choice \"keep\" { }; choice \"use\" { test lucky { yes { hit -1; }; no { hit 1; }; }; }; ";
            ran = format!("on-escape {{ let hit {cost}; {luck} stamina \"-hit\"; }};");
        }
        rules.damage = number(1, 3);
        let wound = number(1, 4);
        for enemy in &mut enemies {
            enemy.damage = wound;
        }
        let head = fight_system(lucky, &softened, &ran);
        let foes: Vec<String> = enemies
            .iter()
            .map(|enemy| format!("enemy \"E\" skill={} stamina={}; ", enemy.skill, enemy.stamina))
            .collect();
        let fight =
            format!("fight blow={} wound={wound} {{ {} {order} {} }}", rules.damage, foes.concat(), parts.concat());
        assert_eq!(
            won(&one_fight(&head, &fight), &text),
            fought(hero, enemies, rules),
            "{case}: {head}\n{fight}\n{text}"
        );
    }
}

const ROUTES: [(&str, &str, &str, &str); 4] = [
    (
        "warlock-of-firetop-mountain",
        "skill=7,stamina=14,luck=7",
        "mode-0",
        include_str!("../fractions/warlock-mode-0.txt"),
    ),
    (
        "warlock-of-firetop-mountain",
        "skill=7,stamina=14,luck=7",
        "mode-1",
        include_str!("../fractions/warlock-mode-1.txt"),
    ),
    ("crypt-of-the-sorcerer", "skill=12,stamina=24,luck=12", "mode-0", include_str!("../fractions/crypt-mode-0.txt")),
    ("crypt-of-the-sorcerer", "skill=12,stamina=24,luck=12", "mode-1", include_str!("../fractions/crypt-mode-1.txt")),
];

/// A route is worth the exact fraction that was published, and survival after each step is what its sheet says.
fn is_worth_what_is_published(
    (name, hero, policy, fraction): (&str, &str, &str, &str),
    survived: &[(SectionNumber, f64)],
) {
    let (book, _) = read(gamebook::built_in(name).unwrap()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let system = book.system.as_ref().unwrap();
    let mut question = Question { exact: true, ..Question::new(&book) };
    question.situation.values = read_values(system, hero).unwrap();
    question.situation.policy = book.policies.iter().find(|own| own.name == policy).cloned();
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    assert_eq!(mdp::fraction_text(&solved.win().exact.unwrap()), fraction.trim(), "{name} {policy}");
    let journey = solved.journey(&ExploreOptions::default()).unwrap();
    assert!((journey.win.decimal() - solved.win().decimal()).abs() < 1e-12);
    for (section, expected) in survived {
        let visit = journey.sections.iter().find(|visit| visit.section == *section).unwrap();
        assert!((visit.visited - expected).abs() < 1e-11, "{name}, section {section}: {}", visit.visited);
    }
}

#[test]
fn the_warlock_is_worth_what_is_published() {
    let survived = [
        (2, 0.999_999_968_861),
        (3, 0.999_999_936_433),
        (5, 0.999_999_878_118),
        (6, 0.999_999_669_397),
        (9, 0.508_653_924_693),
        (14, 0.506_273_980_616),
        (15, 0.506_269_667_270),
        (16, 0.479_651_153_837),
        (18, 0.438_381_029_789),
        (19, 0.381_834_349_457),
        (20, 0.323_666_580_010),
        (27, 0.250_891_465_388),
    ];
    is_worth_what_is_published(ROUTES[0], &survived);
    is_worth_what_is_published(ROUTES[1], &[]);
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_the_crypt_is_worth_what_is_published() {
    let survived = [
        (2, 0.666_666_666_667),
        (4, 0.642_725_473_303),
        (10, 0.256_348_203_821),
        (12, 0.163_514_957_700),
        (18, 0.162_933_848_731),
        (21, 0.151_140_841_196),
        (23, 0.147_475_524_161),
        (25, 0.147_358_360_550),
        (27, 0.147_357_451_883),
        (28, 0.004_760_054_947),
        (29, 0.004_753_156_283),
    ];
    is_worth_what_is_published(ROUTES[2], &survived);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn the_crypt_with_free_luck_is_worth_what_is_published() {
    is_worth_what_is_published(ROUTES[3], &[]);
}

/// A book of the system without rules.
fn plain(head: &str, sections: &str) -> String {
    format!("book \"A book\" format=1 system=\"none\"\nstart 1\n{head}\n{sections}\n")
}

fn worth(head: &str, sections: &str) -> Rational {
    won(&plain(head, sections), "")
}

#[test]
fn dice_of_all_kinds() {
    let roll = |dice: &str, condition: &str| {
        worth(
            "",
            &format!("section 1 {{\nroll {dice} {{ when \"{condition}\" {{ victory; }}; else {{ death; }}; }}\n}}"),
        )
    };
    assert_eq!(roll("d6 as=r", "r <= 2"), ratio(1, 3));
    assert_eq!(roll("2d6 as=r", "r = 7"), ratio(1, 6));
    assert_eq!(roll("d100 as=r", "r <= 37"), ratio(37, 100));
    assert_eq!(roll("d6 d4 as=r", "r >= 9"), ratio(1, 8));
    assert_eq!(roll("a=d6 b=d6", "a > b"), ratio(5, 12));
    assert_eq!(roll("d6 as=r", "down(r / 2) = 1"), ratio(1, 3));
    assert_eq!(roll("d6 as=r", "up(r / 4) = 2 and down((0 - r) / 4) = -2"), ratio(1, 3));
}

#[test]
fn names_blocks_and_sections_with_names() {
    let text = "book \"A book\" format=1 system=\"none\"\nstart \"Market\"\ncounter coins max=9 start=3\n\
                define pay n { coins \"-n\"; }\ndefine twice n { use pay n=n; use pay n=n; }\n\
                section \"Market\" {\nuse twice n=1\nif \"coins = 1\" { goto \"Harbour\"; } else { death; }\n}\n\
                section \"Harbour\" {\nlet n 5\nuse pay n=1\nif \"coins = 0 and n = 5\" { victory; }\ndeath\n}\n";
    let text = text.replace("} else", "}; else");
    assert_eq!(won(&text, ""), ratio(1, 1));
    let (book, _) = read(&text).unwrap();
    assert_eq!(book.section_named("Harbour").map(|section| book.section_text(section)).as_deref(), Some("Harbour"));
    assert!(book.section_named("Harbor").is_none());
}

#[test]
fn who_dies_may_live_on() {
    let head = "stat health start=2 initial=#true vital=#true\ncounter doses max=2 start=1\n\
                on-death { if \"doses > 0\" { doses -1; health full; resume; }; }";
    // One of three wounds is healed.
    let wounds = |wounds: &str| worth(head, &format!("section 1 {{ {wounds} victory; }}"));
    assert_eq!(wounds("health -2; health -1;"), ratio(1, 1));
    assert_eq!(wounds("health -2; health -2;"), ratio(0, 1));
    // What the text calls death is final.
    assert_eq!(worth(head, "section 1 { if \"health = 2\" { death; }; victory; }"), ratio(0, 1));
}

/// What was found by holding random books against the interpreter, and by writing it.
#[test]
fn nothing_is_left_out() {
    // Who has nothing left of the initial value of something vital has nothing left.
    let head = "stat health start=2 initial=#true vital=#true";
    assert_eq!(worth(head, "section 1 { health.initial -2; victory; }"), ratio(0, 1));
    // Before a round is before every round, also where the player picks whom to fight.
    let head = "enemy-stat wounds vital=#true\ncounter rounds max=9\n\
                fight-system { order player-picks; round { enemy.wounds -1; }; }";
    let fight = "fight { enemy A wounds=1; enemy B wounds=2; before-round { rounds 1; }; }";
    let sections = format!("section 1 {{ {fight}; if \"rounds = 3\" {{ victory; }}; death; }}");
    assert_eq!(worth(head, &sections), ratio(1, 1));
    // There is time for actions between two rolls: a hero who has seen the first can do something about the second.
    let head = "counter luck max=1 start=1\ncounter shield max=1\n\
                action guard when=outside-fight { require \"luck > 0\"; luck -1; shield 1; }";
    let rolls = "roll d2 as=a; roll d2 as=b { when \"a + shield = 2\" { victory; }; else { death; }; }";
    assert_eq!(worth(head, &format!("section 1 {{ {rolls} }}")), ratio(1, 1));
}

#[test]
fn containers_hold_so_much() {
    let head = "container bag holds=2\nitem rope in=bag\nitem lamp in=bag\nitem key in=bag";
    let sections = "section 1 { take { rope; lamp; key; }; if \"has rope and has lamp and has key\" { death; }; \
                    if \"has lamp and has key and bag.room = 0\" { victory; }; death; }";
    assert_eq!(worth(head, sections), ratio(1, 1));
    let sections = "section 1 { gain rope; gain lamp; gain key; if \"has rope and has key\" { victory; }; death; }";
    assert_eq!(worth(head, sections), ratio(1, 1));
}

#[test]
fn policies_decide_what_they_say() {
    let book = |rules: &str| {
        let head = format!(
            "counter meals max=9 start=2\nstat health start=1 vital=#true\n\
             action eat when=outside-fight {{ require \"meals > 0\"; meals -1; health 1; }}\n\
             policy \"p\" default=#true {{ {rules} }}"
        );
        let sections = "section 1 { choice \"left\" { goto 2; }; choice \"right\" { goto 3; }; choice \"wait\" { goto 4; }; }\n\
             section 2 { victory; }\nsection 3 { death; }\nsection 4 { if \"health >= 3\" { victory; }; death; }";
        worth(&head, sections)
    };
    assert_eq!(book(""), ratio(1, 1));
    assert_eq!(book("always right"), ratio(0, 1));
    assert_eq!(book("never left; never wait"), ratio(0, 1));
    assert_eq!(book("from 1 goto 4"), ratio(1, 1));
    assert_eq!(book("from 1 goto 4; never eat"), ratio(0, 1));
    assert_eq!(book("never eat; random"), ratio(1, 3));
    assert_eq!(book("never eat; always left if=\"meals > 2\"; never left; random"), ratio(0, 1));
}

#[test]
fn what_is_wrong_is_reported() {
    let wrong = |head: &str, sections: &str| {
        let problems = read(&plain(head, sections)).unwrap_err();
        let first = &problems.0[0];
        format!("{} ({})", first.message, first.help.as_deref().unwrap_or_default())
    };
    let body = |body: &str| format!("section 1 {{ {body}; victory; }}");
    let all = [
        wrong("stat health start=3 vital=#true", &body("helath -1")),
        wrong("", &body("goto \"Harbour\"")),
        wrong("", &body("roll d6 { when 1 5 { }; }")),
        wrong("counter coins max=9", &body("coins \"coins / 2\"")),
        wrong("define heal n { }", &body("use heal m=1")),
        wrong("", &body("fight \"Orc\" skill=3")),
        wrong("", &body("resume")),
        wrong("reading light on off", &body("if \"reading light of\" { }")),
        wrong("", &body("roll 2x6 as=r")),
        wrong("define a { use a; }", &body("use a")),
    ];
    for (reported, expected) in all.iter().zip([
        "`helath` means nothing here (did you mean `health`?)",
        "there is no section `Harbour` (write `section \"Harbour\" { ... }`)",
        "no case for 6 (add it, or `else { ... }`)",
        "how is this rounded? (write `down(a / b)` or `up(a / b)`)",
        "`use heal` without `n` (write `use heal n=1`)",
        "how is fought here? (write `fight-system { round { ... } }` at the head of the file)",
        "the hero is not dying here (`resume` stands in `on-death { ... }`)",
        "it is not read so (it is read as one of on, off)",
        "",
        "`a` uses itself (what happens again and again is a loop: `repeat NAME { ... }`)",
    ]) {
        assert!(reported.starts_with(expected), "{reported}");
    }
}

/// The blocks of a page, and the fractions that stand on lines of their own.
fn page(text: &str) -> (Vec<String>, Vec<String>) {
    let blocks = text.split("```kdl\n").skip(1).filter_map(|rest| rest.split("```").next()).map(String::from);
    let fractions = text.lines().filter_map(|line| line.strip_prefix("    "));
    let fractions = fractions
        .filter(|line| line.split_once('/').is_some_and(|(n, d)| n.parse::<u64>().is_ok() && d.parse::<u64>().is_ok()));
    (blocks.collect(), fractions.map(String::from).collect())
}

#[test]
fn the_tutorials_say_what_is_true() {
    let (books, worths) = page(include_str!("../../../../../docs/tutorial-none.md"));
    assert_eq!((books.len(), worths.len()), (2, 2));
    for (book, worth) in books.iter().zip(&worths) {
        assert_eq!(mdp::fraction_text(&won(book, "")), *worth);
    }
    let (parts, worths) = page(include_str!("../../../../../docs/tutorial-own-system.md"));
    let beside = |name: &str| if name == "cards.kdl" { Ok(parts[0].clone()) } else { Err("there is none".into()) };
    let (book, _) = gamebook::read_beside(&parts[1], &beside, &budget::Budget::unlimited()).unwrap();
    assert_eq!(mdp::fraction_text(&solved(&book, "")), worths[0]);
    let (parts, _) = page(include_str!("../../../../../docs/tutorial-fighting-fantasy.md"));
    let (book, _) = read(&parts[0]).unwrap();
    let best = mdp::nearest(&solved(&book, ""));
    assert!((best - 0.99994).abs() < 1e-5, "{best}");
    let mut question = Question::new(&book);
    question.situation.policy = Some(gamebook::read_policy(&book, &parts[1]).unwrap());
    let stingy = Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().decimal();
    assert!(stingy < best, "{stingy}");
}

#[test]
fn the_tutorial_of_lone_wolf_says_what_is_true() {
    let (parts, worths) = page(include_str!("../../../../../docs/tutorial-lone-wolf.md"));
    let [first, second, policy] = &parts[..] else { panic!("{} parts", parts.len()) };
    let (simple, _) = read(first).unwrap();
    let (book, _) = read(second).unwrap();
    let exact = |book: &Book| Question { exact: true, ..Question::new(book) };
    let of = |book: &Book, question: &Question| {
        Solved::new(book, question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
    };
    let (win, exact, simple) = (|question: &Question| of(&book, question), exact(&book), of(&simple, &exact(&simple)));
    let mut feverish = exact.clone();
    feverish.situation.readings = gamebook::read_readings(&book, &["fever=loses-five".into()]).unwrap();
    let mut stubborn = exact.clone();
    stubborn.situation.policy = Some(gamebook::read_policy(&book, policy).unwrap());
    let random = gamebook::Reader::Random.evaluate(&book, &exact, &ExploreOptions::default()).unwrap();
    let wins = [simple, win(&exact), win(&feverish), win(&stubborn), random.journey.win.exact.unwrap()];
    assert_eq!(wins.map(|own| mdp::fraction_text(&own)).to_vec(), worths);
    // The other name of the rules means the same.
    let (same, _) = read(&second.replace("system=", "rules=")).unwrap();
    assert_eq!(same.sections.len(), book.sections.len());
}

#[test]
fn readers_fare_as_they_play() {
    let (book, _) = read(&plain(
        "counter tries max=3",
        "section 1 { choice \"a\" { goto 2; }; choice \"b\" { death; }; choice \"c\" { goto 1; }; }\nsection 2 { victory; }",
    ))
    .unwrap();
    let question = Question { exact: true, ..Question::new(&book) };
    let fares = |name: &str| {
        let reader: gamebook::Reader = name.parse().unwrap();
        reader.evaluate(&book, &question, &ExploreOptions::default()).unwrap()
    };
    assert_eq!(fares("random").journey.win.exact, Some(ratio(1, 2)));
    assert_eq!(fares("bold").journey.win.exact, Some(ratio(1, 1)));
    // He loops for ever, and that is not won.
    assert_eq!(fares("cautious").journey.win.exact, Some(ratio(0, 1)));
}
