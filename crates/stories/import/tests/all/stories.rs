//! Stories of others: the same story means the same in every language, and hostile ones are refused.

use std::time::{Duration, Instant};

use budget::Budget;
use gamebook::{Book, Question, Reader, Solved, check, read};
use import::twee;
use mdp::{ExploreOptions, Rational};

use crate::ink_books::{ink_book, ink_story};

/// The exact odds of best play and of the random reader.
fn odds(book: &Book) -> (Option<Rational>, Option<Rational>) {
    let question = Question { exact: true, ..Question::new(book) };
    let options = ExploreOptions::default();
    let best = Solved::new(book, &question, &options).unwrap().win();
    (best.exact, Reader::Random.evaluate(book, &question, &options).unwrap().journey.win.exact)
}

fn book(text: &str) -> Book {
    match read(text) {
        Ok((book, _)) => book,
        Err(problems) => panic!("{problems:#?}\n{text}"),
    }
}

#[test]
fn one_story_in_four_languages() {
    let expected = odds(&book(include_str!("../data/mill.kdl")));
    assert!(expected.1 > Some(Rational::ZERO) && expected.1 < Some(Rational::ONE), "{expected:?}");
    let in_twee = |text: &str| twee(text.as_bytes(), &[], &Budget::unlimited()).unwrap();
    let stories = [
        ("Harlowe", in_twee(include_str!("../data/mill-harlowe.twee"))),
        ("SugarCube", in_twee(include_str!("../data/mill-sugarcube.twee"))),
        ("ink", ink_book(&ink_story(include_str!("../data/mill.ink")))),
    ];
    for (name, imported) in stories {
        assert_eq!(imported.title, "The mill");
        assert_eq!(imported.todos, [], "{name}\n{}", imported.text);
        let book = book(&imported.text);
        assert!(book.sections.values().any(|section| section.text.contains("mill on the road")), "{}", imported.text);
        assert_eq!(odds(&book), expected, "{name}\n{}", imported.text);
    }
}

/// An exported book is imported again without changes, as far as the format can express it.
#[test]
fn books_go_to_twee_and_back() {
    let texts = [
        include_str!("../data/mill.kdl").to_string(),
        "book \"Back\" format=1 rules=\"lone-wolf\"\nstart 1\ngoal 9\nflags seen\ncounter tries max=3\n\
         hero { combat-skill 15; endurance 20; gold 5; disciplines hunting; }\n\
         section 1 { text \"[[a]] <<b>> $c\"; choice \"in\" { lose gold 2; set tries \"tries + 1\"; choice \"left\" { goto 2; }; \
         choice \"right\" { require \"gold >= 1\"; set seen; goto 3; }; }; choice \"out\" { endurance -8; goto 2; }; }\n\
         section 2 { pick as=r { plus 2 if=\"discipline hunting\"; when 0 3 { gain gold 1; }; when 4 8 { endurance -9; }; else { goto 9; }; }; \
         if \"r > 1 and tries < 3\" { goto 1; }; goto 3; }\n\
         section 3 { if \"seen\" { pick { when 0 4 { goto 9; }; else { death \"x\"; }; }; }; death \"y\"; }\nsection 9 { victory; }\n"
            .to_string(),
    ];
    for text in texts {
        let own = book(&text);
        let twee = own.twee();
        assert_eq!(twee.in_words, [], "{}", twee.text);
        let imported = import::twee(twee.text.as_bytes(), &[], &Budget::unlimited()).unwrap();
        assert_eq!(imported.todos, [], "{}\n{}", twee.text, imported.text);
        assert_eq!(odds(&book(&imported.text)), odds(&own), "{}\n{}", twee.text, imported.text);
    }
}

#[test]
fn what_is_not_plain_is_to_do_with_its_place() {
    let story = ":: StoryData\n{\"format\": \"Harlowe\"}\n:: Start\n[[on->End]]\n(enchant: ?red, (color: red))\n[[x->Nowhere]]\n\n(set: $a to (ds: 1))\n:: End\nbye\n";
    let imported = twee(story.as_bytes(), &["End".into()], &Budget::unlimited()).unwrap();
    let lines: Vec<usize> = imported.todos.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [5, 8, 6], "{:?}", imported.todos);
    let book = book(&imported.text);
    let warnings = read(&imported.text).unwrap().1;
    assert!(warnings.iter().filter(|own| own.message.starts_with("to do: line ")).count() >= 3, "{warnings:?}");
    assert_eq!(odds(&book).0, Some(Rational::ONE));
}

