//! A real browser, Debian's chromium driven through its chromedriver, and an Explorer for it to visit. It knows nothing of what
//! the pages compute. Start reading at [`start`]; `tests/walk.rs` shows how people use a page.
//!
//! ```no_run
//! # async fn example() {
//! if let Some(browser) = browser::start(1000, 800, browser::Like::default()).await {
//!     let host = browser::serve(explorer::Ceilings::default()).await;
//!     browser.client.goto(&format!("http://{host}/")).await.expect("the page is there");
//! }
//! # }
//! ```

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use explorer::{Ceilings, HeroTable, OfferedBook, OfferedModel, Options, Prose, Server};
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use gamebook::read_series;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

/// The packages that the browser tests need.
const PACKAGES: &str = "apt-get install chromium chromium-driver";

/// A browser that ends, with its driver, when it is dropped.
#[derive(Debug)]
pub struct Browser {
    /// What says everything to it.
    pub client: Client,
    /// Where it saves files.
    downloads: Folder,
    /// What drives it; held for its end.
    driver: Driver,
}

/// A folder that is gone when it is dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[derive(Debug)]
struct Driver {
    process: Child,
    port: String,
}

impl Drop for Driver {
    /// Asks the driver to end: it ends its browsers too. One that does not is ended without asking.
    fn drop(&mut self) {
        let asked = TcpStream::connect(("127.0.0.1", self.port.parse().unwrap_or(0))).and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(10)))?;
            write!(stream, "GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
            stream.read_to_end(&mut Vec::new())
        });
        let has_ended = |process: &mut Child| process.try_wait().is_ok_and(|status| status.is_some());
        for _ in 0..100 {
            if asked.is_err() || has_ended(&mut self.process) {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the browser is like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Like {
    /// A dark theme.
    pub dark: bool,
    /// A phone, with a finger instead of a mouse.
    pub phone: bool,
}

/// Says where people see it that a test does not run: what tests print is hidden when they pass, but not what is
/// written to standard error itself.
fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let _ = writeln!(std::io::stderr(), "\nSKIPPED {test}: {why}. To run it: {PACKAGES}");
}

/// Starts an Explorer on a free port; returns its host and port, such as `127.0.0.1:40001`.
///
/// # Panics
///
/// If no port is free.
pub async fn serve(ceilings: Ceilings) -> String {
    serve_with(Options { ceilings, ..Options::default() }).await
}

/// The same over a small gamebook and its text, two books in a row, and a model.
///
/// # Panics
///
/// If no port is free, or the book is wrong.
pub async fn serve_two_ways(ceilings: Ceilings) -> String {
    let book = include_str!("../../../crates/app/explorer/tests/data/two-ways.kdl");
    let text = include_bytes!("../../../crates/app/explorer/tests/data/two-ways.xml");
    let mut book = OfferedBook::new("two-ways.kdl", book).expect("the book is right");
    book.prose = Some(Arc::new(Prose::new(text).expect("its text is right")));
    serve_with(Options { ceilings, books: vec![book, in_a_row()], models: vec![coin()], ..Options::default() }).await
}

/// The same over the built-in books and their series, which may have few situations.
///
/// # Panics
///
/// If no port is free, or the series is wrong.
pub async fn serve_kai() -> String {
    let built_in = |name: &str| gamebook::built_in(name).map(String::from).ok_or_else(|| "no such book".into());
    let (name, text) = gamebook::BUILT_IN_SERIES[0];
    let read = read_series(text, &built_in, &|_| Err("no other file".into()), &Budget::unlimited());
    let series = OfferedBook::series(name, read.expect("the series is right").0);
    let ceilings = Ceilings { states: 300_000, ..Ceilings::default() };
    serve_with(Options { ceilings, books: OfferedBook::built_in().chain([series]).collect(), ..Options::default() })
        .await
}

/// Two small books in a row.
fn in_a_row() -> OfferedBook {
    let purse = include_str!("../../../crates/app/explorer/tests/data/purse.kdl");
    let cliff = include_str!("../../../crates/app/explorer/tests/data/cliff.kdl");
    let books = |name: &str| Ok(if name == "purse.kdl" { purse } else { cliff }.to_string());
    let text = include_str!("../../../crates/app/explorer/tests/data/over.kdl");
    let read = read_series(text, &books, &|_| Err("no other file".into()), &Budget::unlimited());
    OfferedBook::series("over.kdl", read.expect("the series is right").0)
}

/// The same over a gamebook of this text.
///
/// # Panics
///
/// If no port is free, or the book is wrong.
pub async fn serve_book(text: &str) -> String {
    let book = OfferedBook::new("book.kdl", text).expect("the book is right");
    serve_with(Options { books: vec![book], ..Options::default() }).await
}

/// The same over a model in the PRISM language, a coin that is to show heads three times in a row, and over these.
///
/// # Panics
///
/// If no port is free.
pub async fn serve_models(further: Vec<OfferedModel>) -> String {
    let models = [coin()].into_iter().chain(further).collect();
    serve_with(Options { models, ..Options::default() }).await
}

fn coin() -> OfferedModel {
    let text = include_str!("../../../crates/app/explorer/tests/data/coin.prism");
    OfferedModel::prism("coin.prism", text, &[("N", "3")]).expect("the model is right")
}

/// The same over the gamebook of [`serve_two_ways`] and a table of its heroes, as CSV.
///
/// # Panics
///
/// If no port is free, or the table is wrong.
pub async fn serve_heroes(csv: &str) -> String {
    let book = include_str!("../../../crates/app/explorer/tests/data/two-ways.kdl");
    let books = vec![OfferedBook::new("two-ways.kdl", book).expect("the book is right")];
    let tables = vec![HeroTable::new("heroes.csv", solved_table::read_csv(csv).expect("the table is right"))];
    serve_with(Options { books, tables, ..Options::default() }).await
}

async fn serve_with(options: Options) -> String {
    let server = Server::bind(Options { port: 0, ..options }).await.expect("a port is free");
    let host = server.host().to_string();
    tokio::spawn(server.run());
    host
}

/// Starts a browser with a window of this size. `None`, and a word on standard error, where there is none.
///
/// # Panics
///
/// If there is a browser that does not start.
pub async fn start(width: u32, height: u32, like: Like) -> Option<Browser> {
    let started = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut driver = match started {
        Ok(driver) => driver,
        Err(error) => {
            skipped(&format!("chromedriver cannot be started ({error})"));
            return None;
        }
    };
    let output = BufReader::new(driver.stdout.take().expect("its output is piped"));
    let mut lines = output.lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        line.split_once("started successfully on port ").map(|(_, port)| port.trim_end_matches('.').to_owned())
    });
    let driver = Driver { process: driver, port: port.expect("chromedriver names its port") };
    // Whatever else it says is read, or it would wait for a reader.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));

    let mut arguments = vec![
        "--headless=new".to_owned(),
        // The sandbox needs rights that containers and the superuser do not have; only our own pages are opened.
        "--no-sandbox".into(),
        "--disable-dev-shm-usage".into(),
        "--hide-scrollbars".into(),
        format!("--window-size={width},{height}"),
    ];
    if like.dark {
        arguments.push("--force-dark-mode".into());
    }
    let downloads = format!("bestplay-browser-{}-{}", std::process::id(), driver.port);
    let downloads = Folder(std::env::temp_dir().join(downloads));
    let mut options = json!({"args": arguments, "prefs": {"download.default_directory": downloads.0}});
    if like.phone {
        options["mobileEmulation"] = json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0}});
    }
    let capabilities = serde_json::Map::from_iter([("goog:chromeOptions".to_owned(), options)]);
    let connected = ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities)
        .connect(&format!("http://127.0.0.1:{}", driver.port))
        .await;
    match connected {
        Ok(client) => Some(Browser { client, downloads, driver }),
        Err(error) => {
            // A driver without its browser.
            if error.to_string().contains("cannot find") {
                skipped("chromedriver finds no browser");
                return None;
            }
            panic!("the browser does not start: {error}");
        }
    }
}

