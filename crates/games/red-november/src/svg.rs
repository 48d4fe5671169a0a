//! A plan as a picture: the board before with the path drawn on it, the board after, and the plan as text.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::board::{Board, HatchState, RoomState};
use crate::plan::Plan;
use crate::turn::{Boat, Illegal};
use crate::words::{minutes, place, sentences};

/// Half the width and height of a room, in pixels.
const ROOM: (f64, f64) = (44.0, 30.0);
/// The least distance of two rooms' middles.
const APART: (f64, f64) = (150.0, 105.0);
/// Space around a board.
const MARGIN: f64 = 70.0;
/// Room for the longest sentence.
const LEAST_WIDTH: f64 = 920.0;
/// The distance of the path from the hatch.
const ASIDE: f64 = 18.0;

// The palette of Okabe and Ito, whose colours people with any colour vision tell apart; every colour also
// comes with a word or a shape.
const SKY: &str = "#56B4E9";
const BLUE: &str = "#0072B2";
const VERMILION: &str = "#D55E00";
const PURPLE: &str = "#882E72";
const INK: &str = "#222222";
const GREY: &str = "#777777";

/// Draws a plan as an SVG picture.
///
/// The boat in the box is drawn as it lies, any other with its rooms in a circle, so that no hatch runs behind
/// a room.
///
/// # Errors
/// When the plan is not one for this board.
pub fn svg(board: &Board, plan: &Plan) -> Result<String, Illegal> {
    let (_, after) = plan.play(board)?;
    let words = sentences(board, plan)?;
    let places = places(board);
    let extent = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(0.0, f64::max) + MARGIN;
    let (width, height) = (extent(|p| p.0).max(LEAST_WIDTH), extent(|p| p.1));
    let title = 40.0;
    let panel = title + height;
    let lines = float(words.len().max(1));
    let total = 2.0 * panel + 60.0 + 24.0 * (lines + 1.0);

    let mut out = String::new();
    let number = |room: usize| board.rooms()[room].number;
    let heading =
        format!("{}: from room {} to room {}", minutes(plan.minutes), number(board.start()), number(after.gnome()));
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {total:.0}" width="{width:.0}" height="{total:.0}" font-family="Helvetica, Arial, sans-serif" fill="{INK}" role="img">
<title>{heading}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="20" y="30" font-size="20" font-weight="bold">Before</text>
<g transform="translate(0 {title})">
"#
    );
    let before = Boat::new(board);
    hatches(&mut out, board, before.hatches(), &places);
    let flows = way(&mut out, board, plan, &places)?;
    rooms(&mut out, board, &before, &places);
    let _ = write!(
        out,
        r#"</g>
<g transform="translate(0 {panel:.0})">
<text x="20" y="30" font-size="20" font-weight="bold">After {}</text>
<g transform="translate(0 {title})">
"#,
        minutes(plan.minutes)
    );
    // Open hatches close at the end of the turn.
    let closed: Vec<HatchState> = after
        .hatches()
        .iter()
        .map(|state| if *state == HatchState::Open { HatchState::Closed } else { *state })
        .collect();
    hatches(&mut out, board, &closed, &places);
    rooms(&mut out, board, &after, &places);
    let _ = writeln!(out, "</g>\n</g>\n<g transform=\"translate(20 {:.0})\">", 2.0 * panel + 20.0);
    legend(&mut out);
    for (i, (sentence, flows)) in words.iter().zip(flows).enumerate() {
        let y = 44.0 + 24.0 * float(i);
        badge(&mut out, (9.0, y - 5.0), i + 1, flows);
        let _ = writeln!(out, r#"<text x="28" y="{y:.0}" font-size="15">{sentence}</text>"#);
    }
    if words.is_empty() {
        let _ = writeln!(out, r#"<text y="44" font-size="15">The gnome stays where it is.</text>"#);
    }
    out.push_str("</g>\n</svg>\n");
    Ok(out)
}

/// A count, for a length in pixels.
fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("nobody draws so many rooms"))
}

