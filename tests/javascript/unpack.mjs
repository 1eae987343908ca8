// What the page makes of packed payloads, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";

import { openBook } from "../../viz/player/web/unpack.js";

const book = openBook(JSON.parse(readFileSync(0, "utf-8")));
process.stdout.write(JSON.stringify(book.chapters.map((_, number) => book.chapter(number))));
