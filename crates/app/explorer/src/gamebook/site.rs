//! Gamebooks as a part of the Explorer: the page of a book and that of a walk, their endpoints and modules.

use super::advise::AdviseQuestion;
use super::book::BookQuestion;
use super::find::FindQuestion;
use super::pages;
use super::section::SectionQuestion;
use super::series::SeriesQuestion;
use super::solve::SolveQuestion;
use super::walk::WalkQuestion;
use crate::pages::assets;
use crate::site::{Site, always, asked};

pub const SITE: Site = Site {
    name: "Gamebook",
    about: "A whole book of numbered sections, solved for your hero: a map of it, and the best choice wherever you are.",
    is_listed: always,
    pages: &[
        ("/gamebook", pages::book::page),
        ("/gamebook/walk", pages::walk::page),
        ("/gamebook/series", pages::series::page),
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
        "gamebook-roll.js",
        "gamebook-series.js",
        "walk.js",
        "standing.js",
        "walk-kept.js",
        "walk-line.js",
        "walk-link.js",
    ],
};
