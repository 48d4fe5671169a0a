//! A game of one's own in the browser: Twenty-one with one die. Roll as often as you like; what you have when you keep it is
//! what you are paid, but more than 21 is worth nothing.
//!
//!     cargo run --release -p bestplay-explorer --example own_game

use explorer::{OfferedModel, Options, Server};
use mdp::{Distribution, Game, Turn};

struct TwentyOne;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Rolling(u8),
    Kept(u8),
}

impl Game for TwentyOne {
    type State = State;
    type Action = &'static str;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(State::Rolling(0))]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, &'static str>) {
        match *state {
            State::Kept(sum) => turn.end(sum),
            State::Rolling(sum) if sum > 21 => turn.end(0),
            State::Rolling(sum) => {
                turn.choice("roll").uniform((1..=6).map(|eyes| State::Rolling(sum + eyes)));
                turn.choice("keep").to(State::Kept(sum));
            }
        }
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let models = vec![OfferedModel::game("Twenty-one", TwentyOne)];
    let server = Server::bind(Options { models, ..Options::default() }).await?;
    println!("{}model?model=Twenty-one", server.address());
    server.run().await
}
