//! Books that ask for too much: every step ends soon after it is interrupted, and keeps its limits.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use budget::{Budget, Limits, Progress, Reason, Stopped};
use gamebook::{CompileError, Question, ReadError, SolveBookError, Solved, check, read, read_within};
use mdp::{ExploreOptions, ratio};

const NEST: &str = include_str!("../books/nest4.kdl");
const LARGE_CONTEST: &str = include_str!("../books/over.kdl");

/// How long a step may go on after an interrupt; builds for tests are slow, and others
/// run beside them.
const SOON: Duration = Duration::from_secs(10);

/// All steps from a book's text to what best play does.
fn everything(text: &str, budget: &Budget<'_>) -> Result<(), Stopped> {
    let book = match read_within(text, budget) {
        Ok((book, _)) => book,
        Err(ReadError::Stopped(stopped)) => return Err(stopped),
        Err(ReadError::Problems(problems)) => panic!("{problems:#?}"),
    };
    check(&book, budget)?;
    let options = ExploreOptions::default().with_budget(budget);
    let stopped = |error| match error {
        SolveBookError::Stopped(stopped) => stopped,
        // The book itself is too large.
        SolveBookError::Compile(_) => Stopped { reason: Reason::States { limit: 0 }, progress: Progress::NONE },
        other => panic!("{other}"),
    };
    let solved = Solved::new(&book, &Question::new(&book), &options).map_err(stopped)?;
    solved.journey(&options).map_err(stopped)?;
    solved.guide(&options).map_err(stopped)?;
    Ok(())
}

/// Books that are large in different ways.
fn large() -> Vec<(&'static str, String)> {
    let book = |head: &str, sections: &str| {
        format!(
            "book B format=1 rules=lone-wolf\nstart 1\ngoal 9999\nhero {{ combat-skill 15; endurance 25; gold 20; }}\n\
             {head}\n{sections}\nsection 9999 {{ victory; }}\n"
        )
    };
    // A chain of sections, each of which reads a counter that the one before it sets.
    let mut chain = String::new();
    for section in 1..9000 {
        let _ = writeln!(
            chain,
            "section {section} {{ if \"c = {}\" {{ set c \"min(c + 1, 200)\"; }}; if \"gold > {}\" {{ lose gold 1; }}; goto {}; }}",
            section % 200,
            section % 50,
            if section == 8999 { 9999 } else { section + 1 }
        );
    }
    // Expressions that are long.
    let sum = vec!["gold"; 500].join(" + ");
    let mut expressions = String::new();
    for section in 1..200 {
        let _ = writeln!(
            expressions,
            "section {section} {{ if \"{sum} > {section}\" {{ lose gold 1; }}; goto {}; }}",
            if section == 199 { 9999 } else { section + 1 }
        );
    }
    let wide: String = "choice { require \"gold > 3\"; goto 9999; }\n".repeat(700);
    let contest = "pick a=2 b=2 c=2 d=1 { when \"a + b > c + d\" { goto 9999; }; else { goto 1; }; }";
    vec![
        ("four choices of numbers", NEST.into()),
        ("a contest", book("", &format!("section 1 {{ {contest} }}"))),
        ("a chain", book("counter c max=255", &chain)),
        ("expressions", book("", &expressions)),
        ("choices", book("", &format!("section 1 {{\n{wide} }}"))),
    ]
}

#[test]
#[ignore = "takes a minute: see CONTRIBUTING.md"]
fn thorough_every_step_stops_soon() {
    for (name, text) in large() {
        let mut milliseconds = 0;
        loop {
            let deadline = Instant::now() + Duration::from_millis(milliseconds);
            let watch = |_| if Instant::now() < deadline { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
            let limits = Limits { max_states: 100_000, ..Limits::default() };
            let budget = Budget::new(limits).watched(&watch);
            let ended = everything(&text, &budget);
            let late = Instant::now().saturating_duration_since(deadline);
            assert!(late < SOON, "{name}: {late:?} after the stop at {milliseconds} ms");
            match ended {
                Err(Stopped { reason: Reason::Interrupted, .. }) => milliseconds = milliseconds * 4 + 20,
                Ok(()) | Err(_) => break,
            }
        }
    }
}

#[test]
fn compiling_keeps_the_limit_on_memory() {
    let (book, _) = read(NEST).unwrap();
    let limits = Limits { max_memory: 20_000_000, ..Limits::default() };
    match Question::new(&book).machine(&book, &Budget::new(limits)) {
        Err(SolveBookError::Stopped(Stopped { reason: Reason::Memory { limit, needed }, .. })) => {
            assert!(limit == 20_000_000 && needed > limit && needed < 25_000_000, "{needed}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn sections_that_multiply_are_too_large() {
    let (book, _) = read(NEST).unwrap();
    let found = Question::new(&book).machine(&book, &Budget::unlimited());
    assert!(matches!(found, Err(SolveBookError::Compile(CompileError::TooLarge { section: 1 }))), "{found:?}");
}

#[test]
fn numbers_that_a_name_cannot_hold() {
    // Known only when the book is compiled: the hero's disciplines stand in it.
    let text = "book B format=1 rules=lone-wolf\nstart 1\ngoal 2\n\
        hero { combat-skill 15; endurance 25; learns 5; disciplines healing hunting; }\n\
        section 1 { choice each=a from=0 to=60 { pick as=r { plus \"20 * a\"; when 0 900 { }; else { }; }; \
        if \"r > 3\" { goto 2; }; goto 2; }; choice { goto 2; }; }\nsection 2 { victory; }";
    match read(text) {
        Err(problems) => assert!(problems.0.iter().any(|problem| problem.message.contains("totals")), "{problems:?}"),
        Ok((book, _)) => {
            let found = Question::new(&book).machine(&book, &Budget::unlimited());
            assert!(matches!(found, Err(SolveBookError::Compile(CompileError::Number { .. }))), "{found:?}");
        }
    }
}

#[test]
fn large_contests_are_exact() {
    let (book, _) = read(LARGE_CONTEST).unwrap();
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).unwrap();
    assert_eq!(solved.win().exact, Some(ratio(77_047_973_093_547_421, 2_500_000_000_000_000_000)));
}

/// A system's choices between numbers stand in the program once, however deep they are within each other.
#[test]
fn choices_of_a_system_within_each_other_do_not_multiply() {
    let mut nested = "goto 2;".to_string();
    for name in ["a", "b", "c", "d", "e"] {
        nested = format!("choice \"{name} {{{name}}}\" each={name} from=0 to=63 {{ coins 1; {nested} }};");
    }
    let text = format!(
        "book Nest format=1 system=none\nstart 1\ncounter coins max=9\nsection 1 {{ {nested} }}\n\
         section 2 {{ if \"coins = 5\" {{ victory; }}; death; }}\n"
    );
    let (book, _) = read(&text).unwrap();
    let budget = Budget::new(Limits { max_states: 10_000, ..Limits::default() });
    let question = Question { exact: true, ..Question::new(&book) };
    let solved = Solved::new(&book, &question, &ExploreOptions::default().with_budget(&budget)).unwrap();
    assert_eq!(solved.win().exact, Some(ratio(1, 1)));
}