/// The position of each room in a drawing: its middle, in pixels to the right and down.
///
/// The boat in the box lies as it does on its board; the rooms of any other stand in a circle.
#[must_use]
pub fn places(board: &Board) -> Vec<(f64, f64)> {
    if board.is_standard() {
        let on_grid = |room| {
            let (column, deck) = place(room);
            (MARGIN + float(column) * APART.0, MARGIN + float(deck) * APART.1)
        };
        return board.rooms().iter().map(|room| on_grid(room.number)).collect();
    }
    let count = float(board.rooms().len());
    let radius = (APART.0 * count / TAU).max(150.0);
    (0..board.rooms().len())
        .map(|i| {
            let angle = TAU * (float(i) / count - 0.25);
            (MARGIN + radius * (1.0 + angle.cos()), MARGIN + radius * (1.0 + angle.sin()))
        })
        .collect()
}

fn hatches(out: &mut String, board: &Board, states: &[HatchState], places: &[(f64, f64)]) {
    for (hatch, state) in board.hatches().iter().zip(states) {
        let ((x1, y1), (x2, y2)) = (places[hatch.rooms.0], places[hatch.rooms.1]);
        let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
        let _ = writeln!(
            out,
            r#"<path d="M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}" stroke="{GREY}" stroke-width="2"{}/>"#,
            if *state == HatchState::Blocked { r#" stroke-dasharray="2 6""# } else { "" }
        );
        hatch_sign(out, (x, y), *state);
    }
}

fn hatch_sign(out: &mut String, (x, y): (f64, f64), state: HatchState) {
    let _ = match state {
        HatchState::Open => {
            writeln!(out, r#"<circle cx="{x:.1}" cy="{y:.1}" r="6" fill="white" stroke="{INK}" stroke-width="2"/>"#)
        }
        HatchState::Closed => {
            writeln!(out, r#"<rect x="{:.1}" y="{:.1}" width="10" height="10" fill="{INK}"/>"#, x - 5.0, y - 5.0)
        }
        HatchState::Blocked => writeln!(
            out,
            r#"<path d="M{:.1} {:.1}l14 14m0 -14l-14 14" stroke="{INK}" stroke-width="4"/>"#,
            x - 7.0,
            y - 7.0
        ),
    };
}

/// The path: a line beside each hatch that is passed, a numbered sign for each step. Returns which steps let water run.
fn way(out: &mut String, board: &Board, plan: &Plan, places: &[(f64, f64)]) -> Result<Vec<bool>, Illegal> {
    let mut boat = Boat::new(board);
    let mut actions = Vec::new();
    let mut flowing = Vec::with_capacity(plan.steps.len());
    // The number of lines beside each direction of a hatch so far.
    let mut used = HashMap::new();
    for (i, &to) in plan.steps.iter().enumerate() {
        let from = boat.gnome();
        boat.step(to, &mut actions)?;
        let times: &mut u32 = used.entry((from, to)).or_default();
        let ((x1, y1), (x2, y2)) = (places[from], places[to]);
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // The line to the right of the direction, so that there and back are two; the sign for water to the left.
        let flows = boat.gnome() == from;
        let aside = if flows { -ASIDE } else { ASIDE * f64::from(*times + 1) };
        let at = |along: f64| (x1 + dx * along - dy * aside, y1 + dy * along + dx * aside);
        if !flows {
            *times += 1;
            let ((x1, y1), (x2, y2)) = (at(0.0), at(length));
            let _ = writeln!(
                out,
                r#"<path d="M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}" stroke="{PURPLE}" stroke-width="4" stroke-linecap="round"/>"#
            );
            let ((tip_x, tip_y), (x, y)) = (at(length / 2.0 + 22.0), at(length / 2.0 + 8.0));
            let _ = writeln!(
                out,
                r#"<path d="M{tip_x:.1} {tip_y:.1}L{:.1} {:.1}L{:.1} {:.1}Z" fill="{PURPLE}"/>"#,
                x - dy * 8.0,
                y + dx * 8.0,
                x + dy * 8.0,
                y - dx * 8.0
            );
        }
        badge(out, at(length / 2.0), i + 1, flows);
        flowing.push(flows);
    }
    Ok(flowing)
}

/// A numbered sign: a disc for going, a square on its corner for water let run.
fn badge(out: &mut String, (x, y): (f64, f64), number: usize, flows: bool) {
    let _ = if flows {
        writeln!(
            out,
            r#"<path d="M{x:.1} {:.1}l13 13l-13 13l-13 -13Z" fill="{BLUE}" stroke="white" stroke-width="1.5"/>"#,
            y - 13.0
        )
    } else {
        writeln!(out, r#"<circle cx="{x:.1}" cy="{y:.1}" r="10" fill="{PURPLE}" stroke="white" stroke-width="1.5"/>"#)
    };
    let _ = writeln!(
        out,
        r#"<text x="{x:.1}" y="{:.1}" font-size="12" font-weight="bold" fill="white" text-anchor="middle">{number}</text>"#,
        y + 4.2
    );
}

fn rooms(out: &mut String, board: &Board, boat: &Boat<'_>, places: &[(f64, f64)]) {
    let (w, h) = ROOM;
    for (i, (&state, &(x, y))) in boat.rooms().iter().zip(places).enumerate() {
        let room = board.rooms()[i];
        let border = if state == room.state { 2 } else { 5 };
        let _ = writeln!(
            out,
            r#"<g transform="translate({x:.1} {y:.1})"><rect x="-{w}" y="-{h}" width="{}" height="{}" rx="9" fill="white" stroke="{INK}" stroke-width="{border}"/>"#,
            2.0 * w,
            2.0 * h
        );
        let word = fill(out, state);
        let ink = if state == RoomState::HighFlood { "white" } else { INK };
        let _ = writeln!(
            out,
            r#"<text x="-{:.0}" y="-10" font-size="17" font-weight="bold" fill="{ink}">{}</text><text x="-{:.0}" y="20" font-size="13" fill="{ink}">{word}</text>"#,
            w - 8.0,
            room.number,
            w - 8.0
        );
        if boat.gnome() == i {
            gnome(out);
        }
        out.push_str("</g>\n");
    }
}

/// Fills a room, drawn around (0, 0); returns the word for what is in it.
fn fill(out: &mut String, state: RoomState) -> &'static str {
    let (w, h) = (ROOM.0 - 3.0, ROOM.1 - 3.0);
    let water = |out: &mut String, top: f64, colour: &str| {
        let wave = w / 4.0;
        let _ = writeln!(
            out,
            r#"<path d="M-{w} {top}q{wave} -7 {} 0t{} 0t{} 0t{} 0V{h}H-{w}Z" fill="{colour}"/>"#,
            2.0 * wave,
            2.0 * wave,
            2.0 * wave,
            2.0 * wave,
        );
    };
    match state {
        RoomState::Clear => "",
        RoomState::LowFlood => {
            water(out, 4.0, SKY);
            "low"
        }
        RoomState::HighFlood => {
            water(out, -24.0, BLUE);
            "high"
        }
        RoomState::Fire => {
            let _ = writeln!(
                out,
                r#"<path d="M18 25c-17 0 -19 -17 -9 -27c1 6 3 8 6 8c-3 -11 3 -20 9 -25c-1 10 12 16 12 29c0 9 -7 15 -18 15Z" fill="{VERMILION}"/>"#
            );
            "fire"
        }
    }
}

/// The gnome in the upper right of its room: a face under a pointed hat.
fn gnome(out: &mut String) {
    let _ = writeln!(
        out,
        r#"<g stroke="white" stroke-width="2"><circle cx="27" cy="6" r="9" fill="{INK}"/><path d="M15 1L27 -26L39 1Z" fill="{PURPLE}"/></g>"#
    );
}

fn legend(out: &mut String) {
    let mut x = 10.0;
    for (state, word) in
        [(HatchState::Closed, "closed hatch"), (HatchState::Open, "open hatch"), (HatchState::Blocked, "blocked hatch")]
    {
        hatch_sign(out, (x, 7.0), state);
        let _ = writeln!(out, r#"<text x="{:.0}" y="12" font-size="13" fill="{GREY}">{word}</text>"#, x + 14.0);
        x += 125.0;
    }
    let _ = writeln!(
        out,
        r#"<text x="{x:.0}" y="12" font-size="13" fill="{GREY}">thick border: changed in this turn</text>"#
    );
}

#[cfg(test)]
mod tests;
