// What the page makes of packed payloads, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";

import { unpack } from "../../viz/player/web/unpack.js";

process.stdout.write(JSON.stringify(unpack(JSON.parse(readFileSync(0, "utf-8")))));
