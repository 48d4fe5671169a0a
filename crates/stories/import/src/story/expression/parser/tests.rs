use super::*;

#[test]
fn one_meaning_in_all_dialects() {
    let harlowe = expression("($gold >= 3 and (not $key)) or ($x + 1 is (random: 1, 6))", Dialect::Harlowe);
    let sugar = expression("$gold gte 3 && !$key || $x + 1 is random(1, 6)", Dialect::SugarCube);
    let chapbook = expression("gold >= 3 && !key || x + 1 === random.d6", Dialect::Chapbook);
    assert!(harlowe.is_ok(), "{harlowe:?}");
    assert_eq!(harlowe, sugar);
    assert!(chapbook.is_ok(), "{chapbook:?}");
    let either = expression("either('a', \"b\")", Dialect::SugarCube);
    assert_eq!(either, Ok(Expression::Either(vec![Expression::Text("a".into()), Expression::Text("b".into())])));
}

/// Each dialect has ranks of its own: the same with all parentheses.
#[test]
fn ranks_are_those_of_the_dialect() {
    for (dialect, plain, meant) in [
        (Dialect::SugarCube, "$a or $b and $c", "$a || ($b && $c)"),
        (Dialect::SugarCube, "not $a is 1", "(!$a) is 1"),
        (Dialect::SugarCube, "$a is $b lt 2", "$a === ($b < 2)"),
        (Dialect::SugarCube, "$a is not true", "$a is (not true)"),
        (Dialect::SugarCube, "$a > 1 ? 2 : 3", "($a > 1) ? (2) : (3)"),
        (Dialect::SugarCube, "Math.floor(Math.random() * 6) + 1", "random(0, 5) + 1"),
        (Dialect::Harlowe, "$a and $b and $c", "($a and $b) and $c"),
        (Dialect::Harlowe, "$a or $b and $c", "($a or $b) and $c"),
        (Dialect::Harlowe, "$a is 1 or 2 or 3", "($a is 1) or ($a is 2) or ($a is 3)"),
        (Dialect::Harlowe, "$a > 1 and < 5", "($a > 1) and ($a < 5)"),
        (Dialect::Harlowe, "$a is 1 or $b is 2 or 3", "($a is 1) or ($b is 2) or ($b is 3)"),
        (Dialect::Harlowe, "$a contains 1 or 2", "($a contains 1) or ($a contains 2)"),
        (Dialect::Harlowe, "(cond: $a, 1, 2)", "(cond: ($a), (1), (2))"),
    ] {
        let (plain_read, meant_read) = (expression(plain, dialect), expression(meant, dialect));
        assert!(plain_read.is_ok(), "{plain}: {plain_read:?}");
        assert_eq!(plain_read, meant_read, "{plain}");
    }
}

#[test]
fn what_is_not_plain_is_refused() {
    for text in [
        "$a's last",
        "$a[0]",
        "(visited:)",
        "1.5",
        "'x",
        "2 / 3",
        "(a: 1",
        "",
        "1 2",
        "$a +",
        "99999",
        "(random: 1, 5000)",
        "(random: 1, 6) is 1 or 2",
        "$t and $a is 1 or 3",
        "$a is not 1 and 2",
        "not $a is 1",
        "$a == 1",
        "$a && $b",
        "\"[[A]]\"",
        "\"(go-to: 'A')\"",
    ] {
        assert!(expression(text, Dialect::Harlowe).is_err(), "{text}");
    }
    for text in [
        "visited('a', 'b')",
        "$a ? 1",
        "$a = 1",
        "setup.x",
        "[1, 2",
        "$a[$b]",
        "def 1",
        "`x`",
        "$a++",
        "7 % 2",
        "$a / 2",
        "\"<<goto A>>\"",
    ] {
        assert!(expression(text, Dialect::SugarCube).is_err(), "{text}");
    }
    assert!(expression(&"(".repeat(900), Dialect::Harlowe).is_err());
    assert!(expression(&"1 + ".repeat(900), Dialect::Harlowe).is_err());
}
