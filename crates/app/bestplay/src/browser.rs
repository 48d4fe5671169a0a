//! The browser that the system prefers.

use std::io;
use std::process::{Command, Stdio};

/// What opens an address, and what it is told before that.
const OPENER: (&str, &[&str]) = if cfg!(target_os = "macos") {
    ("open", &[])
} else if cfg!(windows) {
    ("rundll32", &["url.dll,FileProtocolHandler"])
} else {
    ("xdg-open", &[])
};

/// Opens an address and does not wait for what the browser makes of it.
pub fn open(address: &str) -> io::Result<()> {
    let (program, first) = OPENER;
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.spawn()?;
    // It ends as soon as the browser has the address.
    std::thread::spawn(move || opener.wait());
    Ok(())
}
