// Command lines for what is chosen. The page asks the core nothing else, so that each answer is that of the command.

import { optionWords, wordsOf } from "./options.mjs";

// The file of a network of one's own: our JSON begins with a brace, and all else is what nvidia-smi prints.
export const ownNetwork = (state) => (state.own.trimStart().startsWith("{") ? "network.json" : "network.txt");

// A slow link is a change in the network's file, which slowedNetwork() makes.
const networkOf = (state) => {
  if (state.slow !== "") return "slowed.json";
  if (state.network === "own") return ownNetwork(state);
  return state.network && state.shape ? `${state.network}:${state.shape}` : state.network;
};

// Nodes, a grid, uneven blocks and a network with its size say how many ranks there are.
export const saysRanks = (state) => state.network === "own" || (state.network !== "" && state.shape !== "") || state.counts !== "" || state.nodes !== "" || state.grid !== "";

export const networkWords = (state) => [...optionWords("--topology", networkOf(state)), ...(saysRanks(state) || state.slow !== "" ? [] : optionWords("--ranks", state.ranks))];

export const problemWords = (state) => [state.collective, ...networkWords(state), ...wordsOf(state, "problem")];

const sizeWords = (state) => (state.counts === "" ? optionWords("--bytes", state.bytes) : ["--counts", state.counts]);

// Costs of messages and programs, and of collectives.
export const machineWords = (state) => wordsOf(state, "machine");
const priceWords = (state) => wordsOf(state, "machine", "costs");
const runWords = (state) => wordsOf(state, "machine", "costs", "run");

const algorithmWords = (state, named) => optionWords("--algorithm", state.algorithm || named || "");

// The call by an algorithm: `named` is it where the state leaves it to the core, and the core has chosen.
const callWords = (state, named) => [...problemWords(state), ...wordsOf(state, "operator"), ...algorithmWords(state, named), ...sizeWords(state)];

export const questions = {
  simulate: (state) => ["simulate", ...callWords(state), ...runWords(state)],
  punctual: (state, named) => ["simulate", ...callWords({ ...state, slow: "" }, named), ...runWords({ ...state, slow: "", late: "" })],
  verify: (state, named) => ["verify", ...problemWords(state), ...algorithmWords(state, named), ...(state.counts === "" ? sizeWords(state) : [])],
  steps: (state, named, file) => ["draw", ...callWords(state, named), "-o", file],
  timeline: (state, named, file) => ["draw", ...callWords(state, named), ...runWords(state), "--timeline", "-o", file],
  messages: (state, named, file) => ["simulate", ...callWords(state, named), ...runWords(state), "--timeline", file],
  prices: (state) => ["price", ...problemWords(state), ...wordsOf(state, "operator"), ...optionWords("--bytes", state.bytes), ...priceWords(state)],
  priceAlone: (state) => ["price", ...problemWords(state), ...wordsOf(state, "operator"), ...algorithmWords(state), ...optionWords("--bytes", state.bytes), ...priceWords(state)],
  pricesOfSizes: (state) => ["price", ...problemWords(state), ...wordsOf(state, "operator"), "--bytes", "8..64MiB", ...priceWords(state)],
  explain: (state, named) => ["explain", ...callWords(state, named)],
  order: (state, named) => ["explain", ...callWords(state, named), "--order"],
};

export const filesOf = (state) => (state.network === "own" ? { [ownNetwork(state)]: state.own } : {});

// The words as one line of a shell.
export const lineOf = (words) => ["tutti", ...words].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");

// "0-1:4" names the link between nodes 0 and 1, four times as slow.
export function slowedNetwork(text, slow, tw) {
  const parts = /^\s*(\d+)\s*-\s*(\d+)\s*:\s*(\d+(?:\.\d+)?)\s*$/.exec(slow);
  if (!parts) throw new Error(`'${slow}' names no link; write two nodes and a factor, such as 0-1:4`);
  const [from, to, factor] = parts.slice(1).map(Number);
  const network = JSON.parse(text);
  const joins = (link) => (link.from === from && link.to === to) || (link.from === to && link.to === from);
  const links = network.links.filter(joins);
  if (links.length === 0) throw new Error(`there is no link between ${from} and ${to}; take two neighbours`);
  for (const link of links) link.tw = (link.tw ?? tw) * factor;
  return JSON.stringify(network);
}
