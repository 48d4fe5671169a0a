//! A fight of Act 1 in a real browser: set up, asked about, fought to its end. Needs Debian's packages chromium and
//! chromium-driver; says so and passes where they are missing.

use browser::{Browser, Like};
use explorer::Ceilings;
use serde_json::json;

const ENTER: &str = "\u{e007}";

/// A fight that is solved at once.
const SMALL: &str = "enemies=red-louse&enemy_hp=6&curl_up=3&hp=20&deck=strike%3D3&deck=defend%3D2&deck=bash";

async fn is_well_made(browser: &Browser) {
    let script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.run(script).await, 0, "wider than the window");
    let script = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.filter((id, at) => ids.indexOf(id) !== at)";
    assert_eq!(browser.run(script).await, json!([]));
}

/// Rolls what is left to chance and plays what is best, until the fight is over.
async fn fought(browser: &Browser) -> String {
    for _ in 0..60 {
        let title = browser.text_when("#now", |text| text.contains("Undo")).await;
        if title.contains("The fight is won") || title.contains("You are dead") {
            return title;
        }
        let before = browser.query().await;
        let next = browser
            .run("return document.querySelector('[data-key=roll]') ? '[data-key=roll]' : '.answers .best'")
            .await;
        browser.click(next.as_str().expect("a selector")).await;
        browser.query_when(|query| query != before).await;
    }
    panic!("the fight does not end")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fight_is_set_up_asked_about_and_fought() {
    let Some(browser) = browser::start(1000, 1400, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/slay-the-spire")).await.unwrap();
    browser.click("a[href='/slay-the-spire/act-1']").await;
    browser.text_when("#enemies", |text| text.contains("jaw worm")).await;
    // The published fight, set up by hand.
    browser.click("#enemies [data-key=less-0]").await;
    browser.keys("#enemies-add", &format!("culfist{ENTER}")).await;
    browser.text_when(".wrong", |text| text.contains("nothing else is modelled")).await;
    browser.fill("#enemies-add", &format!("cultist{ENTER}")).await;
    browser.text_when("#enemies", |text| text.contains("cultist")).await;
    browser.click("#burning_blood").await;
    browser.click("#ask").await;
    browser.text_when("#worth", |text| text == "78.125").await;
    browser.text_when("#answer svg title, #answer .bars", |_| true).await;
    browser.query_when(|query| query == "enemies=cultist&burning_blood=false&solve=true").await;
    is_well_made(&browser).await;
    // A card more: what was found is not about it.
    browser.click("#setup summary").await;
    browser.keys("#deck-add", &format!("Pommel Strike{ENTER}")).await;
    browser.run_until("return document.querySelector('#answer').hidden", true).await;

    // A small fight to its end: what was rolled is luck, and best play makes no mistake.
    browser.client.goto(&format!("http://{host}/slay-the-spire/act-1?{SMALL}")).await.unwrap();
    browser.text_when("#deck", |text| text.contains("bash")).await;
    browser.click("#begin").await;
    browser.text_when("#asks", |_| true).await;
    let end = fought(&browser).await;
    assert!(end.contains("The fight is won"), "{end}");
    browser.text_when("#mistakes", |text| text == "no mistake").await;
    browser.text_when("#log svg title", |_| true).await;
    is_well_made(&browser).await;
    // The address holds the fight; the last step is taken back, and so are all.
    let query = browser.query().await;
    browser.client.refresh().await.unwrap();
    browser.text_when("#end", |text| text.contains("health left")).await;
    assert_eq!(browser.query().await, query);
    browser.click("#undo").await;
    browser.text_when("#win-now", |_| true).await;
    browser.click("#again").await;
    browser.click("#again-yes").await;
    browser.text_when("#now-title", |text| text == "Before the first turn").await;
    // The player can give the outcome of a roll.
    browser.click("[data-came]").await;
    browser.text_when("[data-entry='1']", |text| text.contains("Chance")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn which_card_to_take_every_health_groups_and_positions_of_files() {
    let Some(browser) = browser::start(1000, 1400, Like::default()).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/slay-the-spire/act-1?{SMALL}")).await.unwrap();
    // Nothing is offered yet.
    browser.click("#compare").await;
    browser.text_when(".problem:not([hidden])", |text| text.contains("nothing is offered")).await;
    browser.keys("#cards-add", &format!("Pommel Strike{ENTER}")).await;
    browser.click("#remove").await;
    browser.click("#compare").await;
    browser
        .text_when("#reward-table tbody", |text| text.contains("pommel strike") && text.contains("remove defend"))
        .await;
    let rows = "return document.querySelectorAll('#reward-table tbody tr').length";
    browser.run_until(rows, 5).await;
    browser.query_when(|query| query.contains("cards=pommel-strike") && query.contains("reward=true")).await;
    is_well_made(&browser).await;
    browser.client.refresh().await.unwrap();
    browser.run_until(rows, 5).await;
    // What is worth most is a link into the fight with that deck.
    browser.click("#reward-table [data-take='remove defend'] a").await;
    browser.text_when("#asks", |_| true).await;
    browser.text_when("#deck", |text| text.contains("defend1")).await;

    // Every health at the start, beside the one that he has.
    browser.client.goto(&format!("http://{host}/slay-the-spire/act-1?{SMALL}")).await.unwrap();
    browser.click("#by_health").await;
    browser.click("#ask").await;
    browser.run_until("return document.querySelectorAll('#by-health tbody tr').length", 80).await;
    let worth = browser.text_when("#worth", |_| true).await;
    browser.text_when("#by-health tr.best", |text| text.starts_with("20") && text.contains(&worth)).await;
    is_well_made(&browser).await;

    // Groups with weights, in the format of the command's files; a text that is not JSON is reported.
    browser
        .client
        .goto(&format!("http://{host}/slay-the-spire/act-1?{}", SMALL.replace("enemy_hp=6&curl_up=3&", "")))
        .await
        .unwrap();
    browser.click("#of-groups summary").await;
    let group = |hp: u8| format!("{{\"weight\": 1, \"enemies\": [{{\"kind\": \"cultist\", \"hp\": [{hp}, {hp}]}}]}}");
    browser.keys("#groups", "[{").await;
    browser.click("#ask").await;
    browser.text_when(".problem:not([hidden])", |text| text.contains("This is not JSON")).await;
    browser.fill("#groups", &format!("[{}, {}]", group(6), group(9))).await;
    browser.click("#ask").await;
    browser.text_when("#worth", |text| text.parse::<f64>().is_ok()).await;
    browser.text_when("#set-up", |text| text.contains("groups of enemies")).await;
    is_well_made(&browser).await;

    // A position of a file.
    let position = r#"{"hp": 30, "hand": {"strike": 1, "defend": 1}, "draw": {"defend": 3},
        "enemies": [{"kind": "cultist", "hp": 6, "intent": "dark_strike", "strength": 3}]}"#;
    browser.fill("#position", &position.replace('\n', "")).await;
    browser.click("#what-now").await;
    browser.text_when("#position-plays tr.best", |text| text.starts_with("strike")).await;
    browser.text_when("#position-worth", |text| text == "30.000").await;
    is_well_made(&browser).await;

    // A message of CommunicationMod, with a map that no address could hold.
    let message = r#"{"game_state": {"class": "IRONCLAD", "map": "MAP", "relics": [{"id": "Art of War", "counter": -1}],
        "combat_state": {"hand": [{"id": "Strike_R", "cost": 1, "uuid": "1-2"}], "draw_pile": [], "discard_pile": [],
            "player": {"current_hp": 20, "max_hp": 80, "energy": 3},
            "monsters": [{"id": "Cultist", "current_hp": 6, "move_id": 1, "last_move_id": 3}]}}}"#;
    browser.fill("#position", &message.replace('\n', "").replace("MAP", &"x".repeat(20_000))).await;
    browser.click("#what-now").await;
    browser.text_when("#position-worth", |text| text == "20.000").await;
    browser.text_when("#position-assumed", |text| text.contains("Art of War")).await;
    browser.query_when(|query| query.contains("position=") && !query.contains("xxx")).await;
    is_well_made(&browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_with_a_question_that_is_cancelled() {
    let Some(browser) = browser::start(360, 740, Like { dark: true, phone: true }).await else { return };
    let host = browser::serve(Ceilings::default()).await;
    browser.client.goto(&format!("http://{host}/slay-the-spire/act-1?{SMALL}&walk=true")).await.unwrap();
    browser.text_when("#asks", |_| true).await;
    is_well_made(&browser).await;
    // Three of them: that takes long.
    let long = "enemies=three-sentries&seconds=600";
    browser.client.goto(&format!("http://{host}/slay-the-spire/act-1?{long}")).await.unwrap();
    browser.click("#ask").await;
    browser.click("#progress .cancel").await;
    browser.run_until("return document.querySelectorAll('.busy, .cancel').length", 0).await;
    // One second gives bounds that are proved.
    browser.fill("#seconds", "1").await;
    browser.click("#ask").await;
    browser.text_when("#worth", |text| text.contains(" to ")).await;
    browser.text_when(".stopped", |text| text.contains("proven bounds")).await;
    is_well_made(&browser).await;
}
