// The playground: an editor, the program's output, and the player of its steps.
//
// body's data-state is loading, ready, running, done, error or stopped. The address holds the
// program (`#code=`) or the name of an example (`#example=`); nothing runs before Run is pressed.

import { createEditor } from "./editor.js";
import { TEXTS } from "./texts.js";

const OUTPUT = 20_000; // letters of output that are shown; of more, the beginning is dropped
/** @typedef {{ name: string, code: string, en: string, zh: string }} Example */

const element = (/** @type {string} */ id) =>
  /** @type {HTMLElement} */ (document.getElementById(id));
const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (element(id));
const read = async (/** @type {string} */ name) => (await fetch(name)).json();

/** @type {{ pyodide: string, examples: Example[] }} */
const settings = await read("settings.json");
const address = new URLSearchParams(location.search);
/** @type {"en" | "zh"} */
let lang = (address.get("lang") ?? navigator.language).startsWith("zh") ? "zh" : "en";
let texts = TEXTS[lang];
const editor = createEditor(element("editor"), texts.editor, await read("names.json"));
/** @type {Worker} */ let worker;
let loaded = false; // whether the worker can run a program
/** @type {string | null} */ let waiting = null; // program that runs when the worker is loaded
let page = "";

// ----- states -----

/** Show a state. @param {string} state @param {string} [more] */
function show(state, more = "") {
  document.body.dataset.state = state;
  element("status").textContent = `${texts[state]} ${more}`.trim();
  button("run").disabled = state === "running";
  button("stop").disabled = state !== "running";
}

/** Start a worker, which loads Python. */
function startWorker() {
  loaded = false;
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => receive(data);
  worker.postMessage({ kind: "start", address: new URL(settings.pyodide, location.href).href });
}

/** Receive a message of the worker. @param {any} message */
function receive(message) {
  if (message.kind === "output") write(message.text, message.error);
  else if (message.kind === "ready") {
    loaded = true;
    if (waiting !== null) send(waiting);
    else if (document.body.dataset.state === "loading") show("ready");
  } else if (message.kind === "done") finish(message);
  else show("error", `${texts.broken} ${message.text}`);
}

// ----- running -----

/** Run the program; while Python loads it waits. */
function run() {
  element("output").replaceChildren();
  editor.markLine(0);
  show("running");
  if (loaded) send(editor.get());
  else waiting = editor.get();
}

/** Send a program to the worker. @param {string} code */
function send(code) {
  waiting = null;
  worker.postMessage({ kind: "run", code, lang });
}

/** End the program together with its Python, and load a new one. */
function stop() {
  worker.terminate();
  waiting = null;
  show("stopped");
  startWorker();
}

/** Show what a program has left. @param {any} result */
function finish(result) {
  for (const figure of result.figures) {
    const image = new Image();
    image.src = `data:image/png;base64,${figure}`;
    image.alt = texts.figure;
    element("output").append(image);
  }
  const lines = [...(element("output").textContent ?? "").matchAll(/program\.py", line (\d+)/g)];
  if (result.failed) editor.markLine(Number(lines.at(-1)?.[1] ?? 0));
  showPage(result.page);
  show(result.failed ? "error" : "done", result.page || result.failed ? "" : texts.empty);
  if (matchMedia("(max-width: 800px)").matches) element("output").scrollIntoView();
}

/** Show a page of the player. @param {string} html */
function showPage(html) {
  page = html;
  const frame = /** @type {HTMLIFrameElement} */ (element("player"));
  frame.srcdoc = html;
  frame.hidden = !html;
  element("hint").hidden = Boolean(html);
  button("save-page").disabled = !html;
}

/** Append to the output. @param {string} text @param {boolean} error */
function write(text, error) {
  const output = element("output");
  const part = document.createElement("span");
  part.textContent = text;
  if (error) part.className = "error";
  output.append(part);
  let surplus = (output.textContent ?? "").length - OUTPUT;
  while (surplus > 0 && output.firstChild && output.firstChild !== part) {
    surplus -= (output.firstChild.textContent ?? "").length;
    output.firstChild.remove();
  }
  output.scrollTop = output.scrollHeight;
}

// ----- programs in addresses and files -----

/** Return bytes through a stream. @param {BlobPart} bytes @param {GenericTransformStream} through */
async function passed(bytes, through) {
  const stream = new Blob([bytes]).stream().pipeThrough(/** @type {any} */ (through));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return a program as letters for an address. @param {string} code */
async function packed(code) {
  const bytes = await passed(code, new CompressionStream("deflate-raw"));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the program that `packed` has packed. @param {string} letters */
async function unpacked(letters) {
  const plain = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await passed(bytes, new DecompressionStream("deflate-raw")));
}

/** Put the program that the address names into the editor. */
async function load() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const named = settings.examples.find(({ name }) => name === hash.get("example"));
  const code = hash.get("code");
  const found = code === null ? null : await unpacked(code).catch(() => null);
  editor.set(found ?? (named ?? settings.examples[0]).code);
  const choice = /** @type {HTMLSelectElement} */ (element("examples"));
  choice.value = found === null ? (named ?? settings.examples[0]).name : "";
}

/** Put the program into the address and the address into the clipboard. */
async function share() {
  const letters = await packed(editor.get());
  history.replaceState(null, "", `#code=${letters}`);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  element("status").textContent = texts.copied;
}

/** Offer a file. @param {string} name @param {string} text @param {string} type */
function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// ----- the page -----

/** Write the texts of the page in its language. */
function translate() {
  texts = TEXTS[lang];
  document.documentElement.lang = lang;
  document.title = texts.title;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-text]")
  )) {
    part.textContent = texts[part.dataset.text ?? ""];
  }
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-label]")
  )) {
    part.ariaLabel = texts[part.dataset.label ?? ""];
  }
  const choice = /** @type {HTMLSelectElement} */ (element("examples"));
  const chosen = choice.value;
  const options = settings.examples.map((example) => new Option(example[lang], example.name));
  choice.replaceChildren(new Option(`${texts.examples} …`, ""), ...options);
  choice.value = chosen;
  const home = /** @type {HTMLAnchorElement} */ (element("home"));
  home.href = lang === "zh" ? "../zh/" : "../";
}

/** Let a service worker keep what this visit loads, so that the next works offline. */
async function keepOffline() {
  const container = navigator.serviceWorker;
  if (!container) return; // a browser loads everything anew at each visit
  const registration = await container.register("sw.js").catch(() => null);
  const installing = registration?.installing;
  if (!installing || container.controller) return;
  await new Promise((resolve) => {
    container.addEventListener("controllerchange", resolve, { once: true });
    installing.addEventListener("statechange", () => {
      if (installing.state === "redundant") resolve(null); // it could not be installed
    });
  });
}

button("run").onclick = run;
button("stop").onclick = stop;
button("share").onclick = share;
button("save").onclick = () => download("program.py", editor.get(), "text/x-python");
button("save-page").onclick = () => download("steps.html", page, "text/html");
button("lang").onclick = () => {
  lang = lang === "en" ? "zh" : "en";
  translate();
  show(document.body.dataset.state ?? "loading");
};
element("examples").onchange = (event) => {
  const { value } = /** @type {HTMLSelectElement} */ (event.target);
  if (value) location.hash = `example=${value}`;
};
window.onhashchange = load;
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (document.body.dataset.state !== "running") run();
  },
  true,
);

translate();
await load();
show("loading");
await keepOffline();
startWorker();
