//! A cache of answers that took a while.
//!
//! A solved gamebook is large, but the page needs little of it: the answer about the whole book and one for every section are
//! kept as JSON. An answer from the shelf does not queue.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::jobs::Run;
use super::problem::Problem;

/// A shelf that holds so many bytes; the least recently used answers are dropped first.
#[derive(Debug)]
pub struct Shelf<T> {
    most: u64,
    kept: Mutex<ShelfEntries<T>>,
}

#[derive(Debug)]
struct ShelfEntries<T> {
    /// The number of requests so far.
    now: u64,
    places: HashMap<String, ShelfEntry<T>>,
}

#[derive(Debug)]
struct ShelfEntry<T> {
    /// The number of its last request.
    asked: u64,
    /// The time of its last request.
    touched: Instant,
    bytes: u64,
    /// Locked while one request computes the answer; other requests wait for it.
    answer: Arc<Mutex<Option<Arc<T>>>>,
}

/// How often a request that waits for another's answer checks whether it is stopped.
const LOOK: Duration = Duration::from_millis(10);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Shelf<T> {
    pub fn new(most: u64) -> Self {
        Self { most, kept: Mutex::new(ShelfEntries { now: 0, places: HashMap::new() }) }
    }

    /// The answer of this key, if the shelf has it.
    pub fn kept(&self, key: &str) -> Option<Arc<T>> {
        let mut kept = lock(&self.kept);
        kept.now += 1;
        let asked = kept.now;
        let place = kept.places.get_mut(key)?;
        (place.asked, place.touched) = (asked, Instant::now());
        let answer = place.answer.try_lock().ok()?;
        answer.clone()
    }

    /// The answer of this key. If the shelf lacks it, `find` computes it and its size in bytes; one of several simultaneous
    /// requests does so.
    pub fn get(
        &self,
        key: &str,
        run: &Run<'_>,
        find: impl FnOnce() -> Result<(T, u64), Problem>,
    ) -> Result<Arc<T>, Problem> {
        let cell = {
            let mut kept = lock(&self.kept);
            kept.now += 1;
            let asked = kept.now;
            let new = || ShelfEntry { asked, touched: Instant::now(), bytes: 0, answer: Arc::default() };
            let place = kept.places.entry(key.to_owned()).or_insert_with(new);
            (place.asked, place.touched) = (asked, Instant::now());
            Arc::clone(&place.answer)
        };
        let mut answer = loop {
            match cell.try_lock() {
                Ok(answer) => break answer,
                Err(TryLockError::Poisoned(broken)) => break broken.into_inner(),
                Err(TryLockError::WouldBlock) if run.is_stopped() => {
                    self.forget(key, &cell);
                    return Err(Problem::internal("the client has gone away"));
                }
                Err(TryLockError::WouldBlock) => {
                    if let Err(stopped) = run.budget.check() {
                        self.forget(key, &cell);
                        return Err(Problem::stopped(&stopped));
                    }
                    std::thread::sleep(LOOK);
                }
            }
        };
        if let Some(answer) = &*answer {
            return Ok(Arc::clone(answer));
        }
        let (found, bytes) = find().inspect_err(|_| self.forget(key, &cell))?;
        let found = Arc::new(found);
        *answer = Some(Arc::clone(&found));
        drop(answer);
        self.make_room(key, bytes + key.len() as u64);
        Ok(found)
    }

    /// Removes an entry whose answer was not found, unless another request waits for it.
    fn forget(&self, key: &str, cell: &Arc<Mutex<Option<Arc<T>>>>) {
        let mut kept = lock(&self.kept);
        let is_own = kept.places.get(key).is_some_and(|place| Arc::ptr_eq(&place.answer, cell));
        // One reference is the shelf's, one is ours.
        if is_own && Arc::strong_count(cell) <= 2 {
            kept.places.remove(key);
        }
    }

    /// Drops the answers that were not requested for so long.
    pub fn expire(&self, idle: Duration) {
        let mut kept = lock(&self.kept);
        // An answer that is being computed has no size yet.
        kept.places.retain(|_, place| place.bytes == 0 || place.touched.elapsed() < idle);
        kept.places.shrink_to_fit();
    }

    fn make_room(&self, key: &str, bytes: u64) {
        let mut kept = lock(&self.kept);
        if bytes > self.most {
            kept.places.remove(key);
        } else if let Some(place) = kept.places.get_mut(key) {
            place.bytes = bytes;
        }
        while kept.places.values().map(|place| place.bytes).sum::<u64>() > self.most {
            let oldest = kept.places.iter().filter(|(_, place)| place.bytes > 0).min_by_key(|(_, place)| place.asked);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            kept.places.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests;
