use std::time::{Duration, Instant};
fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let dir = std::path::Path::new(&file).parent().unwrap().to_owned();
    let started = Instant::now();
    let story = if file.ends_with(".json") { ink::Story::from_json(&text, &file) } else {
        ink::Story::compile(&text, &file, |name| std::fs::read_to_string(dir.join(name)).map_err(|e| e.to_string()))
    };
    let mut story = match story { Ok(s) => s, Err(e) => { println!("ERROR {e}"); return } };
    let seconds: u64 = arguments.next().map_or(60, |s| s.parse().unwrap());
    if let Some(goal) = arguments.next() { story = story.with_goal(&goal).unwrap(); }
    let limits = budget::Limits { max_time: Some(Duration::from_secs(seconds)), max_memory: 4 << 30, max_states: 100_000_000, ..Default::default() };
    let budget = budget::Budget::new(limits);
    let r = match story.report(&ink::ReportOptions::default().with_budget(&budget)) { Ok(r) => r, Err(e) => { println!("SOLVE {e}"); return } };
    println!("situations {} value {} random {} stopped {:?} in {:?}", r.situations, r.value, r.random_value, r.stopped.map(|s| s.reason), started.elapsed());
    for (name, s) in [("best", &r.best), ("random", &r.random)] {
        println!("{name}: faults {:.5} open {:.5} forever {:.5}", s.faults, s.open, s.forever);
        for (e, p) in &s.endings { println!("  end {} {} {:.5}", e.name, e.won, p.decimal()); }
        for (e, p) in &s.knots { println!("  knot {} {:.5}", e, p.decimal()); }
    }
    for f in &r.faults { println!("fault {:?} {:.5} way {:?}", f.fault, f.share, f.way); }
}
