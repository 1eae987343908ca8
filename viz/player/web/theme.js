// Light or dark: as JupyterLab or the system says, until the reader chooses.

function themeOfPage() {
  const lab = document.body.dataset.jpThemeLight;
  if (lab) return lab === "true" ? "light" : "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

// `targets` are the elements that carry data-theme.
export function createTheme(targets, chosen) {
  let theme;
  const set = (next) => {
    theme = next;
    for (const each of targets) each.dataset.theme = theme;
  };
  const follow = () => { if (!chosen) set(themeOfPage()); };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const page = new MutationObserver(follow);
  system.addEventListener("change", follow);
  page.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  set(chosen ?? themeOfPage());
  return {
    turn() {
      chosen = theme === "dark" ? "light" : "dark";
      set(chosen);
      return chosen;
    },
    destroy() {
      page.disconnect();
      system.removeEventListener("change", follow);
    },
  };
}
