//! Models and games of one's own as a part of the Explorer: the page of a model and that of a walk.

use crate::assets::assets;
use crate::model::{
    AboutQuestion, AroundQuestion, FindQuestion, OutcomesQuestion, SolveQuestion, StateQuestion, WalkQuestion,
};
use crate::model_page;
use crate::site::{Site, asked};

pub const SITE: Site = Site {
    name: "Models",
    about: "Any game: a model from a file, or your own rules. Every state with its choices and their odds, drawn and walked through.",
    is_listed: |library| !library.models.is_empty(),
    pages: &[("/model", model_page::page), ("/model/walk", model_page::walk_page)],
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
