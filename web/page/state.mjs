// State of the page, all that is chosen, as one value: it stands in the page's address, and can be undone.

import { options } from "./options.mjs";

// Texts as a person writes them, and as the command takes them. Only what differs from these stands in the address.
export const defaults = Object.freeze({
  view: "explore", picture: "steps",
  collective: "broadcast", algorithm: "", network: "hypercube", shape: "", ranks: "8", bytes: "1KiB", counts: "", slow: "", own: "",
  ...Object.fromEntries(options.map(({ key }) => [key, ""])),
  places: "", edits: "", kind: "program", text: "", mistake: "", chapter: "", step: "",
});

export function stateIn(address) {
  const named = Object.fromEntries(new URLSearchParams(address.replace(/^#/, "")));
  return { ...defaults, ...Object.fromEntries(Object.entries(named).filter(([key]) => Object.hasOwn(defaults, key))) };
}

export function addressOf(state) {
  const changed = Object.entries(state).filter(([key, value]) => value !== defaults[key]);
  return changed.length ? `#${new URLSearchParams(changed)}` : "#";
}

// The state, what it was before, and what was undone. Whoever listens hears each change.
export class History {
  constructor(state) {
    this.state = state;
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.last = { key: "", time: -Infinity };
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  // A change of the step alone is no step of the history: playing would fill it. A slider that moves is one step, not many:
  // what `merges` is one with the change just before it.
  change(part, { kept = true, merges = true } = {}) {
    const next = { ...this.state, ...part };
    if (addressOf(next) === addressOf(this.state)) return;
    if (kept) {
      const [key, time] = [Object.keys(part).join(" "), performance.now()];
      const goesOn = merges && key === this.last.key && time - this.last.time < 700 && this.past.length > 0;
      this.last = { key, time };
      if (!goesOn) this.past.push(this.state);
      this.future = [];
    }
    this.moveTo(next, kept);
  }

  moveTo(state, told = true) {
    const before = this.state;
    this.state = state;
    window.history.replaceState(null, "", addressOf(state));
    if (told) for (const listener of this.listeners) listener(state, before);
  }

  undo() {
    if (this.past.length === 0) return;
    this.future.push(this.state);
    this.moveTo(this.past.pop());
  }

  redo() {
    if (this.future.length === 0) return;
    this.past.push(this.state);
    this.moveTo(this.future.pop());
  }
}
