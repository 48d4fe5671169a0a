use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;

use budget::Stage;

use super::*;

fn jobs(solves: usize, waiting: usize) -> Jobs {
    Jobs::new(Ceilings { solves, waiting, ..Ceilings::default() })
}

#[tokio::test]
async fn only_so_many_run_at_once_and_wait() {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    let jobs = jobs(2, 6);
    let begin = || {
        jobs.start(Size::Large, |_| {
            let now = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
            std::thread::sleep(Duration::from_millis(20));
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            Ok(now)
        })
    };
    let mut begun: Vec<_> = (0..8).map(|_| begin().unwrap()).collect();
    assert_eq!(begin().err().map(|problem| problem.status), Some(StatusCode::SERVICE_UNAVAILABLE));
    for job in &mut begun {
        assert!(job.result().await.unwrap() <= 2);
    }
    assert!(begin().unwrap().result().await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_solve_stops_and_makes_room() {
    let jobs = jobs(1, 1);
    let (sender, receiver) = mpsc::channel();
    let endless = jobs
        .start(Size::Large, move |run| {
            sender.send("begun").unwrap();
            while !run.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            sender.send("stopped").unwrap();
            Ok(())
        })
        .unwrap();
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok("begun"));
    let never = jobs.start(Size::Large, |_| -> Result<(), Problem> { panic!("nobody waits for this") }).unwrap();
    drop((endless, never));
    assert_eq!(receiver.recv_timeout(Duration::from_secs(10)), Ok("stopped"));
    // The permits come back a moment later.
    for _ in 0..1000 {
        if let Ok(mut job) = jobs.start(Size::Large, |_| Ok(7)) {
            assert_eq!(job.result().await, Ok(7));
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("there is never room again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_win_is_sent_before_the_rest_and_stays() {
    let (sender, receiver) = mpsc::channel();
    let work = move |run: &Run<'_>| {
        run.report_win(Number::from(&mdp::ratio(1, 2)));
        receiver.recv().unwrap();
        // Later progress does not take it back.
        let progress = Progress { stage: Stage::Solving, done: 3, waiting: 0, memory: 0 };
        run.budget.advance(progress).unwrap();
        receiver.recv().unwrap();
        Ok(7)
    };
    let mut job = jobs(1, 1).start(Size::Large, work).unwrap();
    // Sooner than anybody would wait.
    assert_eq!(job.result_or_win(Duration::from_mins(10)).await, None);
    assert_eq!(job.progress().win.map(|win| win.decimal), Some(0.5));
    // It is news once.
    assert_eq!(job.result_or_win(Duration::from_millis(1)).await, None);
    sender.send(()).unwrap();
    while job.progress().states < 3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(job.progress().win.map(|win| win.decimal), Some(0.5));
    sender.send(()).unwrap();
    assert_eq!(job.result_or_win(Duration::from_mins(10)).await, Some(Ok(7)));
}

#[tokio::test]
async fn a_panic_is_an_error_of_that_request_alone() {
    let jobs = jobs(1, 1);
    let result = jobs.start(Size::Large, |_| -> Result<(), Problem> { panic!("on purpose") }).unwrap().result().await;
    assert_eq!(result.unwrap_err().status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(jobs.start(Size::Large, |_| Ok(1)).unwrap().result().await, Ok(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_small_does_not_wait_behind_what_is_large() {
    let jobs = jobs(1, 9);
    let endless = || {
        jobs.start(Size::Large, |run| {
            while !run.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        })
    };
    let large: Vec<_> = (0..3).map(|_| endless().unwrap()).collect();
    for number in 0..5 {
        assert_eq!(jobs.start(Size::Small, move |_| Ok(number)).unwrap().result().await, Ok(number));
    }
    assert!(large.iter().all(|job| !job.result.is_finished()));
}
