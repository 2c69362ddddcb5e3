// The fields of the question, and errors beside the field that they are about.

import { byId, html } from "./elements.mjs";
import { doesCount, options } from "./options.mjs";
import { saysRanks } from "./question.mjs";

const powers = (most, words) => Array.from({ length: most + 1 }, (_, k) => words(k));
const powersOfTwo = (most) => powers(most, (k) => `${2 ** k}`);
const sizes = powers(30, (k) => `${2 ** (k % 10)}${["B", "KiB", "MiB", "GiB"][Math.floor(k / 10)]}`);
const times = (first, last) => ["0s", ...["0.001", "0.01", "0.1", "1", "10", "100", "1000", "10000", "100000"].slice(first, last).flatMap((power) => [1, 2, 5].map((digit) => `${Number((digit * power).toPrecision(1))}ns`))];

const groups = { parameters: "Blocks, nodes, parameters", costs: "Costs of messages", ways: "Ways and other traffic", disturbed: "A late rank, a slow link" };

// Each field: its label, what it may hold, and when it is shown. Fields with `stops` have a slider over them, fields with `names` suggest
// some; `any` fields belong to a program as well as to a collective, as options of the machine do.
const fieldsOf = (lists) => [
  { key: "collective", label: "Collective", choices: lists.collectives.map((name) => [name, name]) },
  { key: "algorithm", label: "Algorithm", choices: (state) => [["", "the cheapest here"], ...lists.algorithms.filter((each) => each.collective === state.collective).map((each) => [each.name, each.name])] },
  { key: "network", label: "Network", any: true, choices: [["", "all pairs linked"], ...lists.families.map((name) => [name, name]), ["own", "my own"]] },
  { key: "shape", label: "Size", any: true, hint: "by the ranks", title: "Such as 4x4; empty: as the ranks say", shown: (state) => state.network !== "" && state.network !== "own" },
  { key: "ranks", label: "Ranks", stops: powersOfTwo(12), shown: (state) => !saysRanks(state) },
  { key: "root", label: "Root", hint: "0" },
  { key: "distance", label: "Distance", hint: "1" },
  { key: "bytes", label: "Message", stops: sizes, shown: (state) => state.collective !== "barrier" },
  { key: "counts", label: "Uneven blocks", hint: "5,0,2", group: "parameters" },
  { key: "nodes", label: "Ranks of each node", hint: "3+5+1", title: "3+5+1: three on the first node; 16x8: eight on each of 16", group: "parameters" },
  { key: "grid", label: "Grid", hint: "2x4", title: "The grid that mesh algorithms use", group: "parameters" },
  { key: "segments", label: "Segments", hint: "its own", stops: powersOfTwo(8), group: "parameters" },
  { key: "radix", label: "Radix", hint: "its own", group: "parameters" },
  { key: "operator", label: "Operator", choices: [["", "commutes"], ["ordered", "keeps the order of ranks"]], group: "parameters" },
  { key: "switching", label: "Switching", choices: [["", "alpha-beta"], ["store-and-forward", "store and forward"], ["cut-through", "cut through"]], group: "costs" },
  { key: "ts", label: "ts, a message", hint: "1us", stops: times(3, 9), group: "costs" },
  { key: "tw", label: "tw, a byte", hint: "1ns", stops: times(0, 5), group: "costs" },
  { key: "tsInside", label: "ts inside a node", hint: "ts", group: "costs" },
  { key: "twInside", label: "tw inside a node", hint: "tw", group: "costs" },
  { key: "tsOutside", label: "ts between nodes", hint: "ts", group: "costs" },
  { key: "twOutside", label: "tw between nodes", hint: "tw", group: "costs" },
  { key: "th", label: "th, a hop", hint: "0s", stops: times(3, 8), group: "costs", shown: (state) => state.switching === "cut-through" || state.th !== "" },
  { key: "tc", label: "tc, a byte combined", hint: "0s", stops: times(0, 5), group: "costs" },
  { key: "tr", label: "tr, a byte sorted", hint: "0s", group: "costs" },
  { key: "packet", label: "Packet", hint: "whole messages", group: "costs", shown: (state) => state.switching === "store-and-forward" || state.packet !== "" },
  { key: "ports", label: "Ports", choices: [["", "single"], ["multiple", "multiple"]], group: "costs" },
  { key: "injection", label: "A rank's card, a byte", hint: "no limit", group: "costs" },
  { key: "eager", label: "Buffered up to", hint: "0B", title: "Messages up to this size begin before their receivers are there", group: "costs" },
  { key: "engine", label: "Pace", choices: [["", "each rank its own"], ["rounds", "all together, in rounds"]], group: "costs" },
  { key: "routing", label: "Routing", hint: "own", names: ["ecmp:1", "minimal-adaptive", "valiant:1", "adaptive:1"], title: "The network's own, or a name and a seed", group: "ways" },
  { key: "background", label: "Other traffic, pairs", hint: "0", title: "Endless messages between that many random pairs: 16, or 16:7 with a seed", group: "ways" },
  { key: "forwarding", label: "Forwarding", choices: [["", "as the network has it"], ["hardware", "by hardware"], ["ranks", "by ranks, a ts more"]], group: "ways" },
  { key: "embedding", label: "Places of ranks", hint: "by number", names: ["gray", "line"], title: "gray, line, or a place for each rank: 0,2,1,3", group: "ways" },
  { key: "late", label: "Late rank", hint: "3:5us", group: "disturbed" },
  { key: "slow", label: "Slow link", hint: "0-1:4", title: "Two nodes and how many times as slow", group: "disturbed" },
];

