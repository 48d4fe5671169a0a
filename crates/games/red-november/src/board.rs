//! The board as data: rooms, hatches between them, and the room in which the gnome stands.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The state of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RoomState {
    /// Nothing: entered at no cost.
    Clear,
    /// Low water: entered for one minute.
    LowFlood,
    /// High water: cannot be entered, but can be left.
    HighFlood,
    /// Fire: can neither be entered nor left.
    Fire,
}

impl RoomState {
    /// Whether the gnome may enter.
    #[must_use]
    pub fn can_be_entered(self) -> bool {
        matches!(self, Self::Clear | Self::LowFlood)
    }

    /// Whether water flows when a hatch between two rooms in these states opens.
    #[must_use]
    pub fn flows(self, other: Self) -> bool {
        let takes_water = |state| matches!(state, Self::Clear | Self::Fire);
        (self == Self::HighFlood && takes_water(other)) || (other == Self::HighFlood && takes_water(self))
    }

    /// The word for it in a sentence ("room 3 is ...").
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::LowFlood => "low",
            Self::HighFlood => "high",
            Self::Fire => "burning",
        }
    }
}

/// The state of a hatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HatchState {
    /// It is open.
    Open,
    /// It can be opened for one minute.
    Closed,
    /// It cannot be opened.
    Blocked,
}

/// A room: its number and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Room {
    /// The number by which players know the room.
    pub number: u32,
    /// Its state.
    pub state: RoomState,
}

/// A hatch between two rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hatch {
    /// The two rooms as indices into [`Board::rooms`], the smaller first.
    pub rooms: (usize, usize),
    /// Its state.
    pub state: HatchState,
}

/// The hatches of the boat in the box, in the order in which the report lists them.
pub const STANDARD_HATCHES: [(u32, u32); 15] = [
    (1, 2),
    (1, 3),
    (2, 3),
    (2, 4),
    (2, 5),
    (3, 4),
    (4, 5),
    (5, 6),
    (5, 7),
    (5, 8),
    (7, 8),
    (7, 9),
    (8, 9),
    (8, 10),
    (9, 10),
];

/// The number of rooms of the boat in the box: 1 to 10.
pub const STANDARD_ROOMS: u32 = 10;

/// A boat before a turn. Rooms are kept in the order of their numbers, hatches in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    rooms: Vec<Room>,
    hatches: Vec<Hatch>,
    start: usize,
    /// The unblocked hatches of room `i` are `doors[first_door[i]..first_door[i + 1]]`, by the room behind them.
    doors: Vec<Door>,
    first_door: Vec<usize>,
}

/// An unblocked hatch, seen from one of its rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    /// The room behind it.
    pub(crate) to: usize,
    /// Its index into [`Board::hatches`].
    pub(crate) hatch: usize,
}

impl Board {
    /// The boat in the box: ten clear rooms, fifteen closed hatches, the gnome in room 1.
    #[must_use]
    pub fn standard() -> Self {
        let rooms: Vec<Room> = (1..=STANDARD_ROOMS).map(|number| Room { number, state: RoomState::Clear }).collect();
        let hatches = STANDARD_HATCHES
            .iter()
            .map(|&(a, b)| Hatch { rooms: (a as usize - 1, b as usize - 1), state: HatchState::Closed })
            .collect();
        Self::assemble(rooms, hatches, 0)
    }

    /// A boat of any shape. Hatches and the start name rooms by number; `(2, 1)` is the same hatch as `(1, 2)`.
    ///
    /// # Errors
    /// All errors: no room, a room or hatch that occurs twice, a hatch or start at a room that does not exist.
    ///
    /// ```
    /// use red_november::{Board, HatchState, Room, RoomState};
    ///
    /// let rooms = [(1, RoomState::Clear), (2, RoomState::HighFlood)].map(|(number, state)| Room { number, state });
    /// assert!(Board::new(&rooms, &[((1, 2), HatchState::Closed)], 1).is_ok());
    ///
    /// let faults = Board::new(&rooms, &[((1, 3), HatchState::Closed)], 1).unwrap_err();
    /// assert_eq!(faults[0].to_string(), "hatch 1-3 leads to room 3, which is not on the board");
    /// ```
    pub fn new(rooms: &[Room], hatches: &[((u32, u32), HatchState)], start: u32) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut sorted = rooms.to_vec();
        sorted.sort_by_key(|room| room.number);
        if sorted.is_empty() {
            faults.push(Fault::NoRooms);
        }
        let mut seen = HashSet::new();
        for (at, room) in rooms.iter().enumerate() {
            if !seen.insert(room.number) {
                faults.push(Fault::RoomTwice { at, number: room.number });
            }
        }
        let index: HashMap<u32, usize> = sorted.iter().enumerate().map(|(i, room)| (room.number, i)).collect();

