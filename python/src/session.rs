//! One run of the engine: its limits, its progress, Ctrl-C, and the interpreter's lock, which is released meanwhile.
//!
//! The engine works on a thread of its own. The calling thread wakes twenty times a second for signals and progress; an
//! exception raised there stops the run through its budget's watch.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use budget::{Budget, Limits, Progress, Watch};
use mdp::{ExploreOptions, SolveOptions};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::wrong::Wrong;

/// The time between two checks for signals and reports of progress.
const PAUSE: Duration = Duration::from_millis(50);

/// The stack of the thread that computes: as much as a program's main thread has.
const STACK: usize = 8 << 20;

/// The longest time that can be a limit: a hundred years.
const LONGEST: f64 = 3.2e9;

/// The limits of a run and its progress function: arguments of every call that can take long.
pub struct Run {
    limits: Limits,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
}

impl Run {
    /// From the arguments `threads`, `max_states`, `max_memory`, `max_time` and `progress`.
    pub fn new(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut run = Self { limits: Limits::default(), threads: None, progress: None };
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            let wrong = |right: &str| PyValueError::new_err(format!("{name}={value}: {right}"));
            let whole = |least: u64| {
                let number = value.extract::<u64>().ok().filter(|number| *number >= least);
                number.ok_or_else(|| wrong(&format!("a whole number of at least {least}")))
            };
            match name.as_str() {
                "threads" => run.threads = Some(usize::try_from(whole(1)?.min(1024)).unwrap_or(1024)),
                "max_states" => run.limits.max_states = whole(0)?,
                "max_memory" => run.limits.max_memory = whole(0)?,
                "max_time" => {
                    let seconds = value.extract::<f64>().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
                    let seconds = seconds.ok_or_else(|| wrong("a number of seconds of at least 0"))?;
                    run.limits.max_time = Some(Duration::from_secs_f64(seconds));
                }
                "progress" if !value.is_callable() => return Err(wrong("a function of four arguments")),
                "progress" => run.progress = Some(value.unbind()),
                _ => return Err(PyTypeError::new_err(format!("there is no argument `{name}`"))),
            }
        }
        Ok(run)
    }

    /// Starts the clock and calls `body`.
    pub fn session<T>(&self, body: impl FnOnce(&Session<'_, '_>) -> PyResult<T>) -> PyResult<T> {
        let (stop, latest) = (AtomicBool::new(false), Mutex::new(Progress::NONE));
        let watch = |progress: Progress| {
            *latest.lock().unwrap_or_else(PoisonError::into_inner) = progress;
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let watch: Watch<'_> = &watch;
        let budget = Budget::new(self.limits).watched(watch);
        body(&Session {
            run: self,
            budget: &budget,
            stop: &stop,
            latest: &latest,
            reported: Mutex::new(Instant::now()),
        })
    }

    /// Does work that needs no Python on a thread of its own, with the interpreter's lock released.
    pub fn away<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Session<'_, '_>) -> Result<T, Wrong> + Send,
    ) -> PyResult<T> {
        self.session(|session| session.away(py, || work(session)))
    }
}

/// A run that is under way.
pub struct Session<'s, 'b> {
    run: &'s Run,
    pub budget: &'s Budget<'b>,
    stop: &'s AtomicBool,
    latest: &'s Mutex<Progress>,
    /// When progress was last reported.
    reported: Mutex<Instant>,
}

impl<'s> Session<'s, '_> {
    /// How the engine explores in this run.
    pub fn explore_options(&self) -> ExploreOptions<'s> {
        let options = ExploreOptions::default().with_budget(self.budget);
        self.run.threads.map_or(options, |threads| options.with_threads(threads))
    }

    /// How the engine solves in this run.
    pub fn solve_options(&self) -> SolveOptions<'s> {
        SolveOptions::from(self.explore_options())
    }

    /// Checks for signals, and reports progress.
    fn report(&self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = &self.run.progress else { return Ok(()) };
        let Progress { stage, done, waiting, memory } = *self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        progress.call1(py, (stage.name(), done, waiting, memory)).map(|_| ())
    }

    /// Reports while Python computes, at most once per [`PAUSE`].
    pub fn pause(&self, py: Python<'_>) -> PyResult<()> {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.elapsed() < PAUSE {
            return Ok(());
        }
        *reported = Instant::now();
        drop(reported);
        self.report(py)
    }

    /// Does work that needs no Python on a thread of its own, with the interpreter's lock released.
    pub fn away<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> Result<T, Wrong> + Send) -> PyResult<T> {
        let mut raised = None;
        let done = py.detach(|| {
            thread::scope(|scope| {
                let (ended, end) = channel::<()>();
                let task = move || {
                    // Dropped when the work ends, also by a panic.
                    let _ended = ended;
                    work()
                };
                let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, task)?;
                while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    if raised.is_none() {
                        raised = Python::attach(|py| self.report(py)).err();
                    }
                    if raised.is_some() {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
                Ok::<_, std::io::Error>(worker.join())
            })
        });
        let done = done.map_err(|error| PyRuntimeError::new_err(format!("no thread: {error}")))?;
        match (raised, done) {
            (Some(raised), _) => Err(raised),
            (None, Ok(Ok(value))) => Ok(value),
            (None, Ok(Err(wrong))) => Err(wrong.into()),
            (None, Err(_)) => Err(PyRuntimeError::new_err("an error of bestplay; please report how it came about")),
        }
    }
}
