//! What the files of a crate define, import and name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// A module's path in its crate, `["explore", "worker"]`; the root is empty.
pub(crate) type ModulePath = Vec<String>;

/// The names in one file.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// Names of its items.
    pub(crate) defined: BTreeSet<String>,
    /// Imports, re-exports among them.
    pub(crate) imports: Vec<Import>,
    /// Paths of two or more segments in its code.
    pub(crate) paths: BTreeSet<Vec<String>>,
    /// All identifiers in its code: what a glob import may stand for.
    pub(crate) identifiers: BTreeSet<String>,
    /// Modules that it declares for tests only.
    test_modules: BTreeSet<String>,
}

/// One name of a `use`.
#[derive(Debug)]
pub(crate) struct Import {
    /// As written: `["super", "rules", "Rules"]`; the last segment is `*` for a glob.
    pub(crate) path: Vec<String>,
    /// What it is called here.
    pub(crate) alias: String,
    /// Whether it only hands the name on.
    pub(crate) exported: bool,
}

/// The modules of the crate whose source lies in `src`, without those for tests.
pub(crate) fn modules(src: &Path) -> Result<BTreeMap<ModulePath, Module>, String> {
    let mut modules = BTreeMap::new();
    read_folder(src, &mut Vec::new(), &mut modules)?;
    let tests: BTreeSet<ModulePath> = modules
        .iter()
        .flat_map(|(path, module): (&ModulePath, &Module)| {
            module.test_modules.iter().map(|name| [path.as_slice(), std::slice::from_ref(name)].concat())
        })
        .collect();
    modules.retain(|path, _| !(1..=path.len()).any(|length| tests.contains(&path[..length])));
    Ok(modules)
}

fn read_folder(folder: &Path, path: &mut ModulePath, modules: &mut BTreeMap<ModulePath, Module>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let file = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
        if file.is_dir() {
            path.push(stem);
            read_folder(&file, path, modules)?;
            path.pop();
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let tokens: TokenStream = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
            let mut module = Module::default();
            module.read(tokens);
            let name = if matches!(stem.as_str(), "lib" | "main" | "mod") { None } else { Some(stem) };
            modules.insert(path.iter().cloned().chain(name).collect(), module);
        }
    }
    Ok(())
}

impl Module {
    /// Reads a file, or what stands within brackets.
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = match &tokens[at] {
                TokenTree::Punct(punct) if punct.as_char() == '#' => self.read_attribute(&tokens, at),
                TokenTree::Ident(ident) if ident == "use" => self.read_use(&tokens, at),
                TokenTree::Ident(_) => self.read_path(&tokens, at),
                TokenTree::Group(group) => {
                    self.read(group.stream());
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    /// Steps over an attribute, and over the item behind it if that is for tests.
    fn read_attribute(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let inner = matches!(tokens.get(at + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == '!');
        let behind = at + 2 + usize::from(inner);
        let Some(TokenTree::Group(attribute)) = tokens.get(behind - 1) else { return at + 1 };
        if attribute.stream().to_string().replace(' ', "") != "cfg(test)" {
            return behind;
        }
        let item = &tokens[behind..];
        let length = item.iter().position(ends_item).map_or(item.len(), |last| last + 1);
        if let Some(name) = item[..length].windows(2).find(|pair| is_ident(&pair[0], "mod")) {
            self.test_modules.insert(name[1].to_string());
        }
        behind + length
    }

    /// Reads `use ...;`.
    fn read_use(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let tree = &tokens[at + 1..];
        let length = tree.iter().position(|token| is_punct(token, ';')).unwrap_or(tree.len());
        // `pub use`, or `pub(crate) use`.
        let before = |back: usize| at.checked_sub(back).map(|index| &tokens[index]);
        let exported = match before(1) {
            Some(TokenTree::Ident(ident)) => ident == "pub",
            Some(TokenTree::Group(_)) => before(2).is_some_and(|token| is_ident(token, "pub")),
            _ => false,
        };
        self.read_tree(&tree[..length], &mut Vec::new(), exported);
        at + length + 2
    }

    /// Reads `a::b::{c, d as e}`, and all that stands within.
    fn read_tree(&mut self, tree: &[TokenTree], before: &mut Vec<String>, exported: bool) {
        let depth = before.len();
        let mut alias = None;
        let mut at = 0;
        while at < tree.len() {
            match &tree[at] {
                TokenTree::Ident(ident) if ident == "as" => {
                    alias = tree.get(at + 1).map(TokenTree::to_string);
                    at += 1;
                }
                TokenTree::Ident(ident) => before.push(ident.to_string()),
                token if is_punct(token, '*') => before.push("*".to_string()),
                TokenTree::Group(group) => {
                    self.read_trees(group, before, exported);
                    before.truncate(depth);
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        if before.len() > 1 && before.last().is_some_and(|last| last == "self") {
            before.pop();
        }
        if let Some(last) = before.last() {
            self.imports.push(Import { path: before.clone(), alias: alias.unwrap_or_else(|| last.clone()), exported });
        }
        before.truncate(depth);
    }

    fn read_trees(&mut self, group: &Group, before: &mut Vec<String>, exported: bool) {
        let trees: Vec<TokenTree> = group.stream().into_iter().collect();
        for tree in trees.split(|token| is_punct(token, ',')).filter(|tree| !tree.is_empty()) {
            self.read_tree(tree, before, exported);
        }
    }

    /// Reads an identifier, the item that it announces, or the path that it begins.
    fn read_path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        const ITEMS: [&str; 9] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];
        let mut path = vec![tokens[at].to_string()];
        self.identifiers.insert(path[0].clone());
        if ITEMS.contains(&path[0].as_str()) {
            let skipped = usize::from(path[0] == "macro_rules");
            if let Some(TokenTree::Ident(name)) = tokens.get(at + 1 + skipped) {
                self.defined.insert(name.to_string());
            }
            return at + 1;
        }
        let mut end = at + 1;
        while let [first, second, TokenTree::Ident(next), ..] = &tokens[end..]
            && is_punct(first, ':')
            && is_punct(second, ':')
        {
            path.push(next.to_string());
            self.identifiers.insert(next.to_string());
            end += 3;
        }
        if path.len() > 1 {
            self.paths.insert(path);
        }
        end
    }
}

fn ends_item(token: &TokenTree) -> bool {
    is_punct(token, ';') || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_ident(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == wanted)
}
