//! Input of the player at the prompt.

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerInput {
    Numbers(Vec<u64>),
    Nothing,
    Hint,
    Sheet,
    Roll,
    Undo,
    Restart,
    Help,
    Quit,
    Unclear(String),
}

impl PlayerInput {
    pub(super) fn new(line: &str) -> Self {
        const WORDS: [(&str, PlayerInput); 7] = [
            ("hint", PlayerInput::Hint),
            ("sheet", PlayerInput::Sheet),
            ("roll", PlayerInput::Roll),
            ("undo", PlayerInput::Undo),
            ("restart", PlayerInput::Restart),
            ("help", PlayerInput::Help),
            ("quit", PlayerInput::Quit),
        ];
        let line = line.trim();
        let lower = line.to_lowercase();
        if lower.is_empty() {
            return Self::Nothing;
        }
        let numbers: Option<Vec<u64>> = lower.split_whitespace().map(|word| word.parse().ok()).collect();
        if let Some(numbers) = numbers {
            return Self::Numbers(numbers);
        }
        match lower.as_str() {
            "?" => return Self::Help,
            "exit" | "q!" => return Self::Quit,
            _ => {}
        }
        let word = WORDS.into_iter().find(|(word, _)| word.starts_with(&lower));
        word.map_or_else(|| Self::Unclear(line.chars().take(40).collect()), |(_, input)| input)
    }
}

#[cfg(test)]
mod tests;
