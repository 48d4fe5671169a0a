// A page's whole state, as the server put it into the page, and as its address has it: one part for each number,
// word, switch or list element that differs from the bare address, named by its place (enemy.health=35).

const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** The state that the address describes. */
export const state = read("state");

/** The state of the bare address. */
export const template = read("template");

/** The query of a state. */
export function query(of) {
  const parts = new URLSearchParams();
  const collect = (now, bare, before) => {
    for (const [key, value] of Object.entries(now)) {
      const name = before + key, usual = bare[key];
      if (JSON.stringify(value) === JSON.stringify(usual) || value === undefined) continue;
      if (Array.isArray(value)) (value.length ? value : [""]).forEach((element) => parts.append(name, element));
      else if (value !== null && typeof value === "object") collect(value, usual ?? {}, name + ".");
      else if (value !== null) parts.append(name, value);
    }
  };
  collect(of, template, "");
  // Signs that need no escape in a query, and read better without.
  return parts.toString().replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%2C", ",");
}

const address = (of) => {
  const text = query(of);
  return location.pathname + (text && "?" + text);
};

/** The address that this page shows. */
let shown = location.pathname + location.search;

// Where one has scrolled to is kept with each step, since a page that is gone back to is longer once its answers are there.
history.scrollRestoration = "manual";
let pause;
const keepPlace = () => history.replaceState({ top: scrollY }, "", location.href);
addEventListener("scroll", () => {
  clearTimeout(pause);
  pause = setTimeout(keepPlace, 150);
}, { passive: true });

/** What is wrong with the address, where something is: it stays as long as nothing on the page is changed. */
const wrong = document.getElementById("wrong-address"), begun = query(state);

function write(how, of) {
  if (wrong?.isConnected) {
    if (query(of) === begun) return;
    wrong.remove();
  }
  shown = address(of);
  history[how]({ top: scrollY }, "", shown);
}

/** Puts the state into the address: in place, for what is tried out. */
export const show = (of) => write("replaceState", of);

/** The same as a step that the browser's Back takes back. */
export function step(of) {
  keepPlace();
  write("pushState", of);
}

// An address gone back to is read by the server, like any other. A link within the page changes no state.
addEventListener("popstate", () => {
  if (location.pathname + location.search === shown) return;
  clearTimeout(pause);
  location.reload();
});

/** Scrolls to where one was before Back or a reload, as soon as the page is long enough; not against who scrolls. */
function returnTo(top) {
  const scroll = () => {
    scrollTo({ top, behavior: "instant" });
    if (Math.abs(scrollY - top) < 2) done();
  };
  const grown = new ResizeObserver(scroll);
  const signs = ["wheel", "touchmove", "keydown", "pointerdown"];
  const done = () => {
    grown.disconnect();
    signs.forEach((sign) => removeEventListener(sign, done));
  };
  signs.forEach((sign) => addEventListener(sign, done, { passive: true }));
  setTimeout(done, PATIENCE);
  grown.observe(document.body);
}
/** Milliseconds: whose answer takes longer has begun to read. */
const PATIENCE = 10_000;
if (history.state?.top > 0) returnTo(history.state.top);