const PATIENCE: Duration = Duration::from_mins(1);

impl Browser {
    /// Waits until the text of the first element for this selector has what `is_right` wants, and returns it.
    ///
    /// # Panics
    ///
    /// If it never does.
    pub async fn text_when(&self, selector: &str, is_right: impl Fn(&str) -> bool) -> String {
        let begun = std::time::Instant::now();
        loop {
            let script = "return document.querySelector(arguments[0])?.textContent ?? null";
            let text = self.client.execute(script, vec![selector.into()]).await.expect("the script runs");
            if let Some(text) = text.as_str()
                && is_right(text)
            {
                return text.to_owned();
            }
            if begun.elapsed() > PATIENCE {
                let page = self.client.execute("return document.body.innerText", vec![]).await.unwrap_or_default();
                panic!("{selector} has the text {text} on the page {page}");
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Does something with an element. An answer that comes just then may put another in its place, which is taken
    /// instead: the one that went is stale, or no longer takes keys if it went while it was being focused.
    async fn with(&self, selector: &str, act: impl AsyncFn(&Element) -> Result<(), CmdError>) {
        let begun = std::time::Instant::now();
        loop {
            let element = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
            match act(&element.unwrap_or_else(|error| panic!("{selector}: {error}"))).await {
                Ok(()) => return,
                Err(error)
                    if (error.is_stale_element_reference() || error.is_element_not_interactable())
                        && begun.elapsed() < PATIENCE =>
                {
                    tokio::time::sleep(Duration::from_millis(30)).await;
                }
                Err(error) => panic!("{selector}: {error}"),
            }
        }
    }

    /// Clicks on an element.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub async fn click(&self, selector: &str) {
        self.with(selector, async |element| element.click().await).await;
    }

    /// Types into an element.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub async fn keys(&self, selector: &str, keys: &str) {
        self.with(selector, async |element| element.send_keys(keys).await).await;
    }

    /// Moves the mouse over places in an element, given as shares of its width and height; presses it at the
    /// first place and lets it go at the last, if `drag`.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    pub async fn mouse(&self, places: &[(&str, f64, f64)], drag: bool) {
        let mut mouse = MouseActions::new("mouse".into());
        for (number, (selector, across, down)) in places.iter().enumerate() {
            let script = "const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'}); \
                          const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]";
            let place = self.client.execute(script, vec![(*selector).into()]).await.expect("the script runs");
            let number_at = |index: usize| place[index].as_f64().expect("a number");
            let (x, y) = (number_at(0) + across * number_at(2), number_at(1) + down * number_at(3));
            mouse = mouse.then(PointerAction::MoveTo {
                duration: Some(Duration::from_millis(20)),
                x: x.round(),
                y: y.round(),
            });
            if drag && number == 0 {
                mouse = mouse.then(PointerAction::Down { button: 0 });
            }
        }
        if drag {
            mouse = mouse.then(PointerAction::Up { button: 0 });
        }
        self.client.perform_actions(mouse).await.expect("the mouse moves");
    }

