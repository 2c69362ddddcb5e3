// A call of the core: words of a command line and files in, the answer and files out.

// `core` is the module that tuttiCore() of emscripten gives. Files lie in its memory, as long as the call lasts.
export function callCore(core, { words, files = {}, read = [] }) {
  for (const [name, text] of Object.entries(files)) core.FS.writeFile(name, text);
  const line = JSON.stringify(words);
  const size = core.lengthBytesUTF8(line) + 1;
  const place = core._malloc(size);
  core.stringToUTF8(line, place, size);
  const answer = JSON.parse(core.UTF8ToString(core._tutti_explorer_answer(place)));
  core._free(place);
  const written = {};
  for (const name of read) {
    if (core.FS.analyzePath(name).exists) written[name] = core.FS.readFile(name, { encoding: "utf8" });
  }
  for (const name of new Set([...Object.keys(files), ...read])) {
    if (core.FS.analyzePath(name).exists) core.FS.unlink(name);
  }
  return { ...answer, files: written };
}
