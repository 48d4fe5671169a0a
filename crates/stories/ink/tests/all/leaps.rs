//! Diverts to places that are values: what they count is what plays of inkjs count.

use super::common::{assert_ends, report, story};
use ink::StepLimits;

/// By a variable, by a tunnel that a variable names, and by `->-> elsewhere`, within a knot and its stitch.
#[test]
fn visits_of_a_stitch_and_of_its_knot() {
    let text = "VAR v = -> k\nVAR n = 0\n-> k\n=== k\n~ n++\n{n > 4: -> fin}\n{RANDOM(1, 2) == 1:\n  ~ v = -> k\n- else:\n  ~ v = -> k.s\n}\n\
                -> t(v) ->\n-> v\n= s\n~ n++\n{n > 4: -> fin}\n-> hop ->\n-> v\n=== t(-> x)\n{RANDOM(1, 3) == 1: ->-> x}\n->->\n\
                === hop\n{n < 3: ->-> k.s}\n~ v = -> k\n->-> v\n=== fin\n~ temp ago = TURNS_SINCE(-> k.s)\n\
                The end. # ending: {k} {k.s} {ago}\n-> END\n";
    assert_ends(text, &[("2 3 0", 1, 4), ("3 2 0", 3, 8), ("4 1 0", 5, 16), ("5 0 -1", 1, 16)]);
    let tunnel = "VAR v = -> k\nVAR n = 0\n-> k ->\n-> fin\n=== k\n~ n++\n+ a\n  {n < 3:\n    -> v ->\n  }\n- ->->\n\
                  === fin\n# ending: {k} {n}\n-> END\n";
    assert_ends(tunnel, &[("3 3", 1, 1)]);
}

/// Who comes to a stitch from outside of its knot does not visit the knot. The runtime counts it: where somebody reads it,
/// that way is not followed.
#[test]
fn what_ink_does_not_count_is_not_followed() {
    let text = "VAR v = -> k.s\n-> a\n=== a\n+ x\n  ~ v = -> k.s\n+ y\n  ~ v = -> k\n- -> v\n=== k\n-> fin\n= s\n-> fin\n\
                === fin\n# ending: {READ} {k.s}\n-> END\n";
    let not_read = text.replace("{READ} ", "");
    assert_ends(&not_read, &[("0", 1, 2), ("1", 1, 2)]);
    let read = text.replace("READ", "k");
    let found = report(&read);
    assert!(found.cut && found.faults.is_empty());
    assert_eq!((found.random.open * 2.0, found.random.endings.len()), (1.0, 1));

    let story = story(&read);
    let mut play = ink::Play::begin(&story, StepLimits::default(), &mut |_| 0);
    assert!(play.choose(0, &mut |_| 0));
    assert!(play.fault().is_some_and(|fault| fault.message.starts_with("this way is not followed")));
}

/// ink takes the item that came first, which is not known here.
#[test]
fn the_largest_of_equal_items_is_not_followed() {
    let text = "LIST Hue = red, green\nLIST Size = small, big\nVAR bag = (red, big)\n-> k\n=== k\n+ a\n  ~ bag += green\n+ b\n\
                - ~ temp most = LIST_MAX(bag)\n# ending: {most}\n-> END\n";
    let found = report(text);
    assert!(found.cut && found.faults.is_empty());
    assert_eq!((found.random.open * 2.0, &found.random.endings[0].0.name[..]), (1.0, "big"));
}
