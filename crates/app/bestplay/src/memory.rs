//! The memory of the machine and of this process, where the system reports it (Linux).

use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::sync::OnceLock;

/// The current memory of this process, in bytes.
#[cfg(unix)]
pub fn used() -> Option<u64> {
    use std::os::unix::fs::FileExt;

    /// Opened once: the engine reads it often.
    static STATM: OnceLock<Option<File>> = OnceLock::new();
    let file = STATM.get_or_init(|| File::open("/proc/self/statm").ok()).as_ref()?;
    let mut text = [0; 128];
    let length = file.read_at(&mut text, 0).ok()?;
    let pages: u64 = std::str::from_utf8(&text[..length]).ok()?.split(' ').nth(1)?.parse().ok()?;
    pages.checked_mul(rustix::param::page_size().try_into().ok()?)
}

/// The current memory of this process, in bytes.
#[cfg(not(unix))]
pub fn used() -> Option<u64> {
    None
}

/// Returns freed memory to the system earlier than the allocator would; other threads of a pool do so as soon as they can.
pub fn give_back() {
    #[cfg(feature = "mimalloc")]
    {
        if let Some(own) = rayon::current_thread_index() {
            rayon::spawn_broadcast(move |others| {
                if others.index() != own {
                    allocator::give_back();
                }
            });
        }
        allocator::give_back();
    }
}

/// The peak memory of the process, in bytes.
pub fn peak() -> Option<u64> {
    kilobytes("/proc/self/status", "VmHWM:")
}

/// The free memory of the machine, in bytes.
pub fn free() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

/// The memory of the machine, in bytes.
pub fn total() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemTotal:")
}

/// The bytes of a line such as `MemTotal:  24512 kB`.
fn kilobytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
