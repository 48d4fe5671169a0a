//! Tools for authors and players: reading with all checks, reports, maps, plays, exports.
//!
//! The module may use everything below it, and nothing below uses it. It returns data and text; it prints nothing and knows no
//! command.
//!
//! `places.rs` names every number of a text, so that a what-if is an edit of the text; `follow.rs` plays an edited book by the
//! policy that was optimal before the edit, which gives a lower bound. `endless.rs` (in `passes`) searches the program alone
//! for loops.

mod built_in;
mod check;
mod export;
mod first_choices;
mod follow;
mod links;
mod map;
mod mentions;
mod outline;
mod places;
mod play;
mod reading;
mod report;
mod suppressions;
mod text_diff;

pub use built_in::{BUILT_IN, BUILT_IN_SERIES, KnownBounds, built_in, known_bounds};
pub use check::{check, check_hero, check_policy};
pub use export::Twee;
pub use first_choices::FirstChoice;
pub use links::{SectionLink, section_links};
pub use map::{BOX, Figures, Layout, Map, MapLink, SectionPosition, Visit, layout};
pub use mentions::{Mention, MentionKind};
pub use outline::Outline;
pub use places::{NoNumber, NumberPlace, number_named, numbers};
pub use play::{
    Chance, Corrected, End, EnteredSection, FightNow, NoStep, Phase, Play, PlayError, Prospect, Rolled, SheetKind,
    SheetLine, Step,
};
pub use reading::{read, read_beside, read_series, read_within};
pub use report::{ChoiceVerdict, Odds, Player, Report, Variant, Worth};
pub use suppressions::quiet;
pub use text_diff::{Piece, text_pieces};
