//! Writes a layered test model: `layered STATES SEED FILE.drn|FILE.umb`.

use std::error::Error;
use std::path::Path;

use budget::Budget;
use model_files::{Compression, layered, write_drn, write_umb};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [states, seed, path] = arguments.as_slice() else {
        return Err("usage: layered STATES SEED FILE.drn|FILE.umb".into());
    };
    let budget = Budget::default();
    let model = layered(states.parse()?, seed.parse()?)?;
    whole_file::write(Path::new(path), |file| {
        match Path::new(path).extension().and_then(|extension| extension.to_str()) {
            Some("umb") => write_umb(&model, file, Compression::Gzip, &budget),
            _ => write_drn(&model, file, &budget),
        }
    })?;
    println!("{} states, {} choices, {} transitions", model.states(), model.choice_count(), model.transitions());
    Ok(())
}
