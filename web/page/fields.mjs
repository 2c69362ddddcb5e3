// The fields of the question, and errors beside the field that they are about.

import { byId, html } from "./elements.mjs";
import { rooted } from "./question.mjs";

const powers = (most, words) => Array.from({ length: most + 1 }, (_, k) => words(k));
const counts = (most) => powers(most, (k) => `${2 ** k}`);
const sizes = powers(30, (k) => `${2 ** (k % 10)}${["B", "KiB", "MiB", "GiB"][Math.floor(k / 10)]}`);
const times = (first, last) => ["0s", ...["0.001", "0.01", "0.1", "1", "10", "100", "1000", "10000", "100000"].slice(first, last).flatMap((power) => [1, 2, 5].map((digit) => `${Number((digit * power).toPrecision(1))}ns`))];

// Each field: its label, what it may hold, and when it is shown. Fields with `stops` have a slider over them; `any` fields belong to a
// program as well as to a collective.
const fieldsOf = (lists) => [
  { key: "collective", label: "Collective", choices: lists.collectives.map((name) => [name, name]) },
  { key: "algorithm", label: "Algorithm", choices: (state) => [["", "the cheapest here"], ...lists.algorithms.filter((each) => each.collective === state.collective).map((each) => [each.name, each.name])] },
  { key: "network", label: "Network", any: true, choices: [["", "all pairs linked"], ...lists.families.map((name) => [name, name]), ["own", "my own"]] },
  { key: "shape", label: "Size", any: true, hint: "by the ranks", title: "Such as 4x4; empty: as the ranks say", shown: (state) => state.network !== "" && state.network !== "own" },
  { key: "ranks", label: "Ranks", stops: counts(12), shown: (state) => state.network !== "own" && (state.shape === "" || state.network === "") },
  { key: "root", label: "Root", hint: "0", shown: (state) => rooted.includes(state.collective) },
  { key: "distance", label: "Distance", hint: "1", shown: (state) => state.collective === "shift" },
  { key: "bytes", label: "Message", stops: sizes, shown: (state) => state.collective !== "barrier" },
  { key: "counts", label: "Uneven blocks", hint: "5,0,2", more: true },
  { key: "segments", label: "Segments", hint: "its own", stops: counts(8), more: true },
  { key: "radix", label: "Radix", hint: "its own", more: true },
  { key: "switching", label: "Switching", any: true, more: true, choices: [["", "alpha-beta"], ["store-and-forward", "store and forward"], ["cut-through", "cut through"]] },
  { key: "ts", label: "ts, a message", any: true, hint: "1us", stops: times(3, 9), more: true },
  { key: "tw", label: "tw, a byte", any: true, hint: "1ns", stops: times(0, 5), more: true },
  { key: "th", label: "th, a hop", any: true, hint: "0s", stops: times(3, 8), more: true },
  { key: "tc", label: "tc, a byte combined", hint: "0s", stops: times(0, 5), more: true },
  { key: "ports", label: "Ports", any: true, more: true, choices: [["", "single"], ["multiple", "multiple"]] },
  { key: "late", label: "Late rank", hint: "3:5us", more: true },
  { key: "slow", label: "Slow link", hint: "0-1:4", title: "Two nodes and how many times as slow", more: true },
];

const units = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

// The number that a text of the command means, as far as a slider needs to know it.
function numberIn(text) {
  const parts = /^([\d.]+)\s*([a-zA-Z]*)$/.exec(text.trim());
  return parts ? Number(parts[1]) * (units[parts[2]] ?? 1) : NaN;
}

// The stop that is nearest to the text, in proportion.
function stopOf(stops, text) {
  const ratio = (stop) => Math.abs(Math.log((numberIn(stop) || 1e-12) / (numberIn(text) || 1e-12)));
  return stops.reduce((best, stop, k) => (ratio(stop) < ratio(stops[best]) ? k : best), 0);
}

