"""Portable Game Notation: tags in brackets, then numbered moves and a result; only taken apart.

Comments, side variations, move numbers, marks such as ``!`` and ``$5`` and results are read and
left out. A game begins with its tags, or after the result of the one before, so that what can't be
read spoils one game and not the file. One game is in memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grl.errors import Place
from grl.importers.records import RecordError, decoded
from grl.traceio import Lines

_TAG = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_DIRTY_TAG = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s+"(.*?)"?\s*\]?\s*')
_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | ;.* | \$[0-9]+ | [!?]+ )
  | (?P<comment> \{ )
  | (?P<open> \( )
  | (?P<close> \) )
  | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | 1/2 | ½-½ | \* ) (?![\w/-]) )
  | (?P<number> [0-9]+\.+ | [0-9]+(?=[\s(){};]|$) | \.+ | … )
  | (?P<mark> (?: e\.?p\.? | [+\#=±∓⩲⩱∞] | [-+=/]{2,3} ) (?=[\s(){};]|$) (?<!--) )
  | (?P<move> [^\s(){};!?$]+ )
    """,
    re.VERBOSE,
)


@dataclass(slots=True)
class PgnGame:
    """One game of a file, which begins at `line`: its tags, and its moves with their lines.

    `flaw` says why reading stopped; `moves` are those before it.
    """

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    flaw: RecordError | None = None
    begun: bool = False
    """There is more than tags."""


def read_pgn(lines: Lines) -> Iterator[PgnGame]:
    """The games of the file, those with flaws too."""
    reader = _Reader()
    for raw in lines:
        yield from reader.read(decoded(raw), lines.number)
    yield from reader.end("the file")


class _Reader:
    """The game being read, and what is open in it: a comment, and how many variations."""

    def __init__(self) -> None:
        self._game: PgnGame | None = None
        self._comment = False
        self._depth = 0

    def read(self, text: str, line: int) -> Iterator[PgnGame]:
        """The games that are over with this line."""
        if text.startswith("%") and not self._comment:
            return
        at, found = 0, _TAG.match(text) or _DIRTY_TAG.fullmatch(text)
        game = self._game
        if found is not None and game is not None and (game.begun or found[1] in game.tags):
            yield from self.end("the next game")
        while found is not None:
            self._open(line).tags[found[1]] = found[2]
            at = found.end()
            found = _TAG.match(text, at)
        while at < len(text):
            if self._comment:
                closed = text.find("}", at)
                if closed < 0:
                    return
                self._comment, at = False, closed + 1
                continue
            token = _TOKEN.match(text, at)
            kind = "" if token is None or token.lastgroup is None else token.lastgroup
            at = at + 1 if token is None else token.end()
            if kind == "space":
                continue
            game = self._open(line)
            game.begun = True
            if kind == "comment":
                self._comment = True
            elif kind in ("open", "close"):
                self._depth += 1 if kind == "open" else -1
            if kind == "result" and self._depth <= 0:
                yield from self.end("the game")
            elif token is None or self._depth < 0:
                self._depth = max(self._depth, 0)
                self._spoil(game, line, repr(text[at - 1 : at + 19]), "a move such as Nf3")
            elif kind == "move" and not self._depth and game.flaw is None:
                game.moves.append((token["move"], line))

    def end(self, what: str) -> Iterator[PgnGame]:
        """The game, if one is open, is over; `what` comes next."""
        game = self._game
        if game is not None:
            if self._comment or self._depth:
                closing = "}" if self._comment else ")"
                self._spoil(game, game.line, f"no '{closing}' before {what}", f"'{closing}'")
            yield game
        self._game, self._comment, self._depth = None, False, 0

    def _open(self, line: int) -> PgnGame:
        if self._game is None:
            self._game = PgnGame(line)
        return self._game

    def _spoil(self, game: PgnGame, line: int, found: str, expected: str) -> None:
        if game.flaw is None:
            place = Place(line=line, ply=len(game.moves) + 1)
            game.flaw = RecordError("unreadable", place=place, found=found, expected=expected)
