//! The source and the documents use the words of the field: none of the private words that were replaced by them comes back.

use std::path::{Path, PathBuf};

use super::root;

/// Crates whose names and comments use the words of the field. The list only grows.
const CRATES: [&str; 22] = [
    "app/allocator",
    "app/bestplay",
    "app/explorer",
    "app/standard-output",
    "base/budget",
    "base/graph",
    "base/markup",
    "base/whole-file",
    "engine/mdp",
    "engine/model-files",
    "engine/model-questions",
    "engine/prism",
    "engine/solved-table",
    "engine/verify",
    "gamebook/books",
    "gamebook/gamebook",
    "gamebook/systems",
    "games/fighting-fantasy",
    "games/lone-wolf",
    "games/red-november",
    "games/slay-the-spire",
    "stories/ink",
];

/// Other folders with source that uses the words of the field.
const FOLDERS: [&str; 3] = ["benches", "fuzz", "tests/browser"];

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

/// The endings of files of source, among them those of the pages.
const ENDINGS: [&str; 4] = ["rs", "js", "html", "css"];

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

/// All files of source in a folder and in its folders.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().and_then(|own| own.to_str()).is_some_and(|ending| ENDINGS.contains(&ending)) {
            files.push(path);
        }
    }
}

/// The private words in files, each after the path of its file.
fn private_in(files: &[PathBuf]) -> Vec<String> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("a file of text");
    let of = |path: &PathBuf| {
        private(&read(path)).into_iter().map(|word| format!("{}, {word}", path.display())).collect::<Vec<_>>()
    };
    files.iter().flat_map(of).collect()
}

#[test]
fn source_uses_the_words_of_the_field() {
    let mut files = Vec::new();
    for name in CRATES {
        sources(&root().join("crates").join(name), &mut files);
    }
    for folder in FOLDERS {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 200, "{}", files.len());
    let private = private_in(&files);
    assert!(private.is_empty(), "{}", private.join("\n"));
}

#[test]
fn documents_use_the_words_of_the_field() {
    let mut pages = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    let documents = std::fs::read_dir(root().join("docs")).expect("a folder").flatten().map(|entry| entry.path());
    pages.extend(documents.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    assert!(pages.len() > 20, "{}", pages.len());
    let private = private_in(&pages);
    assert!(private.is_empty(), "{}", private.join("\n"));
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
