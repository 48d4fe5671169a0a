//! Groups of enemies with weights, as files have them.

use mdp::Rational;
use serde::Deserialize;

use super::encounters::Encounters;
use crate::numbers::fraction::{exactly, of_f64};
use crate::rules::setup::Foe;

/// A group of enemies that can be met.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    weight: Weight,
    enemies: Vec<FoeRequest>,
}

/// A number, or a fraction in a string.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Weight {
    Number(f64),
    Fraction(String),
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FoeRequest {
    kind: String,
    hp: Option<[u16; 2]>,
    curl_up: Option<[u8; 2]>,
}

impl GroupRequest {
    /// The groups of a file, with weights scaled to a sum of 1, or an error as text.
    pub(crate) fn encounters(groups: &[Self], ascension: u8) -> Result<Encounters, String> {
        let mut encounters = Vec::new();
        for Self { weight, enemies } in groups {
            let weight = weight.number().ok_or("a weight is a number above 0, or a fraction")?;
            if enemies.is_empty() {
                return Err("a group has no enemies".into());
            }
            let foes = enemies.iter().map(|foe| foe.foe(ascension)).collect::<Result<_, _>>()?;
            encounters.push((weight, foes));
        }
        if encounters.is_empty() {
            return Err("there are no groups of enemies".into());
        }
        let total = encounters.iter().fold(Rational::ZERO, |sum, (weight, _)| sum + weight);
        for (weight, _) in &mut encounters {
            *weight /= &total;
        }
        Ok(encounters)
    }
}

impl Weight {
    fn number(&self) -> Option<Rational> {
        let number = match self {
            Self::Number(number) => of_f64(*number),
            Self::Fraction(text) => exactly(text),
        };
        number.filter(|weight| *weight > Rational::ZERO)
    }
}

impl FoeRequest {
    fn foe(&self, ascension: u8) -> Result<Foe, String> {
        let kind = self.kind.parse().map_err(|error: crate::data::name::UnknownName| error.to_string())?;
        let mut foe = Foe::of(kind, ascension);
        if let Some([first, last]) = self.hp {
            foe.health = first..=last;
        }
        if let Some([first, last]) = self.curl_up {
            foe.curl_up = first..=last;
        }
        if foe.health.is_empty()
            || foe.curl_up.is_empty()
            || !(1..=999).contains(foe.health.start())
            || *foe.health.end() > 999
        {
            return Err(format!("{}: hp goes from 1 to 999, the lower number first", foe.kind));
        }
        Ok(foe)
    }
}
