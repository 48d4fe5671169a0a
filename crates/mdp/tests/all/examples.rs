//! The examples run, and what they assert holds.

#[path = "../../examples/gambler.rs"]
mod gambler;
#[path = "../../examples/pig.rs"]
mod pig;
#[path = "../../examples/stickers.rs"]
mod stickers;

#[test]
fn examples_run() {
    pig::main().expect("pig");
    stickers::main().expect("stickers");
    gambler::main().expect("gambler");
}
