"""Where the squares are in the texts that a library prints of its positions.

A text holds a board if some lines below one another are equally long, apart from the numbers of
ranks before and behind them and from empty lines between them. Else lines with numbers before them
may be shifted against one another by half a square, as hexagons are printed: files then go along
slanted lines. Where lines are drawn between points, they are what links them. What stands on
squares is found by looking at many texts: a character is content of squares if it has stood where
something else stood at another time, and squares are all places with such characters in lines and
columns where something has changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple, Self

from grl.board import EMPTY, HOLE, file_name
from grl.errors import GrlError

_USUAL = ".", "-", "+", "_"
"""Signs of empty squares, in the order of trust."""
_NUMBERS = (-1, True), (1, True), (-1, False), (1, False), (0, False)
_MARKS = str.maketrans("[]", "  ")
"""Signs around the last move, where squares have places between them."""
_FEW = 60
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_SUBSTITUTES = {"#": "x", "@": "A", "(": "C", ")": "D", ";": "I", " ": "_"}
"""For characters that are no keys of pieces."""


class Block(NamedTuple):
    """Which lines hold the board, and whether ranks are numbered: downwards, upwards (1, -1) or
    not at all (0), before them and perhaps behind. Where lines are `shifted` they stay where they
    are printed, else they begin with their first square."""

    first: int
    ranks: int
    numbered: int
    behind: bool
    shifted: bool = False


class Layout(NamedTuple):
    """Where squares are within the block: for each rank its line, and in which columns the squares
    of its files stand, None where there is none."""

    block: Block
    ranks: tuple[tuple[int, tuple[int | None, ...]], ...]
    substitutes: dict[int, str]
    links: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """The layout of some texts; raises `GrlError` where no board can be seen in them."""
        few = texts[:: -(-len(texts) // _FEW)]
        for shifted in (False, True):
            block = max(
                _blocks(texts, shifted=shifted),
                key=lambda block: len(_changed(_all_boards(block, few))),
                default=None,
            )
            boards = [] if block is None else _all_boards(block, texts)
            changed = _changed(boards)
            if changed:
                break
        if block is None or not changed:
            raise GrlError(
                "no board can be seen in what the library prints",
                expected="lines of equal length, a character for each square",
                found=repr(texts[0][:60]) if texts else "nothing",
            )
        signs = {board[y][x] for board in boards for y, x in changed}
        lines, columns = {y for y, _ in changed}, {x for _, x in changed}
        squares = {
            (y, x) for board in boards for y in lines for x in columns if board[y][x] in signs
        }
        counts = Counter(board[y][x] for board in boards for y, x in squares)
        usual = [sign for sign in _USUAL if counts[sign]]
        empty = "." if counts["."] else max(usual or counts, key=lambda sign: counts[sign])
        keys = {sign for sign in counts if sign != empty}
        ranks = _ranks(squares, slanted=block.shifted)
        return cls(
            block, ranks, {**_substitutes(keys), ord(empty): EMPTY}, _links(boards[0], ranks)
        )

    def rows_of(self, text: str) -> tuple[str, ...]:
        """The board of a text, from the highest rank down; raises `GrlError`."""
        board = _board(self.block, text)
        if board is None:
            raise GrlError("a text without the board of the others", found=repr(text[:60]))
        rows = []
        for y, columns in self.ranks:
            line = board[y].translate(self.substitutes)
            rows.append("".join([HOLE if x is None else line[x] for x in columns]))
        return tuple(rows)


def _ranks(
    squares: set[tuple[int, int]], *, slanted: bool
) -> tuple[tuple[int, tuple[int | None, ...]], ...]:
    """The lines with the columns of their squares, file by file.

    Where lines are shifted by half a square against one another, files are `slanted`, in the
    direction in which there are fewer of them.
    """
    files = {(y, x): x for y, x in squares}
    if slanted and len({(x + y) % 2 for y, x in squares}) == 1:
        slants = [{(y, x): (x + way * y) // 2 for y, x in squares} for way in (-1, 1)]
        files = min(slants, key=lambda slant: max(slant.values()) - min(slant.values()))
    at = {(y, file): x for (y, x), file in files.items()}
    known = sorted(set(files.values()))
    return tuple(
        (y, tuple(at.get((y, file)) for file in known)) for y in sorted({y for y, _ in squares})
    )


def _links(
    board: Sequence[str], ranks: Sequence[tuple[int, Sequence[int | None]]]
) -> tuple[tuple[str, str], ...]:
    """The squares, by name, between which lines are drawn; none unless there are holes and every
    square has such a line."""
    names = {
        (y, x): f"{file_name(file)}{len(ranks) - at}"
        for at, (y, columns) in enumerate(ranks)
        for file, x in enumerate(columns, 1)
        if x is not None
    }
    found = []
    for (y, x), name in names.items():
        right = next((to for to in range(x + 1, len(board[y])) if (y, to) in names), x)
        down = next((to for to in range(y + 1, len(board)) if (to, x) in names), y)
        if set(board[y][x + 1 : right]) == {"-"}:
            found.append((name, names[y, right]))
        if {board[line][x] for line in range(y + 1, down)} == {"|"}:
            found.append((name, names[down, x]))
    holes = len(names) < sum(len(columns) for _, columns in ranks)
    return tuple(sorted(found)) if holes and len({*chain(*found)}) == len(names) else ()


def _substitutes(keys: set[str]) -> dict[int, str]:
    """Keys for the characters that can't be keys of pieces; dots are empty squares elsewhere."""
    found: dict[int, str] = {}
    free = [c for c in "xABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in keys]
    for sign in sorted(keys):
        if sign in _SUBSTITUTES or sign == EMPTY:
            wanted = _SUBSTITUTES.get(sign, "x")
            found[ord(sign)] = wanted if wanted in free else free[0]
            free.remove(found[ord(sign)])
    return found


def _lines(text: str) -> list[str]:
    return [line for line in _COLOURS.sub("", text).split("\n") if line.strip()]


def _blocks(texts: Sequence[str], *, shifted: bool) -> Iterator[Block]:
    """The blocks of lines of the first text that may hold the board."""
    lines = _lines(texts[0]) if texts else []
    ways = _NUMBERS[:-1] if shifted else _NUMBERS
    for first, (numbered, behind) in product(range(len(lines)), ways):
        for ranks in range(len(lines) - first, 1, -1):
            block = Block(first, ranks, numbered, behind, shifted)
            if _board(block, texts[0]) is not None:
                yield block
                break


def _board(block: Block, text: str) -> list[str] | None:
    """The lines of the block without the numbers; None where they don't fit."""
    lines = _lines(text)[block.first : block.first + block.ranks]
    if len(lines) < block.ranks:
        return None
    found = []
    for index, line in enumerate(lines):
        number = str(index + 1 if block.numbered > 0 else block.ranks - index)
        rest = _unnumbered(block, line, number) if block.numbered else line
        if rest is None:
            return None
        found.append(rest.translate(_MARKS).rstrip() if block.shifted else rest.strip())
    if block.shifted:
        width = max(map(len, found))
        found = [line.ljust(width) for line in found]
    if len(set(map(len, found))) != 1 or len(found[0]) < 2:
        return None
    return found


def _unnumbered(block: Block, line: str, number: str) -> str | None:
    """A line with spaces for the number of its rank; None where it hasn't this number."""
    head = len(line) - len(line.lstrip())
    tail = len(line.rstrip())
    if not line.startswith(number, head):
        return None
    line = line[:head] + " " * len(number) + line[head + len(number) :]
    if not block.behind:
        return line
    if not line.rstrip().endswith(number):
        return None
    return line[: tail - len(number)]


def _all_boards(block: Block, texts: Sequence[str]) -> list[list[str]]:
    """The board of every text; none where one of them lacks it."""
    boards = [_board(block, text) for text in texts]
    same = {len(board[0]) if board else 0 for board in boards}
    return [board for board in boards if board] if len(same) == 1 and 0 not in same else []


def _changed(boards: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """The places that don't hold the same in all boards."""
    first = boards[0] if boards else []
    return {
        (y, x)
        for board in boards
        for y, row in enumerate(board)
        if row != first[y]
        for x, sign in enumerate(row)
        if sign != first[y][x]
    }
