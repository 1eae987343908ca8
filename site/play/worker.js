// Runs programs in Pyodide, apart from the page, so that an endless loop never stops the page.

const PAUSE = 50; // milliseconds between two messages of output
const MOST = 500_000; // letters of output of one run; what is beyond is left out

/** @type {any} */ let pyodide;
/** @type {any} */ let harness;

/** Send a message to the page. @param {string} kind @param {any} [content] */
const send = (kind, content) => postMessage({ kind, ...content });

const output = {
  text: "",
  error: false,
  sent: 0,
  last: 0,

  /** Send what has been written since the last message. */
  flush() {
    if (this.text) send("output", { text: this.text, error: this.error });
    this.text = "";
    this.last = performance.now();
  },

  /** Write a piece of text. @param {string} text @param {boolean} error */
  write(text, error) {
    if (this.sent >= MOST) return;
    if (error !== this.error) this.flush();
    this.error = error;
    this.text += text;
    this.sent += text.length;
    if (this.sent >= MOST) this.text += "\n…\n";
    if (performance.now() - this.last > PAUSE) this.flush();
  },
};

/** Return a stream for Python's output. @param {boolean} error */
function stream(error) {
  const decoder = new TextDecoder();
  const write = (/** @type {Uint8Array} */ bytes) => {
    output.write(decoder.decode(bytes, { stream: true }), error);
    return bytes.length;
  };
  return { write };
}

/** Load Pyodide, NumPy and the engine. @param {string} address */
async function start(address) {
  const part = async (/** @type {string} */ name) =>
    (await fetch(new URL(name, import.meta.url))).arrayBuffer();
  const parts = Promise.all([part("engine.zip"), part("program.py")]);
  const { loadPyodide } = await import(new URL("pyodide.mjs", address).href);
  pyodide = await loadPyodide({ indexURL: address, packages: ["numpy"] });
  const [engine, program] = await parts;
  pyodide.unpackArchive(engine, "zip", { extractDir: "/home/pyodide/engine" });
  pyodide.FS.writeFile("/home/pyodide/engine/program_of_playground.py", new Uint8Array(program));
  pyodide.runPython("import sys; sys.path.append('/home/pyodide/engine')");
  harness = pyodide.pyimport("program_of_playground");
  pyodide.setStdout(stream(false));
  pyodide.setStderr(stream(true));
  harness.start_afresh();
  send("ready");
}

/** Run a program. @param {string} code @param {string} lang */
async function run(code, lang) {
  output.sent = 0;
  const quiet = { messageCallback: () => {} };
  await pyodide.loadPackagesFromImports(code, quiet).catch(() => {}); // Python reports wrong code
  if (/\bvision\b/.test(code)) await pyodide.loadPackage("pillow", quiet).catch(() => {});
  const result = JSON.parse(harness.run(code, lang));
  output.flush();
  send("done", result);
  harness.start_afresh(); // ready for the next run
}

addEventListener("message", ({ data }) => {
  const work = data.kind === "start" ? start(data.address) : run(data.code, data.lang);
  work.catch((error) => send("broken", { text: String(error) }));
});