#[test]
fn variables_are_kept_within_bounds_with_a_note() {
    let story =
        ":: Start\n(set: $n to it + 1)(set: $m to $n)[[again->Start]](if: $n > 20)[ [[out->End]] ]\n:: End [win]\n";
    let imported = twee(story.as_bytes(), &[], &Budget::unlimited()).unwrap();
    assert!(imported.notes.iter().any(|own| own.contains("`n` may have no bounds")), "{:?}", imported.notes);
    let read = book(&imported.text);
    assert_eq!(read.draft.assumed, 2, "{}", imported.text);
    assert_eq!(odds(&read).0, Some(Rational::ONE));
}

/// Beyond all that it is compared with, a number that only grows makes no difference.
#[test]
fn variables_that_only_grow_are_kept_within_what_is_asked_of_them() {
    let story = ":: Start\n(set: $n to it + 2)[[again->Start]](if: $n > 20)[ [[out->End]] ]\n:: End [win]\n";
    let imported = twee(story.as_bytes(), &[], &Budget::unlimited()).unwrap();
    assert!(imported.bounded.is_empty(), "{:?}", imported.notes);
    assert!(imported.text.contains("counter n min=0 max=21"), "{}", imported.text);
    assert_eq!(odds(&book(&imported.text)).0, Some(Rational::ONE));
}

fn many(part: &str, times: usize) -> String {
    part.repeat(times)
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_hostile_passages() {
    let passage = |text: String| format!(":: Start\n{text}\n");
    let texts = [
        String::new(),
        many("x", 1 << 20),
        many(":", 1 << 20),
        many(":: a\n", 1 << 20),
        (0..20_000).map(|number| format!(":: a{number}\n")).collect::<Vec<_>>().concat(),
        passage(many("[", 1 << 20)),
        passage(many("[[", 400_000)),
        passage(many("[[a", 300_000)),
        passage(many("(if: 1)[", 100_000)),
        passage(many("(a:", 300_000)),
        passage(many("(", 1 << 20)),
        passage(many("<<a", 300_000)),
        passage(many("(link:'", 100_000)),
        passage(many("<<", 500_000)),
        passage(many("<<if 1>>", 100_000)),
        passage(many("<<link \"a\">>", 50_000)),
        passage(many("<</if>>", 100_000)),
        passage(many("[[a]]", 200_000)),
        passage(many("<<if $a>><<goto \"a\">><</if>>", 20_000)),
        passage(many("<<if $a>><<if $a>><<goto \"a\">><</if>><<else>>", 60) + &many("<<set $a to 1>>", 10_000)),
        passage(many("<<for _i range 200>><<set $a to 1>><</for>>", 20_000)),
        passage((0..5_000).map(|number| format!("<<set $a to [{number}]>>")).collect::<Vec<_>>().concat()),
        passage(
            (0..9_000)
                .map(|number| format!("<<set $a{number} to 1>><<if $b>>[[a]]<</if>>"))
                .collect::<Vec<_>>()
                .concat(),
        ),
        format!(":: W [widget]\n<<widget \"w\">><<w>><<w>><</widget>>\n{}", passage("<<w>>".into())),
        format!(":: PassageHeader\n{}\n{}", many("[[a]]", 10_000), many(":: a\n", 9_000)),
        format!(":: Start\n{}\n:: a\n{}", many("<<include \"a\">>", 10_000), many("<<include \"Start\">>", 10_000)),
        format!("<tw-storydata name=\"a\" startnode=\"1\">{}", many("<tw-passagedata name=\"a\">", 20_000)),
        passage(many("<!--", 200_000)),
        passage(format!("(set: $a to {})", many("(", 2_000))),
        passage(format!("(set: $a to {}1)", many("not ", 900))),
        many(&format!(":: a\n{}\n", many("<<a>>", 100_000)), 8),
        format!(":: StoryData\n{}\n:: Start\n", many("[", 100_000)),
        many("x", 17 << 20),
    ];
    for text in &texts {
        let begun = Instant::now();
        if let Ok(imported) = twee(text.as_bytes(), &[], &Budget::unlimited()) {
            // What was read can be checked.
            if let Ok((book, _)) = read(&imported.text) {
                check(&book, &Budget::unlimited()).unwrap();
            }
        }
        let taken = begun.elapsed();
        let begins: String = text.chars().take(40).collect();
        assert!(taken < Duration::from_mins(1), "{taken:?}: {begins:?}");
        if taken > Duration::from_secs(1) {
            println!("{taken:?}: {begins:?}");
        }
    }
    for bytes in [&b":: Start\n\xff\xfe"[..], b"\xff\xfe:\0:\0"] {
        assert!(twee(bytes, &[], &Budget::unlimited()).unwrap_err().to_string().contains("not UTF-8"));
    }
}
