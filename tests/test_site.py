"""The site is built from the repository, and no link or name in it leads nowhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MADE = "docs/gallery/index"
"""Pages that `make docs` makes before the site."""


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the site needs the extra docs")
    builder = ["sphinx", "--quiet", "--builder", "dummy", "--conf-dir", "docs"]
    # Pages are read and their links resolved, which is what warns; they are written by `make docs`.
    # Pages of source code have no links of ours, defaults and quotation marks none either.
    for setting in (
        "extensions=myst_parser,sphinx.ext.autodoc",
        "autodoc_preserve_defaults=0",
        "smartquotes=0",
    ):
        builder += ["--define", setting]
    folders = ["--doctree-dir", str(tmp_path / "doctrees"), ".", str(tmp_path / "site")]
    command = [sys.executable, "-m", *builder, *folders]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    warnings = [line for line in done.stderr.splitlines() if line.strip() and MADE not in line]
    assert done.returncode == 0, done.stderr[-2_000:]
    assert warnings == []
    for page in ("docs/index.doctree", "docs/notebooks", "docs/reference"):
        assert (tmp_path / "doctrees" / page).exists(), page
