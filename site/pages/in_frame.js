// A player in a page of the site takes that page's language and theme.
if (parent !== window) {
  const around = parent.document;
  document.documentElement.lang = around.documentElement.lang;
  const follow = () => {
    const { theme } = around.body.dataset;
    if (theme === "light" || theme === "dark") document.body.dataset.theme = theme;
    else delete document.body.dataset.theme; // the system's
  };
  new MutationObserver(follow).observe(around.body, { attributeFilter: ["data-theme"] });
  follow();
}
