"""The notebooks of the tutorial do what they show."""

from __future__ import annotations

import json
from pathlib import Path

import notebooks
import pytest

PAGES = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_its_cells_do(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert sum(cell["cell_type"] == "code" for cell in notebook["cells"]) >= 4
    assert notebooks.text_of(notebooks.executed(notebook)) == text, "run: make notebooks"


def test_there_are_five_notebooks_and_the_site_lists_them() -> None:
    listed = (PAGES / "index.md").read_text(encoding="utf-8").split()
    assert len(notebooks.NOTEBOOKS) == 5
    for path in notebooks.NOTEBOOKS:
        assert path.relative_to(PAGES).with_suffix("").as_posix() in listed


def test_a_cell_that_does_otherwise_is_noticed() -> None:
    cell = {"cell_type": "code", "source": ["print(1)\n", "1 + 1"], "outputs": []}
    (done,) = notebooks.executed({"cells": [cell]})["cells"]
    printed, shown = done["outputs"]
    assert printed["text"] == ["1\n"]
    assert shown["data"] == {"text/plain": ["2"]}
    with pytest.raises(ZeroDivisionError):
        notebooks.executed({"cells": [{**cell, "source": ["1 / 0"]}]})
