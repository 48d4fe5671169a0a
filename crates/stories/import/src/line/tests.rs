use super::*;

#[test]
fn short_blocks_stand_in_one_line() {
    let mut out = String::new();
    let inner = Line::block("if \"has seal\"", vec![Line::goto(2)]);
    Line::block("section 1", vec![inner, Line::leaf(format!("death {}", quoted("a \"fall\"")))]).write(0, &mut out);
    assert_eq!(out, "section 1 {\n    if \"has seal\" { goto 2; }\n    death \"a \\\"fall\\\"\"\n}\n");
}
