//! Nothing that stands in a file is passed over: an argument, a property or a block more than a node takes is a problem,
//! placed there; whatever the node.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use budget::Budget;
use gamebook::{
    BUILT_IN, Book, Problem, ReadError, ReadSeriesError, built_in, read, read_beside, read_policy, read_series,
};
use kdl::{KdlDocument, KdlEntry, KdlNode};

/// A node, by what it looks like: nodes that look alike are read alike.
type Look = (Vec<String>, Vec<String>, bool);

/// What is added to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Added {
    Number,
    Name,
    Property,
    Block,
    Child,
    Type,
    TypeOfEntry,
}

const ALL: [Added; 7] =
    [Added::Number, Added::Name, Added::Property, Added::Block, Added::Child, Added::Type, Added::TypeOfEntry];

/// Where what is added says something: a name more where as many are named as one likes, the label of a choice, the number of
/// what is taken.
fn takes_more(path: &[String], node: &KdlNode, added: Added) -> bool {
    let name = path.last().map_or("", String::as_str);
    let within = path.len().checked_sub(2).map_or("", |place| path[place].as_str());
    let has_argument = node.entries().iter().any(|entry| entry.name().is_none());
    match added {
        Added::Name => {
            matches!(name, "flags" | "define" | "reading" | "ranks")
                || matches!((within, name), ("hero", "disciplines") | ("fight-system", "ally"))
                || !has_argument && matches!(name, "choice" | "death" | "ally")
        }
        // A second number of a case of a roll is the last of its range: the dice need not come so far.
        Added::Number => {
            matches!(name, "stub" | "reading")
                || (within, name) == ("roll", "when")
                || within == "take" && !has_argument
        }
        // What happens in a round has the names that it is given; so have the sums of a pick.
        Added::Property => matches!(name, "event" | "pick" | "define"),
        _ => false,
    }
}

/// All nodes of a text that look different, each with what stands where.
fn nodes<'d>(document: &'d KdlDocument, path: &[String], found: &mut BTreeMap<Look, (Vec<String>, &'d KdlNode)>) {
    for node in document.nodes() {
        let mut own = path.to_vec();
        own.push(node.name().value().to_string());
        let entry = |entry: &KdlEntry| match (entry.name(), entry.value().as_string()) {
            (Some(name), _) => format!("{}=", name.value()),
            (None, Some(_)) => "text".into(),
            (None, None) => "number".into(),
        };
        // How deep it lies makes no difference.
        let near = own[own.len().saturating_sub(2)..].to_vec();
        let look = (near, node.entries().iter().map(entry).collect(), node.children().is_some());
        found.entry(look).or_insert_with(|| (own.clone(), node));
        if let Some(children) = node.children() {
            nodes(children, &own, found);
        }
    }
}

/// The end of the last entry of a node, or of its name.
fn end(node: &KdlNode) -> usize {
    let spans = node.entries().iter().map(KdlEntry::span).chain([node.name().span()]);
    spans.map(|span| span.offset() + span.len()).max().unwrap_or(0)
}

/// The text with something more in a node, and the bytes of what it then is.
fn with(text: &str, node: &KdlNode, added: Added) -> Option<(String, Range<usize>)> {
    let at = end(node);
    let (place, what) = match (added, node.children().is_some()) {
        (Added::Number, _) => (at, " 9999"),
        (Added::Name, _) => (at, " extra-name"),
        (Added::Property, _) => (at, " extra-property=1"),
        (Added::Block, false) => (at, " { extra-child 1; }"),
        (Added::Child, true) => (at + text[at..].find('{')? + 1, " extra-child 1; "),
        (Added::Type, _) => (node.name().span().offset(), "(extra)"),
        (Added::TypeOfEntry, _) => {
            let first = node.entries().iter().find(|entry| entry.name().is_none())?;
            let at = first.span().offset();
            (at + text[at..].len() - text[at..].trim_start().len(), "(extra)")
        }
        _ => return None,
    };
    let begin = node.name().span().offset();
    let last = node.span().offset() + node.span().len();
    Some(([&text[..place], what, &text[place..]].concat(), begin..last.max(at) + what.len()))
}

