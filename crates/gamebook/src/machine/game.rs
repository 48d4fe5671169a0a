//! The machine as a game for the engine.

use std::hash::BuildHasher;

use mdp::{Distribution, Game, Turn};
use rustc_hash::FxBuildHasher;

use super::answers::Move;
use super::chances::Remembered;
use super::{End, Machine};
use crate::state::{NO_PLACE, State};

/// How many settled states a thread remembers; a power of two.
const SETTLED: usize = 1 << 13;

impl Machine {
    /// Adds to `turn` what follows where nobody is asked; says whether that is so.
    pub(super) fn go_on<A>(&self, state: &State, turn: &mut Turn<State, A>, buffers: &mut Buffers) -> bool {
        match Self::end(state) {
            Some(End::Won(_)) => turn.end(1),
            Some(End::Dead(_)) => turn.end(0),
            None => {
                let mut stepped = *state;
                if self.step(&mut stepped) {
                    turn.to(if self.analyses.straight { buffers.settled(self, &stepped) } else { self.keep(&stepped) });
                } else if self.is_left_to_chance(state) {
                    self.chance(state, turn, buffers);
                } else {
                    return false;
                }
            }
        }
        true
    }

    /// Adds to `turn` what follows when play comes to `state`, which lies right after an answer or
    /// an outcome.
    fn follow<A>(&self, state: State, turn: &mut Turn<State, A>, buffers: &mut Buffers) {
        let stop = buffers.settled(self, &state);
        if self.analyses.straight && !self.entering && self.is_chance(&stop) {
            self.chance(&stop, turn, buffers);
        } else {
            turn.to(stop);
        }
    }
}

/// What a thread needs again and again.
#[derive(Default)]
pub(super) struct Buffers {
    pub moves: Vec<Move>,
    pub inner: Vec<Move>,
    pub outcomes: Vec<(u64, State)>,
    /// Of which machine the settled states are.
    machine: u64,
    /// States and where play comes from them to its next question: the last one of each hash.
    settled: Vec<(State, State)>,
    /// What chances bring.
    pub remembered: Remembered,
}

impl Buffers {
    /// Forgets what belongs to another machine.
    pub(super) fn belong_to(&mut self, machine: &Machine) {
        if self.machine != machine.number {
            let none = State::default().at(NO_PLACE);
            self.settled.clear();
            self.settled.resize(SETTLED, (none, none));
            self.remembered.clear();
            self.machine = machine.number;
        }
    }

    /// Where play from a state comes to its next question, as far as that matters; from what was found out before
    /// if possible, for most outcomes lead where others led.
    pub(super) fn settled(&mut self, machine: &Machine, state: &State) -> State {
        self.belong_to(machine);
        let kept = machine.keep(state);
        if machine.asks_at_once(&kept) {
            return kept;
        }
        #[expect(clippy::cast_possible_truncation, reason = "any bits of the hash will do")]
        let place = FxBuildHasher.hash_one(kept) as usize % SETTLED;
        let (known, settled) = &mut self.settled[place];
        if *known != kept {
            *settled = machine.settle(kept, &mut self.inner);
            *known = kept;
        }
        *settled
    }
}

thread_local! {
    pub(super) static BUFFERS: std::cell::RefCell<Buffers> = std::cell::RefCell::default();
}

impl Game for Machine {
    type State = State;
    /// What an answer is called; where nobody is asked there is no name.
    type Action = String;

    fn starts(&self) -> Vec<Distribution<State>> {
        vec![Distribution::certain(self.first())]
    }

    fn rules(&self, state: &State, turn: &mut Turn<State, String>) {
        BUFFERS.with_borrow_mut(|buffers| {
            if self.go_on(state, turn, buffers) {
                return;
            }
            let mut choices = std::mem::take(&mut buffers.moves);
            self.choices(state, &mut choices);
            for answer in &choices {
                turn.choice_with(|| self.describe_action(state, answer.action));
                self.follow(answer.state, turn, buffers);
            }
            if choices.is_empty() {
                turn.end(0);
            }
            buffers.moves = choices;
        });
    }
}
