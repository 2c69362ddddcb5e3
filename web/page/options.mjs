// Options of the command that the page has fields for, in the order of command lines: the state's key, the option's name, which commands take
// it, and when it counts. Defaults of the state, command lines and the search for a field that an error is about read this table.
//
//   problem   all commands of a collective          machine  simulate, price and draw, of messages and programs as well
//   operator  all of them but verify                costs    simulate, price and draw, of collectives alone
//                                                   run      simulate and draw

export const rooted = ["broadcast", "reduce", "scatter", "gather"];
export const combining = ["reduce", "all-reduce", "reduce-scatter", "scan", "exclusive-scan"];

const isRooted = (state) => rooted.includes(state.collective);
const isShift = (state) => state.collective === "shift";
const isAllToAll = (state) => state.collective === "all-to-all";

// Switches of nodes and the cables between them are the network where there is no other.
const hasNodeLinks = (state) => state.nodes !== "" && state.network === "" && state.slow === "";

export const options = [
  { key: "root", option: "--root", of: "problem", counts: isRooted },
  { key: "distance", option: "--distance", of: "problem", counts: isShift },
  { key: "grid", option: "--grid", of: "problem" },
  { key: "nodes", option: "--nodes", of: "problem" },
  { key: "segments", option: "--segments", of: "problem" },
  { key: "radix", option: "--radix", of: "problem" },
  { key: "operator", option: "--non-commutative", of: "operator", isFlag: true, counts: (state) => combining.includes(state.collective) },
  { key: "switching", option: "--switching", of: "machine" },
  { key: "ts", option: "--ts", of: "machine" },
  { key: "tw", option: "--tw", of: "machine" },
  { key: "tsInside", option: "--ts-inside", of: "costs", counts: hasNodeLinks },
  { key: "twInside", option: "--tw-inside", of: "costs", counts: hasNodeLinks },
  { key: "tsOutside", option: "--ts-outside", of: "costs", counts: hasNodeLinks },
  { key: "twOutside", option: "--tw-outside", of: "costs", counts: hasNodeLinks },
  { key: "th", option: "--th", of: "machine" },
  { key: "tc", option: "--tc", of: "machine" },
  { key: "tr", option: "--tr", of: "costs", counts: isAllToAll },
  { key: "packet", option: "--packet", of: "machine" },
  { key: "ports", option: "--ports", of: "machine" },
  { key: "forwarding", option: "--forwarding", of: "machine" },
  { key: "injection", option: "--injection", of: "machine" },
  { key: "eager", option: "--eager", of: "machine" },
  { key: "routing", option: "--routing", of: "machine" },
  { key: "background", option: "--background", of: "machine" },
  { key: "embedding", option: "--embedding", of: "costs" },
  { key: "engine", option: "--engine", of: "run" },
  { key: "late", option: "--skew", of: "run" },
];

export const doesCount = (option, state) => option.counts?.(state) ?? true;

// An option with its value; nothing for an empty one.
export const optionWords = (name, value) => (value === "" ? [] : [name, value]);

// The words that the state has for the options of those kinds.
export function wordsOf(state, ...kinds) {
  return options.filter((each) => kinds.includes(each.of) && doesCount(each, state))
    .flatMap(({ key, option, isFlag }) => (isFlag ? (state[key] === "" ? [] : [option]) : optionWords(option, state[key])));
}
