//! Whatever can be written in ink is read as ink reads it: the truth of each story is that of plays of inkjs.

use super::common::{assert_ends, ends, knot, report, story};
use ink::Story;
use mdp::ratio;

const ENDS: &str = "=== yes\n-> END\n=== no\n-> END\n";

/// The probabilities of the ends `yes` and `no`, whose knots follow the text.
fn assert_yes(text: &str, yes: u32, of: u32) {
    let text = format!("{text}\n{ENDS}");
    if yes == of {
        assert_ends(&text, &[("yes", 1, 1)]);
    } else {
        assert_ends(&text, &[("yes", yes.into(), of.into()), ("no", (of - yes).into(), of.into())]);
    }
}

/// Choices with labels, brackets, tags and a tunnel in the middle of a sentence, three levels deep.
#[test]
fn a_house_of_choices() {
    assert_yes(
        "-> note\nVAR word = \"house\"\n=== note\nYou come to\n* (house) a house[]. #IMG=house.jpg\n* (flat) a flat[]. #IMG=flat.jpg\n\
         \x20 ~ word = \"flat\"\n- You see\n* a note[]. It is\n  * * messy[]. -> who ->\n    writes.\n  * * neat[].\n    ~ temp colour = \"\"\n\
         \x20   * * * black\n    ~ colour = \"black\"\n    * * * red\n    ~ colour = \"red\"\n    - - - ink.\n    {colour == \"red\" && word == \"flat\": -> yes}\n\
         * a letter[], and\n  * * a seal #A=b.jpg\n  - - of wax.\n- It says:\n- (opts)\n* one[] thing.\n* two[] things.\n* -> done\n- -> opts\n\
         - (done) {who: -> yes}\n-> no\n=== who\nShe\n->->\n",
        5,
        16,
    );
}

#[test]
fn names_of_every_alphabet() {
    assert_yes(
        "VAR größe = 1\nLIST цвета = (синий), красный\n-> höhle\n=== höhle\n* (über) [a]\n* [b]\n- {über and größe == 1 and цвета ? синий: -> yes}\n-> no\n",
        1,
        2,
    );
}

/// It is offered with an empty text, and is no fallback.
#[test]
fn a_choice_with_empty_brackets() {
    assert_yes("-> k\n=== k\n* [] Words.\n  -> yes\n* [b] -> no\n", 1, 2);
}

#[test]
fn a_gather_and_a_choice_in_one_line() {
    assert_yes("-> k\n=== k\n- * (a) one\n  * two\n- - * * deep\n- {a: -> yes}\n-> no\n", 1, 2);
}

#[test]
fn places_are_held_by_variables_of_every_kind() {
    let begin = "-> k\n=== k\n* [a] -> held(-> yes)\n* [b] -> held(-> no)\n=== held(-> where)\n";
    assert_yes(&format!("{begin}-> where\n"), 1, 2);
    assert_yes(&format!("{begin}~ temp there = where\n-> there\n"), 1, 2);
    assert_yes(&format!("VAR there = -> no\n{begin}~ there = where\n-> t ->\n-> no\n=== t\n->-> there\n"), 1, 2);
    assert_yes("-> k\n=== k\n= first\nVAR there = -> second\n-> there\n= second\n-> yes\n", 1, 1);
    assert_yes("-> k\n=== k\n~ temp f = -> g\n{f(): -> yes}\n-> no\n=== function g\n~ return true\n", 1, 1);
}

/// A knot is not entered again by who is in it; a label is, wherever one comes from.
#[test]
fn a_knot_that_leads_to_itself_is_visited_once() {
    assert_yes("VAR n = 0\n-> k\n=== k\n~ n++\n{n == 3 && k == 1: -> yes}\n{n > 3: -> no}\n-> k\n", 1, 1);
    assert_yes("VAR n = 0\n-> k\n=== k\n- (l)\n~ n++\n{n == 3 && l == 3: -> yes}\n{n > 3: -> no}\n-> l\n", 1, 1);
}

