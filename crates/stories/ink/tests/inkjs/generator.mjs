// Ink's own generator makes one step from seeds that follow each other: what comes of a second shuffle says what came of the
// first. Chance is independent in bestplay, so here each step is mixed.

import generator from "inkjs/engine/PRNG";

generator.PRNG.prototype.next = function next() {
  this.seed = (this.seed + 0x9e3779b9) | 0;
  let mixed = this.seed;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 1;
};
