//! Maps and histograms as SVG, legible in black and white and to the colour-blind.

use std::fmt::Write;

use markup::escaped;

/// A drawing of maps: in each the hero's stamina downwards and the enemy's to the right, from 1.
pub struct Maps<'a> {
    /// The title of the whole drawing.
    pub title: String,
    /// The legend of the numbers, in at most three short lines.
    pub legend: &'a [&'a str],
    /// The highest stamina.
    pub max_stamina: u32,
    /// The titles of the maps, row by row.
    pub titles: Vec<Vec<String>>,
    /// For a map's row and column, the hero's and the enemy's stamina: the probability that colours the cell, and the
    /// number in it; 0 for none.
    pub cell: &'a dyn Fn(usize, u32, u32, u32) -> (f64, u8),
}

/// The side of a cell.
const CELL: u32 = 16;
/// Room for the numbers beside a map, and for its title.
const MARGIN: u32 = 40;
/// Room for the title and the key.
const HEAD: u32 = 136;
/// How many colours there are.
const SHADES: u8 = 41;
/// From certain defeat through even chances to certain victory. Orange and blue are distinguishable for all kinds of
/// colour blindness, and black text is legible on all of them.
const RAMP: [[f64; 3]; 5] =
    [[224.0, 130.0, 20.0], [253.0, 200.0, 130.0], [247.0, 247.0, 247.0], [165.0, 205.0, 230.0], [74.0, 150.0, 205.0]];
const FONT: &str = "font-family=\"Helvetica, Arial, sans-serif\"";

/// The number of shades from one colour of the ramp to the next.
const APART: u8 = (SHADES - 1) / 4;

/// The nearest integer, at least 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "pixels; the conversion saturates")]
fn whole(number: f64) -> u32 {
    number.round() as u32
}

/// A number of things that are drawn.
fn count<T>(things: &[T]) -> u32 {
    u32::try_from(things.len()).expect("few things are drawn")
}

/// The colour of a shade from 0 to `SHADES - 1`.
fn colour(shade: u8) -> String {
    let left = (shade / APART).min(3);
    let share = f64::from(shade - left * APART) / f64::from(APART);
    let left = usize::from(left);
    let mix = |channel: usize| whole(RAMP[left][channel].mul_add(1.0 - share, RAMP[left + 1][channel] * share));
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// Begins a drawing on a white ground.
fn begin(width: u32, height: u32, title: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" {FONT} font-size=\"11\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"32\" font-size=\"20\" font-weight=\"bold\">{title}</text>\n"
    )
}

