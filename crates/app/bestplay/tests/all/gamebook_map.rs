//! `bestplay gamebook map` as a user meets it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use predicates::str::contains;
use quick_xml::Reader;
use quick_xml::events::Event;

/// A loop, a way back, a section to itself, one that nothing leads to, and a title full of what must be escaped.
const PATHS: &str = r#"
book "Paths & <other> \"ways\" \\ \u{1}" format=1 rules="lone-wolf"
start 1
goal 9
hero { combat-skill 15; endurance 25; }
section 1 { choice "left" { goto 2; }; choice "right" { goto 3; }; }
section 2 { pick { when 0 3 { goto 9; }; when 4 { goto 2; }; else { death "a pit"; }; }; }
section 3 { fight "Rat & <Son>" skill=10 endurance=2 { untouchable; }; pick { when 0 { goto 1; }; when 1 { goto 7; }; else { goto 9; }; }; }
section 7 { goto 9; }
section 8 { goto 3; }
section 9 { victory; }
"#;

const WAYS: [(u16, u16); 9] = [(1, 2), (1, 3), (2, 2), (2, 9), (3, 1), (3, 7), (3, 9), (7, 9), (8, 3)];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("map-{name}"))
}

fn command(name: &str, arguments: &str) -> Command {
    let book = file(&format!("{name}.kdl"));
    fs::write(&book, PATHS).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
    command.args(["gamebook", "map"]).arg(book).args(arguments.split_whitespace());
    command
}

fn drawn(name: &str, arguments: &str) -> String {
    let output = command(name, arguments).assert().success().stderr("");
    String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8")
}

/// The texts of an SVG picture and the names of its groups. Fails if it is no well-formed XML.
fn parsed(svg: &str) -> (BTreeSet<String>, Vec<String>) {
    let mut reader = Reader::from_str(svg);
    let (mut names, mut texts) = (BTreeSet::new(), vec![String::new()]);
    let mut open = 0;
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Eof => break,
            Event::Start(element) => {
                open += 1;
                texts.push(String::new());
                for attribute in element.attributes() {
                    let attribute = attribute.expect("an attribute");
                    if attribute.key.as_ref() == "id" {
                        names.insert(attribute.value.into_owned());
                    }
                }
            }
            Event::Empty(element) => assert!(element.attributes().all(|attribute| attribute.is_ok())),
            Event::End(_) => {
                open -= 1;
                texts.push(String::new());
            }
            Event::Text(text) => texts.last_mut().unwrap().push_str(&text),
            Event::GeneralRef(entity) => {
                let name: &str = &entity;
                let c = match name {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    _ => panic!("an entity of XML, not {name}"),
                };
                texts.last_mut().unwrap().push(c);
            }
            _ => {}
        }
    }
    assert_eq!(open, 0);
    assert!(svg.chars().all(|c| c == '\n' || !c.is_control()), "characters that XML cannot hold");
    (names, texts)
}

#[test]
fn the_structure_as_a_picture() {
    let svg = drawn("structure", "");
    let (names, texts) = parsed(&svg);
    for section in [1, 2, 3, 7, 8, 9] {
        assert!(names.contains(&format!("section-{section}")), "{names:?}");
    }
    for (from, to) in WAYS {
        assert!(texts.contains(&format!("{from} to {to}")), "{from} to {to}");
    }
    assert_eq!(svg.matches("class=\"way\"").count(), WAYS.len());
    // What leads back is dashed.
    assert_eq!(svg.matches("stroke-dasharray").count(), 2);
    assert!(texts.contains(&"Paths & <other> \"ways\" \\ \u{fffd}".to_string()), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("Fight: Rat & <Son>, combat skill 10, endurance 2")));
    assert!(texts.iter().any(|text| text == "START") && texts.iter().any(|text| text == "GOAL"));
    assert!(!svg.contains("win from here") && !svg.contains("heroes"));
}

