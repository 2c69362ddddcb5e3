// An exercise of the course: its question, an answer, and what the core says of it.

import { askJson } from "./core.mjs";
import { button, html, withCode } from "./elements.mjs";

// Solved exercises are remembered where the browser lets pages remember.
const memory = {
  key: "tutti exercises",
  solved() {
    try {
      return new Set(JSON.parse(localStorage.getItem(this.key) ?? "[]"));
    } catch {
      return new Set();
    }
  },
  add(number) {
    try {
      localStorage.setItem(this.key, JSON.stringify([...this.solved().add(number)]));
    } catch {
      // A page without storage asks each question anew.
    }
  },
};

const longKinds = ["program", "mend", "time"];

export class Exercise {
  constructor(exercise) {
    this.exercise = exercise;
    this.said = html("p", { role: "status", "aria-live": "polite", class: "said" }, memory.solved().has(exercise.number) ? "Solved before." : "");
    this.input = this.inputOf(exercise);
    const form = html("form", { submit: (event) => this.check(event) }, this.input, html("button", { type: "submit" }, "Check"),
                      button("Show the solution", () => this.showSolution()));
    this.element = html("article", { class: "exercise", "data-number": exercise.number, "aria-label": `Exercise ${exercise.number}` },
                        html("h4", {}, `${exercise.number} ${exercise.title}`), ...exercise.text.split("\n\n").map((words) => html("p", {}, ...withCode(words))),
                        ...(exercise.conditions ? [html("p", { class: "note" }, exercise.conditions)] : []), form, this.said);
  }

  inputOf(exercise) {
    const label = `Answer to ${exercise.number}`;
    if (exercise.options?.length) {
      const boxes = exercise.options.map((option) => html("label", { class: "option" }, html("input", { type: "checkbox", value: option.letter }), html("span", {}, html("b", {}, option.letter), " ", ...withCode(option.text))));
      return html("fieldset", {}, html("legend", {}, "Which hold?"), ...boxes);
    }
    if (longKinds.includes(exercise.kind)) {
      const area = html("textarea", { "aria-label": label, rows: 6, spellcheck: "false" });
      area.value = exercise.program ?? "";
      return area;
    }
    return html("input", { type: "text", "aria-label": label, autocomplete: "off", spellcheck: "false", placeholder: exercise.kind === "formula" ? "a formula" : "a number" });
  }

  answer() {
    if (this.input.tagName !== "FIELDSET") return this.input.value.trim();
    return [...this.input.querySelectorAll("input:checked")].map((box) => box.value).join(",");
  }

  async check(event) {
    event.preventDefault();
    const given = this.answer();
    if (given === "") return this.say("open", "Give an answer first.");
    const found = await askJson(["exercise", this.exercise.number, "--answer", given]);
    if (found.error) return this.say("bad", found.error);
    if (found.value.right) memory.add(this.exercise.number);
    const words = [found.value.right ? "Right." : "Not right.", found.value.sentence].filter(Boolean).join(" ");
    this.say(found.value.right ? "good" : "bad", words);
  }

  async showSolution() {
    const found = await askJson(["exercise", this.exercise.number, "--solution"]);
    this.say("open", `Answer: ${found.value.answer}\n${found.value.solution}`);
  }

  say(kind, words) {
    this.said.className = `said ${kind}`;
    this.said.replaceChildren(...withCode(words));
  }
}
