//! What a target begins with is read as it should be.

use fuzz::run::{Extent, corpus, one, run};
use fuzz::{Corpus, TARGETS, Target, Verdict};

#[test]
fn nothing_is_found_in_what_a_target_begins_with() {
    for target in TARGETS {
        let inputs = corpus(target).expect("the corpus is there");
        let mut read = 0;
        for (place, input) in inputs.iter().enumerate() {
            let (checked, ..) = one(target, input);
            assert!(checked.is_ok(), "{}, input {place}: {checked:?}", target.name);
            read += usize::from(checked == Ok(Verdict::Accepted));
        }
        // Some are there to be refused: a book of a hundred mistakes, a position without its end.
        assert!(2 * read >= inputs.len() && read > 0, "{}: {read} of {} are read", target.name, inputs.len());
        let is_made = |corpus: &Corpus| matches!(corpus, Corpus::Made(_));
        assert!(!target.corpus.iter().all(is_made) || read == inputs.len(), "{}: what is made is read", target.name);
    }
}

#[test]
fn a_target_that_reads_too_little_is_reported() {
    let of = |check: fn(&[u8]) -> Result<Verdict, String>| {
        let target = Target { name: "test", corpus: &[], words: &["x"], longest: 100, check };
        let time = std::time::Duration::from_mins(1);
        run(&target, Extent { inputs: 500, time, seed: 1 }).expect("it needs no files")
    };
    let all = of(|_| Ok(Verdict::Accepted));
    assert_eq!((all.inputs, all.accepted, all.per_mille(), all.reads_too_little()), (500, 500, 1000, false));
    let none = of(|_| Ok(Verdict::Refused));
    assert_eq!((none.inputs, none.accepted, none.per_mille(), none.reads_too_little()), (500, 0, 0, true));
}
