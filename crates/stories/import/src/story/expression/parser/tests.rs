use super::*;

#[test]
fn one_meaning_in_all_dialects() {
    let harlowe = expression("($gold >= 3 and (not $key)) or (it + 1 is (random: 1, 6))", Dialect::Harlowe, Some("$x"));
    let sugar = expression("$gold gte 3 && !$key || $x + 1 == random(1, 6)", Dialect::SugarCube, None);
    assert!(harlowe.is_ok(), "{harlowe:?}");
    assert_eq!(harlowe, sugar);
    let either = expression("either('a', \"b\")", Dialect::SugarCube, None);
    assert_eq!(either, Ok(Expression::Either(vec![Expression::Text("a".into()), Expression::Text("b".into())])));
}

/// Each dialect has ranks of its own: what parentheses say the same as what.
#[test]
fn ranks_are_those_of_the_dialect() {
    for (dialect, plain, meant) in [
        (Dialect::SugarCube, "$a or $b and $c", "$a || ($b && $c)"),
        (Dialect::SugarCube, "not $a is 1", "(!$a) is 1"),
        (Dialect::SugarCube, "$a is $b lt 2", "$a === ($b < 2)"),
        (Dialect::SugarCube, "$a is not true", "$a is (not true)"),
        (Dialect::Harlowe, "$a and $b and $c", "($a and $b) and $c"),
    ] {
        let (plain_read, meant_read) = (expression(plain, dialect, None), expression(meant, dialect, None));
        assert!(plain_read.is_ok(), "{plain}: {plain_read:?}");
        assert_eq!(plain_read, meant_read, "{plain}");
    }
}

#[test]
fn what_is_not_plain_is_said() {
    for text in [
        "$a's 1st",
        "$a[0]",
        "(visited:)",
        "1.5",
        "'x",
        "2 / 3",
        "(a: 1)",
        "",
        "1 2",
        "$a +",
        "99999",
        "(random: 1, 5000)",
        "$a is 1 or 2",
        "(random: 1, 6) is 1 or 2",
        "$a > 3 and $b",
        "$a or $b and $c",
        "not $a is 1",
        "$a == 1",
        "$a && $b",
    ] {
        assert!(expression(text, Dialect::Harlowe, None).is_err(), "{text}");
    }
    for text in ["visited()", "$a ? 1 : 2", "$a = 1", "setup.x", "[1, 2]", "$a.b", "def $a", "`x`", "$a++"] {
        assert!(expression(text, Dialect::SugarCube, None).is_err(), "{text}");
    }
    assert!(expression(&"(".repeat(900), Dialect::Harlowe, None).is_err());
    assert!(expression(&"1 + ".repeat(900), Dialect::Harlowe, None).is_err());
}
