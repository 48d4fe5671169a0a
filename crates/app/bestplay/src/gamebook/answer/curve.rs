//! Odds drawn as lines.

use std::fmt::Write;

use markup::escaped;

/// A line: odds from left to right, with gaps.
pub struct Curve {
    pub name: String,
    pub points: Vec<Option<f64>>,
}

/// Suitable for all kinds of colour vision; lines differ in their dashes as well.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#666666", "#e69f00"];
const DASHES: [&str; 6] = ["", "6 3", "2 3", "8 3 2 3", "1 2", "10 4"];

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 20.0;
/// The height for names below.
const BOTTOM: f64 = 56.0;
/// The most names side by side.
const MOST_NAMES: usize = 30;

fn share(place: usize, of: usize) -> f64 {
    let count = |points| f64::from(u32::try_from(points).expect("a drawing has fewer points"));
    if of < 2 { 0.5 } else { count(place) / count(of - 1) }
}

/// An SVG picture of odds over `what`, with a remark above them.
pub fn drawn(what: &str, names: &[String], curves: &[Curve], remark: Option<&str>) -> String {
    let across = |place: usize| LEFT + share(place, names.len()) * (WIDTH - LEFT - RIGHT);
    let highest = curves.iter().flat_map(|curve| curve.points.iter().flatten()).copied().fold(0.0, f64::max);
    let most = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].into_iter().find(|own| highest <= *own).unwrap_or(1.0);
    let down = |odds: f64| HEIGHT - BOTTOM - odds / most * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\" role=\"img\">\n<title>odds by {}</title>\n",
        escaped(what)
    );
    for line in 0..=5 {
        let odds = most * f64::from(line) / 5.0;
        let y = down(odds);
        let percent = format!("{:.3}", 100.0 * odds);
        let percent = percent.trim_end_matches('0').trim_end_matches('.');
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0
        );
    }
    if let Some(remark) = remark {
        let (x, y) = (WIDTH - RIGHT, TOP - 6.0);
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>", escaped(remark));
    }
    let every = names.len().div_ceil(MOST_NAMES).max(1);
    for (place, name) in names.iter().enumerate().filter(|(place, _)| place % every == 0) {
        let x = across(place);
        let name = escaped(name);
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
            HEIGHT - BOTTOM + 16.0
        );
    }
    for (number, curve) in curves.iter().enumerate() {
        let (colour, dash) = (COLOURS[number % COLOURS.len()], DASHES[number % DASHES.len()]);
        let points: Vec<(usize, f64)> =
            curve.points.iter().enumerate().filter_map(|(place, odds)| Some((place, (*odds)?))).collect();
        let line: Vec<String> =
            points.iter().map(|(place, odds)| format!("{:.1},{:.1}", across(*place), down(*odds))).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>",
            line.join(" ")
        );
        for (place, odds) in &points {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{colour}\"><title>{}, {}: {:.3} %</title></circle>",
                across(*place),
                down(*odds),
                escaped(&curve.name),
                escaped(&names[*place]),
                100.0 * odds
            );
        }
        let x = LEFT + share(number, curves.len().max(6)) * (WIDTH - LEFT - RIGHT - 80.0);
        let y = HEIGHT - 14.0;
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dash}\"/><text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            y - 4.0,
            x + 24.0,
            y - 4.0,
            x + 30.0,
            escaped(&curve.name)
        );
    }
    out.push_str("</svg>\n");
    out
}
