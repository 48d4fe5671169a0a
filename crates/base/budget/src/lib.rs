//! Limits of a run, and its progress. This crate knows nothing about what is run. Start reading at [`Budget`], and at
//! [`Limits`] for what can stop it.
//!
//! Everything that can take long (reading a model, compiling a book, exploring, solving, following best play, exports)
//! takes a [`Budget`] and checks it again and again. So a limit on states, memory or time applies to every step, and a
//! user can interrupt any of them.
//!
//! ```
//! use budget::{Budget, Limits, Stage};
//!
//! fn count_to(end: u64, budget: &Budget<'_>) -> Result<u64, budget::Stopped> {
//!     let mut sum = 0;
//!     for number in 0..end {
//!         budget.step(Stage::Solving, number, end - number)?;
//!         sum += number;
//!     }
//!     Ok(sum)
//! }
//!
//! assert_eq!(count_to(1_000, &Budget::unlimited()), Ok(499_500));
//!
//! let limits = Limits { max_time: Some(std::time::Duration::ZERO), ..Limits::default() };
//! assert!(count_to(u64::MAX, &Budget::new(limits)).is_err());
//! ```
//!
//! [`Budget::memory`] is called with the memory held plus the most that the next step needs: an array that grows exists
//! twice for a moment. A step that may use less than its run has a budget [within](Budget::within) the run's. A run
//! that is stopped returns [`Stopped`], an error like any other, with the reason and the progress so far.

mod limits;
mod progress;
mod stopped;

pub use limits::{Limits, bytes};
pub use progress::{Progress, Stage, UNWATCHED, Watch};
pub use stopped::{Reason, Stopped};

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Returns the memory of the whole process in bytes; `None` where the system does not report it.
pub type Meter = fn() -> Option<u64>;

/// Calls of [`Budget::step`] between two checks of the clock and the watch.
const STEPS: u64 = 256;

/// The shortest time between two readings of the meter, which cost a few microseconds.
const METER_PAUSE: Duration = Duration::from_millis(2);

/// The limits of one run, its watch, and its progress.
///
/// A budget is shared by all threads and all steps of one run; its clock starts when it is created.
pub struct Budget<'a> {
    limits: Limits,
    deadline: Option<Instant>,
    watch: Watch<'a>,
    meter: Option<Meter>,
    /// The budget that contains this one.
    whole: Option<&'a Budget<'a>>,
    /// Whether progress is forwarded to that one.
    forwards: bool,
    state: Mutex<State>,
    steps: AtomicU64,
}

/// The mutable part.
struct State {
    progress: Progress,
    /// Once interrupted, a run stays interrupted for every thread and every later step.
    interrupted: Option<Reason>,
    metered: Option<Instant>,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("limits", &self.limits)
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}

impl Budget<'static> {
    /// A budget that never stops a run.
    pub fn unlimited() -> Self {
        Self::new(Limits::NONE)
    }
}

