"""Running Graphviz: the ``dot`` program, else the library inside the pygraphviz package.

pygraphviz's wheels bundle the Graphviz libraries with the plugins for svg, png and pdf, so
pictures need no installed program.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec

from grl.errors import MissingExtra

ADVICE = "install the Graphviz programs, or: pip install 'grl[render]'"
_SECONDS = 300

Engine = Callable[[str, str, str], bytes]
"""From dot text, the layout and the format to a picture; raises `EngineFailure`."""


class EngineFailure(Exception):
    """Why one engine couldn't draw; the next one is tried."""


def available() -> tuple[Engine, ...]:
    """The engines of this machine, the preferred one first."""
    engines: list[Engine] = []
    program = shutil.which("dot")
    if program is not None:
        engines.append(partial(_with_program, program))
    if _library_there():
        engines.append(_with_library)
    return tuple(engines)


def draw(engines: Sequence[Engine], text: str, layout: str, file_format: str) -> bytes:
    """The picture from the first engine that can make it.

    Raises `MissingExtra`, with the reason of the last engine, when none can.
    """
    reason = "no Graphviz"
    for engine in engines:
        try:
            return engine(text, layout, file_format)
        except EngineFailure as failure:
            reason = str(failure)
    raise MissingExtra(
        f"the Graphviz on this machine can't write {file_format} files", found=reason, hint=ADVICE
    )


def _library_there() -> bool:
    try:
        return find_spec("pygraphviz") is not None
    except (ImportError, ValueError):
        return False


def _with_program(program: str, text: str, layout: str, file_format: str) -> bytes:
    command = [program, f"-K{layout}", f"-T{file_format}"]
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineFailure(str(error)) from None
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode(errors="replace").strip()
        raise EngineFailure(said.split("\n")[0] or f"{program} gave status {done.returncode}")
    return done.stdout


def _with_library(text: str, layout: str, file_format: str) -> bytes:
    try:
        import pygraphviz
    except ImportError as error:
        raise EngineFailure(f"pygraphviz can't be imported: {error}") from None
    graph = pygraphviz.AGraph(string=text)
    try:
        picture = graph.draw(format=file_format, prog=layout)
    except (ValueError, OSError) as error:
        raise EngineFailure(str(error)) from None
    finally:
        graph.close()
    if not isinstance(picture, bytes) or not picture:
        raise EngineFailure(f"pygraphviz gave no {file_format}")
    return picture
