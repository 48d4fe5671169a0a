//! Thread pools.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::Yield;

/// One thread handles fewer states than this sooner than others wake up.
pub(crate) const FEW_STATES: usize = 1 << 12;

/// Runs `work` with that many threads (`None`: one on each core) for its parallel parts, and passes it their number.
///
/// ```
/// assert_eq!(mdp::advanced::in_pool(Some(1), |threads| threads), 1);
/// ```
pub fn in_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    let threads = wanted(threads);
    if threads == rayon::current_num_threads() { work(threads) } else { in_new_pool(threads, work) }
}

/// As [`in_pool`], on a thread of the pool, whose other threads stay awake for short parallel steps. The pool is
/// created for this work, unless the caller runs in such a pool already; so it never waits for other work, and its
/// thread-local caches end with it.
///
/// ```
/// assert_eq!(mdp::advanced::in_own_pool(None, |_| mdp::advanced::in_own_pool(Some(2), |threads| threads)), 2);
/// ```
pub fn in_own_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    let is_in_one = rayon::current_thread_index().is_some();
    if is_in_one { in_pool(threads, work) } else { in_new_pool(wanted(threads), work) }
}

fn wanted(threads: Option<usize>) -> usize {
    threads.map_or_else(rayon::current_num_threads, |threads| threads.clamp(1, 1024))
}

fn in_new_pool<T: Send>(threads: usize, work: impl FnOnce(usize) -> T + Send) -> T {
    // With more threads than cores, idle threads would slow down the others.
    let has_cores = thread::available_parallelism().is_ok_and(|cores| threads <= cores.get());
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) if has_cores => pool.install(|| with_others_awake(|| work(threads))),
        Ok(pool) => pool.install(|| work(threads)),
        // Without a pool of its own the work only takes longer.
        Err(_) => work(rayon::current_num_threads()),
    }
}

/// How long an idle thread looks for work without a pause: longer than the sequential part between most steps.
const AWAKE: Duration = Duration::from_micros(250);

/// A thread that has been idle for longer sleeps for this fraction of that time before it looks again, at most for the
/// longest nap.
const NAP: u32 = 16;
const LONGEST_NAP: Duration = Duration::from_millis(1);

/// Runs work on a thread of a pool while the other, idle threads keep looking for parts of it.
///
/// Much is shared in steps of some hundred microseconds with sequential parts in between. Otherwise the other threads
/// would fall asleep meanwhile, and waking them could take as long as the next step.
fn with_others_awake<T>(work: impl FnOnce() -> T) -> T {
    let own = rayon::current_thread_index();
    let others = rayon::current_num_threads() - 1;
    let awake = AtomicUsize::new(0);
    let over = AtomicBool::new(false);
    rayon::in_place_scope(|scope| {
        scope.spawn_broadcast(|_, _| {
            if rayon::current_thread_index() != own {
                awake.fetch_add(1, Ordering::Relaxed);
                look_for_work(&over);
            }
        });
        // Start only when all threads are looking for work: one that begins to look inside of a step, while it waits
        // for another, would return only after everything is over.
        while awake.load(Ordering::Relaxed) < others {
            thread::yield_now();
        }
        let _over = OverOnDrop(&over);
        work()
    })
}

/// Runs tasks of this thread's pool until it is `over`.
fn look_for_work(over: &AtomicBool) {
    let mut idle: Option<Instant> = None;
    while !over.load(Ordering::Relaxed) {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle = None;
            continue;
        }
        let idle = idle.get_or_insert_with(Instant::now).elapsed();
        if idle < AWAKE {
            std::hint::spin_loop();
            thread::yield_now();
        } else {
            thread::sleep((idle / NAP).min(LONGEST_NAP));
        }
    }
}

/// Sets the flag when it goes out of scope, after a panic too.
struct OverOnDrop<'a>(&'a AtomicBool);

impl Drop for OverOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
