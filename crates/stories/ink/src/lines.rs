//! The text of a story before its lines are read: without comments, and with its declarations first.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The words that begin a declaration, which ink accepts anywhere.
const DECLARED: [&str; 4] = ["VAR", "CONST", "LIST", "EXTERNAL"];

/// A text without its comments; the lines stay as many.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find('/') {
        let (before, after) = rest.split_at(begin);
        result.push_str(before);
        if after.starts_with("//") {
            rest = &after[after.find(['\n', '\r']).unwrap_or(after.len())..];
        } else if let Some(comment) = after.strip_prefix("/*") {
            let end = comment.find("*/").map_or(after.len(), |end| end + 4);
            result.extend(after[..end].chars().filter(|sign| *sign == '\n'));
            rest = &after[end..];
        } else {
            result.push('/');
            rest = &after[1..];
        }
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// Whether a line declares something.
pub(crate) fn is_declaration(line: &str) -> bool {
    let line = line.trim_start();
    DECLARED.into_iter().any(|word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\t'])))
}

/// Removes the indent of lines after a list that is complete: the compiler would read them as more of its items.
pub(crate) fn end_lists(lines: &mut [Cow<'_, str>]) {
    let mut after_list = false;
    for line in lines {
        let text = line.trim();
        let (is_empty, ends) = (text.is_empty(), text.starts_with("LIST ") && !text.ends_with(','));
        if after_list && !is_empty && line.starts_with([' ', '\t']) {
            *line = Cow::Owned(line.trim_start().to_owned());
        }
        after_list = ends || after_list && is_empty;
    }
}

/// The braces that are open after a line, if these are before it.
pub(crate) fn braces_after(open: usize, line: &str) -> usize {
    (open + line.matches('{').count()).saturating_sub(line.matches('}').count())
}

/// Gives the gathers of one level in a knot one indent: the compiler takes them for different levels otherwise. In ink
/// indents mean nothing.
pub(crate) fn align_gathers(lines: &mut [Cow<'_, str>]) {
    let mut indents: BTreeMap<usize, String> = BTreeMap::new();
    let mut braces = 0usize;
    for line in lines {
        let text = line.trim_start();
        if text.starts_with('=') {
            indents.clear();
            braces = 0;
        }
        let (mut rest, mut level) = (text, 0usize);
        while let Some(after) = rest.strip_prefix('-').filter(|after| !after.starts_with('>')) {
            (rest, level) = (after.trim_start(), level + 1);
        }
        if braces == 0 && level > 0 {
            let indent = &line[..line.len() - text.len()];
            let known = indents.entry(level).or_insert_with(|| indent.to_owned());
            if known != indent {
                *line = Cow::Owned(format!("{known}{text}"));
            }
        }
        braces = braces_after(braces, line);
    }
}

/// Whether the compiler refuses declarations from this line on: a choice or a gather.
pub(crate) fn begins_weave(line: &str) -> bool {
    line.trim_start().starts_with(['*', '+', '-'])
}

/// Gives branches without conditions (`{x:` and lines `- yes`, `- no`) those that they have in ink: the first is taken
/// where the condition of the brace holds, the second elsewhere.
pub(crate) fn with_conditions(lines: &mut [Cow<'_, str>]) {
    for begin in 0..lines.len() {
        if let Some((condition, branches)) = bare_branches(lines, begin) {
            let opened = lines[begin].rfind('{').map_or(0, |brace| brace + 1);
            lines[begin].to_mut().truncate(opened);
            for (place, condition) in branches.into_iter().zip([condition.as_str(), "else"]) {
                let bullet = lines[place].find('-').map_or(0, |bullet| bullet + 1);
                lines[place].to_mut().insert_str(bullet, &format!(" {condition}:"));
            }
        }
    }
}

/// The condition of a brace that begins at the end of this line, and its one or two branches, if these have none.
fn bare_branches(lines: &[Cow<'_, str>], begin: usize) -> Option<(String, Vec<usize>)> {
    let (_, opened) = lines[begin].rsplit_once('{')?;
    let condition = opened.trim().strip_suffix(':')?;
    let is_sequence = |word: &str| matches!(word, "stopping" | "cycle" | "once" | "shuffle");
    if condition.trim().is_empty() || condition.split_whitespace().all(is_sequence) || condition.contains('}') {
        return None;
    }
    let (mut depth, mut branches) = (0usize, Vec::new());
    for (place, line) in lines.iter().enumerate().skip(begin + 1) {
        let text = line.trim_start();
        if depth == 0 && text.starts_with('}') {
            return matches!(branches.len(), 1 | 2).then(|| (condition.trim().to_owned(), branches));
        }
        let is_branch = depth == 0 && text.starts_with('-') && !text.starts_with("->");
        if is_branch && text.contains(':') || branches.is_empty() && !is_branch && !text.is_empty() {
            return None;
        }
        branches.extend(is_branch.then_some(place));
        depth = (depth + text.matches('{').count()).checked_sub(text.matches('}').count())?;
    }
    None
}

/// A line of text with a brace that ends on another one, split before the brace, as the compiler reads it: the first
/// part ends with glue, so that no line ends there. `None` if it is no such line.
pub(crate) fn split_brace(line: &str) -> Option<(String, &str)> {
    let text = line.trim_start();
    if text.is_empty() || text.starts_with(['*', '+', '-', '~', '{', '}', '=', '<']) {
        return None;
    }
    let mut open = Vec::new();
    for (place, sign) in line.char_indices() {
        match sign {
            '{' => open.push(place),
            '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    let (before, brace) = line.split_at(*open.first()?);
    let glue = if before.trim_end().ends_with("<>") { "" } else { "<>" };
    Some((format!("{before}{glue}"), brace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_without_conditions_get_those_of_the_brace() {
        let text = "{x ? y:\n - yes\n   {z}\n - no\n}\n{shuffle once:\n - a\n - b\n}\n{x:\n - 1: a\n}";
        let mut lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
        with_conditions(&mut lines);
        assert_eq!(lines[..5], ["{", " - x ? y: yes", "   {z}", " - else: no", "}"]);
        assert_eq!(lines[5..], text.lines().skip(5).collect::<Vec<_>>());
    }

    #[test]
    fn braces_over_several_lines_begin_a_line() {
        assert_eq!(split_brace("Here {x}? {"), Some(("Here {x}? <>".into(), "{")));
        assert_eq!(split_brace("Here <>{x:").map(|(before, _)| before), Some("Here <>".into()));
        assert!(split_brace("Here {x}").is_none() && split_brace("  {x:").is_none());
    }

    #[test]
    fn comments_leave_their_lines() {
        let text = "a // b\nc /* d\ne */ f\n/ * g\nh /* i";
        assert_eq!(without_comments(text), "a \nc \n f\n/ * g\nh ");
    }

    #[test]
    fn gathers_of_one_level_get_one_indent() {
        let mut lines: Vec<Cow<'_, str>> =
            " - a\n- b\n  - - c\n- -> d\n{\n- x: e\n}\n->f\n== k\n- g".lines().map(Cow::Borrowed).collect();
        align_gathers(&mut lines);
        assert_eq!(lines, [" - a", " - b", "  - - c", " - -> d", "{", "- x: e", "}", "->f", "== k", "- g"]);
    }

    #[test]
    fn declarations_are_known_by_their_words() {
        assert!(is_declaration("  VAR x = 1") && is_declaration("LIST\ta = b"));
        assert!(!is_declaration("VARIOUS things") && !is_declaration("* VAR x = 1"));
    }
}
