//! Chapbook: variables before the text, modifiers in lines of their own, and inserts in braces.

use super::markup::{Markup, Widgets, held, name_of, target_of};
use crate::story::{Dialect, Expression, Step, expression, has_markup};

const CHAPBOOK: Dialect = Dialect::Chapbook;

/// The steps of a passage.
pub(super) fn steps(text: &str, first_line: usize, widgets: &Widgets) -> Vec<Step> {
    let mut steps = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let split = lines.iter().position(|line| line.trim_end() == "--");
    if let Some(split) = split {
        for (line, own) in (first_line..).zip(&lines[..split]) {
            steps.extend(variable(own, line));
        }
    }
    let mut block = Block::default();
    let mut last_test = None;
    for (number, own) in lines.iter().enumerate().skip(split.map_or(0, |split| split + 1)) {
        let own = own.trim_end();
        let line = first_line + number;
        let modifiers = own.strip_prefix('[').and_then(|own| own.strip_suffix(']'));
        match modifiers.filter(|own| !own.starts_with('[') && !own.ends_with(']') && !own.is_empty()) {
            Some(modifiers) => {
                std::mem::take(&mut block).close(widgets, &mut steps);
                block.line = line + 1;
                for own in modifiers.split(';') {
                    block.modify(own.trim(), line, &mut last_test, &mut steps);
                }
            }
            None => {
                if block.text.is_empty() && block.line == 0 {
                    block.line = line;
                }
                block.text.push_str(own);
                block.text.push('\n');
            }
        }
    }
    block.close(widgets, &mut steps);
    steps
}

/// Words that an author may choose, and that the browser or Chapbook has for something of its own.
const BROWSER: &str = "alert blur browser caches chrome close confirm crypto document engine external fetch find focus frames go \
    history innerHeight innerWidth localStorage location logger menubar navigation navigator now open origin \
    parent passage performance print prompt random restart scheduler screen screenX screenY scroll scrollX scrollY \
    scrollbars self statusbar stop story toolbar top window Animation Array Attr Audio Boolean Cache Comment Date \
    Document Element Error Event File Function Gamepad History Image Infinity Intl Iterator JSON Location Lock Map \
    Math NaN Node Notification Number Object Option Plugin Promise Proxy Range Reflect Request Response Screen \
    Selection Set Storage String Symbol Text Touch Window Worker";

/// `name: value`, or `name (condition): value`.
fn variable(own: &str, line: usize) -> Option<Step> {
    if own.trim().is_empty() {
        return None;
    }
    let wrong = |what: &str| Some(Step::Todo { line, what: format!("{what}: {}", own.trim()) });
    let Some((name, value)) = own.split_once(':') else { return wrong("a variable") };
    let (name, test) = match name.split_once('(') {
        Some((name, test)) => (name.trim(), test.trim_end().strip_suffix(')')),
        None => (name.trim(), None),
    };
    // They configure the page only.
    if name.starts_with("config.") {
        return None;
    }
    let word = name.split('.').next().unwrap_or(name);
    if BROWSER.split_whitespace().any(|own| own == word) {
        return wrong("a name of the browser's, which Chapbook reads in its place");
    }
    let Ok(Expression::Variable(name)) = expression(name, CHAPBOOK) else { return wrong("a variable") };
    let value = match expression(value, CHAPBOOK) {
        Ok(value) => value,
        Err(what) => return wrong(&what),
    };
    let set = Step::Set(line, name, value);
    match test.map(|test| expression(test, CHAPBOOK)) {
        None => Some(set),
        Some(Ok(test)) => Some(Step::If(line, vec![(test, vec![set])], Vec::new())),
        Some(Err(what)) => wrong(&what),
    }
}

/// The text that follows a modifier.
#[derive(Default)]
struct Block {
    text: String,
    /// The line in which it begins.
    line: usize,
    test: Option<Expression>,
    is_dropped: bool,
}