const optionOf = (key) => options.find((each) => each.key === key);

function isShown(field, state) {
  const option = optionOf(field.key);
  if (state.view === "programs" && !field.any && option?.of !== "machine") return false;
  return (!option || doesCount(option, state)) && (field.shown?.(state) ?? true);
}

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
  if (field.names) {
    text.setAttribute("list", `${id}-names`);
    return [text, html("datalist", { id: `${id}-names` }, ...field.names.map((value) => html("option", { value })))];
  }
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
  return html("div", { class: "field", hidden: !isShown(field, state) },
              html("label", { for: id }, field.label), html("div", { class: "inputs" }, ...inputOf(field, state, change)),
              html("p", { class: "error", id: `${id}-error`, role: "alert" }));
}

function setValue(field, state) {
  const value = state[field.key];
  byId(`field-${field.key}`).value = value;
  const slider = byId(`field-${field.key}-slider`);
  if (!slider || slider === document.activeElement) return;
  slider.value = stopOf(field.stops, value || field.hint || "");
  slider.setAttribute("aria-valuetext", value || field.hint || "");
}

// Another collective has other algorithms, and may have no root.
const consequences = (part) => (part.collective ? { algorithm: "", segments: "", radix: "", ...part } : part.network ? { shape: "", ...part } : part);

// Fields that are there.
const kindOf = (fields, state) => fields.filter((field) => isShown(field, state)).map((field) => field.key).join(" ");

export class Fields {
  constructor(lists, change) {
    this.fields = fieldsOf(lists);
    this.change = (part) => change(consequences(part));
    this.open = new Set();
  }

  // Fields that stay get their values in their places, so that the focus, and a slider that is being moved, stay where they are.
  show(state) {
    const kind = `${state.view} ${state.collective} ${kindOf(this.fields, state)}`;
    if (this.kind === kind) return this.fields.forEach((field) => setValue(field, state));
    const active = document.activeElement;
    const focused = active?.closest("#fields") ? active.id : "";
    const main = this.fields.filter((field) => !field.group).map((field) => rowOf(field, state, this.change));
    byId("fields").replaceChildren(...main, ...Object.keys(groups).map((group) => this.groupOf(group, state)), html("p", { class: "error", id: "field-error", role: "alert" }));
    this.kind = kind;
    if (focused) byId(focused)?.focus();
  }

  // A group is open where one of its fields says something.
  groupOf(group, state) {
    const fields = this.fields.filter((field) => field.group === group);
    const toggle = (event) => (event.target.open ? this.open.add(group) : this.open.delete(group));
    return html("details", { open: this.open.has(group) || fields.some((field) => state[field.key] !== ""), hidden: !fields.some((field) => isShown(field, state)), toggle },
                html("summary", {}, groups[group]), ...fields.map((field) => rowOf(field, state, this.change)));
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
  const candidates = ["bytes", "counts", ...options.map(({ key }) => key), "slow", "shape", "ranks", "algorithm", "network"];
  for (const key of candidates) {
    if (state[key] === "" || (state[key] === defaults[key] && key !== "ranks")) continue;
    const other = key === "ranks" ? "8" : key === "bytes" ? defaults.bytes : "";
    if (other === state[key]) continue;
    if ((await attempt({ ...state, [key]: other })) !== sentence) return key;
  }
  return "";
}
