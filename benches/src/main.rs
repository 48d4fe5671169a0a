//! Measures bestplay: `cargo run --release -p benches`. See `README.md` beside this crate.

mod act_1;
mod bare;
mod chain;
mod layers;
mod loops;
mod measure;
mod round_trip;

use std::hint::black_box;
use std::time::Instant;

use budget::Budget;
use fighting_fantasy::{Amplify, Extent, LuckMap};
use gamebook::{Question, Solved};
use mdp::advanced::in_own_pool;
use mdp::rows::{explore, explore_by_rows};
use mdp::{ExploreOptions, SolveOptions, solve};
use measure::{Times, peak_memory};

fn layered(states: u32, runs: usize) {
    let begin = Instant::now();
    let model = layers::layers(states);
    println!("\nlayered, {states} states: {} transitions, made in {:?}", model.counts().transitions, begin.elapsed());
    println!("{:<44} {:>9} {:>9} {:>7} {:>8}", "", "best ms", "median", "best/", "median/");
    let bare = bare::Bare::sixteenths(&model);
    let (mut values, mut policy) = (vec![0.0; states as usize], vec![0; states as usize]);
    let limit = Times::of(runs, || bare.sweep(black_box(&mut values), black_box(&mut policy)));
    drop((bare, values, policy));
    limit.report("bare sweep, one thread", None);
    for threads in [1, 2] {
        let bounds = SolveOptions::default().with_threads(threads);
        let times = Times::of(runs, || solve(&model, &bounds));
        times.report(&format!("certified bounds, {threads} thread(s)"), Some(&limit));
        let exact = SolveOptions::exact().with_threads(threads);
        let times = Times::of(runs, || solve(&model, &exact));
        times.report(&format!("exact values and ties, {threads} thread(s)"), Some(&limit));
    }
}

/// Large strongly connected components: bounds, and exactly where that is not a matter of hours.
fn large_loops() {
    println!("\nlarge strongly connected components");
    println!("{:<44} {:>9} {:>9}", "", "best ms", "median");
    let measure = |model: loops::Loop, runs: usize, exactly: bool| {
        let options = SolveOptions::default().with_sense(model.sense);
        let times = Times::of(runs, || solve(&model.built.model, &options));
        times.report(&format!("{}: bounds", model.name), None);
        let start = model.built.number_of(0);
        println!("  {}", solve(&model.built.model, &options).expect("solvable").value(start));
        if exactly {
            let options = options.with_exact(true);
            Times::of(runs, || solve(&model.built.model, &options)).report(&format!("{}: exact", model.name), None);
        }
    };
    for states in [100, 1000, 10_000] {
        measure(loops::expander(states), 3, states <= 100);
    }
    for side in [10, 100, 1000] {
        measure(loops::grid(side), if side < 1000 { 3 } else { 1 }, side <= 10);
    }
    measure(loops::haddad_monmege(1001), 3, true);
    measure(loops::haddad_monmege(10_001), 1, true);
    measure(loops::ruin(1000, (9, 10)), 3, true);
    measure(loops::ruin(10_000, (9, 10)), 1, false);
    measure(loops::ruin(100_000, (1, 1)), 1, false);
}

fn building() {
    println!("\nbuilding the chain of fights from its rules");
    println!("{:<44} {:>9} {:>9}", "", "best ms", "median");
    for (rows, how) in [(false, "state by state"), (true, "by rows")] {
        let chain = chain::Chain { fights: 50, rows };
        for threads in [1, 2] {
            let options = ExploreOptions::default().with_threads(threads);
            let mut states = 0;
            let times = Times::of(7, || {
                states = if rows {
                    explore_by_rows(&chain, &options).expect("fits").model().states()
                } else {
                    explore(&chain, &options).expect("fits").model().states()
                };
            });
            times.report(&format!("{states} states {how}, {threads} thread(s)"), None);
            println!("  {:.2} million states a second", f64::from(states) / times.median.as_secs_f64() / 1e6);
        }
        let space = explore(&chain, &ExploreOptions::default()).expect("fits");
        let times = Times::of(5, || solve(space.model(), &SolveOptions::default()));
        times.report("certified bounds of the chain", None);
        let solution = solve(space.model(), &SolveOptions::default()).expect("solvable");
        println!("  probability to win all fights: {}", solution.value_of(&space.starts()[0]));
    }
}

