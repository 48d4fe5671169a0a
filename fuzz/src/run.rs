//! Running a target on damaged inputs.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fastrand::Rng;
use peak_alloc::PeakAlloc;

use crate::mutate::mutate;
use crate::{BESIDE, Corpus, MEMORY, ONE_IN, Target, Verdict, root};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// An input that takes longer is a finding.
const SLOW: Duration = Duration::from_secs(10);

/// An input that is still being read after this ends the process: it may never return.
const STUCK: Duration = Duration::from_mins(2);

/// So many inputs that were read are kept, to be damaged further.
const KEPT: usize = 256;

/// After so many findings a target is given up.
const MOST_FINDINGS: u64 = 20;

/// How long a target is run.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// At most so many inputs.
    pub inputs: u64,
    /// At most so long.
    pub time: Duration,
    /// Decides the inputs: the same seed gives the same, as long as the corpus is the same.
    pub seed: u64,
}

/// What came of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// How many inputs there were.
    pub inputs: u64,
    /// How many of them were read rather than refused.
    pub accepted: u64,
    /// How many showed a mistake.
    pub findings: u64,
    /// The most memory that an input took, in bytes.
    pub memory: u64,
    /// The longest that an input took.
    pub slowest: Duration,
}

impl Report {
    /// How many of a thousand inputs were read, rounded down.
    pub fn per_mille(&self) -> u64 {
        self.accepted.saturating_mul(1000) / self.inputs.max(1)
    }

    /// Whether fewer than one in [`ONE_IN`] inputs were read.
    pub fn reads_too_little(&self) -> bool {
        self.accepted.saturating_mul(ONE_IN) < self.inputs
    }
}

/// The input that is being read, for the watchdog: since when, for which target.
static CURRENT: Mutex<Option<(Instant, &'static str, Vec<u8>)>> = Mutex::new(None);

/// Ends the process with a finding when an input is read for ever. Call it once.
pub fn start_watchdog() {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(5));
            let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((began, name, input)) = &*current
                && began.elapsed() > STUCK
            {
                let saved = save(name, input).map_or_else(|error| error.to_string(), |path| path.display().to_string());
                eprintln!("{name}: an input is read for more than {} s: {saved}", STUCK.as_secs());
                std::process::exit(1);
            }
        }
    });
}

/// The inputs that a target begins with: files in the order of their names, then what is made.
///
/// # Errors
/// When a folder or a file cannot be read, a folder has no such file, or what is to be made cannot be made.
pub fn corpus(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    let mut made = Vec::new();
    for corpus in target.corpus {
        match corpus {
            Corpus::Files { folder, ending } => {
                let before = paths.len();
                let unread = |error| io::Error::other(format!("{folder}: {error}"));
                for entry in fs::read_dir(root().join(folder)).map_err(unread)? {
                    let path = entry?.path();
                    if path.is_file() && path.to_string_lossy().ends_with(ending) {
                        paths.push(path);
                    }
                }
                if paths.len() == before {
                    return Err(io::Error::other(format!("{folder} has no file *{ending}")));
                }
            }
            Corpus::Made(make) => made.extend(make().map_err(io::Error::other)?),
        }
    }
    paths.sort();
    let files = paths.into_iter().map(fs::read);
    files.chain(made.into_iter().map(Ok)).collect()
}

/// Checks one input: what it was, or what is wrong, and what reading it took.
pub fn one(target: &Target, input: &[u8]) -> (Result<Verdict, String>, u64, Duration) {
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), target.name, input.to_vec()));
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let timed = || {
        let began = Instant::now();
        let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
        (checked, began.elapsed())
    };
    let (mut checked, mut time) = timed();
    if time > SLOW && matches!(checked, Ok(Ok(_))) {
        // On a busy machine it may only have waited for its turn.
        (checked, time) = timed();
    }
    let memory = (ALLOCATOR.peak_usage().saturating_sub(before)) as u64;
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = None;
    let checked = match checked {
        Ok(Ok(_)) if memory > MEMORY / 100 * 105 + BESIDE => Err(format!("{memory} bytes of memory")),
        Ok(Ok(_)) if time > SLOW => Err(format!("{:.1} s", time.as_secs_f64())),
        Ok(checked) => checked,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Err(format!("a panic: {}", text.unwrap_or("without a message")))
        }
    };
    (checked, memory, time)
}

/// Runs a target: first its corpus as it is, then damaged. Findings are written to `target/fuzz` and
/// printed.
///
/// # Errors
/// When the corpus cannot be read.
pub fn run(target: &Target, extent: Extent) -> io::Result<Report> {
    let corpus = corpus(target)?;
    let mut random = Rng::with_seed(extent.seed);
    let mut pool = corpus.clone();
    let mut report = Report::default();
    let began = Instant::now();
    while report.inputs < extent.inputs && began.elapsed() < extent.time && report.findings < MOST_FINDINGS {
        let place = usize::try_from(report.inputs).unwrap_or(usize::MAX);
        let input = match corpus.get(place) {
            Some(input) => input.clone(),
            None => {
                let mut input = if pool.is_empty() { Vec::new() } else { pool[random.usize(0..pool.len())].clone() };
                mutate(&mut random, &mut input, &pool, target.words, target.longest);
                input
            }
        };
        let (checked, memory, time) = one(target, &input);
        report.inputs += 1;
        report.memory = report.memory.max(memory);
        report.slowest = report.slowest.max(time);
        match checked {
            Ok(Verdict::Refused) => {}
            Ok(Verdict::Accepted) => {
                report.accepted += 1;
                if pool.len() < corpus.len() + KEPT {
                    pool.push(input);
                } else if random.u32(0..64) == 0 {
                    let place = random.usize(corpus.len()..pool.len());
                    pool[place] = input;
                }
            }
            Err(problem) => {
                report.findings += 1;
                println!("{}: {problem}: {}", target.name, save(target.name, &input)?.display());
            }
        }
    }
    Ok(report)
}

/// Keeps an input that showed a mistake.
fn save(name: &str, input: &[u8]) -> io::Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let folder = root().join("target/fuzz");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}-{:016x}", hasher.finish()));
    fs::write(&path, input)?;
    Ok(path)
}
