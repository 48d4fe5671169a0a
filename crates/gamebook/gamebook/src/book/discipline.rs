//! The Kai Disciplines.

use std::fmt;
use std::str::FromStr;

/// A Kai Discipline. Weaponskill is in a certain weapon ([`Hero::weaponskill`](crate::Hero::weaponskill)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Discipline {
    /// Camouflage
    Camouflage,
    /// Hunting: no Meal is needed where hunting is possible
    Hunting,
    /// Sixth Sense
    SixthSense,
    /// Tracking
    Tracking,
    /// Healing: restores ENDURANCE in every section without a fight
    Healing,
    /// Weaponskill: more COMBAT SKILL with one weapon
    Weaponskill,
    /// Mindshield: protects from an enemy's mind
    Mindshield,
    /// Mindblast: more COMBAT SKILL against enemies who are not immune
    Mindblast,
    /// Animal Kinship
    AnimalKinship,
    /// Mind Over Matter
    MindOverMatter,
}

/// Every discipline with its name.
pub const DISCIPLINES: [(Discipline, &str); 10] = [
    (Discipline::Camouflage, "camouflage"),
    (Discipline::Hunting, "hunting"),
    (Discipline::SixthSense, "sixth-sense"),
    (Discipline::Tracking, "tracking"),
    (Discipline::Healing, "healing"),
    (Discipline::Weaponskill, "weaponskill"),
    (Discipline::Mindshield, "mindshield"),
    (Discipline::Mindblast, "mindblast"),
    (Discipline::AnimalKinship, "animal-kinship"),
    (Discipline::MindOverMatter, "mind-over-matter"),
];

impl Discipline {
    /// Its name in book files and arguments.
    pub fn name(self) -> &'static str {
        DISCIPLINES.iter().find(|(discipline, _)| *discipline == self).map_or("", |(_, name)| name)
    }
}

/// The names of disciplines as [`read_disciplines`](crate::read_disciplines) reads them: `weaponskill=sword` if the weapon is
/// known.
///
/// ```
/// use gamebook::{Discipline, discipline_names};
///
/// let known = [Discipline::Hunting, Discipline::Weaponskill];
/// assert_eq!(discipline_names(&known, Some("sword")), ["hunting", "weaponskill=sword"]);
/// ```
pub fn discipline_names(disciplines: &[Discipline], weapon: Option<&str>) -> Vec<String> {
    let name = |discipline: &Discipline| match (discipline, weapon) {
        (Discipline::Weaponskill, Some(weapon)) => format!("weaponskill={weapon}"),
        _ => discipline.to_string(),
    };
    disciplines.iter().map(name).collect()
}

impl fmt::Display for Discipline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Discipline {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        DISCIPLINES.iter().find(|(_, name)| *name == text).map(|(discipline, _)| *discipline).ok_or_else(|| {
            let names: Vec<&str> = DISCIPLINES.iter().map(|(_, name)| *name).collect();
            format!("there is no discipline `{text}`; there are {}", names.join(", "))
        })
    }
}
