// The editor where the site was built without npm: a plain text area.
// With npm, codemirror/editor.js takes its place.

/**
 * Return the editor of a text inside an element.
 * @param {HTMLElement} parent @param {string} label @param {any} [_names]
 */
export function createEditor(parent, label, _names) {
  const area = document.createElement("textarea");
  area.spellcheck = false;
  area.ariaLabel = label;
  parent.append(area);
  return {
    get: () => area.value,
    set(/** @type {string} */ text) {
      area.value = text;
    },
    markLine(/** @type {number} */ _number) {},
  };
}
