//! Which module defines what a path names.

use std::collections::{BTreeMap, BTreeSet};

use crate::scan::{Import, Module, ModulePath};

/// More re-exports than this behind each other are taken for a name that leads round.
const MOST_REEXPORTS: usize = 16;

/// The names of one crate.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

impl Names {
    /// What the code of `own` names: the module that defines it, and its name.
    pub(crate) fn uses_of(&self, own: &ModulePath) -> BTreeSet<(ModulePath, String)> {
        let module = &self.modules[own];
        let mut uses = BTreeSet::new();
        for import in module.imports.iter().filter(|import| !import.exported) {
            let Some(path) = self.absolute(&import.path, own) else { continue };
            if import.alias == "*" {
                let base = &path[..path.len() - 1];
                for name in &module.identifiers {
                    uses.extend(self.defining(&[base, std::slice::from_ref(name)].concat(), 0));
                }
            } else {
                uses.extend(self.defining(&path, 0));
            }
        }
        for path in &module.paths {
            uses.extend(self.absolute(path, own).and_then(|path| self.defining(&path, 0)));
        }
        uses
    }

    /// The path from the crate's root, if it leads anywhere in this crate.
    fn absolute(&self, path: &[String], own: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|segment| *segment == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([own, &path[1..]].concat()),
            "super" => Some([&own[..own.len().checked_sub(supers)?], &path[supers..]].concat()),
            first => {
                let child = [own, std::slice::from_ref(&path[0])].concat();
                if self.modules.contains_key(&child) {
                    return Some([own, path].concat());
                }
                // A module or type that was imported; `use x::x` would name itself.
                let import = self.modules[own].imports.iter().find(|import| import.alias == *first)?;
                if import.path.first()? == first {
                    return None;
                }
                Some([self.absolute(&import.path, own)?.as_slice(), &path[1..]].concat())
            }
        }
    }

    /// The module that defines what `path` names.
    fn defining(&self, path: &[String], reexports: usize) -> Option<(ModulePath, String)> {
        let cut = (0..=path.len()).rev().find(|&cut| self.modules.contains_key(&path[..cut]))?;
        let (module, rest) = path.split_at(cut);
        let Some(name) = rest.first() else { return Some((module.to_vec(), "(module)".to_string())) };
        let found = &self.modules[module];
        if found.defined.contains(name) {
            return Some((module.to_vec(), name.clone()));
        }
        if reexports > MOST_REEXPORTS {
            return None;
        }
        let through = |import: &Import| {
            let base = self.absolute(&import.path, module)?;
            let path = if import.alias == "*" {
                [&base[..base.len() - 1], rest].concat()
            } else if import.alias == *name {
                [base.as_slice(), &rest[1..]].concat()
            } else {
                return None;
            };
            self.defining(&path, reexports + 1)
        };
        found.imports.iter().find_map(through)
    }
}
