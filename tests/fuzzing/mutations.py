"""Broken and strange files: bytes, words, lines, JSON trees and values of files that were sound.

Every function takes the bytes of a file and a random generator, and gives other bytes. Equal
generators give equal bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Mutation = Callable[[bytes, Random], bytes]

NUMBERS = ("0", "-1", "1", "2", "7", "255", "2147483648", "9223372036854775808", "1" + "0" * 30)
ODD_NUMBERS = (*NUMBERS, "-0", "1e400", "-1e400", "NaN", "1.5", "0x10", "٣", "9" * 5000)
CONTROLS = ("\0", "\x1b[31m", "\r", "\n", "\t", "\x7f", "\x85", "\u2028", "\u202e", "\ufeff")
WORDS = ("", "é", "王", "𝕏", "a" * 1000, "#", ".", "(", "%", "null", "__class__", "../x", *CONTROLS)
NESTED = (50, 900, 5_000, 100_000)
_TOKENS = re.compile(r"\w+|\s+|.", re.DOTALL)
_SQUARE = re.compile(r"\b[a-z]{1,2}[0-9]{1,2}\b")
_NUMBER = re.compile(r"(?<![\w.])-?[0-9]+\b")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def mutate(content: bytes, rng: Random, *, tree: bool) -> bytes:
    """`content` with one thing wrong, or a few; `tree` where it is JSON or lines of it."""
    kinds: list[tuple[Mutation, ...]] = [BYTES, TOKENS, VALUES]
    if tree:
        kinds += [TREES, TREES, VALUES]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        content = rng.choice(rng.choice(kinds))(content, rng)
    return content


# Bytes.


def _span(content: bytes, rng: Random) -> tuple[int, int]:
    begin = rng.randrange(len(content) + 1)
    return begin, min(len(content), begin + rng.choice((1, 2, 8, 64, 1024)))


def flip(content: bytes, rng: Random) -> bytes:
    """Bits of a few bytes turned over."""
    found = bytearray(content)
    for _ in range(rng.choice((1, 1, 3, 20)) if found else 0):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def cut(content: bytes, rng: Random) -> bytes:
    """Without what comes after some byte."""
    return content[: rng.randrange(len(content) + 1)]


def drop(content: bytes, rng: Random) -> bytes:
    """Without a part."""
    begin, end = _span(content, rng)
    return content[:begin] + content[end:]


def duplicate(content: bytes, rng: Random) -> bytes:
    """A part several times."""
    begin, end = _span(content, rng)
    return content[:end] + content[begin:end] * rng.choice((1, 3, 200)) + content[end:]


def insert(content: bytes, rng: Random) -> bytes:
    """Something odd put in."""
    odd = (rng.randbytes(rng.choice((1, 4, 50))), rng.choice(CONTROLS).encode(), b"\xff\xfe")
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(odd) + content[at:]


def marked(content: bytes, _: Random) -> bytes:
    """With a byte order mark."""
    return b"\xef\xbb\xbf" + content


def recoded(content: bytes, rng: Random) -> bytes:
    """In another encoding, or with other ends of lines."""
    text = content.decode("utf-8", "replace")
    kind = rng.choice(("utf-16", "utf-32", "latin-1", "dos", "mac", "none"))
    if kind == "dos":
        return content.replace(b"\n", b"\r\n")
    if kind == "mac":
        return content.replace(b"\n", b"\r")
    if kind == "none":
        return content.replace(b"\n", b"")
    return (text + "é").encode(kind, "replace")


def emptied(_: bytes, rng: Random) -> bytes:
    """Nothing, or next to nothing."""
    return rng.choice((b"", b"\n", b" ", b"\0", b"{}", b"[]", b"\n\n\n"))


BYTES: tuple[Mutation, ...] = (
    *(flip, cut, drop, duplicate, insert, flip, cut, drop, duplicate, insert),
    *(marked, recoded, emptied),
)

# Words and lines.


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _words(content: bytes) -> list[str]:
    return _TOKENS.findall(_text(content)) or [""]


def token_swapped(content: bytes, rng: Random) -> bytes:
    """Two words in one another's place."""
    words = _words(content)
    a, b = rng.randrange(len(words)), rng.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return _bytes("".join(words))


def token_dropped(content: bytes, rng: Random) -> bytes:
    """Without a word."""
    words = _words(content)
    del words[rng.randrange(len(words))]
    return _bytes("".join(words))


def token_repeated(content: bytes, rng: Random) -> bytes:
    """A word again and again."""
    words = _words(content)
    words[rng.randrange(len(words))] *= rng.choice((2, 2, 3, 100, 100_000))
    return _bytes("".join(words))


