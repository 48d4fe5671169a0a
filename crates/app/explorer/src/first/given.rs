//! The files that the server was started with, as links.

use gamebook::{BUILT_IN, BUILT_IN_SERIES};

use crate::files::File;
use crate::library::Library;

/// Books, series, tables and models that are not built in, and the other files.
pub fn given(library: &Library, files: &[File]) -> Vec<File> {
    let is_built_in = |name: &str| BUILT_IN.iter().chain(&BUILT_IN_SERIES).any(|(own, _)| *own == name);
    let gamebooks = library.gamebooks.books.iter().chain(&library.gamebooks.series);
    let gamebooks = gamebooks.filter(|book| !is_built_in(&book.name)).map(|book| (&book.book.title, book.address()));
    let tables = library.hero_tables.tables.iter().map(|table| (&table.name, table.address()));
    let models = library.models.models.iter().map(|model| (&model.name, model.address()));
    let all = gamebooks.chain(tables).chain(models).map(|(name, address)| File { name: name.clone(), address });
    all.chain(files.iter().cloned()).collect()
}
