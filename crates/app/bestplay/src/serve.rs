//! `bestplay serve`: the Explorer, a local web page over everything else.

use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Limits};
use clap::Args;
use explorer::{Ceilings, File, HeroTable, OfferedBook, OfferedModel, Options, Prose, Server};
use gamebook::{BUILT_IN, BUILT_IN_SERIES};
use solved_table::{LONGEST_FILE, TableError, read_csv};

use crate::browser;
use crate::gamebook::input::book_file::BookText;
use crate::gamebook::input::series_file;
use crate::mdp::input;
use crate::memory;
use crate::output::{self, Failure};
use crate::quantities::parse_bytes;
use crate::table_file;

/// Arguments of `serve`.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ServeArgs {
    /// Gamebooks and series of books (built-in ones or .kdl files), tables of heroes (.csv, .sqlite), models (DRN, UMB or PRISM files),
    /// positions of Slay the Spire, boards of Red November
    #[arg(value_name = "BOOK|FILE")]
    files: Vec<PathBuf>,
    /// Values for constants of the PRISM models: N=4,p=0.1
    #[arg(long = "const", value_name = "NAME=VALUE", value_delimiter = ',')]
    constants: Vec<String>,
    /// Your own Project Aon XML: its text is shown beside the choices of the book of the same title, or else of the
    /// first (may be repeated)
    #[arg(long = "text", value_name = "XML")]
    texts: Vec<PathBuf>,
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = Options::PORT)]
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
    /// Memory for cached answers about gamebooks: 64MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "64MiB", help_heading = LIMITS)]
    max_shelf: u64,
    /// Memory for cached solved gamebooks: 256MiB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "256MiB", help_heading = LIMITS)]
    max_solved: u64,
    /// Connections at once; further ones wait
    #[arg(long, value_name = "COUNT", default_value = "512", help_heading = LIMITS)]
    max_connections: NonZeroUsize,
    /// How long a request may take to arrive, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "20", help_heading = LIMITS)]
    max_arrival: NonZeroU32,
    /// Seconds after which unused cached answers and books are dropped
    #[arg(long, value_name = "SECONDS", default_value = "600", help_heading = LIMITS)]
    max_idle: NonZeroU32,
}

const ACCESS: &str = "Access";
const LIMITS: &str = "Limits";

const EXAMPLES: &str = "\
The pages need no network: everything is in this program, and everything is computed on this machine. Ctrl-C
ends it. docs/explorer-endpoints.md describes the JSON endpoints.

Examples:
  bestplay serve --open
  bestplay serve --open my-book.kdl
  bestplay serve --open --text 02fotw.xml
  bestplay serve --open heroes.csv
  bestplay serve --open position.json board.txt
  bestplay serve --open coin.drn
  bestplay serve --open coin.prism --const N=4,K=2
  bestplay serve --port 8080 --max-memory 4GB
  bestplay serve --listen 0.0.0.0 --name games.lan";

fn file(path: &Path) -> Result<File, Failure> {
    let name = path.display().to_string();
    File::new(&name, &output::read_text(path)?).map_err(|error| {
        let right = "docs/slay-the-spire-turn.md and docs/red-november.md have examples of files; books end in .kdl, models in .drn, .umb or .prism";
        Failure::bad_input(format_args!("no page shows {name}: {error}"), right)
    })
}

/// A book or a series by name or file, if it is one.
fn book(path: &Path, max_memory: u64) -> Result<Option<OfferedBook>, Failure> {
    let is_kdl = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kdl"));
    let is_built_in =
        |name: &str| BUILT_IN.iter().map(|own| own.0).chain(BUILT_IN_SERIES.map(|own| own.0)).any(|own| own == name);
    let Some(name) = path.to_str().filter(|name| is_kdl || is_built_in(name)) else {
        return Ok(None);
    };
    let budget = Budget::new(Limits { max_memory, ..Limits::default() });
    let written = BookText::load(name)?;
    Ok(Some(if written.is_series() {
        OfferedBook::series(name, series_file::open(&written, &budget)?)
    } else {
        OfferedBook::of(name, written.book(&budget)?)
    }))
}

/// The extensions of models; that of a compression may follow.
const MODELS: [&str; 6] = [".drn", ".umb", ".prism", ".nm", ".pm", ".sm"];

