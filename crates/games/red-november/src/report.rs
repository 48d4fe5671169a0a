//! The report's output: its JSON for a board and for a result, and the script that its page reads.

use std::io::{self, Write};

use serde::Serialize;

use crate::board::{Board, Hatch, HatchState, RoomState};
use crate::plan::Plan;
use crate::turn::{Action, Boat, Illegal};

/// A boat with the actions that led to it, in the fields of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportState {
    /// The rooms after the actions.
    pub rooms: Vec<ReportRoom>,
    /// The hatches after the actions, before the open ones close at the end of the turn.
    pub hatches: Vec<ReportHatch>,
    /// What was done, first to last.
    pub actions: Vec<ReportAction>,
    /// The gnome's room, as it is after the actions.
    pub final_room: ReportRoom,
    /// The room in which the gnome started, as it was before them.
    pub start_room: ReportRoom,
    /// Cost of all actions, in minutes.
    pub total_cost: u32,
}

/// A room of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReportRoom {
    /// Its number.
    pub number: u32,
    /// What is in it.
    pub state: RoomState,
}

/// A hatch of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportHatch {
    /// Its two rooms, such as `1-2`.
    pub number: String,
    /// Whether it is open.
    pub state: HatchState,
}

/// An action of the report. Rooms and hatches are shown as they were before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type")]
pub enum ReportAction {
    /// The gnome enters a room.
    Move {
        /// The room.
        room: ReportRoom,
        /// In minutes.
        cost: u32,
    },
    /// The gnome opens a hatch.
    OpenHatch {
        /// The hatch.
        hatch: ReportHatch,
        /// In minutes.
        cost: u32,
    },
    /// Water runs through the hatch just opened.
    Flood {
        /// Its first room.
        room1: ReportRoom,
        /// Its second room.
        room2: ReportRoom,
    },
}

impl ReportState {
    /// The board before the turn.
    #[must_use]
    pub fn before(board: &Board) -> Self {
        Self::of(board, &[], &Boat::new(board))
    }

    /// The result of a plan.
    ///
    /// # Errors
    /// When the plan is not one for this board.
    pub fn after(board: &Board, plan: &Plan) -> Result<Self, Illegal> {
        let (actions, boat) = plan.play(board)?;
        Ok(Self::of(board, &actions, &boat))
    }

    fn of(board: &Board, actions: &[Action], boat: &Boat<'_>) -> Self {
        let room = |index: usize, state| ReportRoom { number: board.rooms()[index].number, state };
        let now = |index: usize| room(index, boat.rooms()[index]);
        Self {
            rooms: (0..board.rooms().len()).map(now).collect(),
            hatches: board.hatches().iter().zip(boat.hatches()).map(|(h, &state)| hatch(board, h, state)).collect(),
            actions: actions
                .iter()
                .map(|action| match *action {
                    Action::Move { room: index, state } => {
                        ReportAction::Move { room: room(index, state), cost: action.minutes() }
                    }
                    Action::Open { hatch: index } => ReportAction::OpenHatch {
                        hatch: hatch(board, &board.hatches()[index], HatchState::Closed),
                        cost: action.minutes(),
                    },
                    Action::Flow { hatch: index, before } => {
                        let (a, b) = board.hatches()[index].rooms;
                        ReportAction::Flood { room1: room(a, before.0), room2: room(b, before.1) }
                    }
                })
                .collect(),
            final_room: now(boat.gnome()),
            start_room: room(board.start(), board.rooms()[board.start()].state),
            total_cost: actions.iter().map(Action::minutes).sum(),
        }
    }
}

fn hatch(board: &Board, hatch: &Hatch, state: HatchState) -> ReportHatch {
    let (a, b) = board.hatch_numbers(hatch);
    ReportHatch { number: format!("{a}-{b}"), state }
}

/// Writes the script that the report's page reads: the variables `starterSub` and `results`.
///
/// # Errors
/// When `out` cannot be written to, or a plan is not one for this board.
pub fn write_report_js(board: &Board, plans: &[Plan], mut out: impl Write) -> io::Result<()> {
    write!(out, "var starterSub = ")?;
    serde_json::to_writer_pretty(&mut out, &ReportState::before(board))?;
    write!(out, ";\n\nvar results = [")?;
    for (i, plan) in plans.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        let state = ReportState::after(board, plan).map_err(io::Error::other)?;
        serde_json::to_writer_pretty(&mut out, &state)?;
    }
    writeln!(out, "\n];")
}

#[cfg(test)]
mod tests;
