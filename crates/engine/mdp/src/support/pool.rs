//! How many threads work side by side.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::Yield;

/// Fewer states are looked at sooner by one thread than others wake up.
pub(crate) const FEW_STATES: usize = 1 << 12;

/// Runs `work` with that many threads (`None`: one on each core) for everything in it that runs side by side, and tells it
/// how many they are.
///
/// ```
/// assert_eq!(mdp::advanced::in_pool(Some(1), |threads| threads), 1);
/// ```
pub fn in_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    let threads = wanted(threads);
    if threads == rayon::current_num_threads() { work(threads) } else { in_new_pool(threads, work) }
}

/// As [`in_pool`], on a thread of that pool, so that nobody has to be woken for what little can be shared at a time: of one
/// that is made for this work, unless it is done in such a pool already. So it never waits for what others do, and what its
/// threads remember ends with it.
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
    // Where there are more threads than cores, those that have nothing to do would be in the way of the others.
    let has_cores = thread::available_parallelism().is_ok_and(|cores| threads <= cores.get());
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) if has_cores => pool.install(|| with_others_awake(|| work(threads))),
        Ok(pool) => pool.install(|| work(threads)),
        // Threads that the system does not give change nothing but the time.
        Err(_) => work(rayon::current_num_threads()),
    }
}

/// So long a thread that has nothing to do looks for work again and again: longer than one thread goes on alone between most
/// steps.
const AWAKE: Duration = Duration::from_micros(250);

/// A thread that has had nothing to do for longer sleeps for such a part of that time before it looks again, and no longer than
/// the longest nap.
const NAP: u32 = 16;
const LONGEST_NAP: Duration = Duration::from_millis(1);

/// Does some work on a thread of a pool whose others have nothing to do yet, and has them look for parts of it all the while.
///
/// Much is shared in steps of some hundred microseconds between which one thread goes on alone. The others would fall asleep
/// meanwhile, and the system may take as long to wake them as the next step takes.
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
        // Nobody else has work before all of them look for it: who began to look in the middle of something, while he waits for
        // another, would not come back to it before all is over.
        while awake.load(Ordering::Relaxed) < others {
            thread::yield_now();
        }
        let _over = OverOnDrop(&over);
        work()
    })
}

/// Does what there is to do in the pool of this thread until it is `over`.
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

/// Says that it is over when it goes out of scope, after a panic too.
struct OverOnDrop<'a>(&'a AtomicBool);

impl Drop for OverOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
