use super::*;

/// Whether no character is left that a terminal obeys, or that changes the order of others.
fn is_harmless(text: &str) -> bool {
    let marks = "\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\
            \u{2060}\u{2066}\u{2067}\u{2068}\u{2069}\u{feff}\u{e0001}";
    text.chars().all(|own| own == '\n' || own == '\t' || !(own.is_control() || marks.contains(own)))
}

#[test]
fn every_character_is_harmless_and_what_is_read_stays() {
    for own in ('\0'..=char::MAX).filter(|own| u32::from(*own) < 0x2_0000 || u32::from(*own) >= 0xe_0000) {
        let text = format!("a{own}b");
        assert!(is_harmless(&shown(&text, Escapes::Text)), "{own:?}");
        let json = shown(&serde_json::to_string(&text).unwrap(), Escapes::Json);
        assert!(is_harmless(&json), "{own:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        let marked = in_place(&text);
        assert!(is_harmless(&marked) && marked.len() == text.len(), "{own:?}");
    }
    let plain = "Zwölf \u{200d} \u{1f469}\u{200d}\u{1f680} שלום 100 %\n\tdone";
    assert_eq!(shown(plain, Escapes::Text), plain);
    assert_eq!(shown("\u{1b}[2J\r", Escapes::Text), "\\u{1b}[2J\\u{d}");
    assert_eq!(line("one\ntwo\u{7}"), "one two\\u{7}");
}

#[test]
fn colours_are_ours_and_nothing_else_is() {
    let ours = "\u{1b}[1;31mred\u{1b}[0m \u{1b}[m";
    assert_eq!(shown(ours, Escapes::Coloured), ours);
    assert_eq!(shown(ours, Escapes::Text).matches("\\u{1b}[").count(), 3);
    for theirs in ["\u{1b}[2J", "\u{1b}]0;owned\u{7}", "\u{1b}[1", "\u{1b}[1;?m", "\u{9b}31m", "\u{1b}\u{1b}"] {
        assert!(is_harmless(&shown(theirs, Escapes::Coloured)), "{theirs:?}");
    }
}

#[test]
fn pieces_come_out_as_the_whole() {
    let text = "one \u{1b}[31m \u{202e}two\u{80}\n".repeat(9_000) + "é without an end\u{1b}";
    for size in [1, 2, 3, 7, 1000, text.len()] {
        let mut out = Vec::new();
        let mut to = Shown::new(&mut out, Escapes::Text);
        text.as_bytes().chunks(size).for_each(|piece| to.write_all(piece).unwrap());
        to.flush().unwrap();
        assert!(String::from_utf8(out).unwrap() == shown(&text, Escapes::Text), "{size}");
    }
    // A line without an end is not kept for ever, and no character is torn.
    let mut out = Vec::new();
    let mut to = Shown::new(&mut out, Escapes::Text);
    let long = "é".repeat(LONGEST);
    long.as_bytes().chunks(3).for_each(|piece| to.write_all(piece).unwrap());
    assert!(to.line.len() <= LONGEST + 3);
    to.flush().unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), long);
}
