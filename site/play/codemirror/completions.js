// Names that can follow what has been typed, from a table of the modules of minipaddle and viz.

/**
 * @typedef {{ label: string, type: string, detail: string, info: string }} Name
 * @typedef {Record<string, Name[]>} Names names of each module, by its full name
 */

/**
 * Return the modules that the variables of a program stand for.
 * @param {string} program @param {Names} names
 */
function importsOf(program, names) {
  /** @type {Record<string, string>} */
  const found = {};
  const whole = (/** @type {string} */ name) => name.replace(/^paddle\b/, "minipaddle");
  for (const [, name, alias] of program.matchAll(/^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm)) {
    if (alias) found[alias] = whole(name);
    else found[name.split(".")[0]] = whole(name.split(".")[0]);
  }
  for (const [, from, list] of program.matchAll(/^\s*from\s+([\w.]+)\s+import\s+(.+)$/gm)) {
    for (const part of list.split(",")) {
      const [name, alias] = part.trim().split(/\s+as\s+/);
      const module = `${whole(from)}.${name}`;
      if (module in names) found[alias ?? name] = module;
    }
  }
  return found;
}

/**
 * Return the completions for a text before the cursor, null if there are none.
 * @param {string} before @param {string} program @param {Names} names
 */
export function completionsAt(before, program, names) {
  const match = before.match(/([\w.]*\.)?(\w*)$/);
  if (!match) return null;
  const [, path = "", typed] = match;
  const imports = importsOf(program, names);
  if (!path) {
    const options = Object.keys(imports).map((label) => ({ label, type: "namespace" }));
    return { typed, dotted: false, options };
  }
  const [head, ...rest] = path.slice(0, -1).split(".");
  const options = names[[imports[head] ?? head, ...rest].join(".")];
  return options ? { typed, dotted: true, options } : null;
}
