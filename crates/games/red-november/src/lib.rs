//! Movement in the board game Red November: all cheapest paths of a gnome through the submarine. There is no chance in
//! it, and no engine. Start reading at `turn.rs`, a turn by the rules, and at `search.rs`.
//!
//! In a turn a gnome moves through a boat of rooms and hatches; minutes are its cost.
//!
//! - Opening a closed hatch of its room costs one minute, whether it goes through or not. If one of the two
//!   rooms is under high water and the other clear or burning, both become low, for free.
//! - Going through an open hatch costs nothing into a clear room and one minute into a low one.
//! - It never enters a room that burns or is under high water, and never leaves one that burns now. A room
//!   whose fire was put out by water is left like any other.
//! - At the end of the turn the open hatches close.
//!
//! Opening a hatch thus changes the boat: it can clear a way, put out a fire, or spoil a dry room. [`search`]
//! gives, for every room in which the gnome can end and every state of the boat in which it can leave it, one
//! cheapest plan.
//!
//! ```
//! use red_november::{Limits, Question, parse_board, search, sentences};
//!
//! // Room 2 is under high water and lies between the gnome and room 3.
//! let board = parse_board("rooms: 1, 2 high, 3\nhatches: 1-2, 2-3\nstart: 1")?;
//! let answer = search(&board, &Question { to: Some(2), ..Question::default() }, Limits::default())?;
//!
//! assert_eq!(answer.plans.len(), 1);
//! assert_eq!(answer.plans[0].minutes, 3);
//! assert_eq!(sentences(&board, &answer.plans[0])?, [
//!     "Open the hatch to room 2 (1 minute): water runs from room 2 into room 1, both are low now.",
//!     "Wade into room 2 (1 minute).",
//!     "Open the hatch to room 3 and go in (1 minute).",
//! ]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to look: [`Board`] is the boat as data, [`Boat`] the rules one action at a time, [`search()`] the cheapest
//! plans, [`why_not`] the obstacles where there is none, [`parse_board`] the text formats of boards, [`ReportState`]
//! the JSON of the original report, [`sentences`], [`drawing`] and [`svg()`] what a person reads.

mod board;
mod limits;
mod obstacles;
mod parse;
mod plan;
mod question;
mod report;
mod search;
mod sets;
mod svg;
mod turn;
mod wishes;
mod words;

pub use board::{Board, Fault, Hatch, HatchState, Room, RoomState, STANDARD_HATCHES, STANDARD_ROOMS};
pub use limits::{LOOKS_PER_STATE, Limit, LimitReached, Limits};
pub use obstacles::{Obstacle, WhyNot, why_not};
pub use parse::{LONGEST_TEXT, MOST_PROBLEMS, Problem, Problems, parse_board};
pub use plan::Plan;
pub use question::Question;
pub use report::{ReportAction, ReportHatch, ReportRoom, ReportState, write_report_js};
pub use search::{Plans, search, search_while};
pub use svg::{places, svg};
pub use turn::{Action, Boat, Illegal};
pub use wishes::{Wishes, WrongWish};
pub use words::{drawing, minutes, sentences};
