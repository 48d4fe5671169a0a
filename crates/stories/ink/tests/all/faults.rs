//! Faults of a story are reported with the path to them, and never stop the program.

use super::common::{report, story};
use budget::{Budget, Limits};
use ink::{ReportOptions, StepLimits, Story};
use std::time::Duration;

/// The first fault, and the path to it.
fn fault(text: &str) -> (String, String, Vec<String>) {
    let report = report(text);
    let found = report.faults.first().expect("a fault");
    (found.fault.message.clone(), found.fault.place.clone(), found.way.clone())
}

#[test]
fn running_out_of_content_is_reported_with_the_path() {
    let (message, place, way) =
        fault("-> s\n=== s\n+ a\n  -> t\n+ b\n  -> END\n=== t\n+ on\n  Loose.\n+ off\n  -> END\n");
    assert!(message.starts_with("ran out of content"), "{message}");
    assert_eq!((place.as_str(), way), ("t", vec!["a".to_owned(), "on".to_owned()]));
}

#[test]
fn loops_without_a_choice_are_reported() {
    let (message, place, way) = fault("-> s\n=== s\n+ a\n  -> loop\n+ b\n  -> END\n=== loop\nRound.\n-> loop\n");
    assert!(message.starts_with("it loops without asking"), "{message}");
    assert_eq!((place.as_str(), way), ("loop", vec!["a".to_owned()]));
    // After that, the rest of the story is unchanged.
    let report = report("-> s\n=== s\n+ a\n  -> loop\n+ b\n  -> s2\n=== s2\n+ c\n  -> END\n=== loop\n-> loop\n");
    assert!((report.random.faults - 0.5).abs() < 1e-9);
    assert_eq!(report.situations, 2);
}

#[test]
fn mistakes_while_running_are_faults() {
    for (text, expected) in [
        ("VAR x = 0\n-> s\n=== s\n~ x = 1 / x\n-> END\n", "attempt to divide by zero"),
        ("VAR x = 65536\n-> s\n=== s\n~ x = x * x\n-> END\n", "overflow"),
        (
            "VAR x = 3\n-> s\n=== s\n~ x = RANDOM(x, 1)\n-> END\n",
            "RANDOM was called with minimum as 3 and maximum as 1",
        ),
        ("VAR x = \"a\"\n-> s\n=== s\n~ x = x + x\n-> s\n", "a text grows beyond"),
        ("VAR x = \"a\"\n-> s\n=== s\n~ x = \"{x}{x}\"\n-> s\n", "a text grows beyond"),
        ("-> s\n=== s\n~ f(1)\n-> END\n=== function f(x)\n~ return f(x)\n", "it loops without asking"),
    ] {
        let (message, _, way) = fault(text);
        assert!(message.contains(expected), "{text}: {message}");
        assert!(way.is_empty());
    }
}

/// What is not followed may be won or lost: it is no fault of the story.
#[test]
fn chance_of_too_many_ways_leaves_bounds() {
    for text in [
        "VAR x = 0\n-> s\n=== s\n~ x = RANDOM(1, 2)\n{x == 1: -> s}\n# win\n-> END\n",
        "VAR x = 0\n-> s\n=== s\n~ x = RANDOM(1, 2000000000)\n{x > 1: -> END}\n# win\n-> END\n",
    ] {
        let report = report(text);
        assert!(report.cut && !report.is_whole() && report.faults.is_empty(), "{text}: {:?}", report.faults);
        assert_eq!((report.value.lower, report.value.upper, report.random.open), (0.0, 1.0, 1.0), "{text}");
    }
}

#[test]
fn texts_that_are_not_stories_are_reported() {
    let compile = |text: &str| Story::compile(text, "a.ink", |_| Err("nothing".into())).expect_err("no story");
    let error = compile("Fine.\n\n{ broken\n");
    assert_eq!(error.file, "a.ink");
    assert!(error.line.is_some(), "{error}");
    assert!(compile("-> nowhere\n").message.contains("nowhere"));
    assert!(compile(&"{".repeat(100_000)).message.contains("brackets"));
    assert!(compile(&"{\n(".repeat(1_000)).message.contains("braces"));
    assert!(compile(&"{x:".repeat(1_000)).message.contains("brackets"));
    assert!(compile(&format!("~ x = {}", "(-".repeat(100_000))).message.contains("brackets"));
    assert!(compile(&"{\"".repeat(100_000)).file == "a.ink");
    assert!(compile(&"*".repeat(1_000)).message.contains("bullets"));
    let external = compile("EXTERNAL f(x)\n{f(1) > 2: More.}\n-> END\n");
    assert!(external.message.contains('f'), "{external}");
    let read = |json: &str| Story::from_json(json, "a.json").expect_err("no story");
    for json in [
        "",
        "[]",
        "{}",
        "{\"inkVersion\":21,\"root\":[],\"listDefs\":{}}",
        "{\"inkVersion\":99,\"root\":[\"done\",null],\"listDefs\":{}}",
        "{\"inkVersion\":21,\"root\":[{\"->\":\"no\"},null],\"listDefs\":{}}",
        "{\"inkVersion\":21,\"root\":[\"done\",{\"global decl\":[{\"->\":\"global decl\"},\"/ev\",null]}],\"listDefs\":{}}",
        "{\"inkVersion\":21,\"root\":[\"ev\",1,\"visit\",\"seq\",\"/ev\",null],\"listDefs\":{}}",
    ] {
        assert_eq!(read(json).file, "a.json", "{json}");
    }
    assert!(read(&"[".repeat(100_000)).message.contains("recursion"));
}

#[test]
fn limits_give_bounds() {
    let endless = "VAR n = 0\n-> s\n=== s\n+ more\n  ~ n = n + 1\n  -> s\n+ end {n}\n  {n > 2: # win}\n  -> END\n";
    let budget = Budget::new(Limits { max_states: 40, ..Limits::default() });
    let report = story(endless).report(&ReportOptions::default().with_budget(&budget)).expect("bounds");
    assert!(report.stopped.is_some());
    assert!(report.random_value.lower <= 0.125 && report.random_value.upper >= 0.125, "{:?}", report.random_value);
    assert!(report.random_value.width() < 0.01 && report.random.open < 0.01);
    let budget = Budget::new(Limits { max_time: Some(Duration::ZERO), ..Limits::default() });
    let report = story(endless).report(&ReportOptions::default().with_budget(&budget)).expect("bounds");
    assert_eq!((report.value.lower, report.value.upper), (0.0, 1.0));
}

#[test]
fn steps_have_limits_of_their_own() {
    let step = StepLimits { operations: 10, ..StepLimits::default() };
    let text = "-> s\n=== s\nOne.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven.\n-> END\n";
    let report = story(text).report(&ReportOptions::default().with_step(step)).expect("a fault");
    assert_eq!(report.faults.len(), 1);
}

/// The compiler accepts any word as a variable; the runtime would fail only where it is read.
#[test]
fn variables_that_are_nowhere_are_refused() {
    let error = Story::compile("* [go]\n  {gold > 2: Rich.}\n  -> END\n", "test.ink", |_| Err("none".into()));
    assert!(error.expect_err("gold is not declared").message.contains("gold is the name of nothing"));
}