    /// What a script returns: the body of a function.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub async fn run(&self, script: &str) -> serde_json::Value {
        self.client.execute(script, vec![]).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script returns this.
    ///
    /// # Panics
    ///
    /// If it never does.
    pub async fn run_until(&self, script: &str, wanted: impl Into<serde_json::Value>) {
        let (wanted, begun) = (wanted.into(), std::time::Instant::now());
        loop {
            let found = self.run(script).await;
            if found == wanted {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{script} is {found}, not {wanted}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Has the browser do what only its developers' tools can, by a command of the `DevTools` protocol.
    ///
    /// # Panics
    ///
    /// If it does not.
    pub async fn do_as_developer(&self, command: &str, parameters: serde_json::Value) {
        let session = self.client.session_id().await.expect("the driver answers").expect("there is a session");
        let body = json!({"cmd": command, "params": parameters}).to_string();
        let port = &self.driver.port;
        let request = format!(
            "POST /session/{session}/goog/cdp/execute HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut driver = TcpStream::connect(format!("127.0.0.1:{port}")).expect("the driver listens");
        driver.write_all(request.as_bytes()).expect("the driver reads");
        let mut status = [0; 12];
        driver.read_exact(&mut status).expect("the driver answers");
        assert_eq!(&status, b"HTTP/1.1 200", "{command}");
    }

    /// Puts keys into a field in place of what it has.
    ///
    /// # Panics
    ///
    /// If there is no such field.
    pub async fn fill(&self, selector: &str, keys: &str) {
        self.with(selector, async |element| {
            element.clear().await?;
            element.send_keys(keys).await
        })
        .await;
    }

    /// Waits until the page has saved a file of this name, and returns what is in it.
    ///
    /// # Panics
    ///
    /// If it never does.
    pub async fn saved(&self, name: &str) -> String {
        let begun = std::time::Instant::now();
        loop {
            match std::fs::read_to_string(self.downloads.0.join(name)) {
                Ok(text) if !text.is_empty() => return text,
                _ => {}
            }
            let has: Vec<_> = std::fs::read_dir(&self.downloads.0).into_iter().flatten().flatten().collect();
            assert!(begun.elapsed() < PATIENCE, "{name} is not among {has:?}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// What stands behind the question mark of the address.
    ///
    /// # Panics
    ///
    /// If the browser does not tell.
    pub async fn query(&self) -> String {
        self.client.current_url().await.expect("an address").query().unwrap_or("").to_owned()
    }

    /// Waits until the address's query has what `is_right` wants.
    ///
    /// # Panics
    ///
    /// If it never has.
    pub async fn query_when(&self, is_right: impl Fn(&str) -> bool) {
        let begun = std::time::Instant::now();
        while !is_right(&self.query().await) {
            assert!(begun.elapsed() < PATIENCE, "the address is {}", self.query().await);
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }
}
