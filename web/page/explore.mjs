// Choose and see: the answer to what the fields say.

import { ask, askJson } from "./core.mjs";
import { byId, bytesInWords, html, many, timeInWords } from "./elements.mjs";
import { fieldAtFault } from "./fields.mjs";
import { pictures } from "./pictures.mjs";
import { filesOf, questions, slowedNetwork } from "./question.mjs";
import { defaults } from "./state.mjs";

// Files that the command line names. With a slow link the network is asked first, because that link is changed in its file.
async function filesFor(state) {
  const files = filesOf(state);
  if (state.slow === "") return { files };
  const shape = state.network === "own" ? Object.keys(files)[0] : [state.network || "fully-connected", state.shape].filter(Boolean).join(":");
  const ranks = shape.includes(":") || state.network === "own" ? [] : ["--ranks", state.ranks];
  const answer = await ask(["topology", shape, ...ranks, "-o", "whole.json"], { files, read: ["whole.json"], purpose: "whole network" });
  if (!answer || answer.error) return answer;
  const tw = await askJson(["price", "broadcast", "--ranks", "2", "--bytes", "1", ...(state.tw ? ["--tw", state.tw] : [])], { purpose: "tw" });
  if (!tw || tw.error) return tw;
  try {
    return { files: { ...files, "slowed.json": slowedNetwork(answer.files["whole.json"], state.slow, tw.value.machine.tw) } };
  } catch (error) {
    return { error: error.message };
  }
}

// The answer, or an error. Where a simulation has more messages than a page has memory for, the time of a formula stands for it, if there is one.
async function answerOf(state, files) {
  const found = await askJson(questions.simulate(state), { files, purpose: "simulate" });
  if (!found?.error || !/memory|no room/.test(found.error)) return found;
  const prices = await askJson(questions.priceAlone(state), { files, purpose: "simulate" });
  const [best] = prices?.value?.sizes[0].algorithms.filter((each) => each.basis === "closed-form") ?? [];
  if (!best) return prices ? found : null;
  return { value: { algorithm: best.algorithm, algorithm_by: state.algorithm ? "request" : "price", segments: best.segments, ranks: prices.value.ranks, seconds: best.seconds, bound_seconds: prices.value.sizes[0].lower_bound.seconds,
                    notes: [`Too many messages for a page to simulate: the time is that of the formula ${best.formula}.`] } };
}

const fact = (name, ...words) => html("div", {}, html("dt", {}, name), html("dd", {}, ...words));

function factsOf(found, punctual) {
  const bound = found.bound_seconds ? `${timeInWords(found.bound_seconds)} (${(found.seconds / found.bound_seconds).toFixed(2)}×)` : "none";
  const facts = [
    fact("Algorithm", html("b", {}, found.algorithm), found.algorithm_by === "request" ? "" : ", the cheapest here"),
    fact("Time", html("b", { class: "cost-all" }, timeInWords(found.seconds))), fact("Lower bound", bound),
  ];
  if (found.messages !== undefined) facts.push(fact("Rounds", found.rounds.toLocaleString("en-US")), fact("Messages", found.messages.toLocaleString("en-US")), fact("Sent", bytesInWords(found.bytes_sent)));
  if (found.most_shared > 1) facts.push(fact("On one link", many(found.most_shared, "message")));
  if (punctual) facts.push(fact("Undisturbed", `${timeInWords(punctual.seconds)}; ${timeInWords(found.seconds - punctual.seconds)} are lost`));
  return html("dl", { class: "facts" }, ...facts);
}

// The failure's kind and place, then the verifier's sentence.
export function failureWords(failure) {
  const where = failure.step >= 0 ? `rank ${failure.rank}, step ${failure.step}` : `rank ${failure.rank}, at the end`;
  return [html("b", {}, failure.kind.replaceAll("-", " ")), ` (${where}): ${failure.reason}`];
}

function showVerdict(answer) {
  const place = byId("verdict");
  if (!answer) return;
  place.className = "verdict";
  if (answer.error) return void place.replaceChildren(answer.error);
  const { proved, failed, algorithms } = answer.value;
  const failure = algorithms.flatMap((each) => each.failures)[0];
  place.classList.add(failed ? "bad" : "good");
  place.replaceChildren(html("span", { class: "mark", "aria-hidden": "true" }, failed ? "✗" : "✓"),
                        ...(failure ? [" Refused. ", ...failureWords(failure)] : [` Proved: ${many(proved, "case")} of roots and block sizes${algorithms.some((each) => each.by_symmetry) ? ", by symmetry" : ""}.`]));
}

export class Explore {
  constructor(history, fields) {
    this.history = history;
    this.fields = fields;
    this.turn = 0;
    this.lines = [];
    this.answer = null;
  }

  // Each change is a turn; what comes for an earlier one is dropped. Resolves when all is shown.
  async show(state) {
    const turn = ++this.turn;
    const isNew = () => turn === this.turn;
    document.body.dataset.state = "asking";
    const began = performance.now();
    const prepared = await filesFor(state);
    if (!isNew() || !prepared) return;
    const found = prepared.error ? prepared : await answerOf(state, prepared.files);
    if (!isNew() || !found) return;
    if (found.error) return this.showError(state, found.error, isNew);
    this.fields.showError("", "");
    // Later questions ask for the same run: by the algorithm, and with the segments, that the core has chosen.
    const chosen = { ...state, segments: state.segments || `${found.value.segments ?? ""}` };
    this.answer = { state: chosen, files: prepared.files, named: found.value.algorithm, found: found.value };
    byId("facts").replaceChildren(factsOf(found.value));
    byId("notes").replaceChildren(...(found.value.notes ?? []).map((note) => html("li", {}, note)));
    byId("verdict").className = "verdict";
    byId("verdict").textContent = "Proving …";
    // A proof takes a core of its own, which the picture needs first.
    await this.showPicture(state, isNew);
    if (!isNew()) return;
    document.body.dataset.shown = Math.round(performance.now() - began);
    document.body.dataset.state = "shown";
    await Promise.all([this.showProof(isNew), this.showPunctual(state, isNew)]);
    if (isNew()) document.body.dataset.state = "done";
  }

  async showProof(isNew) {
    const answer = await askJson(questions.verify(this.answer.state, this.answer.named), { files: this.answer.files, purpose: "verify", lane: "slow" });
    if (isNew()) showVerdict(answer);
  }

  async showPunctual(state, isNew) {
    if (state.late === "" && state.slow === "") return;
    const punctual = await askJson(questions.punctual(this.answer.state, this.answer.named), { files: this.answer.files, purpose: "punctual", lane: "slow" });
    if (isNew() && punctual?.value) byId("facts").replaceChildren(factsOf(this.answer.found, punctual.value));
  }

  async showPicture(state, isNew) {
    byId("result").setAttribute("aria-busy", "true");
    const shown = await pictures[state.picture](this.answer);
    if (isNew() && shown) await shown(byId("picture"))?.loaded;
    if (isNew()) byId("result").removeAttribute("aria-busy");
  }

  async showError(state, sentence, isNew) {
    byId("verdict").className = "verdict bad";
    byId("verdict").textContent = "No answer: see the field.";
    this.fields.showError("", sentence);
    const key = await fieldAtFault(state, defaults, sentence, async (other) => {
      const prepared = await filesFor(other);
      if (!prepared || prepared.error) return prepared?.error ?? sentence;
      const answer = await askJson(questions.simulate(other), { files: prepared.files });
      return answer?.error ?? "";
    });
    if (!isNew()) return;
    this.fields.showError(key, sentence);
    document.body.dataset.state = "error";
  }
}

