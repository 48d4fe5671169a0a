//! The system's preferred browser.

use std::io;
use std::process::{Command, Stdio};

/// The program that opens an address, and its first arguments.
const OPENER: (&str, &[&str]) = if cfg!(target_os = "macos") {
    ("open", &[])
} else if cfg!(windows) {
    ("rundll32", &["url.dll,FileProtocolHandler"])
} else {
    ("xdg-open", &[])
};

/// Opens an address without waiting for the browser.
pub fn open(address: &str) -> io::Result<()> {
    let (program, first) = OPENER;
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.spawn()?;
    // The program ends as soon as the browser has the address.
    std::thread::spawn(move || opener.wait());
    Ok(())
}
