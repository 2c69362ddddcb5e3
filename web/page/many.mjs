// Many ranks at once: groups of them as the rows and columns of a square, which fills as messages go from one group to another.

import { button, bytesInWords, html, many, timeInWords } from "./elements.mjs";
import { note } from "./frame.mjs";

const mostGroups = 64;
const moments = 200;

// Groups of as many ranks as a power of two.
function groupingOf(ranks) {
  let size = 1;
  while (Math.ceil(ranks / size) > mostGroups) size *= 2;
  return { size, groups: Math.ceil(ranks / size) };
}

// Bytes from group to group, for each moment in which a message ends.
function trafficOf(run, { size, groups }) {
  const cells = Array.from({ length: moments + 1 }, () => new Map());
  for (const message of run.messages) {
    const moment = Math.min(moments, Math.ceil((message.end / run.seconds) * moments));
    const key = Math.floor(message.from / size) * groups + Math.floor(message.to / size);
    cells[moment].set(key, (cells[moment].get(key) ?? 0) + message.bytes);
  }
  return cells;
}

const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Darker cells have carried more; those of this moment have a color of their own.
function paint(canvas, sums, fresh, { groups }, most) {
  const context = canvas.getContext("2d");
  const cell = canvas.width / groups;
  context.fillStyle = colorOf("--panel");
  context.fillRect(0, 0, canvas.width, canvas.height);
  const fill = (key, color, strength) => {
    context.globalAlpha = strength;
    context.fillStyle = color;
    context.fillRect((key % groups) * cell, Math.floor(key / groups) * cell, Math.max(1, cell - 1), Math.max(1, cell - 1));
  };
  for (const [key, bytes] of sums) fill(key, colorOf("--message"), 0.25 + 0.75 * Math.sqrt(bytes / most));
  for (const key of fresh.keys()) fill(key, colorOf("--combined"), 1);
  context.globalAlpha = 1;
}

function sumsUpTo(traffic, moment) {
  const sums = new Map();
  for (let k = 0; k <= moment; ++k) for (const [key, bytes] of traffic[k]) sums.set(key, (sums.get(key) ?? 0) + bytes);
  return sums;
}

function wordsAt(run, moment) {
  const now = (run.seconds * moment) / moments;
  const arrived = run.messages.filter((message) => message.end <= now * 1.0000001).length;
  return `${timeInWords(now)} of ${timeInWords(run.seconds)}: ${many(arrived, "message")} of ${run.messages.length.toLocaleString("en-US")} have arrived.`;
}

// `run` is what `simulate --timeline FILE.json` writes.
export function showMany(place, run) {
  const grouping = groupingOf(run.ranks);
  const traffic = trafficOf(run, grouping);
  const most = Math.max(1, ...sumsUpTo(traffic, moments).values());
  const canvas = html("canvas", { width: 768, height: 768, role: "img" });
  const words = html("p", { role: "status", "aria-live": "polite" });
  let playing = 0;
  const show = (moment) => {
    slider.value = moment;
    paint(canvas, sumsUpTo(traffic, moment), moment < moments ? traffic[moment] : new Map(), grouping, most);
    words.textContent = wordsAt(run, moment);
    canvas.setAttribute("aria-label", words.textContent);
  };
  const slider = html("input", { type: "range", min: 0, max: moments, step: 1, "aria-label": "Time", input: () => show(Number(slider.value)) });
  const stop = () => {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "Play";
  };
  const tick = () => {
    if (!canvas.isConnected || Number(slider.value) >= moments) return stop();
    show(Number(slider.value) + 1);
    playing = requestAnimationFrame(tick);
  };
  const play = button("Play", () => {
    if (playing) return stop();
    if (Number(slider.value) >= moments) show(0);
    play.textContent = "Pause";
    playing = requestAnimationFrame(tick);
  });
  const group = grouping.size === 1 ? "a rank" : `${grouping.size} ranks`;
  place.replaceChildren(html("div", { role: "group", "aria-label": "Playing" }, play, html("label", { class: "wide" }, "Time ", slider)), words,
                        html("figure", { class: "many" }, html("figcaption", {}, `Senders from top to bottom, receivers from left to right; a cell stands for ${group} and ${group}.`), canvas),
                        note(`Blue: what has been carried, up to ${bytesInWords(most)} in a cell. Orange: what arrives now. With at most 72 ranks the network itself is drawn.`));
  show(moments);
}
