// A network of one's own: drawn by hand, or pasted as our JSON or as what nvidia-smi topo -m prints.

import { ask, askJson } from "./core.mjs";
import { button, byId, html, timeInWords } from "./elements.mjs";
import { pictureOf } from "./frame.mjs";
import { svg } from "./order.mjs";
import { ownNetwork } from "./question.mjs";

const size = { width: 640, height: 420 };

// Nodes in a circle, ranks outside and switches inside, where nobody has placed them.
function circlePlaces({ ranks, switches = 0 }) {
  const around = (number, radius) => Array.from({ length: number }, (_, k) => {
    const angle = (2 * Math.PI * k) / number - Math.PI / 2;
    return { x: Math.round(size.width / 2 + radius * 1.4 * Math.cos(angle)), y: Math.round(size.height / 2 + radius * Math.sin(angle)) };
  });
  return [...around(ranks, 170), ...around(switches, switches === 1 ? 0 : 70)];
}

const placesIn = (text) => text.split(";").filter(Boolean).map((pair) => ({ x: Number(pair.split(",")[0]), y: Number(pair.split(",")[1]) }));
const placesText = (places) => places.map(({ x, y }) => `${x},${y}`).join(";");

// The network of our JSON, or a first one; null where another format is pasted.
function networkIn(text) {
  if (text.trim() === "") return { ranks: 4, switches: 0, links: [{ from: 0, to: 1 }, { from: 1, to: 2 }, { from: 2, to: 3 }, { from: 3, to: 0 }] };
  try {
    const network = JSON.parse(text);
    return Array.isArray(network.links) ? { switches: 0, ...network } : null;
  } catch {
    return null;
  }
}

const textOf = (network) => `{"ranks": ${network.ranks}, "switches": ${network.switches}, "links": [\n${network.links.map((link) => `  ${JSON.stringify(link)}`).join(",\n")}\n]}`;

// Ranks stand before switches, so that a new or a removed node moves the numbers behind it.
function renumbered(network, change) {
  const links = network.links.flatMap((link) => {
    const [from, to] = [change(link.from), change(link.to)];
    return from === null || to === null ? [] : [{ ...link, from, to }];
  });
  return { ...network, links };
}

// A cost of a cable as its field has it.
const costInWords = (key, value) => (key === "lanes" ? value ?? 1 : typeof value === "number" ? timeInWords(value) : value ?? "");

