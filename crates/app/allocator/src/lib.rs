//! The allocator of the command: mimalloc, configured to return memory to the system soon. Start reading at
//! [`give_back_after`] and [`give_back`], its only functions.
//!
//! The memory of a finished solve is returned to the system; in a server, glibc's allocator would keep most of it for
//! ever. Huge pages are not used, because large parts of them would never be written to.

use std::ffi::{c_int, c_long};

pub use mimalloc::MiMalloc;

/// `mi_option_purge_delay` in the header of mimalloc 2: the time after which free pages are returned to the system, in
/// milliseconds.
const PURGE_DELAY: c_int = 15;
/// Its default value.
const USUAL_DELAY: c_long = 10;

// Three functions of the library that is linked for `MiMalloc`, declared as in its header (an enumeration is an `int`).
// Two read and write an option, which the library reads as it runs; unknown options are ignored. The third collects
// free memory, and may be called at any time on any thread. So any call is safe. `libmimalloc-sys` declares them, too,
// but as unsafe functions, and with another crate for the types of C. Measured: solving Fire on the Water takes at most
// 116 MB instead of 136 on two threads, in the same time by the median of several runs; and an idle server keeps 45 MB
// of 229, not 213.
#[expect(unsafe_code, reason = "declares functions of a library in C; see above")]
unsafe extern "C" {
    safe fn mi_option_get(option: c_int) -> c_long;
    safe fn mi_option_set(option: c_int, value: c_long);
    safe fn mi_collect(force: bool);
}

/// From now on free pages are returned to the system after this many milliseconds. To be called once, at the beginning;
/// a time set in the environment (`MIMALLOC_PURGE_DELAY`) takes precedence.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;
///
/// allocator::give_back_after(1);
/// ```
pub fn give_back_after(milliseconds: u16) {
    if mi_option_get(PURGE_DELAY) == USUAL_DELAY {
        mi_option_set(PURGE_DELAY, milliseconds.into());
    }
}

/// Returns all free memory to the system. Without this call a thread cleans up only its own pages, when it allocates;
/// memory that other threads have freed, or that an ended thread has left, would be kept until then.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;
///
/// drop(vec![1_u8; 1 << 20]);
/// allocator::give_back();
/// ```
pub fn give_back() {
    mi_collect(true);
}

#[cfg(test)]
mod tests;
