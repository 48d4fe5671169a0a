//! Simulated odds are held against odds that are solved.

use budget::{Budget, Limits};
use gamebook::{Book, Machine, Question, Sample, Series, Solved, built_in, read, read_series};
use mdp::ExploreOptions;

fn machine(book: &Book) -> Machine {
    Question::new(book).machine(book, &Budget::unlimited()).unwrap()
}

fn sampled(text: &str, plays: u64) -> Sample {
    Sample::new(&machine(&read(text).unwrap().0), plays, 1, &Budget::unlimited()).unwrap()
}

/// Best play is to roll on with little and to stop with much; where a policy by places can be best, it is.
const STEPS: &str = r#"
    book "Steps" format=1 system="none"
    start 1
    flags lucky
    section 1 { roll d6 as=r { when "r >= 5" { set lucky; goto 2; }; else { goto 2; }; }; }
    section 2 {
        choice "jump" { roll d6 as=r { when "r = 1" { death "a fall"; }; else { victory; }; }; }
        choice "trust your luck" { if "lucky" { goto 3; }; else { death "none left"; }; }
        choice "wait" { goto 2; }
    }
    section 3 { victory; }"#;

#[test]
fn a_policy_that_looks_at_what_matters_is_found() {
    let sample = sampled(STEPS, 20_000);
    let best = 1.0 / 3.0 + 2.0 / 3.0 * 5.0 / 6.0;
    assert!((sample.win() - best).abs() < 4.0 * sample.standard_error(), "{sample:?}");
    assert_eq!((sample.plays, sample.unfinished), (20_000, 0));
}

#[test]
fn plays_of_a_built_in_book_win_no_more_often_than_best_play_and_not_much_less() {
    let (book, _) = read(built_in("flight-from-the-dark").unwrap()).unwrap();
    let best = Solved::new(&book, &Question::new(&book), &ExploreOptions::default()).unwrap().win();
    let sample = Sample::new(&machine(&book), 5_000, 1, &Budget::unlimited()).unwrap();
    assert!(sample.win() < best.upper + 4.0 * sample.standard_error(), "{sample:?} {best:?}");
    assert!(sample.win() > 0.95 * best.lower, "{sample:?} {best:?}");
}

#[test]
fn what_comes_out_depends_on_the_seed_alone() {
    let (book, _) = read(STEPS).unwrap();
    let machine = machine(&book);
    let with = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Sample::new(&machine, 3_000, seed, &Budget::unlimited()).unwrap())
    };
    assert_eq!(with(1, 1), with(3, 1));
    assert_ne!(with(1, 1), with(1, 2));
}

#[test]
fn play_that_does_not_end_is_lost_and_limits_hold() {
    let endless = r#"
        book "Round" format=1 system="none"
        start 1
        section 1 { roll d6 as=r { when "r = 7" { victory; }; else { goto 1; }; }; }"#;
    let sample = sampled(endless, 20);
    assert_eq!((sample.won, sample.plays), (0, 20), "{sample:?}");
    assert!(sample.standard_error() > 0.0);
    let budget = Budget::new(Limits { max_time: Some(std::time::Duration::ZERO), ..Limits::default() });
    let machine = machine(&read(STEPS).unwrap().0);
    assert!(Sample::new(&machine, 1_000_000, 1, &budget).is_err());
}

#[test]
fn books_in_a_row_are_simulated() {
    let gate = include_str!("../../../../app/bestplay/tests/data/series/gate.kdl");
    let tower = include_str!("../../../../app/bestplay/tests/data/series/tower.kdl");
    let both = include_str!("../../../../app/bestplay/tests/data/series/both.kdl");
    let books = |name: &str| Ok(if name == "gate.kdl" { gate } else { tower }.to_string());
    let series: Series = read_series(both, &books, &|_| Err("no other file".into()), &Budget::unlimited()).unwrap().0;
    let question = Question::new(&series.as_one_book());
    let best = series.solved(&question, &ExploreOptions::default()).unwrap().win();
    let ready = series.ready(&question, &Budget::unlimited()).unwrap();
    let sample = Sample::new(&ready, 5_000, 1, &Budget::unlimited()).unwrap();
    assert!(sample.win() < best.upper + 4.0 * sample.standard_error(), "{sample:?} {best:?}");
    assert!(sample.win() > 0.5 * best.lower, "{sample:?} {best:?}");
}

/// The odds of a policy lie outside of what a sample says of them once in 10,000 samples at most, whatever they are: added up
/// over all that so many plays can come to.
#[test]
fn what_is_likely_is_wrong_once_in_ten_thousand_samples() {
    for plays in [1, 2, 7, 30, 100] {
        let likely: Vec<(f64, f64)> = (0..=plays).map(|won| Sample { won, plays, unfinished: 0 }.likely()).collect();
        assert!(likely.is_sorted(), "{likely:?}");
        assert_eq!((likely[0].0, likely[likely.len() - 1].1), (0.0, 1.0));
        for own in (1..1000).map(|own| f64::from(own) / 1000.0) {
            let mut wrong = 0.0;
            let mut ways = 1.0;
            for (won, (least, most)) in (0..).zip(&likely) {
                let lost = i32::try_from(plays).unwrap() - won;
                if own < *least || *most < own {
                    wrong += ways * own.powi(won) * (1.0 - own).powi(lost);
                }
                ways *= f64::from(lost) / f64::from(won + 1);
            }
            assert!(wrong <= 1.0 / Sample::OFF_ONCE_IN, "{plays} plays, {own}: {wrong}");
        }
    }
    // Where none of so many won, the odds are those of which none wins once in twice ten thousand.
    let (least, most) = Sample { won: 0, plays: 20_000, unfinished: 0 }.likely();
    let none = 1.0 - (0.5 / Sample::OFF_ONCE_IN).powf(1.0 / 20_000.0);
    assert!(least == 0.0 && none <= most && most < none + 1e-8, "{most} {none}");
    assert_eq!(Sample { won: 0, plays: 0, unfinished: 0 }.likely(), (0.0, 1.0));
}
