// Light or dark theme, following the surrounding page or the system until the reader chooses.

/** @import { PageState, Store } from "./store.js" */

// Attributes with the theme of a page, at its body or its root: JupyterLab, Notebook and Colab use
// attributes of their own, Sphinx themes such as furo data-theme, marimo and VS Code a class.
const TOLD_BY = ["data-jp-theme-light", "data-theme", "theme", "class"];
const THEME_CLASS = /(?:^|\s)(?:vscode-)?(dark|light|high-contrast-light|high-contrast)(?:\s|$)/;

/**
 * @param {HTMLElement} element
 * @returns {"light" | "dark" | null}
 */
function themeTold(element) {
  const lab = element.dataset.jpThemeLight;
  if (lab) return lab === "true" ? "light" : "dark";
  const name = element.dataset.theme ?? element.getAttribute("theme");
  if (name === "light" || name === "dark") return name;
  const kind = THEME_CLASS.exec(element.className)?.[1];
  return kind ? (kind.endsWith("light") ? "light" : "dark") : null;
}

/**
 * @param {HTMLElement[]} targets  the elements that carry data-theme
 * @param {Store<PageState>} store
 */
export function createTheme(targets, store) {
  const around = [document.body, document.documentElement].filter(
    (each) => !targets.includes(each),
  );
  const system = matchMedia("(prefers-color-scheme: dark)");
  const theme = () =>
    store.state.theme ??
    around.map(themeTold).find((each) => each) ??
    (system.matches ? "dark" : "light");
  const show = () => {
    for (const each of targets) each.dataset.theme = theme();
  };
  const page = new MutationObserver(show);
  system.addEventListener("change", show);
  for (const each of around) page.observe(each, { attributes: true, attributeFilter: TOLD_BY });
  store.subscribe(["theme"], show);
  show(); // immediately, so that no colour fades in
  return {
    turn: () => store.set({ theme: theme() === "dark" ? "light" : "dark" }),
    destroy() {
      page.disconnect();
      system.removeEventListener("change", show);
    },
  };
}
