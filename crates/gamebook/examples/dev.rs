#![allow(missing_docs, clippy::pedantic, clippy::all)]
use gamebook::*;
use mdp::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let (book, warnings) = match read(&text) {
        Ok(ok) => ok,
        Err(problems) => {
            for p in problems.0.iter().take(40) {
                println!("{:?} {} [{:?}]", p.position(&text), p.message, p.help);
            }
            println!("{} problems", problems.0.len());
            return;
        }
    };
    for p in &warnings {
        println!("warning {:?} {}", p.position(&text), p.message);
    }
    let mut analyses = Analyses::default();
    let mut goals = book.goals.clone();
    let mut start = book.start;
    let mut exact = false;
    for arg in std::env::args().skip(2) {
        if let Some(g) = arg.strip_prefix("goal=") {
            goals = vec![g.parse().unwrap()];
        } else if let Some(g) = arg.strip_prefix("start=") {
            start = g.parse().unwrap();
        } else if arg == "exact" {
            exact = true;
        } else {
            analyses = analyses.without(&arg).unwrap();
        }
    }
    book.hero.check(&book).unwrap();
    let t = std::time::Instant::now();
    let machine = Machine::new(&book, &book.hero, &Situation::default(), start, &goals, analyses).unwrap();
    println!("compile {:?}", t.elapsed());
    let max_states = std::env::var("MAX").ok().and_then(|m| m.parse().ok()).unwrap_or(4_000_000_000u64);
    let space = explore(
        &machine,
        &ExploreOptions {
            limits: Limits { max_memory: 12 << 30, max_states, ..Limits::default() },
            ..ExploreOptions::default()
        },
    );
    let space = match space {
        Ok(s) => s,
        Err(e) => {
            println!("{:?} {e}", t.elapsed());
            let mut v: Vec<(u32, usize)> =
                COUNTS.iter().enumerate().map(|(i, c)| (c.load(std::sync::atomic::Ordering::Relaxed), i)).collect();
            v.sort();
            v.reverse();
            println!("{:?}", &v[..30]);
            return;
        }
    };
    println!("explore {:?} {:?} {} MB", t.elapsed(), space.model().counts(), space.bytes() / 1000000);
    if std::env::var("HIST").is_ok() {
        machine.histogram(space.states());
    }
    if let Ok(x) = std::env::var("STATS") {
        let names: Vec<String> = book
            .items
            .iter()
            .map(|i| i.name.clone())
            .chain(book.flags.clone())
            .chain(book.counters.iter().map(|c| c.name.clone()))
            .collect();
        machine.stats(space.states(), x.parse().unwrap(), &names);
    }
    let options = if exact { SolveOptions::exact() } else { SolveOptions::default() };
    let solution = solve(space.model(), &options).unwrap();
    let value = solution.value_of(&space.starts()[0]);
    println!(
        "solve {:?} {} .. {} exact {:?}",
        t.elapsed(),
        value.lower,
        value.upper,
        value.exact.map(|e| e.to_string())
    );
}
