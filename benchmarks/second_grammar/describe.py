"""Drawn games in English, and their features by name."""

from __future__ import annotations

from collections.abc import Iterator

from .rules import Rules
from .table import STONE


def described(rules: Rules) -> Iterator[str]:
    """The rules of a game, a sentence a line."""
    table, board = rules.table, rules.table.field.board
    yield f"{rules.frame}, {len(table.players)} players: {', '.join(table.players)}"
    yield f"board {table.field.said()}"
    cells = ["#" if s in board.holes else "." for s in range(board.size)]
    for square, key in rules.start:
        cells[square] = key
    yield from (f"    {row}" for row in board.rows("".join(cells)))
    names = {t.letter: t.name for t in table.types}
    for kind in table.types:
        keys = " ".join(table.key(kind, seat) for seat in kind.seats or (0,))
        ways = [word.said() for word in kind.words] or ["never moves"]
        ways += ["is royal"] if kind.royal else []
        ways += ["belongs to nobody, everybody may move it"] if not kind.seats else []
        ways += [kind.change.said(names[kind.change.into])] if kind.change else []
        yield f"{kind.name} ({keys}): " + "; ".join(ways)
    if STONE in dict(rules.start).values() or rules.aftermath:
        yield f"a stone ({STONE}) belongs to nobody and never moves"
    for seat, key, number in rules.hand:
        many = "as many as wanted" if number is None else str(number)
        yield f"{table.players[seat]} has in hand: {many} of {table.kinds[key].name} ({key})"
    if rules.hand:
        yield rules.placing.said()
    for taking in rules.takings:
        on = {"all": "", "moves": " (by moves only)", "placings": " (by placings only)"}
        yield f"taking{on[rules.takes_on]}: {taking.said()}"
    if rules.prisoners:
        yield "what is taken joins the taker's hand"
    if rules.aftermath:
        yield rules.aftermath.said()
    yield from (restriction.said() for restriction in rules.restrictions)
    yield from (ending.said(table.players) for ending in rules.endings)
    if rules.passing == "none":
        yield rules.no_turn.said()
    else:
        yield (
            "a player may always pass"
            if rules.passing == "free"
            else "a player without a turn passes"
        )
    yield rules.control.said()


def features(rules: Rules) -> tuple[tuple[str, str], ...]:
    """What the game is made of: pairs of a part of the grammar and what was drawn there."""

    def name(part: object) -> str:
        return type(part).__name__

    table = rules.table
    found = [("frame", rules.frame), ("board", table.field.kind)]
    found += [("players", str(len(table.players))), ("types", str(len(table.types)))]
    words = {word for kind in table.types for word in kind.words}
    found += [("word", name(word)) for word in words]
    takes = {"p" in getattr(w, "on", "") for w in words}
    found += [("taking", "replacement")] if True in takes else []
    found += [("taking", f"hop {t}") for w in words if (t := getattr(w, "takes", "none")) != "none"]
    found += [("taking", name(t) + " reversing" * t.flips) for t in rules.takings]
    found += [("equipment", "royal")] if table.royals else []
    found += [("equipment", "change of type")] if any(t.change for t in table.types) else []
    found += [("equipment", "ball")] if table.free else []
    found += [("equipment", "neutral stones")] if STONE in dict(rules.start).values() else []
    found += [("equipment", "captured pieces to hand")] if rules.prisoners else []
    endless = any(n is None for *_, n in rules.hand)
    found += [("equipment", "endless supply" if endless else "hand")] if rules.hand else []
    found += [("placing", rules.placing.where)] if rules.hand else []
    found += [("aftermath", rules.aftermath.how)] if rules.aftermath else []
    found += [("restriction", name(r)) for r in rules.restrictions]
    found += [("restrictions", str(len(rules.restrictions)))]
    found += [("ending", name(e.when)) for e in rules.endings]
    found += [("result", name(e.result)) for e in rules.endings]
    found += [("endings", str(len(rules.endings)))]
    found += [("no turn", rules.no_turn.how if rules.passing == "none" else "-")]
    found += [("control", name(rules.control)), ("passing", rules.passing)]
    return tuple(sorted(set(found)))
