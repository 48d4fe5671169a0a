//! Plays by their names.

/// One play, as written in files.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<String>,
    /// The potion: `fear potion`.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    pub potion: Option<String>,
    /// The enemy's place from the left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u8>,
    /// The card that it exhausts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaust: Option<String>,
    /// The card that is chosen for it otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// Whether the turn is ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_turn: Option<bool>,
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = self.play.as_deref().or(self.potion.as_deref()).or(self.choice.as_deref());
        f.write_str(what.unwrap_or("end the turn"))?;
        if let Some(target) = self.target.filter(|target| *target > 0) {
            write!(f, " at enemy {}", target + 1)?;
        }
        if let Some(chosen) = self.exhaust.as_deref().or(self.choice.as_deref()).filter(|_| self.play.is_some()) {
            write!(f, " ({chosen})")?;
        }
        Ok(())
    }
}
