"""Games that libraries play at random, in the notations that they write themselves.

Each notation is a `Kind`: games as words, and how a game is written. A library other than the
importer's own code says where a game stops being legal, so that games can be broken on purpose.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from random import Random
from typing import Any, ClassVar

Words = list[str]


class Kind(ABC):
    """A notation and a game: `form` and `wishes` are what the importer is asked."""

    name: ClassVar[str]
    form: ClassVar[str]
    wishes: ClassVar[Mapping[str, Any]] = {}
    ending: ClassVar[str] = ".txt"
    most: ClassVar[int] = 60
    """Games break off after so many moves."""
    number: ClassVar[int] = 1_000_000
    """So many games at most, where the library takes long for one."""

    @abstractmethod
    def begin(self) -> Any:
        """The library's initial position."""

    @abstractmethod
    def legal(self, state: Any) -> Sequence[str]:
        """The words of the legal moves, in a fixed order; none when the game is over."""

    @abstractmethod
    def play(self, state: Any, word: str) -> Any:
        """The position after one of them."""

    @abstractmethod
    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:
        """A game as it stands in a file; `head` is put among what comes before the moves."""

    def file(self, records: Sequence[bytes]) -> bytes:
        """A whole file."""
        return b"".join(records)

    def line(self, records: Sequence[bytes], index: int) -> int:
        """The line where a game begins."""
        return b"".join(records[:index]).count(b"\n") + 1

    def game(self, chance: Random) -> Words:
        """A random game."""
        state, words = self.begin(), list[str]()
        while len(words) < self.most and (legal := self.legal(state)):
            words.append(chance.choice(legal))
            state = self.play(state, words[-1])
        return words

    def games(self, number: int, seed: int = 1) -> list[Words]:
        """So many random games; the first ones are the same for any number."""
        return [self.game(Random(f"{seed} {index}")) for index in range(number)]

    def is_legal(self, words: Sequence[str]) -> bool:
        """Whether all words are legal moves, one after another."""
        state = self.begin()
        for word in words:
            if word not in self.legal(state):
                return False
            state = self.play(state, word)
        return True

    def is_over(self, words: Sequence[str]) -> bool:
        """Whether the game is over after these legal moves."""
        state = self.begin()
        for word in words:
            state = self.play(state, word)
        return not self.legal(state)


def numbered(words: Sequence[str]) -> str:
    """Moves with their numbers, two to each."""
    return " ".join(f"{i // 2 + 1}. {word}" if i % 2 == 0 else word for i, word in enumerate(words))


class Pgn(Kind):
    """A chess variant in short notation, by the package chess."""

    name = "pgn, antichess"
    form = "pgn"
    ending = ".pgn"
    most = 80
    variant: ClassVar[str] = "Antichess"

    def begin(self) -> Any:
        return import_module("chess.variant").find_variant(self.variant)()

    def legal(self, state: Any) -> Sequence[str]:
        if state.is_variant_end():
            return []
        return [state.san(move) for move in state.legal_moves]

    def play(self, state: Any, word: str) -> Any:
        after = state.copy(stack=False)
        after.push_san(word)
        return after

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:
        tags = f'[Event "{index}"]\n[Variant "{self.variant}"]\n{head}'
        return f"{tags}\n{numbered(words)} *\n\n".encode()

    def game(self, chance: Random) -> Words:
        state, words = self.begin(), list[str]()
        while len(words) < self.most and not state.is_variant_end():
            moves = list(state.legal_moves)
            if not moves:
                break
            move = chance.choice(moves)
            words.append(state.san(move))
            state.push(move)
        return words


class Chess(Pgn):
    """Chess itself."""

    name = "pgn, chess"
    variant = "Standard"
    wishes: ClassVar[Mapping[str, Any]] = {"variant": "Standard"}


class Crazyhouse(Pgn):
    """A variant with drops."""

    name = "pgn, crazyhouse"
    variant = "Crazyhouse"


class Uci(Pgn):
    """A variant in coordinates, played by the package chess and imported by pyffish."""

    name = "uci, atomic"
    form = "uci"
    ending = ".txt"
    most = 30
    variant = "Atomic"
    wishes: ClassVar[Mapping[str, Any]] = {"variant": "atomic"}

    def legal(self, state: Any) -> Sequence[str]:
        if state.is_variant_end():
            return []
        return [move.uci() for move in state.legal_moves]

    def play(self, state: Any, word: str) -> Any:
        after = state.copy(stack=False)
        after.push_uci(word)
        return after

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:  # noqa: ARG002
        return f"{head or 'startpos'} moves {' '.join(words)}\n".encode()

    def game(self, chance: Random) -> Words:
        return Kind.game(self, chance)


