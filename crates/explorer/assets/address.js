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

/** Puts the state into the address: in place, for what is tried out. */
export const show = (of) => history.replaceState(null, "", address(of));

/** The same as a step that the browser's Back takes back. */
export const step = (of) => history.pushState(null, "", address(of));

// An address gone back to is read by the server, like any other.
addEventListener("popstate", () => location.reload());