impl Maps<'_> {
    /// The drawing as an SVG file.
    pub fn to_svg(&self) -> String {
        let side = self.max_stamina * CELL;
        let step = side + MARGIN + 20;
        let columns = self.titles.iter().map(|row| count(row)).max().unwrap_or(0);
        let width = (columns * step + MARGIN).max(620);
        let height = HEAD + count(&self.titles) * step;
        let mut svg = begin(width, height, &self.title);
        self.key(&mut svg);
        for (row, (titles, top)) in self.titles.iter().zip((HEAD..).step_by(step as usize)).enumerate() {
            for (column, (title, left)) in (0..).zip(titles.iter().zip((MARGIN..).step_by(step as usize))) {
                let _ = writeln!(svg, "<g transform=\"translate({left} {top})\">");
                self.map(&mut svg, title, |hero, enemy| (self.cell)(row, column, hero, enemy));
                svg.push_str("</g>\n");
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The key to colours and numbers.
    fn key(&self, svg: &mut String) {
        let _ = writeln!(svg, "<g transform=\"translate({MARGIN} 46)\">");
        for shade in 0..SHADES {
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" width=\"7\" height=\"12\" fill=\"{}\"/>",
                6 * u32::from(shade),
                colour(shade)
            );
        }
        let end = 6 * u32::from(SHADES);
        let _ = writeln!(
            svg,
            "<text y=\"26\">0</text><text x=\"{}\" y=\"26\" text-anchor=\"middle\">chance to win</text>\
             <text x=\"{end}\" y=\"26\" text-anchor=\"end\">1</text>",
            end / 2
        );
        let x = end + 20;
        for (line, y) in self.legend.iter().zip((10..).step_by(14)) {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(line));
        }
        svg.push_str("<text y=\"40\">down: the hero's stamina, right: the enemy's</text></g>\n");
    }

    /// One map, at the origin.
    fn map(&self, svg: &mut String, title: &str, cell: impl Fn(u32, u32) -> (f64, u8)) {
        let side = self.max_stamina;
        let middle = side * CELL / 2;
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"-20\" text-anchor=\"middle\" font-size=\"13\" font-weight=\"bold\">{}</text>",
            escaped(title)
        );
        // All runs of one colour as one path.
        let mut shades = vec![String::new(); usize::from(SHADES)];
        let mut numbers = String::new();
        for hero in 1..=side {
            let row: Vec<(u8, u8)> = (1..=side)
                .map(|enemy| {
                    let (chance, number) = cell(hero, enemy);
                    (shade(chance), number)
                })
                .collect();
            let mut enemy = 0;
            for run in row.chunk_by(|left, right| left.0 == right.0) {
                let _ = write!(shades[usize::from(run[0].0)], "M{enemy} {}h{1}v1h-{1}z", hero - 1, run.len());
                enemy += run.len();
            }
            let y = hero * CELL - 4;
            for (x, (_, number)) in (CELL / 2..).step_by(CELL as usize).zip(&row) {
                if *number != 0 {
                    let _ = write!(numbers, "<text x=\"{x}\" y=\"{y}\">{number}</text>");
                }
            }
        }
        let _ = writeln!(svg, "<g transform=\"scale({CELL})\" shape-rendering=\"crispEdges\">");
        for (shade, path) in (0..).zip(&shades).filter(|(_, path)| !path.is_empty()) {
            let _ = writeln!(svg, "<path fill=\"{}\" d=\"{path}\"/>", colour(shade));
        }
        let _ = writeln!(svg, "</g><g text-anchor=\"middle\">\n{numbers}</g>");
        let _ = writeln!(
            svg,
            "<rect width=\"{0}\" height=\"{0}\" fill=\"none\" stroke=\"#444444\"/><g fill=\"#444444\" font-size=\"10\">",
            side * CELL
        );
        for stamina in (1..=side).filter(|stamina| *stamina == 1 || stamina % 4 == 0) {
            let at = stamina * CELL - CELL / 2;
            let _ = writeln!(
                svg,
                "<text x=\"{at}\" y=\"-5\" text-anchor=\"middle\">{stamina}</text>\
                 <text x=\"-5\" y=\"{}\" text-anchor=\"end\">{stamina}</text>",
                at + 4
            );
        }
        svg.push_str("</g>\n");
    }
}

/// The shade of a chance.
fn shade(chance: f64) -> u8 {
    u8::try_from(whole(chance.clamp(0.0, 1.0) * f64::from(SHADES - 1))).unwrap_or(0)
}

/// A drawing of grouped bars: for every position the heights of several series, as shares of 1.
pub fn histogram_svg(title: &str, across: &str, places: &[String], series: &[(String, Vec<f64>)]) -> String {
    const COLOURS: [&str; 3] = ["#e08214", "#4a96cd", "#5b5b5b"];
    const HEIGHT: u32 = 260;
    const BAR: u32 = 14;
    let group = BAR * count(series) + 14;
    let width = (MARGIN * 2 + group * count(places) + 20).max(620);
    let top = 70;
    let bottom = top + HEIGHT;
    let highest = series.iter().flat_map(|(_, shares)| shares).copied().fold(0.0, f64::max).max(1e-9);
    // The axis ends at the next multiple of 10 %.
    let scale = (highest * 10.0).ceil() / 10.0;
    let mut svg = begin(width, bottom + 60, title);
    for tenth in 0..=whole(scale * 10.0) {
        let y = bottom - whole(f64::from(tenth) / 10.0 / scale * f64::from(HEIGHT));
        let _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {y}h{}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} %</text>",
            width - 2 * MARGIN,
            MARGIN - 4,
            y + 4,
            tenth * 10
        );
    }
    for (number, ((name, shares), fill)) in (0u32..).zip(series.iter().zip(COLOURS.into_iter().cycle())) {
        let key = MARGIN + number * 180;
        let _ = writeln!(
            svg,
            "<rect x=\"{key}\" y=\"44\" width=\"12\" height=\"12\" fill=\"{fill}\"/><text x=\"{}\" y=\"54\">{}</text>",
            key + 18,
            escaped(name)
        );
        for (place, share) in (0u32..).zip(shares) {
            let height = whole(share / scale * f64::from(HEIGHT));
            let x = MARGIN + 10 + place * group + number * BAR;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{height}\" fill=\"{fill}\"/>",
                bottom - height,
                BAR - 2
            );
        }
    }
    for (place, label) in (0u32..).zip(places) {
        let x = MARGIN + 10 + place * group + BAR * count(series) / 2;
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>", bottom + 16, escaped(label));
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{MARGIN} {bottom}h{}\" stroke=\"#444444\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n</svg>",
        width - 2 * MARGIN,
        width / 2,
        bottom + 38,
        escaped(across)
    );
    svg
}
