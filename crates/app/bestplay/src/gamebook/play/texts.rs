//! Texts of a session besides those of sections.

use std::fmt::Write;

use gamebook::{Book, Chance, End, FightNow, Hero, Phase, Play, Rolled};
use mdp::Value;

use crate::gamebook::answer::advice::{answer_text, star, win_texts};
use crate::gamebook::answer::unsolved::bounds_text;
use crate::numbers::{percent_of, percents_of};

pub(super) const HELP: &str = "\
  1, 2, ...   give this answer
  hint        the odds of every answer (solves the book the first time)
  sheet       the hero: his numbers, possessions and flags
  roll        let chance decide (Enter does it, too)
  undo        take the last answer or roll back
  restart     begin again
  help        this
  quit        end the play
The first letter is enough (re for restart). With --picks typed you can type a picked number, 7, or 3 8 for two;
or dice: what each shows, 3 4 6 1, or each of the sums, 7 7.
";

/// The worth of all answers or outcomes.
pub(super) fn hints(book: &Book, play: &Play<'_>, phase: Phase) -> String {
    let mut out = String::new();
    if let Some(win) = play.win() {
        let draft = book.draft.warning().map(|warning| format!("; {warning}")).unwrap_or_default();
        let _ = writeln!(out, "  You win with probability {}  ({}){draft}", percent_of(&win), bounds_text(&win));
    }
    match phase {
        Phase::Over(_) => {}
        Phase::Question => {
            let mut hints: Vec<_> = (1..).zip(play.hints()).collect();
            hints.sort_by(|(_, left), (_, right)| left.best_first(right));
            let wins = win_texts(hints.iter().map(|(_, hint)| hint));
            for ((number, hint), win) in hints.into_iter().zip(wins) {
                let label = answer_text(book, &hint);
                let _ = writeln!(out, "{number:>4} {} {win:>10}  {label}", star(&hint));
            }
        }
        Phase::Chance => {
            let chance = play.chance();
            let dice = matches!(chance, Some(Chance::Dice { .. }));
            let prospects = chance.map(Chance::prospects).unwrap_or_default();
            let wins: Vec<Option<&Value>> = prospects.iter().map(|(_, prospect)| prospect.win.as_ref()).collect();
            let lines = prospects.iter().zip(percents_of(&wins)).map(|((number, prospect), win)| {
                (*number, prospect.win.as_ref().map(|_| win).unwrap_or_default(), prospect.text(book))
            });
            // Consecutive sums with the same effect share a line.
            let alike = |left: &(i32, String, String), right: &(i32, String, String)| {
                dice && (&left.1, &left.2) == (&right.1, &right.2)
            };
            for same in lines.collect::<Vec<_>>().chunk_by(alike) {
                let [(first, win, what), ..] = same else { continue };
                let numbers = match same {
                    [.., (last, ..)] if last > first => format!("{first}-{last}"),
                    _ => first.to_string(),
                };
                let _ = writeln!(out, "{numbers:>4}   {win:>10}  {what}");
            }
        }
    }
    out
}

/// The enemies in a fight of a system of rules, and the hero's vital stats.
pub(super) fn enemies(play: &Play<'_>) -> String {
    let mut out = String::new();
    for enemy in play.enemies() {
        let stats: Vec<String> = enemy.stats.iter().map(|(name, number)| format!("{name} {number}")).collect();
        let colon = if stats.is_empty() { "" } else { ": " };
        let _ = writeln!(out, "  {}{colon}{}", enemy.name, stats.join(", "));
    }
    if !out.is_empty() {
        let vital = play.stats().into_iter().filter(|stat| stat.vital);
        let vital: Vec<String> = vital.map(|stat| format!("{} {}", stat.name, stat.now)).collect();
        if !vital.is_empty() {
            let _ = writeln!(out, "  you: {}", vital.join(", "));
        }
    }
    out
}

/// The hero's sheet.
pub(super) fn sheet(book: &Book, hero: &Hero, play: &Play<'_>) -> String {
    if let Phase::Over(End::Dead(_)) = play.phase() {
        return "The dead have nothing.\n".into();
    }
    let belongings = play.belongings();
    let disciplines: Vec<String> = hero.disciplines.iter().map(ToString::to_string).collect();
    let mut out = if book.system.is_some() {
        let stats = play.stats().into_iter().map(|stat| match stat.initial {
            Some(initial) => format!("{} {} of {initial}", stat.name, stat.now),
            None => format!("{} {}", stat.name, stat.now),
        });
        let stats: Vec<String> = stats.collect();
        if stats.is_empty() { String::new() } else { format!("  {}\n", stats.join(", ")) }
    } else {
        format!(
            "  combat skill {}, endurance {} of {}, {} gold\n",
            hero.combat_skill,
            belongings.endurance,
            play.max_endurance(),
            belongings.gold
        )
    };
    let items = belongings.items.iter();
    let items: Vec<String> =
        items.map(|(name, count)| if *count == 1 { name.clone() } else { format!("{count} {name}") }).collect();
    for (what, list) in [("disciplines", disciplines), ("items", items), ("noted", belongings.flags)] {
        if !list.is_empty() {
            let _ = writeln!(out, "  {what}: {}", list.join(", "));
        }
    }
    if out.is_empty() { "  nothing\n".into() } else { out }
}

pub(super) fn number_wanted(answers: usize) -> String {
    match answers {
        1 => "Type 1, or help.".into(),
        _ => format!("Type a number from 1 to {answers}, or help."),
    }
}

/// The outcome of a chance in a line; empty if nothing is visible.
pub(super) fn came(book: &Book, chance: Option<&Chance>, fight: Option<&FightNow>, rolled: &Rolled) -> String {
    let lines = chance.map(|chance| chance.came(book, fight, rolled)).unwrap_or_default();
    if lines.is_empty() { lines } else { format!("  {lines}\n") }
}

/// The input that a chance needs.
pub(super) fn wanted(chance: Option<&Chance>) -> String {
    match chance {
        Some(Chance::Dice { .. }) => "Type what the dice show, or press Enter.".into(),
        chance => format!("{}, or press Enter.", asked(chance).trim_end_matches('.')),
    }
}

/// What is to be picked or rolled.
pub(super) fn asked(chance: Option<&Chance>) -> String {
    chance.map(Chance::asks).unwrap_or_default()
}
