//! How the process ends before its time: by a signal, at a limit, or by a mistake of this program.
//!
//! A run asks its [`Budget`](budget::Budget) whether to go on, and ends in good order when it is told to stop.
//! What stands here is for everything else: it ends the process wherever it is.
//!
//! The thread for signals ends the process after a moment of grace. A thread beside each run looks at the clock and at the
//! memory of the process (`memory.rs`), and ends it when a limit is exceeded; before that it prints what is known without the
//! run. A panic becomes an error.

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

/// Prints what is known of a run that a limit ended.
type Tell = Box<dyn Fn(Stopped) -> Result<(), Failure> + Send>;

/// What is told where a run does not stop by itself.
static KNOWN: Mutex<Option<Tell>> = Mutex::new(None);
/// A run is under way that asks whether a signal came.
static RUNNING: AtomicBool = AtomicBool::new(false);
/// Held by whoever has the last word, until the process ends.
static LAST_WORD: Mutex<()> = Mutex::new(());
/// What the first panic said, and where.
static MISTAKE: Mutex<Option<String>> = Mutex::new(None);

/// How long a run has to stop by itself and to tell what it knows by then.
const GRACE: Duration = Duration::from_millis(150);
/// How often the guard of a run looks whether a limit is reached: between two looks less memory is taken than the limit may
/// be exceeded by.
const LOOK: Duration = Duration::from_millis(2);
/// So often where the limits are far: whoever looks takes a core from the run.
const SELDOM: Duration = Duration::from_millis(50);
/// No core takes more bytes for a run in a millisecond: none writes to new memory so fast.
const MOST_IN_A_MILLISECOND: u64 = 16 << 20;
/// What a run has to notice by itself that the limit on memory is reached: a fiftieth of it, and this.
const SPARE: u64 = 6 << 20;

/// From now on Ctrl-C and the signal to terminate end the process within a moment, and a panic prints nothing.
pub fn prepare() {
    signal::on_signal(|signal| {
        if RUNNING.load(Ordering::SeqCst) {
            std::thread::sleep(GRACE);
        }
        end(Stopped { reason: Reason::Interrupted, progress: Progress::NONE }, &Failure::Interrupted(signal))
    });
    std::panic::set_hook(Box::new(|panic| {
        let said = panic.payload_as_str().unwrap_or("a panic without a message");
        let place = panic.location().map(|place| format!(", at {place}")).unwrap_or_default();
        let mut mistake = MISTAKE.lock().unwrap_or_else(PoisonError::into_inner);
        mistake.get_or_insert_with(|| format!("{said}{place}"));
    }));
}

/// Does `work`; a panic, in whatever thread of it, is a failure like any other.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let mistake = MISTAKE.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Failure::failed(
            format_args!("bestplay made a mistake: {}", mistake.as_deref().unwrap_or("a panic")),
            "please report this, with the command and its files",
        ))
    })
}

/// A run under way. Until this is dropped a thread watches over its limits: where the run does not stop by
/// itself, the process is ended.
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
        let told = progress.clone();
        let began = Instant::now();
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64;
        // Where there is no thread to be had, there is only what the run asks itself.
        let _ = std::thread::Builder::new().name("limits".into()).spawn(move || {
            let mut wait = LOOK;
            while over.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let (time, used) = (began.elapsed(), memory::used());
                if let Some(reason) = exceeded(&limits, time, used) {
                    let progress = *told.lock().unwrap_or_else(PoisonError::into_inner);
                    let stopped = Stopped { reason, progress };
                    end(stopped, &stopped.into());
                }
                wait = next_look(&limits, cores, time, used);
            }
        });
        Self { _running: running, progress }
    }

    /// How far the run has come, to be told if it is ended.
    pub fn tell(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        RUNNING.store(false, Ordering::SeqCst);
    }
}

/// Why a run is to be ended that goes on although a limit is reached, after so much time and with so much memory.
fn exceeded(limits: &Limits, time: Duration, used: Option<u64>) -> Option<Reason> {
    if let Some(limit) = limits.max_time.filter(|limit| time > *limit + GRACE) {
        return Some(Reason::Time { limit });
    }
    let limit = limits.max_memory;
    let needed = used.filter(|used| *used > limit.saturating_add(limit / 50).saturating_add(SPARE))?;
    Some(Reason::Memory { limit, needed })
}

/// After what time to look again: no limit is reached before, with so many cores.
fn next_look(limits: &Limits, cores: u64, time: Duration, used: Option<u64>) -> Duration {
    let memory = used.map_or(SELDOM, |used| {
        Duration::from_millis(limits.max_memory.saturating_sub(used) / (cores * MOST_IN_A_MILLISECOND))
    });
    let time = limits.max_time.map_or(SELDOM, |limit| (limit + GRACE).saturating_sub(time));
    memory.min(time).clamp(LOOK, SELDOM)
}

/// Whoever has this is the only one to say how the process ends, and nobody else ends it.
pub fn last_word() -> MutexGuard<'static, ()> {
    LAST_WORD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As long as this is there, what is known without a run is told on standard output if the run has to be ended.
pub struct Knowing(());

impl Knowing {
    /// `tell` prints it.
    pub fn that(tell: impl Fn(Stopped) -> Result<(), Failure> + Send + 'static) -> Self {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(tell));
        Self(())
    }
}

impl Drop for Knowing {
    fn drop(&mut self) {
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        // It is being told: the process ends, and there is nothing to say beside it.
        while known.is_none() {
            std::thread::park();
        }
    }
}

/// Tells what is known where a run was stopped, and of the failure, and ends the process, whatever it is doing. Files that are
/// being written are as before.
fn end(stopped: Stopped, failure: &Failure) -> ! {
    let _held = last_word();
    whole_file::abandon();
    if let Some(tell) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // What cannot be told changes nothing any more.
        let _ = tell(stopped);
    }
    failure.tell();
    std::process::exit(failure.exit_code().into())
}

impl Failure {
    /// Says on standard error what is wrong.
    pub fn tell(&self) {
        let text = match self {
            Self::BadInput(wrong) | Self::Failed(wrong) => wrong.render(AutoStream::choice(&io::stderr())),
            Self::Told(_) => return,
            Self::Interrupted(signal) => signal.name().into(),
        };
        output::tell(&text, Escapes::Coloured);
    }
}

#[cfg(test)]
mod tests;
