//! Runs solves on threads of their own, a limited number at once; the others queue. A solve stops when its client goes away.
//!
//! A dropped connection drops its job, which sets the flag that the engine's watch looks at. Questions that are always small
//! have a thread beside the large ones. Those that may be small are tried there within narrow limits, and queue with the large
//! ones if that fails.

use std::ops::ControlFlow;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use budget::{Budget, Limits, Progress};
use futures_util::future::{Either, pending, select};
use mdp::{ExploreOptions, Number};
use serde::Serialize;
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinError, JoinHandle};

use super::problem::Problem;

/// The limits on requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceilings {
    /// The longest request body, in bytes.
    pub body: usize,
    /// States of one solve.
    pub states: u64,
    /// Memory of one solve, in bytes.
    pub memory: u64,
    /// Large solves at once, beside a small one.
    pub solves: usize,
    /// Solves in the queue; further ones are refused.
    pub waiting: usize,
    /// Bytes of answers about gamebooks that are kept.
    pub shelf: u64,
    /// Bytes of solved gamebooks that are kept for walks through them.
    pub solved: u64,
    /// Connections at once; further ones wait until one ends.
    pub connections: usize,
    /// How long a request may take to arrive: its head, and then its body.
    pub arrival: Duration,
    /// How long an answer that nobody asks for is kept.
    pub idle: Duration,
}

impl Default for Ceilings {
    /// 256 KiB, ten million states, 1 GiB, two at once, 512 waiting, 64 MiB, 256 MiB; 512 connections, 20 seconds; ten minutes.
    fn default() -> Self {
        Self {
            body: 256 << 10,
            states: 10_000_000,
            memory: 1 << 30,
            solves: 2,
            waiting: 512,
            shelf: 64 << 20,
            solved: 256 << 20,
            connections: 512,
            arrival: Duration::from_secs(20),
            idle: Duration::from_mins(10),
        }
    }
}

/// The solves of a server.
pub struct Jobs {
    ceilings: Ceilings,
    /// One permit for each large solve that runs.
    running: Arc<Semaphore>,
    /// The permit of the small solve.
    small: Arc<Semaphore>,
    /// One permit for each solve that runs or waits.
    accepted: Arc<Semaphore>,
}

/// How long a solve can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Always a moment. Such solves run one after another, beside the large ones.
    Small,
    /// Seconds or minutes.
    Large,
    /// Perhaps a moment: it is tried beside the small ones, within narrow limits.
    Trial,
}

/// The limits of a trial.
const TRIAL_STATES: u64 = 50_000;
const TRIAL_MEMORY: u64 = 128 << 20;
const TRIAL_TIME: Duration = Duration::from_millis(400);

/// The progress of a solve, as its lines report it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobProgress {
    /// `waiting`, or one of the engine's stages: `exploring`, `ordering`, `solving`, ...
    pub stage: &'static str,
    /// States found (exploring) or finished (solving).
    pub states: u64,
    /// States still to expand or to solve.
    pub waiting: u64,
    /// Bytes in use.
    pub memory: u64,
    /// Seconds since the request came.
    pub seconds: f64,
    /// The probability to win, if it is known before the rest of the answer.
    pub win: Option<Number>,
}

/// A solve that runs or waits. Dropping it stops it.
pub struct Job<T> {
    result: JoinHandle<Result<T, Problem>>,
    progress: watch::Receiver<JobProgress>,
    /// Whether the client has the probability to win.
    win_is_sent: bool,
    stop: Arc<AtomicBool>,
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A solve that still waits never begins; one that runs sees the flag.
        self.result.abort();
    }
}

/// The context of a running solve: the engine's options, and whether it should stop.
pub struct Run<'a> {
    /// Options for the engine, with the budget.
    pub options: ExploreOptions<'a>,
    /// The limits of the solve.
    pub budget: &'a Budget<'a>,
    progress: &'a watch::Sender<JobProgress>,
    stop: &'a AtomicBool,
}

impl Run<'_> {
    /// Whether the client has gone away.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends the client the probability to win before the rest of the answer is known.
    pub fn report_win(&self, win: Number) {
        self.progress.send_modify(|progress| progress.win = Some(win));
    }
}

