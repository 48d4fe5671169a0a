//! What things mean in a row of books: what nothing takes, what keeps what it does, what has another name, and what two
//! books cannot both mean.

use budget::{Budget, Limits};
use gamebook::{
    HeroError, InMemory, Problem, ReadSeriesError, Series, SeriesQuestion, Severity, SolveBookError, read, read_series,
};
use mdp::{ExploreOptions, Rational};

use crate::dice::Dice;

/// A book in which section 1 says this.
fn book(items: &str, section: &str) -> String {
    format!(
        "book \"B\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\n\
         hero {{ combat-skill 15; endurance 25; learns 5; fixed backpack; }}\n\
         items {{\ncontainer backpack\n{items}\n}}\nsection 1 {{ {section} goto 9; }}\nsection 9 {{ victory; }}\n"
    )
}

/// One that is soon over.
const BRIEF: &str = "fight \"Rat\" skill=15 endurance=7;";

const FIGHT: &str = "fight \"Giak\" skill=18 endurance=30;";

/// A series of such books: what stands in the braces of each, what it declares, and what happens.
fn read_row(books: &[(&str, &str, &str)]) -> Result<(Series, Vec<Problem>), ReadSeriesError> {
    let texts: Vec<String> = books.iter().map(|(_, items, section)| book(items, section)).collect();
    read_texts(&books.iter().zip(&texts).map(|((between, ..), text)| (*between, &text[..])).collect::<Vec<_>>())
}

fn read_texts(books: &[(&str, &str)]) -> Result<(Series, Vec<Problem>), ReadSeriesError> {
    let line = |(place, (between, _)): (usize, &(&str, &str))| match between {
        &"" => format!("book \"{place}.kdl\"\n"),
        between => format!("book \"{place}.kdl\" {{\n{between}\n}}\n"),
    };
    let lines: String = books.iter().enumerate().map(line).collect();
    let text = |name: &str| {
        let place: usize = name.trim_end_matches(".kdl").parse().map_err(|_| "no number")?;
        Ok(books[place].1.to_string())
    };
    let none = |_: &str| Err("no other file".to_string());
    read_series(&format!("series \"Row\" format=1\n{lines}"), &text, &none, &Budget::unlimited())
}

fn row(books: &[(&str, &str, &str)]) -> Series {
    read_row(books).unwrap_or_else(|error| panic!("{error}")).0
}

fn solved(series: &Series, question: &SeriesQuestion) -> Result<Rational, SolveBookError> {
    let limits = Limits { max_states: 100_000, ..Limits::default() };
    let budget = Budget::new(limits);
    let options = ExploreOptions::default().with_budget(&budget).with_threads(1);
    series.solve(question, &InMemory::default(), &options).map(|solved| solved.win.exact.unwrap())
}

/// What a series is worth, which the interpreter says as well.
fn value(series: &Series) -> Rational {
    let question = SeriesQuestion { exact: true, ..SeriesQuestion::new(series) };
    let found = solved(series, &question).unwrap();
    let reference = gamebook_reference::win_series(series, &question.hero, 200_000).unwrap();
    assert_eq!(found, reference);
    found
}

/// What one book alone is worth.
fn alone(items: &str, section: &str) -> Rational {
    let (book, _) = read(&book(items, section)).unwrap_or_else(|problems| panic!("{problems}"));
    gamebook_reference::win(&book, &book.hero, 200_000).unwrap()
}

#[test]
fn nothing_takes_what_is_permanent() {
    let scarred = alone("permanent scar combat-skill=-3", &format!("gain scar; {FIGHT}"));
    let (scar, gain) = ("permanent scar combat-skill=-3\nspecial ring", "gain scar;");
    let robbed = format!("lose-all weapons backpack-items special gold container; {FIGHT}");
    // Whether the book in which he is robbed knows it or not, and in one book.
    assert_eq!(value(&row(&[("", scar, gain), ("", "", &robbed)])), scarred);
    assert_eq!(value(&row(&[("", scar, gain), ("", "special helm", ""), ("", scar, &robbed)])), scarred);
    assert_eq!(alone(scar, &format!("{gain} {robbed}")), scarred);
    assert_eq!(value(&row(&[("", scar, gain), ("begin { lose-all special container; }", "", FIGHT)])), scarred);
    // A thing that adds as much is taken, and so is a wound that the book names.
    let whole = alone("", FIGHT);
    assert_ne!(whole, scarred);
    assert_eq!(value(&row(&[("", "special scar combat-skill=-3", gain), ("", "", &robbed)])), whole);
    assert_eq!(value(&row(&[("", scar, gain), ("", scar, &format!("lose scar; {FIGHT}"))])), whole);
    // It can add to ENDURANCE as well.
    let hale = "permanent blessing endurance=6";
    assert_eq!(
        value(&row(&[("", hale, "gain blessing;"), ("", "", &robbed)])),
        alone(hale, &format!("gain blessing; {FIGHT}"))
    );
}

