//! Every construct of ink that affects the flow of a story.

use super::common::{assert_ends, knot, report};
use ink::Story;
use mdp::ratio;

#[test]
fn weaves_gather_and_labels_count() {
    assert_ends(
        "* [a] one\n* (b) [b] two\n- gathered\n{b: -> k}\n-> l\n=== k\n-> END\n=== l\n-> END\n",
        &[("k", 1, 2), ("l", 1, 2)],
    );
    assert_ends(
        "-> s\n=== s\n* a\n  * * c\n    -> x\n  * * d\n  - - deep\n  -> y\n* b\n- -> z\n=== x\n-> END\n=== y\n-> END\n=== z\n-> END\n",
        &[("x", 1, 4), ("y", 1, 4), ("z", 1, 2)],
    );
}

#[test]
fn once_only_choices_go_and_fallbacks_come() {
    let report = report("-> s\n=== s\n* a\n  -> s\n* b\n  -> s\n* -> out\n=== out\n-> END\n");
    assert_eq!(knot(&report.random, "out"), ratio(1, 1));
    assert_eq!(report.situations, 3);
    // The fallback exists beside other choices: it is not taken then.
    assert_ends(
        "VAR n = 0\n-> s\n=== s\n+ {n < 1} a\n  ~ n = n + 1\n  -> s\n+ {n < 1} b\n  -> q\n+ -> out\n=== out\n-> END\n=== q\n-> END\n",
        &[("out", 1, 2), ("q", 1, 2)],
    );
}

#[test]
fn tunnels_come_back_and_can_be_left() {
    assert_ends(
        "VAR gold = 0\n-> s\n=== s\n-> rob ->\n{gold: -> rich}\n-> poor\n=== rob\n+ take\n  ~ gold++\n  ->->\n+ leave\n  ->->\n\
         + flee\n  ->-> far\n=== rich\n-> END\n=== poor\n-> END\n=== far\n-> END\n",
        &[("rich", 1, 3), ("poor", 1, 3), ("far", 1, 3)],
    );
    // The return position of a tunnel is part of the situation.
    assert_ends(
        "-> s\n=== s\n+ a\n  -> t ->\n  -> x\n+ b\n  -> t ->\n  -> y\n=== t\n+ [on]\n  ->->\n+ [on too]\n  ->->\n=== x\n-> END\n=== y\n-> END\n",
        &[("x", 1, 2), ("y", 1, 2)],
    );
}

#[test]
fn threads_offer_the_choices_of_others() {
    assert_ends(
        "-> s\n=== s\n<- one\n<- two(3)\n+ own\n  -> a\n-> DONE\n=== one\n+ [first] -> b\n=== two(x)\n+ [second]\n  {x == 3: -> c}\n  -> a\n\
         === a\n-> END\n=== b\n-> END\n=== c\n-> END\n",
        &[("a", 1, 3), ("b", 1, 3), ("c", 1, 3)],
    );
}

#[test]
fn functions_change_what_they_are_given() {
    assert_ends(
        "VAR gold = 1\n-> s\n=== s\n~ alter(gold, 2)\n{twice(gold) == 6: -> yes}\n-> no\n=== function alter(ref x, k)\n~ x = x + k\n\
         === function twice(x)\n~ return x * 2\n=== yes\n-> END\n=== no\n-> END\n",
        &[("yes", 1, 1), ("no", 0, 1)],
    );
    assert_ends(
        "-> s\n=== s\n{fact(4) == 24: -> x}\n-> y\n=== function fact(n)\n{ n <= 1:\n  ~ return 1\n}\n~ return n * fact(n - 1)\n\
         === x\n-> END\n=== y\n-> END\n",
        &[("x", 1, 1)],
    );
}

#[test]
fn temporary_variables_and_parameters_stay_with_their_frames() {
    assert_ends(
        "-> s\n=== s\n~ temp x = 2\n+ a\n  ~ x = x + 1\n+ b\n- {x == 3: -> p(x)}\n-> q\n=== p(n)\n+ [go]\n  {n == 3: -> END}\n  -> q\n\
         === q\n-> END\n",
        &[("p", 1, 2), ("q", 1, 2)],
    );
}

