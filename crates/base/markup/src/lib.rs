//! Escapes text for HTML and SVG. This crate knows nothing about what is shown. Start reading at [`escaped`], its only
//! function.

/// A text escaped for HTML, SVG or other XML, for use between tags and in quoted attributes. Characters that XML does
/// not allow are replaced.
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