/// The text with a letter for each number of dice: `2d6` is no word of KDL, and `dd6` is.
fn as_names(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for place in (1..bytes.len().saturating_sub(1)).rev() {
        let is_dice = bytes[place] == b'd' && bytes[place + 1].is_ascii_alphanumeric();
        if is_dice && bytes[place - 1].is_ascii_digit() {
            bytes[place - 1] = b'd';
        }
    }
    String::from_utf8(bytes).expect("only letters changed")
}

/// The mistakes in nodes of a text that `problems`, which reads it, does not report.
fn unreported(text: &str, placed: bool, problems: &dyn Fn(&str) -> Vec<Problem>) -> BTreeSet<String> {
    let document = KdlDocument::parse_v2(&as_names(text)).unwrap_or_else(|error| panic!("{error:?}"));
    let mut found = BTreeMap::new();
    nodes(&document, &[], &mut found);
    let before: Vec<String> = problems(text).into_iter().map(|problem| problem.message).collect();
    let mut unreported = BTreeSet::new();
    for (path, node) in found.values() {
        for added in ALL.into_iter().filter(|added| !takes_more(path, node, *added)) {
            let Some((edited, span)) = with(text, node, added) else { continue };
            let new: Vec<Problem> =
                problems(&edited).into_iter().filter(|problem| !before.contains(&problem.message)).collect();
            // A case of more numbers is found fault with where the next one is.
            let placed = placed && path.last().is_none_or(|name| name != "when");
            let there = |problem: &Problem| span.contains(&problem.span.start);
            if !new.iter().any(|problem| !placed || there(problem)) {
                let own = &edited[span.clone()];
                let own: String = own.lines().next().unwrap_or_default().chars().take(90).collect();
                unreported.insert(format!(
                    "{added:?} in {}: {own}; reported: {:?}",
                    path.join("/"),
                    new.first().map(|p| (&p.message, p.span.clone()))
                ));
            }
        }
    }
    unreported
}

/// All problems of a book, including warnings.
fn of_book(read: Result<(Book, Vec<Problem>), ReadError>) -> Vec<Problem> {
    match read {
        Ok((_, warnings)) => warnings,
        Err(ReadError::Problems(problems)) => problems.0,
        Err(ReadError::Stopped(stopped)) => panic!("{stopped}"),
    }
}

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
#[ignore = "takes minutes with its neighbours"]
fn nothing_more_is_passed_over_in_built_in_books() {
    let mut all_unreported = BTreeSet::new();
    for (name, text) in BUILT_IN {
        let nothing = |_: &str| Err("no file".to_string());
        let all = unreported(text, true, &|text| of_book(read_beside(text, &nothing, &Budget::unlimited())));
        all_unreported.extend(all.into_iter().map(|what| format!("{name}: {what}")));
    }
    assert!(all_unreported.is_empty(), "{all_unreported:#?}");
}

#[test]
#[ignore = "takes minutes with its neighbours"]
fn nothing_more_is_passed_over_in_systems() {
    let mut all_unreported = BTreeSet::new();
    for (system, book) in [("fighting-fantasy", "warlock-of-firetop-mountain"), ("lone-wolf", "flight-from-the-dark")] {
        let text = built_in(book).unwrap();
        let own = ["system", "rules"].map(|word| format!("{word}=\"{system}\""));
        let own = own.iter().find(|own| text.contains(*own)).unwrap_or_else(|| panic!("{book}"));
        let text = text.replacen(own, "system=\"mine.kdl\"", 1);
        let rules = file(&format!("../systems/{system}.kdl"));
        let like = if system == "lone-wolf" { "format=1 like=\"lone-wolf\"" } else { "format=1" };
        let rules = rules.replacen("format=1", like, 1);
        let messages = |rules: &str| {
            let beside = |name: &str| if name == "mine.kdl" { Ok(rules.to_string()) } else { Err("none".to_string()) };
            of_book(read_beside(&text, &beside, &Budget::unlimited()))
        };
        let all = unreported(&rules, false, &messages);
        all_unreported.extend(all.into_iter().map(|what| format!("{system}: {what}")));
    }
    assert!(all_unreported.is_empty(), "{all_unreported:#?}");
}

/// Books with what the built-in ones do not have.
#[test]
fn nothing_more_is_passed_over() {
    let mut all_unreported = BTreeSet::new();
    for text in [LONE_WOLF, SYSTEM] {
        read(text).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
        let nothing = |_: &str| Err("no file".to_string());
        all_unreported
            .extend(unreported(text, true, &|text| of_book(read_beside(text, &nothing, &Budget::unlimited()))));
    }
    assert!(all_unreported.is_empty(), "{all_unreported:#?}");
}

