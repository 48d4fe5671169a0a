//! How the process ends early: by a signal, at a limit, or by a panic.
//!
//! A run checks its [`Budget`](budget::Budget) and ends in good order when that is exhausted. This module handles everything
//! else: it ends the process wherever it is.
//!
//! The signal thread ends the process after a grace period. A thread beside each run watches the clock and the memory of the
//! process (`memory.rs`), and ends the process when a limit is exceeded, after printing what is known so far. A panic becomes
//! an error.

use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anstream::AutoStream;
use budget::{Limits, Progress, Reason, Stopped};

use crate::memory;
use crate::output::{self, Failure};
use crate::shown::Escapes;
use crate::signal;

/// Prints what is known when a limit ends a run.
type PrintKnown = Box<dyn Fn(Stopped) -> Result<(), Failure> + Send>;

/// What to print if a run does not stop by itself.
static KNOWN: Mutex<Option<PrintKnown>> = Mutex::new(None);
/// Whether a run is under way that checks for signals.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// Held by the thread that ends the process.
static LAST_WORD: Mutex<()> = Mutex::new(());
/// The message and place of the first panic.
static MISTAKE: Mutex<Option<String>> = Mutex::new(None);

/// The time that a run has to stop by itself and print what it knows.
const GRACE: Duration = Duration::from_millis(150);
/// The interval at which the guard checks the limits: short enough that memory cannot grow much beyond its limit in between.
const LOOK: Duration = Duration::from_millis(2);
/// The interval while the limits are far: the checks take a core from the run.
const SELDOM: Duration = Duration::from_millis(50);
/// An upper bound on the memory that a core can touch in a millisecond.
const MOST_IN_A_MILLISECOND: u64 = 16 << 20;
/// The margin in which a run notices by itself that the limit on memory is reached: a fiftieth of the limit, plus this.
const SPARE: u64 = 6 << 20;

/// Installs the handlers: Ctrl-C and SIGTERM end the process within a moment, and a panic prints nothing.
pub fn prepare() {
    signal::on_signal(|signal| {
        if RUNNING.load(Ordering::SeqCst) {
            std::thread::sleep(GRACE);
        }
        end(Stopped { reason: Reason::Interrupted, progress: Progress::NONE }, &Failure::Interrupted(signal))
    });
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("a panic without a message");
        let place = panic.location().map(|place| format!(", at {place}")).unwrap_or_default();
        let mut mistake = MISTAKE.lock().unwrap_or_else(PoisonError::into_inner);
        mistake.get_or_insert_with(|| format!("{message}{place}"));
    }));
}

/// Does `work`; a panic in any of its threads becomes a failure.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let mistake = MISTAKE.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Failure::failed(
            format_args!("bestplay made a mistake: {}", mistake.as_deref().unwrap_or("a panic")),
            "please report this, with the command and its files",
        ))
    })
}

/// Guards a run. Until it is dropped, a thread watches the limits and ends the process if the run does not stop by itself.
pub struct Guarded {
    /// Dropping it ends the thread.
    _running: Sender<()>,
    progress: Arc<Mutex<Progress>>,
}

impl Guarded {
    pub fn begin(limits: Limits) -> Self {
        RUNNING.store(true, Ordering::SeqCst);
        let (running, over) = mpsc::channel::<()>();
        let progress = Arc::new(Mutex::new(Progress::NONE));
        let recorded = progress.clone();
        let began = Instant::now();
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64;
        // If no thread can be had, the run still checks its budget.
        let _ = std::thread::Builder::new().name("limits".into()).spawn(move || {
            let mut wait = LOOK;
            while over.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let (time, used) = (began.elapsed(), memory::used());
                if let Some(reason) = exceeded(&limits, time, used) {
                    let progress = *recorded.lock().unwrap_or_else(PoisonError::into_inner);
                    let stopped = Stopped { reason, progress };
                    end(stopped, &stopped.into());
                }
                wait = next_look(&limits, cores, time, used);
            }
        });
        Self { _running: running, progress }
    }

    /// Records the progress of the run, for the message if it is ended.
    pub fn record(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        RUNNING.store(false, Ordering::SeqCst);
    }
}

/// The limit that a run has exceeded, after this time and with this memory.
fn exceeded(limits: &Limits, time: Duration, used: Option<u64>) -> Option<Reason> {
    if let Some(limit) = limits.max_time.filter(|limit| time > *limit + GRACE) {
        return Some(Reason::Time { limit });
    }
    let limit = limits.max_memory;
    let needed = used.filter(|used| *used > limit.saturating_add(limit / 50).saturating_add(SPARE))?;
    Some(Reason::Memory { limit, needed })
}

/// The time until the next check: no limit can be reached before, with this many cores.
fn next_look(limits: &Limits, cores: u64, time: Duration, used: Option<u64>) -> Duration {
    let memory = used.map_or(SELDOM, |used| {
        Duration::from_millis(limits.max_memory.saturating_sub(used) / (cores * MOST_IN_A_MILLISECOND))
    });
    let time = limits.max_time.map_or(SELDOM, |limit| (limit + GRACE).saturating_sub(time));
    memory.min(time).clamp(LOOK, SELDOM)
}

/// Returns the right to end the process: all other threads wait.
pub fn last_word() -> MutexGuard<'static, ()> {
    LAST_WORD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this exists, `print` is called if the run has to be ended.
pub struct PrintIfEnded(());

impl PrintIfEnded {
    /// Prints what is known.
    pub fn new(print: impl Fn(Stopped) -> Result<(), Failure> + Send + 'static) -> Self {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(print));
        Self(())
    }
}

impl Drop for PrintIfEnded {
    fn drop(&mut self) {
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It is being printed: the process is about to end.
        while known.is_none() {
            std::thread::park();
        }
    }
}

/// Prints what is known and the failure, and ends the process immediately. Files that are being written stay as before.
fn end(stopped: Stopped, failure: &Failure) -> ! {
    let _held = last_word();
    whole_file::abandon();
    if let Some(print) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // A failure to print changes nothing any more.
        let _ = print(stopped);
    }
    failure.report();
    std::process::exit(failure.exit_code().into())
}

impl Failure {
    /// Prints the failure on standard error.
    pub fn report(&self) {
        let text = match self {
            Self::BadInput(wrong) | Self::Failed(wrong) => wrong.render(AutoStream::choice(&io::stderr())),
            Self::Reported(_) => return,
            Self::Interrupted(signal) => signal.name().into(),
        };
        output::print_error(&text, Escapes::Coloured);
    }
}

#[cfg(test)]
mod tests;
