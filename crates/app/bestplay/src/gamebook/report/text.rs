//! The report as text.

use std::fmt::Write;

use gamebook::{ChoiceVerdict, Length, Odds, Player, SectionNumber};

use super::ReportView;
use crate::gamebook::answer::journey::{SHOWN, causes, endless, more};
use crate::gamebook::input::hero_args::describe;
use crate::numbers::{percent_near as percent, percent_of};

/// The odds of a player.
pub fn odds(odds: &Odds) -> String {
    match odds {
        Odds::Known(value) => percent_of(value),
        Odds::Estimated { .. } => format!("~ {}", percent(odds.decimal())),
    }
}

/// A length with its deviation.
pub(super) fn length(length: Option<&Length>) -> String {
    match length {
        Some(length) => format!("{:.1} ± {:.1}", length.mean.decimal(), length.deviation),
        None => "without end".into(),
    }
}

/// A difference of odds, in percentage points.
pub(super) fn points(difference: f64) -> String {
    format!("{:+.3}", 100.0 * difference)
}

/// The note about simulated odds.
pub(super) fn estimated(view: &ReportView<'_>) -> Option<String> {
    let players = view.players();
    let mut simulated = players.iter().filter_map(|(who, own)| {
        let Odds::Estimated { won, plays } = own.win else { return None };
        let came_to = match won {
            0 => format!("none of {plays} simulated plays was won"),
            all if all == plays => format!("all {plays} simulated plays were won"),
            some => {
                let error = percent(error(some, plays));
                format!("{some} of {plays} simulated plays were won (standard error {error})")
            }
        };
        Some(format!("{who}: too many situations to compute; {came_to}"))
    });
    simulated.next().map(|first| simulated.fold(first, |all, next| all + "\n" + &next))
}

/// The standard error of a share.
fn error(won: u32, plays: u32) -> f64 {
    let share = f64::from(won) / f64::from(plays);
    (share * (1.0 - share) / f64::from(plays)).sqrt()
}