#[test]
fn best_play_in_colours() {
    let svg = drawn("solved", "--solve");
    let (_, texts) = parsed(&svg);
    assert!(texts.iter().any(|text| text.starts_with("Best play wins 100.000 %")), "{texts:?}");
    let tooltip = |section: &str| texts.iter().find(|text| text.lines().next() == Some(section)).unwrap();
    assert!(tooltip("Section 7").contains("11.1 % of all heroes come here."), "{}", tooltip("Section 7"));
    assert!(tooltip("Section 2").contains("Best play never comes here."));
    assert!(texts.contains(&"3 to 9: 88.9 % of all heroes".to_string()), "{texts:?}");
    assert!(texts.contains(&"1 to 2: never by best play".to_string()));
    assert!(texts.contains(&"win from here".to_string()));
    // From section 2 there is no choice: four of nine win. Saying where to begin is asking for figures.
    let svg = drawn("from-2", "--start 2");
    let (_, texts) = parsed(&svg);
    let section = texts.iter().find(|text| text.starts_with("Section 2\nPlay begins here.")).unwrap();
    assert!(section.contains("44.4 % of those who are here win.\n55.6 % of all heroes die here."), "{section}");
    assert!(texts.contains(&"44.4 %".to_string()) && texts.contains(&"55.6 %".to_string()));
}

#[test]
fn a_graph_for_graphviz() {
    for arguments in ["--format dot", "--format dot --gold 3"] {
        let dot = drawn("dot", arguments);
        assert!(dot.starts_with("digraph \"Paths & <other> \\\"ways\\\" \\\\  \" {\n"), "{dot}");
        assert!(dot.ends_with("}\n"));
        for section in [1, 2, 3, 7, 8, 9] {
            assert_eq!(dot.matches(&format!("\n  \"{section}\" [label=\"{section}")).count(), 1, "{dot}");
        }
        for (from, to) in WAYS {
            assert_eq!(dot.matches(&format!("\n  \"{from}\" -> \"{to}\" [")).count(), 1, "{dot}");
        }
        assert_eq!(dot.matches(" -> ").count(), WAYS.len());
        for line in dot.lines() {
            let bare = line.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(bare.matches('"').count() % 2, 0, "{line}");
        }
        assert_eq!(dot.contains("penwidth=6.60"), arguments.contains("gold"), "{dot}");
        assert_eq!(dot.contains("fillcolor=\"#fde725\""), arguments.contains("gold"), "{dot}");
    }
}

#[test]
fn into_a_file() {
    for name in ["map.svg", "map.dot"] {
        let to = file(name);
        let _ = fs::remove_file(&to);
        assert_eq!(drawn(name, &format!("-o {}", to.display())), "");
        let text = fs::read_to_string(&to).unwrap();
        assert!(text.starts_with(if name.ends_with("svg") { "<svg" } else { "digraph" }), "{text}");
    }
}

#[test]
fn what_cannot_be_drawn() {
    let fails = |arguments: &str, code: i32, message: &str| {
        command("failures", arguments).assert().code(code).stdout("").stderr(contains(message));
    };
    fails("-o map.png", 2, "map.png is neither .svg nor .dot");
    fails("-o map", 2, "map is neither .svg nor .dot");
    fails("-o map.svg --format dot", 2, "cannot be used with");
    fails("-o no/such/folder/map.svg", 1, "cannot write no/such/folder/map.svg");
    fails("--combat-skill 25", 2, "10 to 19");
    fails("--start 77", 2, "there is no section 77");
    fails("--solve --max-states 1", 1, "states");
}

/// The built-in book: all of it is there, and two drawings are the same.
#[test]
fn the_whole_book() {
    let draw = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bestplay"));
        let output = command.args(["gamebook", "map", "fire-on-the-water"]).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let svg = draw();
    let (names, _) = parsed(&svg);
    assert_eq!(names.iter().filter(|name| name.starts_with("section-")).count(), 350);
    assert_eq!(svg, draw());
}