#[test]
fn conditions_switches_and_operators() {
    assert_ends(
        "VAR x = 0\n-> s\n=== s\n~ x = RANDOM(0, 3)\n{ x:\n- 0: -> zero\n- 1: -> one\n- else: -> more\n}\n\
         === zero\n-> END\n=== one\n-> END\n=== more\n-> END\n",
        &[("zero", 1, 4), ("one", 1, 4), ("more", 1, 2)],
    );
    assert_ends(
        "VAR a = true\nVAR b = false\n-> s\n=== s\n{ (a or b) and b: -> yes }\n-> no\n=== yes\n-> END\n=== no\n-> END\n",
        &[("yes", 0, 1), ("no", 1, 1)],
    );
    assert_ends(
        "CONST HALF = 5\nVAR x = 7\n-> s\n=== s\n{\n- x mod HALF == 2 && x / 2 == 3:\n  -> yes\n- else:\n  -> no\n}\n\
         === yes\n-> END\n=== no\n-> END\n",
        &[("yes", 1, 1)],
    );
}

#[test]
fn sequences_count_on() {
    // The third time a stopping sequence stays, a cycle starts again, a once-only one is silent.
    let turns = |kind: &str| {
        format!(
            "VAR n = 0\nVAR s = 0\n-> s1\n=== s1\n~ n = n + 1\n{kind}\n{{n < 3: -> s1}}\n{{s == 3: -> three}}\n{{s == 4: -> four}}\n\
             {{s == 5: -> five}}\n-> other\n=== three\n-> END\n=== four\n-> END\n=== five\n-> END\n=== other\n-> END\n\
             === function add(k)\n~ s = s + k\n"
        )
    };
    assert_ends(&turns("{{add(1)}|{add(2)}}"), &[("five", 1, 1)]);
    assert_ends(&turns("{&{add(1)}|{add(2)}}"), &[("four", 1, 1)]);
    assert_ends(&turns("{!{add(1)}|{add(2)}}"), &[("three", 1, 1)]);
}

#[test]
fn shuffles_draw_without_putting_back() {
    // Both elements are drawn in the first two draws; the third draw is the first of a new round.
    assert_ends(
        "VAR n = 0\nVAR a = 0\n-> s\n=== s\n~ n++\n{~{add(1)}|{add(0)}}\n{n < 3: -> s}\n{a == 2: -> two}\n-> one\n\
         === two\n-> END\n=== one\n-> END\n=== function add(k)\n~ a = a + k\n",
        &[("two", 1, 2), ("one", 1, 2)],
    );
    assert_ends(
        "-> s\n=== s\n{shuffle once:\n- -> a\n- -> b\n}\n-> c\n=== a\n+ [on] -> s\n=== b\n+ [on] -> s\n=== c\n-> END\n",
        &[("c", 1, 1)],
    );
    assert_ends(
        "-> s\n=== s\n{shuffle:\n- -> a\n- -> b\n- -> c\n}\n=== a\n-> END\n=== b\n-> END\n=== c\n-> END\n",
        &[("a", 1, 3), ("b", 1, 3), ("c", 1, 3)],
    );
}

#[test]
fn lists_have_order_items_and_chance() {
    assert_ends(
        "LIST mood = calm, (angry), sad\n-> s\n=== s\n+ soothe\n  ~ mood = calm\n+ tease\n+ drink\n  ~ mood += sad\n\
         - {mood ? sad: -> both}\n{mood < angry: -> low}\n-> high\n=== low\n-> END\n=== high\n-> END\n=== both\n-> END\n",
        &[("low", 1, 3), ("high", 1, 3), ("both", 1, 3)],
    );
    assert_ends(
        "LIST suit = clubs = 2, hearts, spades = 7\nVAR drawn = ()\n-> s\n=== s\n~ drawn = LIST_RANDOM(LIST_ALL(suit))\n\
         {LIST_VALUE(drawn) == 7: -> spade}\n{drawn == hearts: -> heart}\n-> club\n=== spade\n-> END\n=== heart\n-> END\n=== club\n-> END\n",
        &[("spade", 1, 3), ("heart", 1, 3), ("club", 1, 3)],
    );
}

