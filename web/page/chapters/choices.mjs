// Chapters on choices: lower bounds, matrices, training. messages.mjs says what a scene is.

export const bounds = {
  id: "bounds",
  title: "Lower bounds, and what comes near",
  text: [
    "Three arguments bound every algorithm. Rounds: those who know something can at most double. Bytes: what a rank must receive passes its one port. Links: what must cross from one half of the network to the other shares the cables between them.",
    "No algorithm is best for all sizes. Trees meet the bound of rounds, rings and scatters that of bytes; the size at which one overtakes the other follows from their formulas.",
  ],
  scenes: [
    { caption: "Where the tree ends", text: "Sixteen ranks, from a byte to a gibibyte: flags stand where another algorithm becomes the fastest.", command: ["price", "broadcast", "--ranks", "16", "--bytes", "8..64MiB", "--plot", "figure.svg"],
      formula: [["T ≥ "], ["ts ceil(log p)", "start"], ["   and   T ≥ "], ["tw m", "byte"]], meaning: "For a broadcast. The tree takes their product, and a scatter followed by an all-gather about their sum.", state: { collective: "broadcast", algorithm: "", network: "", shape: "", ranks: "16", bytes: "1MiB" } },
  ],
  wrong: "the bound of an all-to-all on a hypercube is derived with d/2 for the mean distance and p d/2 links, which counts neither as they are. The result tw m (p - 1) holds all the same, by the one port of a rank.",
  exercises: ["10.1", "10.2", "10.3", "10.4", "10.6", "10.8"],
};

export const matrices = {
  id: "matrices",
  title: "Matrix times vector, and the transpose",
  text: [
    "n² ranks hold a matrix, one element each. The vector stands in the first row: it is broadcast down the columns, each rank multiplies, and the rows reduce their products to the first column. Two collectives, each along one dimension.",
    "A matrix that is stored by rows is transposed by an all-to-all: rank i has the piece of row i that rank j needs.",
  ],
  scenes: [
    { caption: "Broadcast along columns, reduce along rows", command: ["draw", "--figure", "matrix-vector", "-o", "figure.svg"],
      formula: [["T = 2 log n ("], ["ts", "start"], [" + "], ["tw", "byte"], [")"]], meaning: "One number a message: starts are all that counts." },
    { caption: "The transpose", command: ["draw", "--figure", "transpose", "-o", "figure.svg"],
      formula: [["T = (p - 1)("], ["ts", "start"], [" + "], ["tw n²/p²", "byte"], [")"]], meaning: "Pairwise: each pair of ranks exchanges its piece once.", state: { collective: "all-to-all", algorithm: "pairwise", network: "", shape: "", ranks: "8", bytes: "1KiB" } },
  ],
  exercises: ["4.10", "4.11", "4.12", "8.8", "8.10", "8.12"],
};

export const training = {
  id: "training",
  title: "Training over NVLink",
  text: [
    "Workers that train one model on different data average their gradients after every step: an all-reduce of hundreds of megabytes. What it takes is bytes, so the ring is at home here, and so is every algorithm that moves each byte twice at most.",
    "In a DGX-1 eight GPUs are joined by a cube of NVLinks, some of them double. A ring that knows this uses the broad ways; one that goes by number does not.",
  ],
  scenes: [
    { caption: "Eight GPUs, one ring", command: ["draw", "all-reduce", "--algorithm", "ring", "--topology", "dgx-1v", "-o", "page.html"],
      formula: [["T = 2 (p - 1)("], ["ts", "start"], [" + "], ["tw m/p", "byte"], [" + "], ["tc m/2p", "combine"], [")"]], meaning: "Half of the rounds combine, and half pass results on.", state: { collective: "all-reduce", algorithm: "ring", network: "dgx-1v", shape: "", ranks: "", bytes: "64MiB" } },
    { caption: "Which algorithm, at which size", command: ["price", "all-reduce", "--topology", "dgx-1v", "--bytes", "8..64MiB", "--plot", "figure.svg"],
      formula: [["T ≥ "], ["2 tw m (p - 1)/p", "byte"]], meaning: "Times are simulated on the cables of that machine.", state: { collective: "all-reduce", algorithm: "", network: "dgx-1v", shape: "", ranks: "", bytes: "64MiB" } },
  ],
  exercises: ["6.4", "6.5", "6.9", "6.11", "10.7", "10.9"],
};
