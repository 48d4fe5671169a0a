use super::*;

fn read(source: &str) -> Option<String> {
    let around = source.bytes().take_while(|own| *own == b'#').count();
    let of_lines = source[around..].starts_with("\"\"\"");
    LongText { span: 0..source.len(), hashes: (around > 0).then_some(around), of_lines }.read(source).ok()
}

/// Against the parser, which reads short ones.
#[test]
fn texts_are_read_as_the_parser_reads_them() {
    const PARTS: [&str; 22] = [
        "a",
        "ß",
        " ",
        "  ",
        "\t",
        "\n",
        "\n",
        "\n  ",
        "\r\n",
        "\r",
        "\u{2028}",
        "\\n",
        "\\\\",
        "\\\"",
        "\\s",
        "\\ ",
        "\\\n  ",
        "\\u{e9}",
        "\\u{110000}",
        "\\q",
        "\u{200e}",
        "#",
    ];
    let mut seed = 1u64;
    let mut below = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % most
    };
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let inner: String = (0..below(8)).map(|_| PARTS[below(PARTS.len())]).collect();
        let end = ["\n", "\n  ", "\n", "\n\t", ""][below(5)];
        let source = match below(4) {
            0 => format!("\"{inner}\""),
            1 => format!("##\"{inner}\"##"),
            2 => format!("\"\"\"\n{inner}{end}\"\"\""),
            _ => format!("#\"\"\"\n  {inner}{end}\"\"\"#"),
        };
        let ours = read(&source);
        let theirs = kdl::KdlDocument::parse_v2(&format!("- {source}"))
            .ok()
            .and_then(|read| Some(read.nodes().first()?.entries().first()?.value().as_string()?.to_string()));
        // Which of them end before is not the question here.
        if !source[1..source.len() - 1].trim_matches('#').trim_matches('"').contains("\"#") {
            assert_eq!(ours, theirs, "{source:?}");
        }
        good += usize::from(ours.is_some());
        bad += usize::from(ours.is_none());
    }
    assert!(good > 2000 && bad > 2000, "{good} good, {bad} bad");
}

#[test]
fn what_is_wrong_has_its_place() {
    let slip = |source: &str| {
        let text = LongText { span: 0..source.len(), hashes: None, of_lines: true };
        text.read(source).err().map(|slip| slip.at)
    };
    assert_eq!(slip("\"\"\"\n  a\n  b\n  \"\"\""), None);
    assert_eq!(slip("\"\"\"\n  a\n b\n  \"\"\""), Some(8));
    assert_eq!(slip("\"\"\"\n  a\\q\n  \"\"\""), Some(7));
    assert_eq!(slip("\"\"\"a\n\"\"\""), Some(3));
}
