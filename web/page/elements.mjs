// Elements of the page, and words for numbers.

export const byId = (id) => document.getElementById(id);

// An attribute of true is there without a value; false, null and undefined leave it out. Functions listen to the event of their name.
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const button = (words, act, attributes = {}) => html("button", { type: "button", click: act, ...attributes }, words);

export const many = (number, what) => `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;

// "1.024ms": a unit that leaves the number between 1 and 1,000, and four digits.
export function timeInWords(seconds) {
  if (seconds === null || seconds === undefined) return "not known";
  const units = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];
  const [unit, size] = seconds === 0 ? units[0] : units.find(([, each]) => seconds >= each * 0.99995) ?? units[3];
  return `${Number((seconds / size).toPrecision(4))}${unit}`;
}

// "64KiB", "1.5MiB", "1000B": as the command takes it.
export function bytesInWords(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let k = 0;
  let number = bytes;
  for (; k + 1 < units.length && number >= 1024 && number % 256 === 0; ++k) number /= 1024;
  return `${number}${units[k]}`;
}

// A text with the parts between `backquotes` as code.
export function withCode(text) {
  return text.split("`").map((part, k) => (k % 2 === 1 ? html("code", {}, part) : part));
}

export function table(heads, rows, caption) {
  const cells = (row, kind) => row.map((cell) => html(kind, kind === "th" ? { scope: "col" } : {}, ...[cell].flat()));
  return html("div", { class: "table", tabindex: 0, role: "region", "aria-label": caption },
              html("table", {}, html("caption", {}, caption), html("thead", {}, html("tr", {}, ...cells(heads, "th"))),
                   html("tbody", {}, ...rows.map((row) => html("tr", { class: row.mark ?? false }, ...cells(row.cells ?? row, "td"))))));
}
