// Programs that the page's machine runs, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { Machine } from "../../viz/player/web/whatif/machine.js";

const told = (number) => (Number.isFinite(number) ? number : String(number));

const made = JSON.parse(readFileSync(0, "utf-8")).map(({ program, runs, wanted }) => {
  const machine = new Machine(program);
  machine.build(Number.POSITIVE_INFINITY);
  return runs.map((given) => {
    for (const [number, numbers] of given) machine.give(number, numbers);
    machine.start(given.map(([number]) => number));
    machine.work(Number.POSITIVE_INFINITY);
    return wanted.map((number) => ({
      numbers: machine.numbers(number).map(told),
      stale: machine.state(number).stale !== "",
    }));
  });
});
process.stdout.write(JSON.stringify(made));
