//! The source and the documents use the words of the field: none of the private words that were replaced by them comes back.

use std::path::{Path, PathBuf};

use super::root;

/// The only files that keep the replaced words: this list of them, and the changelog, which names what was renamed.
const EXCEPTIONS: [&str; 2] = ["tests/walls/src/tests/glossary.rs", "CHANGELOG.md"];

/// Folders with files that nobody wrote for this repository.
const FOREIGN: [&str; 2] = ["target", "node_modules"];

/// Words that stand alone or are a part of an identifier, and what the field says instead.
const WORDS: [(&str, &str); 15] = [
    ("agenda", "frontier"),
    ("circulate", "expected visits of a component"),
    ("crowd", "histogram of states"),
    ("unsound", "invalid"),
    ("whomever", "an object: the enemies, the player"),
    ("told", "reported, expanded, given"),
    ("teller", "worker, expander"),
    ("telling", "expansion, reporting"),
    ("said", "recorded, requested, given"),
    ("settle", "resolve, solve, converge"),
    ("settled", "resolved, solved, converged"),
    ("settles", "resolves, solves, converges"),
    ("party", "lane group"),
    ("parties", "lane groups"),
    ("whoever", "a subject: the player, the caller, a process"),
];

/// Phrases, and what the field says instead.
const PHRASES: [(&str, &str); 14] = [
    ("hears of", "is notified of"),
    ("who asks", "the client, the caller"),
    ("who waits", "the client, the caller"),
    ("comes by", "visits"),
    ("come by", "visit"),
    ("goes round", "has a cycle, stays in a cycle"),
    ("go round", "have a cycle, stay in a cycle"),
    ("what waits", "the frontier, what is pending"),
    ("wait to be", "the frontier, what is pending"),
    ("is said of", "is recorded for, applies to"),
    ("says the same", "is equal, is isomorphic"),
    ("say the same", "are equal, are isomorphic"),
    ("nobody ever", "never, no play reaches"),
    ("must never know", "knows nothing of"),
];

/// The endings of documents and of source: Rust, pages, the Python package, scripts, books, settings.
const ENDINGS: [&str; 13] =
    ["rs", "md", "js", "mjs", "html", "css", "py", "pyi", "toml", "kdl", "prism", "twee", "ink"];

/// Honest uses of these words: terms and orders of others, plain English, sample text of stories.
const ALLOWED: [&str; 6] = ["third-party", "told to eat", "Told to eat", "told apart", "round by round", "- He said"];

/// The words of a line in lower case. Identifiers are split into their parts: `what_is_told`, `isTold` and `IsTold` into
/// three or two words.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for character in line.chars() {
        let starts = character.is_uppercase() && before.is_lowercase();
        if starts || !character.is_alphabetic() {
            words.push(String::new());
        }
        if character.is_alphabetic() {
            words.last_mut().expect("one word at least").extend(character.to_lowercase());
        }
        before = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The private words and phrases of a text, each with its line and its replacement. Phrases are found across the ends of
/// lines.
fn private(text: &str) -> Vec<String> {
    let mut honest = text.to_string();
    for allowed in ALLOWED {
        honest = honest.replace(allowed, "");
    }
    let numbered: Vec<(usize, String)> = (1..)
        .zip(honest.lines())
        .flat_map(|(number, line)| words(line).into_iter().map(move |word| (number, word)))
        .collect();
    let phrases = WORDS.iter().chain(&PHRASES).map(|(phrase, instead)| (words(phrase), *instead));
    let mut private = Vec::new();
    for (phrase, instead) in phrases {
        for window in numbered.windows(phrase.len()) {
            if window.iter().map(|(_, word)| word).eq(&phrase) {
                private.push(format!("line {}: \"{}\" ({instead})", window[0].0, phrase.join(" ")));
            }
        }
    }
    private
}

/// All files of source and all documents in a folder and in its folders.
fn texts(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !FOREIGN.contains(&&*name) {
                texts(&path, files);
            }
        } else if path.extension().and_then(|own| own.to_str()).is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path);
        }
    }
}

#[test]
fn the_repository_uses_the_words_of_the_field() {
    let mut files = Vec::new();
    texts(&root(), &mut files);
    for exception in EXCEPTIONS {
        let before = files.len();
        files.retain(|path| *path != root().join(exception));
        assert!(files.len() < before, "there is no {exception}");
    }
    for place in ["crates/engine/mdp/src/lib.rs", "python/src/lib.rs", "python/bestplay/model.py", "docs/python.md"] {
        assert!(files.contains(&root().join(place)), "{place}");
    }
    let mut found = Vec::new();
    for path in files {
        // Some are damaged input for tests.
        let bytes = std::fs::read(&path).expect("a file");
        found.extend(
            private(&String::from_utf8_lossy(&bytes)).into_iter().map(|word| format!("{}, {word}", path.display())),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn private_words_are_recognized() {
    for text in ["let told = 1;", "fn what_is_told()", "struct FightSaid;", "/// A hero comes\n/// by.", "whatWaits"] {
        assert_eq!(private(text).len(), 1, "{text}");
    }
    for text in ["a third-party library", "what it can become by splitting", "outsettled"] {
        assert_eq!(private(text), [""; 0], "{text}");
    }
}