#[test]
fn places_can_be_values() {
    assert_ends(
        "VAR next = -> a\n-> s\n=== s\n+ stay\n+ change\n  ~ next = -> b\n- -> next\n=== a\n-> END\n=== b\n-> END\n",
        &[("a", 1, 2), ("b", 1, 2)],
    );
}

#[test]
fn visits_turns_and_turns_since() {
    // A knot counts as visited when one of its stitches is entered.
    assert_ends(
        "-> cave.lamp\n=== cave\n= door\n-> END\n= lamp\n-> out\n=== out\n{ cave: -> yes }\n-> no\n=== yes\n-> END\n=== no\n-> END\n",
        &[("yes", 1, 1), ("no", 0, 1)],
    );
    assert_ends(
        "-> s\n=== s\n+ a\n  -> s\n+ {TURNS() >= 2} b\n  {TURNS() == 3: -> three}\n  -> later\n=== three\n-> END\n=== later\n-> END\n",
        &[("three", 1, 2), ("later", 1, 2)],
    );
    assert_ends(
        "-> s\n=== s\n-> loop\n=== loop\n+ wait\n  {TURNS_SINCE(-> s) >= 3: -> late}\n  -> loop\n+ go\n  -> early\n=== late\n-> END\n=== early\n-> END\n",
        &[("late", 1, 8), ("early", 7, 8)],
    );
}

#[test]
fn glue_and_looking_ahead_draw_once() {
    // The runtime runs past the end of a line and back: each number is drawn once all the same.
    assert_ends(
        "VAR x = 0\n-> s\n=== s\nOne line.\n~ x = x + RANDOM(0, 1)\nAnother line. <>\n~ x = x + RANDOM(0, 1)\nGlued.\n\
         {x == 1: -> one}\n-> even\n=== one\n-> END\n=== even\n-> END\n",
        &[("one", 1, 2), ("even", 1, 2)],
    );
    assert_ends(
        "VAR x = 0\n-> s\n=== s\nWell.\n+ [take {~one|another}] -> a\n+ [leave] -> b\n=== a\n-> END\n=== b\n-> END\n",
        &[("a", 1, 2), ("b", 1, 2)],
    );
}

#[test]
fn external_functions_fall_back_and_includes_are_asked_for() {
    assert_ends(
        "EXTERNAL luck(n)\n-> s\n=== s\n{luck(2) == 4: -> x}\n-> y\n=== function luck(n)\n~ return n * 2\n=== x\n-> END\n=== y\n-> END\n",
        &[("x", 1, 1)],
    );
    let files = |name: &str| match name {
        "parts/more.ink" => Ok("INCLUDE deep.ink\n=== more\n-> deep\n".to_owned()),
        "parts/deep.ink" => Ok("=== deep\n-> END\n".to_owned()),
        _ => Err("it is not there".to_owned()),
    };
    let story = Story::compile("INCLUDE parts/more.ink\n-> more\n", "main.ink", files).expect("ink");
    assert_eq!(story.knots().collect::<Vec<_>>(), ["more", "deep"]);
    let missing = Story::compile("INCLUDE none.ink\n-> END\n", "main.ink", files).expect_err("nothing to include");
    assert_eq!(missing.to_string(), "main.ink:1: INCLUDE none.ink cannot be read: it is not there");
}

/// The compiler does not count turns that only a sequence reads.
#[test]
fn turns_since_within_sequences() {
    for kind in ["cycle", "stopping", "once", "shuffle", "once shuffle", "shuffle stopping"] {
        let asks = "- First.\n  ~ n = TURNS_SINCE(-> k)\n- Second.\n  ~ n = TURNS_SINCE(-> k)\n";
        let ends = "=== now ===\n-> END\n=== never ===\n-> END\n";
        let text = format!(
            "VAR n = 5\n-> s\n=== s ===\n+ [go] -> k\n=== k ===\n{{{kind}:\n{asks}}}\n{{n == 0: -> now}}\n-> never\n{ends}"
        );
        assert_ends(&text, &[("now", 1, 1)]);
    }
    let label = "VAR n = 5\n-> s\n=== s ===\n+ (here) [go]\n  {cycle:\n  - ~ n = TURNS_SINCE(-> here)\n  }\n  {n == 0: -> now}\n  -> never\n";
    assert_ends(&format!("{label}=== now ===\n-> END\n=== never ===\n-> END\n"), &[("now", 1, 1)]);
}

