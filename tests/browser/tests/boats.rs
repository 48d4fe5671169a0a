//! The boat in a real browser: all ways to a room side by side, several wishes at once, and why there is no way. Needs
//! Debian's packages chromium and chromium-driver; says so and passes where they are missing.

use browser::Like;
use explorer::Ceilings;

const SPACE: &str = " ";

#[tokio::test(flavor = "multi_thread")]
async fn ways_side_by_side_two_wishes_and_why_there_is_none() {
    for like in [Like::default(), Like { dark: true, phone: true }] {
        let (width, height) = if like.phone { (360, 740) } else { (1200, 1400) };
        let Some(browser) = browser::start(width, height, like).await else { return };
        let host = browser::serve(Ceilings::default()).await;
        browser.client.goto(&format!("http://{host}/red-november")).await.unwrap();
        browser.text_when("#results", |text| text.contains("ways to")).await;

        // All ways to a room: as many as its line says.
        let room = browser.run("return document.querySelector('#results [data-beside]').dataset.beside").await;
        let room = room.as_str().unwrap();
        let count = browser
            .run(&format!("return document.querySelectorAll('#results [data-to=\"{room}\"] [data-result]').length"))
            .await;
        browser.click(&format!("[data-beside='{room}']")).await;
        browser.text_when("#beside h3", |text| text == format!("All ways to room {room}")).await;
        browser
            .run_until(
                "return document.querySelectorAll('#beside .ways > li svg').length",
                count.as_u64().unwrap().min(12),
            )
            .await;
        browser.query_when(|query| query == format!("beside={room}")).await;
        browser
            .run_until("return document.documentElement.scrollWidth - document.documentElement.clientWidth", 0)
            .await;
        let address = browser.client.current_url().await.unwrap();
        browser.client.goto(address.as_str()).await.unwrap();
        browser.text_when("#beside h3", |text| text == format!("All ways to room {room}")).await;
        browser.click("#beside .ways li:nth-child(2) button").await;
        browser.text_when("#plan table", |_| true).await;
        browser.run_until("return document.querySelectorAll('[id]').length - new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size", 0).await;

        // Two wishes at once, by the keyboard.
        browser.keys("[data-low='5']", SPACE).await;
        browser.query_when(|query| query == "drain=5").await;
        browser.run_until("return document.activeElement.dataset.low ?? null", "5").await;
        browser.keys("[data-low='3']", SPACE).await;
        browser.query_when(|query| query == "drain=3&drain=5").await;
        browser.text_when("#results small", |text| text.contains('3') && text.contains('5')).await;

        // No way within no minutes: what it takes instead.
        browser.fill("#within", "0\u{e004}").await;
        browser.text_when("#results p", |text| text.starts_with("There is no such way.")).await;
        browser
            .text_when("#why", |text| text.starts_with("That cannot be done: 0 minutes are too few. It takes "))
            .await;

        // A room behind blocked hatches, and why.
        browser
            .client
            .goto(&format!("http://{host}/red-november?rooms=cccccccccc&hatches=cccccccccccccbb"))
            .await
            .unwrap();
        browser.click("[data-why='10']").await;
        browser
            .text_when("#why", |text| {
                text.starts_with("Room 10 cannot be reached: hatch ") && text.contains(" is blocked. If not, ")
            })
            .await;
    }
}
