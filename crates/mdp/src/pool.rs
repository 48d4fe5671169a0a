//! How many threads work side by side.

/// Runs `work` with that many threads (`None`: one on each core) for everything in it that runs side by side, and tells it
/// how many they are.
///
/// ```
/// assert_eq!(mdp::in_pool(Some(1), |threads| threads), 1);
/// ```
pub fn in_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    let threads = threads.map_or_else(rayon::current_num_threads, |threads| threads.clamp(1, 1024));
    if threads == rayon::current_num_threads() {
        return work(threads);
    }
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(|| work(threads)),
        // Threads that the system does not give change nothing but the time.
        Err(_) => work(rayon::current_num_threads()),
    }
}

/// As [`in_pool`], on a thread of that pool, so that nobody has to be woken for what little can be shared at a time: of one
/// that is made for this work, unless it is done in such a pool already. So it never waits for what others do, and what its
/// threads remember ends with it.
///
/// ```
/// assert_eq!(mdp::in_own_pool(None, |_| mdp::in_own_pool(Some(2), |threads| threads)), 2);
/// ```
pub fn in_own_pool<T: Send>(threads: Option<usize>, work: impl FnOnce(usize) -> T + Send) -> T {
    if rayon::current_thread_index().is_some() {
        return in_pool(threads, work);
    }
    let threads = threads.map_or_else(rayon::current_num_threads, |threads| threads.clamp(1, 1024));
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(|| work(threads)),
        Err(_) => in_pool(Some(threads), work),
    }
}