// A text field changes the state when it is left or Enter is pressed; a slider while it moves.
function inputOf(field, state, change) {
  const id = `field-${field.key}`;
  const attributes = { id, name: field.key, "aria-describedby": `${id}-error` };
  if (field.choices) {
    const choices = typeof field.choices === "function" ? field.choices(state) : field.choices;
    const select = html("select", { ...attributes, change: (event) => change({ [field.key]: event.target.value }) },
                        ...choices.map(([value, words]) => html("option", { value, selected: value === state[field.key] }, words)));
    return [select];
  }
  const text = html("input", { ...attributes, type: "text", value: state[field.key], placeholder: field.hint ?? "", title: field.title ?? false,
                               autocomplete: "off", spellcheck: "false", change: (event) => change({ [field.key]: event.target.value.trim() }) });
  if (!field.stops) return [text];
  const slide = (event) => {
    text.value = field.stops[Number(event.target.value)];
    event.target.setAttribute("aria-valuetext", text.value);
    change({ [field.key]: text.value });
  };
  return [text, html("input", { type: "range", min: 0, max: field.stops.length - 1, step: 1, value: stopOf(field.stops, state[field.key] || field.hint || ""), input: slide,
                                id: `${id}-slider`, "aria-label": `${field.label}, slider`, "aria-valuetext": state[field.key] || field.hint })];
}

function rowOf(field, state, change) {
  const id = `field-${field.key}`;
  const isShown = (field.any || state.view !== "programs") && (field.shown?.(state) ?? true);
  return html("div", { class: "field", hidden: !isShown },
              html("label", { for: id }, field.label), html("div", { class: "inputs" }, ...inputOf(field, state, change)),
              html("p", { class: "error", id: `${id}-error`, role: "alert" }));
}

// Another collective has other algorithms, and may have no root.
const consequences = (part) => (part.collective ? { algorithm: "", segments: "", radix: "", ...part } : part.network ? { shape: "", ...part } : part);

// Parts of the state that decide which fields are there.
const kindOf = (state) => [state.view, state.collective, state.network, state.shape].join(" ");

export class Fields {
  constructor(lists, change) {
    this.fields = fieldsOf(lists);
    this.change = (part) => change(consequences(part));
    this.isOpen = false;
  }

  // Keeps the focus, and a slider that is being moved, where they are.
  show(state) {
    const active = document.activeElement;
    if (active?.type === "range" && active.closest("#fields") && this.isShownFor(state)) return;
    const focused = active?.closest("#fields") ? active.id : "";
    const rows = (more) => this.fields.filter((field) => Boolean(field.more) === more).map((field) => rowOf(field, state, this.change));
    const details = html("details", { open: this.isOpen || this.fields.some((field) => field.more && state[field.key] !== ""), toggle: (event) => (this.isOpen = event.target.open) },
                         html("summary", {}, "Machine, parameters, late ranks, slow links"), ...rows(true));
    byId("fields").replaceChildren(...rows(false), details, html("p", { class: "error", id: "field-error", role: "alert" }));
    this.kind = kindOf(state);
    if (focused) byId(focused)?.focus();
  }

  isShownFor(state) {
    return this.kind === kindOf(state);
  }

  showError(key, sentence) {
    for (const place of document.querySelectorAll("#fields .error")) place.textContent = "";
    for (const input of document.querySelectorAll("#fields [aria-invalid]")) input.removeAttribute("aria-invalid");
    if (!sentence) return;
    const place = byId(`field-${key}-error`) ?? byId("field-error");
    place.textContent = sentence;
    byId(`field-${key}`)?.setAttribute("aria-invalid", "true");
  }
}

// The field that an error is about: the first without which the core says something else. `attempt(state)` gives the error or "".
export async function fieldAtFault(state, defaults, sentence, attempt) {
  const candidates = ["bytes", "counts", "segments", "radix", "root", "distance", "ts", "tw", "th", "tc", "ports", "switching", "late", "slow", "shape", "ranks", "algorithm", "network"];
  for (const key of candidates) {
    if (state[key] === "" || (state[key] === defaults[key] && key !== "ranks")) continue;
    const other = key === "ranks" ? "8" : key === "bytes" ? defaults.bytes : "";
    if (other === state[key]) continue;
    if ((await attempt({ ...state, [key]: other })) !== sentence) return key;
  }
  return "";
}
