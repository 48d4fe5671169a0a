//! Stories in [ink](https://www.inklestudios.com/ink/) as games of one player against chance: compiled and run by `bladeink`,
//! explored as they run. It must never know how an answer is printed, and reads no file. Start reading at [`Story`], which
//! everything begins with, then at [`Story::report`] for what a story is worth, and at [`InkGame`] for the game itself.
//!
//! ```
//! let text = "VAR gold = 0
//! -> cave
//! === cave ===
//! + { gold < 2 } dig
//!   ~ gold = gold + RANDOM(0, 1)
//!   { RANDOM(1, 6) == 1: The roof comes down. -> END }
//!   -> cave
//! + { gold >= 2 } leave
//!   ## win
//!   -> END
//! ";
//! let story = ink::Story::compile(text, "cave.ink", |file| Err(format!("there is no {file}")))?;
//! let report = story.report(&ink::ReportOptions::default().with_exact(true))?;
//!
//! // Twice a throw of a coin until it is heads, and each time five in six: 5/7 * 5/7.
//! assert_eq!(report.value.exact, Some(mdp::ratio(25, 49)));
//! assert_eq!(report.situations, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Situations
//!
//! A state of the game is what the runtime saves where it asks for a choice, less what cannot matter any more: the text that
//! was written, the seeds, the turn if nothing reads it, variables, temporary variables and visit counts that nothing can read
//! from there on. What can be read is found by an analysis of flow over the compiled story; what waits on the call stack
//! (tunnels, threads) is part of the state and counts, too. A count that is only compared with constants, or looked at modulo
//! some, stands for all that come out the same: so a story that goes round is finite. The texts of choices are part of a
//! situation, as they are what the player is asked.
//!
//! # Chance
//!
//! `RANDOM`, `LIST_RANDOM` and shuffles are fair and independent here; `SEED_RANDOM` does nothing. In the compiled story they
//! give way to external functions that answer by a script, and each step is run once for every way that chance can go. The
//! number of the draw is a variable of the story: the runtime looks ahead and rewinds, and the number with it. What a shuffle
//! has drawn is a variable, too. A loop of chance without a choice in between has ways without end: a [`Fault`].
//!
//! # Ends
//!
//! `-> END`, `-> DONE` with nothing left to choose, and the end of the top content are endings, named by a tag
//! `# ending: NAME` on the way from the last choice on, else by the knot or stitch. Won is what [`Goal`] says. Running out of
//! content, a mistake while running, going round without a choice, a whole number out of range are faults: they pay nothing,
//! and are told with the way to them.
//!
//! # What the runtime gives, and how it is used
//!
//! - The compiled story is JSON: arrays are containers, their last element holds what is named; paths count operations. So an
//!   operation is replaced by a container of several (which the runtime goes through as if they stood there), and none is added.
//! - State is saved and loaded as JSON, of 1 to 4 KB; loading and saving take some 10 to 60 µs each where optimised. There is no
//!   copy of a running story, and a story cannot be sent to another thread: each thread loads its own.
//! - Choices that nobody sees are saved like others and come back visible: they are left out where others are there, which is
//!   when they can no longer be taken.
//! - A limit of time is asked for at every operation: the clock counts operations, and so a step that goes round is stopped at
//!   the same place everywhere. A runtime that was stopped, or failed, is thrown away.
//! - Division by zero and overflow panic; what is caught becomes a fault.
//!
//! # Where the compiler is not ink's own
//!
//! It ranks operators as C does. In ink `*`, `/` and `%` have ranks of their own, and `and` and `or` share one: expressions that
//! would come out otherwise get brackets before they are compiled; a line in which that cannot be done is refused, and so is
//! `-> tunnel -> knot` in one line, which the compiler does not resolve.
//!
//! # Limits
//!
//! Texts that grow are stopped at 1 MB. A shuffle has at most 30 elements. Brackets nest to 200, lines have at most 20,000
//! bytes, compiling takes at most a minute. Functions of the host (`EXTERNAL`) need a fallback in ink. A story that was
//! compiled by others can leave out counts that its own operations do not read; those of knots are added.
//!
//! # The way of a story
//!
//! `source.rs` compiles it; `ranks.rs` adds brackets where the compiler ranks operators otherwise than ink. `program.rs` has
//! the compiled story as containers of operations, `chance.rs` rewrites draws and ends in place, `counts.rs` and `live.rs` find
//! what can still be read. `runner.rs` makes one step of the runtime, `situation.rs` turns its saved state into a situation of
//! numbered pieces and back, `game.rs` is the game of the engine. `explored.rs` explores the likeliest situations first, as far
//! as limits allow, and `report.rs` has what the story is worth.

mod advise;
mod chance;
mod counts;
mod explored;
mod game;
mod goal;
mod host;
mod live;
mod program;
mod quiet;
mod ranks;
mod repair;
mod report;
mod runner;
mod situation;
mod source;
mod spelled;
mod story;

pub use advise::{Advice, AdvisedChoice};
pub use game::{Ending, Fault, InkGame, Situation, State};
pub use goal::Goal;
pub use report::{FoundFault, Report, ReportOptions, Shares};
pub use runner::StepLimits;
pub use source::SourceError;
pub use story::{Story, TOP};