class Minishogi(Uci):
    """A shogi on 5 x 5, by pyffish alone; a state is the moves so far."""

    name = "uci, minishogi"
    most = 120
    wishes: ClassVar[Mapping[str, Any]] = {"variant": "minishogi"}

    @cached_property
    def package(self) -> Any:
        return import_module("pyffish")

    def begin(self) -> Any:
        self.start = self.package.start_fen("minishogi")
        return ()

    def legal(self, state: Any) -> Sequence[str]:
        game = ("minishogi", self.start, list(state))
        if (
            self.package.is_optional_game_end(*game)[0]
            or self.package.is_immediate_game_end(*game)[0]
        ):
            return []
        return sorted(self.package.legal_moves(*game))

    def play(self, state: Any, word: str) -> Any:
        return (*state, word)


class Usi(Kind):
    """Shogi by cshogi, as engines are told."""

    name = "usi"
    form = "usi"
    ending = ".usi"
    most = 100

    @cached_property
    def package(self) -> Any:
        return import_module("cshogi")

    def begin(self) -> Any:
        return self.package.Board().sfen()

    def named(self, move: int) -> str:
        """A move as a word."""
        found: str = self.package.move_to_usi(move)
        return found

    def _moves(self, sfen: str) -> dict[str, int]:
        board = self.package.Board(sfen)
        return {self.named(move): move for move in board.legal_moves}

    def legal(self, state: Any) -> Sequence[str]:
        return list(self._moves(state))

    def play(self, state: Any, word: str) -> Any:
        board = self.package.Board(state)
        board.push(self._moves(state)[word])
        return board.sfen()

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:  # noqa: ARG002
        return f"position {head or 'startpos'} moves {' '.join(words)}\n".encode()


class Csa(Usi):
    """… as servers keep it."""

    name = "csa"
    form = "csa"
    ending = ".csa"

    def named(self, move: int) -> str:
        found: str = self.package.move_to_csa(move)
        return found

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:
        signs = (word if word[:1] in "+-" else "+-"[i % 2] + word for i, word in enumerate(words))
        lines = [f"{word},T{i % 60}" for i, word in enumerate(signs)]
        first = ["'a game", "V2.2", f"N+{index}", *(head or "PI\n+").splitlines()]
        return "\n".join([*first, *lines, "%TORYO", "/", ""]).encode()


class Kif(Usi):
    """… as people write it in Japan."""

    name = "kif"
    form = "kif"
    ending = ".kif"

    @cached_property
    def package(self) -> Any:
        import_module("cshogi.KIF")
        return import_module("cshogi")

    def named(self, move: int) -> str:
        found: str = self.package.KIF.move_to_kif(move)
        return found

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:
        lines = [head or "手合割：平手", f"先手：{index}", "手数----指手---------消費時間--"]
        last = ""
        for i, word in enumerate(words):
            # A square that was taken to last is called the same one.
            short = f"同　{word[2:]}" if last and word[:2] == last else word
            lines += [f"{i + 1:>4} {short}   ( 0:01/00:00:0{i % 10})", "*a comment"]
            last = word[:2]
        return "\n".join([*lines, f"{len(words) + 1:>4} 投了", ""]).encode("cp932", "replace")


class Sgf(Kind):
    """Stones on 9 x 9 by sgfmill; no board occurs again in a game, and none can't breathe."""

    name = "sgf, 9 x 9"
    form = "sgf"
    ending = ".sgf"
    most = 100
    size: ClassVar[int] = 9

    def begin(self) -> Any:
        board = import_module("sgfmill.boards").Board(self.size)
        return board, "b", frozenset({str(board.board)})

    def _after(self, state: Any, row: int, column: int) -> Any:
        board, colour, met = state
        if board.get(row, column) is not None:
            return None
        after = board.copy()
        after.play(row, column, colour)
        if after.get(row, column) is None or str(after.board) in met:
            return None
        return after, "bw"[colour == "b"], met | {str(after.board)}

    def legal(self, state: Any) -> Sequence[str]:
        points = ((row, column) for row in range(self.size) for column in range(self.size))
        return [_point(self.size, *p) for p in points if self._after(state, *p) is not None]

    def play(self, state: Any, word: str) -> Any:
        return self._after(
            state, self.size - 1 - (ord(word[1]) - ord("a")), ord(word[0]) - ord("a")
        )

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:
        root = head if "SZ[" in head else f"SZ[{self.size}]{head}"
        nodes = "".join(f";{'BW'[i % 2]}[{word}]" for i, word in enumerate(words))
        return f"(;FF[4]GM[1]{root}KM[6.5]PB[{index}]\n{nodes})\n".encode()

    def game(self, chance: Random) -> Words:
        state, words = self.begin(), list[str]()
        while len(words) < self.most:
            points = [(r, c) for r in range(self.size) for c in range(self.size)]
            chance.shuffle(points)
            found = next((p for p in points if self._after(state, *p) is not None), None)
            if found is None:
                break
            words.append(_point(self.size, *found))
            state = self._after(state, *found)
        return words


