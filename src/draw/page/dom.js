// Elements, and words for numbers.

// The data have a frame's arrows, loads and ranks as rows, and texts by number.
function unpacked(packed) {
  if (!packed.frames) return packed;
  const { texts, distinctColors } = packed;
  const textsOf = (numbers) => numbers.map((number) => texts[number]);
  const arrowOf = ([number, from, to, elements, content, combined, ...passed]) =>
    ({ number, from, to, route: [from, ...passed, to], elements, content: texts[content],
       ...(combined ? { combined: true } : {}), ...(distinctColors ? { color: (number - 1) % distinctColors } : {}) });
  const frames = packed.frames.map((frame) => ({
    ...frame,
    arrows: frame.arrows.map(arrowOf),
    loads: frame.loads.map(([from, to, messages, elements]) => ({ from, to, messages, elements })),
    ranks: frame.ranks.map(([before, after, operations]) => ({ before: textsOf(before), after: textsOf(after), operations: textsOf(operations) })),
  }));
  return { ...packed, frames };
}

const data = unpacked(JSON.parse(document.getElementById("data").textContent));
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
