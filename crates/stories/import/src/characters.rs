//! The empty elements that stand for characters in Project Aon's files.

/// The character for which an empty element stands; nothing for an element that is none.
pub(crate) fn character(name: &str) -> &'static str {
    match name {
        "ch.apos" | "ch.rsquot" => "\u{2019}",
        "ch.ellips" | "ch.lellips" => "\u{2026}",
        "ch.lsquot" => "\u{2018}",
        "ch.ldquot" => "\u{201c}",
        "ch.rdquot" => "\u{201d}",
        "ch.endash" => "\u{2013}",
        "ch.emdash" => "\u{2014}",
        "ch.minus" => "\u{2212}",
        "ch.plus" => "+",
        "ch.times" => "\u{d7}",
        "ch.frac12" => "\u{bd}",
        "ch.ampersand" => "&",
        "ch.nbsp" | "ch.thinspace" | "br" => " ",
        "ch.copy" => "\u{a9}",
        "ch.uuml" => "\u{fc}",
        "ch.ucirc" => "\u{fb}",
        "ch.acirc" => "\u{e2}",
        "ch.ecirc" => "\u{ea}",
        "ch.ocirc" => "\u{f4}",
        "ch.eacute" => "\u{e9}",
        "ch.ccedil" => "\u{e7}",
        "ch.blankline" => "____",
        _ => "",
    }
}
