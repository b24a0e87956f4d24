"""Shogi as people and programs write it: USI, CSA and KIF, of which the package cshogi knows the
moves and the rules.

The package reads whole files too, but passes over what it can't read. So files are taken apart
here, line by line, and of what looks like a move it is asked which one it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from grl.errors import Place
from grl.importers.differences import Shown, Way
from grl.importers.placements import Alphabet, shown_sfen
from grl.importers.records import RecordError
from grl.importers.referee import Referee, library, misfit
from grl.importers.refereed import Read, Written, read_moves
from grl.traceio import Lines

_PLAYERS = ("black", "white")
_TYPES = {
    "K": "king",
    "R": "rook",
    "B": "bishop",
    "G": "gold",
    "S": "silver",
    "N": "knight",
    "L": "lance",
    "P": "pawn",
}
_MOST = {"K": 1, "R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}
_SIZE = 9
_SFEN = re.compile(r"[1-9a-zA-Z+/]+ [bw] (?:-|(?:[0-9]*[a-zA-Z])+)(?: [0-9]+)?")
_USI = re.compile(r"(?:[PLNSGBR]\*|[1-9][a-i])[1-9][a-i]\+?")
_PIECES: Final[Mapping[str, str]] = {
    "FU": "P",
    "KY": "L",
    "KE": "N",
    "GI": "S",
    "KI": "G",
    "KA": "B",
    "HI": "R",
    "OU": "K",
    "TO": "+P",
    "NY": "+L",
    "NK": "+N",
    "NG": "+S",
    "UM": "+B",
    "RY": "+R",
}
_CSA = re.compile(rf"[+-][0-9]{{4}}(?:{'|'.join(_PIECES)})")
_KIF = re.compile(r"\s*(?P<number>[0-9]+)\s+(?P<move>\S.*?)\s*(?:\(\s*[0-9]+:.*)?")
_SQUARE = re.compile(r"[１-９][一二三四五六七八九]")
_ENDS = re.compile("中断|投了|持将棋|千日手|詰み|切れ負け|反則|入玉勝ち|不戦|不詰|封じ手|まで|勝ち")
_HEADS = ("手合割", "開始日時", "先手", "下手", "棋戦")
_EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"


class Moment(NamedTuple):
    """A position as a SFEN, and where the last move ended, which KIF calls the same square."""

    sfen: str
    last: int | None = None


class Kifu(Referee[Moment]):
    """The game as the package plays it; records are in one `notation`: usi, csa or kif.

    Moves are written as in USI. Who can't move has lost; repetitions and points end nothing.
    Raises `MissingExtra` without the package.
    """

    name = "shogi"
    players = _PLAYERS
    stock: Mapping[str, Sequence[str]] = {"black": "BGLNPRS", "white": "bglnprs"}

    def __init__(self, notation: str) -> None:
        self.notation = notation
        self._package = library("cshogi", "shogi")
        self._kif = library("cshogi.KIF", "shogi", "cshogi")
        self._board = self._package.Board()
        self._alphabet = Alphabet.of(_TYPES)
        self.types = self._alphabet.types(_TYPES)
        self._legal = lru_cache(1 << 12)(self._ask)

    def start(self, setup: str | None) -> Moment:
        if setup is None:
            return Moment(f"{_EVEN} b - 1")
        handicaps: dict[str, str | None] = self._kif.Parser.HANDYCAP_SFENS
        sfen = handicaps.get(setup, setup)
        # The package ends the program over a SFEN that it can't read.
        if sfen is None or not _is_position(sfen):
            raise RecordError("position", found=setup, expected="a position of shogi as SFEN")
        return Moment(sfen if len(sfen.split()) == 4 else f"{sfen} 1")

    def shown(self, state: Moment) -> Shown:
        return shown_sfen(self._alphabet, state.sfen, _PLAYERS)

    def moves(self, state: Moment) -> Sequence[str]:
        return tuple(self._legal(state.sfen))

    def find(self, state: Moment, text: str) -> str:
        legal = self._legal(state.sfen)
        found = {"usi": self._find_usi, "csa": self._find_csa, "kif": self._find_kif}
        move = found[self.notation](state, text)
        if move not in legal:
            raise misfit(list(legal), text)
        return move

    def after(self, state: Moment, move: str) -> Moment:
        self._board.set_sfen(state.sfen)
        number = self._legal(state.sfen)[move]
        self._board.push(number)
        return Moment(self._board.sfen(), self._package.move_to(number))

    def goals(self, state: Moment) -> Mapping[str, int] | None:
        if self._legal(state.sfen):
            return None
        loser = self.shown(state).mover
        return {player: 100 * (player != loser) for player in _PLAYERS}

    def way(self, move: str) -> Way | None:
        start = None if move[1] == "*" else _square(move[:2])
        return Way(start, _square(move[2:4]))

    def _ask(self, sfen: str) -> dict[str, int]:
        """The legal moves by their names."""
        self._board.set_sfen(sfen)
        name = self._package.move_to_usi
        return {name(number): number for number in self._board.legal_moves}

    def _find_usi(self, state: Moment, text: str) -> str:  # noqa: ARG002
        if _USI.fullmatch(text) is None:
            raise RecordError(
                "unreadable", found=repr(text), expected="a move such as 7g7f, 8h2b+ or P*5e"
            )
        return text

    def _find_csa(self, state: Moment, text: str) -> str:
        mover = "+-"[state.sfen.split()[1] != "b"]
        name = self._package.move_to_csa
        for move, number in self._legal(state.sfen).items():
            if text == mover + name(number):
                return move
        return text

    def _find_kif(self, state: Moment, text: str) -> str:
        words = text
        if text.startswith("同") and state.last is not None:
            words = self._kif.KIFU_TO_SQUARE_NAMES[state.last] + text[1:].lstrip(" \u3000")
        self._board.set_sfen(state.sfen)
        # Not to promote is what is written where nothing is said of it, too.
        try:
            number, *_ = self._kif.Parser.parse_move_str(
                f"1 {words.replace('不成', '')}", self._board
            )
        except (ValueError, IndexError):
            number = None
        if number is None:
            raise RecordError("unreadable", found=repr(text), expected="a move such as ７六歩(77)")
        for move, other in self._legal(state.sfen).items():
            if other == number:
                return move
        return text


def _square(name: str) -> int:
    """The index of a square of USI, such as ``7g``: files from the right, ranks from the top."""
    return (ord("i") - ord(name[1])) * _SIZE + _SIZE - int(name[0])


def _is_position(sfen: str) -> bool:
    """Whether the package can read a SFEN: the board is full, and there are no pieces too many."""
    if _SFEN.fullmatch(sfen) is None:
        return False
    placement, _, hands, *_ = sfen.split()
    rows = [re.sub(r"\+(?=[PLNSBRplnsbr])", "", row) for row in placement.split("/")]
    wide = [sum(int(c) if c.isdigit() else 1 for c in row) for row in rows]
    pieces = Counter(c.upper() for c in "".join(rows) if c.isalpha())
    if wide != [_SIZE] * _SIZE or "+" in "".join(rows):
        return False
    if placement.count("K") != 1 or placement.count("k") != 1:
        return False
    for number, key in re.findall(r"([0-9]*)([a-zA-Z])", hands):
        pieces[key.upper()] += int(number or 1) + (100 if key in "Kk" else 0)
    return all(
        number <= _MOST.get(key, 0) * (2 if key == "K" else 1) for key, number in pieces.items()
    )


def read_csa(lines: Lines) -> Iterator[Written]:
    """The games of a file, a line with ``/`` between them."""
    game = _Game()
    for raw in lines:
        text = _japanese(raw)
        if text.strip() not in ("", "/"):
            game.begin = game.begin or lines.number
        for part in text.split(",") if text[:1] not in "'N$" else ():
            word = part.strip()
            if word == "/":
                yield from game.end()
                game = _Game()
            elif word and word[0] not in "VT'":
                game.read_csa(word, lines.number)
    yield from game.end()


def read_kif(lines: Lines) -> Iterator[Written]:
    """The games of a file, each of which begins with its heads or with move 1."""
    game = _Game()
    for raw in lines:
        text = _japanese(raw)
        key, colon, value = text.partition("：")
        if key.startswith("変化"):
            game.over = True
        elif colon:
            if key in game.heads or (game.moves and key in _HEADS):
                yield from game.end()
                game = _Game()
            game.begin = game.begin or lines.number
            game.heads.add(key)
            if key == "手合割":
                game.setup = value.strip(" \u3000")
        elif text[:1] in ("|", "+"):
            game.spoil(lines.number, text, "position", "a handicap, not a drawn board")
        elif text.strip() and text[0] not in "*#&" and not text.startswith("手数"):
            match = _KIF.fullmatch(text)
            if match is not None and match["number"] == "1" and game.moves and not game.over:
                yield from game.end()
                game = _Game()
            if not game.over:
                game.read_kif(text, match, lines.number)
    yield from game.end()


READERS: Final[Mapping[str, Read]] = {"usi": read_moves, "csa": read_csa, "kif": read_kif}


class _Game:
    """The game being read."""

    def __init__(self) -> None:
        self.begin = 0
        self.moves: list[tuple[str, int]] = []
        self.setup: str | None = None
        self.flaw: RecordError | None = None
        self.over = False
        self.heads: set[str] = set()
        self._placed: list[str] = []

    def end(self) -> Iterator[Written]:
        """The game, if there is one."""
        if self.begin:
            setup = None if self.setup == "平手" else self.setup
            yield Written(self.begin, self.moves, setup, self.flaw)

    def spoil(self, line: int, text: str, reason: Any, expected: str) -> None:
        """Reading stops here."""
        self.begin = self.begin or line
        if self.flaw is None:
            place = Place(line=line, ply=len(self.moves) + 1)
            self.flaw = RecordError(reason, place=place, found=repr(text[:40]), expected=expected)

    def read_csa(self, word: str, line: int) -> None:
        if self.flaw is not None or self.over:
            return
        if word[0] == "%":
            self.over = True
        elif word[0] == "P" and not self.moves:
            self._placed.append(word)
        elif word in ("+", "-"):
            setup = _placement(self._placed)
            if setup is None:
                self.spoil(line, self._placed[0], "position", "PI, or nine ranks P1 to P9")
            elif setup != (_EVEN, "-") or word != "+":
                self.setup = f"{setup[0]} {'bw'[word == '-']} {setup[1]} 1"
        elif _CSA.fullmatch(word):
            self.moves.append((word, line))
        else:
            self.spoil(line, word, "unreadable", "a move such as +7776FU")

    def read_kif(self, text: str, match: re.Match[str] | None, line: int) -> None:
        self.begin = self.begin or line
        if _ENDS.search(text):
            self.over = True
        elif self.flaw is not None:
            return
        elif match is None:
            self.spoil(line, text.strip(), "unreadable", "a move such as 1 ７六歩(77)")
        else:
            self.moves.append((match["move"], line))


def _placement(words: Iterable[str]) -> tuple[str, str] | None:
    """Board and hands as SFEN from the lines of a position; None where they can't be read."""
    rows: dict[int, list[str]] = {}
    hands: Counter[str] = Counter()
    for word in words:
        if word.startswith("PI"):
            rows = {rank: _spread(row) for rank, row in enumerate(_EVEN.split("/"), 1)}
            for file, rank, piece in re.findall(r"([1-9])([1-9])([A-Z]{2})", word[2:]):
                plain = rows[int(rank)][_SIZE - int(file)].upper()
                if plain != _PIECES.get(piece):
                    return None
                rows[int(rank)][_SIZE - int(file)] = ""
        elif word[1:2] in "123456789" and len(word) >= 2 + 3 * _SIZE:
            cells = [word[2 + 3 * i : 5 + 3 * i] for i in range(_SIZE)]
            rows[int(word[1])] = [_key(cell[0], cell[1:]) for cell in cells]
        elif word[1:2] in "+-" and rows:
            for square, piece in re.findall(r"([0-9]{2})([A-Z]{2})", word[2:]):
                if square == "00":
                    hands[_key(word[1], piece)] += 1
                else:
                    rows[int(square[1])][_SIZE - int(square[0])] = _key(word[1], piece)
        else:
            return None
    if sorted(rows) != list(range(1, _SIZE + 1)):
        return (_EVEN, "-") if not rows else None
    board = "/".join(_packed(rows[rank]) for rank in sorted(rows))
    return board, "".join(f"{n}{key}" for key, n in sorted(hands.items()) if key) or "-"


def _key(sign: str, piece: str) -> str:
    key = _PIECES.get(piece, "")
    return key.lower() if sign == "-" else key


def _spread(row: str) -> list[str]:
    return [key.strip() for key in re.sub("[0-9]", lambda n: " " * int(n[0]), row)]


def _packed(cells: Iterable[str]) -> str:
    return re.sub("1+", lambda run: str(len(run[0])), "".join(cell or "1" for cell in cells))


def _japanese(raw: bytes) -> str:
    """A line as text, in UTF-8 or, as old files are, in Shift JIS."""
    try:
        return raw.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        return raw.decode("cp932", "replace").rstrip("\r\n")
