//! Arguments of every command that solves: limits, threads, and a bar that shows how far it is.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use budget::{Budget, Limits, Progress, Reason, Stage, Stopped, bytes};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mdp::ExploreOptions;

use crate::output::Failure;

/// How a run is to be made, and how far it may go.
#[derive(Args)]
pub struct EngineArgs {
    /// Exact fractions beside the decimals
    #[arg(long, help_heading = "Run")]
    pub exact: bool,
    /// Threads; the answer does not depend on them [default: one for each core]
    #[arg(long, value_name = "COUNT", help_heading = "Run")]
    threads: Option<NonZeroUsize>,
    /// Stop with an error at more states than this
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().max_states, help_heading = "Run")]
    max_states: u64,
    /// Stop with an error before more memory is needed than this: 500MB, 2GB, 1.5GiB [default: three
    /// quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Run")]
    max_memory: Option<u64>,
}

/// Three quarters of the memory that is free; where the system does not tell, the engine's default.
fn default_memory() -> u64 {
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    available.map_or(Limits::default().max_memory, |kilobytes| kilobytes * 1024 / 4 * 3)
}

/// Ctrl-C was pressed in this run.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// A run is under way that can be stopped.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// What Ctrl-C does: it stops a run, and when there is none the process.
fn interrupt() {
    if RUNNING.load(Ordering::SeqCst) {
        INTERRUPTED.store(true, Ordering::SeqCst);
    } else {
        eprintln!("interrupted");
        std::process::exit(Failure::Interrupted.exit_code().into());
    }
}

/// A run that takes longer shows how far it is.
const SILENT: Duration = Duration::from_secs(1);
/// So long it stays as it is.
const PAUSE: Duration = Duration::from_millis(50);

impl EngineArgs {
    /// Runs `work` with the engine's options that the arguments say. A terminal shows how far it
    /// is; Ctrl-C stops it.
    pub fn run<T>(&self, work: impl FnOnce(&ExploreOptions<'_>) -> T) -> T {
        INTERRUPTED.store(false, Ordering::SeqCst);
        RUNNING.store(true, Ordering::SeqCst);
        // Without a handler Ctrl-C still ends the process, only less politely. A second run finds it set.
        let _ = ctrlc::set_handler(interrupt);
        let began = Instant::now();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let next = AtomicU64::new(0);
        let watch = |progress: Progress| {
            if INTERRUPTED.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let now = began.elapsed();
            if now > SILENT && now.as_millis() as u64 >= next.load(Ordering::Relaxed) {
                next.store((now + PAUSE).as_millis() as u64, Ordering::Relaxed);
                show(&bar, progress);
            }
            ControlFlow::Continue(())
        };
        let max_memory = self.max_memory.unwrap_or_else(default_memory);
        let limits = Limits { max_states: self.max_states, max_memory, ..Limits::default() };
        let budget = Budget::new(limits).watched(&watch);
        let options = ExploreOptions::default().with_budget(&budget);
        let result = work(&self.threads.map_or(options, |threads| options.with_threads(threads.get())));
        RUNNING.store(false, Ordering::SeqCst);
        bar.finish_and_clear();
        result
    }

    /// How many threads a run uses.
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, NonZeroUsize::get)
    }

    /// The failure of a run that stopped before its end.
    pub fn stopped(stopped: &Stopped) -> Failure {
        match stopped.reason {
            Reason::Interrupted => Failure::Interrupted,
            Reason::States { .. } => Failure::failed(stopped, "raise --max-states, or ask about less"),
            Reason::Memory { .. } => {
                Failure::failed(stopped, "raise --max-memory if the machine has more, or ask about less")
            }
            Reason::Time { .. } => Failure::failed(stopped, "give it more time, or ask about less"),
        }
    }
}

fn show(bar: &ProgressBar, progress: Progress) {
    if bar.is_hidden() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
    let Progress { stage, done, waiting, memory } = progress;
    let (template, doing) = match stage {
        Stage::Exploring => ("{elapsed_precise} {msg}", "states found".to_owned()),
        Stage::Ordering => ("{elapsed_precise} {msg}", "states to put in order".to_owned()),
        Stage::Solving => ("{elapsed_precise} {wide_bar} {msg}", "states solved".to_owned()),
        other => ("{elapsed_precise} {msg}", format!("{} done ({})", other.unit(), other.name())),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_length(done + waiting);
    bar.set_position(done);
    bar.set_message(format!("{done} {doing}, {}", bytes(memory)));
}

/// A size: a number and a unit of 1000 (kB, MB, GB, TB) or 1024 (KiB, MiB, GiB, TiB), or of 1.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as 500MB, 2GB or 1.5GiB".to_string();
    let number_ends = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_ends);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1u64,
        "k" | "kb" => 1000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "t" | "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    // A conversion from float saturates: an absurd size is no limit.
    Ok((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, size) in [("1", 1), ("2GB", 2_000_000_000), ("1.5 GiB", 3 << 29), ("64mb", 64_000_000)] {
            assert_eq!(parse_bytes(text), Ok(size), "{text}");
        }
        for text in ["", "GB", "-1GB", "2XB", "1.2.3GB", "1e9"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
        assert_eq!(parse_bytes(&"9".repeat(400)), Ok(u64::MAX));
    }
}