#[test]
fn empty_lists_of_a_frame() {
    assert_yes(
        "LIST bag = rope, lamp\n-> k\n=== k\n~ temp own = ()\n* [a]\n  ~ own += lamp\n* [b]\n- {own ? lamp && LIST_COUNT(own) == 1: -> yes}\n{own: -> yes}\n-> no\n",
        1,
        2,
    );
    assert_yes(
        "LIST bag = rope,\n  (lamp),\n  sack = 7\n-> k\n=== k\n{LIST_VALUE(sack) == 7 && bag == (lamp): -> yes}\n-> no\n",
        1,
        1,
    );
}

#[test]
fn choices_within_conditions_and_sequences() {
    assert_yes(
        "VAR x = 0\n-> k\n=== k\n~ x = RANDOM(1, 2)\n{x == 1:\n  * (a) one\n    ** deep\n       -> yes\n  * two -> yes\n- else:\n  {stopping:\n  - * three -> no\n  - nothing\n  }\n}\n",
        1,
        2,
    );
    assert_yes("-> k\n=== k\n{true:\n  * {true} {not k.l} one\n    -> no\n}\n* (l) two\n  -> yes\n", 1, 2);
}

#[test]
fn braces_within_braces() {
    assert_yes("VAR x = 1\n-> k\n=== k\n{x: {x == 2: -> no|{&{x == 1: -> yes}|-> no}}|-> no}\n", 1, 1);
    assert_yes(
        "VAR x = 2\n-> k\n=== k\n{x:\n- 1: -> no\n- 2: {\n  - x > 2: -> no\n  - else: -> yes\n  }\n}\n-> no\n",
        1,
        1,
    );
    assert_yes("VAR s = \"\"\n-> k\n=== k\n~ s = \"{k == 1:a{1 + 1}|b}\"\n{s == \"a2\": -> yes}\n-> no\n", 1, 1);
}

#[test]
fn operators_have_the_ranks_of_ink() {
    for (expression, value) in [
        ("2 * 6 / 4", "2"),
        ("12 / 2 % 4", "6"),
        ("10 - 2 + 3", "11"),
        ("3 - 2 * 2", "-1"),
        ("(true or false and false)", "0"),
        ("- 2 + 5", "3"),
        ("not false", "1"),
        ("7 mod 4", "3"),
    ] {
        assert_yes(&format!("VAR x = 0\n-> k\n=== k\n~ x = {expression}\n{{x == {value}: -> yes}}\n-> no\n"), 1, 1);
    }
}

#[test]
fn labels_are_named_from_afar() {
    assert_yes(
        "-> a\n=== a\n* [x] -> b.s.here\n* [y] -> b.here\n=== b\n-> no\n= s\n-> no\n- (here) {a: -> yes}\n-> no\n",
        1,
        1,
    );
}

/// As in ink, nothing is read after a brace that closes none.
#[test]
fn a_file_ends_at_a_brace_that_closes_nothing() {
    let story = story("-> k\n=== k\n-> END\n}\n=== l\n-> END\n");
    assert_eq!(story.knots().collect::<Vec<_>>(), ["k"]);
}

#[test]
fn what_stands_before_the_knots_of_an_included_file_comes_in_its_place() {
    let files = |name: &str| match name {
        "first.ink" => Ok("VAR x = 1\n~ x = 2\n* one\n* two\n  ~ x = 3\n=== other\n-> END\n".to_owned()),
        "empty.ink" => Ok("VAR y = 1\n".to_owned()),
        _ => Err("it is not there".to_owned()),
    };
    let text = format!("INCLUDE empty.ink\nINCLUDE first.ink\n- {{x == 3: -> yes}}\n-> no\n{ENDS}");
    let story = Story::compile(&text, "main.ink", files).expect("ink");
    let report = super::common::exactly(&story);
    // As in ink, choices of an included file gather nowhere outside of it: the story goes on to its end.
    assert_eq!((knot(&report.random, "yes"), knot(&report.random, "no")), (ratio(0, 1), ratio(1, 1)));
    assert_eq!(story.knots().collect::<Vec<_>>(), ["yes", "no", "other"]);
    let circle = Story::compile("INCLUDE a.ink\n", "main.ink", |_| Ok("INCLUDE a.ink\n".to_owned()));
    assert!(circle.expect_err("a circle").message.contains("includes itself"));
}

