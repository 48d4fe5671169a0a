//! `index.json`: the description of an archive.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the format that is read and written.
pub(super) const VERSION: u32 = 1;

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Index {
    pub(super) format_version: u32,
    pub(super) format_revision: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) file_data: Option<FileData>,
    pub(super) transition_system: TransitionSystem,
    /// By group (`aps`, `rewards`, others) and identifier.
    #[serde(default)]
    pub(super) annotations: BTreeMap<String, BTreeMap<String, Annotation>>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct FileData {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct TransitionSystem {
    pub(super) time: String,
    #[serde(rename = "#players")]
    pub(super) players: u64,
    #[serde(rename = "#states")]
    pub(super) states: u64,
    #[serde(rename = "#initial-states")]
    pub(super) initial_states: u64,
    #[serde(rename = "#choices")]
    pub(super) choices: u64,
    #[serde(rename = "#choice-actions")]
    pub(super) choice_actions: u64,
    #[serde(rename = "#branches")]
    pub(super) branches: u64,
    #[serde(rename = "#branch-actions")]
    pub(super) branch_actions: u64,
    #[serde(rename = "#observations")]
    pub(super) observations: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) branch_probability_type: Option<Type>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Type {
    #[serde(rename = "type")]
    pub(super) name: String,
    /// In bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<u32>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Annotation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) alias: Option<String>,
    pub(super) applies_to: Vec<String>,
    #[serde(rename = "type")]
    pub(super) value: Type,
}

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Double,
    /// Numerator and denominator, this many bytes each.
    Rational(usize),
}

/// The longest numerator or denominator, in bytes.
pub(super) const LONGEST: u32 = 4096;

impl Encoding {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Double => 8,
            Self::Rational(half) => 2 * half,
        }
    }

    /// The encoding of a type, or what is wrong with it and what would be right.
    pub(super) fn of(value: &Type) -> Result<Self, (String, &'static str)> {
        match (value.name.as_str(), value.size) {
            ("double", None | Some(64)) => Ok(Self::Double),
            ("rational", size) => match size.unwrap_or(128) {
                size if size > 0 && size.is_multiple_of(16) && size / 16 <= LONGEST => {
                    Ok(Self::Rational((size / 16) as usize))
                }
                size => Err((format!("fractions of {size} bits"), "a multiple of 128, at most 65536")),
            },
            (name, size) if name.ends_with("-interval") => {
                let _ = size;
                Err((format!("numbers of type `{name}`"), "intervals are not supported: every number must be known"))
            }
            (name, size) => {
                let size = size.map(|size| format!(" of {size} bits")).unwrap_or_default();
                Err((format!("numbers of type `{name}`{size}"), "double (64 bits) or rational"))
            }
        }
    }
}
