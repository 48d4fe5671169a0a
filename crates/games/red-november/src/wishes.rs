//! A request about a board, by the numbers on its rooms.

use std::fmt;

use serde::Deserialize;

use crate::board::{Board, RoomState};
use crate::question::Question;

/// The requirements on plans. The default requests every plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Wishes {
    /// Only plans that end in this room.
    pub to: Option<u32>,
    /// Only the cheapest plan that puts out the fires in these rooms.
    pub put_out: Vec<u32>,
    /// Only the cheapest plan that drains these rooms from high water to low.
    pub drain: Vec<u32>,
    /// Let no water flow.
    pub avoid_flooding: bool,
    /// Only plans of at most this many minutes.
    pub within: Option<u32>,
    /// Enter no room twice, as in the report's program; the rules of the game allow it.
    pub no_revisit: bool,
}

/// A wish that the board cannot fulfil.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongWish {
    /// Which: `to`, `put-out` or `drain`.
    pub wish: &'static str,
    /// The requested room.
    pub number: u32,
    /// What is wrong.
    pub fault: String,
    /// What would be right.
    pub help: String,
}

impl fmt::Display for WrongWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wish, number, fault, .. } = self;
        write!(f, "{wish} {number}: {fault}")
    }
}

impl std::error::Error for WrongWish {}

impl Wishes {
    /// The question to this board.
    ///
    /// # Errors
    /// When a room is not on the board, or not in the state that is to be ended, or when water must run and
    /// must not.
    ///
    /// ```
    /// use red_november::{Board, Wishes};
    ///
    /// let wishes = Wishes { put_out: vec![4], ..Wishes::default() };
    /// let wrong = wishes.question(&Board::standard()).unwrap_err();
    /// assert_eq!(wrong.to_string(), "put-out 4: room 4 is clear");
    /// ```
    pub fn question(&self, board: &Board) -> Result<Question, WrongWish> {
        let index = |wish: &'static str, number: u32| {
            board.index_of(number).ok_or_else(|| {
                let numbers: Vec<String> = board.rooms().iter().take(20).map(|room| room.number.to_string()).collect();
                let more = if board.rooms().len() > numbers.len() { ", ..." } else { "" };
                WrongWish {
                    wish,
                    number,
                    fault: format!("room {number} is not on the board"),
                    help: format!("its rooms are {}{more}", numbers.join(", ")),
                }
            })
        };
        let mut make_low = Vec::new();
        for (wish, numbers, needed) in
            [("put-out", &self.put_out, RoomState::Fire), ("drain", &self.drain, RoomState::HighFlood)]
        {
            for &number in numbers {
                let room = index(wish, number)?;
                let state = board.rooms()[room].state;
                if state != needed {
                    let needed = if needed == RoomState::Fire { "burning" } else { "under high water" };
                    return Err(WrongWish {
                        wish,
                        number,
                        fault: format!("room {number} is {}", state.word()),
                        help: format!("give rooms that are {needed}"),
                    });
                }
                if self.avoid_flooding {
                    return Err(WrongWish {
                        wish,
                        number,
                        fault: "only running water does that, and none may run".into(),
                        help: "allow flooding".into(),
                    });
                }
                make_low.push(room);
            }
        }
        Ok(Question {
            no_revisit: self.no_revisit,
            avoid_flooding: self.avoid_flooding,
            within: self.within,
            to: self.to.map(|number| index("to", number)).transpose()?,
            cheapest: !make_low.is_empty(),
            make_low,
        })
    }
}