def _point(size: int, row: int, column: int) -> str:
    return chr(ord("a") + column) + chr(ord("a") + size - 1 - row)


class Wthor(Kind):
    """Discs by OpenSpiel, in a file written from the public description of the format."""

    name = "wthor"
    form = "wthor"
    ending = ".wtb"

    def begin(self) -> Any:
        return import_module("pyspiel").load_game("othello").new_initial_state()

    def legal(self, state: Any) -> Sequence[str]:
        while not state.is_terminal():
            words = [state.action_to_string(action) for action in state.legal_actions()]
            if words != ["pass"]:
                return words
            state = state.child(state.legal_actions()[0])
        return []

    def play(self, state: Any, word: str) -> Any:
        names = {state.action_to_string(action): action for action in state.legal_actions()}
        if list(names) == ["pass"]:
            return self.play(state.child(names["pass"]), word)
        return state.child(names[word])

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:  # noqa: ARG002
        """A word that isn't a square is the number of a cell itself."""
        cells = [
            10 * int(word[1]) + "abcdefgh".index(word[0]) + 1 if word[0].isalpha() else int(word)
            for word in words
        ][:60]
        numbers = struct.pack("<hhh", 1, 2, index % 1000) + bytes([32, 32])
        return numbers + bytes(cells + [0] * (60 - len(cells)))

    def file(self, records: Sequence[bytes]) -> bytes:
        head = (
            bytes([20, 24, 11, 3]) + struct.pack("<i", len(records)) + struct.pack("<hh", 0, 2024)
        )
        return head + bytes([8, 0, 0, 0]) + b"".join(records)

    def line(self, records: Sequence[bytes], index: int) -> int:  # noqa: ARG002
        return index + 1


class Spiel(Kind):
    """Recorded actions of a game of OpenSpiel."""

    name = "openspiel, breakthrough"
    form = "openspiel"
    game_name: ClassVar[str] = "breakthrough"
    wishes: ClassVar[Mapping[str, Any]] = {"game": "breakthrough"}
    most = 100

    def begin(self) -> Any:
        return import_module("pyspiel").load_game(self.game_name).new_initial_state()

    def legal(self, state: Any) -> Sequence[str]:
        return [str(action) for action in state.legal_actions()]

    def play(self, state: Any, word: str) -> Any:
        return state.child(int(word))

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:  # noqa: ARG002
        return f"{head}{' '.join(words)}\n".encode()


class Pdn(Kind):
    """International draughts, played by pydraughts; it is no extra and has to be installed."""

    name = "pdn, international"
    form = "pdn"
    ending = ".pdn"
    number = 40

    def begin(self) -> Any:
        return import_module("draughts").Board(variant="standard", fen="startpos")

    def legal(self, state: Any) -> Sequence[str]:
        return [move.pdn_move for move in state.legal_moves()]

    def play(self, state: Any, word: str) -> Any:
        after = import_module("draughts").Board(variant="standard", fen=state.fen)
        after.push(next(m for m in after.legal_moves() if m.pdn_move == word))
        return after

    def game(self, chance: Random) -> Words:
        board, words = self.begin(), list[str]()
        while len(words) < self.most and (moves := board.legal_moves()):
            move = chance.choice(moves)
            words.append(move.pdn_move)
            board.push(move)
        return words

    def text(self, words: Sequence[str], index: int = 0, head: str = "") -> bytes:
        tags = f'[Event "{index}"]\n[GameType "20"]\n{head}'
        return f"{tags}\n{numbered(words)} *\n\n".encode()


KINDS: tuple[type[Kind], ...] = (
    Pgn,
    Crazyhouse,
    Chess,
    Uci,
    Minishogi,
    Usi,
    Csa,
    Kif,
    Sgf,
    Wthor,
    Spiel,
    Pdn,
)
