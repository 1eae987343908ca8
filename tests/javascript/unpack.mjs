// What the page makes of packed payloads, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";

import { openBook } from "../../viz/player/web/unpack.js";

const book = openBook(JSON.parse(readFileSync(0, "utf-8")));
const chapters = book.chapters.map((_, number) => book.chapter(number));
const numbers = Array.from({ length: book.count + 3 }, (_, at) => at - 1); // one before, two behind
const spots = numbers.map((number) => [number, book.indexOf(book.spotOf(number))]);
process.stdout.write(JSON.stringify({ chapters, count: book.count, spots }));
