//! The models and games that a server offers.

use std::fmt;
use std::sync::Arc;

use mdp::Game;
use model_files::ExplicitModel;

use super::file::{Explicit, Prism};
use super::game::GameSource;
use super::source::Source;

/// A model or a game on its page.
#[derive(Clone)]
pub struct OfferedModel {
    /// How addresses and questions call it.
    pub name: String,
    pub(crate) source: Arc<dyn Source>,
}

impl fmt::Debug for OfferedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OfferedModel").field("name", &self.name).finish_non_exhaustive()
    }
}

impl OfferedModel {
    /// A model that was read, from a file of this name.
    ///
    /// ```
    /// use budget::Budget;
    ///
    /// let text = "@type: MDP\n@nr_states\n2\n@model\nstate 0 init\naction go\n1 : 1\nstate 1 goal\n";
    /// let model = model_files::read_drn(text.as_bytes(), &Budget::default())?;
    /// assert_eq!(explorer::OfferedModel::explicit("models/go.drn", model).address(), "/model?model=go.drn");
    /// # Ok::<(), model_files::ReadError>(())
    /// ```
    pub fn explicit(name: &str, model: ExplicitModel) -> Self {
        Self::of(name, Explicit::new(model))
    }

    /// A model in the PRISM language, with values for what it leaves open.
    ///
    /// # Errors
    /// When the text is no such model, or a constant is missing.
    ///
    /// ```
    /// let text = "mdp const int N; module m x : [0..N] init 0; [up] x < N -> (x'=x+1); endmodule";
    /// let model = explorer::OfferedModel::prism("up.prism", text, &[("N", "3")])?;
    /// assert_eq!(model.name, "up.prism");
    /// assert!(explorer::OfferedModel::prism("up.prism", text, &[]).is_err());
    /// # Ok::<(), prism::Error>(())
    /// ```
    pub fn prism(name: &str, text: &str, constants: &[(&str, &str)]) -> Result<Self, prism::Error> {
        Ok(Self::of(name, Prism::new(text, constants)?))
    }

    /// A game of one's own. Pages show its states and actions by their [`fmt::Debug`]; [`Self::described_game`] takes other
    /// descriptions.
    pub fn game<G>(name: &str, game: G) -> Self
    where
        G: Game<State: 'static, Action: fmt::Debug> + Send + 'static,
    {
        Self::described_game(name, game, |state| format!("{state:?}"), |action| format!("{action:?}"))
    }

    /// A game of one's own, whose states and actions these functions describe.
    pub fn described_game<G>(
        name: &str,
        game: G,
        state: impl Fn(&G::State) -> String + Send + Sync + 'static,
        action: impl Fn(&G::Action) -> String + Send + Sync + 'static,
    ) -> Self
    where
        G: Game<State: 'static> + Send + 'static,
    {
        Self::of(name, GameSource::new(game, state, action))
    }

    fn of(name: &str, source: impl Source + 'static) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
        Self { name, source: Arc::new(source) }
    }

    /// The address of its page, from `/`.
    pub fn address(&self) -> String {
        let query: String = form_urlencoded::byte_serialize(self.name.as_bytes()).collect();
        format!("/model?model={query}")
    }
}