impl Block {
    fn modify(&mut self, own: &str, line: usize, last_test: &mut Option<Expression>, steps: &mut Vec<Step>) {
        let (word, rest) = own.split_once(' ').unwrap_or((own, ""));
        let mut todo = |what: String| steps.push(Step::Todo { line, what: format!("{what}[{own}]") });
        match word.to_ascii_lowercase().as_str() {
            "if" | "unless" => match expression(rest, CHAPBOOK) {
                Ok(test) => {
                    let test = if word.eq_ignore_ascii_case("if") { test } else { test.negated() };
                    *last_test = Some(test.clone());
                    self.test = Some(test);
                }
                Err(what) => {
                    todo(format!("{what}: "));
                    *last_test = None;
                }
            },
            "else" => match last_test {
                Some(test) => self.test = Some(test.clone().negated()),
                None => todo(String::new()),
            },
            "note" | "n.b." | "fixme" | "todo" | "css" if rest.is_empty() => {
                self.is_dropped = true;
            }
            "cont" | "continue" | "continued" | "cont'd" | "append" if rest.is_empty() => {}
            "align" | "after" => {}
            _ => todo(String::new()),
        }
    }

    fn close(self, widgets: &Widgets, steps: &mut Vec<Step>) {
        if self.is_dropped || self.text.trim().is_empty() {
            return;
        }
        let mut markup = Markup::new(CHAPBOOK, &self.text, self.line, widgets);
        let mut body = Vec::new();
        while !markup.rest().is_empty() {
            if markup.rest().starts_with('{') {
                insert(&mut markup, &mut body);
            } else {
                markup.link_or_text(&mut body);
            }
        }
        markup.flush(&mut body);
        match self.test {
            Some(test) => steps.push(Step::If(self.line, vec![(test, body)], Vec::new())),
            None => steps.append(&mut body),
        }
    }
}

/// Inserts that only show or play something.
const SHOWN: [&str; 11] = [
    "embed image",
    "embed flickr",
    "embed flickr image",
    "embed youtube",
    "embed youtube video",
    "embed unsplash",
    "embed unsplash image",
    "ambient sound",
    "no ambient sound",
    "sound effect",
    "theme switcher",
];

/// `{...}`
fn insert(markup: &mut Markup<'_>, steps: &mut Vec<Step>) {
    let line = markup.line();
    let Some(end) = markup.rest().find('}') else { return markup.read(1) };
    let inner = markup.rest()[1..end].trim();
    let whole = end + 1;
    markup.flush(steps);
    let (name, _) = inner.split_once(&[':', ','][..]).unwrap_or((inner, ""));
    let step = match name.trim() {
        "embed passage" | "embed passage named" => {
            let named = argument(inner, name.trim()).map(|own| Step::Include { line, target: name_of(own) });
            named.or_else(|| held(inner.split_once(':')?.1, CHAPBOOK, line, true))
        }
        "link to" => {
            let label = argument(inner, "label").or_else(|| argument(inner, "link to"));
            let target = argument(inner, "link to").map(|own| target_of(own, CHAPBOOK, line));
            label.zip(target).map(|(label, target)| Step::Link { label: label.into(), body: vec![target] })
        }
        "reveal link" => match (argument(inner, "reveal link"), argument(inner, "passage"), argument(inner, "text")) {
            (Some(label), Some(passage), _) => {
                let body = vec![Step::Include { line, target: name_of(passage) }];
                Some(Step::Click { label: label.into(), body, once: true })
            }
            (Some(_), None, Some(text)) if !has_markup(text) => Some(Step::Text(String::new())),
            _ => None,
        },
        name if SHOWN.contains(&name) => Some(Step::Text(String::new())),
        _ => expression(inner, CHAPBOOK).ok().map(|_| Step::Text(String::new())),
    };
    steps.push(step.unwrap_or_else(|| Step::Todo { line, what: format!("{{{inner}}}") }));
    markup.at += whole;
}

/// The text in quotes that an insert has under a name.
fn argument<'t>(insert: &'t str, name: &str) -> Option<&'t str> {
    let at = insert.find(name)?;
    let value = insert[at + name.len()..].trim_start().strip_prefix(':')?.trim_start();
    let quote = value.chars().next().filter(|own| matches!(own, '"' | '\''))?;
    let end = crate::story::end_of_text(value, quote)?;
    Some(&value[1..end])
}
