#!/usr/bin/python3
"""Joins the page's modules, its style and the core into one file, which a browser opens from a disk.

    join.py PAGE_FOLDER SHARED_STYLE CORE.js CORE.wasm OUTPUT.html

Browsers load no modules from a disk. So modules become one script: each once, those that it imports before it, without its lines
of import and the word export. Names at the outermost level must therefore differ between modules; this script ends where two do not.
"""

import base64
import gzip
import pathlib
import re
import sys

IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.MULTILINE)
TOP_NAME = re.compile(r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", re.MULTILINE)


def joined(path, done, owners):
    """The module and all that it imports and nobody has had yet, as one text."""
    path = path.resolve()
    if path in done:
        return ""
    done.add(path)
    text = path.read_text(encoding="utf-8")
    before = "".join(joined(path.parent / name, done, owners) for name in IMPORT.findall(text))
    body = IMPORT.sub("", text)
    for name in TOP_NAME.findall(body):
        if name in owners:
            sys.exit(f"join.py: {path.name} and {owners[name]} both define {name}; rename one of them")
        owners[name] = path.name
    return before + re.sub(r"^export ", "", body, flags=re.MULTILINE)


def main(folder, style, core_script, core, output):
    folder = pathlib.Path(folder)
    worker = pathlib.Path(core_script).read_text(encoding="utf-8") + joined(folder / "worker.mjs", set(), {})
    compressed = gzip.compress(pathlib.Path(core).read_bytes(), 9, mtime=0)
    parts = {
        "style": pathlib.Path(style).read_text(encoding="utf-8") + (folder / "style.css").read_text(encoding="utf-8"),
        "worker": worker.replace("</script", "<\\/script"),
        "core": base64.b64encode(compressed).decode("ascii"),
        "script": joined(folder / "main.mjs", set(), {}),
    }
    page = (folder / "page.html").read_text(encoding="utf-8")
    text = re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], page)
    pathlib.Path(output).write_text(text, encoding="utf-8")
    print(f"{output}: {len(text.encode()) / 2**20:.2f} MiB, {len(gzip.compress(text.encode(), 9)) / 2**20:.2f} MiB compressed")


if __name__ == "__main__":
    main(*sys.argv[1:])
