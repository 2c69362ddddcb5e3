// Chapters on the collectives of the textbook. messages.mjs says what a scene is.

const at = (collective, algorithm, network, shape, more = {}) => ({ collective, algorithm, network, shape, ranks: "8", ...more });
const picture = (collective, algorithm, topology, ...more) => ["draw", collective, "--algorithm", algorithm, "--topology", topology, ...more, "-o", "page.html"];

export const broadcast = {
  id: "broadcast",
  title: "Broadcast and reduction",
  text: [
    "One rank has a message, and all are to have it. Whoever has it can pass it on, so the number of ranks that have it can double in each round, and no more than that. A reduction is the same picture with all arrows turned round: the message becomes a sum.",
    "What differs between networks is who the partner is: on a hypercube a neighbour along the next dimension, on a ring a rank half of the rest away, on a mesh first along the row and then along the columns.",
  ],
  scenes: [
    { caption: "Three dimensions, three rounds", command: picture("broadcast", "binomial", "hypercube:3"),
      formula: [["T = log p ("], ["ts", "start"], [" + "], ["tw m", "byte"], [")"]], meaning: "Each round costs a whole message. For long messages that is too much: see the chapter on bounds.", state: at("broadcast", "binomial", "hypercube", "3") },
    { caption: "The dual: a reduction on a ring", command: picture("reduce", "binomial", "ring:8"),
      formula: [["T = log p ("], ["ts", "start"], [" + "], ["tw m", "byte"], [") + "], ["th (p - 1)", "hop"], [" + "], ["tc m log p", "combine"]], meaning: "Cut through, halving distances: p - 1 hops in all. Combining costs `tc` a byte.", state: at("reduce", "binomial", "ring", "8") },
  ],
  wrong: "for a mesh of three dimensions a cube root and its ceiling are printed apart; read them together, as 3 (ts + tw m) ceil(c/2).",
  exercises: ["4.2", "4.5", "4.6", "4.7", "4.8", "4.9"],
};

export const allGather = {
  id: "all-gather",
  title: "All-gather and reduce-scatter",
  text: [
    "Each rank has a block, and all are to have all blocks. Around a ring every rank passes on what came last: p - 1 rounds, and no link is ever idle or shared. On a hypercube both partners exchange all that they have, so blocks double while rounds are few.",
    "Turned round, this is reduce-scatter: each rank ends with the sum of one block.",
  ],
  scenes: [
    { caption: "Round a ring", command: picture("all-gather", "ring", "ring:6"), formula: [["T = (p - 1)("], ["ts", "start"], [" + "], ["tw m", "byte"], [")"]], meaning: "No algorithm moves fewer bytes: each rank has to receive p - 1 blocks.", state: at("all-gather", "ring", "ring", "6") },
    { caption: "Rows, then columns", command: picture("all-gather", "mesh", "torus:3x3"), formula: [["T = "], ["2 ts (r - 1)", "start"], [" + "], ["tw m (p - 1)", "byte"]], meaning: "With r = sqrt p. The bytes stay the same; the starts are far fewer.", state: at("all-gather", "mesh", "torus", "3x3") },
  ],
  wrong: "the all-gather by buckets is said to be good while n/P is much less than alpha/beta. It is good where n/P is much greater, as an annotation says.",
  exercises: ["5.3", "5.4", "5.5", "5.6", "5.7", "5.8"],
};

export const allReduce = {
  id: "all-reduce",
  title: "All-reduce and prefix sums",
  text: [
    "Every rank has a vector, and all want the sum. A reduction and then a broadcast do it, and so do exchanges along each dimension of a hypercube in half of the time. For long vectors a ring first makes sums of pieces, and then sends them round.",
    "A prefix sum keeps more books: a rank passes on the sum of all that it has seen, and counts for itself only what comes from lower ranks.",
  ],
  scenes: [
    { caption: "The ring: sums go round, then results", command: picture("all-reduce", "ring", "ring:4"), formula: [["T = 2 (p - 1)("], ["ts", "start"], [" + "], ["tw m/p", "byte"], [")"]], meaning: "Nearly 2 tw m, however many ranks there are: optimal in bytes, and slow in starts.", state: at("all-reduce", "ring", "ring", "4") },
    { caption: "A prefix sum on a hypercube", command: picture("scan", "hypercube", "hypercube:3"), formula: [["T = log p ("], ["ts", "start"], [" + "], ["tw m", "byte"], [")"]], meaning: "The sum of what a rank has seen goes on; the result takes the parts from below.", state: at("scan", "hypercube", "hypercube", "3") },
  ],
  exercises: ["6.1", "6.2", "6.3", "6.6", "6.8", "6.10"],
};

