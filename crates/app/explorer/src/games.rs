//! The games of the Explorer, in the order of the navigation.

use crate::site::Site;
use crate::{fighting_fantasy, gamebook, heroes, lone_wolf, model, red_november, slay_the_spire};

/// All of them.
pub const SITES: &[Site] = &[
    gamebook::SITE,
    heroes::SITE,
    lone_wolf::SITE,
    fighting_fantasy::SITE,
    slay_the_spire::SITE,
    red_november::SITE,
    model::SITE,
];
