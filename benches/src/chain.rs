//! The chain of fights: what building from rules is measured with.

use mdp::rows::{InRow, RowGame, RowTarget, RowTurns};
use mdp::{Distribution, Game, Turn, Weight};

/// Fifty opponents one after another, with luck to use and meals to eat (Fighting Fantasy rules:
/// 721 of 1296 rolls won, 435 lost, draws divided out).
pub struct Chain {
    /// How many opponents.
    pub fights: u8,
    /// Whether moments that differ only in the hero's stamina form rows, which are expanded together.
    pub rows: bool,
}

/// A moment of the chain. The engine gets it packed into one number: six bytes compare and hash
/// fastest as one.
#[derive(Clone, Copy)]
struct Moment {
    phase: Phase,
    stamina: u8,
    enemy: u8,
    luck: u8,
    fight: u8,
    meals: u8,
}

#[derive(Clone, Copy)]
enum Phase {
    /// About to roll for the next round.
    Roll,
    /// The opponent was hit: use luck?
    Hit,
    /// The hero was hit: use luck?
    Struck,
    /// Before the next fight: eat?
    Between,
}

impl Moment {
    fn pack(self) -> u64 {
        u64::from_le_bytes([self.phase as u8, self.stamina, self.enemy, self.luck, self.fight, self.meals, 0, 0])
    }

    fn unpack(packed: u64) -> Self {
        let [phase, stamina, enemy, luck, fight, meals, ..] = packed.to_le_bytes();
        let phase = [Phase::Roll, Phase::Hit, Phase::Struck, Phase::Between][usize::from(phase)];
        Self { phase, stamina, enemy, luck, fight, meals }
    }
}

const STAMINA: u8 = 24;
const ENEMY: u8 = 12;
/// Of the 36 rolls of two dice, how many are at most 0, 1, 2, ...
const AT_MOST: [u64; 13] = [0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36];

impl Chain {
    fn next(&self, moment: Moment) -> Moment {
        if moment.stamina == 0 || moment.enemy > 0 {
            return Moment { phase: Phase::Roll, ..moment };
        }
        let fight = moment.fight + 1;
        let enemy = if fight < self.fights { ENEMY } else { 0 };
        let phase = if fight < self.fights { Phase::Between } else { Phase::Roll };
        Moment { phase, enemy, fight, ..moment }
    }
}

impl Game for Chain {
    type State = u64;
    type Action = ();

    fn starts(&self) -> Vec<Distribution<u64>> {
        let start = Moment { phase: Phase::Roll, stamina: STAMINA, enemy: ENEMY, luck: 12, fight: 0, meals: 3 };
        vec![Distribution::certain(start.pack())]
    }

    fn rules(&self, packed: &u64, turn: &mut Turn<u64>) {
        let m = Moment::unpack(*packed);
        if m.stamina == 0 {
            return turn.end(0);
        }
        if m.fight == self.fights {
            return turn.end(1);
        }
        let hit = |loss: u8, luck| self.next(Moment { enemy: m.enemy.saturating_sub(loss), luck, ..m }).pack();
        let struck = |loss: u8, luck| self.next(Moment { stamina: m.stamina.saturating_sub(loss), luck, ..m }).pack();
        let lucky = AT_MOST[usize::from(m.luck)];
        match m.phase {
            Phase::Roll => turn.chance([
                (Moment { phase: Phase::Hit, ..m }.pack(), Weight(721)),
                (Moment { phase: Phase::Struck, ..m }.pack(), Weight(435)),
            ]),
            Phase::Hit => {
                turn.to(hit(2, m.luck));
                if m.luck > 0 {
                    turn.chance([(hit(4, m.luck - 1), Weight(lucky)), (hit(1, m.luck - 1), Weight(36 - lucky))]);
                }
            }
            Phase::Struck => {
                turn.to(struck(2, m.luck));
                if m.luck > 0 {
                    turn.chance([(struck(1, m.luck - 1), Weight(lucky)), (struck(3, m.luck - 1), Weight(36 - lucky))]);
                }
            }
            Phase::Between => {
                turn.to(Moment { phase: Phase::Roll, ..m }.pack());
                if m.meals > 0 {
                    turn.to(Moment {
                        phase: Phase::Roll,
                        stamina: (m.stamina + 4).min(STAMINA),
                        meals: m.meals - 1,
                        ..m
                    }
                    .pack());
                }
            }
        }
    }
}

impl RowGame for Chain {
    fn row_length(&self) -> u32 {
        if self.rows { u32::from(STAMINA) + 1 } else { 1 }
    }

    fn row_of(&self, packed: &u64) -> (u64, u32) {
        if !self.rows {
            return (*packed, 0);
        }
        let moment = Moment::unpack(*packed);
        (Moment { stamina: 0, ..moment }.pack(), moment.stamina.into())
    }

    fn in_row(&self, row: &u64, position: u32) -> u64 {
        if !self.rows {
            return *row;
        }
        let stamina = u8::try_from(position).expect("a row has no more positions");
        Moment { stamina, ..Moment::unpack(*row) }.pack()
    }

    /// Fights come one after another; in each the opponent only loses stamina, and luck and meals are used up.
    fn rank(&self, row: &u64) -> u32 {
        let Moment { phase, enemy, luck, fight, meals, .. } = Moment::unpack(*row);
        let fights = u8::from(!matches!(phase, Phase::Between));
        [fight, fights, ENEMY - enemy, 12 - luck, 3 - meals].iter().fold(0, |rank, own| rank * 16 + u32::from(*own))
    }

    fn rules_of_row(&self, row: &u64, positions: &[u32], turns: &mut RowTurns<u64>) {
        let moment = Moment::unpack(*row);
        // Those who neither die of what is lost nor are healed beyond what they can have fare alike.
        let alike = match moment.phase {
            _ if moment.fight == self.fights => 0..0,
            Phase::Struck => 3..25,
            Phase::Between if moment.meals > 0 => 1..21,
            _ => 1..25,
        };
        let place = |position: u32| positions.partition_point(|own| *own < position);
        let together = place(alike.start)..place(alike.end);
        for at in (0..together.start).chain(together.end.max(together.start)..positions.len()) {
            turns.alone(at, |turn| self.rules(&self.in_row(row, positions[at]), turn), |next| self.row_of(next));
        }
        if together.is_empty() {
            return;
        }
        let mut first = Turn::new();
        self.rules(&self.in_row(row, positions[together.start]), &mut first);
        let next = first.map(|next| {
            let (row, position) = self.row_of(&next);
            RowTarget { first: InRow { row: turns.row(&row), position }, moves: true }
        });
        *turns.together(together) = next;
    }
}
