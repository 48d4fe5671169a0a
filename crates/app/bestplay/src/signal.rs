//! Ctrl-C, and the signal by which a system ends programs.

use std::sync::atomic::{AtomicU8, Ordering};

/// A signal that asks this process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C (SIGINT).
    Interrupt = 2,
    /// `kill`, a shutdown (SIGTERM).
    Terminate = 15,
}

/// The number of the signal received; 0 for none.
static CAME: AtomicU8 = AtomicU8::new(0);

impl Signal {
    /// The exit code of a process ended by it, as shells expect.
    pub fn exit_code(self) -> u8 {
        128 + self as u8
    }

    /// The message of such a process.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "interrupted",
            Self::Terminate => "terminated",
        }
    }

    /// The signal received, if any.
    pub fn came() -> Option<Self> {
        let came = CAME.load(Ordering::Relaxed);
        [Self::Interrupt, Self::Terminate].into_iter().find(|signal| *signal as u8 == came)
    }
}

/// Calls `act` on a thread of its own when a signal is received.
#[cfg(unix)]
pub fn on_signal(act: impl Fn(Signal) + Send + 'static) {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};

    // A file at its size limit is then a write error, like a full disk; without a handler it would end the process.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    // Without a handler a signal still ends the process, only less politely.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    let wait = move || {
        for number in signals.forever() {
            note(if number == SIGTERM { Signal::Terminate } else { Signal::Interrupt }, &act);
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
}

/// Calls `act` on a thread of its own when Ctrl-C is pressed.
#[cfg(not(unix))]
pub fn on_signal(act: impl Fn(Signal) + Send + 'static) {
    // Without a handler Ctrl-C still ends the process, only less politely.
    let _ = ctrlc::set_handler(move || note(Signal::Interrupt, &act));
}

fn note(signal: Signal, act: &impl Fn(Signal)) {
    CAME.store(signal as u8, Ordering::SeqCst);
    act(signal);
}