#[test]
fn a_tunnel_leads_on_in_the_same_line() {
    let knots = "=== rest ===\n~ n = n + 1\n->->\n=== one ===\n-> END\n=== two ===\n-> END\n";
    let begin = "VAR n = 0\n-> s\n=== s ===\n* [on] -> rest -> t\n* [off]\n  Well. -> rest ->\n  -> rest -> t\n";
    assert_ends(&format!("{begin}=== t ===\n{{n == 1: -> one}}\n-> two\n{knots}"), &[("one", 1, 2), ("two", 1, 2)]);
}

#[test]
fn effects_on_the_host_change_nothing() {
    let calls = "EXTERNAL sound(name, volume)\nEXTERNAL exit()\n-> s\n=== s ===\n~ sound(\"door\", 3)\n";
    assert_ends(
        &format!("{calls}* [on]\n  ~ exit()\n  -> END\n* [off] -> t\n=== t ===\n-> END\n"),
        &[("s", 1, 2), ("t", 1, 2)],
    );
}

#[test]
fn an_empty_list_stays_one_of_its_items() {
    for all in ["LIST_ALL(bag)", "LIST_INVERT(bag)"] {
        let begin = "LIST bag = (red), green\n-> s\n=== s ===\n~ bag -= red\n+ [on]\n-\n";
        let end = "{LIST_COUNT(bag) == 2: -> both}\n-> END\n=== both ===\n-> END\n";
        assert_ends(&format!("{begin}~ bag = {all}\n{end}"), &[("both", 1, 1)]);
    }
}

#[test]
fn logic_stands_behind_gathers_and_branches() {
    let begin = "VAR n = 0\n-> s\n=== s ===\n* [on]\n";
    let end = "{n == 2: -> two}\n-> END\n=== two ===\n-> END\n";
    for logic in [
        "- ~ n = 2\n",
        "- (label) ~ n = 2\n",
        "  ** [more]\n  -- ~ n = 2\n-\n",
        "-\n{ n == 1:\n  Well.\n- else: ~ n = 2\n}\n",
        "-\n{\n- n == 0: ~ n = 2\n- else: Well.\n}\n",
        "-\n{ n:\n- 0: ~ n = 2\n}\n",
    ] {
        assert_ends(&format!("{begin}{logic}{end}"), &[("two", 1, 1)]);
    }
}

/// What inkjs says of the same stories: 10,000 plays of each.
#[test]
fn the_end_is_the_end_whatever_could_still_be_chosen() {
    for threads in
        ["{true:\n * [x] -> y\n}\n-> over", "<- t\n* [x] -> y\n- -> DONE", "{true:\n * [x] -> y\n}\n-> over ->\n-> y"]
    {
        let text = format!(
            "-> k\n=== k\n{threads}\n=== t\n-> over\n=== over\nOver. # ending: first\n-> END\n=== y\n# ending: second\n-> END\n"
        );
        assert_ends(&text, &[("first", 1, 1)]);
    }
    // Where a flow is only done, choices stay.
    assert_ends("-> k\n=== k\n{true:\n * [x] -> y\n}\nOver.\n-> DONE\n=== y\n-> END\n", &[("y", 1, 1)]);
}

/// A divert to a value visits its target again; one to a name does not.
#[test]
fn diverts_to_values_count_visits() {
    let story = |divert: &str| {
        format!(
            "VAR to = -> k\nVAR n = 0\n-> k\n=== k\n~ n++\n{{n > 2: -> over}}\n{divert}\n=== t\n->-> k\n=== over\n\
             {{k == 3: -> three}}\n{{k == 1: -> one}}\n-> END\n=== one\n-> END\n=== three\n-> END\n"
        )
    };
    assert_ends(&story("-> k"), &[("one", 1, 1)]);
    assert_ends(&story("-> to"), &[("three", 1, 1)]);
    assert_ends(&story("~ temp here = -> k\n-> here"), &[("three", 1, 1)]);
}
