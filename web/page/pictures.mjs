// Pictures of the answer: each asks the core, and gives a function that shows what came, or null where a newer question came first.

import { ask, askJson } from "./core.mjs";
import { html, table, timeInWords, bytesInWords, many } from "./elements.mjs";
import { note, pictureOf, showPage } from "./frame.mjs";
import { showMany } from "./many.mjs";
import { showOrders } from "./order.mjs";
import { combining } from "./options.mjs";
import { questions, saysRanks } from "./question.mjs";

// Above it the core draws the first ranks alone.
const mostDrawnRanks = 72;
const mostMessages = 2 ** 16;

const sentence = (words) => (place) => place.replaceChildren(note(words));
const failed = (answer) => (answer ? sentence(answer.error) : null);

async function pageOf(answer, words, title, style = "") {
  const page = await ask(words, { files: answer.files, read: ["page.html"], purpose: "picture" });
  if (!page || page.error) return failed(page);
  return (place) => showPage(place, page.files["page.html"], title, { step: answer.state.step, style });
}

// Messages of the answer; where they were too many to count, as many as those of a ring's all-reduce.
const messagesOf = (found) => found.messages ?? 2 * found.ranks ** 2;

// The call among fewer ranks, of which a picture has room for all messages: every rank sends to every other at most, so that half of the ranks send
// a quarter. Null where something says how many ranks there are.
function amongFewer({ state, found }) {
  if (saysRanks(state)) return null;
  const halvings = Math.ceil(Math.log2(messagesOf(found) / mostMessages) / 2);
  return { ...state, ranks: `${Math.floor(found.ranks / 2 ** halvings)}`, root: "", late: "", slow: "", background: "" };
}

async function steps(answer) {
  const { found, named } = answer;
  if (found.ranks <= mostDrawnRanks) return pageOf(answer, questions.steps(answer.state, named, "page.html"), "Steps on the network");
  const isTooMany = messagesOf(found) > mostMessages;
  const fewer = isTooMany ? amongFewer(answer) : null;
  if (isTooMany && !fewer) return sentence(`${many(messagesOf(found), "message")} are too many to draw; the numbers above hold all the same. Take fewer ranks to see steps.`);
  const run = await ask(questions.messages(fewer ?? answer.state, named, "run.json"), { files: fewer ? {} : answer.files, traffic: "run.json", purpose: "picture" });
  if (!run || run.error) return failed(run);
  return (place) => showMany(place, run.traffic, fewer ? `All messages among ${found.ranks.toLocaleString("en-US")} ranks are more than a picture can show. So they go among ${run.traffic.ranks} ranks here, by the same algorithm.` : "");
}

// The steps stand small above the lanes, and their words are left to the picture of steps.
const timelineFirst = " #words, .hint.screen { display: none } figure.fit#stage svg { max-height: 19rem }";

async function timeline(answer) {
  if (messagesOf(answer.found) > mostMessages) return sentence(`A timeline of ${many(messagesOf(answer.found), "message")} would not be readable; take fewer ranks.`);
  return pageOf(answer, questions.timeline(answer.state, answer.named, "page.html"), "Timeline", timelineFirst);
}

const basisWords = { "closed-form": "formula", simulation: "simulated", "upper-bound": "at most" };

function pricesTable(prices, named) {
  const [size] = prices.sizes;
  const rows = size.algorithms.map((each) => ({
    mark: each.algorithm === named ? "chosen" : false,
    cells: [each.algorithm, timeInWords(each.seconds), each.ratio ? `${each.ratio.toFixed(2)}×` : "", basisWords[each.basis] ?? "not known", each.formula ?? ""],
  }));
  const bound = size.lower_bound.seconds ? `; lower bound ${timeInWords(size.lower_bound.seconds)}: ${size.lower_bound.reason}` : "";
  return table(["Algorithm", "Time", "Over the bound", "By", "Formula"], rows, `All algorithms at ${bytesInWords(size.bytes)}${bound}`);
}

const winnerWords = (winner) => `${winner.algorithm} from ${bytesInWords(winner.from_bytes)} to ${bytesInWords(winner.to_bytes)}`;

async function prices(answer) {
  const here = await askJson(questions.prices(answer.state), { files: answer.files, purpose: "picture", lane: "slow" });
  if (!here || here.error) return failed(here);
  const words = [...questions.pricesOfSizes(answer.state), "--plot", "prices.svg"];
  const plot = await askJson(words, { files: answer.files, read: ["prices.svg"], purpose: "plot", lane: "slow" });
  if (!plot) return null;
  const drawn = plot.files?.["prices.svg"];
  return (place) => place.replaceChildren(
    pricesTable(here.value, answer.named),
    ...(drawn ? [pictureOf(drawn, "Time of the algorithms against the message's size, with the sizes at which another becomes the fastest"),
                 html("p", {}, `The fastest: ${plot.value.winners.map(winnerWords).join("; ")}.`)] : [note(plot.error ?? "")]));
}

async function order(answer) {
  if (!combining.includes(answer.state.collective)) return sentence("Only a reduction or a scan has an order in which contributions are combined.");
  const found = await askJson(questions.order(answer.state, answer.named), { files: answer.files, purpose: "picture" });
  if (!found || found.error) return failed(found);
  return (place) => showOrders(place, found.value);
}

async function text(answer) {
  const about = await askJson(questions.explain(answer.state, answer.named), { files: answer.files, purpose: "picture" });
  const whole = await ask([...questions.explain(answer.state, answer.named), ...(answer.found.ranks <= 16 ? ["--steps"] : [])], { files: answer.files, purpose: "text" });
  if (!about || !whole) return null;
  if (about.error) return failed(about);
  return (place) => place.replaceChildren(html("h3", {}, `${about.value.collective} by ${about.value.name}`), html("p", {}, about.value.summary), html("p", {}, html("b", {}, "When: "), about.value.when),
                                          html("p", {}, html("b", {}, "Source: "), about.value.source), html("pre", { tabindex: 0, role: "region", "aria-label": "The algorithm, step by step" }, whole.text));
}

export const pictures = { steps, timeline, prices, order, text };
export const pictureNames = { steps: "Steps", timeline: "Timeline", prices: "Prices", order: "Order of the sum", text: "Text" };
