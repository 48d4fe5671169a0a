use super::doubtful;

#[test]
fn what_comes_out_otherwise_is_found() {
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
