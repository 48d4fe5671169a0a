//! Models and games of one's own as a part of the Explorer: the page of a model and that of a walk.

use super::look::{AboutQuestion, FindQuestion, OutcomesQuestion, SolveQuestion, StateQuestion};
use super::neighbourhood::AroundQuestion;
use super::page;
use super::walk::WalkQuestion;
use crate::pages::assets;
use crate::site::{Site, asked};

pub const SITE: Site = Site {
    name: "Models",
    about: "Any game: a model from a file, or your own rules. Every state with its choices and their odds, drawn and walked through.",
    is_listed: |library| !library.models.models.is_empty(),
    pages: &[("/model", page::page), ("/model/walk", page::walk_page)],
    endpoints: &[
        ("model/about", asked::<AboutQuestion>),
        ("model/solve", asked::<SolveQuestion>),
        ("model/state", asked::<StateQuestion>),
        ("model/outcomes", asked::<OutcomesQuestion>),
        ("model/find", asked::<FindQuestion>),
        ("model/around", asked::<AroundQuestion>),
        ("model/walk", asked::<WalkQuestion>),
    ],
    modules: assets!["model.js", "model-question.js", "model-state.js", "model-drawing.js", "model-walk.js"],
};
