//! Wrong books: every mistake is reported where it is, and nothing else.

use crate::dice::Dice;
use budget::Budget;
use gamebook::{Problem, Problems, Severity, check, read};

const MISTAKES: &str = include_str!("../books/hundred-mistakes.kdl");

/// What must be reported: the line, and words of the message or the suggestion.
fn announced(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate().skip(2);
    let marked = lines.filter_map(|(place, line)| Some((place + 1, line.split_once("//!")?.1)));
    marked.flat_map(|(line, words)| words.split(" & ").map(move |words| (line, words.trim()))).collect()
}

fn problems(text: &str) -> Vec<Problem> {
    let Err(Problems(problems)) = read(text) else { panic!("a book without errors") };
    problems
}

#[test]
fn a_hundred_mistakes() {
    let announced = announced(MISTAKES);
    assert!(announced.len() >= 100, "{}", announced.len());
    let problems = problems(MISTAKES);
    let messages: Vec<(usize, String)> = problems
        .iter()
        .map(|problem| {
            let help = problem.help.as_deref().unwrap_or_default();
            (problem.position(MISTAKES).0, format!("{} | {help}", problem.message))
        })
        .collect();
    let mut wrong: Vec<String> = Vec::new();
    for (line, words) in &announced {
        if !messages.iter().any(|(other, message)| other == line && message.contains(words)) {
            let here: Vec<&String> =
                messages.iter().filter(|(other, _)| other == line).map(|(_, message)| message).collect();
            wrong.push(format!("{line}: `{words}` is not reported, but {here:?}"));
        }
    }
    for (line, message) in &messages {
        if !announced.iter().any(|(other, _)| other == line) {
            wrong.push(format!("{line}: not announced: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for problem in &problems {
        assert!(problem.help.as_ref().is_some_and(|help| !help.is_empty()), "without a suggestion: {problem:?}");
        assert!(problem.span.end <= MISTAKES.len());
    }
}

/// The problems of a book, each with its line.
fn messages(text: &str) -> Vec<(usize, String)> {
    problems(text).iter().map(|problem| (problem.position(text).0, problem.message.clone())).collect()
}

const BOOK: &str = "book B format=1 rules=lone-wolf\nstart 1\ngoal 2\nhero { combat-skill 15; endurance 25; }\n\
                    section 1 { goto 2; }\nsection 2 { victory; }\n";

#[test]
fn a_forgotten_brace_hides_no_other_section() {
    let text = BOOK.replace("section 1 { goto 2; }", "section 1 {\n  if always { goto 2\n}\nsection 3 {\n  goto 9\n}");
    let lines: Vec<usize> = messages(&text).into_iter().map(|(line, _)| line).collect();
    assert!(lines.contains(&5) && lines.contains(&9), "{lines:?}");
    assert!(lines.iter().all(|line| (5..=9).contains(line)), "{lines:?}");
}

#[test]
fn what_could_not_be_read_is_not_missed() {
    let text = BOOK.replace("goal 2\n", "goal 2\nitems {\n  special key =\n}\n").replace("goto 2", "gain key; goto 2");
    assert!(messages(&text).iter().all(|(line, _)| (4..=6).contains(line)), "{:?}", messages(&text));
    let text = BOOK.replace("section 2 { victory; }", "section 2 { victory");
    assert!(messages(&text).iter().all(|(line, _)| *line >= 6), "{:?}", messages(&text));
}

#[test]
fn other_lines_and_marks() {
    for text in
        [BOOK.replace('\n', "\r\n"), format!("\u{feff}{BOOK}"), BOOK.replace(' ', "\t"), format!("\n\n{BOOK}//")]
    {
        assert!(read(&text).is_ok(), "{text:?} {:?}", read(&text));
    }
    let text = BOOK.replace("goto 2;", "goto 3;").replace('\n', "\r\n");
    assert_eq!(messages(&text), [(5, "there is no section 3".into())]);
}

/// Every kind of line end means the same, and places are given as editors count lines.
#[test]
fn ends_of_lines() {
    let book =
        BOOK.replace("start 1", "// a comment { \" of its own\nstart 1").replace("{ goto 2; }", "{ // two\n goto 2\n}");
    let wrong =
        book.replace("goto 2", "goto 3\n if always { goto 2").replace("victory;", "victory; /-\nendurance 1\n;");
    let plain = messages(&wrong);
    assert!(plain.len() > 1, "{plain:?}");
    for end in ["\r", "\r\n", "\u{85}", "\u{b}", "\u{c}", "\u{2028}", "\u{2029}"] {
        let text = book.replace('\n', end);
        assert!(read(&text).is_ok(), "{text:?} {:?}", read(&text));
        let mut own = messages(&wrong.replace('\n', end));
        if !end.starts_with('\r') {
            // These end no line of an editor.
            own = own.into_iter().zip(&plain).map(|((_, what), (line, _))| (*line, what)).collect();
        }
        assert_eq!(own, plain, "{end:?}");
    }
}

/// Whatever the input, an answer comes soon.
#[test]
#[ignore = "takes half a minute with its neighbours"]
fn thorough_hostile_texts() {
    let many = |part: &str, times: usize| part.repeat(times);
    let texts = [
        many("x", 10 << 20),
        many("{", 1 << 20),
        format!("a {}", many("{ a ", 500)),
        many("section 1 { ", 20_000),
        many("a =\n", 250_000),
        many("=", 32_000),
        many("=", 1 << 20),
        many("}", 30_000),
        many("a { b\n\"\n", 4_000),
        many("a /-{", 5_000),
        many("a /-{ \"\n", 4_000) + &many("}\n", 4_000),
        many("/- a { \"\n", 4_000) + &many("}\n", 4_000),
        many("a /- /**/ {", 2_000),
        many("/- ", 10_000),
        many("/-\n", 10_000),
        many("/- /**/ ", 4_000),
        many("/*", 100_000),
        many("/*", 5_000) + &many("*/", 5_000),
        many("\"", 100_000),
        many("\"\"\"\n", 100_000),
        many("#", 100_000) + "\"",
        many("\0", 30_000),
        many("\u{feff}", 30_000),
        many("\r", 30_000),
        many("goto 1\n", 100_000),
        many("section 1 { goto 1; }\n", 40_000),
        BOOK.replace("victory", &many("if always { ", 3_000)),
        BOOK.replace("victory", &format!("endurance {}", many("9", 5_000))),
        BOOK.replace("victory", &format!("endurance \"{}\"", many("9", 5_000))),
        BOOK.replace("victory", &format!("endurance \"{}1\"", many("(", 2_000))),
        BOOK.replace("victory", &format!("endurance 0x{}", many("f", 40))),
        BOOK.replace("victory", &format!("endurance 1e{}", many("9", 10))),
        BOOK.replace("victory", &format!("endurance \"gold * {}\"", many("1000000 * ", 50))),
        many("gold ", 6_000),
        many("x", 17 << 20),
        many("a b;", 4 << 20),
        many("xxxxxxxxxxxxxxxx", 1 << 18) + " " + &many("y", 1 << 20),
        many(&format!("a {}\n", many("=", 32_000)), 100),
        many(&format!("a {{ {} }}\n", many("b =;", 8_000)), 100),
        format!("section 1 {{\n{}}}\n", many("b =\n", 200_000)),
        format!("section 1 {{ {} }}\n", many("b =;", 200_000)),
        format!("section 1 {{ {} }}\n", many("\"x", 300_000)),
        format!("section 1 {}{}\n", many("{ x; ", 100_000), many("}", 100_000)),
        format!("section 1 {{ text {} }}\n", many("x", 1 << 19)),
        BOOK.replace("victory", &format!("text \"{}\"; victory", many("\\q", 1 << 18))),
        BOOK.replace("victory", &format!("text \"\"\"\n{}\"\"\"; victroy", many("x\n", 1 << 18))),
        BOOK.replace("victory", &format!("text \"\"\"\n{}  \"\"\"; victory", many("x\n", 1 << 18))),
        BOOK.replace("victory", &format!("text \"{}\"; victory", many("x", 1 << 20))),
        BOOK.replace("victory", &format!("/*{}*/ victroy", many("/* */", 1 << 17))),
    ];
    for text in texts {
        let begun = std::time::Instant::now();
        assert!(!problems(&text).is_empty());
        let seconds = begun.elapsed().as_secs_f64();
        if seconds > 1.0 {
            println!("{seconds:.1} s: {:?}", text.chars().take(40).collect::<String>());
        }
        // So long only if the time grows faster than the text.
        assert!(seconds < 120.0, "{seconds} s: {:?}", text.chars().take(40).collect::<String>());
    }
}

/// Mutations of real books: nothing panics, and every problem lies in the text.
#[test]
fn mutations() {
    const WORDS: [&str; 24] = [
        "{",
        "}",
        "\"",
        "\n",
        ";",
        " ",
        "0",
        "-1",
        "999999999999999999999",
        "goto 1",
        "gold",
        "not ",
        "#true",
        "/-",
        "/*",
        "as=r",
        "each=n from=0 to=9 ",
        "pick ",
        "fight ",
        "if ",
        "else ",
        "repeat r { again r; }",
        "max=0",
        "ß",
    ];
    let books = [
        gamebook::BUILT_IN[0].1,
        include_str!("../books/crossing.kdl"),
        include_str!("../books/fire-on-the-water-2017.kdl"),
        MISTAKES,
    ];
    let mut dice = Dice(7);
    let (mut playable, mut broken) = (0, 0);
    for number in 0..160 {
        let book = books[if number % 40 == 0 { number / 40 % 4 } else { 1 }];
        let mut text = book.to_string();
        for _ in 0..=dice.below(2) {
            let at = |dice: &mut Dice, text: &str| text.floor_char_boundary(dice.place(text.len() + 1));
            let (from, to) = (at(&mut dice, &text), at(&mut dice, &text));
            match dice.below(4) {
                0 => text.insert_str(from, dice.one_of(&WORDS)),
                1 => text.replace_range(from..text.floor_char_boundary((from + 9).min(text.len())), ""),
                2 => {
                    text.replace_range(from..text.floor_char_boundary((from + 3).min(text.len())), dice.one_of(&WORDS));
                }
                _ => {
                    // A line is doubled somewhere else.
                    let line = text[from..].lines().next().unwrap_or_default().to_string();
                    text.insert_str(to, &line);
                }
            }
        }
        let found = match read(&text) {
            Ok((book, warnings)) => {
                playable += 1;
                warnings.into_iter().chain(check(&book, &Budget::unlimited()).unwrap()).collect()
            }
            Err(Problems(problems)) => {
                broken += 1;
                assert!(problems.iter().any(|problem| problem.severity == Severity::Error), "{text}");
                problems
            }
        };
        for problem in found {
            assert!(problem.span.start <= problem.span.end && problem.span.end <= text.len(), "{problem:?}");
        }
    }
    println!("{playable} playable, {broken} broken");
    assert!(playable > 10 && broken > 40, "{playable} playable, {broken} broken");
}

#[test]
fn quotes_within_quotes_end_nothing() {
    let label = r#""\"1234567890123456789\" and \\ 2d6""#;
    let text = BOOK.replace("goto 2;", &format!("choice {label} {{ goto 2; }}"));
    assert!(read(&text).is_ok(), "{:?}", read(&text));
}
