// What the player says, in both languages; the sentences of the steps come with the trace.

// The words stand in viz/words.py, from where viz/player/page.py puts them in here.
const WORDS = { en: {}, zh: {} };

export function startLanguage(wanted) {
  const names = [wanted, document.documentElement.lang, navigator.language];
  return names.find((name) => name)?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

// What is labelled follows the language; `follow` calls again whatever depends on it.
export function createWords(lang) {
  const followers = [];
  const words = {
    lang,
    say: (key) => WORDS[words.lang][key] ?? key,
    follow(update) {
      followers.push(update);
      update();
    },
    label(element, key, attribute = null) {
      words.follow(() => {
        if (attribute) element.setAttribute(attribute, words.say(key));
        else element.textContent = words.say(key);
      });
      return element;
    },
    use(next) {
      words.lang = next;
      followers.forEach((update) => update());
    },
  };
  return words;
}
