//! The map as an SVG picture.

use std::fmt::Write;

use markup::escaped;

use super::layout::{BOX, Layout, MapLink, layout};
use super::{Map, colour, percent, thickness};
use crate::author::outline::Outline;
use crate::terms::SectionNumber;

const INK: &str = "#222222";

/// The colour of what optimal play never does.
const PALE: &str = "#bbbbbb";

const WAY: &str = "#555555";

/// The colour of death: vermilion of the palette of Okabe and Ito, for all kinds of colour vision; it comes with a cross.
const DEATH: &str = "#d55e00";

/// The least width, for the legend.
const LEAST_WIDTH: f64 = 760.0;

/// The margins of the picture.
const ASIDE: f64 = 24.0;

impl Map<'_> {
    /// The map as an SVG picture for a browser: sections and ways show their numbers under the mouse pointer.
    pub fn svg(&self) -> String {
        let layout = layout(self.book, self.start);
        let head = 60.0 + 20.0 * u32::try_from(self.subtitle.len()).map_or(0.0, f64::from) + 52.0;
        let width = layout.width.max(LEAST_WIDTH);
        let height = layout.height + head;
        let mut out = String::new();
        let title = escaped(&self.book.title);
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK}">
<title>{title}</title>
<style>.way:hover {{ stroke: #cc0066; stroke-opacity: 1; }} .section:hover > rect {{ stroke: #cc0066; }}</style>
<defs>
"#
        );
        for (name, colour) in [("tip", WAY), ("pale-tip", PALE)] {
            let _ = writeln!(
                out,
                r#"<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L8 4L0 7.5Z" fill="{colour}"/></marker>"#
            );
        }
        let _ = write!(
            out,
            r##"</defs>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{ASIDE}" y="38" font-size="22" font-weight="bold">{title}</text>
"##
        );
        for (line, text) in self.subtitle.iter().enumerate() {
            let _ = writeln!(out, r#"<text x="{ASIDE}" y="{}">{}</text>"#, 60 + 20 * line, escaped(text));
        }
        self.legend(&mut out, head - 46.0);
        let left = (width - layout.width) / 2.0;
        let _ = writeln!(out, r#"<g transform="translate({left:.1} {head:.1})">"#);
        self.ways(&mut out, &layout);
        for (section, place) in &layout.places {
            let outline = self.book.outline(*section);
            self.section(&mut out, *section, (place.x, place.y), &outline);
        }
        out.push_str("</g>\n</svg>\n");
        out
    }

    fn ways(&self, out: &mut String, layout: &Layout) {
        let probability = |way: &MapLink| self.taken(way.from, way.to);
        // Thick lines on top.
        let mut ways: Vec<&MapLink> = layout.ways.iter().collect();
        ways.sort_by(|left, right| probability(left).unwrap_or(0.0).total_cmp(&probability(right).unwrap_or(0.0)));
        out.push_str("<g fill=\"none\">\n");
        for way in ways {
            let (colour, width, tip) = match probability(way) {
                None => (WAY, 1.3, "tip"),
                Some(0.0) => (PALE, 1.0, "pale-tip"),
                Some(probability) => (WAY, thickness(probability), "tip"),
            };
            let dashes = if way.back { r#" stroke-dasharray="7 4""# } else { "" };
            let _ = writeln!(
                out,
                r#"<path class="way" d="{}" stroke="{colour}" stroke-width="{width:.2}" stroke-opacity="0.8"{dashes} marker-end="url(#{tip})"><title>{}</title></path>"#,
                way.path(),
                escaped(&self.way_caption(way.from, way.to))
            );
        }
        out.push_str("</g>\n");
    }

    fn section(&self, out: &mut String, number: SectionNumber, (x, y): (f64, f64), outline: &Outline) {
        let visit = self.figures.and_then(|figures| figures.sections.get(&number));
        let (fill, white) = visit.map_or(("#ffffff".to_string(), false), |visit| colour(visit.win));
        let never = self.figures.is_some() && visit.is_none();
        let is_goal = self.goals.contains(&number);
        let stroke = if never { PALE } else { INK };
        let ink = match (never, white) {
            (true, _) => "#777777",
            (_, true) => "#ffffff",
            _ => INK,
        };
        let thick = if is_goal || number == self.start { 3.0 } else { 1.0 };
        let round = if is_goal || number == self.start { BOX.1 / 2.0 } else { 5.0 };
        let (left, top) = (x - BOX.0 / 2.0, y - BOX.1 / 2.0);
        let _ = write!(
            out,
            r#"<g class="section" id="section-{number}"><title>{}</title><rect x="{left:.1}" y="{top:.1}" width="{}" height="{}" rx="{round}" fill="{fill}" stroke="{stroke}" stroke-width="{thick}"/>"#,
            escaped(&self.caption(number, outline).join("\n")),
            BOX.0,
            BOX.1,
        );
        if !outline.fights.is_empty() {
            let _ = write!(
                out,
                r#"<path d="M{:.1} {:.1}v{}" stroke="{ink}" stroke-width="3"/>"#,
                left + 5.0,
                top + 6.0,
                BOX.1 - 12.0
            );
        }
        let line = match visit {
            Some(_) => y - 1.0,
            None => y + 5.0,
        };
        let _ = write!(
            out,
            r#"<text x="{x:.1}" y="{line:.1}" text-anchor="middle" font-weight="bold" fill="{ink}">{}</text>"#,
            escaped(&shortened(&self.book.section_text(number)))
        );
        if let Some(visit) = visit {
            let _ = write!(
                out,
                r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle" font-size="10" fill="{ink}">{}</text>"#,
                y + 11.0,
                escaped(&percent(visit.win))
            );
        }
        let label = match (number == self.start, is_goal) {
            (true, _) => "START",
            (_, true) => "GOAL",
            _ => "",
        };
        if !label.is_empty() {
            let _ = write!(
                out,
                r#"<text x="{:.1}" y="{:.1}" font-size="10" font-weight="bold">{label}</text>"#,
                left + BOX.0 + 5.0,
                y + 4.0
            );
        }
        match visit.map(|visit| visit.death).filter(|death| *death > 0.0) {
            Some(death) => badge(out, (x, top + BOX.1 + 8.0), &percent(death)),
            None if outline.deadly => {
                let colour = if self.figures.is_some() { PALE } else { DEATH };
                cross(out, (left + BOX.0 - 2.0, top + 2.0), colour);
            }
            None => {}
        }
        out.push_str("</g>\n");
    }

    fn legend(&self, out: &mut String, y: f64) {
        let _ = writeln!(out, r#"<g transform="translate({ASIDE} {y:.0})" font-size="12">"#);
        let mut x = 0.0;
        if self.figures.is_some() {
            for step in 0..=20 {
                let (fill, _) = colour(f64::from(step) / 20.0);
                let _ = writeln!(out, r#"<rect x="{}" width="8.5" height="14" fill="{fill}"/>"#, 8 * step);
            }
            out.push_str(r#"<text y="28">0 %</text><text x="168" y="28" text-anchor="end">100 %</text>"#);
            out.push_str(r#"<text x="84" y="28" text-anchor="middle">win from here</text>"#);
            x += 200.0;
            for (place, probability) in [0.01, 0.1, 1.0].into_iter().enumerate() {
                let y = 1 + 6 * place;
                let _ = writeln!(
                    out,
                    r#"<path d="M{x} {y}h40" stroke="{WAY}" stroke-width="{:.2}"/>"#,
                    thickness(probability)
                );
            }
            let _ = writeln!(out, r#"<text x="{x}" y="28">1, 10, 100 % of all heroes</text>"#);
            x += 170.0;
            let _ =
                writeln!(out, r#"<path d="M{x} 7h40" stroke="{PALE}"/><text x="{x}" y="28">never by best play</text>"#);
            x += 130.0;
            badge(out, (x + 31.0, 7.0), "9.7 %");
            let _ = writeln!(out, r#"<text x="{x}" y="28">of all heroes die here</text>"#);
            x += 140.0;
        } else {
            cross(out, (6.0, 7.0), DEATH);
            out.push_str(r#"<text x="18" y="12">it can end in death</text>"#);
            x += 150.0;
        }
        let _ = writeln!(out, r#"<path d="M{} 0v14" stroke="{INK}" stroke-width="3"/>"#, x + 2.0);
        if self.figures.is_some() {
            let _ = writeln!(out, r#"<text x="{x}" y="28">a fight</text>"#);
        } else {
            let _ = writeln!(out, r#"<text x="{}" y="12">a fight</text>"#, x + 12.0);
        }
        out.push_str("</g>\n");
    }
}

/// A cross and a percentage, centred at a point.
fn badge(out: &mut String, (x, y): (f64, f64), share: &str) {
    let _ = write!(
        out,
        r##"<rect x="{:.1}" y="{:.1}" width="62" height="14" rx="7" fill="{DEATH}"/><path d="M{:.1} {:.1}l6 6m0 -6l-6 6" stroke="#ffffff" stroke-width="2"/><text x="{:.1}" y="{:.1}" font-size="10" fill="#ffffff" text-anchor="middle">{}</text>"##,
        x - 31.0,
        y - 7.0,
        x - 26.0,
        y - 3.0,
        x + 6.0,
        y + 3.5,
        escaped(share)
    );
}

fn cross(out: &mut String, (x, y): (f64, f64), colour: &str) {
    let _ = write!(
        out,
        r#"<path d="M{:.1} {:.1}l10 10m0 -10l-10 10" stroke="{colour}" stroke-width="3.5"/>"#,
        x - 5.0,
        y - 5.0
    );
}

/// A section's name, cut to the width of its box.
fn shortened(name: &str) -> String {
    const WIDE: usize = 7;
    if name.chars().nth(WIDE).is_none() { name.into() } else { name.chars().take(WIDE - 1).chain(['…']).collect() }
}
