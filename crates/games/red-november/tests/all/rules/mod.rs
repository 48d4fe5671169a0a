//! A second, direct implementation of the rules of movement, to check the search.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};

use red_november::{Action, Board, HatchState, Plan, Room, RoomState};

/// A whole position: the gnome's room, all rooms, all hatches, and the rooms it has been in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub gnome: u32,
    pub rooms: Vec<(u32, char)>,
    pub hatches: Vec<(u32, u32, char)>,
    pub been: BTreeSet<u32>,
}

/// A final room and all rooms, as in the answer.
pub type Pair = (u32, String);

impl Position {
    /// From letters: rooms 1, 2, ... and hatches with their states.
    pub fn new(rooms: &str, hatches: &[(u32, u32, char)], gnome: u32) -> Self {
        Self { gnome, rooms: (1..).zip(rooms.chars()).collect(), hatches: hatches.to_vec(), been: [gnome].into() }
    }

    pub fn board(&self) -> Board {
        let rooms: Vec<Room> =
            self.rooms.iter().map(|&(number, letter)| Room { number, state: room_state(letter) }).collect();
        let hatches: Vec<_> = self.hatches.iter().map(|&(a, b, letter)| ((a, b), hatch_state(letter))).collect();
        Board::new(&rooms, &hatches, self.gnome).unwrap()
    }

    pub fn pair(&self) -> Pair {
        (self.gnome, self.rooms.iter().map(|&(_, letter)| letter).collect())
    }

    fn room(&mut self, number: u32) -> &mut char {
        &mut self.rooms.iter_mut().find(|(n, _)| *n == number).unwrap().1
    }

    /// Opens hatch `i`: the position after it and its rooms before if water ran.
    pub fn open(&self, i: usize) -> Option<(Self, Option<(char, char)>)> {
        let (a, b, state) = self.hatches[i];
        if state != 'c' || (self.gnome != a && self.gnome != b) {
            return None;
        }
        let mut after = self.clone();
        after.hatches[i].2 = 'o';
        let before = (*after.room(a), *after.room(b));
        let flows = matches!(before, ('h', 'c' | 'f') | ('c' | 'f', 'h'));
        if flows {
            *after.room(a) = 'l';
            *after.room(b) = 'l';
        }
        Some((after, flows.then_some(before)))
    }

    /// Goes through hatch `i`: the position after it and the minutes.
    pub fn go(&self, i: usize) -> Option<(Self, u32)> {
        let (a, b, state) = self.hatches[i];
        if state != 'o' || (self.gnome != a && self.gnome != b) {
            return None;
        }
        let mut after = self.clone();
        let to = if self.gnome == a { b } else { a };
        let (here, there) = (*after.room(self.gnome), *after.room(to));
        if here == 'f' || there == 'f' || there == 'h' {
            return None;
        }
        after.gnome = to;
        after.been.insert(to);
        Some((after, u32::from(there == 'l')))
    }

    /// The room behind hatch `i`, seen from the gnome.
    fn beyond(&self, i: usize) -> u32 {
        let (a, b, _) = self.hatches[i];
        if self.gnome == a { b } else { a }
    }

    /// The least minutes of every pair, by an exhaustive search over single actions.
    pub fn least_minutes(&self, no_revisit: bool) -> BTreeMap<Pair, u32> {
        let mut start = self.clone();
        if !no_revisit {
            start.been.clear();
        }
        let mut least = BTreeMap::new();
        let mut done = BTreeSet::new();
        let mut queue = BTreeSet::from([(0, start)]);
        while let Some((minutes, position)) = queue.pop_first() {
            if !done.insert(position.clone()) {
                continue;
            }
            least.entry(position.pair()).or_insert(minutes);
            for i in 0..position.hatches.len() {
                if let Some((after, _)) = position.open(i) {
                    queue.insert((minutes + 1, after));
                }
                if let Some((mut after, cost)) = position.go(i) {
                    if no_revisit && position.been.contains(&after.gnome) {
                        continue;
                    }
                    if !no_revisit {
                        after.been.clear();
                    }
                    queue.insert((minutes + cost, after));
                }
            }
        }
        least
    }

