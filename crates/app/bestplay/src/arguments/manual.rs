//! `bestplay completions` and `bestplay man`: shell scripts and manual pages, generated from the definitions of the arguments.

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::output::{self, Failure};
use crate::shown::Escapes;

/// Arguments of `completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  bestplay completions bash > ~/.local/share/bash-completion/completions/bestplay
  bestplay completions zsh > ~/.zfunc/_bestplay
  bestplay completions fish > ~/.config/fish/completions/bestplay.fish";

/// Arguments of `man`.
#[derive(Args)]
pub struct ManArgs {
    /// The directory for the pages; created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub const MAN_EXAMPLES: &str = "\
Examples:
  bestplay man ~/.local/share/man/man1
  man bestplay-gamebook-solve";

/// Prints the completion script for a shell.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    let name = command.get_name().to_string();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    output::print_with(Escapes::Text, |out| out.write_all(&script))
}

/// Writes a manual page for each command.
pub fn man(args: &ManArgs, mut command: Command) -> Result<(), Failure> {
    command.build();
    std::fs::create_dir_all(&args.folder).map_err(|error| output::unwritten(&args.folder, &error))?;
    page(command, &args.folder)
}

/// The page of a command, and those of its subcommands.
fn page(command: Command, folder: &Path) -> Result<(), Failure> {
    let visible = |own: &&Command| !own.is_hide_set() && own.get_name() != "help";
    let below: Vec<Command> = command.get_subcommands().filter(visible).cloned().collect();
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_string();
    let mut text = Vec::new();
    let file = folder.join(format!("{name}.1"));
    Man::new(command).render(&mut text).map_err(|error| output::unwritten(&file, &error))?;
    output::write_file(&file, |out| out.write_all(&text))?;
    below.into_iter().try_for_each(|own| page(own, folder))
}
