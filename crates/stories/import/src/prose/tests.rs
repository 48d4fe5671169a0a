use super::*;

fn section(inner: &str) -> String {
    format!("<section class='numbered' id='sect7'><meta><title>7</title></meta><data>{inner}</data></section>")
}

#[test]
fn paragraphs_enemies_and_stray_ends() {
    let xml = section(
        "<p>He <cite>says</cite>: <quote>Go</quote></quote>.</p><combat><enemy>Wolf</enemy>\
             <enemy-attribute class='combatskill'>12</enemy-attribute><enemy-attribute class='endurance'>9</enemy-attribute>\
             </combat><choice idref='sect8'>On, <link-text>turn to 8</link-text>.</choice>",
    );
    let prose = Prose::new(xml.as_bytes()).unwrap();
    let lines: Vec<&str> = prose.section(7).unwrap().iter().map(|line| line.text.as_str()).collect();
    assert_eq!(lines[0], "He says: \u{201c}Go\u{201d}.");
    assert_eq!(lines[1], "Wolf, COMBAT SKILL 12, ENDURANCE 9");
    assert_eq!(lines[2], "On, turn to 8.");
    assert_eq!(prose.section(7).unwrap()[2].to, Some(8));
    assert!(prose.section(8).is_none());
}

#[test]
fn texts_that_are_none() {
    for junk in
        [&b""[..], b"\xff\x00\x80", b"<a>", b"<gamebook/>", b"<section class='numbered' id='sect99999'><p>x</p>"]
    {
        assert!(Prose::new(junk).is_err());
    }
    let latin = [b"<section class='numbered' id='sect1'><p>caf", &[0xe9][..], b"</p></section>"].concat();
    assert_eq!(Prose::new(&latin).unwrap().section(1).unwrap()[0].text, "caf\u{e9}");
}
