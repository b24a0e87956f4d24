"""Turns as terms and back: ``then(from(c3),step(1,1,e))`` is the turn ``c3 (1 1 e)``."""

from __future__ import annotations

import re

from grl.asp.terms import Function, Number, Term
from grl.board import Equipment
from grl.errors import TurnSyntaxError
from grl.rules.asp.naming import Names
from grl.turn import Kind, Turn

_TOKEN = re.compile(r"[a-z]\w*|-?\d+|[(),]")


def turn_of(term: str, equipment: Equipment) -> str:
    """The text of the turn that a term spells; raises `TurnSyntaxError` where it spells none."""
    key = {name: key for key, name in Names(equipment).piece.items()}
    try:
        parsed = parse_term(term)
        return str(Turn.parse("pass" if parsed == Function("pass") else _spelt(parsed, key)))
    except (KeyError, ValueError):
        raise TurnSyntaxError(
            "not the term of a turn",
            found=repr(term[:100]),
            expected="a term such as then(from(c3),step(1,1,e)), or pass",
        ) from None


def _spelt(term: Term, key: dict[str, str]) -> str:
    match term:
        case Function("from", (Function(origin, ()),)):
            return origin
        case Function("and", (before, Function(origin, ()))):
            return f"{_spelt(before, key)}; {origin}"
        case Function("then", (before, letter)):
            return f"{_spelt(before, key)} ({_letter(letter, key)})"
    raise ValueError(str(term))


def _letter(term: Term, key: dict[str, str]) -> str:
    match term:
        case Function("step", (Number(dx), Number(dy), Function(on, ()))):
            return f"{dx} {dy} {on}"
        case Function("fly", (Function(target, ()), Function(on, ()))):
            return f"@{target} {on}"
        case Function("remove", ()):
            return "0 0 d"
        case Function("appear" | "keep" as verb, (Function(piece, ()),)):
            return f"0 0 {'a' if verb == 'appear' else 'r'} {key[piece]}"
    raise ValueError(str(term))


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
    """A ground term without arithmetic; raises `TurnSyntaxError`."""
    tokens = _TOKEN.findall(text)
    stack: list[list[Term]] = [[]]
    names: list[str] = []
    for at, token in enumerate(tokens):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) < 2 or not names:
                stack = []
                break
            arguments = stack.pop()
            stack[-1].append(Function(names.pop(), tuple(arguments)))
        elif token != ",":
            if tokens[at + 1 : at + 2] == ["("]:
                names.append(token)
            else:
                stack[-1].append(Function(token) if token[0].isalpha() else Number(int(token)))
    if len(stack) != 1 or len(stack[0]) != 1 or "".join(tokens) != "".join(text.split()):
        raise TurnSyntaxError("not a term", found=repr(text[:100]), expected="a ground term")
    return stack[0][0]