def token_odd(content: bytes, rng: Random) -> bytes:
    """Something odd in a word's place."""
    words = _words(content)
    words[rng.randrange(len(words))] = rng.choice(rng.choice((WORDS, ODD_NUMBERS)))
    return _bytes("".join(words))


def nested(content: bytes, rng: Random) -> bytes:
    """Brackets, deep, in a word's place or around it."""
    words = _words(content)
    at = rng.randrange(len(words))
    one, other = rng.choice((("(", ")"), ("[", "]"), ("{", "}"), ("f(", ")"), ("-", ""), ("{", "")))
    depth = rng.choice(NESTED)
    words[at] = one * depth + words[at] + other * depth
    return _bytes("".join(words))


def _lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True) or [b""]


def line_dropped(content: bytes, rng: Random) -> bytes:
    """Without a line."""
    lines = _lines(content)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def line_repeated(content: bytes, rng: Random) -> bytes:
    """A line several times."""
    lines = _lines(content)
    lines[rng.randrange(len(lines))] *= rng.choice((2, 2, 20))
    return b"".join(lines)


def lines_swapped(content: bytes, rng: Random) -> bytes:
    """Two lines in one another's place."""
    lines = _lines(content)
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def long_line(content: bytes, rng: Random) -> bytes:
    """A line of a million characters."""
    lines = _lines(content)
    at = rng.randrange(len(lines))
    lines[at] = lines[at].rstrip(b"\n") + rng.choice((b" ", b"a", b"(", b"1 ")) * 1_000_000 + b"\n"
    return b"".join(lines)


TOKENS: tuple[Mutation, ...] = (
    *(token_swapped, token_dropped, token_repeated, token_odd, nested),
    *(line_dropped, line_repeated, lines_swapped, long_line),
)

# Values of the same kind.


def _replaced(
    pattern: re.Pattern[str], content: bytes, rng: Random, new: Callable[[], str]
) -> bytes:
    text = _text(content)
    found = list(pattern.finditer(text))
    if not found:
        return flip(content, rng)
    one = rng.choice(found)
    return _bytes(text[: one.start()] + new() + text[one.end() :])


def number_changed(content: bytes, rng: Random) -> bytes:
    """A number to another one."""
    own = _NUMBER.findall(_text(content))[:5000]
    return _replaced(_NUMBER, content, rng, lambda: rng.choice((*NUMBERS, *NUMBERS, *own[:20])))


def word_changed(content: bytes, rng: Random) -> bytes:
    """A name to another name of the same file."""
    own = _WORD.findall(_text(content))[:5000] or ["x"]
    return _replaced(_WORD, content, rng, lambda: rng.choice(own))


def square_changed(content: bytes, rng: Random) -> bytes:
    """A square to another square."""
    own = _SQUARE.findall(_text(content))[:5000] or ["a1"]
    odd = ("a0", "z99", "zz1")
    return _replaced(_SQUARE, content, rng, lambda: rng.choice((*own[:50], *odd)))


def word_changed_throughout(content: bytes, rng: Random) -> bytes:
    """A name to another name of the file, or an odd one, wherever it stands."""
    text = _text(content)
    own = sorted(set(_WORD.findall(text[:100_000]))) or ["x"]
    old, new = rng.choice(own), rng.choice((*own, *WORDS))
    return _bytes(re.sub(rf"\b{re.escape(old)}\b", lambda _: new, text))


VALUES: tuple[Mutation, ...] = (
    *(number_changed, word_changed, square_changed, word_changed_throughout),
)

# JSON trees.


class _Object(list[tuple[str, Any]]):
    """An object as pairs, so that a key may come twice."""


class _Raw(str):
    """JSON as it is to be written."""

    __slots__ = ()


