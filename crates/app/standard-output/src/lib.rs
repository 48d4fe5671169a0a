//! Detects whether this process was started without a standard output (`command >&-`). Start reading at [`was_closed`],
//! and at the function that runs before `main`.
//!
//! Rust's runtime opens `/dev/null` in place of a closed stream before `main` begins, so that no file gets its number.
//! Then output is lost without an error. So this crate checks before the runtime does.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the process began. On systems without a list of functions to call before
/// `main`, as Unix has, it is assumed to be open.
#[must_use]
pub fn was_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

// Both functions of C take and return numbers: any call of them is safe. `close` is only given what `dup` has just opened.
#[cfg(unix)]
#[expect(unsafe_code, reason = "declares functions of C; see above")]
unsafe extern "C" {
    safe fn dup(descriptor: std::ffi::c_int) -> std::ffi::c_int;
    safe fn close(descriptor: std::ffi::c_int) -> std::ffi::c_int;
}

/// Checks whether there is a standard output: a closed descriptor cannot be duplicated.
#[cfg(unix)]
extern "C" fn look() {
    match dup(1) {
        -1 => CLOSED.store(true, Ordering::Relaxed),
        double => {
            close(double);
        }
    }
}

// What stands in this section is called before `main`, one function after the other. This one needs nothing that the runtime
// would first have to prepare: it calls the system, and writes to a number.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a place in the list of what is called before `main`; see above")]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;

#[cfg(test)]
mod tests;