impl<'a> Budget<'a> {
    /// A budget with these limits and without a watch. Its clock starts now.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            deadline: limits.max_time.and_then(|time| Instant::now().checked_add(time)),
            watch: UNWATCHED,
            meter: None,
            whole: None,
            forwards: false,
            state: Mutex::new(State { progress: Progress::NONE, interrupted: None, metered: None }),
            steps: AtomicU64::new(0),
        }
    }

    /// The same budget with a watch, which is called with progress and may stop the run.
    pub fn watched<'b>(self, watch: Watch<'b>) -> Budget<'b>
    where
        'a: 'b,
    {
        Budget { watch, ..self }
    }

    /// The same budget with a meter of the whole process's memory, to which the limit applies in addition to the memory
    /// that the steps count themselves, so that uncounted memory is limited, too.
    #[must_use]
    pub fn metered(self, meter: Meter) -> Self {
        Self { meter: Some(meter), ..self }
    }

    /// The same limits, watch and meter, with only this share of the time that is left; the clock of this budget
    /// continues.
    ///
    /// ```
    /// use budget::{Budget, Limits};
    /// use std::time::Duration;
    ///
    /// let limits = Limits { max_time: Some(Duration::from_secs(60)), ..Limits::default() };
    /// let budget = Budget::new(limits);
    /// assert!(budget.part(0.0).check().is_err());
    /// assert!(budget.part(0.5).check().is_ok() && budget.check().is_ok());
    /// assert!(Budget::unlimited().part(0.0).check().is_ok());
    /// ```
    #[must_use]
    pub fn part(&self, part: f64) -> Budget<'a> {
        let part = part.clamp(0.0, 1.0);
        let now = Instant::now();
        let deadline = self.deadline.map(|end| now + end.saturating_duration_since(now).mul_f64(part));
        let Self { watch, meter, whole, forwards, limits, .. } = *self;
        Budget { deadline, watch, meter, whole, forwards, ..Budget::new(limits) }
    }

    /// A budget with limits of its own, whose clock starts now, within this one: whatever stops this one also stops the
    /// new one, for the same reason.
    ///
    /// ```
    /// use budget::{Budget, Limits, Reason};
    /// use std::time::Duration;
    ///
    /// let run = Budget::new(Limits { max_time: Some(Duration::ZERO), ..Limits::default() });
    /// let step = run.within(Limits { max_states: 10, ..Limits::NONE });
    /// assert_eq!(step.states(11).unwrap_err().reason, Reason::States { limit: 10 });
    /// assert_eq!(step.check().unwrap_err().reason, Reason::Time { limit: Duration::ZERO });
    /// ```
    #[must_use]
    pub fn within(&self, limits: Limits) -> Budget<'_> {
        Budget { whole: Some(self), ..Budget::new(limits) }
    }

    /// The same budget, which also forwards its progress to the budget it is [within](Self::within).
    #[must_use]
    pub fn forwarding(self) -> Self {
        Self { forwards: true, ..self }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// When the time is up, if it is limited: for work that cannot stop where it is, but can do less.
    ///
    /// ```
    /// use budget::{Budget, Limits};
    /// use std::time::Duration;
    ///
    /// let run = Budget::new(Limits { max_time: Some(Duration::from_secs(60)), ..Limits::default() });
    /// assert!(run.within(Limits::NONE).deadline() == run.deadline() && run.part(0.5).deadline() < run.deadline());
    /// assert_eq!(Budget::unlimited().deadline(), None);
    /// ```
    pub fn deadline(&self) -> Option<Instant> {
        let all = [self.deadline, self.whole.and_then(Budget::deadline)];
        all.into_iter().flatten().min()
    }

    /// The progress of the run.
    pub fn progress(&self) -> Progress {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).progress
    }

    /// Records the progress of a step, and checks the limits, the clock and the watch. To be called every few thousand
    /// operations, not for each.
    ///
    /// # Errors
    /// When the run must stop: time is up, the watch has interrupted it, or the process uses more memory than allowed.
    pub fn advance(&self, progress: Progress) -> Result<(), Stopped> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.progress = progress;
        self.ask(&mut state)
    }

    /// Checks the budget without new progress. While one thread does so, the others continue.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn check(&self) -> Result<(), Stopped> {
        match self.state.try_lock() {
            Ok(mut state) => self.ask(&mut state),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => self.ask(&mut poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => Ok(()),
        }
    }

    /// Like [`advance`](Self::advance), for inner loops: except for every 256th, a call costs a nanosecond or two.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    #[inline]
    pub fn step(&self, stage: Stage, done: u64, waiting: u64) -> Result<(), Stopped> {
        if self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(STEPS) {
            let memory = self.progress().memory;
            return self.advance(Progress { stage, done, waiting, memory });
        }
        Ok(())
    }

    /// Like [`check`](Self::check), for inner loops: except for every 256th, a call costs a nanosecond or two.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    #[inline]
    pub fn look(&self) -> Result<(), Stopped> {
        if self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(STEPS) { self.check() } else { Ok(()) }
    }

    /// Checks whether the run may have `count` states.
    ///
    /// # Errors
    /// [`Reason::States`] beyond [`Limits::max_states`].
    pub fn states(&self, count: u64) -> Result<(), Stopped> {
        let limit = self.limits.max_states;
        if count > limit { Err(self.exceeded(Reason::States { limit })) } else { Ok(()) }
    }

    /// Checks whether the run may have `needed` bytes, counted by the caller: the memory it holds plus the most that
    /// its next step needs.
    ///
    /// # Errors
    /// [`Reason::Memory`] beyond [`Limits::max_memory`].
    pub fn memory(&self, needed: u64) -> Result<(), Stopped> {
        let limit = self.limits.max_memory;
        if needed > limit { Err(self.exceeded(Reason::Memory { limit, needed })) } else { Ok(()) }
    }

    /// Checks whether the process may use `more` bytes in addition to its current memory, if there is a meter; without
    /// one, whether `more` alone is within the limit.
    ///
    /// # Errors
    /// [`Reason::Memory`] beyond [`Limits::max_memory`].
    pub fn more_memory(&self, more: u64) -> Result<(), Stopped> {
        let used = self.meter.and_then(|meter| meter()).unwrap_or(0);
        self.memory(used.saturating_add(more))
    }

    /// The error for a limit that the caller's own count exceeds.
    fn exceeded(&self, reason: Reason) -> Stopped {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Stopped { reason: state.interrupted.unwrap_or(reason), progress: state.progress }
    }

    fn ask(&self, state: &mut State) -> Result<(), Stopped> {
        let reason = state.interrupted.or_else(|| self.reason(state));
        if reason == Some(Reason::Interrupted) {
            state.interrupted = reason;
        }
        match reason {
            None => Ok(()),
            Some(reason) => Err(Stopped { reason, progress: state.progress }),
        }
    }

    /// The reason to stop now.
    fn reason(&self, state: &mut State) -> Option<Reason> {
        if (self.watch)(state.progress) == ControlFlow::Break(()) {
            return Some(Reason::Interrupted);
        }
        let ask = |whole: &Budget<'_>| if self.forwards { whole.advance(state.progress) } else { whole.check() };
        if let Some(Err(stopped)) = self.whole.map(ask) {
            return Some(stopped.reason);
        }
        if self.deadline.is_none() && self.meter.is_none() {
            return None;
        }
        let now = Instant::now();
        if let (Some(deadline), Some(limit)) = (self.deadline, self.limits.max_time)
            && now >= deadline
        {
            return Some(Reason::Time { limit });
        }
        let meter = self.meter?;
        if state.metered.is_some_and(|last| now.duration_since(last) < METER_PAUSE) {
            return None;
        }
        state.metered = Some(now);
        let (limit, needed) = (self.limits.max_memory, meter()?);
        (needed > limit).then_some(Reason::Memory { limit, needed })
    }
}

#[cfg(test)]
mod tests;
