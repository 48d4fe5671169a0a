//! The report as a self-contained page that can be printed.

use std::fmt::Write;

use gamebook::{ChoiceVerdict, SectionNumber};
use markup::escaped;

use super::ReportView;
use super::text::{estimated, length, odds, points};
use crate::gamebook::answer::curve::{Curve, drawn};
use crate::gamebook::answer::journey::causes;
use crate::gamebook::input::hero_args::describe;
use crate::numbers::{percent_near as percent, percent_of};

const STYLE: &str = "\
body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1,h2{font-family:system-ui,sans-serif;line-height:1.2}h2{margin-top:2rem;font-size:1.15rem}\
table{border-collapse:collapse;font:14px/1.4 system-ui,sans-serif}\
td,th{padding:.2rem .8rem .2rem 0;text-align:right;vertical-align:top;border-bottom:1px solid #ddd}\
td.l,th.l{text-align:left}td.p{color:#666;text-align:left}p.small{color:#555;font-size:.9rem}\
svg{max-width:100%;height:auto}@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr,svg{break-inside:avoid}}";

impl ReportView<'_> {
    pub(super) fn html(&self) -> String {
        let mut out = String::new();
        let title = escaped(&self.book.title);
        let _ = write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}: a report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        let hero = describe(self.book, self.question).replace("\n  ", "; ");
        let _ = writeln!(
            out,
            "<p>{}, from section {}. {}</p>",
            escaped(self.lines.name()),
            escaped(&self.name(self.question.start)),
            escaped(&hero)
        );
        if let Some(draft) = self.book.draft.warning() {
            let _ = writeln!(out, "<p><strong>{draft}</strong></p>");
        }
        self.html_odds(&mut out);
        self.html_endings(&mut out);
        self.html_along(&mut out);
        let (never, always) = (&self.report.never_right, &self.report.always_right);
        self.html_choices(&mut out, "Choices that are never right, wherever best play is offered them", never);
        self.html_choices(&mut out, "Choices that are right whenever they are offered", always);
        self.html_sections(&mut out, "Sections from which this hero cannot win", &self.report.unwinnable);
        self.html_sections(&mut out, "Sections into which no play of this hero comes", &self.report.never_entered);
        let shunned = &self.report.shunned;
        self.html_sections(&mut out, "Sections into which best play never comes, though others may", shunned);
        self.html_loops(&mut out);
        self.html_worth(&mut out);
        out.push_str("</body>\n</html>\n");
        out
    }

    fn html_odds(&self, out: &mut String) {
        out.push_str(
            "<h2>Odds, and how long a play is</h2>\n<table>\n<tr><th class=\"l\"></th><th>wins</th>\
             <th>sections entered</th><th>rolls</th></tr>\n",
        );
        for (who, own) in self.players() {
            let (sections, rolls) = (length(own.sections.as_ref()), length(own.rolls.as_ref()));
            let _ = writeln!(
                out,
                "<tr><td class=\"l\">{who}</td><td>{}</td><td>{sections}</td><td>{rolls}</td></tr>",
                escaped(&odds(&own.win))
            );
        }
        out.push_str("</table>\n<p class=\"small\">A mean, and the standard deviation around it.</p>\n");
        if let Some(estimated) = estimated(self) {
            let _ = writeln!(out, "<p class=\"small\">~ {}</p>", escaped(&estimated));
        }
    }

    fn html_header(&self, out: &mut String, title: &str) {
        let _ = write!(out, "<h2>{title}</h2>\n<table>\n<tr><th>section</th><th></th>");
        for (who, _) in self.players() {
            let _ = write!(out, "<th>{who}</th>");
        }
        out.push_str("</tr>\n");
    }

    fn html_section(&self, section: SectionNumber) -> String {
        format!("<td>{}</td><td class=\"p\">{}</td>", escaped(&self.name(section)), self.place(section))
    }

    fn html_endings(&self, out: &mut String) {
        self.html_header(out, "Endings");
        let mut row = |place: &str, shares: &[f64], causes: &str| {
            let _ = write!(out, "<tr>{place}");
            for share in shares {
                let _ = write!(out, "<td>{}</td>", escaped(&percent(*share)));
            }
            let _ = writeln!(out, "<td class=\"l\">{}</td></tr>", escaped(causes));
        };
        for (section, shares) in self.victories() {
            row(&self.html_section(section), &shares, "won");
        }
        for (section, shares) in self.deaths() {
            row(&self.html_section(section), &shares, &causes(self.book, section));
        }
        let endless = self.endless();
        if !endless.is_empty() {
            row("<td></td><td></td>", &endless, "goes on for ever");
        }
        out.push_str("</table>\n");
    }

    fn html_along(&self, out: &mut String) {
        let along = self.odds_along();
        if along.is_empty() {
            return;
        }
        out.push_str("<h2>The odds along the most likely way that wins</h2>\n");
        let names: Vec<String> = along.iter().map(|(section, _)| self.name(*section)).collect();
        let curves: Vec<Curve> = self
            .players()
            .into_iter()
            .enumerate()
            .map(|(place, (who, _))| Curve { name: who, points: along.iter().map(|(_, odds)| odds[place]).collect() })
            .collect();
        out.push_str(&drawn("section", &names, &curves, None));
        out.push_str("<p class=\"small\">The odds of those who get there.</p>\n");
    }

    fn html_choices(&self, out: &mut String, title: &str, choices: &[ChoiceVerdict]) {
        if choices.is_empty() {
            return;
        }
        let _ = writeln!(out, "<h2>{title}</h2>\n<table>");
        for own in choices {
            let (place, description) = self.choice(own);
            let section = escaped(&self.name(own.section));
            let description = escaped(&description);
            let _ = writeln!(
                out,
                "<tr><td>{section}</td><td class=\"p\">{place}</td><td class=\"l\">{description}</td></tr>"
            );
        }
        out.push_str("</table>\n");
    }

    fn html_sections(&self, out: &mut String, title: &str, sections: &[SectionNumber]) {
        if sections.is_empty() {
            return;
        }
        let named = |section: &SectionNumber| format!("{} ({})", escaped(&self.name(*section)), self.place(*section));
        let sections: Vec<String> = sections.iter().map(named).collect();
        let _ = writeln!(out, "<h2>{title}</h2>\n<p>{}</p>", sections.join(", "));
    }

    fn html_loops(&self, out: &mut String) {
        if self.report.loops.is_empty() {
            return;
        }
        out.push_str("<h2>Loops that create something without end</h2>\n<ul>\n");
        for own in &self.report.loops {
            let got = own.got_in.iter().map(|section| format!("{} ({})", self.name(*section), self.place(*section)));
            let all: Vec<String> = own.sections.iter().map(|section| self.name(*section)).collect();
            let got: Vec<String> = got.collect();
            let description = format!("{}: got in {}; round by {}", own.what, got.join(", "), all.join(", "));
            let _ = writeln!(out, "<li>{}</li>", escaped(&description));
        }
        out.push_str("</ul>\n");
    }

    fn html_worth(&self, out: &mut String) {
        let worths = self.worths_by_size();
        if worths.is_empty() {
            return;
        }
        out.push_str(
            "<h2>What things are worth to this hero</h2>\n<table>\n<tr><th class=\"l\">change</th>\
             <th>best play wins</th><th>points of a percent</th><th></th></tr>\n",
        );
        for (own, difference) in worths {
            let place = self.line_of(own).map_or_else(String::new, |line| format!("line {line}"));
            let _ = writeln!(
                out,
                "<tr><td class=\"l\">{} {}</td><td>{}</td><td>{}</td><td class=\"p\">{place}</td></tr>",
                own.change,
                escaped(&own.what),
                escaped(&percent_of(&own.win)),
                points(difference)
            );
        }
        out.push_str("</table>\n");
    }
}
