//! Takes the pictures of the pages that the README and the docs show. Needs Debian's packages chromium and chromium-driver.
//!
//!     cargo run --release -p browser --bin screenshots -- docs/images

use std::path::PathBuf;

use explorer::{Options, Server};

/// File, address, an element that is there once the page is ready, and one to which it is scrolled.
const PICTURES: [(&str, &str, &str, &str); 4] = [
    (
        "gamebook.png",
        "/gamebook?solve=true&section=141&map.x=-737&map.y=-433&map.zoom=231",
        "#section table",
        "#solved",
    ),
    ("fighting-fantasy.png", "/fighting-fantasy", "#cell table", "#policy"),
    ("slay-the-spire.png", "/slay-the-spire?walk=true&steps=o4,o6", "#now .answers", "#now"),
    ("red-november.png", "/red-november?result=23&step=4", "#plan table", "#plan"),
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name the folder for the pictures")?);
    let dark = std::env::args().any(|argument| argument == "--dark");
    let server = Server::bind(Options { port: 0, ..Options::default() }).await?;
    let first_page = server.address();
    tokio::spawn(server.run());
    let browser = browser::start(1000, 860, browser::Like { dark, phone: false }).await.ok_or("there is no browser")?;
    for (file, address, ready, top) in PICTURES {
        browser.client.goto(&format!("{}{address}", first_page.trim_end_matches('/'))).await?;
        browser.text_when(ready, |_| true).await;
        browser.client.execute("document.querySelector(arguments[0]).scrollIntoView()", vec![top.into()]).await?;
        // Fades end.
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        let picture = browser.client.screenshot().await?;
        whole_file::write(&folder.join(file), |out| out.write_all(&picture))?;
    }
    Ok(())
}