fn fire_on_the_water() {
    println!("\nFire on the Water, from its first section");
    println!("{:<44} {:>9} {:>9} {:>7} {:>8}", "", "best ms", "median", "best/", "median/");
    let (book, _) = gamebook::read(gamebook::BUILT_IN[0].1).expect("a book without mistakes");
    let question = Question::new(&book);
    let machine = question.machine(&book, &Budget::unlimited()).expect("fits");
    let explored = |options: &ExploreOptions<'_>| explore_by_rows(&machine, options).expect("fits");
    let space = explored(&ExploreOptions::default());
    let counts = space.model().counts();
    let states = space.model().states() as usize;
    let bare = bare::Bare::probabilities(space.model());
    let (mut values, mut policy) = (vec![0.0; states], vec![0; states]);
    let limit = Times::of(9, || bare.sweep(black_box(&mut values), black_box(&mut policy)));
    drop((bare, values, policy));
    limit.report("bare sweep, one thread", None);
    for threads in [1, 2] {
        let options = ExploreOptions::default().with_threads(threads);
        Times::of(3, || explored(&options)).report(&format!("explore, {threads} thread(s)"), Some(&limit));
        let options = SolveOptions::default().with_threads(threads);
        let times = Times::of(3, || solve(space.model(), &options));
        times.report(&format!("certified bounds, {threads} thread(s)"), Some(&limit));
    }
    for threads in [1, 2] {
        let options = ExploreOptions::default().with_threads(threads);
        let times = Times::of(5, || {
            in_own_pool(Some(threads), |_| {
                let (book, _) = gamebook::read(gamebook::BUILT_IN[0].1).expect("a book without mistakes");
                Solved::new(&book, &Question::new(&book), &options).expect("fits").win()
            })
        });
        times.report(&format!("from its text to the bounds, {threads} thread(s)"), Some(&limit));
    }
    let solved = Solved::new(&book, &question, &ExploreOptions::default()).expect("fits");
    let times = Times::of(3, || solved.journey(&ExploreOptions::default()));
    times.report("following best play, all threads", Some(&limit));
    println!("  {} states, {} transitions, {} components", counts.states, counts.transitions, counts.sccs);
    println!("  probability to win: {}", solved.win());
    let times = Times::of(1, || solve(space.model(), &SolveOptions::exact()));
    times.report("exact values and ties, all threads", Some(&limit));
}

/// What is done before a book is explored.
fn making_ready() {
    println!("\nmaking books ready: compiling, and all that is found out beforehand");
    println!("{:<44} {:>9} {:>9}", "", "best ms", "median");
    for (name, text) in gamebook::BUILT_IN {
        let (book, _) = gamebook::read(text).expect("a book without mistakes");
        let question = Question::new(&book);
        let budget = Budget::unlimited();
        for threads in [1, 2] {
            // What threads remember is theirs only: all runs are done by the same.
            let times = in_own_pool(Some(threads), |_| Times::of(9, || question.machine(&book, &budget).is_ok()));
            times.report(&format!("{name}, {threads} thread(s)"), None);
        }
    }
}

/// The routes through two Fighting Fantasy books, exactly, in the way in which the books tell their readers to play.
fn fighting_fantasy_books() {
    println!("\nbooks of Fighting Fantasy, exactly");
    println!("{:<44} {:>9} {:>9}", "", "best ms", "median");
    for (name, stats) in [
        ("warlock-of-firetop-mountain", "skill=7,stamina=14,luck=7"),
        ("crypt-of-the-sorcerer", "skill=12,stamina=24,luck=12"),
    ] {
        let (book, _) =
            gamebook::read(gamebook::built_in(name).expect("is built in")).expect("a book without mistakes");
        let system = book.system.as_ref().expect("has a system of rules");
        for policy in &book.policies {
            let mut question = Question { exact: true, ..Question::new(&book) };
            question.situation.values = gamebook::read_values(system, stats).expect("stats of the system");
            question.situation.policy = Some(policy.clone());
            println!("{name}, {}", policy.name);
            let machine = question.machine(&book, &Budget::unlimited()).expect("fits");
            for threads in [1, 2] {
                let options = ExploreOptions::default().with_threads(threads);
                let times = Times::of(3, || explore_by_rows(&machine, &options).expect("fits").model().states());
                times.report(&format!("  explore, {threads} thread(s)"), None);
            }
            let options = ExploreOptions::default();
            let times = Times::of(3, || Solved::new(&book, &question, &options).expect("fits").win());
            times.report("  compiled, explored, solved, all threads", None);
            let solved = Solved::new(&book, &question, &options).expect("fits");
            let times = Times::of(3, || solved.journey(&options));
            times.report("  following best play, all threads", None);
            let counts = solved.space().model().counts();
            println!("  {} states, {} transitions", counts.states, counts.transitions);
            println!("  probability to win: {}", solved.win());
        }
    }
}

fn games() {
    println!("\ngames");
    println!("{:<44} {:>9} {:>9}", "", "best ms", "median");
    Times::of(20, act_1::the_talk).report("Slay the Spire, the talk's fight, exact", None);
    let extent = |skill_difference| Extent { skill_difference, max_luck: 12, max_stamina: 24, amplify: Amplify::Four };
    Times::of(10, || LuckMap::several((-10..=10).map(extent), &Budget::unlimited()))
        .report("Fighting Fantasy, every map, exact", None);
}

fn main() {
    if std::env::args().any(|argument| argument == "--round-trip") {
        return println!("{} ns", round_trip::round_trip().as_nanos());
    }
    println!("all times in milliseconds; peak memory before: {}", peak_memory());
    if std::env::args().any(|argument| argument == "--gamebook") {
        making_ready();
        fire_on_the_water();
        return fighting_fantasy_books();
    }
    if std::env::args().any(|argument| argument == "--loops") {
        return large_loops();
    }
    if std::env::args().any(|argument| argument == "--act-1") {
        return act_1::fights();
    }
    games();
    building();
    making_ready();
    fire_on_the_water();
    fighting_fantasy_books();
    large_loops();
    layered(1_000_000, 9);
    if std::env::args().any(|argument| argument == "--large") {
        let model = layers::layers(10_000_000);
        println!("\nlayered, 10 million states: peak memory after making the model: {}", peak_memory());
        let times = Times::of(3, || solve(&model, &SolveOptions::default()));
        times.report("certified bounds, all threads", None);
        println!("peak memory: {}", peak_memory());
    }
}
