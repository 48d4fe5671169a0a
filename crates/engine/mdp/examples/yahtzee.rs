//! One turn of Yahtzee: five of a kind in three rolls. States are multisets, so that five dice are 252 hands, not 7,776.

use mdp::{Distribution, Game, GameError, SolveOptions, Solved, Turn, solve_game_with};

/// One turn: after the first roll any dice may be rolled again, and once more any after the second.
pub(crate) struct FiveOfAKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// How many dice show each number of eyes: fewer than five in all while the others are being rolled.
    pub(crate) dice: [u8; 6],
    /// How many rerolls are left.
    pub(crate) rerolls: u8,
}

/// All subsets of some dice that can be kept, as multisets.
fn hands_within(dice: [u8; 6]) -> Vec<[u8; 6]> {
    let mut hands = vec![[0; 6]];
    for (eyes, most) in dice.into_iter().enumerate() {
        let with = |hand: [u8; 6], count| std::array::from_fn(|at| if at == eyes { count } else { hand[at] });
        hands = hands.into_iter().flat_map(|hand| (0..=most).map(move |count| with(hand, count))).collect();
    }
    hands
}

impl Game for FiveOfAKind {
    type State = State;
    /// The dice to keep.
    type Action = [u8; 6];

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State { dice: [0; 6], rerolls: 2 })]
    }

    fn rules(&self, &State { dice, rerolls }: &State, turn: &mut Turn<State, [u8; 6]>) {
        if dice.iter().sum::<u8>() < 5 {
            // One die after another: the order does not matter.
            let with = |eyes| std::array::from_fn(|at| dice[at] + u8::from(at == eyes));
            return turn.uniform((0..6).map(|eyes| State { dice: with(eyes), rerolls }));
        }
        if rerolls == 0 {
            return turn.end(u8::from(dice.contains(&5)));
        }
        for kept in hands_within(dice) {
            turn.choice(kept).to(State { dice: kept, rerolls: rerolls - 1 });
        }
    }
}

pub(crate) fn solved() -> Result<Solved<FiveOfAKind>, GameError> {
    solve_game_with(FiveOfAKind, &SolveOptions::exact())
}

pub(crate) fn main() -> Result<(), GameError> {
    let solved = solved()?;
    println!("five of a kind in three rolls: {} of all turns", solved.start_value());
    let two_pairs = State { dice: [2, 2, 1, 0, 0, 0], rerolls: 1 };
    println!("of two pairs keep {:?}", solved.best(&two_pairs)?);
    Ok(())
}
