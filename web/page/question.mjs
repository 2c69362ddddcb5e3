// Command lines for what is chosen. The page asks the core nothing else, so that each answer is that of the command.

export const rooted = ["broadcast", "reduce", "scatter", "gather"];
export const combining = ["reduce", "all-reduce", "reduce-scatter", "scan", "exclusive-scan"];

const option = (name, value) => (value === "" ? [] : [name, value]);

// The file of a network of one's own: our JSON begins with a brace, and all else is what nvidia-smi prints.
export const ownNetwork = (state) => (state.own.trimStart().startsWith("{") ? "network.json" : "network.txt");

// A slow link is a change in the network's file, which slowedNetwork() makes.
const networkOf = (state) => {
  if (state.slow !== "") return "slowed.json";
  if (state.network === "own") return ownNetwork(state);
  return state.network && state.shape ? `${state.network}:${state.shape}` : state.network;
};

export function networkWords(state) {
  const network = networkOf(state);
  const sizeIsIn = state.slow !== "" || state.network === "own" || (state.network && state.shape);
  return [...option("--topology", network), ...(sizeIsIn || state.counts !== "" ? [] : option("--ranks", state.ranks))];
}

export function problemWords(state) {
  return [state.collective, ...networkWords(state), ...(rooted.includes(state.collective) ? option("--root", state.root) : []),
          ...(state.collective === "shift" ? option("--distance", state.distance) : []),
          ...option("--segments", state.segments), ...option("--radix", state.radix)];
}

const sizeWords = (state) => (state.counts === "" ? option("--bytes", state.bytes) : ["--counts", state.counts]);

export const machineWords = (state) => [...option("--switching", state.switching), ...option("--ts", state.ts), ...option("--tw", state.tw),
                                 ...option("--th", state.th), ...option("--tc", state.tc), ...option("--ports", state.ports)];

const algorithmWords = (state, named) => option("--algorithm", state.algorithm || named || "");

// `named` is the algorithm where the state leaves it to the core, and the core has chosen.
export const questions = {
  simulate: (state) => ["simulate", ...problemWords(state), ...algorithmWords(state), ...sizeWords(state), ...machineWords(state),
                        ...option("--skew", state.late)],
  punctual: (state, named) => ["simulate", ...problemWords({ ...state, slow: "" }), ...algorithmWords(state, named), ...sizeWords(state), ...machineWords(state)],
  verify: (state, named) => ["verify", ...problemWords(state), ...algorithmWords(state, named), ...(state.counts === "" ? sizeWords(state) : [])],
  steps: (state, named, file) => ["draw", ...problemWords(state), ...algorithmWords(state, named), ...sizeWords(state), "-o", file],
  timeline: (state, named, file) => ["draw", ...problemWords(state), ...algorithmWords(state, named), ...sizeWords(state), ...machineWords(state),
                                     ...option("--skew", state.late), "--timeline", "-o", file],
  messages: (state, named, file) => ["simulate", ...problemWords(state), ...algorithmWords(state, named), ...sizeWords(state), ...machineWords(state),
                                     ...option("--skew", state.late), "--timeline", file],
  prices: (state) => ["price", ...problemWords(state), ...option("--bytes", state.bytes), ...machineWords(state)],
  pricesOfSizes: (state) => ["price", ...problemWords(state), "--bytes", "8..64MiB", ...machineWords(state)],
  explain: (state, named) => ["explain", ...problemWords(state), ...algorithmWords(state, named), ...sizeWords(state)],
  order: (state, named) => ["explain", ...problemWords(state), ...algorithmWords(state, named), ...sizeWords(state), "--order"],
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
