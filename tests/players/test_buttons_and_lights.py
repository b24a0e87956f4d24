"""Buttons and Lights as a reference game against the description in the book, state by state."""

from __future__ import annotations

from pathlib import Path

import clingo

from grl.board import Position
from grl.games import load

BOOK = (Path(__file__).parent / "buttons_and_lights.lp").read_text(encoding="utf-8")


def fluents(position: Position) -> set[str]:
    step = position.cells.index("s") - 6
    burning = zip("pqr", position.cells, strict=False)
    return {f"step({step})"} | {light for light, cell in burning if cell == "l"}


def said(state: set[str], does: str = "") -> dict[str, set[str]]:
    """What the book's rules say of a state, and of a button."""
    control = clingo.Control(["--warn=none"])
    given = "".join(f"true({one})." for one in state) + (f"does(white,{does})." if does else "")
    control.add("base", [], f"{BOOK}\n#defined does/2.\n{given}")
    control.ground([("base", [])])
    found: dict[str, set[str]] = {"next": set(), "goal": set(), "terminal": set()}
    for atom in control.symbolic_atoms:
        if atom.symbol.name in found:
            found[atom.symbol.name].add(str((atom.symbol.arguments or [""])[-1]))
    return found


def test_every_state_of_play_goes_on_and_ends_as_in_the_book() -> None:
    game = load("buttons-and-lights")
    rest, seen = [game.initial], set()
    while rest:
        position = rest.pop()
        if position.cells in seen:
            continue
        seen.add(position.cells)
        state = fluents(position)
        book = said(state)
        assert game.is_terminal(position) == bool(book["terminal"])
        if game.is_terminal(position):
            assert {str(game.goals(position)["white"])} == book["goal"]
            continue
        for button, turn in zip("abc", game.legal(position), strict=True):
            after = game.play(position, turn)
            assert fluents(after) == said(state, button)["next"]
            rest.append(after)
    assert len(seen) > 30


def test_the_book_s_plan_of_six_steps_lights_all() -> None:
    game = load("buttons-and-lights")
    position = game.initial
    for button in "abcaba":
        position = game.play(position, game.legal(position)["abc".index(button)])
    assert game.goals(position) == {"white": 100}
