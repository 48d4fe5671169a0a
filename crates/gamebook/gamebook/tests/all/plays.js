// Plays the scripts of books at random, so many times each: node plays.js INTERPRETER SCRIPTS PLAYS
"use strict";
const fs = require("fs");
const [interpreter, scripts, plays] = process.argv.slice(2);
const { Play, seeded } = require(interpreter);

const results = JSON.parse(fs.readFileSync(scripts, "utf8")).map((script, seed) => {
  const random = seeded(seed + 1);
  const play = new Play(script, random);
  let won = 0;
  const visited = {};
  for (let number = 0; number < Number(plays); number += 1) {
    play.restart();
    const sections = new Set(play.entered);
    // A play that has not ended by then never ends.
    for (let answers = 0; answers < 20000 && ["ask", "chance"].includes(play.waits); answers += 1) {
      if (play.waits === "ask") {
        const moves = play.moves();
        play.answer(moves[random(moves.length)]);
      } else {
        play.roll();
      }
      for (const section of play.entered) sections.add(section);
    }
    won += play.waits === "victory" ? 1 : 0;
    for (const section of sections) visited[section] = (visited[section] ?? 0) + 1;
  }
  return { won, visited };
});
console.log(JSON.stringify(results));
