// A real run beside its prediction: a file that a program has written with TUTTI_TRACE.

import { ask } from "./core.mjs";
import { byId, html } from "./elements.mjs";
import { note, showDrawn } from "./frame.mjs";
import { questions } from "./question.mjs";

export class Trace {
  constructor(explore) {
    this.explore = explore;
    this.text = "";
    this.turn = 0;
    const choose = html("input", { type: "file", id: "trace-file", accept: ".json,application/json", change: (event) => this.take(event.target.files[0]) });
    byId("view-trace").replaceChildren(
      html("p", {}, "Run a program with ", html("code", {}, "TUTTI_TRACE=run.json"), ", and drop the file here. Nothing leaves this page."),
      html("p", {}, html("label", { for: "trace-file" }, "The run's file "), choose), html("h2", {}, "The run"), html("div", { id: "trace-run", class: "picture" }),
      html("h2", {}, "Its prediction, as the fields say"), html("div", { id: "trace-prediction", class: "picture" }));
    for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
    document.addEventListener("drop", (event) => event.dataTransfer.files[0] && this.take(event.dataTransfer.files[0]));
  }

  async take(file) {
    if (!file) return;
    this.text = await file.text();
    this.explore.history.change({ view: "trace" });
    await this.show(this.explore.history.state);
  }

  async show(state) {
    const turn = ++this.turn;
    document.body.dataset.state = "asking";
    if (this.text === "") byId("trace-run").replaceChildren(note("No run has been dropped yet."));
    else showDrawn(byId("trace-run"), await ask(["draw", "--trace", "run.json", "-o", "page.html"], { files: { "run.json": this.text }, read: ["page.html"] }) ?? {}, "The run");
    const drawn = await ask(questions.timeline({ ...state, slow: "" }, "", "page.html"), { read: ["page.html"], purpose: "prediction" });
    if (drawn) showDrawn(byId("trace-prediction"), drawn, "The prediction");
    if (turn === this.turn) document.body.dataset.state = "done";
  }
}