#[test]
fn what_would_take_something_permanent_is_reported() {
    let scar = "permanent scar combat-skill=-3\nweapon sword";
    let wrong = |section: &str| read(&book(scar, section)).expect_err(section).to_string();
    assert!(wrong("lose-all permanent;").contains("what is permanent is not taken with all of its kind"));
    assert!(wrong("give-up permanent 1;").contains("what is permanent is not taken with all of its kind"));
    assert!(wrong("shop { sell scar 3; };").contains("nothing takes what is permanent"));
    let (_, problems) = read(&book(scar, "gain scar; lose-all special except=\"scar\"; if \"has scar\" { };")).unwrap();
    assert!(problems.iter().any(|own| own.message == "nothing takes `scar`: it is permanent"), "{problems:?}");
    // Every hero of the book has it, and none has lost it.
    let fixed = book(scar, FIGHT).replace("fixed backpack", "fixed backpack scar");
    let (book, _) = read(&fixed).unwrap();
    let mut hero = book.hero.clone();
    hero.lost = vec![book.item("scar").unwrap()];
    assert_eq!(hero.check(&book), Err(HeroError::Permanent { name: "scar".into() }));
}

#[test]
fn memories_are_not_robbed() {
    let asks = "lose-all special; if \"has been-there\" { goto 9; }; death \"forgotten\";";
    let first = "choice { goto 2; }; choice { };";
    for kind in ["special", "permanent"] {
        let items = format!("{kind} been-there");
        let text = book("", first).replace("section 9", "section 2 { goto 9; }\nsection 9");
        let second = book(&items, asks).replace(" goto 9; }\nsection 9", " }\nsection 9");
        let robber = book("special ring", "lose-all special;");
        let been = |remember| {
            let books = [(remember, &text[..]), ("", &robber[..]), ("", &second[..])];
            value(&read_texts(&books).unwrap_or_else(|error| panic!("{error}")).0)
        };
        assert_eq!(been("remember been-there 2"), Rational::ONE);
        // By the end of the book, too: everyone has been there.
        assert_eq!(been("remember been-there 9"), Rational::ONE);
        let never = text.replace("choice { goto 2; }; ", "");
        let (series, _) = read_texts(&[("remember been-there 2", &never), ("", &second)]).unwrap();
        assert_eq!(value(&series), Rational::ZERO);
    }
}

/// A book that does not know a thing leaves it as it is; one that knows it declares it alike.
#[test]
fn a_thing_keeps_what_it_does() {
    let things = [
        ("backpack-item alether strengthens=4", "alether"),
        ("backpack-item draught heals=6 when=any-time", "draught"),
        ("weapon bone-blade special=#true bonus=1", "bone-blade"),
        ("weapon mace bonus=-2", "mace"),
        ("special helm combat-skill=2", "helm"),
        ("special waistcoat endurance=3", "waistcoat"),
        ("backpack-item tent places=3", "tent"),
        ("backpack-item bread food=#true", "bread"),
    ];
    for (thing, name) in things {
        let section =
            format!("if \"backpack-room < 7\" {{ endurance -4; }}; endurance -3; eat hunting=#false; {FIGHT}");
        let expected = alone(thing, &format!("gain {name}; {section}"));
        let first = format!("gain {name};");
        assert_eq!(value(&row(&[("", thing, &first), ("", "", &section)])), expected, "{thing}");
        assert_eq!(value(&row(&[("", thing, &first), ("", "", ""), ("", thing, &section)])), expected, "{thing}");
    }
}

