//! Stories that were read wrongly before, with the results of ink's own engine, if they are available.

use super::common::{ends, exactly, knot};
use ink::Story;
use mdp::ratio;

#[test]
fn stories_that_were_read_wrongly_are_read_right() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/regressions/2026-11/stories");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    let read = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).expect("a story");
        let report = exactly(&Story::compile(&text, name, |_| Err("nothing".into())).expect("ink"));
        assert!(report.faults.is_empty(), "{name}: {:?}", report.faults);
        report.random
    };
    let start = read("start-knot.ink");
    assert_eq!((ends(&start, "rich"), ends(&start, "poor")), (ratio(1, 2), ratio(1, 2)));
    let switch = read("ink-switch.ink");
    assert_eq!(["zero", "one", "more"].map(|name| ends(&switch, name)), [ratio(1, 4), ratio(1, 4), ratio(1, 2)]);
    // 12.9 % of 10,000 plays.
    assert_eq!(knot(&read("ink204-choicelabel.ink"), "a"), ratio(1, 8));
    assert_eq!(ends(&read("x-knotvisit.ink"), "yes"), ratio(1, 1));
    assert_eq!(ends(&read("ink-list.ink"), "fight"), ratio(1, 2));
    assert_eq!(knot(&read("y-longname.ink"), "t"), ratio(1, 1));
    assert_eq!(ends(&read("y-u2028.ink"), "s"), ratio(1, 1));
    // `true or false and false`, from left to right.
    assert_eq!(ends(&read("x-andor.ink"), "no"), ratio(1, 1));
}
