/* Python in WebAssembly: `node run.mjs PYODIDE ARCHIVE` unpacks the archive and reads programs.
   Each line of the input is a program, as JSON; each answer is a line, {value} or {error}. */

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, archive] = process.argv.slice(2);
// An error that nobody catches would print all of Pyodide's code.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder, stdout: () => {}, stderr: () => {} });
await python.loadPackage("numpy", { messageCallback: () => {} });
python.unpackArchive(new Uint8Array(await readFile(archive)), "zip");

for await (const line of createInterface({ input: process.stdin })) {
  const answer = {};
  const names = python.globals.get("dict")();
  try {
    answer.value = python.runPython(JSON.parse(line), { globals: names });
  } catch (error) {
    answer.error = error.message;
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
