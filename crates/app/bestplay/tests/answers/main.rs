//! Today's answers, so that no rebuilding of the program changes one unseen.
//!
//! `cases.txt` lists commands, `values.txt` has what they answer, `wording.txt` how they say it. `BESTPLAY_WRITE_ANSWERS=1`
//! writes both tables anew.

mod cases;
mod table;
mod values;
mod wording;

use std::sync::OnceLock;

use cases::Case;

/// The short cases with their answers in JSON, for both tables.
fn answered() -> &'static [(Case, cases::Answer)] {
    static ANSWERED: OnceLock<Vec<(Case, cases::Answer)>> = OnceLock::new();
    ANSWERED.get_or_init(|| {
        let short: Vec<_> = cases::all().into_iter().filter(|case| !case.long).collect();
        let answers = cases::side_by_side(&short, Case::json);
        short.into_iter().zip(answers).collect()
    })
}

/// What belongs into the table of values.
fn titles() -> Vec<String> {
    cases::all().iter().map(Case::title).collect()
}

#[test]
fn values_are_those_of_the_table() {
    let lines = answered().iter().map(|(case, answer)| (case.title(), values::lines(case, answer)));
    table::VALUES.hold(&titles(), lines.collect(), values::differences);
}

/// What takes longer: whole books.
#[test]
#[ignore = "whole books"]
fn values_of_whole_books_are_those_of_the_table() {
    // One after another: each may take the memory that it says.
    let long = cases::all().into_iter().filter(|case| case.long);
    let lines = long.map(|case| (case.title(), values::lines(&case, &case.json())));
    table::VALUES.hold(&titles(), lines.collect(), values::differences);
}

#[test]
fn wording_is_that_of_the_table() {
    let mut wording = wording::members(answered());
    let cases: Vec<_> = answered().iter().map(|(case, _)| case).collect();
    let texts = cases::side_by_side(&cases, |case| wording::lines(&case.text()));
    wording.extend(wording::once(cases.iter().map(|case| case.title()).zip(texts)));
    let titles: Vec<_> = wording.iter().map(|(title, _)| title.clone()).collect();
    table::WORDING.hold(&titles, wording, wording::differences);
}
