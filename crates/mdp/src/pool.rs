//! How many threads work side by side.

/// Fewer states are looked at sooner by one thread than others wake up.
pub(crate) const FEW_STATES: usize = 1 << 14;

/// Runs `work` with that many threads (`None`: one on each core) for everything in it that runs side by side, and tells it
/// how many they are.
///
/// ```
/// assert_eq!(mdp::in_pool(Some(1), |threads| threads), 1);
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
/// assert_eq!(mdp::in_own_pool(None, |_| mdp::in_own_pool(Some(2), |threads| threads)), 2);
/// ```
pub fn in_own_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    let is_in_one = rayon::current_thread_index().is_some();
    if is_in_one { in_pool(threads, work) } else { in_new_pool(wanted(threads), work) }
}

fn wanted(threads: Option<usize>) -> usize {
    threads.map_or_else(rayon::current_num_threads, |threads| threads.clamp(1, 1024))
}

fn in_new_pool<T: Send>(threads: usize, work: impl FnOnce(usize) -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(|| work(threads)),
        // Threads that the system does not give change nothing but the time.
        Err(_) => work(rayon::current_num_threads()),
    }
}
