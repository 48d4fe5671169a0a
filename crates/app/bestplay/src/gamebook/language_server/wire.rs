//! The message format: each message is preceded by its length.
//!
//! The library's reader trusts any length and gives up at the first invalid message.

use std::io::{self, BufRead, Read};

use lsp_server::Message;

/// The longest message, in bytes: a book of the largest size, escaped.
const LONGEST: u64 = 128 << 20;
/// The longest header, in bytes.
const LONGEST_HEAD: u64 = 4 << 10;

/// A message, or invalid input.
pub enum Incoming {
    Message(Message),
    /// An invalid message, with the error. Reading can go on.
    Nonsense(String),
}

/// Reads a message; `None` at the end.
///
/// # Errors
/// If nothing that follows can be read.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = head(input)? else { return Ok(None) };
    if length > LONGEST {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(Some(Incoming::Nonsense(format!("a message of {length} bytes: up to {LONGEST} are read"))));
    }
    // Grows with the data received, not with the length announced.
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Nonsense(format!("this is no message: {error}")),
    }))
}

/// Reads the header of a message: its length.
fn head(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_string());
    let mut head = input.take(LONGEST_HEAD);
    let (mut length, mut line) = (None, Vec::new());
    loop {
        line.clear();
        if head.read_until(b'\n', &mut line)? == 0 {
            return match (head.limit(), length) {
                (0, _) => Err(wrong("a message whose head does not end")),
                (LONGEST_HEAD, _) => Ok(None),
                _ => Err(wrong("the head of a message, and nothing after it")),
            };
        }
        let own = String::from_utf8_lossy(&line);
        let own = own.trim_end();
        if own.is_empty() {
            return length.map(Some).ok_or_else(|| wrong("a message without its Content-Length"));
        }
        let (name, value) = own.split_once(':').ok_or_else(|| wrong("the head of a message is `Content-Length: N`"))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let number = value.trim().parse().map_err(|_| wrong("a Content-Length that is no number"))?;
            length = Some(number);
        }
    }
}

#[cfg(test)]
mod tests;