#[test]
fn nothing_more_is_passed_over_in_series_and_policies() {
    let mut all_unreported = BTreeSet::new();
    for series in ["both", "keeps"] {
        let text = file(&format!("../../app/bestplay/tests/data/series/{series}.kdl"));
        let books = |name: &str| Ok(file(&format!("../../app/bestplay/tests/data/series/{name}")));
        let beside = |_: &str| Err("no file".to_string());
        let messages = |text: &str| match read_series(text, &books, &beside, &Budget::unlimited()) {
            Ok((_, warnings)) => warnings,
            Err(ReadSeriesError::Series(problems) | ReadSeriesError::Book { problems, .. }) => problems.0,
            Err(ReadSeriesError::Stopped(stopped)) => panic!("{stopped}"),
        };
        all_unreported.extend(unreported(&text, true, &messages));
    }
    let (book, _) = read(LONE_WOLF).unwrap();
    let messages = |text: &str| read_policy(&book, text).map_or_else(|problems| problems.0, |_| Vec::new());
    all_unreported.extend(unreported(POLICY, true, &messages));
    assert!(all_unreported.is_empty(), "{all_unreported:#?}");
}

const POLICY: &str = r#"
policy "calm" default=#true {
    always "leave the fight" if="rounds >= 2"
    never "buy meal for 2" in=2
    from 1 goto 2
    random if="gold >= 9"
    first in=3
    last
}
"#;

const LONE_WOLF: &str = r#"
book "All of it" format=1 system="lone-wolf"
start 1
goal 9 8
items {
    weapon sword bonus=1 doubles-undead=#true
    weapon spear special=#true { as sword; }
    backpack-item potion heals=4 when=any-time cures=ill
    backpack-item tonic strengthens=2
    backpack-item meal food=#true most=3
    backpack-item rope places=2
    special ring combat-skill=2 endurance=1
    container pack holds=8
}
flags ill seen
counter days max=9
reading lightning heals costs
policy "calm" { always "leave the fight" if="rounds >= 2"; never "buy meal for 2" in=2; }
policy "wild" default=#false { random; }
kinder "careless" "gold@3" "rope"
stub 71 72
on-enter { if "ill" { endurance -1; }; }
hero {
    combat-skill 15
    endurance 25
    learns 2
    disciplines hunting weaponskill=sword
    gold 5
    fixed ring pack
    items sword meal=2
    rolled combat-skill endurance gold="d10"
    choose 1 { spear; meal 2; bundle { rope; gold 3; }; }
}
section 1 {
    text "One."
    todo "more of it"
    gain gold 2
    gain rope
    gain tonic
    gain potion
    lose meal
    lose gold 2
    lose gold all
    lose-all special except="ring"
    give-up weapons 1 by=chance
    give-up backpack-items 1
    set seen
    set days 3
    set days "days + 1"
    clear seen
    eat hunting=#false optional=#true
    eat
    endurance 3
    endurance full
    endurance half
    endurance "-(1 + 1)"
    take at-most=2 { spear; meal 3; gold 12; }
    shop { sell sword 3; buy meal 2 at-most=1; }
    pick as=r count=2 zero-is=10 { plus 1 if="discipline hunting"; when 3 12 { gain gold r; }; else { }; }
    pick mine=1 theirs=1 { when "mine > theirs" { gain gold 1; }; else { }; }
    pick { when 0 4 { set ill; }; when 5 9 { }; }
    if "has rope and seen" { goto 2; }
    else-if "gold >= 3" { goto 71; }
    else { goto 3; }
}
section 2 {
    choice "some" each=n from=0 to="min(gold, 9)" { require "gold >= 1"; lose gold n; goto 3; }
    choice "none" { goto 4; }
    choice { require "ill"; goto 72; }
}
section 3 {
    repeat round {
        choice "again" { require "gold >= 4"; lose gold 3; again round; }
        choice "on" { goto 4; }
    }
}
section 4 {
    fight "Wolf" skill=12 endurance=10 undead=#true immune-to-mindblast=#true {
        bonus 2 rounds=1 if="has ring"
        mindforce 2 after=3 always=#true
        untouchable rounds=1
        double-damage
        no-potions
        helper 1
        evade from-round=3 { goto 5; }
        first-wound { set ill; }
        slip 1 { endurance -1; }
        returns-half
        stop after=9 { goto 5; }
    }
    goto 5
}
section 5 {
    fight {
        enemy "One" skill=10 endurance=5
        enemy "Two" skill=11 endurance=6
        bare-hands rounds=2
        defeat leaves=2 { goto 6; }
    }
    fight "Three" skill=9 endurance=9 { only-weapon sword; venom 1; defeat leaves=half { goto 6; }; }
    fight "Four" skill=9 endurance=9 { mock { endurance -1; }; }
    goto 6
}
section 6 {
    one-round "Five" skill=14 endurance=20 {
        worse { death "slain"; }
        equal { goto 9; }
        better { victory; }
    }
}
section 8 { victory; }
section 9 { victory; }
"#;

