//! Where stories end, and which endings are won.

use super::common::{ends, exactly, knot, report, story};
use ink::{Goal, Story, TOP};
use mdp::ratio;

#[test]
fn the_tag_is_seen_from_the_last_choice_on() {
    let report = report(
        "-> s\n=== s\n+ a\n  Well done. # WIN\n  And more.\n  -> END\n+ b\n  # win\n  ++ on\n     -> END\n+ c # win\n  -> t\n+ d\n  -> DONE\n\
         === t\n-> END\n",
    );
    assert_eq!(report.value.exact, Some(ratio(1, 1)));
    assert_eq!(report.random_value.exact, Some(ratio(1, 2)), "that before another choice does not count");
    assert_eq!(ends(&report.random, "s"), ratio(3, 4));
    assert_eq!(ends(&report.random, "t"), ratio(1, 4));
}

#[test]
fn endings_have_names() {
    let report = report("Top.\n* a # ending: Rich and happy\n  -> END\n* b\n  -> k.st\n* c\n=== k\n= st\n-> END\n");
    let names: Vec<&str> = report.random.endings.iter().map(|(ending, _)| ending.name.as_str()).collect();
    assert_eq!(names, [TOP, "Rich and happy", "k.st"]);
    assert_eq!(ends(&report.random, TOP), ratio(1, 3));
    assert!(report.random.endings.iter().all(|(ending, _)| !ending.won));
}

#[test]
fn a_knot_can_be_the_goal() {
    let story =
        story("-> s\n=== s\n+ a\n  -> k.st\n+ b\n  -> END\n=== k\n-> END\n= st\n+ on\n  -> END\n+ back\n  -> s\n");
    for goal in ["k", "k.st"] {
        let with = story.with_goal(goal).expect("a knot");
        assert_eq!(with.goal(), &Goal::Knot(goal.to_owned()));
        let report = exactly(&with);
        assert_eq!(report.random_value.exact, Some(ratio(1, 2)), "{goal}");
        assert_eq!(ends(&report.random, goal), ratio(1, 2));
    }
    assert_eq!(exactly(&story.with_goal("s").expect("a knot")).value.exact, Some(ratio(1, 1)));
}

#[test]
fn a_condition_can_be_the_goal() {
    let text = "VAR gold = 0\nLIST have = lamp, rope\n-> s\n=== s\n+ {gold < 15} dig\n  ~ gold = gold + (RANDOM(0, 1) * 5)\n+ {not shop} shop\n  -> shop\n+ leave\n  -> END\n\
                - -> s\n=== shop\n~ have += lamp\n-> s\n";
    let story = story(text);
    let worth = |goal: &str| exactly(&story.with_goal(goal).expect("a condition")).value.exact.expect("an exact value");
    assert_eq!(worth("gold >= 10"), ratio(1, 1));
    assert_eq!(worth("have ? lamp and gold == 0"), ratio(1, 1));
    assert_eq!(worth("have ? rope"), ratio(0, 1));
    assert_eq!(worth("shop > 0 && gold > 5"), ratio(1, 1));
    for wrong in ["", "cellar", "gold >=", "gold\n== 3", "RANDOM(1, 2) == 1", "{gold}"] {
        assert_eq!(story.with_goal(wrong).expect_err("no goal").file, "the goal", "{wrong}");
    }
}

#[test]
fn compiled_stories_are_read_with_their_knots() {
    // As the compiler of ink itself writes it, without counts.
    let json = r##"{"inkVersion":21,"root":[[{"->":"s"},["done",{"#n":"g-0"}],null],"done",{"s":[["ev","str","^a","/str","/ev",
        {"*":".^.c-0","flg":20},"ev","str","^b","/str","/ev",{"*":".^.c-1","flg":20},{"c-0":["\n",{"->":"k"},{"#f":5}],
        "c-1":["\n","end",{"#f":5}]}],null],"k":["#","^win","/#","end",null]}],"listDefs":{}}"##;
    let story = Story::from_json(json, "story.ink.json").expect("a compiled story");
    assert_eq!(story.knots().collect::<Vec<_>>(), ["s", "k"]);
    let report = exactly(&story);
    assert_eq!(report.random_value.exact, Some(ratio(1, 2)));
    assert_eq!(knot(&report.random, "k"), ratio(1, 2));
}

#[test]
fn endless_play_is_reported() {
    let report = report("-> s\n=== s\n+ a\n  -> s\n+ b\n  -> s\n");
    assert_eq!((report.random.forever, report.situations), (1.0, 1));
    assert!(report.random.endings.is_empty());
}

/// Play that breaks off has visited the knots on its path all the same, and a goal among them.
#[test]
fn knots_on_the_way_to_a_fault_count() {
    let cellar = "=== cellar ===\n{RANDOM(1, 4) == 1: -> hall}\nIt is dark.\n";
    let story = story(&format!("-> hall\n=== hall ===\n* [climb] -> DONE\n* [go] -> cellar\n{cellar}"));
    let report = exactly(&story);
    assert_eq!(knot(&report.random, "cellar"), ratio(1, 2));
    assert!((report.random.faults - 0.375).abs() < 1e-9);
    let to_cellar = exactly(&story.with_goal("cellar").expect("a knot"));
    assert_eq!((to_cellar.value.exact, to_cellar.random_value.exact), (Some(ratio(1, 1)), Some(ratio(1, 2))));
}

#[test]
fn a_variable_alone_can_be_the_goal() {
    let story = story("VAR found = false\n-> s\n=== s ===\n* [look]\n  ~ found = true\n  -> END\n* [go] -> END\n");
    let report = exactly(&story.with_goal("found").expect("a condition"));
    assert_eq!(report.random_value.exact, Some(ratio(1, 2)));
}
