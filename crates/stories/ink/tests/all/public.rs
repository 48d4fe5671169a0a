//! What public stories are made of, as far as the compiler reads it otherwise than ink.

use super::common::{assert_ends, report};

#[test]
fn a_mark_before_the_first_header_is_skipped() {
    // Nothing stands before the first knot: ink ends there at once.
    let report = report("\u{feff}=== hall ===\n* [on] -> END\n");
    assert_eq!(report.random.knots.len(), 1);
    assert_eq!(report.situations, 0);
}

#[test]
fn declarations_stand_anywhere() {
    assert_ends(
        "-> k\n== k\n* one\n  VAR x = 1\n  {x == 2: -> no}\n  -> yes\n* two\n  -> no\n== yes\n-> END\n== no\n-> END\nLIST l = a\n",
        &[("yes", 1, 2), ("no", 1, 2)],
    );
}

#[test]
fn comments_hide_what_they_hold() {
    assert_ends(
        "/* VAR x = 2\n* no */\nVAR x = 1 // VAR x = 3\n-> k // -> no\n== k\n{x == 1: -> yes} /* { */\n-> no\n== yes\n-> END\n== no\n-> END\n",
        &[("yes", 1, 1)],
    );
}

/// A tag after the brackets of a choice counts, whatever stands before the brackets and after the tag.
#[test]
fn tags_behind_brackets_win() {
    for choice in [
        "* [On] # win\n  -> END",
        "* [On] Text # win\n  -> END",
        "* [On] Text # win -> END",
        "* (label) {true} [On] # win # gold\n  -> END",
        "* [On] # win\n  More text.\n  -> END",
        "* On # win\n  -> END",
        "* [On # win] -> END",
        "* [On]\n  -> t -> END",
        "* [On]\n  {true: # win}\n  -> END",
        "* [On]\n  # gold #win\n  -> END",
        "* [On]\n  Text #gold#win\n  -> END",
    ] {
        let report = report(&format!("{choice}\n* [Out] -> END\n== t\n# win\n->->\n"));
        assert_eq!(report.random_value.decimal(), 0.5, "{choice}");
    }
}

#[test]
fn labels_are_found_from_everywhere_in_their_knot() {
    assert_ends(
        "VAR n = 0\n-> k\n== k\n- (loop)\n~ n++\n{n > 2: -> yes}\n* [a] -> s\n* [b] -> loop\n= s\n-> loop\n== yes\n-> END\n",
        &[("yes", 1, 1)],
    );
    assert_ends(
        "-> k\n== k\n* [turn]\n  - - (tried) hot\n* [leave]\n- {tried: -> yes}\n-> no\n== yes\n-> END\n== no\n-> END\n",
        &[("yes", 1, 2), ("no", 1, 2)],
    );
}

#[test]
fn sequences_in_the_text_of_a_choice_that_is_shown_again() {
    assert_ends(
        "-> k\n== k\n+ Watch the {&film|play}\n  You watch {&one|two}.\n  {k > 2: -> yes}\n  -> k\n* Go -> yes\n== yes\n-> END\n",
        &[("yes", 1, 1)],
    );
}

#[test]
fn branches_of_a_condition_need_no_conditions() {
    assert_ends(
        "VAR x = 1\n-> k\n== k\n~ x = RANDOM(1, 4)\n{x == 1:\n  - first\n    -> yes\n  - second\n    -> no\n}\n== yes\n-> END\n== no\n-> END\n",
        &[("yes", 1, 4), ("no", 3, 4)],
    );
}

#[test]
fn a_brace_begins_in_the_middle_of_a_line() {
    assert_ends(
        "VAR x = 1\n-> k\n== k\n~ x = RANDOM(1, 4)\nYou see {\n- x == 1: gold.\n  -> yes\n- else: lead.\n}\n-> no\n== yes\n-> END\n== no\n-> END\n",
        &[("yes", 1, 4), ("no", 3, 4)],
    );
}

#[test]
fn a_condition_ends_with_a_call() {
    assert_ends(
        "VAR x = 1\n-> k\n== k\n{x != TURNS(): -> yes}\n-> no\n== yes\n-> END\n== no\n-> END\n",
        &[("yes", 1, 1)],
    );
}

#[test]
fn a_list_ends_with_its_line() {
    assert_ends(
        "LIST bag = rope, (lamp)\n   -> k\n=== k ===\n{bag ? lamp: -> yes}\n-> no\n== yes\n-> END\n== no\n-> END\n",
        &[("yes", 1, 1)],
    );
}

#[test]
fn a_dash_needs_no_space() {
    let text = |dash: &str| {
        format!(
            "VAR x = 1\n-> k\n== k\n~ x = RANDOM(1, 4)\n{{ x > 1:\n  {{x == 2:\n    -> yes\n   {dash}else:\n    -> no\n  }}\n}}\n-> no\n== yes\n-> END\n== no\n-> END\n"
        )
    };
    for dash in ["-", "- ", "-\t"] {
        assert_ends(&text(dash), &[("yes", 1, 4), ("no", 3, 4)]);
    }
    assert_ends("- * one\n- (l) * two -> k\n== k\n-> END\n", &[("k", 1, 1)]);
}

/// The result of a function of the host that is only written is unknown, and changes nothing.
#[test]
fn functions_of_the_host_may_write() {
    assert_ends("EXTERNAL mood(x)\nYou are {mood(1)}.\n-> k\n== k\n-> END\n", &[("k", 1, 1)]);
}

/// Words that depend on chance or on earlier events do not make situations.
#[test]
fn what_only_changes_words_makes_no_situations() {
    let road = |text: &str| {
        format!(
            "VAR gold = 0\n-> road\n== road\n{text}\n+ [dig]\n  ~ gold = RANDOM(1, 50)\n  -> road\n+ [look] -> road\n+ [rest] -> END\n"
        )
    };
    let words = "{~a|b|c|d}{~a|b|c|d}{~a|b|c|d}{~a|b|c|d}{~a|b|c|d}{~a|b|c|d}{~a|b|c|d}{~a|b|c|d} {gold} {gold > 7: rich|poor} {&x|y|z}";
    let report = report(&road(words));
    assert!(report.is_whole());
    assert_eq!(report.situations, 1);
    // A tag can name an ending.
    assert_ends(
        "VAR gold = 0\n-> k\n== k\n~ gold = RANDOM(1, 2)\n+ [on]\n- # ending: rich {gold}\n-> END\n",
        &[("rich 1", 1, 2), ("rich 2", 1, 2)],
    );
    // A branch that leads elsewhere, a tag and the text of a choice do.
    for matters in ["{gold > 7: -> END}", "{gold > 7: rich # win}", "+ {gold > 7} [buy] -> END", "+ [{gold}] -> END"] {
        assert!(super::common::report(&road(matters)).situations > 1, "{matters}");
    }
}
