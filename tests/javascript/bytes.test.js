import assert from "node:assert/strict";
import { test } from "node:test";
import { codeIn } from "../../viz/player/web/bytes.js";

test("base 85 of any length is read as Python wrote it", () => {
  const texts = [
    ["", []],
    ["00", [0]],
    ["{{", [255]],
    ["0RI", [0, 255]],
    ["|Ns9", [255, 255, 255]],
    ["`uqI-{{K8ZK0iP~", [250, 251, 252, 253, 254, 255, 60, 61, 62, 63, 64, 65]],
  ];
  for (const [text, bytes] of texts) assert.deepEqual([...new Uint8Array(codeIn(text))], bytes);
});
