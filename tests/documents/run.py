#!/usr/bin/env python3
"""Runs every command, and compiles every program, that a page of the documents shows, as the page shows it.

usage: tests/documents/run.py PAGE --build FOLDER    runs those of one page against that build
       tests/documents/run.py --check                says only what would be neither run nor left out for a reason

A block is indented by four spaces, or stands between fences. Its first line says what it is: a command, with or without "$ "; or the text of a
file, where the paragraph before is the file's name and a colon. Lines behind a "$ " are what the command prints, or, behind "$ cat FILE", what
the file has. Fenced programs without a name are fragments: preludes/ has what stands around them. left_out.txt lists what is not run, with
reasons. A command of tutti may end with 1, which says no; every other one ends with 0. Exit status 1, with a sentence for each mistake.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for folder in ("guide", "reference") for page in (ROOT / "docs" / folder).glob("*.md"))]
COMMAND = re.compile(
    r"(?:\$ )?((?:[A-Z_]+=\S+ )*(?:tutti|make|cc|g\+\+|gfortran|cmake|mpirun|cat|echo|export|cd|nvidia-smi|xdg-open|/usr/bin/python3|torchrun|(?:\.|build)/\w+)"
    r"(?: .*)?)"
)
COMPILERS = {"c": ["cc", "-std=c11"], "cpp": ["g++", "-std=c++20"]}
SECONDS = 900


class Block:
    """Lines that a page shows together: their language, "" where they are indented, and the name of the file that they are, if they are one."""

    def __init__(self, language, name, lines):
        self.language, self.name, self.lines = language, name, lines

    def is_command(self):
        return not self.language and not self.name and COMMAND.fullmatch(self.lines[0]) is not None


def blocks_of(page):
    """Yields the blocks of a page, in its order."""
    text = re.sub(r"(?m)^<!--.*-->\n", "", (ROOT / page).read_text())
    pattern = re.compile(r"^(?:([\w.-]+\.\w+):\n\n)?(?:```(\w*)\n((?:.*\n)*?)```$|(    .*\n(?:    .*\n|\n(?=    ))*))", re.M)
    for match in pattern.finditer(text):
        name, language, fenced, indented = match.groups()
        body = fenced if fenced is not None else re.sub(r"(?m)^    ", "", indented)
        # Indented lines in a paragraph or a list belong to it.
        if body.strip() and (fenced is not None or text[: match.start()].endswith("\n\n") or name):
            yield Block(language or ("text" if fenced is not None else ""), name, body.strip("\n").splitlines())


class LeftOut:
    """Lines that are not run: expressions that a line begins with, each with its reason, as left_out.txt lists them."""

    def __init__(self):
        self.reasons, self.used = {}, set()
        for line in (HERE / "left_out.txt").read_text().splitlines():
            if line and not line.startswith("#"):
                expression, _, reason = line.partition(" :: ")
                self.reasons[re.compile(expression)] = reason.strip()

    def reason(self, line):
        """Returns why the line is not run; nothing where it is."""
        for expression, reason in self.reasons.items():
            if expression.match(line):
                self.used.add(expression)
                return reason
        return None

    def unused(self):
        return [expression.pattern for expression in self.reasons if expression not in self.used]


class Shown:
    """A command that a page shows, and the lines that it is said to print."""

    def __init__(self, command):
        self.command, self.printed = command, []


def commands_in(block):
    """Returns the commands of a block; where some begin with "$ ", lines between are what they print."""
    shown = []
    for line in block.lines:
        is_prompt = line.startswith("$ ")
        if is_prompt or not block.lines[0].startswith("$ "):
            shown.append(Shown(line.removeprefix("$ ")))
        else:
            shown[-1].printed.append(line)
    return [one for one in shown if one.command.strip()]


def unknown_in(page, left_out):
    """Yields a sentence for each block that is neither run nor left out."""
    for block in blocks_of(page):
        if block.is_command():
            for shown in commands_in(block):
                if left_out.reason(shown.command) is None and not COMMAND.fullmatch(shown.command):
                    yield f"{page} shows '{shown.command}' among commands, which is none that tests/documents/run.py knows"
        elif left_out.reason(block.lines[0]) is None and not block.name and block.language not in (*COMPILERS, "python"):
            yield f"{page} shows '{block.lines[0]}', which is neither a command nor a program: add a reason to tests/documents/left_out.txt"


class Reader:
    """Somebody who reads a page and types what it shows, in a folder of their own, with tutti installed where the guides install it."""

    def __init__(self, page, build, folder):
        self.page, self.build, self.folder, self.mistakes, self.exports = page, build, folder, [], []
        self.left_out = LeftOut()
        home = folder / "home"
        self.work = folder / "work"
        self.work.mkdir()
        (self.work / "examples").symlink_to(ROOT / "examples")
        subprocess.run(["cmake", "--install", build, "--prefix", home / "tutti"], check=True, stdout=subprocess.DEVNULL)
        tools = HERE / "tools"
        self.environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "TUTTI_CONFIG": "none", "TUTTI_PROFILE": "built-in",
                            "PATH": f"{home}/tutti/bin:{tools}:{os.environ['PATH']}", "PKG_CONFIG_PATH": f"{home}/tutti/lib/pkgconfig",
                            "LD_LIBRARY_PATH": f"{home}/tutti/lib", "PYTHONPATH": f"{build}/python"}
        self.environment.pop("TUTTI_RULES", None)
        for folder_of_user in (".config/fish/completions", ".local/share/bash-completion/completions", ".zsh/completions"):
            (home / folder_of_user).mkdir(parents=True)
        self.prepare()

    def prepare(self):
        """Makes the files that pages speak of as the reader's own."""
        shutil.copy(self.build / "examples" / "example_world", self.work / "program")
        shutil.copy(ROOT / "examples" / "programs" / "exchange.txt", self.work)
        for name, ranks in (("made.json", 2), ("mine.json", 16)):
            self.shell(f"tutti explain all-reduce --algorithm ring --ranks {ranks} -o {name}")
        self.shell("tutti exercise 4.9 --solution --json | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)[\"answer\"])' > tree.txt")

    def shell(self, command):
        """Runs a command as the page shows it; returns its status and what it has printed."""
        script = "set -o pipefail; " + "".join(f"{export}; " for export in self.exports) + command
        try:
            done = subprocess.run(["bash", "-c", script], cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return 124, f"it has not ended after {SECONDS} s"
        return done.returncode, done.stdout

    def type_commands(self, block):
        for shown in commands_in(block):
            if self.left_out.reason(shown.command):
                continue
            if found := re.fullmatch(r"cat (\S+)", shown.command):
                (self.work / found[1]).write_text("\n".join(shown.printed) + "\n")
                continue
            if shown.command.startswith("export "):
                self.exports.append(shown.command)
                continue
            status, out = self.shell(shown.command)
            allowed = (0, 1) if re.search(r"(^|[ |])tutti ", shown.command) else (0,)
            if status not in allowed:
                self.mistakes.append(f"{self.page}: '{shown.command}' ended with {status}:\n{out[-2000:]}")
            for line in shown.printed:
                if line.strip() not in out:
                    self.mistakes.append(f"{self.page}: '{shown.command}' does not print '{line}', but:\n{out[-2000:]}")

    def compile_fragment(self, block, number):
        """Compiles a fragment of a program between what the prelude of its language has before and behind it."""
        lines = [line for line in block.lines if line.strip() != "…"]
        before, _, behind = (HERE / "preludes" / f"fragment.{block.language}").read_text().partition("    // fragment\n")
        source = self.work / f"fragment{number}.{block.language}"
        source.write_text(before + "\n".join(lines) + "\n" + behind)
        done = subprocess.run([*COMPILERS[block.language], "-fsyntax-only", f"-I{ROOT}/include", source], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.mistakes.append(f"{self.page}: the fragment that begins with '{block.lines[0]}' does not compile:\n{done.stderr[:2000]}")

    def run_python(self, fragments):
        """Runs the fragments of Python on a page one after the other, as one program of one rank."""
        if not fragments:
            return
        text = "\n".join([(HERE / "preludes" / "fragment.py").read_text(), *("\n".join(block.lines) for block in fragments)])
        (self.work / "fragments.py").write_text(text + "\n")
        status, out = self.shell("/usr/bin/python3 fragments.py")
        if status != 0:
            self.mistakes.append(f"{self.page}: its fragments of Python ended with {status}:\n{out[-2000:]}")

    def read(self):
        """Does what the page shows, from its beginning to its end."""
        fragments = []
        for number, block in enumerate(blocks_of(self.page)):
            if block.name:
                (self.work / block.name).write_text("\n".join(block.lines) + "\n")
            elif block.is_command():
                self.type_commands(block)
            elif self.left_out.reason(block.lines[0]):
                continue
            elif block.language == "python":
                fragments.append(block)
            elif block.language in COMPILERS:
                self.compile_fragment(block, number)
        self.run_python(fragments)
        return self.mistakes


def check():
    left_out = LeftOut()
    mistakes = [mistake for page in PAGES for mistake in unknown_in(page, left_out)]
    return mistakes + [f"tests/documents/left_out.txt has {expression}, which no page shows" for expression in left_out.unused()]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("page", nargs="?")
    words.add_argument("--build", type=pathlib.Path)
    words.add_argument("--check", action="store_true")
    asked = words.parse_args()
    if asked.check:
        mistakes = check()
    elif asked.page and asked.build:
        with tempfile.TemporaryDirectory() as folder:
            mistakes = Reader(asked.page, asked.build.resolve(), pathlib.Path(folder)).read()
    else:
        words.error("a page and --build, or --check")
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
