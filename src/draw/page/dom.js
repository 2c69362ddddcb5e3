// Elements, and words for numbers.

// The page's data, and what ends when other data come.
let data = null;
let lifetime = new AbortController();

// Frames of the data's rows, where texts are numbers; each part of a frame is made when it is first looked at.
function unpackedFrames({ frames, texts, distinctColors }) {
  const once = (frame, name, make) => Object.defineProperty(frame, name, { configurable: true, get() {
    const made = make();
    Object.defineProperty(frame, name, { value: made });
    return made;
  } });
  const textsOf = (numbers) => numbers.map((number) => texts[number]);
  const arrowOf = ([number, from, to, elements, content, combined, ...passed]) =>
    ({ number, from, to, route: [from, ...passed, to], elements, content: texts[content],
       ...(combined ? { combined: true } : {}), ...(distinctColors ? { color: (number - 1) % distinctColors } : {}) });
  let held = [];
  return frames.map(({ arrows, ranks, ...others }) => {
    const rows = ranks.map(([operations, after, before], rank) => {
      const first = before ?? held[rank] ?? [];
      return { operations, before: first, after: after ?? first };
    });
    held = rows.map((row) => row.after);
    const frame = { ...others, contents: arrows.map((row) => row[4]), rows };
    once(frame, "arrows", () => arrows.map(arrowOf));
    once(frame, "loads", () => loadsOf(frame.arrows));
    return once(frame, "ranks", () => rows.map(({ operations, before, after }) => ({ before: textsOf(before), after: textsOf(after), operations: textsOf(operations) })));
  });
}

// Messages and elements on each way from a vertex to the next.
function loadsOf(arrows) {
  const loads = new Map();
  for (const { route, elements } of arrows) {
    route.slice(1).forEach((to, k) => {
      const key = `${route[k]}-${to}`;
      const load = loads.get(key) ?? { from: route[k], to, messages: 0, elements: 0 };
      loads.set(key, { ...load, messages: load.messages + 1, elements: load.elements + elements });
    });
  }
  return [...loads.values()];
}

const unpacked = (packed) => (packed.frames ? { ...packed, frames: unpackedFrames(packed) } : packed);

const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

const many = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

// "8 elements", or "64KiB", "15.75MiB" and "783,992B" where elements are bytes.
function amount(elements) {
  if (data.unit !== "bytes") return many(elements, "element");
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let k = 0;
  for (; k + 1 < units.length && elements >= 1024 && elements % 256 === 0; ++k) elements /= 1024;
  return `${elements < 10000 ? elements : elements.toLocaleString("en-US")}${units[k]}`;
}

function wordsForTime(seconds) {
  const units = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? (seconds === 0 ? units[0] : units[3]);
  return `${Number((seconds / size).toPrecision(4))}${unit}`;
}

// "as the system", "light" and "dark", in turn. Colors stand on the root element, so that style needs one rule for each.
function setUpTheme() {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const names = ["as the system", "light", "dark"];
  let chosen = 0;
  const apply = () => {
    document.documentElement.dataset.theme = chosen === 0 ? (dark.matches ? "dark" : "light") : names[chosen];
    button.textContent = `Colors: ${names[chosen]}`;
  };
  button.addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}
setUpTheme();
