"""Ten ways to break the record of a game, for every notation, and what an importer should say.

A library that is not the importer's says that the broken game is not legal any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from random_records import Kind, Words


class Broken(NamedTuple):
    """A broken record, and the reasons with which it may be quarantined."""

    text: bytes
    reasons: frozenset[str]


Way = Callable[[Kind, Words, Random, int], Broken | None]
"""Breaks the game of some words, the index-th of its file; None where it can't be broken so."""
TRIES = 40


def _changed(change: Callable[[Words, int, Random], Words], *reasons: str) -> Way:
    """Moves changed somewhere, so that they are not legal any more."""

    def way(kind: Kind, words: Words, chance: Random, index: int) -> Broken | None:
        for _ in range(TRIES):
            at = chance.randrange(2, len(words) - 2)
            changed = change(list(words), at, chance)
            if changed != words and not kind.is_legal(changed):
                return Broken(kind.text(changed, index), frozenset(reasons))
        return None

    return way


def _left_out(words: Words, at: int, _: Random) -> Words:
    return words[:at] + words[at + 1 :]


def _swapped(words: Words, at: int, _: Random) -> Words:
    return [*words[:at], words[at + 1], words[at], *words[at + 2 :]]


def _doubled(words: Words, at: int, _: Random) -> Words:
    return [*words[: at + 1], *words[at:]]


def _of_elsewhere(words: Words, at: int, chance: Random) -> Words:
    words[at] = chance.choice(words)
    return words


def _begins_later(words: Words, at: int, _: Random) -> Words:
    return words[at:]


def _word(*texts: str, reasons: Sequence[str] = ("unreadable",)) -> Way:
    """A word in the place of a move."""

    def way(kind: Kind, words: Words, chance: Random, index: int) -> Broken:
        at = chance.randrange(2, len(words) - 2)
        changed = [*words[:at], chance.choice(texts), *words[at + 1 :]]
        return Broken(kind.text(changed, index), frozenset(reasons))

    return way


def _head(head: str, *reasons: str) -> Way:
    """Something among what comes before the moves."""

    def way(kind: Kind, words: Words, _: Random, index: int) -> Broken:
        return Broken(kind.text(words, index, head), frozenset(reasons))

    return way


def _nothing(kind: Kind, _: Words, __: Random, index: int) -> Broken:
    """A game without moves."""
    return Broken(kind.text([], index), frozenset({"no moves"}))


def _after_the_end(kind: Kind, words: Words, chance: Random, index: int) -> Broken | None:
    """A move after the last one."""
    text = kind.text([*words, chance.choice(words)], index)
    if text == kind.text(words, index) or not kind.is_over(words):
        return None
    return Broken(text, frozenset({"over"}))


MOVES: Mapping[str, Way] = {
    "a move left out": _changed(_left_out, "illegal", "over"),
    "two moves swapped": _changed(_swapped, "illegal", "ambiguous"),
    "a move doubled": _changed(_doubled, "illegal", "over", "ambiguous"),
    "a move of elsewhere": _changed(_of_elsewhere, "illegal", "over", "ambiguous"),
    "the beginning is missing": _changed(_begins_later, "illegal", "over", "ambiguous"),
    "no moves": _nothing,
}
"""Ways that every notation has."""
_PGN = {
    "after the end": _after_the_end,
    "no move": _word("hello", "Kz9", "e2-", "♞f3"),
    "an open comment": _word("{ not closed", "("),
    "a bad start": _head('[FEN "rnbq/8 w - - 0 1"]\n', "position"),
}
_KIFU = {
    "a move of a word": _word("hello", "7g7f7e", "7776XX", "７六歩"),
    "a cut move": _word("7", "+77", "７"),
}
_UCI = {
    "after the end": _after_the_end,
    "no move": _word("hello", "e2", "♞f3"),
    "a drop": _word("K@e4", reasons=["illegal"]),
    "a bad start": _head("fen rnbq/8 w - - 0 1", "position"),
}
OWN: Mapping[str, Mapping[str, Way]] = {
    "pgn, antichess": _PGN,
    "pgn, crazyhouse": {
        **_PGN,
        "after the end": _head(
            '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Q] w KQkq - 0 1"]\n', "position"
        ),
    },
    "pgn, chess": {
        **_PGN,
        "after the end": _head('[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"]\n', "position"),
    },
    "uci, atomic": _UCI,
    "uci, minishogi": _UCI,
    "usi": {
        **_KIFU,
        "a promoted drop": _word("P*5e+", reasons=["illegal", "unreadable"]),
        "a bad start": _head("sfen lnsgkgsnl/9/ppppppppp b - 1", "position"),
    },
    "csa": {
        **_KIFU,
        "the other side": _word("+0055FU", "-0055FU", reasons=["illegal"]),
        "a bad start": _head("P1-KY-KE\n+", "position"),
    },
    "kif": {
        "a move of a word": _word("hello", "７六歩"),
        "a cut move": _word("７", "７六歩("),
        "a board drawn": _head("手合割：その他\n|v香v桂v銀v金v玉v金v銀v桂v香|一", "position"),
        "a bad start": _head("手合割：百枚落ち", "position"),
    },
    "sgf, 9 x 9": {
        "no point": _word("5", "?!"),
        "outside": _word("zz", "kk", reasons=["illegal"]),
        "another size": _head("SZ[13]", "another game"),
        "a bad start": _head("AB[aa][aa]", "position"),
    },
    "wthor": {
        "after the end": _after_the_end,
        "no cell": _word("99", "90", "9", "200"),
        "a gap": _word("0"),
        "a middle cell": _word("44", "55", reasons=["illegal", "over"]),
    },
    "openspiel, breakthrough": {
        "after the end": _after_the_end,
        "no action": _word("hello", "e2;", reasons=["illegal", "unreadable"]),
        "no number of an action": _word("-1", "99999", reasons=["illegal"]),
        "words": _head("white: ", "illegal", "unreadable"),
        "no moves": _word("12a", reasons=["illegal"]),
    },
    "pdn, international": {
        "no move": _word("hello", "e2-e4"),
        "outside": _word("46-51", "77-88", reasons=["illegal"]),
        "an open comment": _word("{ not closed"),
        "a bad start": _head('[FEN "W:W31,32:B"]x\n', "position", "unreadable", "illegal"),
    },
}
"""By kind, what makes ten of the ways."""


def ways(kind: Kind) -> Mapping[str, Way]:
    """The ten ways of a kind."""
    return {**MOVES, **OWN[kind.name]}


def break_some(
    kind: Kind, games: Sequence[Words], share: float, seed: int = 1
) -> tuple[list[bytes], dict[int, tuple[str, Broken]]]:
    """The records of some games, of which a share is broken, in turn in all the ways.

    With the broken ones by their index: in which way, and what is expected.
    """
    chance = Random(f"break {seed}")
    all_ways = ways(kind)
    number = max(len(all_ways), round(share * len(games)))
    order = list(range(len(games)))
    chance.shuffle(order)
    broken: dict[int, tuple[str, Broken]] = {}
    for turn in range(number):
        name = list(all_ways)[turn % len(all_ways)]
        for index in order:
            if index in broken:
                continue
            found = all_ways[name](kind, games[index], chance, index)
            if found is not None:
                broken[index] = name, found
                break
    records = [
        broken[index][1].text if index in broken else kind.text(words, index)
        for index, words in enumerate(games)
    ]
    return records, broken
