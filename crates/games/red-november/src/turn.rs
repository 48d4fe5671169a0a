//! The rules of movement, one action at a time.

use std::fmt;

use crate::board::{Board, HatchState, RoomState};

/// Something that happens in a turn. Rooms and hatches are indices into the board's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The gnome opens a closed hatch of the room where it stands: one minute.
    Open {
        /// The hatch.
        hatch: usize,
    },
    /// The hatch that was just opened lets water run: both its rooms become low, for free.
    Flow {
        /// The hatch.
        hatch: usize,
        /// What was in its two rooms before.
        before: (RoomState, RoomState),
    },
    /// The gnome goes through an open hatch.
    Move {
        /// The room that it enters.
        room: usize,
        /// What is in that room.
        state: RoomState,
    },
}

impl Action {
    /// What it costs, in minutes.
    #[must_use]
    pub fn minutes(&self) -> u32 {
        match self {
            Self::Open { .. } | Self::Move { state: RoomState::LowFlood, .. } => 1,
            Self::Flow { .. } | Self::Move { .. } => 0,
        }
    }
}

/// An action that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// No unblocked hatch joins the room to the gnome's.
    NoHatch,
    /// The hatch is closed.
    Closed,
    /// The hatch stands open already.
    Open,
    /// The room behind the hatch is under high water or burns.
    Entering(RoomState),
    /// The gnome's own room burns.
    Leaving,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHatch => f.write_str("no hatch leads there"),
            Self::Closed => f.write_str("the hatch is closed"),
            Self::Open => f.write_str("the hatch is open already"),
            Self::Entering(state) => write!(f, "the room cannot be entered: it is {}", state.word()),
            Self::Leaving => f.write_str("a burning room cannot be left"),
        }
    }
}

impl std::error::Error for Illegal {}

/// A boat in the course of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boat<'b> {
    board: &'b Board,
    rooms: Vec<RoomState>,
    hatches: Vec<HatchState>,
    gnome: usize,
}

impl<'b> Boat<'b> {
    /// The boat as it is before the turn.
    #[must_use]
    pub fn new(board: &'b Board) -> Self {
        Self {
            board,
            rooms: board.rooms().iter().map(|room| room.state).collect(),
            hatches: board.hatches().iter().map(|hatch| hatch.state).collect(),
            gnome: board.start(),
        }
    }

    /// What is in each room now.
    #[must_use]
    pub fn rooms(&self) -> &[RoomState] {
        &self.rooms
    }

    /// How each hatch stands now. At the end of the turn the open ones close.
    #[must_use]
    pub fn hatches(&self) -> &[HatchState] {
        &self.hatches
    }

    /// The room in which the gnome stands now.
    #[must_use]
    pub fn gnome(&self) -> usize {
        self.gnome
    }

    /// Opens the hatch to a neighbouring room; tells whether water ran, by what was in its two rooms before.
    ///
    /// # Errors
    /// When there is no hatch to that room, or it is blocked or open already. The boat is unchanged then.
    pub fn open(&mut self, to: usize) -> Result<(Action, Option<Action>), Illegal> {
        let hatch = self.board.door(self.gnome, to).ok_or(Illegal::NoHatch)?.hatch;
        if self.hatches[hatch] == HatchState::Open {
            return Err(Illegal::Open);
        }
        self.hatches[hatch] = HatchState::Open;
        let (a, b) = self.board.hatches()[hatch].rooms;
        let before = (self.rooms[a], self.rooms[b]);
        let flow = before.0.flows(before.1).then(|| {
            self.rooms[a] = RoomState::LowFlood;
            self.rooms[b] = RoomState::LowFlood;
            Action::Flow { hatch, before }
        });
        Ok((Action::Open { hatch }, flow))
    }

    /// Goes into a neighbouring room through an open hatch.
    ///
    /// # Errors
    /// When the hatch is not there or closed, the gnome's room burns, or the other room burns or is under
    /// high water. The boat is unchanged then.
    pub fn go(&mut self, to: usize) -> Result<Action, Illegal> {
        let hatch = self.board.door(self.gnome, to).ok_or(Illegal::NoHatch)?.hatch;
        let state = self.rooms[to];
        if self.hatches[hatch] != HatchState::Open {
            Err(Illegal::Closed)
        } else if self.rooms[self.gnome] == RoomState::Fire {
            Err(Illegal::Leaving)
        } else if !state.can_be_entered() {
            Err(Illegal::Entering(state))
        } else {
            self.gnome = to;
            Ok(Action::Move { room: to, state })
        }
    }

    /// One step of a plan: opens the hatch to a neighbouring room if it is closed and, unless that let water
    /// run, goes through. Appends what happened to `actions`.
    ///
    /// # Errors
    /// As [`Boat::open`] and [`Boat::go`].
    pub fn step(&mut self, to: usize, actions: &mut Vec<Action>) -> Result<(), Illegal> {
        match self.open(to) {
            Ok((open, flow)) => {
                actions.push(open);
                if let Some(flow) = flow {
                    actions.push(flow);
                    return Ok(());
                }
            }
            Err(Illegal::Open) => {}
            Err(illegal) => return Err(illegal),
        }
        actions.push(self.go(to)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
