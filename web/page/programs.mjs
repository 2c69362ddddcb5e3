// Messages and programs of one's own, in the text language of the command.

import { ask, askJson } from "./core.mjs";
import { byId, bytesInWords, html, many, table, timeInWords } from "./elements.mjs";
import { failureWords } from "./explore.mjs";
import { showDrawn } from "./frame.mjs";
import { filesOf, lineOf, machineWords, networkWords } from "./question.mjs";

const examples = {
  program: [
    ["Two that send before they receive", "ranks 2\n0: send 1 4KiB; wait; receive 1\n1: send 0 4KiB; wait; receive 0\n"],
    ["The same two, mended", "ranks 2\n0: send 1 4KiB; wait; receive 1\n1: receive 0; wait; send 0 4KiB\n"],
    ["A ring: even ranks send first", "ranks 8\neven: send +1 4KiB; wait; receive -1\nodd: receive -1; wait; send +1 4KiB\n"],
    ["A ring: all at once", "ranks 8\nall: send +1 4KiB; receive -1\n"],
    ["A tree over eight ranks", "ranks 8\n0: send 4 1KiB; wait; send 2 1KiB; wait; send 1 1KiB\n4: receive 0; wait; send 6 1KiB; wait; send 5 1KiB\n2: receive 0; wait; send 3 1KiB\n6: receive 4; wait; send 7 1KiB\n1: receive 0\n3: receive 2\n5: receive 4\n7: receive 6\n"],
  ],
  messages: [["Two that share links", "1-6 4-7@2us:64KiB"], ["Three to one", "0-4:4KiB 1-4:4KiB 2-4:4KiB"], ["Both ways", "0-3 3-0"]],
};

export class Programs {
  constructor(history) {
    this.history = history;
    this.turn = 0;
    this.waiting = 0;
    byId("program-text").addEventListener("input", () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => history.change({ text: byId("program-text").value }), 300);
    });
    byId("program-kind").addEventListener("change", (event) => history.change({ kind: event.target.value, text: "" }));
    byId("program-example").addEventListener("change", (event) => event.target.value !== "" && history.change({ text: examples[history.state.kind][Number(event.target.value)][1] }));
  }

  textOf(state) {
    return state.text === "" ? examples[state.kind][0][1] : state.text;
  }

  showEditor(state) {
    byId("program-kind").value = state.kind;
    const text = this.textOf(state);
    if (byId("program-text").value !== text) byId("program-text").value = text;
    byId("program-example").replaceChildren(html("option", { value: "" }, "Examples"), ...examples[state.kind].map(([name], k) => html("option", { value: k }, name)));
  }

  // A network without a size takes the ranks that the program's text names. Blocks and nodes are a collective's.
  words(given) {
    const state = { ...given, slow: "", counts: "", nodes: "", grid: "" };
    const ranks = /^\s*ranks\s+(\d+)/m.exec(this.textOf(state))?.[1] ?? state.ranks;
    if (state.kind === "program") return ["program", "program.txt", ...networkWords({ ...state, ranks })];
    return ["messages", ...this.textOf(state).split(/\s+/).filter(Boolean), ...networkWords(state)];
  }

  async show(state) {
    const turn = ++this.turn;
    this.showEditor(state);
    document.body.dataset.state = "asking";
    const files = { ...filesOf(state), "program.txt": this.textOf(state) };
    const words = this.words(state);
    const proof = state.kind === "program" ? await askJson(["verify", "program", "program.txt"], { files, purpose: "program proof" }) : { value: { failure: null } };
    if (turn !== this.turn || !proof) return;
    const run = proof.error || proof.value.failure ? null : await askJson(["simulate", ...words, ...machineWords(state)], { files, purpose: "program run" });
    if (turn !== this.turn) return;
    this.showVerdict(proof, run);
    byId("program-line").textContent = lineOf(["simulate", ...words, ...machineWords(state)]);
    byId("program-times").replaceChildren(...(run?.value?.messages ? [this.timesOf(run.value)] : []));
    const file = proof.error || proof.value.failure ? "figure.svg" : "page.html";
    const drawn = await ask(["draw", ...words, "-o", file], { files, read: [file], purpose: "program picture" });
    if (turn !== this.turn || !drawn) return;
    if (proof.error) byId("program-picture").replaceChildren();
    else await showDrawn(byId("program-picture"), drawn, "What the ranks send")?.loaded;
    if (turn === this.turn) document.body.dataset.state = "done";
  }

  showVerdict(proof, run) {
    const place = byId("program-verdict");
    const error = proof.error ?? run?.error;
    const failure = proof.value?.failure;
    place.className = `verdict ${error || failure ? "bad" : "good"}`;
    byId("program-text").toggleAttribute("aria-invalid", Boolean(error || failure));
    const line = failure?.line ? `Line ${failure.line}: ` : "";
    const words = error ? [` ${error}`] : failure ? [` ${line}`, ...failureWords(failure)] : [` Every rank comes to its end, after ${timeInWords(run.value.seconds)}.`];
    place.replaceChildren(html("span", { class: "mark", "aria-hidden": "true" }, error || failure ? "✗" : "✓"), ...words);
  }

  timesOf(run) {
    const rows = run.messages.slice(0, 64).map((each) => [`${each.from} → ${each.to}`, bytesInWords(each.bytes), timeInWords(each.begin), timeInWords(each.end), timeInWords(each.alone_seconds), (each.way ?? []).join(" ")]);
    return table(["Message", "Size", "Begins", "Ends", "Alone", "Way"], rows, `${many(run.messages.length, "message")} on ${run.topology}`);
  }
}
