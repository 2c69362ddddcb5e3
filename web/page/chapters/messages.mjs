// Chapters on messages: their cost, and programs that send and receive.
//
// A scene is a command that writes page.html or figure.svg; `formula` lists its terms, each with what it costs; `state` is what
// "Try it yourself" chooses. Exercises are the course's, by number.

export const pointToPoint = {
  id: "point-to-point",
  title: "One message, and its cost",
  text: [
    "A message pays for being started, and it pays for each of its bytes. The start `ts` is the price of software, of the network card and of agreeing that a message is under way; a byte costs `tw`. Short messages are nearly all start, long ones nearly all bytes, and at `ts/tw` bytes both weigh the same.",
    "Between ranks that are not neighbours the way counts, too. A node that stores a message whole before it forwards it pays for all bytes once a link. A router that cuts the message through pays `th` once a link and for the bytes once in all.",
  ],
  scenes: [
    {
      caption: "A message along a line, hop by hop",
      text: "The same message three times: stored and forwarded whole, in packets, and cut through.",
      command: ["simulate", "messages", "0-4:4KiB", "--topology", "linear:5", "--switching", "store-and-forward", "--packet", "512", "--packets", "figure.svg"],
      formula: [["T = "], ["ts", "start"], [" + "], ["l m tw", "byte"], ["   stored and forwarded over l links;   T = "], ["ts", "start"], [" + "], ["l th", "hop"], [" + "], ["m tw", "byte"], ["   cut through"]],
      meaning: "Packets come between the two: the first one needs the whole way, and the others follow it link by link.",
    },
    {
      caption: "Two messages that want the same links",
      text: "Two messages that share a link share its bytes a second. On the next page of the picture only ways have changed, and nothing waits.",
      command: ["draw", "messages", "1-6:4KiB", "4-7:4KiB", "--topology", "linear:8", "-o", "page.html"],
      formula: [["T = "], ["ts", "start"], [" + "], ["2 m tw", "byte"]],
      meaning: "k messages on one link multiply its `tw` by k: the links between 4 and 6 carry both.",
    },
  ],
  wrong: "one source gives p/2 as the mean distance on a ring. That holds where all messages go one way round; the shorter way round it is about p/4.",
  exercises: ["1.2", "1.4", "1.5", "1.6", "1.7", "1.9"],
};

export const deadlock = {
  id: "deadlock",
  title: "Sends, receives and circles",
  text: [
    "A program of messages is one text that each rank runs with its own number. A send that nobody buffers is done when its receiver has taken it. So a wait says: what I sent has been received, and what I asked for has come.",
    "Two ranks that both send and wait before they receive never come to their receives. Such a circle needs no bad luck and shows on every run; a test with short messages, which are buffered, hides it. The cure is an order, such as even ranks first, or both operations before one wait.",
  ],
  scenes: [
    {
      caption: "All ranks of a ring at once, both operations before one wait",
      command: ["draw", "program", "ring.txt", "-o", "page.html"],
      files: { "ring.txt": "ranks 6\nall: send +1 1KiB; receive -1\n" },
      formula: [["T = "], ["ts", "start"], [" + "], ["m tw", "byte"]],
      meaning: "Nobody waits for anybody in a row. With even ranks first and odd ranks afterwards the same ring takes twice that.",
      state: null,
    },
  ],
  wrong: "the procedures of the slides send and then receive. They end where sends are buffered; where they are not, the verifier names the circle. They stand in `tutti explain procedures`, as printed and as mended.",
  exercises: ["1.3", "3.1", "3.3", "3.5", "3.6", "3.9"],
};
