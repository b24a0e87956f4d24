"""A whole model as a folder of pictures, one for each automaton and machine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from grl.errors import GrlError, Place
from grl.model import Model
from grl.outputs import write_whole
from grl.progress import Progress, silent
from grl.render import engines
from grl.render.dot import DotText, dot_of_dfa, dot_of_machine

Format = Literal["svg", "png", "pdf", "dot"]


@dataclass(frozen=True, slots=True)
class Rendered:
    """The files written, in the model's order; `note` is a sentence when they aren't pictures."""

    paths: tuple[Path, ...]
    note: str | None = None


def render_model(
    model: Model,
    folder: str | os.PathLike[str],
    format: Format = "svg",
    progress: Progress | None = None,
    *,
    inputs: Sequence[str | os.PathLike[str]] = (),
) -> Rendered:
    """Draw every automaton and machine of `model` into `folder`, which is made if need be.

    Where there is no Graphviz, dot files (``.gv``) are written instead and the result's note says
    so. Raises `MissingExtra` when the Graphviz here can't write `format`, and `GrlError` for an
    unknown format, a folder that can't be written, or a picture in the place of one of `inputs`.
    """
    if format not in get_args(Format):
        raise GrlError(
            "unknown format of pictures",
            found=repr(format),
            expected=f"one of {', '.join(get_args(Format))}",
        )
    drawn = format != "dot" and bool(engines.available())
    return draw_texts(
        tuple(dot_texts(model, routed=drawn)), folder, format, progress, inputs=inputs
    )


def draw_texts(
    texts: Sequence[DotText],
    folder: str | os.PathLike[str],
    format: Format = "svg",
    progress: Progress | None = None,
    *,
    inputs: Sequence[str | os.PathLike[str]] = (),
) -> Rendered:
    """Draw some dot texts into `folder`; what `render_model` does with those of a model."""
    report = progress if progress is not None else silent
    found = engines.available() if format != "dot" else ()
    target = Path(folder)
    count = len(texts)
    paths: list[Path] = []
    report("render", 0, count)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for drawn in texts:
            if found and drawn.drawable:
                content = engines.draw(found, drawn.text, drawn.layout, format)
                path = target / f"{drawn.stem}.{format}"
            else:
                content = drawn.text.encode()
                path = target / f"{drawn.stem}.gv"
            write_whole(path, content, inputs=inputs)
            paths.append(path)
            report("render", len(paths), count)
    except OSError as error:
        raise GrlError(
            f"pictures can't be written: {error.strerror or error}", place=Place(file=str(target))
        ) from None
    note = None
    large = sum(not drawn.drawable for drawn in texts) if found else 0
    if large:
        note = f"{large} of {count} have too many arrows for a picture; .gv files hold them."
    if format != "dot" and not found:
        note = f"No Graphviz was found, so .gv files were written instead of {format}; "
        note += f"to get pictures, {engines.ADVICE}."
    return Rendered(tuple(paths), note)


def dot_texts(model: Model, *, routed: bool = True) -> Iterator[DotText]:
    """The dot texts of all automata and then all machines, with file names that are unique.

    Without `routed` the ways of arrows are left to whatever reads the text, and nothing is slow.
    """
    taken: set[str] = set()
    equipment = model.equipment
    for dfa in model.automata:
        yield _named(dot_of_dfa(dfa, equipment, routed=routed), taken)
    for machine in model.machines:
        yield _named(dot_of_machine(machine, equipment), taken)


def named_apart(drawn: Iterable[DotText]) -> Iterator[DotText]:
    """The same dot texts with file names that are unique."""
    taken: set[str] = set()
    for text in drawn:
        yield _named(text, taken)


def _named(drawn: DotText, taken: set[str]) -> DotText:
    """`drawn` under a name that isn't taken, not even on file systems that ignore case."""
    stem, number = drawn.stem, 1
    while stem.casefold() in taken:
        number += 1
        stem = f"{drawn.stem}-{number}"
    taken.add(stem.casefold())
    return replace(drawn, stem=stem)
