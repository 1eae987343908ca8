// Scenes that the page's code makes, for tests in Python: reads and writes JSON.

import { readFileSync } from "node:fs";

import { compose } from "../../viz/player/web/compose.js";

const { graph, opens, ids } = JSON.parse(readFileSync(0, "utf-8"));
const scenes = opens.map((open) => {
  const scene = compose(graph, new Set(open));
  const resolved = ids.map((id) => [id, scene.resolve(id) ?? null]);
  return { ...scene, resolved: Object.fromEntries(resolved) };
});
process.stdout.write(JSON.stringify(scenes));
