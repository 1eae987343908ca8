// Programs that the page's machine runs, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { Machine } from "../../viz/player/web/whatif/machine.js";

const told = (number) => (Number.isFinite(number) ? number : String(number));

const made = JSON.parse(readFileSync(0, "utf-8")).map(({ program, runs, wanted }) => {
  const machine = new Machine(program);
  for (const _ of machine.build());
  return runs.map((given) => {
    for (const [number, numbers] of given) machine.give(number, numbers);
    for (const _ of machine.run(given.map(([number]) => number)));
    return wanted.map((number) => ({
      numbers: machine.numbers(number).map(told),
      stale: machine.state(number).stale !== "",
    }));
  });
});
process.stdout.write(JSON.stringify(made));
