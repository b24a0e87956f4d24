"""Turns as terms and back: ``then(from(c3),step(1,1,e))`` is the turn ``c3 (1 1 e)``."""

from __future__ import annotations

import re

from grl.board import Equipment
from grl.errors import TurnSyntaxError
from grl.rules.asp.naming import Names
from grl.turn import Kind, Turn

_TOKEN = re.compile(r"[a-z]\w*|-?\d+|[(),]")
Term = tuple[str, tuple["Term", ...]]


def turn_of(term: str, equipment: Equipment) -> str:
    """The text of the turn that a term spells; raises `TurnSyntaxError` where it spells none."""
    key = {name: key for key, name in Names(equipment).piece.items()}
    parsed = parse_term(term)
    try:
        return str(Turn.parse("pass" if parsed == ("pass", ()) else _spelt(parsed, key)))
    except (KeyError, IndexError, ValueError):
        raise TurnSyntaxError(
            "not the term of a turn",
            found=repr(term[:100]),
            expected="a term such as then(from(c3),step(1,1,e)), or pass",
        ) from None


def _spelt(term: Term, key: dict[str, str]) -> str:
    name, arguments = term
    if name == "from":
        return arguments[0][0]
    if name == "and":
        return f"{_spelt(arguments[0], key)}; {arguments[1][0]}"
    if name != "then":
        raise ValueError(name)
    before, (letter, parts) = _spelt(arguments[0], key), arguments[1]
    words = [part[0] for part in parts]
    match letter:
        case "step":
            return f"{before} ({words[0]} {words[1]} {words[2]})"
        case "fly":
            return f"{before} (@{words[0]} {words[1]})"
        case "remove":
            return f"{before} (0 0 d)"
        case "appear" | "keep":
            return f"{before} (0 0 {'a' if letter == 'appear' else 'r'} {key[words[0]]})"
    raise ValueError(letter)


def term_of(turn: Turn | str, equipment: Equipment) -> str:
    """The term of a turn; the inverse of `turn_of`."""
    parsed = Turn.parse(turn) if isinstance(turn, str) else turn
    piece = Names(equipment).piece
    if not parsed.segments:
        return "pass"
    term = ""
    for segment in parsed.segments:
        term = f"and({term},{segment.origin})" if term else f"from({segment.origin})"
        targets = iter(segment.targets)
        for letter in segment.letters:
            if letter.fly:
                word = f"fly({next(targets)},{letter.on})"
            elif letter.kind is Kind.REMOVE:
                word = "remove"
            elif letter.kind in (Kind.APPEAR, Kind.RESERVE):
                verb = "appear" if letter.kind is Kind.APPEAR else "keep"
                word = f"{verb}({piece[letter.piece]})"
            else:
                word = f"step({letter.dx},{letter.dy},{letter.on})"
            term = f"then({term},{word})"
    return term


def parse_term(text: str) -> Term:
    """A ground term as its name and its arguments; numbers are names."""
    tokens = _TOKEN.findall(text)
    stack: list[list[Term]] = [[]]
    names: list[str] = []
    for at, token in enumerate(tokens):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) < 2:
                stack = []
                break
            arguments = stack.pop()
            stack[-1].append((names.pop(), tuple(arguments)))
        elif token != ",":
            if tokens[at + 1 : at + 2] == ["("]:
                names.append(token)
            else:
                stack[-1].append((token, ()))
    if len(stack) != 1 or len(stack[0]) != 1 or "".join(tokens) != "".join(text.split()):
        raise TurnSyntaxError("not a term", found=repr(text[:100]), expected="a ground term")
    return stack[0][0]
