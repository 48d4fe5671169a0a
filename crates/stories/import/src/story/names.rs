//! The names of variables, and the numbers of texts, in the book.

use std::collections::{BTreeMap, BTreeSet};

use super::expression::Expression;

/// The names of variables, and the numbers of texts, in the book.
#[derive(Debug, Default)]
pub(crate) struct Names {
    variables: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    /// Texts that variables hold are numbers in the book.
    texts: BTreeMap<String, i64>,
}

/// Words that cannot be the name of a variable.
const WORDS: &str = "and or not has always never min max down up reading all draw goto if else-if else choice require death \
                     victory repeat again set clear raise let roll when test use fight enemy event resume gain lose take yes no \
                     after on local ally escape order full text todo start goal book section stub stat counter flags item \
                     container define hero policy true false null nan inf";

impl Names {
    /// The name of a variable in the book.
    pub(crate) fn name(&mut self, variable: &str) -> String {
        if let Some(name) = self.variables.get(variable) {
            return name.clone();
        }
        let mut name: String =
            variable.chars().map(|own| if own.is_ascii_alphanumeric() { own } else { '-' }).collect();
        name = name.trim_matches('-').to_ascii_lowercase();
        name.truncate(40);
        name.truncate(name.trim_end_matches('-').len());
        if !name.starts_with(|own: char| own.is_ascii_alphabetic()) || WORDS.split_whitespace().any(|own| own == name) {
            name = format!("v-{name}").trim_end_matches('-').into();
        }
        let is_ours = |name: &str| ["shown-", "roll-"].iter().any(|own| name.starts_with(own));
        let free = |name: &str| !self.taken.contains(name) && !is_ours(name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let name = [name.clone()].into_iter().chain(numbered).find(|own| free(own)).unwrap_or_default();
        self.taken.insert(name.clone());
        self.variables.insert(variable.into(), name.clone());
        name
    }

    /// The number that stands for a text.
    ///
    /// The empty text is 0, since it is false as a condition.
    pub(crate) fn text(&mut self, text: &str) -> i64 {
        if text.is_empty() {
            return 0;
        }
        let next = i64::try_from(self.texts.len()).expect("they lie in memory") + 1;
        *self.texts.entry(text.into()).or_insert(next)
    }

    /// The value of a constant expression.
    pub(crate) fn constant(&mut self, own: &Expression) -> Option<i64> {
        match own {
            Expression::Number(number) => Some(*number),
            Expression::Boolean(own) => Some(i64::from(*own)),
            Expression::Text(text) => Some(self.text(text)),
            _ => None,
        }
    }
}
