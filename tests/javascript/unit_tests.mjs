// Runs every unit test of this folder in one process.

import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
for (const name of names.sort()) await import(`./${name}`);
