//! Reads a model and says how long that took: `read FILE`.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use budget::Budget;
use model_files::read;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: read FILE")?;
    let start = Instant::now();
    let model = read(Path::new(&path), &Budget::default())?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} states, {} choices, {} transitions", model.states(), model.choice_count(), model.transitions());
    println!("{} different distributions, {} bytes of arrays", model.distributions().len(), model.bytes());
    println!("{seconds:.3} s");
    Ok(())
}
