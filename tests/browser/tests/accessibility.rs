//! Every page, on a desk and on a phone, light and dark: what everybody must be able to read, reach and hear. Needs
//! Debian's packages chromium and chromium-driver; says so and passes where they are missing. Where axe-core is found
//! (its file named by `AXE_CORE`, or `npm install axe-core` in the repository's folder), it judges the pages as well.

use std::io::Write;
use std::path::PathBuf;

use browser::{Browser, Like};
use explorer::Ceilings;
use serde_json::json;

const TAB: &str = "\u{e004}";

/// Addresses, and what is there once all answers are.
const PAGES: [(&str, &str); 19] = [
    ("/", "#picture"),
    ("/gamebook?solve=true&compare=true&section=1&here.section=1", "#advice table"),
    ("/gamebook?solve=true&section=3", "#section h2"),
    ("/gamebook/walk?steps=1", "#win-now"),
    ("/gamebook/series?solve=true", "#by-book"),
    ("/gamebook/walk?book=over&steps=p7", "#win-now"),
    ("/fighting-fantasy", "#cell table"),
    ("/fighting-fantasy?enemies=5/5&enemies=6/4&together=true", "#odds table"),
    ("/slay-the-spire", "#worth"),
    ("/slay-the-spire/act-1?enemies=cultist&solve=true", "#worth"),
    ("/slay-the-spire/act-1?enemies=red-louse&hp=20&deck=strike%3D3&deck=defend%3D2&walk=true", "#outcomes"),
    (
        "/slay-the-spire/act-1?enemies=cultist&enemy_hp=9&by_health=true&solve=true&cards=anger&reward=true",
        "#reward-table",
    ),
    ("/red-november?result=5", "#plan table"),
    ("/lone-wolf?fights=15/25,22/30,evade-from=3&fights=15/25,22/30,shield", "#run-when"),
    ("/model?goal=done&solve=true&steps=2", "#drawing svg"),
    ("/model?goal=done&solve=true&sense=min&reward=tosses&find=heads&state=1", "#states"),
    ("/model?goal=done&solve=true&within=4&bounds=tosses%3D3", "#drawing svg"),
    ("/model/walk?goal=done&solve=true&steps=c0", "#asks"),
    ("/nowhere", ".problem"),
];

/// A table of heroes of the small book.
const HEROES: &str = "combat_skill,endurance,disciplines,weaponskill,gold,items,win,lower,upper
15,20,hunting,,4,sword,0.5,0.5,0.5\n15,21,hunting,,4,sword,0.6,0.6,0.6\n16,20,hunting,,4,sword,0.7,0.7,0.7
16,21,hunting,,4,sword,0.8,0.8,0.8\n15,20,healing,,4,sword,0.1,0.1,0.1\n16,21,healing,,4,sword,0.9,0.9,0.9\n";

