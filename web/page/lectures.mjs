// Lectures: chapters with a picture that plays, the formula behind it, and exercises that the core checks.

import { ask, askJson } from "./core.mjs";
import { button, byId, html, withCode } from "./elements.mjs";
import { deadlock, pointToPoint } from "./chapters/messages.mjs";
import { allGather, allReduce, allToAll, broadcast, scatter, shift } from "./chapters/collectives.mjs";
import { bounds, matrices, training } from "./chapters/choices.mjs";
import { Exercise } from "./exercise.mjs";
import { showDrawn } from "./frame.mjs";
import { lineOf } from "./question.mjs";

export const chapters = [pointToPoint, broadcast, allGather, allReduce, scatter, allToAll, shift, bounds, matrices, deadlock, training];

// Terms of a formula by what they cost: "start", "byte", "hop", "combine"; all else has the color of the text.
export function formulaOf(terms) {
  return html("p", { class: "formula" }, ...terms.map(([words, cost]) => html(cost ? "span" : "i", cost ? { class: `cost-${cost}`, title: costWords[cost] } : {}, words)));
}

const costWords = { start: "starts of messages", byte: "bytes on links", hop: "hops", combine: "bytes combined" };

const legend = () => html("p", { class: "note" }, ...Object.entries(costWords).map(([cost, words]) => html("span", { class: `key-of cost-${cost}` }, words)));

export class Lectures {
  constructor(history) {
    this.history = history;
    this.turn = 0;
    this.list = null;
  }

  // Exercises by number; the course is the core's own.
  async exercises() {
    if (!this.list) {
      const answer = await askJson(["exercise"], { purpose: "course" });
      this.list = new Map(answer.value.flatMap((chapter) => chapter.exercises.map((each) => [each.number, each])));
    }
    return this.list;
  }

  async show(state) {
    const turn = ++this.turn;
    document.body.dataset.state = "asking";
    const index = Math.max(0, chapters.findIndex((each) => each.id === state.chapter));
    const chapter = chapters[index];
    this.showContents(index);
    const exercises = await this.exercises();
    if (turn !== this.turn) return;
    const scenes = chapter.scenes.map((scene) => this.sceneOf(scene));
    const questions = chapter.exercises.filter((number) => exercises.has(number)).map((number) => new Exercise(exercises.get(number)).element);
    byId("chapter").replaceChildren(
      html("h2", { tabindex: -1 }, `${index + 1}. ${chapter.title}`), ...chapter.text.map((words) => html("p", {}, ...withCode(words))),
      ...scenes.map((scene) => scene.element), legend(),
      ...(chapter.wrong ? [html("div", { class: "wrong", role: "note" }, html("b", {}, "Where a source is wrong: "), ...withCode(chapter.wrong))] : []),
      html("h3", {}, "Questions"), ...questions, this.turnPages(index));
    for (const scene of scenes) await scene.draw();
    if (turn === this.turn) document.body.dataset.state = "done";
  }

  showContents(index) {
    byId("contents").replaceChildren(...chapters.map((each, k) => html("li", {},
      html("button", { type: "button", "aria-current": k === index ? "page" : false, click: () => this.history.change({ chapter: each.id, step: "" }) }, each.title))));
  }

  turnPages(index) {
    const to = (k, words) => (chapters[k] ? [button(`${words}: ${chapters[k].title}`, () => this.history.change({ chapter: chapters[k].id, step: "" }))] : []);
    return html("div", { role: "group", "aria-label": "Chapters" }, ...to(index - 1, "Back"), ...to(index + 1, "Next"));
  }

  // A picture, its words, and the formula that stands there once the picture has been played to its end.
  sceneOf(scene) {
    const place = html("div", { class: "picture" });
    const formula = html("div", { class: "revealed", "aria-live": "polite" });
    const reveal = () => formula.childElementCount > 1 || formula.replaceChildren(formulaOf(scene.formula), html("p", {}, ...withCode(scene.meaning)));
    formula.append(button("Show the formula", reveal));
    const draw = async () => {
      const drawn = await ask(scene.command, { files: scene.files ?? {}, read: ["page.html", "figure.svg"] });
      const frame = drawn ? showDrawn(place, drawn, scene.caption) : null;
      await frame?.loaded;
      if (frame) revealAtEnd(frame, reveal);
    };
    const element = html("section", { class: "scene" }, html("h3", {}, scene.caption), ...(scene.text ? [html("p", {}, ...withCode(scene.text))] : []), place, formula,
                         html("p", { class: "note" }, html("code", {}, lineOf(scene.command)), " ",
                              ...(scene.state ? [button("Try it yourself", () => this.history.change({ ...scene.state, view: "explore", picture: "steps", step: "" }), { class: "small" })] : [])));
    return { element, draw };
  }
}

function revealAtEnd(frame, reveal) {
  const inner = frame.contentDocument;
  const last = () => inner.getElementById("position")?.max;
  new frame.contentWindow.MutationObserver(() => inner.body.dataset.step === last() && reveal()).observe(inner.body, { attributes: true, attributeFilter: ["data-step"] });
}
