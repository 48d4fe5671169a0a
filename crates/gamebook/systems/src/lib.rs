//! The rules of game systems that come with bestplay: texts that the crate `bestplay-gamebook` reads. This crate knows
//! nothing of what they mean. Start reading at [`SYSTEMS`], and at the texts beside the sources.
//!
//! It is a crate of its own, so that `bestplay-gamebook` includes the rules wherever it is built.

/// The numbers of Lone Wolf's rules, of which other files can differ.
///
/// ```
/// assert!(systems::LONE_WOLF.contains("combat-skill"));
/// ```
pub const LONE_WOLF: &str = include_str!("../lone-wolf.kdl");

/// Other systems: names and texts.
///
/// ```
/// assert!(systems::SYSTEMS.iter().any(|(name, _)| *name == "fighting-fantasy"));
/// ```
pub const SYSTEMS: [(&str, &str); 8] = [
    ("fighting-fantasy", include_str!("../fighting-fantasy.kdl")),
    ("grand-master", include_str!("../grand-master.kdl")),
    ("kai", include_str!("../kai.kdl")),
    ("lone-wolf-core", include_str!("../lone-wolf-core.kdl")),
    ("magnakai", include_str!("../magnakai.kdl")),
    ("magnakai-core", include_str!("../magnakai-core.kdl")),
    ("new-order", include_str!("../new-order.kdl")),
    ("none", include_str!("../none.kdl")),
];
