//! Fights of Act 1 of Slay the Spire with all that the enemies can begin with, each once and on one thread.

use std::time::{Duration, Instant};

use budget::{Budget, Limits};
use slay_the_spire::{Exactness, FightOptions, FightRequest, Solved, solve_several};

use crate::measure::millis;

/// The starting deck and the cards after it.
const THIRTEEN: &str = "strike=5,defend=4,bash=1,pommel-strike=1,shrug-it-off=1,inflame=1";

/// The fights, each with a deck that is not the starting one.
const FIGHTS: [(&[&str], Option<&str>); 14] = [
    (&["cultist"], None),
    (&["jaw-worm"], None),
    (&["blue-slaver"], None),
    (&["red-slaver"], None),
    (&["looter"], None),
    (&["lagavulin"], None),
    (&["gremlin-nob"], None),
    (&["red-louse"], None),
    (&["green-louse"], None),
    (&["spike-slime-s", "acid-slime-m"], None),
    (&["acid-slime-s", "spike-slime-m"], None),
    (&["red-louse", "green-louse"], None),
    (&["blue-slaver"], Some(THIRTEEN)),
    (&["jaw-worm"], Some(THIRTEEN)),
];

/// How long the search may go on where it does not come to its end.
const PATIENCE: Duration = Duration::from_secs(75);

/// The fight of the talk, exactly, with how it ends.
pub fn the_talk() -> Solved {
    let request = FightRequest::of_the_talk();
    let (hero, encounters) = (request.hero().expect("known cards"), request.encounters().expect("known enemies"));
    let (health, objective) = (request.health(&hero).expect("his own"), request.objective().expect("health"));
    let asked = FightOptions { exact: Exactness::Everything, ends: false };
    solve_several(&hero, &encounters, &[health], objective, asked, &Budget::unlimited()).expect("is modelled")
}

pub fn fights() {
    println!("\nSlay the Spire, fights of Act 1 with full ranges, one thread");
    println!("{:<44} {:>9}   expected health", "", "ms");
    for (enemies, deck) in FIGHTS {
        report(enemies, deck, None);
    }
    report(&["three-sentries"], None, Some(PATIENCE));
}

fn report(enemies: &[&str], deck: Option<&str>, max_time: Option<Duration>) {
    let begin = Instant::now();
    let solved = solved(enemies, deck, max_time);
    let time = begin.elapsed();
    let cards = if deck.is_some() { ", 13 cards" } else { "" };
    let value = solved.worths[0].value;
    let stopped = if solved.stopped.is_some() { ", stopped" } else { "" };
    let name = format!("{}{cards}", enemies.join(", "));
    println!("{name:<44} {:>9.0}   {:.6} to {:.6}{stopped}", millis(time), value.lower, value.upper);
}

fn solved(enemies: &[&str], deck: Option<&str>, max_time: Option<Duration>) -> Solved {
    let enemies = enemies.iter().map(|name| (*name).into()).collect();
    let request = FightRequest { enemies, deck: deck.map(Into::into), ..FightRequest::default() };
    let (hero, encounters) = (request.hero().expect("known cards"), request.encounters().expect("known enemies"));
    let (health, objective) = (request.health(&hero).expect("his own"), request.objective().expect("health"));
    let budget = Budget::new(Limits { max_time, ..Limits::default() });
    let asked = FightOptions::default();
    solve_several(&hero, &encounters, &[health], objective, asked, &budget).expect("is modelled")
}
