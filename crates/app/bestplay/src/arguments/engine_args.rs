//! Arguments for every command that can take long: limits, threads, and a progress bar.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use budget::{Budget, Limits, Progress, Stage, bytes};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mdp::ExploreOptions;

use crate::ending::Guarded;
use crate::memory;
use crate::quantities::{parse_bytes, parse_time};
use crate::signal::Signal;

/// The context of a long computation.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The engine's options, with the budget.
    pub options: &'a ExploreOptions<'a>,
    /// The budget, for work outside of the engine.
    pub budget: &'a Budget<'a>,
}

impl Run<'_> {
    /// The number of threads.
    pub fn threads(self) -> usize {
        self.options.threads.unwrap_or_else(cores)
    }
}

/// Limits of a run.
#[derive(Args)]
pub struct LimitArgs {
    /// Stop with an error at more states than this [default: as many as can be numbered]
    #[arg(id = "max-states", long = "max-states", value_name = "COUNT", help_heading = "Run")]
    pub states: Option<u64>,
    /// Stop with an error before the program takes more memory than this: 500MB, 2GB, 1.5GiB [default: three
    /// quarters of what is free]
    #[arg(id = "max-memory", long = "max-memory", value_name = "SIZE", value_parser = parse_bytes, help_heading = "Run")]
    memory: Option<u64>,
    /// Stop with an error after this time: 30s, 5min, 1.5h [default: no limit]
    #[arg(id = "max-time", long = "max-time", value_name = "TIME", value_parser = parse_time, help_heading = "Run")]
    time: Option<Duration>,
}

/// Limits and threads of a run.
#[derive(Args)]
pub struct RunArgs {
    /// The number of threads, at most one for each core; the answer does not depend on it [default: one for each core]
    #[arg(long, value_name = "COUNT", help_heading = "Run")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Options of a run whose answer can be exact or bounded.
#[derive(Args)]
pub struct EngineArgs {
    /// Exact fractions beside the decimals
    #[arg(long, help_heading = "Run")]
    pub exact: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// Longer runs show their progress.
const SILENT: Duration = Duration::from_secs(1);
/// The interval of the progress bar.
const PAUSE: Duration = Duration::from_millis(50);
/// Fewer states take little memory.
const MANY_STATES: u64 = 1 << 17;

impl LimitArgs {
    /// Does `work` within the limits. A terminal shows the progress; Ctrl-C and the limits stop the work even if it never
    /// checks its budget.
    pub fn run<T>(&self, work: impl FnOnce(Run<'_>) -> T) -> T {
        self.run_guarded(true, work)
    }

    /// The same; where it is not `guarded`, work that asks its budget too rarely takes longer, and ends nothing.
    fn run_guarded<T>(&self, guarded: bool, work: impl FnOnce(Run<'_>) -> T) -> T {
        let limits = self.limits();
        let guarded = guarded.then(|| Guarded::begin(limits));
        let began = Instant::now();
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let next = AtomicU64::new(0);
        let ordering = AtomicBool::new(false);
        let watch = |progress: Progress| {
            if let Some(guarded) = &guarded {
                guarded.record(progress);
            }
            if Signal::came().is_some() {
                return ControlFlow::Break(());
            }
            // The model is built by then, and its input is free.
            let ordered = ordering.swap(progress.stage == Stage::Ordering, Ordering::Relaxed);
            if ordered && progress.stage == Stage::Solving && progress.waiting >= MANY_STATES {
                memory::give_back();
            }
            let now = began.elapsed();
            if now > SILENT && milliseconds(now) >= next.load(Ordering::Relaxed) {
                next.store(milliseconds(now + PAUSE), Ordering::Relaxed);
                show(&bar, progress);
            }
            ControlFlow::Continue(())
        };
        let budget = Budget::new(limits).watched(&watch).metered(memory::used);
        let options = ExploreOptions::default().with_budget(&budget);
        let result = work(Run { options: &options, budget: &budget });
        drop(guarded);
        bar.finish_and_clear();
        result
    }

    /// More than the machine has is no limit.
    fn limits(&self) -> Limits {
        let free = || memory::free().map_or(Limits::default().max_memory, |free| free / 4 * 3);
        let total = memory::total().unwrap_or(u64::MAX);
        Limits {
            max_states: self.states.unwrap_or(Limits::default().max_states),
            max_memory: self.memory.unwrap_or_else(free).min(total),
            max_time: self.time,
        }
    }
}

impl RunArgs {
    /// As [`LimitArgs::run`], in one pool of threads from beginning to end. New threads would first have to find a free core
    /// each.
    pub fn run<T: Send>(&self, work: impl FnOnce(Run<'_>) -> T + Send) -> T {
        self.run_guarded(true, work)
    }

    fn run_guarded<T: Send>(&self, guarded: bool, work: impl FnOnce(Run<'_>) -> T + Send) -> T {
        let threads = self.threads();
        self.limits.run_guarded(guarded, |run| {
            let options = run.options.with_threads(threads);
            mdp::advanced::in_own_pool(Some(threads), |_| work(Run { options: &options, ..run }))
        })
    }

    /// The number of threads of a run. More than there are cores would only compete.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, |threads| threads.get().min(cores()))
    }
}

impl EngineArgs {
    /// As [`run`](Self::run) for one of many answers of a process: a limit ends this one, never the process.
    pub fn run_one_of_many<T: Send>(&self, work: impl FnOnce(Run<'_>) -> T + Send) -> T {
        self.run.run_guarded(false, work)
    }

    /// As [`RunArgs::run`].
    pub fn run<T: Send>(&self, work: impl FnOnce(Run<'_>) -> T + Send) -> T {
        self.run.run(work)
    }

    /// As [`RunArgs::threads`].
    pub fn threads(&self) -> usize {
        self.run.threads()
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("no run takes millions of years")
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
        Stage::Heroes => ("{elapsed_precise} {wide_bar} {msg}, {eta} to go", "heroes solved".to_owned()),
        Stage::Numbers => ("{elapsed_precise} {wide_bar} {msg}, {eta} to go", "changes of numbers tried".to_owned()),
        other => ("{elapsed_precise} {msg}", format!("{} done ({})", other.unit(), other.name())),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_length(done + waiting);
    bar.set_position(done);
    bar.set_message(format!("{done} {doing}, {}", bytes(memory)));
}