def _written(value: Any) -> str:
    if isinstance(value, _Raw):
        return str(value)
    if isinstance(value, _Object):
        return "{" + ", ".join(f"{json.dumps(k)}: {_written(v)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value)


Spot = tuple[Any, int]
"""A container of a tree and the number of an item in it."""


def _spots(tree: Any) -> Iterator[Spot]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            for i, item in enumerate(node):
                yield node, i
                stack.append(item[1] if isinstance(node, _Object) else item)


def _get(spot: Spot) -> Any:
    node, i = spot
    return node[i][1] if isinstance(node, _Object) else node[i]


def _put(spot: Spot, value: Any) -> None:
    node, i = spot
    node[i] = (node[i][0], value) if isinstance(node, _Object) else value


def _odd_value(rng: Random) -> Any:
    depth = rng.choice(NESTED)
    return rng.choice(
        (
            *(
                None,
                True,
                False,
                0,
                -1,
                1.5,
                "",
                "é",
                "\0",
                "a" * 1000,
                2**63,
                [],
                {},
                [[]],
                [None],
            ),
            *map(_Raw, ODD_NUMBERS[:-2]),
            _Raw("[" * depth + "]" * depth),
            _Raw('{"a":' * depth + "1" + "}" * depth),
            _Raw("[" + "0," * 100_000 + "0]"),
            _Raw('"' + "x" * 1_000_000 + '"'),
            _Raw("9" * 5000),
        )
    )


def _key_dropped(spot: Spot, _: list[Spot], __: Random) -> None:
    del spot[0][spot[1]]


def _key_renamed(spot: Spot, all_spots: list[Spot], rng: Random) -> None:
    node, i = spot
    if isinstance(node, _Object):
        keys = [n[j][0] for n, j in all_spots if isinstance(n, _Object)]
        node[i] = (rng.choice((*keys, *WORDS)), node[i][1])
    else:
        node[i] = _odd_value(rng)


def _again(spot: Spot, _: list[Spot], rng: Random) -> None:
    node, i = spot
    node[i:i] = [node[i]] * rng.choice((1, 1, 3, 300))


def _other_key(spot: Spot, _: list[Spot], rng: Random) -> None:
    """A key twice, with another value the second time."""
    node, i = spot
    if isinstance(node, _Object):
        node.append((node[i][0], _odd_value(rng)))
    else:
        node.append(_odd_value(rng))


def _odd(spot: Spot, _: list[Spot], rng: Random) -> None:
    _put(spot, _odd_value(rng))


def _swapped(spot: Spot, all_spots: list[Spot], rng: Random) -> None:
    other = rng.choice(all_spots)
    one, two = _Raw(_written(_get(spot))), _Raw(_written(_get(other)))
    _put(spot, two)
    _put(other, one)


def _copied(spot: Spot, all_spots: list[Spot], rng: Random) -> None:
    _put(spot, _Raw(_written(_get(rng.choice(all_spots)))))


def _like(spot: Spot, all_spots: list[Spot], rng: Random) -> None:
    """A value to another of its kind: from the same file, or odd."""
    kind = type(_get(spot))
    others = [v for v in map(_get, all_spots) if type(v) is kind]
    if kind is int:
        _put(spot, _Raw(rng.choice((*NUMBERS, *map(str, others)))))
    elif kind is str and rng.random() < 0.2:
        _put(spot, rng.choice(WORDS))
    else:
        _put(spot, _Raw(_written(rng.choice(others))))


def _rows(spot: Spot, all_spots: list[Spot], rng: Random) -> None:
    """A character of a text to another one: in rows, a piece to another piece."""
    texts = [s for s in all_spots if isinstance(_get(s), str) and _get(s)]
    if not texts:
        _odd(spot, all_spots, rng)
        return
    chosen = rng.choice(texts)
    text = list(_get(chosen))
    text[rng.randrange(len(text))] = rng.choice((*_get(rng.choice(texts)), ".", "#"))
    _put(chosen, "".join(text))


_CHANGES = (_key_dropped, _key_renamed, _again, _other_key, _odd, _swapped, _copied, _like, _rows)


def tree_changed(content: bytes, rng: Random) -> bytes:
    """A change of the tree of a JSON file, or of a line of one; the first line more often."""
    for lines in ([content], _lines(content)):
        at = rng.choice((0, rng.randrange(len(lines))))
        try:
            tree = json.loads(lines[at], object_pairs_hook=_Object)
        except (ValueError, RecursionError):
            continue
        # Rare kinds of parts get their share: by depth first, then within.
        spots = list(_spots(tree))
        if not spots:
            return token_odd(content, rng)
        near = spots[: max(1, len(spots) // 50)]
        spot = rng.choice(rng.choice((spots, spots, near)))
        rng.choice(_CHANGES)(spot, spots, rng)
        try:
            text = _written(tree)
        except RecursionError:
            continue
        lines[at] = text.encode("utf-8", "surrogatepass") + b"\n"
        return b"".join(lines)
    return token_odd(content, rng)


def line_wrapped(content: bytes, rng: Random) -> bytes:
    """The whole of it in a list, or only a scalar."""
    return rng.choice((b"[" + content.strip() + b"]\n", b"null\n", b"3\n", b'"x"\n'))


TREES: tuple[Mutation, ...] = (*(tree_changed,) * 8, line_wrapped)
