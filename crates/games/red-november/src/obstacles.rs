//! The obstacles on the gnome's path.

use std::fmt::Write;

use crate::board::{Board, HatchState, Room, RoomState};
use crate::limits::{LimitReached, Limits};
use crate::question::Question;
use crate::search::search_while;
use crate::words::minutes;

/// An obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// A blocked hatch, an index into [`Board::hatches`].
    Blocked(usize),
    /// A fire in a room, an index into [`Board::rooms`].
    Fire(usize),
    /// High water in a room.
    HighFlood(usize),
    /// No room may be entered twice.
    NoRevisit,
    /// No water may run.
    AvoidFlooding,
    /// A room is to be made low.
    MakeLow(usize),
    /// The limit on minutes.
    Within(u32),
}

/// Whether there is a plan, and if there is none, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// There is one of this many minutes.
    Possible(u32),
    /// There is none even without any obstacles: no hatches lead there.
    NoHatches,
    /// There would be one of this many minutes without all of these obstacles, and none without only some of them.
    Obstacles(Vec<Obstacle>, u32),
}

/// Why a question has no plan.
///
/// Of several explanations one is given: restrictions in the question (minutes, water, rooms entered twice, rooms to be
/// made low) are preferred to obstacles on the boat, and high water to fire, fire to a blocked hatch. Obstacles are
/// removed by making rooms clear and hatches closed; this takes a search for each of them, a few times over.
///
/// # Errors
/// When one of the searches needs more than `limits`, or is not wanted any more.
///
/// ```
/// use red_november::{Limits, Obstacle, Question, WhyNot, parse_board, why_not};
///
/// let board = parse_board("rooms: 1, 2 fire, 3\nhatches: 1-2, 2-3, 1-3 blocked\nstart: 1")?;
/// let to_3 = Question { to: Some(2), ..Question::default() };
/// let why = why_not(&board, &to_3, Limits::default(), &|| true)?;
/// assert_eq!(why, WhyNot::Obstacles(vec![Obstacle::Fire(1)], 2));
/// assert_eq!(why.words(&board, &to_3), "Room 3 cannot be reached: room 2 burns. If not, 2 minutes would do.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn why_not(
    board: &Board,
    question: &Question,
    limits: Limits,
    wanted: &dyn Fn() -> bool,
) -> Result<WhyNot, LimitReached> {
    let least = |gone: &[Obstacle]| least_minutes(board, question, gone, limits, wanted);
    if let Some(minutes) = least(&[])? {
        return Ok(WhyNot::Possible(minutes));
    }
    let mut gone = obstacles(board, question);
    let Some(mut minutes) = least(&gone)? else { return Ok(WhyNot::NoHatches) };
    // An obstacle that can be restored without effect is not the reason. One that could not be restored at first may be
    // later, together with others: water puts out fires.
    loop {
        let before = gone.len();
        for obstacle in gone.clone() {
            let others: Vec<Obstacle> = gone.iter().copied().filter(|own| *own != obstacle).collect();
            if let Some(now) = least(&others)? {
                (gone, minutes) = (others, now);
            }
        }
        if gone.len() == before {
            return Ok(WhyNot::Obstacles(gone, minutes));
        }
    }
}

/// All possible obstacles, those that are preferred as reasons last.
fn obstacles(board: &Board, question: &Question) -> Vec<Obstacle> {
    let rooms = |state: RoomState, obstacle: fn(usize) -> Obstacle| {
        let has = board.rooms().iter().enumerate().filter(move |(_, room)| room.state == state);
        has.map(move |(room, _)| obstacle(room))
    };
    let blocked = board.hatches().iter().enumerate().filter(|(_, hatch)| hatch.state == HatchState::Blocked);
    blocked
        .map(|(hatch, _)| Obstacle::Blocked(hatch))
        .chain(rooms(RoomState::Fire, Obstacle::Fire))
        .chain(rooms(RoomState::HighFlood, Obstacle::HighFlood))
        .chain(question.no_revisit.then_some(Obstacle::NoRevisit))
        .chain(question.avoid_flooding.then_some(Obstacle::AvoidFlooding))
        .chain(question.make_low.iter().map(|room| Obstacle::MakeLow(*room)))
        .chain(question.within.map(Obstacle::Within))
        .collect()
}

/// The minutes of the cheapest plan without some obstacles.
fn least_minutes(
    board: &Board,
    question: &Question,
    gone: &[Obstacle],
    limits: Limits,
    wanted: &dyn Fn() -> bool,
) -> Result<Option<u32>, LimitReached> {
    let mut rooms: Vec<Room> = board.rooms().to_vec();
    let mut hatches: Vec<_> = board.hatches().iter().map(|hatch| (board.hatch_numbers(hatch), hatch.state)).collect();
    let mut question = Question { cheapest: true, ..question.clone() };
    for obstacle in gone {
        match obstacle {
            Obstacle::Blocked(hatch) => hatches[*hatch].1 = HatchState::Closed,
            Obstacle::Fire(room) | Obstacle::HighFlood(room) => {
                rooms[*room].state = RoomState::Clear;
                // What is clear need not be put out or drained.
                question.make_low.retain(|own| own != room);
            }
            Obstacle::NoRevisit => question.no_revisit = false,
            Obstacle::AvoidFlooding => question.avoid_flooding = false,
            Obstacle::MakeLow(room) => question.make_low.retain(|own| own != room),
            Obstacle::Within(_) => question.within = None,
        }
    }
    let start = board.rooms()[board.start()].number;
    // Rooms and hatches are those of a board, so they make one.
    let Ok(board) = Board::new(&rooms, &hatches, start) else { return Ok(None) };
    let plans = search_while(&board, &question, limits, wanted)?.plans;
    Ok(plans.iter().map(|plan| plan.minutes).min())
}

impl WhyNot {
    /// The answer as text for this question about the board.
    pub fn words(&self, board: &Board, question: &Question) -> String {
        let number = |room: usize| board.rooms()[room].number;
        let what = match question.to {
            Some(room) => format!("Room {} cannot be reached", number(room)),
            None => "That cannot be done".to_owned(),
        };
        let (obstacles, needed) = match self {
            Self::Possible(needed) => return format!("There is a way of {}.", minutes(*needed)),
            Self::NoHatches => return format!("{what}: no hatches lead there."),
            Self::Obstacles(obstacles, needed) => (obstacles, *needed),
        };
        let text = |obstacle: &Obstacle| match obstacle {
            Obstacle::Blocked(hatch) => {
                let (a, b) = board.hatch_numbers(&board.hatches()[*hatch]);
                format!("hatch {a}-{b} is blocked")
            }
            Obstacle::Fire(room) => format!("room {} burns", number(*room)),
            Obstacle::HighFlood(room) => format!("room {} is under high water", number(*room)),
            Obstacle::NoRevisit => "no room may be entered twice".to_owned(),
            Obstacle::AvoidFlooding => "no water may run".to_owned(),
            Obstacle::MakeLow(room) => format!("room {} is to be made low", number(*room)),
            Obstacle::Within(most) => format!("{} are too few", minutes(*most)),
        };
        let all: Vec<String> = obstacles.iter().map(text).collect();
        let mut words = match &all[..] {
            [some @ .., last] if !some.is_empty() => format!("{what}: {} and {last}.", some.join(", ")),
            all => format!("{what}: {}.", all.join("")),
        };
        let _ = match obstacles[..] {
            [Obstacle::Within(_)] => write!(words, " It takes {}.", minutes(needed)),
            _ => write!(words, " If not, {} would do.", minutes(needed)),
        };
        words
    }
}
