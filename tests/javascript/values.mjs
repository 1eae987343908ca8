// What a page shows in its boxes, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";
import { openBook } from "../../viz/player/web/unpack.js";
import { lineOf, mainOf, pictureOf, sourcesIn } from "../../viz/player/web/values.js";
import { facesOf } from "../../viz/player/web/view.js";

const found = JSON.parse(readFileSync(0, "utf-8")).map((packed) => {
  const book = openBook(packed);
  return book.chapters.map(({ graph }, number) => {
    const { boxes, steps } = book.chapter(number);
    const drawn = new Map(facesOf(graph).map((face) => [face.id, face]));
    const faces = [...sourcesIn(boxes)].flatMap(([id, history]) =>
      history.map(([step, [from, places]]) => {
        const { kind, detail } = drawn.get(id);
        const shown = places.map((place) => steps[from].shown[place]);
        const values = shown.map(({ name, value }) => ({ name, entry: book.value(value) }));
        const picture = pictureOf(kind, mainOf(detail, values).entry);
        const { w, h, pixels = [] } = picture ?? {};
        return [step, id, lineOf(detail, values), picture && [w, h, ...pixels]];
      }),
    );
    return faces;
  });
});
process.stdout.write(JSON.stringify(found));
