// Break it: a schedule whose operations can be removed, swapped and redirected, and what the verifier says of it.

import { ask, askJson } from "./core.mjs";
import { button, byId, html } from "./elements.mjs";
import { failureWords } from "./explore.mjs";
import { note, showDrawn } from "./frame.mjs";
import { filesOf, lineOf, questions } from "./question.mjs";

// An edit names a rank, one of its steps and an operation in it, counted from 0:
// "r3.1.0" removes it, "p3.1.0=5" changes its peer, "f3.1.0=4" where its first slice begins, "s3.1" swaps a step with the next one,
// "w3.1" drops the wait behind it.
const changes = {
  r: (steps, step, operation) => steps[step].splice(operation, 1),
  p: (steps, step, operation, value) => (steps[step][operation].peer = value),
  f: (steps, step, operation, value) => (steps[step][operation].slices[0].first = value),
  s: (steps, step) => steps.splice(step, 2, steps[step + 1], steps[step]),
  w: (steps, step) => steps.splice(step, 2, [...steps[step], ...steps[step + 1]]),
};

export const editsIn = (text) => (text === "" ? [] : text.split(","));

export function withEdits(schedule, edits) {
  const broken = structuredClone(schedule);
  for (const edit of edits) {
    const parts = /^([rpfsw])(\d+)\.(\d+)(?:\.(\d+))?(?:=(\d+))?$/.exec(edit);
    if (!parts) continue;
    const [rank, step, operation, value] = parts.slice(2).map(Number);
    const steps = broken.operations[rank];
    const isThere = steps?.[step] && ("sw".includes(parts[1]) ? steps[step + 1] : steps[step][operation]);
    if (isThere) changes[parts[1]](steps, step, operation, value);
  }
  return broken;
}

const kindWords = { send: "send to", receive: "receive from", receive_reduce: "receive and combine from", copy: "copy", reduce: "combine" };
const sliceWords = (slices) => (slices ?? []).map(({ buffer, first, count }) => `${buffer}[${first}, ${first + count})`).join(", ");

export class Break {
  constructor(history) {
    this.history = history;
    this.turn = 0;
    this.rank = 0;
    this.schedule = "";
  }

  async show(state) {
    const turn = ++this.turn;
    const files = filesOf(state);
    document.body.dataset.state = "asking";
    const words = [...questions.explain({ ...state, slow: "" }), "-o", "schedule.json"];
    const whole = await ask(words, { files, read: ["schedule.json"], purpose: "schedule" });
    if (turn !== this.turn || !whole) return;
    if (whole.error) return this.refuse(whole.error);
    this.broken = withEdits(JSON.parse(whole.files["schedule.json"]), editsIn(state.edits));
    this.schedule = JSON.stringify(this.broken, null, 1);
    const named = { ...files, "schedule.json": this.schedule };
    const proof = await askJson(["verify", "schedule", "schedule.json"], { files: named, purpose: "broken" });
    if (turn !== this.turn || !proof) return;
    this.rank = Math.min(this.rank, this.broken.ranks - 1);
    this.showVerdict(proof, state);
    this.showOperations(state);
    await this.showPicture(named, proof, turn);
    if (turn === this.turn) document.body.dataset.state = "done";
  }

  refuse(sentence) {
    byId("broken-verdict").className = "verdict bad";
    byId("broken-verdict").textContent = sentence;
    document.body.dataset.state = "error";
  }

  showVerdict(proof, state) {
    if (proof.error) return this.refuse(proof.error);
    const { failure } = proof.value;
    byId("broken-verdict").className = `verdict ${failure ? "bad" : "good"}`;
    const cycle = failure?.cycle?.length ? [` Ranks that wait in a circle: ${failure.cycle.map((each) => each.rank ?? each).join(" → ")}.`] : [];
    byId("broken-verdict").replaceChildren(html("span", { class: "mark", "aria-hidden": "true" }, failure ? "✗" : "✓"), ...(failure ? [" Refused. ", ...failureWords(failure), ...cycle]
      : [state.edits === "" ? " Right as it is. Change something below." : " Still right: this change does no harm."]));
  }

  // A right schedule plays; of one that is refused the steps up to the one that goes wrong are a picture.
  async showPicture(files, proof, turn) {
    const file = proof.value?.failure ? "figure.svg" : "page.html";
    const drawn = await ask(["draw", "schedule", "schedule.json", "-o", file], { files, read: [file], purpose: "broken picture" });
    if (turn === this.turn && drawn) await showDrawn(byId("broken-picture"), drawn, "Steps of the changed schedule")?.loaded;
  }

  edit(text) {
    this.history.change({ edits: [...editsIn(this.history.state.edits), text].join(",") }, { merges: false });
  }

  showOperations() {
    const ranks = html("select", { id: "broken-rank", change: (event) => this.chooseRank(Number(event.target.value)) },
                       ...this.broken.operations.map((_, rank) => html("option", { value: rank, selected: rank === this.rank }, `rank ${rank}`)));
    const steps = this.broken.operations[this.rank];
    byId("operations").replaceChildren(
      html("div", { role: "group", "aria-label": "Which operations" }, html("label", {}, "Operations of ", ranks),
           button("Take all changes back", () => this.history.change({ edits: "" }), { disabled: this.history.state.edits === "" })),
      html("ol", { class: "operations" }, ...steps.map((operations, step) => this.stepItem(operations, step, step + 1 < steps.length))),
      note(`A line is a step; a wait ends it. The same in a terminal: ${lineOf(["verify", "schedule", "schedule.json"])}`));
  }

  chooseRank(rank) {
    this.rank = rank;
    this.showOperations();
    byId("broken-rank").focus();
  }

  stepItem(operations, step, hasNext) {
    const place = `${this.rank}.${step}`;
    const tools = hasNext ? [button("Swap with next", () => this.edit(`s${place}`), { class: "small" }), button("Drop the wait", () => this.edit(`w${place}`), { class: "small" })] : [];
    return html("li", {}, html("ul", {}, ...operations.map((operation, k) => this.operationItem(operation, `${place}.${k}`))), ...tools);
  }

  operationItem(operation, place) {
    const number = (label, key, value, most) => html("label", { class: "small" }, `${label} `,
      html("input", { type: "number", min: 0, max: most, value, change: (event) => this.edit(`${key}${place}=${event.target.value}`) }));
    const hasPeer = operation.peer !== undefined;
    return html("li", {}, html("code", {}, `${kindWords[operation.kind]} ${hasPeer ? operation.peer : ""} ${sliceWords(operation.slices)}`), " ",
                ...(hasPeer ? [number("peer", "p", operation.peer, this.broken.ranks - 1)] : []),
                ...(operation.slices?.length ? [number("from element", "f", operation.slices[0].first, 2 ** 31)] : []),
                button("Remove", () => this.edit(`r${place}`), { class: "small", "aria-label": `Remove ${kindWords[operation.kind]} ${operation.peer ?? ""}` }));
  }
}