impl Jobs {
    pub fn new(ceilings: Ceilings) -> Self {
        Self {
            ceilings,
            running: Arc::new(Semaphore::new(ceilings.solves.max(1))),
            small: Arc::new(Semaphore::new(1)),
            accepted: Arc::new(Semaphore::new(ceilings.solves.max(1).saturating_add(ceilings.waiting).min(1 << 20))),
        }
    }

    /// How much requests may use.
    pub fn ceilings(&self) -> &Ceilings {
        &self.ceilings
    }

    /// Begins a solve, or puts it in the queue.
    pub fn start<T: Send + 'static>(
        &self,
        size: Size,
        work: impl FnOnce(&Run<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<Job<T>, Problem> {
        let accepted = Arc::clone(&self.accepted).try_acquire_owned().map_err(|_| {
            Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many questions wait for their answers",
                "ask again in a moment",
            )
        })?;
        let began = Instant::now();
        let progress_at = move |progress: Option<Progress>| JobProgress {
            stage: progress.map_or("waiting", |progress| progress.stage.name()),
            states: progress.map_or(0, |progress| progress.done),
            waiting: progress.map_or(0, |progress| progress.waiting),
            memory: progress.map_or(0, |progress| progress.memory),
            seconds: began.elapsed().as_secs_f64(),
            win: None,
        };
        let (progress, receiver) = watch::channel(progress_at(None));
        let stop = Arc::new(AtomicBool::new(false));
        let Ceilings { states, memory, .. } = self.ceilings;
        let limits = Limits { max_states: states, max_memory: memory, ..Limits::default() };
        let limits = match size {
            Size::Trial => {
                let (max_states, max_memory) = (states.min(TRIAL_STATES), memory.min(TRIAL_MEMORY));
                Limits { max_states, max_memory, max_time: Some(TRIAL_TIME) }
            }
            Size::Small | Size::Large => limits,
        };
        let places = match size {
            Size::Small | Size::Trial => &self.small,
            Size::Large => &self.running,
        };
        let places = Arc::clone(places);
        let stopped = Arc::clone(&stop);
        let result = tokio::spawn(async move {
            let permit = places.acquire_owned().await.map_err(Problem::internal)?;
            let solve = tokio::task::spawn_blocking(move || {
                // Held until the work ends, even if the client has gone away.
                let _permits = (permit, accepted);
                let watch = |now: Progress| {
                    if stopped.load(Ordering::Relaxed) {
                        return ControlFlow::Break(());
                    }
                    progress.send_modify(|before| {
                        *before = JobProgress { win: before.win.take(), ..progress_at(Some(now)) }
                    });
                    ControlFlow::Continue(())
                };
                let budget = Budget::new(limits).watched(&watch);
                let options = ExploreOptions::default().with_budget(&budget);
                work(&Run { options, budget: &budget, progress: &progress, stop: &stopped })
            });
            solve.await.unwrap_or_else(|error| Err(broke_down(&error)))
        });
        Ok(Job { result, progress: receiver, win_is_sent: false, stop })
    }
}

impl<T> Job<T> {
    /// Waits for the answer.
    pub async fn result(&mut self) -> Result<T, Problem> {
        (&mut self.result).await.unwrap_or_else(|error| Err(broke_down(&error)))
    }

    /// Waits for the answer, at most `longest`; returns `None` after that, and as soon as the probability to win is known.
    pub async fn result_or_win(&mut self, longest: Duration) -> Option<Result<T, Problem>> {
        let Self { result, progress, win_is_sent, .. } = self;
        let win = async {
            if *win_is_sent || progress.wait_for(|progress| progress.win.is_some()).await.is_err() {
                pending::<()>().await;
            }
            *win_is_sent = true;
        };
        match tokio::time::timeout(longest, select(result, pin!(win))).await {
            Ok(Either::Left((result, _))) => Some(result.unwrap_or_else(|error| Err(broke_down(&error)))),
            Ok(Either::Right(_)) | Err(_) => None,
        }
    }

    /// How far the solve has come.
    pub fn progress(&self) -> JobProgress {
        self.progress.borrow().clone()
    }
}

fn broke_down(error: &JoinError) -> Problem {
    Problem::internal(format_args!("the solve broke down: {error}"))
}

#[cfg(test)]
mod tests;
