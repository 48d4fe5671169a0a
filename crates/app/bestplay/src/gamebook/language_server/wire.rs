//! Messages as they come: each has its length before it.
//!
//! What the library offers for this believes any length, and gives up at the first message that is none.

use std::io::{self, BufRead, Read};

use lsp_server::Message;

/// The longest message, in bytes: a book of the largest size, escaped.
const LONGEST: u64 = 128 << 20;
/// The longest head of a message, in bytes.
const LONGEST_HEAD: u64 = 4 << 10;

/// What came.
pub enum Came {
    Message(Message),
    /// A message that says nothing: what is wrong with it. What follows it can be read.
    Nonsense(String),
}

/// Reads a message; `None` at the end.
///
/// # Errors
/// When nothing that follows can be read.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Came>> {
    let Some(length) = head(input)? else { return Ok(None) };
    if length > LONGEST {
        io::copy(&mut input.take(length), &mut io::sink())?;
        return Ok(Some(Came::Nonsense(format!("a message of {length} bytes: up to {LONGEST} are read"))));
    }
    // It grows with what really comes.
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Came::Message(message),
        Err(error) => Came::Nonsense(format!("this is no message: {error}")),
    }))
}

/// Reads the head of a message: how long it is.
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
