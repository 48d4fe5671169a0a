//! `cargo bench -p lone-wolf`

use lone_wolf::{CombatTable, Conditions, EndlessFight, Folded, Start, Track, fold};

fn main() {
    divan::main();
}

fn folded(conditions: &Conditions, track: Track) -> Result<Folded, EndlessFight> {
    fold(CombatTable::standard(), conditions, &Start { enemy: 30, heroes: 40, ..Start::default() }, track)
}

/// A plain fight of up to 40 ENDURANCE against 30.
#[divan::bench(args = [-12, -5, 0, 5])]
fn plain(ratio: i32) -> Result<Folded, EndlessFight> {
    folded(&Conditions { ratio, ..Conditions::default() }, Track::default())
}

/// The same with two rounds untouchable, five rounds counted and wounds remembered.
#[divan::bench(args = [-12, -5, 0, 5])]
fn tracked(ratio: i32) -> Result<Folded, EndlessFight> {
    let conditions = Conditions { ratio, untouchable: 2, ..Conditions::default() };
    folded(&conditions, Track { rounds: 5, wounded: true })
}

/// Rounds without loss are divided out.
#[divan::bench(args = [-12, -5])]
fn untouchable(ratio: i32) -> Result<Folded, EndlessFight> {
    folded(&Conditions { ratio, untouchable: u32::MAX, ..Conditions::default() }, Track::default())
}
