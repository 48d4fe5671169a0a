//! An exported page, from its file, in a real browser. Needs Debian's packages chromium and chromium-driver; says so and
//! passes where they are missing.

use std::path::PathBuf;

use browser::{Browser, Like};
use budget::Budget;
use gamebook::{Question, read};

const BOOK: &str = r#"
book "Doors <b>& Pits</b>" format=1 rules="lone-wolf"
start 1
goal 9
hero { combat-skill 19; endurance 25; gold 5; items sword; }
items { weapon sword; special key; }
flags warned
section 1 {
    text """
        Two doors & a <script>alert(1)</script> sign.

        Which one?
        """
    choice "the left door" { goto 2; }
    choice "the right door" { require "has key"; goto 9; }
    choice "look for {n} hours" each=n from=1 to=2 { endurance "-n"; gain key; set warned; goto 1; }
}
section 2 {
    text "A rat stands in your way."
    fight "Rat" skill=1 endurance=3
    pick { when 0 9 { goto 3; }; }
}
section 3 { death "a pit"; }
section 9 { text "Light."; victory; }
"#;

/// The page of the book in a file.
fn page() -> String {
    let (book, _) = read(BOOK).expect("the book is right");
    let page = Question::new(&book).page(&book, &Budget::unlimited()).expect("it can be played");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("export.html");
    std::fs::write(&file, page).expect("written");
    format!("file://{}", file.display())
}

async fn focused(browser: &Browser) -> String {
    let script = "return document.activeElement.id || document.activeElement.textContent";
    browser.client.execute(script, vec![]).await.unwrap().as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_played_to_its_ends() {
    let Some(browser) = browser::start(1000, 800, Like::default()).await else { return };
    browser.client.goto(&page()).await.unwrap();
    browser.text_when("h1", |text| text == "Doors <b>& Pits</b>").await;
    browser
        .text_when("#log", |text| text.contains("a <script>alert(1)</script> sign") && text.contains("Which one?"))
        .await;
    assert_eq!(focused(&browser).await, "where");
    // Only what can be done is offered.
    browser.text_when("#answers", |text| text == "the left doorlook for 1 hourslook for 2 hours").await;
    browser.text_when("#stats", |text| text.contains("Endurance25")).await;

    // With the keyboard, and back.
    browser.keys("body", "2").await;
    browser.text_when("#log", |text| text.contains("Endurance −1, key +1, warned")).await;
    browser.text_when("#stats", |text| text.contains("24 of 25")).await;
    browser.text_when("#items", |text| text.contains("key") && text.contains("(warned)")).await;
    browser.click("#undo").await;
    browser.text_when("#items", |text| !text.contains("key")).await;
    browser.text_when("#log", |text| text.starts_with("Two doors")).await;

    // A fight, a pick, and death.
    browser.click("#answers li:first-child button").await;
    browser.text_when("#enemies", |text| text.contains("Rat") && text.contains("Endurance 3")).await;
    loop {
        let waits = browser.client.execute("return play.waits", vec![]).await.unwrap();
        match waits.as_str() {
            Some("ask" | "chance") => browser.click("#answers li:first-child button").await,
            _ => break,
        }
    }
    browser.text_when("#end", |text| text == "You are dead, or have failed.").await;
    browser.text_when("#where", |text| text == "3").await;

    // Again, to victory.
    browser.click("#restart").await;
    browser.text_when("#where", |text| text == "1").await;
    browser.keys("body", "3").await;
    browser.text_when("#answers", |text| text.contains("the right door")).await;
    browser.click("#answers li:nth-child(2) button").await;
    browser.text_when("#end", |text| text == "You have won.").await;
    browser.text_when("#log", |text| text.contains("Light.")).await;
    // It asked for nothing but itself.
    let asked = browser.client.execute("return performance.getEntriesByType('resource').length", vec![]).await.unwrap();
    assert_eq!(asked.as_u64(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_dark_where_all_is_and_fits_a_phone() {
    let Some(browser) = browser::start(390, 800, Like { dark: true, phone: true }).await else { return };
    browser.client.goto(&page()).await.unwrap();
    browser.text_when("#where", |text| text == "1").await;
    let script = "return [matchMedia('(prefers-color-scheme: dark)').matches, getComputedStyle(document.body).color, \
                  document.documentElement.scrollWidth <= innerWidth]";
    let found = browser.client.execute(script, vec![]).await.unwrap();
    let ink = if found[0] == true { "rgb(232, 228, 218)" } else { "rgb(29, 29, 29)" };
    assert_eq!((found[1].as_str(), found[2].as_bool()), (Some(ink), Some(true)), "{found}");
}
