// The page: its parts, and what happens when the state changes.

import { Break } from "./break.mjs";
import { askJson, startCore } from "./core.mjs";
import { button, byId, html } from "./elements.mjs";
import { Explore } from "./explore.mjs";
import { Fields } from "./fields.mjs";
import { dressFrames, listenToSteps, passKeys, setUpPrinting } from "./frame.mjs";
import { Gallery } from "./gallery.mjs";
import { Lectures } from "./lectures.mjs";
import { NetworkEditor } from "./network.mjs";
import { pictureNames } from "./pictures.mjs";
import { Programs } from "./programs.mjs";
import { addressOf, defaults, History, stateIn } from "./state.mjs";
import { setUpTools } from "./tools.mjs";
import { Trace } from "./trace.mjs";

const viewNames = { explore: "Choose and see", break: "Break it", programs: "Messages and programs", network: "Your network", gallery: "Gallery", trace: "A real run", learn: "Lectures" };
const withFields = ["explore", "break", "programs", "trace"];

// "as the system", "light" and "dark", in turn.
function setUpTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const names = ["as the system", "light", "dark"];
  let chosen = 0;
  const apply = () => {
    document.documentElement.dataset.theme = chosen === 0 ? (dark.matches ? "dark" : "light") : names[chosen];
    byId("theme").textContent = `Colors: ${names[chosen]}`;
    dressFrames();
  };
  byId("theme").addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
}

function showViews(history) {
  const { view, picture } = history.state;
  byId("views").replaceChildren(...Object.entries(viewNames).map(([name, words]) =>
    html("li", {}, button(words, () => history.change({ view: name, step: "" }), { "aria-current": name === view ? "page" : false }))));
  for (const name of Object.keys(viewNames)) byId(`view-${name}`).hidden = name !== view;
  byId("fields").hidden = !withFields.includes(view);
  byId("whole").classList.toggle("with-fields", withFields.includes(view));
  byId("pictures").replaceChildren(...Object.entries(pictureNames).map(([name, words]) =>
    button(words, () => history.change({ picture: name, step: "" }), { role: "tab", id: `picture-${name}`, "aria-selected": `${name === picture}`, tabindex: name === picture ? 0 : -1, "aria-controls": "result" })));
  byId("undo").disabled = history.past.length === 0;
  byId("redo").disabled = history.future.length === 0;
}

// Arrows move between the pictures' tabs, as in any list of tabs.
function moveBetweenTabs(event) {
  const tabs = [...byId("pictures").children];
  const at = tabs.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined || !tabs[to]) return;
  event.preventDefault();
  const { id } = tabs[to];
  tabs[to].click();
  byId(id).focus();
}

function setUpKeys(history) {
  byId("pictures").addEventListener("keydown", moveBetweenTabs);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input[type=text], textarea")) return;
    event.preventDefault();
    if (event.shiftKey) history.redo();
    else history.undo();
  });
  byId("undo").addEventListener("click", () => history.undo());
  byId("redo").addEventListener("click", () => history.redo());
  byId("reset").addEventListener("click", () => history.change({ ...defaults, view: history.state.view }));
}

// Names that the fields offer, as the core lists them.
async function listsOfCore() {
  const [collectives, algorithms, families] = await Promise.all([["list", "--collectives"], ["list"], ["list", "--topologies"]].map((words) => askJson(words)));
  const broken = [collectives, algorithms, families].find((answer) => answer.error);
  if (broken) throw new Error(broken.error);
  return { collectives: collectives.value.map((each) => each.name), algorithms: algorithms.value, families: families.value.map((each) => each.name) };
}

async function start() {
  setUpTheme();
  const history = new History(stateIn(location.hash));
  await startCore();
  const fields = new Fields(await listsOfCore(), (part) => history.change({ ...part, step: "" }));
  const explore = new Explore(history, fields);
  const parts = { explore, break: new Break(history), programs: new Programs(history), network: new NetworkEditor(history), gallery: new Gallery(history), trace: new Trace(explore), learn: new Lectures(history) };
  const show = (state) => {
    showViews(history);
    // Answers for a view that has been left come too late to say that the page has answered.
    for (const part of Object.values(parts)) if (part !== parts[state.view]) ++part.turn;
    if (withFields.includes(state.view)) fields.show(state);
    return parts[state.view]?.show(state);
  };
  history.listen(show);
  setUpTools(explore);
  setUpKeys(history);
  passKeys();
  setUpPrinting();
  listenToSteps((step) => history.state.view === "explore" && history.change({ step }, { kept: false }));
  addEventListener("hashchange", () => addressOf(history.state) !== (location.hash || "#") && history.change(stateIn(location.hash)));
  if (!Object.hasOwn(viewNames, history.state.view)) history.state = { ...history.state, view: "explore" };
  await show(history.state);
}

start().catch((error) => {
  byId("verdict").textContent = `The core does not start here: ${error.message}. It needs a browser of 2023 or later, with WebAssembly and its exceptions.`;
  document.body.dataset.state = "broken";
});
