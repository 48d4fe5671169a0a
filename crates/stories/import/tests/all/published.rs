//! The 29 published books, where they lie beside the project.

use std::path::{Path, PathBuf};

use budget::Budget;
use import::{Extras, Prose, project_aon};

/// The published files; none where they are not at hand, and then the test says so.
fn files(test: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/lone-wolf/project-aon-xml");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "xml"))
        .collect();
    found.sort();
    if found.is_empty() {
        eprintln!("SKIPPED {test}: the published books are not beside the project (../shared/lone-wolf)");
    }
    found
}

#[test]
#[ignore = "takes minutes"]
fn every_published_book_is_read_and_its_import_is_a_book() {
    for path in files("every_published_book_is_read_and_its_import_is_a_book") {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.display();
        let book = project_aon(&bytes, &Extras::default(), &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let summary = &book.summary;
        println!(
            "{:32} {} sections, {} choices, {} fights, {} picks; {} to look at",
            book.title,
            summary.sections,
            summary.choices,
            summary.fights,
            summary.picks,
            summary.open_sections().len()
        );
        assert!(summary.sections >= 200, "{name}: {} sections", summary.sections);
        if let Err(problems) = gamebook::read(&book.text) {
            panic!("{name}: {problems}");
        }
        assert!(Prose::new(&bytes).unwrap().section(1).is_some_and(|lines| !lines.is_empty()), "{name}");
    }
}

/// What is written keeps no more than a few words of the text in a row.
#[test]
fn an_import_quotes_no_more_than_eight_words() {
    for path in files("an_import_quotes_no_more_than_eight_words").into_iter().take(2) {
        let bytes = std::fs::read(&path).unwrap();
        let book = project_aon(&bytes, &Extras::default(), &Budget::unlimited()).unwrap();
        for line in book.text.lines() {
            for quoted in line.split('"').skip(1).step_by(2) {
                // Which test it is stands before the words of the text, in labels of our own.
                let label = quoted.find("a test of ").and_then(|label| Some(label + quoted[label..].find(": ")?));
                let words = quoted[label.unwrap_or(0)..].split_whitespace().count();
                assert!(words <= 8 + 5, "{line}");
            }
        }
    }
}

#[test]
fn the_first_five_books_with_their_mechanics_are_books() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/lone-wolf/kai-chronicles");
    let books = files("the_first_five_books_with_their_mechanics_are_books");
    let objects = std::fs::read(folder.join("objects.xml")).unwrap_or_default();
    for (number, path) in (1..=5).zip(books) {
        let Ok(mechanics) = std::fs::read(folder.join(format!("mechanics-{number}.xml"))) else {
            eprintln!("SKIPPED the_first_five_books_with_their_mechanics_are_books: no mechanics of book {number}");
            continue;
        };
        let extras = Extras { mechanics: Some(&mechanics), objects: Some(&objects), patch: None };
        let bytes = std::fs::read(&path).unwrap();
        let book =
            project_aon(&bytes, &extras, &Budget::unlimited()).unwrap_or_else(|error| panic!("{number}: {error}"));
        println!("{:32} {:?}", book.title, book.summary.todos);
        assert!(book.summary.open_sections().len() < 60, "{number}: {:?}", book.summary.todos);
    }
}

/// What is left to do in the later books is little, and they are books.
#[test]
fn later_books_with_their_mechanics_leave_little_to_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/lone-wolf/kai-chronicles");
    let books = files("later_books_with_their_mechanics_leave_little_to_do");
    let objects = std::fs::read(folder.join("objects.xml")).unwrap_or_default();
    let (mut magnakai, mut all) = (0, 0);
    for (number, path) in (1..).zip(books).skip(5) {
        let Ok(mechanics) = std::fs::read(folder.join(format!("mechanics-{number}.xml"))) else {
            eprintln!("SKIPPED later_books_with_their_mechanics_leave_little_to_do: no mechanics of book {number}");
            continue;
        };
        let extras = Extras { mechanics: Some(&mechanics), objects: Some(&objects), patch: None };
        let bytes = std::fs::read(&path).unwrap();
        let book =
            project_aon(&bytes, &extras, &Budget::unlimited()).unwrap_or_else(|error| panic!("{number}: {error}"));
        let to_do = book.summary.todos.len();
        println!("{:32} {to_do} to do", book.title);
        all += to_do;
        magnakai += if number <= 12 { to_do } else { 0 };
    }
    assert!(magnakai <= 250 && all <= 1_200, "{magnakai} to do in books 6 to 12, {all} in all");
}
