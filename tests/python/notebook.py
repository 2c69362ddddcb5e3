"""Executes the cells of a notebook in their order, as Jupyter does: what the last line of a cell is, is shown.

usage: notebook.py FILE.ipynb
"""

import ast
import json
import sys


def shown(value):
    for name in ("_repr_html_", "_repr_svg_"):
        if hasattr(value, name):
            text = getattr(value, name)()
            return f"{name}: {len(text)} letters, {text[:4]}"
    return repr(value)


def execute(source, place, names):
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), place, "eval"), names)
        if value is not None:
            print(shown(value), flush=True)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            execute("".join(cell["source"]), f"cell {number}", names)
