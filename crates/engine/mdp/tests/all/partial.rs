//! Games explored and solved in parts against the same games solved as a whole.

use budget::{Limits, Reason, Stopped};
use mdp::advanced::{EndPayoffs, solve_with};
use mdp::rows::{RowGame, RowSet, explore, explore_by_rows, explore_part, explore_rows};
use mdp::{Distribution, ExploreError, ExploreOptions, Game, SolveOptions, Turn, Weight, solve};
use proptest::prelude::*;

/// The most health of a hero.
const HEALTH: u32 = 70;

/// The choice in a room: a number of steps forward and a loss of health, or the other pair.
type Door = [(u8, u8); 2];

/// Rooms in pairs: from the second one of a pair play may return to the first.
struct Rooms {
    doors: Vec<Vec<Door>>,
    /// Play is over where a pair of this number or a later one begins.
    until: u32,
}

impl Rooms {
    fn ends(&self, room: usize) -> bool {
        self.rank(&(room, 0)) >= self.until
    }
}

impl Game for Rooms {
    type State = (usize, u32);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(usize, u32)>> {
        vec![Distribution::certain((0, HEALTH))]
    }

    fn rules(&self, &(room, health): &(usize, u32), turn: &mut Turn<(usize, u32)>) {
        let Some(doors) = self.doors.get(room).filter(|doors| !doors.is_empty() && health > 0) else {
            return turn.end(u8::from(health > 0));
        };
        if self.ends(room) {
            return turn.end(0);
        }
        for door in doors {
            let next = |(steps, loss): (u8, u8)| {
                let from = if steps == 0 { room / 2 * 2 } else { room + usize::from(steps) };
                ((from.min(self.doors.len()), health.saturating_sub(u32::from(loss))), Weight(1))
            };
            turn.choice(()).chance(door.map(next));
        }
    }
}

impl RowGame for Rooms {
    fn row_length(&self) -> u32 {
        HEALTH + 1
    }

    fn row_of(&self, &(room, health): &(usize, u32)) -> ((usize, u32), u32) {
        ((room, 0), health)
    }

    fn in_row(&self, &(room, _): &(usize, u32), position: u32) -> (usize, u32) {
        (room, position)
    }

    fn rank(&self, &(room, _): &(usize, u32)) -> u32 {
        u32::try_from(room / 2).unwrap()
    }
}

proptest! {
    #[test]
    fn parts_have_the_values_of_the_whole_game(
        doors in prop::collection::vec(prop::collection::vec(prop::array::uniform2((0..4u8, 0..30u8)), 1..4), 2..12),
        enough in 1usize..200,
    ) {
        let options = ExploreOptions::default();
        let mut game = Rooms { doors, until: u32::MAX };
        let space = explore(&game, &options)?;
        let whole = solve(space.model(), &SolveOptions::exact())?;
        // Forwards: the starts of each part, and the rank of the next one.
        let mut begun = vec![RowSet::of(HEALTH + 1, [((0, 0), HEALTH)])];
        let mut until = Vec::new();
        loop {
            let part = explore_part(&game, &begun[begun.len() - 1], enough, &|last, next| last < next, &options)?;
            let rank = part.rank().unwrap_or(u32::MAX);
            until.push(rank);
            if rank == u32::MAX {
                break;
            }
            begun.push(part.states(|row| game.rank(row) >= rank));
        }
        // Backwards: the values of later parts are the payoffs of earlier ones.
        let mut beyond = (RowSet::default(), Vec::new());
        for (starts, until) in begun.iter().zip(until).rev() {
            game.until = until;
            let part = explore_rows(&game, starts, &options)?;
            let known = |row: &(usize, u32), at| beyond.0.index_of(row, at).map(|place| beyond.1[usize::try_from(place).unwrap()]);
            let pays: Vec<(u32, f64)> = part
                .states()
                .filter_map(|(row, at, number)| Some((number, known(row, at)?)))
                .collect();
            let solution = solve_with(part.model(), &EndPayoffs::new(&pays), &SolveOptions::default())?;
            let worth = starts.iter().map(|(row, at)| solution.value(part.number_of(row, at).unwrap()).decimal());
            beyond = (starts.clone(), worth.collect());
        }
        for ((row, at), worth) in beyond.0.iter().zip(&beyond.1) {
            let value = whole.value(space.number_of(&game.in_row(row, at)).unwrap());
            prop_assert!((value.decimal() - worth).abs() < 1e-12, "{value:?} {worth}");
        }
    }
}

/// Rows so long that few of them fit into state numbers, one after another; one state of each is reached.
struct Corridor;

/// The length of a row: 2^31 state numbers hold 2^11 rows.
const LONG: u32 = 1 << 20;
const ROWS: u32 = 1 << 11;

impl Game for Corridor {
    type State = (u32, u32);
    type Action = ();

    fn starts(&self) -> Vec<Distribution<(u32, u32)>> {
        vec![Distribution::certain((0, 7))]
    }

    fn rules(&self, &(row, position): &(u32, u32), turn: &mut Turn<(u32, u32)>) {
        if row > ROWS { turn.end(1) } else { turn.to((row + 1, position)) }
    }
}

impl RowGame for Corridor {
    fn row_length(&self) -> u32 {
        LONG
    }

    fn row_of(&self, &(row, position): &(u32, u32)) -> ((u32, u32), u32) {
        ((row, 0), position)
    }

    fn in_row(&self, &(row, _): &(u32, u32), position: u32) -> (u32, u32) {
        (row, position)
    }

    fn rank(&self, &(row, _): &(u32, u32)) -> u32 {
        row
    }
}

/// A game with more states than state numbers is split before they are used up, in parts that are as large as possible.
#[test]
fn a_part_ends_before_numbers_run_out() {
    let options = ExploreOptions::default();
    let found = explore_by_rows(&Corridor, &options).unwrap_err();
    let ExploreError::Stopped(Stopped { reason: Reason::States { limit }, .. }) = found else { panic!("{found}") };
    assert_eq!(limit, Limits::default().max_states);
    let mut begun = RowSet::of(LONG, [((0, 0), 7)]);
    let mut parts = 0;
    loop {
        let part = explore_part(&Corridor, &begun, usize::MAX, &|last, next| last < next, &options).unwrap();
        parts += 1;
        let Some(rank) = part.rank() else { break };
        begun = part.states(|row| row.0 >= rank);
        assert_eq!(begun.len(), 1);
    }
    assert_eq!(parts, 3);
}
