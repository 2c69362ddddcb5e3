// The gallery: mistakes that were published or shipped, and why each is refused.

import { ask, askJson } from "./core.mjs";
import { byId, html, withCode } from "./elements.mjs";
import { failureWords } from "./explore.mjs";
import { pictureOf } from "./frame.mjs";

export class Gallery {
  constructor(history) {
    this.history = history;
    this.turn = 0;
    this.mistakes = null;
  }

  async show(state) {
    const turn = ++this.turn;
    document.body.dataset.state = "asking";
    this.mistakes ??= (await askJson(["gallery"])).value;
    const chosen = this.mistakes.find((each) => each.name === state.mistake) ?? this.mistakes[0];
    byId("gallery-list").replaceChildren(...this.mistakes.map((each) => html("li", {},
      html("button", { type: "button", "aria-current": each === chosen ? "true" : false, click: () => this.history.change({ mistake: each.name }) }, each.name))));
    const [picture, text] = [await ask(["gallery", chosen.name, "-o", "gallery.svg"], { read: ["gallery.svg"], purpose: "gallery" }),
                             await ask(["gallery", chosen.name], { purpose: "gallery text" })];
    if (turn !== this.turn || !picture || !text) return;
    byId("gallery-case").replaceChildren(
      html("h2", {}, chosen.name), html("p", {}, ...withCode(chosen.mistake)), html("p", { class: "note" }, `${chosen.collective} of ${chosen.ranks} ranks. ${chosen.source}`),
      html("p", { class: "verdict bad" }, html("span", { class: "mark", "aria-hidden": "true" }, "✗"), " Refused. ", ...failureWords(chosen)),
      ...(picture.files["gallery.svg"] ? [pictureOf(picture.files["gallery.svg"], `${chosen.name}: the steps up to the one that goes wrong`)] : []),
      html("pre", { tabindex: 0, role: "region", "aria-label": "What its ranks do" }, (text.text ?? text.error).split("\n\n").slice(1).join("\n\n")));
    document.body.dataset.state = "done";
  }
}
