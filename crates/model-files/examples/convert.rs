//! Reads a model and writes it in the other format: `convert FILE FILE.drn|FILE.umb`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use model_files::{Compression, Limits, fingerprint, read, write_drn, write_umb};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        return Err("usage: convert FILE FILE.drn|FILE.umb".into());
    };
    let model = read(Path::new(from), &Limits::default())?;
    let file = BufWriter::new(File::create(to)?);
    if to.ends_with(".umb") {
        write_umb(&model, file, Compression::Gzip)?
    } else {
        write_drn(&model, file)?
    }
    println!("{} states, {} choices, {} transitions", model.states(), model.choice_count(), model.transitions());
    println!("{}", fingerprint(&model));
    Ok(())
}
