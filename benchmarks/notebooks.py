"""The notebooks of the tutorial, executed without Jupyter: ``python benchmarks/notebooks.py``.

The cells of a notebook run in this process, one after the other, in a folder where the shipped
traces lie; what they print and show is written into the notebook. A test runs them too, and holds
what comes out to what stands there.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = tuple(sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")))


def executed(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """A notebook with the outputs of its cells as they are now; raises what a cell raises."""
    names: dict[str, Any] = {"__name__": "__main__"}
    number, cells = 0, []
    with _among_traces():
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                cells.append(cell)
                continue
            number += 1
            outputs = list(_outputs("".join(cell["source"]), names, number))
            cells.append({**cell, "execution_count": number, "outputs": outputs})
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """What a cell prints, then what its last expression shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value, printed = None, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        yield {"name": "stdout", "output_type": "stream", "text": text}
    if value is None:
        return
    data: dict[str, list[str]] = {"text/plain": repr(value).splitlines(keepends=True)}
    picture = getattr(value, "_repr_svg_", lambda: None)()
    if picture is not None:
        data["image/svg+xml"] = [picture]
    yield {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}


@contextlib.contextmanager
def _among_traces() -> Iterator[None]:
    """A folder of its own, in which the shipped traces lie."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "traces").symlink_to(ROOT / "traces")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def text_of(notebook: Mapping[str, Any]) -> str:
    """The file of a notebook."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Execute all notebooks and write their outputs into them."""
    for path in NOTEBOOKS:
        path.write_text(text_of(executed(json.loads(path.read_text("utf-8")))), "utf-8")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
