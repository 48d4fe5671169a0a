//! Options that have become commands or have new names: the old spelling is an error that names the new one.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The old options: the commands, the option, and the new spelling.
const MOVED: [(&[&str], &str, &str); 12] = [
    (&["gamebook", "solve"], "--reader", "bestplay gamebook readers BOOK --reader NAME"),
    (&["gamebook", "solve"], "--rolled", "bestplay gamebook rolled BOOK"),
    (&["gamebook", "solve"], "--vary", "bestplay gamebook vary BOOK NUMBER=VALUES"),
    (&["gamebook", "solve"], "--curve", "bestplay gamebook vary BOOK NUMBER=VALUES --curve FILE.svg"),
    (&["gamebook", "solve"], "--state", "bestplay gamebook series BOOK --state DIR"),
    (&["gamebook", "solve"], "--plays", "bestplay gamebook series BOOK --plays COUNT"),
    (&["gamebook", "solve"], "--learn", "bestplay gamebook learn BOOK COUNT --weaponskill WEAPON"),
    (&["gamebook", "solve"], "--sample", "bestplay gamebook sample BOOK --plays COUNT"),
    (&["gamebook", "solve"], "--seed", "bestplay gamebook sample BOOK --seed N"),
    (&["gamebook", "solve"], "--forget", "bestplay gamebook bound BOOK NAME"),
    (&["mdp"], "--objective", "--sense max or --sense min"),
    (&["lone-wolf"], "--skill", "--combat-skill N"),
];

/// Adds the new spelling of a former option to an error.
pub fn with_new_spelling(mut error: clap::Error) -> clap::Error {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(new) = new_spelling(&arguments, option)
    {
        error.remove(ContextKind::SuggestedArg);
        let tip = format!("this is `{new}` now");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The new spelling of an option among these arguments.
fn new_spelling(arguments: &[String], option: &str) -> Option<&'static str> {
    let is_under = |commands: &[&str]| commands.iter().zip(arguments).all(|(command, own)| command == own);
    MOVED.iter().find(|(commands, old, _)| is_under(commands) && option == *old).map(|(.., new)| *new)
}
