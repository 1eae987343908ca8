// Runs every unit test of a folder in one process: node unit_tests.mjs FOLDER.

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const names = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
for (const name of names.sort()) await import(pathToFileURL(`${folder}/${name}`));
