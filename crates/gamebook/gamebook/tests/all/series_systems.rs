//! Books in a row whose rules are a system, against the same books written as one and an interpreter that knows nothing of
//! series, programs, reductions and the engine.

use budget::{Budget, Limits};
use gamebook::{
    Analyses, InMemory, Play, Problems, Question, ReadSeriesError, Series, SeriesQuestion, Situation, SolveBookError,
    Solved, read_series, read_values,
};
use mdp::{ExploreOptions, Rational};

use crate::random_book::read_random;
use crate::random_system::random_system_book;
use crate::series::renumbered;

fn series_of(text: &str, books: &[(&str, &str)]) -> Result<Series, ReadSeriesError> {
    let own = |name: &str| {
        let found = books.iter().find(|(own, _)| *own == name);
        found.map(|(_, text)| (*text).to_string()).ok_or_else(|| format!("there is no {name}"))
    };
    let none = |_: &str| Err("no other file".to_string());
    read_series(text, &own, &none, &Budget::unlimited()).map(|(series, _)| series)
}

/// What an interpreter says of one book.
fn interpreted(text: &str, most: usize) -> Option<Rational> {
    let (book, _) = read_random(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let situation = Situation { policy: book.default_policy().cloned(), ..Situation::default() };
    gamebook_reference::win_by_rules(&book, &situation, most).ok()
}

/// What one book is worth.
fn solved(text: &str) -> Rational {
    let (book, _) = read_random(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    let question = Question { exact: true, ..Question::new(&book) };
    Solved::new(&book, &question, &ExploreOptions::default()).unwrap().win().exact.unwrap()
}

/// What a series is worth: as one game, book by book, and in as many layers as can be.
fn value(series: &Series, analyses: Analyses, options: &ExploreOptions<'_>) -> Result<Rational, SolveBookError> {
    let question = SeriesQuestion { exact: true, analyses, ..SeriesQuestion::new(series) };
    let solved = series.solve(&question, &InMemory::default(), options)?;
    let exact = solved.win.exact.unwrap();
    let decimal = exact.to_f64().value();
    for enough in [None, Some(1)] {
        let question = SeriesQuestion { exact: false, enough, ..question.clone() };
        let staged = series.solve(&question, &InMemory::default(), options)?;
        assert!(staged.win.lower <= decimal && decimal <= staged.win.upper, "{decimal}: {:?}", staged.win);
        assert!(staged.win.width() < 1e-12, "{:?}", staged.win);
        assert!((staged.books.last().unwrap().win - decimal).abs() < 1e-12, "{:?}", staged.books);
    }
    Ok(exact)
}

const HEAD: &str = "system=\"fighting-fantasy\"
start 1
goal 9
hero { skill 5; stamina 5; luck 4; provisions 1; }
";

/// A guard with a sword and gold, a well to look into, a guide.
const FORD: &str = "counter gold max=5 start=1
container pack holds=2
item rope in=pack
item herbs in=pack
flags wet
section 1 {
    take { rope; herbs; gold 2; }
    choice \"wade\" { set wet; luck -1; goto 2; }
    choice \"pay\" { require \"gold >= 2\"; gold -2; goto 3; }
}
section 2 { fight \"Eel\" skill=4 stamina=3; if \"wet\" { stamina -1; }; goto 9; }
section 3 { test lucky { yes { goto 9; }; no { stamina -2; goto 2; }; }; }
";

const KEEP: &str = "counter gold max=5 start=4
container pack holds=2
item rope in=pack
item balm in=pack
flags has-waded
counter steps max=3 start=1
section 1 {
    if \"has-waded\" { skill -1; }
    choice \"climb\" { require \"has rope\"; steps 1; goto 2; }
    choice \"bribe\" { require \"gold >= 2\"; gold -2; goto 3; }
    choice \"storm\" { fight \"Guard\" skill=5 stamina=4; goto 3; }
}
section 2 { roll d6 as=r { when \"r + steps >= 5\" { goto 3; }; else { stamina -1; goto 3; }; }; }
section 3 {
    if \"has balm\" { choice \"rub\" { lose balm; stamina 3; }; choice \"keep\" { }; }
    if \"gold >= 1\" { test lucky { yes { goto 9; }; no { }; }; }
    fight \"Lord\" skill=6 stamina=3
    goto 9
}
";

const END: &str = "section 9 { victory; }\n";

/// The two books with what stands between them.
fn row(between: &str) -> Result<Series, ReadSeriesError> {
    let text =
        format!("series \"Row\" format=1\nbook \"ford\" {{ remember has-waded 2; }}\nbook \"keep\" {{ {between} }}\n");
    let (ford, keep) =
        (format!("book \"Ford\" format=1 {HEAD}{FORD}{END}"), format!("book \"Keep\" format=1 {HEAD}{KEEP}{END}"));
    series_of(&text, &[("ford", &ford), ("keep", &keep)])
}

/// The same as one book, where `between` is what happens between them.
fn one(between: &str) -> String {
    let head = HEAD.replace("goal 9", "goal 109");
    let both = "counter gold max=5 start=1
container pack holds=2
item rope in=pack
item herbs in=pack
item balm in=pack
flags wet has-waded
counter steps max=3\n";
    let sections = |text: &str| text[text.find("section 1 ").unwrap()..].to_string();
    let first = sections(FORD).replace("section 2 {", "section 2 { set has-waded;");
    let (second, end) = (renumbered(&sections(KEEP)), renumbered(END));
    format!("book \"One\" format=1 {head}{both}{first}section 9 {{ {between}; goto 101; }}\n{second}{end}")
}

#[test]
fn a_series_with_a_system_is_worth_what_one_book_is() {
    let options = ExploreOptions::default();
    for (between, as_one) in [
        (
            "rename herbs balm; begin { provisions 1; stamina half; }",
            "set steps 1; if \"has herbs\" { lose herbs; gain balm; }; provisions 1; stamina half",
        ),
        (
            "begin { skill.initial 1; skill full; choice \"rest\" { provisions -1; stamina full; }; choice \"go\" { }; }",
            "set steps 1; if \"has herbs\" { lose herbs; }; skill.initial 1; skill full; choice \"rest\" { provisions -1; \
          stamina full; }; choice \"go\" { }",
        ),
    ] {
        let series = row(between).unwrap_or_else(|error| panic!("{error}"));
        let expected = solved(&one(as_one));
        assert!(Rational::ZERO < expected && expected < Rational::ONE, "{expected}");
        assert_eq!(value(&series, Analyses::default(), &options).unwrap(), expected, "{between}");
    }
}

#[test]
fn a_hero_of_a_system_sets_out_again() {
    let keep = KEEP.replace("hero {", "hero { rolled gold=\"d2\"; choose 1 { rope; balm; };");
    let head = HEAD.replace("hero {", "hero { rolled skill gold=\"d2\"; choose 1 { rope; balm; };");
    let text = "series \"Row\" format=1\nbook \"ford\"\nbook \"keep\" { sets-out; }\n";
    let (ford, keep) = (format!("book \"Ford\" format=1 {HEAD}{FORD}{END}"), {
        // What is rolled stands after what it is.
        let (before, hero) = head.split_at(head.find("hero").unwrap());
        let (declared, sections) = keep.split_at(keep.find("section 1").unwrap());
        format!("book \"Keep\" format=1 {before}{declared}{hero}{sections}{END}")
    });
    let series = series_of(text, &[("ford", &ford), ("keep", &keep)]).unwrap_or_else(|error| panic!("{error}"));
    let sets_out = "set steps 1; if \"has herbs\" { lose herbs; }; roll d2 as=r { else { }; }; gold r; \
                    choice \"rope\" { require \"pack.room > 0 and not has rope\"; gain rope; }; \
                    choice \"balm\" { require \"pack.room > 0\"; gain balm; }; choice \"no\" { }";
    let one = one(sets_out).replace("section 2 { set has-waded;", "section 2 {");
    let expected = solved(&one);
    assert_eq!(value(&series, Analyses::default(), &ExploreOptions::default()).unwrap(), expected);
}

/// Random books, each played twice in a row; solved as `analyses` says of each.
fn twice_in_a_row(books: usize, analyses: &dyn Fn(usize) -> Analyses) {
    let limits = Limits { max_states: 20_000, ..Limits::default() };
    let budget = Budget::new(limits);
    let options = ExploreOptions::default().with_budget(&budget);
    let (mut compared, mut seed) = (0, 0);
    while compared < books {
        let text = random_system_book(seed);
        seed += 1;
        assert!(seed < 1_000 * books as u64, "most books are too large: {compared} compared");
        // Who goes on is asked once more where a book ends in the middle of another, and its hooks look at that.
        if ["on-enter", "on-leave", "policy"].iter().any(|word| text.contains(word)) {
            continue;
        }
        let (head, sections) = text.split_at(text.find("section 1 ").unwrap());
        let sections = sections.replace("section 6 { victory; }", "");
        let one = format!(
            "{}{}section 6 {{ goto 101; }}\n{}section 106 {{ victory; }}\n",
            head.replace("goal 6", "goal 106"),
            sections.replace("victory", "goto 6"),
            renumbered(&sections)
        );
        let expected = interpreted(&one, 800);
        let Some(expected) = expected.filter(|own| Rational::ZERO < *own && *own < Rational::ONE) else { continue };
        let row = "series \"Twice\" format=1\nbook \"it\"\nbook \"it\"\n";
        let series = series_of(row, &[("it", &text)]).unwrap_or_else(|error| panic!("{error}"));
        let Ok(found) = value(&series, analyses(compared), &options) else { continue };
        assert_eq!(found, expected, "book {}\n{text}", seed - 1);
        compared += 1;
    }
}

#[test]
fn random_books_twice_in_a_row_are_worth_what_the_interpreter_says() {
    twice_in_a_row(3, &|_| Analyses::default());
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_random_books_twice_in_a_row_are_worth_the_same_without_each_analysis() {
    let names: Vec<&str> = Analyses::NAMES.into_iter().collect();
    twice_in_a_row(2 * names.len(), &|place| Analyses::default().without(names[place % names.len()]).unwrap());
}

#[test]
fn a_hero_of_a_system_begins_anywhere_and_plays_to_the_end() {
    let series = row("begin { stamina full; }").unwrap_or_else(|error| panic!("{error}"));
    let options = ExploreOptions::default();
    let keep = &series.books[1].book;
    let values = read_values(keep.system.as_deref().unwrap(), "skill=12,rope=1,steps=3").unwrap();
    let mut question = SeriesQuestion { book: 1, exact: true, ..SeriesQuestion::new(&series) };
    question.situation.values = values;
    let found = series.solve(&question, &InMemory::default(), &options).unwrap().win.exact.unwrap();
    // The book alone, begun by the same hero.
    let alone = format!("book \"Keep\" format=1 {HEAD}{KEEP}{END}");
    let alone = alone.replace("start=1\nsection", "start=3\nsection").replace("skill 5;", "skill 12;");
    let alone = alone.replace("item rope in=pack", "item rope in=pack start=1");
    assert_eq!(found, solved(&alone));
    // The whole series played.
    let merged = series.as_one_book();
    let question = Question::new(&merged);
    let solved = series.solved(&question, &options).unwrap();
    let plays = SeriesQuestion { plays: 20_000, seed: 3, ..SeriesQuestion::new(&series) };
    let played = series.solve(&plays, &InMemory::default(), &options).unwrap();
    let win = solved.win().decimal();
    assert!((played.win.decimal() - win).abs() < 1e-9, "{win}");
    let share = f64::from(u32::try_from(played.plays_won).unwrap()) / 20_000.0;
    assert!((share - win).abs() < 4.0 * (win * (1.0 - win) / 20_000.0).sqrt(), "{share} {win}");
    let mut play = Play::with_hints(&solved, 4);
    assert_eq!((play.book(), play.win().map(|win| win.decimal())), (0, Some(win)));
    play.restart();
}

#[test]
fn what_is_wrong_with_a_series_of_systems_is_reported() {
    let other = "book \"Other\" format=1 system=\"none\"\nstart 1\nsection 1 { victory; }\n";
    let kai = "book \"Kai\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 1\nhero { combat-skill 15; endurance 25; }\nsection 1 { victory; }\n";
    let ford = format!("book \"Ford\" format=1 {HEAD}{FORD}{END}");
    let with = |declared: &str| {
        format!("book \"X\" format=1 {HEAD}{declared}\nsection 1 {{ if \"gold > 1\" {{ goto 9; }}; goto 9; }}\n{END}")
    };
    let (coins, thing) = (with("counter gold max=9"), with("stat gold max=5"));
    let read_pair = |between: &str, second: &str| {
        let text = format!("series \"Row\" format=1\nbook \"ford\"\nbook \"second\" {{ {between} }}\n");
        match series_of(&text, &[("ford", &ford), ("second", second)]) {
            Err(ReadSeriesError::Series(Problems(problems))) => problems[0].message.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(read_pair("", other), "`second` has other rules than the first book");
    assert_eq!(read_pair("", kai), "`second` has other rules than the first book");
    assert_eq!(
        read_pair("", &coins),
        "`gold` means different things in two books: `counter gold max=5 start=1` in line 5 of ford, `counter gold max=9` in line 5 of second"
    );
    assert_eq!(
        read_pair("", &thing),
        "`gold` means different things in two books: `counter gold max=5 start=1` in line 5 of ford, `stat gold max=5` in line 5 of second"
    );
    let fine = with("counter gold max=5");
    assert_eq!(read_pair("learn 1", &fine), "who has these rules learns no disciplines");
    assert_eq!(read_pair("rename herbs gold", &fine), "these are not two names of one thing");
    assert_eq!(read_pair("rename herb gold", &fine), "no hero has `herb` here");
    assert_eq!(read_pair("rename skill luck", &fine), "`skill` keeps its name");
    assert_eq!(read_pair("remember been 2", &fine), "no book knows of `been`");
    assert_eq!(read_pair("begin { goto 9; }", &fine), "the book begins in its own first section");
}
