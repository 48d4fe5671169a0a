//! A committed table: of each case some lines.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub struct Table {
    file: &'static str,
    head: &'static str,
}

pub const VALUES: Table = Table {
    file: "values.txt",
    head: "\
# What the commands of cases.txt answer. A commit changes this file only if it names the answer that was wrong, or adds a case.
#
# A fraction, an integer, a name is as it stands here; of long ones their ends, length and hash. `in` are bounds: today's overlap
# these and are no wider. `~` is a floating-point number. Of long lists: the first and the last, a hash of what is exact in all
# of them, sums of the rest (the second weighted by place).
#
#     BESTPLAY_WRITE_ANSWERS=1 cargo test --locked -p bestplay --test answers
#     BESTPLAY_WRITE_ANSWERS=1 cargo test --release --locked -p bestplay --test answers -- --ignored
",
};

pub const WORDING: Table = Table {
    file: "wording.txt",
    head: "\
# How the commands of cases.txt say what they answer: the members of JSON with their types, and the lines of text with # for each
# number; lines that look alike are listed once, with a + before them. A commit that changes it says so.
#
#     BESTPLAY_WRITE_ANSWERS=1 cargo test --locked -p bestplay --test answers
",
};

/// The lines of each case, by its title.
pub type Entries = Vec<(String, Vec<String>)>;

impl Table {
    /// Compares what was asked today with the table, or writes it there. `titles` are those that belong into the table.
    ///
    /// # Panics
    /// If something is different.
    pub fn hold(&self, titles: &[String], today: Entries, differences: fn(&[String], &[String]) -> Vec<String>) {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers").join(self.file);
        let mut known = read(&std::fs::read_to_string(&path).unwrap_or_default());
        if std::env::var_os("BESTPLAY_WRITE_ANSWERS").is_some() {
            known.extend(today);
            std::fs::write(path, self.write(titles, &known)).expect("the table can be written");
            return;
        }
        let left_over = known.keys().filter(|&title| !titles.contains(title));
        let mut different: Entries =
            left_over.map(|title| (title.clone(), vec!["is in the table, and is not asked".into()])).collect();
        for (title, lines) in today {
            let lines = match known.get(&title) {
                Some(known) => differences(known, &lines),
                None => vec!["is not in the table".into()],
            };
            different.push((title, lines));
        }
        let count: usize = different.iter().map(|(_, lines)| lines.len()).sum();
        let (file, head) = (self.file, self.head);
        assert!(count == 0, "{count} differences to {file}:\n{}\n{file} begins:\n\n{head}", shown(&different));
    }

    fn write(&self, titles: &[String], entries: &HashMap<String, Vec<String>>) -> String {
        let mut text = self.head.to_owned();
        for (title, lines) in titles.iter().filter_map(|title| entries.get_key_value(title)) {
            text += &["\n$ ", title, "\n", &lines.join("\n"), "\n"].concat();
        }
        text
    }
}

fn read(text: &str) -> HashMap<String, Vec<String>> {
    let mut entries: HashMap<_, Vec<_>> = HashMap::new();
    let mut lines: Option<&mut Vec<String>> = None;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match (line.strip_prefix("$ "), &mut lines) {
            (Some(title), _) => lines = Some(entries.entry(title.to_owned()).or_default()),
            (None, Some(lines)) => lines.push(line.to_owned()),
            (None, None) => panic!("a line before the first case: {line}"),
        }
    }
    entries
}

/// The first differences of each case.
fn shown(different: &Entries) -> String {
    let mut text = String::new();
    for (title, lines) in different.iter().filter(|(_, lines)| !lines.is_empty()) {
        let first = lines.iter().take(20).map(String::as_str);
        text += &["\n", title].concat();
        text += &first.flat_map(|line| ["\n    ", line]).collect::<String>();
        text += if lines.len() > 20 { "\n    ...\n" } else { "\n" };
    }
    text
}

#[test]
fn what_is_written_is_read() {
    let entries =
        HashMap::from([("bestplay x --y '1 > 0'".to_owned(), vec!["win 1/2".to_owned(), "[#0] \"# $\"".to_owned()])]);
    let titles: Vec<_> = entries.keys().cloned().collect();
    assert_eq!(read(&VALUES.write(&titles, &entries)), entries);
}