/// What is wrong with a page, by rules that need nothing but a browser.
const OWN: &str = r#"
const wrong = [], say = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
const channel = (part) => (part /= 255, part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = (colour) => {
  const [red, green, blue] = colour.match(/[\d.]+/g).map(Number);
  return 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
};
const contrast = (one, other) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};
const ground = (element) => {
  for (let own = element; own; own = own.parentElement) {
    const { backgroundColor } = getComputedStyle(own);
    if (backgroundColor.startsWith("rgb(")) return backgroundColor;
  }
  return "rgb(255, 255, 255)";
};
for (const element of document.querySelectorAll("body *:not(svg *, script, option, optgroup, :disabled)")) {
  if (!isSeen(element) || element.closest(":disabled, .unseen, .skip, .busy")) continue;
  const style = getComputedStyle(element);
  if ([...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) {
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    const found = contrast(style.color, ground(element));
    if (found < (large ? 3 : 4.5)) say(`contrast ${found.toFixed(2)}`, element);
  }
  if (element.matches("input:not([type=checkbox], [type=range]), select, textarea, button:not(.main, .playing-card)")) {
    const found = contrast(style.borderTopColor, ground(element.parentElement));
    if (found < 3) say(`border ${found.toFixed(2)}`, element);
  }
  const scrolls = ["auto", "scroll"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
  if (scrolls && element.tabIndex < 0 && !element.querySelector("a, button, input, [tabindex]")) say("cannot be scrolled with keys", element);
}
for (const element of document.querySelectorAll("th, h1, h2, h3, summary, legend, label, caption")) {
  if (isSeen(element) && !element.textContent.trim()) say("empty", element);
}
for (const element of document.querySelectorAll("button, input, select, textarea, a, [role=button], [role=application], svg[role=img]")) {
  if (!(element.ariaLabel || element.textContent.trim() || element.labels?.length)) say("no name", element);
}
for (const element of document.querySelectorAll("[aria-live], [role=status], [role=alert]")) {
  if (element.textContent.length > 250) say(`a live region of ${element.textContent.length} letters`, element);
}
const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
ids.filter((id, place) => ids.indexOf(id) !== place).forEach((id) => wrong.push(`two elements are called ${id}`));
if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the window");
const probe = document.body.appendChild(document.createElement("i"));
const token = (name) => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
// In grey as well one sees which end of the ramp is which.
if (contrast(token("--lose"), token("--win")) < 3) wrong.push("the ends of the ramp are alike in grey");
probe.remove();
return wrong;
"#;

/// What axe-core finds.
const AXE: &str = r#"
const done = arguments[0];
axe.run(document, { rules: { "label-content-name-mismatch": { enabled: true } } }).then(({ violations }) =>
  done(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`)), (error) => done([String(error)]));
"#;

/// The text of axe-core, where it is.
fn axe() -> Option<String> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../node_modules/axe-core/axe.min.js"));
    let path = std::env::var_os("AXE_CORE").map_or(own, PathBuf::from);
    let text = std::fs::read_to_string(&path);
    if text.is_err() {
        let _ = writeln!(
            std::io::stderr(),
            "\nSKIPPED axe-core on the pages: it is not at {}. To run it: npm install axe-core, or AXE_CORE=.../axe.min.js",
            path.display()
        );
    }
    text.ok()
}

async fn pages_are_right(width: u32, height: u32, like: Like) {
    let Some(browser) = browser::start(width, height, like).await else { return };
    let host = browser::serve_two_ways(Ceilings::default()).await;
    let axe = axe();
    for (path, ready) in PAGES {
        page_is_right(&browser, &host, (path, ready), axe.as_deref(), like).await;
    }
    let host = browser::serve_heroes(HEROES).await;
    page_is_right(&browser, &host, ("/gamebook/heroes?sort=win", "#heroes-table"), axe.as_deref(), like).await;
}

async fn page_is_right(browser: &Browser, host: &str, (path, ready): (&str, &str), axe: Option<&str>, like: Like) {
    let none = json!([]);
    browser.client.goto(&format!("http://{host}{path}")).await.unwrap();
    browser.text_when(ready, |_| true).await;
    browser.run_until("return document.querySelectorAll('.busy').length", 0).await;
    // Where the theme is forced by the browser alone, it must have arrived.
    let dark = browser.run("return matchMedia('(prefers-color-scheme: dark)').matches").await;
    assert_eq!(dark, like.dark, "{path}");
    // Boxes that turn out to be too wide can be scrolled a frame later.
    browser.run_until(OWN, none.clone()).await;
    if let Some(axe) = axe {
        browser.run(axe).await;
        let found = browser.client.execute_async(AXE, vec![]).await.unwrap();
        assert_eq!(found, none, "{path}");
    }
    focus_is_seen(browser, path).await;
}

/// Goes through a page with the Tab key.
async fn focus_is_seen(browser: &Browser, path: &str) {
    for _ in 0..12 {
        browser.client.active_element().await.unwrap().send_keys(TAB).await.unwrap();
        let script = "const element = document.activeElement, style = getComputedStyle(element); \
            return element === document.body || element.closest('svg') !== null \
                || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) ? null : element.outerHTML";
        assert_eq!(browser.run(script).await, serde_json::Value::Null, "{path}: the focus is not seen");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_desk() {
    pages_are_right(1200, 900, Like::default()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_desk_in_the_dark() {
    pages_are_right(1200, 900, Like { dark: true, phone: false }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone() {
    pages_are_right(360, 740, Like { dark: false, phone: true }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_in_the_dark() {
    pages_are_right(360, 740, Like { dark: true, phone: true }).await;
}
