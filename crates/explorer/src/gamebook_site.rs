//! Gamebooks as a part of the Explorer: the page of a book and that of a walk, their endpoints and modules.

use crate::assets::assets;
use crate::gamebook::{
    AdviseQuestion, BookQuestion, FindQuestion, SectionQuestion, SeriesQuestion, SolveQuestion, WalkQuestion,
};
use crate::site::{Site, always, asked};
use crate::{gamebook_page, series_page, walk_page};

pub const SITE: Site = Site {
    name: "Gamebook",
    about: "A whole book of numbered sections, solved for your hero: a map of it, and the best choice wherever you are.",
    is_listed: always,
    pages: &[
        ("/gamebook", gamebook_page::page),
        ("/gamebook/walk", walk_page::page),
        ("/gamebook/series", series_page::page),
    ],
    endpoints: &[
        ("gamebook/book", asked::<BookQuestion>),
        ("gamebook/solve", asked::<SolveQuestion>),
        ("gamebook/find", asked::<FindQuestion>),
        ("gamebook/section", asked::<SectionQuestion>),
        ("gamebook/advise", asked::<AdviseQuestion>),
        ("gamebook/walk", asked::<WalkQuestion>),
        ("gamebook/series", asked::<SeriesQuestion>),
    ],
    modules: assets![
        "gamebook.js",
        "gamebook-conduct.js",
        "gamebook-dangers.js",
        "gamebook-draft.js",
        "gamebook-find.js",
        "gamebook-fold.js",
        "gamebook-hero.js",
        "gamebook-instead.js",
        "gamebook-map.js",
        "gamebook-series.js",
        "walk.js",
        "standing.js",
        "walk-kept.js",
        "walk-line.js",
        "walk-link.js",
    ],
};
