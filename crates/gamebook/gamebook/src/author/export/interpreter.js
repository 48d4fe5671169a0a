"use strict";
// Plays a script: steps over registers. It knows nothing of pages, so that it can be tested without one.

const LARGEST = 2147483647;
/** After so many steps without a question the book counts as endless. */
const MOST_STEPS = 1000000;

/** A number within the range of the registers. */
const kept = (number) => Math.max(-LARGEST - 1, Math.min(LARGEST, number));

/** A whole number below `most`, each equally likely, from unpredictable bytes. */
function unforeseen(most) {
  const words = new Uint32Array(1);
  const end = Math.floor(4294967296 / most) * most;
  do { crypto.getRandomValues(words); } while (words[0] >= end);
  return words[0] % most;
}

/** The same from a seed: the same numbers for the same seed. */
function seeded(seed) {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (most) => {
    const end = Math.floor(4294967296 / most) * most;
    let found;
    do { found = word(); } while (found >= end);
    return found % most;
  };
}

class Play {
  /** `random(most)` gives whole numbers below `most`. */
  constructor(script, random) {
    this.script = script;
    this.random = random;
    this.restart();
  }

  restart() {
    this.registers = this.script.registers.map((register) => register[3]);
    this.place = this.script.start;
    /** The sections that were entered since the last question. */
    this.entered = [];
    this.run();
  }

  /** What play is now, to come back to. */
  moment() { return { registers: [...this.registers], place: this.place, endless: this.endless }; }

  comeBack(moment) {
    this.registers = [...moment.registers];
    this.place = moment.place;
    this.endless = moment.endless;
    this.entered = [];
  }

  get step() { return this.script.steps[this.place]; }

  /** What play waits for: `ask`, `chance`, or its end: `death`, `victory`, `stuck`, `endless`. */
  get waits() {
    if (this.endless) return "endless";
    if (this.step[0] === "ask" && this.moves().length === 0) return "stuck";
    return this.step[0];
  }

  get note() { return this.script.notes[this.place] ?? {}; }

  /** The section in which play is. */
  get section() { return this.script.section_of[this.place]; }

  value(own) {
    if (typeof own === "number") return own;
    const [what, left, right] = own;
    switch (what) {
      case "of": return this.registers[left];
      case "+": return kept(this.value(left) + this.value(right));
      case "-": return kept(this.value(left) - this.value(right));
      case "*": return kept(this.value(left) * this.value(right));
      case "min": return Math.min(this.value(left), this.value(right));
      case "max": return Math.max(this.value(left), this.value(right));
      case "down": case "up": {
        const [dividend, divisor] = [this.value(left), this.value(right)];
        if (divisor === 0) return 0;
        // Minus nothing is nothing.
        return kept((what === "down" ? Math.floor : Math.ceil)(dividend / divisor)) + 0;
      }
      case "holds": return this.test(left) ? 1 : 0;
      case "table": {
        const [first, numbers] = this.script.tables[left];
        return numbers[Math.max(0, Math.min(numbers.length - 1, this.value(right) - first))];
      }
      case "sum": return left.reduce((sum, register) => sum + this.registers[register], 0);
      default: throw new Error(`no number is called ${what}`);
    }
  }

  test(own) {
    if (typeof own === "boolean") return own;
    const [what, left, right] = own;
    switch (what) {
      case "=": return this.value(left) === this.value(right);
      case "!=": return this.value(left) !== this.value(right);
      case "<": return this.value(left) < this.value(right);
      case "<=": return this.value(left) <= this.value(right);
      case ">": return this.value(left) > this.value(right);
      case ">=": return this.value(left) >= this.value(right);
      case "not": return !this.test(left);
      case "and": return this.test(left) && this.test(right);
      case "or": return this.test(left) || this.test(right);
      default: throw new Error(`no test is called ${what}`);
    }
  }

  put(register, number) {
    const [, least, most] = this.script.registers[register];
    this.registers[register] = Math.max(least, Math.min(most, number));
  }

  /** Numbers are put into registers one after another. */
  set(sets) {
    for (const [register, own] of sets) this.put(register, this.value(own));
  }

  /** Goes on to the next question, chance or end. */
  run() {
    this.endless = false;
    for (let count = 0; count < MOST_STEPS; count += 1) {
      const step = this.step;
      switch (step[0]) {
        case "go": this.place = step[1]; break;
        case "enter":
          this.entered.push(this.section);
          this.place = step[1];
          break;
        case "set":
          this.set(step[1]);
          this.place = step[2];
          break;
        case "if": this.place = this.test(step[1]) ? step[2] : step[3]; break;
        case "ask": {
          const { otherwise } = step[1];
          if (otherwise === null || this.moves().length > 0) return;
          this.place = otherwise;
          break;
        }
        default: return;
      }
    }
    this.endless = true;
  }