#[test]
fn mistakes_are_named_with_their_lines() {
    let wrong = |text: &str| Story::compile(text, "a.ink", |_| Err("none".into())).expect_err("a mistake").to_string();
    for (text, message) in [
        ("-> k\n== k\n-> nowhere\n", "a.ink:3: nowhere is the name of nothing"),
        ("-> k(1)\n== k\n-> END\n", "a.ink:1: k takes 0 arguments, not 1"),
        ("~ x = 1\n", "a.ink:1: x is no variable: VAR or ~ temp declares one"),
        ("VAR x = 1\nVAR x = 2\n", "a.ink:2: x is declared twice"),
        ("== k\n-> END\n== k\n-> END\n", "a.ink:3: k is the name of two knots or stitches"),
        ("{true: ~ x = 1}\n", "a.ink:1: logic (~) needs a line of its own"),
        ("CONST a = b\nCONST b = a\n{a}\n", "made of itself"),
        ("{RANDOM(1)}\n", "a.ink:1: RANDOM takes 2 arguments, not 1"),
        ("{1 + }\n", "a.ink:1: + needs a right side where \"}\" stands"),
    ] {
        assert!(wrong(text).contains(message), "{}", wrong(text));
    }
}

/// Fallbacks, threads with arguments and tunnels that lead on.
#[test]
fn threads_and_tunnels_with_arguments() {
    assert_yes(
        "-> k\n=== k\n<- offer(1)\n<- offer(2)\n-> DONE\n=== offer(x)\n* [{x}]\n  -> ask(x) ->\n  -> no\n=== ask(x)\n{x == 1: ->-> yes}\n->->\n",
        1,
        2,
    );
    assert_eq!(knot(&report("-> a -> b\n=== a\n->->\n=== b\n-> END\n").random, "b"), ratio(1, 1));
}

/// Glue after letters beyond ASCII, in texts, values, names, lists and tags.
#[test]
fn glue_after_letters_of_every_alphabet() {
    let text = "LIST bag = (é), (ü), x\nVAR word = \"ö\"\n-> über\n=== über\n~ word = word + \"é\"\nSchön\n<> wär's {bag}<>\n{word}\n\
                <>, sagte <> é 🕖.\n<>\n~ bag -= é\n* [wählen é] {LIST_INVERT(bag)}\n  <>⏳\n  <> {LIST_ALL(bag)}\n  \
                {word == \"öé\" && word ? \"é\" && \"{bag}\" == \"ü\": -> ünd}\n  -> END\n= ünd\nEnde. # ending: öé {bag} {word}\n-> END\n";
    let report = report(text);
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    assert_eq!(ends(&report.best, "öé ü öé"), ratio(1, 1));
    assert_eq!(knot(&report.best, "über.ünd"), ratio(1, 1));

    let story = story(text);
    let mut play = ink::Play::begin(&story, ink::StepLimits::default(), &mut |_| 0);
    assert_eq!((play.text(), play.choices()), ("Schön wär's é, üöé, sagte é 🕖.", vec!["wählen é".to_owned()]));
    assert!(play.choose(0, &mut |_| 0));
    assert_eq!(play.text(), "é, x⏳ é, ü, x\nEnde.\n");
}

/// An item may stand with its list, also in expressions and goals.
#[test]
fn items_with_their_lists() {
    let text = "LIST Size = small, big\nLIST Dog = small, old\nVAR bag = (big)\n-> k\n=== k\n{bag > Size.small && Dog.small != Size.small: -> yes}\n-> no\n";
    assert_yes(text, 1, 1);
    let story = story(&format!("{text}{ENDS}")).with_goal("bag > Size.small").expect("a condition");
    assert_eq!(super::common::exactly(&story).value.decimal(), 1.0);
}