/// A model, if the file's name or first word says so.
fn model(path: &Path, args: &ServeArgs) -> Result<Option<OfferedModel>, Failure> {
    let name = path.display().to_string();
    let plain = name.to_ascii_lowercase();
    let plain = [".gz", ".xz"].iter().find_map(|packed| plain.strip_suffix(packed)).unwrap_or(&plain);
    let is_prism = input::is_prism(path);
    if !is_prism && !MODELS.iter().any(|ending| plain.ends_with(ending)) {
        return Ok(None);
    }
    if is_prism {
        let constants = input::named_constants(&args.constants)?;
        let read = OfferedModel::prism(&name, &output::read_text(path)?, &constants);
        return read.map(Some).map_err(|error| input::prism_problem(path, error));
    }
    let budget = Budget::new(Limits { max_memory: args.max_memory, ..Limits::default() });
    Ok(Some(OfferedModel::explicit(&name, input::read_model(path, &budget)?)))
}

/// A table of heroes, if the file's name says so.
fn table(path: &Path) -> Result<Option<HeroTable>, Failure> {
    let name = path.display().to_string();
    let ends = |end: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(end));
    let table = if ends("csv") {
        let unread = |error: TableError| {
            Failure::bad_input(format_args!("{name} is no table of heroes: {}", error.message), error.help)
        };
        let has = std::fs::metadata(path).map_or(0, |file| file.len());
        if has > LONGEST_FILE as u64 {
            let message = format_args!(
                "{name} is no table of heroes that can be shown: it has more than {} MiB",
                LONGEST_FILE >> 20
            );
            return Err(Failure::bad_input(message, "make a table of fewer heroes"));
        }
        read_csv(&output::read_text(path)?).map_err(unread)?
    } else if ends("sqlite") {
        table_file::look(path)?
    } else {
        return Ok(None);
    };
    Ok(Some(HeroTable::new(&name, table)))
}

/// Attaches a text to the book of its title, also in a series, or else to the first; prints a note.
fn lay_beside(books: &mut [OfferedBook], path: &Path) -> Result<(), Failure> {
    let name = path.display();
    let prose = Prose::new(&output::read_bytes(path)?).map_err(|error| {
        let right = "name the XML of a book as Project Aon publishes it, such as 02fotw.xml";
        Failure::bad_input(format_args!("{name} is no text of a gamebook: {error}"), right)
    })?;
    let prose = Arc::new(prose);
    let laid = books.iter_mut().filter_map(|offered| offered.lay_beside(&prose).then_some(())).count();
    if laid == 0
        && let Some(offered) = books.first_mut()
    {
        output::note(&format!("{name} is the text of {:?}; it is shown with {:?}", prose.title, offered.book.title));
        offered.prose = Some(prose);
    }
    Ok(())
}

/// Serves until the process ends.
pub fn run(args: &ServeArgs) -> Result<(), Failure> {
    let (mut books, mut tables, mut models, mut files, mut opened) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for path in &args.files {
        if let Some(book) = book(path, args.max_memory)? {
            opened.push(book.address());
            books.push(book);
        } else if let Some(table) = table(path)? {
            opened.push(table.address());
            tables.push(table);
        } else if let Some(model) = model(path, args)? {
            opened.push(model.address());
            models.push(model);
        } else {
            let file = file(path)?;
            opened.push(file.address.clone());
            files.push(file);
        }
    }
    if let Some(constant) = args.constants.first()
        && !args.files.iter().any(|path| input::is_prism(path))
    {
        let problem = format_args!("--const {constant}: no PRISM model is named");
        return Err(Failure::bad_input(problem, "name one, or leave it out"));
    }
    for built_in in OfferedBook::built_in() {
        if books.iter().all(|book| book.name != built_in.name) {
            books.push(built_in);
        }
    }
    for (name, _) in BUILT_IN_SERIES {
        if books.iter().all(|book| book.name != name) {
            books.extend(book(Path::new(name), args.max_memory)?);
        }
    }
    for path in &args.texts {
        lay_beside(&mut books, path)?;
    }
    // A single file is opened itself; among several the first page offers a choice.
    let opened = if let [only] = &opened[..] { only.clone() } else { "/".into() };
    let options = Options {
        files,
        books,
        models,
        tables,
        ip: args.listen,
        port: args.port,
        names: args.names.clone(),
        ready_first_page: true,
        ceilings: Ceilings {
            // More than a machine can address is no limit.
            body: usize::try_from(args.max_body).unwrap_or(usize::MAX),
            states: args.max_states,
            memory: args.max_memory,
            solves: args.max_solves.get(),
            waiting: args.max_waiting,
            shelf: args.max_shelf,
            solved: args.max_solved,
            connections: args.max_connections.get(),
            arrival: Duration::from_secs(args.max_arrival.get().into()),
            idle: Duration::from_secs(args.max_idle.get().into()),
        },
        give_back: memory::give_back,
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
            && let Err(error) = browser::open(&(address.trim_end_matches('/').to_owned() + &opened))
        {
            output::note(&format!("cannot open a browser: {error}"));
        }
        server.run().await.map_err(stopped)
    })
}