/// Declarations of which each means something else by its name than the one before.
const OTHERS: [[&str; 2]; 17] = [
    ["weapon thing", "weapon thing bonus=1"],
    ["weapon thing", "weapon thing special=#true"],
    ["weapon thing", "weapon thing doubles-undead=#true"],
    ["weapon thing", "weapon thing { as sword; }"],
    ["weapon thing special=#true", "special thing"],
    ["weapon thing", "backpack-item thing"],
    ["backpack-item thing strengthens=4", "backpack-item thing strengthens=2"],
    ["backpack-item thing heals=4", "backpack-item thing heals=5"],
    ["backpack-item thing heals=4", "backpack-item thing heals=4 when=any-time"],
    ["backpack-item thing", "backpack-item thing food=#true"],
    ["backpack-item thing", "backpack-item thing places=2"],
    ["backpack-item thing", "backpack-item thing most=1"],
    ["backpack-item thing", "special thing"],
    ["special thing", "special thing combat-skill=2"],
    ["special thing", "special thing endurance=2"],
    ["special thing", "permanent thing"],
    ["permanent thing combat-skill=-1", "permanent thing combat-skill=-2"],
];

#[test]
fn what_two_books_mean_by_one_name_is_an_error_with_both_lines() {
    const SWORD: &str = "weapon sword\n";
    let with = |thing: &str| format!("{SWORD}{thing}");
    let message = |books: &[(&str, &str, &str)]| match read_row(books) {
        Err(ReadSeriesError::Series(problems)) => problems.0[0].message.clone(),
        other => panic!("{other:?}"),
    };
    for [one, other] in OTHERS {
        for (first, second) in [(one, other), (other, one)] {
            let (own, later) = (with(first), with(second));
            let expected = |book: usize| {
                format!(
                    "`thing` means different things in two books: `{first}` in line 8 of 0.kdl, `{second}` in line 8 of {book}.kdl"
                )
            };
            assert_eq!(message(&[("", &own, "gain thing;"), ("", &later, "")]), expected(1));
            // Through a book that does not know it.
            assert_eq!(message(&[("", &own, "take { thing; };"), ("", SWORD, ""), ("", &later, "")]), expected(2));
            // Nobody has it in the first book: then it is no error, but for who says that he begins with it.
            let (series, problems) = read_row(&[("", &own, ""), ("", &later, "")]).unwrap();
            assert!(problems.iter().any(|own| own.severity == Severity::Warning && own.message == expected(1)));
            let mut question = SeriesQuestion { exact: true, ..SeriesQuestion::new(&series) };
            question.hero.items.push((series.books[0].book.item("thing").unwrap(), 1));
            assert_eq!(
                solved(&series, &question).unwrap_err().to_string(),
                "thing is another thing in 1.kdl: he cannot bring it along"
            );
        }
        // Each is equal to itself, in another order as well.
        row(&[("", &with(one), "gain thing;"), ("", &with(one), "")]);
    }
    let flag = book("", "").replace("section 1", "flags thing\nsection 1");
    let first = book("backpack-item thing strengthens=2", "gain thing;");
    let Err(error) = read_texts(&[("", &first), ("", &flag)]) else { panic!("a flag") };
    assert!(error.to_string().contains("`flags thing` in line 9 of 1.kdl"), "{error}");
    let counter = flag.replace("flags thing", "counter thing max=3");
    let Err(error) = read_texts(&[("", &first), ("", &counter)]) else { panic!("a counter") };
    assert!(error.to_string().contains("`counter thing max=3` in line 9 of 1.kdl"), "{error}");
    let larger = book("", "").replace("container backpack", "container backpack holds=9");
    let Err(error) = read_texts(&[("", &book("", "")), ("", &larger)]) else { panic!("larger") };
    assert!(error.to_string().contains("`container backpack holds=9` in line 6 of 1.kdl"), "{error}");
}

/// Which flag of its book a thing clears is for each book to say.
#[test]
fn a_later_book_can_say_what_a_thing_cures() {
    let poison = "flags ill\non-enter { if \"ill\" { endurance -20; }; }\nsection 1";
    let second = |items: &str| {
        book(items, "set ill; goto 2;")
            .replace(" goto 9; }", " }")
            .replace("section 1", poison)
            .replace("section 9", "section 2 { goto 3; }\nsection 3 { goto 9; }\nsection 9")
    };
    let (plain, cures) =
        ("backpack-item balm heals=4 when=any-time", "backpack-item balm heals=4 when=any-time cures=ill");
    let first = book(plain, "gain balm;");
    let win = |text: &str| value(&read_texts(&[("", &first), ("", text)]).unwrap_or_else(|error| panic!("{error}")).0);
    assert_eq!((win(&second(plain)), win(&second(cures))), (Rational::ZERO, Rational::ONE));
}

