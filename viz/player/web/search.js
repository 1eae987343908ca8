// The search box: nodes whose label or detail contains what is typed, also in closed groups.

import { html } from "./dom.js";

export function createSearch(words, graph, { select, leave }) {
  const input = html("input", { type: "search", class: "mp-query", autocomplete: "off",
    spellcheck: "false" });
  words.label(input, "searchHint", "aria-label");
  words.label(input, "searchHint", "placeholder");
  const found = html("span", { class: "mp-found", role: "status" });
  let hits = [], hit = -1;

  function find() {
    const wanted = input.value.trim().toLowerCase();
    const fits = (box) => `${box.label} ${box.detail}`.toLowerCase().includes(wanted);
    hits = wanted ? [...new Set(graph.boxes().filter(fits).map((box) => box.tag_of ?? box.id))] : [];
    hit = -1;
    graph.find(hits.map(graph.resolve));
    found.textContent = wanted ? `${hits.length || words.say("none")}` : "";
  }

  function next(by) {
    if (!hits.length) return;
    hit = (Math.max(hit, by < 0 ? 0 : -1) + by + hits.length) % hits.length;
    found.textContent = `${hit + 1}/${hits.length}`;
    graph.unfold(hits[hit]); // its group may be closed
    graph.find(hits.map(graph.resolve));
    const seen = graph.resolve(hits[hit]);
    select(seen);
    graph.reveal([seen]);
  }

  input.addEventListener("input", find);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation(); // what is typed here is for nobody else
    if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    input.value = "";
    find();
    leave();
  });

  return { element: html("div", { class: "mp-search" }, input, found), start: () => input.select() };
}
