"""How Sphinx makes the site that ``make docs`` builds: the pages, and a reference from docstrings.

A name in `backticks` in a docstring links to what it names. One that names nothing, and a type in a
signature that is nowhere, are warnings, and ``make docs`` fails at any warning.
"""

from __future__ import annotations

import importlib
import json
import re
from functools import cache, reduce
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import grl

project = "grl"
version = release = grl.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

# Pages link to files beside them and above them: the source is the repository as a whole.
root_doc = "docs/index"
source_suffix = {".rst": "restructuredtext", ".md": "markdown", ".ipynb": "markdown"}
include_patterns = ["docs/**", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "traces/README.md"]
# Folders without pages, some of them large, are not walked.
exclude_patterns = [".*", "build", "site", "grl", "games", "tests", "benchmarks", "docs/images"]
myst_heading_anchors = 4
nitpicky = True

html_theme = "alabaster"
html_theme_options = {"page_width": "75rem", "sidebar_width": "15rem", "fixed_sidebar": True}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_copy_source = html_show_copyright = False

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_preserve_defaults = True
add_module_names = False
maximum_signature_line_length = 88
python_use_unqualified_type_names = True
default_role = "py:obj"

_SPAN = re.compile(r"(?<![`:\w])`([^`\n]+)`(?!`)")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
_OF_CODE = re.compile(r".*[A-Z._]")
"""Any other name in backticks is that of a parameter."""


def _linked(
    _app: Sphinx, _what: str, _name: str, obj: object, _opts: object, lines: list[str]
) -> None:
    """Names in a docstring are those of its own module, wherever the reference shows it."""
    module = getattr(obj, "__module__", None) or getattr(obj, "__name__", None)
    inner = getattr(obj, "__qualname__", None)
    scopes = [f"{module}.{inner}"] * bool(inner) + [module] * bool(module) + ["grl.errors"]

    def spelled(match: re.Match[str]) -> str:
        text = match[1]
        if not _NAME.fullmatch(text) or not _OF_CODE.match(text):
            return f"``{text}``"
        for scope in scopes:
            full = f"{scope}.{text.removesuffix('()')}"
            if _named(full) is not None:
                return f":py:obj:`{text} <{full}>`"
        return f":py:obj:`{text}`" if "." in text or text[0].isupper() else f"``{text}``"

    lines[:] = [_SPAN.sub(spelled, line) for line in lines]


@cache
def _named(name: str) -> tuple[Any] | None:
    """What the dotted `name` names, in a tuple; None where it names nothing."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:cut]))
            return (reduce(getattr, parts[cut:], module),)
        except (ImportError, AttributeError, ValueError):
            continue
    return None


def _elsewhere(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.TextElement
) -> nodes.Node | None:
    """A link to where an object stands under another name, or just `text` if it stands nowhere."""
    if node["refdomain"] != "py":
        return None
    scopes = [node.get("py:module"), "builtins", None]
    names = [f"{scope}.{node['reftarget']}" if scope else node["reftarget"] for scope in scopes]
    found = next(filter(None, map(_named, names)), None)
    if found is None:
        return None
    if callable(found[0]):
        for name, entry in env.domains.python_domain.objects.items():
            thing = _named(name)
            if thing is not None and thing[0] is found[0]:
                docname, place = entry.docname, entry.node_id
                return make_refnode(app.builder, node["refdoc"], docname, place, text)
    return text


def _skipped(_app: Sphinx, _what: str, _name: str, obj: object, *_: object) -> bool | None:
    """Fields of named tuples stand in the signature; Python's own words on them say nothing."""
    return True if str(obj.__doc__).startswith("Alias for field number") else None


def _readable(*event: Any) -> tuple[str | None, str | None]:
    """The arguments and the result of a signature, a made default as dots."""
    *_, arguments, result = event
    return arguments and arguments.replace("<factory>", "..."), result


def _notebook(_app: Sphinx, docname: str, source: list[str]) -> None:
    """A notebook as a page: its texts, its code, what it printed and showed."""
    if not docname.startswith("docs/notebooks/"):
        return
    blocks = []
    for cell in json.loads(source[0])["cells"]:
        text = "".join(cell["source"])
        blocks.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                blocks.append(f"```{{raw}} html\n{''.join(data['image/svg+xml'])}\n```")
            else:
                shown = "".join(output.get("text") or data["text/plain"]).rstrip()
                blocks.append(f"```text\n{shown}\n```")
    source[0] = "\n\n".join(blocks) + "\n"


def setup(app: Sphinx) -> None:
    """What Sphinx calls."""
    app.connect("source-read", _notebook)
    app.connect("autodoc-process-docstring", _linked)
    app.connect("autodoc-process-signature", _readable)
    app.connect("autodoc-skip-member", _skipped)
    app.connect("missing-reference", _elsewhere)
