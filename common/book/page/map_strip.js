// The map, small, at the top of every lesson: a line of stations, with the place of this one marked.

import { data, exercises, listen } from "./course.js";
import { html, set } from "./dom.js";
import { places, stateOf, stationsOf } from "./map_stations.js";
import { addressOf } from "./notice.js";
import { stateText } from "./verdict.js";

export function strip() {
  const lesson = data.lessons.find(({ folder }) => folder === data.lesson);
  const heading = document.querySelector("main h1");
  if (!lesson || !heading) return;
  const model = lesson.id === "11" ? "11" : "12";
  const shown = stationsOf(model).filter(({ uses, id }) => uses.length > 0 && !["norm2", "last", "out"].includes(id));
  const here = places[lesson.id] ?? [];
  const stops = shown.map((station) => {
    const exercise = station.uses.map((id) => exercises.get(id)).find((each) => each) ?? null;
    return [station, exercise && html("a", { href: addressOf(exercise), "aria-current": here.includes(station.id) ? "location" : null }, html("span", { class: "lamp" }), html("span", { class: "name" }, station.label))];
  }).filter(([, link]) => link);
  const show = () => stops.forEach(([station, link]) => {
    link.dataset.state = stateOf(station);
    const said = station.uses.map((id) => `${id} ${exercises.get(id)?.title}: ${stateText(exercises.get(id) ?? {})}`).join(", ");
    set(link, { title: said, "aria-label": `${station.label}, ${said}` });
  });
  show();
  listen(show);
  heading.before(html("nav", { class: "strip", "aria-label": "This lesson on the map" },
    html("a", { class: "whole", href: `${data.root}${data.live ? "" : "index.html"}${model === "11" ? "#11" : ""}` }, "The map"), html("span", { class: "line" }, stops.map(([, link]) => link))));
}
