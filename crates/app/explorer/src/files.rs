//! Files that the command was started with, as addresses of pages.

use std::fmt;

use crate::{red_november, slay_the_spire};

/// A file on the first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// How the page calls it.
    pub name: String,
    /// The address of the page that shows it, from `/`.
    pub address: String,
}

/// The longest file, in bytes: its contents become an address.
const LONGEST: usize = 4 << 10;

/// A text that no page can show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPage {
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for NoPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NoPage {}

impl File {
    /// A file with this text: a position of Slay the Spire, or a board of Red November.
    ///
    /// # Errors
    /// When it is neither.
    ///
    /// ```
    /// let text = r#"{"hp": 66, "hand": {"strike": 3}, "enemies": [{"kind": "cultist", "hp": 18, "intent": "dark_strike"}]}"#;
    /// let file = explorer::File::new("turn.json", text)?;
    /// assert!(file.address.starts_with("/slay-the-spire/act-1?position="));
    /// let file = explorer::File::new("board.txt", "rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1")?;
    /// assert!(file.address.starts_with("/red-november?board=rooms"));
    /// assert!(explorer::File::new("notes.txt", "milk, bread").is_err());
    /// # Ok::<(), explorer::NoPage>(())
    /// ```
    pub fn new(name: &str, text: &str) -> Result<Self, NoPage> {
        let file = |address| Self { name: name.to_owned(), address };
        if text.len() > LONGEST {
            let message = format!("it is longer than the {LONGEST} bytes that an address can hold");
            return Err(NoPage { message });
        }
        let position = match slay_the_spire::address_of(text) {
            Ok(address) => return Ok(file(address)),
            Err(error) => error,
        };
        red_november::address_of(text).map(file).map_err(|board| NoPage {
            message: format!("it is no position of Slay the Spire ({position}) and no board of Red November ({board})"),
        })
    }
}
