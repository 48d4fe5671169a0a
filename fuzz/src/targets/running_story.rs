//! Stories in ink as they are run.

use budget::{Budget, Limits};
use ink::{ReportOptions, StepLimits, Story};

use crate::{Corpus, Target, Verdict, budget};

/// A text is refused, or it is a story whose endings have probabilities.
pub const TARGET: Target = Target {
    name: "running-ink",
    corpus: &[
        Corpus::Files { folder: "crates/stories/ink/tests/data", ending: ".ink" },
        Corpus::Files { folder: "crates/stories/import/tests/data", ending: ".ink" },
    ],
    words: &[
        "=== mill ===\n",
        "= loft\n",
        "* [a] -> mill\n",
        "+ (label) {key and label > 1} [b] c\n",
        "** d\n",
        "- (gather) e\n",
        "-> END\n",
        "-> mill ->\n",
        "->->\n",
        "<- mill\n",
        "~ coins += 1\n",
        "~ temp x = RANDOM(1, 6)\n",
        "VAR key = true\n",
        "LIST bag = (rope), lamp\n",
        "{shuffle once:\n- a\n- b\n}\n",
        "{cycle:\n- {key: -> mill}\n}\n",
        "{a|b}",
        "{key: -> mill|x}",
        "TURNS_SINCE(-> mill)",
        "a or b and 2 * 3 / 4",
        "EXTERNAL host(x)\n",
        "# win",
        "INCLUDE other.ink\n",
    ],
    longest: 3_000,
    check: |input| {
        let Ok(text) = std::str::from_utf8(input) else { return Ok(Verdict::Refused) };
        let Ok(story) = Story::compile(text, "story.ink", |file| Err(format!("there is no {file}"))) else {
            return Ok(Verdict::Refused);
        };
        // A state takes a thousand times as long as one of a book.
        let budget = Budget::new(Limits { max_states: 100, ..*budget().limits() });
        let step = StepLimits { operations: 2_000, outcomes: 100 };
        let Ok(report) = story.report(&ReportOptions::default().with_budget(&budget).with_step(step)) else {
            return Ok(Verdict::Refused);
        };
        let known: f64 = report.random.endings.iter().map(|(_, share)| share.decimal()).sum();
        let sum = known + report.random.faults + report.random.open + report.random.forever;
        if (sum - 1.0).abs() > 1e-6 || !(0.0..=1.0).contains(&report.value.lower) {
            return Err(format!("its ends have {sum} together, {:?}", report.value));
        }
        Ok(Verdict::Accepted)
    },
};