const SYSTEM: &str = r#"
book "All of a system" format=1 system="none"
start "Gate"
goal 9
stat skill start=9 min=0 max=12
stat stamina from="2d6 + 12" initial=#true vital=#true
stat mood negative=#true
counter coins max=20 start=3
counter red max=5 start=2
counter black max=5 start=2
flags brave cold
container sack holds=4
item rope in=sack max=2 start=1
item lamp
reading lightning heals costs
enemy-stat skill
enemy-stat stamina vital=#true min=0 max=30
policy "calm" { always eat; never "on" in="Gate"; from 2 goto 3; first on=won if="coins >= 1"; last; random; }
kinder "careless" "coins@3" "rope"
hero {
    skill 10
    coins 4
    brave
    cold 0
    rolled stamina coins="d6 + 1"
    choose 1 { rope; bundle { lamp; coins 3; }; }
}
test lucky { roll 2d6 as=r; yes "r <= skill"; after { mood -1; }; }
define hurt by { stamina "-by"; }
action eat when=outside-fight { require "coins >= 9"; coins -9; stamina full; }
on-enter { mood 1; }
on-leave { if "cold" { stamina -1; }; }
on-death { if "coins > 15" { coins -15; stamina full; resume; }; }
before-fight { mood 0; }
after-fight { set cold; }
fight-system {
    order one-by-one
    local bonus min=-9 max=9
    round {
        roll 2d6 as=mine
        roll 2d6 as=theirs
        let edge "mine + skill + bonus - theirs - enemy.skill"
        if "edge > 0" { event won hit=2; }
        else-if "edge < 0" { event lost hit=2; }
    }
    others { stamina -1; }
    on won { enemy.stamina "-hit"; }
    on lost { stamina "-hit"; }
    end-of-round { mood 1; }
    on-escape { stamina -2; }
    ally attack hit { roll 2d6 as=a; if "a + ally.attack >= 20" { enemy.stamina "-ally.hit"; }; }
}
section "Gate" {
    text "A gate."
    todo "the rest"
    stamina -2
    stamina half
    stamina "-(1 + 1)"
    set coins 3
    set brave
    clear brave
    raise stamina.initial 1
    let twice "2 * coins"
    gain rope
    gain coins 2
    lose coins 1
    lose coins all
    take { lamp; coins 2; }
    use hurt by=1
    test lucky { yes { coins 1; }; no { coins -1; }; }
    roll d6 as=r { when 1 3 { coins 1; }; when "r = 4" { }; else { coins "r"; }; }
    roll mine=2d6 theirs=d6 { when "mine > theirs" { coins 1; }; else { }; }
    draw { red { red -1; }; black { black -1; }; else { coins 1; }; }
    goto 2
}
section 2 {
    choice "on" each=n from=0 to=3 { require "coins >= 1"; coins "-n"; goto 3; }
    choice "off" { goto 4; }
}
section 3 {
    repeat loop {
        choice "again" { require "coins >= 4"; coins -3; again loop; }
        choice "on" { goto 4; }
    }
}
section 4 {
    fight "Golem" skill=8 stamina=9 bonus=1 {
        local run max=2 start=0 min=0
        on won { run 1; }
        before-round { mood 1; }
        end-of-round { mood -1; }
        ally attack=10 hit=2
        escape if="skill >= 3" { goto 5; }
    }
    fight { enemy "One" skill=5 stamina=4; enemy "Two" skill=5 stamina=4; order player-picks; }
    goto 5
}
section 5 { roll d6 { when 1 { death "late"; }; when 2 3 { victory; }; else { goto 9; }; }; }
section 9 { victory; }
"#;
