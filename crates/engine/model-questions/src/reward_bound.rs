//! A bound on the total of a reward model, as text.

use std::str::FromStr;

use mdp::Rational;
use model_files::parse_number;
use serde::Serialize;

/// A bound on the total of a reward model.
///
/// ```
/// use model_questions::RewardBound;
///
/// let bound: RewardBound = "cost=7/2".parse()?;
/// assert_eq!((bound.name.as_str(), bound.most), ("cost", mdp::ratio(7, 2)));
/// assert!("cost=-1".parse::<RewardBound>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RewardBound {
    /// The reward model.
    pub name: String,
    /// The largest total.
    #[serde(serialize_with = "as_text")]
    pub most: Rational,
}

fn as_text<S: serde::Serializer>(number: &Rational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl FromStr for RewardBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, most) = text.rsplit_once('=').ok_or("expected NAME=MOST, such as cost=12")?;
        let most = parse_number(most.trim().as_bytes())?;
        if most < Rational::ZERO {
            Err("a bound is at least 0".into())
        } else {
            Ok(Self { name: name.trim().into(), most })
        }
    }
}
