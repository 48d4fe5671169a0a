//! Slay the Spire: fights of Act 1.

mod fight;
mod page;
mod position;
mod reward;

use crate::pages::assets;
use crate::site::{Site, always, asked};

pub use page::address_of;
pub use position::PositionQuestion;

pub const SITE: Site = Site {
    name: "Slay the Spire",
    about: "The Ironclad against a Cultist or any other enemies of Act 1: every play and its value, step by step.",
    is_listed: always,
    pages: &[("/slay-the-spire", page::of_the_talk), ("/slay-the-spire/act-1", page::of_act_1)],
    endpoints: &[
        ("slay-the-spire/act-1/fight", asked::<fight::FightQuestion>),
        ("slay-the-spire/act-1/walk", asked::<fight::FightWalkQuestion>),
        ("slay-the-spire/act-1/reward", asked::<reward::RewardQuestion>),
        ("slay-the-spire/act-1/advise", asked::<PositionQuestion>),
    ],
    modules: assets!["slay-the-spire.js", "slay-the-spire-further.js"],
};
