//! `bestplay serve`: the Explorer, a local web page over everything else.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use explorer::{Ceilings, File, Options, Server};

use crate::engine_args::parse_bytes;
use crate::output::{self, Failure};

/// Arguments of `serve`.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ServeArgs {
    /// Files to begin with: a position of Slay the Spire, a board of Red November
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = Options::default().port)]
    port: u16,
    /// Open the first page in the browser
    #[arg(long)]
    open: bool,
    /// The address to listen on. Anything but loopback lets other machines in
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), help_heading = ACCESS)]
    listen: IpAddr,
    /// A name under which browsers may call the server, beside its IP addresses and localhost (may be repeated)
    #[arg(long = "name", value_name = "NAME", help_heading = ACCESS)]
    names: Vec<String>,
    /// States of one solve
    #[arg(long, value_name = "COUNT", default_value_t = Ceilings::default().states, help_heading = LIMITS)]
    max_states: u64,
    /// Memory of one solve: 500MB, 2GB, 1.5GiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "1GiB", help_heading = LIMITS)]
    max_memory: u64,
    /// Solves at once
    #[arg(long, value_name = "COUNT", default_value = "2", help_heading = LIMITS)]
    max_solves: NonZeroUsize,
    /// Solves that wait for their turn; further ones are refused
    #[arg(long, value_name = "COUNT", default_value_t = Ceilings::default().waiting, help_heading = LIMITS)]
    max_waiting: usize,
    /// The longest request: 256KiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "256KiB", help_heading = LIMITS)]
    max_body: u64,
}

const ACCESS: &str = "Access";
const LIMITS: &str = "Limits";

const EXAMPLES: &str = "\
The pages need no network: everything is in this program, and everything is computed on this machine. Ctrl-C
ends it. docs/explorer.md describes the JSON endpoints.

Examples:
  bestplay serve --open
  bestplay serve --open position.json board.txt
  bestplay serve --port 8080 --max-memory 4GB
  bestplay serve --listen 0.0.0.0 --name games.lan";

fn file(path: &Path) -> Result<File, Failure> {
    let name = path.display().to_string();
    File::new(&name, &output::read_text(path)?).map_err(|error| {
        let right = "docs/slay-the-spire.md and docs/red-november.md have examples of files";
        Failure::bad_input(format_args!("no page shows {name}: {error}"), right)
    })
}

/// Serves until the process ends.
pub fn run(args: &ServeArgs) -> Result<(), Failure> {
    let files = args.files.iter().map(|path| file(path)).collect::<Result<Vec<File>, Failure>>()?;
    // A single file is opened itself, several are chosen from on the first page.
    let opened = if let [file] = &files[..] { file.address.clone() } else { "/".into() };
    let options = Options {
        files,
        ip: args.listen,
        port: args.port,
        names: args.names.clone(),
        ceilings: Ceilings {
            body: usize::try_from(args.max_body).unwrap_or(usize::MAX),
            states: args.max_states,
            memory: args.max_memory,
            solves: args.max_solves.get(),
            waiting: args.max_waiting,
        },
    };
    let stopped = |error| Failure::failed(format_args!("the server stopped: {error}"), "start it again");
    let runtime = tokio::runtime::Runtime::new().map_err(stopped)?;
    runtime.block_on(async {
        let server = Server::bind(options).await.map_err(|error| {
            Failure::failed(
                format_args!("cannot listen on {}, port {}: {error}", args.listen, args.port),
                "is it running already? Name another port with --port, or any free one with --port 0",
            )
        })?;
        let address = server.address();
        output::print(&format!("The Explorer is at {address} (Ctrl-C ends it)"))?;
        if args.open
            && let Err(error) = open::that_detached(address.trim_end_matches('/').to_owned() + &opened)
        {
            eprintln!("cannot open a browser: {error}");
        }
        server.run().await.map_err(stopped)
    })
}
