use super::*;
use std::sync::atomic::AtomicBool;

#[test]
fn each_limit_stops() {
    let limits = Limits { max_states: 10, max_memory: 1000, max_time: None };
    let budget = Budget::new(limits);
    assert!(budget.states(10).is_ok() && budget.memory(1000).is_ok() && budget.check().is_ok());
    let stopped = budget.states(11).unwrap_err();
    assert_eq!(stopped.reason, Reason::States { limit: 10 });
    // A step that needs less than what was refused may go on.
    assert!(budget.check().is_ok());
    assert_eq!(budget.memory(1001).unwrap_err().reason, Reason::Memory { limit: 1000, needed: 1001 });
    let metered = Budget::new(limits).metered(|| Some(2000));
    assert_eq!(metered.check().unwrap_err().reason, Reason::Memory { limit: 1000, needed: 2000 });
    let metered = Budget::new(limits).metered(|| Some(900));
    assert!(metered.more_memory(100).is_ok() && metered.more_memory(101).is_err());
    let timed = Budget::new(Limits { max_time: Some(Duration::ZERO), ..limits });
    assert_eq!(timed.check().unwrap_err().reason, Reason::Time { limit: Duration::ZERO });
}

#[test]
fn a_watch_sees_progress_and_stops() {
    let stop = AtomicBool::new(false);
    let watch = |progress: Progress| {
        assert!(progress.stage == Stage::Reading || progress.done == 7);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let budget = Budget::new(Limits::default()).watched(&watch);
    let progress = Progress { stage: Stage::Compiling, done: 7, waiting: 3, memory: 0 };
    assert!(budget.advance(progress).is_ok());
    stop.store(true, Ordering::Relaxed);
    let stopped = budget.check().unwrap_err();
    assert_eq!(stopped, Stopped { reason: Reason::Interrupted, progress });
    assert_eq!(stopped.to_string(), "interrupted: compiling, 7 done, 3 to go");
    // Also through a budget within that one.
    assert_eq!(budget.within(Limits::NONE).advance(progress).unwrap_err().reason, Reason::Interrupted);
    assert!(std::iter::repeat_with(|| budget.step(Stage::Compiling, 7, 3)).take(257).any(|asked| asked.is_err()));
}
