"""Trace files whose slides are written as one leap, as by somebody who has only from and to."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_RUN = re.compile(r"\((-?\d+) (-?\d+) e\)((?: \(\1 \2 e\))+)")
_CAPTURE = re.compile(r"(?<=^[a-z]\d) \((-?\d+) (-?\d+) e\) \((-?\d+) (-?\d+) p\)$")


def leapt(turn: str, *, captures: bool = True) -> str:
    """A turn whose runs of equal steps are one leap; with `captures` the capture after them too."""

    def run(match: re.Match[str]) -> str:
        length = 1 + match[3].count("(")
        return f"({length * int(match[1])} {length * int(match[2])} e)"

    def capture(match: re.Match[str]) -> str:
        x, y, dx, dy = map(int, match.groups())
        straight = x * dy == y * dx and x * dx >= 0 and y * dy >= 0
        return f" ({x + dx} {y + dy} p)" if straight and captures else match[0]

    return _CAPTURE.sub(capture, _RUN.sub(run, turn))


def write_leaps(source: Path, target: Path, *, captures: bool = True) -> Path:
    """The file `source` with its slides as leaps."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: changed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [changed(item) for item in value]
        turn = isinstance(value, str) and " (" in value
        return leapt(value, captures=captures) if turn else value

    lines = [json.loads(line) for line in source.read_text().splitlines()]
    target.write_text("".join(json.dumps(changed(line)) + "\n" for line in lines))
    return target
