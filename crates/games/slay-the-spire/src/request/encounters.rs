//! Which fights will be met.

use mdp::Rational;

use crate::rules::setup::Foe;

/// Groups of enemies with the shares in which they are met.
pub type Encounters = Vec<(Rational, Vec<Foe>)>;
