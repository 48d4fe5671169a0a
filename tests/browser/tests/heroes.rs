//! A table of heroes in a real browser. Needs Debian's packages chromium and chromium-driver; says so and passes where they
//! are missing.

use std::fmt::Write;

use browser::Like;

/// Heroes of the small book of the tests: two sets, ten rolls of each number.
fn table() -> String {
    let mut text = String::from("combat_skill,endurance,disciplines,weaponskill,gold,items,win,lower,upper\n");
    for skill in 10..20 {
        for endurance in 20..30 {
            for (set, more) in [("hunting", 0.0), ("tracking healing", 0.001 * f64::from(endurance - 24))] {
                let win = f64::from(skill * endurance) / 1000.0 + more;
                let _ = writeln!(text, "{skill},{endurance},{set},,4,sword,{win},{win},{win}");
            }
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_read_sorted_filtered_and_a_hero_opened() {
    for like in [Like::default(), Like { dark: true, phone: true }] {
        let (width, height) = if like.phone { (360, 740) } else { (1200, 1400) };
        let Some(browser) = browser::start(width, height, like).await else { return };
        let host = browser::serve_heroes(&table()).await;
        browser.client.goto(&format!("http://{host}/gamebook/heroes")).await.unwrap();
        browser.text_when("#about", |text| text.starts_with("Two Ways: 200 heroes, 100 rolls.")).await;
        browser.text_when("#best tbody tr", |text| text.contains("tracking healing") && text.ends_with("60")).await;
        browser.text_when("#gains", |text| text.contains("healing+0.050 points")).await;
        browser.text_when("#grid .hero-grid a:last-of-type .digit", |text| text == "55.60").await;
        browser.text_when("#found", |text| text == "1 to 50 of 200").await;
        let over = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        browser.run_until(over, 0).await;

        // The table by its odds, the worst first; only those of one set; the second page.
        browser.click("[data-sort=win]").await;
        browser.text_when("#heroes-table tbody tr", |text| text.contains("55.60 %")).await;
        browser.click("[data-sort=win]").await;
        browser.text_when("#heroes-table tbody tr", |text| text.contains("19.60 %")).await;
        browser.run_until("return document.activeElement.dataset.sort ?? null", "win").await;
        browser.fill("#filter-disciplines", "-tracking").await;
        browser.text_when("#found", |text| text == "1 to 50 of 100").await;
        browser.click("#later").await;
        browser.text_when("#found", |text| text == "51 to 100 of 100").await;
        browser.query_when(|query| query == "sort=win&descending=false&filter=disciplines%3D-tracking&from=50").await;
        // The address holds all of it; Back takes the page back.
        let address = browser.client.current_url().await.unwrap();
        browser.client.goto(address.as_str()).await.unwrap();
        browser.text_when("#found", |text| text == "51 to 100 of 100").await;
        browser.client.back().await.unwrap();
        browser.text_when("#found", |text| text == "1 to 50 of 100").await;
        browser.fill("#filter-combat_skill", "much").await;
        browser.text_when("#rows-title ~ .problem", |text| text.contains("is about a number")).await;
        browser.fill("#filter-combat_skill", "19").await;
        browser.text_when("#found", |text| text == "1 to 10 of 10").await;

        // A hero is opened in his book.
        browser.click("#heroes-table tbody a").await;
        browser.text_when("#hero legend", |text| text == "Disciplines (1 of 2)").await;
        browser.run_until("return document.querySelector('#hero-combat_skill').value", "19").await;
        browser.run_until("return document.querySelector('#hero-endurance').value", "20").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_picture_of_a_table_is_saved() {
    let Some(browser) = browser::start(1200, 1400, Like::default()).await else { return };
    let host = browser::serve_heroes(&table()).await;
    browser.client.goto(&format!("http://{host}/gamebook/heroes")).await.unwrap();
    browser.text_when("#grid .hero-grid", |_| true).await;
    browser.click("#grid [data-download]").await;
    let svg = browser.saved("heroes-best-by-roll.svg").await;
    assert!(svg.starts_with("<svg") && svg.contains(">55.60</text>") && !svg.contains("var("), "{svg}");
    // All who were found, not only those of the page.
    browser.text_when("#found", |text| text == "1 to 50 of 200").await;
    browser.click("#rows [data-download$='.csv']").await;
    let heroes = browser.saved("heroes-heroes.csv").await;
    assert_eq!(heroes.lines().count(), 201, "{heroes}");
    assert!(heroes.lines().last().is_some_and(|line| line.starts_with("19,29,")), "{heroes}");
    browser.click("#worth [data-download]").await;
    let worth = browser.saved("heroes-worth.csv").await;
    assert!(worth.starts_with("column,what,gain\ndisciplines,healing,0.000"), "{worth}");
}