  /** The answers that can be given: which, the number that is chosen with it (or null), and what it is called. */
  moves() {
    const { answers, distinct } = this.step[1];
    const found = [];
    answers.forEach((answer, which) => {
      for (const number of this.numbers(answer)) {
        const before = this.registers;
        this.registers = [...before];
        if (number !== null) this.registers[answer.each.register] = number;
        if (this.test(answer.test)) {
          this.set(answer.sets);
          const after = JSON.stringify([answer.next, this.registers]);
          if (!distinct || number !== null || found.every((other) => other.after !== after)) {
            found.push({ which, number, after, label: this.label(answer, number) });
          }
        }
        this.registers = before;
      }
    });
    return found;
  }

  /** The numbers that can be chosen with an answer, in their order; `[null]` where none is chosen. */
  numbers({ each }) {
    if (each === null) return [null];
    const [, least, most] = this.script.registers[each.register];
    const from = Math.max(least, this.value(each.from));
    const to = Math.min(most, this.value(each.to));
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, above) => from + above);
    return each.down ? numbers.reverse() : numbers;
  }

  label(answer, number) {
    const label = this.script.labels[answer.label];
    if (number === null) return label;
    return /\{[^}]*\}/.test(label) ? label.replace(/\{[^}]*\}/, () => number) : `${label} (${number})`;
  }

  /** Gives one of the answers. */
  answer({ which, number }) {
    const answer = this.step[1].answers[which];
    if (number !== null) this.registers[answer.each.register] = number;
    this.set(answer.sets);
    if (answer.next !== null) this.place = answer.next;
    this.entered = [];
    this.run();
  }

  /** Rolls; tells what the dice show, or what is drawn. */
  roll() {
    const outcomes = this.step[1];
    const { roll, drawn } = this.note;
    const shown = roll ? this.throwDice(roll) : { outcome: this.weighed(outcomes), sums: [] };
    const [, sets, next] = outcomes[shown.outcome];
    this.set(sets);
    this.place = next;
    this.entered = [];
    this.run();
    return { kind: roll?.kind ?? null, sums: shown.sums, drawn: drawn?.[shown.outcome] ?? null };
  }

  throwDice({ kind, sums, outcomes }) {
    let [at, stride] = [0, 1];
    const shown = sums.map(([name, sides, plus]) => {
      // How far each die is above the least that it can bring.
      const above = sides.map((most) => this.random(most));
      at += stride * above.reduce((sum, one) => sum + one, 0);
      stride *= sides.reduce((sum, most) => sum + most - 1, 1);
      const faces = above.map((one) => (kind === "pick" ? one : kind === "ten" ? (one + 1) % 10 : one + 1));
      const counts = kind === "ten" ? above.map((one) => one + 1) : faces;
      return { name, faces, plus, total: counts.reduce((sum, one) => sum + one, plus) };
    });
    return { outcome: outcomes[at], sums: shown };
  }

  weighed(outcomes) {
    const weights = outcomes.map(([weight]) => {
      if (!Array.isArray(weight)) return BigInt(weight);
      return BigInt(Math.max(0, this.value(weight)));
    });
    let left = this.below(weights.reduce((sum, weight) => sum + weight, 0n));
    return weights.findIndex((weight) => {
      left -= weight;
      return left < 0n;
    });
  }

  /** A whole number below a large one. */
  below(most) {
    if (most <= 4294967296n) return BigInt(this.random(Number(most)));
    const digits = most.toString(16).length;
    for (;;) {
      let found = 0n;
      for (let digit = 0; digit < digits; digit += 1) found = found * 16n + BigInt(this.random(16));
      if (found < most) return found;
    }
  }

  /** What stands on the hero's sheet: lines of a name, a number and its initial or largest value (or null). */
  sheet() {
    const { stats, items, flags } = this.script.sheet;
    return {
      stats: stats.map(([name, now, of]) => [name, this.value(now), of === null ? null : this.value(of)]),
      items: items.map(([name, register]) => [name, this.registers[register]]).filter(([, count]) => count > 0),
      flags: flags.filter(([, register]) => this.registers[register] > 0).map(([name]) => name),
    };
  }

  /** Who is fought: a name and what he has. */
  enemies() {
    const { duel, foes } = this.note;
    if (duel) {
      const stats = [["Combat Skill", duel.combat_skill], ["Endurance", this.value(duel.endurance)]];
      if (duel.ratio !== null) stats.push(["ratio", this.value(duel.ratio)]);
      return [{ name: duel.name, stats }];
    }
    const enemies = (foes ?? []).map(({ name, stats }) => {
      const now = stats.map(([stat, register, vital]) => [stat, this.registers[register], vital]);
      return { name, stats: now.map(([stat, number]) => [stat, number]), fallen: now.some(([, number, vital]) => vital && number <= 0) };
    });
    return enemies.filter(({ fallen }) => !fallen);
  }
}

if (typeof module !== "undefined") module.exports = { Play, seeded };
