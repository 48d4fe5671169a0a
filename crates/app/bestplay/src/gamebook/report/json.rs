//! The report as JSON.

use gamebook::{ChoiceVerdict, Length, Odds, Player, SectionNumber};
use mdp::Number;
use serde::Serialize;
use serde_json::Value;

use super::ReportView;
use crate::gamebook::answer::draft::Marked;
use crate::gamebook::answer::places::SectionPlace;
use crate::gamebook::input::book_file::section_json;
use crate::output::Failure;

#[derive(Serialize)]
struct ReportJson {
    format: u32,
    book: String,
    file: String,
    start: Value,
    players: Vec<PlayerJson>,
    way: Vec<AlongJson>,
    never_right: Vec<ChoiceJson>,
    always_right: Vec<ChoiceJson>,
    unwinnable: Vec<SectionPlace>,
    never_entered: Vec<SectionPlace>,
    never_by_best_play: Vec<SectionPlace>,
    loops: Vec<LoopJson>,
    worth: Option<Vec<WorthJson>>,
    seconds: f64,
}

#[derive(Serialize)]
struct PlayerJson {
    who: String,
    win: Option<Number>,
    estimate: Option<EstimateJson>,
    sections: Option<LengthJson>,
    rolls: Option<LengthJson>,
    victories: Vec<EndJson>,
    deaths: Vec<EndJson>,
}

#[derive(Serialize)]
struct EstimateJson {
    won: u32,
    plays: u32,
}

#[derive(Serialize)]
struct LengthJson {
    mean: Number,
    deviation: f64,
}

#[derive(Serialize)]
struct EndJson {
    #[serde(flatten)]
    place: SectionPlace,
    probability: f64,
}

#[derive(Serialize)]
struct AlongJson {
    #[serde(flatten)]
    place: SectionPlace,
    odds: serde_json::Map<String, Value>,
}

#[derive(Serialize)]
struct ChoiceJson {
    section: Value,
    line: Option<usize>,
    label: String,
    to: Option<Value>,
    offered: f64,
    win: Option<f64>,
}

#[derive(Serialize)]
struct LoopJson {
    what: String,
    got_in: Vec<SectionPlace>,
    sections: Vec<SectionPlace>,
}

#[derive(Serialize)]
struct WorthJson {
    what: String,
    change: &'static str,
    line: Option<usize>,
    win: Number,
    difference: f64,
}

impl ReportView<'_> {
    pub(super) fn json_text(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(&Marked::new(self.book.draft, &self.json())).map(|text| text + "\n").map_err(
            |error| Failure::failed(format_args!("cannot write the answer as JSON: {error}"), "please report this"),
        )
    }

    fn json(&self) -> ReportJson {
        let report = &self.report;
        let place = |section: &SectionNumber| SectionPlace::new(self.book, &self.lines, *section);
        let places = |sections: &[SectionNumber]| sections.iter().map(place).collect();
        let players = self.players();
        let along = |(section, odds): (SectionNumber, Vec<Option<f64>>)| AlongJson {
            place: place(&section),
            odds: players.iter().map(|(who, _)| who.clone()).zip(odds.into_iter().map(Value::from)).collect(),
        };
        let choices = |own: &[ChoiceVerdict]| own.iter().map(|own| self.choice_json(own)).collect();
        let worth = |(own, difference): (&gamebook::Worth, f64)| WorthJson {
            what: own.what.clone(),
            change: own.change,
            line: self.line_of(own),
            win: Number::from(&own.win),
            difference,
        };
        ReportJson {
            format: 1,
            book: self.book.title.clone(),
            file: self.lines.name().into(),
            start: section_json(self.book, self.question.start),
            players: players.iter().map(|(who, own)| self.player_json(who, own)).collect(),
            way: self.odds_along().into_iter().map(along).collect(),
            never_right: choices(&report.never_right),
            always_right: choices(&report.always_right),
            unwinnable: places(&report.unwinnable),
            never_entered: places(&report.never_entered),
            never_by_best_play: places(&report.shunned),
            loops: report
                .loops
                .iter()
                .map(|own| LoopJson {
                    what: own.what.clone(),
                    got_in: places(&own.got_in),
                    sections: places(&own.sections),
                })
                .collect(),
            worth: self.worths.as_ref().map(|_| self.worths_by_size().into_iter().map(worth).collect()),
            seconds: self.seconds,
        }
    }

    fn player_json(&self, who: &str, own: &Player) -> PlayerJson {
        let length = |own: &Length| LengthJson { mean: Number::from(&own.mean), deviation: own.deviation };
        let (win, estimate) = match &own.win {
            Odds::Known(win) => (Some(Number::from(win)), None),
            Odds::Estimated { won, plays } => (None, Some(EstimateJson { won: *won, plays: *plays })),
        };
        let end = |(section, probability): &(SectionNumber, f64)| EndJson {
            place: SectionPlace::new(self.book, &self.lines, *section),
            probability: *probability,
        };
        PlayerJson {
            who: who.into(),
            win,
            estimate,
            sections: own.sections.as_ref().map(length),
            rolls: own.rolls.as_ref().map(length),
            victories: own.victories.iter().map(end).collect(),
            deaths: own.deaths.iter().map(end).collect(),
        }
    }

    fn choice_json(&self, own: &ChoiceVerdict) -> ChoiceJson {
        let line = own.span.as_ref().map(|span| self.lines.line(span));
        ChoiceJson {
            section: section_json(self.book, own.section),
            line: line.or_else(|| self.lines.of_section(self.book, own.section)),
            label: own.label.clone(),
            to: own.to.map(|to| section_json(self.book, to)),
            offered: own.offered,
            win: own.win,
        }
    }
}
