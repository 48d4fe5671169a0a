//! From text to KDL nodes with positions, including recovery from syntax errors.

mod chunks;
mod elide;
mod entries;
mod faults;
mod limits;
mod long_text;
mod mark;
mod newline;
mod parse;
mod parsed;
mod precautions;
mod scan;
mod segment;

pub(crate) use entries::{
    arguments, check_shape, children, entry_span, flag, flag_or, integer, integer_property, name_span, property,
    property_names, shown, shown_name, string,
};
pub(crate) use limits::{FORMAT, LAST_SECTION};
pub(crate) use mark::Mark;
pub(crate) use newline::{is_newline, kdl_lines};
pub(crate) use parse::{parse_kdl, report_reading};
pub(crate) use parsed::{Missing, Parsed};
pub(crate) use segment::long_texts;
