//! Books in a row, against the same books written as one.

use std::collections::BTreeMap;
use std::sync::Mutex;

use budget::Budget;
use gamebook::{Analyses, Discipline, NoShelf, Question, Series, SeriesQuestion, Shelf, Solved, read, read_series};
use mdp::{ExploreOptions, Rational};

const DECLARED: &str = r#"
items {
    weapon sword
    weapon axe
    weapon dagger
    backpack-item meal food=#true
    backpack-item potion heals=4 when=any-time
    backpack-item rope
    backpack-item bell
    special shield combat-skill=2
    special mail endurance=4
    special key
    special ring
    container backpack holds=4
}
flags rung
counter luck max=5
"#;

const FIRST: &str = r#"
book "The Gate" format=1 rules="lone-wolf"
start 1
goal 9
hero {
    combat-skill 12
    endurance 22
    learns 5
    disciplines weaponskill=sword mindblast
    gold 4
    fixed backpack
    items axe meal=1
}
items {
    weapon sword
    weapon axe
    weapon dagger
    backpack-item meal food=#true
    backpack-item potion heals=4 when=any-time
    backpack-item bell
    special shield combat-skill=2
    special mail endurance=4
    special key
    container backpack holds=4
}
flags rung
counter luck max=5
section 1 {
    take at-most=2 { sword; bell 2; potion; shield; }
    if "has bell" { set rung; }
    pick as=r { when 0 3 { gain gold r; goto 2; }; when 4 7 { endurance -3; goto 3; }; else { goto 4; }; }
}
section 2 { fight "Guard" skill=14 endurance=16; set luck 2; goto 5; }
section 3 { shop { buy mail 3; buy key 2; buy meal 1; sell axe 2; }; goto 5; }
section 4 { eat; fight "Wolf" skill=12 endurance=10 { evade { endurance -2; goto 5; }; }; gain dagger; goto 5; }
section 5 {
    if "rung" { gain gold 1; }
    pick { when 0 7 { goto 9; }; else { give-up backpack-items 1; goto 9; }; }
}
section 9 { victory; }
"#;

const SECOND: &str = r#"
book "The Tower" format=1 rules="lone-wolf"
start 1
goal 8
hero { combat-skill 12; endurance 22; learns 6; disciplines mindblast; fixed backpack ring; }
items {
    weapon sword
    weapon axe
    backpack-item meal food=#true
    backpack-item rope
    special shield combat-skill=2
    special key
    special ring
    container backpack holds=4
}
flags climbed
section 1 {
    choice "climb" { require "has rope"; set climbed; goto 3; }
    choice "the door" { require "has key"; goto 4; }
    choice "the guard" { fight "Ogre" skill=17 endurance=20; goto 2; }
}
section 2 { give-up backpack-items 2; eat; goto 4; }
section 3 { pick { plus 1 if="discipline hunting"; when 0 2 { death "a fall"; }; else { goto 4; }; }; }
section 4 {
    if "climbed" { endurance -2; }
    choice "pay" { require "gold >= 6"; lose gold 6; goto 8; }
    choice "fight" { fight "Lord" skill=18 endurance=24; goto 8; }
}
section 8 { victory; }
"#;

const BETWEEN: &str = r#"endurance full; take at-most=1 { rope; meal; sword; }; gain gold 2;"#;

fn series_text(learn: &str) -> String {
    format!("series \"Both\" format=1\nbook \"gate\"\nbook \"tower\" {{\n    {learn}\n    begin {{ {BETWEEN} }}\n}}\n")
}

fn series(learn: &str) -> Series {
    let books = |name: &str| match name {
        "gate" => Ok(FIRST.to_string()),
        "tower" => Ok(SECOND.to_string()),
        other => Err(format!("there is no {other}")),
    };
    let none = |_: &str| Err("no other file".to_string());
    match read_series(&series_text(learn), &books, &none, &Budget::unlimited()) {
        Ok((series, _)) => series,
        Err(error) => panic!("{error}"),
    }
}

/// Both books in one, whose hero has learned `disciplines` from the beginning.
fn together() -> String {
    let head = FIRST.split("items {\n    weapon").next().unwrap();
    let sections = |text: &str| text[text.find("section 1 ").unwrap()..].to_string();
    let first = sections(FIRST).replace("section 9 { victory; }", &format!("section 9 {{ {BETWEEN} goto 101; }}"));
    // A second part: its sections have numbers from 101 on, its flag is another one.
    let mut second = sections(SECOND);
    for number in [1, 2, 3, 4, 8] {
        second = second
            .replace(&format!("section {number} "), &format!("section 10{number} "))
            .replace(&format!("goto {number};"), &format!("goto 10{number};"));
    }
    let declared = DECLARED.replace("flags rung", "flags rung climbed");
    let arrival = first.replace(BETWEEN, &format!("gain ring; {BETWEEN}"));
    format!("{}{declared}{arrival}{second}", head.replace("goal 9", "goal 108"))
}

fn exact(series: &Series, analyses: Analyses) -> Rational {
    let question = SeriesQuestion { exact: true, analyses, ..SeriesQuestion::new(series) };
    let solved = series.solve(&question, &NoShelf, &ExploreOptions::default()).unwrap();
    let exact = solved.win.exact.unwrap();
    let staged =
        series.solve(&SeriesQuestion { exact: false, ..question }, &NoShelf, &ExploreOptions::default()).unwrap();
    let decimal = exact.to_f64().value();
    assert!(staged.win.lower <= decimal && decimal <= staged.win.upper, "{decimal}: {:?}", staged.win);
    assert!(staged.win.width() < 1e-12, "{:?}", staged.win);
    assert!((staged.books.last().unwrap().win - decimal).abs() < 1e-12, "{:?}", staged.books);
    exact
}

#[test]
fn a_series_is_worth_what_one_book_is() {
    let (book, _) = read(&together()).unwrap_or_else(|problems| panic!("{problems}"));
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    let whole = solved.win().exact.unwrap();
    let series = series("");
    assert_eq!(exact(&series, Analyses::default()), whole);
    for name in Analyses::NAMES {
        let analyses = Analyses::default().without(name).unwrap();
        assert_eq!(exact(&series, analyses), whole, "without {name}");
    }
}
