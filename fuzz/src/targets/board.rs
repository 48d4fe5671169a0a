//! Boards of Red November.

use red_november::parse_board;

use crate::{Corpus, Target, Verdict};

/// A board is refused with its problems, or read.
pub const TARGET: Target = Target {
    name: "board",
    corpus: &[
        Corpus::Files { folder: "fuzz/corpus/board", ending: "" },
        Corpus::Files { folder: "crates/games/red-november/tests", ending: "boards.txt" },
    ],
    words: &[
        "rooms: ",
        "hatches: ",
        "start: ",
        " high",
        " low",
        " fire",
        " blocked",
        "1-2",
        "{",
        "}",
        "[",
        "]",
        "\"rooms\":",
        "null",
        "\n",
        ", ",
    ],
    longest: 10_000,
    check,
};

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    match parse_board(&text) {
        Ok(board) if board.rooms().is_empty() => Err("a board without rooms".into()),
        Ok(_) => Ok(Verdict::Accepted),
        Err(problems) if problems.list.is_empty() => Err("refused without a problem".into()),
        Err(_) => Ok(Verdict::Refused),
    }
}
