//! `bestplay gamebook language-server`: a server for editors, over the Language Server Protocol.
//!
//! One thread reads messages, one answers them in order; long computations (problems, odds) run on threads of their own, which
//! stop when their text changes.

mod document;
mod look;
mod server;
mod wire;

use std::sync::mpsc;
use std::time::Duration;

use budget::Limits;
use clap::Args;

use crate::memory;
use crate::output::Failure;
use crate::quantities::{parse_bytes, parse_time};
use server::{Event, Server};

/// Arguments of `language-server`.
#[derive(Args)]
pub struct LanguageServerArgs {
    /// The time limit for the odds of a section: 500ms, 5s
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "2s")]
    odds_time: Duration,
    /// The time limit for a search for problems: 10s, 1min
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "30s")]
    check_time: Duration,
    /// Odds and problems that take more memory than this are left out: 500MB, 2GB [default: a quarter of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,
    /// Ignored: standard input and output are always used
    #[arg(long, hide = true)]
    stdio: bool,
}

pub const EXAMPLES: &str = "\
An editor starts the server, and talks to it over standard input and output. The server reports problems while you type,
finds sections (go to definition), and shows their odds (hover). docs/gamebook-editors.md explains the setup of editors.

Example:
  bestplay gamebook language-server --odds-time 5s";

/// Serves an editor until it ends the session.
pub fn run(args: &LanguageServerArgs) -> Result<(), Failure> {
    let free = || memory::free().map_or(Limits::default().max_memory, |free| free / 4);
    // The limit counts the memory that the process has already.
    let max_memory = args.max_memory.unwrap_or_else(free).saturating_add(memory::used().unwrap_or(0));
    let limits = |max_time: Option<Duration>| Limits { max_time, max_memory, ..Limits::default() };
    let (events, received) = mpsc::channel();
    let read = events.clone();
    let reader = std::thread::Builder::new().name("editor".into()).spawn(move || {
        let mut input = std::io::BufReader::new(std::io::stdin());
        loop {
            let event = match wire::read(&mut input) {
                Ok(Some(incoming)) => Event::Incoming(incoming),
                Ok(None) => Event::Ended(None),
                Err(error) => Event::Ended(Some(error.to_string())),
            };
            let ended = matches!(event, Event::Ended(_));
            if read.send(event).is_err() || ended {
                return;
            }
        }
    });
    if let Err(error) = reader {
        return Err(Failure::failed(error, "is there enough memory?"));
    }
    // Odds have their own time limit: a timeout there is not a failure.
    let mut server = Server::new(events, limits(Some(args.check_time)), limits(None), args.odds_time);
    for event in received {
        if let Some(done) = server.handle(event) {
            return done;
        }
    }
    Ok(())
}
