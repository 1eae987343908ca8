// Light or dark: as JupyterLab or the system says, until the reader chooses.

/** @import { PageState, Store } from "./store.js" */

function themeOfPage() {
  const lab = document.body.dataset.jpThemeLight;
  if (lab) return lab === "true" ? "light" : "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/**
 * @param {HTMLElement[]} targets  the elements that carry data-theme
 * @param {Store<PageState>} store
 */
export function createTheme(targets, store) {
  const theme = () => store.state.theme ?? themeOfPage();
  const show = () => {
    for (const each of targets) each.dataset.theme = theme();
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const page = new MutationObserver(show);
  system.addEventListener("change", show);
  page.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  store.subscribe(["theme"], show);
  show(); // at once, so that no colour fades in
  return {
    turn: () => store.set({ theme: theme() === "dark" ? "light" : "dark" }),
    destroy() {
      page.disconnect();
      system.removeEventListener("change", show);
    },
  };
}
