// The fields of instructions, read from Python's table.

import { readFileSync } from "node:fs";

const table = readFileSync(new URL("../../viz/whatif/instructions.py", import.meta.url), "utf8");

/** @type {Record<string, string[]>} */
export const fields = Object.fromEntries(
  Array.from(table.matchAll(/^ {4}"(\w+)": \((.*?)\),/gm), ([, kind, names]) => [
    kind,
    names.match(/\w+/g),
  ]),
);
