"""The JSON interface: models, games, reasons. Each method answers one address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
from starlette.requests import Request
from starlette.responses import Response

from grl.serve import book, why
from grl.serve.messages import (
    Begun,
    GameLine,
    GameView,
    Goto,
    Judge,
    NewGame,
    Play,
    Seats,
    Think,
    Why,
)
from grl.serve.openapi import kept
from grl.serve.pictures import picture, pictures
from grl.serve.refusals import Refused, asked, said
from grl.serve.routes import Address
from grl.serve.shelf import Served
from grl.serve.tables import Table
from grl.serve.thinking import Thinking, check_ply, quick

T = TypeVar("T")

WORKERS = 8
"""Requests that are worked on at a time; others wait."""
WAITING = 12
"""Players who think, or wait to."""


class Api:
    """Who answers; `records` gives the trace files that there are, of any game."""

    def __init__(self, thinking: Thinking, records: Callable[[], Any]) -> None:
        self.thinking, self._records = thinking, records
        self.tables, self.shelf = thinking.tables, thinking.tables.shelf
        self._limits: dict[str, anyio.CapacityLimiter] = {}

    def addresses(self) -> list[Address]:
        """All addresses."""
        game = "/games/{game}"
        model = "/models/{model}"
        return [
            Address("GET", "/openapi.json", self.openapi, "This description"),
            Address("GET", "/models", self.models, "The models that are served"),
            Address("GET", model, self.model, "A model: board, pieces, players"),
            Address("GET", f"{model}/book", self.book, "The rulebook in English"),
            Address("GET", f"{model}/examples", self.examples, "A position for each rule"),
            Address("GET", f"{model}/pictures", self.pictures, "Automata and machines"),
            Address("GET", f"{model}/pictures/{{number}}", self.picture, "One of them, drawn"),
            Address("GET", f"{model}/file", self.file, "The model file"),
            Address("GET", "/games", self.games, "The games under way", gives=list[GameLine]),
            Address("POST", "/games", self.begin, "Begin a game", NewGame, GameView),
            Address("GET", game, self.game, "A game as it stands", gives=GameView),
            Address("DELETE", game, self.drop, "Forget a game"),
            Address("POST", f"{game}/play", self.play, "Play a turn", Play, GameView),
            Address("POST", f"{game}/goto", self.goto, "Undo and redo", Goto, GameView),
            Address("POST", f"{game}/seats", self.seats, "Say who plays", Seats, GameView),
            Address("POST", f"{game}/explain", self.explain, "Why a turn is legal or not", Why),
            Address("POST", f"{game}/walk", self.walk, "Read the beginning of a turn", Begun),
            Address("GET", f"{game}/outlook", self.outlook, "What rules say of the position"),
            Address("POST", f"{game}/answer", self.answer, "A player's turn", Think),
            Address("POST", f"{game}/analyse", self.analyse, "The best turns", Judge),
        ]

    async def _do(self, work: Callable[[], T], kind: str = "work") -> T:
        """Work in a thread, so that others are answered meanwhile."""
        if kind not in self._limits:
            self._limits[kind] = anyio.CapacityLimiter(WORKERS if kind == "work" else WAITING)
        return await anyio.to_thread.run_sync(work, limiter=self._limits[kind])

    async def openapi(self, _: Request) -> Response:
        """This interface in the words of OpenAPI 3.1."""
        return Response(kept(), media_type="application/json")

    # Models -----------------------------------------------------------------------------------

    def _served(self, request: Request) -> Served:
        return self.shelf.get(request.path_params["model"])

    async def models(self, _: Request) -> Response:
        """The models, and the files that are none, each with what is wrong."""
        found = await self._do(self.shelf.all)
        return said({"models": [each.line for each in found], "broken": dict(self.shelf.broken)})

    async def model(self, request: Request) -> Response:
        """Where squares lie, what pieces there are, who plays, and where games begin."""
        return said(await self._do(lambda: self._served(request).data))

    async def book(self, request: Request) -> Response:
        """Restrictions, endings, who moves next and passes, with the positions for each rule."""
        return said(await self._do(lambda: book.book(self._served(request))))

    async def examples(self, request: Request) -> Response:
        """For restrictions and endings, by number: before and after, and the squares that matter.

        The search for them takes some seconds the first time.
        """
        served = await self._do(lambda: self._served(request))
        return said(await self._do(lambda: book.examples(served, self._records()), "examples"))

    async def pictures(self, request: Request) -> Response:
        """Whose they are, and of what size; each of them is drawn at an address of its own."""
        return said(await self._do(lambda: pictures(self._served(request).rulebook.model)))

    async def picture(self, request: Request) -> Response:
        """States, arrows and labels, with places to draw them at; automata come before machines."""
        served = await self._do(lambda: self._served(request))
        model, text = served.rulebook.model, request.path_params["number"]
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
        if not 0 <= number < len(model.automata) + len(model.machines):
            raise Refused(404, f"there is no picture {text!r}")

        def drawn() -> Any:
            key = f"picture {number}"
            if key not in served.kept:
                served.kept[key] = picture(model, number)
            return served.kept[key]

        return said(await self._do(drawn))

    async def file(self, request: Request) -> Response:
        """The file as `grl learn` writes it."""
        served = await self._do(lambda: self._served(request))
        return Response(
            await self._do(served.path.read_bytes),
            media_type="application/json",
            headers={"content-disposition": f'attachment; filename="{served.id}.grl.json"'},
        )

    # Games ------------------------------------------------------------------------------------

    async def games(self, _: Request) -> Response:
        """The games that are kept, the one that changed last first."""
        return said(self.tables.list())

    async def begin(self, request: Request) -> Response:
        """A new game from the initial position, or another one; `turns` are played at once."""
        new = await asked(request, NewGame)

        def begun() -> GameView:
            table = self.tables.begin(new)
            self.thinking.prepare(table)
            return table.seen()

        return said(await self._do(begun))

    async def game(self, request: Request) -> Response:
        """Position, legal turns letter by letter, what was played, and how it ended if it did."""
        return said(await self._do(lambda: self._seen(request)))

    def _seen(self, request: Request) -> GameView:
        with self.tables.held(request.path_params["game"]) as table:
            return table.seen()

    async def drop(self, request: Request) -> Response:
        """The game is gone, its file too."""
        await self._do(lambda: self.tables.drop(request.path_params["game"]))
        return said({"dropped": True})

    async def play(self, request: Request) -> Response:
        """Play a legal turn, in full, in any spelling, or short."""
        wanted = await asked(request, Play)

        def played() -> GameView:
            with self.tables.changing(request.path_params["game"]) as table:
                check_ply(table, wanted.ply)
                table.advance(table.meant(wanted.turn))
            return self._seen(request)

        return said(await self._do(played))

    async def goto(self, request: Request) -> Response:
        """Stand at another ply; turns after it stay until another one is played."""
        wanted = await asked(request, Goto)

        def gone() -> GameView:
            with self.tables.changing(request.path_params["game"]) as table:
                if wanted.ply > len(table.kept.turns):
                    most = len(table.kept.turns)
                    raise Refused(422, f"there is no ply {wanted.ply}; expected 0 to {most}")
                table.kept.ply = wanted.ply
            return self._seen(request)

        return said(await self._do(gone))

    async def seats(self, request: Request) -> Response:
        """Seat people and players anywhere."""
        wanted = await asked(request, Seats)

        def sitting() -> GameView:
            with self.tables.changing(request.path_params["game"]) as table:
                self.tables.seat(table, dict(wanted.seats))
            return self._seen(request)

        return said(await self._do(sitting))

    async def explain(self, request: Request) -> Response:
        """Why a turn is legal or not: automata, machines, the rule that forbids it, rival turns."""
        wanted = await asked(request, Why)

        def found() -> Any:
            with self.tables.held(request.path_params["game"]) as table:
                return why.explained(table.served, table.position, wanted.turn, wanted.squares)

        return said(await self._do(found))

    async def walk(self, request: Request) -> Response:
        """The states in which automata and machines are after a beginning, and how it goes on."""
        wanted = await asked(request, Begun)

        def found() -> Any:
            with self.tables.held(request.path_params["game"]) as table:
                return why.walked(table.served, table.position, wanted.begun, table.legal())

        return said(await self._do(found))

    async def outlook(self, request: Request) -> Response:
        """Whether the game is over and why, which rule forbids which turns, and for each rule the
        squares here that it speaks of."""

        def found() -> Any:
            with self.tables.held(request.path_params["game"]) as table:
                return why.outlook(table.served, table.position, table.legal())

        return said(await self._do(found))

    async def answer(self, request: Request) -> Response:
        """What a player, by default the one whose seat it is, would play; played if asked for."""
        wanted = await asked(request, Think)
        key = request.path_params["game"]
        table, spec = await self._do(lambda: self._seat(key, wanted.player))

        def thought() -> Any:
            found = self.thinking.answer(table, spec, wanted.ply, wanted.seed)
            if not wanted.play:
                return found
            with self.tables.changing(key) as again:
                check_ply(again, found["ply"])
                again.advance(again.meant(found["turn"]))
            return found | {"game": self._seen(request)}

        return said(await self._do(thought, "work" if quick(spec) else "thinking"))

    def _seat(self, key: str, player: str) -> tuple[Table, str]:
        """A game, and who is to answer there."""
        with self.tables.held(key) as table:
            return table, player or table.kept.seats[table.position.to_move]

    async def analyse(self, request: Request) -> Response:
        """The best turns with values and variations, as the player to move sees them."""
        wanted = await asked(request, Judge)
        key = request.path_params["game"]
        table, spec = await self._do(lambda: self._seat(key, wanted.player))
        return said(
            await self._do(
                lambda: self.thinking.judged(table, spec, wanted.best, wanted.ply), "thinking"
            )
        )
