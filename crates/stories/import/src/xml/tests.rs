use super::*;

fn read(bytes: &[u8]) -> Result<Document, String> {
    parse(bytes, &Budget::unlimited()).map_err(|error| error.to_string())
}

#[test]
fn ends_that_nothing_began() {
    let document = read(b"<a><section><p>x</i></p></quote><p>y<b>z</p></section></a>").unwrap();
    assert_eq!(document.root.text(), "xyz");
    let section = document.root.elements().next().unwrap().elements().next().unwrap();
    assert_eq!(section.named("p").count(), 2);
}

#[test]
fn encodings() {
    let latin = [b"<?xml version='1.0' encoding='ISO-8859-1'?><a>caf", &[0xe9][..], b"</a>"].concat();
    assert_eq!(read(&latin).unwrap().root.text(), "caf\u{e9}");
    let wrong = [b"<?xml version='1.0' encoding='UTF-8'?><a>caf", &[0xe9][..], b"</a>"].concat();
    assert!(read(&wrong).unwrap_err().contains("declares UTF-8, but is not from byte 44"));
    assert!(read(b"<?xml version='1.0' encoding='EBCDIC'?><a/>").unwrap_err().contains("`ebcdic`"));
    assert!(read(b"\xff\xfe<\0a\0").unwrap_err().contains("UTF-16"));
    assert!(read(b"<a>\0</a>").unwrap_err().contains("byte 3"));
}

#[test]
fn hostile_files_are_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>\n\
                    <!ENTITY % m SYSTEM 'http://example.org/m.mod'> %m;]><a>x&b;&f;&#233;</a>";
    let document = read(bomb.as_bytes()).unwrap();
    assert_eq!(document.root.text(), "x\u{e9}");
    assert_eq!(document.unknown_entities, ["b", "f"]);
    assert!(read("<i>".repeat(200_000).as_bytes()).unwrap_err().contains("64 deep"));
    assert!(read(&vec![b' '; LONGEST + 1]).unwrap_err().contains("longer than"));
    assert!(read("<a/>".repeat(MOST_ELEMENTS + 1).as_bytes()).unwrap_err().contains("elements"));
    assert!(read(b"<gamebook><section><p>words").unwrap_err().contains("ends inside of <p>"));
    let many: Vec<String> = (0..100).map(|n| format!(" a{n}='1'")).collect();
    assert!(read(format!("<a{}/>", many.concat()).as_bytes()).unwrap_err().contains("attributes"));
    let stopped = Budget::new(budget::Limits { max_time: Some(std::time::Duration::ZERO), ..Default::default() });
    assert!(matches!(parse(b"<a/>", &stopped), Err(Unreadable::Stopped(_))));
}