export class NetworkEditor {
  constructor(history) {
    this.history = history;
    this.turn = 0;
    this.chosen = "";
    const act = (words, work, title) => button(words, work, { title });
    this.drawing = svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height, class: "editor" });
    this.link = html("div", { role: "group", "aria-label": "The chosen link" });
    this.told = html("p", { role: "status", "aria-live": "polite", class: "note" });
    this.text = html("textarea", { id: "own-text", rows: 9, spellcheck: "false", "aria-describedby": "own-error", change: (event) => history.change({ own: event.target.value, places: "", network: "own" }) });
    byId("view-network").replaceChildren(
      html("div", { role: "group", "aria-label": "Change the network" }, act("Add a rank", () => this.add("rank")), act("Add a switch", () => this.add("switch")),
           act("Remove what is chosen", () => this.remove(), "Delete"), button("Use it", () => history.change({ view: "explore", network: "own", own: this.text.value, slow: "" }))),
      html("figure", { "aria-label": "The network, as it is drawn" }, this.drawing), this.link, this.told,
      html("label", { for: "own-text" }, "The network as JSON; or paste what nvidia-smi topo -m prints"), this.text, html("p", { class: "error", id: "own-error", role: "alert" }), html("div", { id: "own-facts" }));
  }

  async show(state) {
    const turn = ++this.turn;
    document.body.dataset.state = "asking";
    this.network = networkIn(state.own);
    const text = state.own.trim() === "" ? textOf(this.network) : state.own;
    this.text.value = text;
    this.drawing.toggleAttribute("hidden", !this.network);
    if (this.network) {
      const given = placesIn(state.places);
      this.places = given.length === this.network.ranks + this.network.switches ? given : circlePlaces(this.network);
      this.draw();
    } else this.showCosts(-1);
    const file = ownNetwork({ own: text });
    const facts = await askJson(["topology", file], { files: { [file]: text }, purpose: "own network" });
    const picture = await ask(["topology", file, "-o", "network.svg"], { files: { [file]: text }, read: ["network.svg"], purpose: "own picture" });
    if (turn !== this.turn || !facts || !picture) return;
    this.showError(facts.error ?? "");
    byId("own-facts").replaceChildren(...(picture.files?.["network.svg"] ? [pictureOf(picture.files["network.svg"], "The network, as the core draws it")] : []));
    document.body.dataset.state = "done";
  }

  // An error about the chosen link stands beside its costs as well.
  showError(sentence) {
    byId("own-error").textContent = sentence;
    this.text.toggleAttribute("aria-invalid", sentence !== "");
    if (byId("link-error")) byId("link-error").textContent = sentence.includes(`: ${this.chosen}: `) ? sentence : "";
  }

  change(network, places, merges = false) {
    this.history.change({ own: textOf(network), places: placesText(places), network: "own" }, { merges });
  }

  add(kind) {
    if (!this.network) return;
    const at = kind === "rank" ? this.network.ranks : this.network.ranks + this.network.switches;
    const network = renumbered(this.network, (node) => (node >= at ? node + 1 : node));
    network[kind === "rank" ? "ranks" : "switches"] += 1;
    this.chosen = `node ${at}`;
    this.change(network, this.places.toSpliced(at, 0, { x: 40 + ((at * 70) % 560), y: 30 }));
  }

  remove() {
    const [kind, number] = this.chosen.split(" ");
    const k = Number(number);
    if (kind === "link") return this.change({ ...this.network, links: this.network.links.toSpliced(k, 1) }, this.places);
    if (kind !== "node" || (k < this.network.ranks && this.network.ranks === 1)) return;
    const network = renumbered(this.network, (node) => (node === k ? null : node > k ? node - 1 : node));
    network[k < network.ranks ? "ranks" : "switches"] -= 1;
    this.chosen = "";
    this.change(network, this.places.toSpliced(k, 1));
  }

  // A second node that is chosen is linked with the first, or parted from it.
  choose(what) {
    const [before, now] = [this.chosen, what].map((each) => (each.startsWith("node ") ? Number(each.slice(5)) : -1));
    this.chosen = before === now && now >= 0 ? "" : what;
    if (before < 0 || now < 0 || before === now) return this.draw();
    const joins = (link) => (link.from === before && link.to === now) || (link.from === now && link.to === before);
    const links = this.network.links.some(joins) ? this.network.links.filter((link) => !joins(link)) : [...this.network.links, { from: before, to: now }];
    this.chosen = "";
    this.change({ ...this.network, links }, this.places);
  }

  move(k, x, y) {
    this.places[k] = { x: Math.round(Math.min(size.width - 20, Math.max(20, x))), y: Math.round(Math.min(size.height - 20, Math.max(20, y))) };
  }

  draw() {
    const lines = this.network.links.map((link, k) => this.lineOf(link, k));
    const nodes = this.places.map((place, k) => this.nodeOf(place, k));
    this.drawing.replaceChildren(...lines, ...nodes);
    const [kind, number] = this.chosen.split(" ");
    this.told.textContent = kind === "node" ? `${this.nameOf(Number(number))} is chosen: choose another to link them, or to part them. Arrows move it.` : "Choose a node or a link; drag a node to move it.";
    this.showCosts(kind === "link" && this.network.links[number] ? Number(number) : -1);
    this.drawing.querySelector(".chosen")?.focus();
  }

  nameOf(k) {
    return k < this.network.ranks ? `rank ${k}` : `switch ${k - this.network.ranks}`;
  }

  // Fields of the same link stay, so that the focus does.
  showCosts(k) {
    const link = k < 0 ? null : this.network.links[k];
    const shown = link ? `${k} ${link.from} ${link.to}` : "";
    const stays = shown === this.shownLink;
    this.shownLink = shown;
    if (!stays) this.link.replaceChildren(...(link ? this.costsOf(k) : []));
    if (!stays && link) byId("link-lanes").focus();
    if (stays && link) for (const key of ["lanes", "tw", "ts", "th"]) byId(`link-${key}`).value = costInWords(key, link[key]);
  }

  // Costs of a cable; an empty one is the machine's. The core reads their units, and says what is wrong with them.
  costsOf(k) {
    const link = this.network.links[k];
    const set = (key, value) => {
      const { [key]: _, ...others } = this.network.links[k];
      this.change({ ...this.network, links: this.network.links.with(k, value === "" ? others : { ...others, [key]: value }) }, this.places);
    };
    const cost = (key, label) => html("label", {}, `${label} `, html("input", { type: "text", id: `link-${key}`, size: 8, value: costInWords(key, link[key]), placeholder: "machine's", autocomplete: "off",
                                                                               "aria-describedby": "link-error", change: (event) => set(key, event.target.value.trim()) }));
    const lanes = html("input", { type: "number", id: "link-lanes", min: 1, max: 64, value: costInWords("lanes", link.lanes), change: (event) => set("lanes", Math.max(1, Math.round(Number(event.target.value) || 1))) });
    return [html("b", {}, `${this.nameOf(link.from)} – ${this.nameOf(link.to)}`), html("label", {}, "Lanes ", lanes), cost("tw", "tw, a byte on a lane"), cost("ts", "ts, a message"), cost("th", "th, a hop"),
            html("p", { class: "error", id: "link-error", role: "alert" })];
  }

  lineOf(link, k) {
    const [a, b] = [this.places[link.from], this.places[link.to]];
    const chosen = this.chosen === `link ${k}`;
    const line = svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: chosen ? "link chosen" : "link", "stroke-width": Math.min(12, 2 + 2 * ((link.lanes ?? 1) - 1)) });
    const reach = svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "reach", tabindex: 0, role: "button", "aria-label": `link of ${this.nameOf(link.from)} and ${this.nameOf(link.to)}` });
    this.listen(reach, `link ${k}`);
    const speed = link.tw === undefined ? [] : [svg("text", { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 6, "text-anchor": "middle", class: "speed" }, costInWords("tw", link.tw))];
    return svg("g", {}, line, ...speed, reach);
  }

  nodeOf({ x, y }, k) {
    const isRank = k < this.network.ranks;
    const chosen = this.chosen === `node ${k}` ? " chosen" : "";
    const shape = isRank ? svg("circle", { cx: x, cy: y, r: 16 }) : svg("rect", { x: x - 16, y: y - 13, width: 32, height: 26, rx: 3 });
    const group = svg("g", { class: `${isRank ? "rank" : "switch"}${chosen}`, tabindex: 0, role: "button", "aria-label": this.nameOf(k) }, shape,
                      svg("text", { x, y: y + 5, "text-anchor": "middle" }, isRank ? `${k}` : `S${k - this.network.ranks}`));
    this.listen(group, `node ${k}`);
    group.addEventListener("pointerdown", (event) => this.drag(event, k));
    return group;
  }

  listen(element, what) {
    if (what.startsWith("link")) element.addEventListener("click", () => this.choose(what));
    element.addEventListener("keydown", (event) => {
      const k = Number(what.split(" ")[1]);
      const steps = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[event.key];
      if (event.key === "Enter" || event.key === " ") this.choose(what);
      else if (event.key === "Delete" && this.chosen === what) this.remove();
      else if (steps && this.chosen === what && what.startsWith("node")) {
        this.move(k, this.places[k].x + steps[0], this.places[k].y + steps[1]);
        this.change(this.network, this.places, true);
      } else return;
      event.preventDefault();
    });
  }

  // A press that does not move is a choice.
  drag(event, k) {
    const scale = size.width / this.drawing.getBoundingClientRect().width;
    const begin = { x: event.clientX, y: event.clientY, place: this.places[k], moved: false };
    const follow = (next) => {
      const [dx, dy] = [(next.clientX - begin.x) * scale, (next.clientY - begin.y) * scale];
      begin.moved ||= Math.hypot(dx, dy) > 4;
      if (!begin.moved) return;
      this.move(k, begin.place.x + dx, begin.place.y + dy);
      this.draw();
    };
    const end = () => {
      removeEventListener("pointermove", follow);
      if (begin.moved) this.change(this.network, this.places);
      else this.choose(`node ${k}`);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end, { once: true });
  }
}
