// Random stories in ink: weaves, conditions, counts, sequences, tunnels, functions, lists, chance. Every story ends, as the
// steps that it makes are counted.

/** Numbers that look random, the same for the same seed. */
function dice(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * sides);
  };
}

const NUMBERS = ["a", "b", "c"];
const COLOURS = ["red", "green", "blue"];

/** The text of the story of a seed. */
export function story(seed) {
  const roll = dice(seed);
  const of = (list) => list[roll(list.length)];
  const knots = Array.from({ length: 3 + roll(3) }, (_, number) => `k${number}`);
  let labels = 0;
  let temps = 0;
  let own = [];

  const number = (depth = 0) => {
    switch (roll(depth > 1 ? 3 : 9)) {
      case 0:
        return String(roll(4));
      case 1:
      case 2:
        return of(NUMBERS);
      case 3:
        return `${number(depth + 1)} ${of(["+", "-", "*"])} ${number(depth + 1)}`;
      case 4:
        return `(${number(depth + 1)} ${of(["+", "-", "*"])} ${number(depth + 1)})`;
      case 5:
        // Of what is not negative: inkjs rounds down where ink rounds towards zero.
        return `${of([...knots, "steps", "LIST_COUNT(bag)"])} ${of(["/", "mod", "%"])} ${1 + roll(4)}`;
      case 6:
        return `twice(${number(depth + 1)})`;
      case 7:
        return of([...knots, ...own]);
      default:
        return `LIST_COUNT(bag)`;
    }
  };
  const condition = (depth = 0) => {
    switch (roll(depth > 1 ? 3 : 8)) {
      case 0:
      case 1:
        return `${number(1)} ${of(["==", "!=", "<", ">", "<=", ">="])} ${roll(4)}`;
      case 2:
        return of([...knots, ...own, "yes", "hall.east", "hall.west"]);
      case 3:
        return `not ${of([...knots, "yes"])}`;
      case 4:
        return `bag ? ${of(COLOURS)}`;
      case 5:
        return `bag !? ${of(COLOURS)}`;
      case 6:
        return `TURNS_SINCE(-> ${of(knots)}) ${of(["==", ">", "<"])} ${roll(3) - 1}`;
      default:
        return `${condition(depth + 1)} ${of(["and", "or", "&&", "||"])} ${condition(depth + 1)}`;
    }
  };
  const change = () => {
    switch (roll(11)) {
      case 10:
        return `~ door = -> ${of([...knots, "hall.east", "hall.west"])}`;
      case 8:
        return `~ next = -> ${of(["e0", "e1"])}`;
      case 9:
        return `~ bag = LIST_${of(["INVERT", "ALL"])}(bag)`;
      case 0:
      case 1:
        return `~ ${of(NUMBERS)} = ${number()}`;
      case 2:
        return `~ ${of(NUMBERS)} += ${1 + roll(2)}`;
      case 3:
        return `~ ${of(NUMBERS)} = RANDOM(${roll(2)}, ${2 + roll(3)})`;
      case 4:
        return `~ bag ${of(["+=", "-="])} ${of(COLOURS)}`;
      case 5:
        return `~ yes = ${condition(1)}`;
      case 6:
        return `~ raise(${of(NUMBERS)})`;
      default:
        return `~ ${of(NUMBERS)}++`;
    }
  };
  // What may stand within a branch of a sequence.
  const within = () =>
    of([
      () => "First.",
      () => `Words {${condition(1)}: more|less} and {${condition(1)}: more}.`,
      () => `{${condition(1)}: -> ${of(knots)}}`,
      () => `{${condition(1)}: {${condition(1)}: -> ${of(knots)}|No.}}`,
      () => `{a|b} and {~c|d}.`,
    ])();
  const line = (indent) => {
    const pad = " ".repeat(indent);
    switch (roll(21)) {
      case 19:
        return [`${pad}{${condition(1)}: -> door}`];
      case 13:
        return [`${pad}~ temp p${(temps += 1)} = -> ${of(knots)}`, `${pad}{${condition(1)}: -> p${temps}}`];
      case 14:
        return [`${pad}-> hops ->`];
      case 15:
        // A choice within a condition, beside those after it.
        return indent > 0 ? [`${pad}~ größe++`] : [`{${condition(1)}:`, `  * [within${(labels += 1)}]`, `    ${change()}`, `    -> ${of(knots)}`, "}"];
      case 16:
        return [`${pad}~ word = "{${condition(1)}:a{1 + 1}|b}"`, `${pad}{word == "a2": -> ${of(knots)}}`];
      case 17:
        return [`${pad}~ temp own${(temps += 1)} = ()`, `${pad}~ own${temps} += ${of(COLOURS)}`, `${pad}{own${temps} ? ${of(COLOURS)} and größe > LIMIT: -> ${of(knots)}}`];
      case 18:
        return [`${pad}{${condition(1)}:{${condition(1)}:-> ${of(knots)}|<>}|{&no|{!one|two}}}`];
      case 11:
        return [`${pad}~ temp t${(temps += 1)} = ${number()}`, `${pad}~ ${of(NUMBERS)} = t${temps}`];
      case 12:
        return [`${pad}-> pays(${number(1)}) ->`];
      case 0:
        return [`${pad}Words {${of(["", "!", "&", "~"])}one|two|three} and {${condition()}: more|less}.`];
      case 1:
        return [`${pad}{${condition()}:`, `${pad}  ${change()}`, `${pad}- else:`, `${pad}  ${change()}`, `${pad}}`];
      case 2:
        return [
          `${pad}{`,
          `${pad}- ${condition(1)}:`,
          `${pad}  ${change()}`,
          `${pad}- ${condition(1)}:`,
          `${pad}  ${change()}`,
          `${pad}- else:`,
          `${pad}  ${change()}`,
          `${pad}}`,
        ];
      case 3:
        return [`${pad}{ ${of(NUMBERS)}:`, `${pad}- 0: ${change()}`, `${pad}- 2: ${change()}`, `${pad}- else: Else.`, `${pad}}`];
      case 4:
        return [
          `${pad}{${of(["stopping", "cycle", "once", "shuffle", "once shuffle", "stopping shuffle"])}:`,
          `${pad}- ${within()}`,
          `${pad}  ${change()}`,
          `${pad}- Second.`,
          `${pad}  ${change()}`,
          `${pad}  ${within()}`,
          `${pad}}`,
        ];
      case 5:
        return [`${pad}-> side ->`];
      case 6:
        return [`${pad}{${condition()}: -> ${of(knots)}}`];
      case 7:
        return [`${pad}{RANDOM(1, 3) == 1: -> ${of(knots)}}`];
      default:
        return [`${pad}${change()}`];
    }
  };
  const lines = (count, indent) => Array.from({ length: count }, () => line(indent)).flat();
  const choices = (level) => {
    const written = [];
    const count = 1 + roll(3);
    for (let place = 0; place < count; place += 1) {
      const sign = of(["*", "*", "+"]).repeat(level);
      const label = roll(4) === 0 ? `(l${(labels += 1)}) ` : "";
      if (label && level === 1) own.push(`l${labels}`);
      const asked = roll(3) === 0 ? `{${condition()}} ` : "";
      // One choice may be offered with an empty text, which is no fallback.
      const shown = place === 0 && roll(6) === 0 ? "[] Words." : `[${level}.${place}]`;
      written.push(`${" ".repeat(level)}${sign} ${label}${asked}${shown}`);
      written.push(...lines(roll(2), 2 * level + 1));
      if (level < 2 && roll(4) === 0) {
        written.push(...choices(level + 1));
      } else if (roll(3) > 0) {
        written.push(`${" ".repeat(2 * level + 1)}-> ${of([...knots, "over"])}`);
      }
    }
    return written;
  };

  const text = [
    ...NUMBERS.map((name) => `VAR ${name} = ${roll(3)}`),
    "VAR yes = false",
    "VAR steps = 0",
    "VAR größe = 0",
    "VAR word = \"\"",
    "CONST LIMIT = 1",
    "VAR next = -> e0",
    "VAR door = -> hall.west",
    `LIST bag = ${COLOURS.map((colour) => (roll(2) === 0 ? `(${colour})` : colour)).join(", ")}`,
    "-> k0",
  ];
  for (const knot of knots) {
    own = [];
    text.push(`=== ${knot} ===`, "~ steps += 1", "{steps > 4: -> over}", ...lines(1 + roll(3), 0));
    if (roll(4) === 0) text.push("<- aside");
    if (roll(4) === 0) text.push(`<- offers(${number(1)}, -> ${of(knots)})`);
    text.push(...choices(1));
    text.push(roll(2) === 0 ? "- Gathered." : `- ${change()}`, ...lines(roll(2), 0), `-> ${of([...knots, "over"])}`);
  }
  own = [];
  text.push("=== aside ===", `* {${condition()}} [aside]`, `  ${change()}`, `  -> ${of(knots)}`);
  text.push(`+ {CHOICE_COUNT() < 2 or TURNS() > 2} [away]`, `  -> ${of(knots)}`);
  text.push("=== offers(x, -> there) ===", "* {x > 1} offered[] {x}.", "  -> there", `+ {x < 3} [other]`, `  -> ${of(knots)}`);
  text.push("=== hops ===", `{${condition(1)}: ->-> ${of([...knots, "hall.east", "door"])}}`, change(), "->->");
  // Nobody reads how often the hall itself was visited: a divert through a variable counts there otherwise than in ink.
  text.push("=== hall", "-> east", "= east", "~ steps += 1", "{steps > 6: -> over}", `{${condition(1)}: -> ${of(["west", "door"])}}`, "+ [door]", "  -> door");
  text.push(`+ [on]`, `  -> ${of(knots)}`, "= west", "~ steps += 1", "{steps > 6: -> over}", change(), `{${condition(1)}: -> ${of(["east", "door"])}}`, `-> ${of(knots)}`);
  text.push("=== pays(x) ===", "~ a = a + x", "{x > 2:", `  ${change()}`, "}", "->->");
  text.push("=== side ===", change(), "Aside.", "->->");
  text.push("=== function twice(x) ===", `~ return x ${of(["+ x", "* 2"])}`);
  text.push("=== function raise(ref x) ===", "~ x = x + 1");
  text.push("=== over ===", "{ a > 9:", "  ~ a = 9", "}", "-> next",
    "=== e0 ===", "-> last", "=== e1 ===", "~ a += 1", "-> last", "=== last ===", "The end. # ending: a{a}b{b}{yes}{bag}{hall.east}{hall.west > 1}", "-> END");
  return text.join("\n") + "\n";
}
