//! Books made of stories in ink have the odds of the running stories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use budget::Budget;
use gamebook::{Book, Question, Reader, Solved, check, read};
use import::{ImportedStory, ink};
use ink::{Report, ReportOptions, Story};
use mdp::{ExploreOptions, Rational};

/// A story that includes nothing.
pub fn ink_story(text: &str) -> Story {
    Story::compile(text, "story.ink", |file| Err(format!("there is no {file}")))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The book of a story.
pub fn ink_book(story: &Story) -> ImportedStory {
    let imported = ink(story, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(imported.todos, [], "{}", imported.text);
    imported
}

fn read_book(text: &str) -> Book {
    read(text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}")).0
}

/// The exact odds of best play and of the random reader.
fn odds(book: &Book) -> (Option<Rational>, Option<Rational>) {
    let question = Question { exact: true, ..Question::new(book) };
    let options = ExploreOptions::default();
    let best = Solved::new(book, &question, &options).expect("a small book").win();
    let random = Reader::Random.evaluate(book, &question, &options).expect("a small book");
    (best.exact, random.journey.win.exact)
}

/// How likely a reader who chooses at random comes to each section.
fn visits(book: &Book) -> BTreeMap<String, f64> {
    let fares = Reader::Random.evaluate(book, &Question::new(book), &ExploreOptions::default()).expect("a small book");
    let visits = fares.journey.sections.iter();
    visits.filter_map(|visit| Some((book.name_of(visit.section)?.to_owned(), visit.visited))).collect()
}

/// Wins and endings of a book are those of its story.
fn compare(name: &str, story: &Story) {
    let report: Report = story.report(&ReportOptions::default().with_exact(true)).expect("a small story");
    let imported = ink_book(story);
    let book = read_book(&imported.text);
    check(&book, &Budget::unlimited()).expect("it can be checked");
    assert_eq!(odds(&book), (report.value.exact, report.random_value.exact), "{name}\n{}", imported.text);
    let visits = visits(&book);
    for (ending, share) in &report.random.endings {
        let own = visits.get(&ending.name).copied().unwrap_or(0.0);
        let others = report.random.endings.iter().filter(|(other, _)| other.name == ending.name).count();
        assert!(others > 1 || (own - share.decimal()).abs() < 1e-9, "{name}: {ending:?}: {own}\n{}", imported.text);
    }
}

/// All stories of this folder that can be read.
fn stories_in(folder: &Path) -> Vec<(PathBuf, Story)> {
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "ink"));
    files.map(|path| (path.clone(), ink_story(&std::fs::read_to_string(path).expect("a text")))).collect()
}

#[test]
fn books_have_the_odds_of_their_stories() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut stories = stories_in(&here.join("tests/data"));
    stories.extend(stories_in(&here.join("../ink/tests/data")));
    assert!(stories.len() > 1);
    let published = here.join("../../../../shared/regressions/2026-11/stories");
    if published.is_dir() {
        stories.extend(stories_in(&published));
    }
    for (path, story) in stories {
        compare(&path.display().to_string(), &story);
    }
}

/// Tunnels, threads, functions, lists, sequences, shuffles and faults are part of the situation.
#[test]
fn whatever_a_story_is_made_of_it_becomes_a_book() {
    for text in [
        "LIST bag = rope, (lamp), key\n-> cave\n== cave\n~ bag += LIST_RANDOM(LIST_INVERT(bag))\n+ {bag has key} [open] -> END\n\
         + {bag hasnt key} [look] -> cave\n",
        "-> a -> b -> c\n== a\n+ [x] ->->\n+ [y] # win\n -> END\n== b\n{shuffle:\n- one\n- two\n- -> END\n}\n->->\n== c\n<- d\n<- d\n\
         -> DONE\n== d\n+ [z]\n  {f(2) == 5: -> END}\n  # ending: odd\n  -> END\n== function f(x)\n~ return x + RANDOM(1, 3)\n",
        "VAR n = 0\n~ n = RANDOM(1, 36) * RANDOM(1, 36)\n{n == 1: -> yes}\n{n < 900: -> no}\n* on -> no\n* lost\n\
         == yes\n# win\n-> END\n== no\n-> END\n",
    ] {
        compare(text, &ink_story(text));
    }
}

#[test]
fn a_goal_is_that_of_the_book() {
    let story = ink_story("VAR gold = 0\n* [dig]\n  ~ gold = RANDOM(0, 3)\n  -> END\n* [leave] -> END\n");
    let rich = story.with_goal("gold >= 2").expect("a goal");
    compare("gold", &rich);
    let notes = |story: &Story| ink_book(story).notes;
    assert!(notes(&rich).is_empty() && notes(&story)[0].contains("no end of the story is won"));
}

#[test]
fn a_story_of_too_many_situations_is_refused() {
    let story = ink_story("VAR n = 0\n-> road\n== road\n~ n = n + 1\n+ [{n}] -> road\n+ [rest] -> END\n");
    let error = ink(&story, &Budget::unlimited()).expect_err("it has no end").to_string();
    assert!(error.contains("more than 5000 situations"), "{error}");
}

/// Weave: choices within choices, gathers, choices that are taken once, or for want of others, and visits.
#[test]
fn weave_means_what_its_parts_mean() {
    let story = "VAR n = 0\n-> cave\n== cave\n* (lamp) Light the lamp\n    ~ n = n + 1\n    ** Up -> hall\n    ** Down\n        \
                 ~ n = n + 1\n    -- You look. -> hall\n* Wait\n+ {lamp} [Dig]\n    ~ n = RANDOM(0, 2)\n* -> hall\n- Later.\n\
                 {n > 2: -> hall}\n-> cave\n== hall\n{\n- n == 2 && not cave.lamp: -> END\n- else:\n    {n >= 1:\n        -> light\n    \
                 - else:\n        -> END\n    }\n}\n== light\nDay. # win\n-> END\n";
    let plain = "book \"Cave\" format=1 system=\"none\"\nstart \"cave\"\ncounter n min=0 max=9\nflags lamp waited\n\
        section \"cave\" {\n\
            if \"lamp and waited and not lamp\" { goto \"hall\"; }\n\
            choice \"Light\" { require \"not lamp\"; set lamp; n 1; goto \"lit\"; }\n\
            choice \"Wait\" { require \"not waited\"; set waited; goto \"later\"; }\n\
            choice \"Dig\" { require \"lamp\"; roll d3 as=r; set n \"r - 1\"; goto \"later\"; }\n\
        }\n\
        section \"lit\" { choice \"Up\" { goto \"hall\"; }; choice \"Down\" { n 1; goto \"hall\"; }; }\n\
        section \"later\" { if \"n > 2\" { goto \"hall\"; }; goto \"cave\"; }\n\
        section \"hall\" { if \"n = 2 and not lamp\" { death \"x\"; }; if \"n >= 1\" { victory; }; death \"x\"; }\n";
    let imported = ink_book(&ink_story(story));
    let (found, expected) = (odds(&read_book(&imported.text)), odds(&read_book(plain)));
    assert_eq!(found, expected, "{}", imported.text);
}
