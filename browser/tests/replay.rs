//! A fight against a Cultist that is written down while it is played, and told step by step. Needs Debian's packages
//! chromium and chromium-driver; says so and passes where they are missing.

use browser::Like;
use explorer::Ceilings;
use serde_json::{Value, json};

const ENTER: &str = "\u{e007}";

#[tokio::test(flavor = "multi_thread")]
async fn a_fight_played_and_replayed() {
    for like in [Like::default(), Like { dark: true, phone: true }] {
        let (width, height) = if like.phone { (360, 740) } else { (1200, 1400) };
        let Some(browser) = browser::start(width, height, like).await else { return };
        let host = browser::serve(Ceilings::default()).await;
        browser.client.goto(&format!("http://{host}/slay-the-spire")).await.unwrap();
        browser.text_when("#plays table", |_| true).await;
        browser.click("#new-fight").await;
        browser.text_when("#log", |text| text == "Written down: 0 turns.").await;
        for turn in 1..=2 {
            browser.keys("#draw", ENTER).await;
            browser.text_when("#log", |text| text.starts_with(&format!("Written down: {turn} turn"))).await;
            // The best play, all at once.
            browser.text_when("#plays:not(.old) tr.best .play", |_| true).await;
            browser.keys("#plays:not(.old) tr.best .play", ENTER).await;
            browser.text_when("#next:not([hidden]) h2", |text| text == format!("Turn {}: draw", turn + 1)).await;
        }
        browser.keys("#take-log", ENTER).await;
        browser.text_when("#mistakes", |text| text == "none").await;
        browser.run_until("return document.querySelectorAll('#replay-steps tbody tr').length", 6).await;
        browser
            .run_until("return document.documentElement.scrollWidth - document.documentElement.clientWidth", 0)
            .await;
        let record = browser.run("return document.querySelector('#record').value").await;
        let record: Value = serde_json::from_str(record.as_str().unwrap()).unwrap();
        assert_eq!((&record["start"]["hp"], record["turns"].as_array().map(Vec::len)), (&json!(68), Some(2)));
        if !like.phone {
            browser.click("#replayed [data-download='fight.json']").await;
            assert_eq!(serde_json::from_str::<Value>(&browser.saved("fight.json").await).unwrap(), record);
        }
        // What is no fight is said; a table that is changed by hand is not written down.
        browser.fill("#record", "{").await;
        browser.keys("#replay", ENTER).await;
        browser.text_when("#replay-title ~ .problem", |text| text.contains("This is not JSON")).await;
        browser.click("[data-key=draw-strike-more]").await;
        browser.text_when("#log", |text| text.starts_with("The table was changed by hand")).await;
        browser.run_until("return document.querySelector('#take-log').disabled", true).await;
    }
}