        let mut ends = HashSet::new();
        let mut checked = Vec::with_capacity(hatches.len());
        for (at, &((a, b), state)) in hatches.iter().enumerate() {
            if a == b {
                faults.push(Fault::HatchToItself { at, room: a });
                continue;
            }
            let (a, b) = (a.min(b), a.max(b));
            let (Some(&from), Some(&to)) = (index.get(&a), index.get(&b)) else {
                let missing = if index.contains_key(&a) { b } else { a };
                faults.push(Fault::HatchToNowhere { at, hatch: (a, b), missing });
                continue;
            };
            if !ends.insert((from, to)) {
                faults.push(Fault::HatchTwice { at, hatch: (a, b) });
            }
            checked.push(Hatch { rooms: (from, to), state });
        }
        match index.get(&start) {
            Some(&start) if faults.is_empty() => Ok(Self::assemble(sorted, checked, start)),
            Some(_) => Err(faults),
            None => {
                if !sorted.is_empty() {
                    faults.push(Fault::StartNowhere { start });
                }
                Err(faults)
            }
        }
    }

    fn assemble(rooms: Vec<Room>, hatches: Vec<Hatch>, start: usize) -> Self {
        let mut by_room: Vec<(usize, Door)> = Vec::with_capacity(2 * hatches.len());
        for (i, hatch) in hatches.iter().enumerate().filter(|(_, hatch)| hatch.state != HatchState::Blocked) {
            let (a, b) = hatch.rooms;
            by_room.push((a, Door { to: b, hatch: i }));
            by_room.push((b, Door { to: a, hatch: i }));
        }
        by_room.sort_unstable_by_key(|(from, door)| (*from, door.to));
        let first_door = (0..=rooms.len()).map(|room| by_room.partition_point(|(from, _)| *from < room)).collect();
        let doors = by_room.into_iter().map(|(_, door)| door).collect();
        Self { rooms, hatches, start, doors, first_door }
    }

    /// The rooms, in the order of their numbers.
    #[must_use]
    pub fn rooms(&self) -> &[Room] {
        &self.rooms
    }

    /// The hatches, in the order in which they were given.
    #[must_use]
    pub fn hatches(&self) -> &[Hatch] {
        &self.hatches
    }

    /// The room in which the gnome stands, as an index into [`Board::rooms`].
    #[must_use]
    pub fn start(&self) -> usize {
        self.start
    }

    /// The index of the room with this number.
    #[must_use]
    pub fn index_of(&self, number: u32) -> Option<usize> {
        self.rooms.binary_search_by_key(&number, |room| room.number).ok()
    }

    /// Whether this is the boat in the box as far as rooms and hatches go, in whatever state they are.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        let mut ends: Vec<_> = self.hatches.iter().map(|hatch| self.hatch_numbers(hatch)).collect();
        ends.sort_unstable();
        ends == STANDARD_HATCHES && self.rooms.iter().map(|room| room.number).eq(1..=STANDARD_ROOMS)
    }

    /// The numbers of the two rooms of a hatch.
    #[must_use]
    pub fn hatch_numbers(&self, hatch: &Hatch) -> (u32, u32) {
        (self.rooms[hatch.rooms.0].number, self.rooms[hatch.rooms.1].number)
    }

    /// The unblocked hatches of a room, by the room behind them.
    pub(crate) fn doors(&self, room: usize) -> &[Door] {
        let range: Range<usize> = self.first_door[room]..self.first_door[room + 1];
        &self.doors[range]
    }

    /// The unblocked hatch from one room to another.
    pub(crate) fn door(&self, from: usize, to: usize) -> Option<Door> {
        let doors = self.doors(from);
        doors.binary_search_by_key(&to, |door| door.to).ok().map(|i| doors[i])
    }
}

/// An error in a board. `at` is the index in the given list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no room at all.
    NoRooms,
    /// A room number occurs twice in the list of rooms.
    RoomTwice {
        /// The index of the second one.
        at: usize,
        /// Its number.
        number: u32,
    },
    /// A hatch leads from a room to the same room.
    HatchToItself {
        /// Its index.
        at: usize,
        /// The room.
        room: u32,
    },
    /// A hatch leads to a room that is not on the board.
    HatchToNowhere {
        /// Its index.
        at: usize,
        /// Its rooms, the smaller number first.
        hatch: (u32, u32),
        /// The room that does not exist.
        missing: u32,
    },
    /// A hatch occurs twice in the list, in the same or the other direction.
    HatchTwice {
        /// The index of the second one.
        at: usize,
        /// Its rooms, the smaller number first.
        hatch: (u32, u32),
    },
    /// The gnome starts in a room that is not on the board.
    StartNowhere {
        /// The room.
        start: u32,
    },
}

impl Fault {
    /// What would be right.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::NoRooms => "give the board at least one room",
            Self::RoomTwice { .. } => "give every room once",
            Self::HatchToItself { .. } => "a hatch joins two different rooms",
            Self::HatchToNowhere { .. } => "add the room, or correct the hatch",
            Self::HatchTwice { .. } => "give every hatch once; 2-1 is the same hatch as 1-2",
            Self::StartNowhere { .. } => "start in one of the board's rooms",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRooms => f.write_str("the board has no rooms"),
            Self::RoomTwice { number, .. } => write!(f, "room {number} is given twice"),
            Self::HatchToItself { room, .. } => write!(f, "hatch {room}-{room} leads from a room to itself"),
            Self::HatchToNowhere { hatch: (a, b), missing, .. } => {
                write!(f, "hatch {a}-{b} leads to room {missing}, which is not on the board")
            }
            Self::HatchTwice { hatch: (a, b), .. } => write!(f, "hatch {a}-{b} is given twice"),
            Self::StartNowhere { start } => write!(f, "the start, room {start}, is not on the board"),
        }
    }
}

impl std::error::Error for Fault {}
