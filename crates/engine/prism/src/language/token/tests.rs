use super::*;

#[test]
fn words_and_signs() {
    let found: Vec<Token> =
        tokens("x:[0..1e2] // no\n\"a b\"<=>1.5", Source::Model).unwrap().into_iter().map(|(t, _)| t).collect();
    let (word, number) = (|text: &str| Token::Word(text.into()), |text: &str| Token::Number(text.into()));
    let signs = [Token::Sign(":"), Token::Sign("[")];
    let mut right = vec![word("x")];
    right.extend(signs);
    right.extend([number("0"), Token::Sign(".."), number("1e2"), Token::Sign("]"), Token::Text("a b".into())]);
    right.extend([Token::Sign("<=>"), number("1.5"), Token::End]);
    assert_eq!(found, right);
    assert_eq!(
        tokens("a\n  $", Source::Model).unwrap_err().to_string(),
        "line 2, column 3: `$` (it means nothing in the PRISM language)"
    );
}
