use super::*;
use crate::terms::Comparison;

struct Few;
impl Names for Few {
    fn item(&self, name: &str) -> Option<usize> {
        ["meal", "seal"].iter().position(|item| *item == name)
    }
    fn flag(&self, name: &str) -> Option<usize> {
        (name == "password").then_some(0)
    }
    fn counter(&self, name: &str) -> Option<usize> {
        (name == "table-limit").then_some(0)
    }
    fn local(&self, name: &str) -> Option<usize> {
        (name == "r").then_some(0)
    }
    fn known(&self) -> Vec<String> {
        ["meal", "seal", "password", "table-limit", "r"].map(String::from).into()
    }
}

fn has(item: usize) -> Condition {
    Condition::Compare(Comparison::AtLeast, Number::Item(item), Number::Constant(1))
}

#[test]
fn and_binds_more_tightly_than_or() {
    assert_eq!(
        condition("has meal or has seal and not password", &Few),
        Ok(Condition::Or(
            Box::new(has(0)),
            Box::new(Condition::And(Box::new(has(1)), Box::new(Condition::Not(Box::new(Condition::Flag(0))))))
        ))
    );
    assert_eq!(condition("(has meal)", &Few), Ok(has(0)));
    assert!(condition("(has meal or has seal) and gold > 3", &Few).is_ok());
    assert!(condition("(gold + 1) * 2 >= 3 and ((gold)) = (2)", &Few).is_ok());
}

#[test]
fn numbers() {
    assert_eq!(number("3 * (2 + 1) - 1", &Few), Ok(Number::Constant(8)));
    assert_eq!(number("-4", &Few), Ok(Number::Constant(-4)));
    assert!(number("min(7 * r, table-limit - gold)", &Few).is_ok());
}

#[test]
fn errors_say_where() {
    let wrong = |text: &str| condition(text, &Few).unwrap_err();
    let (deep, denied) = ("(".repeat(3000), "not ".repeat(900));
    assert_eq!(wrong("has maels").help.as_deref(), Some("did you mean `meal`?"));
    assert_eq!(wrong("has maels").at, 4..9);
    assert_eq!(wrong("gold").message, "this is a number where a condition should be");
    assert_eq!(wrong("gold >= ").at, 8..8);
    assert_eq!(wrong("has meal has seal").at, 9..12);
    assert_eq!(wrong("gold-1 > 2").help.as_deref(), Some("declare it, or write spaces around a minus sign"));
    assert_eq!(wrong("gold > 99999999999999999999").message, "this number is too large");
    assert_eq!(wrong("gold ; 1").at, 5..6);
    assert_eq!(wrong(deep.as_str()).message, "nested too deeply");
    assert_eq!(wrong(denied.as_str()).message, "nested too deeply");
}