#[test]
fn another_name_makes_another_thing_of_it() {
    let (strong, weak) = ("backpack-item alether strengthens=4", "backpack-item alether strengthens=2");
    let own = |thing: &str| alone(thing, &format!("gain alether; {FIGHT}"));
    let first = [("", strong, "gain alether;")];
    // The later book has one of that name that does less, and another name for the strong one; or the other way round.
    let two = format!("{weak}\nbackpack-item distilled strengthens=4");
    let kept = row(&[first[0], ("rename alether distilled", &two, FIGHT)]);
    assert_eq!(value(&kept), own(strong));
    let less = row(&[first[0], ("rename alether weak", "backpack-item weak strengthens=2", FIGHT)]);
    assert_eq!(value(&less), own(weak));
    // What it means in that book goes on into the next one.
    let third = row(&[first[0], ("rename alether distilled", &two, "gain alether;"), ("", weak, FIGHT)]);
    assert!(value(&third) >= own(strong));
    let clash = read_row(&[first[0], ("rename alether distilled", &two, "gain alether;"), ("", strong, FIGHT)]);
    assert!(clash.is_err());
    // One after the other: what is called `a` is a `b`, and what was called so is a `c`.
    let three = "backpack-item a\nbackpack-item b\nbackpack-item c";
    let chain = "rename a b\nrename b c";
    for rename in [chain, "rename b c\nrename a b"] {
        let asks = "if \"a = 0 and b = 3 and c = 2\" { goto 9; }; death \"mixed up\";";
        let last = book(three, asks).replace(" goto 9; }\nsection 9", " }\nsection 9");
        let text = book(three, "gain a 3; gain b 2;");
        let (series, _) = read_texts(&[("", &text), (rename, &last)]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(value(&series), Rational::ONE, "{rename}");
    }
    for (rename, message) in [
        ("rename a b\nrename b a", "names are exchanged"),
        ("rename a b\nrename b c\nrename c a", "names are exchanged"),
        ("rename a b\nrename a c", "one thing gets two names"),
    ] {
        let error = read_row(&[("", three, "gain a;"), (rename, three, "")]).expect_err(rename).to_string();
        assert!(error.contains(message), "{error}");
    }
    // A larger backpack.
    let larger = book("", "if \"backpack-room = 9\" { goto 9; }; death;")
        .replace("container backpack", "container sack holds=9")
        .replace("fixed backpack;", "")
        .replace(" goto 9; }\nsection 9", " }\nsection 9");
    let (series, _) = read_texts(&[("", &book("", "")), ("rename backpack sack", &larger)]).unwrap();
    assert_eq!(value(&series), Rational::ONE);
}

/// Things that random books declare, each as it is.
const THINGS: [&str; 12] = [
    "weapon axe",
    "weapon blade special=#true bonus=2",
    "backpack-item meal food=#true",
    "backpack-item balm heals=4 when=any-time",
    "backpack-item tonic strengthens=3",
    "backpack-item rope",
    "backpack-item tent places=3",
    "special shield combat-skill=2",
    "special mail endurance=3",
    "special key",
    "permanent scar combat-skill=-2",
    "permanent brand",
];

fn name_of(thing: &str) -> &str {
    thing.split(' ').nth(1).unwrap_or_default()
}

/// A book of a random series that declares these.
fn random_book(dice: &mut Dice, things: &[&str]) -> String {
    let one = |dice: &mut Dice| name_of(dice.one_of(things)).to_string();
    let part = |dice: &mut Dice| match dice.below(10) {
        0..3 => format!("gain {};", one(dice)),
        3 => format!("lose {};", one(dice)),
        4 => format!(
            "lose-all {};",
            dice.one_of(&["special", "backpack-items", "weapons special", "container", "special gold"])
        ),
        5 => format!("give-up {} 1 by=chance;", dice.one_of(&["backpack-items", "weapons"])),
        6 => format!("take {{ {}; {}; }};", one(dice), one(dice)),
        7 => format!("fight \"foe\" skill={} endurance={};", 11 + dice.below(8), 1 + dice.below(6)),
        8 => format!("endurance {};", dice.one_of(&["-3", "-1", "full", "2"])),
        _ => format!("if \"has {}\" {{ gain gold 2; }};", one(dice)),
    };
    let mut sections = String::new();
    for section in 1..=3 {
        let body: String = (0..=dice.below(3)).map(|_| part(dice)).collect();
        let on = section + 1;
        let way = match dice.below(3) {
            0 => format!("choice {{ goto {on}; }}; choice {{ require \"has {}\"; goto 4; }};", one(dice)),
            1 => {
                format!("pick {{ plus 3 if=\"discipline hunting\"; when 0 6 {{ goto {on}; }}; else {{ goto 4; }}; }};")
            }
            _ => format!("goto {on};"),
        };
        sections.extend([format!("section {section} {{ {body} {way} }}\n")]);
    }
    let asks = [one(dice), one(dice)];
    sections.extend([format!(
        "section 4 {{ if \"has {} and not has {}\" {{ pick {{ when 0 6 {{ goto 9; }}; else {{ death; }}; }}; }}; {BRIEF} goto 9; }}\nsection 9 {{ victory; }}\n",
        asks[0], asks[1]
    )]);
    let fixed = if dice.below(2) == 0 { one(dice) } else { String::new() };
    format!(
        "book \"R\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nhero {{ combat-skill 15; endurance 20; learns 5; \
         disciplines hunting; gold 3; fixed backpack {fixed}; }}\nitems {{\ncontainer backpack holds=4\n{}\n}}\n{sections}",
        things.join("\n")
    )
}

/// What stands between two random books.
fn random_between(dice: &mut Dice, before: &[&str], things: &[&str], is_first: bool) -> String {
    let mut between = String::new();
    if dice.below(3) == 0 {
        let brand = things.contains(&"permanent brand");
        between.push_str(if brand { "remember brand 2 3\n" } else { "" });
    }
    if is_first {
        return between;
    }
    if dice.below(3) == 0 {
        between.push_str(dice.one_of(&["learn 1\n", "learn mindblast\n"]));
    }
    let kind = |thing: &str| thing.split(' ').next().unwrap_or_default().to_string();
    let plain = |thing: &&&str| !thing.contains("special=");
    let (old, new) = (before[dice.place(before.len())], things[dice.place(things.len())]);
    if old != new && kind(old) == kind(new) && [&old, &new].iter().all(plain) {
        between.extend([format!("rename {} {}\n", name_of(old), name_of(new))]);
    }
    let name = name_of(things[dice.place(things.len())]);
    match dice.below(4) {
        0 => between.push_str("begin { endurance full; gain gold 2; }\n"),
        1 => between.extend([format!("begin {{ gain {name}; lose-all special; }}\n")]),
        2 => between.extend([format!("begin {{ take {{ {name}; }}; endurance -2; }}\n")]),
        _ => {}
    }
    between
}

fn random_series_compared(seeds: std::ops::Range<u64>) {
    let (mut compared, mut proper) = (0, 0);
    for seed in seeds.clone() {
        let mut dice = Dice::seeded(seed);
        let (mut books, mut before): (Vec<(String, String)>, Vec<&str>) = (Vec::new(), Vec::new());
        for place in 0..2 + dice.below(2) {
            let mut things: Vec<&str> = THINGS.iter().copied().filter(|_| dice.below(2) == 0).collect();
            if things.is_empty() {
                things.push(THINGS[0]);
            }
            let between = random_between(&mut dice, &before, &things, place == 0);
            books.push((between, random_book(&mut dice, &things)));
            before = things;
        }
        let borrowed: Vec<(&str, &str)> = books.iter().map(|(between, text)| (&between[..], &text[..])).collect();
        let text = || borrowed.iter().flat_map(|(between, text)| [*between, *text]).collect::<String>();
        let (series, _) = read_texts(&borrowed).unwrap_or_else(|error| panic!("series {seed}: {error}\n{}", text()));
        let question = SeriesQuestion { exact: true, ..SeriesQuestion::new(&series) };
        let Ok(found) = solved(&series, &question) else { continue };
        let Ok(reference) = gamebook_reference::win_series(&series, &question.hero, 40_000) else { continue };
        assert_eq!(found, reference, "series {seed}\n{}", text());
        compared += 1;
        proper += u64::from(found > Rational::ZERO && found < Rational::ONE);
    }
    println!("{compared} series of {seeds:?} compared, {proper} with a value between 0 and 1");
    assert!(proper * 2 > seeds.end - seeds.start, "{compared} compared, {proper} with a value between 0 and 1");
}

#[test]
fn random_series_are_worth_what_an_interpreter_says() {
    random_series_compared(0..24);
}

#[test]
#[ignore = "takes minutes: see CONTRIBUTING.md"]
fn many_random_series_are_worth_what_an_interpreter_says() {
    random_series_compared(24..1000);
}
