//! The tokens of an expression.

/// Words, numbers, texts as one token, and signs, some of which have two characters.
pub(super) fn tokens(expression: &str) -> Vec<&str> {
    const DOUBLE: [&str; 10] = ["==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "!?", "->"];
    let mut found = Vec::new();
    let mut rest = expression.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '.';
        let length = if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            rest.find(|sign| !is_word(sign)).unwrap_or(rest.len())
        } else if DOUBLE.iter().any(|double| rest.starts_with(double)) {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}
