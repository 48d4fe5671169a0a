//! What reading holds, counted: no file takes more memory than the run may use, and no part of it
//! is read without asking whether to go on.

use std::sync::atomic::{AtomicU64, Ordering};

use budget::{Budget, Progress, Stage, Stopped};
use dashu_base::BitTest;
use dashu_ratio::RBig;

/// Arrays up to this size may have to be copied when they grow, so that the old and the new one are
/// there together; larger ones are moved by the system without a copy.
const MOVED: u64 = 32 << 20;

/// Growth of at least so many bytes asks what the whole process uses.
const METERED: u64 = 1 << 20;

/// What is held while a model is read, checked against the budget of the run. Shared by all threads.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    budget: &'a Budget<'a>,
    held: AtomicU64,
    /// Bytes of the file that have been read, for those who watch.
    read: AtomicU64,
    /// Bytes of the file; 0 where nobody knows.
    size: u64,
}

impl<'a> Memory<'a> {
    /// Nothing is held yet. `size` is that of the file, 0 where nobody knows.
    pub(crate) fn new(budget: &'a Budget<'a>, size: u64) -> Self {
        Self { budget, held: AtomicU64::new(0), read: AtomicU64::new(0), size }
    }

    /// The budget that is asked.
    pub(crate) fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }

    /// Says that more of the file has been read, and asks whether to go on.
    pub(crate) fn advance(&self, bytes: u64) -> Result<(), Stopped> {
        let done = self.read.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let memory = self.held.load(Ordering::Relaxed);
        self.budget.advance(Progress { stage: Stage::Reading, done, waiting: self.size.saturating_sub(done), memory })
    }

    /// Asks whether to go on; for inner loops.
    #[inline]
    pub(crate) fn step(&self) -> Result<(), Stopped> {
        let done = self.read.load(Ordering::Relaxed);
        self.budget.step(Stage::Reading, done, self.size.saturating_sub(done))
    }

    /// Asks whether to go on, at once.
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        self.budget.check()
    }

    /// Asks whether there may be so many states.
    pub(crate) fn states(&self, count: u32) -> Result<(), Stopped> {
        self.budget.states(count.into())
    }

    /// Bytes that may still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.budget.limits().max_memory.saturating_sub(self.held.load(Ordering::Relaxed))
    }

    /// Asks for memory that will be held, before it is taken.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Stopped> {
        self.room(bytes)?;
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Asks for memory that is needed for a moment only.
    pub(crate) fn room(&self, bytes: u64) -> Result<(), Stopped> {
        self.budget.memory(self.held.load(Ordering::Relaxed).saturating_add(bytes))?;
        if bytes >= METERED { self.budget.more_memory(bytes) } else { Ok(()) }
    }

    /// Says that memory is held no more.
    pub(crate) fn give_back(&self, bytes: u64) {
        // What a thread gives back it has taken before.
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
        // By half, so that growing costs little in all and leaves little unused.
        let capacity = needed.max((array.capacity() + array.capacity() / 2).min(most));
        let size = |items: usize| items.saturating_mul(size_of::<T>()) as u64;
        let (old, new) = (size(array.capacity()), size(capacity));
        self.room(if old < MOVED { new } else { new - old })?;
        if array.try_reserve_exact(capacity - array.len()).is_err() {
            // What the limit allows and the system does not have.
            return Err(self.budget.memory(u64::MAX).err().unwrap_or_else(|| self.stopped(new)));
        }
        self.held.fetch_add(new - old, Ordering::Relaxed);
        Ok(())
    }

    /// Asks for what a hash table takes when it has to grow for one more entry. `allocated` is what it
    /// takes now. Old and new are there together while entries are moved.
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

/// Bytes that a number takes, about.
///
/// ```
/// let large = model_files::parse_number(b"1e1000")?;
/// assert!((400..600).contains(&model_files::number_bytes(&large)));
/// # Ok::<(), String>(())
/// ```
pub fn number_bytes(number: &RBig) -> u64 {
    (size_of::<RBig>() + (number.numerator().bit_len() + number.denominator().bit_len()) / 8) as u64
}

/// Bytes that a name takes which is kept in a list and in a table.
pub(crate) fn name_bytes(name: &str) -> u64 {
    2 * (name.len() + 3 * size_of::<String>()) as u64
}
