#![allow(missing_docs, clippy::pedantic, clippy::all)]
use gamebook::*;
use mdp::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let (book, _) = match read(&text) {
        Ok(ok) => ok,
        Err(problems) => {
            for p in problems.0.iter().take(40) {
                println!("{:?} {} [{:?}]", p.position(&text), p.message, p.help);
            }
            return;
        }
    };
    let mut q = Question::new(&book);
    for arg in std::env::args().skip(2) {
        if let Some(g) = arg.strip_prefix("goal=") {
            q.goals = vec![g.parse().unwrap()];
        } else if let Some(g) = arg.strip_prefix("start=") {
            q.start = g.parse().unwrap();
        } else if arg == "exact" {
            q.exact = true;
        } else {
            q.analyses = q.analyses.without(&arg).unwrap();
        }
    }
    let options =
        ExploreOptions { limits: Limits { max_memory: 12 << 30, ..Limits::default() }, ..ExploreOptions::default() };
    let t = std::time::Instant::now();
    let solved = Solved::new(&book, &q, &options).unwrap();
    println!(
        "solve {:?} {:?} {:?} {:?}",
        t.elapsed(),
        solved.space().model().counts(),
        solved.win(),
        solved.win().exact.map(|e| e.to_string())
    );
    let j = solved.journey(&options).unwrap();
    println!("journey {:?} states {} win {:?}", t.elapsed(), j.states, j.win);
    println!("deaths {:?} sum {}", &j.deaths[..j.deaths.len().min(12)], j.deaths.iter().map(|d| d.1).sum::<f64>());
    println!("way {:?}", j.way);
    for f in j.finals.iter().take(6) {
        println!("{f:?}");
    }
    for a in solved.advise() {
        println!("{a:?}");
    }
    println!("{:?}", j.sections.iter().filter(|s| s.visited > 0.999).map(|s| s.section).collect::<Vec<_>>());
}
