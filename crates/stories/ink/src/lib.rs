//! Stories in [ink](https://www.inklestudios.com/ink/) as games of one player against chance: compiled here, run by
//! `bladeink`, and explored by running them. This crate prints no answers and reads no files. Start reading at
//! [`Story`], then at [`Story::report`] for the value of a story, and at [`InkGame`] for the game itself.
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
//! A state of the game is what the runtime saves where it asks for a choice, without anything that can no longer
//! matter: the text that was written, the seeds, the turn if it is never read, variables, temporary variables and visit
//! counts that are not read from there on. A data-flow analysis of the compiled story (liveness) determines what can
//! still be read; frames on the call stack (tunnels, threads) are part of the state and count, too. A count that is
//! only compared with constants, or taken modulo some, is reduced to the smallest equivalent one, so a story with loops
//! is finite. What only changes words (`{gold}`, `{rich: smile|frown}`, `{~red|blue}` outside of choices) is left out, too
//! (`wording.rs`): such variables keep the values of the play that came first. The texts of choices are part of a
//! situation, since the player sees them.
//!
//! # Chance
//!
//! `RANDOM`, `LIST_RANDOM` and shuffles are fair and independent here; `SEED_RANDOM` does nothing. In the compiled
//! story they are replaced by external functions whose answers follow a script, and each step is run once for every
//! combination of random outcomes. The number of the draw is a variable of the story: the runtime looks ahead and
//! rewinds, and the number with it. The elements drawn by a shuffle are a variable, too. A random loop without a choice
//! in between has infinitely many outcomes: it is not followed ([`State::Cut`]), and the answer is bounds.
//!
//! # Ends
//!
//! `-> END`, `-> DONE` with nothing left to choose, and the end of the top content are endings, named by a tag `#
//! ending: NAME` after the last choice, otherwise by the knot or stitch. [`Goal`] defines which are won. Running out of
//! content, a runtime error, a loop without a choice, an integer out of range are faults: they pay nothing, and are
//! reported with the path to them.
//!
//! # How the runtime is used
//!
//! - The compiled story is JSON: arrays are containers, whose last element holds the named content; paths count
//!   operations. So an operation is replaced by a container of several (which the runtime executes in its place), and
//!   none is added.
//! - State is saved and loaded as JSON, of 1 to 4 KB; loading and saving take some 10 to 60 µs each where optimised. A
//!   running story cannot be copied or sent to another thread: each thread loads its own.
//! - Invisible choices are saved like others and become visible when loaded: they are left out if there are others,
//!   since then they can no longer be taken.
//! - The runtime checks its clock at every operation: here the clock counts operations, so a step that loops is stopped
//!   at the same operation everywhere. A runtime that was stopped, or failed, is discarded.
//! - Division by zero and overflow panic; the panic is caught and becomes a fault.
//!
//! # The compiler
//!
//! It follows the grammar of ink's own compiler, its rules of what a name means where it stands, and its format, so that
//! a story means the same wherever it was compiled. It reads a file into knots of weaves (`compiler/statements.rs`), and
//! writes containers of operations (`compiler/emit.rs`), whose paths are known once all of them are written. What it
//! refuses it names with file and line.
//!
//! # Limits
//!
//! Texts that grow are stopped at 1 MB. A shuffle has at most 30 elements. Brackets and braces nest to some 200. Functions
//! of the host (`EXTERNAL`) need a fallback in ink. A story
//! compiled by another compiler can leave out counts that its own operations do not read; those of knots are added.
//!
//! # The pipeline
//!
//! `compiler.rs` compiles a story. `program.rs` represents the compiled story as containers of operations, `chance.rs` rewrites draws and ends in
//! place, `leaps.rs` diverts to values, `counts.rs` and `live.rs` determine what can still be read. `runner.rs` makes one step of the runtime,
//! `situation.rs` converts its saved state to a situation of numbered pieces and back, `game.rs` is the game for the
//! engine. `explored.rs` explores the likeliest situations first, within the limits, and `report.rs` computes the value
//! of the story; `simulated.rs` plays one that is too large. `unfolded.rs` makes passages of a small story, with
//! their texts; `play.rs` plays one.

mod advise;
mod chance;
mod compiler;
mod counts;
mod explored;
mod game;
mod goal;
mod host;
mod leaps;
mod live;
mod marks;
mod play;
mod program;
mod quiet;
mod report;
mod runner;
mod simulated;
mod situation;
mod source;
mod story;
mod unfolded;
mod wording;

pub use advise::{Advice, AdvisedChoice};
pub use game::{Ending, Fault, InkGame, Situation, State};
pub use goal::Goal;
pub use play::{Play, Roll};
pub use report::{Report, ReportOptions, ReportedFault, Shares};
pub use runner::StepLimits;
pub use simulated::Simulated;
pub use source::SourceError;
pub use story::{Story, TOP};
pub use unfolded::{NotUnfolded, Passage, Then, Unfolded};
