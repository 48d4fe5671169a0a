use super::*;
use crate::read_drn;

fn model() -> ExplicitModel {
    let text =
        "@type: MDP\n@nr_states\n4\n@model\nstate 0 init\naction 0\n1 : 1\nstate 1 a\nstate 2 a b\nstate 3 \"b c\"\n";
    read_drn(text.as_bytes(), &Budget::default()).unwrap()
}

fn states(text: &str) -> Result<Vec<u32>, String> {
    let expression = Expression::parse(text).map_err(|error| error.to_string())?;
    expression.states(&model(), &Budget::default()).map(|set| set.iter().collect()).map_err(|error| error.to_string())
}

#[test]
fn combinations() {
    assert_eq!(states("a").unwrap(), [1, 2]);
    assert_eq!(states(" a & b ").unwrap(), [2]);
    assert_eq!(states("!a").unwrap(), [0, 3]);
    assert_eq!(states("!a & !init | b").unwrap(), [2, 3]);
    assert_eq!(states("!(a | \"b c\")").unwrap(), [0]);
    assert_eq!(states("\"b c\"||init").unwrap(), [0, 3]);
    assert_eq!(states("a && true").unwrap(), [1, 2]);
    assert_eq!(states("false").unwrap(), [0u32; 0]);
    assert_eq!(states("deadlock").unwrap(), [1, 2, 3]);
    assert_eq!(states("!!a").unwrap(), [1, 2]);
}

#[test]
fn errors_say_where_and_what() {
    assert!(states("a & c").unwrap_err().starts_with("column 5: the model has no label `c` (it has: init, a, b, b c)"));
    assert!(states("").unwrap_err().starts_with("column 1: the expression ends"));
    assert!(states("(a").unwrap_err().starts_with("column 1: a parenthesis without"));
    assert!(states("a b").unwrap_err().starts_with("column 3: `b` after the end"));
    assert!(states("a & \"b").unwrap_err().starts_with("column 5: a quotation mark"));
    assert!(states("a ^ b").unwrap_err().starts_with("column 3: `^` after"));
    assert!(states(&"(".repeat(100_000)).unwrap_err().contains("nested"));
    assert!(states(&"!".repeat(100_000)).unwrap_err().contains("nested"));
}