export const scatter = {
  id: "scatter",
  title: "Scatter and gather",
  text: [
    "The root has a block for each rank. It sends half of them to one other rank, and both go on with their halves: as many rounds as a broadcast, but the messages become shorter. Gather is the picture turned round.",
  ],
  scenes: [
    { caption: "Halves of halves", command: picture("scatter", "binomial", "hypercube:3"), formula: [["T = "], ["ts log p", "start"], [" + "], ["tw m (p - 1)", "byte"]], meaning: "The root's link is the bottleneck: p - 1 blocks have to leave it, whatever the algorithm.", state: at("scatter", "binomial", "hypercube", "3") },
    { caption: "Gather, the dual", command: picture("gather", "binomial", "hypercube:3"), formula: [["T = "], ["ts log p", "start"], [" + "], ["tw m (p - 1)", "byte"]], meaning: "The same time: every arrow turned round.", state: at("gather", "binomial", "hypercube", "3") },
  ],
  wrong: "scatter takes the hypercube's time on a linear array and a mesh only where a message costs the same over any number of links; not where it is stored and forwarded.",
  exercises: ["7.1", "7.3", "7.4", "7.5", "7.6", "7.10"],
};

export const allToAll = {
  id: "all-to-all",
  title: "All-to-all, in all its ways",
  text: [
    "Every rank has a block for every other one. Round a ring all blocks travel, and each rank takes out its own. On a mesh blocks are bundled by columns, on a hypercube by dimensions: fewer messages, but blocks travel further than they must.",
    "Pairwise, each block goes once and straight; Bruck's way needs log p rounds for any p, and half of all blocks in each.",
  ],
  scenes: [
    { caption: "Round a ring", command: picture("all-to-all", "ring", "ring:6"), formula: [["T = (p - 1)("], ["ts", "start"], [" + "], ["tw m p/2", "byte"], [")"]], meaning: "A block goes p/2 links on average, one way round.", state: at("all-to-all", "ring", "ring", "6") },
    { caption: "Dimension by dimension", command: picture("all-to-all", "hypercube", "hypercube:3"), formula: [["T = log p ("], ["ts", "start"], [" + "], ["tw m p/2", "byte"], [")"]], meaning: "Each exchange moves half of what a rank holds.", state: at("all-to-all", "hypercube", "hypercube", "3") },
    { caption: "Each pair once", command: picture("all-to-all", "pairwise", "hypercube:3"), formula: [["T = (p - 1)("], ["ts", "start"], [" + "], ["tw m", "byte"], [") + "], ["th p log p / 2", "hop"]], meaning: "Partners are i and i XOR j: their ways share no link.", state: at("all-to-all", "pairwise", "hypercube", "3") },
    { caption: "Bruck's rotations", command: picture("all-to-all", "bruck", "fully-connected:6"), formula: [["T = about ceil(log p)("], ["ts", "start"], [" + "], ["tw m p/2", "byte"], [")"]], meaning: "In round k those blocks move whose distance has the k-th bit.", state: at("all-to-all", "bruck", "", "", { ranks: "6" }) },
  ],
  wrong: "Bruck's listing exchanges within the loop that packs, unpacks the blocks that were sent, and overwrites what it has yet to read; and its last line counts m bytes a step, where about p/2 blocks of m move.",
  exercises: ["8.1", "8.2", "8.3", "8.4", "8.6", "8.11"],
};

export const shift = {
  id: "shift",
  title: "Circular shift",
  text: [
    "Rank i sends to rank i + q, round the end. On a ring that is q steps, or p - q the other way. On a mesh rows and columns shift apart, with a step between for those that crossed the edge. On a hypercube the ranks are numbered by a Gray code, so that powers of two are at most two links away.",
  ],
  scenes: [
    { caption: "A shift by five on a mesh", command: picture("shift", "mesh", "torus:4x4", "--distance", "5"), formula: [["T = at most (r + 1)("], ["ts", "start"], [" + "], ["tw m", "byte"], [")"]], meaning: "With r = sqrt p, for every distance.", state: at("shift", "mesh", "torus", "4x4", { distance: "5" }) },
    { caption: "The same distance on a hypercube", command: picture("shift", "gray-code", "hypercube:3", "--distance", "5"), formula: [["T = at most (2 log p - 1)("], ["ts", "start"], [" + "], ["tw m", "byte"], [")"]], meaning: "The distance is a sum of powers of two, taken either way.", state: at("shift", "gray-code", "hypercube", "3", { distance: "5" }) },
  ],
  wrong: "the time of the shift over E-cube routes is printed without hops, as if each message went one link. No link is shared, but the longest way has d - j links for q = 2^j times an odd number.",
  exercises: ["9.1", "9.2", "9.3", "9.5", "9.6", "9.7"],
};
