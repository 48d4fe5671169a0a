use super::*;
use crate::board::Room;

fn boat_of(states: [RoomState; 2], hatch: HatchState) -> Board {
    let rooms = [Room { number: 1, state: states[0] }, Room { number: 2, state: states[1] }];
    Board::new(&rooms, &[((1, 2), hatch)], 1).unwrap()
}

#[test]
fn water_runs_from_high_into_clear_and_burning_rooms_only() {
    use RoomState::{Clear, Fire, HighFlood, LowFlood};
    let all = [Clear, LowFlood, HighFlood, Fire];
    let flowing = [(Clear, HighFlood), (HighFlood, Clear), (Fire, HighFlood), (HighFlood, Fire)];
    for (here, there) in all.iter().flat_map(|a| all.map(|b| (*a, b))) {
        let board = boat_of([here, there], HatchState::Closed);
        let mut boat = Boat::new(&board);
        let (open, flow) = boat.open(1).unwrap();
        assert_eq!(open.minutes(), 1);
        assert_eq!(flow.is_some(), flowing.contains(&(here, there)), "{here:?} {there:?}");
        let after = if flow.is_some() { [LowFlood; 2] } else { [here, there] };
        assert_eq!(boat.rooms(), after);
    }
}

#[test]
fn a_burning_room_holds_the_gnome_until_it_is_flooded() {
    let board = boat_of([RoomState::Fire, RoomState::Clear], HatchState::Open);
    assert_eq!(Boat::new(&board).go(1), Err(Illegal::Leaving));
    let board = boat_of([RoomState::Fire, RoomState::HighFlood], HatchState::Closed);
    let mut boat = Boat::new(&board);
    boat.open(1).unwrap();
    assert_eq!(boat.go(1).unwrap().minutes(), 1);
}

#[test]
fn an_open_hatch_lets_no_water_run_and_blocked_ones_stay_shut() {
    let board = boat_of([RoomState::Clear, RoomState::HighFlood], HatchState::Open);
    let mut boat = Boat::new(&board);
    assert_eq!(boat.open(1), Err(Illegal::Open));
    assert_eq!(boat.go(1), Err(Illegal::Entering(RoomState::HighFlood)));
    let board = boat_of([RoomState::Clear, RoomState::Clear], HatchState::Blocked);
    assert_eq!(Boat::new(&board).open(1), Err(Illegal::NoHatch));
    let board = boat_of([RoomState::Clear, RoomState::Clear], HatchState::Closed);
    assert_eq!(Boat::new(&board).go(1), Err(Illegal::Closed));
}
