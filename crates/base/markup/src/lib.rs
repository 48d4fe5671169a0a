//! How a text becomes a part of HTML or SVG. What is drawn or shown it must never know. Start reading at [`escaped`],
//! which is all of it.

/// A text that means nothing else in HTML, SVG or other XML, between tags and in quoted attributes alike. What no XML may
/// hold is replaced.
///
/// ```
/// assert_eq!(markup::escaped("\"Stop!\" & <go>\u{7}"), "&quot;Stop!&quot; &amp; &lt;go&gt;\u{fffd}");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for own in text.chars() {
        match own {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(own),
            own if own.is_control() || matches!(own, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            own => out.push(own),
        }
    }
    out
}
