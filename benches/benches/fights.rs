//! `cargo bench -p benches --bench fights`

use lone_wolf::{
    Analysis, AnalysisError, CombatTable, Conditions, EndlessFight, Fight, Folded, Start, Track, analyse, fold,
};

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

/// A fight in which the hero may run, solved by the engine: as much ENDURANCE as a hero of the books has, and as an
/// action chart has room for.
#[divan::bench(args = [25, 99])]
fn running(endurance: u8) -> Result<Analysis, AnalysisError> {
    let conditions = Conditions { ratio: -5, ..Conditions::default() };
    let table = CombatTable::standard();
    let fight = Fight { table, conditions, hero: endurance, enemy: endurance, evade_from: Some(3) };
    analyse(&fight, &mdp::ExploreOptions::default())
}
