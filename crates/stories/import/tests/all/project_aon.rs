//! Every rule of the importer, on a small book of our own.

use budget::{Budget, Limits};
use import::{Extras, Unreadable, project_aon};

const SMALL: &[u8] = include_bytes!("../data/small.xml");

fn imported() -> import::Imported {
    project_aon(SMALL, &Extras::default(), &Budget::unlimited()).unwrap()
}

/// A section of the imported book, with its lines joined.
fn section(text: &str, number: gamebook::SectionNumber) -> String {
    let start = text.find(&format!("section {number} {{")).unwrap();
    let rest = &text[start..];
    let lines: Vec<&str> = rest.split("\n\n").next().unwrap().split_whitespace().collect();
    lines.join(" ")
}

#[test]
fn the_sections_are_what_the_text_says() {
    let book = imported();
    assert_eq!(book.title, "The Mill's Secret");
    let section = |number| section(&book.text, number);
    assert_eq!(
        section(1),
        "section 1 { endurance -7 eat if \"discipline tracking\" { goto 2; } choice \"knock\" { goto 3; } \
         choice \"a bed, pay the miller 2 Gold Crowns\" { require \"gold >= 2\"; lose gold 2; goto 4; } \
         choice \"demonstrate Kai Discipline of Camouflage\" { require \"discipline camouflage\"; goto 5; } }"
    );
    assert_eq!(
        section(2),
        "section 2 { pick { plus 2 if=\"discipline hunting\" when 0 3 { goto 6; } \
         when 4 11 { endurance -1; goto 7; } } }"
    );
    assert_eq!(
        section(3),
        "section 3 { fight \"Miller's Dog\" skill=12 endurance=9 immune-to-mindblast=#true { \
         bonus 2 rounds=1 evade from-round=3 { goto 7; } } goto 6 }"
    );
    assert_eq!(
        section(4),
        "section 4 { fight { enemy \"Rat\" skill=8 endurance=4; enemy \"Cat\" skill=9 endurance=5; } \
         if \"wounded\" { goto 6; } else { goto 7; } }"
    );
    assert_eq!(section(6), "section 6 { death \"the end in 6\"; }");
    assert!(section(7).ends_with("if \"has rusty-key\" { goto 8; } else { goto 9; } }"), "{}", section(7));
    assert_eq!(section(9), "section 9 { goto 10; }");
    assert_eq!(section(10), "section 10 { victory; }");
    assert!(book.text.contains("    special rusty-key\n"));
}

#[test]
fn what_is_not_plain_is_to_do() {
    let book = imported();
    let open: Vec<gamebook::SectionNumber> = book.summary.open_sections().into_iter().collect();
    // 5: overlapping ranges; 7: what can be taken; 8: a puzzle, a choice without a target.
    assert_eq!(open, [5, 7, 8]);
    let (_, problems) = gamebook::read(&book.text).unwrap();
    let todos = problems.iter().filter(|problem| problem.message.starts_with("to do: ")).count();
    assert_eq!(todos, book.summary.todos.len());
    assert_eq!(book.text.matches("// Look at this section.").count(), open.len());
    let summary = &book.summary;
    assert_eq!((summary.sections, summary.choices, summary.fights, summary.picks), (10, 18, 2, 2));
}

#[test]
fn files_that_are_no_books() {
    let read = |bytes: &[u8]| project_aon(bytes, &Extras::default(), &Budget::unlimited()).unwrap_err().to_string();
    assert!(read(b"").contains("no numbered sections"));
    assert!(read(b"<gamebook/>").contains("no numbered sections"));
    let twice = "<section class='numbered' id='sect1'/>".repeat(2);
    assert!(read(twice.as_bytes()).contains("stands in it twice"));
    let cut = SMALL.windows(4).position(|four| four == b"</p>").unwrap();
    assert!(read(&SMALL[..cut]).contains("ends inside of"));
    let stopped = Budget::new(Limits { max_time: Some(std::time::Duration::ZERO), ..Limits::default() });
    assert!(matches!(project_aon(SMALL, &Extras::default(), &stopped), Err(Unreadable::Stopped(_))));
    // A target that the file does not have.
    let book = project_aon(
        b"<a><section class='numbered' id='sect1'><choice idref='sect7'>Turn to 7.</choice></section></a>",
        &Extras::default(),
        &Budget::unlimited(),
    );
    let book = book.unwrap();
    assert_eq!(book.summary.todos, [(7, "a section that the file does not have".to_string())]);
    assert!(gamebook::read(&book.text).is_ok());
}

#[test]
fn any_cut_or_changed_file_ends_in_a_book_or_an_error() {
    cut_or_changed(290, 130);
}

#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_any_cut_or_changed_file_ends_in_a_book_or_an_error() {
    cut_or_changed(29, 13);
}

/// Cuts the file at every so many bytes, and changes every so many.
fn cut_or_changed(cut: usize, change: usize) {
    for at in 0..SMALL.len() {
        if at % cut == 0 {
            let _ = project_aon(&SMALL[..at], &Extras::default(), &Budget::unlimited());
        }
        let mut changed = SMALL.to_vec();
        changed[at] = b"<>&\"'/ \xff"[at % 8];
        if at % change == 0
            && let Ok(book) = project_aon(&changed, &Extras::default(), &Budget::unlimited())
            && let Err(problems) = gamebook::read(&book.text)
        {
            panic!("byte {at}: {problems}\n{}", book.text);
        }
    }
}
