"""``grl games`` and ``grl doctor``: what is installed here."""

from __future__ import annotations

import json
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Any

import click

from grl.commands.common import AS_JSON, drawn, example, table

if TYPE_CHECKING:
    from grl.doctor import Finding
    from grl.games import Game

WIDTH = 80
OPTIONS = 28


@click.command(epilog=example("grl games", "grl games GAME", "grl games --json"))
@click.argument("game", metavar="[GAME]", required=False)
@AS_JSON
def games(game: str | None, as_json: bool) -> None:
    """List the games that have a hand-written reference.

    With a game, perhaps with options, what it is played with and where its rules come from.
    """
    from grl.games import available, load

    if game is not None:
        reference = load(game)
        data = _data(game.partition(":")[0]) | _equipment(reference)
        click.echo(json.dumps(data) if as_json else _page(reference, data))
        return
    found = [_data(name) for name in available()]
    if as_json:
        click.echo(json.dumps(found))
    elif not found:
        click.echo("no package registers a game", err=True)
    else:
        click.echo(_list(found))


def _data(name: str) -> dict[str, Any]:
    from grl.games import factory, options

    return {
        "game": name,
        "options": options(name),
        "rules_after": getattr(factory(name), "provenance", ""),
    }


def _equipment(game: Game) -> dict[str, Any]:
    board = game.equipment.board
    return {
        "width": board.width,
        "height": board.height,
        "squares": len(board.squares),
        "linked": board.links is not None,
        "players": list(game.equipment.players),
        "pieces": {
            key: {"player": piece.player, "type": piece.type}
            for key, piece in game.equipment.pieces.items()
        },
        "initial": game.initial.to_dict(),
    }


def _options(data: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in data["options"].items()) or "-"


def _list(found: list[dict[str, Any]]) -> str:
    """A line for each game, as wide as a terminal: many options, and where the rules come from, are
    cut short."""
    spaced = [(data["game"], _options(data).replace(",", ", ")) for data in found]
    rows = [
        (name, shorten(options, OPTIONS, placeholder=" …").replace(", ", ","))
        for name, options in spaced
    ]
    left = [max(map(len, column)) for column in zip(*rows, ("game", "options"), strict=True)]
    room = max(10, WIDTH - sum(left) - 4)
    lines = table(
        ("game", "options", "rules after"),
        [
            (*row, shorten(data["rules_after"], room, placeholder="…"))
            for row, data in zip(rows, found, strict=True)
        ],
    )
    return f"{lines}\nOptions follow the name, GAME:option=number,...; 'grl games GAME' has more."


def _page(game: Game, data: dict[str, Any]) -> str:
    """A game at length."""
    linked = ", steps only along links" if data["linked"] else ""
    size = f"{data['width']} x {data['height']}, {data['squares']} squares{linked}"
    pieces = [
        f"{key} {piece['type']} of {piece['player'] or 'nobody'}"
        for key, piece in data["pieces"].items()
    ]
    facts = {
        "rules after": data["rules_after"] or "-",
        "options": _options(data).replace(",", ", "),
        "board": size,
        "players": ", ".join(data["players"]),
        "pieces": ", ".join(pieces),
    }
    lines = [data["game"]]
    for name, text in facts.items():
        start = f"  {name:<11}  "
        wrapped = wrap(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start))
        lines += [line.replace(", ", ",") for line in wrapped] if name == "options" else wrapped
    return "\n".join([*lines, "", drawn(game.initial), f"{game.initial.to_move} to move"])


def _state(finding: Finding) -> str:
    if finding.ok:
        return "ok"
    return "missing" if finding.required else "absent"


@click.command(epilog=example("grl doctor"))
def doctor() -> int:
    """Report what is installed and what is missing.

    Exit status 1 where something is missing that grl can't work without.
    """
    from grl.doctor import check_up

    findings = check_up()
    click.echo(
        table(
            ("", "part", "version", "needed for"),
            [(_state(f), f.name, f.version or "-", f.needed_for) for f in findings],
        )
    )
    for finding in findings:
        if not finding.ok:
            click.echo(f"{finding.name}: {finding.advice}")
    lacking = [finding.name for finding in findings if finding.required and not finding.ok]
    if lacking:
        click.echo(f"grl can't work without {', '.join(lacking)}")
    return 1 if lacking else 0
