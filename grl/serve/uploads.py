"""Files that came from outside, and games recorded here: kept as they are, and bounded."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grl.errors import GrlError
from grl.outputs import write_whole
from grl.serve.refusals import Refused
from grl.traces import Traces

MOST_BYTES = 64 << 20
"""Of one file."""
MOST_FILES = 200
MOST_NAME = 100
KINDS = {
    ".jsonl": "traces",
    ".jsonl.gz": "traces",
    ".jsonl.zst": "traces",
    ".acf": "acf",
    ".csa": "csa",
    ".kif": "kif",
    ".kifu": "kif",
    ".pdn": "pdn",
    ".pgn": "pgn",
    ".sgf": "sgf",
    ".spiel": "openspiel",
    ".txt": "coordinates",
    ".uci": "uci",
    ".usi": "usi",
    ".wtb": "wthor",
    ".las": "las",
    ".lp": "strategy",
    ".grl.json": "model",
}
"""What a file is, by the end of its name: a notation of `grl.importers.formats`, or one of ours."""


class Upload(msgspec.Struct):
    """A file that was uploaded: its id, its name as it came, its kind and size in bytes."""

    id: str
    name: str
    kind: str
    size: int
    game: str = ""
    recorded: bool = False
    lent: str = ""
    """Where a file lies that is the user's own, and stays as it is."""


class Uploads:
    """The files in a folder, each with a line about it beside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._lines: dict[str, Upload] = {}
        for path in sorted(folder.glob("*.about"), key=lambda each: each.stat().st_mtime):
            try:
                line = msgspec.json.decode(path.read_bytes(), type=Upload)
            except (OSError, msgspec.MsgspecError):
                continue
            if self.path(line).exists():
                self._lines[line.id] = line

    def list(self) -> list[Upload]:
        """The files, the last one first."""
        with self._lock:
            return list(self._lines.values())[::-1]

    def get(self, key: str) -> Upload:
        """The file of an id; raises `Refused` where there is none."""
        found = self._lines.get(key)
        if found is None:
            raise Refused(404, f"there is no upload {key!r}")
        return found

    def path(self, line: Upload) -> Path:
        """Where a file lies: under its id, with the ending that says what it is."""
        return Path(line.lent) if line.lent else self.folder / f"{line.id}{ending(line.name)}"

    def add(self, name: str, content: bytes) -> Upload:
        """Keep a file; raises `Refused` for one of no known kind, `GrlError` for a broken one."""
        shown = plain_name(name)
        kind = KINDS.get(ending(shown))
        if kind is None:
            raise Refused(415, f"not a known kind of file: {shown!r}; expected {', '.join(KINDS)}")
        if not content:
            raise Refused(422, f"the file {shown!r} is empty")
        line = Upload(secrets.token_hex(6), shown, kind, len(content))
        path = self.path(line)
        write_whole(path, content)
        try:
            if kind == "traces":
                line.game = Traces.open(path).header.game
        except GrlError as error:
            path.unlink(missing_ok=True)
            raise error.at(file=shown) from None
        self._keep(line)
        return line

    def strategy(self, key: str) -> Path | None:
        """The file of a strategy, None where there is none of that id."""
        found = self._lines.get(key)
        return self.path(found) if found is not None and found.kind == "strategy" else None

    def lend(self, path: Path, game: str) -> None:
        """Let a trace file of the user's own be learned from."""
        key = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
        size = path.stat().st_size
        name = plain_name(path.name)
        self._lines[key] = Upload(key, name, "traces", size, game, lent=str(path.resolve()))

    def recorded(self, model: str, game: str) -> Upload:
        """The file to which games of a model are recorded; it may not exist yet."""
        line = self._lines.get(f"rec-{model}")
        return line or Upload(f"rec-{model}", f"played-{model}.jsonl", "traces", 0, game, True)

    def grown(self, line: Upload) -> None:
        """Note that a file has been written to."""
        line.size = self.path(line).stat().st_size
        self._keep(line)

    def traces(self) -> Iterator[Traces]:
        """The trace files."""
        for line in self.list():
            if line.kind == "traces":
                yield Traces.open(self.path(line))

    def _keep(self, line: Upload) -> None:
        write_whole(self.folder / f"{line.id}.about", msgspec.json.encode(line))
        with self._lock:
            self._lines.pop(line.id, None)
            self._lines[line.id] = line
            own = [key for key, each in self._lines.items() if not each.lent]
            for key in own[: max(0, len(own) - MOST_FILES)]:
                oldest = self._lines.pop(key)
                self.path(oldest).unlink(missing_ok=True)
                (self.folder / f"{oldest.id}.about").unlink(missing_ok=True)


def ending(name: str) -> str:
    """The end of a name that says what a file is; empty where it says nothing."""
    return next((end for end in sorted(KINDS, key=len, reverse=True) if name.endswith(end)), "")


def plain_name(name: str) -> str:
    """The last part of a file's name, without what can't be shown."""
    shown = re.split(r"[/\\]", name)[-1]
    return "".join(c if c.isprintable() else "?" for c in shown)[-MOST_NAME:].lower() or "file"
