// Many ranks at once: groups of them as the rows and columns of a square, which fills as messages go from one group to another.

import { button, bytesInWords, html, many, timeInWords } from "./elements.mjs";
import { note } from "./frame.mjs";
import { moments } from "./traffic.mjs";

const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Darker cells have carried more; those of this moment have a color of their own.
function paint(canvas, sums, fresh, { groups }, most) {
  const context = canvas.getContext("2d");
  const cell = canvas.width / groups;
  context.fillStyle = colorOf("--panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  const fill = (key, strength) => {
    context.globalAlpha = strength;
    context.fillRect((key % groups) * cell, Math.floor(key / groups) * cell, Math.max(1, cell - 1), Math.max(1, cell - 1));
  };
  context.fillStyle = colorOf("--message");
  for (const [key, bytes] of sums.entries()) if (bytes > 0) fill(key, 0.25 + 0.75 * Math.sqrt(bytes / most));
  context.fillStyle = colorOf("--combined");
  for (const key of fresh.keys()) fill(key, 1);
  context.globalAlpha = 1;
}

// Bytes of each cell up to a moment; the moment after the last one that was asked for costs that moment alone.
class Sums {
  constructor(traffic) {
    this.traffic = traffic;
    this.begin();
  }

  begin() {
    this.moment = -1;
    this.bytes = new Float64Array(this.traffic.groups ** 2);
  }

  upTo(moment) {
    if (moment < this.moment) this.begin();
    while (this.moment < moment) for (const [key, bytes] of this.traffic.cells[++this.moment]) this.bytes[key] += bytes;
    return this.bytes;
  }
}

function wordsAt({ seconds, arrived }, moment) {
  return `${timeInWords((seconds * moment) / moments)} of ${timeInWords(seconds)}: ${many(arrived[moment], "message")} of ${arrived[moments].toLocaleString("en-US")} have arrived.`;
}

// `show(moment)` is called while it plays: for every frame a moment; for those who want no motion ten pictures, one after the other.
function player(show, isThere) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [pace, next, cancel] = isStill ? [moments / 10, (act) => setTimeout(act, 700), clearTimeout] : [1, requestAnimationFrame, cancelAnimationFrame];
  let playing = 0;
  const slider = html("input", { type: "range", min: 0, max: moments, step: 1, "aria-label": "Time", input: () => show(Number(slider.value)) });
  const move = (moment) => {
    slider.value = moment;
    show(moment);
  };
  const stop = () => {
    cancel(playing);
    playing = 0;
    play.textContent = "Play";
  };
  const tick = () => {
    if (!isThere() || Number(slider.value) >= moments) return stop();
    move(Math.min(moments, Number(slider.value) + pace));
    playing = next(tick);
  };
  const play = button("Play", () => {
    if (playing) return stop();
    if (Number(slider.value) >= moments) move(0);
    play.textContent = "Pause";
    playing = next(tick);
  });
  return { move, controls: html("div", { role: "group", "aria-label": "Playing" }, play, html("label", { class: "wide" }, "Time ", slider)) };
}

// `fewer` says why the picture has fewer ranks than the answer, or is empty.
export function showMany(place, traffic, fewer = "") {
  const sums = new Sums(traffic);
  const most = Math.max(1, ...sums.upTo(moments));
  const canvas = html("canvas", { width: 768, height: 768, role: "img" });
  const words = html("p", { role: "status", "aria-live": "polite" });
  const show = (moment) => {
    paint(canvas, sums.upTo(moment), moment < moments ? traffic.cells[moment] : new Map(), traffic, most);
    words.textContent = wordsAt(traffic, moment);
    canvas.setAttribute("aria-label", words.textContent);
  };
  const { move, controls } = player(show, () => canvas.isConnected);
  const group = traffic.size === 1 ? "a rank" : `${traffic.size} ranks`;
  place.replaceChildren(...(fewer ? [html("p", {}, fewer)] : []), controls, words,
                        html("figure", { class: "many" }, html("figcaption", {}, `Senders from top to bottom, receivers from left to right; a cell stands for ${group} and ${group}.`), canvas),
                        note(`Blue: what has been carried, up to ${bytesInWords(most)} in a cell. Orange: what arrives now. With at most 72 ranks the network itself is drawn.`));
  move(moments);
}
