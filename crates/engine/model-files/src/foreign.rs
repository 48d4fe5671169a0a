//! Texts of other formats, recognised by their beginnings.

/// The length of the text that is searched.
const LOOKED_AT: usize = 1 << 16;

/// A format and what would be right instead.
type Format = (&'static str, &'static str);

const JANI: Format = ("a JANI model", "DRN or UMB: Storm writes one (storm --jani FILE --exportexplicit FILE.drn)");
const JSON: Format = ("a text in JSON, which is no model", "a DRN, UMB or PRISM file");
const XML: Format = ("a text in XML, which is no model", "a DRN, UMB or PRISM file");
const DOT: Format = ("a picture of a graph (dot)", "the model that it shows, as DRN, UMB or PRISM file");
const POMDP: Format =
    ("a partially observable MDP in Cassandra's format", "an MDP, whose player sees everything, as DRN");
const PPDDL: Format = ("a planning problem in PPDDL", "the MDP that it stands for, as DRN, UMB or PRISM file");
const IMCA: Format = ("a Markov automaton in IMCA's format", "an MDP or a DTMC, without time, as DRN");
const MRMC: Format = ("a file of MRMC", "the whole model, as DRN, UMB or PRISM file");
const PROPERTIES: Format = ("a list of properties", "the model, with what is asked of it behind --goal");
const PACKED_PRISM: Format = ("a PRISM model, which is read as plain text only", "unpack it first");
const WHOLE: &str =
    "the whole model in one file: PRISM's source, or UMB (prism -importmodel FILES.all -exportmodel FILE.umb)";
const TRANSITIONS: Format = ("a table of transitions or rewards out of PRISM's explicit files (.tra, .trew)", WHOLE);
const INTERVALS: Format = (
    "a table of transitions of an interval model (.tra), whose probabilities are not known exactly",
    "one number for each",
);
const REWARDS: Format = ("a table of rewards out of PRISM's explicit files (.srew)", WHOLE);
const STATES: Format = ("a table of states out of PRISM's explicit files (.sta)", WHOLE);
const LABELS: Format = ("a table of labels out of PRISM's explicit files (.lab)", WHOLE);

/// Beginnings that identify a format.
const BEGINNINGS: &[(&[&str], Format)] = &[
    (&["<"], XML),
    (&["(define"], PPDDL),
    (&["digraph", "graph", "strict "], DOT),
    (&["discount:", "values:", "states:", "actions:", "observations:"], POMDP),
    (&["#INITIALS", "#GOALS", "#TRANSITIONS"], IMCA),
    (&["#DECLARATION", "STATES "], MRMC),
    (
        &["P=", "P<", "P>", "Pmin", "Pmax", "R=", "R<", "R>", "R{", "Rmin", "Rmax", "S=", "filter(", "multi("],
        PROPERTIES,
    ),
    (
        &["mdp", "dtmc", "ctmc", "ma", "pomdp", "pta", "smg", "module", "const", "nondeterministic", "probabilistic"],
        PACKED_PRISM,
    ),
];

/// The format of a text that is not DRN; `None` if it is not recognised.
pub(crate) fn foreign(text: &[u8]) -> Option<Format> {
    let text = String::from_utf8_lossy(&text[..text.len().min(LOOKED_AT)]);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with(['{', '[']) {
        let jani = ["\"jani-version\"", "\"automata\""].iter().any(|key| text.contains(key));
        return Some(if jani { JANI } else { JSON });
    }
    if let Some(table) = table(text) {
        return Some(table);
    }
    let begins = |word: &&str| {
        let rest = text.strip_prefix(*word);
        // The word must end there.
        rest.is_some_and(|rest| {
            !word.ends_with(char::is_alphabetic)
                || !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })
    };
    BEGINNINGS.iter().find(|(words, _)| words.iter().any(begins)).map(|(_, format)| *format)
}

/// The tables of PRISM's explicit files.
fn table(text: &str) -> Option<Format> {
    let is_comment = |line: &str| line == "#" || line.starts_with("# ");
    let own = |line: &&str| !line.is_empty() && !is_comment(line);
    let mut lines = text.lines().map(str::trim).filter(own);
    let first = lines.next()?;
    // Storm's tables begin with the type of the model.
    let typed = matches!(first, "mdp" | "dtmc" | "ctmc" | "MDP" | "DTMC" | "CTMC");
    let second = lines.next().unwrap_or_default();
    let is_state = |line: &str| {
        line.split_once(':').is_some_and(|(number, values)| is_count(number) && values.trim().starts_with('('))
    };
    if first.starts_with('(') && is_state(second) {
        return Some(STATES);
    }
    if first.starts_with("0=\"") {
        return Some(LABELS);
    }
    let counts = first.split_whitespace().collect::<Vec<_>>();
    let are_counts = (2..=4).contains(&counts.len()) && counts.iter().all(|count| is_count(count));
    if !typed && !are_counts {
        return None;
    }
    let entries: Vec<&str> = second.split_whitespace().collect();
    match entries.iter().position(|entry| entry.starts_with('[')) {
        Some(place) if place >= 2 => Some(INTERVALS),
        _ if entries.first().is_some_and(|entry| !is_count(entry)) => None,
        _ if entries.len() == 2 && !typed => Some(REWARDS),
        _ if typed && entries.is_empty() => None,
        _ => Some(TRANSITIONS),
    }
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