impl ReportView<'_> {
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        let start = self.name(self.question.start);
        let _ = writeln!(
            out,
            "{} ({}), from section {start}\n  {}\n",
            self.book.title,
            self.lines.name(),
            describe(self.book, self.question)
        );
        let _ = writeln!(out, "{:<10} {:>11} {:>18} {:>18}", "", "wins", "sections entered", "rolls");
        for (who, own) in self.players() {
            let (sections, rolls) = (length(own.sections.as_ref()), length(own.rolls.as_ref()));
            let _ = writeln!(out, "{who:<10} {:>11} {sections:>18} {rolls:>18}", odds(&own.win));
        }
        if let Some(estimated) = estimated(self) {
            let _ = writeln!(out, "~ {estimated}");
        }
        self.endings(&mut out);
        self.along(&mut out);
        self.choices(
            &mut out,
            "Choices that are never right, wherever best play is offered them",
            &self.report.never_right,
        );
        self.choices(&mut out, "Choices that are right whenever they are offered", &self.report.always_right);
        self.sections(&mut out, "Sections from which this hero cannot win", &self.report.unwinnable);
        self.sections(&mut out, "Sections into which no play of this hero comes", &self.report.never_entered);
        self.sections(&mut out, "Sections into which best play never comes, though others may", &self.report.shunned);
        self.loops(&mut out);
        self.worth(&mut out);
        let _ = writeln!(out, "\n{:.2} s", self.seconds);
        out
    }

    pub(super) fn name(&self, section: SectionNumber) -> String {
        self.book.section_text(section)
    }

    /// `line 12`.
    pub(super) fn place(&self, section: SectionNumber) -> String {
        self.lines.of_section(self.book, section).map_or_else(String::new, |line| format!("line {line}"))
    }

    /// The sections where plays end as `ends` says, the most likely first, with each player's share.
    pub(super) fn ended(&self, ends: fn(&Player) -> &[(SectionNumber, f64)]) -> Vec<(SectionNumber, Vec<f64>)> {
        let players = self.players();
        let mut ended: Vec<(SectionNumber, Vec<f64>)> = Vec::new();
        for (place, (_, own)) in players.iter().enumerate() {
            for (section, probability) in ends(own) {
                let known = ended.iter().position(|(other, _)| other == section).unwrap_or_else(|| {
                    ended.push((*section, vec![0.0; players.len()]));
                    ended.len() - 1
                });
                ended[known].1[place] = *probability;
            }
        }
        let most = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max);
        ended.sort_by(|left, right| most(&right.1).total_cmp(&most(&left.1)));
        ended
    }

    /// The sections where players win.
    pub(super) fn victories(&self) -> Vec<(SectionNumber, Vec<f64>)> {
        self.ended(|own| &own.victories)
    }

    /// The sections where players die.
    pub(super) fn deaths(&self) -> Vec<(SectionNumber, Vec<f64>)> {
        self.ended(|own| &own.deaths)
    }

    /// Each player's share of plays without an end; empty if there are none.
    pub(super) fn endless(&self) -> Vec<f64> {
        let own =
            |(_, own): &(String, &Player)| endless(own.victories.iter().chain(&own.deaths).map(|(_, share)| *share));
        let shares: Vec<Option<f64>> = self.players().iter().map(own).collect();
        if shares.iter().all(Option::is_none) {
            return Vec::new();
        }
        shares.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The odds of each player in each section of the most likely way; `None` if he never visits it.
    pub(super) fn odds_along(&self) -> Vec<(SectionNumber, Vec<Option<f64>>)> {
        let players = self.players();
        let odds = |section: SectionNumber| {
            let here = |own: &Player| own.visits.iter().find(|visit| visit.section == section).cloned();
            players.iter().map(|(_, own)| here(own).map(|visit| visit.win_if_here)).collect()
        };
        self.report.way.iter().map(|section| (*section, odds(*section))).collect()
    }

    fn header(&self, out: &mut String, title: &str) {
        let _ = write!(out, "\n{title}\n{:>8} {:<11}", "section", "");
        for (who, _) in self.players() {
            let _ = write!(out, "{who:>11}");
        }
        out.push('\n');
    }

    fn endings(&self, out: &mut String) {
        self.header(out, "Endings");
        let mut line = |name: &str, place: &str, shares: &[f64], causes: &str| {
            let _ = write!(out, "{name:>8} {place:<11}");
            for share in shares {
                let _ = write!(out, "{:>11}", percent(*share));
            }
            let _ = writeln!(out, "{}{causes}", if causes.is_empty() { "" } else { "  " });
        };
        let (victories, deaths, endless) = (self.victories(), self.deaths(), self.endless());
        for (section, shares) in victories.iter().take(SHOWN) {
            line(&format!("* {}", self.name(*section)), &self.place(*section), shares, "");
        }
        for (section, shares) in deaths.iter().take(SHOWN) {
            line(&self.name(*section), &self.place(*section), shares, &causes(self.book, *section));
        }
        if !endless.is_empty() {
            line("none", "", &endless, "goes on for ever");
        }
        more(out, victories.len(), "sections where they win");
        more(out, deaths.len(), "sections where they die");
    }

    fn along(&self, out: &mut String) {
        let along = self.odds_along();
        if along.is_empty() {
            return;
        }
        self.header(out, "The odds of those who get there, along the most likely way that wins");
        for (section, odds) in &along {
            let _ = write!(out, "{:>8} {:<11}", self.name(*section), self.place(*section));
            for own in odds {
                let _ = write!(out, "{:>11}", own.map_or_else(|| "-".into(), percent));
            }
            out.push('\n');
        }
    }

    /// A choice in a line.
    pub(super) fn choice(&self, choice: &ChoiceVerdict) -> (String, String) {
        let place = match &choice.span {
            Some(span) => format!("line {}", self.lines.line(span)),
            None => self.place(choice.section),
        };
        let to = choice.to.map_or_else(String::new, |to| format!(" (to {})", self.name(to)));
        let win = choice.win.map_or_else(|| "not known".into(), percent);
        (place, format!("{}{to}: {win}, offered in {}", choice.label, percent(choice.offered)))
    }

    fn choices(&self, out: &mut String, title: &str, choices: &[ChoiceVerdict]) {
        if choices.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{title}");
        for own in choices {
            let (place, description) = self.choice(own);
            let _ = writeln!(out, "{:>8} {place:<11}{description}", self.name(own.section));
        }
    }

    fn sections(&self, out: &mut String, title: &str, sections: &[SectionNumber]) {
        if sections.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{title}");
        for section in sections {
            let _ = writeln!(out, "{:>8} {}", self.name(*section), self.place(*section));
        }
    }

    fn loops(&self, out: &mut String) {
        if self.report.loops.is_empty() {
            return;
        }
        out.push_str("\nLoops that create something without end\n");
        for own in &self.report.loops {
            let got: Vec<String> = own
                .got_in
                .iter()
                .map(|section| format!("{} ({})", self.name(*section), self.place(*section)))
                .collect();
            let all: Vec<String> = own.sections.iter().map(|section| self.name(*section)).collect();
            let _ = writeln!(out, "{:>8} got in {}; round by {}", own.what, got.join(", "), all.join(", "));
        }
    }

    fn worth(&self, out: &mut String) {
        let worths = self.worths_by_size();
        if worths.is_empty() {
            return;
        }
        out.push_str(
            "\nWhat things are worth to this hero: the odds of best play with a change, in points of a percent\n",
        );
        for (own, difference) in worths {
            let place = self.line_of(own).map_or_else(String::new, |line| format!("line {line}"));
            let name = format!("{} {}", own.change, own.what);
            let _ = writeln!(out, "{:>9} {:>11}  {name:<30} {place}", points(difference), percent_of(&own.win));
        }
    }
}
