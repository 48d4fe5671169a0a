//! A game of one's own in the browser: Pig, the dice game, for one player. Reach 50 points within 5 turns. In a turn you roll
//! as often as you like, and what you rolled is yours when you hold, but a one ends the turn with nothing.
//!
//!     cargo run --release -p explorer --example own_game

use explorer::{OfferedModel, Options, Server};
use mdp::{Distribution, Game, Turn};

struct Pig;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    turns: u8,
    points: u8,
    rolled: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Roll,
    Hold,
}

impl Game for Pig {
    type State = State;
    type Action = Action;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State { turns: 5, points: 0, rolled: 0 })]
    }

    fn rules(&self, &State { turns, points, rolled }: &State, turn: &mut Turn<State, Action>) {
        if points + rolled >= 50 {
            return turn.end(1);
        }
        if turns == 0 {
            return turn.end(0);
        }
        // A one loses what was rolled, and the turn.
        turn.choice(Action::Roll).uniform((1..=6).map(|eyes| match eyes {
            1 => State { turns: turns - 1, points, rolled: 0 },
            _ => State { turns, points, rolled: rolled + eyes },
        }));
        if rolled > 0 {
            turn.choice(Action::Hold).to(State { turns: turns - 1, points: points + rolled, rolled: 0 });
        }
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let models = vec![OfferedModel::game("Pig", Pig)];
    let server = Server::bind(Options { models, ..Options::default() }).await?;
    println!("{}model?model=Pig", server.address());
    server.run().await
}
