// Things to take along: the command line, C++, pictures, data, traces.

import { ask } from "./core.mjs";
import { textOfLab } from "./lab_text.mjs";
import { button, byId } from "./elements.mjs";
import { lineOf, questions } from "./question.mjs";

function save(name, text, kind) {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const tell = (words) => (byId("told").textContent = words);

// A page from a disk may not reach the clipboard: then the text stands in the page, selected.
async function copy(text) {
  byId("copied").textContent = text;
  try {
    await navigator.clipboard.writeText(text);
    tell("Copied.");
  } catch {
    getSelection().selectAllChildren(byId("copied"));
    tell("Selected: copy it with Ctrl+C.");
  }
}

// Files that the line names stand before it, as a shell makes them.
function linesOf(answer) {
  const files = Object.entries(answer.files).map(([name, text]) => `cat > ${name} <<'END'\n${text}\nEND\n`);
  return files.join("") + lineOf(questions.simulate(answer.state));
}

const downloads = [
  ["SVG of the steps", "steps.svg", "image/svg+xml", (answer) => questions.steps(answer.state, answer.named, "steps.svg")],
  ["Page of the steps", "steps.html", "text/html", (answer) => questions.steps(answer.state, answer.named, "steps.html")],
  ["JSON", "answer.json", "application/json", (answer) => [...questions.simulate(answer.state), "--json"]],
  ["Schedule", "schedule.json", "application/json", (answer) => [...questions.explain(answer.state, answer.named), "-o", "schedule.json"]],
  ["Trace for Perfetto", "trace.json", "application/json", (answer) => questions.timeline(answer.state, answer.named, "trace.json")],
];

// An algorithm of lab.hpp from the schedule of few ranks: a rank's steps are lines of its own.
const mostRanksOfText = 16;

async function copyAsLab(answer) {
  if (answer.found.ranks > mostRanksOfText) return tell(`A text with the steps of ${answer.found.ranks} ranks is too long; take at most ${mostRanksOfText}.`);
  const made = await ask([...questions.explain(answer.state, answer.named), "-o", "schedule.json"], { files: answer.files, read: ["schedule.json"] });
  if (made?.error) tell(made.error);
  else if (made) copy(textOfLab(JSON.parse(made.files["schedule.json"]), answer.named));
}

async function download(answer, [, name, kind, words]) {
  const found = await ask(words(answer), { files: answer.files, read: [name] });
  if (!found) return;
  if (found.error) return tell(found.error);
  save(name, found.files[name] ?? found.text, kind);
  tell(`${name} is saved.`);
}

export function setUpTools(explore) {
  const with_ = (act) => () => explore.answer && act(explore.answer);
  byId("tools").replaceChildren(
    button("Copy as command line", with_((answer) => copy(linesOf(answer)))), button("Copy as C++ for lab.hpp", with_(copyAsLab)),
    button("Copy the address", () => copy(location.href)),
    ...downloads.map((each) => button(each[0], with_((answer) => download(answer, each)))));
}
