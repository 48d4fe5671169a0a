//! What the player says at the prompt.

/// What the player says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
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

impl Said {
    pub(super) fn new(line: &str) -> Self {
        const WORDS: [(&str, Said); 7] = [
            ("hint", Said::Hint),
            ("sheet", Said::Sheet),
            ("roll", Said::Roll),
            ("undo", Said::Undo),
            ("restart", Said::Restart),
            ("help", Said::Help),
            ("quit", Said::Quit),
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
        word.map_or_else(|| Self::Unclear(line.chars().take(40).collect()), |(_, said)| said)
    }
}

#[cfg(test)]
mod tests;
