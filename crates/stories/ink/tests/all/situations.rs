//! Equal situations are merged, and different ones are not.

use super::common::{assert_ends, report, story};
use ink::{InkGame, StepLimits};
use mdp::{SolveOptions, ratio, solve_game_with};

#[test]
fn text_seeds_and_dead_variables_do_not_count() {
    let report = report(
        "VAR seen = 0\n-> s\n=== s\nText {seen} {&a|b|c} {!x|y}.\n+ a\n  ~ seen = RANDOM(1, 6)\n  ~ SEED_RANDOM(seen)\n  ~ seen = 0\n  -> s\n\
         + b\n  -> END\n",
    );
    assert_eq!(report.situations, 1);
    let dead = super::common::report(
        "VAR n = 0\n-> s\n=== s\n+ a\n  ~ n = n + 1\n  -> t\n=== t\n+ on\n  ~ n = 0\n  -> s\n+ off\n  -> END\n",
    );
    assert_eq!(dead.situations, 2);
}

#[test]
fn counts_that_are_compared_saturate() {
    for (condition, situations) in
        [("{l < 3}", 3), ("{l % 2 == 1}", 2), ("{l == 1}", 2), ("{not t}", 1), ("{l > 3}", 4)]
    {
        let text =
            format!("-> s\n=== s\n- (l) On.\n+ {condition} a\n  -> l\n+ b\n  -> l\n+ c\n  -> END\n=== t\n-> END\n");
        assert_eq!(report(&text).situations, situations, "{condition}");
    }
    let switch = "-> s\n=== s\n- (l)\n{ l:\n- 1: One. # one\n- 2: Two.\n- else: Many.\n}\n+ a\n  -> l\n+ b\n  -> END\n";
    assert_eq!(report(switch).situations, 3);
}

#[test]
fn counts_that_are_computed_with_do_not() {
    assert_ends(
        "VAR n = 0\n-> s\n=== s\n- (l) On.\n+ {l < 4} a\n  -> l\n+ b\n  ~ n = l + 0\n  {n == 4: -> four}\n  -> few\n=== four\n-> END\n=== few\n-> END\n",
        &[("four", 1, 8), ("few", 7, 8)],
    );
    assert_ends(
        "-> s\n=== s\n- (l) On.\n+ {l < 4} a\n  -> l\n+ b\n  {is(l, 4): -> four}\n  -> few\n=== four\n-> END\n=== few\n-> END\n\
         === function is(a, b)\n~ return a == b\n",
        &[("four", 1, 8), ("few", 7, 8)],
    );
}

#[test]
fn references_keep_what_they_refer_to() {
    assert_ends(
        "VAR gold = 0\n-> s\n=== s\n+ a\n  ~ gold = 5\n+ b\n- -> t(gold) ->\n-> END\n=== t(ref x)\n+ [on]\n- {x == 5: -> rich}\n-> poor\n\
         === rich\n-> END\n=== poor\n-> END\n",
        &[("rich", 1, 2), ("poor", 1, 2)],
    );
}

#[test]
fn the_game_is_one_of_the_engine() {
    let story = story("-> s\n=== s\n+ heads\n  {RANDOM(0, 1): # win}\n  -> END\n+ tails\n  -> END\n");
    let solved = solve_game_with(InkGame::new(&story, StepLimits::default()), &SolveOptions::exact()).expect("small");
    assert_eq!(solved.start_value().exact, Some(ratio(1, 2)));
    let asked = solved.space().states().iter().find(|state| matches!(state, ink::State::Asking(_))).expect("a choice");
    assert_eq!(solved.best(asked).expect("known"), ["heads"]);
    let ending = solved.space().states().iter().find_map(|state| solved.game().ending(state)).expect("an end");
    assert_eq!(ending.name, "s");
}
