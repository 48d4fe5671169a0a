//! Books of others: Project Aon's XML, and the rules of its sections.

use gamebook::{ReadError, read_within};
use import::{Extras, Prose, project_aon};

use crate::{Corpus, Target, Verdict, budget};

/// A file is refused, or it becomes a book that can be read.
pub const TEXT: Target = Target {
    name: "project-aon",
    corpus: &[Corpus::Files { folder: "crates/stories/import/tests/data", ending: "small.xml" }],
    words: &[
        "<section class=\"numbered\" id=\"sect2\">",
        "</section>",
        "<data>",
        "<p>",
        "</p>",
        "<choice idref=\"sect3\">",
        "<combat>",
        "<enemy-attribute class=\"endurance\">",
        "<deadend>",
        "<puzzle idref=\"sect2 sect3\">",
        "<ch.ellips/>",
        "&amp;",
        "&#233;",
        "&x;",
        "<![CDATA[",
        "<!--",
        "<!DOCTYPE x [<!ENTITY a 'b'>]>",
        "pick a number from the Random Number Table",
        "If you have ",
        "you lose 3 ENDURANCE points",
        "0 to 4",
        "turn to 3",
    ],
    longest: 6_000,
    check: |input| {
        let _ = Prose::new(input);
        becomes_a_book(input, &Extras::default())
    },
};

/// The same of the rules beside a book of our own.
pub const MECHANICS: Target = Target {
    name: "mechanics",
    corpus: &[Corpus::Files { folder: "crates/stories/import/tests/data", ending: "mill-rules.xml" }],
    words: &[
        "<section id=\"sect2\">",
        "</section>",
        "<test ",
        "</test>",
        " not=\"true\"",
        " hasObject=\"lamp\"",
        " hasDiscipline=\"tracking\"",
        " expression=\"[MONEY] >= 3\"",
        "<pick class=\"money\" count=\"3\"/>",
        "<drop objectId=\"lamp\"/>",
        "<endurance count=\"-2\"/>",
        "<randomTable>",
        "<case from=\"0\" to=\"4\">",
        "<choiceState section=\"sect3\" set=\"disabled\"/>",
        "<combat index=\"0\" eludeTurn=\"2\"/>",
        "<afterCombats>",
        "<afterTurn turn=\"1\">",
        "<meal/>",
        "<death/>",
    ],
    longest: 6_000,
    check: |input| {
        let book = include_bytes!("../../../crates/stories/import/tests/data/mill.xml");
        let objects = include_bytes!("../../../crates/stories/import/tests/data/mill-objects.xml");
        becomes_a_book(book, &Extras { mechanics: Some(input), objects: Some(objects), patch: None })
    },
};

fn becomes_a_book(xml: &[u8], extras: &Extras<'_>) -> Result<Verdict, String> {
    let budget = budget();
    let Ok(imported) = project_aon(xml, extras, &budget) else { return Ok(Verdict::Refused) };
    match read_within(&imported.text, &budget) {
        Ok(_) => Ok(Verdict::Accepted),
        Err(ReadError::Stopped(_)) => Ok(Verdict::Refused),
        Err(ReadError::Problems(problems)) => Err(format!("what was written cannot be read: {problems}")),
    }
}
