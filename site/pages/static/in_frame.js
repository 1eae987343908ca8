// A player in a page of the site takes that page's language and theme.
if (parent !== window) {
  const own = document.documentElement;
  const around = parent.document;
  own.lang = around.documentElement.lang;
  const follow = () => {
    const { theme } = around.body.dataset;
    if (theme === "light" || theme === "dark") own.dataset.theme = theme;
    else delete own.dataset.theme;
  };
  new MutationObserver(follow).observe(around.body, { attributeFilter: ["data-theme"] });
  follow();
}