    /// The plan that the rule for ties chooses for every pair: least (minutes, steps, rooms turned to).
    pub fn chosen_plans(&self, no_revisit: bool) -> BTreeMap<Pair, (u32, usize, Vec<u32>)> {
        let mut start = self.clone();
        if !no_revisit {
            start.been.clear();
        }
        let mut chosen = BTreeMap::new();
        let mut done = BTreeSet::new();
        let mut queue = BTreeSet::from([(0, 0, Vec::<u32>::new(), start)]);
        while let Some((minutes, steps, turns, position)) = queue.pop_first() {
            if !done.insert(position.clone()) {
                continue;
            }
            chosen.entry(position.pair()).or_insert((minutes, steps, turns.clone()));
            for i in 0..position.hatches.len() {
                let (opened, cost) = match position.open(i) {
                    Some((after, Some(_))) => {
                        let turns = [turns.as_slice(), &[position.beyond(i)]].concat();
                        queue.insert((minutes + 1, steps + 1, turns, after));
                        continue;
                    }
                    Some((after, None)) => (after, 1),
                    None => (position.clone(), 0),
                };
                if let Some((mut after, more)) = opened.go(i) {
                    if no_revisit && position.been.contains(&after.gnome) {
                        continue;
                    }
                    if !no_revisit {
                        after.been.clear();
                    }
                    let turns = [turns.as_slice(), &[after.gnome]].concat();
                    queue.insert((minutes + cost + more, steps + 1, turns, after));
                }
            }
        }
        chosen
    }

    /// Replays a plan's actions, checking each against the rules; returns the pair and the minutes.
    pub fn check(&self, board: &Board, plan: &Plan, no_revisit: bool) -> (Pair, u32) {
        let (actions, boat) = plan.play(board).unwrap();
        let mut position = self.clone();
        let mut minutes = 0;
        let mut running = None;
        for action in &actions {
            match *action {
                Action::Open { hatch } => {
                    assert_eq!(running, None, "water must run at once");
                    (position, running) = position.open(hatch).expect("a closed hatch of the gnome's room");
                    minutes += 1;
                }
                Action::Flow { before, .. } => {
                    assert_eq!(running.take(), Some((letter(before.0), letter(before.1))));
                }
                Action::Move { room, state } => {
                    assert_eq!(running, None, "water must run at once");
                    let number = board.rooms()[room].number;
                    let hatch = (0..position.hatches.len()).find(|&i| {
                        let (a, b, _) = position.hatches[i];
                        (a, b) == (position.gnome, number) || (b, a) == (position.gnome, number)
                    });
                    assert!(!no_revisit || !position.been.contains(&number));
                    let cost;
                    (position, cost) = position.go(hatch.unwrap()).expect("an open hatch to a room to be entered");
                    assert_eq!(cost, u32::from(letter(state) == 'l'));
                    assert_eq!(cost, action.minutes());
                    minutes += cost;
                }
            }
        }
        assert_eq!(running, None, "water must be reported");
        let rooms: String = boat.rooms().iter().map(|&state| letter(state)).collect();
        assert_eq!(position.pair(), (board.rooms()[boat.gnome()].number, rooms));
        assert_eq!(minutes, plan.minutes);
        (position.pair(), minutes)
    }
}

pub fn letter(state: RoomState) -> char {
    match state {
        RoomState::Clear => 'c',
        RoomState::LowFlood => 'l',
        RoomState::HighFlood => 'h',
        RoomState::Fire => 'f',
    }
}

pub fn room_state(letter: char) -> RoomState {
    match letter {
        'c' => RoomState::Clear,
        'l' => RoomState::LowFlood,
        'h' => RoomState::HighFlood,
        'f' => RoomState::Fire,
        other => panic!("no room state {other}"),
    }
}

pub fn hatch_state(letter: char) -> HatchState {
    match letter {
        'o' => HatchState::Open,
        'c' => HatchState::Closed,
        'b' => HatchState::Blocked,
        other => panic!("no hatch state {other}"),
    }
}
