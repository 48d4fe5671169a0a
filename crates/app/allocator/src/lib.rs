//! The allocator of the command: mimalloc, told to give memory back soon. What is allocated, and for whom, it must
//! never know. Start reading at [`give_back_after`] and [`give_back`], which are all of it.
//!
//! What a solve has used goes back to the system; in a server glibc's allocator would keep most of it for ever. Memory is
//! not asked for in huge pages, of which much would never be written to.

use std::ffi::{c_int, c_long};

pub use mimalloc::MiMalloc;

/// `mi_option_purge_delay` in the header of mimalloc 2: after so many milliseconds free pages go back to the system.
const PURGE_DELAY: c_int = 15;
/// Its value where nobody has set it.
const USUAL_DELAY: c_long = 10;

// Three functions of the library that is linked for `MiMalloc`, declared as in its header (an enumeration is an `int`). Two
// read and write one of its numbers, which it looks at as it goes; a number of an option that is not there is ignored. The
// third looks through what is free, and may be called at any time on any thread. So any call is safe. `libmimalloc-sys`
// declares them, too, but as unsafe functions, and with another crate for the types of C.
// Worth it: solving Fire on the Water takes at most 116 MB instead of 136 on two threads, in the same time
// by the median of several runs; and a server keeps 45 MB of 229 when nobody asks any more, not 213.
#[expect(unsafe_code, reason = "declares functions of a library in C; see above")]
unsafe extern "C" {
    safe fn mi_option_get(option: c_int) -> c_long;
    safe fn mi_option_set(option: c_int, value: c_long);
    safe fn mi_collect(force: bool);
}

/// From now on pages that are free go back to the system after so many milliseconds. It is said once, at the beginning:
/// whoever has set a time in the environment (`MIMALLOC_PURGE_DELAY`) keeps it.
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

/// What is free by now goes back to the system. By itself a thread looks after its own pages only, as it asks for more:
/// what others have freed waits for it, and what a thread leaves behind that has ended, for anybody who asks.
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
