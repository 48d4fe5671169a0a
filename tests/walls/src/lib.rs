//! The graph of a crate's modules, read from its source. It knows nothing of what the modules do. Start reading
//! at `scan.rs`, which finds the names in a file, and at `tests.rs`, which has the rules.
//!
//! A module is a file. There is an arrow from one module to another if code of the first names something that the second one
//! *defines*; a re-export (`pub use`) hands a name on and makes no arrow, wherever it stands. Code under `#[cfg(test)]` does not
//! count. Methods are not followed: a call `x.f()` makes no arrow to where `f` is written.
//!
//! The tests of this crate fail if modules form a circle, if a crate depends on one of a higher floor, if files or documents grow
//! too long, or if a document names what does not exist.

mod names;
mod scan;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use names::Names;

/// The modules of one crate and the arrows between them.
#[derive(Debug, Default)]
pub struct ModuleGraph {
    arrows: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
}

impl ModuleGraph {
    /// Reads the crate whose source lies in the folder `src`.
    ///
    /// # Errors
    ///
    /// What is wrong with a file that cannot be read, or is not Rust.
    pub fn read(src: &Path) -> Result<ModuleGraph, String> {
        let names = Names { modules: scan::modules(src)? };
        let mut graph = ModuleGraph::default();
        for own in names.modules.keys() {
            let arrows = graph.arrows.entry(own.join("::")).or_default();
            for (module, name) in names.uses_of(own) {
                if module != *own {
                    arrows.entry(module.join("::")).or_default().insert(name);
                }
            }
        }
        Ok(graph)
    }

    /// Every arrow that lies on a circle, as "from -> to" with the names that make it. The crate's root is called `lib`.
    pub fn circular_arrows(&self) -> BTreeMap<String, BTreeSet<String>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.arrows.keys().map(|module| (module.as_str(), self.reached_from(module))).collect();
        let shown = |module: &str| if module.is_empty() { "lib".to_string() } else { module.to_string() };
        let mut found = BTreeMap::new();
        for (from, arrows) in &self.arrows {
            for (to, names) in arrows {
                if reached[to.as_str()].contains(from.as_str()) {
                    found.insert(format!("{} -> {}", shown(from), shown(to)), names.clone());
                }
            }
        }
        found
    }

    /// Every arrow from a file of one folder of `src` to one of another, as the two folders and "from -> to".
    pub fn arrows_between_folders(&self) -> impl Iterator<Item = (&str, &str, String)> {
        let folder = |module: &'_ str| module.find("::").unwrap_or(module.len());
        self.arrows.iter().flat_map(move |(from, arrows)| {
            arrows.iter().filter_map(move |(to, names)| {
                let (own, other) = (&from[..folder(from)], &to[..folder(to)]);
                (own != other && !own.is_empty()).then(|| (own, other, format!("{from} -> {to} by {names:?}")))
            })
        })
    }

    /// The modules to which one or more arrows lead from `start`.
    fn reached_from(&self, start: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(module) = open.pop() {
            for next in self.arrows.get(module).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(next.as_str()) {
                    open.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests;
