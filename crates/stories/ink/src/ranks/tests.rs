use super::{bracketed, expressions, in_expression};

/// The first two operators of a line that would be parsed differently.
fn doubtful(line: &str, lists: bool) -> Option<(&'static str, &'static str)> {
    expressions(line).into_iter().find_map(|range| in_expression(&line[range], lists))
}

#[test]
fn differing_precedences_are_found() {
    for (line, found) in [
        ("{ a or b and b: -> yes }", Some(("or", "and"))),
        ("{ a and b or b: -> yes }", None),
        ("{ (a or b) and b: -> yes }", None),
        ("{ a || not b == 1 && b } text", Some(("or", "and"))),
        ("~ x = 2 * 6 / 4", Some(("*", "/"))),
        ("~ x = f(2 * 6) / 4", None),
        ("~ return 12 / 5 mod 2", Some(("/", "%"))),
        ("~ x = 5 - 2 - -1", None),
        ("- a or b and c:", Some(("or", "and"))),
        ("This or that and those. {one or two and three|four}", None),
        ("* {a or b} {c and d} text", None),
        ("{ x * 2 == 4 / 2 : }", None),
        ("{\"or\" == a and b} // a or b and c", None),
    ] {
        assert_eq!(doubtful(line, false), found, "{line}");
    }
    assert_eq!(doubtful("~ x = a + b - c", true), Some(("+", "-")));
    assert_eq!(doubtful("~ x = a + b - c", false), None);
}

#[test]
fn differing_precedences_get_brackets() {
    for (line, expected) in [
        ("{ a or b and b: -> yes }", Some("{ ((a or b) and b) : -> yes }")),
        ("~ x = 2 * 6 / 4 // half", Some("~ x = (2 * (6 / 4)) // half")),
        ("~ temp x = f(2 * 6 / 4, -y) - 1", Some("~ temp x = (f((2 * (6 / 4)), -y) - 1) ")),
        ("~ return 12 / 5 mod 2", Some("~ return (12 / (5 mod 2)) ")),
        ("* {a or not b and c == 2} {d} text", Some("* { ((a or not b) and (c == 2)) } {d} text")),
        ("- a or b and c: {x or y and z: 1}", Some("- ((a or b) and c) : { ((x or y) and z) : 1}")),
        ("{ a and b or c: -> yes }", Some("{ a and b or c: -> yes }")),
        ("- He said this or that and went: on", None),
        ("~ x = y++ * 2 / 3", None),
    ] {
        assert_eq!(bracketed(line, false).ok().as_deref(), expected, "{line}");
    }
    assert_eq!(bracketed("~ x = a + b - c", true).unwrap(), "~ x = (a + (b - c)) ");
    let long = format!("~ x = {}1", "a or b and ".repeat(60));
    assert!(bracketed(&long, false).is_err());
}
