//! Accounting for the memory of readers: no file takes more memory than the run may use, and no part of it is read
//! without checking the budget.

use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Budget, Progress, Stage, Stopped};
use dashu_base::BitTest;
use dashu_ratio::RBig;

/// Arrays up to this size may be copied when they grow, so that the old and the new one exist together; the system
/// moves larger ones without a copy.
const MOVED: u64 = 32 << 20;

/// Growth of at least this many bytes checks the memory of the whole process.
const METERED: u64 = 1 << 20;

/// The memory held while a model is read, checked against the budget of the run. Shared by all threads.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    budget: &'a Budget<'a>,
    held: AtomicU64,
    /// Bytes of the file that have been read, for progress.
    read: AtomicU64,
    /// Bytes of the file; 0 if unknown.
    size: u64,
}

impl<'a> Memory<'a> {
    /// Without any memory held yet. `size` is that of the file, 0 if unknown.
    pub(crate) fn new(budget: &'a Budget<'a>, size: u64) -> Self {
        Self { budget, held: AtomicU64::new(0), read: AtomicU64::new(0), size }
    }

    /// The budget that is checked.
    pub(crate) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    /// Records that more of the file has been read, and checks the budget.
    pub(crate) fn advance(&self, bytes: u64) -> Result<(), Stopped> {
        let done = self.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let memory = self.held.load(Ordering::Relaxed);
        self.budget.advance(Progress { stage: Stage::Reading, done, waiting: self.size.saturating_sub(done), memory })
    }

    /// Checks the budget now and then; for inner loops.
    #[inline]
    pub(crate) fn step(&self) -> Result<(), Stopped> {
        let done = self.read.load(Ordering::Relaxed);
        self.budget.step(Stage::Reading, done, self.size.saturating_sub(done))
    }

    /// Checks the budget at once.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        self.budget.check()
    }

    /// Checks whether there may be this many states.
    pub(crate) fn states(&self, count: u32) -> Result<(), Stopped> {
        self.budget.states(count.into())
    }

    /// Bytes that are still available.
    pub(crate) fn left(&self) -> u64 {
        self.budget.limits().max_memory.saturating_sub(self.held.load(Ordering::Relaxed))
    }

    /// Requests memory that will be held, before it is allocated.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Stopped> {
        self.room(bytes)?;
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Requests memory that is needed temporarily.
    pub(crate) fn room(&self, bytes: u64) -> Result<(), Stopped> {
        self.budget.memory(self.held.load(Ordering::Relaxed).saturating_add(bytes))?;
        if bytes >= METERED { self.budget.more_memory(bytes) } else { Ok(()) }
    }

    /// Records that memory was released.
    pub(crate) fn give_back(&self, bytes: u64) {
        // A thread releases only what it has requested before.
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Makes room for `more` items at the end of an array that will have at most `most`.
    pub(crate) fn grow<T>(&self, array: &mut Vec<T>, more: usize, most: usize) -> Result<(), Stopped> {
        self.grow_to(array, array.len().saturating_add(more), most)
    }

    /// Makes room for `needed` items in an array that will have at most `most`.
    pub(crate) fn grow_to<T>(&self, array: &mut Vec<T>, needed: usize, most: usize) -> Result<(), Stopped> {
        if needed <= array.capacity() {
            return Ok(());
        }
        // By half, so that growing costs little in total and leaves little unused.
        let capacity = needed.max((array.capacity() + array.capacity() / 2).min(most));
        let size = |items: usize| items.saturating_mul(size_of::<T>()) as u64;
        let (old, new) = (size(array.capacity()), size(capacity));
        self.room(if old < MOVED { new } else { new - old })?;
        if array.try_reserve_exact(capacity - array.len()).is_err() {
            // The limit allows it, but the system does not have it.
            return Err(self.budget.memory(u64::MAX).err().unwrap_or_else(|| self.stopped(new)));
        }
        self.held.fetch_add(new - old, Ordering::Relaxed);
        Ok(())
    }

    /// Requests the memory of a hash table that has to grow for one more entry. `allocated` is its current size. The
    /// old and the new table exist together while entries are moved.
    pub(crate) fn grow_table(&self, entries: usize, capacity: usize, allocated: usize) -> Result<(), Stopped> {
        if entries < capacity {
            return Ok(());
        }
        let allocated = allocated as u64;
        self.room(allocated * 2)?;
        self.held.fetch_add(allocated.max(64), Ordering::Relaxed);
        Ok(())
    }

    fn stopped(&self, needed: u64) -> Stopped {
        let limit = self.budget.limits().max_memory;
        Stopped { reason: budget::Reason::Memory { limit, needed }, progress: self.budget.progress() }
    }
}

/// The approximate memory of a number, in bytes.
///
/// ```
/// let large = model_files::parse_number(b"1e1000")?;
/// assert!((400..600).contains(&model_files::number_bytes(&large)));
/// # Ok::<(), String>(())
/// ```
pub fn number_bytes(number: &RBig) -> u64 {
    (size_of::<RBig>() + (number.numerator().bit_len() + number.denominator().bit_len()) / 8) as u64
}

/// The memory of a name that is stored in a list and in a table.
pub(crate) fn name_bytes(name: &str) -> u64 {
    2 * (name.len() + 3 * size_of::<String>()) as u64
}
