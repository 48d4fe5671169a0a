//! What is committed is read as it should be.

use fuzz::TARGETS;
use fuzz::run::{corpus, one};

#[test]
fn nothing_is_found_in_what_is_committed() {
    for target in TARGETS {
        for (place, input) in corpus(target).expect("the corpus is there").iter().enumerate() {
            let (checked, ..) = one(target, input);
            assert!(checked.is_ok(), "{}, input {place}: {checked:?}", target.name);
        }
    }
}
